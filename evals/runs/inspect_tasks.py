"""Question answering and claim verification as Inspect tasks.

``inspect eval evals/runs/inspect_tasks.py@triplewise_eval -T dataset=metaqa-1 -T folder=data/metaqa --model
triplewise/openai:gpt-4o-mini`` runs one. The hashes of the items, the graph and the code (prompts and
metrics included) are task arguments: Inspect's resume matches ids only, so a task made again for a resume
compares them with what it finds now, and refuses where anything changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Metric as InspectMetric
from inspect_ai.scorer import SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

import triplewise
from triplewise.backends.cache import stable_json
from triplewise.backends.encoders.reranker import reranker_id
from triplewise.errors import ConfigError, TriplewiseError, UserError
from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.data.items import Dataset, DatasetError, Item, Shard, digest
from triplewise.evals.runs import inspect_model  # registers the provider, also where Inspect loads this file alone
from triplewise.evals.runs.answer import Resources, answer_item, note_of, open_resources, store_of
from triplewise.evals.runs.stale import check_hashes, code_hash
from triplewise.evals.scores.metrics import METRICS, VERSIONS, Outcome, mean, score
from triplewise.evals.scores.results import item_of, outcome_of
from triplewise.graphs.method import method as method_record
from triplewise.kg import KGStore
from triplewise.types import Result


@dataclass(frozen=True, slots=True)
class _LoadedTask:
    """What a task works on, loaded; ``hashes`` of it and of the code. ``whole``: items of all shards."""

    data: Dataset
    whole: int
    kg: KGStore
    resources: Resources
    hashes: dict[str, str]
    note: str

    @property
    def key(self) -> str:
        return digest(sorted(self.hashes.items()))[:20]


_stores: dict[str, KGStore] = {}
"""By content hash: runs over one graph share the store, and so the retriever that is open for it."""
_loaded_tasks: dict[str, _LoadedTask] = {}
"""By key: what the solvers of this process work on."""
_found: dict[str, dict[str, Any]] = {}
"""By a sample's uuid: what the solver found, until it is put into the sample's metadata.

What a solver changes in a state, Inspect logs once more as the change that it is.
"""
_listeners: list[Callable[[str, Outcome], None]] = []


@contextmanager
def listening(listener: Callable[[str, Outcome], None] | None) -> Iterator[None]:
    """Inside the block ``listener`` is called with the id and the outcome of each item that is finished."""
    _listeners.extend([listener] if listener else [])
    try:
        yield
    finally:
        _listeners.clear()


def hashes(arguments: dict[str, Any], model: Any) -> dict[str, str]:
    """The hashes of all that a run with these task arguments and this Inspect model rests on."""
    chat = model.api.chat if isinstance(model.api, inspect_model.TriplewiseAPI) else None
    weights = chat._identifying_params if chat is not None else {"model": str(model)}
    if reranker := reranker_id():
        weights = {**weights, "reranker": reranker}
    return {**_load(arguments).hashes, "weights_hash": digest(stable_json(weights))}


def _load(arguments: dict[str, Any]) -> _LoadedTask:
    split, limit = arguments.get("split", "dev"), arguments.get("limit")
    data = load_dataset(arguments["dataset"], arguments["folder"], split, limit)
    if any(item.task == "complete" for item in data.items):
        raise DatasetError(f"{data.name} is for link prediction.", "Use the link-prediction evaluation.")
    types = arguments.get("type_relations")
    loaded = store_of(data, arguments.get("graph"), types)
    kg = _stores.setdefault(f"{loaded.content_hash} {types}", loaded)
    wanted = ("embedder", "index", "retrieval", "subgraph", "preset")
    used = {k: arguments[k] for k in wanted if arguments.get(k) is not None}
    resources = open_resources(kg, arguments.get("method", "kg-gpt"), **used)
    whole = len(data.items)
    hashed = data.content_hash  # the whole's, so that shards know each other
    data = data.shard(Shard.read(arguments["shard"]) if arguments.get("shard") else None)
    found = {"data_hash": hashed, "kg_hash": kg.content_hash, "code": code_hash(), **resources.hashes}
    note = "; ".join(filter(None, (note_of(data, loaded), resources.note)))
    return _LoadedTask(data, whole, kg, resources, found, note)


@task
def triplewise_eval(
    dataset: str,
    folder: str,
    split: str = "dev",
    limit: int | None = None,
    shard: str = "",
    graph: str | None = None,
    method: str = "kg-gpt",
    preset: str = "default",
    shots: int | None = None,
    top_k: int | None = None,
    knowledge: str | None = None,
    retrieval: str | None = None,
    use_plan: bool | None = None,
    closed_world: bool | None = None,
    hops: int | None = None,
    type_relations: list[str] | None = None,
    subgraph: bool | None = None,
    embedder: str = "minilm",
    index: str | None = None,
    data_hash: str = "",
    kg_hash: str = "",
    code: str = "",
    weights_hash: str = "",
    embedder_id: str = "",
    index_hash: str = "",
) -> Task:
    """A data set of ``evals.data.datasets`` answered by one of our methods and scored by ``evals.scores.metrics``.

    Raises DatasetError where data or graph are missing, StaleRunError where a hash given does not fit.
    """
    arguments = dict(locals())
    loaded = _load(arguments)
    data = loaded.data
    check_hashes({name: arguments[name] for name in loaded.hashes}, loaded.hashes)
    _loaded_tasks[loaded.key] = loaded
    options = {
        "shots": shots, "top_k": top_k, "knowledge": knowledge, "retrieval": retrieval, "use_plan": use_plan,
        "closed_world": closed_world, "hops": hops, "subgraph": subgraph,
    }  # fmt: skip
    options = {k: v for k, v in options.items() if v is not None}
    method_record(method, data.items[0].task if data.items else "ask").check(preset, **options)
    options = {"method": method, "preset": preset, **options}
    return Task(
        dataset=MemoryDataset([sample_of(item) for item in data.items], name=f"{data.name}-{data.split}"),
        solver=answer(loaded.key, options),
        scorer=scores(),
        cleanup=keep_found,
        fail_on_error=0.01,
        continue_on_fail=True,
        metadata={
            **loaded.hashes,
            "weights_hash": weights_hash,
            "metrics": dict(VERSIONS),
            "note": loaded.note,
            "whole": loaded.whole,
            "triplewise": triplewise.__version__,
        },
    )


def sample_of(item: Item) -> Sample:
    """An item as Inspect's sample; the item itself travels in the metadata."""
    target = list(item.answers) if item.label is None else ("supported" if item.label else "refuted")
    return Sample(id=item.id, input=item.text, target=target, metadata={"item": asdict(item)})


@solver
def answer(task_key: str, options: dict[str, Any]) -> Solver:
    """Runs a method over what the task with that key works on; the sample's output is the method's text.

    Errors of a model leave the sample in error, for Inspect to try again; what the item itself makes
    impossible (its entity is not in the graph, the question is empty) is an outcome that counts as wrong.
    """

    kg = _loaded_tasks[task_key].kg
    options = {**options, **_loaded_tasks[task_key].resources.options}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = item_of(state.metadata)
        started, found = time.perf_counter(), dict[str, Any]()
        try:
            result = await answer_item(kg, item, inspect_model.InspectChat(), options)
        except TriplewiseError as error:
            if isinstance(error, ConfigError) or not isinstance(error, UserError):
                raise _bare(error) from None
            outcome, text = Outcome(error=type(error).__name__, seconds=time.perf_counter() - started), str(error)
        else:
            outcome, text = Outcome.of(result, time.perf_counter() - started), result.text
            found = {"steps": [asdict(step) for step in result.steps], "names": names_in(kg, result)}
        for listener in _listeners:
            listener(item.id, outcome)
        _found[state.uuid] = {**found, "outcome": asdict(outcome)}
        state.output = ModelOutput.from_content(str(state.model), text)
        return state

    return solve


async def keep_found(state: TaskState) -> None:
    """Put what the solver found into the sample's metadata, which ``evals.scores.results`` reads; scored or not."""
    state.metadata |= _found.pop(state.uuid, {})


def _bare(error: TriplewiseError) -> TriplewiseError:
    """The error without its frames and notes, which say nothing more than its message.

    Inspect draws the traceback of every failed sample: 0.7 s where it is deep and no two are equal, which a run
    whose cap is reached, or whose server is down, pays for every item that is left.
    """
    error.__notes__ = []
    return error.with_traceback(None)


def names_in(kg: KGStore, result: Result) -> dict[str, str]:
    """Display names of the evidence's entities and relations where they differ from the ids."""
    names = {r: kg.relation_label(r) for r in {e.triple.relation for e in result.evidence}}
    names |= {i: kg.display(i) for e in result.evidence for i in (e.triple.head, e.triple.tail)}
    return {i: name for i, name in names.items() if name != i}


@metric
def applicable_mean() -> InspectMetric:
    """The mean over the samples that a metric applies to."""

    def compute(scores: list[SampleScore]) -> float:
        values = [s.score.as_float() for s in scores if s.score.value is not None]
        return mean([v for v in values if v == v])[0] or 0.0

    return compute


@scorer(metrics={name: [applicable_mean()] for name in METRICS})
def scores() -> Scorer:
    """All metrics of one item; NaN where one does not apply. Their versions are in the task's metadata: Inspect
    copies what a score holds once for every metric."""

    async def compute(state: TaskState, target: Target) -> Score:
        item = item_of(state.metadata)
        found = _found.get(state.uuid, state.metadata)  # the metadata, where a log is scored
        stopped = Outcome(error="limit")  # Inspect also scores what a limit stopped
        outcome = outcome_of(found) if "outcome" in found else stopped
        values = {k: float("nan") if v is None else v for k, v in score(item, outcome).items()}
        return Score(value=values, answer=state.output.completion)

    return compute
