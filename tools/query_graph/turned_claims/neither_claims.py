"""Claims of neither of two: "Neither Gannet nor Teal is Ann's", "it is neither red nor blue", "it isn't red or blue".

What is denied is read of the first one, and said of any of the two: a claim that nothing among them is so.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.query_graph.joined.names import denies, joined_names
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_OPENS = re.compile(r"^\W*(?:(?:so|and|but|then)\s+)*neither\s+(?P<one>[^,]+?)\s+nor\s+(?P<rest>\S.*)$", re.I | re.S)
_ENDS = re.compile(
    r"^(?P<before>.+?\b(?:is|are|was|were|has|have|had)\b(?:\s+[\w-]+){0,3}?)\s+neither\s+(?P<one>[^,]+?)\s+nor\s+"
    r"(?P<rest>[^,.;!?]+)[.!\s]*$",
    re.I | re.S,
)
_OF_TWO = re.compile(r"^(?P<before>\W*(?:(?:so|and|but|then)\s+)*)neither\s+of\s+(?P<one>[^,]+?)\s+and\s+", re.I)
_NOT_EITHER = re.compile(
    r"^(?P<before>.+?\b(?:is|are|was|were|has|have|had))(?:n['’]t|\s+not)\s+(?P<one>[^,]+?)\s+or\s+(?P<rest>[^,]+)$",
    re.I | re.S,
)
_MEANT = 0.6
"""The score of a link from which on words mean a thing."""


class NeitherClaim(NamedTuple):
    """``bare``: the claim of the first one alone, from ``first`` to ``last``; ``other``: the second one."""

    bare: str
    first: int
    last: int
    other: str


def as_neither_nor(text: str) -> str:
    """A claim of "neither of Ann and Bo" as one of "neither Ann nor Bo"; others stay as they are."""
    return _OF_TWO.sub(r"\g<before>neither \g<one> nor ", text)


def not_either_as_neither(sentence: Sentence) -> str:
    """A claim that something "is not in Oslo or Bergen" as one that it "is neither in Oslo nor Bergen"; others stay as
    they are."""
    match = _NOT_EITHER.match(sentence.text)
    denied = (any_of and denies(sentence, places) for places, any_of in joined_names(sentence))
    return f"{match['before']} neither {match['one']} nor {match['rest']}" if match and any(denied) else sentence.text


def is_of_neither(text: str) -> bool:
    """Whether a claim is of neither of two."""
    return bool(_OPENS.match(text) or _ENDS.match(text))


def neither_claim(text: str, links: list[Link]) -> NeitherClaim | None:
    """The parts of a claim of neither of two; None for any other, and where the second one is not named. ``links``: the
    things that the claim names."""
    if match := _OPENS.match(text):
        words = words_in(text)
        behind = [x for x in links if x.first >= 0 and x.score > _MEANT and _begins(text, words[x.first].start, match)]
        if not behind:
            return None
        end = words[max(behind, key=lambda x: x.last).last].end
        one = match["one"]
        return NeitherClaim(f"{one}{text[end:]}", 0, len(one), text[match.start("rest") : end])
    if match := _ENDS.match(text):
        before = f"{match['before']} "
        bare = f"{before}{match['one']}"
        return NeitherClaim(f"{bare}.", len(before), len(bare), match["rest"])
    return None


def _begins(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a name is the first behind "nor"."""
    return start >= match.start("rest") and text[match.start("rest") : start].strip().lower() in ("", "the", "a", "an")


def neither(schema: SchemaView, draft: Draft, sentence: Sentence, claim: NeitherClaim, other: Sentence) -> Draft | None:
    """The claim that a draft is so of neither of two; None where it does not say it of the first one."""
    words = words_in(sentence.text)
    held = [x for i, x in enumerate(sentence.links) if i in draft.links and x.first >= 0]
    ones = [x for x in held if claim.first <= words[x.first].start < claim.last]
    ends = {end for h, _, t in draft.rows for end in (h, t)}
    if len(ones) != 1 or ones[0].node not in ends or draft.denied or draft.form != "ask" or draft.minus:
        return None
    one = ones[0].node
    meant = [x for x in other.links if x.score > _MEANT or len(other.links) == 1]  # "Jun", of one Jun Mori
    second = next((x.node for x in meant if _alike(schema, draft, one, x.node)), None)
    if second is None or second == one:
        return None
    fresh = draft.next_variable

    def either(end: End | Step) -> End | Step:
        return fresh if end == one else end

    return draft.but(
        rows=tuple((either(h), r, either(t)) for h, r, t in draft.rows), denied=True, answers=frozenset(),
        routes=tuple(tuple(map(either, route)) for route in draft.routes),
        filters=(*draft.filters, (fresh, "in", (one, second))),
    )  # fmt: skip


def _alike(schema: SchemaView, draft: Draft, one: str, other: str) -> bool:
    """Whether two things may stand in the same place of a draft's patterns."""
    if schema.kinds(one):
        return bool(set(schema.kinds(one)) & set(schema.kinds(other)))
    steps = {Step(r, inverse=t == one) for h, r, t in draft.rows if one in (h, t)}
    return steps <= set(schema.steps(other))
