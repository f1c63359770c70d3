"""The evidence of a conversation, numbered: a tool's reply says ``[3] Alien — directed by → Ridley Scott``.

One triple with one source has one number. Numbers, not triples, go into messages; the book holds the triples once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.types import Evidence

_SOURCES = {"asserted": "", "inferred": " (inferred)", "predicted": " (predicted, not a fact"}


class EvidenceBook:
    """Numbered evidence over one graph, from 1."""

    def __init__(self, kg: KGStore) -> None:
        self.kg = kg
        self._entries: list[Evidence] = []
        self._numbers: dict[tuple[Any, str], int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def cite(self, evidence: Evidence) -> int:
        """The number of a piece of evidence, a new one where it is new."""
        key = (evidence.triple, evidence.source)
        if key not in self._numbers:
            self._entries.append(evidence)
            self._numbers[key] = len(self._entries)
        return self._numbers[key]

    def get(self, number: int) -> Evidence | None:
        """The evidence of a number, None where there is none."""
        return self._entries[number - 1] if 1 <= number <= len(self._entries) else None

    def labels(self, evidence: Evidence) -> tuple[str, str, str]:
        """Head, relation and tail as a person reads them, each on one line."""
        head, relation, tail = evidence.triple
        kg = self.kg
        return one_line(kg.display(head)), one_line(kg.relation_label(relation)), one_line(kg.display(tail))

    def line(self, evidence: Evidence) -> str:
        """``[n] head — relation → tail``, with its source where that is not the graph."""
        head, relation, tail = self.labels(evidence)
        source = _SOURCES[evidence.source]
        if evidence.source == "predicted":
            source += ")" if evidence.score is None else f", score {evidence.score:.3f})"
        return f"[{self.cite(evidence)}] {head} — {relation} → {tail}{source}"

    def to_json(self, evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
        """Evidence as plain JSON with its numbers."""
        return [
            {
                "n": self.cite(e),
                "head": e.triple.head,
                "relation": e.triple.relation,
                "tail": e.triple.tail,
                "labels": list(self.labels(e)),
                "source": e.source,
                "score": e.score,
                "origin": e.origin,
            }
            for e in evidence
        ]


_active: ContextVar[EvidenceBook | None] = ContextVar("triplewise_evidence_book", default=None)


def active_book() -> EvidenceBook | None:
    """The book of the running turn, None outside of one."""
    return _active.get()


@contextmanager
def use_book(book: EvidenceBook) -> Iterator[EvidenceBook]:
    """Let the tools that run inside the block number their evidence in this book."""
    token = _active.set(book)
    try:
        yield book
    finally:
        _active.reset(token)
