"""Claims of an extreme: "Tern Rock is the tallest lighthouse" is read as "which is the tallest lighthouse?" is.

Each ordered reading of that question becomes the claim that nothing in its set has a greater value.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from triplewise.tools.query_graph.candidates.drafts import Draft, End

EXTREME = re.compile(
    r"(?<!at )(?<!at the )\b(?:most|least|fewest|best|worst|"
    r"(?!(?:for|gu|harv|inter|inv|mod|n|qu|requ|r|t|w|arr|cont|prot|sugg|dig|cr|ch|bl)ests?\b)\w\w+est)\b",
    re.I,
)
_CLAIM = re.compile(
    r"^\W*(?:(?:so|and|but)\s+)*(?:(?:is|was|are|were)(?:n['’]t)?\s+)?(?P<who>.+?)\s+(?:(?:is|was|are|were)\s+)?"
    r"(?P<denied>(?:not|isn['’]t|wasn['’]t|aren['’]t)\s+)?(?:the|our|my|your)\s+(?P<what>.*)$",
    re.I,
)


_SUBJECT = re.compile(
    r"^\W*(?P<what>the\s+(?:(?:most|least)\s+[^\W\d_]+|(?!most\b|least\b)[^\W\d_]+)\s+[^\W\d_]+)\s+"
    r"(?P<told>(?!(?:of|in|at|on|from|by|to|for|with|that|who|which|and|or|than|thing|one)\b)\S+\s.+)$",
    re.I | re.S,
)
"""An adjective and a noun, then a verb: of "the oldest boat of the club" more would have to be said."""


_LAST = re.compile(
    r"^\W*(?:(?:so|and|but)\s+)*(?:did\s+)?(?P<who>.+?)\s+(?P<denied>did(?:n['’]t|\s+not)\s+)?"
    r"(?P<what>(?:c[ao]me|finish(?:ed)?|end(?:ed)?(?:\s+up)?|was\s+placed)\s+(?:in\s+)?last\b.*)$",
    re.I,
)


class ExtremeClaim(NamedTuple):
    """``who`` is ``what``, or is not where it is ``denied``: "Tern Rock", "the tallest lighthouse"."""

    who: str
    what: str
    denied: bool

    def question(self, kind: str) -> str:
        """What asks which one that is; ``kind``: the class of who it is said of."""
        return f"Which is {self.what}"


class LastClaim(ExtremeClaim):
    """``who`` did ``what``, or did not: "came last in the Spring Cup"."""

    def question(self, kind: str) -> str:
        """What asks which one did so."""
        return f"Which {kind} {self.what}" if kind else f"Who {self.what}"


def extreme_claim(text: str) -> ExtremeClaim | None:
    """The parts of a claim that a thing is an extreme; None for any other."""
    match = _CLAIM.match(text)
    if not match or not EXTREME.search(match["what"]):
        return None
    return ExtremeClaim(match["who"], f"the {match['what']}", bool(match["denied"]))


def last_claim(text: str) -> LastClaim | None:
    """The parts of a claim that a thing came last; None for any other."""
    match = _LAST.match(text)
    return LastClaim(match["who"], match["what"], bool(match["denied"])) if match else None


class ExtremeSubject(NamedTuple):
    """``what`` is the one of which the rest of the claim tells: "the oldest boat", "belongs to Ann"."""

    what: str
    told: str


def extreme_subject(text: str) -> ExtremeSubject | None:
    """The parts of a claim that tells something of an extreme; None for any other."""
    match = _SUBJECT.match(text)
    if not match or not EXTREME.search(match["what"]) or EXTREME.search(match["told"]):
        return None
    return ExtremeSubject(match["what"], match["told"])


def none_beyond(draft: Draft, node: str, *, denied: bool) -> Draft:
    """The claim that an ordered draft's first answer is a node: no other has a greater, or a lesser, value.

    ``denied``: that it is not, so that another has.
    """
    assert draft.order, "only what is ordered has an extreme"
    value, descending, _ = draft.order
    by = draft.next_variable

    def own(end: End) -> End:
        return end if isinstance(end, str) else node if end == 0 else end + by

    rows = tuple((own(h), r, own(t)) for h, r, t in draft.rows)
    return draft.but(
        rows=draft.rows + tuple(row for row in rows if isinstance(row[0], int) or isinstance(row[2], int)),
        form="ask", order=None, denied=not denied, answers=frozenset(),
        filters=(*draft.filters, (value, ">" if descending else "<", value + by)),
    )  # fmt: skip
