"""Questions and claims for a graph that has none: queries are composed from the graph, then worded.

Paths of one and two steps from the graph's things become queries, and the query's own words the sentence (BYOKG,
Agarwal et al. 2023, explores a graph in the same way). A larger model may say each sentence again as people would.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from langchain_core.language_models import BaseChatModel

from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.errors import ConfigError, ReplyError
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold, literal_parts
from triplewise.prompts.template import load_prompt
from triplewise.tools.query_graph.candidates.drafts import Draft, walk_rows
from triplewise.tools.query_graph.candidates.paths import Path, paths_from
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.train.query_graph.corpus import CorpusItem
from triplewise.types import Usage

CLAIMS = 0.35
"""Share of claims among what is composed; of these every second names a wrong end."""
TWO_STEPS = 0.4
VALUES = 0.15
"""Share of what begins at a value, a date or a price: people ask of things."""
_MOST = 20
"""Answers of a question; of a path that leads to more, nobody would ask."""
_WIDTH = 30
_TRIES = 20
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class OwnGraph:
    """A graph with its composed items, as training takes a domain of the corpus."""

    name: str
    store: KGStore
    composed: tuple[CorpusItem, ...]

    def items(self) -> Iterator[CorpusItem]:
        """The composed questions and claims."""
        yield from self.composed

    def node(self, term: str) -> str:
        """Literals are compared by their texts."""
        return term


def compose(store: KGStore, number: int, *, seed: int = 0) -> list[CorpusItem]:
    """At most so many questions and claims about a graph in memory; raises ConfigError where it has no paths."""
    schema, shuffle = SchemaView(store), random.Random(seed)
    nodes = [e for e in store.entities() if not (literal_parts(e) or schema.is_mediator(e)) and schema.steps(e)]
    things = [e for e in nodes if any(not step.inverse for step in schema.steps(e))] or nodes
    values = sorted({*nodes}.difference(things)) or things
    found: list[CorpusItem] = []
    seen: set[object] = set()
    for _ in range(_TRIES * number if things else 0):
        start = shuffle.choice(values if shuffle.random() < VALUES else things)
        hops = 2 if shuffle.random() < TWO_STEPS else 1
        paths = [p for p in _askable(schema, start) if p.hops == hops]
        if not paths or len(found) == number:
            continue
        path = shuffle.choice(paths)
        if (start, path.steps) in seen:
            continue
        seen.add((start, path.steps))
        task = _claim if shuffle.random() < CLAIMS else _question
        found.append(replace(task(schema, path, shuffle), id=f"{store.name}/{len(found)}", domain=store.name))
    if not found:
        raise ConfigError(f"{store.name} has no paths that a question could be about.", "It needs a few triples.")
    return found


def _askable(schema: SchemaView, start: str) -> list[Path]:
    return [
        p
        for p in paths_from(schema, start, max_hops=2, affinity=lambda step: 0.0, width=_WIDTH)
        if p.ends
        and len(p.ends) <= _MOST
        and not (p.mediator or p.missing or p.apart or p.dropped)
        and all(step.relation not in schema.left_out for step in p.steps)
    ]


def _question(schema: SchemaView, path: Path, shuffle: random.Random) -> CorpusItem:
    query = Draft(walk_rows(path.start, path.steps, 0, 1)[0], path.ends).query()
    said = read_back(schema.store, query)
    text = f"What is {said}?" if said.startswith("the ") else f"{said[0].upper()}{said[1:]}?"
    answers = frozenset(schema.store.label(a) if literal_parts(a) else a for a in path.ends)
    return CorpusItem("", "", "ask", text, answers, query, "composed", "graph", path.hops)


def _claim(schema: SchemaView, path: Path, shuffle: random.Random) -> CorpusItem:
    ends = sorted(path.ends)
    others = sorted({n for e in ends for k in schema.kinds(e) for n in schema.members(k)} - path.ends)
    end = shuffle.choice(others if others and shuffle.random() < 0.5 else ends)
    label = "supported" if end in path.ends else "refuted"
    rows = walk_rows(path.start, path.steps, 10, 0)[0]
    closed = tuple((end if h == 10 else h, r, end if t == 10 else t) for h, r, t in rows)
    query = Draft(closed, frozenset(), form="ask").query()
    said = read_back(schema.store, query)
    return CorpusItem(
        "", "", "verify", f"{said[0].upper()}{said[1:]}.", frozenset((label,)), query, "composed", "graph", path.hops
    )


@dataclass(frozen=True, slots=True)
class Worded:
    """Composed items with what a model said in their place, what that cost, and for how many it said nothing usable."""

    items: tuple[CorpusItem, ...]
    usage: Usage
    fallbacks: int


async def reword(
    store: KGStore, items: Sequence[CorpusItem], teacher: BaseChatModel, *, ways: int = 3, at_once: int = 8
) -> Worded:
    """Each item as it is and in up to ``ways`` other wordings by the teacher, which have to keep its names."""
    gate = asyncio.Semaphore(at_once)

    async def one(item: CorpusItem) -> tuple[list[str], Usage, bool]:
        names = [store.label(e) for e in (item.query.entities if item.query else ())]
        messages = load_prompt("query_graph/reword").render(
            count=str(ways),
            sentence=item.text,
            names="; ".join(names),
            kind="claim" if item.task == "verify" else "question",
        )
        reply = ReplyFormat(
            parse=lambda text: read_wordings(text, names, item.text)[:ways],
            fallback=list[str],
            fallback_note="Only the graph's own wording is learnt from.",
            max_tokens=60 * ways,
        )
        async with gate:
            called = await call_model(teacher, messages, reply, node=f"reword[{item.id}]")
        return called.value, called.step.usage, called.step.status == "fallback"

    done = await asyncio.gather(*(one(item) for item in items))
    worded = [
        replace(item, id=f"{item.id}.{n}", text=text)
        for item, (texts, _, _) in zip(items, done, strict=True)
        for n, text in enumerate([item.text, *texts])
    ]
    return Worded(tuple(worded), sum((u for _, u, _ in done), Usage()), sum(failed for _, _, failed in done))


def read_wordings(reply: str, names: Sequence[str], sentence: str) -> list[str]:
    """The lines of a reply that keep every name and differ from the sentence; raises ReplyError where none does."""
    wanted = [fold(name) for name in names]
    found: list[str] = []
    for line in reply.splitlines():
        text = re.sub(r"^\s*(?:[-*•]|\d+[.)])\s*", "", line).strip().strip('"“”')
        folded = fold(text)
        if 3 < len(text) <= _LONGEST and folded != fold(sentence) and all(name in folded for name in wanted):
            found.append(text)
    if not found:
        raise ReplyError("No line says it in other words and keeps every name.")
    return list(dict.fromkeys(found))
