"""The things of a proof that a later "they" may mean."""

from __future__ import annotations

from pathlib import Path

import triplewise
from triplewise.agents.assistant.memory import inner_nodes

CREW = """@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:ann a ex:Baker ; rdfs:label "Ann" ; ex:worksWith ex:bo . ex:bo a ex:Clerk ; rdfs:label "Bo" ; ex:worksWith ex:ann ."""


def test_a_class_of_rdf_is_no_thing(tmp_path: Path) -> None:
    path = tmp_path / "crew.ttl"
    path.write_text(CREW, encoding="utf-8")
    kg = triplewise.load_kg(path)
    result = triplewise.verify(kg, "Bo is a baker.", method="query-graph")
    assert result.verdict == "refuted"
    assert inner_nodes(kg, result.cited_triples(), {"http://example.org/bo"}) == ()
