"""What time a question asks for: "how many days did Ann keep the ladder?", "how long was it between the two visits?",
"how old was she when she joined?"."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from triplewise.kg.query.span import SpanUnit

_UNIT = r"(?P<unit>day|night|week|month|year)s?"
_LONG = rf"(?:how (?:many {_UNIT}|long|much time)|what(?:['’]s| is| was) the (?:gap|time|interval))"
_SO = r"^(?:(?:so|and|but|roughly|about)\W+)*"
_TIME = r"(?:day|night|morning|evening|year|month|week|time)"
_END = (
    r"(?:,? (?:start to finish|from start to finish|all in all|in all|in total|altogether|exactly|roughly)| for)?\W*$"
)
_LASTING = re.compile(
    rf"^(?:(?:so|and|roughly|about)\W+)*{_LONG} (?:in (?:all|total) )?(?P<rest>(?:did|was|were|had) .+?){_END}", re.I
)
_GOING_ON = re.compile(
    rf"{_SO}{_LONG} (?P<rest>(?:is|are|will) .+?\b(?:away|gone|in|at|on)\b.*?) for(?: in (?:all|total))?\W*$", re.I
)
"""What is planned, or goes on: "how many days are they in Lagos for?"."""
_BETWEEN = re.compile(
    rf"{_SO}{_LONG}\b(?P<verb>(?: \w+){{0,4}}?) (?P<how>between|from) (?P<one>.+?){_END}",
    re.I,
)
_APART = re.compile(rf"{_SO}how (?:many {_UNIT}|far|long) apart (?:were|are|was|is) (?P<one>.+?){_END}", re.I)
_AFTER = re.compile(
    rf"{_SO}{_LONG} (?P<how>after|before) (?P<one>.+?),? (?P<other>(?:did|was|were|do|does|is|are) .+?){_END}",
    re.I,
)
_AGE = re.compile(
    rf"{_SO}(?:poor )?(?:(?P<topic>[^,?]+), )?(?:(?:so|and) )?(?:how old|what age) "
    r"(?:(?:was|were|(?P<now>is|are)) (?P<who>.+?)|(?:will|would) (?P<whom>.+?) (?:be|have been))"
    rf"(?:,? (?P<join>when|the {_TIME}(?: that)?|at|in|on|by) (?P<event>.+?))?"
    r"(?: (?:now|today|these days|nowadays|at the moment|this year|then|exactly))?\W*$",
    re.I,
)
_DAY_TOO = re.compile(r"\b(?:birthday|born|birth|since|what year|which year|what date|what day)\b", re.I)
_AND = {"between": re.compile(r"\s+and\s+", re.I), "from": re.compile(r"\s+(?:to|until|till|up to)\s+", re.I)}
_HE = re.compile(r"^(?:he|she|they|it)$", re.I)
_DAYS: dict[str, SpanUnit] = {"day": "days", "night": "days", "week": "weeks", "month": "months", "year": "years"}


class AskedSpan(NamedTuple):
    """``how``: "lasting" from the beginning to the end of what ``one`` says, "several" from the first to the last of
    what it calls, "between" it and ``other``, "age" of ``one`` at ``other`` ("" for today). ``other`` of "between" and
    of "age" is what happened; ``at``: whether it is the name of it, or a day;
    ``told``: whether the unit is said; ``now``: whether the age of today is asked for."""

    how: Literal["lasting", "several", "between", "age"]
    unit: SpanUnit
    one: str
    other: str = ""
    at: bool = False
    told: bool = False
    now: bool = False


def asked_span(text: str) -> AskedSpan | None:
    """The time that a question asks for; None for any other, and where a day is asked for as well."""
    if _DAY_TOO.search(text):
        return None
    if age := _AGE.match(text):
        who = age["who"] or age["whom"]
        who = age["topic"] if age["topic"] and _HE.match(who) else who
        at = (age["join"] or "").lower() in ("at", "in", "on", "by")
        return AskedSpan("age", "years", who, age["event"] or "", at, now=bool(age["now"]))
    if apart := _APART.match(text) or _BETWEEN.match(text):
        unit = _unit(apart)
        how = "between" if "how" not in apart.groupdict() else apart["how"].lower()
        ends = _AND[how].split(apart["one"], maxsplit=1)
        if len(ends) == 2:
            return AskedSpan("between", unit, ends[0], ends[1])
        if how == "between":
            return AskedSpan("several", unit, apart["one"])
    if after := _AFTER.match(text):
        return AskedSpan("between", _unit(after), after["one"], after["other"])
    lasting = _LASTING.match(text) or _GOING_ON.match(text)
    return AskedSpan("lasting", _unit(lasting), lasting["rest"], told=bool(lasting["unit"])) if lasting else None


def _unit(match: re.Match[str]) -> SpanUnit:
    return _DAYS[(match["unit"] or "day").lower()]
