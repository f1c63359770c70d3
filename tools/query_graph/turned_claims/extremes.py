"""Claims of an extreme: "Tern Rock is the tallest lighthouse" is read as "which is the tallest lighthouse?" is.

Each ordered reading of that question becomes the claim that nothing in its set has a greater value.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.text.verb_forms import is_third_person

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


_LONGEST = re.compile(
    r"^\W*(?:(?:so|and|but)\s+)*(?P<who>.+?)\s+(?P<been>(?:is|was|been|has|have|works|worked)(?:\s+(?:been|worked))?)"
    r"(?P<denied>n['’]t|\s+not)?\s+(?P<how>(?!(?:the|our)\b)(?:(?!\bnot\b)[^,?])*\blongest\b.*)$",
    re.I,
)
""" "Ann has been with us longest", where "the longest boat" is another thing."""
_TURNED = re.compile(
    r"^\W*(?:(?:so|and|but)\s+)*the\s+(?P<what>[^,?]+?)\s+(?:is|was|are|were)(?P<denied>n['’]t|\s+not)?\s+"
    r"(?P<who>(?!(?:an?|our|in|on|at|from|of|\d)\b)[^,?]+?)\W*$",
    re.I,
)
""" "The tallest lighthouse is Tern Rock", "the one who has been here longest is Ann"."""
_RELATIVE = re.compile(r"(?P<noun>[^\W\d_]+)\s+(?:that|who|which|(?P<has>with))\s+(?P<does>.+)", re.I)
_ANY = ("one", "person", "man", "woman", "thing")
_BEING = r"(?:is|was|are|were)"
_BEYOND_ALL = re.compile(
    rf"^\W*(?:(?:so|and|but)\s+)*(?P<asked>{_BEING}\s+)?(?P<who>.+?)\s+"
    rf"(?(asked)|(?:{_BEING}(?P<denied>n['’]t|\s+not)?|(?P<verb>(?!{_BEING}\b)[^\W\d_]+))\s+)(?:(?:much|far|even|also)\s+)?"
    r"(?P<how>(?:more|less)\s+[^\W\d_]+|more|less|fewer|better|worse|(?!(?:o|ra|whe|ei|nei)ther\b)[^\W\d_]{2,}er)"
    r"(?P<of>\s+[^\W\d_]+)??\s+th[ae]n\s+"
    r"(?:(?P<any>any)(?:(?:one|body|thing)\s+else\b|\s+other\b)|every(?:(?:one|body|thing)\s+else\b|\s+other\b)"
    r"|all\s+(?:(?:of\s+)?(?:the|our|my|your|its|his|her|their)\s+)?others?\b)\s*(?P<kind>.*?)[\s.!?]*$",
    re.I,
)
"""More than each of the others: "older than every other dog", "weighs less than all other boats"."""
_HIGHEST = {"better": "best", "worse": "worst", "more": "most", "less": "least", "fewer": "fewest"}


_OF_ALL = re.compile(
    r"\s+(?:of\s+(?:us|all|them|the\s+lot|everyone|everybody)\b(?:\s+(?:all|of\s+us|(?:the|our)\s+[^\W\d_]+))?|here|"
    r"(?:out\s+)?there)\W*$",
    re.I,
)
"""Behind an extreme: "the youngest of us", "the biggest of all the teams"."""


class ExtremeClaim(NamedTuple):
    """``who`` is ``what``, or is not where it is ``denied``: "Tern Rock", "the tallest lighthouse"."""

    who: str
    what: str
    denied: bool

    def question(self, kind: str) -> str:
        """What asks which one that is; ``kind``: the class of who it is said of."""
        of_all = _OF_ALL.sub("", self.what)
        return f"Which is {of_all} {kind}" if kind and of_all != self.what else f"Which is {self.what}"


class HavingClaim(ExtremeClaim):
    """``who`` does ``what``, or does not: "gets the biggest budget"."""

    def question(self, kind: str) -> str:
        """What asks which one does so."""
        return f"Which {kind or 'one'} {_OF_ALL.sub('', self.what)}"


class LastClaim(ExtremeClaim):
    """``who`` did ``what``, or did not: "came last in the Spring Cup"."""

    def question(self, kind: str) -> str:
        """What asks which one did so."""
        return f"Which {kind} {self.what}" if kind else f"Who {self.what}"


class TurnedClaim(ExtremeClaim):
    """``who`` is the one that is asked for by "which" and ``what``: "is the oldest boat", "member joined first"."""

    def question(self, kind: str) -> str:
        """What asks which one that is."""
        return f"Which {self.what}"


class BeyondAll(NamedTuple):
    """``who`` is, or does by a ``verb``, ``what`` among a ``kind``, or among its own: "Rolo", "weighs", "the most"."""

    who: str
    verb: str
    what: str
    kind: str
    denied: bool

    def question(self, kind: str) -> str:
        """What asks which one that is; ``kind``: the class of who it is said of."""
        kind = self.kind or kind
        return f"Which {kind} {self.verb} {self.what}" if self.verb else f"Which is {self.what} {kind}".strip()


def beyond_all(text: str) -> BeyondAll | None:
    """The parts of a claim that a thing is more of something than every other one; None for any other, and where "not
    … than any other" may deny either that it is so of all or that it is so of one."""
    match = _BEYOND_ALL.match(text)
    if not match or (match["denied"] and match["any"]):
        return None
    first, *rest = match["how"].lower().split()
    how = " ".join((_HIGHEST.get(first) or f"{first[:-1]}st", *rest))
    return BeyondAll(
        match["who"], match["verb"] or "", f"the {how}{match['of'] or ''}", match["kind"], bool(match["denied"])
    )


def extreme_claim(text: str) -> ExtremeClaim | None:
    """The parts of a claim that a thing is an extreme; None for any other."""
    match = _TURNED.match(text)
    if match and EXTREME.search(match["what"]) and not EXTREME.search(match["who"]):
        said = _RELATIVE.fullmatch(match["what"])
        does = f"{'has ' if said['has'] else ''}{said['does']}" if said else ""
        if said and said["noun"].lower() in _ANY:
            return LastClaim(match["who"], does, bool(match["denied"]))
        what = f"{said['noun']} {does}" if said else f"is the {match['what']}"
        return TurnedClaim(match["who"], what, bool(match["denied"]))
    match = _CLAIM.match(text)
    if not match or not EXTREME.search(text, *match.span("what")):  # "ten at the least" is none
        return None
    *who, verb = match["who"].split()
    is_it = re.search(rf"\b{_BEING}\b", text[match.end("who") : match.start("what")], re.I)
    if who and not is_it and is_third_person(verb.lower()) and EXTREME.match(match["what"]):
        return HavingClaim(" ".join(who), f"{verb} the {match['what']}", bool(match["denied"]))
    return ExtremeClaim(match["who"], f"the {match['what']}", bool(match["denied"]))


def last_claim(text: str) -> LastClaim | None:
    """The parts of a claim that a thing came last; None for any other."""
    match = _LAST.match(text)
    return LastClaim(match["who"], match["what"], bool(match["denied"])) if match else None


def longest_claim(text: str) -> LastClaim | None:
    """The parts of a claim that somebody has been somewhere longest; None for any other."""
    match = _LONGEST.match(text)
    return LastClaim(match["who"], f"{match['been']} {match['how']}", bool(match["denied"])) if match else None


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


def has_idle_row(draft: Draft) -> bool:
    """Whether a draft also says of its answer that it has something, whatever that is: no claim of "every other dog"
    leaves out those that have none."""
    ends = Counter(end for h, _, t in draft.rows for end in (h, t))
    held = {v for v, _, _ in (draft.order, *draft.filters) if v} if draft.order else set[int]()
    return any(ends[end] == 1 and end not in held for h, _, t in draft.rows for end in (h, t) if isinstance(end, int))


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
