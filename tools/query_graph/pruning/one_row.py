"""What is told of two named things together is told by the row that ties them: the score that Ann gave the Riesling is
in the row of both, and neither in all rows of the Riesling nor in those that are not Ann's. So is who rode the mare in
the Open: a value that is written as a name counts as a thing."""

from __future__ import annotations

import re
from collections.abc import Set

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.query_graph.linking.mentions import words_in, written_as_names
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_OTHERS = re.compile(
    r"\b(?:others?|another|else|besides?|apart|except|excluding|than|same|not|never|different|rest|without|both|and|or|"
    r"n['’]t)\b|n['’]t\b",
    re.I,
)
"""Words by which more than what ties two things may be meant."""
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""


def at_one_row(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that take the same end from rows of only one of two named things, or from other rows
    than theirs, where the graph has a row of both; all where others are spoken of."""
    if not schema.mediators or _OTHERS.search(sentence.text):
        return drafts
    tied: dict[str, list[frozenset[int]]] = {}
    names = written_as_names(sentence.text, words_in(sentence.text))
    for draft in drafts:
        links = _whole(sentence, draft, names)
        row, relation = _row(schema, draft)
        plain = len(links) > 1 and draft.answers and not draft.order and not _leaves_out_rows(schema, draft)
        if relation and plain and _tied_at(schema, sentence, draft, row) >= links:
            tied.setdefault(relation, []).append(links)

    def is_beside(draft: Draft) -> bool:
        links, relation = _whole(sentence, draft, names), _row(schema, draft)[1]
        rows = tied.get(relation, ())
        return any(
            links < both or (links <= both and (draft.minus or _leaves_out_rows(schema, draft))) for both in rows
        )

    return [d for d in drafts if not is_beside(d)]


def _whole(sentence: Sentence, draft: Draft, names: Set[int]) -> frozenset[int]:
    """The links of a draft by which things are wholly named; ``names``: where words are written as names."""
    links = ((i, sentence.links[i]) for i in draft.links)
    whole = ((i, link) for i, link in links if link.score > _WHOLE and link.first >= 0)
    return frozenset(i for i, link in whole if not link.is_value or link.first in names)


def _row(schema: SchemaView, draft: Draft) -> tuple[End, str]:
    """The row of which a draft answers with an end, and by which relation; "" where it answers with anything else."""
    told = [(h, r) for h, r, t in draft.rows if t == 0 and isinstance(t, int)]
    if draft.form != "select" or not told:
        return "", ""
    return next(((h, r) for h, r in told if all(map(schema.is_mediator, schema.first(schema.heads(r))))), ("", ""))


def _tied_at(schema: SchemaView, sentence: Sentence, draft: Draft, row: End) -> set[int]:
    """The links whose things a row has, each one step away or more where no step leads to several."""
    ends: set[End] = {row}
    size = 0
    while size < len(ends):
        size = len(ends)
        for head, relation, tail in draft.rows:
            if head in ends and tail != 0 and schema.functional(Step(relation)):
                ends.add(tail)
            if tail in ends and head != 0 and tail != 0 and schema.functional(Step(relation, inverse=True)):
                ends.add(head)
    return {i for i in draft.links if sentence.links[i].node in ends}


def _leaves_out_rows(schema: SchemaView, draft: Draft) -> bool:
    """Whether rows are left out because they are not others: nobody names them."""
    left = (right for v, op, right in (*draft.filters, *draft.unsaid) if v and op == "not in")
    return any(isinstance(r, tuple) and any(map(schema.is_mediator, r)) for r in left)
