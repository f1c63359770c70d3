"""Sentences of one noun: all things of a kind, and that a thing is of a kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_graphs import Candidates, ferries

from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore, load_kg
from triplewise.kg.query import execute
from triplewise.tools.query_graph.candidates.plain_nouns import listings, membership, number_of_kind, unknown_kind
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.linking.known_words import KnownWords

FERRIES = Candidates(ferries())
SHIPS = """ship,type,flag,built,home_port,captain
Aurora,ferry,Norway,1998,Bergen,Ida Holm
Balder,trawler,Norway,2005,Tromsø,Per Lund
Calypso,ferry,Greece,1987,Piraeus,Nikos Vasi
Drake,tanker,Panama,2012,Rotterdam,
Echo,trawler,Norway,2016,Tromsø,Siri Dahl
"""
_UNKNOWN = ("Which elephants are there?", "Who was here in August?")


@pytest.fixture(scope="module")
def ships(tmp_path_factory: pytest.TempPathFactory) -> NetworkxStore:
    path = tmp_path_factory.mktemp("ships") / "ships.csv"
    Path(path).write_text(SHIPS, encoding="utf-8")
    store = load_kg(path)
    assert isinstance(store, NetworkxStore)
    return store


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which ships are there?", "MS Löwe, Otter, Sea Eagle"),
        ("ships?", "MS Löwe, Otter, Sea Eagle"),
        ("pls list all the harbours", ""),  # "pls" may mean something
        ("List all the harbours, please.", "Nordkap Quay, Ufer"),
        ("Who are the captains?", "Anna Berg, Ben Ode"),
        ("which ships have we had in all?", "MS Löwe, Otter, Sea Eagle"),
        ("Show me the harbour masters", "Carla Ruiz, Dov Lind"),
        ("what are the masters", "Carla Ruiz, Dov Lind"),
        ("Which ships are based at Ufer?", ""),
        ("how far are the harbours?", ""),
        ("Which ships carry cars?", ""),
        ("the ships", ""),  # asks nothing
        ("Which ships were built in 2014?", ""),
        ("Who?", ""),
        ("Who is in the harbour?", ""),  # no harbour is anybody
        ("What is there in the harbours?", ""),
        ("Who have ships got?", ""),
        ("Who are the ships?", "MS Löwe, Otter, Sea Eagle"),  # whoever calls them so
        ("Which of the ships are there?", "MS Löwe, Otter, Sea Eagle"),
    ],
)
def test_listings(question: str, answers: str) -> None:
    drafts = listings(FERRIES.schema, FERRIES.generator.read(question))
    assert [", ".join(sorted(d.answers)) for d in drafts] == ([answers] if answers else [])
    for draft in drafts:
        assert frozenset(execute(FERRIES.store, draft.query()).ids) == draft.answers


def test_a_month_is_no_kind_that_is_unknown() -> None:
    known = KnownWords(FERRIES.generator.names)
    told = {q: unknown_kind(FERRIES.schema, FERRIES.generator.read(q), known) for q in _UNKNOWN}
    assert told == {"Which elephants are there?": True, "Who was here in August?": False}


def test_a_number_of_things() -> None:
    (draft,) = listings(FERRIES.schema, FERRIES.generator.read("How many harbours are there in total?"))
    assert draft.form == "count" and execute(FERRIES.store, draft.query()).number == 2


def test_what_a_conversation_is_about_is_no_listing() -> None:
    assert not listings(FERRIES.schema, FERRIES.generator.read("Which ships are there?", ["Ufer"]))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Otter is a ship.", "supported"),
        ("Is Otter a ship?", "supported"),
        ("Otter is a harbour.", "refuted"),
        ("Otter isn't a harbour.", "supported"),
        ("Anna Berg is a captain.", "supported"),
        ("Anna is a captain.", "supported"),
        ("Carla Ruiz is a captain.", "not_enough_evidence"),  # of the people only two are said to be one
        ("Dov Lind is a harbour master.", "supported"),
        ("Otter is a ship of Rona.", ""),
        ("A ship is Otter.", ""),
        ("Otter, ship.", ""),
    ],
)
def test_membership(claim: str, verdict: str) -> None:
    drafts = membership(FERRIES.schema, FERRIES.generator.read(claim))
    assert [Judge(FERRIES.schema).verdict(d.query())[0] for d in drafts] == ([verdict] if verdict else [])


def test_membership_of_what_stands_for_a_pronoun() -> None:
    for claim, given in (("Is Otter a ship", "Otter"), ("Is Anna Berg a captain", "Anna Berg")):
        (draft,) = membership(FERRIES.schema, FERRIES.generator.read(claim, (given,)))
        assert Judge(FERRIES.schema).verdict(draft.query())[0] == "supported"
    assert membership(FERRIES.schema, FERRIES.generator.read("Is the other one a ship", ("Otter",))) == []


def test_a_refuted_class_shows_what_the_thing_is_instead() -> None:
    (draft,) = membership(FERRIES.schema, FERRIES.generator.read("Otter is a harbour."))
    _, _, against = Judge(FERRIES.schema).verdict(draft.query())
    assert [tuple(t) for t in against] == [("Otter", "is a", "Ship")]


def test_a_thing_without_a_class_may_be_of_any() -> None:
    store = NetworkxStore([("Ufer", "near", "Wald")], types={"Ufer": ("Town",)})
    town = Candidates(store)
    (draft,) = membership(town.schema, town.generator.read("Wald is a town."))
    assert Judge(town.schema).verdict(draft.query())[0] == "not_enough_evidence"


def test_with_the_ranker_that_ships(ships: NetworkxStore) -> None:
    listed = ask(ships, "which ships are there?", method="query-graph")
    assert [a.label for a in listed.answers] == ["Aurora", "Balder", "Calypso", "Drake", "Echo"]
    assert all(e.triple.relation == "rdf:type" for e in listed.evidence) and not listed.other_readings
    led_to = ask(ships, "who are the captains?", method="query-graph")
    assert {a.label for a in led_to.answers} == {"Ida Holm", "Per Lund", "Nikos Vasi", "Siri Dahl"}
    counted = ask(ships, "how many trawlers are there?", method="query-graph")
    assert counted.text == "2" and {e.triple.head for e in counted.evidence} == {"Balder", "Echo"}
    claim = verify(ships, "Aurora is a tanker", method="query-graph")
    assert claim.verdict == "refuted" and "Aurora – type – ferry" in claim.reason


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("There are three ships.", "supported"),
        ("There are four ships.", "refuted"),
        ("There are more than three ships.", "refuted"),
        ("There are more than two ships in total.", "supported"),
        ("There are at least three ships", "supported"),
        ("We have fewer than three ships", "refuted"),
        ("There are at most 3 ships altogether", "supported"),
        ("There are at least two harbour masters.", "supported"),
    ],
)
def test_the_number_of_a_kind_is_counted(claim: str, verdict: str) -> None:
    (draft,) = number_of_kind(FERRIES.schema, FERRIES.generator.read(claim))
    assert Judge(FERRIES.schema).verdict(draft.query())[0] == verdict


@pytest.mark.parametrize(
    "claim",
    [
        "There are not three ships.",
        "There are three ships at Ufer.",
        "Otter carries three ships.",
        "There are three elephants.",
        "There are ships of 12 m.",
    ],
)
def test_other_numbers_count_no_kind(claim: str) -> None:
    assert not number_of_kind(FERRIES.schema, FERRIES.generator.read(claim))


def test_a_number_of_things_is_no_value_of_them(ships: NetworkxStore) -> None:
    assert verify(ships, "There are more than 1990 ships.", method="query-graph").verdict == "refuted"
    assert verify(ships, "There are more than four ships.", method="query-graph").verdict == "supported"
