"""Prices and takings."""

from __future__ import annotations

import re
from collections.abc import Callable

from triplewise.tools.query_graph.cues.words import any_word

_EARNED = (
    "takings, takes, took, proceeds, incomes?, revenues?, profits?, earnings, earned, raised, turnover, gross, sales, "
    "made, collected"
)
_PAID = (
    "price\\w*, costs?, fees?, fares?, rents?, charges?, tuition, sold, paid, pays, rates?, tariffs?, tolls?, value, "
    "worth, premiums?, subscriptions?, deposits?, salary, wages?, bid, hammer, estimate, amount, budget, spent, "
    "spending, expenses?, eur, euros?, gbp, pounds?, usd, dollars?"
)
_PRICE = any_word(_PAID)
_INCOME = any_word(_EARNED)
DEAR = any_word("dearest, priciest, costliest, most expensive, most costly")
CHEAP = any_word("cheapest, least expensive, least costly")


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
    return bool(DEAR.search(text) or CHEAP.search(text))


def is_price(relation: str) -> bool:
    """Whether a relation, in words, tells a price."""
    return bool(_PRICE.search(relation))


def is_money(relation: str) -> bool:
    """Whether a relation, in words, tells a price or takings."""
    return bool(_PRICE.search(relation) or _INCOME.search(relation))
