"""Names that "or", "nor", "and" and commas join in a sentence, and whether a denial is of all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.mentions import words_in

if TYPE_CHECKING:
    from triplewise.tools.query_graph.candidates.bases import Sentence

_OR = re.compile(
    r"(?:['’]s)?\s*(?:,|,?\s*\b(?P<join>or|nor|and)\b)\s*(?:(?:by|of|in|at|for|from|with|on|to)\s+)?(?:(?:the|an?)\s+)?",
    re.I,
)
"""What stands between two names of which either is meant: "by Ada or by Jun"."""
_ANY = frozenset(("or", "nor"))
_SURELY = 0.9
"""The score of a link from which on its name stands between a denial and what is denied."""
_BETWEEN = 4
"""Words at most between a denial and the names that it denies: "don't live in Oslo or Bergen"."""
_EXCEPT = re.compile(r"\b(?:except|besides|excluding|apart from|other than)\b", re.I)
_CLAUSE = re.compile(r"[,;:.]")
_BOTH = re.compile(r"\b(?:between|both)\s+(?:the\s+)?$", re.I)
"""Before names that "and" joins, of which all are meant at once."""


def joined_names(sentence: Sentence) -> list[tuple[list[list[int]], bool]]:
    """The names of a sentence that "or", "and" and commas join: of each list the numbers of the links at each place,
    and whether "or" or "nor" joins them."""
    words, links = words_in(sentence.text), sentence.links
    places: dict[tuple[int, int], list[int]] = {}
    for i in sorted(range(len(links)), key=lambda i: -links[i].score * links[i].weight):
        span = (links[i].first, links[i].last)
        if span in places or not any(first <= span[1] and span[0] <= last for first, last in places):
            places.setdefault(span, []).append(i)
    found: list[tuple[list[list[int]], set[str]]] = []
    end = -1
    for first, last in sorted(span for span in places if span[0] >= 0):
        between = sentence.text[words[end].end : words[first].start] if end >= 0 else ""
        if joined := _OR.fullmatch(between):
            found[-1][0].append(places[first, last])
            found[-1][1].add((joined["join"] or "").lower())
        else:
            found.append(([places[first, last]], set()))
        end = last
    return [
        (group, not joins.isdisjoint(_ANY))
        for group, joins in found
        if not joins.isdisjoint(_ANY)
        or ("and" in joins and not _BOTH.search(sentence.text[: words[links[group[0][0]].first].start]))
    ]


def denies(sentence: Sentence, places: Sequence[Sequence[int]]) -> bool:
    """Whether a denial stands right before joined names, given as links by their places."""
    return is_denied(sentence, words_in(sentence.text)[sentence.links[places[0][0]].first].start)


def is_denied(sentence: Sentence, start: int) -> bool:
    """Whether a denial stands right before what begins at a character of a sentence."""
    words = words_in(sentence.text)
    names = [words[x.last].end for x in sentence.links if x.score > _SURELY and x.last >= 0]
    between = sentence.text[max((end for end in names if end <= start), default=0) : start]
    said = [found.end() for denial in (cues.LACKING, _EXCEPT) for found in denial.finditer(between)]
    rest = between[max(said) :] if said else ""
    return bool(said) and len(rest.split()) <= _BETWEEN and not _CLAUSE.search(rest)
