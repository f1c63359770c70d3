"""Words that compare: with a number, and two things."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.cues.words import DURATION, ENDS, any_word

_EARLIER = any_word("older, elder, earlier, before, sooner, prior")
_LATER = any_word("younger, newer, later, after, more recent\\w*")
_LESSER = (
    "less, lesser, fewer, cheaper, shorter, smaller, tinier, lower, lighter, slower, nearer, closer, weaker, rarer, "
    "scarcer, narrower, colder, cooler, milder, shallower, thinner, slimmer, leaner, quieter, fainter, dimmer, softer, "
    "poorer, briefer, flatter, emptier"
)
_BIGGER = (
    "more, longer, bigger, larger, higher, heavier, taller, deeper, faster, quicker, dearer, pricier, costlier, "
    "greater, farther, further, wider, broader, stronger, warmer, hotter, thicker, louder, richer, busier, steeper, "
    "fuller, brighter, denser, roomier"
)
_SMALLER = any_word(f"{_LESSER}, younger, earlier")
_GREATER = any_word(f"{_BIGGER}, older, elder, newer, later")
COMPARATIVE = any_word(f"{_LESSER}, {_BIGGER}, older, elder, younger, newer, earlier, later, sooner, better, worse")
_BELOW = any_word("below, under")
_ABOVE = any_word("over, above, beyond, exceed\\w*")
_LITTLE = (
    r"(?:cheap|inexpensive|short|small|tiny|low|light|slow|near|close|weak|rare|scarce|narrow|cold|cool|mild|shallow|"
    r"thin|slim|lean|quiet|faint|dim|soft|poor|brief|flat|empty|young|early)"
)
_MORE_LITTLE = re.compile(rf"\bmore\s+{_LITTLE}\b", re.I)
_LESS_LITTLE = re.compile(rf"\bless\s+{_LITTLE}\b", re.I)
"""Adjectives that name the lower end of a scale turn "more" and "less" round."""
_PACE = any_word("faster, quicker, slower")
LESS = any_word(
    "before, under, below, earlier, until, till, up to, at most, within, by, younger, older, not more, maximum, max, "
    f"prior, sooner, no more, pre, {_LESSER}",
    r"[<≤]|(?<![^\W\d_])-|-(?![^\W\d_])",
)
"""A hyphen opens or ends a span of numbers, but not within a word: "left-handed"."""
MORE = any_word(
    "after, over, above, at least, since, from, later, beyond, exceed\\w*, older, younger, minimum, min, upwards?, "
    f"newer, onwards?, not less, no less, past, post, {_BIGGER}",
    r"[>≥+]",
)
INCLUSIVE = any_word(
    "at least, or more, or less, or later, or earlier, at most, up to, since, from, by, until, no more, no less, "
    "not more, not less, maximum, minimum, no later, no earlier, or older, or over, or under, or above, or below, "
    "within, and up, onwards?",
    r"[≥≤+]",
)
ANY_WAY = any_word(
    "than, then, even, worse, better, barely, nearly, enough, room, space, fits?, holds?, takes?, seats?, tops?"
)
"""Words by which a number is compared though they do not tell how: "room for eight", "les then 50"."""


AMOUNTS = re.compile(
    r"\b(?:more(?!\s+(?:recent|old|young|new|late|early|long|time|years|months|weeks|days))|fewer|less(?!\s+long))\b",
    re.I,
)
"""Words that compare numbers, and no dates."""
_SPELT_OUT = re.compile(r"\bmore\s+(old|young|new|long|lat)e?\b", re.I)


def direction(text: str, dated: bool, relation: str = "") -> str:
    """How a comparison of two things runs, the one that is named first on its left: "<" or ">", "" where the words do
    not tell. ``relation``: the words of what is compared; ``dated``: dates are, of which the older is the less."""
    text = _SPELT_OUT.sub(r"\1er", text)
    if dated:
        return _longer(text, relation) or _either(text, _EARLIER, _LATER)
    text = _LESS_LITTLE.sub("greater", _MORE_LITTLE.sub("lesser", text))
    told = _either(text, _SMALLER, _GREATER) or _either(text, _BELOW, _ABOVE)
    turned = _PACE.search(text) and DURATION.search(relation)  # the faster takes the least time
    return told.translate(_TURNED) if turned else told


def _either(text: str, less: re.Pattern[str], more: re.Pattern[str]) -> str:
    found = ("<" if less.search(text) else "") + (">" if more.search(text) else "")
    return found if len(found) == 1 else ""


def _longer(text: str, relation: str) -> str:
    """Who has been there longer began earlier, and what went on for longer ended later."""
    if not _LONGER.search(text) or _LATER.search(text) or _EARLIER.search(text):
        return ""
    return ">" if ENDS.search(relation) else "<"


_LONGER = re.compile(r"(?<!\bno )\blonger\b", re.I)
_TURNED = str.maketrans("<>", "><")
