"""The class that is said of what is asked for or counted."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.asked_kind import of_asked_kind
from triplewise.tools.query_graph.candidates.claims import ClaimRun

_KINDS = {"Plot": ["Ashfield", "Birchen", "Cobbett"], "Water Tap": ["Gate Tap", "Weir Tap"], "Lane": ["Harrow Lane"]}
_AT = [(thing, "stands at", "Harrow Lane") for thing in ("Ashfield", "Birchen", "Gate Tap", "Weir Tap")]
LANES = Candidates(
    NetworkxStore(
        [
            *_AT, ("Cobbett", "stands at", "Mill Lane"), ("Ashfield", "waters", "Gate Tap"), ("Gate Tap", "waters", "Birchen"),
            ("Mill Lane", "is a", "Lane"), *((thing, "is a", kind) for kind, named in _KINDS.items() for thing in named),
        ],
        name="lanes",
    )
)  # fmt: skip
WIDE = (0, "stands at", "Harrow Lane")


@pytest.mark.parametrize(
    ("question", "narrower"),
    [
        ("How many plots are there at Harrow Lane?", True),
        ("Which of the plots stand at Harrow Lane?", True),
        ("List all the water taps at Harrow Lane", True),
        ("How many taps are there at Harrow Lane?", True),
        ("How many things stand at Harrow Lane?", False),
        ("What waters plots at Harrow Lane?", False),  # other things are asked for
        ("Who from Harrow Lane has a plot?", False),
        ("How many plots and water taps are there at Harrow Lane?", False),
        ("Which plos stand at Harrow Lane?", False),  # the class is only guessed
    ],
)
def test_what_is_of_another_kind_is_not_answered(question: str, narrower: bool) -> None:
    sentence, drafts = LANES.of(question)
    kept = of_asked_kind(LANES.schema, sentence, drafts)
    assert (WIDE,) in [d.rows for d in drafts] and ((WIDE,) in [d.rows for d in kept]) != narrower
    assert any(d.rows[0] == WIDE and d.kind for d in kept)


@pytest.mark.parametrize(
    ("claim", "narrower"),
    [
        ("Two plots stand at Harrow Lane.", True),
        ("There are 2 water taps at Harrow Lane.", True),
        ("Two things stand at Harrow Lane.", False),
        ("The plot stands with two others at Harrow Lane.", False),
    ],
)
def test_a_claim_of_a_number_counts_what_it_says(claim: str, narrower: bool) -> None:
    sentence = LANES.generator.read(claim)
    drafts = ClaimRun(LANES.generator, sentence, word_affinity(LANES.schema, claim)).drafts()
    kept = of_asked_kind(LANES.schema, sentence, drafts)
    assert ((WIDE,), ("=", "2")) in [(d.rows, d.compare) for d in drafts]
    assert (((WIDE,), ("=", "2")) in [(d.rows, d.compare) for d in kept]) != narrower
