"""Names that a graph lacks."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, ferries

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.known_words import KnownWords

_SIZES = [(f"Plot {n}", "size", f'"{n}0"') for n in (1, 2, 3, "4b")]
_KINDS = [(f"Plot {n}", "is a", "Plot") for n in (1, 2, 3, "4b")]
_SHEDS = [(name, "is a", "Shed") for name in ("Tin Shed", "Long Hut", "Shed 1")]
PLOTS = KnownWords(Candidates(NetworkxStore([*_SIZES, *_KINDS, *_SHEDS])).generator.names)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("how big is plot 44", "plot 44"),
        ("Is Plot 2 larger than Plot 5c?", "Plot 5c"),
        ("How big is Plot 3?", ""),
        ("how big is plot 4b", ""),
        ("Is there a plot 44 metres long?", ""),
        ("Which plots, 44 or more, are there?", ""),
        ("How big is shed 7?", ""),  # of the sheds hardly any is called so
    ],
)
def test_a_class_and_a_number_that_no_thing_is_called(text: str, name: str) -> None:
    assert PLOTS.unknown_name(text) == name


def test_a_capitalised_word_that_the_graph_has_not() -> None:
    words = KnownWords(Candidates(ferries()).generator.names)
    assert words.unknown_name("When does MS Wolga sail to Ufer?") == "Wolga"
    assert not words.unknown_name("When does MS Löwe sail to Ufer?")
