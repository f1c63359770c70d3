"""The demonstrations of Prompts 1 and 2 (Retrieval and Reasoning on KGs), from ``prompts/cot_kg/examples.yaml``."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from triplewise.errors import ConfigError
from triplewise.kg import NetworkxStore
from triplewise.prompts.template import load_examples
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.types import Triple

MAX_SHOTS = 3


def _shown(shots: int) -> list[dict[str, Any]]:
    if not 0 <= shots <= MAX_SHOTS:
        raise ConfigError(f"shots is {shots}; there are 0 to {MAX_SHOTS} demonstrations.")
    return load_examples("cot_kg")[:shots]


@cache
def plan_demonstrations(shots: int) -> str:
    """Questions with their steps and an output, for Prompt 1; each followed by a blank line."""
    return "".join(
        f"Input: {r['question']}\nCoT: Let's think step by step.\n"
        + "\n".join(f"{i}. {step}" for i, step in enumerate(r["plan"], 1))
        + f"\nOutput: {', '.join(r['guess'])}\n\n"
        for r in _shown(shots)
    )


@cache
def reason_demonstrations(shots: int, knowledge: str) -> str:
    """Questions with hints in the format ``knowledge``, "" for none, reasoning and answers, for Prompt 2."""
    return "".join(
        f"Input: {r['question']}\n"
        + (f"Hints:\n{_hints(r['triples'], knowledge)}\n" if knowledge else "")
        + f"CoT: Let's think step by step. {r['reasoning']}\nOutput: {json.dumps(r['answers'], ensure_ascii=False)}\n\n"
        for r in _shown(shots)
    )


def _hints(triples: list[list[str]], knowledge: str) -> str:
    found = [Triple(*triple) for triple in triples]
    return format_triples(NetworkxStore(found, name="demonstration"), found, knowledge)
