"""Who was born in a town was born in its county."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.kg.query.graph import Pattern, QueryGraph
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.linking.within import Places
from triplewise.tools.query_graph.schema_view import SchemaView

_BORN = {"Billy Rowe": "Camborne", "Nell Rowe": "Redruth", "Jo Pask": "Exeter", "Ann Lund": "Truro"}
_IN = {"Camborne": "Cornwall", "Redruth": "Cornwall", "Truro": "Cornwall", "Exeter": "Devon", "Cornwall": "England"}
FAMILY = NetworkxStore(
    [
        *((person, "born in", town) for person, town in _BORN.items()),
        *((place, "lies in", area) for place, area in _IN.items()),
        *((person, "is a", "Person") for person in _BORN),
        *((town, "is a", "Town") for town in _BORN.values()),
        ("Cornwall", "is a", "County"), ("Devon", "is a", "County"),
        ("Billy Rowe", "taught by", "Nell Rowe"), ("Nell Rowe", "taught by", "Ann Lund"),
    ],
    name="family",
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Billy Rowe was born in Cornwall.", "supported"),
        ("Billy Rowe was not born in Cornwall.", "refuted"),
        ("Jo Pask was born in Cornwall.", "refuted"),
        ("Billy Rowe was born in Exeter.", "refuted"),
    ],
)
def test_a_claim_of_a_larger_place(claim: str, verdict: str) -> None:
    assert triplewise.verify(FAMILY, claim, method="query-graph").verdict == verdict


def test_a_question_of_a_larger_place() -> None:
    result = triplewise.ask(FAMILY, "Who was born in Cornwall?", method="query-graph")
    assert {a.label for a in result.answers} == {"Billy Rowe", "Nell Rowe", "Ann Lund"}


def test_no_list_of_towns_rules_out_what_they_are_in() -> None:
    judge = Judge(SchemaView(FAMILY))
    assert judge.state(QueryGraph((Pattern("Billy Rowe", "born in", "England"),), form="ask"))[0] == "unknown"
    assert judge.state(QueryGraph((Pattern("Billy Rowe", "born in", "Devon"),), form="ask"))[0] == "absent"
    assert judge.state(QueryGraph((Pattern("Billy Rowe", "taught by", "Ann Lund"),), form="ask"))[0] == "absent"


def test_places_within_places_are_followed_down() -> None:
    assert Places(SchemaView(FAMILY)).inside("England") == {"Cornwall", "Camborne", "Redruth", "Truro"}
