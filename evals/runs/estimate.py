"""What a run will cost, from a few of its items: calls, tokens, money and, where the model was asked, time.

A dry run asks no model. A stand-in segments by the gold relation path where that is known, and agrees to
KICGPT's questions; its other replies do not parse, so that each node takes its fallback, and the repeated
questions that follow are not counted. Tokens are those of the real prompts by the model's own count, a reply
is taken as ``REPLY`` tokens. That tells the order of magnitude; asking the model itself for the sample's items
tells more, and costs them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from triplewise.agents.context import Context
from triplewise.agents.node import run_sync
from triplewise.backends import load_chat_model
from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.traits import traits_of
from triplewise.backends.usage import Budget, use_budget
from triplewise.errors import ConfigError, UserError
from triplewise.evals.accounting.spend import price_of
from triplewise.evals.runs.answer import answer_item, open_resources, store_of
from triplewise.evals.runs.kicgpt_run import LinkRun
from triplewise.evals.runs.plan import Request, data_of, method_of, settings_of
from triplewise.evals.runs.stage_gold import gold_model
from triplewise.evals.scores.kicgpt import KnownAnswers, evaluate, queries_of
from triplewise.evals.scores.statistics import Interval, bootstrap
from triplewise.graphs import kicgpt
from triplewise.kg import load_kg
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.scorers import find_scorer
from triplewise.types import Usage

SAMPLE = 20
REPLY = 25
"""Tokens taken for a reply in a dry run: a name, a relation, a few short sentences."""
Run = Callable[[BaseChatModel], Awaitable[Any]]


class _StandIn(ScriptedChatModel):
    """Asked in the place of a model, and as that one would be."""

    trained_for: frozenset[str] = frozenset()
    known_relations: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of a whole run of ``n`` items, from ``sampled`` of them; ``tokens_interval`` is at 95%.

    ``cost`` is None where the model has no price, ``seconds`` (one item after the other) in a dry run. ``rough``:
    what a dry run took for the model's replies, "" where the model was asked.
    """

    n: int
    sampled: int
    calls: float
    prompt_tokens: float
    completion_tokens: float
    tokens_interval: Interval
    cost: float | None
    seconds: float | None
    rough: str = ""


def estimate(request: Request, *, ask: bool = False, sample: int = SAMPLE, seed: int = 0) -> Estimate:
    """The cost of a run; ``ask`` asks the model itself for the sampled items, at their cost."""
    settings = settings_of(request)
    model = load_chat_model(request.model, **settings.model_args)
    links = isinstance(settings, LinkRun)
    n, runs, reply = _links(settings, sample, seed) if links else _items(request, sample, seed)
    started = time.perf_counter()
    used = [_asked(run, model) if ask else _counted(run, reply, model) for run in runs]
    seconds = time.perf_counter() - started
    total, price, scale = sum(used, Usage()), price_of(model), n / len(used)
    low, high = bootstrap([float(u.prompt_tokens + u.completion_tokens) for u in used])
    return Estimate(
        n,
        len(used),
        total.calls * scale,
        total.prompt_tokens * scale,
        total.completion_tokens * scale,
        Interval(low * n, high * n),
        None if price is None else price.of(total) * scale,
        seconds * scale if ask else None,
        "" if ask else _rough(request),
    )


def _rough(request: Request) -> str:
    if told := method_of(request).dry_run:
        return told
    if all(item.path for item in data_of(request).items):
        return "sentences are split by their gold relation paths"
    return "no gold relation paths are known, so each sentence counts as one part: more parts make more calls"


def _items(request: Request, sample: int, seed: int) -> tuple[int, list[Run], Any]:
    data = data_of(request)
    kg = store_of(data, request.graph, request.type_relations)
    drawn = random.Random(seed).sample(data.items, min(sample, len(data.items)))
    chosen = method_of(request)
    resources = open_resources(
        kg, chosen.id, embedder=request.embedder, index=request.index,
        retrieval=request.options.get("retrieval"), subgraph=request.options.get("subgraph"),
        preset=request.preset,
    )  # fmt: skip
    options = {"method": chosen.id, "preset": request.preset, **request.options, **resources.options}
    gold: Any = gold_model(kg, [i for i in drawn if i.path]).responses

    def reply(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
        try:
            return gold(messages, kwargs)
        except KeyError:  # its path is not known
            return ""

    return len(data.items), [lambda model, item=item: answer_item(kg, item, model, options) for item in drawn], reply


def _links(settings: LinkRun, sample: int, seed: int) -> tuple[int, list[Run], Any]:
    kg = load_kg(settings.data)
    data, nodes = LinkPredictionData.from_folder(settings.data), set(kg.entities())
    pairs = [p for p in queries_of(data.triples(settings.part)) if p[0].entity in nodes and p[1] in nodes]
    drawn = random.Random(seed).sample(pairs, min(sample, len(pairs)))
    graph, scorer = kicgpt.build(settings.row_settings(settings.rows[0], seed)), find_scorer(kg, settings.scorer)
    known = KnownAnswers(())

    def agree(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
        node = str(kwargs["node"]).partition("[")[0]
        return "Yes" if node == "responsibility" else "1, 2, 3" if node == "final_query" else "OK"

    def run(model: BaseChatModel, pair: Any) -> Awaitable[Any]:
        return evaluate(graph, Context(kg=kg, model=model, scorer=scorer), [pair], known)

    n = min(settings.queries or len(pairs), len(pairs))
    return n, [lambda model, pair=pair: run(model, pair) for pair in drawn], agree


def _asked(run: Run, model: BaseChatModel) -> Usage:
    with use_budget(Budget()) as budget:
        _one(run, model)
    return budget.meter.total


def _counted(run: Run, reply: Any, model: BaseChatModel) -> Usage:
    asked: list[list[BaseMessage]] = []

    def counted(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
        if not kwargs["repair"]:  # a model of its own might need one, or not
            asked.append(messages)
        return reply(messages, kwargs)

    traits = traits_of(model)
    _one(run, _StandIn(responses=counted, trained_for=traits.trained_for, known_relations=traits.known_relations))
    return Usage(len(asked), sum(map(model.get_num_tokens_from_messages, asked)), 0, REPLY * len(asked))


def _one(run: Run, model: BaseChatModel) -> None:
    try:
        run_sync(run(model))  # pyright: ignore[reportArgumentType]
    except ConfigError:
        raise
    except UserError:
        pass  # an item that no method can take costs nothing
