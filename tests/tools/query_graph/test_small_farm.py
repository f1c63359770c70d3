"""A smallholding as its owner writes it down, asked from beginning to end: rows called by days, beasts that live where
they sleep, what somebody won't eat, and payments."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore

_BEASTS = (("Mabel", "hen", "Top Coop", "Dai Prosser"), ("Jemima", "duck", "Duck House", "Megan Rees"),
           ("Dolly", "hen", "Top Coop", "Megan Rees"), ("Nettle", "goat", "Goat Shed", "Dai Prosser"))  # fmt: skip
_VISITS = (("9 February 2024", "Mabel", "bumblefoot"), ("18 April 2024", "Nettle", "foot rot"),
           ("21 May 2024", "Jemima", "bumblefoot"), ("2 August 2024", "Dolly", "worms"))  # fmt: skip
_PAYMENTS = (("barn deposit", "£1500", "4 May 2024"), ("feed bill", "£150", "6 May 2024"), ("fencing", "£80", ""))


def _farm() -> KGStore:
    triples = [
        (name, r, v) for name, _, coop, seller in _BEASTS for r, v in (("sleeps in", coop), ("came from", seller))
    ]
    triples += [
        ("Tomos Lloyd", "lives at", '"Hay"'),
        ("Dai Prosser", "lives at", '"Cwm Du"'),
        ("Megan Rees", "lives at", '"Ty Isaf"'),
    ]
    for day, seen, wrong in _VISITS:
        row = f"vet visit {day}"
        triples += [(row, "date", f'"{day}"'), (row, "seen", seen), (row, "what was wrong", f'"{wrong}"')]
        triples += [(row, "vet who came", "Megan Rees" if seen == "Mabel" else "Tomos Lloyd")]
    for name, much, day in _PAYMENTS:
        triples += [(name, "how much", f'"{much}"'), *([(name, "paid on", f'"{day}"')] if day else [])]
    triples += [("Ann Lee", "won't eat", '"nuts"'), ("Bo Lee", "won't eat", '"kale"'), ("Ann Lee", "lives at", '"Hay"')]
    types = {name: (kind,) for name, kind, *_ in _BEASTS}
    types |= {f"vet visit {day}": ("vet visit",) for day, *_ in _VISITS}
    return NetworkxStore(triples, types=types)


FARM = _farm()


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("which of our animals have had bumblefoot?", {"Mabel", "Jemima"}),
        ("where does Mabel live?", {"Top Coop"}),
        ("where does Ann Lee live?", {"Hay"}),
        ("who won't eat kale?", {"Bo Lee"}),
        ("who can't have nuts?", {"Ann Lee"}),
        ("what have we forked out so far, all in?", {"£1650"}),
    ],
)
def test_questions(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(FARM, asked).answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The barn deposit was £1,500.", "supported"),
        ("The vet saw Mabel on 27 September 2025.", "refuted"),
        ("The barn deposit was paid by bank transfer.", "not_enough_evidence"),
    ],
)
def test_claims(claim: str, verdict: str) -> None:
    assert triplewise.verify(FARM, claim).verdict == verdict


_ENTRIES = (("Oscar at Rowan", "Oscar Lund", "Rowan Cup", "winner"), ("Mia at Rowan", "Mia Dahl", "Rowan Cup", "semi-final"),
            ("Mia at Ferry", "Mia Dahl", "Ferry Open", "winner"), ("Joe at Ferry", "Joe Berg", "Ferry Open", "final"))  # fmt: skip
TENNIS = NetworkxStore(
    [
        *(
            (row, r, v)
            for row, who, where, how in _ENTRIES
            for r, v in (("player", who), ("tournament", where), ("got to", f'"{how}"'))
        ),
        *((who, "lives in", "Bath") for who in ("Oscar Lund", "Mia Dahl", "Joe Berg")),
        ("Rowan Cup", "held on", '"2025-03-29"'),
        ("Ferry Open", "held on", '"2025-04-26"'),
    ]
)


@pytest.mark.parametrize(
    ("asked", "answers"),
    [("who won the Rowan Cup?", {"Oscar Lund"}), ("who won at the Ferry Open", {"Mia Dahl"})],
)
def test_rows_that_are_called_by_what_they_tie_are_led_on(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(TENNIS, asked).answers} == answers


FAMILY = NetworkxStore(
    [
        ("Mona Saab", "sister of", "Samia Haddad"),
        ("Karim Haddad", "brother of", "Rima Khoury"),
        ("Jean Tapp", "sister is", "Winifred Tapp"),
        *((who, "lives in", "Leeds") for who in ("Mona Saab", "Samia Haddad", "Karim Haddad", "Rima Khoury")),
    ]
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Mona Saab is Samia Haddad's sister.", "supported"),
        ("Samia Haddad is Mona Saab's sister.", "supported"),
        ("Rima is Karim's sister.", "supported"),
        ("Rima is Karim's brother.", "not_enough_evidence"),
        ("Winifred Tapp is Jean Tapp's sister.", "supported"),
    ],
)
def test_siblings_may_be_told_from_either_end(claim: str, verdict: str) -> None:
    assert triplewise.verify(FAMILY, claim).verdict == verdict


GIFTS = NetworkxStore(
    [
        *((f"cheque {n}", "gift from", who) for n, who in enumerate(("Hilary Moss", "Ann Roe", "Hilary Moss"))),
        *((f"cheque {n}", "amount", f'"£{n + 1}00"') for n in range(3)),
    ]
)


def test_what_somebody_gave_in_all_is_a_sum() -> None:
    assert [a.label for a in triplewise.ask(GIFTS, "What has Hilary Moss given us, all told?").answers] == ["£400"]


def test_where_somebody_lives_is_nobody_elses_home() -> None:
    assert not triplewise.ask(FARM, "where does Bo Lee live?").answers
    assert [a.label for a in triplewise.ask(FARM, "where does Ann Lee live?").answers] == ["Hay"]


def test_newer_is_what_was_made_later() -> None:
    told = (("Azul", "2017", "2021-11-22"), ("Patchwork", "2014", "2022-07-09"), ("Catan", "1995", "2019-05-03"))
    games = NetworkxStore(
        [(g, r, f'"{v}"') for g, made, got in told for r, v in (("came out in", made), ("got it on", got))]
    )
    assert [a.label for a in triplewise.ask(games, "which is newer, Azul or Patchwork?").answers] == ["Azul"]


def test_an_everyday_word_may_be_somebodys_name() -> None:
    horses = NetworkxStore(
        [
            ("Penrose Star", "stable name", '"Star"'),
            ("Silver Tide", "stable name", '"Smokey"'),
            ("Penrose Star", "belongs to", "Joan Hendy"),
            ("Silver Tide", "belongs to", "Sarah Pell"),
        ]
    )
    assert [a.label for a in triplewise.ask(horses, "who does Star belong to?").answers] == ["Joan Hendy"]
    assert [a.label for a in triplewise.ask(horses, "what is Smokey's proper name?").answers] == ["Silver Tide"]


def test_how_many_of_what_a_relation_numbers_is_a_sum() -> None:
    rounds = NetworkxStore(
        [(f"{name} Round", r, v) for name, n, who in (("Mill", 41, "Ann"), ("Hill", 33, "Bo"), ("Ford", 58, "Cy"))
         for r, v in (("houses", f'"{n}"'), ("delivered by", who))],
        types={f"{name} Round": ("round",) for name in ("Mill", "Hill", "Ford")},
    )  # fmt: skip
    asked = "How many houses do we deliver to if you tot up all the rounds?"
    assert [a.label for a in triplewise.ask(rounds, asked).answers] == ["132"]


def test_what_is_told_of_other_things_tells_no_age_of_these() -> None:
    kit = (("Poseidon", "2004-05-01"), ("Apeks", "2019-03-02"), ("Suunto", "2012-08-09"))
    wrecks = (("Thesis", "1877"), ("Rondo", "1916"))
    diving = NetworkxStore(
        [*((name, "bought on", f'"{day}"') for name, day in kit), *((name, "built in", f'"{year}"') for name, year in wrecks)],
        types={name: ("kit",) for name, _ in kit} | {name: ("wreck",) for name, _ in wrecks},
    )  # fmt: skip
    assert [a.label for a in triplewise.ask(diving, "what's the oldest kit?").answers] == ["Poseidon"]
