"""What words rule out in favour of others."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.pruner import Pruner
from triplewise.tools.query_graph.pruning.row_ends import RowEnds

_AGES = {"Ann Lee": 31, "Bob Ray": 52, "Cal Hume": 70}
CREW = Candidates(
    NetworkxStore(
        [
            ("Ann Lee", "trained by", "Bob Ray"), ("Bob Ray", "trained by", "Cal Hume"),
            *((name, "age", f'"{age}"') for name, age in _AGES.items()), *((name, "is a", "Guide") for name in _AGES),
            ("Teal", "age", '"90"'), ("Teal", "is a", "Boat"), ("Teal", "weight kg", '"800"'), ("Wren", "weight kg", '"90"'),
            ("Wren", "length m", '"4"'), ("Teal", "length m", '"9"'), ("Wren", "is a", "Boat"),
        ],
        name="crew",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "rival"),
    [
        ("Who trained Ann Lee's trainer?", frozenset({"Bob Ray"})),
        ("What is the weight of Teal?", frozenset({'"9"'})),
        ("What's the oldest guide?", frozenset({"Teal"})),
    ],
)
def test_rivals_are_what_a_word_rules_out(question: str, rival: frozenset[str]) -> None:
    pruner = Pruner(CREW.schema, RowEnds(CREW.schema))
    sentence, drafts = CREW.of(question)
    assert rival in {d.answers for d in pruner.rivals(sentence, "ask", drafts)}
    assert rival not in {d.answers for d in pruner.kept(sentence, "ask", drafts)}


def test_where_no_word_chooses_there_are_no_rivals() -> None:
    sentence, drafts = CREW.of("Who trained Ann Lee?")
    assert not Pruner(CREW.schema, RowEnds(CREW.schema)).rivals(sentence, "ask", drafts)


def test_who_cannot_have_something_is_who_avoids_it() -> None:
    rows = [("Ann", "avoids", "nuts"), ("Bo", "avoids", "milk"), ("Cy", "likes", "nuts")]
    kg = NetworkxStore(rows, types={n: ["Guest"] for n in ("Ann", "Bo", "Cy")})
    found = Candidates(kg)
    sentence, drafts = found.of("Which guests can't have nuts?")
    kept = Pruner(found.schema, RowEnds(found.schema)).kept(sentence, "ask", drafts)
    assert any(draft.answers == {"Ann"} for draft in kept)
    assert not any("avoids" in {r for _, r, _ in draft.minus} for draft in kept)
