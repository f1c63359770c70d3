"""Words that are the opposite of what a relation says: what "took place" was not cancelled, and an open shop is not
closed."""

from __future__ import annotations

import re

_PAIRS = tuple(
    (re.compile(rf"\b(?:{no})\b", re.I), re.compile(rf"\b(?:{yes})\b", re.I))
    for no, yes in (
        (
            r"cancel+(?:ed|lations?)|called\s+off|scrapped|abandoned",
            r"t(?:ook|akes?|aken|aking)\s+place|(?:went|go(?:es|ing|ne)?)\s+ahead|happen(?:s|ed)?|(?:was|were|be)\s+held",
        ),
        (r"closed|shut", r"open(?:ed)?"),
        (r"fail(?:ed|s)?|failures?", r"pass(?:ed|es)?|succeed(?:ed|s)?|successful|^(?:took|worked)$"),
        (r"sold(?:\s+out)?", r"unsold|(?:still\s+)?available|(?:still\s+)?for\s+sale"),
        (
            r"withdrawn|retired|decommissioned|disused",
            r"still\s+(?:active|working|running)|active|in\s+(?:service|use)",
        ),
        (
            r"broken|bust(?:ed)?|damaged|defective|faulty|kaput|knackered|out\s+of\s+(?:order|action)|on\s+the\s+blink",
            r"intact|undamaged|in\s+order|^work(?:s|ing)$",
        ),
        (r"outstanding|overdue|ow(?:es?|ed|ing)|behind\s+with|in\s+arrears", r"^(?:paid(?:\s+up)?|settled)$"),
        (r"incomplete|in\s+progress", r"^(?:finished|completed?|done)$"),
        (r"turn(?:ed|ing)?\s+(?:\w+\s+)?down|reject(?:ed)?|declined|refused", r"accept(?:ed|s)?|approved"),
        (
            r"(?:had|have|has|having)\s+to\s+pay|must\s+pay|paying",
            r"free(?:\s+(?:entry|admission|to\s+(?:enter|get\s+in)))?",
        ),
        (r"dead|died|deceased", r"alive|living"),
        (r"absent|missing", r"present"),
        (r"part[\s-]?time", r"full[\s-]?time"),
        (
            r"toxic|poisonous|venomous|dangerous|hazardous|harmful",
            r"(?:is|are|were|was|it)\s+safe|safe\s+(?:for|to)|harmless",
        ),
    )
)
"""What is not so, or no more, and what is. What stands between ^ and $ is so only as a relation's name: a sentence says
"took" and "paid" of much else."""
_NAME = re.compile(
    r"(?:(?:is|are|was|were|has|have|had|been|now|already)\s+)*(?P<what>.+?)(?:\s+to\s+(?:the\s+)?\w+)?", re.I
)
"""A relation that says no more than that: "may be sold" is another thing, and "open to visitors" is not."""


def opposed(text: str, words: str) -> bool:
    """Whether a sentence says the opposite of a relation's words, and does not say these: of "subs paid" also who "owes
    subs", for it says the subs."""
    *nouns, last = words.split() or [""]
    of_said = bool(nouns) and all(re.search(rf"\b{re.escape(noun)}\b", text, re.I) for noun in nouns)
    named = (_what(words), *((last,) if of_said else ()))
    return any(
        bool(any(map(one.fullmatch, named)) and other.search(text)) and not one.search(text)
        for no, yes in _PAIRS
        for one, other in ((no, yes), (yes, no))
    )


def is_negative(words: str) -> bool:
    """Whether a relation's words say that something is not so, or no more."""
    return any(no.fullmatch(_what(words)) for no, _ in _PAIRS)


def _what(words: str) -> str:
    match = _NAME.fullmatch(words.strip())
    return match["what"] if match else words
