"""Who nobody is, by the classes of a graph."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

_SEATED = {"Anna Pryce": "Rose", "Ben Adeyemi": "Rose", "Grace Okafor": "Thyme", "Owen Castle": "Thyme"}
WEDDING = NetworkxStore(
    [
        *((guest, "table", at) for guest, at in _SEATED.items()),
        *((at, "looked after by", "Ines Tanner") for at in ("Rose", "Thyme", "Sage")),
        *((at, "seats", f'"{n}"') for at, n in (("Rose", 8), ("Thyme", 8), ("Sage", 10))),
    ],
    types={
        **dict.fromkeys(_SEATED, ("guest",)),
        **dict.fromkeys(("Rose", "Thyme", "Sage"), ("table",)),
        "Ines Tanner": ("team",),
    },
)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Which table has nobody on it?", "Which table has no guest?"),
        ("so what tables have no one sitting at them", "so what tables have no guest?"),
        ("Right, enough. Which table has got nobody?", "Right, enough. Which table has got no guest?"),
        ("Which guest has nobody?", "Which guest has nobody?"),
        ("Which table has nobody told me of?", "Which table has nobody told me of?"),
    ],
)
def test_nobody_is_none_of_those_who_may_be_there(asked: str, said: str) -> None:
    assert reader_of(WEDDING).wording.nobody.in_words_of_class(asked) == said


def test_the_table_with_nobody() -> None:
    result = triplewise.ask(WEDDING, "Which table has nobody on it?", method="query-graph")
    assert [a.label for a in result.answers] == ["Sage"]


def test_nobody_is_none_of_the_most_common_kind() -> None:
    lives = {"Abe": "1 Row", "Bea": "1 Row", "Cal": "2 Row", "Dot": "2 Row"}
    street = NetworkxStore(
        [*((who, "lives at", at) for who, at in lives.items()), ("3 Row", "built", '"1901"'), ("1 Row", "built", '"1900"')],
        types={"Abe": ("child",), **dict.fromkeys(("Bea", "Cal", "Dot"), ("resident",)),
               **dict.fromkeys(("1 Row", "2 Row", "3 Row"), ("house",))},
    )  # fmt: skip
    result = triplewise.ask(street, "Which house has nobody living in it?", method="query-graph")
    assert [a.label for a in result.answers] == ["3 Row"]
