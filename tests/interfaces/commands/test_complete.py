"""``triplewise complete`` and ``triplewise align`` as a user runs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from triplewise.interfaces.cli import app, main
from triplewise.interfaces.commands.complete import register
from triplewise.kg import load_kg
from triplewise.tools.links.scorers import default_scorer_folder
from triplewise.tools.text.relation_text import read_alignment

if not any(c.callback and c.callback.__name__ == "complete" for c in app.registered_commands):
    register(app)

PEOPLE = ["Ridley Scott", "James Cameron", "Jane Campion", "Martin Scorsese"]


@pytest.fixture
def rankings(tmp_path: Path) -> Path:
    path = tmp_path / "rankings.jsonl"
    rows = [
        {
            "head": "Alien",
            "relation": "directed_by",
            "tail": None,
            "ranking": [[p, -float(i)] for i, p in enumerate(PEOPLE, 1)],
        },
        {"head": None, "relation": "directed_by", "tail": "Jane Campion", "ranking": ["Aliens", "Taxi Driver"]},
    ]
    path.write_text("\n".join(json.dumps(r) for r in rows))
    return path


@pytest.fixture
def model(tmp_path: Path) -> str:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(["2, 1"] * 3))
    return f"fake:{script}"


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: Any) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["triplewise", *map(str, args)])
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stop:
        main()
        raise SystemExit(0)
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.mark.parametrize("missing", ["?", "_"])
def test_json_has_ids_scores_ranks_and_what_is_known(
    missing: str, rankings: Path, model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(
        monkeypatch, capsys, "complete", "Alien", "directed by", missing, "--scorer", rankings, "--model", model,
        "--m", 4, "--top", 3, "--json",
    )  # fmt: skip
    assert code == 0, err
    data = json.loads(out)
    assert data["query"] == {"head": "Alien", "relation": "directed_by", "tail": None, "missing": "tail"}
    assert data["ranking"] == [
        {"id": "James Cameron", "label": "James Cameron", "score": -2.0, "retriever_rank": 2, "source": "predicted"},
        {"id": "Ridley Scott", "label": "Ridley Scott", "score": -1.0, "retriever_rank": 1, "source": "asserted"},
        {"id": "Jane Campion", "label": "Jane Campion", "score": -3.0, "retriever_rank": 3, "source": "predicted"},
    ]
    assert {d["kind"] for d in data["demonstrations"]} == {"analogy", "supplement"}
    assert all(d["relation"] == "directed_by" for d in data["demonstrations"] if d["kind"] == "analogy")
    assert data["usage"]["calls"] == 1
    assert [s["node"] for s in data["steps"]] == ["retrieve", "demonstrations", "final_query"]


def test_the_table_marks_predictions_in_80_columns(
    rankings: Path, model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ("complete", "alien", "directed_by", "_", "--scorer", rankings, "--model", model, "--m", "4", "--top", "12")
    code, out, err = call(monkeypatch, capsys, *args)
    assert code == 0, err
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Alien — directed by → ?"
    assert "predicted tail" in lines[1]
    rows = [line for line in lines if " #" in line]
    assert next(line for line in lines if "Ridley Scott" in line).rstrip().endswith("asserted")
    assert next(line for line in lines if "James Cameron" in line).rstrip().endswith("predicted")
    assert len(rows) == len(PEOPLE)  # what the rankings leave out is no prediction
    assert "not facts" in out
    code, out, _ = call(monkeypatch, capsys, *args, "--new-only", "--trace")
    assert "Ridley Scott  " not in out.partition("final_query")[0] and "final_query" in out


def test_missing_heads(
    rankings: Path, model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(
        monkeypatch,
        capsys,
        "complete",
        "?",
        "directed_by",
        "Jane Campion",
        "--scorer",
        rankings,
        "--model",
        model,
        "--m",
        2,
    )
    assert code == 0, err
    assert out.splitlines()[0] == "? — directed by → Jane Campion" and "predicted head" in out


@pytest.mark.parametrize(
    ("link", "options", "message"),
    [
        (("Alien", "directed_by", "Ridley Scott"), (), "exactly one end"),
        (("?", "directed_by", "_"), (), "exactly one end"),
        (("Alienn", "directed_by", "?"), (), "Nearest: 'Alien"),
        (("Alien", "directs", "?"), (), "no relation is named 'directs'"),
        (("Alien", "of", "?"), (), "may mean"),
        (("Alien", "directed_by", "?"), (), "triplewise train rotate --kg"),
        (("Alien", "directed_by", "?"), ("--scorer", "nowhere"), "no scorer at nowhere"),
        (("Alien", "directed_by", "?"), ("--mode", "slow"), "no mode 'slow'"),
        (("Alien", "directed_by", "?"), ("--m", "500"), "m is 500"),
        (("Alien", "directed_by", "?"), ("--describe", "some"), "no describe 'some'"),
        (("Alien", "directed_by", "?"), ("--alignment", "nowhere.tsv"), "no such file"),
    ],
)
def test_mistakes_are_told(
    link: tuple[str, ...],
    options: tuple[str, ...],
    message: str,
    model: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = call(monkeypatch, capsys, "complete", *link, "--model", model, *options)
    assert code == 2
    assert message in err


def test_the_default_place_is_by_the_graphs_hash() -> None:
    kg = load_kg("films")
    assert default_scorer_folder(kg).name == kg.content_hash[:16]


def test_align_writes_a_file_that_complete_reads(
    tmp_path: Path, rankings: Path, model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "align.json"
    script.write_text(json.dumps(["[T] was the director of [H]."]))
    file = tmp_path / "texts.tsv"
    code, out, err = call(
        monkeypatch, capsys, "align", "--out", file, "--relation", "directed by", "--model", f"fake:{script}"
    )
    assert code == 0, err
    assert "1 asked for now, 0 by rule" in out
    assert read_alignment(file)["directed_by"].sentence == "[T] was the director of [H]."
    code, out, err = call(
        monkeypatch, capsys, "complete", "Alien", "directed_by", "?", "--scorer", rankings, "--model", model,
        "--alignment", file, "--trace",
    )  # fmt: skip
    assert code == 0, err
    assert "____ was the director of Alien." in out
    code, out, err = call(monkeypatch, capsys, "align", "--out", file, "--rules-only", "--json")
    assert code == 0, err
    sentences = read_alignment(file)
    told = {row["relation"]: row["source"] for row in json.loads(out)["relations"]}
    assert told == {relation: s.source for relation, s in sentences.items()}
    assert sentences["directed_by"].source == "model" and len(sentences) == len(load_kg("films").relation_ids())
