"""Claims of one of some days or years: "it came out in 2019 or 2021" is read as of the first, and said of any of them;
what is denied of the first is denied of all."""

from __future__ import annotations

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Condition, Draft
from triplewise.tools.query_graph.joined.values import JoinedValues, with_joined_values
from triplewise.tools.query_graph.schema_view import SchemaView, Step


def either_value(sentence: Sentence) -> tuple[str, JoinedValues] | None:
    """A claim of the first of some days or years alone, and all of them; None for any other."""
    joined = with_joined_values(sentence).joined
    if not joined:
        return None
    first, *_, last = joined[0].mentions
    return f"{sentence.text[: first.end]}{sentence.text[last.end :]}", joined[0]


def with_any_value(schema: SchemaView, draft: Draft, values: JoinedValues) -> Draft | None:
    """A reading of a claim of the first day or year as one of any of them; None where it does not hold that one, or of
    several things."""
    first = values.mentions[0]
    texts = {first.low, *first.texts}

    def is_of_first(condition: Condition) -> bool:
        _, op, right = condition
        span = first.low != first.high and (op, right) in ((">=", first.low), ("<=", first.high))
        return span or (op in ("=", "year") and right in texts)

    held = {condition[0] for condition in (*draft.filters, *draft.unsaid) if is_of_first(condition)}
    rows = list(draft.rows)
    ended = [i for i, (_, _, tail) in enumerate(rows) if isinstance(tail, str) and schema.label(tail) in texts]
    if draft.form != "ask" or draft.compare or draft.minus or len(held) + len(ended) != 1:
        return None
    variable = next(iter(held), draft.next_variable)
    for i in ended:
        rows[i] = (rows[i][0], rows[i][1], variable)
    relation = next((r for _, r, tail in rows if tail == variable), "")
    nodes = (n for n in schema.starts(Step(relation, True)) if values.holds(schema.label(n)))
    any_of = (variable, "in", tuple(sorted(nodes)) or tuple(m.low for m in values.mentions))
    return draft.but(
        rows=tuple(rows),
        filters=(*(f for f in draft.filters if not is_of_first(f)), any_of),
        unsaid=tuple(f for f in draft.unsaid if not is_of_first(f)),
        said=(*draft.said, values.condition),
    )
