"""langgraph.json: each entry is a file and a function that gives a compiled graph; every method is listed."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from langgraph.graph.state import CompiledStateGraph

from triplewise.graphs.run import METHODS

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIG = json.loads((ROOT / "langgraph.json").read_text())


@pytest.mark.parametrize("name", CONFIG["graphs"])
def test_entry_loads_as_the_server_loads_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _, function = CONFIG["graphs"][name].partition(":")
    spec = importlib.util.spec_from_file_location(f"served_{name.replace('-', '_')}", ROOT / path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # as the server does
    spec.loader.exec_module(module)
    graph = getattr(module, function)()
    assert isinstance(graph, CompiledStateGraph) and graph.name == name
    assert graph.get_graph().draw_mermaid()


def test_a_graph_runs_from_a_json_context() -> None:
    from triplewise.graphs.kg_gpt import make_graph

    context = {"kg": "films", "model": "fake:echo"}
    state = make_graph().invoke({"question": "who directed Alien?", "steps": [], "warnings": []}, context=context)
    assert [s.node for s in state["steps"]][:2] == ["link", "segment"] and state["text"]


def test_every_method_is_listed() -> None:
    assert set(CONFIG["graphs"]) == {*METHODS, "kicgpt", "assistant"}
    assert all((ROOT / d).is_dir() for d in CONFIG["dependencies"])
