"""Runs of link prediction (``evals.runs.kicgpt_run``) seen as any other run: one record per query, with its scores."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triplewise.evals.accounting.ledger import read_ledger
from triplewise.evals.scores.metrics import Outcome

OUTCOMES = "outcomes.jsonl"
LINK_VERSIONS: Mapping[str, int] = dict.fromkeys(
    [f"{who}{what}" for who in ("", "retriever_") for what in ("mrr", "hits_1", "hits_3", "hits_10")]
    + ["offered", "fallback", "calls", "tokens", "cost"],
    1,
)
"""Metric → version, as ``evals.scores.metrics.VERSIONS``."""


def link_scores(record: Mapping[str, Any]) -> dict[str, float | None]:
    """All metrics of one query from its filtered ranks; ``retriever_``: before the re-ranking."""
    scores: dict[str, float | None] = {}
    for who, rank in (("", record["rank"]), ("retriever_", record["retriever_rank"])):
        scores[f"{who}mrr"] = 1 / rank
        scores |= {f"{who}hits_{k}": float(rank <= k) for k in (1, 3, 10)}
    usage = record["usage"]
    return {
        **scores,
        "offered": float(record["offered"]),
        "fallback": float(record["failed"]),
        "calls": float(usage["calls"] + usage["cache_hits"]),
        "tokens": float(usage["prompt_tokens"] + usage["completion_tokens"]),
        "cost": usage["cost"],
    }


def read_links(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """(what ``run.json`` says, the records of all rows in the queries' order) of a run of link prediction."""
    described = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return described, sorted(
        read_ledger(folder / OUTCOMES),
        key=lambda r: (r["seed"], str(r["head"]), r["relation"], str(r["tail"]), r["answer"]),
    )


def link_outcome(record: Mapping[str, Any]) -> Outcome:
    """What a query's record says as the outcome of an item."""
    usage = record["usage"]
    tokens = usage["prompt_tokens"] + usage["completion_tokens"]
    return Outcome(calls=usage["calls"], tokens=tokens, cached_tokens=usage["cached_tokens"], cost=usage["cost"])
