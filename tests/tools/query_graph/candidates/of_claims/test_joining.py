"""Claims of several things at once, and names that sound like denials."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun

_OTHERS = [(f"Person {i}", relation, f"Place {i}") for i in range(9) for relation in ("born in", "team", "boss of")]
FLIGHTS = Candidates(
    NetworkxStore(
        [
            *_OTHERS,
            ("Alan Bean", "born in", "Wheeler"),
            ("Alan Bean", "xq", "Apollo 12"),
            ("Alan Bean", "rank", "Captain"),
        ]
    )
)


@pytest.mark.parametrize("nearest", ["born in", "rank"])
def test_three_triples_that_the_graph_has_are_joined(nearest: str) -> None:
    claim = "Captain Alan Bean was born in Wheeler and flew on Apollo 12."
    sentence = FLIGHTS.generator.read(claim)
    near = word_affinity(FLIGHTS.schema, nearest)
    found = ClaimRun(FLIGHTS.generator, sentence, near).drafts()
    said = {frozenset(draft.rows) for draft in found}
    born, flew, rank = (
        ("Alan Bean", r, t) for r, t in (("born in", "Wheeler"), ("xq", "Apollo 12"), ("rank", "Captain"))
    )
    assert {frozenset((flew,)), frozenset((born, flew)), frozenset((born, flew, rank))} <= said


BANDS = NetworkxStore(
    [
        ("Year of No Light", "record label", "Music Fear"),
        ("Seven Hills", "record label", "Odeon"),
        ("Seven Hills", "genre", "Folk"),
        ("Year of No Light", "genre", "Sludge"),
    ],
    name="bands",
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The record label of Year of No Light is Music Fear.", "supported"),
        ("The record label of Year of No Light is Odeon.", "refuted"),
    ],
)
@pytest.mark.parametrize("given", [(), ("Music Fear", "Odeon")])
def test_a_name_denies_nothing(claim: str, verdict: str, given: tuple[str, ...]) -> None:
    if not given:
        assert triplewise.verify(BANDS, claim, method="query-graph").verdict == verdict
    sentence = Candidates(BANDS).generator.read(claim, given)
    assert ("not" in sentence.plain) == ("not" in claim) and "No Light" not in sentence.plain
