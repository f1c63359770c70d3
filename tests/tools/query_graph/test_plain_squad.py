"""Plain questions of a squad and its gigs, each of which was refused or half answered once."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore

_GIGS = (("Kebab Night", "2023-06-24", 133), ("Leap Bash", "2024-02-29", 118), ("Drain Launch", "2024-06-01", 125))
_GIGS += (("Wood Party", "2024-09-21", 90),)
_KIT = (("blue fins", "24 GBP"), ("stopwatch", "18 GBP"), ("finger paddles", "12.50 GBP"), ("race suit", "65 GBP"))
_STARTED = (
    ("Marta Lind", "2014-02-01"),
    ("Owen Lind", "2016-03-01"),
    ("Helen Lind", "2018-05-01"),
    ("Ida Lind", "2020-01-10"),
)
SQUAD = NetworkxStore(
    [
        *((f"Coach {name}", "coaches", group) for name, group in (("Dilys", "Sharks"), ("Marek", "Sharks"), ("Anneka", "Otters"))),
        *((f"Coach {name}", "is a", "adult") for name in ("Dilys", "Marek", "Anneka")),
        *((group, "is a", "group") for group in ("Sharks", "Otters")),
        ("Oskar", "is a", "swimmer"), ("Oskar", "is called", "Ozzie"), ("Oskar", "in group", "Otters"),
        ("Priya", "is a", "swimmer"), ("Priya", "is called", "Pri"), ("Priya", "in group", "Sharks"),
        ("Juno", "is a", "swimmer"), ("Juno", "in group", "Sharks"),
        *((gig, "is a", "gig") for gig, _, _ in _GIGS),
        *((gig, "date", f'"{day}"') for gig, day, _ in _GIGS),
        *((gig, "tickets sold", f'"{sold} tickets"') for gig, _, sold in _GIGS),
        *((thing, "is a", "kit") for thing, _ in _KIT),
        *((thing, "cost", f'"{cost}"') for thing, cost in _KIT),
        ("blue fins", "lent to", "Juno"), ("race suit", "lent to", "Priya"),
        *((who, "is a", "helper") for who, _ in _STARTED),
        *((who, "started on", f'"{day}"') for who, day in _STARTED),
    ],
    name="squad",
)  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("Who coaches the Sharks?", {"Coach Dilys", "Coach Marek"}),
        ("which group is ozzie in?", {"Otters"}),
        ("Which gigs in 2024 sold more than 120 tickets?", {"Drain Launch"}),
        ("which gigs before june 2024 sold under 130 tickets?", {"Leap Bash"}),
        ("How much did the blue fins and the finger paddles cost altogether?", {"36.50 GBP"}),
        ("How much did the blue fins, the stopwatch and the race suit cost altogether?", {"107 GBP"}),
        ("which kit is lent out just now?", {"blue fins", "race suit"}),
        ("which kit is out on loan?", {"blue fins", "race suit"}),
        ("which kit isn't lent out?", {"stopwatch", "finger paddles"}),
        ("Which helpers started after Owen Lind?", {"Helen Lind", "Ida Lind"}),
        ("Which helpers started before Owen Lind?", {"Marta Lind"}),
    ],
)
def test_answers(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(SQUAD, asked).answers} == answers


def test_what_is_called_so_is_a_name() -> None:
    assert "is called" in SQUAD.roles.aliases
