"""Claims of all of a kind, and of one thing only."""

from __future__ import annotations

import pytest
from small_graphs import ferries

from triplewise.graphs.run import ask, verify
from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.turned_claims.all_claims import AllClaim, all_claim
from triplewise.tools.query_graph.turned_claims.only_claims import OnlyClaim, only_claim


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("All boats are insured.", AllClaim("Which boats are insured", False)),
        ("Each of the boats is insured", AllClaim("Which boats is insured", False)),
        ("is every boat in Ufer", AllClaim("Which boat in Ufer", False)),
        ("Not all boats are insured", AllClaim("Which boats are insured", True)),
        ("Everything owned by Ann is insured", AllClaim("What owned by Ann is insured", False)),
        ("Not everyone from Ufer is insured", AllClaim("Who from Ufer is insured", True)),
        ("Everyone but Ann is insured", None),
        ("Ann wrote all our plays", AllClaim("Which plays Ann wrote", False, 11)),
        ("Ann has sailed in every boat", AllClaim("Which boat Ann has sailed in", False, 10)),
        ("Ann did not write all the plays", None),
        ("Ann was there all the time", None),
        ("All boats are not insured", None),
        ("Both of Ann's boats are insured", AllClaim("Which boats of Ann are insured", False, 18, True, 15)),
        ("All Ann Doyle's boats are insured", AllClaim("Which boats of Ann Doyle are insured", False, 24, owner=15)),
        ("Both boats are insured", AllClaim("Which boats are insured", False, both=True)),
        ("Both Falcon and Heron are insured", None),
        ("All but one boat are insured", None),
        ("Ann learnt it all from Cal", None),
    ],
)
def test_parts_of_a_claim_of_all(text: str, parts: AllClaim | None) -> None:
    assert all_claim(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Only Falcon is insured", OnlyClaim("Falcon is insured", 0, True)),
        ("Falcon was only ever owned by Ann", OnlyClaim("Falcon was ever owned by Ann", 11, False)),
        ("Falcon is the only boat that lies in Ufer.", OnlyClaim("Falcon lies in Ufer", 0, True)),
        ("Falcon is the only boat with an engine.", OnlyClaim("Falcon is a boat with an engine", 0, True)),
        ("Is Falcon the only electric boat?", OnlyClaim("Falcon is an electric boat", 0, True)),
        ("The only electric boat is Falcon", OnlyClaim("Falcon is an electric boat", 0, True)),
        ("The only boat that lies in Ufer is Falcon", OnlyClaim("Falcon lies in Ufer", 0, True)),
        ("No boat other than Falcon is insured", OnlyClaim("Falcon is insured", 0, True)),
        ("Nobody but Ann owns Falcon.", OnlyClaim("Ann owns Falcon", 0, True)),
        ("None of the boats except Falcon is insured", OnlyClaim("Falcon is insured", 0, True)),
        ("Ann owns nothing but boats", OnlyClaim("Ann owns boats", 9, False)),
        ("Falcon is owned by no one other than Ann", OnlyClaim("Falcon is owned by Ann", 19, False)),
        ("No other boat is insured", None),
        ("Falcon is not the only insured boat", None),
        ("Not only Falcon is insured", None),
        ("Falcon is insured", None),
    ],
)
def test_parts_of_a_claim_of_one_only(text: str, parts: OnlyClaim | None) -> None:
    assert only_claim(text) == parts


@pytest.mark.parametrize(
    ("claim", "verdict", "proof"),
    [
        ("All boats are insured", "refuted", ["no"]),
        ("Not all boats are insured", "supported", ["no"]),
        ("All boats are owned by Cal Hume", "refuted", ["Ann Doyle"]),
        ("Every boat is longer than 9 m", "supported", ["12.5", "9.2", "10.1"]),
        ("All boats are longer than 20 m", "refuted", ["12.5"]),
        ("Every boat was built after 2000", "refuted", ["1998"]),
        ("All boats were surveyed after 2019", "not_enough_evidence", []),  # of one the graph does not say
        ("All boats have an owner", "supported", ["Ann Doyle", "Cal Hume", "Cal Hume"]),
        ("Every boat owned by Cal Hume is insured", "refuted", ["Cal Hume", "no"]),
        ("All of Cal Hume's boats are insured", "refuted", ["Cal Hume", "no"]),
        ("All of Ann Doyle's boats are insured", "supported", ["Ann Doyle", "yes"]),
        ("All boats that are owned by Ann Doyle are insured", "supported", ["Ann Doyle", "yes"]),
        ("Everything owned by Cal Hume is insured", "refuted", ["Cal Hume", "no"]),
        ("Everything owned by Ann Doyle is insured", "supported", ["Ann Doyle", "yes"]),
        ("All boats of Cal Hume measure above 9 m", "supported", ["Cal Hume", "9.2", "Cal Hume", "10.1"]),
        ("Every boat measures at least 9.2 m", "supported", ["12.5", "9.2", "10.1"]),
        ("All boats measure 9.2 metres or more", "supported", ["12.5", "9.2", "10.1"]),
        ("All boats measure no more than 10.1 m", "refuted", ["12.5"]),
        ("Cal Hume owns all the boats", "refuted", ["Ann Doyle"]),
        ("Both of Cal Hume's boats are insured", "refuted", ["Cal Hume", "no"]),
        ("Both of Cal Hume's boats measure above 9 m", "supported", ["Cal Hume", "9.2", "Cal Hume", "10.1"]),
        ("Both boats are longer than 9 m", "not_enough_evidence", []),
        ("Only Falcon is insured", "refuted", ["yes"]),
        ("Only Ann Doyle owns Falcon", "supported", ["Ann Doyle"]),
        ("Only Falcon is owned by Ann Doyle", "supported", ["Ann Doyle"]),
        ("Only Heron is owned by Cal Hume", "refuted", ["Cal Hume"]),
        ("Only Heron is owned by Ann Doyle", "refuted", ["Cal Hume"]),
        ("Only Heron and Osprey are owned by Cal Hume", "supported", ["Cal Hume", "Cal Hume"]),
        ("Ann Doyle only owns Falcon", "supported", ["Ann Doyle"]),
        ("Cal Hume only owns Heron", "refuted", ["Cal Hume"]),
        ("Cal Hume owns nothing but Heron", "refuted", ["Cal Hume"]),
        ("Falcon is owned by nobody but Ann Doyle", "supported", ["Ann Doyle"]),
        ("Falcon is the only boat in Ufer", "refuted", ["Ufer"]),
        ("Osprey is the only boat in Rona", "supported", ["Rona"]),
        ("The only boat in Rona is Osprey", "supported", ["Rona"]),
        ("Heron is the only boat owned by Cal Hume", "refuted", ["Cal Hume"]),
        ("No boat other than Osprey is in Rona", "supported", ["Rona"]),
        ("No boat other than Falcon is in Ufer", "refuted", ["Ufer"]),
        ("Only Falcon is longer than 10.5 m", "supported", ["12.5"]),
        ("Falcon is the only boat that is longer than 10 m", "refuted", ["10.1"]),
        ("Only Heron is not insured", "not_enough_evidence", []),
        ("Not only Heron is owned by Cal Hume", "not_enough_evidence", []),
    ],
)
def test_claims(boats: KGStore, claim: str, verdict: str, proof: list[str]) -> None:
    result = verify(boats, claim, method="query-graph")
    assert result.verdict == verdict, result.reading
    assert [boats.label(e.triple.tail) for e in result.evidence] == proof


CLUB = NetworkxStore(
    [
        *(("Ada", "membership", "Student"), ("Ben", "membership", "Student"), ("Cleo", "membership", "Full")),
        *(("Ada", "lives in", "Ufer"), ("Ben", "lives in", "Rona"), ("Cleo", "lives in", "Ufer")),
        *(("Dov", "membership", "Full"), ("Dov", "lives in", "Ufer"), ("Student", "fee", '"5"')),
    ],
    types={name: ["Member"] for name in ("Ada", "Ben", "Cleo", "Dov")},
)


@pytest.mark.parametrize("claim", ["All the students live in Ufer.", "Every student lives in Ufer."])
def test_a_group_may_be_told_by_a_value(claim: str) -> None:
    result = verify(CLUB, claim, method="query-graph")
    assert result.verdict == "refuted", result.reading
    assert [t.triple.head for t in result.evidence] == ["Ben", "Ben"]


def test_questions_of_all_and_only(boats: KGStore) -> None:
    assert ask(boats, "Are all boats insured?", method="query-graph").text.startswith("No. ")
    assert ask(boats, "Does only Ann Doyle own Falcon?", method="query-graph").text.startswith("Yes. ")


def test_what_is_as_claimed_is_no_exception_though_it_may_not_be_meant() -> None:
    huts = {"Alm": ("Club", "yes"), "Berg": ("Guild", "no"), "Col": (None, "yes")}
    triples = [(hut, r, o) for hut, of in huts.items() for r, o in zip(("owner", "open"), of, strict=True) if o]
    hut = ["?x", "rdf:type", "hut"]
    claim = QueryGraph.from_json(
        {"ask": "none", "where": [hut, ["?x", "owner", "Club"], ["?x", "open", "?o"]], "minus": [["?x", "open", "yes"]]}
    )
    for closed, verdict in (("yes", "supported"), ("no", "not_enough_evidence")):
        told = [*(t for t in triples if t[:2] != ("Col", "open")), ("Col", "open", closed)]
        store = NetworkxStore(told, types={name: ["hut"] for name in huts})
        assert Judge(SchemaView(store)).verdict(claim)[0] == verdict


FERRIES = ferries()
SHIP = ["?x", "rdf:type", "Ship"]


@pytest.mark.parametrize(
    ("query", "verdict", "text"),
    [
        ({"where": [SHIP, ["?x", "based at", "?y"]], "minus": [["?x", "based at", "Ufer"]]},
         "refuted", "for every Ship X, X is based at Ufer"),
        ({"where": [SHIP], "minus": [["?x", "retired in", "?y"]]},
         "not_enough_evidence", "for every Ship X, X retired in Y"),
        ({"where": [SHIP], "minus": [["?x", "based at", "?y"]]}, "supported", "for every Ship X, X is based at Y"),
        ({"where": [SHIP, ["?x", "based at", "Ufer"], ["?x", "length m", "?h"]], "filter": [["?h", "<", "60"]]},
         "supported", "there is no Ship X where X is based at Ufer, X's length m is Y and Y is less than 60"),
        ({"where": [["?x", "captain of", "Otter"]], "filter": [["?x", "not in", ["Anna Berg"]]]},
         "not_enough_evidence", "there is no X but Anna Berg where X is the captain of Otter"),
    ],
)  # fmt: skip
def test_claims_without_exceptions(query: dict[str, object], verdict: str, text: str) -> None:
    claim = QueryGraph.from_json({"ask": "none", **query})
    assert (Judge(SchemaView(FERRIES)).verdict(claim)[0], read_back(FERRIES, claim)) == (verdict, text)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Everyone in the choir lives in Kirkby.", "refuted"),
        ("Everyone on the committee lives in Kirkby.", "supported"),
        ("Everyone who lives in Kirkby is on the committee.", "supported"),
    ],
)
def test_the_verb_of_a_relation_is_what_is_claimed_of_all(claim: str, verdict: str) -> None:
    people = {"Ann Gale": ("Kirkby", "Committee"), "Bob Hurst": ("Kirkby", "Committee"), "Cy Neal": ("Thorne", "Choir")}
    triples = [t for p, (town, of) in people.items() for t in ((p, "lives in", town), (p, "member of", of))]
    types = {name: ["Person"] for name in people} | {"Kirkby": ["Town"], "Thorne": ["Town"]}
    types |= {"Committee": ["Group"], "Choir": ["Group"]}
    store = NetworkxStore([*triples, ("Bob Hurst", "member of", "Choir")], types=types)
    assert verify(store, claim, method="query-graph").verdict == verdict
