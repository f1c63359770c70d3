"""langgraph.json: each entry is a file and a function that gives a compiled graph; every method is listed."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from langgraph.graph.state import CompiledStateGraph
from pydantic import create_model

from triplewise.graphs import assistant
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


INPUTS = {"kicgpt": {"head", "relation", "tail"}, "assistant": {"messages", "memory", "message", "reading", "entities"}}
CONTEXT = {"assistant": {"kg", "model", "method", "can_ask", "agent"}, "kicgpt": {"kg", "model", "embedder", "scorer"}}


@pytest.mark.parametrize("name", CONFIG["graphs"])
def test_input_output_state_and_context_have_schemas(name: str) -> None:
    module = assistant if name == "assistant" else sys.modules[method(name).build.__module__]
    served: CompiledStateGraph = module.make_graph()
    inputs, outputs = served.get_input_jsonschema(), served.get_output_jsonschema()
    context = served.get_context_jsonschema()
    assert set(inputs["properties"]) == INPUTS.get(name, {"question", "task", "entities"})
    assert outputs["properties"]["said" if name == "assistant" else "steps"]
    assert context and set(context["properties"]) == CONTEXT.get(name, {"kg", "model", "embedder"})
    assert context["properties"]["kg"]["default"] == "films"
    plain = {"string", "boolean", "null"}
    for field in context["properties"].values():
        assert {one["type"] for one in field.get("anyOf", (field,))} <= plain, field
    keys = {key: (served.channels[key].UpdateType, None) for key in served.stream_channels_list}
    state = create_model("State", **keys).model_json_schema()  # pyright: ignore[reportCallIssue, reportArgumentType]
    assert set(inputs["properties"]) <= set(state["properties"])
    described = [key for key, schema in state["properties"].items() if set(schema) - {"title", "default"}]
    assert set(described) == set(state["properties"])


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
