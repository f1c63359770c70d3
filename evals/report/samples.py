"""The items of a run for the report's sample browser, as JSON values.

Prompts of one node begin alike (instructions and worked examples): what they share is kept once a run, under
``shared``, and a prompt is [index into it, the rest].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from triplewise.evals.scores.results import ItemResult
from triplewise.evals.scores.stages import fault_of, is_wrong

_LEAST = 80
"""Characters from which sharing a beginning is worth it."""


def samples(name: str, items: Sequence[ItemResult]) -> dict[str, Any]:
    """``{"name", "items", "shared"}`` of a run; steps hold what each node saw, asked and got."""
    begins = _beginnings(items)
    shared = list(dict.fromkeys(begins.values()))
    places = {node: shared.index(text) for node, text in begins.items()}
    return {"name": name, "shared": shared, "items": [_item(item, shared, places) for item in items]}


def _item(item: ItemResult, shared: Sequence[str], places: Mapping[str, int]) -> dict[str, Any]:
    fault = fault_of(item)
    link = item.item.task == "complete"
    right = bool(item.scores.get("hits_1")) if link else not is_wrong(item)
    evidence = [list(triple) for triple in item.evidence]
    record = {
        "id": item.id,
        "text": item.text,
        "right": right,
        "gold": list(item.gold),
        "answers": [item.verdict.replace("_", " ")] if item.verdict else list(item.answers),
        "ranks": [round(1 / mrr) for k in ("retriever_mrr", "mrr") if (mrr := item.scores.get(k))],
        "stage": fault.stage if fault else "",
        "why": fault.why if fault else "",
        "error": item.error,
        "kind": item.kind,
        "hops": item.hops,
        "evidence": evidence,
        "cited": sorted(set(item.citations)),
        "tokens": item.outcome.tokens,
        "seconds": round(item.seconds, 2),
        "steps": [_step(step, evidence, shared, places) for step in item.steps],
    }
    return {key: value for key, value in record.items() if value not in ("", [], 0, 0.0) or key == "right"}


def _step(
    step: Mapping[str, Any], evidence: Sequence[Sequence[str]], shared: Sequence[str], places: Mapping[str, int]
) -> dict[str, Any]:
    detail = dict(step["detail"])
    if [list(triple) for triple in detail.get("evidence", ())] == list(evidence)[:50]:
        detail.pop("evidence", None)  # the item shows it
    prompt, place = step["prompt"], places.get(_node(step))
    if prompt and place is not None:
        prompt = [place, prompt[len(shared[place]) :]]
    record = {
        "node": step["node"],
        "status": step["status"],
        "note": step["note"],
        "detail": detail,
        "prompt": prompt,
        "reply": step["reply"],
        "tokens": step["usage"]["prompt_tokens"] + step["usage"]["completion_tokens"],
        "seconds": round(step["seconds"], 3),
    }
    return {key: value for key, value in record.items() if value not in ("", 0, 0.0, {})}


def _beginnings(items: Sequence[ItemResult]) -> dict[str, str]:
    """Node → what all its prompts begin with, whole lines, where that is long."""
    prompts: dict[str, list[str]] = {}
    for item in items:
        for step in item.steps:
            if step["prompt"]:
                prompts.setdefault(_node(step), []).append(step["prompt"])
    found = {}
    for node, texts in prompts.items():
        low, high = min(texts), max(texts)  # what these two share, all share
        end = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
        begin = low[:end]
        begin = begin[: begin.rfind("\n") + 1]
        if len(texts) > 1 and len(begin) >= _LEAST:
            found[node] = begin
    return found


def _node(step: Mapping[str, Any]) -> str:
    return step["node"].partition("[")[0]
