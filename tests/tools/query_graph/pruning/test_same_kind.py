"""What two have in common is of the class that is said."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.both_said import of_same_kind
from triplewise.tools.query_graph.ranker import reader_of

MUSIC = NetworkxStore(
    [
        *((who, "plays", "guitar") for who in ("Cal Reid", "Cora Finch")),
        *(("Cal Reid", "in", "Salt"), ("Cora Finch", "in", "Hares"), ("Ida Munro", "in", "Salt")),
        *((band, "is a", "Band") for band in ("Salt", "Hares")),
    ]
)


def test_only_the_class_that_is_said_ties_two() -> None:
    sentence, drafts, _ = reader_of(MUSIC).candidates("Cal Reid and Cora Finch are in the same band", "verify")
    kept = of_same_kind(reader_of(MUSIC).schema, sentence, drafts)
    both = [d for d in drafts if sum(r == "plays" for _, r, _ in d.rows) == 2]
    assert both and not {id(d) for d in both} & {id(d) for d in kept} and len(kept) < len(drafts)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Cal Reid and Cora Finch are in the same band.", "refuted"),
        ("Cal Reid and Ida Munro are in the same band.", "supported"),
    ],
)
def test_verdicts(claim: str, verdict: str) -> None:
    assert triplewise.verify(MUSIC, claim, method="query-graph").verdict == verdict
