"""What words and graph say of readings once they are ranked: which goes first, what it ends at, and which is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import log

from triplewise.kg.query import execute
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.whereabouts import (
    asks_whereabouts,
    asks_whose,
    tells_whereabouts,
    tells_whose,
)
from triplewise.tools.query_graph.claims.direct_claims import held_first
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in, written_as_names
from triplewise.tools.query_graph.linking.unknown_objects import object_left_out, unknown_objects
from triplewise.tools.query_graph.linking.unlike_names import unlike_names
from triplewise.tools.query_graph.linking.within import Places
from triplewise.tools.query_graph.nearness import Nearness
from triplewise.tools.query_graph.pruning.asked_kind import of_any_class
from triplewise.tools.query_graph.pruning.idle.said_state import of_said_state
from triplewise.tools.query_graph.pruning.quantities.measures import asks_for_no_count, ends_at_point, ends_at_thing
from triplewise.tools.query_graph.pruning.row_ends import RowEnds
from triplewise.tools.query_graph.pruning.said_answers import rather_yes
from triplewise.tools.query_graph.pruning.said_ends import is_spoken_of
from triplewise.tools.query_graph.ranking import Ranked
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.query_graph.unlike_orders import compares_otherwise
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.text.roles.mutual import is_mutual

_CLEARLY = 1.5
"""How much likelier one end of rows must be than the next one to be taken for what is asked for."""
_SAMPLE = 40
"""Things of the same kind, at most, whose last words tell whether a noun is part of their names."""
_NEAR, _NEARER = 0.55, 0.2
"""How near a noun must be to the ends of rows, and how much nearer than to these, as cosines: "animals" is 0.71 to
"dog", 0.24 to "visit"; "races" 0.56 to "regatta", 0.40 to "outing", of which it was said."""


def _last_relation(draft: Draft) -> str:
    """The relation that a draft's answers are told by."""
    return draft.steps[-1].relation if draft.steps else ""


class Settler:
    """Settles the ranked readings of sentences over one graph."""

    def __init__(
        self,
        row_ends: RowEnds,
        verbaliser: Verbaliser,
        words: KnownWords,
        sharpness: float,
        alike: Callable[[str, Iterable[str]], float],
    ) -> None:
        """``sharpness``: what a score is multiplied by before the softmax over the readings; ``alike``: how near a word
        is to the nearest of some names, as a cosine."""
        self.alike = alike
        self.words, self.sharpness = words, sharpness
        self.row_ends, self.verbaliser, self.schema = row_ends, verbaliser, verbaliser.schema
        self.places = Places(self.schema)

    def question(self, sentence: Sentence, readings: list[Ranked], near: Nearness, *, of_all: bool) -> list[Ranked]:
        """The readings of a question that can be meant, the likeliest first; ``near``: it beside the graph's relations;
        ``of_all``: it stands for a claim of all of a kind."""
        if asks_for_no_count(sentence):
            readings = self._uncounted(sentence, readings)
        readings = _led_by(readings, of_any_class(self.schema, sentence, [(r.draft, r.probability) for r in readings]))
        readings = _led_by(readings, rather_yes(self.schema, sentence, [(r.draft, r.probability) for r in readings]))
        if asks_whereabouts(self.schema, sentence):
            told = (i for i, r in enumerate(readings) if tells_whereabouts(self.schema, r.draft))
            readings = _led_by(readings, next(told, 0))
        elif asks_whose(self.schema, sentence):
            told = (i for i, r in enumerate(readings) if tells_whose(self.schema, r.draft))
            readings = _led_by(readings, next(told, 0))
        readings = _led_by(readings, of_more_names(sentence, [r.draft for r in readings]))
        readings = _led_by(readings, of_said_state(self.schema, sentence, readings))
        if not readings[0].draft.answers:
            readings = self._from_other_end(sentence, readings)
            readings = _led_by(readings, self._within(readings))
        if not of_all:
            readings = self._to_days(sentence, self._led_on(sentence, readings))
        how_long = cues.asks_how_long(sentence.text)
        kept = [
            r
            for r in readings
            if not compares_otherwise(self.schema, sentence, r.draft)
            and not (how_long and (ends_at_point(self.schema, r.draft) or ends_at_thing(self.schema, r.draft)))
        ]
        return self._of_known_things(sentence, kept, near)

    def claim(self, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
        """The readings of a claim, of two direct ones that are about as likely the one first that the graph has."""
        first = held_first(
            [(r.draft.query(), r.probability) for r in readings],
            lambda query: bool(execute(self.schema.store, query).holds),
            lambda pattern: is_spoken_of(self.schema, sentence, pattern.relation),
            lambda relation: is_mutual(self.schema, relation),
        )
        if not first and readings and not self._holds(readings[0].draft):
            first = self._within(readings) or of_other_namesake(sentence, [r.draft for r in readings], self._holds)
        return _led_by(readings, first)

    def _from_other_end(self, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
        """The readings, the first, which nothing answers, turned round where its one relation holds both ways: whose
        husband is told of him alone has one."""
        draft = readings[0].draft
        [row] = draft.rows if len(draft.rows) == 1 else [None]
        if row is None or draft.form != "select" or draft.minus or draft.order or not is_mutual(self.schema, row[1]):
            return readings
        head, relation, tail = row
        named, step = (head, Step(relation, True)) if tail == 0 else (tail, Step(relation))
        answers = frozenset(self.schema.go(named, step)) if isinstance(named, str) else frozenset[str]()
        if not answers:
            return readings
        turned = draft.but(
            rows=((tail, relation, head),), steps=(step,), routes=((named, step, 0),), answers=answers, extra=()
        )
        first = replace(readings[0], draft=turned, text=self.verbaliser.reading(turned, sentence))
        return [first, *(r for r in readings[1:] if r.text != first.text)]

    def _within(self, readings: Sequence[Ranked]) -> int:
        """The place of the reading by which something is at a part of the place at which it is not by the first."""
        one, others = readings[0].draft, ((i, r.draft) for i, r in enumerate(readings) if i)
        return next((i for i, d in others if self.places.in_other_words(one, d) and self._holds(d)), 0)

    def _holds(self, draft: Draft) -> bool:
        """Whether the graph has what a draft asks for."""
        if draft.form != "ask":
            return bool(draft.answers)
        query = draft.query()
        return bool(execute(self.schema.store, replace(query, denied=False)).found)

    def _uncounted(self, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
        """The readings, those that count turned into those of what they count: "who gave five stars?" asks for them."""
        counts = [r.draft.form == "count" for r in readings]
        changed = [r.draft.but(form="select") if count else None for r, count in zip(readings, counts, strict=True)]
        return self._merged(sentence, readings, changed) if any(counts) else readings

    def _of_known_things(self, sentence: Sentence, readings: list[Ranked], near: Nearness) -> list[Ranked]:
        """The readings without those that pass over an object or a name which the graph lacks."""
        objects, others = unknown_objects(sentence.text, self.words, near), unlike_names(sentence.text, self.words)
        if not (objects or others):
            return readings
        queries = [r.draft.query() for r in readings]
        return [
            r
            for r, query in zip(readings, queries, strict=True)
            if not object_left_out(query, objects, self.words) and others.keys().isdisjoint(query.entities)
        ]

    def _led_on(self, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
        """The readings, those that end at rows led on to what a question asks for; one that is there already gains
        what they had. Of several ends it is that which the readings speak for."""
        asked = self.row_ends.asked(sentence)
        ways = [self.row_ends.led_on(asked, r.draft) if asked else [] for r in readings]
        if asked and asked.called:
            ways = [
                [d for d in found if self._is_called(asked.called, d, r.draft)]
                for found, r in zip(ways, readings, strict=True)
            ]
        if not any(ways):
            return readings
        shares: dict[str, float] = defaultdict(float)
        for ranked in readings:
            shares[_last_relation(ranked.draft)] += ranked.probability

        def likeliest(drafts: list[Draft]) -> Draft | None:
            first, *others = sorted(drafts, key=lambda d: -shares[_last_relation(d)])
            clear = not others or shares[_last_relation(first)] > _CLEARLY * shares[_last_relation(others[0])]
            return first if clear else None

        return self._merged(sentence, readings, [likeliest(drafts) if drafts else None for drafts in ways])

    def _to_days(self, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
        """The readings, those that tell "when?" by what happened then led on to its day."""
        days = [self.row_ends.day_of(sentence, r.draft) for r in readings]
        return self._merged(sentence, readings, days) if any(days) else readings

    def _is_called(self, noun: str, ends: Draft, rows: Draft) -> bool:
        """Whether a noun is much nearer to what rows are led on to than to what they are: "animals" are the dogs, and
        "outages" the incidents. Rows of no named class may be called anything; but a "stage" is what several of the
        ends' kind are called by: the Barn Stage, the Orchard Stage."""
        of_end = [k for n in self.schema.first(ends.answers)[:1] for k in self.schema.kinds(n)]
        like = [m for kind in of_end for m in self.schema.members(kind)]
        lasts = [folded_words(self.schema.label(m))[-1:] for m in like[:_SAMPLE]]
        if sum(bool(last) and is_form_of(last[0], noun) for last in lasts) > 1:
            return True

        def kinds(draft: Draft) -> list[str]:
            return [
                self.schema.label(k) for n in self.schema.first(draft.answers)[:1] for k in self.schema.store.types(n)
            ]

        near = self.alike(noun, kinds(ends))
        return near >= _NEAR and bool(kinds(rows)) and near > self.alike(noun, kinds(rows)) + _NEARER

    def _merged(self, sentence: Sentence, readings: list[Ranked], changed: Sequence[Draft | None]) -> list[Ranked]:
        """The readings, some with another draft; of those that then read alike one, as likely as they are together."""
        found: dict[str, Ranked] = {}
        for ranked, draft in zip(readings, changed, strict=True):
            if draft:
                ranked = replace(ranked, draft=draft, text=self.verbaliser.reading(draft, sentence))
            if there := found.get(ranked.text):
                ranked = self._together(there, ranked)
            found[ranked.text] = ranked
        return sorted(found.values(), key=lambda r: -r.probability)

    def _together(self, one: Ranked, other: Ranked) -> Ranked:
        """A reading with what another was thought of; its score is what such a probability comes from."""
        probability = one.probability + other.probability
        gain = log(probability / one.probability) / self.sharpness if one.probability else 0.0
        return replace(one, probability=probability, score=max(one.score, other.score, one.score + gain))


def of_more_names(sentence: Sentence, drafts: Sequence[Draft]) -> int:
    """The place of the first reading that holds all that the likeliest does and a name which that passes over: nobody
    is named for nothing. What is not written as a name may only be spoken of by the way."""
    first, links = drafts[0], sentence.links
    names = written_as_names(sentence.text, words_in(sentence.text))
    held = [(links[i].first, links[i].last) for i in first.links] + list(sentence.classes.values())
    passed_over = {
        i
        for i, link in enumerate(links)
        if link.first in names and not link.is_value and not any(a <= link.last and link.first <= b for a, b in held)
    }
    if not passed_over or not first.answers:
        return 0
    told = set(first.rows)

    def conditions(draft: Draft) -> object:
        return draft.form, draft.filters, draft.minus, draft.order

    def holds_more(draft: Draft) -> bool:
        more = told <= set(draft.rows) and set(first.links) < set(draft.links) and bool(draft.answers)
        return more and conditions(draft) == conditions(first) and not passed_over.isdisjoint(draft.links)

    return next((i for i, draft in enumerate(drafts) if holds_more(draft)), 0)


def of_other_namesake(sentence: Sentence, drafts: Sequence[Draft], holds: Callable[[Draft], bool]) -> int:
    """The place of the reading that says of another thing of the same name what the graph does not have of the first:
    who says that Wei Chen joined in 2015 means the one who did. 0 where a claim denies."""
    if drafts[0].denied:
        return 0
    spans = {link.node: (link.first, link.last, round(link.score, 1)) for link in sentence.links}

    def as_spans(draft: Draft) -> object:
        rows = tuple(tuple(spans.get(e, e) if isinstance(e, str) else e for e in row) for row in draft.rows)
        return rows, draft.form, draft.filters, draft.minus, draft.order

    first = as_spans(drafts[0])
    return next((i for i, d in enumerate(drafts) if i and as_spans(d) == first and holds(d)), 0)


def _led_by(readings: list[Ranked], at: int) -> list[Ranked]:
    """The readings with the one at a place first, and the first one there: each is as likely as the other was."""
    if not at:
        return readings
    one, other = readings[0], readings[at]
    changed = list(readings)
    changed[0] = replace(other, score=one.score, probability=one.probability)
    changed[at] = replace(one, score=other.score, probability=other.probability)
    return changed
