"""A date is that of what is asked for."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.pruning.times.own_dates import (
    of_age,
    of_own_dates,
    of_said_months,
    of_tied_dates,
    on_said_days,
)

_SHOWS = [("Show One", "Macbeth", "2019-11-06", 142), ("Show Two", "Macbeth", "2019-11-07", 201), ("Show Three", "Aladdin", "2020-01-02", 90)]  # fmt: skip
STAGE = Candidates(
    NetworkxStore(
        [
            *((show, "production", play) for show, play, _, _ in _SHOWS),
            *((show, "date", f'"{day}"') for show, _, day, _ in _SHOWS),
            *((show, "tickets sold", f'"{sold}"') for show, _, _, sold in _SHOWS),
            ("Macbeth", "opening night", '"2019-11-06"'), ("Aladdin", "opening night", '"2020-01-02"'),
            *((show, "is a", "Performance") for show, *_ in _SHOWS),
            *((play, "is a", "Production") for play in ("Macbeth", "Aladdin")),
        ],
        name="stage",
    )
)  # fmt: skip


def _by_opening(question: str) -> tuple[bool, bool]:
    """Whether performances, or what they sold, are found by when their production opened: before, and in what is
    kept."""
    sentence, drafts = STAGE.of(question)
    shows = set(STAGE.schema.members("Performance"))
    kept = of_own_dates(STAGE.schema, sentence, drafts)
    found, left = (
        any(
            {"opening night", "production"} <= {r for _, r, _ in d.rows}
            and d.values
            and not d.filters
            and d.answers <= shows
            for d in some
        )
        for some in (drafts, kept)
    )
    return found, left


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Which performances were on 6 November 2019?", False),
        ("Which performances are of what opened on 6 November 2019?", True),
    ],
)
def test_a_date_belongs_to_what_is_asked_for(question: str, kept: bool) -> None:
    assert _by_opening(question) == (True, kept)


_HIRED = (("B1", "Kite", "Ann", "2023-04-05"), ("B2", "Kite", "Ben", "2024-08-09"), ("B3", "Wren", "Ben", "2024-04-10"))
HIRES = Candidates(
    NetworkxStore(
        [
            *((row, relation, end) for row, *ends, _ in _HIRED for relation, end in zip(("boat", "hirer"), ends, strict=True)),
            *((row, relation, f'"{day}"') for row, *_, day in _HIRED for relation in ("from", "until")),
            ("Ben", "trained on", '"2024-04-02"'), ("Ann", "trained on", '"2022-03-02"'),
            ("Kite", "built on", '"1998-01-05"'),
        ],
        types={
            **{row: ["Booking"] for row, *_ in _HIRED}, **{p: ["Person"] for p in ("Ann", "Ben")},
            **{b: ["Boat"] for b in ("Kite", "Wren")},
        },
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who was hirer of Kite in April?", {"Ann"}),
        ("Who was hirer of Kite in August?", {"Ben"}),
        ("Who was hirer of Kite in August 2024?", {"Ben"}),
        ("Who was hirer of Kite in March?", None),
        ("Who was hirer of Kite in January?", None),  # it was built then, and not hired
        ("Who was trained in March?", {"Ann"}),
        ("Who was trained in April, later than Ann?", {"Ben"}),
    ],
)
def test_a_month_is_that_of_the_row_in_question(question: str, answers: set[str] | None) -> None:
    sentence, drafts = HIRES.of(question)
    kept = of_tied_dates(HIRES.schema, sentence, of_said_months(HIRES.schema, sentence, drafts))
    people = {"Ann", "Ben"}
    found = [set(d.answers) for d in kept if d.form == "select" and d.answers and d.answers <= people and (d.links or not answers or "trained" in question)]  # fmt: skip
    assert (answers in found) if answers else not kept
    assert all(set(execute(HIRES.store, d.query()).ids) == d.answers for d in kept if d.form == "select")


def test_a_relation_called_on_the_says_no_date() -> None:
    kg = [
        *((quiz, "held on", f'"{day}"') for quiz, day in (("Q1", "2025-03-20"), ("Q2", "2025-04-03"))),
        *((quiz, "won by", team) for quiz, team in (("Q1", "Owls"), ("Q2", "Larks"))),
        *((shift, "on the", f'"{day}"') for shift, day in (("S1", "2025-04-11"), ("S2", "2025-04-12"))),
    ]
    pub = Candidates(
        NetworkxStore(kg, types={**{q: ["Quiz"] for q in ("Q1", "Q2")}, **{s: ["Shift"] for s in ("S1", "S2")}})
    )
    sentence, drafts = pub.of("who won the quiz on the 20th of March")
    assert any(d.answers == {"Owls"} for d in of_said_months(pub.schema, sentence, drafts))


def test_the_noun_of_a_class_ties_no_date() -> None:
    kg = [
        *((animal, "arrived on", f'"{day}"') for animal, day in (("Rex", "2024-09-02"), ("Tip", "2024-03-01"))),
        *((row, "animal", animal) for row, animal in (("V1", "Rex"), ("V2", "Tip"))),
        ("V1", "seen on", '"2024-03-05"'), ("V2", "seen on", '"2024-09-07"'),
    ]  # fmt: skip
    shelter = Candidates(
        NetworkxStore(kg, types={"Rex": ["Animal"], "Tip": ["Animal"], "V1": ["Visit"], "V2": ["Visit"]})
    )
    sentence, drafts = shelter.of("Give me every animal that came in September 2024")
    kept = of_tied_dates(shelter.schema, sentence, drafts)
    assert any(d.answers == {"Rex"} and len(d.rows) < 3 and d.filters for d in kept)


@pytest.mark.parametrize(("verb", "kept"), [("began", {"from"}), ("were", {"from", "until"})])
def test_what_began_in_a_month_did_not_end_in_it(verb: str, kept: set[str]) -> None:
    sentence, drafts = HIRES.of(f"Which bookings {verb} in April?")
    left = of_tied_dates(HIRES.schema, sentence, of_said_months(HIRES.schema, sentence, drafts))
    dated = {d.rows[-1][1] for d in left if d.kind == "Booking" and len(d.rows) == 2 and d.form == "select"}
    assert dated == kept


BOATS = Candidates(
    NetworkxStore(
        [
            *((boat, "purchased", f'"{day}"') for boat, day in (("Heron", "2010-05-01"), ("Gull", "2019-02-03"), ("Tern", "2015-07-07"))),
            *((boat, "last service", f'"{day}"') for boat, day in (("Heron", "2024-05-01"), ("Gull", "2023-02-03"))),
            *((boat, "is a", "Boat") for boat in ("Heron", "Gull", "Tern")),
        ],
        name="boats",
    )
)  # fmt: skip


@pytest.mark.parametrize(("question", "answer"), [("which boat is the oldest?", "Heron"), ("the newest boat?", "Gull")])
def test_a_service_does_not_tell_how_old_a_boat_is(question: str, answer: str) -> None:
    sentence, drafts = BOATS.of(question)
    assert {r for d in drafts if d.order for _, r, t in d.rows if t == d.order[0]} == {"purchased", "last service"}
    kept = [d for d in of_age(BOATS.schema, sentence, drafts) if d.order]
    assert {r for d in kept for _, r, t in d.rows if t == d.order[0]} == {"purchased"}
    assert answer in {a for d in kept for a in d.answers}


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("Which performances were on 2019-11-07?", False),
        ("which performance was on the 7th of November 2019", False),
        ("Which performances were before 2019-11-07?", True),
        ("Which performances were on or after 2019-11-07?", True),
    ],
)
def test_on_a_day_is_neither_before_nor_after_it(question: str, compared: bool) -> None:
    sentence, drafts = STAGE.of(question)
    kept = on_said_days(STAGE.schema, sentence, drafts)
    assert kept and any(op in ("<", ">", "<=", ">=") for d in kept for _, op, _ in d.filters) == compared
