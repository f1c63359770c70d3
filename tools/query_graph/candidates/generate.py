"""Candidate generation: the graph lists what can be asked of it about the things that the sentence names.

Staged as in STAGG (Yih et al. 2015): paths from each linked thing, places where paths of two or three meet, classes as
starting points; then counts, superlatives, comparisons, filters on values and differences over the best of these. Each
stage keeps the best by a cheap score, so that the number of candidates and the time are bounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations

from triplewise.kg.query.graph import TYPE
from triplewise.kg.values import Kind, Value, comparable, compare, parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.amounts import of_named_amount
from triplewise.tools.query_graph.candidates.bases import Limits, Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, row_of, without
from triplewise.tools.query_graph.candidates.kin import Relatives
from triplewise.tools.query_graph.candidates.own_values import told_order
from triplewise.tools.query_graph.candidates.plain_nouns import listings
from triplewise.tools.query_graph.candidates.refinements import ORDERED
from triplewise.tools.query_graph.candidates.same_ends import same_ends
from triplewise.tools.query_graph.candidates.several import Several
from triplewise.tools.query_graph.linking.bearers import meant_bearers
from triplewise.tools.query_graph.linking.bounds import is_compared
from triplewise.tools.query_graph.linking.class_names import ClassNames
from triplewise.tools.query_graph.linking.mentions import Link, NameIndex, Word, folded_words, words_in
from triplewise.tools.query_graph.linking.months import find_months
from triplewise.tools.query_graph.linking.numbered_names import NumberedNames
from triplewise.tools.query_graph.linking.value_mentions import ValueMention, find_ranks, find_values
from triplewise.tools.query_graph.pruning.fitting_ends import FittingEnds
from triplewise.tools.query_graph.relation_numbers import RelationNumbers
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.query_graph.winners import find_winners, says_last


class Generator:
    """Candidate readings over one graph; its indexes are built once."""

    def __init__(self, schema: SchemaView, limits: Limits | None = None) -> None:
        self.schema = schema
        self.store = schema.store
        self.limits = limits or Limits()
        self.names = NameIndex(schema)
        self.ends = FittingEnds(schema)
        self._classes = ClassNames(schema)
        self.numbers = RelationNumbers(schema)
        self._numbered = NumberedNames(schema)
        self._value_nodes: dict[tuple[str, tuple[float, ...]], list[str]] = defaultdict(list)
        for node in self.store.nodes():
            value = parse_value(self.store.label(node))
            if value.kind not in ("text", "yes-no"):
                self._value_nodes[value.kind, value.key].append(node)

    # what the sentence holds --------------------------------------------------------------------------

    def read(self, sentence: str, given: Sequence[str] = ()) -> Sentence:
        """Links, values and classes of a sentence; ``given``: node ids that the caller says it is about, so that of its
        own words only those are linked that name a value ("the owner", "German")."""
        links = self.names.link(sentence)
        ranks = find_ranks(sentence) if self.numbers.ranks else []
        ranks = ranks or (find_winners(sentence) if self.numbers.places else [])
        counted = [v for v in find_values(sentence) if not any(v.start <= r.start < v.end for r in ranks)]
        values = self._unnamed([*counted, *ranks], sentence, links)
        if given:
            own = [x for x in links if x.is_value and x.node not in given]
            links = [Link(e, self.store.label(e), -1 - i, -1 - i, 1.0, 20.0) for i, e in enumerate(given)] + own
        links, classes = meant_bearers(self.schema, sentence, links, self._classes.link(sentence, links))
        found = Sentence(sentence, links, values, classes)
        found.months = find_months(sentence, links, map(self.schema.words, self.schema.relations))
        found.last_by = self.numbers.ranks if says_last(sentence) else found.last_by
        for i, mention in enumerate(values):
            if is_compared(sentence, mention):
                continue
            for text in mention.texts:
                value = parse_value(text)
                kinds = (value.kind, "number") if value.kind == "year" else (value.kind, "year")
                for kind in kinds:
                    for node in self._value_nodes.get((kind, value.key), ()):
                        found.value_nodes.append((i, node))
        return found

    def _unnamed(self, values: list[ValueMention], sentence: str, links: list[Link]) -> list[ValueMention]:
        """The values that are no part of a name of several words: "Bike 103" names no number, whether or not there is
        such a bike. Nor does a name's end, "the Cuvée 2021" for Georg's Cuvée 2021."""
        words = words_in(sentence)
        whole = [x for x in links if x.score > 0.99 and x.last - x.first == len(words_in(x.name)) - 1]
        names = [(words[x.first].start, words[x.last].end) for x in whole if x.last > x.first]
        names += self._numbered.unknown(words)
        left = [v for v in values if not any(start <= v.start and v.end <= end for start, end in names)]
        ends = [(words[x.first].start, words[x.last].end) for x in links if _is_end_of_name(x, words)]
        return [v for v in left if not any(start < v.start and v.end <= end for start, end in ends)]

    # generation -----------------------------------------------------------------------------------------

    def generate(self, sentence: Sentence, affinity: Callable[[Step], float]) -> list[Draft]:
        """All candidates, duplicates left out; ``affinity`` is how near a step's words are to the sentence's."""
        return self.run(sentence, affinity).drafts()

    def run(self, sentence: Sentence, affinity: Callable[[Step], float]) -> Run:
        """The stages over one sentence, for who needs what they leave behind."""
        return Run(self.numbers, self.limits, sentence, affinity)


class Run(Several):
    """All stages over one sentence; orders, comparisons and counts are here."""

    def drafts(self) -> list[Draft]:
        if alone := Relatives(self.schema, self.s).asked() or listings(self.schema, self.s):
            return alone
        singles = self.single_paths()
        if alone := same_ends(self.schema, self.s):
            return alone
        meets = self.meetings()
        classes = self.class_bases()
        plain = sorted([*singles, *meets], key=lambda d: -d.prior)
        self.across_sheets(plain)
        typed = [t for d in plain[: 3 * self.limits.bases] for t in self.typed(d)]
        bases = sorted([*plain, *typed], key=lambda d: -d.prior)[: self.limits.bases]
        self.inner = sorted(self.inner, key=lambda d: -d.prior)[:6]
        for stage in (
            self.several,
            self.yes_no,
            self.having,
            self.filtered,
            self.monthly,
            self.ordered,
            self.subtracted,
            self.compared,
        ):
            if not self.late():
                stage(bases, classes)
        for draft in self.best_refined(16):
            if not self.late():
                self.onwards(draft, width=10, again=0)
        self.counted()
        return self.without_any_date()

    def without_any_date(self) -> list[Draft]:
        """All, but for "every X that joined some day" and "the most" where the words ask for the last to join."""
        relations = {d.rows[-1][1] for d in self.out if d.order and not d.order[2]}
        dated = {r for r in relations if self.schema.value_kind(r) in ("date", "year")}
        if not dated or not cues.extreme_date(self.s.text):
            return self.out

        def any_date(draft: Draft) -> bool:
            narrowed = draft.order or draft.links or draft.values or draft.filters or draft.minus
            by_number = bool(draft.order and draft.order[2])
            any_day = draft.form != "ask" and not narrowed and any(row[1] in dated for row in draft.rows[-1:])
            return by_number or any_day

        return [d for d in self.out if not any_date(d)]

    # stage 5: orders ----------------------------------------------------------------------------------

    def ordered(self, bases: list[Draft], classes: list[Draft]) -> None:
        sets = [*classes, *[d for d in bases if len(d.answers) > 1], *self.best_refined(8), *self.inner]
        if not self.superlative:
            sets = [d for d in sets if d.classes or d.links][:4]
        for draft in sets:
            if self.late():
                return
            for steps in self.orders_at(draft)[:12]:
                valued, variable = self.with_value(draft, steps)
                values = self.by_value(draft.answers, steps)
                for descending in self.directions(steps):
                    kept = _extreme(values, descending)
                    if kept:
                        best = valued.but(
                            answers=kept, order=(variable, descending, False),
                            prior=draft.prior + 0.2 + 0.5 * self.affinity(steps[-1]), hops=max(draft.hops, len(steps)),
                        )  # fmt: skip
                        nameless = self.schema.is_mediator(self.schema.first(kept)[0])
                        if (self.emit(best) or nameless) and len(steps) == 1:
                            self.onwards(best, again=0)
            self.most(draft)

    def orders_at(self, draft: Draft) -> list[tuple[Step, ...]]:
        """The steps to values that things can be ordered by; what lasts the longest has the most nights, where nights
        are told, and no first day."""
        found = [steps for steps, _ in self.values_at(draft)]
        if not cues.asks_what_lasts(self.s.text):
            return found
        last = {steps: steps[-1].relation for steps in found}
        told = {steps[:-1] for steps, r in last.items() if self.schema.value_kind(r) == "number" and self.is_span(r)}
        dates = [s for s, r in last.items() if s[:-1] in told and self.schema.value_kind(r) in ("date", "year")]
        return [steps for steps in found if steps not in dates]

    def is_span(self, relation: str) -> bool:
        """Whether the numbers that a relation leads to tell how long something lasts."""
        return bool(cues.SPAN.search(self.schema.words(relation)))

    def directions(self, steps: Sequence[Step]) -> tuple[bool, ...]:
        """Whether the highest, the lowest, or either value at the end of a way is asked for: "last" and "longest" tell
        it of dates, "oldest" of ages and "lightest" of weights; how long one has been there is a value of one's own."""
        step = steps[-1]
        kind, told = self.schema.value_kind(step.relation), ""
        if kind in ("date", "year"):
            told = cues.extreme_date(self.s.text, self.schema.words(step.relation))
        elif kind == "number" and cues.TENURE.search(self.s.text):
            return (True, False) if len(steps) == 1 and self.is_span(step.relation) else ()
        elif kind == "number":
            told = cues.extreme_number(self.s.text, self.schema.words(step.relation))
        return (told == ">",) if told else (True, False)

    def most(self, draft: Draft) -> None:
        """Things with the most or the fewest of something."""
        probe = self.schema.first(draft.answers)[:30]
        steps = {s for node in probe for s in self.schema.steps(node)} - {None}
        steps = {s for s in steps if s.relation not in self.schema.left_out and not self.schema.functional(s)}
        for step in sorted(steps, key=lambda s: (-self.affinity(s), s))[:8]:
            reached = self.schema.each(draft.answers, step)
            ends = frozenset().union(*reached.values())
            for kind in (None, *(c for c in self.s.classes if any(c in self.schema.store.types(t) for t in ends))):
                if kind is None:
                    counts = {n: len(set(ts)) for n, ts in reached.items()}
                else:
                    such = {t for t in ends if kind in self.schema.store.types(t)}
                    counts = {n: k for n, ts in reached.items() if (k := len(such.intersection(ts)))}
                for descending in (True, False):
                    if not counts:
                        continue
                    top = (max if descending else min)(counts.values())
                    kept = frozenset(n for n, c in counts.items() if c == top)
                    variable = draft.next_variable or 1
                    rows = (*draft.rows, row_of(0, step, variable))
                    if kind:
                        rows = (*rows, (variable, TYPE, kind))
                    self.emit(
                        draft.but(
                            rows=rows,
                            unsaid=draft.unsaid + self.beside(draft, step),
                            answers=kept,
                            order=(variable, descending, True),
                            steps=(*draft.steps, step),
                            classes=tuple({*draft.classes, *((kind,) if kind else ())}),
                            prior=draft.prior + 0.1 + 0.5 * self.affinity(step),
                        )
                    )

    def compared(self, bases: list[Draft], classes: list[Draft]) -> None:
        links = self.s.links if self.comparing else self.s.links[:2]
        for i in range(len(links)):
            for j in range(i + 1, len(links)):
                if not links[i].overlaps(links[j]) and links[i].node != links[j].node:
                    self.two(i, j)
        for draft in classes if self.comparing else ():
            if draft.kind and not self.late():
                self.two_values(draft)
        for i, link in enumerate(links):
            if self.late():
                return
            kinds = set(self.schema.kinds(link.node))
            own = [c for c in classes if c.kind in kinds or c.kind in self.s.classes]
            sets = [*own, *[b for b in bases if i not in b.links and len(b.answers) > 1][:12]]
            for step in self.schema.steps(link.node):
                if step.inverse or self.schema.value_kind(step.relation) not in ORDERED:
                    continue
                told = self.told_direction(step) if self.after_than(link) else ""
                limits = [self.schema.label(v) for v in self.schema.go(link.node, step)]
                for draft in sets:
                    valued, variable = self.with_value(draft, (step,))
                    values = self.by_value(draft.answers, (step,))
                    itself = {link.node} & draft.answers & self.schema.starts(step)
                    for op in (told,) if told else ("<", ">"):
                        passing = (n for v, n in values.items() if any(compare(v, op, limit) for limit in limits))
                        kept = frozenset().union(*passing) - itself
                        if kept or told:  # nothing may be longer than the longest
                            other = variable + 1
                            self.emit(
                                valued.but(
                                    rows=(*valued.rows, row_of(link.node, step, other)),
                                    answers=kept,
                                    filters=((variable, op, other),),
                                    unsaid=valued.unsaid + valued.filters + without(0, itself),
                                    links=(*draft.links, i),
                                    prior=draft.prior + 0.2 + 0.4 * self.affinity(step),
                                )
                            )

    def dated(self, step: Step) -> bool:
        """Whether a step leads to dates or times."""
        return self.schema.value_kind(step.relation) in ("date", "year", "time")

    def told_direction(self, step: Step) -> str:
        """How the sentence compares what a step leads to: "<" or ">", "" where its words do not tell."""
        return cues.direction(self.s.text, self.dated(step), self.schema.words(step.relation))

    def after_than(self, link: Link) -> bool:
        """Whether a thing is what others are compared with: "longer than the Falcon"."""
        words = words_in(self.s.text)
        return any(w.text in ("than", "then") for w in words[max(0, link.first - 2) : max(0, link.first)])

    def two_values(self, draft: Draft) -> None:
        """Things of which one value is more than another: away goals than home goals."""
        probe = self.schema.first(draft.answers)[:10]
        steps = sorted(
            {
                s
                for n in probe
                for s in self.schema.steps(n)
                if not s.inverse and self.schema.value_kind(s.relation) in ORDERED
            }
        )
        for a in steps:
            for b in steps:
                alike = a != b and self.schema.value_kind(a.relation) == self.schema.value_kind(b.relation)
                if alike and told_order(self.schema, self.s.text, a, b) != "<":
                    one, first = self.with_value(draft, (a,))
                    both, second = self.with_value(one, (b,))
                    left, right = (self.schema.each(draft.answers, s) for s in (a, b))
                    label = self.schema.label
                    kept = frozenset(
                        n for n, vs in left.items()
                        if any(compare(label(v), ">", label(w)) for v in vs for w in right.get(n, ()))
                    )  # fmt: skip
                    if kept and len(kept) < len(draft.answers):
                        near = 0.2 * (self.affinity(a) + self.affinity(b))
                        self.emit(
                            both.but(
                                answers=kept,
                                filters=((first, ">", second),),
                                unsaid=both.unsaid + both.filters,
                                prior=draft.prior + near,
                            )
                        )

    def two(self, i: int, j: int) -> None:
        """Which of two named things has more of something."""
        a, b = self.s.links[i].node, self.s.links[j].node
        shared = set(self.schema.steps(a)) & set(self.schema.steps(b))
        for step in of_named_amount(self.schema, self.s, sorted(shared), (a, b)):
            ordered = not step.inverse and self.schema.value_kind(step.relation) in ORDERED
            if not ordered and self.schema.functional(step):
                continue
            told = self.told_direction(step)
            if ordered and self.dated(step) and not told and cues.AMOUNTS.search(self.s.text):
                continue  # who has more is not who came later
            base = Draft((row_of(0, step, 1),), frozenset((a, b)), (step,), links=(i, j), hops=1)
            reached = {n: set(self.schema.go(n, step)) for n in (a, b)}
            if not ordered and (kind := self.said_kind(frozenset().union(*reached.values()))):
                base = base.but(rows=(*base.rows, (1, TYPE, kind)), classes=(kind,))
                reached = {n: ends.intersection(self.schema.members(kind)) for n, ends in reached.items()}
            values = defaultdict[str, set[str]](set)
            for node, ends in reached.items():
                for label in map(self.schema.label, ends) if ordered else (str(len(ends)),):
                    values[label].add(node)
            for descending in (told == ">",) if told else self.directions((step,)):
                if kept := _extreme(values, descending):
                    self.emit(
                        base.but(
                            answers=kept,
                            filters=((0, "in", (a, b)),),
                            order=(1, descending, not ordered),
                            prior=self.prior((step,), (i, j)) + 0.2 * ordered,
                        )
                    )

    def said_kind(self, nodes: frozenset[str]) -> str:
        """The class of some of the nodes that the sentence says of them; "" where it says none, or one of all."""
        return next((k for k in self.s.classes if 0 < len(nodes.intersection(self.schema.members(k))) < len(nodes)), "")

    # stage 7: counts ----------------------------------------------------------------------------------

    def counted(self) -> None:
        plain = list(self.out) if self.counting else sorted(self.out, key=lambda d: -d.prior)[:40]
        for draft in plain:
            if draft.form == "select" and draft.order is None and draft.answers and draft.rows:
                values = any(t == 0 and self.schema.value_kind(r) in ORDERED for _, r, t in draft.rows)
                if not values or draft.filters:
                    self.emit(draft.but(form="count", prior=draft.prior + 0.3))


def _extreme(values: dict[str, set[str]], descending: bool) -> frozenset[str]:
    """Of values and the things that have them: the things whose greatest (or least) value is the greatest (or least)
    of all. Things with values that cannot be ordered among themselves are left out."""
    keys: dict[tuple[float, ...], set[str]] = {}
    kinds = defaultdict[Kind, set[str]](set)
    for label, nodes in values.items():
        if (value := parse_value(label)).key:
            keys[value.key] = keys[value.key] | nodes if value.key in keys else nodes
            kinds[value.kind] |= nodes
    mixed = set[str]()
    for one, other in combinations(kinds, 2):
        if not comparable(Value(one, ()), Value(other, ())):
            mixed |= kinds[one] & kinds[other]
    ordered = {key: left for key, nodes in keys.items() if (left := nodes - mixed)}
    if len(frozenset().union(*ordered.values())) < 2:
        return frozenset()
    return frozenset(ordered[(max if descending else min)(ordered)])


def _is_end_of_name(link: Link, words: Sequence[Word]) -> bool:
    """Whether a link's words are the last ones of its name, as they follow each other there."""
    said = [w.text for w in words[max(0, link.first) : link.last + 1]]
    return len(said) > 1 and said == folded_words(link.name)[-len(said) :]
