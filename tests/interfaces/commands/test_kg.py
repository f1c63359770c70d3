"""kg stats and kg find: hostile names, lines left out, 80 columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from triplewise.errors import GraphFileError, UnknownEntityError
from triplewise.interfaces.cli import app

EVIL = "[bold]Evil[/bold] \x1b[31mred\x1b[0m"
LONG = "a very long name " * 12


@pytest.fixture
def graph(tmp_path: Path) -> str:
    lines = [f"{EVIL}\tr[i]\t{LONG}", "\u202egnp\tr[i]\t[/red]", f"{EVIL}\trdf:type\t{LONG}", *["bad"] * 7]
    path = tmp_path / "evil.tsv"
    path.write_text("\n".join(lines))
    return str(path)


def run(*args: str) -> str:
    result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(app, ["kg", *args])
    if result.exception:
        raise result.exception
    return result.output


@pytest.mark.parametrize("command", [("stats",), ("find", "evil"), ("find", "a very long name"), ("find", "gnp")])
def test_names_of_any_kind_are_shown_as_text_in_80_columns(graph: str, command: tuple[str, ...]) -> None:
    out = run(*command, "--kg", graph, "--skip-bad-lines")
    assert "\x1b" not in out and "\u202e" not in out and max(map(len, out.splitlines())) <= 80
    assert "[bold]Evil[/bold]" in out or "find" not in command or "evil" not in command


def test_a_name_with_a_line_break_stays_in_its_row(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text('"two\nlines",r,b\n')
    assert "two lines" in run("find", "two", "--kg", str(path))


def test_lines_left_out_are_listed(graph: str) -> None:
    with pytest.raises(GraphFileError, match=r"evil\.tsv:4"):
        run("stats", "--kg", graph)
    out = run("stats", "--kg", graph, "--skip-bad-lines")
    assert "! line 4: 1 column instead" in out and "… and 2 more lines left out" in out
    data = json.loads(run("stats", "--kg", graph, "--skip-bad-lines", "--json"))
    assert data["skipped_lines"] == 7 and data["skipped"][0]["line"] == 4


def test_an_empty_graph_and_an_empty_name_are_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "g.tsv"
    path.write_text("# only a comment\n")
    with pytest.raises(GraphFileError, match="holds no triple"):
        run("stats", "--kg", str(path))
    with pytest.raises(UnknownEntityError, match="name is empty"):
        run("find", "  ")


def test_what_is_not_there_is_said() -> None:
    assert "No entity of films is named like 'zzzzqqqq'" in run("find", "zzzzqqqq")


def test_the_graph_may_come_from_the_environment(graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEWISE_KG", graph)
    assert json.loads(run("stats", "--skip-bad-lines", "--json"))["name"] == "evil"


def test_ids_that_begin_alike_are_told_apart_in_stats(tmp_path: Path) -> None:
    path = tmp_path / "g.nt"
    start = "<http://thornbeck.example/allotments/ns#"
    path.write_text("".join(f"{start}a> {start}{r}> {start}b> .\n" for r in ("growsCrop", "rentedBy", "种植作物")))
    shown = run("stats", "--kg", str(path))
    assert "…ple/allotments/ns#growsCrop" in shown and "ns#rentedBy " in shown and "ns#种植作物" in shown


def test_the_graph_may_stand_by_itself(graph: str) -> None:
    plain = run("stats", graph, "--skip-bad-lines", "--json")
    assert plain == run("stats", "--kg", graph, "--skip-bad-lines", "--json")
    twice = CliRunner().invoke(app, ["kg", "stats", graph, "--kg", graph])
    assert twice.exit_code == 2 and "once" in twice.output
