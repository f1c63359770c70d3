"""What all tools over a graph share: names to ids, and replies of at most so many tokens with a way to get the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.tools import ToolException

from triplewise.backends.llama.control_tokens import harmless
from triplewise.errors import UserError
from triplewise.kg.base import KGStore
from triplewise.kg.linking import resolve_entity, resolve_relation
from triplewise.tools.langchain.evidence_book import EvidenceBook, active_book
from triplewise.types import Evidence

CHARACTERS_A_TOKEN = 3.5
"""A cautious estimate over English names and prose, the same for every model."""


class ToolReplies:
    """One graph as its tools see it. ``max_tokens``: of one reply, estimated from its characters."""

    def __init__(self, kg: KGStore, max_tokens: int = 1_200) -> None:
        self.kg = kg
        self.characters = int(max_tokens * CHARACTERS_A_TOKEN)
        self._own = EvidenceBook(kg)

    @property
    def book(self) -> EvidenceBook:
        """The running turn's book where it is over this graph, else the tools' own."""
        active = active_book()
        return active if active is not None and active.kg is self.kg else self._own

    def entity(self, name: str) -> str:
        """The id of a name; a ToolException says what is near."""
        try:
            return resolve_entity(self.kg, name)
        except UserError as error:
            raise ToolException(_for_models(error)) from None

    def relation(self, name: str) -> str:
        """The id of a relation's name; a ToolException says what is near."""
        try:
            return resolve_relation(self.kg, name)
        except UserError as error:
            raise ToolException(_for_models(error)) from None

    def page(self, title: str, lines: Sequence[str], offset: int = 0) -> str:
        """As many lines from ``offset`` on as fit, and how to get the rest."""
        return self.pages(title, len(lines), lines.__getitem__, offset)[0]

    def triples(self, title: str, evidence: Sequence[Evidence], offset: int = 0) -> tuple[str, dict[str, Any]]:
        """Evidence as numbered lines, and as JSON what of it is shown; what is not shown gets no number yet."""
        book = self.book
        text, shown = self.pages(title, len(evidence), lambda i: book.line(evidence[i]), offset)
        return text, {"evidence": book.to_json(evidence[offset : offset + shown]), "total": len(evidence)}

    def pages(self, title: str, total: int, line: Callable[[int], str], offset: int) -> tuple[str, int]:
        """(reply, number of lines shown); no name in it can pass for a control token of the common model families."""
        if offset < 0 or (offset and offset >= total):
            raise ToolException(f"offset is {offset}; there are {total} lines.")
        shown, used = [], len(title) + 60
        for i in range(offset, total):
            text = line(i)
            if shown and used + len(text) > self.characters:
                break
            shown.append(text[: self.characters])
            used += len(text) + 1
        rest = total - offset - len(shown)
        more = [f"… {rest} more: call again with offset={offset + len(shown)}"] if rest else []
        return harmless("\n".join([title, *shown, *more])), len(shown)


def _for_models(error: UserError) -> str:
    """The message without hints for the command line."""
    return f"{error.message} {error.hint if 'triplewise' not in error.hint else 'Use search_nodes.'}".strip()
