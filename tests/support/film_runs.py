"""Evaluations over a dozen invented films: how many, what a model answers, and the figures that come out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

Call = Callable[..., tuple[int, str, str]]
N = 12


def replies(wrong: frozenset[int] = frozenset()) -> Callable[[dict[str, Any]], str]:
    """A model that does all of KG-GPT's steps right, but takes another film for some; both presets' prompts."""

    def reply(body: dict[str, Any]) -> str:
        text = body["messages"][-1]["content"]
        number = int((re.findall(r"directed \[?Film(\d+)", text) or re.findall(r"Film(\d+)", text))[-1])
        number = N - 1 if number in wrong else number
        last = text.splitlines()[-1]
        if last == "Chosen:" or last.startswith("Top "):
            return "directed by"
        if last == "Answer:":
            return f"Person{number}"
        return f"1. Film{number} was directed by ?answer | Film{number} ; ?answer"

    return reply


def values(out: str) -> dict[str, float]:
    return {f["metric"]: f["value"] for f in json.loads(out)["figures"]}
