"""Days and years that "or" joins in a sentence, of which any one is meant: "in 2019 or 2021".

Numbers are not: "2 or 3 children" counts, "2 or 3 hours" has its unit at the end, and 1500 or 2000 may be a rent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.joined.names import is_denied
from triplewise.tools.query_graph.linking.bounds import is_compared
from triplewise.tools.query_graph.linking.value_mentions import ValueMention

if TYPE_CHECKING:
    from triplewise.tools.query_graph.candidates.bases import Sentence

_JOINED = re.compile(r"\s*(?:,\s*(?:n?or\s+)?|\bn?or\s+)(?:(?:in|on|of|during)\s+)?(?:the\s+)?", re.I)
_OR = re.compile(r"\bn?or\b", re.I)
_IN = re.compile(r"\b(?:in|on|of|during|from|for)\s+(?:(?:either|neither|the)\s+)*$", re.I)
"""What stands before days and years in which something was; "before" and "between" hold others against them."""
_MORE = re.compile(r"\b(?:more|fewer|less|which year|between)\b", re.I)
"""Of two years that are compared one is asked for: "did more members join in 2019 or 2021?"."""
_TIMES = frozenset(("date", "year"))


@dataclass(frozen=True)
class JoinedValues:
    """The mentions of some days and years, and what the sentence says; ``denied``: none of them is meant."""

    mentions: tuple[ValueMention, ...]
    name: str
    denied: bool

    @property
    def condition(self) -> str:
        """What is said of one of them."""
        return f"is {self.name}"

    def suits(self, kind: str | None) -> bool:
        """Whether a relation to values of this kind may lead to one of them."""
        return kind in _TIMES

    @cached_property
    def _spans(self) -> list[tuple[bool, tuple[float, ...], tuple[float, ...]]]:
        return [(m.kind == "year", parse_value(m.low).key, parse_value(m.high).key) for m in self.mentions]

    def holds(self, label: str) -> bool:
        """Whether a value is one of them, or a day in one of their years or months."""
        kind, key, _ = parse_value(label)
        if kind not in _TIMES:
            return False
        cut = 1 if kind == "year" else None  # a year against a day: by the year
        return any(
            low[:1] <= key[:1] <= high[:1] if of_year else low[:cut] <= key <= high[:cut]
            for of_year, low, high in self._spans
        )


def may_join(text: str) -> bool:
    """Whether a text may have days or years that "or" joins; quick, since every question and claim is asked."""
    return bool(_OR.search(text)) and not _MORE.search(text)


def with_joined_values(sentence: Sentence) -> Sentence:
    """A sentence in which one list of days or years that "or" joins stands in ``joined`` and no longer among
    ``values``; as it is where there is none, or several, or months beside it."""
    if len(sentence.values) < 2 or sentence.months or not may_join(sentence.text):
        return sentence
    groups = joined_days(sentence.text, sentence.values)
    if len(groups) != 1:
        return sentence
    (group,) = groups
    kept = [i for i, mention in enumerate(sentence.values) if mention not in group]
    name = sentence.text[group[0].start : group[-1].end]
    return replace(
        sentence,
        values=[sentence.values[i] for i in kept],
        value_nodes=[(kept.index(i), node) for i, node in sentence.value_nodes if i in kept],
        joined=[JoinedValues(group, name, _is_denied(sentence, group[0].start))],
    )


def joined_days(text: str, values: Iterable[ValueMention]) -> list[tuple[ValueMention, ...]]:
    """The lists of days and years that "or" or "nor" joins in a text, of its values."""
    groups: list[list[ValueMention]] = []
    for mention in (m for m in values if m.kind in _TIMES and m.low and not is_compared(text, m)):
        if groups and _JOINED.fullmatch(text, groups[-1][-1].end, mention.start):
            groups[-1].append(mention)
        elif _IN.search(text[: mention.start]):
            groups.append([mention])
    return [tuple(g) for g in groups if len(g) > 1 and _OR.search(text, g[0].end, g[-1].start)]


def _is_denied(sentence: Sentence, start: int) -> bool:
    """Whether a denial stands right before days, and is of nothing else: "not 34 and joined in", "no car but"."""
    if not is_denied(sentence, start):
        return False
    denial = list(cues.LACKING.finditer(sentence.text, 0, start))
    between = sentence.text[denial[-1].end() if denial else 0 : start]
    return not re.search(r"\d|\b(?:and|but|who|that|which)\b", between, re.I)
