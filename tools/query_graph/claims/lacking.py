"""Why a claim of all of a kind is open: the things of the kind of which the graph does not say what is claimed.

"All huts of the club have more than 30 beds" is open while there are huts that may be the club's, for the graph tells
no owner of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query.execute import execute
from triplewise.kg.query.graph import NAME, TYPE, Pattern, QueryGraph, Variable
from triplewise.tools.text.verb_forms import plural

_SHOWN = 5
"""Things that are named for each relation that they lack."""
_MAX_ROWS = 5_000


def what_is_missing(store: KGStore, query: QueryGraph) -> str:
    """One sentence for each relation that things of a claim's kind lack, and that could make them exceptions to it."""
    kind = next((p for p in query.patterns if p.relation == TYPE and isinstance(p.head, Variable)), None)
    if kind is None or not isinstance(kind.head, Variable) or not isinstance(kind.tail, str):
        return ""
    if not (query.minus or any(isinstance(f.right, str) for f in query.filters)):
        return ""
    lacking: dict[str, list[str]] = {}
    known: set[str] = set()
    for relations, nodes in _possible_exceptions(store, query, kind.head):
        for node in nodes:
            if node not in known and not any(_has(store, node, r) for r in relations):
                known.add(node)
                lacking.setdefault(relations[0], []).append(node)
    label = one_line(store.label(kind.tail))
    return " ".join(_sentence(store, label, relation, nodes) for relation, nodes in lacking.items())


def _possible_exceptions(
    store: KGStore, query: QueryGraph, of: Variable
) -> Iterator[tuple[tuple[str, ...], Sequence[str]]]:
    """(relations, the things that are an exception as far as the claim's other patterns tell)."""
    own = [p for p in query.patterns if p.head == of and p.relation not in (TYPE, NAME)]
    only_lacked = [m for m in query.minus if m.head == of and m.relation not in {p.relation for p in query.patterns}]
    if only_lacked:
        yield (only_lacked[0].relation,), _such(store, query, of, query.patterns)
        return
    for size in range(1, len(own) + 1):
        for without in combinations(own, size):
            rest = [p for p in query.patterns if p not in without]
            yield tuple(p.relation for p in without), _such(store, query, of, _tied(rest, of))


def _such(store: KGStore, query: QueryGraph, of: Variable, patterns: Sequence[Pattern]) -> Sequence[str]:
    """The things of which some of a claim's patterns are so."""
    bound = {v for p in (*patterns, *query.minus) for v in p.variables}
    filters = tuple(f for f in query.filters if bound.issuperset(f.variables))
    done = execute(store, QueryGraph(tuple(patterns), of, filters=filters, minus=query.minus), max_rows=_MAX_ROWS)
    return () if done.truncated else done.ids


def _tied(patterns: Sequence[Pattern], of: Variable) -> list[Pattern]:
    """The patterns that are still tied to a variable, by others or by themselves."""
    met, size = {of}, 0
    while len(met) > size:
        size = len(met)
        met |= {v for p in patterns if met.intersection(p.variables) for v in p.variables}
    return [p for p in patterns if met.intersection(p.variables)]


def _has(store: KGStore, node: str, relation: str) -> bool:
    return next(iter(store.triples(node, relation)), None) is not None


def _sentence(store: KGStore, kind: str, relation: str, nodes: Sequence[str]) -> str:
    names = [one_line(store.display(n)) for n in sorted(nodes, key=store.label)]
    shown, more = names[:_SHOWN], len(names) - _SHOWN
    listed = f"{', '.join(shown)} and {more} more" if more > 0 else " and ".join(
        part for part in (", ".join(shown[:-1]), shown[-1]) if part
    )  # fmt: skip
    have = f"1 {kind} has" if len(names) == 1 else f"{len(names)} {plural(kind)} have"
    return f"{have} no {one_line(store.relation_label(relation))!r} in the graph: {listed}."
