"""One item through one of our methods, whichever harness asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel

from triplewise.backends.embedders import load_embedder
from triplewise.errors import MissingExtraError
from triplewise.evals.data.datasets import LOADERS
from triplewise.evals.data.items import Dataset, DatasetError, Item
from triplewise.graphs.method import method as method_record
from triplewise.graphs.run import aask, averify
from triplewise.kg import KGStore, LoadedGraph, NetworkxStore, load_kg
from triplewise.tools.retrieval.subgraph_text import PLAIN
from triplewise.tools.retrieval.triple_retriever import TripleRetriever, open_retriever
from triplewise.types import Result

NONE = "none"
"""Stands for an embedder or an index that is not there, since an empty hash is one that is not compared."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What a method works with beside graph and model, opened once a run.

    ``options``: of ``aask``. ``hashes``: ``embedder_id`` and ``index_hash``, "" for what the method does not use.
    ``note``: what keeps the figures from being compared with others.
    """

    options: dict[str, Any]
    hashes: dict[str, str]
    note: str = ""


def open_resources(
    kg: KGStore, method: str, *, embedder: str = "minilm", index: str | None = None, retrieval: str | None = None,
    subgraph: bool | None = None, preset: str = "default",
) -> Resources:  # fmt: skip
    """What the method works with: the embedder that helps small models, or a retriever over the index at ``index``;
    with ``subgraph`` False one whose triples were embedded without their sub-graphs. A ``preset`` of the model alone
    has none of them.

    Raises as ``load_embedder`` and ``open_retriever``.
    """
    record = method_record(method)
    if preset in record.alone:
        return Resources({}, {"embedder_id": "", "index_hash": ""})
    if "retriever" not in record.resources:
        return Resources({"embedder": embedder}, {"embedder_id": _embedder_id(embedder), "index_hash": ""})
    if retrieval == "bm25":
        return Resources({"retriever": TripleRetriever(kg)}, {"embedder_id": "", "index_hash": ""})
    retriever = open_retriever(kg, index or "", embedder, PLAIN if subgraph is False else None)
    found = NONE if retriever.index is None else retriever.index.fingerprint()
    note = "" if retriever.index else f"triples are ranked by BM25 alone: {retriever.note}"
    return Resources({"retriever": retriever}, {"embedder_id": _embedder_id(embedder), "index_hash": found}, note)


def _embedder_id(embedder: str) -> str:
    try:
        return load_embedder(embedder).id if embedder else NONE
    except MissingExtraError:
        if embedder != "minilm":
            raise
        return NONE  # as the methods do without it


def store_of(data: Dataset, graph: str | None = None, type_relations: Sequence[str] | None = None) -> LoadedGraph:
    """The graph of a data set, or another one given as a path; raises DatasetError where there is none.

    ``type_relations``: ids of the relations that tell classes; None: they are found.

    A benchmark is taken as it is published: lines of its graph that are no triple are left out, and ``note_of``
    counts them. In a graph of one's own such a line is an error.
    """
    if graph or data.graph:
        skip = not graph and data.name in LOADERS
        return load_kg(graph or str(data.graph), skip_bad_lines=skip, type_relations=type_relations)
    if not data.triples:
        raise DatasetError(f"{data.name} comes without a graph.", "Give one, or put kg.tsv beside the data.")
    return NetworkxStore(data.triples, type_relations=type_relations)


def note_of(data: Dataset, kg: LoadedGraph) -> str:
    """What keeps the figures from being compared with published ones, lines that the graph lost included."""
    lost = f"{len(kg.skipped)} lines of the graph are no triple and left out" if kg.skipped else ""
    return "; ".join(filter(None, (data.note, lost)))


async def answer_item(kg: KGStore, item: Item, model: BaseChatModel, options: dict[str, Any]) -> Result:
    """The result of a question or claim; those of its entities that the graph has are given to the method.

    ``options``: of ``aask``, those of ``Resources`` among them.
    """
    known = tuple(e for e in item.entities if kg.has_entity(e))
    run = averify if item.task == "verify" else aask
    return await run(kg, item.text, model=model, entities=known, **options)
