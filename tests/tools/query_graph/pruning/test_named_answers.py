"""What a sentence names itself is no answer to it."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.named_answers import besides_named, not_named

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


_ATTENDED = (("Review", "Ann Lee"), ("Review", "Ben Ode"), ("Review", "Cal Hume"), ("Kick-off", "Ann Lee"))
MEETINGS = Candidates(
    NetworkxStore(
        [
            *((meeting, "attended by", one) for meeting, one in _ATTENDED),
            ("Review", "chaired by", "Dov Marsh"),
            ("Ben Ode", "reports to", "Ann Lee"),
            ("Cal Hume", "reports to", "Dov Marsh"),
            *((one, "is a", "Person") for one in ("Ann Lee", "Ben Ode", "Cal Hume", "Dov Marsh")),
            *((meeting, "is a", "Meeting") for meeting in ("Review", "Kick-off")),
        ],
        name="meetings",
    )
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who was at the Review besides Ann Lee?", {"Ben Ode", "Cal Hume"}),
        ("Who attended the Review apart from Ann and Ben?", {"Cal Hume"}),
        ("Who was at the Review other than Dov Marsh?", {"Ann Lee", "Ben Ode", "Cal Hume"}),
    ],
)
def test_what_is_set_aside_is_left_out_and_not_asked_of(question: str, answers: set[str]) -> None:
    sentence, drafts = MEETINGS.of(question)
    kept = besides_named(MEETINGS.schema, sentence, drafts)
    assert any(d.answers == answers for d in kept)
    aside = (
        {"Ann Lee", "Ben Ode"}
        if "Ben" in question
        else {question.rsplit(" ", 2)[-2] + " " + question.rsplit(" ", 2)[-1][:-1]}
    )
    assert not any(aside & {e for row in (*d.rows, *d.minus) for e in row} for d in kept)
    assert not any(aside & d.answers for d in kept)


@pytest.mark.parametrize("question", ["Who attended the Review?", "Who was at the Review besides Ann's colleagues?"])
def test_nothing_is_set_aside(question: str) -> None:
    sentence, drafts = MEETINGS.of(question)
    assert besides_named(MEETINGS.schema, sentence, drafts) == drafts
