"""Every fault of a model's server in the middle of an answer: a typed error, or the answer as without it (R6)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from fake_openai_server import FAULTS
from fuzzing import Counted

import triplewise
from triplewise.backends import load_chat_model
from triplewise.errors import TriplewiseError
from triplewise.kg import NetworkxStore

KG = NetworkxStore([("Heat", "directed by", "Michael Mann"), ("Alien", "directed by", "Ridley Scott"), ("Heat", "starring", "Al Pacino")])  # fmt: skip
RETRIES = 2
REPLIES: dict[str, Any] = {
    "refusal": {"content": "", "refusal": "I cannot help with that"},
    "bad tool call": {"content": None, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "no", "arguments": "{bad"}}]},
    "another alphabet": "ответ неизвестен",
    "nothing": "",
}  # fmt: skip
"""What is no fault of the protocol, said instead of one reply."""


def _right(body: dict[str, Any]) -> str:
    system = body["messages"][0]["content"]
    if "You split" in system:
        return "1. Heat was directed by ?answer | Heat ; ?answer"
    return "directed by" if "You choose" in system else "Michael Mann"


def _strike(name: str, times: int, fake_openai: Callable[..., Any]) -> Counter[str]:
    """The outcomes of so many questions, each with the fault in some of its calls."""
    rng, turns = random.Random(name), list[Any]()

    def reply(body: dict[str, Any]) -> Any:
        return REPLIES[name] if turns and turns.pop(0) else _right(body)

    server = fake_openai(reply)
    chat = load_chat_model("openai:fake", timeout=0.3, max_retries=RETRIES, cache=False)
    found: Counter[str] = Counter()
    for _ in range(times):
        before, struck = server.requests, rng.choice((1, 2, 3, 20))
        hits = [False] * rng.randrange(3) + [True] * struck
        turns[:] = hits if name in REPLIES else []
        server.faults = [] if name in REPLIES else [name if hit else "ok" for hit in hits]
        try:
            result = triplewise.ask(KG, "Who directed Heat?", model=chat, method="kg-gpt", embedder="", shots=2)
        except TriplewiseError as error:
            assert str(error) and len(str(error)) < 1_000
            found[type(error).__name__] += 1
        else:
            told = result.warnings or any(step.status in ("repaired", "fallback") for step in result.steps)
            assert [a.label for a in result.answers] == ["Michael Mann"] or (told and not result.answers), name
            found["answered" if result.answers else "said to be without an answer"] += 1
        assert server.requests - before <= 3 * 2 * (RETRIES + 1)  # three nodes, one repair each
    return found


NAMES = [*(name for name in FAULTS if name not in ("ok", "429")), "429", "429:0.01", *REPLIES]


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_is_never_an_answer(name: str, fake_openai: Callable[..., Any]) -> None:
    assert sum(_strike(name, 1, fake_openai).values()) == 1


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", NAMES)
def test_fifty_of_each_fault(name: str, fake_openai: Callable[..., Any], count: Counted) -> None:
    found = _strike(name, 50, fake_openai)
    count(f"fault {name!r} × 50: 0 silent; " + ", ".join(f"{k} {v}" for k, v in sorted(found.items())))
