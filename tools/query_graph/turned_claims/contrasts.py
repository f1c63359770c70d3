"""Claims of one thing and not another: "Shino is matt, not glossy", "Shino isn't glossy, it's matt".

What is so is read on its own, "Shino is matt", and what is not so is taken away: the same with the other thing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_PREPOSITIONS = r"(?:by|in|at|from|with|for|to|on|of|as|into|near|under|through|via)"
_NO_CONTRAST = (
    r"(?!(?:only|just|merely|yet|all|every|each|any|at all|more|less|fewer|until|before|after|because|since|so|as|"
    r"even|ever|always|much|many|too|very|sure|counting|including|if|when|where|that|who|which)\b)"
)
"""What is behind "not" that denies no other thing: "not only", "not yet", "not more than"."""
_IT = r"(?:it|he|she|they|that|this|these|those)"
_HAS = r"(?:is|was|are|were|has|have|had|did|does|do)"
_REST = r"(?P<other>[^,.;:!?]+?)"
_BUT_NOT = re.compile(
    rf"^(?P<before>.+?)(?:,\s*(?:and\s+|but\s+)?not|,?\s+(?:and|but)\s+not|,?\s+rather\s+than|,?\s+instead\s+of)\s+"
    rf"{_NO_CONTRAST}{_REST}(?P<after>(?:,\s*[^,;:!?]+?)?)[.!\s]*$",
    re.I,
)
_NOT_BUT = re.compile(
    rf"^(?P<who>(?!there\b).+?)\s+(?P<verb>{_HAS})(?:n['’]?t|\s+not)\s+{_NO_CONTRAST}{_REST}"
    rf"(?:(?:\s*[,;:–—-]+\s*|\s+(?=but\b))(?:but\s+)?{_IT}(?:\s*['’](?:s|re|ve|d)|\s+{_HAS})?|\s*,?\s+but)\s+"
    r"(?!not\b)(?P<so>[^,;:!?]+?)[.!\s]*$",
    re.I,
)
_MEANT = 0.6
"""The score of a link from which on words mean a thing."""
_DENIED = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.I)
_CLAUSE = re.compile(rf"\b(?:{_HAS}|can|could|will|would)\b", re.I)


class Contrast(NamedTuple):
    """What a claim says is so, as a claim, and what it says is not so.

    ``first``, ``last``: between which characters of the claim the thing stands that the other one is held against.
    """

    bare: str
    other: str
    first: int
    last: int


def contrast(text: str) -> Contrast | None:
    """The parts of a claim of one thing and not another; None for any other, and where more than that is denied."""
    text = text.strip()
    if match := _NOT_BUT.match(text):
        if _CLAUSE.search(match["so"]):
            return None  # "Ann hasn't been to Rome, but Ben has"
        opens = f"{match['who']} {_plain(match['verb'], match['so'])}"
        found = Contrast(f"{opens}{match['so']}.", match["other"], len(opens), len(opens) + len(match["so"]))
    elif match := _BUT_NOT.match(text):
        before = match["before"]
        found = Contrast(f"{before}{match['after'].removeprefix(',')}.", match["other"], 0, len(before))
    else:
        return None
    return None if _DENIED.search(found.bare) or _CLAUSE.search(found.other) else found


def _plain(verb: str, so: str) -> str:
    """The verb before what is so: none before "burns gas", which has its own."""
    return "" if verb.lower() in ("did", "does", "do") and not re.match(rf"{_PREPOSITIONS}\b", so, re.I) else f"{verb} "


def not_the_other(
    schema: SchemaView, draft: Draft, sentence: Sentence, claim: Contrast, other: Sentence
) -> Draft | None:
    """A draft from which the same with what is not so is taken away; None where it has nothing like that.

    ``other``: the words of what is not so, as they were understood.
    """
    if draft.form != "ask" or draft.denied or draft.minus or draft.compare:
        return None
    words = words_in(sentence.text)
    used = [sentence.links[i] for i in draft.links]
    used = [x for x in used if x.first >= 0 and claim.first <= words[x.first].start < claim.last]
    for one in sorted(used, key=lambda x: -x.first):
        for link in (x for x in other.links if x.score > _MEANT):
            if one.node != link.node and _alike(schema, draft, one.node, link.node):
                return _taken_away(draft, one.node, link.node)
    if other.values and draft.values and len({v for v, _, _ in draft.filters}) == 1:
        return draft.but(filters=(*draft.filters, (draft.filters[0][0], "!=", other.values[0].low)))
    return None


def _alike(schema: SchemaView, draft: Draft, one: str, other: str) -> bool:
    """Whether another thing is found where a draft has one."""
    steps = {Step(r, inverse=h == one) for h, r, t in draft.rows if one in (h, t)}
    return bool(steps) and all(step.back in schema.steps(other) for step in steps)


def _taken_away(draft: Draft, one: str, other: str) -> Draft:
    fresh = draft.next_variable

    def moved(end: End) -> End:
        return end + fresh if isinstance(end, int) else other if end == one else end

    minus = tuple((moved(h), r, moved(t)) for h, r, t in draft.rows)
    return draft.but(minus=minus, minus_of=0)
