"""Things that a claim names and its reading does not hold."""

from __future__ import annotations

from typing import Any

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.doubts import doubt
from triplewise.tools.query_graph.claims.unused_names import unused_name
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.schema_view import SchemaView

WORKSHOP = NetworkxStore(
    [
        *(("R1", "repaired by", "Ben Okoro"), ("R1", "item", "Laptop"), ("R1", "result", '"fixed"')),
        *(("R2", "repaired by", "Ben Okoro"), ("R2", "item", "Tablet"), ("R2", "result", '"advice"')),
        *(("Laptop", "brought by", "Ida Holm"), ("Laptop", "is a", "Item"), ("Tablet", "is a", "Item")),
        *(
            ("Tablet Stand", "brought by", "Ida Holm"),
            ("Tablet Stand", "is a", "Item"),
            ("Ida Holm", "is a", "Visitor"),
        ),
    ]
)
NAMES = NameIndex(SchemaView(WORKSHOP))
BY_BEN: dict[str, Any] = {"ask": "some", "where": [["?x", "repaired by", "Ben Okoro"], ["?x", "result", '"fixed"']]}
OF_LAPTOP: dict[str, Any] = {"ask": "some", "where": [["?x", "item", "Laptop"], ["?x", "result", '"fixed"']]}

OWNERS: dict[str, Any] = {"count": "?x", "where": [["Laptop", "brought by", "?x"]], "compare": [">", "1"]}


@pytest.mark.parametrize(
    ("claim", "query", "name"),
    [
        ("Ben Okoro fixed the tablet.", BY_BEN, "tablet"),
        ("Ben Okoro fixed something.", BY_BEN, ""),
        ("Ben Okoro fixed the laptop.", BY_BEN | {"where": [*BY_BEN["where"], ["?x", "item", "Laptop"]]}, ""),
        ("Ben Okoro fixed the laptop.", BY_BEN | {"filter": [["?x", "not in", ["Laptop"]]]}, ""),
        # it tells which laptop that is, for it is Ida's
        ("Ida Holm's laptop was fixed.", OF_LAPTOP, ""),
        ("Ida Holm saw that the tablet was fixed.", BY_BEN, "Ida Holm"),
        # the tablet's number of owners stands for it
        ("The laptop has more owners than the tablet.", OWNERS, ""),
        ("Ben Okoro told two owners of the laptop of the tablet.", OWNERS, "tablet"),
        # a part of another name, and a name that is hardly said
        ("The tablet stand was brought by Ida Holm.", {"ask": "some", "where": [["Tablet Stand", "brought by", "Ida Holm"]]}, ""),
        ("Holm saw that Ben Okoro fixed it.", BY_BEN, ""),
    ],
)  # fmt: skip
def test_names(claim: str, query: dict[str, Any], name: str) -> None:
    assert unused_name(claim, QueryGraph.from_json(query), NAMES) == name


def test_what_matches_without_a_named_thing_does_not_support_the_claim() -> None:
    reader, claim = reader_of(WORKSHOP), "Ben Okoro fixed the tablet."
    found = "What was found does not say 'tablet'."
    assert doubt(claim, QueryGraph.from_json(BY_BEN), "supported", reader) == found
    assert doubt(claim, QueryGraph.from_json(BY_BEN), "refuted", reader) == ""
    assert doubt(claim, QueryGraph.from_json(BY_BEN | {"ask": "none"}), "refuted", reader) == found


def test_several_words_in_lower_case_are_no_name_of_capitals() -> None:
    films = NetworkxStore(
        [("The Key", "directed by", "Tom Hall"), ("BBC", "key person", "Ann Reed"), ("BBC", "seat", "London")]
    )
    query = QueryGraph.from_json({"ask": "some", "where": [["BBC", "key person", "Ann Reed"]]})
    names = NameIndex(SchemaView(films))
    assert unused_name("The key person of BBC is Ann Reed.", query, names) == ""
    assert unused_name("Ann Reed of BBC is in The Key.", query, names) == "The Key"
    assert unused_name("ann reed of bbc is in the key", query, names) == "the key"


def test_a_year_is_no_name_and_a_closed_world_passes_over_names() -> None:
    stars = NetworkxStore(
        [("Stavros", "found on", '"1929-06-11"'), ("Ole Hart", "born in", "1929"), ("1929", "before", "1930")]
    )
    query = QueryGraph.from_json({"ask": "some", "where": [["Stavros", "found on", '"1929-06-11"']]})
    assert unused_name("Stavros was found on 11 June 1929.", query, NameIndex(SchemaView(stars))) == ""
    reader, by_ben = reader_of(WORKSHOP), QueryGraph.from_json(BY_BEN)
    assert doubt("Ben Okoro fixed the tablet.", by_ben, "supported", reader)
    assert not doubt("Ben Okoro fixed the tablet.", by_ben, "supported", reader, closed_world=True)
