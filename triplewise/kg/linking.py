"""Entity linking: the mentions of entities in a sentence.

Names in [brackets] are taken first, as MetaQA marks its topics. Then the longest matches over labels
and aliases, case- and accent-folded; single everyday words count only where they are written as the
label is. Capitalised or quoted spans that match nothing are looked up fuzzily.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from triplewise.kg.base import EntityHit, KGStore
from triplewise.kg.names import fold

_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_BRACKETS = re.compile(r"\[([^\[\]]+(?:\[[^\[\]]*\][^\[\]]*)*)\]")
_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,80})[\"”»]")
_CAPITALISED = re.compile(
    r"(?<!^)\b[A-ZÀ-ÞŁŠŽ][\w'’.-]*(?:\s+(?:(?:of|the|de|von|van|da|la)\s+)?[A-ZÀ-ÞŁŠŽ0-9][\w'’.-]*)+"
)
MAX_NAME_TOKENS = 16
_STOP = """
    a about act acted actor actors after all also an and are as at award awards be been before born by can city
    co could country did died directed director directors do does done during film films for from genre genres
    get give had has have he her him his how i if in into is it its just kind know language languages like live
    lives made make many me more most movie movies much must my name named near no not of off old on one only or
    other our out over own people person played release released s same she should show so some star starred
    starring stars such t tell than that the their them then there these they this those through time to too two
    type types under up us used was we well were what when where which while who whom whose why will win with
    won work works would writer writers written wrote year years yes you your
"""
STOP_WORDS = frozenset(_STOP.split())


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the sentence and the entities it may mean, best first."""

    text: str
    start: int
    end: int
    candidates: tuple[EntityHit, ...]
    ambiguous: bool = False


def link_entities(store: KGStore, sentence: str) -> list[Mention]:
    """All mentions in order of appearance; ``ambiguous`` where two candidates are equally good."""
    mentions: list[Mention] = []
    taken = [False] * (len(sentence) + 1)
    for match in _BRACKETS.finditer(sentence):
        hits = store.named(match.group(1)) or store.fuzzy(match.group(1), 5, 85)
        if hits:
            mentions.append(_mention(store, sentence, match.start(1), match.end(1), hits))
            taken[match.start() : match.end()] = [True] * (match.end() - match.start())
    if mentions:  # the caller marked what is meant
        return mentions
    tokens = list(_TOKEN.finditer(sentence))
    i = 0
    while i < len(tokens):
        for size in range(min(MAX_NAME_TOKENS, len(tokens) - i), 0, -1):
            start, end = tokens[i].start(), tokens[i + size - 1].end()
            if hits := _hits(store, sentence[start:end], size, first=start == 0):
                mentions.append(_mention(store, sentence, start, end, hits))
                taken[start:end] = [True] * (end - start)
                i += size
                break
        else:
            i += 1
    for pattern in (_QUOTED, _CAPITALISED):
        for match in pattern.finditer(sentence):
            span = match.span(1) if pattern is _QUOTED else match.span()
            if not any(taken[span[0] : span[1]]) and (hits := store.fuzzy(sentence[slice(*span)], 5, 80)):
                mentions.append(_mention(store, sentence, *span, hits))
                taken[span[0] : span[1]] = [True] * (span[1] - span[0])
    return sorted(mentions, key=lambda m: m.start)


def find_type_mentions(store: KGStore, sentence: str) -> list[tuple[str, str]]:
    """(word, type id) for each word or word pair that names a type of the graph ("films" → Film)."""
    words = re.findall(r"\w+", sentence)
    found = []
    for size in (2, 1):
        for i in range(len(words) - size + 1):
            text = " ".join(words[i : i + size])
            if (type_id := store.find_type(text)) and all(type_id != t for _, t in found):
                found.append((text, type_id))
    return found


def _hits(store: KGStore, text: str, size: int, *, first: bool) -> list[EntityHit]:
    """Entities a span names; an everyday word only where it is capitalised inside the sentence, as the label is."""
    if not text[0].isalnum() and size == 1:
        return []
    folded = fold(text)
    if size <= 2 and all(word in STOP_WORDS for word in folded.split()):
        return [h for h in store.named(text) if h.score >= 0.99] if text[0].isupper() and not first else []
    hits = store.named(text)
    if size == 1 and hits and not text[0].isdigit() and not text[0].isupper():
        # a lower-case word is a name only where the label is written so, or the name is rare and long
        hits = [h for h in hits if store.label(h.id) == text or (len(text) > 4 and store.find_type(text) is None)]
    if size == 1 and len(text) < 2 and not text.isdigit():
        return []
    return hits


def _mention(store: KGStore, sentence: str, start: int, end: int, hits: list[EntityHit]) -> Mention:
    """Rank candidates: how they match, then a type named in the sentence, then degree."""
    named_types = {t for _, t in find_type_mentions(store, sentence)} if len(hits) > 1 else set()

    lower = sentence[start:end].islower()  # then case tells nothing: "tom hanks" the tag, Tom Hanks the actor

    def rank(hit: EntityHit) -> tuple[float, bool, int]:
        fits = bool(named_types & set(store.types(hit.id)))
        return (-0.99 if lower and hit.score > 0.97 else -hit.score, not fits, -store.degree(hit.id))

    ordered = sorted(hits, key=rank)
    ambiguous = (
        len(ordered) > 1
        and rank(ordered[0])[:2] == rank(ordered[1])[:2]
        and ordered[0].score > 0.96
        and not (lower and store.label(ordered[0].id) != store.label(ordered[1].id))
    )
    return Mention(sentence[start:end], start, end, tuple(ordered), ambiguous)
