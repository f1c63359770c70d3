"""One item through one of our methods, whichever harness asks."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel

from triplewise.evals.datasets import LOADERS
from triplewise.evals.items import Dataset, DatasetError, Item
from triplewise.graphs.run import aask, averify
from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.types import Result


def store_of(data: Dataset, graph: str | None = None) -> NetworkxStore:
    """The graph of a data set, or another one given as a path; raises DatasetError where there is none.

    A benchmark is taken as it is published: lines of its graph that are no triple are left out, and ``note_of``
    counts them. In a graph of one's own such a line is an error.
    """
    if graph or data.graph:
        return load_kg(graph or str(data.graph), skip_bad_lines=not graph and data.name in LOADERS)
    if not data.triples:
        raise DatasetError(f"{data.name} comes without a graph.", "Give one, or put kg.tsv beside the data.")
    return NetworkxStore.from_triples(data.triples)


def note_of(data: Dataset, kg: NetworkxStore) -> str:
    """What keeps the figures from being compared with published ones, lines that the graph lost included."""
    lost = f"{len(kg.skipped)} lines of the graph are no triple and left out" if kg.skipped else ""
    return "; ".join(filter(None, (data.note, lost)))


async def answer_item(kg: KGStore, item: Item, model: BaseChatModel, options: dict[str, Any]) -> Result:
    """The result of a question or claim; those of its entities that the graph has are given to the method."""
    known = tuple(e for e in item.entities if kg.has_entity(e))
    run = averify if item.task == "verify" else aask
    return await run(kg, item.text, model=model, entities=known, **options)
