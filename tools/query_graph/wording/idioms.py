"""Idioms as the plain words that they stand for: "who's the baby of the crew?" asks for the youngest, "north of forty
quid" is more than that, and Valentine's Day is 14 February."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.linking.value_mentions import MONTHS

_OF_US = r"(?=\s+(?:of|o['’]|in|among|amongst)\s+(?:the|our|us|them|these|those|this|all|both)\b)"
_AMOUNT = (
    r"(?=(?:about |some )?(?:[£$€]?\d|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b))"
)
_WHOM = r"(?:me|us|you|him|her|them|the\s[\w-]+|(?-i:[A-Z][\w-]+(?:\s[A-Z][\w-]+)?))"
_MONTHS = "|".join(sorted(MONTHS, key=len, reverse=True))
_ON = r"(?P<on>\b(?:on|before|after|since|from|until|till|by|to|and|past)\s+)"


_ITS_PARTY = r"(?!['’]?s?(?:\s+day)?(?:['’]s\b|\s+(?:party|do|lunch|dinner|fair|market|show)))"
"""What is called after a feast is no day."""


def _day(names: str, day: str) -> tuple[re.Pattern[str], str]:
    return re.compile(rf"{_ON}(?:{names})\b{_ITS_PARTY}(?:\s+day\b)?", re.I), rf"\g<on>{day}"


_EXTREME = (
    r"(?:fast|slow|quick|high|low|bigg|small|larg|old|young|new|lat|earli|cheap|dear|long|short|great|few|tall|heavi|light|"
    r"strong|weak|hott|cold|near|farth|furth|wid|deep|rich|poor|clos|busi)est"
)
_SAID: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^\W*(?:(?:and|so)\s+)?(?:the\s+)?(?:baby|babby)" + _OF_US, re.I), "who is the youngest"),
    (re.compile(r"\b(?:the\s+)?(?:baby|babby|spring chicken|nipper)" + _OF_US, re.I), "the youngest"),
    (re.compile(r"\bthe\s+(?:grand(?:ad|pa|father|ma|mother)|old man)" + _OF_US, re.I), "the oldest"),
    (re.compile(rf",?\s*\b(?:(?:sorted|ordered|ranked|in order),?\s+)?from\s+(?:the\s+)?{_EXTREME}\s+to\s+(?:the\s+)?"
                rf"{_EXTREME}\b", re.I),
     ""),
    (re.compile(r"\bnorth of\s+" + _AMOUNT, re.I), "more than "),
    (re.compile(r"\bsouth of\s+" + _AMOUNT, re.I), "less than "),
    (re.compile(r"\bwhat(?:['’]?s|\s+is|\s+was)\s+the damage\b", re.I), "what is the price"),
    (re.compile(r"(?P<of>\b(?:what|how (?:much|far))\b[^?]*?)\b(?:set|knock|rush)\s+"
                rf"(?P<whom>{_WHOM})(?:\s+all)?\s+back\b", re.I),
     r"\g<of>cost \g<whom>"),
    (re.compile(rf"\b(?:what|how much)\s+(?P<did>did|do|does)\s+(?P<who>[^?]+?)\s+(?:really\s+)?sting\s+"
                rf"(?P<whom>{_WHOM})\s+for\b", re.I),
     r"how much \g<did> \g<who> charge \g<whom> for"),
    (re.compile(rf"\b(?P<when>before|after|until|till|since)\s+(?P<month>{_MONTHS})\s+"
                r"(?:came|comes|had come|rolled|rolls|turned)\s+(?:a?round|in|along|up)\b", re.I),
     r"\g<when> \g<month>"),
    (re.compile(r"\b(?:once|when)\s+(?P<what>(?:the\s+)?\d[^,?]{3,28}?)(?:['’]s|\s+is|\s+was)\s+"
                r"(?:out of the way|over(?: and done with)?|done(?: with)?|past|behind us)\b", re.I),
     r"after \g<what>"),
    (re.compile(r"\b(?:the\s+)?head ?count\s+(?:of|for)\s+(?:the\s+)?", re.I), "how many "),
    (re.compile(r"\b(?P<number>\d[\d.]*|one|two|three|four|five|six|seven|eight|nine|ten|twenty)\s+grand\b"
                r"(?!\s+(?:national|prix|pianos?|total|old|day|union|hotel|stand|sons?|fathers?))", re.I),
     r"\g<number> thousand"),
    (re.compile(r"\bfooted? the bill\b", re.I), "paid"),
    (re.compile(r"(?:\s+(?:have|has|had)|['’](?:ve|s))?(?:\s+(?:somehow|always|ever))?\s+(?:dodge[ds]?|wriggled out of|"
                r"managed to (?:dodge|avoid|escape)|got(?:ten)? out of)\s+(?=[a-z]+ing\b)", re.I),
     " has never been "),
    (re.compile(r"\b(?:gave|gives?|given)\s+(?P<what>[^,?]{2,40}?)\s+a miss\b", re.I), r"did not come to \g<what>"),
    (re.compile(r"\bwhose\s+(?:brainchild|handiwork|creation|invention)\s+(?:is|was)\s+", re.I), "who made "),
    _day("(?:christmas|xmas)(?=\\s+day)", "25 December"),
    _day("(?:christmas|xmas) eve", "24 December"),
    _day("new year['’]?s?(?=\\s+day)", "1 January"),
    _day("new year['’]?s? eve", "31 December"),
    _day("valentine['’]?s?", "14 February"),
    _day("all fools['’]?|april fools?['’]?", "1 April"),
    _day("hallowe['’]?en", "31 October"),
    _day("boxing", "26 December"),
    _day("bonfire night|guy fawkes(?: night)?", "5 November"),
    _day("burns night", "25 January"),
    _day("st\\.? patrick['’]?s", "17 March"),
    _day("hogmanay", "31 December"),
)  # fmt: skip


def in_plain_words(text: str) -> str:
    """A sentence with plain words for its idioms; others stay as they are."""
    for said, plain in _SAID:
        text = said.sub(plain, text)
    return text
