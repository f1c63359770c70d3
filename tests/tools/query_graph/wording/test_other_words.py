"""Questions in words that a graph has: of a house's tables and of a television series."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_graphs import tables_in

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

HOUSE = {
    "rooms": "name,floor,area_m2\nKitchen,ground,18\nHall,ground,26\nBedroom,first,21\nBox room,first,6\n",
    "appliances": """name,room,price,shop,bought_on
Big television,Hall,649.00,Hartley's,2023-11-24
Small television,Bedroom,180.00,Corrow,2019-02-02
Toaster,Kitchen,0,Corrow,2020-08-03
""",
    "bills": """name,provider,paid_by,amount,how_often
TV licence,Licensing,Winifred Hill,174.50,yearly
Gas,Lumina,Des Hill,86.25,monthly
Water,Ottervale,Des Hill,141.60,quarterly
""",
    "people": "name,born,job\nWinifred Hill,1949-03-01,postwoman\nDes Hill,1976-11-02,baker\n",
}
SOAP = NetworkxStore(
    [
        ("Episode 1", "viewers millions", '"6.2"'), ("Episode 2", "viewers millions", '"11.3"'),
        ("Episode 3", "viewers millions", '"14.6"'), ("Episode 3", "number", '"3"'),
        ("The Mitre", "on street", "Fish Street"), ("The Rat", "on street", "Cobble Street"),
        ("Dan Moss", "drinks at", "The Mitre"), ("Dan Moss", "drinks at", "The Rat"), ("Kit Hale", "drinks at", "The Rat"),
        ("Tess Moss", "engaged to", "Kit Hale"), ("Carol Pell", "was engaged to", "Kit Hale"),
        ("Petra Ode", "works at", "The Mitre"), ("Petra Ode", "used to work at", "The Rat"),
        ("Petra Ode", "engaged to", "Toby Lane"), ("Toby Lane", "works at", "The Rat"),
        ("Badgers", "assistant patrol leader", "Dan Moss"), ("Badgers", "patrol leader", "Tess Moss"),
        ("RidgeTrace", "needs labels", '"false"'), ("GateNet", "needs labels", '"true"'),
        ("Opening", "number", '"1"'), ("Faults", "number", '"2"'), ("Timing", "number", '"3"'),
        ("Opening", "words", '"640"'), ("Faults", "words", '"1480"'), ("Timing", "words", '"5300"'),
    ],
    types={
        **dict.fromkeys(("Episode 1", "Episode 2", "Episode 3"), ("episode",)),
        **dict.fromkeys(("The Mitre", "The Rat"), ("pub",)),
        **dict.fromkeys(("Dan Moss", "Kit Hale", "Tess Moss", "Carol Pell", "Petra Ode", "Toby Lane"), ("character",)),
        **dict.fromkeys(("RidgeTrace", "GateNet"), ("method",)),
        **dict.fromkeys(("Opening", "Faults", "Timing"), ("chapter",)),
        "Badgers": ("patrol",),
    },
)  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    folder: Path = tmp_path_factory.mktemp("house") / "kg"
    return tables_in(folder, HOUSE)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("how much was the telly?", "how much was the television?"),
        ("which tellies are in the hall?", "which televisions are in the hall?"),
        ("which bills come once a year?", "which bills come yearly?"),
        ("what do we pay every three months?", "what do we pay quarterly?"),
        ("which bills come every day?", "which bills come every day?"),  # nothing is daily
        ("where is the toaster?", "where is the toaster?"),
    ],
)
def test_words_that_the_graph_lacks(house: KGStore, asked: str, said: str) -> None:
    assert reader_of(house).wording.sentence(asked) == said


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("what's the biggest room on the first floor?", {"Bedroom"}),
        ("which bills are once a year?", {"TV licence"}),
        ("what've we bought from Corrow?", {"Small television", "Toaster"}),
        ("what does Winifred Hill pay for?", {"TV licence"}),
        ("what does Des do for a living?", {"baker"}),
        ("which appliances cost nothing?", {"Toaster"}),
        ("which appliances weren't free?", {"Big television", "Small television"}),
    ],
)
def test_a_house(house: KGStore, asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(house, asked, method="query-graph").answers} == answers


CLUB = NetworkxStore([("Bowls", "contact", "Jim Oake"), ("Bowls", "phone", '"01632 960152"'), ("Bowls", "rate", '"8"')])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("have we got a number for Jim Oake?", "what is a phone number for Jim Oake?"),
        ("what's Jim's number", "what is Jim's phone number"),
        ("whats big lens number, the lights are out", "what is big lens phone number, the lights are out"),
        ("what is the number of the clubs?", "what is the number of the clubs?"),
        ("need the number of whoever runs it", "what is the phone number of whoever runs it"),
        ("have you got a number for the chap at Bowls", "what is a phone number for the chap at Bowls"),
    ],
)
def test_somebodys_number_is_that_of_a_telephone(asked: str, said: str) -> None:
    assert reader_of(CLUB).wording.sentence(asked) == said
    assert reader_of(SOAP).wording.sentence(asked) == asked  # which tells no telephones


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who's the APL of the Badgers?", "who's the assistant patrol leader of the Badgers?"),
        ("WHO IS THE APL OF THE BADGERS?", "WHO IS THE APL OF THE BADGERS?"),
        ("who has a GPS?", "who has a GPS?"),
    ],
)
def test_initials_of_a_relation(asked: str, said: str) -> None:
    assert reader_of(SOAP).wording.sentence(asked) == said


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who drinks in both pubs?", "who drinks in both The Mitre and The Rat?"),
        ("who drinks in both of our pubs?", "who drinks in both The Mitre and The Rat?"),
        ("which of all three episodes is best?", "which of Episode 1, Episode 2 and Episode 3 is best?"),
        ("who drinks in all three pubs?", "who drinks in all three pubs?"),
        ("who is in both chapters and pubs?", "who is in both chapters and pubs?"),
    ],
)
def test_all_of_few(asked: str, said: str) -> None:
    assert reader_of(SOAP).wording.few.in_names(asked) == said


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who came to both fair meetings?", "who came to both fair meeting 1 and fair meeting 2?"),
        ("who came to both of our meetings?", "who came to both fair meeting 1 and fair meeting 2?"),
        ("who came to both of our parties?", "who came to both of our parties?"),
        ("who came to all three fair meetings?", "who came to all three fair meetings?"),
    ],
)
def test_both_of_what_is_called_by_a_number(asked: str, said: str) -> None:
    came = [(f"fair meeting {n}", "came", who) for n, who in ((1, "Ann"), (1, "Bo"), (2, "Ann"))]
    assert reader_of(NetworkxStore(came)).wording.few.in_names(asked) == said


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("who drinks in both pubs?", {"Dan Moss"}),
        ("which episodes had more than 11 million viewers?", {"Episode 2", "Episode 3"}),
        ("where does Petra work?", {"The Mitre"}),  # not where the one works to whom she is engaged
        ("where did Petra work before?", {"The Rat"}),
        ("which methods need no labels at all?", {"RidgeTrace"}),
        ("how many words has chapter 2?", {"1480"}),
    ],
)
def test_a_series(asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(SOAP, asked, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Kit Hale is engaged to Tess Moss", "supported"),
        ("Kit Hale is engaged to Carol Pell now", "refuted"),
        ("Kit Hale was engaged to Carol Pell", "supported"),
    ],
)
def test_ties_hold_both_ways_and_end(claim: str, verdict: str) -> None:
    assert triplewise.verify(SOAP, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("Small television was bought in February 2019", "supported"), ("It was bought in March 2019", "refuted")],
)
def test_within_a_month(house: KGStore, claim: str, verdict: str) -> None:
    named = claim.replace("It", "Small television")
    assert triplewise.verify(house, named, method="query-graph").verdict == verdict


def test_a_chapter_that_there_is_not_is_no_number() -> None:
    assert not triplewise.ask(SOAP, "how many words has chapter 9?", method="query-graph").answers
    assert reader_of(SOAP).words.unknown_name("how many words has chapter 9?") == "chapter 9"
    assert not reader_of(SOAP).words.unknown_name("how many words has chapter 2?")


SOCIETY = NetworkxStore(
    [
        ("Ann Roe", "is our", '"treasurer"'),
        ("Bo Lund", "is our", '"secretary"'),
        ("Cal Moss", "lives in", "Hay"),
        ("Ann Roe", "lives in", "Hay"),
        ("Bo Lund", "lives in", "Clyro"),
    ]
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who looks after the money for us?", "Ann Roe"),
        ("who is it holds the purse strings?", "Ann Roe"),
        ("who does the minutes?", "Bo Lund"),
    ],
)
def test_who_has_an_office_sees_to_something(question: str, answer: str) -> None:
    assert [a.label for a in triplewise.ask(SOCIETY, question).answers] == [answer]
