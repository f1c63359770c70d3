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
