"""What "how many" asks of is counted where the graph has it: of "how many vans did we send to the gala?" the vans, and
not its guests, whose number the graph tells."""

from __future__ import annotations

import re
from collections.abc import Set

from triplewise.kg.names import literal_parts
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Link, folded_words, is_form_of, words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.pruning.asked_kind import asked_class
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.verb_forms import word_set

_LEFT_OUT = frozenset(("of", "the", "our", "your", "their", "its", "his", "her", "my", "these", "those", "different"))
"""Words that may stand between "how many" and its noun."""
_QUANTITY = word_set("quantity qty quantities pieces units copies pcs")
"""Words of a relation that tells how many of a thing a row is about."""
QUANTITY = "quantity"
"""Marks a reading that answers with how many of a thing a row is about."""
_TIMES = re.compile(r"\bhow (?:many times|often)\b", re.I)
_SURE = 0.9
"""Score from which on a noun surely calls what things are by a value of theirs: "waiters", by their job."""


def of_counted_noun(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer with a number of something else or count something else, where some count
    what the noun behind "how many" calls and are about the same things."""
    if _TIMES.search(sentence.text):
        return _of_times(schema, sentence, drafts)
    at = _noun_at(sentence)
    if at is None:
        return drafts
    noun, words = words_in(sentence.text)[at].text, folded_words(sentence.text)
    asked = asked_class(schema, sentence)

    def is_called_so(kind: str) -> bool:
        return kind == asked or any(is_form_of(name, noun) for name in words_of_class(schema, kind)[-1:])

    by_class = any(map(is_called_so, schema.classes))
    values = set[int]() if by_class else {i for i, x in enumerate(sentence.links) if _calls(x, at)}
    named = {sentence.links[i].node for i in values}

    def counts_it(draft: Draft) -> bool:
        if draft.form != "count" or not draft.answers:
            return False
        things = [schema.store.types(n) for n in schema.first(draft.answers)]
        if values:
            return all(things) and any(h == 0 and t in named for h, _, t in draft.rows)
        return all(any(map(is_called_so, kinds)) for kinds in things)

    def is_of_another(draft: Draft) -> bool:
        if draft.form == "count":
            return bool(draft.answers)
        told = [r for _, r, t in draft.rows if t == 0 and isinstance(t, int) and schema.value_kind(r) == "number"]
        return draft.form == "select" and bool(told) and not any(says_relation(schema, words, r) for r in told)

    counting = [d for d in drafts if counts_it(d)]
    if values:
        counting = [d for d in counting if not any(_is_part(d, other) for other in counting)]
    told = [(frozenset(d.links) | values, frozenset(d.values)) for d in counting]
    kept = set(map(id, counting))

    def is_kept(draft: Draft) -> bool:
        if id(draft) in kept or not is_of_another(draft):
            return True
        return not any(links.issuperset(draft.links) and said.issuperset(draft.values) for links, said in told)

    return [d for d in drafts if is_kept(d)]


def of_quantity(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that answer "how many brioches does the Anchor get?" with the quantity of the row that ties the two,
    where the noun is a thing and there is such a row; else all. One thing is not counted."""
    at = _noun_at(sentence)
    if at is None or asked_class(schema, sentence):
        return drafts
    counted = {i for i, x in enumerate(sentence.links) if x.first <= at <= x.last and not x.is_value}
    quantities = {r for r in schema.relations if _is_quantity(schema, r)} if counted else set[str]()
    told = [d for d in drafts if counted.intersection(d.links) and _answers_with(d, quantities)]
    most = max((len(d.links) for d in told), default=0)
    kept = [d for d in told if len(d.links) == most > 1]
    return [d.but(extra=(*d.extra, QUANTITY)) for d in kept] if any(d.answers for d in kept) else drafts


def _is_quantity(schema: SchemaView, relation: str) -> bool:
    return schema.value_kind(relation) == "number" and not _QUANTITY.isdisjoint(folded_words(schema.words(relation)))


def _answers_with(draft: Draft, relations: Set[str]) -> bool:
    """Whether a draft asks for the value that one of some relations tells of a row, of which it says all else."""
    told = {h for h, r, t in draft.rows if t == 0 and r in relations and isinstance(t, int) and isinstance(h, int)}
    plain = draft.form == "select" and not (draft.minus or draft.order)
    return plain and len(told) == 1 and all(h in told for h, _, _ in draft.rows)


def _of_times(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer "how many times" with a number or a day that is told by a relation of which
    no word is said, where some count what is about the same things."""
    words = [word for word in folded_words(sentence.text) if word != "times"]
    counted = [frozenset(d.links) for d in drafts if d.form == "count" and d.answers]

    def is_no_count(draft: Draft) -> bool:
        told = [
            r for _, r, t in draft.rows if t == 0 and isinstance(t, int) and schema.value_kind(r) not in (None, "text")
        ]
        unsaid = draft.form == "select" and bool(told) and not any(says_relation(schema, words, r) for r in told)
        return unsaid and any(links.issuperset(draft.links) for links in counted)

    return [d for d in drafts if not is_no_count(d)]


def _calls(link: Link, at: int) -> bool:
    """Whether a word surely calls things by a value of theirs."""
    return link.first <= at <= link.last and link.score > _SURE and literal_parts(link.node) is not None


def _is_part(draft: Draft, other: Draft) -> bool:
    """Whether a draft leaves out something named that another, the same beside that, holds."""
    return set(draft.links) < set(other.links) and set(draft.rows) < set(other.rows)


def _noun_at(sentence: Sentence) -> int | None:
    """The word behind "how many", but for those that only point; None where there is none."""
    words = [w.text for w in words_in(sentence.text)]
    at = next((i + 2 for i in range(len(words) - 2) if words[i : i + 2] == ["how", "many"]), len(words))
    while at < len(words) and words[at] in _LEFT_OUT:
        at += 1
    return at if at < len(words) else None
