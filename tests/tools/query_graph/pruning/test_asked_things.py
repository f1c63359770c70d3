"""What somebody bought is the item of a row, what has no balance paid is what a question denies to have one, and a gala
is what a race was at."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore

_SALES = (("U1", "January stall", "blazer", "Hannah Pell"), ("U2", "January stall", "PE kit", "Wendy Stopes"),
          ("U3", "May stall", "summer dress", "Hannah Pell"), ("U4", "May stall", "blazer", "Priya Sand"))  # fmt: skip
_HIRES = (("bouncy castle hire", "£140", "12 May 2025", "7 July 2025"), ("gazebo hire", "£85", "19 May 2025", "7 July 2025"),
          ("sound system hire", "£60", "", ""))  # fmt: skip
FAIR = NetworkxStore(
    [
        *((s, r, v) for s, *told in _SALES for r, v in zip(("sold at", "item", "bought by"), told, strict=True)),
        *((s, "price", f'"£{n}.50"') for n, (s, *_) in enumerate(_SALES, 3)),
        *((stall, "where", "school hall") for stall in ("January stall", "May stall")),
        *((h, r, f'"{v}"') for h, *told in _HIRES
          for r, v in zip(("cost", "deposit paid", "balance paid"), told, strict=True) if v),
        *((who, "sent by", "Edna Prowle") for who in ("Colin Ray", "Mona Dunn")), ("Edna Prowle", "sent by", "Len Tack"),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("what has Hannah Pell bought?", {"blazer", "summer dress"}),
        ("and what did Wendy buy at the January stall?", {"PE kit"}),
        ("what did Priya Sand pay for the blazer?", {"£6.50"}),
        ("which ones haven't we paid the balance on?", {"sound system hire"}),
        ("which ones have we paid the balance on?", {"bouncy castle hire", "gazebo hire"}),
        ("who did Edna send my way?", {"Colin Ray", "Mona Dunn"}),
        ("who sent Edna my way?", {"Len Tack"}),
    ],
)
def test_what_is_asked_for(question: str, answers: set[str]) -> None:
    assert {a.label for a in ask(FAIR, question).answers} == answers


RACES = NetworkxStore(
    [
        t
        for race, who, gala in (("race A", "Nia Pell", "Autumn Splash"), ("race B", "Tom Pell", "Autumn Splash"),
                                ("race C", "Nia Pell", "Winter Sprint"), ("race D", "Josh Ray", "County Champs"))
        for t in ((race, "swum by", who), (race, "at gala", gala))
    ]
    + [(gala, "held at", "Crayle Pool") for gala in ("Autumn Splash", "Winter Sprint")]
    + [("County Champs", "held at", "Tadwick Baths"), ("Spring Open", "held at", "Tadwick Baths")]
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which galas did we have over at Crayle Pool?", {"Autumn Splash", "Winter Sprint"}),
        ("which galas were at Tadwick Baths?", {"County Champs", "Spring Open"}),  # also where nobody swam
        ("which gala did Josh Ray swim at?", {"County Champs"}),
    ],
)
def test_what_a_relation_calls_so(question: str, answers: set[str]) -> None:
    assert {a.label for a in ask(RACES, question).answers} == answers
