"""Paths over a graph: what can be reached from a named thing in a few steps, and where two such paths meet.

A step across a nameless node (a mediator) does not count, and a nameless node is never an answer. A path does not go
back over the triple that it came by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from triplewise.tools.query_graph.schema_view import SchemaView, Step

MAX_FRONTIER = 3_000
"""Nodes of a path's end that are gone on from; of more, the first ones in the graph's order."""
MISSING = 24
"""Steps that a path's end lacks and that are proposed all the same, the nearest to the sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """``steps`` from ``start`` and the nodes that they lead to. ``hops`` leaves mediators out.

    ``missing``: things of this kind have such a last step, but these do not: the graph is silent.
    ``score``: the sum of the steps' affinities to the sentence, for choosing which paths to go on from.
    """

    start: str
    steps: tuple[Step, ...]
    ends: frozenset[str]
    hops: int
    score: float
    mediator: bool = False
    missing: bool = False
    before: frozenset[str] = frozenset()
    """The nodes that the last step left from."""
    apart: tuple[int, ...] = ()
    """Positions in ``steps`` whose start the end must differ from (0: the named thing itself): siblings, colleagues."""
    dropped: tuple[tuple[int, frozenset[str]], ...] = ()
    """(after how many steps, nodes that were reached there and left out), for siblings in the middle of a path too."""


def paths_from(
    schema: SchemaView,
    start: str,
    *,
    max_hops: int,
    affinity: Callable[[Step], float],
    width: int,
    members: frozenset[str] | None = None,
    by_chance: Callable[[Step, Step], bool] = lambda one, other: False,
) -> list[Path]:
    """All paths of at most ``max_hops`` from a node, of each length at most ``width`` kept to go on from.

    ``members``: the things that the path may start from, where ``start`` is a class. ``by_chance``: whether what two
    steps lead to is equal by chance only, so that no path goes from the one to the other.
    """
    root = Path(start, (), members or frozenset((start,)), 0, 0.0, members is None and schema.is_mediator(start))
    found: list[Path] = []
    frontier = [root]
    while frontier:
        following: list[Path] = []
        for path in frontier:
            following += extend(schema, path, affinity, root.start, by_chance)
        found += following
        frontier = sorted(
            (p for p in following if not p.missing and p.hops + (not p.mediator) <= max_hops and p.hops <= max_hops),
            key=lambda p: -p.score / len(p.steps),
        )
        frontier = [p for p in frontier if p.hops < max_hops or p.mediator][:width]
    return found


def extend(
    schema: SchemaView,
    path: Path,
    affinity: Callable[[Step], float],
    start: str,
    by_chance: Callable[[Step, Step], bool] = lambda one, other: False,
) -> list[Path]:
    """The paths one step longer; ``start`` is never among their ends."""
    probe = schema.first(path.ends)
    steps: set[Step] = set()
    for node in probe:
        steps.update(schema.steps(node))
    came = path.steps[-1].back if path.steps else None
    if path.steps:
        steps = {s for s in steps if s.relation not in schema.left_out}
    out = []
    ends = path.ends if len(path.ends) <= MAX_FRONTIER else frozenset(sorted(path.ends)[:MAX_FRONTIER])
    for step in sorted(steps):
        if (step == came and schema.functional(step)) or (came and by_chance(came.back, step.back)):
            continue
        reached = schema.follow(ends, step, 4 * MAX_FRONTIER)
        apart: list[int] = []
        dropped: frozenset[str] = frozenset()
        if step == came:  # the others that share what the path just came to
            dropped = path.before & reached
            apart.append(len(path.steps) - 1)
        elif start in reached and step.back in path.steps:
            dropped = frozenset((start,))
            apart.append(0)
        reached -= dropped
        if not reached:
            continue
        mediator = bool(schema.mediators) and all(schema.is_mediator(n) for n in nsmallest(5, reached))
        out.append(
            Path(
                path.start,
                (*path.steps, step),
                reached,
                path.hops + (not mediator),
                path.score + affinity(step),
                mediator,
                before=path.ends,
                apart=tuple(apart),
                dropped=(*path.dropped, (len(path.steps) + 1, dropped)) if dropped else path.dropped,
            )
        )
    if len(path.steps) <= 1 and _has_one_start(path):
        for step in missing_steps(schema, probe[:20], steps, affinity)[:MISSING]:
            if step != came:
                out.append(
                    Path(
                        path.start,
                        (*path.steps, step),
                        frozenset(),
                        path.hops + 1,
                        path.score + affinity(step),
                        missing=True,
                        dropped=path.dropped,
                    )
                )
    return out


def _has_one_start(path: Path) -> bool:
    """Whether a path began at a thing and not at a class."""
    return bool(path.steps) or len(path.ends) == 1


def missing_steps(
    schema: SchemaView, nodes: Sequence[str], steps: set[Step], affinity: Callable[[Step], float]
) -> list[Step]:
    """Steps that these nodes lack though many of their kind have them, the nearest to the sentence first."""
    kinds = {k for node in nodes for k in schema.kinds(node)}
    return sorted(schema.usual_steps(kinds) - steps, key=lambda s: (-affinity(s), s))
