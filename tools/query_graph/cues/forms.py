"""Words by which a sentence asks for a count or an extreme, denies, or asks when, who and how much."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.cues.words import any_word

COUNT = any_word("how\\s+m\\w+, number, count, total, how few, tally, quantity, how often, hw m\\w+, head ?count")
MOST = any_word(  # and what ends in -est, but for the commonest nouns that do
    "most, least, first, last, top, max(?!imums)\\w*, min\\w*, best, worst, record, fewest, "
    "more\\b.*\\bany, than any, furthest, beats? (?:all|every), senior, no one, latest, of all, number one, must, "
    "winner, champion",
    r"\b(?!(?:for|gu|harv|inter|inv|mod|n|qu|requ|r|t|w)ests?\b)\w\w+est\b",
)
EXTREME_ADJECTIVE = re.compile(r"(?!(?:for|gu|harv|inter|inv|mod|n|qu|requ|r|t|w)est$)\w\w+est", re.I)
"""An adjective of the highest degree, as it is written; no "forest"."""
_DENYING = (
    "not, never, no, without, none, except, but, other than, lack\\w*, miss\\w*, yet, neither, nor, "
    "free of, skip\\w*, besides, apart, aren, isn, can ?not, un(?!der|til|its?\\b|cles?\\b|ion|iv|less)\\w+, still, "
    "nobody, nowhere, past, withou\\w*, exclu\\w+, left out, avoid\\w*, else, minus, spare"
)
_NT = r"n['’]t\b|\b(?:do|does|did|is|are|was|were|has|have|had|ca|can|could|wo|would|should|must|need|ai)nt\b"
"""Not the end of "went", "want" and "sent"."""
NEGATED = any_word("not, never, nor, neither, cannot", _NT)
"""Words that deny a verb, and no more."""
NOT = any_word(f"{_DENYING}, only", _NT)
LACKING = any_word("not, never, nor, neither, cannot, no, none, without, nobody, lack\\w*, yet", _NT)
"""Words that say of something that it has not, or does not."""
DENIED = any_word(f"{_DENYING}, (?<!for\\s)nothing(?! (?:but|other|more|less|else|except)\\b)", _NT)
"""Words by which a claim may say that something is not so: "only Ann sings" does not say that Ann does not."""
FREE_OF = re.compile(r"(?<=\w)-free\b", re.I)
"""What denies the noun that it is written to: "egg-free"."""
COMPARE = any_word(
    "than, then, or, of the two, which of, both, compared?, between, versus, vs, \\w+er, more, less, fewer",
)
NEXT = re.compile(r"\bnext\b", re.I)
WHEN = any_word(
    "when, since, what year, which year, what date, which date, what day, how old, how long ago, born, date, time"
)
WHO = any_word("who, whom, whose, whos, who['’]s, somebody, someone, people, person")
AMOUNT = any_word(
    "how m\\w+, how (?:long|far|tall|heavy|high|deep|big|large|old|wide|fast), number, amount, price, cost\\w*, much, "
    "owed?, fee, weigh\\w*, figure, size",
    r"[€$£]",
)
