"""Which of several days, numbers and times an extreme asks for."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.cues.measures import is_point
from triplewise.tools.query_graph.cues.money import CHEAP, DEAR
from triplewise.tools.query_graph.cues.words import ENDS, SPANS, any_word

_LATEST = any_word("last, latest, newest, youngest, most recent\\w*")
_EARLIEST = any_word("first, earliest, oldest, eldest")
_OTHER_EXTREME = any_word("least, fewest, most(?! recent)", r"\b(?:long|short|high|low|bigg|larg|small)est\b")


_LASTING = re.compile(r"\b(?P<size>long|short)est\b(?!\s+(?:time\s+)?ago\b)", re.I)

TENURE = re.compile(
    r"\b(?:long|short)est[\s-](?:serving|standing|running|established|lasting)\b"
    r"|\bwho\b[^.?!;]{0,40}?\blongest (?:here|around|with (?:us|them))\b"
    r"|\b(?:been|serve[ds]?|work(?:ed|ing)? (?:at|for|here|with))\b[^.?!;]{0,40}?\b(?:long|short)est\b"
    r"(?!\s+[^\W\d_]+s?\s*\?*$)"
    r"|\b(?:have|has) (?:we|they|i|you) (?:had|kept|known|owned)(?: for)? the (?:long|short)est\b"
    r"(?=\W*$|\s+(?:for|with|of)\b)",
    re.I,
)
"""An extreme of time, and of no other length."""
NEWEST = re.compile(r"\bnewest\b", re.I)
"""Came last, and of who is born is not the youngest."""


_BIRTH = any_word("born, birth\\w*, dob, age")


_BEGINS = any_word(
    "since, joined, joins, joining, start\\w*, began, begun, hired, appointed, enrolled, registered, employed, came, "
    "arrived, recruited, founded, established, opened, moved in"
)


def is_beginning(relation: str) -> bool:
    """Whether a relation, in words, tells when somebody or something came."""
    return bool(_BEGINS.search(relation))


def is_birth(relation: str) -> bool:
    """Whether a relation, in words, tells when somebody was born."""
    return bool(_BIRTH.search(relation))


def asks_what_lasts(text: str) -> bool:
    """Whether the longest or shortest is asked for, and neither who has been there the longest nor since when."""
    return bool(_LASTING.search(text)) and not (TENURE.search(text) or _LATEST.search(text) or _EARLIEST.search(text))


def extreme_date(text: str, relation: str = "") -> str:
    """Which of several dates is asked for: ">" the latest, "<" the earliest, "" where the words do not tell.

    ``relation``: the words of what has the dates. Who has served the longest began the earliest, and what lasted the
    longest ended the latest.
    """
    found = (">" if _LATEST.search(text) else "") + ("<" if _EARLIEST.search(text) else "")
    lasting = _LASTING.search(text)
    if relation and lasting and not found:
        return ">" if (lasting["size"].lower() == "long") == bool(ENDS.search(relation)) else "<"
    return found if len(found) == 1 and not _OTHER_EXTREME.search(text) else ""


_ASKS_DAY = re.compile(
    r"\b(?:when|(?:what|which)(?:['’]s|\s+(?:is|was))?\s+(?:the\s+)?(?:\w+\s+)?(?:day|date|year|month|time))\b", re.I
)
_LAST_TIME = re.compile(r"\b(?:last|latest|most recent\w*)\b", re.I)
_FIRST_TIME = re.compile(r"\b(?:first|earliest|next\b[^?]*\b(?:after|since))\b|\b(?:after|since)\b[^?]*\bnext\b", re.I)
_EXTREME_OF = re.compile(
    r"\bwhat(?:['’]s|\s+(?:is|was|were))\s+(?:the|our|my|their|his|her|its)\s+(?P<size>highest|lowest|greatest|most|least)\s+"
    r"(?P<noun>\w+)",
    re.I,
)


_EXTREME_ANY = re.compile(
    r"\bwhat(?:['’]s|\s+(?:is|was|were))\s+the\s+(?P<size>most|least|\w+est)\s+any\w+\b[^?]*?\bin\s+(?P<noun>\w+)\W*$",
    re.I,
)
_SMALLEST = re.compile(
    r"(?:least|lowest|fewest|smallest|shortest|quickest|fastest|cheapest|lightest|nearest|closest)$", re.I
)


def asked_extreme(text: str, relation: str, kind: str) -> str:
    """Which of several values of a relation is itself asked for, ``relation``: its words; ">" the last day or highest
    number, "<" the first or lowest, "" where none is: "when were we last there?", "what was the highest price?"."""
    if kind in ("date", "year"):
        found = (">" if _LAST_TIME.search(text) else "") + ("<" if _FIRST_TIME.search(text) else "")
        return found if len(found) == 1 and _ASKS_DAY.search(text) else ""
    asked = (_EXTREME_OF.search(text) or _EXTREME_ANY.search(text)) if kind == "number" else None
    noun = re.sub(r"^(?:km|kilomet(?:re|er)s?)$", "(?:km|kilomet(?:re|er))", asked["noun"].rstrip("s")) if asked else ""
    if asked and re.search(rf"\b{noun}s?\b", relation, re.I):
        return "<" if _SMALLEST.match(asked["size"]) else ">"
    return ""


CROWD = any_word(
    "guests?, people, visitors?, attendance, customers?, covers, gate, came, diners, passengers?, footfall, turnout"
)
"""Words of relations to how many came, by which something is the busiest."""
_MEASURES = (
    (CROWD, any_word("busiest, fullest"), any_word("quietest, emptiest")),
    (any_word("age, aged, years old"), any_word("oldest, eldest"), any_word("youngest")),
    (any_word("height, tall"), any_word("tallest, highest"), any_word("shortest, lowest, smallest")),
    (any_word(f"length, long, {SPANS}, miles?, km, distance"), any_word("longest"), any_word("shortest")),
    (any_word("miles?, km, distance"), any_word("furthest, farthest"), any_word("nearest, closest")),
    (
        any_word("times?, duration, took, seconds?, secs?, minutes?, mins?, laps?, pbs?, personal bests?"),
        any_word("slowest"),
        any_word("fastest, quickest"),
    ),
    (any_word("depth, deep"), any_word("deepest"), any_word("shallowest")),
    (any_word("width, wide"), any_word("widest, broadest"), any_word("narrowest")),
    (any_word("weight, weighs, mass, calories, kcal"), any_word("heaviest"), any_word("lightest")),
    (any_word("speed"), any_word("fastest, quickest"), any_word("slowest")),
    (
        any_word("price\\w*, costs?, fees?, fares?, rents?, charges?, tuition, sold for, paid, rates?, subscriptions?"),
        DEAR,
        CHEAP,
    ),
)
"""Words of relations to numbers, and the adjectives of the greatest and of the least of these. The greatest age is the
oldest thing's, where of dates the least is."""


def measured_by(text: str) -> list[re.Pattern[str]]:
    """The words of relations that tell what an extreme of a sentence is one of, "shortest" one of lengths."""
    return [measure for measure, *adjectives in _MEASURES if any(a.search(text) for a in adjectives)]


def extreme_number(text: str, relation: str) -> str:
    """Which of several numbers is asked for, ``relation``: the words of what they measure; ">" the greatest, "<" the
    least, "" where the words do not tell."""
    found = {
        op
        for measure, *adjectives in _MEASURES
        if measure.search(relation)
        for op, adjective in zip("><", adjectives, strict=True)
        if adjective.search(text)
    }
    return found.pop() if len(found) == 1 else ""


def extreme_time(text: str, relation: str, kind: str) -> str:
    """As ``extreme_number``, of durations: the best of these is the least."""
    if kind != "time" or is_point(relation, kind):
        return ""
    return "<" if _BEST.search(text) else ">" if _WORST.search(text) else ""


_BEST, _WORST = any_word("best, record, winning"), any_word("worst")
