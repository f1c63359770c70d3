"""Paths: what is reached, nameless nodes crossed, missing steps, siblings."""

from __future__ import annotations

from small_graphs import Candidates, ferries

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.paths import Path, paths_from
from triplewise.tools.query_graph.schema_view import SchemaView, Step

SCHEMA = Candidates(ferries()).schema


def paths(start: str, hops: int = 2, schema: SchemaView = SCHEMA) -> dict[tuple[Step, ...], Path]:
    found = paths_from(schema, start, max_hops=hops, affinity=lambda step: 0.5, width=60)
    return {path.steps: path for path in found}


def test_both_directions_are_walked() -> None:
    found = paths("Ufer", 1)
    assert found[Step("harbour master"),].ends == {"Dov Lind"}
    assert found[Step("based at", True),].ends == {"MS Löwe", "Sea Eagle"}


def test_a_nameless_node_does_not_count_and_is_crossed() -> None:
    found = paths("MS Löwe", 1)
    voyage = found[Step("ship", True),]
    assert (voyage.mediator, voyage.hops) == (True, 0)
    called = found[Step("ship", True), Step("calls at")]
    assert (called.ends, called.hops) == (frozenset({"Nordkap Quay"}), 1)


def test_freebase_ids_are_nameless() -> None:
    kg = NetworkxStore([("Nolan", "starred_in", "m.0abc12"), ("m.0abc12", "film", "Alien")])
    found = paths("Nolan", 1, SchemaView(kg))
    assert found[Step("starred_in"), Step("film")].ends == {"Alien"}


def test_what_a_thing_lacks_though_its_kind_has_it() -> None:
    lacking = paths("MS Löwe", 1)[Step("retired in"),]
    assert lacking.missing and not lacking.ends


def test_siblings_leave_out_the_thing_itself() -> None:
    found = paths("MS Löwe")[Step("based at"), Step("based at", True)]
    assert (found.ends, found.apart) == (frozenset({"Sea Eagle"}), (0,))
    assert found.dropped == ((2, frozenset({"MS Löwe"})),)


def test_what_was_dropped_stays_dropped_on_longer_paths() -> None:
    found = paths("MS Löwe", 3)[Step("based at"), Step("based at", True), Step("length m")]
    assert found.ends == {'"61"'}
    assert found.dropped == ((2, frozenset({"MS Löwe"})),)


def test_a_path_does_not_go_back_over_its_triple() -> None:
    assert (Step("harbour master"), Step("harbour master", True)) not in paths("Ufer")


def test_classes_and_other_names_are_first_steps_only() -> None:
    for steps in paths("Anna Berg", 3):
        assert not any(step.relation in SCHEMA.left_out for step in steps[1:])


def test_the_width_bounds_what_is_gone_on_from() -> None:
    narrow = paths_from(SCHEMA, "MS Löwe", max_hops=3, affinity=lambda step: 0.5, width=1)
    assert len(narrow) < len(paths("MS Löwe", 3)) / 2
