"""Generation, stages 1 and 3: what is reached from the things that a sentence names, and all things of a class."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import (
    IN_MONTH,
    Condition,
    Draft,
    at_least_one,
    dropped_by,
    row_of,
    walk_rows,
    without,
)
from triplewise.tools.query_graph.candidates.paths import Path, paths_from
from triplewise.tools.query_graph.forbidding import may_have
from triplewise.tools.query_graph.joined.values import JoinedValues
from triplewise.tools.query_graph.linking.mentions import Link
from triplewise.tools.query_graph.linking.months import Month
from triplewise.tools.query_graph.linking.value_mentions import ValueMention
from triplewise.tools.query_graph.relation_numbers import RelationNumbers
from triplewise.tools.query_graph.schema_view import Step


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of generation: how many paths, meetings and bases are gone on from, and of candidates and time."""

    hops: int = 3
    width: int = 60
    """Paths of one length from one thing that are gone on from."""
    reached: int = 10_000
    """Nodes at the ends of the paths of the strongest links from which on those of weaker ones are kept short."""
    meets: int = 40
    """Paths of a thing that are held against another's, and meeting places that are gone on from."""
    bases: int = 24
    """Sets of things that are counted, ordered, filtered and subtracted from."""
    unasked: int = 500
    """Things of a set that is ordered, compared or subtracted from where no word of the sentence asks for it."""
    candidates: int = 6_000
    milliseconds: float = 3_000.0
    """A fail-safe: after this no further stage is begun. The other limits bound the work the same way every time."""


@dataclass
class Sentence:
    """What was found in a sentence before candidates are made."""

    text: str
    links: list[Link]
    values: list[ValueMention]
    classes: dict[str, tuple[int, int]]
    value_nodes: list[tuple[int, str]] = field(default_factory=list)
    """(value mention, node) for each literal that a value mention is."""
    last_by: frozenset[str] = frozenset()
    """The relations whose greatest number is the place that is spoken of: "came last"."""
    months: list[Month] = field(default_factory=list)
    """Months of any year: "in April"."""
    joined: list[JoinedValues] = field(default_factory=list)
    """The days or years of which any is meant, of questions: "in 2019 or 2021"."""
    of_all: bool = False
    """Whether all of a kind, or none, may be what is asked for, so that what all or none meet is a condition too."""

    any_of: frozenset[str] = frozenset()
    """Things of one kind of which none is meant more than another: who has not taken "a test" has taken none."""
    plain: str = ""
    """The text without the names that hold a word of denial: who plays for "Year of No Light" plays for it."""

    def __post_init__(self) -> None:
        self.plain = self.plain or self.text


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of one class among those that share a column, with that of their relations which says best what they
    tell: bookings have a "hirer"."""

    kind: str
    rows: frozenset[str]
    near: Step


_NEAR = 0.3
"""Affinity from which on a relation is surely spoken of."""


class Bases:
    """The candidates of one sentence so far, and the stages that need no others."""

    def __init__(
        self, numbers: RelationNumbers, limits: Limits, sentence: Sentence, affinity: Callable[[Step], float]
    ) -> None:
        self.numbers, self.schema, self.limits, self.s = numbers, numbers.schema, limits, sentence
        self.affinity = cache(affinity)
        self.sheets = cache(self._sheets)
        self.began = time.perf_counter()
        self.out: list[Draft] = []
        self.seen: set[object] = set()
        self.refined: list[Draft] = []
        self.inner: list[Draft] = []
        self.class_paths: dict[str, list[Path]] = {}
        self.met_rows: list[Draft] = []
        """Nameless nodes at which paths meet: the result of a boat in a race."""
        self._used: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
        """What the links and values of a candidate add to what is thought of it."""
        self._by_value: dict[tuple[frozenset[str], tuple[Step, ...]], dict[str, set[str]]] = {}
        text = sentence.text
        self.counting = bool(cues.COUNT.search(text))
        self.superlative = bool(cues.MOST.search(text))
        self.negative = bool(cues.NOT.search(sentence.plain) or cues.FREE_OF.search(text))
        self.able = may_have(sentence.plain, map(self.schema.words, self.schema.relations))
        self.negative |= self.able  # who can eat nuts is nobody of whom it is told that they cannot
        self.comparing = bool(cues.COMPARE.search(text))

    def late(self) -> bool:
        """Whether the time or the number of candidates is used up."""
        spent = (time.perf_counter() - self.began) * 1000
        return spent > self.limits.milliseconds or len(self.out) >= self.limits.candidates

    def emit(self, draft: Draft) -> Draft | None:
        """Keep a draft that is new; None for one that is there, or that would answer with nameless nodes."""
        if draft.answers and self.schema.nameless(draft.answers):
            return None
        key = (
            frozenset(draft.rows), draft.form, draft.filters, frozenset(draft.minus), draft.order, draft.compare,
            draft.order_since,
            draft.said if IN_MONTH in draft.extra else (),
        )  # fmt: skip
        if key in self.seen:
            return None
        self.seen.add(key)
        self.out.append(draft)
        return draft

    # stage 1: paths -----------------------------------------------------------------------------------

    def single_paths(self) -> list[Draft]:
        self.paths: dict[int, list[Path]] = {}
        self.value_paths: dict[int, list[Path]] = {}
        found = []
        reached = 0
        for i, link in enumerate(self.s.links):
            self.paths[i] = paths_from(
                self.schema,
                link.node,
                max_hops=self.limits.hops if reached < self.limits.reached else 2,
                affinity=self.affinity,
                width=self.limits.width if i < 5 else 12,
                by_chance=self.numbers.by_chance,
            )
            reached += sum(len(p.ends) for p in self.paths[i])
            found += [d for p in self.paths[i] if (d := self.path_draft(p, links=(i,)))]
            self.inner += [self.inner_draft(p, (i,)) for p in self.paths[i] if p.mediator and len(p.ends) > 1]
        for j, (i, node) in enumerate(self.s.value_nodes):
            self.value_paths[j] = paths_from(
                self.schema, node, max_hops=2, affinity=self.affinity, width=20, by_chance=self.numbers.by_chance
            )
            if self.s.values[i].rank:
                ranked = [p for p in self.value_paths[j] if p.steps[0].relation in self.numbers.ranks]
                self.value_paths[j] = [p for p in ranked if len(p.steps) == 1]
            found += [d for p in self.value_paths[j] if (d := self.path_draft(p, values=(i,)))]
        return found

    def inner_draft(self, path: Path, links: tuple[int, ...]) -> Draft:
        """Nameless nodes at a path's end: no answers, but what filters and orders may choose among before a step on."""
        rows, route = walk_rows(path.start, path.steps, 0, 1)
        return Draft(
            rows, path.ends, path.steps, (route,), links, unsaid=dropped_by(path, 0, 1), hops=path.hops,
            prior=self.prior(path.steps, links),
        )  # fmt: skip

    def path_draft(self, path: Path, links: tuple[int, ...] = (), values: tuple[int, ...] = ()) -> Draft | None:
        if path.mediator:
            return None
        answers = path.ends - self.schema.mediators
        if not answers and not path.missing:
            return None
        rows, route = walk_rows(path.start, path.steps, 0, 1)
        marks = ("missing",) if path.missing else ()
        differs: list[Condition] = []
        for position in path.apart:  # the node before step i is variable i, and the start itself before step 0
            differs.append((0, "not in", position if position else (path.start,)))
        said = path.apart and len(path.dropped[-1][1]) == 1  # of one node, the difference says all
        unsaid = dropped_by(replace(path, dropped=path.dropped[:-1]) if said else path, 0, 1)
        draft = Draft(
            rows, answers, path.steps, (route,), links, values, filters=tuple(differs), hops=path.hops, extra=marks,
            unsaid=unsaid + without(0, path.ends - answers),
            prior=self.prior(path.steps, links, values) - 0.3 * path.missing,
        )  # fmt: skip
        return self.emit(draft)

    def prior(self, steps: Sequence[Step], links: Sequence[int], values: Sequence[int] = ()) -> float:
        """The cheap score: how near the steps are to the sentence, and how much of what it names is used."""
        near = sum([self.affinity(s) for s in steps]) / len(steps) if steps else 0.0
        use = (tuple(links), tuple(values))
        used = self._used.get(use)
        if used is None:
            weighed = [self.s.links[i].score * min(1.0, self.s.links[i].weight / 6) for i in links]
            used = self._used[use] = 0.35 * (sum(weighed) + 0.7 * len(set(values)))
        return near + used - 0.04 * len(steps)

    def _sheets(self, step: Step) -> list[Sheet]:
        """What has a relation, by its class, where things of several classes have it: sheets that share a column; []
        where one class has it, or for a step along the relation."""
        told = self.schema.sheets(step.relation) if step.inverse else ()
        return [Sheet(kind, members, max(own, key=self.affinity)) for kind, members, own in told]

    # stage 3: classes ---------------------------------------------------------------------------------

    def class_bases(self) -> list[Draft]:
        """All things of a class, the mentioned classes first; where none is told but by the names of rows, all of an
        unnamed kind."""
        mentioned = [c for c in self.schema.classes if c in self.s.classes]
        others = [c for c in self.schema.classes if c not in self.s.classes and len(self.schema.members(c)) > 1][:16]
        found = []
        for kind in [*mentioned, *others]:
            members = self.schema.set_of(kind)
            said = kind in self.s.classes
            draft = Draft(
                ((0, TYPE, kind),),
                members,
                classes=(kind,) if said else (),
                kind=kind,
                hops=1,
                prior=0.5 if said else 0.1,
            )
            found.append(self.emit(draft) or draft if said else draft)
        found += self.relation_bases()
        if self.schema.roles.row_classes.issuperset(self.schema.classes):
            for kind in self.schema.unnamed_kinds[:8]:
                members = self.schema.set_of(kind)
                if len(members) > 1:
                    found.append(Draft((), members, kind=kind, hops=1, prior=0.2, extra=("unnamed kind",)))
        return found

    def relation_bases(self) -> list[Draft]:
        """All things that have a relation, and all that it leads to, for the relations nearest to the sentence.

        Texts that several things share are as good as things: the landlords of a table. One thing alone is proposed
        where the relation is near: the chair, the treasurer.
        """
        found = []
        for relation in sorted(self.schema.relations, key=lambda r: (-self.affinity(Step(r)), r))[:16]:
            step = Step(relation)
            sides = [(self.schema.heads(relation), step)]
            kind = self.schema.value_kind(relation)
            if kind is None or (kind == "text" and not self.schema.functional(step.back)):
                sides.append((self.schema.starts(step.back), step.back))
            for members, way in sides:
                several = len(members) > 1 or (members and self.affinity(step) > _NEAR)
                if several and not members <= self.schema.mediators:
                    draft = Draft(
                        (row_of(0, way, 1),), members, (way,), ((1, way.back, 0),), prior=self.affinity(way) - 0.1
                    )
                    if self.numbers.none(way):  # what is ordered or compared may be 0, what is there is not
                        found.append(draft)
                        draft = draft.but(answers=self.numbers.some(way), unsaid=(at_least_one(1),))
                    if made := self.emit(draft):
                        found.append(made)
                        found += self.typed(made)
        return found

    def typed(self, draft: Draft) -> list[Draft]:
        """A path's answers of one class only, where they are of several."""
        if draft.kind or not draft.answers or not self.schema.classes:
            return []
        kinds: dict[str, set[str]] = defaultdict(set)
        for node in draft.answers:
            for kind in self.schema.store.types(node):
                kinds[kind].add(node)
        found = []
        for kind, members in sorted(kinds.items(), key=lambda kv: (kv[0] not in self.s.classes, -len(kv[1]), kv[0]))[
            :5
        ]:
            said = kind in self.s.classes
            if len(members) == len(draft.answers):
                continue
            made = self.emit(
                draft.but(
                    rows=(*draft.rows, (0, TYPE, kind)),
                    answers=frozenset(members),
                    kind=kind,
                    classes=(kind,) if said else (),
                    prior=draft.prior + (0.25 if said else -0.05),
                )
            )
            if made:
                found.append(made)
        return found
