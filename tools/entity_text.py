"""Entities in words for prompts: a name, and a short description where the graph has one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from triplewise.kg.base import KGStore

Describe = Literal["none", "clashing", "all"]


@lru_cache(maxsize=4)
def glossed(kg: KGStore) -> bool:
    """Whether the labels carry their definitions, as WN18RR's do: "stool, solid excretory product …"."""
    sample = list(islice(kg.entities(), 500))
    with_gloss = sum(", " in kg.label(e) and not kg.description(e) for e in sample)
    return with_gloss > 0.9 * len(sample)


@dataclass(frozen=True, slots=True)
class EntityTexts:
    """Names and descriptions of one graph's entities.

    ``describe``: which entities of a list get a description of at most ``words`` words: none, those
    whose name another entity may have too, or all.
    """

    kg: KGStore
    describe: Describe = "clashing"
    words: int = 12

    def name(self, entity: str) -> str:
        """The display name; only the label where an id alone tells namesakes apart and a description can."""
        if glossed(self.kg):
            return self.kg.label(entity).partition(", ")[0]
        shown = self.kg.display(entity)
        if shown.endswith(f"({entity})") and self.kg.description(entity):
            return self.kg.label(entity)
        return shown

    def description(self, entity: str, words: int | None = None) -> str:
        """The first words of the description, "" where there is none."""
        text = self.kg.description(entity).removeprefix(f"{self.kg.label(entity)} -- ")
        if not text and glossed(self.kg):
            text = self.kg.label(entity).partition(", ")[2]
        parts = text.split()
        limit = self.words if words is None else words
        return " ".join(parts[:limit]) + (" …" if len(parts) > limit else "")

    def listed(self, entity: str) -> str:
        """The name, with a description in brackets where ``describe`` asks for one."""
        clashing = glossed(self.kg) or self.kg.display(entity) != self.kg.label(entity)
        if self.describe == "none" or (self.describe == "clashing" and not clashing):
            return self.name(entity)
        text = self.description(entity)
        return f"{self.name(entity)} ({text})" if text else self.name(entity)

    def about(self, entity: str, words: int = 40) -> str:
        """A line about an entity, "" where the graph describes none."""
        text = self.description(entity, words) if self.describe != "none" else ""
        return f"About {self.name(entity)}: {text}\n" if text else ""
