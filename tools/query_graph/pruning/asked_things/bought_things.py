"""What somebody bought, ordered or gave is told by the item of a row, and by no other column: "what has Ann bought?"
asks neither for the stall at which it was sold nor for the row that tells it."""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView

_WHAT = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|remind me|tell me)\W+)*what(?:['’](?:s|ve|d))?(?:\s+else)?\s+"
    r"(?:has|have|had|did|does|do|was|were|is|are)\b(?!\s+(?:the|his|her|their|its|our)\s+[^\W\d_]+\W*$)",
    re.I,
)
"""What is asked for as a thing; "what is the size?" asks for what it says."""
_GETS = re.compile(
    r"\b(?:b(?:uy|uys|ought)|order(?:s|ed)?|s(?:ell|ells|old)|br(?:ing|ings|ought)|g(?:ive|ives|ave|iven)|donate[sd]?|got|get|"
    r"purchase[sd]?|s(?:end|ends|ent)|w(?:in|ins|on)|hire[sd]?|rent(?:s|ed)?|borrow(?:s|ed)?|l(?:end|ends|ent))\b",
    re.I,
)
"""Verbs of which the object is a thing."""
_WITH_PREPOSITION = re.compile(r"\b(?:at|from|in|on|with|to|by|of|about|into|for)\W*$", re.I)
_ITEM = re.compile(r"\b(?:items?|things?|products?|articles?|goods)\b|^what$", re.I)
_PRICED = re.compile(
    r"\b(?:pay|pays|paid|cost|costs|spend|spent|charged?|owe[sd]?|owing|worth|take|took|make|made)\b", re.I
)
"""Verbs of which the object may be a number as well."""
_MOST = 0.6
"""Share of the rows with another column that must tell an item."""


def of_bought_things(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer with a row, or with another column of it that no word says, where others
    answer with its item."""
    text = sentence.plain
    if not (_WHAT.search(text) and _GETS.search(text)) or _WITH_PREPOSITION.search(text):
        return drafts
    items = {r for r in schema.relations if schema.value_kind(r) in (None, "text") and _ITEM.search(schema.words(r))}
    told = [d for d in drafts if d.form == "select" and d.links and d.answers and _ends(d) & items]
    if not told:
        return drafts
    priced = _PRICED.search(text)
    words, links = folded_words(text), {link for d in told for link in d.links}
    rows = frozenset(n for r in items for n in schema.heads(r))

    def is_other_column(row: Row) -> bool:
        head, relation, tail = row
        if tail != 0 or not isinstance(head, int) or relation in items or relation == TYPE:
            return False
        heads = schema.heads(relation)
        of_rows = len(heads & rows) > _MOST * len(heads)
        may_be = priced and schema.value_kind(relation) not in (None, "text")
        return of_rows and not may_be and not says_relation(schema, words, relation)

    def is_another(draft: Draft) -> bool:
        if draft.form != "select" or not links.intersection(draft.links):
            return False
        if any(map(is_other_column, draft.rows)):
            return True
        return bool(draft.answers) and draft.answers <= rows and not _is_said(schema, sentence, draft)

    return [d for d in drafts if not is_another(d)]


def _ends(draft: Draft) -> set[str]:
    return {relation for _, relation, tail in draft.rows if tail == 0}


def _is_said(schema: SchemaView, sentence: Sentence, draft: Draft) -> bool:
    """Whether the class of a draft's answers is said."""
    kinds = {kind for node in schema.first(draft.answers)[:1] for kind in schema.kinds(node)}
    return not kinds.isdisjoint(sentence.classes)
