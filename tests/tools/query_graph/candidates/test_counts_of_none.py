"""Numbers that count something and may be 0: what has none of it, and what has some."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise import verify
from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.relation_numbers import RelationNumbers
from triplewise.tools.query_graph.schema_view import Step

STORMS = {"Ada": "0", "Bert": "3", "Cleo": "1", "Dirk": "0"}
KG = NetworkxStore(
    [
        *((name, "injuries", f'"{number}"') for name, number in STORMS.items()),
        *(
            (name, "wind speed", f'"{number}"')
            for name, number in zip(STORMS, ("90", "110", "120.5", "0"), strict=True)
        ),
        ("Bert", "seen by", "Rona"),
        ("Erin", "seen by", "Rona"),
        ("Erin", "named in", "2020"),
    ],
    types={name: ["Storm"] for name in (*STORMS, "Erin")},
)
WEATHER = Candidates(KG)


@pytest.mark.parametrize(
    ("question", "reading"),
    [
        ("Which storms had injuries?", "find storm: ? is storm; any ← injuries ← ? = Bert, Cleo"),
        ("Which storms had no injuries?", "find storm: ? is storm; without any ← injuries ← ? = Ada, Dirk"),
        ("How many storms had no injuries?", "count storm: ? is storm; without any ← injuries ← ? = number"),
        ("Which storm had the fewest injuries?", "find storm: ? is storm; with lowest injuries = Ada, Dirk"),
        ("Which storms have no wind speed?", "find storm: ? is storm; without any ← wind speed ← ? = Erin"),
    ],
)
def test_some_is_more_than_none(question: str, reading: str) -> None:
    sentence, drafts = WEATHER.of(question)
    found = {WEATHER.verbaliser.reading(draft, sentence): draft for draft in drafts}
    assert reading in found, "\n".join(found)
    assert set(execute(KG, found[reading].query()).ids) == found[reading].answers


@pytest.mark.parametrize(
    ("claim", "reading", "verdict"),
    [
        ("Ada had no injuries.", "not claim: Ada → injuries → ?", "supported"),
        ("Bert had no injuries.", "not claim: Bert → injuries → ?", "refuted"),
        ("Ada had injuries.", "claim: Ada → injuries → ?", "refuted"),
        ("Erin had injuries.", "claim: Erin → injuries → ?", "not_enough_evidence"),
    ],
)
def test_claims_that_there_are_some(claim: str, reading: str, verdict: str) -> None:
    sentence = WEATHER.generator.read(claim)
    drafts = ClaimRun(WEATHER.generator, sentence, word_affinity(WEATHER.schema, claim)).drafts()
    (draft,) = (d for d in drafts if WEATHER.verbaliser.reading(d, sentence) == reading and not d.filters)
    assert Judge(WEATHER.schema).verdict(draft.query())[0] == verdict


def test_measures_do_not_count() -> None:
    numbers = RelationNumbers(WEATHER.schema)
    assert numbers.none(Step("injuries")) == {"Ada", "Dirk"}
    assert not numbers.none(Step("wind speed"))
    assert numbers.some(Step("wind speed")) == set(STORMS)


def test_that_all_have_some_is_wrong_where_one_has_none() -> None:
    assert verify(KG, "All storms had injuries.", method="query-graph").verdict == "refuted"
