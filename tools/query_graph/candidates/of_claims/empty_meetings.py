"""Claims that one thing is at the end of paths from two or three named ones, where the graph has no such thing.

What a question means exists, and so its paths must meet; a claim may be false. "Ben fixed the tablet" is of one repair,
by Ben, of the tablet, with the result fixed: without a reading of all three one of two would stand for the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row, dropped_by
from triplewise.tools.query_graph.candidates.generate import Run
from triplewise.tools.query_graph.candidates.meetings import Source
from triplewise.tools.query_graph.candidates.paths import Path
from triplewise.tools.query_graph.schema_view import Step

_OF_TWO = 20
"""Paths of each of two things that may fail to meet."""
_OF_THREE = 4
"""The same of three, each of one step."""
_KEPT = 24
"""Readings of three that are proposed, those nearest to the claim."""


def empty_meetings(run: Run) -> Iterator[Draft]:
    """The readings that paths of different words end at one thing, though no thing is at the end of all of them."""
    sources = run.sources()
    kinds = {p: {k for x in sorted(p.ends)[:10] for k in run.schema.kinds(x)} for s in sources for p in s.paths}

    def alike(*paths: Path) -> bool:
        return bool(set.intersection(*(kinds[p] for p in paths)))

    for a, b in combinations(sources, 2):
        if run.apart(a, b):
            for p, q in product(a.paths[:_OF_TWO], b.paths[:_OF_TWO]):
                if p.hops + q.hops <= 3 and not p.ends & q.ends and alike(p, q):
                    yield _meeting(run, (a, b), (p, q))
    yield from sorted(_of_three(run, sources, alike), key=lambda d: -d.prior)[:_KEPT]


def _of_three(run: Run, sources: Sequence[Source], alike: Callable[..., bool]) -> list[Draft]:
    """Of things and values, each told of the one thing by a relation of its own. What is so of one of a name's bearers
    is not said of the others; and a nameless thing that is so is no answer to a question, but makes a claim true."""
    named = [(x, [p for p in x.paths if len(p.steps) == 1][:_OF_THREE]) for x in sources if x.links or x.values]
    so: set[frozenset[object]] = set()
    found: list[tuple[frozenset[object], Draft]] = []
    for three in combinations(named, 3):
        among = tuple(x for x, _ in three)
        if not all(run.apart(a, b) for a, b in combinations(among, 2)):
            continue
        for paths in product(*(near for _, near in three)):
            both = frozenset.intersection(*(p.ends for p in paths))
            if len({p.steps[0].relation for p in paths}) < len(paths) or not (both or alike(*paths)):
                continue
            said = frozenset((_words(run, x), p.steps[0]) for x, p in zip(among, paths, strict=True))
            if both:
                so.add(said)
            if both <= run.schema.mediators:
                found.append((said if not both else frozenset(), _meeting(run, among, paths).but(answers=both)))
    return [draft for said, draft in found if said not in so]


def _words(run: Run, source: Source) -> object:
    """By which name and where a thing is meant, or by which value."""
    links = [run.s.links[i] for i in source.links]
    return tuple((x.first, x.name) for x in links) or source.values


def _meeting(run: Run, sources: Sequence[Source], paths: Sequence[Path]) -> Draft:
    """The claim that something is at the end of each source's path."""
    rows: tuple[Row, ...] = ()
    routes: list[tuple[End | Step, ...]] = []
    unsaid, fresh = (), 1
    for path in paths:
        more, route = run.walk(path, 0, fresh)
        rows, unsaid = rows + more, unsaid + dropped_by(path, 0, fresh)
        routes.append(route)
        fresh += len(path.steps) + 1
    steps = tuple(s for p in paths for s in p.steps)
    links = tuple(i for x in sources for i in x.links)
    values = tuple(v for x in sources for v in x.values)
    return Draft(
        rows, frozenset(), steps, tuple(routes), links, values, tuple(x.kind for x in sources if x.kind), form="ask",
        unsaid=unsaid, hops=max(p.hops for p in paths), prior=run.prior(steps, links, values),
    )  # fmt: skip
