"""Words that tell which way two things are compared."""

from __future__ import annotations

import pytest

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.cues import direction, extreme_date, extreme_number


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("The Wall is shallower than the Ridge.", "max depth", "<"),
        ("The Wall is deeper than the Ridge.", "max depth", ">"),
        ("The Wall is more shallow than the Ridge.", "max depth", "<"),
        ("The Wall is less shallow than the Ridge.", "max depth", ">"),
        ("The Wall is less deep than the Ridge.", "max depth", "<"),
        ("Ann is thinner than Ben, and lives over the shop.", "waist", "<"),
        ("Is Ann under Ben?", "rank", "<"),
        ("The Otter is faster than the Elf.", "speed", ">"),
        ("The Otter is faster than the Elf.", "crossing time min", "<"),
        ("The Otter is slower than the Elf.", "crossing time min", ">"),
        ("Ann is better than Ben.", "grade", ""),
        ("Is the older or the younger one meant?", "age", ""),
    ],
)
def test_numbers(text: str, relation: str, told: str) -> None:
    assert direction(text, False, relation) == told


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("Ann is older than Ben.", "born", "<"),
        ("Ann is younger than Ben.", "born", ">"),
        ("Ann has worked here longer than Ben.", "joined", "<"),
        ("The war went on for longer than the truce.", "ended", ">"),
        ("Ann no longer works here.", "joined", ""),
        ("Ann has more dogs than Ben.", "joined", ""),
        ("Ann is more old than Ben.", "born", "<"),
    ],
)
def test_dates(text: str, relation: str, told: str) -> None:
    assert direction(text, True, relation) == told


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("Who is our longest-serving member?", "joined on", "<"),
        ("Who has been with us the longest?", "member since", "<"),
        ("Which lease runs the longest?", "valid until", ">"),
        ("Who has been here the shortest?", "joined on", ">"),
        ("Who joined the longest ago?", "joined on", ""),
        ("Which is the newest?", "bought on", ">"),
        ("Who is the eldest?", "born on", "<"),
        ("Which is the longest?", "", ""),
    ],
)
def test_the_extreme_of_dates(text: str, relation: str, told: str) -> None:
    assert extreme_date(text, relation) == told


@pytest.mark.parametrize(
    ("text", "of_time"),
    [
        ("our longest-standing member", True),
        ("the longest running play", True),
        ("the longest boat", False),
        ("who has been at it the longest in this house?", True),
        ("who has been on the longest boat?", False),
        ("who worked the longest shift?", False),
        ("who has worked here the longest?", True),
        ("who stayed the longest?", False),  # by nights
        ("which carer have we had the longest?", True),
        ("Who of the helpers is already the longest here?", True),
        ("which rope is the longest here?", False),
        ("which of them have we had the longest lesson with?", False),
    ],
)
def test_an_extreme_of_time(text: str, of_time: bool) -> None:
    assert bool(cues.TENURE.search(text)) == of_time


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("the priciest class", "fee", ">"),
        ("the dearest ticket", "adult fare", ">"),
        ("the least expensive flat", "rent", "<"),
        ("the cheapest piece", "sold for", "<"),
        ("the dearest friend", "age", ""),
        ("the cheapest room per hr", "hourly rate", "<"),
        ("the dearest room p/h", "hourly rate", ">"),
        ("the cheapest club", "subscription", "<"),
        ("Which dish is the lightest in calories?", "calories", "<"),
        ("our longest trip, going by the miles", "miles", ">"),
        ("Which dog did the quickest round?", "time", "<"),
        ("the fastest boat", "speed", ">"),
        ("the fastest marathon of all", "marathon pb", "<"),
    ],
)
def test_the_extreme_of_numbers(text: str, relation: str, told: str) -> None:
    assert extreme_number(text, relation) == told


@pytest.mark.parametrize(
    ("text", "denied"),
    [("He didn't go", True), ("he doesnt sing", True), ("They aren’t in", True), ("She went home", False),
     ("the rent was sent", False), ("Who wants the print?", False)],
)  # fmt: skip
def test_a_word_that_ends_in_nt_denies_nothing(text: str, denied: bool) -> None:
    assert bool(cues.DENIED.search(text)) == bool(cues.NOT.search(text)) == denied


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("How long did firing F-106 take?", True),
        ("how long is Raku Day", True),
        ("How long has Ann been a member?", False),
        ("How long have we known Bluebell?", False),
        ("How long ago was it fired?", False),
        ("How long is it still covered?", False),
        ("How long do we have to wait?", True),
        ("When was it fired?", False),
    ],
)
def test_how_long_asks_for_a_duration(text: str, asked: bool) -> None:
    assert cues.asks_how_long(text) == asked


@pytest.mark.parametrize(
    ("relation", "kind", "point"),
    [
        ("fired on", "date", True),
        ("valid until", "date", False),
        ("member since", "year", False),
        ("start time", "time", True),
        ("running time", "time", False),
        ("minutes", "number", False),
        ("kiln", None, False),
    ],
)
def test_points_in_time_tell_no_duration(relation: str, kind: str | None, point: bool) -> None:
    assert cues.is_point(relation, kind) == point


@pytest.mark.parametrize(
    ("text", "less"), [("Ann is left-handed.", False), ("built -2010", True), ("2010-2015", True), ("under 50", True)]
)
def test_a_hyphen_within_a_word_compares_nothing(text: str, less: bool) -> None:
    assert bool(cues.LESS.search(text)) is less


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("What was the longest anything took, in minutes?", "minutes", ">"),
        ("What's the furthest anyone came, in kilometres?", "km", ">"),
        ("What is the cheapest anybody paid, in pounds?", "pounds", "<"),
        ("What was the longest anything took, in minutes?", "price", ""),
        ("What was the longest job?", "minutes", ""),
    ],
)
def test_the_extreme_of_all_in_a_unit_is_a_number(text: str, relation: str, told: str) -> None:
    assert cues.asked_extreme(text, relation, "number") == told


@pytest.mark.parametrize("text", ["jobs under £20", "my uncle's hut", "open until May", "what's it like underfoot?"])
def test_not_all_that_begins_with_un_denies(text: str) -> None:
    assert not cues.NOT.search(text)
    assert cues.NOT.search("which are unpaid?")
