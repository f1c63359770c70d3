"""Re-ranking: a reply about numbered candidates becomes a permutation, which is spliced into the ranking.

KICGPT, section 3.2: R_LLM is a permutation of the m leading entities of R_retriever and replaces them::

    R_KICGPT = [e'_1, …, e'_m, e_(m+1), …, e_|E|]

A reply may be numbers ("3, 1, 2", "3 > 1 > 2", JSON, one to a line) or names. Whatever it is, the result
is a permutation: what is no candidate is dropped, a second mention is dropped, and what is missing is
appended in the retriever's order. Only a reply that mentions no candidate, or the same few again and again,
raises ReplyError.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from triplewise.errors import ReplyError

T = TypeVar("T", bound=Hashable)
_MAX_REPLY = 20_000
_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.S | re.I)
_MARKER = re.compile(r"\b(?:order|ranking|answer)\b[^:\n]{0,40}:", re.I)
_NUMBER = re.compile(r"(?<![\w.\-])\d{1,9}(?![\w]|\.\d)")
_GAP = re.compile(r"(?:[^\w]|\band\b|\bthen\b)*", re.I)
_LISTED = re.compile(r"^[ \t]{0,8}(\d{1,4})[ \t]?[.):\-][^\d\n]{0,12}(\d{1,9})(?!\w)(?=[^\w\n]*(?:$|[^\W\d]))", re.M)
_SCORED = re.compile(
    r"(?<![\w.])(\d{1,4})\s{0,2}[\])*\"]{0,3}\s{0,2}(?:[:=|]|->|→|\bis\b|-\s|\.\s)\s{0,4}\**(\d{1,3}(?:\.\d{1,9})?)(?!\w|\.\d)"
)
_ALONE = re.compile(r"^\D{0,40}?(\d{1,3}(?:\.\d+)?)(?:\s*/\s*100|\s*%)?\D*$", re.S)


@dataclass(frozen=True, slots=True)
class ParsedOrder:
    """Candidate positions (from 0) in the reply's order, each once, and what had to be mended."""

    order: tuple[int, ...]
    doubled: int = 0
    unknown: int = 0
    missing: int = 0


@dataclass(frozen=True)
class CandidateNames:
    """The names by which a reply may mention candidates; only those that mean exactly one of them.

    ``names[i]`` are the names of candidate i (its display name, its bare label).
    """

    names: Sequence[Sequence[str]]
    _positions: Mapping[str, int] = field(init=False, repr=False)
    _pattern: re.Pattern[str] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        owners: dict[str, set[int]] = {}
        for i, alternatives in enumerate(self.names):
            for name in alternatives:
                if folded := _one_case(name):
                    owners.setdefault(folded, set()).add(i)
        unique = {name: next(iter(who)) for name, who in owners.items() if len(who) == 1}
        # Longest first, so that "Alien Resurrection" is not read as "Alien"; an ambiguous longer
        # name is matched too (and ignored), or a shorter name inside it would be taken for it. A name
        # without letters ("7 10") could be a part of any order of numbers.
        long = sorted((n for n in owners if len(n) > 2 and re.search(r"[^\W\d]", n)), key=len, reverse=True)
        parts = [r"\s+".join(re.escape(w) for w in n.split()) for n in long]
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.I) if parts else None
        object.__setattr__(self, "_positions", unique)
        object.__setattr__(self, "_pattern", pattern)

    def find(self, text: str) -> list[tuple[int, int, int | None]]:
        """(start, end, candidate) of all names in a text; the candidate is None for an ambiguous name."""
        if self._pattern is None:
            return []
        return [(m.start(), m.end(), self._positions.get(_one_case(m.group()))) for m in self._pattern.finditer(text)]

    def exact(self, text: str) -> int | None:
        """The candidate that a whole text names, also by a name too short to look for in prose."""
        return self._positions.get(_one_case(text))


def _one_case(text: str) -> str:
    """Casefolded, one space between words. Accents are kept: the names are looked for in the reply as it stands."""
    return " ".join(text.casefold().split())


def parse_order(reply: str, names: CandidateNames) -> ParsedOrder:
    """The order that a reply states, as candidate positions from 0; raises ReplyError where it has none.

    ``missing`` counts the candidates that the reply leaves out; ``complete_order`` appends them. A reply that
    mostly repeats itself is refused too: weak models fall into "20, 20, 20, …", which is no order.
    """
    text = _THINKING.sub(" ", reply[:_MAX_REPLY])
    for marker in reversed(list(_MARKER.finditer(text))[-8:]):
        if (found := _mentions(text[marker.end() :], names)) is not None and found[0]:
            break
    else:
        found = _mentions(text, names)
    mentioned, unknown = found
    order = tuple(dict.fromkeys(mentioned))
    if not order:
        raise ReplyError(f"It mentions none of the candidates 1 to {len(names.names)}.")
    doubled = len(mentioned) - len(order)
    if doubled > len(order):
        raise ReplyError("It repeats the same candidates instead of listing each once.")
    return ParsedOrder(order, doubled, unknown, len(names.names) - len(order))


def _mentions(text: str, names: CandidateNames) -> tuple[list[int], int]:
    """Candidates in the order mentioned, and how many mentions are of no candidate."""
    spans = names.find(text)
    named = [c for _, _, c in spans if c is not None]
    numbers = _numbers(_without(text, spans))
    if not named and len(numbers) < 2:
        parts = [p.strip(" \"'`*[](){}.-\t") for p in re.split(r"[,;\n>|]+", text)]
        named = [c for p in parts if (c := names.exact(re.sub(r"^\d+[.):]\s*", "", p))) is not None]
        if all(p.isdigit() for p in parts if p):
            named = []
    # "1. Alien, 2. Heat": the numbers only count the lines, the names are the order.
    if named and len(set(named)) * 2 >= len(numbers):
        return named, sum(c is None for _, _, c in spans)
    m = len(names.names)
    valid = [n - 1 for n in numbers if 1 <= n <= m]
    other = [c for n in numbers if not 1 <= n <= m and (c := names.exact(str(n))) is not None]
    return (valid or other), len(numbers) - len(valid)


def _without(text: str, spans: Sequence[tuple[int, int, int | None]]) -> str:
    """The text with names blanked, so that the 2001 of a name is no candidate number."""
    for start, end, _ in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _numbers(text: str) -> list[int]:
    """The numbers of the longest run: a list is not interrupted by words, an explanation is."""
    listed = [(int(a), int(b)) for a, b in _LISTED.findall(text)]
    if len(listed) >= 2 and [a for a, _ in listed] == list(range(1, len(listed) + 1)):
        return [b for _, b in listed]
    runs: list[list[int]] = []
    end = -1
    for match in _NUMBER.finditer(text):
        joined = end >= 0 and _GAP.fullmatch(text, end, match.start()) is not None
        if not joined:
            runs.append([])
        runs[-1].append(int(match.group()))
        end = match.end()
    longest = max(runs, key=len, default=[])
    return longest if len(longest) > 1 else [n for run in runs for n in run]


def complete_order(order: Sequence[int], m: int) -> tuple[int, ...]:
    """A permutation of 0 … m-1: ``order`` without repetitions, then what is missing, ascending."""
    kept = [i for i in dict.fromkeys(order) if 0 <= i < m]
    present = set(kept)
    return (*kept, *(i for i in range(m) if i not in present))


def parse_scores(reply: str, numbers: Sequence[int]) -> dict[int, float]:
    """Scores 0–100 by candidate number from lines such as "3: 85"; raises ReplyError where there is none.

    A single candidate may also be answered by its score alone. Values are cut to 0–100.
    """
    text = _THINKING.sub(" ", reply[:_MAX_REPLY])
    wanted = set(numbers)
    scores = {int(n): min(100.0, float(s)) for n, s in reversed(_SCORED.findall(text)) if int(n) in wanted}
    if not scores and len(numbers) == 1 and (match := _ALONE.match(text.strip())):
        scores = {numbers[0]: min(100.0, float(match.group(1)))}
    if not scores:
        raise ReplyError(f"It gives no score for any of the statements {numbers[0]} to {numbers[-1]}.")
    return scores


def order_by_scores(scores: Mapping[int, float], m: int) -> tuple[int, ...]:
    """Positions 0 … m-1 by score, highest first; ties and unscored ones stay in the retriever's order."""
    return tuple(sorted(range(m), key=lambda i: (-scores.get(i, -1.0), i)))


def splice(ranking: Sequence[T], reranked: Sequence[T]) -> list[T]:
    """R_KICGPT: the ranking of all entities with its m leading ones replaced by their re-ranking.

    Raises ValueError where ``reranked`` is not a permutation of the m leading ones.
    """
    m = len(reranked)
    if set(reranked) != set(ranking[:m]) or len(set(reranked)) != m:
        raise ValueError(f"the re-ranking is not a permutation of the {m} leading entities")
    return [*reranked, *ranking[m:]]
