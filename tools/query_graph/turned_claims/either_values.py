"""Claims of one of some values: "it was published in 2019 or 2021" is read as of the first, and said of any of them;
what is denied of the first is denied of all."""

from __future__ import annotations

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.joined.values import JoinedValues, with_joined_values
from triplewise.tools.query_graph.schema_view import SchemaView, Step


def either_value(sentence: Sentence) -> tuple[str, JoinedValues] | None:
    """A claim of the first of some values alone, and these; None for any other."""
    joined = with_joined_values(sentence).joined
    if len(joined) != 1:
        return None
    first, *_, last = joined[0].mentions
    return f"{sentence.text[: first.end]}{sentence.text[last.end :]}", joined[0]


def with_any_value(schema: SchemaView, draft: Draft, values: JoinedValues) -> Draft | None:
    """A reading of a claim of the first value as one of any of them; None where it does not hold that value."""
    texts = {values.mentions[0].low, *values.mentions[0].texts}
    held = [f for f in draft.filters if f[1] in ("=", "year") and isinstance(f[2], str) and f[2] in texts]
    if draft.form != "ask" or draft.compare or draft.minus:
        return None
    rows, variable = list(draft.rows), draft.next_variable
    if len(held) == 1:
        variable = held[0][0]
    else:
        ended = [i for i, (_, _, t) in enumerate(rows) if isinstance(t, str) and schema.label(t) in texts]
        if held or len(ended) != 1:
            return None
        head, relation, _ = rows[ended[0]]
        rows[ended[0]] = (head, relation, variable)
    if not (relation := next((r for _, r, t in rows if t == variable), "")):
        return None
    nodes = (n for n in schema.starts(Step(relation, True)) if values.holds(schema.label(n)))
    any_of = (variable, "in", tuple(sorted(nodes)) or tuple(m.low for m in values.mentions))
    filters = (*(f for f in draft.filters if f not in held), any_of)
    return draft.but(rows=tuple[Row, ...](rows), filters=filters, said=(*draft.said, values.condition))
