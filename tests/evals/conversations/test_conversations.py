"""Scores of turns against what was told, over a domain of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.agents.assistant.events import Answered, Choices, Citation, Citations, Option, StepFinished
from triplewise.evals.conversations.score import Summary, score_turn
from triplewise.evals.conversations.talks import Talk, talks
from triplewise.train.query_graph.corpus import DEVELOPMENT, Domain
from triplewise.types import Answer

CORPUS = Path(__file__).resolve().parent.parent.parent.parent / "corpus"


@pytest.fixture(scope="module")
def talk() -> Talk:
    return next(t for t in talks(Domain(CORPUS / "farm")) if t.id == "farm/v1")


def test_the_development_domains_have_eighty_conversations() -> None:
    lines = [x for d in DEVELOPMENT for x in (CORPUS / d / "conversations.jsonl").read_text().splitlines() if x.strip()]
    assert len(lines) >= 80


def test_a_turn_is_right_where_it_comes_to_what_was_expected(talk: Talk) -> None:
    assert [t.act for t in talk.turns][:3] == ["clarify", "ask", "ask"]
    dukes = tuple(Option(i, i) for i in talk.turns[0].answers)
    asked = score_turn(talk, 0, [StepFinished("s", "route", detail={"intent": "ask"}), Choices("m", "Which?", dukes)])
    assert asked.right and asked.asked and asked.tool
    [answer] = talk.turns[1].answers
    told = Answered("m", "2004-05-17 [1].", answers=(Answer(answer, "2004-05-17"),))
    assert score_turn(talk, 1, [told]).right
    assert not score_turn(talk, 1, [Answered("m", "no", kind="nothing")]).right


def test_citations_must_stand_for_triples_of_the_graph(talk: Talk) -> None:
    triple = next(iter(talk.domain.store.triples()))
    good = Citation(1, "m#1", *triple, labels=("a", "b", "c"))
    told = Answered("m", "So [1]. And so [2].")
    scored = score_turn(talk, 1, [Citations("m", (good,)), told])
    assert (scored.citations, scored.invalid) == (2, 1)
    invented = Citation(2, "m#2", "x", "y", "z", ("x", "y", "z"))
    assert score_turn(talk, 1, [Citations("m", (good, invented)), told]).invalid == 1


def test_a_summary_counts(talk: Talk) -> None:
    summary = Summary((score_turn(talk, 1, [Answered("m", "no", kind="nothing")]),))
    assert summary.share("right") == (0.0, 1) and "right: 0.0% of 1 turns" in summary.lines()[0]
