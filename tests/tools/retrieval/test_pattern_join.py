"""Readings of a joined pattern: best ranks first, and never all of millions at once."""

from __future__ import annotations

import time
from itertools import product

from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval.pattern_join import Clause, Term, _by_sum, join


def test_combinations_come_by_their_sum_and_then_in_order() -> None:
    for sizes in ([3, 1, 2], [2, 2, 2], [4], [], [2, 0, 3]):
        expected = sorted(product(*map(range, sizes)), key=sum)
        assert list(_by_sum(sizes)) == expected


def test_the_first_reading_of_many_comes_at_once() -> None:
    """Six clauses of twenty relations in two directions each: 4 · 10⁹ combinations."""
    relations = tuple(f"r{i}" for i in range(20))
    ends = [f"e{i}" for i in range(7)]
    triples = [
        (a, r, b) for i in range(6) for r in relations for a, b in ((ends[i], ends[i + 1]), (ends[i + 1], ends[i]))
    ]
    terms = [Term(entity=ends[0]), *(Term(variable=f"v{i}") for i in range(1, 7))]
    clauses = [Clause(terms[i], terms[i + 1], relations) for i in range(6)]
    match = join(NetworkxStore(triples), clauses)
    started = time.perf_counter()
    reading, part = next(match.readings())
    assert reading == (("r0", True),) * 6 and not part.unmatched
    assert "e6" in part.values("v6")
    assert time.perf_counter() - started < 1
