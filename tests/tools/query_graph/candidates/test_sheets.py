"""Sheets that share a column: what has no row in one of them may have some in the others."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.pruning.denials import of_no_row

_HIRED = (("B1", "Kite", "Ann"), ("B2", "Wren", "Ann"))
_MENDED = (("J1", "Wren", "Cal"), ("J2", "Tern", "Cal"), ("J3", "Wren", ""))
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
            **{p: ["Person"] for p in ("Ann", "Cal")}, **{b: ["Boat"] for b in ("Kite", "Wren", "Tern")},
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
