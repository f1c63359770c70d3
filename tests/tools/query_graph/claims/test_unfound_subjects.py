"""Definite subjects that the readings of claims do not have."""

from __future__ import annotations

from typing import Any

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.doubts import doubt
from triplewise.tools.query_graph.claims.unfound_subjects import unfound_subject
from triplewise.tools.query_graph.ranker import reader_of

KITCHEN = NetworkxStore(
    [
        *((d, "is a", "Dish") for d in ("Goat Cheese Tart", "Slow Roast Lamb", "Beef Stew")),
        *(("Goat Cheese Tart", "price", '"6.75"'), ("Slow Roast Lamb", "price", '"16.00"')),
        *(("Beef Stew", "price", '"12.00"'), ("Beef Stew", "created by", "Henry Obi")),
        *(("Lamb Shoulder", "is a", "Ingredient"), ("Slow Roast Lamb", "ingredient", "Lamb Shoulder")),
        *(("Goat Cheese Tart", "created by", "Yuki Mori"), ("Slow Roast Lamb", "created by", "Henry Obi")),
        *(("Henry Obi", "is a", "Chef"), ("Yuki Mori", "is a", "Chef")),
    ]
)
READER = reader_of(KITCHEN)
DEAR: dict[str, Any] = {"ask": "some", "where": [["?x", "price", "?y"]], "filter": [["?y", ">", "15"]]}
BY_HENRY: dict[str, Any] = {"ask": "some", "where": [["?x", "created by", "Henry Obi"]]}


@pytest.mark.parametrize(
    ("claim", "query", "noun"),
    [
        ("The lamb costs more than 15 pounds.", DEAR, "lamb"),
        ("Is the lamb more than 15 pounds?", DEAR, "lamb"),
        ("The lamb was created by Henry Obi.", BY_HENRY, "lamb"),
        ("The bicycle costs more than 15 pounds.", DEAR, "bicycle"),
        ("The dish costs more than 15 pounds.", DEAR, "dish"),
        # the thing is named, or told by what it is tied to
        ("The tart costs more than 15 pounds.", DEAR | {"where": [["Goat Cheese Tart", "price", "?y"]]}, ""),
        ("The dish was created by Henry Obi.", BY_HENRY, ""),
        # another subject, or one that is not definite
        ("A bicycle costs more than 15 pounds.", DEAR, ""),
        ("Some dish costs more than 15 pounds.", DEAR, ""),
    ],
)
def test_subjects(claim: str, query: dict[str, Any], noun: str) -> None:
    assert unfound_subject(claim, QueryGraph.from_json(query), READER.words, READER.affinity(claim)) == noun


def test_what_fills_the_place_of_the_subject_supports_nothing() -> None:
    found = "What was found does not say 'lamb'."
    assert doubt("The lamb costs more than 15 pounds.", QueryGraph.from_json(DEAR), "supported", READER) == found
