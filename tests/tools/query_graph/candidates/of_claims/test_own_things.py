"""A thing's value held against that of what it has itself."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import verify
from triplewise.kg import KGStore, load_kg

_HOUSE = """@prefix : <http://h.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Person a rdfs:Class ; rdfs:label "Person" .
:Dog a rdfs:Class ; rdfs:label "Dog" .
:ada a :Person ; rdfs:label "Ada Moss" ; :born "1951-03-14"^^xsd:date ; :spouse :bo ; :boss :cy .
:bo a :Person ; rdfs:label "Bo Moss" ; :born "1949-08-02"^^xsd:date .
:cy a :Person ; rdfs:label "Cy Hall" ; :born "1990-01-05"^^xsd:date ; :spouse :di .
:di a :Person ; rdfs:label "Di Hall" ; :boss :ada .
:eve a :Person ; rdfs:label "Eve Lind" ; :born "1984-11-30"^^xsd:date ; :boss :cy .
:rex a :Dog ; rdfs:label "Rex" ; :born "2015-04-01"^^xsd:date ; :ownedBy :eve .
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """Persons with spouses, bosses and a dog; of one spouse no date of birth is told."""
    path = tmp_path_factory.mktemp("house") / "house.ttl"
    path.write_text(_HOUSE, encoding="utf-8")
    return load_kg(path)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ada Moss is older than her husband.", "refuted"),
        ("Ada Moss is younger than her husband.", "supported"),
        ("Ada Moss is not older than her husband.", "supported"),
        ("Bo Moss is older than his wife.", "supported"),
        ("Ada Moss is older than her boss.", "supported"),
        ("Eve Lind is younger than her boss.", "refuted"),
        ("Rex is older than its owner.", "refuted"),
        ("Eve Lind is older than her dog.", "supported"),
        # what she has has no date, or she has none such
        ("Cy Hall is older than his wife.", "not_enough_evidence"),
        ("Eve Lind is older than her husband.", "not_enough_evidence"),
        ("Ada Moss is older than her brother.", "not_enough_evidence"),
        ("Ada Moss is older than her cat.", "not_enough_evidence"),
    ],
)
def test_it_is_what_a_relation_of_the_thing_leads_to(house: KGStore, claim: str, verdict: str) -> None:
    assert verify(house, claim, method="query-graph").verdict == verdict
