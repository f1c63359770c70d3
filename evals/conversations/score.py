"""Scores of one turn: pure functions of the expected and the given answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from triplewise.agents.assistant.answers import CITED
from triplewise.agents.assistant.events import (
    Answered,
    Choices,
    Citations,
    Event,
    ReadAs,
    Rewritten,
    Spent,
    StepFinished,
)
from triplewise.evals.conversations.talks import Expected, Talk
from triplewise.kg.names import literal_parts
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.search import matching
from triplewise.train.query_graph.corpus import Domain

VERSION = 1
_INTENT = {"ask": "ask", "none": "ask", "clarify": "ask", "verify": "verify", "smalltalk": "chat"}


@dataclass(frozen=True, slots=True)
class TurnScore:
    """``right``: the turn came to what was expected. ``tool``: the right intent. ``rewriting``: the executed query
    names the things that the gold query names (None where there is none to name). ``asked``: it asked back.
    ``invalid``: citations that stand for no triple of the graph. ``seconds``: to the answer."""

    talk: str
    number: int
    act: str
    right: bool
    tool: bool
    rewriting: bool | None
    asked: bool
    citations: int
    invalid: int
    seconds: float
    told: str = ""
    read: str = ""


def score_turn(talk: Talk, number: int, events: Sequence[Event]) -> TurnScore:
    """Score the events of turn ``number`` (from 0)."""
    expected, domain = talk.turns[number], talk.domain
    answered = next((e for e in events if isinstance(e, Answered)), None)
    choices = next((e for e in events if isinstance(e, Choices)), None)
    read = next((e for e in events if isinstance(e, ReadAs)), None)
    rewritten = next((e for e in events if isinstance(e, Rewritten)), None)
    intents = [e.detail["intent"] for e in events if isinstance(e, StepFinished) and e.detail and "intent" in e.detail]
    right = is_right(domain, expected, answered, choices)
    cited = next((e for e in events if isinstance(e, Citations)), None)
    told = answered.text if answered else choices.question if choices else ""
    return TurnScore(
        talk.id, number, expected.act, right,
        right or not intents or _tool_fits(expected, intents[0]),
        _names(domain, expected, read), choices is not None,
        len(CITED.findall(told)) if answered else 0, _invalid(domain, told, cited) if answered else 0,
        next((e.seconds for e in events if isinstance(e, Spent)), 0.0), told,
        (f"{rewritten.text} | " if rewritten else "") + (read.reading.text if read and read.reading else ""),
    )  # fmt: skip


def _tool_fits(expected: Expected, intent: str) -> bool:
    """A claim about what the graph does not hold may be asked or verified: both say that it does not tell."""
    return intent == _INTENT[expected.act] or (expected.act in ("none", "clarify") and intent == "verify")


def is_right(domain: Domain, expected: Expected, answered: Answered | None, choices: Choices | None) -> bool:
    """Whether what was told, or asked back, is what a turn should come to."""
    if expected.act == "clarify":
        return choices is not None and expected.answers <= {o.id for o in choices.options}
    if answered is None:
        return False
    if expected.act == "smalltalk":
        return answered.kind == "chat"
    if expected.act == "none":
        return answered.kind == "nothing" or answered.verdict == "not_enough_evidence"
    if expected.act == "verify":
        return answered.verdict in expected.answers
    if answered.verdict is not None:
        return False
    if expected.counted:
        return {a.label for a in answered.answers} == set(expected.answers) or (
            expected.answers == {"0"} and answered.kind == "nothing"
        )
    return frozenset(_same(domain, a.id) for a in answered.answers) == expected.answers


def _same(domain: Domain, node: str) -> str:
    return domain.node(domain.store.label(node)) if literal_parts(node) else node


def _names(domain: Domain, expected: Expected, read: ReadAs | None) -> bool | None:
    if expected.act not in ("ask", "verify") or not expected.things:
        return None
    if read is None or read.reading is None:
        return False
    return expected.things <= set(QueryGraph.from_json(read.reading.query).entities)


def _invalid(domain: Domain, text: str, cited: Citations | None) -> int:
    """Citations of a text that stand for no evidence, or for an asserted triple that the graph does not hold."""
    known = {c.n: c for c in cited.citations} if cited else {}
    bad = 0
    for match in CITED.finditer(text):
        citation = known.get(int(match.group(1)))
        if citation is None:
            bad += 1
        elif citation.source == "asserted":
            held = matching(domain.store, citation.head, citation.relation, citation.tail)  # classes, too
            bad += next(held, None) is None
    return bad


@dataclass(frozen=True)
class Summary:
    """All turns together."""

    turns: tuple[TurnScore, ...] = field(repr=False)

    def share(self, name: str, act: str = "") -> tuple[float, int]:
        """(share, number) of the turns for which a score holds, of one act or of all."""
        found = [v for t in self.turns if not act or t.act == act if (v := getattr(t, name)) is not None]
        return (sum(map(bool, found)) / len(found) if found else 0.0), len(found)

    def lines(self) -> list[str]:
        """The summary for a person."""
        out = []
        for name in ("right", "tool", "rewriting"):
            value, n = self.share(name)
            out.append(f"{name}: {value:.1%} of {n} turns")
        for act in ("ask", "verify", "none", "clarify", "smalltalk"):
            value, n = self.share("right", act)
            out.append(f"  right, {act}: {value:.1%} of {n}")
        needed = [t for t in self.turns if t.act == "clarify"]
        asked = [t for t in self.turns if t.asked]
        out.append(f"asked back: {len(asked)}, needed {len(needed)}, both {sum(t.asked for t in needed)}")
        out.append(f"invalid citations: {sum(t.invalid for t in self.turns)} of {sum(t.citations for t in self.turns)}")
        seconds = sorted(t.seconds for t in self.turns)
        if seconds:
            out.append(f"seconds a turn: median {seconds[len(seconds) // 2]:.2f}, most {seconds[-1]:.2f}")
        return out
