"""Words by which a sentence asks for a count, an extreme, a comparison or a negation.

They widen what is generated and tell the ranker what was asked; none of them decides anything. English only: for
another language the candidates are the same, but fewer of these forms are tried.
"""

from __future__ import annotations

from triplewise.tools.query_graph.cues.comparing import AMOUNTS, ANY_WAY, COMPARATIVE, INCLUSIVE, LESS, MORE, direction
from triplewise.tools.query_graph.cues.extremes import (
    CROWD,
    NEWEST,
    TENURE,
    asked_extreme,
    asks_what_lasts,
    extreme_date,
    extreme_number,
    extreme_time,
    is_beginning,
    is_birth,
    measured_by,
)
from triplewise.tools.query_graph.cues.forms import (
    AMOUNT,
    COMPARE,
    COUNT,
    DENIED,
    EXTREME_ADJECTIVE,
    FREE_OF,
    LACKING,
    MOST,
    NEGATED,
    NEXT,
    NOT,
    WHEN,
    WHO,
)
from triplewise.tools.query_graph.cues.measures import (
    CURRENCIES,
    asked_measures,
    asked_size,
    asks_how_long,
    asks_no_money,
    is_point,
    is_size,
    measures_of,
)
from triplewise.tools.query_graph.cues.money import asked_money, asked_price_order, is_money, is_price
from triplewise.tools.query_graph.cues.words import SPAN

__all__ = [
    "AMOUNT",
    "AMOUNTS",
    "ANY_WAY",
    "COMPARATIVE",
    "COMPARE",
    "COUNT",
    "CROWD",
    "CURRENCIES",
    "DENIED",
    "EXTREME_ADJECTIVE",
    "FREE_OF",
    "INCLUSIVE",
    "LACKING",
    "LESS",
    "MORE",
    "MOST",
    "NEGATED",
    "NEWEST",
    "NEXT",
    "NOT",
    "SPAN",
    "TENURE",
    "WHEN",
    "WHO",
    "asked_extreme",
    "asked_measures",
    "asked_money",
    "asked_price_order",
    "asked_size",
    "asks_how_long",
    "asks_no_money",
    "asks_what_lasts",
    "direction",
    "extreme_date",
    "extreme_number",
    "extreme_time",
    "is_beginning",
    "is_birth",
    "is_money",
    "is_point",
    "is_price",
    "is_size",
    "measured_by",
    "measures_of",
]
