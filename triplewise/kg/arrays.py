"""Integer-coded adjacency in compressed sparse row form: questions about many hops in NumPy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from triplewise.types import Triple


class Arrays:
    """Undirected adjacency and incident relations of all nodes.

    ``neighbor[start[n] : start[n + 1]]`` are the nodes one edge from node ``n``, and
    ``incident[incident_start[n] : incident_start[n + 1]]`` the codes of the relations at it, each once.
    """

    def __init__(self, nodes: Iterable[str], relations: Iterable[str], triples: Iterable[Triple]) -> None:
        import numpy as np

        self.np = np
        self.ids = {node: i for i, node in enumerate(nodes)}
        self.relations = list(relations)
        code = {r: i for i, r in enumerate(self.relations)}
        rows = np.array([(self.ids[h], self.ids[t], code[r]) for h, r, t in triples], dtype=np.int32).reshape(-1, 3)
        n, width = len(self.ids), max(len(code), 1)
        source = np.concatenate([rows[:, 0], rows[:, 1]])
        order = np.argsort(source, kind="stable")
        self.neighbor = np.concatenate([rows[:, 1], rows[:, 0]])[order]
        self.start = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=n))])
        pairs = np.unique(source.astype(np.int64) * width + np.concatenate([rows[:, 2], rows[:, 2]]))
        self.incident = (pairs % width).astype(np.int32)
        self.incident_start = np.searchsorted(pairs, np.arange(n + 1) * width)

    def _gather(self, start: Any, values: Any, nodes: Any) -> Any:
        """The concatenation of ``values[start[n] : start[n + 1]]`` for all nodes n."""
        np = self.np
        begin = start[nodes]
        counts = start[nodes + 1] - begin
        total = int(counts.sum())
        if not total:
            return values[:0]
        offsets = np.repeat(begin - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        return values[offsets + np.arange(total)]

    def relations_within(self, entity: str, hops: int) -> frozenset[str]:
        """Relation ids on any path of at most ``hops`` edges; stops once all relations are found."""
        np = self.np
        found = np.zeros(len(self.relations), dtype=bool)
        reached = np.zeros(len(self.ids), dtype=bool)
        frontier = np.array([self.ids[entity]], dtype=np.int64)
        reached[frontier] = True
        for hop in range(hops):
            found[self._gather(self.incident_start, self.incident, frontier)] = True
            if hop == hops - 1 or found.all():
                break
            near = self._gather(self.start, self.neighbor, frontier)
            near = near[~reached[near]]
            reached[near] = True
            frontier = np.unique(near)
        return frozenset(self.relations[i] for i in np.flatnonzero(found))
