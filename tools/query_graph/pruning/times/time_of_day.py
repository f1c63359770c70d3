"""Times of day: "what time did it start?" is not answered by a day."""

from __future__ import annotations

import re
from collections.abc import Iterable

from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView

_ASKS = re.compile(r"\b(?:what|which) time\b(?! of (?:the )?(?:year|month|week)\b| (?:zone|span|frame|period)\b)", re.I)
_CLOCK = re.compile(
    r"\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b|o['’]clock|\b(?:noon|midday|midnight|morning|afternoon|evening)\b",
    re.I,
)
_TIME = re.compile(r"\b(?:time|hours?|clock)\b", re.I)


def lacks_time_of_day(schema: SchemaView, text: str, drafts: Iterable[Draft]) -> bool:
    """Whether a question asks for a time of day, and its readings tell days and nothing that may be one."""
    if not _ASKS.search(text):
        return False
    days = False
    for draft in drafts:
        if any(_TIME.search(schema.words(r)) for _, r, _ in draft.rows if r in schema.relations):
            return False
        for node in schema.first(draft.answers)[:1] if draft.form != "ask" else ():
            value = schema.label(node)
            if _CLOCK.search(value):
                return False
            days = days or parse_value(value).kind == "date"
    return days
