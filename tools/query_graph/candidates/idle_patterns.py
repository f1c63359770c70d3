"""Patterns of a claim's reading that say no more than a plainer reading, or that nothing can meet.

"The hair dryer's brand is one that something of the brand Brauner has" says that its brand is Brauner, only that where
this does not hold nothing that is known of the hair dryer refutes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from triplewise.tools.query_graph.candidates.drafts import Row
from triplewise.tools.query_graph.schema_view import SchemaView, Step


def roundabout(schema: SchemaView, rows: Sequence[Row]) -> bool:
    """Whether a value that a thing has one of at most is told of a named thing by another that shares it and whose
    value is named. Of two that share it, both built in 2016, the plainer reading would be two claims."""
    told = {(h, r) for h, r, t in rows if isinstance(h, int) and isinstance(t, str) and schema.functional(Step(r))}
    for other, relation in told:
        shared = {t for h, r, t in rows if (h, r) == (other, relation) and isinstance(t, int)}
        sharing = [isinstance(h, str) for h, r, t in rows if r == relation and t in shared and h != other]
        if sharing == [True]:
            return True
    return False


def contradictory(schema: SchemaView, rows: Sequence[Row]) -> bool:
    """Whether yes and no are said of one thing at once."""
    said = {(h, r, t) for h, r, t in rows if isinstance(t, str) and schema.value_kind(r) == "yes-no"}
    return len(said) > len({(h, r) for h, r, _ in said})
