"""Shortest chains of triples between two entities."""

from __future__ import annotations

from triplewise.kg import load_kg
from triplewise.tools.langchain.paths import shortest_paths


def test_chains_go_either_way_and_are_shortest() -> None:
    kg = load_kg("films")
    found = shortest_paths(kg, "Ridley Scott", "Sigourney Weaver", 4)
    assert found and all(len(path) == len(found[0]) for path in found)
    for path in found:
        ends = {"Ridley Scott"}
        for triple in path:
            assert triple.head in ends or triple.tail in ends
            ends = {triple.head, triple.tail}
        assert "Sigourney Weaver" in ends


def test_nothing_within_reach_gives_nothing() -> None:
    kg = load_kg("films")
    assert shortest_paths(kg, "Alien", "Alien", 3) == []
    assert shortest_paths(kg, "Ridley Scott", "Sigourney Weaver", 1) == []
