"""What is remembered of a turn: the self-contained question, its query graph, and what it was about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from triplewise.agents.assistant.answers import SHOWN, offered
from triplewise.agents.assistant.intents.small_talk import number_taken
from triplewise.agents.assistant.references import find_references
from triplewise.errors import QuestionError
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import Pattern, Variable
from triplewise.types import Reading, Result, Triple

Place = Literal["answer", "inner", "older", ""]
MAX_INNER = 2
_LISTED = 4
"""Turns after which a list may still be meant."""
MAX_ANSWERS = 200
"""Answers of a turn that are remembered one by one."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A turn that asked the graph. ``answers``: ids; ``topics``: ids of the things that the question named.

    ``chosen``: the ids that the user picked where a name fitted several. ``query``: JSON with ids, None where the
    method told none. ``inner``: what the answer was reached through (the match, the loan), where that is few.
    ``offered``: the query, as JSON, of the reading that was offered where none was sure.
    ``rivals``: ids of the things of one name that the question could mean, the one that was taken first.
    ``refuted``: whether it was a claim and was refuted, so that ``inner`` is what it is instead.
    ``readings``: how it could be read, the reading that was taken first; a reply takes another by its number.
    ``shown``: how many of the answers the text named, where there were more.
    """

    said: str
    question: str
    task: str = "ask"
    answers: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    query: Mapping[str, Any] | None = None
    message: str = ""
    """Id of the answer's message."""
    inner: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    offered: Mapping[str, Any] | None = None
    refuted: bool = False
    readings: tuple[Reading, ...] = ()
    shown: int = SHOWN

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Remembered:
        """The turn of ``to_json``."""
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        return cls(**{**values, "readings": tuple(map(reading_from, values.get("readings", ())))})


def reading_from(data: Mapping[str, Any]) -> Reading:
    """The reading of ``asdict``."""
    return Reading(**{**data, "answers": tuple(data["answers"])})


class Memory:
    """The turns of a thread, the last one last."""

    def __init__(self, kg: KGStore, turns: Sequence[Remembered] = ()) -> None:
        self.kg = kg
        self.turns = tuple(turns)

    @property
    def last(self) -> Remembered | None:
        """The turn before this one."""
        return self.turns[-1] if self.turns else None

    def reading_taken(self, reply: str) -> int:
        """The number of a reading of the last question that a reply takes; 0 where it takes none."""
        number = number_taken(reply)
        return number if self.last and any(r.number == number for r in self.last.readings) else 0

    def things(self, turn: Remembered) -> Iterator[str]:
        """What a pronoun after this turn may mean: its answers where they are few, then what it named."""
        seen: set[str] = set()
        for node in (*(turn.answers if len(turn.answers) <= 3 else ()), *turn.topics, *turn.inner):
            if node not in seen and (node in turn.inner or self.is_thing(node)):
                seen.add(node)
                yield node

    def focus(self, turns: int = 4) -> list[str]:
        """What a pronoun may mean, the likeliest first."""
        found: dict[str, None] = {}
        for turn in reversed(self.turns[-turns:]):
            found |= dict.fromkeys(self.things(turn))
        return list(found)

    def was_told(self, node: str) -> bool:
        """Whether a node was an answer, or is called by words that a turn said."""
        label = fold(self.kg.label(node))
        return any(node in turn.answers or label in fold(turn.said) for turn in self.turns)

    def several(self) -> tuple[str, ...]:
        """What "of them" means: the last answers, one other together with what was told before it, else what the last
        question chose from, "which of them is cheaper?", also where nothing answered it."""
        last = self.last
        if last is None or len(last.answers) > 1:
            return last.answers if last else ()
        if last.answers and (told := self._told_before(last)):
            return (*told, *last.answers)
        before = self.turns[-2].answers if len(self.turns) > 1 else ()
        of_them = not last.answers and find_references(last.said).of_them
        return _chosen_from(last) or (before if of_them else ())

    def listed(self) -> tuple[str, ...]:
        """The things of the last list that was told, a few turns ago: "which of them is the oldest?" asks of these,
        whatever was not told of them in between."""
        lists = (t.answers for t in reversed(self.turns[-_LISTED:]) if len(t.answers) > 1)
        return next((nodes for nodes in lists if all(map(self.is_thing, nodes))), ())

    def only(self) -> tuple[str, ...]:
        """The one answer of the last turn, where it is a thing: after "which bed has potatoes?" nobody minds whether
        "those" are several."""
        answers = self.last.answers if self.last else ()
        return answers if len(answers) == 1 and self.is_thing(answers[0]) else ()

    def _told_before(self, last: Remembered) -> tuple[str, ...]:
        """What the last question left out, of the kind of its answer."""
        alike = {k for n in last.answers for k in self.kg.types(n)}
        return tuple(n for n in left_out(last) if alike & set(self.kg.types(n)))

    def is_theirs(self, nodes: Sequence[str]) -> bool:
        """Whether the last turns told these of somebody who was named: "which bookings has Ann made?" """
        told = next((t for t in reversed(self.turns[-3:]) if set(nodes) <= set(t.answers)), None)
        return bool(told and told.topics)

    def passed_over(self) -> set[str]:
        """What the last question chose from and its answer left: after "which is older?" nobody means the younger."""
        last = self.last
        nodes = _chosen_from(last) if last and last.answers else ()
        return set(nodes) - set(last.answers) if last else set()

    def place(self, node: str) -> Place:
        """Where a thing was spoken of: as the last turn's one answer, inside its proof, or in an older turn only. What
        refutes a claim is less spoken of than what the claim itself named, and so is what a question left out."""
        last = self.last
        if last is None or not any(node in (*t.answers, *t.topics, *t.inner) for t in self.turns):
            return ""
        if node in last.answers:
            return "answer" if len(last.answers) == 1 else ""
        if node in last.topics:
            return "older" if node in left_out(last) else ""
        if node not in last.inner:
            return "older"
        if not last.refuted:
            return "inner"
        return "older" if any(node in (*t.answers, *t.topics) for t in self.turns[:-1]) else ""

    def mentioned(self) -> set[str]:
        """All that the thread was about so far."""
        return {n for t in self.turns for n in (*t.answers[:20], *t.topics, *t.chosen)}

    def chosen(self) -> set[str]:
        """What the user picked among namesakes so far."""
        return {n for t in self.turns for n in t.chosen}

    def is_thing(self, node: str) -> bool:
        """Whether a node can be spoken of as a thing: no value, no class."""
        kg = self.kg
        if not kg.has_entity(node) or kg.is_literal(node) or kg.is_class(node):
            return False
        return bool(kg.types(node)) or any(not r.inverse for r in kg.relations(node))


def _chosen_from(turn: Remembered) -> tuple[str, ...]:
    """The things among which a turn looked for its answer, where it was asked of some; its answers are among them."""
    lists = QueryGraph.from_json(turn.query).filters if turn.query else ()
    found = (f.right for f in lists if f.op == "in" and isinstance(f.right, tuple))
    return next((nodes for nodes in found if set(turn.answers) <= set(nodes)), ())


def left_out(turn: Remembered) -> tuple[str, ...]:
    """The things that a turn left out of its answers, as they had been told: "what else does she teach?" """
    query = QueryGraph.from_json(turn.query) if turn.query else None
    lists = (f for f in query.filters if f.op == "not in" and f.left == query.answer) if query else ()
    return tuple(n for f in lists if isinstance(f.right, tuple) for n in f.right)


def remember(
    kg: KGStore,
    said: str,
    result: Result,
    task: str,
    *,
    chosen: Sequence[str] = (),
    named: Sequence[str] = (),
    before: Remembered | None = None,
) -> Remembered:
    """A turn out of its result; topics are the things that the reading, else the evidence, rests on, else ``named``:
    what the sentence is about is remembered also where the graph does not tell. ``before``: the turn before it."""
    answers = tuple(a.id for a in result.answers[:MAX_ANSWERS] if kg.has_entity(a.id))
    query = result.reading.query if result.reading else query_of_evidence(result)
    if query is not None:
        asked = QueryGraph.from_json(query)
        topics = asked.entities
        if asked.form == "count" and not asked.compare:  # "which of them?" is asked of what was counted
            answers = execute(kg, asked).ids[:MAX_ANSWERS]
        elif asked.form in ("total", "average", "span"):  # and of what has the numbers that were added up
            holder = asked.holder(asked.answer) if asked.answer else None
            holding = replace(asked, form="select", answer=holder or asked.answer, span=None)
            told = _told_with(before, asked)
            answers = told or execute(kg, holding).ids[:MAX_ANSWERS]
    elif perhaps := offered(result):
        unsure = Remembered(said, result.question, task, chosen=tuple(chosen), readings=perhaps)
        return _unsure(kg, unsure, perhaps[0].query, named)
    else:
        cited = [n for t in result.cited_triples()[:20] for n in (t.head, t.tail)]
        topics = tuple(n for n in dict.fromkeys(cited) if n not in answers) or tuple(dict.fromkeys((*chosen, *named)))
    inner = inner_nodes(kg, result.cited_triples(), {*answers, *topics})
    refuted = result.verdict == "refuted"
    readings = (result.reading, *result.other_readings) if result.reading else ()
    return Remembered(
        said, result.question, task, answers, topics, tuple(chosen), query, inner=inner, refuted=refuted,
        readings=readings,
    )  # fmt: skip


def _told_with(before: Remembered | None, asked: QueryGraph) -> tuple[str, ...]:
    """What the turn before told, where these numbers were found on its way: who owes, and how much is that?"""
    query = QueryGraph.from_json(before.query) if before and before.query else None
    if before is None or query is None or query.form != "select" or query.answer == asked.answer:
        return ()
    return before.answers if (query.patterns, query.minus) == (asked.patterns, asked.minus) else ()


def _unsure(kg: KGStore, turn: Remembered, query: Mapping[str, Any], named: Sequence[str]) -> Remembered:
    """A turn whose question was not understood, with what it may have been about: what the offered reading names, and
    its answers where they are few."""
    asked = QueryGraph.from_json(query)
    try:
        found = execute(kg, asked, max_rows=2_000).ids if asked.answer is not None else ()
    except QuestionError:  # too many rows to look at
        found = ()
    topics = dict.fromkeys((*turn.chosen, *named, *asked.entities, *(found if len(found) <= MAX_INNER else ())))
    return replace(turn, topics=tuple(topics), offered=query)


def inner_nodes(kg: KGStore, proof: Sequence[Triple], known: set[str]) -> tuple[str, ...]:
    """The things of a proof that are neither asked for nor named; () where they are many."""
    classes = kg.roles.types
    found = dict.fromkeys(
        n for t in proof[:20] if t.relation not in classes for n in (t.head, t.tail)
        if n not in known and kg.has_entity(n) and not kg.is_literal(n)
        and (kg.types(n) or any(not r.inverse for r in kg.relations(n)))
    )  # fmt: skip
    return tuple(found) if len(found) <= MAX_INNER else ()


def query_of_evidence(result: Result) -> dict[str, Any] | None:
    """The query graph that a method did not tell, where its answers are the other ends of one relation at one thing."""
    answers, cited = {a.id for a in result.answers}, result.cited_triples()
    relations = {t.relation for t in cited}
    if not cited or len(relations) != 1:
        return None
    x, relation = Variable("x"), cited[0].relation
    if {t.tail for t in cited} == answers and len({t.head for t in cited}) == 1:
        return QueryGraph((Pattern(cited[0].head, relation, x),), x).to_json()
    if {t.head for t in cited} == answers and len({t.tail for t in cited}) == 1:
        return QueryGraph((Pattern(x, relation, cited[0].tail),), x).to_json()
    return None
