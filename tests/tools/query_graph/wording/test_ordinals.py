"""Ordinals before what is numbered, and days of a month in words."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.relation_numbers import RelationNumbers
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.wording.ordinals import with_days_in_digits, with_numbers

ROOMS = NetworkxStore(
    [("Atrium", "on floor", '"1"'), ("Quiet Room", "on floor", '"2"'), ("Vault", "on floor", '"0"'), ("Atrium", "key", "Ann")]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Which rooms are on the second floor?", "Which rooms are on floor 2?"),
        ("Is the Atrium on the 1st floor?", "Is the Atrium on floor 1?"),
        ("Who has the second key?", "Who has the second key?"),
    ],
)
def test_a_number_stands_for_the_ordinal(text: str, plain: str) -> None:
    assert with_numbers(text, RelationNumbers(SchemaView(ROOMS))) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("What happened after the tenth of May 2024?", "What happened after 10 May 2024?"),
        ("Who came on the thirty-first of October?", "Who came on 31 October?"),
        ("between the first of June and the tenth of July", "between 1 June and 10 July"),
        ("trips from Monday 10 March to Friday, 14 March 2025", "trips from 10 March to 14 March 2025"),
        ("between Sunday the 1st of June and 4 June", "between 1st of June and 4 June"),
        ("who came on Friday 14 March?", "who came on Friday 14 March?"),
    ],
)
def test_days_are_written_in_digits(text: str, plain: str) -> None:
    assert with_days_in_digits(text) == plain
