"""What a number or a time measures, and what is asked for to be measured."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.cues.words import DURATION, any_word

_ASKED_MEASURES = (
    ("temperature", any_word("temperature, how (?:hot|cold|warm|cool), how many degrees"),
     any_word("temperatures?, temp, celsius, fahrenheit, degrees?")),
    ("weight", any_word("weight, how heavy, (?:how much|what) (?:does|do|did) .* weigh"),
     any_word("weights?, weighs, mass, kg, kilos?, kilograms?, grams?, tons?, tonnes?, lbs?")),
    ("height", any_word("height, how tall, how high"), any_word("heights?, tall, altitude, elevation, high")),
    ("altitude", any_word("altitude, elevation, how high, above sea level"), any_word("altitude, elevation, height")),
    ("area", any_word("area, how (?:big|large), hectares, acres, what size"),
     any_word("area, size, ha, hectares?, acres?, sqm, km2, m2")),
    ("extent", any_word("how (?:big|large), what size"),
     any_word("size, length, height, width, population, inhabitants, capacity, volume, lit(?:re|er)s?, members?, beds, "
            "seats, rooms, tonnage, weight, staff, employees, diameter, attendance, wingspan, number")),
    ("distance", any_word("distance, how far(?! in(?:to)?\\b)"),
     any_word("distance, far, km, miles?, kilomet(?:re|er)s?, length")),
    ("speed", any_word("speed, how fast"), any_word("speed, mph, kmh, knots?, fast, minutes?, seconds?, time")),
    ("price", any_word("price, how (?:expensive|dear)"),
     any_word("prices?, costs?, fees?, fares?, rents?, charges?, euros?, eur, gbp, usd, pounds?, dollars?, paid, pays, "
            "value, worth, bid, estimate, tuition, rate, amount, sold, hammer")),
    ("power", any_word("horsepower, horse power, how powerful, how many (?:hp|bhp|watts|kw)"),
     any_word("horsepower, horse power, hp, bhp, power, watts?, kw")),
    ("share", any_word("percent\\w*, what (?:share|proportion)"), any_word("percent\\w*, pct, share, proportion")),
)  # fmt: skip
"""(measure, words that ask for it, words and units of relations that tell it). What is big may be so in many ways."""


CURRENCIES = frozenset(("€", "£", "$", "eur", "euro", "euros", "gbp", "usd", "pounds", "dollars"))
"""Units of money."""
_HOW_MANY_UNITS = re.compile(
    r"\bhow many\s+(?:hours?|hrs?|minutes?|mins?|days?|nights?|weeks?|months?|years?|miles?|kilomet(?:re|er)s?|km|"
    r"met(?:re|er)s?|yards?|feet|kilos?|kg|lit(?:re|er)s?|points?)\b",
    re.I,
)


def asks_no_money(text: str) -> bool:
    """Whether a number of hours, miles or other units is asked for, which no sum of money is."""
    return bool(_HOW_MANY_UNITS.search(text))


def asked_measures(text: str) -> frozenset[str]:
    """What a number is asked for to measure; nothing where the words do not tell."""
    return frozenset(name for name, asked, _ in _ASKED_MEASURES if asked.search(text))


def measures_of(relation: str) -> frozenset[str]:
    """What a relation measures by its words and units; nothing where they do not tell."""
    return frozenset(name for name, _, told in _ASKED_MEASURES if told.search(relation))


_BIG = re.compile(r"\b(?:bigg|larg|small|tini)est\b", re.I)


def asked_size(text: str) -> re.Match[str] | None:
    """The word by which the biggest or the smallest of some things is asked for."""
    return _BIG.search(text)


def is_size(relation: str) -> bool:
    """Whether a relation, in words, tells how big a thing is: a length, a capacity, its members."""
    return not measures_of(relation).isdisjoint(("extent", "area"))


_HOW_LONG = re.compile(r"\bhow long\b(?!\s+ago)(?P<rest>.*)", re.I | re.S)
_GOING_ON = any_word(
    "been, since, still, until, till, ago, from, what day, what date, what year, years?",
    r"\b(?:has|have|had|ve)\b(?!\s+to\b)",
)
"""What began at some time goes on: "how long has she been here?" is told by the day since when."""
_BOUNDS = any_word("since, until, till, from, to, through, expir\\w+, valid, lasts?, cover\\w*")
_CLOCK = any_word("start\\w*, begin\\w*, open\\w*, clos\\w*, end\\w*, depart\\w*, arriv\\w*, leav\\w*")


def asks_how_long(text: str) -> bool:
    """Whether a duration or a length is asked for, which no point in time is: "how long did it take?"."""
    asked = _HOW_LONG.search(text)
    return bool(asked) and not _GOING_ON.search(asked["rest"])


def is_point(relation: str, kind: str | None) -> bool:
    """Whether values of this kind are points in time and tell no duration, ``relation``: its words. A "running time"
    of 1:45 is a duration, a "start time" is none."""
    if kind in ("date", "year"):
        return not _BOUNDS.search(relation)
    return kind == "time" and (bool(_CLOCK.search(relation)) or not DURATION.search(relation))
