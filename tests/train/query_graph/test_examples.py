"""Which candidates of a claim train as right ones: those that say what the gold query says, in whatever form."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import Candidates, ferries, word_affinity

from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.train.query_graph.examples import right_claims

FERRIES = Candidates(ferries())
AT_UFER = {"count": "?x", "where": [["?x", "based at", "Ufer"]]}


@pytest.mark.parametrize(
    ("claim", "gold", "reading"),
    [
        (
            "Otter is 12 metres long.",
            {"ask": "some", "where": [["Otter", "length m", '"12"']]},
            "claim: Otter → length m → ?; length m is 12",
        ),
        (
            "Otter was built after 2020.",
            {"ask": "some", "where": [["Otter", "built", "?d"]], "filter": [["?d", ">", "2020-12-31"]]},
            "claim: Otter → built → ?; built after 2020",
        ),
        (
            "Otter was built before 2022.",
            {"ask": "some", "where": [["Otter", "built", "?d"]], "filter": [["?d", "<", "2022-01-01"]]},
            "claim: Otter → built → ?; built before 2022",
        ),
        (
            "Otter was built in 2021.",
            {
                "ask": "some",
                "where": [["Otter", "built", "?d"]],
                "filter": [["?d", ">=", "2021-01-01"], ["?d", "<=", "2021-12-31"]],
            },
            "claim: Otter → built → ?; built in year 2021",
        ),
        ("More than one ship is based at Ufer.", {**AT_UFER, "compare": [">=", "2"]}, "claim: count ship: Ufer ← based at ← ? more than 1"),
    ],
)  # fmt: skip
def test_a_claim_said_in_another_form_is_right(claim: str, gold: dict[str, Any], reading: str) -> None:
    right, alike, texts = labelled(claim, gold)
    assert any(texts[i].startswith(reading) for i in right), [texts[i] for i in (*right, *alike)]


def test_another_limit_is_alike_and_another_relation_wrong() -> None:
    gold = {"ask": "some", "where": [["Otter", "length m", "?n"]], "filter": [["?n", ">=", "12"]]}
    right, alike, texts = labelled("Otter is 12 metres long.", gold)
    assert "claim: Otter → length m → ?; length m is 12" in {texts[i] for i in alike - right}
    assert not any("built" in texts[i] for i in right | alike)


def labelled(claim: str, gold: dict[str, Any]) -> tuple[set[int], set[int], list[str]]:
    sentence = FERRIES.generator.read(claim)
    drafts = ClaimRun(FERRIES.generator, sentence, word_affinity(FERRIES.schema, claim)).drafts()
    right, alike = right_claims(drafts, QueryGraph.from_json(gold), frozenset())
    return right, alike, [FERRIES.verbaliser.reading(draft, sentence) for draft in drafts]
