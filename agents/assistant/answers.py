"""A result as a sentence with ``[n]``, and the check that every ``[n]`` of a text stands for evidence.

The text is written by rules, not by a model, so that it states nothing beyond the result. It says which evidence is
asserted, inferred or predicted. Square brackets in labels become round ones, so that only a citation looks like one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from triplewise.agents.assistant.events import AnswerKind, Citation
from triplewise.agents.query_graph.executor import NOTHING, SILENT, UNSURE
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold, one_line
from triplewise.tools.query_graph.nameless import told_name
from triplewise.types import Answer, Evidence, Reading, Result, Verdict

CITED = re.compile(r"\[(\d{1,4})\]")
SHOWN = 12
"""Answers that the text names; all are in the event."""
SHOWN_OF_ALL = 200
"""Answers that it names where all are asked for."""
MAX_CITATIONS = 200
NO_OTHERS = "No others: the graph tells of no more than these."
_NEARLY = 0.08
"""The probability of the first reading from which on a question that was not answered nearly was."""
_CITED_PER_ANSWER = 4
_SENTENCE = re.compile(r"(?<=[.!?])(?:\s*\[\d{1,4}\])*\s+(?=[^\s\[])|\n+")
_VERDICTS: dict[Verdict, str] = {
    "supported": "Yes, the graph says so",
    "refuted": "No, the graph says otherwise",
    "not_enough_evidence": "The graph does not tell whether that is so",
}


@dataclass(frozen=True, slots=True)
class VerbalisedAnswer:
    """A result verbalised: ``citations`` number its evidence from 1, ``answers`` cite by these numbers."""

    text: str
    kind: AnswerKind
    citations: tuple[Citation, ...] = ()
    answers: tuple[Answer, ...] = ()
    verdict: Verdict | None = None


def citation(kg: KGStore, message: str, n: int, evidence: Evidence) -> Citation:
    """Evidence under its number in a message."""
    head, relation, tail = evidence.triple
    labels = (one_line(told_name(kg, head)), one_line(kg.relation_label(relation)), one_line(told_name(kg, tail)))
    return Citation(
        n, f"{message}#{n}", head, relation, tail, labels, evidence.source, evidence.score, evidence.origin
    )  # fmt: skip


def verbalise(
    kg: KGStore, result: Result, message: str, *, lead: str = "", shown: int = SHOWN, others: bool = False
) -> VerbalisedAnswer:
    """Verbalise a result. ``lead``: a sentence before it, such as what was taken for granted; ``shown``: how many
    answers the text names; ``others``: what was told before was left out of them."""
    numbers: dict[int, int] = {}

    def cite(indices: Sequence[int], most: int = _CITED_PER_ANSWER) -> str:
        cited = []
        for i in indices:
            if i not in numbers and len(numbers) < MAX_CITATIONS:
                numbers[i] = len(numbers) + 1
            if i in numbers and len(cited) < most:
                cited.append(f"[{numbers[i]}]")
        return f" {''.join(cited)}" if cited else ""

    kind: AnswerKind
    counted = bool(result.reading and not {"count", "total", "average"}.isdisjoint(result.reading.query)) or (
        not result.answers and bool(re.fullmatch(r"\d+", result.text))
    )
    if result.verdict is not None:
        kind, text = "verdict", _verdict(kg, result, cite)
    elif counted and result.verdict is None:
        kind, text = "answer", f"{_number(result)}{cite(result.citations, 8)}."
        if _number(result) == "0" and not (result.reading and "count" not in result.reading.query):
            kind, text = "nothing", f"None. {_looked_for(kg, result)}".strip()
    elif result.answers:
        kind, text = "answer", _listed(result.answers, cite, shown)
    else:
        silent = NO_OTHERS if others and result.reading else SILENT
        said = (UNSURE if result.text == UNSURE else silent, why_open(result), _looked_for(kg, result))
        kind, text = "nothing", " ".join(part for part in said if part)
    for i in result.citations:
        cite((i,), 0)
    sources = {result.evidence[i].source for i in numbers}
    if "inferred" in sources:
        text += " Part of this is inferred along a path, not stated."
    if "predicted" in sources:
        text += " Part of this is predicted, not a fact."
        kind = "prediction" if sources == {"predicted"} else kind
    citations = tuple(
        citation(kg, message, n, result.evidence[i]) for i, n in sorted(numbers.items(), key=lambda x: x[1])
    )
    answers = tuple(
        Answer(a.id, one_line(a.label), tuple(numbers[i] for i in a.citations if i in numbers)) for a in result.answers
    )
    return VerbalisedAnswer(f"{lead} {text}".strip(), kind, citations, answers, result.verdict)


def offered(result: Result) -> tuple[Reading, ...]:
    """The readings that are offered where none was sure enough, the likeliest first."""
    return result.other_readings if result.reading is None and result.text == UNSURE else ()


def worth_reading(result: Result) -> bool:
    """Whether it helps to be told how a sentence was or could be read: a reading was taken, offered, or nearly sure
    enough."""
    nearly = any(r.probability >= _NEARLY for r in result.other_readings[:1])
    return result.reading is not None or bool(offered(result)) or nearly


def unbracketed(label: str) -> str:
    """A label that cannot be taken for a citation."""
    return one_line(label).replace("[", "(").replace("]", ")")


def _number(result: Result) -> str:
    if result.reading and result.reading.answers:
        return result.reading.answers[0]
    return result.text


def _listed(answers: Sequence[Answer], cite: object, shown: int) -> str:
    parts = [f"{unbracketed(a.label)}{cite(a.citations)}" for a in answers[:shown]]  # pyright: ignore[reportCallIssue]
    if (rest := len(answers) - shown) > 0:
        return f"{', '.join(parts)} and {rest} more."
    return f"{', '.join(parts[:-1])} and {parts[-1]}." if len(parts) > 1 else f"{parts[0]}."


def _verdict(kg: KGStore, result: Result, cite: object) -> str:
    assert result.verdict is not None
    cited = cite(result.citations, 6) if result.citations else ""  # pyright: ignore[reportCallIssue]
    text = f"{_VERDICTS[result.verdict]}{cited}."
    if result.verdict == "refuted" and result.citations:
        first = result.evidence[result.citations[0]]
        head, relation, tail = (unbracketed(x) for x in _labels(kg, first))
        text += f" {head} — {relation} → {tail}{cite(result.citations[:1])}."  # pyright: ignore[reportCallIssue]
    if result.verdict == "not_enough_evidence":
        text = " ".join(part for part in (text, why_open(result), _looked_for(kg, result)) if part)
    return text


def why_open(result: Result) -> str:
    """Why a claim that was read is open, where more is known than that the graph does not say; "" for the rest."""
    claimed = result.reading is not None and "ask" in result.reading.query
    return unbracketed(result.reason) if claimed and result.reason != NOTHING else ""


def _labels(kg: KGStore, evidence: Evidence) -> tuple[str, str, str]:
    head, relation, tail = evidence.triple
    return told_name(kg, head), kg.relation_label(relation), told_name(kg, tail)


def _looked_for(kg: KGStore, result: Result) -> str:
    """What was searched, so that "nothing" can be judged."""
    if result.reading:
        return f"I looked for: {unbracketed(result.reading.text)}."
    if perhaps := offered(result):
        return f"Perhaps: {unbracketed(perhaps[0].text)}?"
    looked = [e for s in result.steps if s.node == "link" for e in s.detail.get("entities", ())]
    if looked:
        return f"I looked at {', '.join(unbracketed(str(e)) for e in looked[:3])}."
    return "Nothing in it fits what is asked."


def check_text(text: str, citations: Sequence[Citation]) -> tuple[str, tuple[Citation, ...], tuple[str, ...]]:
    """(a model's text with its citations renumbered from 1, those citations, sentences that nothing supports).

    A number that stands for no evidence is taken out. A sentence is supported where it cites a triple of which it names
    an end, and names nothing else of the evidence; questions, and sentences that only say that nothing was found, need
    none.
    """
    known = {c.n: c for c in citations}
    renumbered: dict[int, int] = {}

    def renumber(match: re.Match[str]) -> str:
        n = int(match.group(1))
        return f"[{renumbered.setdefault(n, len(renumbered) + 1)}]" if n in known else ""

    clean = re.sub(r"[ \t]+([.,;!?])", r"\1", CITED.sub(renumber, text)).strip()
    kept = tuple(
        replace(c, n=new, id=f"{c.id.rpartition('#')[0]}#{new}")
        for old, new in sorted(renumbered.items(), key=lambda x: x[1])
        if (c := known[old])
    )  # fmt: skip
    by_number = {c.n: c for c in kept}
    things = {fold(unbracketed(label)) for c in citations for label in (c.labels[0], c.labels[2])}
    unsupported = tuple(s for s in sentences(clean) if not _needs_none(s) and not _supported(s, by_number, things))
    return clean, kept, unsupported


def sentences(text: str) -> list[str]:
    """The sentences of a text, each with the citations that follow it."""
    found: list[str] = []
    start = 0
    for gap in _SENTENCE.finditer(text):
        found.append(text[start : gap.end()].strip())
        start = gap.end()
    return [s for s in (*found, text[start:].strip()) if any(c.isalnum() for c in s)]


_NEEDS_NONE = re.compile(
    r"\?\s*$|\b(?:does not (?:tell|say|state|contain)|do(?:es)?n['’]t (?:tell|say|know|contain)|"
    r"nothing (?:was )?found|not (?:in|know)|"
    r"no (?:evidence|information|triples?)|could not find|cannot|sorry|welcome|hello|let me know|"
    r"here (?:is|are)|predicted)\b|:\s*$",
    re.I,
)  # fmt: skip


def _needs_none(sentence: str) -> bool:
    return bool(_NEEDS_NONE.search(sentence))


def _supported(sentence: str, citations: dict[int, Citation], things: Set[str]) -> bool:
    """``things``: the names in all evidence; one that a sentence has must be an end of a triple that it cites."""
    said = fold(CITED.sub(" ", sentence))
    cited = [c for m in CITED.finditer(sentence) if (c := citations.get(int(m.group(1))))]
    ends = {fold(unbracketed(label)) for c in cited for label in (c.labels[0], c.labels[2])}
    beside = {t for t in things - ends if _names(said, t) and not any(t in e for e in ends if e in said)}
    return any(e in said for e in ends) and not beside


def _names(said: str, thing: str) -> bool:
    return len(thing) > 3 and re.search(rf"\b{re.escape(thing)}\b", said) is not None
