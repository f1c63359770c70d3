"""Metrics of question answering and claim verification, each a pure function of one item's record.

A score is a number per item, or None where the metric does not apply to it (gold unknown, nothing cited);
the mean over the others is reported with their count. Names are strict: ``hits_at_1`` looks at one answer;
what published systems call "Hits@1" is kept under their own names, ``kg_gpt_substring`` (KG-GPT's code: a
gold answer is a substring of the reply) and ``rog_hit`` (RoG: any gold answer occurs in any line of the
prediction). ``VERSIONS`` is stamped into results: a changed metric is another metric.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triplewise.evals.data.items import Item
from triplewise.types import Result


@dataclass(frozen=True, slots=True)
class Outcome:
    """What of a result counts: answers as (id, label), best first, the verdict, evidence and cost.

    ``evidence``: triples as ids; ``citations``: indices into it, as the method gave them; ``statuses``:
    of the steps; ``cost`` in US dollars, None where no price is known; ``error``: the class of the error
    that ended the item, else "".
    """

    answers: tuple[tuple[str, str], ...] = ()
    text: str = ""
    verdict: str | None = None
    evidence: tuple[tuple[str, str, str], ...] = ()
    citations: tuple[int, ...] = ()
    statuses: tuple[str, ...] = ()
    calls: int = 0
    tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    error: str = ""

    @classmethod
    def of(cls, result: Result, seconds: float) -> Outcome:
        """The outcome of a result that took ``seconds``."""
        use = result.usage
        return cls(
            tuple((a.id, a.label) for a in result.answers),
            result.text,
            result.verdict,
            tuple((e.triple.head, e.triple.relation, e.triple.tail) for e in result.evidence),
            result.citations + tuple(i for a in result.answers for i in a.citations),
            tuple(s.status for s in result.steps),
            use.calls,
            use.prompt_tokens + use.completion_tokens,
            use.cached_tokens,
            use.cost,
            seconds,
        )


def normalise(text: str) -> str:
    """Case-folded NFKC text without punctuation, articles and repeated blanks (SQuAD's normalisation)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = unicodedata.normalize("NFKC", "".join(c for c in folded if c not in string.punctuation))  # "c:̧" is "ç" then
    plain = " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())
    return plain or " ".join(folded.split())  # "The The", "?" and "A" are names too


def _answers(outcome: Outcome) -> list[frozenset[str]]:
    """Per answer the names that it may be known by."""
    return [frozenset({normalise(i), normalise(label)}) for i, label in outcome.answers]


def _gold(item: Item) -> frozenset[str]:
    return frozenset(normalise(a) for a in item.answers)


def hits_at_1(item: Item, outcome: Outcome) -> float | None:
    """1 where the first answer equals a gold answer after normalisation; an abstention is 0."""
    if item.task != "ask":
        return None
    answers = _answers(outcome)
    return float(bool(answers) and bool(answers[0] & _gold(item)))


def hits_any(item: Item, outcome: Outcome) -> float | None:
    """1 where any answer equals a gold answer."""
    return None if item.task != "ask" else float(any(a & _gold(item) for a in _answers(outcome)))


def _matched(item: Item, outcome: Outcome) -> tuple[int, int, int, int]:
    """(right answers, distinct answers, gold answers found, gold answers)."""
    gold, answers = _gold(item), set(_answers(outcome))
    return sum(bool(a & gold) for a in answers), len(answers), len(gold & frozenset().union(*answers)), len(gold)


def precision(item: Item, outcome: Outcome) -> float | None:
    """Share of the distinct answers that are gold; 0 where there are none (1 if none is right)."""
    if item.task != "ask":
        return None
    right, given, _, gold = _matched(item, outcome)
    return right / given if given else float(not gold)


def recall(item: Item, outcome: Outcome) -> float | None:
    """Share of the gold answers that were given."""
    if item.task != "ask":
        return None
    _, given, found, gold = _matched(item, outcome)
    return found / gold if gold else float(not given)


def f1(item: Item, outcome: Outcome) -> float | None:
    """Harmonic mean of set precision and recall."""
    p, r = precision(item, outcome), recall(item, outcome)
    if p is None or r is None:
        return None
    return 2 * p * r / (p + r) if p + r else 0.0


def accuracy(item: Item, outcome: Outcome) -> float | None:
    """1 where the verdict is the label; "not enough evidence" and no verdict are 0."""
    if item.label is None:
        return None
    return float(outcome.verdict == ("supported" if item.label else "refuted"))


def accuracy_closed_world(item: Item, outcome: Outcome) -> float | None:
    """``accuracy`` where "not enough evidence" is read as refuted.

    FactKG's two labels are made under a closed world: a claim that the graph does not state is refuted. A
    method that says so in a third word is wrong by ``accuracy`` on every refuted claim. No verdict is 0 here too.
    """
    if item.label is None:
        return None
    return float(outcome.verdict in (("supported",) if item.label else ("refuted", "not_enough_evidence")))


def kg_gpt_substring(item: Item, outcome: Outcome) -> float | None:
    """KG-GPT's published score: some gold answer, lower-cased, is a substring of the reply.

    "1" is in "1999" and a reply that lists every candidate is always right; for comparison only.
    """
    if item.task != "ask":
        return None
    reply = outcome.text.lower()
    return float(any(a.lower() in reply for a in item.answers if a))


def rog_hit(item: Item, outcome: Outcome) -> float | None:
    """RoG's published "Hit": some gold answer, normalised RoG's way, occurs in the prediction's text."""
    if item.task != "ask":
        return None
    text = _rog_normalise("\n".join(label for _, label in outcome.answers) or outcome.text)
    return float(any(_rog_normalise(a) in text for a in item.answers if a))


def _rog_normalise(text: str) -> str:
    kept = "".join(c for c in text.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def evidence_recall(item: Item, outcome: Outcome) -> float | None:
    """Share of the gold answers among the evidence's entities: what the reasoner could at best answer."""
    if item.task != "ask" or not item.answers:
        return None
    seen = {normalise(end) for h, _, t in outcome.evidence for end in (h, t)}
    gold = _gold(item)
    return len(gold & seen) / len(gold)


def triples(item: Item, outcome: Outcome) -> float | None:
    """Triples retrieved (KG-GPT's Tables 12 and 14)."""
    return None if outcome.error else float(len(outcome.evidence))


def triples_supported(item: Item, outcome: Outcome) -> float | None:
    """The same of claims whose label is "supported"."""
    return triples(item, outcome) if item.label is True else None


def triples_refuted(item: Item, outcome: Outcome) -> float | None:
    """The same of claims whose label is "refuted"."""
    return triples(item, outcome) if item.label is False else None


def citation_validity(item: Item, outcome: Outcome) -> float | None:
    """Share of the citations that point at evidence; None where nothing is cited."""
    if not outcome.citations:
        return None
    return sum(0 <= i < len(outcome.evidence) for i in outcome.citations) / len(outcome.citations)


def abstention(item: Item, outcome: Outcome) -> float | None:
    """1 where no answer was given, or the verdict is "not enough evidence" or missing; errors apart."""
    if outcome.error:
        return None
    if item.task == "verify":
        return float(outcome.verdict not in ("supported", "refuted"))
    return float(not outcome.answers)


def parse_failure(item: Item, outcome: Outcome) -> float | None:
    """1 where some step's first reply did not parse (repaired or fallen back)."""
    return _any_status(outcome, "repaired", "fallback")


def repair(item: Item, outcome: Outcome) -> float | None:
    """1 where some step's second reply parsed."""
    return _any_status(outcome, "repaired")


def fallback(item: Item, outcome: Outcome) -> float | None:
    """1 where some step fell back."""
    return _any_status(outcome, "fallback")


def _any_status(outcome: Outcome, *statuses: str) -> float | None:
    return float(any(s in statuses for s in outcome.statuses)) if outcome.statuses else None


def errors(item: Item, outcome: Outcome) -> float | None:
    """1 where the item ended in an error; it counts as wrong in every other score."""
    return float(bool(outcome.error))


Metric = Callable[[Item, Outcome], "float | None"]

METRICS: dict[str, tuple[Metric, int]] = {
    "hits_at_1": (hits_at_1, 1),
    "hits_any": (hits_any, 1),
    "precision": (precision, 1),
    "recall": (recall, 1),
    "f1": (f1, 1),
    "accuracy": (accuracy, 1),
    "accuracy_closed_world": (accuracy_closed_world, 1),
    "kg_gpt_substring": (kg_gpt_substring, 1),
    "rog_hit": (rog_hit, 1),
    "evidence_recall": (evidence_recall, 1),
    "triples": (triples, 1),
    "triples_supported": (triples_supported, 1),
    "triples_refuted": (triples_refuted, 1),
    "citation_validity": (citation_validity, 1),
    "abstention": (abstention, 1),
    "parse_failure": (parse_failure, 1),
    "repair": (repair, 1),
    "fallback": (fallback, 1),
    "errors": (errors, 1),
    "calls": (lambda item, o: float(o.calls), 1),
    "tokens": (lambda item, o: float(o.tokens), 1),
    "cached_tokens": (lambda item, o: float(o.cached_tokens), 1),
    "cost": (lambda item, o: o.cost, 1),
    "seconds": (lambda item, o: o.seconds, 1),
}
"""Name → function and version. Raise the version with every change of what a function gives."""

AMOUNTS: Mapping[str, str] = {
    "triples": "{:,.2f}",
    "triples_supported": "{:,.2f}",
    "triples_refuted": "{:,.2f}",
    "calls": "{:,.2f}",
    "tokens": "{:,.0f}",
    "cached_tokens": "{:,.0f}",
    "cost": "${:,.5f}",
    "seconds": "{:,.2f}",
}
"""Metrics that are no shares, and how their means are printed."""

VERSIONS: Mapping[str, int] = {name: version for name, (_, version) in METRICS.items()}


def score(item: Item, outcome: Outcome) -> dict[str, float | None]:
    """All metrics of one item; None where a metric does not apply."""
    return {name: metric(item, outcome) for name, (metric, _) in METRICS.items()}


def mean(values: Sequence[float | None]) -> tuple[float | None, int]:
    """(mean over the items that a metric applies to, their count); (None, 0) where there are none."""
    present: list[Any] = [v for v in values if v is not None]
    return (sum(present) / len(present), len(present)) if present else (None, 0)
