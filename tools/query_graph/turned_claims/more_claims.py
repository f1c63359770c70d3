"""Claims that one thing has more than another: "Dive 602 had more divers than dive 606" is read as "which of the two
had more divers?" is, and the number of the one is held against that of the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.query_graph.linking.mentions import Link, words_in

_MORE = re.compile(
    r"^(?P<one>.*\b(?:more|fewer|less)\b(?!\s+th[ae]n\b).*?)\s+th[ae]n\s+(?P<other>[^.!?]+?)"
    r"(?:\s+(?:has|have|had|does|do|did|is|are|was|were))?[.!?\s]*$",
    re.I,
)
_COUNTED = re.compile(
    r"^(?P<one>.*?)\b(?:(?P<how>more|fewer)|(?P<same>as many))\s+(?P<noun>[^\W\d_][\w-]*s|people)\s+"
    r"(?(same)as|th[ae]n)\s+(?P<other>[^.!?]+?)(?:\s+(?:has|have|had|does|do|did))?[.!?\s]*$",
    re.I,
)
_DENIED = re.compile(
    r"\b(?:do|does|did)(?:n['’]?t| not)\s+|\b(?P<kept>is|are|was|were|has|have|had)(?:n['’]?t\b| not\b)", re.I
)
_NOT = {">": "<=", "<": ">="}
_SURELY = 0.9
"""The score from which on a name need not be spelt out."""
_NEAR = 3
"""Words from "than" on among which the other thing begins: "than were on dive 606"."""


_OF_TWO = re.compile(
    r"^\W*(?:(?:so|and|but|then)\s+)*the\s+(?P<more>\w{3,}er|(?:more|less)\s+\w+)\s+(?P<noun>[^\W\d_][\w-]*(?:\s[\w-]+)?)\s+"
    r"of\s+(?P<one>[^,;?!]+?)\s+and\s+(?P<other>[^,;?!]+?)\s+(?P<is>is|was)\s+(?P<said>[^,;?!.]+?)\W*$",
    re.I,
)


def as_comparison(text: str) -> str:
    """A claim of "the higher bill of A and B" as a comparison: "the bill of B is higher than the bill of A."; others
    stay as they are."""
    found = _OF_TWO.match(text)
    both = (found["one"], found["other"]) if found else ("", "")
    said = [name for name in both if found and _bare(name) == _bare(found["said"])]
    if not found or len(said) != 1:
        return text
    other = both[1 - both.index(said[0])]
    return f"The {found['noun']} of {said[0]} {found['is']} {found['more']} than the {found['noun']} of {other}."


def _bare(name: str) -> str:
    return name.casefold().removeprefix("the ")


class MoreClaim(NamedTuple):
    """The question which of two has more, the word of it from which on the other one is named, and
    whether it is denied that the first one has."""

    question: str
    border: int
    denied: bool


def more_claim(text: str) -> MoreClaim | None:
    """The parts of a claim that one thing has more, or less, than another; None for any other."""
    match = _MORE.match(text)
    if not match:
        return None
    one = _DENIED.sub(lambda m: m["kept"] or "", match["one"])  # which of two has more is asked without a denial
    return MoreClaim(f"{one} or {match['other']}?", len(words_in(one)), bool(cues.NEGATED.search(text)))


def with_full_names(text: str, links: Sequence[Link]) -> str:
    """A claim in which a first name, or another part of a name, is spelt out where it can be only one thing's: each of
    the two that are held against each other must be surely named."""
    words = words_in(text)
    said = [x for x in links if x.first >= 0 and text[words[x.first].start].isupper()]
    for link in sorted(said, key=lambda x: -x.first):
        alone = not any(x is not link and x.overlaps(link) for x in links)
        if alone and not link.is_value and link.score < _SURELY:
            text = text[: words[link.first].start] + link.name + text[words[link.last].end :]
    return text


class CountClaim(NamedTuple):
    """A claim of how many the first of two things has, the name of the other, and how the numbers are compared."""

    counted: str
    other: str
    op: str


def count_claim(text: str) -> CountClaim | None:
    """The parts of a claim that one thing has more, fewer or as many of a kind as another; None for any other."""
    match = _COUNTED.match(text)
    if not match or cues.NEGATED.search(text):
        return None
    op = "=" if match["same"] else ">" if match["how"].lower() == "more" else "<"
    return CountClaim(f"{match['one']}two {match['noun']}.", match["other"], op)


def as_many_as_other(draft: Draft, one: str, other: str, op: str, number: Callable[[Draft], int]) -> Draft | None:
    """The claim that a draft counts so many, or more or fewer, of the one thing as of the other; None where this has
    none, as ``has_more``."""
    moved = tuple((other if h == one else h, r, other if t == one else t) for h, r, t in draft.rows)
    limit = number(draft.but(rows=moved, compare=None))
    return draft.but(compare=(op, str(limit)), answers=frozenset()) if limit else None


def has_more(draft: Draft, sentence: Sentence, claim: MoreClaim, number: Callable[[Draft], int]) -> Draft | None:
    """The claim that of the two things which a draft holds against each other the first is before the other.

    ``number``: how many a draft counts. None for a draft that compares no such two, and where the other has none: of
    what the graph says nothing, it does not say that it is less.
    """
    two = _two(draft, sentence, claim)
    if not two or not draft.order:
        return None
    op = ">" if draft.order[1] else "<"
    if not draft.order[2]:
        one, other = (_put(draft, node) for node in two)
        moved = tuple((h, r, 1 if t == 0 else t) for h, r, t in other.rows)
        return draft.but(
            rows=one.rows + moved,
            form="ask",
            filters=((0, op, 1),),
            order=None,
            denied=claim.denied,
            answers=frozenset(),
        )
    one, other = (_put(draft, node).but(form="count", order=None, filters=()) for node in two)
    if not (limit := number(other)):
        return None
    return one.but(compare=(_NOT[op] if claim.denied else op, str(limit)), answers=frozenset())


def _two(draft: Draft, sentence: Sentence, claim: MoreClaim) -> tuple[str, str] | None:
    """The thing before "than" and the one behind it, where a draft asks which of these has more."""
    nodes = {sentence.links[i].node for i in draft.links}
    if len(nodes) != 2 or draft.form != "select" or [f[:2] for f in draft.filters] != [(0, "in")]:
        return None
    before = [sentence.links[i].node for i in draft.links if 0 <= sentence.links[i].first < claim.border]
    behind = [sentence.links[i].node for i in draft.links if 0 < sentence.links[i].first - claim.border <= _NEAR]
    return (before[0], behind[0]) if len(before) == len(behind) == 1 else None


def _put(draft: Draft, node: str) -> Draft:
    """A draft with a node for its answer, and what it has as the answer instead."""
    assert draft.order
    to: dict[End, End] = {0: node, draft.order[0]: 0}
    return draft.but(rows=tuple((to.get(h, h), r, to.get(t, t)) for h, r, t in draft.rows))
