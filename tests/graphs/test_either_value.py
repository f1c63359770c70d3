"""Days and years that "or" joins: any of them is meant, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

import triplewise
from triplewise.kg import KGStore, load_kg

MEMBERS = {
    "Ann Lee": ("2019-03-04", "Oslo", "34", "2019"),
    "Bo Falk": ("2020-05-11", "Bergen", "35", "2021"),
    "Cy Roe": ("2021-02-01", "Oslo", "41", "2021"),
    "Di Park": ("2021-08-19", "Bergen", "34", "2022"),
    "Ed Moss": ("2022-01-07", "Oslo", "52", "2023"),
}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    rows = []
    for member, (joined, town, age, paid) in MEMBERS.items():
        rows += [(member, "type", "member"), (member, "joined", joined), (member, "town", town), (member, "age", age)]
        rows += [(member, "last paid in", paid)]
    path: Path = tmp_path_factory.mktemp("club") / "members.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return load_kg(path)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who joined in 2019 or 2021?", {"Ann Lee", "Cy Roe", "Di Park"}),
        ("Who joined in 2019, 2020 or 2022?", {"Ann Lee", "Bo Falk", "Ed Moss"}),
        ("Which members from Oslo joined in 2019 or 2021?", {"Ann Lee", "Cy Roe"}),
        ("How many members joined in 2020 or 2021?", {"3"}),
        ("Who joined in May 2020 or August 2021?", {"Bo Falk", "Di Park"}),
        ("Who joined on 4 March 2019 or 1 February 2021?", {"Ann Lee", "Cy Roe"}),
        ("Which members last paid in 2019 or 2022?", {"Ann Lee", "Di Park"}),
        ("Which of those that joined in 2019 or 2021 has the highest age?", {"Cy Roe"}),
        ("Which members didn't join in 2019 or 2021?", {"Bo Falk", "Ed Moss"}),
        ("Which members last paid neither in 2019 nor in 2021?", {"Di Park", "Ed Moss"}),
        ("Which members not from Oslo joined in 2019 or 2020?", {"Bo Falk"}),
        ("Which members joined in 2015 or 2016?", set[str]()),
        ("Which members came in 2015 or 2016?", set[str]()),
        ("Which members over 40 joined in 2019 or 2021?", {"Cy Roe"}),
        ("How many members over 40 joined in 2019 or 2021?", {"1"}),
        ("Which members joined in 2019 or 2021 and are younger than 40?", {"Ann Lee", "Di Park"}),
        ("Which members who are not from Oslo joined in 2020 or 2021?", {"Bo Falk", "Di Park"}),
        ("Did Cy Roe join in 2019 or 2021?", {"2021-02-01"}),
        ("Who joined between 2019 and 2021?", {"Ann Lee", "Bo Falk", "Cy Roe", "Di Park"}),
    ],
)
def test_questions(club: KGStore, question: str, answers: set[str]) -> None:
    result = triplewise.ask(club, question, method="query-graph")
    assert {a.label for a in result.answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Cy Roe joined in 2019 or 2021.", "supported"),
        ("Cy Roe joined in 2019 or 2020.", "refuted"),
        ("Di Park joined in March 2020 or August 2021.", "supported"),
        ("Di Park joined in March 2020 or July 2021.", "refuted"),
        ("Bo didn't join in 2019 or 2021.", "supported"),
        ("Bo didn't join in 2019 or 2020.", "refuted"),
        ("Ed last paid in 2021 or 2022.", "refuted"),
        ("Di Park joined in August 2021 or March 2020.", "supported"),
        ("Bo joined in May 2020 or June 2022.", "supported"),
        ("Ann and Bo joined in 2019 or 2021.", "refuted"),
        ("All members joined in 2019 or 2021.", "refuted"),
        ("All members joined in 2019, 2020, 2021 or 2022.", "supported"),
        ("All members joined in May.", "refuted"),
    ],
)
def test_claims(club: KGStore, claim: str, verdict: str) -> None:
    assert triplewise.verify(club, claim, method="query-graph").verdict == verdict


def test_more_days_than_are_shown(tmp_path: Path) -> None:
    rows = [(f"Guest {n}", "type", "guest") for n in range(300)]
    rows += [(f"Guest {n}", "checked in", f"{2018 + n % 5}-{1 + n % 12:02}-{1 + n % 28:02}") for n in range(300)]
    (tmp_path / "guests.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    hotel = load_kg(tmp_path / "guests.tsv")
    for question, years in (
        ("Which guests checked in in 2019 or 2021?", (1, 3)),
        ("Which guests didn't check in in 2019 or 2021?", (0, 2, 4)),
    ):
        result = triplewise.ask(hotel, question, method="query-graph")
        assert {a.label for a in result.answers} == {f"Guest {n}" for n in range(300) if n % 5 in years}
        assert result.reading and len(result.reading.text) < 200
