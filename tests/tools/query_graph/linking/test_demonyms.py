"""Adjectives of places, and the places and values of a graph that they name."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.demonyms import places_of
from triplewise.tools.query_graph.pruning.denials import taking_away

PLACES = (
    "Poland",
    "Switzerland",
    "Austria",
    "Nepal",
    "China",
    "Iran",
    "Kyrgyzstan",
    "Mexico",
    "United Kingdom",
    "Rome",
)
PEOPLE = Candidates(
    NetworkxStore(
        [*((f"Guide {n}", "comes from", place) for n, place in enumerate(PLACES)), ("Guide 0", "speaks", '"Dutch"')]
    )
)


def linked(text: str) -> list[str]:
    return [link.name for link in PEOPLE.generator.names.link(text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Which guides are Polish?", "Poland"),
        ("the swiss guides", "Switzerland"),
        ("Are there Austrians?", "Austria"),
        ("Nepalese guides", "Nepal"),
        ("chinese guides", "China"),
        ("Is she Iranian?", "Iran"),
        ("the Kyrgyz guides", "Kyrgyzstan"),
        ("Mexican guides", "Mexico"),
        ("british guides", "United Kingdom"),
        ("the Roman one", "Rome"),
        ("Who knows the language of the Netherlands?", "Dutch"),
    ],
)
def test_an_adjective_names_its_place_and_a_place_its_adjective(text: str, name: str) -> None:
    assert linked(text) == [name]


@pytest.mark.parametrize("text", ["Who is the musician?", "Which human is it?", "Who speaks Spanish?"])
def test_no_place_is_made_of_other_words(text: str) -> None:
    assert not linked(text)


def test_a_word_that_the_graph_has_is_no_place() -> None:
    guides = NetworkxStore([("Ann", "nationality", "Polish"), ("Ann", "lives in", "Poland")])
    assert [x.name for x in Candidates(guides).generator.names.link("Who is Polish?")] == ["Polish"]


def test_several_places_may_be_meant() -> None:
    assert set(places_of("czech")) == {"czechia", "czech republic"}


def test_what_is_denied_by_its_adjective_is_taken_away() -> None:
    text = "Which guides are not Swiss?"
    sentence, drafts = PEOPLE.of(text)
    kept = taking_away(PEOPLE.schema, sentence, drafts)
    assert kept
    assert all("Switzerland" in {end for h, _, t in d.minus for end in (h, t)} for d in kept)
