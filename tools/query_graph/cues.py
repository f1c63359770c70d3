"""Words by which a sentence asks for a count, an extreme, a comparison or a negation.

They widen what is generated and tell the ranker what was asked; none of them decides anything. English only: for
another language the candidates are the same, but fewer of these forms are tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable


def _words(listed: str, more: str = "") -> re.Pattern[str]:
    """A pattern for any of the comma-separated words, or of further patterns."""
    words = "|".join(part.strip().replace(" ", r"\s+") for part in listed.split(",") if part.strip())
    return re.compile(rf"\b(?:{words})\b{'|' + more if more else ''}", re.I)


_EARLIER = _words("older, elder, earlier, before, sooner, prior")
_LATER = _words("younger, newer, later, after, more recent\\w*")
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
_SMALLER = _words(f"{_LESSER}, younger, earlier")
_GREATER = _words(f"{_BIGGER}, older, elder, newer, later")
COMPARATIVE = _words(f"{_LESSER}, {_BIGGER}, older, elder, younger, newer, earlier, later, sooner, better, worse")
_BELOW = _words("below, under")
_ABOVE = _words("over, above, beyond, exceed\\w*")
_LITTLE = (
    r"(?:cheap|inexpensive|short|small|tiny|low|light|slow|near|close|weak|rare|scarce|narrow|cold|cool|mild|shallow|"
    r"thin|slim|lean|quiet|faint|dim|soft|poor|brief|flat|empty|young|early)"
)
_MORE_LITTLE = re.compile(rf"\bmore\s+{_LITTLE}\b", re.I)
_LESS_LITTLE = re.compile(rf"\bless\s+{_LITTLE}\b", re.I)
"""Adjectives that name the lower end of a scale turn "more" and "less" round."""
_PACE = _words("faster, quicker, slower")
_DURATION = _words("times?, duration, takes?, took, minutes?, mins?, seconds?, hours?, days?, weeks?, lasts?, laps?")
_ENDS = _words("ends?, ended, closed?, until, till, last, retired?, died, death, left, expir\\w+, finish\\w*, stopped")
LESS = _words(
    "before, under, below, earlier, until, till, up to, at most, within, by, younger, older, not more, maximum, max, "
    f"prior, sooner, no more, pre, {_LESSER}",
    r"[<≤]|(?<![^\W\d_])-|-(?![^\W\d_])",
)
"""A hyphen opens or ends a span of numbers, but not within a word: "left-handed"."""
MORE = _words(
    "after, over, above, at least, since, from, later, beyond, exceed\\w*, older, younger, minimum, min, upwards?, "
    f"newer, onwards?, not less, no less, past, post, {_BIGGER}",
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
NEGATED = _words("not, never, nor, neither, cannot", _NT)
"""Words that deny a verb, and no more."""
NOT = _words(f"{_DENYING}, only", _NT)
LACKING = _words("not, never, nor, neither, cannot, no, none, without, nobody, lack\\w*, yet", _NT)
"""Words that say of something that it has not, or does not."""
DENIED = _words(f"{_DENYING}, (?<!for\\s)nothing(?! (?:but|other|more|less|else|except)\\b)", _NT)
"""Words by which a claim may say that something is not so: "only Ann sings" does not say that Ann does not."""
FREE_OF = re.compile(r"(?<=\w)-free\b", re.I)
"""What denies the noun that it is written to: "egg-free"."""
COMPARE = _words(
    "than, then, or, of the two, which of, both, compared?, between, versus, vs, \\w+er, more, less, fewer",
)


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
    turned = _PACE.search(text) and _DURATION.search(relation)  # the faster takes the least time
    return told.translate(_TURNED) if turned else told


def _either(text: str, less: re.Pattern[str], more: re.Pattern[str]) -> str:
    found = ("<" if less.search(text) else "") + (">" if more.search(text) else "")
    return found if len(found) == 1 else ""


def _longer(text: str, relation: str) -> str:
    """Who has been there longer began earlier, and what went on for longer ended later."""
    if not _LONGER.search(text) or _LATER.search(text) or _EARLIER.search(text):
        return ""
    return ">" if _ENDS.search(relation) else "<"


_LONGER = re.compile(r"(?<!\bno )\blonger\b", re.I)
_TURNED = str.maketrans("<>", "><")


_LATEST = _words("last, latest, newest, youngest, most recent\\w*")
_EARLIEST = _words("first, earliest, oldest, eldest")
_OTHER_EXTREME = _words("least, fewest, most(?! recent)", r"\b(?:long|short|high|low|bigg|larg|small)est\b")


_LASTING = re.compile(r"\b(?P<size>long|short)est\b(?!\s+(?:time\s+)?ago\b)", re.I)

TENURE = re.compile(
    r"\b(?:long|short)est[\s-](?:serving|standing|running|established|lasting)\b"
    r"|\bwho\b[^.?!;]{0,40}?\blongest (?:here|around|with (?:us|them))\b"
    r"|\b(?:been|serve[ds]?|work(?:ed|ing)? (?:at|for|here|with))\b[^.?!;]{0,40}?\b(?:long|short)est\b"
    r"(?!\s+[^\W\d_]+s?\s*\?*$)"
    r"|\b(?:have|has) (?:we|they|i|you) (?:had|kept|known|owned)(?: for)? the (?:long|short)est\b"
    r"(?=\W*$|\s+(?:for|with|of)\b)",
    re.I,
)
"""An extreme of time, and of no other length."""
NEWEST = re.compile(r"\bnewest\b", re.I)
"""Came last, and of who is born is not the youngest."""
_SPANS = "years?, months?, weeks?, days?, nights?, hours?, minutes?, mins?, time, service, tenure, duration"
SPAN = _words(f"{_SPANS}, length, age")
"""Words of relations whose numbers tell how long something lasts."""


_BIRTH = _words("born, birth\\w*, dob, age")


_BEGINS = _words(
    "since, joined, joins, joining, start\\w*, began, begun, hired, appointed, enrolled, registered, employed, came, "
    "arrived, recruited, founded, established, opened, moved in"
)


def is_beginning(relation: str) -> bool:
    """Whether a relation, in words, tells when somebody or something came."""
    return bool(_BEGINS.search(relation))


def is_birth(relation: str) -> bool:
    """Whether a relation, in words, tells when somebody was born."""
    return bool(_BIRTH.search(relation))


def asks_what_lasts(text: str) -> bool:
    """Whether the longest or shortest is asked for, and neither who has been there the longest nor since when."""
    return bool(_LASTING.search(text)) and not (TENURE.search(text) or _LATEST.search(text) or _EARLIEST.search(text))


def extreme_date(text: str, relation: str = "") -> str:
    """Which of several dates is asked for: ">" the latest, "<" the earliest, "" where the words do not tell.

    ``relation``: the words of what has the dates. Who has served the longest began the earliest, and what lasted the
    longest ended the latest.
    """
    found = (">" if _LATEST.search(text) else "") + ("<" if _EARLIEST.search(text) else "")
    lasting = _LASTING.search(text)
    if relation and lasting and not found:
        return ">" if (lasting["size"].lower() == "long") == bool(_ENDS.search(relation)) else "<"
    return found if len(found) == 1 and not _OTHER_EXTREME.search(text) else ""


_ASKS_DAY = re.compile(
    r"\b(?:when|(?:what|which)(?:['’]s|\s+(?:is|was))?\s+(?:the\s+)?(?:\w+\s+)?(?:day|date|year|month|time))\b", re.I
)
_LAST_TIME = re.compile(r"\b(?:last|latest|most recent\w*)\b", re.I)
_FIRST_TIME = re.compile(r"\b(?:first|earliest|next\b[^?]*\b(?:after|since))\b|\b(?:after|since)\b[^?]*\bnext\b", re.I)
_EXTREME_OF = re.compile(
    r"\bwhat(?:['’]s|\s+(?:is|was|were))\s+(?:the|our|my|their|his|her|its)\s+(?P<size>highest|lowest|greatest|most|least)\s+"
    r"(?P<noun>\w+)",
    re.I,
)


_EXTREME_ANY = re.compile(
    r"\bwhat(?:['’]s|\s+(?:is|was|were))\s+the\s+(?P<size>most|least|\w+est)\s+any\w+\b[^?]*?\bin\s+(?P<noun>\w+)\W*$",
    re.I,
)
_SMALLEST = re.compile(
    r"(?:least|lowest|fewest|smallest|shortest|quickest|fastest|cheapest|lightest|nearest|closest)$", re.I
)
NEXT = re.compile(r"\bnext\b", re.I)


def asked_extreme(text: str, relation: str, kind: str) -> str:
    """Which of several values of a relation is itself asked for, ``relation``: its words; ">" the last day or highest
    number, "<" the first or lowest, "" where none is: "when were we last there?", "what was the highest price?"."""
    if kind in ("date", "year"):
        found = (">" if _LAST_TIME.search(text) else "") + ("<" if _FIRST_TIME.search(text) else "")
        return found if len(found) == 1 and _ASKS_DAY.search(text) else ""
    asked = (_EXTREME_OF.search(text) or _EXTREME_ANY.search(text)) if kind == "number" else None
    noun = re.sub(r"^(?:km|kilomet(?:re|er)s?)$", "(?:km|kilomet(?:re|er))", asked["noun"].rstrip("s")) if asked else ""
    if asked and re.search(rf"\b{noun}s?\b", relation, re.I):
        return "<" if _SMALLEST.match(asked["size"]) else ">"
    return ""


_EARNED = (
    "takings, takes, took, proceeds, incomes?, revenues?, profits?, earnings, earned, raised, turnover, gross, sales, "
    "made, collected"
)
_PAID = (
    "price\\w*, costs?, fees?, fares?, rents?, charges?, tuition, sold, paid, pays, rates?, tariffs?, tolls?, value, "
    "worth, premiums?, subscriptions?, deposits?, salary, wages?, bid, hammer, estimate, amount, budget, spent, "
    "spending, expenses?, eur, euros?, gbp, pounds?, usd, dollars?"
)
_PRICE = _words(_PAID)
_INCOME = _words(_EARNED)
_DEAR = _words("dearest, priciest, costliest, most expensive, most costly")
_CHEAP = _words("cheapest, least expensive, least costly")
CROWD = _words(
    "guests?, people, visitors?, attendance, customers?, covers, gate, came, diners, passengers?, footfall, turnout"
)
"""Words of relations to how many came, by which something is the busiest."""
_MEASURES = (
    (CROWD, _words("busiest, fullest"), _words("quietest, emptiest")),
    (_words("age, aged, years old"), _words("oldest, eldest"), _words("youngest")),
    (_words("height, tall"), _words("tallest, highest"), _words("shortest, lowest, smallest")),
    (_words(f"length, long, {_SPANS}, miles?, km, distance"), _words("longest"), _words("shortest")),
    (_words("miles?, km, distance"), _words("furthest, farthest"), _words("nearest, closest")),
    (
        _words("times?, duration, took, seconds?, secs?, minutes?, mins?, laps?, pbs?, personal bests?"),
        _words("slowest"),
        _words("fastest, quickest"),
    ),
    (_words("depth, deep"), _words("deepest"), _words("shallowest")),
    (_words("width, wide"), _words("widest, broadest"), _words("narrowest")),
    (_words("weight, weighs, mass, calories, kcal"), _words("heaviest"), _words("lightest")),
    (_words("speed"), _words("fastest, quickest"), _words("slowest")),
    (
        _words("price\\w*, costs?, fees?, fares?, rents?, charges?, tuition, sold for, paid, rates?, subscriptions?"),
        _DEAR,
        _CHEAP,
    ),
)
"""Words of relations to numbers, and the adjectives of the greatest and of the least of these. The greatest age is the
oldest thing's, where of dates the least is."""


def measured_by(text: str) -> list[re.Pattern[str]]:
    """The words of relations that tell what an extreme of a sentence is one of, "shortest" one of lengths."""
    return [measure for measure, *adjectives in _MEASURES if any(a.search(text) for a in adjectives)]


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


def extreme_time(text: str, relation: str, kind: str) -> str:
    """As ``extreme_number``, of durations: the best of these is the least."""
    if kind != "time" or is_point(relation, kind):
        return ""
    return "<" if _BEST.search(text) else ">" if _WORST.search(text) else ""


_BEST, _WORST = _words("best, record, winning"), _words("worst")
_ASKED_MEASURES = (
    ("temperature", _words("temperature, how (?:hot|cold|warm|cool), how many degrees"),
     _words("temperatures?, temp, celsius, fahrenheit, degrees?")),
    ("weight", _words("weight, how heavy, (?:how much|what) (?:does|do|did) .* weigh"),
     _words("weights?, weighs, mass, kg, kilos?, kilograms?, grams?, tons?, tonnes?, lbs?")),
    ("height", _words("height, how tall, how high"), _words("heights?, tall, altitude, elevation, high")),
    ("altitude", _words("altitude, elevation, how high, above sea level"), _words("altitude, elevation, height")),
    ("area", _words("area, how (?:big|large), hectares, acres, what size"),
     _words("area, size, ha, hectares?, acres?, sqm, km2, m2")),
    ("extent", _words("how (?:big|large), what size"),
     _words("size, length, height, width, population, inhabitants, capacity, volume, lit(?:re|er)s?, members?, beds, "
            "seats, rooms, tonnage, weight, staff, employees, diameter, attendance, wingspan, number")),
    ("distance", _words("distance, how far(?! in(?:to)?\\b)"),
     _words("distance, far, km, miles?, kilomet(?:re|er)s?, length")),
    ("speed", _words("speed, how fast"), _words("speed, mph, kmh, knots?, fast, minutes?, seconds?, time")),
    ("price", _words("price, how (?:expensive|dear)"),
     _words("prices?, costs?, fees?, fares?, rents?, charges?, euros?, eur, gbp, usd, pounds?, dollars?, paid, pays, "
            "value, worth, bid, estimate, tuition, rate, amount, sold, hammer")),
    ("power", _words("horsepower, horse power, how powerful, how many (?:hp|bhp|watts|kw)"),
     _words("horsepower, horse power, hp, bhp, power, watts?, kw")),
    ("share", _words("percent\\w*, what (?:share|proportion)"), _words("percent\\w*, pct, share, proportion")),
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


_HOW_MUCH_MONEY = re.compile(r"\bhow much (?:money|cash)\b", re.I)
_HOW_MUCH_IS = r"\bhow much\s+(?:(?:money|cash)\s+)?(?:did|does|do|was|were|is|are|has|have|had|will)\b[^?]{0,80}?"
_EARNING = re.compile(
    rf"{_HOW_MUCH_IS}\b(?:ma[kd]e|bring in|brought in|raised?|earn(?:ed)?|take|taken|took|collect(?:ed)?)\b"
    r"|\b(?:br(?:ought|ings?) in|made|makes|raised|took|takes|earned|earns)\s+(?:the\s+)?(?:most|least|more|less)\b"
    r"|\b(?:most|least|more|less) (?:money|cash)\b|\bearners?\b",
    re.I,
)
_SPENDING = re.compile(rf"{_HOW_MUCH_IS}\b(?:cost|charged?|pay|paid|spend|spent)\b", re.I)


def asked_money(text: str) -> Callable[[str], bool] | None:
    """Whether a relation, in words, tells the money that is asked for; None where none is asked for. What is made is
    told by takings, and what is paid by prices."""
    if _SPENDING.search(text):
        return lambda relation: bool(_PRICE.search(relation))
    if _EARNING.search(text):
        return lambda relation: bool(_INCOME.search(relation))
    if _HOW_MUCH_MONEY.search(text):
        return is_money
    return None


def asked_price_order(text: str) -> bool:
    """Whether the dearest or the cheapest is asked for."""
    return bool(_DEAR.search(text) or _CHEAP.search(text))


_BIG = re.compile(r"\b(?:bigg|larg|small|tini)est\b", re.I)


def asked_size(text: str) -> re.Match[str] | None:
    """The word by which the biggest or the smallest of some things is asked for."""
    return _BIG.search(text)


def is_size(relation: str) -> bool:
    """Whether a relation, in words, tells how big a thing is: a length, a capacity, its members."""
    return not measures_of(relation).isdisjoint(("extent", "area"))


def is_price(relation: str) -> bool:
    """Whether a relation, in words, tells a price."""
    return bool(_PRICE.search(relation))


def is_money(relation: str) -> bool:
    """Whether a relation, in words, tells a price or takings."""
    return bool(_PRICE.search(relation) or _INCOME.search(relation))


_HOW_LONG = re.compile(r"\bhow long\b(?!\s+ago)(?P<rest>.*)", re.I | re.S)
_GOING_ON = _words(
    "been, since, still, until, till, ago, from, what day, what date, what year, years?",
    r"\b(?:has|have|had|ve)\b(?!\s+to\b)",
)
"""What began at some time goes on: "how long has she been here?" is told by the day since when."""
_BOUNDS = _words("since, until, till, from, to, through, expir\\w+, valid, lasts?, cover\\w*")
_CLOCK = _words("start\\w*, begin\\w*, open\\w*, clos\\w*, end\\w*, depart\\w*, arriv\\w*, leav\\w*")


def asks_how_long(text: str) -> bool:
    """Whether a duration or a length is asked for, which no point in time is: "how long did it take?"."""
    asked = _HOW_LONG.search(text)
    return bool(asked) and not _GOING_ON.search(asked["rest"])


def is_point(relation: str, kind: str | None) -> bool:
    """Whether values of this kind are points in time and tell no duration, ``relation``: its words. A "running time"
    of 1:45 is a duration, a "start time" is none."""
    if kind in ("date", "year"):
        return not _BOUNDS.search(relation)
    return kind == "time" and (bool(_CLOCK.search(relation)) or not _DURATION.search(relation))


WHEN = _words(
    "when, since, what year, which year, what date, which date, what day, how old, how long ago, born, date, time"
)
WHO = _words("who, whom, whose, whos, who['’]s, somebody, someone, people, person")
AMOUNT = _words(
    "how m\\w+, how (?:long|far|tall|heavy|high|deep|big|large|old|wide|fast), number, amount, price, cost\\w*, much, "
    "owed?, fee, weigh\\w*, figure, size",
    r"[€$£]",
)
