"""Which of several bearers of a name is meant, by what is said right beside it."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore

CREW = NetworkxStore(
    [
        *(("p1", "is a", "Stage Hand"), ("p2", "is a", "Painter"), ("p1", "born", '"1970-05-01"')),
        *(("p2", "born", '"1991-02-03"'), ("p1", "job", '"carpenter"'), ("p2", "job", '"colourist"')),
        *(("The Set", "foreman", "p2"), ("The Lamp", "mender", "p1"), ("p3", "is a", "Painter")),
        *(("Ola Berg (cook)", "is a", "Guest"), ("Ola Berg (poet)", "is a", "Guest")),
        *(("Ola Berg (cook)", "born", '"1950-01-01"'), ("Ola Berg (poet)", "born", '"1960-01-01"')),
    ],
    labels={"p1": "Jan Voss", "p2": "Jan Voss", "p3": "Ida Voss"},
)
CANDIDATES = Candidates(CREW)


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("When was Jan Voss born?", {"p1", "p2"}),
        ("When was Jan Voss, the painter, born?", {"p2"}),
        ("When was Jan Voss the stage hand born?", {"p1"}),
        ("When was Jan Voss (stage hand) born?", {"p1"}),
        ("When was painter Jan Voss born?", {"p2"}),
        ("When was Jan Voss the carpenter born?", {"p1"}),
        ("When was Jan Voss, our foreman, born?", {"p2"}),
        # this is asked, or tells of another
        ("Is Jan Voss the painter?", {"p1", "p2"}),
        ("Is Jan Voss the painter of the set?", {"p1", "p2"}),
        ("Did Jan Voss see the painter?", {"p1", "p2"}),
        ("When was the painter Ola Berg born?", {"Ola Berg (cook)", "Ola Berg (poet)"}),
        ("When was Ola Berg the poet born?", {"Ola Berg (poet)"}),
        ("When was the cook Ola Berg born?", {"Ola Berg (cook)"}),
    ],
)
def test_the_bearers_that_may_be_meant(text: str, nodes: set[str]) -> None:
    links = CANDIDATES.generator.read(text).links
    assert {x.node for x in links if x.score > 0.95 and not x.is_value and x.name not in ("The Set",)} == nodes


def test_what_tells_a_bearer_is_no_condition() -> None:
    sentence = CANDIDATES.generator.read("When was Jan Voss, the painter, born?")
    assert not sentence.classes
    assert [a.label for a in ask(CREW, sentence.text, method="query-graph").answers] == ["1991-02-03"]
