"""Words by which a sentence asks for a count, an extreme, a comparison or a negation.

They widen what is generated and tell the ranker what was asked; none of them decides anything. English only: for
another language the candidates are the same, but fewer of these forms are tried.
"""

from __future__ import annotations

import re


def _words(listed: str, more: str = "") -> re.Pattern[str]:
    """A pattern for any of the comma-separated words, or of further patterns."""
    words = "|".join(part.strip().replace(" ", r"\s+") for part in listed.split(",") if part.strip())
    return re.compile(rf"\b(?:{words})\b{'|' + more if more else ''}", re.I)


_EARLIER = _words("older, earlier, before, sooner, prior")
_LATER = _words("younger, newer, later, after, more recent\\w*")
_SMALLER = _words(
    "less, fewer, below, under, cheaper, shorter, smaller, lower, lighter, younger, slower, nearer, closer, weaker, "
    "rarer, narrower, earlier, colder"
)
_GREATER = _words(
    "more, over, above, beyond, exceed\\w*, longer, bigger, larger, higher, heavier, older, newer, taller, deeper, "
    "faster, dearer, pricier, greater, farther, further, wider, stronger, costlier, later, warmer, hotter"
)
LESS = _words(
    "before, under, less, fewer, below, earlier, cheaper, until, till, up to, at most, within, by, shorter, smaller, "
    "lower, lighter, younger, older, not more, maximum, max, prior, sooner, no more, slower, nearer, closer, weaker, "
    "pre",
    r"[<≤-]",
)
MORE = _words(
    "after, over, more, above, at least, since, from, later, beyond, exceed\\w*, longer, bigger, larger, higher, "
    "heavier, older, younger, minimum, min, upwards?, newer, taller, deeper, faster, onwards?, not less, no less, "
    "dearer, pricier, past, greater, farther, further, wider, stronger, costlier, post",
    r"[>≥+]",
)
INCLUSIVE = _words(
    "at least, or more, or less, or later, or earlier, at most, up to, since, from, by, until, no more, no less, "
    "not more, not less, maximum, minimum, no later, no earlier, or older, or over, or under, or above, or below, "
    "within, and up, onwards?",
    r"[≥≤+]",
)
ANY_WAY = _words(
    "than, then, even, worse, better, barely, nearly, enough, room, space, fits?, holds?, takes?, seats?, tops?"
)
"""Words by which a number is compared though they do not tell how: "room for eight", "les then 50"."""
COUNT = _words("how\\s+m\\w+, number, count, total, how few, tally, quantity, how often, hw m\\w+, head ?count")
MOST = _words(  # and what ends in -est, but for the commonest nouns that do
    "most, least, first, last, top, max\\w*, min\\w*, best, worst, record, fewest, "
    "more\\b.*\\bany, than any, furthest, beats? (?:all|every), senior, no one, latest, of all, number one, must, "
    "winner, champion",
    r"\b(?!(?:for|gu|harv|inter|inv|mod|n|qu|requ|r|t|w)ests?\b)\w\w+est\b",
)
_DENYING = (
    "not, never, no, without, none, except, but, other than, lack\\w*, miss\\w*, yet, neither, nor, "
    "free of, skip\\w*, besides, apart, aren, isn, can ?not, un\\w+, still, nobody, past, withou\\w*, exclu\\w+, "
    "left out, avoid\\w*, else, minus, spare"
)
NOT = _words(f"{_DENYING}, only", r"n['’]?t\b")
DENIED = _words(_DENYING, r"n['’]?t\b")
"""Words by which a claim may say that something is not so: "only Ann sings" does not say that Ann does not."""
COMPUTED = _words("averages?, median, sum of, sums of")
"""What would have to be reckoned from many values, which no query graph says."""
COMPARE = _words(
    "than, then, or, of the two, which of, both, compared?, between, versus, vs, \\w+er, more, less, fewer",
)


def direction(text: str, dated: bool) -> str:
    """How a comparison of two things runs, the one that is named first on its left: "<" or ">", "" where the words do
    not tell. ``dated``: dates are compared, of which the older is the less."""
    less, more = (_EARLIER, _LATER) if dated else (_SMALLER, _GREATER)
    found = ("<" if less.search(text) else "") + (">" if more.search(text) else "")
    return found if len(found) == 1 else ""


_LATEST = _words("last, latest, newest, youngest, most recent\\w*")
_EARLIEST = _words("first, earliest, oldest")
_OTHER_EXTREME = _words("least, fewest, most(?! recent)", r"\b(?:long|short|high|low|bigg|larg|small)est\b")


def extreme_date(text: str) -> str:
    """Which of several dates is asked for: ">" the latest, "<" the earliest, "" where the words do not tell."""
    found = (">" if _LATEST.search(text) else "") + ("<" if _EARLIEST.search(text) else "")
    return found if len(found) == 1 and not _OTHER_EXTREME.search(text) else ""


_MEASURES = (
    (_words("age, aged, years old"), _words("oldest, eldest"), _words("youngest")),
    (_words("height, tall"), _words("tallest, highest"), _words("shortest, lowest, smallest")),
    (_words("length, long"), _words("longest"), _words("shortest")),
    (_words("depth, deep"), _words("deepest"), _words("shallowest")),
    (_words("width, wide"), _words("widest, broadest"), _words("narrowest")),
    (_words("weight, weighs, mass"), _words("heaviest"), _words("lightest")),
    (_words("speed"), _words("fastest, quickest"), _words("slowest")),
    (_words("price, cost, costs"), _words("dearest, priciest, costliest, most expensive"), _words("cheapest")),
)
"""Words of relations to numbers, and the adjectives of the greatest and of the least of these. The greatest age is the
oldest thing's, where of dates the least is."""


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


WHEN = _words(
    "when, since, what year, which year, what date, which date, what day, how old, how long ago, born, date, time"
)
WHO = _words("who, whom, whose, whos, who['’]s, somebody, someone, people, person")
AMOUNT = _words(
    "how m\\w+, how (?:long|far|tall|heavy|high|deep|big|large|old|wide|fast), number, amount, price, cost\\w*, much, "
    "owed?, fee, weigh\\w*, figure, size",
    r"[€$£]",
)
