"""Interpretation of a turn: every completion of a follow-up is ranked, with its readings, by query-graph's ranker.

score(completion, reading) = score(completed sentence, reading) + bonus(kind) + place(thing) − back(number of the thing)

The ranker's scores are those of a sentence beside a reading, with one constant for "none of these", so that readings of
different completions can be held against each other; of those that ask the same of different things the latest is
taken. An edit of the last query that gives an answer is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from triplewise.agents.assistant.completions.asked_of import AND_HIS, of_described, of_relative
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.told.the_extreme_one import the_extreme_one
from triplewise.agents.assistant.edits import (
    among,
    counted,
    held_among,
    held_of_each,
    in_place,
    of_each,
    reckoned,
    some_of,
    swapped,
    without,
)
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.intents.in_one import in_one
from triplewise.agents.assistant.memory import Memory, Place
from triplewise.agents.assistant.references import begins_topic, find_references
from triplewise.agents.query_graph.state import ScoredReading
from triplewise.errors import QuestionError
from triplewise.kg.base import KGStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE, Pattern, Variable
from triplewise.kg.query.reckon import is_number
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.plain_nouns import ALONE
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.ranker import Reader, reader_of
from triplewise.tools.query_graph.ranking import Ranked, Ranking
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.text.verb_forms import plural

BONUS = {
    "alone": 1.5, "pronoun": 1.5, "ellipsis": 0.0, "among": 7.0, "else": 6.5, "namesake": 2.0, "swap": 0.5,
    "count": 2.0, "more": 0.5, "ordinal": 3.0, "all": 7.0,
    "compared": 7.0,
}  # fmt: skip
"""In units of the ranker's score, in which the first reading of a clear sentence leads by 2 to 6. "among", "else",
``PLACE`` and ``BACK`` are a conditional logit's over 586 follow-ups of the training domains, rounded (decision 19)."""
PLACE: dict[Place, float] = {"answer": 1.0, "inner": 2.0, "older": -3.5, "": 0.0}
"""What a completion gains by where its thing was spoken of."""
BACK = (0.0, 1.5, 3.0)
"""What the first thing loses that a pronoun is tried with, the second, and each later one."""
NONE_ODDS = 1.5
"""How much likelier "none of these" is for a completed sentence than the ranker says, which reads one completion at a
time: the best of several is rarely improbable, as an only one may be. Of 1 to 6 this is right most often on those
follow-ups."""
KNOWN = 4.0
"""What a reading of a question loses where all its answers were told or named in the last turns."""
SAME_VALUE = 4.0
"""What a claim gains that compares two things by what was asked last: "How many docks has Cais?" "More than Farol."."""
WHOLE = 3.0
"""What a sentence gains that is clear by itself: it names a thing, a value or an order, and "none" is unlikely."""
_CLEAR = 0.3
"""The probability of "none of these" below which it is."""
_SURE = 0.7
"""The probability from which on a reading is what "who else?" asks, though all its answers were told, or "how many of
them?", though none is: another reading that has such answers is then another question."""
_LIKELY = 0.35
"""The same for the first reading of what is asked of some answers: "which of them has a key?", where none has."""
_ALL = re.compile(r"\b(?:all|every|altogether|overall)\b|\b(?:are|were|is) there(?: in (?:all|total))?\W*$", re.I)
_HOW_OFTEN = re.compile(
    r"(?:who|which|what)\b.*\b(?:once|twice|thrice|\w+ times|(?:(?:more|less|fewer) than|at (?:least|most)) \w+ \w+)",
    re.I,
)
"""Asks who did something so often, of whatever it was done to: no thing is left out."""
_OTHERS = re.compile(r"\b(?:else|(?<!one )another|(?<!each )others?(?! th[ae]n))\b", re.I)
"""Asks for others than those that were spoken of: "did Bo do any other race?"."""
_ASKS = re.compile(r"\W*(?:who|whom|whose|what|which|when|where|how|why)\b", re.I)
_ABOUT_ONE = ("pronoun", "ellipsis")
"""Completions that ask of one thing that was spoken of."""
KEPT = 12
_OF_OTHERS = 3
"""Readings that are looked at for others than those that were spoken of."""
_LOOKED = 12
"""Readings of one completion that are restricted to some answers and executed."""


@dataclass(frozen=True, slots=True)
class InterpretedTurn:
    """The chosen completion of a turn, its readings (the likeliest first), and the probability that none is right."""

    interpretation: Interpretation
    readings: tuple[ScoredReading, ...]
    none: float


@dataclass(frozen=True, slots=True)
class Completed:
    """A completion with its readings. ``back``: how many things were tried before its own, which was spoken of at
    ``place``; ``clear``: it is the sentence as it was said, and clear by itself; ``all``: it asks for all of a kind;
    ``settled``: its words alone tell how it is read."""

    turn: InterpretedTurn
    back: int = 0
    place: Place = ""
    clear: bool = False
    all: bool = False
    settled: bool = False

    @property
    def score(self) -> float:
        """What is compared between completions, in units of the ranker's score."""
        kind = self.turn.interpretation.kind
        own = self.turn.readings[0].score + BONUS[kind] + PLACE[self.place] + (WHOLE if self.clear else 0.0)
        own += 2 * WHOLE if self.settled else 0.0
        return own - BACK[min(self.back, len(BACK) - 1)]


class Interpreter:
    """Chooses the completion and the readings of turns over one graph."""

    def __init__(self, kg: KGStore) -> None:
        self.kg = kg
        self.reader: Reader = reader_of(kg)
        self.names = self.reader.generator.names
        self.follow_ups = FollowUps(kg, self.names, self.reader.affinity)

    def interpret(self, text: str, task: str, memory: Memory, given: Sequence[str] = ()) -> InterpretedTurn:
        """The likeliest completion of a sentence and its readings; ``given``: what a complete sentence is about."""
        alone = Interpretation(find_references(text).bare if begins_topic(text) else text, given=tuple(given))
        extreme = None if given else the_extreme_one(self.follow_ups.things, in_one(text), memory, self._which)
        found = [alone] if given or begins_topic(text) else [extreme] if extreme else []
        found = found or self.follow_ups.interpretations(text, memory)
        found = found if self._has_words(text) else [i for i in found if i.kind != "ellipsis"] or [alone]
        if task == "verify":  # the last question is no claim, whatever is put into it
            found = [i for i in found if i.query or i.kind not in ("swap", "more") or not _ASKS.match(i.text)] or found
        edits = [i for i in found if i.query and (task == "ask" or i.kind == "compared" or i.query.form == "ask")]
        for edit in edits:
            if (edited := self._edited(edit)) is not None:
                return edited
        swaps = [i for i in edits if i.kind in ("swap", "namesake", "else", "all")]
        if swaps and all(i.query is not None or i.kind == "alone" for i in found):
            return self._read(swaps[0])  # "and the cape?": the same of it, also where the graph does not tell
        completed: list[Completed] = []
        for one in self.completed([i for i in found if i not in edits], text, task, memory):
            if one.all:
                return replace(one.turn, none=0.0)
            completed.append(one)
        if not completed:
            return InterpretedTurn(found[0], (), 1.0)
        likeliest = max(completed, key=lambda c: c.score)
        best = likeliest.turn
        if task == "ask" and AND_HIS.fullmatch(text) and not _answers(self.kg, best.readings[0].query):
            told = (c.turn for c in completed if c.turn.interpretation.kind == best.interpretation.kind)
            best = next((t for t in told if _answers(self.kg, t.readings[0].query)), best)  # her brother: who has one
        if task == "ask" and (of := best.interpretation.given[:1]) and best.interpretation.kind == "pronoun":
            relative = of_relative(self.follow_ups.things, text, memory, of[0], best.readings[0].query)
            if relative is not None:
                return self._read(relative)
        if task == "ask" and best.interpretation.kind == "alone":
            described = of_described(self.follow_ups.things, text, memory, best.readings[0].query)
            if described is not None:
                return self._read(described)
        if likeliest.place != "answer":
            best = next((c.turn for c in completed if _differ_in_entity_only(c.turn, best)), best)
        best = next((c.turn for c in completed if self._asks_directly(c.turn, best)), best)
        others = task == "ask" and _OTHERS.search(text)
        return self._of_others(best, memory) if others else best

    def _of_others(self, turn: InterpretedTurn, memory: Memory) -> InterpretedTurn:
        """The likeliest readings without what was spoken of, where they tell anything else."""
        spoken = {n for before in memory.turns[-3:] for n in (*before.answers, *before.topics)}
        readings = list(turn.readings)
        for number, reading in enumerate(readings[:_OF_OTHERS]):
            found = execute(self.kg, reading.query).ids if reading.query.form in ("select", "count") else ()
            if 0 < len(spoken.intersection(found)) < len(set(found)):
                query = without(reading.query, [n for n in found if n in spoken])
                readings[number] = replace(reading, query=query, shown=read_back(self.kg, query))
        return replace(turn, readings=tuple(readings))

    def _asks_directly(self, one: InterpretedTurn, other: InterpretedTurn) -> bool:
        """Whether a completion asks of a thing what the other reaches through it and its like: after "who went out to
        C47?" and "which of them can drive?", "who were the casualties?" asks for those of C47, not for those of all
        that the driver went out to."""
        mine, theirs = one.interpretation, other.interpretation
        if mine.kind not in _ABOUT_ONE or theirs.kind not in _ABOUT_ONE or len(mine.given) != 1 or mine == theirs:
            return False
        query, longer = one.readings[0].query, other.readings[0].query
        alike = all(getattr(query, n) == getattr(longer, n) for n in ("answer", "form", "filters", "minus", "order"))
        if not alike or len(longer.patterns) <= len(query.patterns) or one.none > _CLEAR:
            return False
        through = (in_place(longer.patterns, v, mine.given[0]) for v in {*longer.variables()} - {*query.variables()})
        return any(
            {*query.patterns} < {*moved} and _answers(self.kg, replace(longer, patterns=moved)) for moved in through
        )

    def _which(self, question: str, nodes: Sequence[str]) -> str:
        """The one of some things that a question picks; "" where it is not likely to be any one."""
        ranking = self.reader.rank(question)
        likely = [r.draft for r in ranking.readings[:1] if ranking.none < _CLEAR]
        queries = [among(d.query(), nodes) for d in likely if d.order and d.form == "select"]
        found = execute(self.kg, queries[0]).ids if queries else ()
        return found[0] if len(found) == 1 else ""

    def completed(self, found: Sequence[Interpretation], text: str, task: str, memory: Memory) -> Iterator[Completed]:
        """Those completions of a sentence of which the graph proposes readings, with these."""
        backs: dict[str, int] = {}
        far = self._is_far_back(found, memory)
        spoken = {n for turn in memory.turns[-3:] for n in (*turn.answers, *turn.topics)} if task == "ask" else set()
        asked = memory.last.query if task == "verify" and memory.last else None
        before = set(QueryGraph.from_json(asked).relations) if asked else set[str]()
        refers = find_references(text).any
        for interpretation in found:
            kind = interpretation.kind
            back = backs[kind] = backs.get(kind, -1) + 1
            ranking = self._rank(interpretation, task)
            whole = kind == "alone" and not refers  # then what was said before does not count
            known, compared = (set(), set()) if whole else (spoken, before)
            readings = tuple(self.rescored(interpretation, ranking, known, compared))
            if not readings:
                continue
            placed = kind == "ellipsis" or (kind == "pronoun" and not far)
            held = interpretation.keep or interpretation.drop  # its readings were executed, and have answers
            raised = task == "ask" and kind != "alone" and not held and len(found) > 1
            none = _raised(ranking.none) if raised else ranking.none
            yield Completed(
                InterpretedTurn(interpretation, readings[:KEPT], none),
                back,
                memory.place(interpretation.given[0]) if placed else "",
                whole
                and ranking.none < _CLEAR
                and bool(_is_about_something(readings[0].query) or _HOW_OFTEN.match(text)),
                kind == "alone" and _lists_all(text, ranking),
                kind == "alone" and ranking.settled,
            )

    def _has_words(self, text: str) -> bool:
        """Whether a word of a sentence is one, of the language or the graph: "asdf" is said of nothing."""
        words = [w.text for w in words_in(text)]
        return not words or any(w in self.reader.bert.tokenise.ids or self.reader.words.knows(w) for w in words)

    def _is_far_back(self, found: Sequence[Interpretation], memory: Memory) -> bool:
        """Whether "he" or "she" can only be a person of an older turn: then no nearer one is passed over for that."""
        meant = [i.given[0] for i in found if i.kind == "pronoun" and i.how.startswith(("he:", "she:"))]
        people = self.follow_ups.people(meant)
        return bool(people) and all(memory.place(n) == "older" for n in people)

    def _edited(self, interpretation: Interpretation) -> InterpretedTurn | None:
        """An edit of the last query, where it gives an answer."""
        query = interpretation.query
        assert query is not None
        return self._read(interpretation) if query.form == "ask" or _answers(self.kg, query) else None

    def _read(self, interpretation: Interpretation) -> InterpretedTurn:
        assert interpretation.query is not None
        query = interpretation.query
        return InterpretedTurn(interpretation, (ScoredReading(query, read_back(self.kg, query), 0.0, 1.0),), 0.0)

    def _rank(self, interpretation: Interpretation, task: str) -> Ranking:
        return self.reader.rank(interpretation.text, task, self.follow_ups.about(interpretation))

    def rescored(
        self, interpretation: Interpretation, ranking: Ranking, known: Set[str], compared: Set[str]
    ) -> list[ScoredReading]:
        """The readings of a completion that hold what it is about, the likeliest first. ``known``: things that the last
        turns were about, of which nobody asks which they are; ``compared``: the relations that were asked last."""
        found = self._fitting(interpretation, ranking, known, compared)
        return sorted(found, key=lambda r: -r.score)

    def _fitting(
        self, interpretation: Interpretation, ranking: Ranking, known: Set[str], compared: Set[str]
    ) -> Iterator[ScoredReading]:
        needed = set(interpretation.given)
        looked, denied = 0, bool(cues.DENIED.search(interpretation.text))
        for ranked in ranking.readings:
            query = ranked.draft.query()
            if needed and not needed & set(query.entities):
                continue
            if interpretation.each:
                each = held_of_each if query.form == "ask" else of_each
                query = each(query, interpretation.given[0], interpretation.each)
                if query is None:
                    continue
            if interpretation.reckon:
                if query.form != "select" or not all(is_number(self.kg.label(n)) for n in ranked.draft.answers):
                    continue
                query = reckoned(query, interpretation.reckon)
            if interpretation.keep and query.form == "ask":
                query = held_among(query, interpretation.keep) or some_of(query, interpretation.keep) or query
            if interpretation.counted and (query.form != "select" or query.order or (query.minus and not denied)):
                continue
            if (interpretation.keep or interpretation.drop) and query.answer is not None:
                if query.form == "count" and query.minus and not denied:
                    continue  # "how many of them are red?", where none is, asks for no number of the others
                looked += 1
                if looked > _LOOKED:
                    return
                told = tuple(n for n in interpretation.drop if n in ranked.draft.answers)
                if interpretation.keep:
                    query = among(self._of_said_kind(query, interpretation.text), interpretation.keep)
                elif told:
                    query = without(query, told)
                if not _answers(self.kg, query):
                    if (told or interpretation.counted) and ranked.probability > _SURE:  # there is none, or none else
                        asked = counted(query) if interpretation.counted else query
                        lost = KNOWN if told and not interpretation.keep else 0.0  # others of another thing come first
                        yield ScoredReading(asked, ranked.text, ranked.score - lost, ranked.probability)
                    elif (
                        ranked is ranking.readings[0]
                        and ranked.probability > _LIKELY
                        and _lists(ranked, query)
                        and self._are_alike(ranked.draft.answers, interpretation.keep)
                        and not self._has_namesake(query, ranking.readings[1:_LOOKED], interpretation.keep)
                    ):
                        yield ScoredReading(query, ranked.text, ranked.score, ranked.probability)
                    continue
            if interpretation.counted:
                query = counted(query)
            told = query.form == "select" and not interpretation.keep and bool(ranked.draft.answers)
            if told and ranked.draft.answers <= known:
                yield ScoredReading(query, ranked.text, ranked.score - KNOWN, ranked.probability / 10)
            elif compared and _compares(query, compared):
                yield ScoredReading(query, ranked.text, ranked.score + SAME_VALUE, ranked.probability)
            else:
                yield ScoredReading(query, ranked.text, ranked.score, ranked.probability)

    def _of_said_kind(self, query: QueryGraph, text: str) -> QueryGraph:
        """A query without the kind of its answers, where the sentence does not say it: which they are chosen from is
        known."""
        said = {w.text for w in words_in(text)}

        def idle(pattern: Pattern) -> bool:
            if pattern.head != query.answer or pattern.relation not in {TYPE, *self.kg.roles.types}:
                return False
            words = folded_words(self.kg.label(str(pattern.tail)))[-1:]
            return not any(w in said or plural(w) in said for w in words)

        kept = tuple(p for p in query.patterns if not idle(p))
        bound = any(query.answer in p.variables for p in kept)
        return replace(query, patterns=kept) if bound and kept != query.patterns else query

    def _has_namesake(self, query: QueryGraph, others: Sequence[Ranked], keep: Sequence[str]) -> bool:
        """Whether the same of another thing is so of some that were told: an EpiPen of theirs, not of a stranger."""
        for other in others if keep else ():
            asked = other.draft.query()
            alike = sorted(asked.relations) == sorted(query.relations) and asked.form == query.form
            if alike and not asked.order and _answers(self.kg, among(asked, keep)):
                return True
        return False

    def _are_alike(self, answers: Set[str], told: Sequence[str]) -> bool:
        """Whether some answers are of a kind of what was told: where none of Ann and Bo is among instruments, it was
        not asked which of them are."""
        kinds = self.names.schema.kinds
        of_told = {k for n in told[:_LOOKED] for k in kinds(n)}
        return not of_told or any(of_told.intersection(kinds(n)) for n in sorted(answers)[:_LOOKED])


def _lists(ranked: Ranked, query: QueryGraph) -> bool:
    """Whether a reading tells which things are so, and some are."""
    return bool(ranked.draft.answers) and query.form == "select" and not query.order


def _lists_all(text: str, ranking: Ranking) -> bool:
    """Whether all things of a kind are asked for: "which bands are there?", also where a place was spoken of."""
    return bool(_ALL.search(text)) and ALONE in ranking.readings[0].draft.extra


def _is_about_something(query: QueryGraph) -> bool:
    return bool(query.entities or query.filters or query.order or query.minus)


def _compares(query: QueryGraph, relations: Set[str]) -> bool:
    """Whether a claim holds two things of one of these relations against each other."""
    return any(isinstance(f.right, Variable) for f in query.filters) and set(query.relations) <= relations


def _differ_in_entity_only(one: InterpretedTurn, other: InterpretedTurn) -> bool:
    """Whether two completions ask the same of different things: then the one spoken of last is meant, since the scores
    of one sentence with different names differ by chance."""
    mine, theirs = one.interpretation, other.interpretation
    if mine.kind != theirs.kind or len(mine.given) != 1 or len(theirs.given) != 1:
        return one is other
    return swapped(one.readings[0].query, mine.given[0], theirs.given[0]) == other.readings[0].query


def _raised(none: float) -> float:
    """A probability whose odds are NONE_ODDS times as high."""
    return NONE_ODDS * none / (1 + (NONE_ODDS - 1) * none)


def _answers(kg: KGStore, query: QueryGraph) -> bool:
    try:
        return execute(kg, query, max_rows=5_000).number > 0
    except QuestionError:
        return False
