"""Readings that answer with a point in time: the day of a firing is no answer to "how long did the firing take?"."""

from __future__ import annotations

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView


def ends_at_point(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft answers with dates or times of day that tell no duration."""
    told = [relation for _, relation, tail in draft.rows if tail == 0]
    return draft.form == "select" and any(cues.is_point(schema.words(r), schema.value_kind(r)) for r in told)
