"""Patterns of a reading that say no more than a plainer reading, or that nothing can meet.

"The hair dryer's brand is one that something of the brand Brauner has" says that its brand is Brauner, only that where
this does not hold nothing that is known of the hair dryer refutes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row, said
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


def of_difference(drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that only add that what is found has something, where all of it has: "boats that have a
    harbour and are insured", of boats that all have one."""
    alike = defaultdict[frozenset[str], list[Draft]](list)
    for draft in drafts:
        alike[draft.answers].append(draft)
    read: dict[frozenset[str], set[Hashable]] = {}

    def adds_nothing(draft: Draft) -> bool:
        if draft.form == "ask" or len(draft.rows) < 2:
            return False
        free = _free(draft)
        idle = [row for row in draft.rows if free.intersection((row[0], row[2]))]
        if idle and draft.answers not in read:
            read[draft.answers] = {_said(d) for d in alike[draft.answers]}
        return any(_said(draft, row) in read[draft.answers] for row in idle)

    return [d for d in drafts if not adds_nothing(d)]


def _said(draft: Draft, *without: Row) -> Hashable:
    """What a draft says, but for classes."""
    return said(draft, *without, *(row for row in draft.rows if row[1] == TYPE))


def of_named(sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that leave open what the sentence names in full, where the same is read of that: "the
    kids of Pat Hall" are not those of anybody."""
    named = {x.node for x in sentence.links if x.score > 0.99 and x.last > x.first >= 0 and not x.is_value}
    read = {said(d) for d in drafts if named.intersection(end for h, _, t in d.rows for end in (h, t))}

    def leaves_open(draft: Draft) -> bool:
        if draft.links or not read:
            return False
        spoken = [_replaced(draft.rows, v, node) for v in _free(draft) for node in named]
        return any(said(draft.but(rows=rows)) in read for rows in spoken)

    return [d for d in drafts if not leaves_open(d)]


def _replaced(rows: Sequence[Row], variable: int, node: str) -> tuple[Row, ...]:
    return tuple((node if h == variable else h, r, node if t == variable else t) for h, r, t in rows)


def either_answer(schema: SchemaView, draft: Draft) -> bool:
    """Whether a pattern says that there is a yes or a no, and leaves open which: "insured" is not said of both."""
    open_ends = [t for _, r, t in draft.rows if isinstance(t, int) and schema.value_kind(r) == "yes-no"]
    return bool(open_ends) and not _free(draft).isdisjoint(open_ends)


def _free(draft: Draft) -> set[int]:
    """The variables of which nothing is said but that they are there."""
    once, more = set[int](), {0}  # a loop: this is asked of every candidate
    for h, _, t in (*draft.rows, *draft.minus):
        for end in (h, t) if h != t else (h,):
            if isinstance(end, int):
                (more if end in once else once).add(end)
    for v, _, right in draft.filters:
        more.add(v)
        if isinstance(right, int):
            more.add(right)
    more.update(v for v, op, _ in draft.unsaid if op == "in")
    if draft.order:
        more.update(v for v in (draft.order[0], draft.order_since) if v is not None)
    return once - more
