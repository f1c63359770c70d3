"""Abbreviated relation names are read in full, and what is none stays."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.abbreviations import in_full


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("rpts to", "reports to"),
        ("purch dt", "purchase date"),
        ("dpty", "deputy"),  # by the dictionary, as are those that follow
        ("clsd", "closed"),
        ("bght from", "bought from"),
        ("Dept Mgr", "department manager"),
    ],
)
def test_an_abbreviation_is_read_in_full(short: str, full: str) -> None:
    assert in_full(short) == full


@pytest.mark.parametrize(
    "words", ["mentor", "in the style of", "sky", "abv", "html", "mnt", "length km", "is a", "pub", "fnd in a pub"]
)
def test_what_is_no_clear_abbreviation_stays(words: str) -> None:
    assert in_full(words) == words


def test_readings_say_them_in_full() -> None:
    kg = NetworkxStore([("Ann", "rpts_to", "Bo"), ("Cy", "rpts_to", "Bo"), ("Ann", "dpty", "Cy")])
    assert SchemaView(kg).words("rpts_to") == "reports to"
    asked = QueryGraph.from_json({"select": "?x", "where": [["?x", "rpts_to", "Bo"]]})
    assert read_back(kg, asked) == "what reports to Bo"
