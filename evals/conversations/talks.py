"""The conversations of the corpus: what the user says, and what a right turn comes to.

One record of ``conversations.jsonl`` (docs/corpus.md)::

    {"id": "v1", "turns": [{"user": "And the boss?", "standalone": "Who heads Erlkamp Depot?", "act": "ask",
                            "answers": ["Mira Aydin"], "query": {…}}, …]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from triplewise.kg.query import QueryGraph
from triplewise.train.query_graph.corpus import DEVELOPMENT, Domain, open_corpus

Act = Literal["ask", "verify", "none", "clarify", "smalltalk"]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a turn should come to. ``answers``: ids, a count as its number, a verdict as its word; for "clarify" what
    the name may mean. ``things``: what the gold query names, for the rewriting. ``query``: it, where there is one."""

    user: str
    act: Act
    answers: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    standalone: str = ""
    counted: bool = False
    query: QueryGraph | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Talk:
    """A conversation over a domain's graph."""

    id: str
    domain: Domain
    turns: tuple[Expected, ...]


def talks(domain: Domain) -> Iterator[Talk]:
    """The conversations of a domain."""
    path = domain.folder / "conversations.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            yield Talk(f"{domain.name}/{row['id']}", domain, tuple(_expected(domain, t) for t in row["turns"]))


def _expected(domain: Domain, turn: dict[str, Any]) -> Expected:
    act: Act = turn["act"]
    query: QueryGraph | None = domain.query(turn["query"]) if turn["query"] else None
    counted = bool(query and query.form == "count")
    plain = act == "verify" or counted
    answers = frozenset(turn["answers"] if plain else map(domain.node, turn["answers"]))
    store = domain.store
    things = frozenset(
        e for e in (query.entities if query else ()) if store.has_entity(e) and not store.is_literal(e)
        and not store.is_class(e) and (store.types(e) or store.out_relations(e))
    )  # fmt: skip
    return Expected(turn["user"], act, answers, things, turn["standalone"] or "", counted, query)


def development(corpus: Path) -> list[Talk]:
    """The conversations that nothing is tuned to."""
    return [t for d in open_corpus(corpus, DEVELOPMENT) for t in talks(d)]


def training(corpus: Path, names: Sequence[str] = ()) -> list[Talk]:
    """The conversations to develop with."""
    return [t for d in open_corpus(corpus, tuple(names)) if d.name not in DEVELOPMENT for t in talks(d)]
