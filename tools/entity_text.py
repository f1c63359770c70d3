"""Entities in words for prompts: a name, and a short description where the graph has one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from triplewise.kg.base import KGStore

Describe = Literal["none", "clashing", "all"]


@dataclass(frozen=True, slots=True)
class EntityTexts:
    """Names and descriptions of one graph's entities.

    ``describe``: which entities of a list get a description of at most ``words`` words: none, those
    whose label another entity has too, or all.
    """

    kg: KGStore
    describe: Describe = "clashing"
    words: int = 12

    def name(self, entity: str) -> str:
        """The display name; only the label where an id alone tells namesakes apart and a description can."""
        shown = self.kg.display(entity)
        if shown.endswith(f"({entity})") and self.kg.description(entity):
            return self.kg.label(entity)
        return shown

    def description(self, entity: str, words: int | None = None) -> str:
        """The first words of the description, "" where there is none."""
        parts = self.kg.description(entity).split()
        limit = self.words if words is None else words
        return " ".join(parts[:limit]) + (" …" if len(parts) > limit else "")

    def listed(self, entity: str) -> str:
        """The name, with a description in brackets where ``describe`` asks for one."""
        clashing = self.kg.display(entity) != self.kg.label(entity)
        if self.describe == "none" or (self.describe == "clashing" and not clashing):
            return self.name(entity)
        text = self.description(entity)
        return f"{self.name(entity)} ({text})" if text else self.name(entity)

    def about(self, entity: str, words: int = 40) -> str:
        """A line about an entity, "" where the graph describes none."""
        text = self.description(entity, words) if self.describe != "none" else ""
        return f"About {self.name(entity)}: {text}\n" if text else ""
