"""The answers that a long list left out: "who are the rest?", "show me more", "who else?", and "all of them"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.edits import listed, without
from triplewise.agents.assistant.memory import Memory
from triplewise.kg.query import QueryGraph

_ASKED = (
    r"(?:(?:(?:who|what|which|where)(?:['’]s| (?:is|are|was|were))|what about|how about|and|"
    r"(?:can|could|may|would) (?:you|i|we) (?:please )?(?:show|give|list|tell|name|see|have|get)(?: me| us)?"
    r"|(?:show|give|list|tell|name)(?: me| us)?|i (?:want|need|would like)(?: to see)?) )?"
)
_OF_THEM = r"(?: of (?:them|those|these|the list))?"
_REST = re.compile(
    rf"{_ASKED}(?:(?:all )?the (?:rest|remainder|remaining(?: ones?| \d+| \w+)?|missing ones?){_OF_THEM}"
    rf"|(?:(?:some|any|\d+|the (?:next|other)) )?more{_OF_THEM}"
    rf"|the (?P<other>next|others?)(?: (?:ones?|\d+|few|page))?{_OF_THEM}"
    r"|(?:go|carry) on|continue|next)(?:,? (?:please|then))?\W*",
    re.I,
)
_ALL = re.compile(
    rf"{_ASKED}(?:all(?: (?:of )?(?:them|those|these|\d+))|(?:them|those|these) all|every (?:single )?one{_OF_THEM}|"
    r"the (?:whole|full|complete|entire) (?:list|lot)|everything)(?:,? (?:please|then))?\W*",
    re.I,
)


def the_rest(bare: str, memory: Memory) -> Iterator[Interpretation]:
    """The last answers that were not told; or all of them, in full."""
    last = memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if last is None or query is None or query.answer is None or query.form == "ask":
        return
    told = last.answers[: last.shown]
    asked = last.question.rstrip(" ?.")
    if _ALL.fullmatch(bare):
        yield Interpretation(f"{asked}, all of them?", "all", "the whole list", query=_whole(query, memory))
    elif query.form == "select" and len(last.answers) > 1 and (said := _REST.fullmatch(bare)):
        if len(told) == len(last.answers) and said["other"]:
            return  # of something that was spoken of before
        yield Interpretation(f"{asked}, the rest?", "all", "those not yet told", query=without(query, told))


def _whole(query: QueryGraph, memory: Memory) -> QueryGraph:
    """All that were asked for or counted, those too that were left out because they had been told."""
    told = {n for turn in memory.turns for n in turn.answers}
    kept = tuple(
        f for f in query.filters
        if not (f.op == "not in" and f.left == query.answer and isinstance(f.right, tuple) and told.issuperset(f.right))
    )  # fmt: skip
    return replace(listed(query), filters=kept)
