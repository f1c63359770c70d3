"""Sheets that share a column: what has no row in one of them may have some in the others."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.pruning.asked_kind import of_asked_person
from triplewise.tools.query_graph.pruning.both_said import of_described
from triplewise.tools.query_graph.pruning.denials import of_no_row
from triplewise.tools.query_graph.pruning.row_ends import RowEnds

_HIRED = (("B1", "Kite", "Ann Lee"), ("B2", "Wren", "Ann Lee"))
_MENDED = (("J1", "Wren", "Cal Roe"), ("J2", "Tern", "Cal Roe"), ("J3", "Wren", ""))
BOATS = Candidates(
    NetworkxStore(
        [
            *((row, "boat", boat) for row, boat, _ in (*_HIRED, *_MENDED)),
            *((row, "hired by", hirer) for row, _, hirer in _HIRED),
            *((row, "mended by", mender) for row, _, mender in _MENDED if mender),
            *((boat, "length", f'"{length}"') for boat, length in (("Kite", 12), ("Wren", 9), ("Tern", 9))),
        ],
        types={
            **{row: ["Booking"] for row, _, _ in _HIRED}, **{row: ["Job"] for row, _, _ in _MENDED},
            **{p: ["Person"] for p in ("Ann Lee", "Cal Roe")}, **{b: ["Boat"] for b in ("Kite", "Wren", "Tern")},
        },
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "kind", "answers"),
    [("Which boats were never hired?", "Booking", {"Tern"}), ("Which boats have not been mended?", "Job", {"Kite"})],
)
def test_things_without_a_row_of_one_sheet(question: str, kind: str, answers: set[str]) -> None:
    _, drafts = BOATS.of(question)
    minus = ((1, "boat", 0), (1, "rdf:type", kind))
    found = next(d for d in drafts if d.kind == "Boat" and set(d.minus) == set(minus) and d.form == "select")
    assert set(found.answers) == answers == set(execute(BOATS.store, found.query()).ids)


@pytest.mark.parametrize(
    ("question", "of_rows"),
    [
        ("Which boats have not been mended?", False),
        ("Which boats have a job that was not mended?", True),
        ("Which jobs were not mended?", True),
    ],
)
def test_a_row_that_lacks_something_is_not_a_thing_without_rows(question: str, of_rows: bool) -> None:
    sentence, drafts = BOATS.of(question)
    kept = of_no_row(BOATS.schema, sentence, drafts)
    lacking = [[d for d in some if d.minus and d.answers == {"J3"}] for some in (drafts, kept)]
    assert lacking[0]
    assert bool(lacking[1]) == of_rows


def test_another_sheet_is_reached_over_the_shared_column() -> None:
    _, drafts = BOATS.of("Who hired boats that Cal Roe mended?")
    over = [d for d in drafts if d.links and [s.relation for s in d.steps] == ["mended by", "boat", "boat", "hired by"]]
    found = next(d for d in over if d.form == "select" and not d.unsaid)
    assert set(found.answers) == {"Ann Lee"} == set(execute(BOATS.store, found.query()).ids)


def test_who_is_not_answered_by_rows_or_by_what_is_acted_on() -> None:
    sentence, drafts = BOATS.of("Who hired boats that Cal Roe mended?")
    ends = RowEnds(BOATS.schema)
    kept = ends.of_persons(sentence, of_asked_person(BOATS.schema, ends.persons, sentence, drafts))
    jobs, boats = frozenset({"J1", "J2"}), frozenset({"Wren", "Tern"})
    assert {jobs, boats} <= {d.answers for d in drafts if d.form == "select" and d.links}
    left = {d.answers for d in kept if d.form == "select" and d.links}
    assert not left & {jobs, boats} and frozenset({"Ann Lee"}) in left


def test_what_has_a_clause_of_its_own_is_spoken_of() -> None:
    sentence, drafts = BOATS.of("Who hired boats that Cal Roe mended?")
    kept = of_described(BOATS.schema, sentence, drafts)
    assert kept and all({s.relation for s in d.steps} & {"boat", "length"} or "Boat" in d.classes for d in kept)
    sentence, drafts = BOATS.of("Who hired boats?")
    assert of_described(BOATS.schema, sentence, drafts) == drafts
