"""Times by today's date are named where they are passed over."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.text.relative_days import not_taken_in

BOATS = NetworkxStore(
    [("Wren", "insured until", '"2026-03-31"'), ("Tern", "insured until", '"2025-11-30"')],
    types={"Wren": ("boat",), "Tern": ("boat",)},
)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("which boats run out of insurance this year?", ["this year"]),
        ("who came last month, and who comes next month?", ["last month", "next month"]),
        ("who is on tomorrow", ["tomorrow"]),
        ("how many visits this season?", []),
        ("who came last?", []),
    ],
)
def test_times_that_are_named(text: str, times: list[str]) -> None:
    found = not_taken_in(text, ["insured until", "Visits this season"])
    assert [warning.split("'")[1] for warning in found] == times


def test_an_answer_says_what_it_passes_over() -> None:
    result = triplewise.ask(BOATS, "which boats run out of insurance this year?", method="query-graph")
    assert any("'this year'" in warning for warning in result.warnings)
    result = triplewise.ask(BOATS, "which boats are insured until 2026-03-31?", method="query-graph")
    assert not result.warnings
