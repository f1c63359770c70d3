"""Rows whose class only their names tell: goals, lessons and repairs of one file, beside things of no class."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.linking.class_names import ClassNames
from triplewise.tools.query_graph.linking.mentions import same_word
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.schema_view import SchemaView

_GOALS = (
    ("Home v Rovers", "Ann Lee", "Bo Ray"),
    ("Home v Rovers", "Cy Tan", ""),
    ("Away at Hill", "Ann Lee", "Cy Tan"),
)
_REPAIRS = (("Red Racer", "Dot Moss", "2024-02-03"), ("Old Bess", "Dot Moss", "2024-05-09"),
            ("Red Racer", "Ed Noll", "2024-07-21"))  # fmt: skip
_TRIPS = (("Ann Lee", "Wreck Bay", "2024-03-01"), ("Ann Lee", "Cod Rock", "2024-06-01"), ("Bo Ray", "Cod Rock", ""))


def _club() -> KGStore:
    triples: list[tuple[str, str, str]] = []
    for number, (match, scorer, passer) in enumerate(_GOALS, 1):
        row = f"goal {number}"
        triples += [(row, "match", match), (row, "by", scorer)] + ([(row, "assist", passer)] if passer else [])
    for name, age in (("Ann Lee", "11"), ("Bo Ray", "12"), ("Cy Tan", "11"), ("Di Ure", "10")):
        triples += [(name, "is", "player"), (name, "age", f'"{age}"')]
    triples += [("injury 1", "who", "Di Ure"), ("injury 1", "happened", "Home v Rovers")]
    triples += [(f"injury {n}", "who", "Ann Lee") for n in (2, 3)]
    return NetworkxStore(triples)


def _workshop() -> KGStore:
    triples = [(bike, "built year", f'"{year}"') for bike, year in (("Red Racer", 1998), ("Old Bess", 1950))]
    triples += [("Postie", "built year", '"1972"'), ("Postie", "owned by", "Dot Moss")]
    for number, (bike, who, day) in enumerate(_REPAIRS, 1):
        triples += [(f"job {number}", "on bike", bike), (f"job {number}", "done by", who)]
        triples += [(f"job {number}", "done on", f'"{day}"')]
    triples += [(who, "joined on", f'"{day}"') for who, day in (("Dot Moss", "2019-04-01"), ("Ed Noll", "2023-01-05"))]
    return NetworkxStore(triples)


def _sea() -> KGStore:
    triples = [(site, "site kind", kind) for site, kind in (("Cod Rock", "reef"), ("Wreck Bay", "wreck"))]
    triples += [("Old Tom", "site kind", "wreck"), ("Gull Wall", "site kind", "wall")]
    for number, (who, site, day) in enumerate(_TRIPS, 1):
        triples += [(f"Dive {number}", "diver", who), (f"Dive {number}", "site", site)]
        triples += [(f"Dive {number}", "dive date", f'"{day}"')] if day else []
    return NetworkxStore(triples)


CLUB, WORKSHOP, SEA = _club(), _workshop(), _sea()


@pytest.mark.parametrize(
    ("kg", "asked", "answers"),
    [
        (CLUB, "who scored in the Rovers match?", {"Ann Lee", "Cy Tan"}),
        (CLUB, "how many goals has Ann Lee got?", {"2"}),
        (CLUB, "which players haven't scored a goal?", {"Bo Ray", "Di Ure"}),
        (WORKSHOP, "any bike that we've never actually repaired?", {"Postie"}),
        (WORKSHOP, "who's our newest member?", {"Ed Noll"}),
        (WORKSHOP, "which job was the last one Dot Moss did?", {"job 2"}),
        (SEA, "which of the wrecks has nobody dived yet?", {"Old Tom"}),
    ],
)
def test_questions(kg: KGStore, asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(kg, asked, model="llamacpp:embedded").answers} == answers


def test_the_class_of_rows_is_said_and_shown() -> None:
    reader = reader_of(CLUB)
    assert CLUB.roles.row_classes == {"goal", "injury"}
    assert "goal" in ClassNames(SchemaView(CLUB)).link("how many goals are there?", [])
    texts = [r.text for r in reader.rank("who scored in the Rovers match?").readings]
    assert any("match ← goal → by → ?" in text for text in texts)


def test_a_verb_is_no_class() -> None:
    assert not same_word("dive", "dived")
    assert same_word("dive", "dives") and same_word("harvest", "harvst")
