"""Chains of triples between two entities, in either direction, by a breadth-first search from the start."""

from __future__ import annotations

from triplewise.kg.base import KGStore
from triplewise.types import Triple

MAX_PATHS = 5
MAX_VISITED = 50_000
"""Nodes that are visited; beyond them the search gives up, as between two hubs of a large graph."""


def shortest_paths(kg: KGStore, start: str, end: str, max_steps: int) -> list[tuple[Triple, ...]]:
    """The shortest chains of at most ``max_steps`` triples, at most ``MAX_PATHS``; values are not passed through."""
    if start == end:
        return []
    reached: dict[str, list[Triple]] = {start: []}  # node → the triples by which it was first reached
    frontier = [start]
    for _ in range(max_steps):
        found: dict[str, list[Triple]] = {}
        for node in frontier:
            for triple in (*kg.triples(node, None, None), *kg.triples(None, None, node)):
                other = triple.tail if triple.head == node else triple.head
                if other not in reached and (other == end or not kg.is_literal(other)):
                    found.setdefault(other, []).append(triple)
            if len(reached) + len(found) > MAX_VISITED:
                return []
        reached |= found
        if end in found:
            return _back(reached, start, end)[:MAX_PATHS]
        frontier = list(found)
    return []


def _back(reached: dict[str, list[Triple]], start: str, end: str) -> list[tuple[Triple, ...]]:
    """The chains from the start to a node, read off backwards."""
    chains: list[tuple[Triple, ...]] = [()]
    ends = [end]
    while ends and ends[0] != start:
        following = [
            ((triple, *chain), triple.tail if triple.head == node else triple.head)
            for chain, node in zip(chains, ends, strict=True)
            for triple in reached[node]
        ][: 4 * MAX_PATHS]
        chains, ends = [c for c, _ in following], [n for _, n in following]
    return chains
