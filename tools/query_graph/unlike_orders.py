"""Readings that compare by something else than the words do, so that nothing is answered instead.

No query graph says "more pictures than Emil took", and what is the busiest is told neither by the number of its lines
nor by the year in which it opened.
"""

from __future__ import annotations

import re

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.turned_claims.extremes import EXTREME

_MORE = re.compile(
    r"\b(?:more|fewer|less)\s+(?!th[ae]n\b)(?:[^\W\d][\w'’-]*\s+){1,3}?(?P<than>th[ae]n)\s+(?:the\s+)?", re.I
)
_BY_NUMBER = re.compile(
    r"\b(?:most|least|fewest|(?:bigg|larg|small|great|high|low|long|short|full|commonn?|rar|strong|weak|wid)est|best|"
    r"worst|how many|number)\b",
    re.I,
)
"""Extremes that a count may tell."""
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
    """Whether a draft orders by a count, or by dates, what the words order by a quality."""
    extreme = EXTREME.search(text)
    if not extreme or not draft.order or not extreme.group().lower().endswith("est"):
        return False
    by, _, counted = draft.order
    if counted:
        return not _BY_NUMBER.search(text)
    relation = next((r for _, r, t in reversed(draft.rows) if t == by), "")
    dated = schema.value_kind(relation) in ("date", "year")
    return dated and not cues.extreme_date(text, schema.words(relation)) and not _BY_NUMBER.search(text)
