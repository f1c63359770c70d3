"""Conversations as an Inspect task.

``inspect eval evals/conversations/task.py@triplewise_conversations -T corpus=corpus`` with
``--model triplewise/llamacpp:embedded``.
A sample is a conversation; its scores are the shares of its turns.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from triplewise.errors import ConfigError
from triplewise.evals.conversations.play import play
from triplewise.evals.conversations.score import VERSION, TurnScore
from triplewise.evals.conversations.talks import Talk, development, training
from triplewise.evals.data.items import digest
from triplewise.evals.runs.inspect_model import InspectChat

_talks: dict[str, Talk] = {}


@task
def triplewise_conversations(
    corpus: str = "corpus", domains: str = "development", method: str = "", hash: str = ""
) -> Task:
    """``domains``: "development" (never tuned to), "training", or names joined by commas. ``hash``: of the
    conversations, which a resumed run compares."""
    folder = Path(corpus)
    if domains == "development":
        found = development(folder)
    else:
        found = training(folder, () if domains == "training" else tuple(domains.split(",")))
    now = digest(sorted((t.id, t.domain.store.content_hash, [e.user for e in t.turns]) for t in found))[:20]
    if hash and hash != now:
        raise ConfigError("the conversations are not those that the run began with.", "Start a new run.")
    _talks.update({t.id: t for t in found})
    samples = [Sample(id=t.id, input="\n".join(e.user for e in t.turns), target="") for t in found]
    return Task(
        dataset=MemoryDataset(samples), solver=_play(method), scorer=_shares(), version=VERSION, metadata={"hash": now}
    )


@solver
def _play(method: str) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        chat = InspectChat(model=model)
        turns = await play(_talks[str(state.sample_id)], chat, method=method, agent=None)
        state.metadata["turns"] = [asdict(t) for t in turns]
        state.output.completion = "\n".join(t.told for t in turns)
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def _shares() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        turns = [TurnScore(**t) for t in state.metadata["turns"]]
        return Score(value=shares(turns), metadata={"turns": state.metadata["turns"]})

    return score


def shares(turns: list[TurnScore]) -> dict[str, Any]:
    """The shares of a conversation's turns, and how many citations are invalid."""
    named = [t.rewriting for t in turns if t.rewriting is not None]
    needed = [t for t in turns if t.act == "clarify"]
    return {
        "right": sum(t.right for t in turns) / len(turns),
        "tool": sum(t.tool for t in turns) / len(turns),
        "rewriting": sum(named) / len(named) if named else 1.0,
        "asked_when_needed": sum(t.asked for t in needed) / len(needed) if needed else 1.0,
        "asked_needlessly": sum(t.asked for t in turns if t.act != "clarify") / len(turns),
        "invalid_citations": sum(t.invalid for t in turns),
    }
