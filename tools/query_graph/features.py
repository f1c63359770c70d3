"""Cheap features of a candidate reading, for choosing which ones the encoder reads."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from triplewise.kg.names import words_of
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.query_graph.schema_view import SchemaView, Step

NAMES = (
    "affinity mean", "affinity least", "affinity most", "steps", "hops", "links used", "weight used", "links",
    "values used", "values left", "classes used", "classes left", "count as asked", "count unasked", "count not done",
    "order as asked", "order unasked", "order not done", "minus as asked", "minus unasked", "minus not done",
    "filters", "compared as asked", "compared unasked", "missing", "answers", "no link", "order by count",
    "words shared", "words shared most", "typed", "claim denied", "existence", "several routes", "prior",
    "kind said", "kind unsaid", "date as asked", "date unasked", "date not given", "value for who", "number as asked",
    "number not given", "words", "nothing", "cover", "cover gained", "cover unnamed", "matched", "matched least",
)  # fmt: skip
"""What each column is."""
_DATED = ("date", "year", "time")


class Features:
    """The features of all candidates of one sentence."""

    def __init__(self, schema: SchemaView, sentence: Sentence, affinity: Callable[[Step], float]) -> None:
        self.schema, self.s, self.affinity = schema, sentence, affinity
        text = sentence.text
        self.count, self.most, self.deny = (bool(p.search(sentence.plain)) for p in (cues.COUNT, cues.MOST, cues.NOT))
        self.compare = bool(cues.COMPARE.search(text)) or bool(cues.LESS.search(text)) or bool(cues.MORE.search(text))
        self.stems = {_stem(w) for w in words_of(text)}
        self.weights = [link.score * min(12.0, link.weight) for link in sentence.links]
        self.total = self._total()
        self.shared: dict[str, float] = {}
        self.when, self.who, self.amount = (bool(p.search(text)) for p in (cues.WHEN, cues.WHO, cues.AMOUNT))
        self.words = math.log1p(len(words_of(text)))
        self.kinds: dict[str, tuple[bool, str]] = {}
        self.covers: dict[object, tuple[float, ...]] = {}
        self.ways: dict[tuple[Step, ...], tuple[tuple[float, ...], tuple[float, ...]]] = {}

    def _total(self) -> float:
        """The weight of the strongest links that share no word."""
        taken: list[int] = []
        for i in sorted(range(len(self.weights)), key=lambda i: -self.weights[i]):
            if not any(self.s.links[i].overlaps(self.s.links[j]) for j in taken):
                taken.append(i)
        return sum(self.weights[i] for i in taken) or 1.0

    def _words(self, relation: str) -> float:
        found = self.shared.get(relation)
        if found is None:
            words = [w for w in words_of(self.schema.words(relation)) if len(w) > 2]
            found = sum(_stem(w) in self.stems for w in words) / len(words) if words else 0.0
            self.shared[relation] = found
        return found

    def matrix(self, drafts: list[Draft]) -> npt.NDArray[np.float32]:
        """[drafts × features], in the order of NAMES."""
        return np.array([self.row(d) for d in drafts], np.float32).reshape(len(drafts), len(NAMES))

    def row(self, d: Draft) -> list[float]:
        """The features of one candidate."""
        near, shared = self.ways.get(d.steps) or self._way(d.steps)
        counted, ordered, reduced = d.form == "count", bool(d.order), bool(d.minus)
        compared = any(isinstance(right, int) and op != "not in" for _, op, right in d.filters)
        links = dict.fromkeys(d.links)
        values = len(set(d.values))
        classes = len(set(d.classes))
        return [
            *near, float(len(d.steps)), float(d.hops),
            sum(self.s.links[i].score for i in links), sum(self.weights[i] for i in links) / self.total,
            float(len(links)),
            float(values), float(len(self.s.values) - values),
            float(classes), float(len(self.s.classes) - classes),
            float(counted and self.count), float(counted and not self.count), float(self.count and not counted),
            float(ordered and self.most), float(ordered and not self.most), float(self.most and not ordered),
            float(reduced and self.deny), float(reduced and not self.deny), float(self.deny and not reduced),
            float(len(d.filters)), float(compared and self.compare), float(compared and not self.compare),
            float("missing" in d.extra), math.log1p(len(d.answers)), float(not links),
            float(bool(d.order and d.order[2])), *shared,
            float(bool(d.kind)), float(d.denied), float(d.form == "ask" and not d.links), float(len(d.routes)), d.prior,
            *self._kind(d), self.words, float(d.form == "select" and not d.answers), *self._cover(d),
        ]  # fmt: skip

    def _way(self, steps: tuple[Step, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """(the mean, least and greatest affinity of steps, the mean and greatest share of their words that is said)."""
        near = [self.affinity(s) for s in steps] or [0.0]
        shared = [self._words(s.relation) for s in steps] or [0.0]
        found = (sum(near) / len(near), min(near), max(near)), (sum(shared) / len(shared), max(shared))
        self.ways[steps] = found
        return found

    def _cover(self, d: Draft) -> tuple[float, ...]:
        """What its names and relations leave unsaid of the sentence; all 0 where tokens were not compared."""
        if not isinstance(self.affinity, Nearness):
            return (0.0,) * 5
        relations = frozenset(s.relation for s in d.steps)
        key = (relations, d.links, d.values, d.classes)
        found = self.covers.get(key)
        if found is None:
            names = [self.s.links[i].name for i in d.links]
            names += [self.s.text[self.s.values[i].start : self.s.values[i].end] for i in d.values]
            names += [self.schema.label(kind) for kind in d.classes]
            found = self.covers[key] = self.affinity.cover(sorted(relations), self.affinity.named(names))
        return found

    def _kind(self, d: Draft) -> list[float]:
        """Whether what it would answer is of the kind that the sentence asks for; all 0 for a claim."""
        if d.form == "ask":
            return [0.0] * 8
        said, value = self._kind_of(min(d.answers)) if d.answers else (False, self._value_at_end(d))
        said = said or bool(d.kind and self._is_said(d.kind))
        dated, number = value in _DATED, value == "number" or d.form == "count"
        return [
            float(said), float(bool(self.s.classes) and not said),
            float(dated and self.when), float(dated and not self.when), float(self.when and not dated),
            float(self.who and bool(value)), float(number and self.amount), float(self.amount and not number),
        ]  # fmt: skip

    def _kind_of(self, node: str) -> tuple[bool, str]:
        """(whether the sentence says a class of the node, its kind of value or "" for a thing)."""
        found = self.kinds.get(node)
        if found is None:
            classes = self.schema.store.types(node)
            value = "" if classes else parse_value(self.schema.label(node)).kind
            found = self.kinds[node] = (any(map(self._is_said, classes)), "" if value == "text" else value)
        return found

    def _value_at_end(self, d: Draft) -> str:
        last = d.steps[-1] if d.steps else None
        value = self.schema.value_kind(last.relation) if last and not last.inverse else None
        return value if value and value != "text" else ""

    def _is_said(self, kind: str) -> bool:
        if kind.startswith("kind:"):
            return False
        words = words_of(self.schema.label(kind))
        return bool(words) and _stem(words[-1]) in self.stems


def _stem(word: str) -> str:
    """The first letters of a word, which survive its endings."""
    return word[: max(4, len(word) - 3)]
