"""What is charged and not paid: a mender's jobs, whose clocks are somebody's, a band's gigs for firms, and no debts."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

_JOBS = (("mantel clock", "£45", "2024-01-29"), ("old cuckoo", "£38", ""), ("pocket watch", "£30", ""),
         ("alarm clock", "", "2024-02-25"), ("mantel clock", "£20", "2024-07-15"))  # fmt: skip
_CLOCKS = {"mantel clock": "Edna Prowle", "old cuckoo": "Len Tackett", "pocket watch": "Petra Lund",
           "alarm clock": "Len Tackett"}  # fmt: skip


def _mender() -> KGStore:
    triples = [(clock, "whose", who) for clock, who in _CLOCKS.items()]
    for number, (clock, price, paid) in enumerate(_JOBS, 1):
        row = f"Job 0{number}"
        triples += [(row, "what", clock), (row, "came in", f'"2024-01-0{number}"')]
        triples += [(row, "I asked", f'"{price}"')] if price else []
        triples += [(row, "paid on", f'"{paid}"')] if paid else []
    return NetworkxStore([*triples, *((who, "lives in", "Perth") for who in _CLOCKS.values())])


def _band() -> KGStore:
    gigs = (("Burns night", "Kippen Council", "450", "2023-01-28"), ("school night", "Doune School", "300", ""),
            ("harvest ball", "Ochil Farmers", "750", "2023-11-02"))  # fmt: skip
    triples = [(gig, r, v) for gig, who, fee, _ in gigs for r, v in (("for", who), ("fee", f'"{fee}"'))]
    triples += [
        (gig, "bass played by", who) for (gig, *_), who in zip(gigs, ("Tom Haig", "Jen Moss", "Tom Haig"), strict=True)
    ]
    return NetworkxStore([*triples, *((gig, "paid", f'"{day}"') for gig, _, _, day in gigs if day)])


def _landlord() -> KGStore:
    rows = [(f"job {n}", r, v) for n in (1, 2, 3) for r, v in (("cost", f'"£{n}0"'), ("what for", "Alma House"))]
    return NetworkxStore([*rows, ("job 1", "paid on", '"2024-02-02"'), ("job 2", "paid on", '"2024-02-03"')])


def _dressmaker() -> KGStore:
    garments = (
        ("ball gown", "Del Okoro", "£60"),
        ("prom dress", "Anna Vane", "£130"),
        ("winter coat", "Del Okoro", ""),
    )
    rows = [(garment, "for", who) for garment, who, _ in garments]
    rows += [(garment, "price", '"£200"') for garment, *_ in garments]
    return NetworkxStore([*rows, *((garment, "still owes", f'"{owed}"') for garment, _, owed in garments if owed)])


def _fishroom() -> KGStore:
    sales = (("Tolly Marsh", "£15", "no"), ("Nan Kettle", "£20", "yes"), ("Derek Oswin", "£9", ""))
    rows = [
        (f"sale {n}", r, f'"{v}"' if r != "sold to" else v)
        for n, sale in enumerate(sales, 1)
        for r, v in zip(("sold to", "sold for", "paid up"), sale, strict=True)
        if v
    ]
    return NetworkxStore([*rows, *((who, "lives in", "Marlby") for who, *_ in sales)])


def _minibus() -> KGStore:
    riders = [("Ted Marlow", "owes", '"£8"'), ("Queenie Strood", "owes", '"£5"'), ("Alf Dunn", "lives in", "Drayle")]
    return NetworkxStore([*riders, ("Ted Marlow", "lives in", "Drayle")])


MENDER, BAND, LANDLORD, DRESSMAKER = _mender(), _band(), _landlord(), _dressmaker()
FISHROOM, MINIBUS = _fishroom(), _minibus()


@pytest.mark.parametrize(
    ("kg", "asked", "answers"),
    [
        (MENDER, "who still owes me money?", {"Len Tackett", "Petra Lund"}),
        (MENDER, "and who hasn't paid yet", {"Len Tackett", "Petra Lund"}),
        (MENDER, "does anyone still owe us anything?", {"Len Tackett", "Petra Lund"}),
        (MENDER, "how much is still owed altogether?", {"£68"}),
        (MENDER, "what am I still owed?", {"£68"}),
        (MENDER, "how much does Len Tackett still owe me?", {"£38"}),
        (MENDER, "what does Edna still owe?", set()),
        (MENDER, "who has paid up?", {"Edna Prowle"}),
        (BAND, "which firms have settled up?", {"Kippen Council", "Ochil Farmers"}),
        (BAND, "I need to know who hasn't paid", {"Doune School"}),
        (BAND, "which customers still haven't paid us?", {"Doune School"}),
        (BAND, "who still owes us for a gig?", {"Doune School"}),
        (BAND, "who hasn't settled up?", {"Doune School"}),
        (DRESSMAKER, "who still owes me money?", {"Del Okoro", "Anna Vane"}),
        (DRESSMAKER, "Adding it all up, how much am I owed at the moment?", {"£190"}),
        (DRESSMAKER, "how much does Del still owe?", {"£60"}),
        (FISHROOM, "right, who still owes me money for fish?", {"Tolly Marsh", "Derek Oswin"}),
        (FISHROOM, "how much is outstanding?", {"£24"}),
        (MINIBUS, "who owes us money?", {"Ted Marlow", "Queenie Strood"}),
        (MINIBUS, "how much does Ted owe?", {"£8"}),
        (MINIBUS, "how much is owed in total?", {"£13"}),
    ],
)
def test_questions(kg: KGStore, asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(kg, asked).answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Len Tackett still owes me money.", "supported"),
        ("Petra hasn't paid yet.", "supported"),
        ("Edna Prowle still owes us.", "refuted"),
        ("Edna Prowle is all paid up.", "supported"),
        ("Petra Lund has paid for everything.", "refuted"),
        ("Job 02 is all paid up.", "refuted"),
        ("Job 01 is all paid up.", "supported"),
    ],
)
def test_claims(claim: str, verdict: str) -> None:
    assert triplewise.verify(MENDER, claim).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"), [("Ted Marlow owes us money.", "supported"), ("Queenie Strood is all paid up.", "refuted")]
)
def test_what_persons_owe(claim: str, verdict: str) -> None:
    assert triplewise.verify(MINIBUS, claim).verdict == verdict


def test_what_is_owed_on_a_thing() -> None:
    assert triplewise.verify(DRESSMAKER, "The prom dress is all paid up.").verdict == "refuted"


@pytest.mark.parametrize(
    ("kg", "text", "task"),
    [
        (MENDER, "who still owes me a letter?", "ask"),
        (MENDER, "who hasn't paid by cheque?", "ask"),
        (MENDER, "who hasn't paid since 2023?", "ask"),
        (MENDER, "how much does Bo still owe?", "ask"),
        (MENDER, "Bo still owes me money.", "verify"),
        (MENDER, "Len Tackett and Bo still owe me money.", "verify"),
        (LANDLORD, "who still owes me money?", "ask"),
    ],
)
def test_what_is_read_otherwise(kg: KGStore, text: str, task: str) -> None:
    assert reader_of(kg).open_debts.ranking(text, task, ()) is None


def test_the_house_is_a_word_of_the_graph() -> None:
    """ "A house" calls no job where something else is called so, and a word that the graph has not may."""
    kg = NetworkxStore([*((t.head, t.relation, t.tail) for t in MENDER.triples()), ("Len Tackett", "house", "No 4")])
    assert reader_of(kg).open_debts.ranking("who still owes us for a house?", "ask", ()) is None
    assert reader_of(MENDER).open_debts.ranking("who still owes us for a repair?", "ask", ()) is not None
