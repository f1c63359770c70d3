"""What a claim says beyond its reading, so that what supports the reading does not support the claim.

"The Renn Viaduct is the longest bridge" may be read as that it has a length, "all flats are furnished" as that one is,
and "Tom is from Norway" as that he lives somewhere.
"""

from __future__ import annotations

import re
from itertools import combinations

from triplewise.kg.query.graph import QueryGraph, Variable
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.turned_claims.extremes import EXTREME

_ALL = re.compile(
    r"(?:^\W*(?:(?:is|are|was|were|has|have|had|does|do|did|not)\s+)*(?:all|each|only|both(?!.* and ))"
    r"|\b(?:all|each)(?: of)?(?= (?:the|our|my|your|these|those)\b(?! (?:time|way|same|more|best|rest|while|world)\b))"
    r"|\bthe only"
    r"|\bevery(?:thing|one|body)"
    r"|\bevery(?! (?:day|morning|evening|night|week\w*|month|year|time|hour|minute|spring|summer|autumn|winter)\b))"
    r"\b(?! other)(?! but)",
    re.I,
)
"""Not the "all" of "he learnt it all from her", nor the "only" of "she only came in 2015"."""
ALL_OR_ONLY = re.compile(r"all|any|both|each|only|every(?:thing|one|body)?", re.I)
"""The words of these."""
_THAN_ALL = re.compile(
    r"\bth[ae]n (?P<all>(?:any|every)(?:(?:one|body|thing) else| other)\b|all (?:(?:the|our|my|your) )?others?\b)", re.I
)
_NOT_ALL = re.compile(r"^\W*(?:(?:is|are|was|were|has|have|had|does|do|did)\s+)?not\s+(?:all|every|each)\b", re.I)

_THAN = re.compile(
    rf"(?:{cues.COMPARATIVE.pattern}[^.;:!?]*|\b(?!(?:o|ra|whe|ei|nei)ther\b)\w\w+er\s+)\b(?P<than>th[ae]n)\b"
    r"(?!\s+(?:once|twice|ever)\b)",
    re.I,
)
"""Not the "than" of "other than Ann" and of "rather than by bus"."""
_THAN_ITS = re.compile(r"\bth[ae]n\s+its\s+(?:\w+\s+)?(?P<what>\w+)\W*$", re.I)
"""What a thing's value is compared with where that is another value of its own."""


_TIMES = r"(?:twice|thrice|double|half|(?:\d+|two|three|four|five|six|seven|eight|nine|ten|many)\s+times)"
_AS_MUCH = re.compile(
    rf"\b(?P<times>{_TIMES}\s+(?:as\s+(?!well\b)|the\s+(?:number|size|price|cost|amount|length|height|age|weight)\b|more\b))"
    r"|\b(?P<same>as\s+(?:many|much|few|little))\s+(?:[\w'’-]+\s+){0,4}?as\s+(?!\d|before\b|possible\b|ever\b|usual\b)",
    re.I,
)
"""How a claim says that one number is another one, or some times it: "twice as many guests as", "as many boats as"."""


_PAID_BY = re.compile(
    r"\b(?:pa(?:y|ys|id|ying)|settled?|do|did|done)\b[^.;:!?]{0,60}?\b(?P<how>(?:in |by |with )?"
    r"(?:cash|cards?|cheques?|bank transfer|direct debit|standing order|paypal|instal?lments))\b",
    re.I,
)


def says_equal(text: str) -> bool:
    """Whether a claim says that one thing has as much, or as many, as another."""
    found = _AS_MUCH.search(text)
    return bool(found and found["same"])


def unequated(text: str, query: QueryGraph, words: KnownWords) -> str:
    """The "twice as" of a claim, for no reading reckons with a number, or the "as many" of one whose reading does not
    hold two numbers to be equal; "" for any other."""
    found = _AS_MUCH.search(text)
    if not found:
        return ""
    equal = any(f.op == "=" and isinstance(f.right, Variable) for f in query.filters)
    equal |= query.compare is not None and query.compare[0] in ("=", "!=")
    numbers = [p for p in query.patterns if words.names.schema.value_kind(p.relation) == "number"]
    equal |= any(a.relation == b.relation and a.tail == b.tail for a, b in combinations(numbers, 2))
    return "" if found["same"] and equal else " ".join((found["times"] or found["same"]).split())


def left_unsaid(text: str, query: QueryGraph, words: KnownWords) -> str:
    """The word of a claim that its reading does not hold; "" where there is none.

    An extreme and "all" are held by an order, by a count, by the denial of anything greater, or by a relation or name
    that has such a word.
    """
    schema = words.names.schema
    spoken = [schema.words(r) for r in query.relations if r in schema.relations] + [*map(schema.label, query.entities)]
    held = query.order or query.compare or (query.filters and (query.denied or cues.NOT.search(text)))
    if query.minus and (query.denied or _NOT_ALL.match(text)):
        held = True
    extreme = EXTREME.search(text)
    if extreme and not held and not any(map(EXTREME.search, spoken)):
        return extreme.group()
    than_all = _THAN_ALL.search(text)
    if than_all and not (query.denied or query.order or query.compare or cues.NEGATED.search(text)):
        return than_all["all"].split()[0]
    every = _ALL.search(text)
    if every and not held and not any(map(_ALL.search, spoken)):
        return next(w for w in reversed(every.group().split()) if ALL_OR_ONLY.fullmatch(w))
    return words.unknown_name(text)


def unsaid_manner(text: str, query: QueryGraph, words: KnownWords) -> str:
    """How a claim says that something was paid, where its reading does not hold that: "cash", "by bank transfer"; ""
    where it says nothing of the kind."""
    found = _PAID_BY.search(text)
    schema = words.names.schema
    spoken = [schema.words(r) for r in query.relations if r in schema.relations] + [*map(schema.label, query.entities)]
    return found["how"] if found and not any(found["how"].lower() in said.lower() for said in spoken) else ""


def uncompared(text: str, query: QueryGraph, words: KnownWords) -> str:
    """The "than" of a claim whose reading does not make its comparison, so that it neither supports nor refutes the
    claim; "" where there is none. "More guests come from Rona than from Ufer" does not say that some come from both,
    and what sold for "less than its price" is not compared with the prices of others."""
    than = _THAN.search(text)
    compares = query.order or query.compare or query.minus or any("in" not in f.op for f in query.filters)
    schema = words.names.schema
    spoken = any(_THAN.search(schema.words(r)) for r in query.relations if r in schema.relations)
    own = _THAN_ITS.search(text)
    if own and any(own["what"].lower() in schema.words(r).split() for r in _held_against_itself(query)):
        return "than"
    return than["than"] if than and not (compares or spoken) else ""


def _held_against_itself(query: QueryGraph) -> list[str]:
    """The relations of which one thing's value is compared with another's."""
    found: list[str] = []
    for condition in query.filters:
        left, right = ([p.relation for p in query.patterns if p.tail == v] for v in (condition.left, condition.right))
        found += set(left).intersection(right) if "in" not in condition.op else ()
    return found
