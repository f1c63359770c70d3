"""Candidate generation: the graph lists what can be asked of it about the things that the sentence names.

Staged as in STAGG (Yih et al. 2015): paths from each linked thing, places where paths of two or three meet, classes as
starting points; then counts, superlatives, comparisons, filters on values and differences over the best of these. Each
stage keeps the best by a cheap score, so that the number of candidates and the time are bounded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from triplewise.kg.names import literal_parts
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Limits, Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, answering, relation_to
from triplewise.tools.query_graph.candidates.extremes.comparisons import Comparisons
from triplewise.tools.query_graph.candidates.extremes.orders import greatest
from triplewise.tools.query_graph.candidates.kin import Relatives
from triplewise.tools.query_graph.candidates.plain_nouns import listings
from triplewise.tools.query_graph.candidates.refinements import ORDERED, fits
from triplewise.tools.query_graph.candidates.same_ends import same_ends
from triplewise.tools.query_graph.linking.bearers import meant_bearers
from triplewise.tools.query_graph.linking.bounds import is_compared
from triplewise.tools.query_graph.linking.class_names import ClassNames
from triplewise.tools.query_graph.linking.mentions import Link, NameIndex, Word, folded_words, words_in
from triplewise.tools.query_graph.linking.months import (
    by_day,
    find_months,
    usual_year,
    with_days,
    with_month,
    with_year,
    with_years_of_span,
)
from triplewise.tools.query_graph.linking.numbered_names import NumberedNames, NumberedRows, any_of_many
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.linking.value_mentions import ValueMention, find_ranks, find_values, known_number
from triplewise.tools.query_graph.pruning.fitting_ends import FittingEnds
from triplewise.tools.query_graph.relation_numbers import RelationNumbers
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.query_graph.winners import find_winners, says_last

_EVENTS = 3
"""Days that a relation tells at least, for these to be of one year."""
_SAMPLE = 1_000
"""Triples of a relation that are looked at for it."""


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
        self._rows = NumberedRows(schema)
        self._value_nodes: dict[tuple[str, tuple[float, ...]], list[str]] = defaultdict(list)
        for node in self.store.nodes():
            value = parse_value(self.store.label(node))
            if value.kind not in ("text", "yes-no"):
                self._value_nodes[value.kind, value.key].append(node)
        self._dates = [key for kind, key in self._value_nodes if kind == "date"]
        self._days, self._year = by_day(self._dates), usual_year(self._dates) or self._year_of_events()

    def _year_of_events(self) -> str:
        """The year in which most days of each relation lie that has such a year: births, which lie in many, are not
        what a day without a year is held against. "" where relations have different ones."""
        years = set[str]()
        for relation in self.schema.relations:
            if self.schema.value_kind(relation) == "date":
                told = islice(self.store.triples(relation=relation), _SAMPLE)
                values = (parse_value(self.store.label(t.tail)) for t in told)
                days = [value.key for value in values if value.kind == "date"]
                years |= {usual_year(days)} if len(days) >= _EVENTS else set()
        years.discard("")
        return years.pop() if len(years) == 1 else ""

    # what the sentence holds --------------------------------------------------------------------------

    def dated(self, sentence: str) -> str:
        """A sentence with what its days leave out, where the graph's dates tell it: the month, the year."""
        text = with_days(with_month(sentence, self._days, self._year), self._year)
        return with_year(with_years_of_span(text, self._dates), self._year)

    def read(self, sentence: str, given: Sequence[str] = ()) -> Sentence:
        """Links, values and classes of a sentence; ``given``: node ids that the caller says it is about, so that of its
        own words only those are linked that name a value ("the owner", "German")."""
        links = self._rows.links(words_in(sentence), self.names.link(sentence))
        plain = _without_denying_names(sentence, links)
        any_of = any_of_many(self.schema, links) if cues.LACKING.search(plain) else frozenset[str]()
        links = [x for x in links if x.node not in any_of]
        ranks = find_ranks(sentence) if self.numbers.ranks else []
        ranks = ranks or (find_winners(sentence) if self.numbers.places else [])
        counted = [v for v in find_values(sentence) if not any(v.start <= r.start < v.end for r in ranks)]
        counted = [v for v in counted if not self._says_how_many(sentence, v)]
        values = self._unnamed([*counted, *ranks], sentence, links)
        links = _beside_days(sentence, links, values)
        if given:
            told = {parse_value(text).key for v in values for text in v.texts}
            things = [e for e in given if not literal_parts(e) or parse_value(self.store.label(e)).key not in told]
            said = [self._given(e, i, sentence, links) for i, e in enumerate(things)]
            own = [x for x in links if x.is_value and not any(x.overlaps(link) for link in said)]
            links = said + [x for x in own if x.node not in given]
        links, classes = meant_bearers(self.schema, sentence, links, self._classes.link(sentence, links))
        links = _without_any_of_day(sentence, links, classes, values)
        found = Sentence(sentence, links, values, classes, plain=plain, any_of=any_of)
        found.months = find_months(sentence, links, map(self.schema.words, self.schema.relations))
        spans = [v for v in values if v.kind == "date" and v.low != v.high]
        found.months = [m for m in found.months if not any(v.start <= m.start < v.end for v in spans)]
        values[:] = [v for v in values if not any(m.start <= v.start < m.end for m in found.months)]  # "6 June"
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

    def _given(self, node: str, number: int, sentence: str, links: Sequence[Link]) -> Link:
        """The link of a node that the caller names: where the sentence says it, or else at a place of its own."""
        label = self.store.label(node)
        name, words = folded_words(label), [word.text for word in words_in(sentence)]
        places = [(x.first, x.last) for x in links if x.node == node]
        whole = (i for i in range(len(words)) if name and words[i : i + len(name)] == name)
        places += [(i, i + len(name) - 1) for i in whole]
        first, last = max(places, key=lambda place: place[1] - place[0], default=(-1 - number, -1 - number))
        return Link(node, label, first, last, 1.0, 20.0)

    def _says_how_many(self, sentence: str, mention: ValueMention) -> bool:
        """Whether a number only tells how many there are of what is known: "the two Rons", "of Zep's three stays"."""
        noun = known_number(sentence, mention)
        numbers = (r for r in self.schema.relations if self.schema.value_kind(r) == "number")
        return bool(noun) and not any(says_relation(self.schema, [noun], r) for r in numbers)

    def _unnamed(self, values: list[ValueMention], sentence: str, links: list[Link]) -> list[ValueMention]:
        """The values that are no part of a name of several words: "Bike 103" names no number, whether or not there is
        such a bike. Nor does a name's end, "the Cuvée 2021" for Georg's Cuvée 2021."""
        words = words_in(sentence)
        whole = (x for x in links if _is_whole_name(x) or _is_joined_name(x, words))
        names = [(words[x.first].start, words[x.last].end) for x in whole]
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


class Run(Comparisons):
    """All stages over one sentence; counts are here."""

    def drafts(self) -> list[Draft]:
        singles = self.single_paths()  # a claim goes on from these also where what is asked is found alone
        if alone := Relatives(self.schema, self.s).asked() or listings(self.schema, self.s):
            return alone
        if alone := same_ends(self.schema, self.s):
            return alone
        meets = [*self.meetings(), *self.either()]
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
            self.totals,
            self.longest_times,
            self.subtracted,
            self.compared,
        ):
            if not self.late():
                stage(bases, classes)
        for draft in self.best_refined(16):
            if not self.late():
                self.onwards(draft, width=10, again=0)
        self.counted()
        self.extreme_values()
        return self.without_any_date()

    def without_any_date(self) -> list[Draft]:
        """All, but for "every X that joined some day" and "the most" where the words ask for the last to join."""
        relations = {d.rows[-1][1] for d in self.out if d.order and not d.order[2]}
        dated = {r for r in relations if self.schema.value_kind(r) in ("date", "year")}
        if not dated or not cues.extreme_date(self.s.text):
            return self.out

        def any_date(draft: Draft) -> bool:
            narrowed = draft.order or draft.links or draft.values or draft.filters or draft.minus or draft.said
            by_number = bool(draft.order and draft.order[2])
            any_day = draft.form != "ask" and not narrowed and any(row[1] in dated for row in draft.rows[-1:])
            return by_number or any_day

        return [d for d in self.out if not any_date(d)]

    # stage 7: counts ----------------------------------------------------------------------------------

    def counted(self) -> None:
        plain = list(self.out) if self.counting else sorted(self.out, key=lambda d: -d.prior)[:40]
        for draft in plain:
            if draft.form == "select" and draft.order is None and draft.answers and draft.rows:
                values = any(t == 0 and self.schema.value_kind(r) in ORDERED for _, r, t in draft.rows)
                if not values or draft.filters:
                    self.emit(draft.but(form="count", prior=draft.prior + 0.3))

    def extreme_values(self) -> None:
        """The last or first of several days, the most of several numbers: "when were we last there?"."""
        for draft in list(self.out) if self.superlative or cues.NEXT.search(self.s.text) else ():
            if draft.form != "select" or draft.order:
                continue
            filtered = (v for v, _, right in draft.filters if v and not isinstance(right, int))
            for variable in dict.fromkeys((0, *filtered)):
                relation = relation_to(draft, variable)
                kind = self.schema.value_kind(relation) if relation else None
                told = cues.asked_extreme(self.s.text, self.schema.words(relation), kind) if kind else ""
                values = self.values_of(draft, variable, relation) if told else None
                if values and len(values.answers) > (variable == 0):
                    kept = greatest(self.schema, values.answers, told == ">")
                    self.emit(values.but(answers=kept, order=(0, told == ">", None), prior=draft.prior + 0.3))

    def values_of(self, draft: Draft, variable: int, relation: str) -> Draft | None:
        """A draft that asks for a variable's values, which its filters let through; None where it has them not of its
        answers."""
        if variable == 0:
            return draft
        if (0, relation, variable) not in draft.rows:
            return None
        filters = [(op, str(right)) for v, op, right in draft.filters if v == variable]
        found = self.schema.follow(draft.answers, Step(relation))
        return answering(
            draft, variable, frozenset(n for n in found if all(fits(self.schema.label(n), f) for f in filters))
        )


def _is_whole_name(link: Link) -> bool:
    """Whether a link's words are all of a name that has several."""
    return link.score > 0.99 and link.last - link.first == len(words_in(link.name)) - 1 and link.last > link.first


_JOINING = frozenset(("of", "in", "for", "from", "the"))


def _is_joined_name(link: Link, words: Sequence[Word]) -> bool:
    """Whether a link's words are all of a name but for small ones between them: "the Spring Shoot of 2024"."""
    if link.score <= 0.99 or link.first < 0:
        return False
    between = {w.text for w in words[link.first : link.last + 1]} - set(folded_words(link.name))
    return bool(between) and between <= _JOINING


_OF_KIND = 0.7
"""The score of a link below which its name is not said, if that is made of its kind, a day and something else."""
_NEARLY = 0.9
"""The score of a link from which on all words of a name are said, though one as a short form: n't."""


def _beside_days(sentence: str, links: list[Link], values: Sequence[ValueMention]) -> list[Link]:
    """The links but for those of which a word is a part of a day: in "bags since 1 March 2025" there is no bag 1."""
    words = words_in(sentence)
    days = [(v.start, v.end) for v in values if v.kind == "date"]

    def is_part(link: Link) -> bool:
        start, end = (words[link.first].start, words[link.last].end) if link.first >= 0 else (0, 0)
        return any(start < b and a < end and not start <= a <= b <= end for a, b in days)

    return [link for link in links if not is_part(link)] if days else links


def _without_any_of_day(
    sentence: str, links: list[Link], classes: Mapping[str, tuple[int, int]], values: Sequence[ValueMention]
) -> list[Link]:
    """The links but for those of which no more is said than what their kind is called and a day, where that is said of
    several: "the eggs of April 2024" are neither the Top Coop's nor the Duck House's."""
    words = words_in(sentence)
    days = [(v.start, v.end) for v in values if v.kind == "date"]
    told = {i for first, last in classes.values() for i in range(first, last + 1)}
    told |= {i for i, w in enumerate(words) if any(a <= w.start and w.end <= b for a, b in days)}

    def is_any(link: Link) -> bool:
        if link.first < 0 or link.score >= _OF_KIND:
            return False
        name = folded_words(link.name)
        return told.issuperset(i for i in range(link.first, link.last + 1) if words[i].text in name)

    left = [link for link in links if is_any(link)] if days else []
    return [link for link in links if link not in left] if len({x.node for x in left}) > 1 else links


def _without_denying_names(text: str, links: Sequence[Link]) -> str:
    """A text with the names that hold a word of denial blotted out: "not started" may be said by "haven't started"."""
    words = words_in(text)
    for link in links:
        start, end = words[link.first].start, words[link.last].end
        if link.score > _NEARLY and words[link.first].text == "t" and link.first:
            start = words[link.first - 1].start
        elif not _is_whole_name(link):
            continue
        if cues.NOT.search(text[start:end]):
            text = text[:start] + "_" * (end - start) + text[end:]
    return text


def _is_end_of_name(link: Link, words: Sequence[Word]) -> bool:
    """Whether a link's words are the last ones of its name, as they follow each other there."""
    said = [w.text for w in words[max(0, link.first) : link.last + 1]]
    return len(said) > 1 and said == folded_words(link.name)[-len(said) :]
