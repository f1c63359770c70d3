"""What a sentence says of a number right beside it: at least, at most, more or less than it.

Such a number is held against others and is never equal to what is meant, though the graph may have it: of boats that
sleep "at least 4" some may sleep 10.
"""

from __future__ import annotations

import re

from triplewise.tools.query_graph.linking.value_mentions import MONTHS, ValueMention, find_values

_BEFORE = re.compile(
    r"\b(?:(?P<least>at\s+least|(?:a\s+)?minimum\s+of)|(?P<most>at\s+most|up\s+to|(?:a\s+)?maximum\s+of)"
    r"|(?P<more>(?:more|farther|further|longer|bigger|larger|greater|heavier|taller|dearer)\s+th[ae]n)"
    r"|(?P<less>(?:less|fewer|nearer|closer|shorter|smaller|lighter|cheaper)\s+th[ae]n))"
    r"\s+(?:(?:a\s+total\s+of|the|about|some|just)\s+)*$",
    re.I,
)
_COMPARING = re.compile(
    r"\b(?:under|below|over|above|beyond|exceed(?:s|ed|ing)?|(?!(?:o|ra|whe|ei|nei)ther\b)[^\W\d_]{2,}er\s+th[ae]n)\s+"
    r"(?:(?:the|about|some|just|well)\s+)*[£$€]?\s*$",
    re.I,
)
"""Words that hold others against a number, though which way is the relation's: what lies below 30 m is deeper."""
_IN_TIME = re.compile(r"\b(?:before|after|prior\s+to|(?:earlier|later)\s+than)\s+(?:the\s+)?$", re.I)
_SINCE = re.compile(r"\bsince\s+(?:the\s+)?(?:(?:start|beginning)\s+of\s+)?$", re.I)
_GOES_ON = re.compile(
    r"\b(?:ha(?:s|ve)|['’](?:s|ve))(?:\s+(?:also|always|only|now))?\s+been\s+(?![^\W\d_]+ed\b|\w*(?:wn|lt|ught|nt|pt|ade)\b)",
    re.I,
)
"""How a sentence says that something goes on; what "has been serviced" was done once."""
_OR_LATER = re.compile(
    r"\bor (?:later|after|longer|earlier|before)\b|\bif not\b|\bat (?:least|the (?:earliest|latest))\b", re.I
)
_OPS = {"least": ">=", "most": "<=", "more": ">", "less": "<"}
_DENIED = re.compile(
    r"\b(?:no|not)\s+(?:(?P<more>more)|(?:less|fewer))\s+th[ae]n\s+(?:(?:the|about|some|just)\s+)*$", re.I
)
_BEHIND = re.compile(
    r"(?P<unit>(?:\s*%|\s+(?!or\b|and\b|but\b)[^\W\d_]+)?)\s+or\s+(?:(?P<more>more|over|above|upwards?)|(?:less|fewer|under|below))"
    r"\b(?!\s+th[ae]n\b)",
    re.I,
)
"""Behind a number, or behind its unit: "four or more", "10 euros or less"."""
_END_OF = re.compile(
    r"\b(?:at|towards|around)\s+the\s+(?:very\s+)?(?:end|start|beginning)\s+of\s+(?:the\s+year\s+)?"
    rf"(?=(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))}|(?:19|20)\d\d)\b)",
    re.I,
)
"""No bound: what ends at the end of March ends in it."""
_ABOVE_SEA = re.compile(
    r"(?:(?P<height>elevation|altitude|height)|(?P<number>\d\s*(?:m|met(?:re|er)s?|ft|feet|km)?))"
    r"\s+above (?:the )?(?:mean )?sea level\b",
    re.I,
)
"""A height, which is not held against the sea's."""


def bound(text: str, value: ValueMention) -> str:
    """The comparison that a sentence makes with a number: "<", "<=", ">" or ">="; "" where no words right before it
    tell."""
    found = (
        _BEFORE.search(text[: value.start]) if value.kind in ("number", "year") and value.low == value.high else None
    )
    return _OPS[found.lastgroup] if found and found.lastgroup else ""


def is_compared(text: str, value: ValueMention) -> bool:
    """Whether words right before a value hold others against it, so that nothing that is meant is equal to it."""
    numbers = value.kind in ("number", "year") and _COMPARING.search(text[: value.start])
    return bool(bound(text, value) or numbers)


def is_limit(text: str, value: ValueMention) -> bool:
    """Whether words right before a value say that others are compared with it, be it a number or a day."""
    return is_compared(text, value) or bool(
        value.kind in ("year", "date", "time") and _IN_TIME.search(text[: value.start])
    )


def begins(text: str, value: ValueMention, relation: str) -> bool:
    """Whether a day or year is the one on which something began that goes on: who "has been with us since 2011" did not
    come later. ``relation``: the words of what has such values, "client since"."""
    since = value.kind in ("date", "year") and _SINCE.search(text[: value.start]) and not _OR_LATER.search(text)
    return bool(since) and ("since" in relation.split() or bool(_GOES_ON.search(text[: value.start])))


_NOTES = {"tenner": "10 pounds", "fiver": "5 pounds"}
_NOTE = re.compile(r"\ba (?P<note>tenner|fiver)\b", re.I)


def with_plain_bounds(text: str) -> str:
    """A sentence with its bounds said before the number, and none as a denial: "four or more" is at least four, and
    "no more than four" denies nothing but is at most four."""
    text = _NOTE.sub(lambda m: _NOTES[m["note"].lower()], _END_OF.sub("in ", text))
    text = _ABOVE_SEA.sub(lambda m: m["height"] or f"{m['number']} in elevation", text)
    for value in reversed(find_values(text)):
        before, number, after = text[: value.start], text[value.start : value.end], text[value.end :]
        if value.kind not in ("number", "year"):
            continue
        if denied := _DENIED.search(before):
            text = f"{before[: denied.start()]}{'at most' if denied['more'] else 'at least'} {number}{after}"
        elif (behind := _BEHIND.match(after)) and not _BEFORE.search(before):
            said = "at least" if behind["more"] else "at most"
            text = f"{before}{said} {number}{behind['unit']}{after[behind.end() :]}"
    return text
