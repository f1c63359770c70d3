"""Numbers that a sentence holds others against."""

from __future__ import annotations

import pytest

from triplewise.tools.query_graph.linking.bounds import begins, bound, is_compared, is_limit, with_plain_bounds
from triplewise.tools.query_graph.linking.value_mentions import find_values


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("All boats sleep at least 4", ">="),
        ("All boats sleep at most four people", "<="),
        ("There are more than five bases", ">"),
        ("with fewer than a total of 12 beds", "<"),
        ("it costs less then £90", "<"),
        ("up to 30 guests", "<="),
        ("a minimum of 3 nights", ">="),
        ("towers farther than six miles from here", ">"),
        ("anything shorter than 20 minutes", "<"),
        ("All boats sleep 4", ""),
        ("at least he sold 4", ""),
        ("more than the other in 2014", ""),
    ],
)
def test_the_comparison_with_a_number(text: str, op: str) -> None:
    (value,) = find_values(text)
    assert bound(text, value) == op


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("All boats sleep four or more.", "All boats sleep at least four."),
        ("It costs 90 euros or less", "It costs at most 90 euros"),
        ("It holds no more than 6 people", "It holds at most 6 people"),
        ("There are not less than three piers", "There are at least three piers"),
        ("It isn't more than 6 m long", "It isn't more than 6 m long"),
        ("The hut is 1147m above sea level.", "The hut is 1147m in elevation."),
        ("Its elevation above the sea level is 280", "Its elevation is 280"),
        ("It has 3 or 4 cabins or more", "It has 3 or at least 4 cabins"),
        ("Ann has 3 boats or more than Ben has", "Ann has 3 boats or more than Ben has"),
        ("It was built in 1999", "It was built in 1999"),
        ("plants dearer than a tenner", "plants dearer than 10 pounds"),
    ],
)
def test_bounds_are_said_before_the_number_and_are_no_denials(text: str, plain: str) -> None:
    assert with_plain_bounds(text) == plain


@pytest.mark.parametrize(
    ("text", "compared", "limit"),
    [
        ("Which boats are under 9 m", True, True),
        ("rooms for over £ 90", True, True),
        ("boats longer than 9 m", True, True),
        ("at least 9 boats", True, True),
        ("boats built before 1999", False, True),
        ("members since 2019", False, False),
        ("a boat of 9 m", False, False),
        ("rather than 9 boats", False, False),
    ],
)
def test_numbers_that_others_are_held_against(text: str, compared: bool, limit: bool) -> None:
    (value,) = find_values(text)
    assert (is_compared(text, value), is_limit(text, value)) == (compared, limit)


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [
        ("Ann has been with us since 2011", True),
        ("She's been here since the start of 2011", True),
        ("It was a client since 2011", True),
        # the relation tells it only where it has the word
        ("Ann has been with us since 2011 or later", False),
        ("Ann has been with us since before 2011", False),
    ],
)
def test_what_goes_on_began_then(text: str, goes_on: bool) -> None:
    (value,) = find_values(text)
    assert begins(text, value, "client since") == goes_on


def test_what_was_done_once_since_then_may_be_later() -> None:
    (value,) = find_values("The lift has been serviced since 2011")
    assert not begins("The lift has been serviced since 2011", value, "last service")
