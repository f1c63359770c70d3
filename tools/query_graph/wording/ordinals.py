"""Ordinals of what a graph numbers: "on the second floor" is said of floor 2, where a relation "floor" has numbers."""

from __future__ import annotations

import calendar
import re

from triplewise.tools.query_graph.relation_numbers import RelationNumbers

_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_MORE_DAYS = (
    "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth "
    "twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth "
    "twenty-ninth thirtieth thirty-first"
)
_NUMBER = {word: number for number, word in enumerate(_WORDS.split(), 1)}
_ORDINAL = re.compile(
    rf"\b(?:the\s+)?(?:(?P<word>{'|'.join(_NUMBER)})|(?P<digits>\d{{1,2}})(?:st|nd|rd|th))\s+(?P<noun>[a-z]{{3,}})\b",
    re.I,
)


_DAYS = {**_NUMBER, **{word: n for n, word in enumerate(_MORE_DAYS.split(), 11)}}
_DAY = re.compile(
    rf"\b(?:the\s+)?(?P<day>{'|'.join(sorted(_DAYS, key=len, reverse=True))})\s+(?:of\s+)?"
    rf"(?P<month>{'|'.join(calendar.month_name[1:])})\b",
    re.I,
)


_WEEKDAY_OF_SPAN = re.compile(
    rf"\b(?P<end>from|between|to|and|till|until)\s+(?:{'|'.join(calendar.day_name)}),?\s+(?:the\s+)?"
    rf"(?=\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{'|'.join(calendar.month_name[1:])})\b)",
    re.I,
)


def with_days_in_digits(text: str) -> str:
    """A sentence with "10 May" for "the tenth of May", and for the "Monday 10 May" at an end of a span."""
    text = _WEEKDAY_OF_SPAN.sub(r"\g<end> ", text)
    return _DAY.sub(lambda m: f"{_DAYS[m['day'].lower()]} {m['month']}", text)


def with_numbers(text: str, numbers: RelationNumbers) -> str:
    """A sentence with "floor 2" for "the second floor"; what is a place in a race, or a name, stays."""
    schema = numbers.schema
    if not _ORDINAL.search(text):
        return text
    nouns = {
        schema.words(r).split()[-1].lower()
        for r in schema.relations
        if schema.value_kind(r) == "number" and r not in numbers.ranks and schema.words(r)
    }

    def numbered(found: re.Match[str]) -> str:
        number = _NUMBER[found["word"].lower()] if found["word"] else int(found["digits"])
        return f"{found['noun']} {number}" if found["noun"].lower() in nouns else found[0]

    return _ORDINAL.sub(numbered, text)
