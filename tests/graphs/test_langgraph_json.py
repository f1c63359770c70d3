"""langgraph.json: each entry is a file and a function that gives a compiled graph; every method is listed."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from langgraph.graph.state import CompiledStateGraph

from triplewise.graphs.method import method, methods

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


@pytest.mark.parametrize("name", [name for name in CONFIG["graphs"] if name != "assistant"])
def test_input_output_and_context_have_schemas(name: str) -> None:
    graph = method(name).build  # the record and the entry point are of one module
    served = sys.modules[graph.__module__].make_graph()
    inputs, context = served.get_input_jsonschema(), served.get_context_jsonschema()
    assert inputs["properties"] and served.get_output_jsonschema()["properties"]["steps"]
    assert context["properties"]["kg"]["default"] == "films"
    assert all(field["type"] == "string" for field in context["properties"].values())
    asked = {"question", "task", "entities"} if name != "kicgpt" else {"head", "relation", "tail"}
    assert set(inputs["properties"]) == asked


def test_a_link_is_completed_from_json(tmp_path: Path) -> None:
    from triplewise.graphs.kicgpt import make_graph

    rankings = tmp_path / "rankings.jsonl"
    row = {"head": "Alien", "relation": "directed_by", "tail": None, "ranking": ["Ridley Scott", "Jane Campion"]}
    rankings.write_text(json.dumps(row))
    context = {"kg": "films", "model": "fake:echo", "scorer": str(rankings)}
    state = make_graph().invoke({"head": "alien", "relation": "directed by", "tail": "?"}, context=context)
    assert state["ranking"][0] == "Ridley Scott" and state["candidates"][0].rank == 1


def test_every_method_is_listed() -> None:
    assert set(CONFIG["graphs"]) == {"assistant", *(m.id for m in methods())}
    assert all((ROOT / d).is_dir() for d in CONFIG["dependencies"])
