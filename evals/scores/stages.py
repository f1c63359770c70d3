"""Which stage lost a wrong answer: KG-GPT's error analysis (section 4.3, Table 3), done by rule instead of by hand.

A question's gold relation path is a chain topic – r1 – … – rn – answer. A wrong answer (strict Hits@1) is

- a *segmentation* error where its sub-sentences are no such chain: each used once, n of them, from the topic
  to ?answer;
- else a *retrieval* error where a gold relation was not chosen for its place in the chain;
- else an *inference* error: all that was needed had been found.

A claim comes with the set of its gold relations only. A wrong verdict is a segmentation error where there are
fewer sub-sentences than gold relations (one triple each) or a given entity is named in none of them, then a
retrieval error where a gold relation was chosen for no sub-sentence. A method without segmentation loses
answers in retrieval, where no gold answer is in the evidence, or in inference. What cannot be told apart is
"unknown", with the reason, and is left out of the shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from triplewise.evals.scores.metrics import evidence_recall
from triplewise.evals.scores.results import ItemResult
from triplewise.evals.scores.statistics import Interval, interval
from triplewise.kg.names import entity_label, fold, relation_words

Stage = Literal["segmentation", "retrieval", "inference", "unknown"]
STAGES: tuple[Stage, ...] = ("segmentation", "retrieval", "inference")

TABLE_3: Mapping[str, Mapping[str, int]] = {
    "factkg": {"segmentation": 39, "retrieval": 17, "inference": 44},
    "metaqa-1": {"segmentation": 3, "retrieval": 4, "inference": 93},
    "metaqa-2": {"segmentation": 63, "retrieval": 3, "inference": 34},
    "metaqa-3": {"segmentation": 100, "retrieval": 0, "inference": 0},
}
"""Kim et al. (2023), Table 3: errors by stage, of 100 wrong answers per data set, labelled by hand."""

SubSentences = Sequence[Mapping[str, Any]]
"""As the segmenter's step records them: ``{"text": …, "ends": [name or "?variable", …]}``."""


class Fault(NamedTuple):
    """The stage that lost an answer, and how that shows."""

    stage: Stage
    why: str


@dataclass(frozen=True, slots=True)
class StageShare:
    """One row of the table: ``count`` of the wrong answers with a known stage; shares are of 1.

    ``interval``: 95%; ``published`` and ``published_interval``: Table 3's, None for data sets not in it.
    """

    stage: Stage
    count: int
    share: float
    interval: Interval
    published: float | None = None
    published_interval: Interval | None = None


def is_wrong(result: ItemResult) -> bool:
    """Whether the answer misses strict Hits@1, or the verdict is not the label; links are neither right nor wrong."""
    score = result.scores.get("accuracy" if result.item.task == "verify" else "hits_at_1")
    return score is not None and score < 1


def fault_of(result: ItemResult) -> Fault | None:
    """The stage that lost a wrong answer; None where the answer is right."""
    if not is_wrong(result):
        return None
    if result.error:
        return Fault("unknown", f"ended in {result.error}")
    segment = next((s for s in result.steps if s["node"] == "segment"), None)
    if segment is None:
        return _fault_without_segments(result)
    if not result.item.path:
        return Fault("unknown", "the data names no gold relations")
    subs: SubSentences = segment["detail"]["sub_sentences"]
    return (_claim_fault if result.item.task == "verify" else _question_fault)(result, subs)


def _question_fault(result: ItemResult, subs: SubSentences) -> Fault:
    path = result.item.path
    order = chain(subs, _topic_names(result))
    if order is None:
        return Fault("segmentation", "the sub-sentences are no chain from the topic to the answer")
    if len(order) != len(path):
        return Fault("segmentation", f"{_count(len(order), 'sub-sentence')} where the gold path has {len(path)}")
    chosen = _chosen(result.steps)
    for place, (index, relation) in enumerate(zip(order, path, strict=True), 1):
        if not _names_relation(chosen.get(index, ((), ()))[0], relation):
            offered = _names_relation(chosen.get(index, ((), ()))[1], relation)
            reason = "was offered and not chosen" if offered else "was not among the candidates"
            return Fault("retrieval", f"“{relation_words(relation)}” (link {place}) {reason}")
    return Fault("inference", "sub-sentences and relations fit the gold path")


def _claim_fault(result: ItemResult, subs: SubSentences) -> Fault:
    gold = sorted(set(result.item.path))
    if len(subs) < len(gold):
        return Fault("segmentation", f"{_count(len(subs), 'sub-sentence')} for {_count(len(gold), 'gold relation')}")
    named = {fold(end) for sub in subs for end in sub["ends"]}
    if lost := [name for name in _linked(result) if fold(name) not in named]:
        return Fault("segmentation", f"no sub-sentence names “{lost[0]}”")
    picks = _chosen(result.steps).values()
    for relation in gold:
        if not any(_names_relation(chosen, relation) for chosen, _ in picks):
            return Fault("retrieval", f"“{relation_words(relation)}” was chosen for no sub-sentence")
    return Fault("inference", "all gold relations were chosen")


def _fault_without_segments(result: ItemResult) -> Fault:
    found = evidence_recall(result.item, result.outcome)
    if found is None or not result.steps:
        return Fault("unknown", "the data names no gold relations" if result.steps else "no steps are recorded")
    if not found:
        return Fault("retrieval", "no gold answer is in the evidence")
    return Fault("inference", "a gold answer is in the evidence")


def chain(subs: SubSentences, topic: Collection[str]) -> tuple[int, ...] | None:
    """The sub-sentences' order as a chain from the topic (folded names) to ?answer; None where they are none."""

    def walk(place: str, used: tuple[int, ...]) -> tuple[int, ...] | None:
        if place == "?answer":
            return used if len(used) == len(subs) else None
        for i, sub in enumerate(subs):
            ends = [fold(end) for end in sub["ends"]]
            at = place in ends if place.startswith("?") else any(end in topic for end in ends)
            if i in used or len(ends) != 2 or not at:
                continue
            other = ends[1] if (ends[0] == place or (not place and ends[0] in topic)) else ends[0]
            if other.startswith("?") and (found := walk(other, (*used, i))):
                return found
        return None

    return walk("", ())


def _topic_names(result: ItemResult) -> set[str]:
    """Folded names of the item's topic; an entity that was linked alone is taken for it."""
    given, linked = result.item.entities[:1], _linked(result)
    names = {fold(form) for topic in given for form in (topic, entity_label(topic))}
    return names | {fold(name) for name in linked if len(linked) == 1}


def _linked(result: ItemResult) -> list[str]:
    return next((s["detail"].get("entities", []) for s in result.steps if s["node"] == "link"), [])


def _chosen(steps: Iterable[Mapping[str, Any]]) -> dict[int, tuple[Collection[str], Collection[str]]]:
    """Index of a sub-sentence → (relations chosen, relations offered), as labels."""
    found = {}
    for step in steps:
        name, _, number = step["node"].partition("[")
        if name == "select_relations":
            detail = step["detail"]
            found[int(number.rstrip("]")) - 1] = (detail.get("chosen", ()), detail.get("candidates", ()))
    return found


def _names_relation(labels: Collection[str], relation: str) -> bool:
    """Whether a relation is among these labels, which are words or ids, told apart in brackets where they clash."""
    words = fold(relation_words(relation))
    return any(fold(label) in (words, fold(relation)) or fold(label).startswith(f"{words} (") for label in labels)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def stage_shares(results: Sequence[ItemResult], dataset: str = "") -> tuple[list[StageShare], Counter[str]]:
    """(Table 3 of these results, reasons of the wrong answers with no known stage and their counts).

    The rows are [] where no wrong answer has a known stage. ``dataset`` picks the published column.
    """
    faults = [(fault, r.cluster) for r in results if (fault := fault_of(r))]
    unknown = Counter(fault.why for fault, _ in faults if fault.stage == "unknown")
    known = [(fault.stage, cluster) for fault, cluster in faults if fault.stage != "unknown"]
    published = TABLE_3.get(dataset, {})
    rows = []
    for stage in STAGES if known else ():
        hits = [float(found == stage) for found, _ in known]
        printed = published.get(stage)
        rows.append(
            StageShare(
                stage,
                int(sum(hits)),
                sum(hits) / len(hits),
                interval(hits, [cluster for _, cluster in known]),
                None if printed is None else printed / 100,
                None if printed is None else interval([1.0] * printed + [0.0] * (100 - printed)),
            )
        )
    return rows, unknown
