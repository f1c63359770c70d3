"""Entities in words, for prompts and screens: a name, and a short description where the graph has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from triplewise.errors import UnknownEntityError
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold

Describe = Literal["none", "clashing", "all"]


@lru_cache(maxsize=4)
def glossed(kg: KGStore) -> bool:
    """Whether the labels carry their definitions, as WN18RR's do: "stool, solid excretory product …"."""
    sample = list(islice(kg.entities(), 500))
    with_gloss = sum(", " in kg.label(e) and not kg.description(e) for e in sample)
    return with_gloss > 0.9 * len(sample)


@lru_cache(maxsize=4)
def _by_word(kg: KGStore) -> Mapping[str, Sequence[str]]:
    """The entities of a glossed graph by the word before the definition."""
    found: dict[str, list[str]] = {}
    for entity in kg.entities():
        found.setdefault(fold(kg.label(entity).partition(", ")[0]), []).append(entity)
    return found


@dataclass(frozen=True, slots=True)
class EntityTexts:
    """Names and descriptions of one graph's entities.

    ``describe``: which entities of a list get a description of at most ``words`` words: none, those
    whose name another entity has too, or all.
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

    def clashing(self, entity: str) -> bool:
        """Whether another entity has the same name."""
        if glossed(self.kg):
            return len(_by_word(self.kg).get(fold(self.name(entity)), ())) > 1
        return self.kg.display(entity) != self.kg.label(entity)

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
        if self.describe == "none" or (self.describe == "clashing" and not self.clashing(entity)):
            return self.name(entity)
        text = self.description(entity)
        return f"{self.name(entity)} ({text})" if text else self.name(entity)

    def disambiguated(self, entity: str) -> str:
        """The shortest text by which a person or a model knows the entity from its namesakes."""
        if not glossed(self.kg):
            return self.kg.display(entity)
        return f"{self.name(entity)} ({self.description(entity, 8)})" if self.clashing(entity) else self.name(entity)

    def about(self, entity: str, words: int = 40) -> str:
        """A line about an entity, "" where the graph describes none."""
        text = self.description(entity, words) if self.describe != "none" else ""
        return f"About {self.name(entity)}: {text}\n" if text else ""


def entity_of_word(kg: KGStore, word: str) -> str | None:
    """The entity that a word alone, or with its meaning as ``disambiguated`` adds it, has in a glossed graph.

    None where there is none, or where the graph is no such graph. Raises UnknownEntityError, with ids and
    meanings, where the word has several.
    """
    if not glossed(kg) or kg.has_entity(word):
        return None
    texts = EntityTexts(kg)
    found = list(_by_word(kg).get(fold(word), ()))
    if not found:
        found = [e for e in _by_word(kg).get(fold(word.partition(" (")[0]), ()) if texts.disambiguated(e) == word]
    if len(found) > 1:
        meanings = "; ".join(f"{e}: {texts.disambiguated(e)}" for e in found[:8])
        raise UnknownEntityError(f"{word!r} has {len(found)} meanings.", f"Give the id of one: {meanings}.")
    return found[0] if found else None
