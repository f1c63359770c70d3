"""Questions as owners ask them of a graph that the ranker has not seen: totals, the last time, more than one, who has not."""

from __future__ import annotations

from pathlib import Path

import pytest

import triplewise
from triplewise.kg import KGStore, load_kg
from triplewise.types import Result

ROWS = """\
job 1	repaired for	Nora Fitch
job 1	instrument	the old cello
job 1	finished on	12.03.2022
job 1	price	120
job 2	repaired for	Nora Fitch
job 2	instrument	the old cello
job 2	finished on	05.11.2023
job 2	price	120
job 3	repaired for	Kit Omondi
job 3	instrument	the red fiddle
job 3	finished on	20.01.2024
job 3	price	1850
job 4	repaired for	Sam Carter
job 4	instrument	the bass
job 4	finished on	01.06.2021
job 4	price	60
the old cello	owned by	Nora Fitch
the viola	owned by	Nora Fitch
the red fiddle	owned by	Kit Omondi
the bass	owned by	Sam Carter
the old cello	built in	1781
the viola	built in	1902
the red fiddle	built in	1954
the bass	built in	1990
Nora Fitch	born on	09.04.1970
Kit Omondi	born on	30.08.1999
Sam Carter	born on	02.02.1951
Ada Lund	born on	17.12.1988
Nora Fitch	customer since	01.02.2015
Kit Omondi	customer since	10.10.2023
Sam Carter	customer since	03.05.2009
Ada Lund	customer since	08.08.2020
Nora Fitch	subscription paid	55
Sam Carter	subscription paid	55
Kit Omondi	subscription paid	40
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path: Path = tmp_path_factory.mktemp("shop") / "shop.tsv"
    path.write_text(ROWS)
    return load_kg(path)


def ask(shop: KGStore, question: str) -> Result:
    return triplewise.ask(shop, question, method="query-graph")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("How much did the repairs for Nora Fitch cost altogether?", {"240"}),
        ("What is the average price of the jobs?", {"537.5"}),
        ("How much subscription has been paid in total?", {"150"}),
        ("When was the old cello last repaired?", {"05.11.2023"}),
        ("When was a job finished for the first time?", {"01.06.2021"}),
        ("What was the highest price?", {"1850"}),
        ("Who owns more than one instrument?", {"Nora Fitch"}),
        ("Who hasn't paid a subscription yet?", {"Ada Lund"}),
        ("Who was born after 1980?", {"Kit Omondi", "Ada Lund"}),
        ("Who has been a customer the longest?", {"Sam Carter"}),
        ("When was the next job finished after the 1st of January 2022?", {"12.03.2022"}),
    ],
)
def test_the_question_is_answered(shop: KGStore, question: str, answers: set[str]) -> None:
    result = ask(shop, question)
    read = result.reading.text if result.reading else [r.text for r in result.other_readings]
    assert {a.label for a in result.answers} == answers, f"{result.text}; {read}"


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The red fiddle belongs to Kit Omondi.", "supported"),
        ("Kit Omondi was born before Sam Carter.", "refuted"),
        ("Sam Carter was born before Kit Omondi.", "supported"),
    ],
)
def test_the_claim_gets_its_verdict(shop: KGStore, claim: str, verdict: str) -> None:
    assert triplewise.verify(shop, claim, method="query-graph").verdict == verdict


def test_who_did_the_last_one_did_that_one(tmp_path: Path) -> None:
    rows = [("Ann Lee", "2022-01-05"), ("Bob Ode", "2023-02-01"), ("Cal Roe", "2021-03-09"), ("Bob Ode", "2020-03-09")]
    triples = [(f"job {i}", "done by", who) for i, (who, _) in enumerate(rows)]
    triples += [(f"job {i}", "done on", day) for i, (_, day) in enumerate(rows)]
    triples += [(f"job {i}", "on bike", "Old Faithful" if i != 2 else "Red Racer") for i in range(len(rows))]
    triples += [(who, "volunteer since", year) for who, year in (("Ann Lee", "2019"), ("Bob Ode", "2011"))]
    (tmp_path / "jobs.tsv").write_text("".join("\t".join(t) + "\n" for t in triples))
    kg = load_kg(tmp_path / "jobs.tsv")
    assert [a.label for a in ask(kg, "Who did the last job on Old Faithful?").answers] == ["Bob Ode"]
    assert [a.label for a in ask(kg, "Who did the first job on Red Racer?").answers] == ["Cal Roe"]


def test_who_taught_whom_is_not_turned_round(tmp_path: Path) -> None:
    pairs = [("Edith Marlow", "Doreen Cobb"), ("Doreen Cobb", "Gwen Ives"), ("Ruth Okafor", "Tom Askew")]
    (tmp_path / "club.tsv").write_text("".join(f"{a}\ttaught\t{b}\n" for a, b in pairs))
    kg = load_kg(tmp_path / "club.tsv")
    for claim, verdict in (
        ("Edith taught Doreen Cobb.", "supported"), ("Gwen was taught by Doreen.", "supported"),
        ("Doreen taught Edith.", "refuted"),
    ):  # fmt: skip
        assert triplewise.verify(kg, claim, method="query-graph").verdict == verdict, claim


def test_a_total_is_read_back_and_proven(shop: KGStore) -> None:
    result = ask(shop, "How much did the repairs for Nora Fitch cost altogether?")
    assert result.reading and result.reading.text.startswith("the total of every X, where")
    assert result.reading.query["total"] == "?x" and result.reading.answers == ("240",)
    assert {t.head for t in result.cited_triples()} == {"job 1", "job 2"}


def test_what_cannot_be_reckoned_is_not(shop: KGStore) -> None:
    for question in ("What is the median price?", "How much do we spend on heating in total?"):
        result = ask(shop, question)
        assert not result.answers and any("added up" in w for w in result.warnings), question


def test_the_last_day_is_read_back(shop: KGStore) -> None:
    result = ask(shop, "When was the old cello last repaired?")
    assert result.reading and result.reading.text.startswith("the latest X, where")
