"""How often a follow-up is completed rightly, apart from earlier turns that went wrong: each turn after the gold ones.

::

    python benchmarks/bench_follow_ups.py corpus [--domains D …] [--fit]

Questions and claims of the conversations, but for the first of each and those that answer a choice. ``--fit``: the
weights of ``agents.assistant.interpreter`` by a conditional logit over the completions, and what they would come to on
domains that they were not fitted to.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from scipy.optimize import minimize

from triplewise.agents.assistant.answers import verbalise
from triplewise.agents.assistant.events import Answered
from triplewise.agents.assistant.intents.claims_said import claim_of
from triplewise.agents.assistant.interpreter import Completed, Interpreter
from triplewise.agents.assistant.memory import Memory, Remembered, remember
from triplewise.evals.conversations.score import is_right
from triplewise.evals.conversations.talks import Expected, Talk, training
from triplewise.graphs.assistant_methods import interpreter_of, run_query
from triplewise.kg.query import QueryGraph

MODEL = FakeListChatModel(responses=[""])
"""Never asked: readings are executed only."""
FEATURES = ("score", "answer", "inner", "older", "second", "later", "among or else")
FOLDS = 8
RIDGE = 0.5


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn's completions: features [completions, features], which come to what is expected, and which is chosen."""

    domain: str
    features: np.ndarray
    right: np.ndarray
    chosen: int


def main() -> None:
    """Read the arguments, play, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--domains", nargs="*", default=(), help="training domains; default: all")
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    turns = asyncio.run(collect(training(args.corpus, args.domains)))
    chosen, any_right = sum(bool(t.right[t.chosen]) for t in turns), sum(bool(t.right.any()) for t in turns)
    print(f"{len(turns)} turns: the chosen completion's first reading right for {chosen}, any completion's {any_right}")
    if args.fit:
        weights = fit(turns)
        print(", ".join(f"{n} {w / weights[0]:.2f}" for n, w in zip(FEATURES, weights, strict=True)))
        names = sorted({t.domain for t in turns})
        right = 0
        for fold in range(FOLDS):
            apart = set(names[fold::FOLDS])
            weights = fit([t for t in turns if t.domain not in apart])
            right += sum(bool(t.right[np.argmax(t.features @ weights)]) for t in turns if t.domain in apart)
        print(f"fitted to other domains: {right}")


async def collect(talks: list[Talk]) -> list[Turn]:
    """The turns that have several completions, or one."""
    return [turn for talk in talks async for turn in _turns(talk)]


async def _turns(talk: Talk):
    kg, domain = talk.domain.store, talk.domain
    interpreter = interpreter_of(kg)
    said: list[Remembered] = []
    after_choice = False
    for expected in talk.turns:
        if expected.query is None or expected.act == "clarify":
            after_choice = expected.act == "clarify"
            continue
        task = "verify" if expected.act == "verify" else "ask"
        if said and not after_choice and expected.act != "none":
            found = completions(interpreter, expected, task, Memory(kg, said))
            if found:
                right = [await _right(talk, expected, c.turn.readings[0].query) for c in found]
                rows = np.array([list(_features(c)) for c in found])
                best = max(range(len(found)), key=lambda k: found[k].score)
                yield Turn(domain.name, rows, np.array(right), best)
        after_choice = False
        result = await run_query(kg, MODEL, expected.standalone, expected.query)
        said.append(remember(kg, expected.user, result, task, named=tuple(expected.things)))


def completions(interpreter: Interpreter, expected: Expected, task: str, memory: Memory) -> list[Completed]:
    """What the interpreter holds against each other; [] where an edit of the last query is taken."""
    text = claim_of(expected.user) if task == "verify" else expected.user
    found = interpreter.follow_ups.interpretations(text, memory)
    if task == "ask" and any(i.query is not None for i in found):
        return []
    return list(interpreter.completed(found, text, task, memory))


async def _right(talk: Talk, expected: Expected, query: QueryGraph) -> bool:
    result = await run_query(talk.domain.store, MODEL, expected.user, query)
    shown = verbalise(talk.domain.store, result, "")
    answered = Answered("", shown.text, shown.kind, shown.answers, shown.verdict)
    return is_right(talk.domain, expected, answered, None)


def _features(one: Completed) -> Iterator[float]:
    bare = Completed(one.turn, clear=one.clear)
    among_or_else = one.turn.interpretation.kind in ("among", "else")
    yield bare.score
    yield from (float(one.place == place) for place in ("answer", "inner", "older"))
    yield from (float(one.back == 1), float(one.back > 1), float(among_or_else))


def fit(turns: list[Turn]) -> np.ndarray:
    """[features] weights that make the right completions likeliest, with a ridge."""
    used = [t for t in turns if t.right.any() and not t.right.all()]

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = RIDGE * float(w @ w), 2 * RIDGE * w
        for turn in used:
            logits = turn.features @ w
            shares = np.exp(logits - logits.max())
            shares /= shares.sum()
            held = shares * turn.right
            total -= float(np.log(held.sum()))
            slope = slope + turn.features.T @ (shares - held / held.sum())
        return total, slope

    return minimize(loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B").x


if __name__ == "__main__":
    main()
