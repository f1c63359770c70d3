"""Claims of how often something was done."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import KGStore, load_kg

_COMPLAINTS = """@prefix : <http://h.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Person a rdfs:Class ; rdfs:label "Person" .
:Complaint a rdfs:Class ; rdfs:label "Complaint" .
:Room a rdfs:Class ; rdfs:label "Room" .
:ann a :Person ; rdfs:label "Ann Moss" .
:ben a :Person ; rdfs:label "Ben Hall" .
:loft a :Room ; rdfs:label "Loft" .
:snug a :Room ; rdfs:label "Snug" .
:c1 a :Complaint ; rdfs:label "Loud music" ; :madeBy :ann ; :about :loft .
:c2 a :Complaint ; rdfs:label "Cold radiators" ; :madeBy :ann ; :about :snug .
:twice a :Person ; rdfs:label "Bitten Twice" ; :worksIn :snug .
:c3 a :Complaint ; rdfs:label "Wobbly stairs" ; :madeBy :ben ; :about :loft .
"""


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """Two persons' complaints, each about a room of its own."""
    path = tmp_path_factory.mktemp("hall") / "complaints.ttl"
    path.write_text(_COMPLAINTS, encoding="utf-8")
    return load_kg(path)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ann Moss has complained twice.", "supported"),
        ("Ann Moss has complained more than once.", "supported"),
        ("Ann Moss has complained once.", "refuted"),
        ("Ann Moss has complained three times.", "refuted"),
        ("Ann Moss has not complained three times.", "supported"),
        ("Ben Hall has complained twice.", "refuted"),
        ("Bitten Twice works in the Snug.", "supported"),
    ],
)
def test_the_rows_of_one_thing_are_counted(complaints: KGStore, claim: str, verdict: str) -> None:
    assert verify(complaints, claim, method="query-graph").verdict == verdict
