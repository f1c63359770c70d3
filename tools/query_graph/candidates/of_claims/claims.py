"""Candidate readings of a claim: what the graph could say about the things that it names, whether or not it does.

Unlike for a question, a reading whose patterns match nothing is a candidate as good as any: the claim may be false.
Ends must only be of a kind that the relation leads to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from triplewise.kg.names import literal_parts
from triplewise.kg.values import Kind, parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import (
    Draft,
    End,
    Row,
    at_least_one,
    dropped_by,
    move_answer,
    row_of,
    walk_rows,
    without,
)
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.candidates.idle_patterns import contradictory, roundabout
from triplewise.tools.query_graph.candidates.kin import Relatives
from triplewise.tools.query_graph.candidates.of_claims.days_claimed import days_claimed
from triplewise.tools.query_graph.candidates.of_claims.denied_classes import of_denied_class
from triplewise.tools.query_graph.candidates.of_claims.empty_meetings import empty_meetings
from triplewise.tools.query_graph.candidates.of_claims.joining import Joiner
from triplewise.tools.query_graph.candidates.of_claims.lacked_relations import lacked_relations
from triplewise.tools.query_graph.candidates.of_claims.own_things import (
    compared_with_own,
    holds_any_other,
    says_own_thing,
)
from triplewise.tools.query_graph.candidates.of_claims.polarity import Polarity
from triplewise.tools.query_graph.candidates.of_claims.row_comparisons import compared_at_rows, compared_by_rows
from triplewise.tools.query_graph.candidates.of_claims.times_claimed import of_claimed_times
from triplewise.tools.query_graph.candidates.own_values import own_compared
from triplewise.tools.query_graph.candidates.paths import Path
from triplewise.tools.query_graph.candidates.plain_nouns import membership, number_of_kind
from triplewise.tools.query_graph.candidates.refinements import ORDERED, is_money
from triplewise.tools.query_graph.claims.left_unsaid import says_equal
from triplewise.tools.query_graph.linking.bounds import begins, bound, is_compared
from triplewise.tools.query_graph.schema_view import Step

_ATOMS = 24
"""Readings of nameless rows that are gone on from."""
_LEAST_YEAR = 100
"""A number from which on it may be a year."""
_COUNTED = 200
"""Sets whose number is held against one that the claim names."""
_SURE = 3.0
"""Bits from which on a whole name is surely meant."""
_SPOKEN = 0.25
"""Affinity from which on a claim may speak of a relation beside another."""
_THAN = re.compile(r"\bth[ae]n\b", re.I)
_WIDTH = 60
"""Paths of one thing whose end may be the other that is named."""


class ClaimRun:
    """The candidates of one claim."""

    def __init__(self, generator: Generator, sentence: Sentence, affinity: Callable[[Step], float]) -> None:
        self.g, self.s, self.schema, self.affinity = generator, sentence, generator.schema, affinity
        self.run = generator.run(sentence, affinity)
        self.polarity = Polarity(self.schema, sentence.plain)
        self.seen: set[object] = set()
        self.out: list[Draft] = []

    def drafts(self) -> list[Draft]:
        """All readings, each also denied where the sentence has a word of denial."""
        schema, said = self.schema, self.s
        alone = Relatives(schema, said).claimed() or membership(schema, said) or own_compared(schema, said)
        if alone := alone or number_of_kind(schema, said):
            return alone
        if own := list(compared_with_own(schema, said, self.run.told_direction)):
            denied = bool(cues.NEGATED.search(said.text))
            return [draft.but(denied=denied, prior=self.run.prior(draft.steps, draft.links)) for draft in own]
        questions = self.run.drafts()
        either_way: dict[frozenset[Row], Draft] = {}
        for draft in self.linked():
            either_way.setdefault(frozenset(draft.rows), draft)
        linked = [*either_way.values()]
        linked = [draft for draft in linked if draft.answers or self.fitting(draft)] or linked
        compared_rows = list(compared_at_rows(self.run))
        atoms = [*linked, *self.valued(), *self.valued_rows(), *self.yes_no(), *self.compared(), *compared_rows]
        atoms += [*compared_by_rows(self.run), *days_claimed(self.run)]
        for draft in atoms:
            self.emit(draft)
        for draft in self.existing(questions):
            self.emit(draft)
        for draft in self.counted(questions):
            self.emit(draft)
        for draft in lacked_relations(self.run):
            self.emit(draft)
        for draft in empty_meetings(self.run):
            self.emit(draft)
        for draft in Joiner(self.run).joined(atoms):
            self.emit(draft)
        if compared_rows:
            self.out = [*filter(_compares, self.out)]
        if says_own_thing(said.text):
            self.out = [d for d in self.out if not holds_any_other(d)]
        self.out = of_claimed_times(schema, said, questions, self.out)
        if cues.DENIED.search(self.s.plain):
            self.out += [d.but(denied=True) for d in self.out if self.may_be_denied(d)]
        return self.polarity.of_opposites(of_denied_class(schema, said, self.out))

    def emit(self, draft: Draft) -> None:
        key = (frozenset(draft.rows), draft.filters, frozenset(draft.minus), draft.compare, draft.form)
        if roundabout(self.schema, draft.rows) or contradictory(self.schema, draft.rows):
            return
        if draft.rows and key not in self.seen and not self.polarity.is_turned(draft):
            self.seen.add(key)
            self.out.append(draft)

    def may_be_denied(self, draft: Draft) -> bool:
        """Whether the denial of a reading may be meant."""
        if draft.compare or draft.minus or self.only_names(draft):
            return False
        return self.polarity.may_be_denied(draft) and not self.polarity.says_no(draft)

    def only_names(self, draft: Draft) -> bool:
        """Whether a reading says no more than which thing is meant: "4 Station Court" is one flat's address."""
        if len(draft.rows) != 1 or len(draft.steps) != 1 or draft.filters or not draft.links or draft.values:
            return False
        named = all(self.s.links[i].is_value for i in draft.links)
        return named and self.schema.functional(Step(draft.steps[0].relation, inverse=True))

    # single claims ---------------------------------------------------------------------------------------

    def linked(self) -> Iterator[Draft]:
        """A path from one named thing to another: the triples that tie the two, and the nearest to the sentence."""
        for i, link in enumerate(self.s.links):
            for j, other in enumerate(self.s.links):
                if i == j or link.overlaps(other):
                    continue
                kinds = set(self.schema.kinds(other.node))
                arriving = {s.back for s in self.schema.steps(other.node)} | {
                    s.back for s in self.schema.kind_steps(kinds)
                }
                near = sorted(self.run.paths[i], key=lambda p: -p.score / len(p.steps))
                near = [p for p in near if p.steps[-1] in arriving and p.hops <= 3]
                ties = [p for p in near[_WIDTH:] if len(p.steps) == 1 and other.node in p.ends]
                for path in near[:_WIDTH] + ties:
                    yield self.ending(path, other.node, (i, j))

    def fitting(self, draft: Draft) -> bool:
        """Whether both ends of a path are things that its relations may have: of a boat nobody is the diver, and a
        value has no relation of its own."""
        if any(isinstance(head, str) and literal_parts(head) for head, _, _ in draft.rows):
            return False
        start, *_, end = draft.routes[0]
        if not isinstance(start, str) or not isinstance(end, str):
            return True
        return self.g.ends.fits(start, draft.steps[0]) and self.g.ends.fits(end, draft.steps[-1].back)

    def ending(self, path: Path, end: str, links: tuple[int, ...], values: tuple[int, ...] = ()) -> Draft:
        """The claim that a path ends at a node."""
        rows, route = _closed(path, end)
        between = [(after, nodes) for after, nodes in path.dropped if after < len(path.steps)]
        return Draft(
            rows, frozenset((end,)) & path.ends, path.steps, (route,), links, values, form="ask", hops=path.hops,
            unsaid=tuple(c for after, nodes in between for c in without(after - 1, nodes)),
            prior=self.run.prior(path.steps, links, values),
        )  # fmt: skip

    def valued(self) -> Iterator[Draft]:
        """A thing's value is, or is more or less than, one that the claim names."""
        for i in range(len(self.s.links)):
            for path in sorted(self.run.paths[i], key=lambda p: -p.score / len(p.steps))[: 2 * _WIDTH]:
                kind = None if path.steps[-1].inverse else self.schema.value_kind(path.steps[-1].relation)
                if kind not in ORDERED or path.hops > 2:
                    continue
                rows, route = walk_rows(path.start, path.steps, 0, 1)
                for v, condition in self.conditions(path.steps[-1].relation, kind):
                    yield Draft(
                        rows, path.ends, path.steps, (route,), (i,), (v,), form="ask", hops=path.hops,
                        filters=tuple((0, op, value) for op, value in condition), unsaid=dropped_by(path, 0, 1),
                        prior=self.run.prior(path.steps, (i,), (v,)),
                    )  # fmt: skip

    def valued_rows(self) -> Iterator[Draft]:
        """A value of the nameless row that ties what the claim names is, or is more or less than, one that it names."""
        for draft in sorted(self.run.met_rows, key=lambda d: -d.prior)[:_ATOMS]:
            for steps, relation in self.run.values_at(draft):
                kind = self.schema.value_kind(relation)
                if steps[1:] or kind not in ORDERED:
                    continue
                moved = move_answer(draft, steps[0])
                for v, condition in self.conditions(relation, kind):
                    if v not in draft.values:
                        yield moved.but(
                            answers=self.schema.follow(draft.answers, steps[0]), steps=(*draft.steps, *steps),
                            values=(*draft.values, v), form="ask",
                            filters=(*moved.filters, *((0, op, value) for op, value in condition)),
                            prior=self.run.prior((*draft.steps, *steps), draft.links, (*draft.values, v)),
                        )  # fmt: skip

    def conditions(self, relation: str, kind: Kind) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
        """What the claim may say of a relation's values: (value mention, filters)."""
        for v, mention in enumerate(self.s.values):
            said = parse_value(mention.low)
            if not _may_be(said.kind, kind) or (kind in ("date", "year") and is_money(self.s.text, mention)):
                continue
            if kind == "year" and said.kind == "number" and said.key[0] < _LEAST_YEAR:
                continue
            if mention.rank and relation not in self.run.numbers.ranks:
                continue
            began = begins(self.s.text, mention, self.schema.words(relation))
            conditions = self.run.conditions(mention, kind, relation)
            yield from ((v, c) for c in conditions if not began or len(c) > 1 or any(op == "year" for op, _ in c))
            no_equal = mention.low != mention.high or is_compared(self.s.text, mention)  # no day is equal to its month
            no_equal |= kind == "date" and said.kind == "year"
            texts = () if no_equal else self.run.numbers.texts(mention, self.s.text, relation)
            yield from ((v, (("=", text),)) for text in texts[:2])

    def yes_no(self) -> Iterator[Draft]:
        """A thing has yes, or no, for a relation that has such values."""
        for i, link in enumerate(self.s.links):
            kinds = self.schema.kinds(link.node)
            steps = {s for s in {*self.schema.steps(link.node), *self.schema.kind_steps(kinds)} if not s.inverse}
            for step in sorted(steps):
                if self.schema.value_kind(step.relation) != "yes-no":
                    continue
                values = {t.tail for t in self.schema.store.triples(relation=step.relation)}
                for value in sorted(values)[:3]:
                    ends = frozenset(self.schema.go(link.node, step))
                    yield self.ending(Path(link.node, (step,), ends, 1, self.affinity(step)), value, (i,))

    def compared(self) -> Iterator[Draft]:
        """One named thing's value is more, or less, than another's, or as much; which, by the words where they tell."""
        equal = says_equal(self.s.text)
        for i, a in enumerate(self.s.links):
            for j, b in enumerate(self.s.links):
                if i == j or a.overlaps(b) or a.node == b.node:
                    continue
                first = i < j if a.first < 0 else a.first < b.first
                for one, other in self.comparable(a.node, b.node):
                    told = self.run.told_direction(one)
                    if not told and self.run.dated(one) and cues.AMOUNTS.search(self.s.text):
                        continue  # who has more is not who came later
                    rows = (row_of(a.node, one, 0), row_of(b.node, other, 1))
                    steps = (one,) if one == other else (one, other)
                    for op in ("=",) if equal else ("<", ">"):
                        if not first if equal else told and (op != told or not first):
                            continue
                        yield Draft(
                            rows, frozenset(), steps, ((a.node, one, 0),), (i, j), form="ask",
                            filters=((0, op, 1),), prior=self.run.prior(steps, (i, j)),
                        )  # fmt: skip

    def comparable(self, a: str, b: str) -> Iterator[tuple[Step, Step]]:
        """The values of two things that may be compared: of one relation, or of two that the claim speaks of ("died
        before she was born")."""
        ordered = [
            sorted(s for s in self.possible_steps(n) if not s.inverse and self.schema.value_kind(s.relation) in ORDERED)
            for n in (a, b)
        ]
        yield from ((s, s) for s in ordered[0] if s in ordered[1])
        near = [sorted((s for s in steps if self.affinity(s) > _SPOKEN), key=self.affinity)[-4:] for steps in ordered]
        for one in near[0]:
            for other in near[1]:
                if one != other and self.schema.value_kind(one.relation) == self.schema.value_kind(other.relation):
                    yield one, other

    def possible_steps(self, node: str) -> frozenset[Step]:
        """The steps that a thing, or any other of its kinds, has."""
        return self.schema.kind_steps(self.schema.kinds(node)) | set(self.schema.steps(node))

    # claims about sets ---------------------------------------------------------------------------------------

    def existing(self, questions: list[Draft]) -> Iterator[Draft]:
        """There is something that a question's reading finds."""
        named = any(x.score > 0.99 and x.weight >= _SURE and not x.is_value for x in self.s.links)
        for draft in questions:
            if named and not draft.links and not draft.values:
                continue  # "Lena Marsh is a musician" does not say that there is a musician
            if draft.form == "select" and not draft.order and (draft.links or draft.values or draft.classes):
                some = self.of_some(draft).but(form="ask", prior=draft.prior - 0.05)
                affirmed = self.polarity.affirmed(some)
                yield affirmed
                if affirmed != some and self.polarity.says_no(some):
                    yield some
                yield from (told.but(form="ask", prior=some.prior) for told in self.polarity.told(draft))

    def of_some(self, draft: Draft) -> Draft:
        """A draft that says no more of a count than that there is one, as it is meant: the count is not 0."""
        ends = Counter(end for h, _, t in (*draft.rows, *draft.minus) for end in (h, t))
        told = {v for v, _, _ in (*draft.filters, *draft.unsaid)}
        bare = [
            at_least_one(t)
            for _, relation, t in draft.rows
            if isinstance(t, int) and ends[t] == 1 and t not in told and self.run.numbers.none(Step(relation))
        ]
        return draft.but(unsaid=(*draft.unsaid, *bare)) if bare else draft

    def counted(self, questions: list[Draft]) -> Iterator[Draft]:
        """There are so many, or more or fewer, of what a question's reading finds."""
        told = [(v, m) for v, m in enumerate(self.s.values) if m.kind == "number" and not m.rank]
        numbers = [(v, m) for v, m in told if "." not in m.low]
        numbers = [(v, m) for v, m in numbers if float(m.low) <= 1000]
        sets = [d for d in questions if d.form == "select" and not d.order and not d.minus]
        for v, mention in numbers:
            ops = {op for c in self.run.conditions(mention, "number") for op, _ in c if len(c) == 1}
            ops |= set() if bound(self.s.text, mention) else {"="}
            for draft in sorted([d for d in sets if v not in d.values], key=lambda d: -d.prior)[:_COUNTED]:
                for op in sorted(ops):
                    yield draft.but(
                        form="count", compare=(op, mention.low), values=(*draft.values, v), prior=draft.prior + 0.2
                    )


def _closed(path: Path, end: str) -> tuple[tuple[Row, ...], tuple[End | Step, ...]]:
    """The patterns of a path whose end is a node; the variables between are numbered from 0."""
    rows, route = walk_rows(path.start, path.steps, 10, 0)
    swap = {10: end}
    closed = tuple((swap.get(h, h), r, swap.get(t, t)) for h, r, t in rows)  # pyright: ignore[reportArgumentType, reportCallIssue]
    return closed, (*route[:-1], end)


def _compares(draft: Draft) -> bool:
    """Whether a draft holds values or numbers against others, as a claim does that has a "than"."""
    return bool(draft.compare or draft.minus or any(op in ("<", ">", "<=", ">=") for _, op, _ in draft.filters))


def _may_be(value: str, kind: str) -> bool:
    return value == kind or {value, kind} in ({"year", "date"}, {"year", "number"})
