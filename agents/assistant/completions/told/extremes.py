"""The first or last of what was told, meant by its measure: "the most expensive one", or "the cheap one" once the
cheapest was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues

_TURNS = 8
"""Turns after which the one that was the cheapest is still called so."""


def extreme_of(things: Things, nodes: Sequence[str], words: str) -> str:
    """The one of some things that has the most or the least by what the words measure: of two also "the cheap one";
    "" where no relation is so measured, or several are and tell different ones."""
    schema = things.names.schema
    said = [w for w in _superlatives(words) if len(nodes) == 2 or cues.MOST.search(words)]
    found: set[str] = set()
    for step in schema.steps(nodes[0]) if said else ():
        kind, measures = schema.value_kind(step.relation), schema.measure(step.relation)
        if step.inverse or kind not in ("number", "date", "year"):
            continue
        runs = next((r for w in said if (r := _direction(w, measures, dated=kind != "number"))), "")
        told = {n: schema.go(n, step) for n in nodes} if runs else {}
        values = {n: parse_value(things.kg.label(v[0])).key for n, v in told.items() if len(v) == 1}
        if len(values) > 1:
            end = (max if runs == ">" else min)(values.values())
            ends = [n for n, value in values.items() if value == end]
            found.update(ends if len(ends) == 1 else ("", *ends))
    return found.pop() if len(found) == 1 else ""


def told_extreme(words: str, memory: Memory) -> str:
    """The one answer to the latest question that asked for such a first or last: after "which is the cheapest boat?",
    "back to the cheap one"; "" where none did."""
    asked = re.compile(rf"\b(?:{'|'.join(map(re.escape, _superlatives(words)))})\b", re.I)
    turns = (t for t in reversed(memory.turns[-_TURNS:]) if len(t.answers) == 1 and asked.search(t.question))
    return next((t.answers[0] for t in turns if memory.is_thing(t.answers[0])), "")


def _direction(word: str, measures: str, *, dated: bool) -> str:
    return cues.extreme_date(word, measures) if dated else cues.extreme_number(word, measures)


def _superlatives(words: str) -> list[str]:
    """The superlatives of an adjective: "cheap", "cheaper" and "cheapest" are all "cheapest"."""
    word = words.strip().lower()
    if cues.MOST.match(word):
        return [word]
    stem = re.sub(r"(?<=\w{3})er$", "", re.sub(r"^(?:more|very|really) ", "", word))
    short = stem[:-1] if stem.endswith(("e", "y")) else stem
    return [f"{short}{'i' if stem.endswith('y') else ''}est", f"{stem}{stem[-1:]}est", f"most {stem}"]
