"""What is made once for a graph goes with it."""

from __future__ import annotations

import gc
import weakref

import triplewise
from triplewise.graphs.assistant_methods import follow_ups_of, interpreter_of
from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.kept import kept_with
from triplewise.tools.query_graph.ranker import reader_of


def harbour() -> NetworkxStore:
    return NetworkxStore([("Anna", "captain of", "Aurora"), ("Aurora", "based at", "Ufer")])


def test_it_is_made_once_for_a_graph() -> None:
    one, other = harbour(), harbour()
    made: list[KGStore] = []
    for kg in (one, one, other):
        kept_with(kg, "it", lambda kg=kg: made.append(kg))
    assert made == [one, other]
    assert reader_of(one) is reader_of(one)
    assert interpreter_of(one) is interpreter_of(one)
    assert follow_ups_of(one) is follow_ups_of(one)
    assert reader_of(one) is not reader_of(other)


def test_graphs_that_were_asked_are_freed() -> None:
    seen: list[weakref.ref[NetworkxStore]] = []
    for _ in range(4):
        kg = harbour()
        triplewise.ask(kg, "Who is the captain of Aurora?", method="query-graph")
        interpreter_of(kg)
        follow_ups_of(kg)
        seen.append(weakref.ref(kg))
    del kg
    gc.collect()
    assert sum(kg() is not None for kg in seen) <= 1  # the context of langgraph's first run is kept
