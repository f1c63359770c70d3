"""The biggest club is the one with the most members, and not the one with the highest fee: how big things are is told
by what measures them or numbers what they hold, where the graph has such a relation."""

from __future__ import annotations

from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView

_NEAR = 2
"""Words that may stand between "biggest" and what is: "the biggest local sports club"."""


def of_asked_size(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that order the things of which the biggest is asked for by another number than their
    size, where they have one: "the club with the biggest fee" is no biggest club."""
    kinds = _sized(sentence)
    if not kinds:
        return drafts

    def sized(draft: Draft) -> set[End]:
        """What stands in a draft for things of these classes."""
        typed: set[End] = {h for h, r, t in draft.rows if (t in kinds if r == TYPE else h and is_had_by_kind(r))}
        return typed | {0} if is_of_kind(draft.answers) else typed

    def is_of_kind(nodes: frozenset[str]) -> bool:
        return any(kinds.intersection(schema.kinds(n)) for n in schema.first(nodes)[:1])

    @cache
    def is_had_by_kind(relation: str) -> bool:
        return is_of_kind(schema.heads(relation))

    def by_size(draft: Draft, things: set[End]) -> bool:
        value = draft.order[0] if draft.order else -1
        told = (r for h, r, t in draft.rows if (h == value and t in things) or (t == value and h in things))
        return any(cues.is_size(schema.words(r)) for r in told)

    ordered = {id(d): by_size(d, things) for d in drafts if d.order and (things := sized(d))}
    others = {i for i, of_size in ordered.items() if not of_size}
    return [d for d in drafts if id(d) not in others] if len(others) < len(ordered) else drafts


def _sized(sentence: Sentence) -> frozenset[str]:
    """The classes of which the biggest is asked for: "the biggest club", "which club is the biggest?"."""
    asked = cues.asked_size(sentence.text)
    if not asked:
        return frozenset()
    words = words_in(sentence.text)
    at = next((i for i, word in enumerate(words) if word.start == asked.start()), len(words))
    last = at == len(words) - 1
    return frozenset(k for k, (first, _) in sentence.classes.items() if last or 0 < first - at <= _NEAR + 1)
