"""What a sentence names itself is no answer to it."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.named_answers import not_named

SHOPS = Candidates(
    NetworkxStore(
        [
            ("Alpina Boots", "makes", '"boots"'),
            ("Taternik Ropes", "makes", '"ropes"'),
            ("Alpina Boots", "older than", "Taternik Ropes"),
            *((shop, "is a", "Company") for shop in ("Alpina Boots", "Taternik Ropes")),
        ],
        name="shops",
    )
)


@pytest.mark.parametrize(
    ("question", "answer", "kept"),
    [
        ("Which company makes boots?", '"boots"', False),
        ("Which company makes boots?", "Alpina Boots", True),
        ("What does Alpina make?", '"boots"', True),
        ("Does Alpina make boots or ropes?", '"boots"', True),
        ("Of Taternik Ropes and Alpina Boots which is the older one?", "Alpina Boots", True),
    ],
)
def test_what_is_named_is_not_asked_for(question: str, answer: str, kept: bool) -> None:
    sentence, drafts = SHOPS.of(question)
    assert any(d.answers == {answer} for d in drafts)
    left = not_named(SHOPS.schema, sentence, drafts)
    assert any(d.answers == {answer} and d.form == "select" and not d.order for d in left) is kept
