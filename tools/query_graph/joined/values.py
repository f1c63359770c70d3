"""Values of one kind that "or" joins in a sentence, of which any one is meant: "in 2019 or 2021"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from triplewise.kg.values import compare
from triplewise.tools.query_graph.joined.names import is_denied
from triplewise.tools.query_graph.linking.bounds import is_compared
from triplewise.tools.query_graph.linking.value_mentions import ValueMention

if TYPE_CHECKING:
    from triplewise.tools.query_graph.candidates.bases import Sentence

_JOINED = re.compile(r"\s*(?:,\s*(?:n?or\s+)?|\bn?or\s+)(?:(?:in|on|at|for|of|by)\s+)?(?:the\s+)?", re.I)
_OR = re.compile(r"\bn?or\b", re.I)
_SOME = "one or two"
_TIMES = frozenset(("date", "year"))


@dataclass(frozen=True, slots=True)
class JoinedValues:
    """The mentions of some values, in their order, and what the sentence says; ``denied``: none of them is meant."""

    mentions: tuple[ValueMention, ...]
    name: str
    denied: bool

    @property
    def condition(self) -> str:
        """What is said of one of them."""
        return f"is {self.name}"

    def suits(self, kind: str | None) -> bool:
        """Whether a relation to values of this kind may lead to one of them."""
        own = self.mentions[0].kind
        return kind in _TIMES if own in _TIMES else kind == own

    def holds(self, label: str) -> bool:
        """Whether a value is one of them, or a day in one of their years or months."""
        return any(compare(label, ">=", m.low) and compare(label, "<=", m.high) for m in self.mentions)


def with_joined_values(sentence: Sentence) -> Sentence:
    """A question in which values that "or" joins are no values by themselves."""
    if len(sentence.values) < 2 or not _OR.search(sentence.text):
        return sentence
    groups = list(_groups(sentence))
    within = {id(mention) for group in groups for mention in group}
    kept = [i for i, mention in enumerate(sentence.values) if id(mention) not in within]
    return replace(
        sentence,
        values=[sentence.values[i] for i in kept],
        value_nodes=[(kept.index(i), node) for i, node in sentence.value_nodes if i in kept],
        joined=[
            JoinedValues(g, sentence.text[g[0].start : g[-1].end], is_denied(sentence, g[0].start)) for g in groups
        ],
    )


def _groups(sentence: Sentence) -> Iterator[tuple[ValueMention, ...]]:
    text = sentence.text
    groups: list[list[ValueMention]] = []
    for mention in (m for m in sentence.values if not m.rank and m.low and not is_compared(text, m)):
        last = groups[-1][-1] if groups else None
        if last and _alike(last, mention) and _JOINED.fullmatch(text, last.end, mention.start):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    for group in groups:
        said = text[group[0].start : group[-1].end].lower()
        if len(group) > 1 and _OR.search(text, group[0].end, group[-1].start) and said != _SOME:
            yield tuple(group)


def _alike(one: ValueMention, other: ValueMention) -> bool:
    return one.kind == other.kind or {one.kind, other.kind} == _TIMES
