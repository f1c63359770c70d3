"""Numbers, dates and times in words."""

from __future__ import annotations

from itertools import pairwise

import pytest

from triplewise.tools.query_graph.linking.value_mentions import find_ranks, find_values, known_number


@pytest.mark.parametrize(
    ("text", "kind", "form"),
    [
        ("on 11 August 2014", "date", "2014-08-11"),
        ("on the 3rd of May, 2021", "date", "2021-05-03"),
        ("August 11, 2014", "date", "2014-08-11"),
        ("2014-08-11", "date", "2014-08-11"),
        ("on 25/12/1999", "date", "1999-12-25"),
        ("before Christmas 2023", "date", "2023-12-25"),
        ("past Christmas Eve '26", "date", "2026-12-24"),
        ("in June '25", "date", "2025-06"),
        ("by the end of 2021", "date", "2021-12-31"),
        ("after the start of 2024", "date", "2024-01-01"),
        ("in ’97", "year", "1997"),
        ("'26", "year", "2026"),
        ("at the end of 2021", "year", "2021"),
        ("since 1972", "year", "1972"),
        ("1.5 million", "number", "1500000"),
        ("€ 1,450", "number", "1450"),
        ("3k", "number", "3000"),
        ("twenty-one", "number", "21"),
        ("two hundred and five", "number", "205"),
        ("a dozen", "number", "12"),
        ("an hour and a half", "number", "90"),
        ("two weeks", "number", "14"),
        ("9:30", "time", "9:30"),
        ("at 7 pm", "time", "19:00"),
        ("at noon", "time", "12:00"),
        ("half past five", "time", "17:30"),
        ("3 o'clock", "time", "15:00"),
        ("eight in the evening", "time", "20:00"),
    ],
)
def test_a_value_has_the_form_of_a_literal(text: str, kind: str, form: str) -> None:
    (found,) = find_values(text)
    assert found.kind == kind
    assert form in found.texts


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("in June 2020", "2020-06", "2020-06-30"),
        ("between March and May 2024", "2024-03", "2024-05-31"),
        ("October to December 2023", "2023-10", "2023-12-31"),
        ("in the first quarter of 2024", "2024-01", "2024-03-31"),
        ("Q2 2024", "2024-04", "2024-06-30"),
        ("the second half of 2024", "2024-07", "2024-12-31"),
        ("in February 2024", "2024-02", "2024-02-29"),
        ("in the nineties", "1990", "1999"),
        ("in the 1970s", "1970", "1979"),
        ("half past five", "05:30", "17:30"),
    ],
)
def test_a_span_has_two_ends(text: str, low: str, high: str) -> None:
    (found,) = find_values(text)
    assert (found.low, found.high) == (low, high)


def test_several_values_in_order_and_the_longer_one_of_two() -> None:
    found = find_values("between 3 May 2010 and 2015, at most 40 of them")
    assert [m.texts[0] for m in found] == ["2010-05-03", "2015", "40"]
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize("text", ["which one", "F-0166", "part 32/13/2020", "no value", ""])
def test_what_is_no_date_is_none(text: str) -> None:
    assert not [m for m in find_values(text) if m.kind in ("date", "time")]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("which one is deeper?", []),
        ("the nitrox course is cheaper than the rescue one", []),
        ("who has the most expensive one, and the other one?", []),
        ("that one starts later", []),
        ("the one that barks", []),
        ("older than the one in H13", []),
        ("just one boat", ["1"]),
        ("has it only one?", ["1"]),
        ("one of the boats", ["1"]),
        ("more in the one game at Kirkmoor", ["1"]),
        ("a ship that has one mast", ["1"]),
        ("the one hundred", ["100"]),
        ("less than the one hour", ["1", "60"]),
    ],
)
def test_one_is_a_number_where_it_counts(text: str, numbers: list[str]) -> None:
    assert [t for m in find_values(text) for t in m.texts] == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Who came second in the cup?", ["2"]),
        ("who finished in 3rd?", ["3"]),
        ("the boat in second place", ["2"]),
        ("who was the second captain?", []),
        ("who was second captain of the team?", []),
        ("is the first of May free?", []),
        ("a second boat came", []),
    ],
)
def test_places_among_others(text: str, numbers: list[str]) -> None:
    assert [m.low for m in find_ranks(text)] == numbers


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("of the two Rons which one came later", "rons"),
        ("Which of Zep's two stays was dearer?", "stays"),
        ("which of zeps two stays was dearer", "stays"),
        ("How many days lay between her 3 visits?", "visits"),
        ("Who stayed the two nights?", ""),
        ("Which boats have two masts?", ""),
        ("That's four trips, isn't it?", ""),
        ("Who bought the 40 mugs?", ""),
    ],
)
def test_how_many_there_are_of_what_is_known(text: str, noun: str) -> None:
    (mention,) = find_values(text)
    assert known_number(text, mention) == noun


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("from 14 to 22 March 2024", "2024-03-14", "2024-03-22"),
        ("between the 3rd and the 9th of May 2024", "2024-05-03", "2024-05-09"),
        ("28 March - 4 April 2024", "2024-03-28", "2024-04-04"),
    ],
)
def test_from_a_day_to_another(text: str, low: str, high: str) -> None:
    (mention,) = find_values(text)
    assert (mention.low, mention.high) == (low, high)


def test_a_day_and_another_are_two() -> None:
    assert [m.low for m in find_values("on 14 and 22 March 2024")] == ["14", "2024-03-22"]


def test_two_numbers_with_and_between_are_two() -> None:
    assert [v.low for v in find_values("between fifteen and forty grams")] == ["15", "40"]
