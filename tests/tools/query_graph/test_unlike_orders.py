"""Comparisons and orders by something else than the words say."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.unlike_orders import compares_otherwise

_TAKEN = {"Lena Voss": ["Dawn", "Harbour", "Old Gate"], "Emil Roth": ["Fog"], "Sara Quill": ["Rails"]}
_LINES = {"Marsh Junction": ("1890", "Coast Line", "Hill Line"), "Fell Halt": ("1880", "Coast Line")}
_LINES |= {"Quarry End": ("1899", "Hill Line")}
_KINDS = {p: "Picture" for taken in _TAKEN.values() for p in taken} | dict.fromkeys(_TAKEN, "Photographer")
_KINDS |= dict.fromkeys(_LINES, "Station") | {"Coast Line": "Line", "Hill Line": "Line"}
STORE = NetworkxStore(
    [
        *((who, "took", p) for who, taken in _TAKEN.items() for p in taken),
        *((p, "year", f'"{1960 + len(p)}"') for taken in _TAKEN.values() for p in taken),
        *((station, "on line", line) for station, (_, *lines) in _LINES.items() for line in lines),
        *((station, "opened", f'"{year}"') for station, (year, *_) in _LINES.items()),
        *((thing, "is a", kind) for thing, kind in _KINDS.items()),
    ]
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who took more pictures than Emil Roth?", []),
        ("Which photographers took fewer pictures than Lena Voss?", []),
        ("What is the busiest station?", []),
        ("Who took the most pictures?", ["Lena Voss"]),
        ("Who took more pictures, Emil Roth or Lena Voss?", ["Lena Voss"]),
        ("What is the oldest station?", ["Fell Halt"]),
        ("Which station is on the most lines?", ["Marsh Junction"]),
    ],
)
def test_what_is_compared_is_what_the_words_compare(question: str, answers: list[str]) -> None:
    assert [a.label for a in ask(STORE, question, method="query-graph").answers] == answers


_RUNS = {"heron": ("2020", "2024-03-01", "2024-03-02", "2024-03-05"), "crane": ("2018", "2024-04-01")}
RUNS = NetworkxStore(
    [
        *((f"job {day}", r, end) for m, (_, *days) in _RUNS.items() for day in days for r, end in (("ran on", m), ("day", f'"{day}"'))),
        *((f"job {day}", "is a", "Job") for _, *days in _RUNS.values() for day in days),
        *((machine, "bought", f'"{year}"') for machine, (year, *_) in _RUNS.items()),
        *((machine, "is a", "Machine") for machine in _RUNS),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which is the busiest machine?", ["heron"]),  # jobs have days, lines have none
        ("Which is the eldest machine?", ["crane"]),
        ("Which is the heaviest machine?", []),
    ],
)
def test_what_happens_much_is_counted_and_what_is_heavy_is_told_by_no_day(question: str, answers: list[str]) -> None:
    assert [a.label for a in ask(RUNS, question, method="query-graph").answers] == answers


def test_a_thing_that_the_caller_gives_is_not_what_others_are_compared_with() -> None:
    candidates = Candidates(STORE)
    sentence = candidates.generator.read("What did she take?", ["Emil Roth"])
    drafts = candidates.generator.generate(sentence, lambda step: 0.5)
    assert drafts and not any(compares_otherwise(candidates.schema, sentence, d) for d in drafts if not d.order)


def test_the_busiest_is_where_most_came() -> None:
    came = (("Lunch 4 April", "31"), ("Lunch 11 April", "44"), ("Lunch 18 April", "28"))
    rows = [t for lunch, n in came for t in ((lunch, "is a", "lunch"), (lunch, "guests came", f'"{n}"'))]
    lunches = NetworkxStore([*rows, *((lunch, "soup", "leek soup") for lunch, _ in came)])
    assert [a.label for a in ask(lunches, "Which lunch was the busiest?").answers] == ["Lunch 11 April"]
    assert [a.label for a in ask(lunches, "Which was our quietest lunch?").answers] == ["Lunch 18 April"]
