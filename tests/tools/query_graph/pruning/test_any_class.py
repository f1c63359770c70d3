"""A word for all of several kindred classes means none of them more than another."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.pruning.asked_kind import of_any_class

_HOUSES = {"Villa": ["Elm", "Oak"], "Cottage": ["Ash", "Bay"], "Person": ["Ann", "Ben"]}
HOUSES = Candidates(
    NetworkxStore(
        [
            *((h, r, f"{r} {h}") for k in ("Villa", "Cottage") for h in _HOUSES[k] for r in ("roof", "street", "built by")),
            *((h, "built in", f"{1800 + n}") for n, k in enumerate(("Villa", "Cottage")) for h in _HOUSES[k]),
            *((thing, "is a", kind) for kind, named in _HOUSES.items() for thing in named),
        ]
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "shares", "wide"),
    [
        ("Which house was built first?", (0.30, 0.20, 0.25), True),
        ("Which mansion was built first?", (0.60, 0.10, 0.20), False),  # one class is meant by another word
        ("Which villa was built first?", (0.30, 0.20, 0.25), False),  # it is said
    ],
)
def test_none_of_several_kindred_classes_is_meant_by_a_word_for_all(
    question: str, shares: tuple[float, ...], wide: bool
) -> None:
    sentence, drafts = HOUSES.of(question)
    plain = {frozenset(d.rows): d for d in drafts if d.order and not d.order[1] and d.form == "select"}
    built = (0, "built in", 1)
    found = [plain[frozenset((built, *((0, TYPE, k) for k in kind)))] for kind in (["Villa"], ["Cottage"], [])]
    place = of_any_class(HOUSES.schema, sentence, list(zip(found, shares, strict=True)))
    assert place == (2 if wide else 0)
