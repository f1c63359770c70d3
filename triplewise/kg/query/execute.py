"""The one executor of query graphs: the answers on any store, each with the triples that prove it, and what is reckoned
from them. ``search.py`` finds the matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice

from triplewise.kg.base import DistantStore, KGStore
from triplewise.kg.query.graph import Order, QueryGraph, Span, Variable
from triplewise.kg.query.reckon import Reckoning, amount, is_number, reckon
from triplewise.kg.query.search import MAX_ROWS, Row, Search
from triplewise.kg.query.span import Moment, between, in_words, moment, whole
from triplewise.kg.values import compare, parse_value
from triplewise.types import Triple


@dataclass(frozen=True, slots=True)
class Found:
    """One answer and the triples of one match that proves it."""

    id: str
    proof: tuple[Triple, ...]


@dataclass(frozen=True)
class Execution:
    """What a query graph gives. ``ids``: the answers in the order in which they were found; none for "ask".

    ``number`` is the count (for "ask" 1 or 0, for "total", "average" and "span" of the values that were found),
    ``amounts`` the total or average as text, or the different spans, none where no number was found or the units
    differ; ``holds``: whether the claim does (None for what claims nothing).
    ``truncated``: the cap was reached, so that answers may be missing, wrong by a ``minus``, or counted too low.
    """

    ids: tuple[str, ...]
    number: int
    holds: bool | None = None
    truncated: bool = False
    amounts: tuple[str, ...] = ()
    prove: Callable[[], tuple[Found, ...]] = field(default=tuple, repr=False, compare=False)

    @cached_property
    def found(self) -> tuple[Found, ...]:
        """The answers with their proofs; for "ask" one match under the id "", or none."""
        return self.prove()


def execute(store: KGStore, query: QueryGraph, *, max_rows: int = MAX_ROWS) -> Execution:
    """Run a query graph; ``max_rows`` caps the values of a variable and the bindings that a search tries."""
    if isinstance(store, DistantStore):
        part, whole = store.part_for(query, max_rows)
        execution = execute(part, query, max_rows=max_rows)
        return execution if whole else replace(execution, truncated=True)
    search = Search(store, query.patterns, query.filters, query.minus, max_rows=max_rows)
    if query.answer and (query.form == "total" or query.form == "average"):
        return _reckoned(store, search, query, query.answer, query.form)
    if query.answer and query.span:
        return _spanned(store, search, query.answer, query.span)
    rows: Mapping[str, Sequence[Row]]
    if query.answer is None:
        rows = dict(zip(("",), ([row] for row in search.rows(())), strict=False))
    elif query.order and query.order.measure in ("total", "average"):
        rows = _by_amount(store, search, query, query.answer, query.order, query.order.measure)
    elif query.order:
        asked = tuple(dict.fromkeys((query.answer, *query.order.variables)))
        rows = _best(store, search.rows(asked), query.answer, query.order)
    else:
        rows = {row[query.answer]: [row] for row in search.rows((query.answer,))}
    holds = None
    if query.form == "ask":
        holds = bool(rows) != query.denied
    elif query.compare:
        holds = compare(str(len(rows)), *query.compare)

    def prove() -> tuple[Found, ...]:
        proofs = search.proofs([row for of_one in rows.values() for row in of_one])
        of_each = ((found, chain.from_iterable(islice(proofs, len(of_one)))) for found, of_one in rows.items())
        return tuple(Found(found, tuple(dict.fromkeys(proof))) for found, proof in of_each)

    return Execution(tuple(rows) if query.answer else (), len(rows), holds, search.truncated, prove=prove)


def _reckoned(store: KGStore, search: Search, query: QueryGraph, answer: Variable, how: Reckoning) -> Execution:
    """The total or average of the values of all holders: two bills of £20 are £40."""
    holder = query.holder(answer)
    asked = (holder, answer) if holder else (answer,)
    rows = [row for row in search.rows(asked) if is_number(store.label(row[answer]))]
    amount = reckon(how, [store.label(row[answer]) for row in rows])
    ids = tuple(dict.fromkeys(row[answer] for row in rows))

    def prove() -> tuple[Found, ...]:
        return tuple(map(Found, (row[answer] for row in rows), search.proofs(rows)))

    return Execution(ids, len(rows), None, search.truncated, (amount,) if amount else (), prove)


def _spanned(store: KGStore, search: Search, answer: Variable, span: Span) -> Execution:
    """The time between days, each that differs once, shortest first, with the days between which it is."""
    since, unit = span.since, span.unit

    def day(row: Row, end: Variable | str) -> Moment:
        return moment(store.label(row[end]) if isinstance(end, Variable) else end, unit)

    found: dict[int, Row] = {}
    if since is None:
        days = {m: row for row in search.rows((answer,)) if (m := day(row, answer)).told}
        time = whole(days, unit)
        ends = [] if time is None else [days[pick(days, key=lambda m: m.full or m.rough or 0)] for pick in (min, max)]
        amounts = [] if time is None else [time]
    else:
        asked = (since, answer) if isinstance(since, Variable) else (answer,)
        for row in search.rows(asked):
            if (time := between(day(row, since), day(row, answer), unit)) is not None:
                found.setdefault(time, row)
        amounts = sorted(found)
        ends = [found[time] for time in amounts]
    ids = tuple(dict.fromkeys(row[answer] for row in ends))

    def prove() -> tuple[Found, ...]:
        return tuple(map(Found, (row[answer] for row in ends), search.proofs(ends)))

    words = tuple(in_words(time, unit) for time in amounts)
    return Execution(ids, len(ends), None, search.truncated, words, prove)


def _best(store: KGStore, rows: Iterable[Row], answer: Variable, order: Order) -> dict[str, list[Row]]:
    """The first ``limit`` answers by their values or by how many they have, each with a row that has its best value."""
    keys: dict[str, tuple[float, ...]] = {}
    best: dict[str, Row] = {}
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        found = row[answer]
        if order.measure:
            counts[found] += 1
            key: tuple[float, ...] = (counts[found],)
            better = True
        else:
            key = _key(store, row, order)
            better = bool(key) and (
                found not in keys or (key != keys[found] and (key > keys[found]) == order.descending)
            )
        if better:
            keys[found], best[found] = key, row
    return {found: [best[found]] for found in _first(keys, order)}


def _key(store: KGStore, row: Row, order: Order) -> tuple[float, ...]:
    """What a row is ordered by; () for what has no order."""
    if order.since is None:
        return parse_value(store.label(row[order.by])).key
    since, until = (moment(store.label(row[end]), "days") for end in order.variables)
    days = between(since, until, "days")
    return () if days is None else (days,)


def _by_amount(
    store: KGStore, search: Search, query: QueryGraph, answer: Variable, order: Order, how: Reckoning
) -> dict[str, list[Row]]:
    """The first answers by the total or average of what they have, each with all rows that were added up."""
    holder = query.holder(order.by)
    added, units = defaultdict[str, list[Row]](list), set[str]()
    keys: dict[str, tuple[Fraction | float]] = {}
    for row in search.rows(tuple(dict.fromkeys((answer, *((holder,) if holder else ()), order.by)))):
        if is_number(label := store.label(row[order.by])):
            units.add(parse_value(label).unit)
            added[row[answer]].append(row)
    for found, rows in added.items():
        keys[found] = (amount(how, [parse_value(store.label(row[order.by])).key[0] for row in rows]),)
    return {found: added[found] for found in _first(keys, order)} if len(units) == 1 else {}


def _first(keys: Mapping[str, tuple[float | Fraction, ...]], order: Order) -> list[str]:
    """What has one of the first ``limit`` keys by the order, ties of the last kept."""
    if not keys:
        return []
    last = sorted(keys.values(), reverse=order.descending)[: order.limit][-1]
    return [found for found, key in keys.items() if (key >= last if order.descending else key <= last)]
