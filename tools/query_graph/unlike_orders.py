"""Readings that compare by something else than the words do, so that nothing is answered instead.

No query graph says "more pictures than Emil took", and what is the busiest is told neither by the number of its lines
nor by the year in which it opened, but by how many came.
"""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import PROBE, SchemaView, Step

_MORE = re.compile(
    r"\b(?:more|fewer|less)\s+(?!th[ae]n\b)(?:[^\W\d][\w'’-]*\s+){1,3}?(?P<than>th[ae]n)\s+(?:the\s+)?", re.I
)
_BUSY = re.compile(r"\b(?:busi|quiet)est\b", re.I)
"""Said of where much or little happens: what is counted has days."""
_MEASURED = re.compile(
    r"\b(?:tall|deep|shallow|wid|broad|narrow|heavi|light|fast|quick|slow|dear|prici|costli|cheap)est\b", re.I
)
"""Extremes that are told neither by a number of things nor by a day."""
_MEANT = 0.5
"""The score of a link from which on a thing is named."""


def compares_otherwise(schema: SchemaView, sentence: Sentence, draft: Draft) -> bool:
    """Whether a question's reading makes another comparison than the words, or none where these make one."""
    if draft.form == "ask" or draft.compare:
        return False
    if _more_than_another(sentence):
        values = any(isinstance(right, int) and op in "<>" for _, op, right in draft.filters)
        return not values and not any(op == "in" for _, op, _ in draft.filters)
    return bool(draft.order) and _is_unlike(schema, sentence.text, draft)


def _more_than_another(sentence: Sentence) -> bool:
    """Whether a number of things is compared with that of a named one."""
    more = _MORE.search(sentence.text)
    if not more:
        return False
    behind = {i for i, word in enumerate(words_in(sentence.text)) if word.start == more.end()}
    return any(x.first in behind and x.score > _MEANT for x in sentence.links)


def _is_unlike(schema: SchemaView, text: str, draft: Draft) -> bool:
    """Whether a draft orders by a count, or by dates, what the words order by another quality."""
    if not draft.order:
        return False
    by, _, counted = draft.order
    ends = [Step(r, t == by) for h, r, t in draft.rows if by in (h, t) and r != TYPE]
    if _BUSY.search(text):
        if not counted and any(cues.CROWD.search(schema.words(end.relation)) for end in ends):
            return False
        return not counted or not any(_has_days(schema, end) for end in ends)
    dated = any(schema.value_kind(end.relation) in ("date", "year") for end in ends if end.inverse)
    return (counted or dated) and _MEASURED.search(text) is not None


def _has_days(schema: SchemaView, end: Step) -> bool:
    """Whether the things at an end of a relation happened on days."""
    kinds = frozenset(k for n in schema.first(schema.starts(end))[:PROBE] for k in schema.kinds(n))
    return any(schema.value_kind(s.relation) == "date" for s in schema.usual_steps(kinds) if not s.inverse)
