"""What is so now and what once was, where a graph tells them apart: "is married to" beside "was married to"."""

from __future__ import annotations

import re

from triplewise.kg.kept import kept_with
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView

_FORMER = re.compile(r"^(?:(?:was|were|used to|ex|former(?:ly)?|previous(?:ly)?|past|has previously)[ -])+", re.I)
_BEING = re.compile(r"^(?:is|are) ", re.I)
_THEN = re.compile(r"\b(?:was|were|used to|once|former(?:ly)?|ex|previous(?:ly)?|no longer|any ?more|before)\b", re.I)
_NOW = re.compile(r"\b(?:is|are|am|does|do|now|currently|nowadays|still|these days|at the moment)\b", re.I)


def of_told_time(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those of what once was where a sentence says that something is, and without those of what is
    where it says that something was; each where some draft has the other relation in its place."""
    now = _now_of(schema)
    is_now, was = bool(_NOW.search(sentence.text)), bool(_THEN.search(sentence.text))
    if not now or is_now == was:
        return drafts
    instead = now if is_now else {present: former for former, present in now.items()}
    used = {r for d in drafts for _, r, _ in (*d.rows, *d.minus)}
    wrong = {r for r, other in instead.items() if r in used and other in used}
    return [d for d in drafts if wrong.isdisjoint(r for _, r, _ in (*d.rows, *d.minus))] or drafts


def _now_of(schema: SchemaView) -> dict[str, str]:
    """Relation of what once was → that of the same now."""
    return kept_with(schema.store, _now_of, lambda: _find_now(schema))


def _find_now(schema: SchemaView) -> dict[str, str]:
    words = {r: schema.words(r).lower() for r in schema.relations}
    called = {_plain(text): r for r, text in words.items() if not _FORMER.match(text)}
    found = {r: _plain(_FORMER.sub("", text)) for r, text in words.items() if _FORMER.match(text)}
    return {r: called[rest] for r, rest in found.items() if rest in called}


def _plain(text: str) -> str:
    """A relation's words with their first verb in the infinitive: "works at", "work at"."""
    first, *rest = _BEING.sub("", text).split()
    return " ".join((first.removesuffix("s"), *rest))
