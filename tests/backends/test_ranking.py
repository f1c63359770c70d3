"""Ranking choices equals the product of the probabilities of the allowed tokens."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplewise.backends import load_chat_model
from triplewise.backends.ranking import rank_choices

VOCABULARY = 6
ENDS = [4, 5]


def scripted_logits(reply: list[int]) -> np.ndarray:
    return np.random.default_rng([7, *reply]).normal(size=VOCABULARY) * 2


def by_hand(choices: list[tuple[int, ...]], choice: tuple[int, ...]) -> float:
    total = 0.0
    for depth in range(len(choice) + 1):
        after = {c[depth : depth + 1] for c in choices if c[:depth] == choice[:depth]}
        logits = scripted_logits(list(choice[:depth]))
        scores = {a: logits[a[0]] if a else np.logaddexp.reduce([logits[e] for e in ENDS]) for a in after}
        total += scores[choice[depth : depth + 1]] - np.logaddexp.reduce(list(scores.values()))
    return total


@settings(max_examples=200, deadline=None)
@given(st.sets(st.lists(st.integers(0, 3), min_size=1, max_size=5).map(tuple), min_size=1, max_size=12))
def test_log_probabilities_are_those_of_the_allowed_tokens(drawn: set[tuple[int, ...]]) -> None:
    choices = sorted(drawn)
    found = rank_choices(choices, ENDS, scripted_logits)
    assert np.exp(found).sum() == pytest.approx(1)
    expected = [by_hand(choices, c) for c in choices]
    likely = [i for i, e in enumerate(expected) if e > -6]
    assert [found[i] for i in likely] == pytest.approx([expected[i] for i in likely])


def test_choices_that_differ_in_their_first_token_cost_one_evaluation() -> None:
    asked: list[list[int]] = []

    def logits_after(reply: list[int]) -> np.ndarray:
        asked.append(reply)
        return scripted_logits(reply)

    rank_choices([(0, 1, 2), (1, 1), (2,)], ENDS, logits_after)
    assert asked == [[]]
    rank_choices([(0, 1, 2), (0, 1, 3)], ENDS, logits_after)
    assert asked[1:] == [[0, 1]]


@pytest.mark.local
def test_the_embedded_model_ranks_as_it_would_reply() -> None:
    model = load_chat_model("llamacpp:embedded")
    choices = ["directed by", "directed", "starring", "release year", "none"]
    prompt = "Choose the relations of: Jane Campion directed the film.\nRelations: " + " ; ".join(choices)
    reply = model.invoke(prompt, rank=choices)
    ranked = json.loads(reply.text)
    assert sorted(name for name, _ in ranked) == sorted(choices)
    assert [s for _, s in ranked] == sorted((s for _, s in ranked), reverse=True)
    assert np.exp([s for _, s in ranked]).sum() == pytest.approx(1, abs=1e-3)
    again = json.loads(model.invoke(prompt, rank=choices).text)
    assert [n for n, _ in again] == [n for n, _ in ranked]
    assert reply.usage_metadata and reply.usage_metadata["input_tokens"] > 20  # pyright: ignore[reportAttributeAccessIssue]
    assert model.invoke("Say hello.", max_tokens=4).text  # the engine goes on as before
