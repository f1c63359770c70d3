"""A relation that is said twice is gone over twice."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.said_twice import of_all_steps

CREW = Candidates(
    NetworkxStore(
        [
            ("Ann Lee", "trained by", "Bob Ray"), ("Bob Ray", "trained by", "Cal Hume"),
            ("Cal Hume", "trained by", "Dee Fox"), ("Ann Lee", "lives in", "Kirkby"), ("Cal Hume", "lives in", "Kirkby"),
            *((name, "is a", "Guide") for name in ("Ann Lee", "Bob Ray", "Cal Hume", "Dee Fox")),
        ],
        name="crew",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "Who trained the person who trained Ann Lee?",
        "Who trained Ann Lee's trainer?",
        "Who is the trainer of the trainer of Ann Lee?",
        "Ann Lee's boss's boss",  # what it is called is the ranker's to know
        "Who does Ann Lee's boss answer to?",
    ],
)
def test_two_steps_are_asked_for(question: str) -> None:
    sentence, drafts = CREW.of(question)
    answers = {d.answers for d in drafts}
    assert {frozenset({"Bob Ray"}), frozenset({"Cal Hume"})} <= answers
    kept = {d.answers for d in of_all_steps(sentence, drafts) if d.form == "select" and not d.order}
    assert frozenset({"Cal Hume"}) in kept and frozenset({"Bob Ray"}) not in kept


@pytest.mark.parametrize(
    "question",
    [
        "Who trained Ann Lee?",
        "Who lives where Ann Lee lives?",  # each is said of another
        "Who works side by side with Ann Lee?",
        "Did Ann Lee and Bob Ray live in a village by village tour?",
    ],
)
def test_what_is_said_once_stays(question: str) -> None:
    sentence, drafts = CREW.of(question)
    assert of_all_steps(sentence, drafts) == drafts
