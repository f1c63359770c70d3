"""Claims of one thing only: "Only Ann sings" is read as "Ann sings" is; where that holds, nobody else may do so."""

from __future__ import annotations

import re
from typing import NamedTuple

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, without
from triplewise.tools.query_graph.linking.mentions import words_in

_ONLY = re.compile(r"(?<!not )(?<!n[’']t )(?<!the )\bonly\s+", re.I)
_THE_ONLY = re.compile(
    r"^(?P<who>.+?)\s+(?:is|was|are|were)\s+the\s+only\s+.+?\s+(?:that|who|which)\s+(?P<what>.+)$", re.I
)
"""Boats that, who or which are the only ones that do something do it, and no others."""
_OPENS = re.compile(r"\W*(?:(?:so|and|but|(?:is|are|was|were|has|have|had|does|do|did))\s+)*", re.I)
_ARTICLES = frozenset(("the", "a", "an"))
_JOINING = frozenset(("and", "or", "the"))
_APART = 4
"""Words between "only" and what it singles out: "was only ever borrowed by Ann"."""


class OnlyClaim(NamedTuple):
    """A claim without its "only", and where that stood; ``leading``: at the beginning, right before a name."""

    bare: str
    at: int
    leading: bool


def only_claim(text: str) -> OnlyClaim | None:
    """The parts of a claim of one thing only; None for any other."""
    if match := _THE_ONLY.match(text.strip().rstrip(".")):
        return OnlyClaim(f"{match['who']} {match['what']}", 0, True)
    match = _ONLY.search(text)
    if not match:
        return None
    leading = _OPENS.fullmatch(text[: match.start()]) is not None
    return OnlyClaim(text[: match.start()] + text[match.end() :], match.start(), leading)


def no_other(draft: Draft, sentence: Sentence, claim: OnlyClaim) -> Draft | None:
    """The claim that what a draft says of the thing behind "only" is so of nothing else; None where it has none."""
    if draft.form != "ask" or draft.denied or draft.filters or draft.minus or draft.compare:
        return None
    nodes = _singled_out(draft, sentence, claim)
    fresh = draft.next_variable

    def freed(end: End) -> End:
        return fresh if end in nodes else end

    rows = tuple(dict.fromkeys((freed(h), r, freed(t)) for h, r, t in draft.rows))
    if not nodes or len(rows) * len(nodes) != len(draft.rows) or fresh not in {e for h, _, t in rows for e in (h, t)}:
        return None
    return draft.but(rows=rows, filters=without(fresh, nodes), denied=True, answers=frozenset())


def _singled_out(draft: Draft, sentence: Sentence, claim: OnlyClaim) -> frozenset[str]:
    """The things right behind "only" that a draft names: Ann, or Ann and Ben; none where a number stands there."""
    words = words_in(sentence.text)
    start = next((i for i, w in enumerate(words) if w.end > claim.at), len(words))
    used = sorted((sentence.links[i] for i in draft.links), key=lambda x: x.first)
    nodes: set[str] = set()
    for link in (x for x in used if x.first >= start):
        between = {w.text for w in words[start : link.first]}
        near = between <= (_JOINING if nodes else _ARTICLES) if nodes or claim.leading else len(between) <= _APART
        number = any(words[start].start <= v.start < words[link.first].start for v in sentence.values)
        if not near or number:
            break
        nodes.add(link.node)
        start = link.last + 1
    return frozenset(nodes)
