"""Entity linking: the mentions of entities in a sentence, and the one entity or relation that a name means.

Names in [brackets] are taken first, as MetaQA marks its topics. Then the matches over labels and aliases,
case- and accent-folded, that cover the most words; everyday words count only where they are written as the
label is, and a possessive or plural ending is passed over where the name has none. Capitalised or quoted
spans that match nothing are looked up fuzzily.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triplewise.errors import UnknownEntityError, UnknownRelationError
from triplewise.kg.base import DistantStore, EntityHit, KGStore
from triplewise.kg.names import fold
from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS

_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_BRACKETS = re.compile(r"\[([^\[\]]+(?:\[[^\[\]]*\][^\[\]]*)*)\]")
_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,80})[\"”»]")
_CAPITALISED = re.compile(
    r"(?<!^)\b[A-ZÀ-ÞŁŠŽ][\w'’.-]*(?:\s+(?:(?:of|the|de|von|van|da|la)\s+)?[A-ZÀ-ÞŁŠŽ0-9][\w'’.-]*)*"
)
_POSSESSIVE = re.compile(r"['’]s$")
MAX_NAME_TOKENS = 16
NEAR = 25
"""Characters between a name and a type word ("the city Paris") that speaks for a candidate of that type."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the sentence and the entities it may mean, best first."""

    text: str
    start: int
    end: int
    candidates: tuple[EntityHit, ...]
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    hits: list[EntityHit]
    content: int
    """Words that are no stop words."""
    marked: bool = False
    """In brackets: the caller writes the name as the graph does."""


def link_entities(store: KGStore, sentence: str) -> list[Mention]:
    """All mentions in order of appearance; ``ambiguous`` where two candidates are equally good.

    Names in brackets, where there are any, are the only mentions: the caller marked what is meant.
    """
    spans = [
        _Span(*match.span(1), hits, 1, marked=True)
        for match in _BRACKETS.finditer(sentence)
        if (hits := store.named(match.group(1)) or store.fuzzy(match.group(1), 5, 85))
    ]
    if not spans:
        taken = bytearray(len(sentence))
        cased = not sentence.islower()  # then "Fury" is a better match than "the Fury" for The Fury
        found = sorted(
            _named_spans(store, sentence),
            key=lambda s: (-s.content, cased and s.hits[0].score < 0.99, s.start - s.end),
        )
        for span in found:
            if not any(taken[span.start : span.end]):
                taken[span.start : span.end] = b"x" * (span.end - span.start)
                spans.append(span)
        spans += _fuzzy_spans(store, sentence, taken)
    types = _type_words(store, sentence) if any(len(s.hits) > 1 for s in spans) else []
    return sorted((_mention(store, sentence, span, types) for span in spans), key=lambda m: m.start)


def resolve_entity(kg: KGStore, name: str) -> str:
    """The id meant by an id, a display name or an unmistakable name.

    Raises UnknownEntityError, with the nearest names, where nothing or more than one thing is meant.
    """
    if kg.has_entity(name):
        return name
    if (found := kg.resolve_display(name)) is not None:
        return found
    named = kg.named(name)  # by label, then alias, then up to case and accents
    exact = [hit for hit in named if hit.score == named[0].score]
    if len(exact) == 1:
        return exact[0].id
    names = ", ".join(repr(kg.display(hit.id)) for hit in (exact or kg.search(name, limit=5))[:5])
    if exact:
        raise UnknownEntityError(f"{name!r} is the name of {len(exact)} entities.", f"Say which: {names}.")
    hint = f"Nearest: {names}." if names else "Look for it by a part of its name: triplewise kg find."
    raise UnknownEntityError(f"no entity is named {name!r}.", hint)


def resolve_relation(kg: KGStore, name: str) -> str:
    """The id meant by a relation's id, its name in words, or the only name that contains the text.

    Raises UnknownRelationError, with the nearest names, where nothing or more than one relation is meant.
    """
    relations = list(kg.relation_ids())
    if name in relations:
        return name
    labels = {r: kg.relation_label(r) for r in relations}
    wanted = fold(name.replace("_", " "))
    for test in (lambda label: label == wanted, lambda label: wanted in label):
        found = [r for r in relations if wanted and test(fold(labels[r]))]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(repr(r) for r in found[:8])
            raise UnknownRelationError(f"{name!r} may mean {len(found)} relations.", f"Say which: {names}.")
    from rapidfuzz import process

    near = [r for _, _, r in process.extract(wanted, {r: fold(x) for r, x in labels.items()}, limit=5)]
    hint = f"Nearest: {', '.join(repr(r) for r in near)}." if near else "The graph has no relations."
    raise UnknownRelationError(f"no relation is named {name!r}.", hint)


def _type_words(store: KGStore, sentence: str) -> list[tuple[int, int, str]]:
    """(start, end, type id) of each type named in the sentence, word pairs before words."""
    words = list(re.finditer(r"\w+", sentence))
    return [
        (start, end, type_id)
        for size in (2, 1)
        for i in range(len(words) - size + 1)
        if (type_id := store.find_type(sentence[(start := words[i].start()) : (end := words[i + size - 1].end())]))
    ]


def _named_spans(store: KGStore, sentence: str) -> Iterator[_Span]:
    """Every span that names an entity, overlaps included."""
    tokens = list(_TOKEN.finditer(sentence))
    folded = [_POSSESSIVE.sub("", fold(token.group())) for token in tokens]
    if isinstance(store, DistantStore):
        store.expect_names(_forms(sentence, tokens))
    for i, first in enumerate(tokens):
        for j in range(i, min(i + MAX_NAME_TOKENS, len(tokens))):
            start, end = first.start(), tokens[j].end()
            text = sentence[start:end]
            hits = store.named(text)
            if not hits:
                if match := _POSSESSIVE.search(text):
                    end = start + match.start()
                    hits = store.named(sentence[start:end])
                elif text[-1] in "sS":
                    hits = _singular(store, text)
            hits = [h for h in hits if not store.is_class(h.id)]  # "station" asks for a kind, not for the node
            if hits and (hits := _meant(store, sentence[start:end], hits, folded[i : j + 1], at_start=start == 0)):
                yield _Span(start, end, hits, sum(w[:1].isalnum() and w not in STOP_WORDS for w in folded[i : j + 1]))


def _forms(sentence: str, tokens: list[re.Match[str]]) -> Iterator[str]:
    """All that ``_named_spans`` may look up."""
    for i, first in enumerate(tokens):
        for last in tokens[i : i + MAX_NAME_TOKENS]:
            text = sentence[first.start() : last.end()]
            yield text
            yield _POSSESSIVE.sub("", text)
            yield from _singular_forms(text) if text[-1] in "sS" else ()


def _singular_forms(text: str) -> list[str]:
    forms = [text[:-1]] if len(text) > 3 else []
    forms += [text[:-2]] if text.endswith("es") else []
    return forms + ([text[:-3] + "y"] if text.endswith("ies") else [])


def _singular(store: KGStore, text: str) -> list[EntityHit]:
    """Entities named by the singular of a plural."""
    for form in _singular_forms(text):
        if hits := [h for h in store.named(form) if not store.is_literal(h.id)]:
            return [EntityHit(h.id, 0.95, "singular") for h in hits]
    return []


def _meant(store: KGStore, text: str, hits: list[EntityHit], words: list[str], *, at_start: bool) -> list[EntityHit]:
    """The hits that the writer can have meant: an everyday word is a name only where it looks like one."""
    if not any(c.isalnum() for c in text):
        return []
    as_written = [h for h in hits if h.score >= 0.99]
    if len(words) <= 2 and all(w in STOP_WORDS or not w[:1].isalnum() for w in words):
        return as_written if text[0].isupper() and not at_start else []
    if len(words) > 1:
        return hits
    entities = [h for h in hits if not store.is_literal(h.id)]
    if len(text) == 1:  # a film called "O" or "M" or "9", but neither "I" nor a list's "a", nor the value 9
        return [h for h in entities if h.score >= 0.99] if not text.islower() and text not in "AI" else []
    if text[0].isdigit():
        return hits
    if text[0].isupper():
        return hits
    if words[0] in COMMON_WORDS or store.find_type(text):
        return [h for h in entities if h.score >= 0.99]
    return [h for h in hits if h.score >= 0.99 or (h in entities and h.score > 0.9)]


def _fuzzy_spans(store: KGStore, sentence: str, taken: bytearray) -> Iterator[_Span]:
    for pattern in (_QUOTED, _CAPITALISED):
        for match in pattern.finditer(sentence):
            start, end = match.span(pattern.groups)
            text = _POSSESSIVE.sub("", sentence[start:end])
            end = start + len(text)
            several = pattern is _QUOTED or " " in text
            if any(taken[start:end]) or (not several and (len(text) < 5 or fold(text) in STOP_WORDS | COMMON_WORDS)):
                continue
            if hits := [h for h in store.fuzzy(text, 5, 80 if several else 85) if not store.is_literal(h.id)]:
                taken[start:end] = b"x" * (end - start)
                yield _Span(start, end, hits, 1)


def _mention(store: KGStore, sentence: str, span: _Span, types: list[tuple[int, int, str]]) -> Mention:
    """Rank candidates: how they match, entities before literals, a type word near or anywhere, then degree."""
    text = sentence[span.start : span.end]
    lower = text.islower() and not span.marked  # then case tells nothing: "tom hanks" the tag, Tom Hanks the actor

    def distance(hit: EntityHit) -> int:
        own = set(store.types(hit.id))
        gaps = [
            max(span.start - e, s - span.end) for s, e, t in types if t in own and (e <= span.start or s >= span.end)
        ]
        return 2 if not gaps else int(min(gaps) > NEAR)

    def rank(hit: EntityHit) -> tuple[float, bool, int]:
        score = 0.99 if lower and hit.score > 0.97 else hit.score
        return (-score, store.is_literal(hit.id), distance(hit) if types else 2)

    ordered = sorted(span.hits, key=lambda hit: (*rank(hit), -store.degree(hit.id)))
    ambiguous = len(ordered) > 1 and rank(ordered[0]) == rank(ordered[1])
    return Mention(text, span.start, span.end, tuple(ordered), ambiguous)
