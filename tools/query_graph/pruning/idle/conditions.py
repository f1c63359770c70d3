"""A condition that nothing says does not narrow: where a reading has all that a question says, another that asks beside
it only that some further relation is told leaves out things of which the graph does not tell it.

"Which complaints are not settled yet?" asks for those without a date, too.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row, said
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.verb_forms import word_set

_CARRYING = STOP_WORDS | word_set("""
    haven hasn hadn isn aren wasn weren don doesn didn havent hasnt hadnt isnt arent wasnt werent dont doesnt didnt
    already still any currently now far
""")
"""Words that carry a question, and deny."""


def of_said_conditions(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that add nothing but unsaid relations to one which holds every word of the sentence."""
    words = folded_words(sentence.text)

    @cache
    def is_said(relation: str) -> bool:
        return says_relation(schema, words, relation, shortest=1)

    @cache
    def unsaid(at: int) -> list[Row]:
        return [row for row in _idle_rows(drafts[at]) if not is_said(row[1])]

    says_all = _WholeSentence(schema, sentence)
    may_say_all = [i for i, d in enumerate(drafts) if d.answers and says_all(d)]
    whole = {_plainly(drafts[i]): drafts[i] for i in may_say_all if not unsaid(i)}
    if not whole:
        return drafts

    def narrows_unsaid(at: int) -> bool:
        wider = whole.get(_plainly(drafts[at], *unsaid(at))) if unsaid(at) else None
        return wider is not None and drafts[at].answers < wider.answers

    return [draft for i, draft in enumerate(drafts) if not narrows_unsaid(i)]


def of_both_values(_schema: SchemaView, _sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that hold one value of a sentence where others hold it and a second one, a time and a
    number: of the "gigs in 2024 that sold more than 120 tickets" none was in another year."""
    both = {(d.links, frozenset(d.values)) for d in drafts if d.answers and len({v for v, *_ in d.filters}) > 1}
    both = {(links, values) for links, values in both if len(values) > 1}
    if not both:
        return drafts

    def holds_one(draft: Draft) -> bool:
        held = frozenset(draft.values)
        return bool(held) and any(draft.links == links and held < values for links, values in both)

    return [draft for draft in drafts if not holds_one(draft)]


def _plainly(draft: Draft, *without: Row) -> object:
    """What a draft says but for classes and some patterns."""
    return said(draft, *without, *(row for row in draft.rows if row[1] == TYPE))


def _idle_rows(draft: Draft) -> list[Row]:
    """The patterns by which the answers have a relation at all, whatever it leads to."""
    ends = Counter(e for h, r, t in (*draft.rows, *draft.minus) for e in (h, t) if isinstance(e, int))
    told = {v for v, _, right in (*draft.filters, *draft.unsaid) for v in (v, right) if isinstance(v, int)}
    told |= {draft.order[0]} if draft.order else set()
    others = [
        (row, row[2] if row[0] == 0 else row[0]) for row in draft.rows if row[1] != TYPE and 0 in (row[0], row[2])
    ]
    return [row for row, end in others if isinstance(end, int) and end and ends[end] == 1 and end not in told]


class _WholeSentence:
    """Whether a draft holds every word of a sentence that says anything, and is of the class that is said."""

    def __init__(self, schema: SchemaView, sentence: Sentence) -> None:
        self.schema, self.sentence, self.kinds = schema, sentence, set(sentence.classes)
        words = words_in(sentence.text)
        held = {i for first, last in sentence.classes.values() for i in range(first, last + 1)}
        self.words = {i: w for i, w in enumerate(words) if i not in held and w.text not in _CARRYING}
        self.said = cache(self._said)

    def _said(self, relation: str) -> frozenset[str]:
        names = folded_words(self.schema.words(relation))
        return frozenset(w.text for w in self.words.values() if any(is_form_of(name, w.text) for name in names))

    def __call__(self, draft: Draft) -> bool:
        if not self.kinds or not any(r != TYPE and folded_words(self.schema.words(r)) for _, r, _ in draft.rows):
            return False
        spans = [(self.sentence.links[i].first, self.sentence.links[i].last) for i in draft.links]
        values = [self.sentence.values[i] for i in draft.values]
        for i, word in self.words.items():
            if any(first <= i <= last for first, last in spans) or any(v.start <= word.start < v.end for v in values):
                continue
            if not any(word.text in self.said(r) for _, r, _ in draft.rows if r != TYPE):
                return False
        return all(self.kinds.intersection(self.schema.kinds(n)) for n in self.schema.first(draft.answers))
