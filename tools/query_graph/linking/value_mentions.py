"""Numbers, dates and times that a sentence names, as values that meet a graph's literals.

"11 August 2014" meets 2014-08-11, "1.5 million" 1500000, "half past five" 05:30 and 17:30, "an hour and a half" 90 (a
graph counts minutes more often than hours; both readings are kept).
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass

from triplewise.kg.names import fold
from triplewise.kg.values import Kind, parse_value

MONTHS = {m.lower(): i for i, m in enumerate(calendar.month_name) if m} | {
    m.lower(): i for i, m in enumerate(calendar.month_abbr) if m
}
MONTHS["sept"] = 9
_PARTS = {
    name: (1 + size * n, size * (n + 1))
    for size, part, short in ((3, "quarter", "q"), (6, "half", "h"))
    for n, order in enumerate(("first", "second", "third", "fourth")[: 12 // size])
    for name in (f"{order} {part}", f"{short}{n + 1}")
}
"""Parts of a year: their first and last month."""
_MONTH = "(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)?"
_SPAN_OF_DAYS = re.compile(
    rf"\b(between )?{_DAY}(?: {_MONTH})? ?(?:to|till|until|through|-|–|(and)) ?{_DAY} {_MONTH},?(?: of)? (\d{{4}})\b"
)
"""From a day to another of the same year: "from 14 to 22 March 2024", and with "and" only after "between"."""
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DECADES = {w[:-1] + "ies": i + 2 for i, w in enumerate(_TENS)}
_SMALL = {w: i for i, w in enumerate(_ONES)} | {w: 10 * (i + 2) for i, w in enumerate(_TENS)}
_SCALE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORDS = "|".join([*_SMALL, *_SCALE, "dozen", "half"])
_SUFFIX = {
    "k": 1_000,
    "m": 1_000_000,
    "bn": 1_000_000_000,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
}
_UNIT = {
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "h"), 60),
    **dict.fromkeys(("week", "weeks"), 7),
    "fortnight": 14,
    **dict.fromkeys(("year", "years"), 12),
    **dict.fromkeys(("metre", "metres", "meter", "meters"), 100),
    **dict.fromkeys(("kilo", "kilos", "ton", "tons", "tonne", "tonnes", "kilometres", "km", "litre", "litres"), 1000),
}
"""What a graph's smaller unit makes of a number: minutes of hours, days of weeks, months of years, grams of kilos."""


@dataclass(frozen=True, slots=True)
class ValueMention:
    """A value in a sentence. ``low`` and ``high`` are equal but for a span ("June 2020"): its first month, which comes
    before all days of it, and its last day.

    ``texts``: the forms that a literal may have; ``start`` and ``end`` are character positions.
    """

    kind: Kind
    texts: tuple[str, ...]
    low: str
    high: str
    start: int
    end: int
    rank: bool = False
    """Whether it is a place among others: "came second"."""


def find_values(sentence: str) -> list[ValueMention]:
    """All values of a sentence in order; of two that overlap the longer one."""
    text = sentence.lower()
    found = [*_dates(text), *_times(text), *_numbers(text)]
    kept: list[ValueMention] = []
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if all(mention.end <= k.start or mention.start >= k.end for k in kept):
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)


_KNOWN = re.compile(
    r"(?:\b(?:the|these|those|our|my|your|his|her|their)|\b(?!(?:that|it|there|here|he|she|what|who)['’])[^\W\d_]+['’]s|"
    r"s['’]|\bof [^\W\d_]+s)\s$",
    re.I,
)
_NOUN = re.compile(r"\s([^\W\d_]+s)\b(?!['’])", re.I)
_FEW = 12
_MEASURES = frozenset((
    "days", "nights", "months", "minutes", "mins", "seconds", "pounds", "euros", "dollars", "pence", "cents", "miles",
    "grams", "points", "stars", "goals", "degrees", "inches", "feet", "stones", "times",
))  # fmt: skip


def known_number(sentence: str, mention: ValueMention) -> str:
    """The plural noun, folded, of which a small number tells how many there are of what is known ("the two boats"); ""
    where it stands otherwise, or before a unit."""
    noun = _NOUN.match(sentence, mention.end)
    small = mention.kind == "number" and mention.low.isdecimal() and 2 <= int(mention.low) <= _FEW
    known = small and noun and _KNOWN.search(sentence[: mention.start])
    return fold(noun[1]) if noun and known and noun[1].lower() not in _MEASURES.union(_UNIT) else ""


_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    "twelfth",
)
_ORDINAL = rf"(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,3}}(?=st|nd|rd|th))(?:st|nd|rd|th)?"
_RANK = re.compile(
    r"\b(?:c[ao]m(?:e|es|ing)|finish\w*|end(?:s|ed)?|plac(?:e[ds]?|ing)|rank\w*|r[au]n|be|been|is|was|were|are)\s+"
    rf"(?:(?:in|up|home|only|joint|equal)\s+)*{_ORDINAL}\b"
    r"(?=\s*(?:$|[^\w\s'’-]|(?:in|at|on|of|among|behind|after|before|and|or|but|to|with|for|overall|there|again)\b))"
    rf"|\b{_ORDINAL.replace('ordinal', 'attribute')}\s+(?:place|position|rank|spot)\b"
)
"""Ordinals that tell a place: what came, or was, second, and whose noun is such a place; "the second race" is none."""


def find_ranks(sentence: str) -> list[ValueMention]:
    """The places among others that a sentence names, in order, as numbers."""
    found = []
    for match in _RANK.finditer(sentence.lower()):
        said = match["ordinal"] or match["attribute"]
        number = said if said.isdigit() else str(_ORDINALS.index(said) + 1)
        span = match.span("ordinal" if match["ordinal"] else "attribute")
        found.append(ValueMention("number", (number,), number, number, *span, rank=True))
    return found


def _dates(text: str) -> list[ValueMention]:
    found = []

    def day(match: re.Match[str], y: str, m: int, d: str) -> None:
        if 1 <= m <= 12 and 1 <= int(d) <= 31:
            iso = f"{int(y):04d}-{m:02d}-{int(d):02d}"
            found.append(ValueMention("date", (iso,), iso, iso, *match.span()))

    for match in re.finditer(r"\b(\d{4})-(\d\d)-(\d\d)\b", text):
        day(match, match[1], int(match[2]), match[3])
    for match in re.finditer(
        rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of|-)?[ -]?{_MONTH},?(?: of)?[ -](\d{{4}})\b", text
    ):
        day(match, match[3], MONTHS[match[2]], match[1])
    for match in re.finditer(rf"\b{_MONTH} (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", text):
        day(match, match[3], MONTHS[match[1]], match[2])
    for match in re.finditer(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b", text):
        day(match, match[3], int(match[2]), match[1])
        if match[1] != match[2]:
            day(match, match[3], int(match[1]), match[2])

    for match in _SPAN_OF_DAYS.finditer(text):
        between, first, month, both, last, of, y = match.groups()
        low, high = (f"{y}-{MONTHS[m]:02d}-{int(d):02d}" for m, d in ((month or of, first), (of, last)))
        if low < high and max(int(first), int(last)) <= 31 and bool(between) == bool(both):
            found.append(ValueMention("date", (), low, high, *match.span()))

    def months(match: re.Match[str], y: str, first: int, last: int, texts: tuple[str, ...] = ()) -> None:
        end = f"{int(y):04d}-{last:02d}-{calendar.monthrange(int(y), last)[1]:02d}"
        if first <= last:
            found.append(ValueMention("date", texts, f"{int(y):04d}-{first:02d}", end, *match.span()))

    for match in re.finditer(rf"\b{_MONTH},?(?: of)? (\d{{4}})\b", text):
        months(match, match[2], MONTHS[match[1]], MONTHS[match[1]], (f"{int(match[2]):04d}-{MONTHS[match[1]]:02d}",))
    for match in re.finditer(rf"\b{_MONTH} ?(?:and|to|till|until|through|-|–) ?{_MONTH},?(?: of)? (\d{{4}})\b", text):
        months(match, match[3], MONTHS[match[1]], MONTHS[match[2]])
    for match in re.finditer(rf"\b{_MONTH} or {_MONTH},?(?: of)? (\d{{4}})\b", text):
        if MONTHS[match[1]] + 1 == MONTHS[match[2]]:  # what is between the two is in one of them
            months(match, match[3], MONTHS[match[1]], MONTHS[match[2]])
    for match in re.finditer(rf"\b({'|'.join(_PARTS)}) (?:of )?(?:the year )?(\d{{4}})\b", text):
        months(match, match[2], *_PARTS[match[1]])
    for match in re.finditer(rf"\b({'|'.join(_FEASTS)})(?: of)?,? (\d{{4}}|['’]\d\d)\b", text):
        day(match, _year(match[2]), *_FEASTS[match[1]])
    for match in re.finditer(rf"\b{_MONTH},?(?: of)? (['’]\d\d)\b", text):
        y, month = _year(match[2]), MONTHS[match[1]]
        months(match, y, month, month, (f"{y}-{month:02d}",))
    for match in re.finditer(r"(?<![\w'’])['’]\d\d\b(?!['’]|s\b|[:.,]\d)", text):
        y = _year(match.group())
        found.append(ValueMention("year", (y,), y, y, *match.span()))
    for match in re.finditer(
        r"(?:(?<=before )|(?<=by )|(?<=until )|(?<=till )|(?<=past )|(?<=after )|(?<=beyond ))"
        r"the (end|start|beginning) of (\d{4})\b",
        text,
    ):
        day(match, match[2], *((12, "31") if match[1] == "end" else (1, "01")))
    for match in re.finditer(r"(?<![\d:.,-])\b(1[0-9]\d\d|20\d\d|21\d\d)\b(?![:.]\d|,\d{3}|-\d)", text):
        found.append(ValueMention("year", (match[1],), match[1], match[1], *match.span()))
    for match in re.finditer(
        rf"\b(?:(nineteen|twenty)[ -])?({'|'.join(_DECADES)})\b|\b((?:1[0-9]|20)\d)0['’]?s\b|['’]?\b([1-9])0s\b", text
    ):
        decade = int(match[3] or f"19{match[4]}" if not match[2] else f"19{_DECADES[match[2]]}") * 10
        found.append(ValueMention("year", (), str(decade), str(decade + 9), *match.span()))
    return found


_FEASTS = {
    "christmas eve": (12, "24"),
    "christmas day": (12, "25"),
    "christmas": (12, "25"),
    "new year's eve": (12, "31"),
    "new year’s eve": (12, "31"),
    "new year's day": (1, "01"),
    "new year’s day": (1, "01"),
}
"""Days that have a name: the month and the day."""
_LAST_OF_CENTURY = 39
"""The last two digits up to which a year in two is of this century: '26 and '97."""


def _year(digits: str) -> str:
    """A year's four digits, of four or of an apostrophe and two."""
    short = digits.lstrip("'’")
    return short if len(short) == 4 else f"{19 + (int(short) <= _LAST_OF_CENTURY)}{short}"


def _times(text: str) -> list[ValueMention]:
    found = []

    def at(match: re.Match[str], hour: int, minute: int, half: str) -> None:
        hours = [hour]
        if half.startswith("p") or half in ("evening", "afternoon", "night"):
            hours = [hour + 12 if hour < 12 else hour]
        elif half.startswith("a") or half == "morning":
            hours = [hour % 12]
        elif hour <= 12 and not half and match.re.pattern != _CLOCK:
            hours = [hour, hour + 12]
        forms = [f"{h:02d}:{minute:02d}" for h in hours if h < 24]
        if forms:
            texts = tuple(dict.fromkeys([*forms, *(f.lstrip("0") for f in forms)]))
            found.append(ValueMention("time", texts, forms[0], forms[-1], *match.span()))

    part = r"(?:\s*(a\.?m\.?|p\.?m\.?)\b|\s+in the (morning|afternoon|evening)|\s+at (night))"
    for match in re.finditer(_CLOCK, text):
        at(match, int(match[1]), int(match[2]), match[3] or "")
    for match in re.finditer(rf"\b(\d{{1,2}}|{'|'.join(_ONES[1:13])})(?:[.:](\d\d))?(?: o'clock)?{part}", text):
        hour = int(match[1]) if match[1].isdigit() else _SMALL[match[1]]
        if hour <= 12:
            at(match, hour, int(match[2] or 0), match[3] or match[4] or match[5] or "")
    for match in re.finditer(rf"\b(\d{{1,2}}|{'|'.join(_ONES[1:13])}) o['’ ]?clock\b", text):
        at(match, int(match[1]) if match[1].isdigit() else _SMALL[match[1]], 0, "")
    for match in re.finditer(rf"\bhalf (?:past )?({'|'.join(_ONES[1:13])})\b(?:{part})?", text):
        at(match, _SMALL[match[1]], 30, match[2] or match[3] or match[4] or "")
    for match in _DURATION.finditer(text):
        if not re.fullmatch(_CLOCK, match.group()) and parse_value(match.group()).kind == "time":
            found.append(ValueMention("time", (match.group(),), match.group(), match.group(), *match.span()))
    for match in re.finditer(r"\bnoon\b|\bmidday\b", text):
        found.append(ValueMention("time", ("12:00",), "12:00", "12:00", *match.span()))
    return found


_DURATION = re.compile(
    r"(?<![\d:.])(?:\d?\d:[0-5]\d(?::[0-5]\d)?(?:\.\d{1,3})?(?![\d:]|\.\d)"
    r"|\d{1,3} ?(?:h|hrs?|hours?|m|mins?|minutes?) ?(?:and )?\d\d?(?: ?(?:m|mins?|minutes?|s|secs?|seconds?))?\b)"
)
""" "41:12", "3:59.4", "2h 31m"."""
_CLOCK = r"\b([01]?\d|2[0-3]):([0-5]\d)\b(?![:.]\d)(?:\s*(a\.?m\.?|p\.?m\.?)\b)?"


def _numbers(text: str) -> list[ValueMention]:
    found = []

    def number(value: float, match: re.Match[str], unit: str = "", end: int | None = None) -> None:
        values = [value]
        if unit in _UNIT:
            values.append(value * _UNIT[unit])
        shown = [f"{v:.10g}" if v < 1e15 else str(v) for v in values]
        found.append(ValueMention("number", tuple(shown), shown[0], shown[0], match.start(), end or match.end()))

    unit = r"(?:[ -]?([a-z]+))?"
    for match in re.finditer(
        rf"(?<![\w.,:-])([€$£])?(\d{{1,3}}(?:[, ]\d{{3}})+|\d+)(\.\d+)?(?![a-f]\b){unit}(?![\d:])", text
    ):
        value = float(re.sub(r"[, ]", "", match[2]) + (match[3] or ""))
        word = match[4] or ""
        if word == "m" and not match[1]:
            word = "metres"  # a million only of money
        end = match.end() if word in _SUFFIX or word in _UNIT else match.end(3) if match[3] else match.end(2)
        number(value * _SUFFIX.get(word, 1), match, word, end)
    for match in re.finditer(
        rf"\b(?:{_WORDS})(?:(?:[ -]|(?:(?<=hundred)|(?<=thousand)) and )(?:{_WORDS}))*\b{unit}", text
    ):
        words = [w for w in re.findall(r"[a-z]+", match.group()) if w in _SMALL or w in _SCALE or w == "dozen"]
        if words and not (words == ["one"] and _is_pronoun(text, match.start(), match[1] or "")):
            word = match[1] or ""
            value = _spoken(words) + (0.5 if " and a half" in match.group() else 0)
            number(value, match, word, match.end() if word in _UNIT else match.end() - len(word) - bool(word))
    for match in _ONE_UNIT.finditer(text):
        unit_name = match[1] or match[2] or match[3]
        number(1.5 if match[1] else 0.5 if match[2] else 1, match, unit_name)
    return found


_LASTING = "for than over under within least most almost nearly about exactly is was take takes took last lasts lasted"
_BEFORE = "|".join(f"(?<= {word} )" for word in _LASTING.split())
_ONE_UNIT = re.compile(
    r"\b(?:an? |one )(hour|week) and a half\b|\bhalf an (hour)\b|"
    rf"(?:{_BEFORE})an? (hour|week)\b"
)
"""One hour or week that something lasts; what somebody gets "an hour" is a rate."""
_POINTED_OUT = re.compile(
    r"\b(?:(?P<alone>which|this|that|no)|(?:the\s+)?(?:an)?other|the(?:\s+(?:only|same))?"
    r"|(?:the|this|that|an?)\s+(?:(?:most|more|least|less|very)\s+)?"
    r"(?!(?:only|same|just|than|least|most|number|is|are|was|were|has|have|had)\b)[^\W\d_][\w'’-]*(?:\s+\d{4})?)\s+$"
)
"""What may stand before the pronoun: "which one", "the rescue one", "another one", "the one that barks"."""
_AFTER_PRONOUN = re.compile(
    r"\s*(?:$|[^\w\s]|(?:is|are|was|were|isn|wasn|has|have|had|does|do|did|can|could|will|would|must|may|might|should|"
    r"that|who|whom|which|whose|where|when|with|without|in|on|at|from|for|to|by|of|and|or|than|as|but|about|near|over|"
    r"under|before|after|behind|beside|again|here|there|too|please|we|you|i|he|she|they|it|s)\b)"
)
"""What follows the pronoun and no number, which its noun follows: "the one game"."""


def _is_pronoun(text: str, start: int, following: str) -> bool:
    """Whether the "one" at a position stands for a thing: "which one is deeper?", "the rescue one"; "only one" and "one
    of the boats" count."""
    before = _POINTED_OUT.search(text[:start])
    if not before or following in _UNIT:
        return False
    return bool(before["alone"] or _AFTER_PRONOUN.match(text, start + len("one")))


def _spoken(words: list[str]) -> float:
    total, current = 0.0, 0.0
    for word in words:
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "dozen":
            current = max(1, current) * 12
        elif word == "hundred":
            current = max(1, current) * 100
        else:
            total += max(1, current) * _SCALE[word]
            current = 0
    return total + current
