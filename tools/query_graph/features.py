"""Cheap features of a candidate reading, for choosing which ones the encoder reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from triplewise.kg.names import words_of
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Condition, Draft
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


Floats = npt.NDArray[np.float64]
_KeyT = TypeVar("_KeyT", bound=Hashable)


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

    def matrix(self, drafts: Sequence[Draft]) -> npt.NDArray[np.float32]:
        """[drafts × features], in the order of NAMES; what many drafts share is reckoned once."""
        if not drafts:
            return np.zeros((0, len(NAMES)), np.float32)
        near, shared = np.split(_of_distinct([d.steps for d in drafts], self._ways), [3], axis=1)
        used = _of_distinct([(d.links, d.values, d.classes) for d in drafts], self._used)
        counted, ordered, reduced, compared = _columns(
            (d.form == "count", bool(d.order), bool(d.minus), any(map(_compares, d.filters))) for d in drafts
        )
        steps, hops, filters, missing, answers, select = _columns(
            (len(d.steps), d.hops, len(d.filters), "missing" in d.extra, len(d.answers), d.form == "select")
            for d in drafts
        )
        by_count, typed, denied, existence, routes, prior = _columns(
            (bool(d.order and d.order[2]), bool(d.kind), d.denied, d.form == "ask" and not d.links, len(d.routes),
             d.prior)
            for d in drafts
        )  # fmt: skip
        columns = [
            *near.T, steps, hops, *used.T[:7],
            *_as_asked(counted, self.count), *_as_asked(ordered, self.most), *_as_asked(reduced, self.deny),
            filters, *_as_asked(compared, self.compare)[:2], missing, np.log1p(answers), used.T[2] == 0, by_count,
            *shared.T, typed, denied, existence, routes, prior, *self._kinds(drafts),
            np.full(len(drafts), self.words), select * (answers == 0), *self._cover(drafts).T,
        ]  # fmt: skip
        return np.array(columns, np.float32).T

    def _ways(self, ways: list[tuple[Step, ...]]) -> Floats:
        """[ways × 5] the mean, least and greatest affinity of steps, the mean and greatest share of their words that is
        said; 0 where there are none."""
        place: dict[Step, int] = {}
        flat: list[int] = []
        for steps in ways:
            flat += [place.setdefault(step, 1 + len(place)) for step in steps] or [0]
        counts = np.array([max(1, len(steps)) for steps in ways])
        starts = np.cumsum(counts) - counts
        near = np.array([0.0, *(self.affinity(step) for step in place)])[flat]
        shared = np.array([0.0, *(self._words(step.relation) for step in place)])[flat]
        return np.stack(
            [
                np.add.reduceat(near, starts) / counts, np.minimum.reduceat(near, starts),
                np.maximum.reduceat(near, starts), np.add.reduceat(shared, starts) / counts,
                np.maximum.reduceat(shared, starts),
            ],
            axis=1,
        )  # fmt: skip

    def _used(self, uses: list[tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]]]) -> Floats:
        """[uses × 7] what of the sentence's links (with their weight), values and classes is used, and what is left."""
        found = np.zeros((len(uses), 7))
        for row, (links, values, classes) in zip(found, uses, strict=True):
            own, number, kinds = dict.fromkeys(links), len(set(values)), len(set(classes))
            row[:] = (
                sum(self.s.links[i].score for i in own), sum(self.weights[i] for i in own) / self.total, len(own),
                number, len(self.s.values) - number, kinds, len(self.s.classes) - kinds,
            )  # fmt: skip
        return found

    def _cover(self, drafts: Sequence[Draft]) -> Floats:
        """[drafts × 5] what names and relations leave unsaid of the sentence; all 0 where tokens were not compared."""
        affinity = self.affinity
        if not isinstance(affinity, Nearness):
            return np.zeros((len(drafts), 5))
        uses: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...]], int] = {}
        keys = [
            (frozenset([s.relation for s in d.steps]), uses.setdefault((d.links, d.values, d.classes), len(uses)))
            for d in drafts
        ]
        named = [affinity.named(self._names(*use)) for use in uses]
        return _of_distinct(keys, lambda asked: affinity.cover(asked, named))

    def _names(self, links: tuple[int, ...], values: tuple[int, ...], classes: tuple[str, ...]) -> Iterator[str]:
        yield from (self.s.links[i].name for i in links)
        yield from (self.s.text[self.s.values[i].start : self.s.values[i].end] for i in values)
        yield from map(self.schema.label, classes)

    def _kinds(self, drafts: Sequence[Draft]) -> Sequence[Floats]:
        """[8 × drafts] whether what drafts would answer is of the kind that the sentence asks for; all 0 for claims."""
        said, valued, dated, number, asked = _columns(map(self._kind, drafts))
        return [
            said, asked * (1 - said) * bool(self.s.classes),
            dated * self.when, dated * (not self.when), asked * (1 - dated) * self.when,
            valued * self.who, number * self.amount, asked * (1 - number) * self.amount,
        ]  # fmt: skip

    def _kind(self, d: Draft) -> tuple[bool, bool, bool, bool, bool]:
        """(whether its kind is said, whether it is a value, a date, a number; whether anything is asked for)."""
        if d.form == "ask":
            return False, False, False, False, False
        said, value = self._kind_of(min(d.answers)) if d.answers else (False, self._value_at_end(d))
        said = said or bool(d.kind and self._is_said(d.kind))
        return said, bool(value), value in _DATED, value == "number" or d.form == "count", True

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


def _of_distinct(keys: Sequence[_KeyT], of: Callable[[list[_KeyT]], Floats]) -> Floats:
    """[keys × features], those of each distinct key reckoned once."""
    place: dict[_KeyT, int] = {}
    rows = [place.setdefault(key, len(place)) for key in keys]
    return of(list(place))[rows]


def _columns(rows: Iterable[Sequence[float]]) -> Floats:
    """[columns × rows]"""
    return np.array(list(rows), np.float64).T


def _compares(condition: Condition) -> bool:
    """Whether a condition holds two of a draft's variables against each other."""
    return isinstance(condition[2], int) and condition[1] != "not in"


def _as_asked(done: Floats, asked: bool) -> tuple[Floats, Floats, Floats]:
    """[drafts] done as asked, done unasked, asked and not done."""
    return done * asked, done * (not asked), (1 - done) * asked


def _stem(word: str) -> str:
    """The first letters of a word, which survive its endings."""
    return word[: max(4, len(word) - 3)]
