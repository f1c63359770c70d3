"""How long something took: in a column of "41:12" or "3h 12m" the fastest has the least, and "under 42:00" is less."""

from __future__ import annotations

from pathlib import Path

import pytest

import triplewise
from triplewise.kg import KGStore, load_kg

RUNNERS = {
    "Ana Ruiz": ("41:12", "5:59.4", "3h 12m", "Harriers"),
    "Bert Kolk": ("38:05", "5:12.9", "2h 58m", "Harriers"),
    "Chen Li": ("59:40", "7:01.0", "4h 40m", "Striders"),
    "Dora Whit": ("44:51", "6:10.2", "3h 31m", "Striders"),
}
COLUMNS = ("10k time", "mile best", "marathon", "club")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    path: Path = tmp_path_factory.mktemp("club") / "runners.tsv"
    rows = ["\t".join((n, c, v)) for n, values in RUNNERS.items() for c, v in zip(COLUMNS, values, strict=True)]
    path.write_text("\n".join(rows) + "\n")
    return load_kg(path)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who ran the fastest 10k?", {"Bert Kolk"}),
        ("who has the slowest mile?", {"Chen Li"}),
        ("who's quickest over the marathon?", {"Bert Kolk"}),
        ("what's the best mile time of the Striders?", {"6:10.2"}),
        ("who ran the 10k in under 42:00?", {"Ana Ruiz", "Bert Kolk"}),
        ("who did the mile in 5:59.4?", {"Ana Ruiz"}),
        ("who took longer than 3h 30m for the marathon?", {"Chen Li", "Dora Whit"}),
        ("how long did Ana take for the marathon?", {"3h 12m"}),
        ("list everyone's marathon from fastest to slowest", set(RUNNERS)),
    ],
)
def test_questions(club: KGStore, question: str, answers: set[str]) -> None:
    result = triplewise.ask(club, question, method="query-graph")
    assert {a.label for a in result.answers} == answers


def test_a_condition_is_shown_as_one_of_amounts(club: KGStore) -> None:
    result = triplewise.ask(club, "who ran the 10k in under 42:00?", method="query-graph")
    assert result.reading is not None and "less than 42:00" in result.reading.text


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Bert's marathon was faster than Ana's.", "supported"),
        ("Chen's marathon was quicker than Dora's.", "refuted"),
        ("Ana is faster than Dora over 10k.", "supported"),
        ("Ana is faster than Dora over 12k.", "not_enough_evidence"),
    ],
)
def test_claims(club: KGStore, claim: str, verdict: str) -> None:
    assert triplewise.verify(club, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize("times", [("41:12", "59:40", "1:02:33"), ("2h 5m", "45 min", "1h 10m")])
def test_a_column_of_two_scales_has_no_order(tmp_path: Path, times: tuple[str, ...]) -> None:
    (tmp_path / "times.tsv").write_text("".join(f"Runner {n}\tfinish time\t{t}\n" for n, t in enumerate(times)))
    found = triplewise.ask(load_kg(tmp_path / "times.tsv"), "who has the slowest finish time?", method="query-graph")
    assert len(found.answers) != 1


def test_what_cannot_be_added_up_is_no_error(club: KGStore) -> None:
    assert not triplewise.ask(club, "what is the average 10k time?", method="query-graph").answers


def test_cities_are_no_extremes(tmp_path: Path) -> None:
    rows = [("TX1", "Budapest", "Bucharest"), ("TX2", "Vienna", "Brest"), ("TX3", "Budapest", "Vienna")]
    (tmp_path / "trains.tsv").write_text("".join(f"{t}\tfrom\t{a}\n{t}\tto\t{b}\n" for t, a, b in rows))
    found = triplewise.ask(load_kg(tmp_path / "trains.tsv"), "which train goes from Budapest to Bucharest?")
    assert [a.label for a in found.answers] == ["TX1"]
