"""Spans by the GenAI conventions: what is told of a question, a tool and an error, and that contents stay out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from triplewise import tracing
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import BackendError
from triplewise.graphs.graph_tools import graph_tools
from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval.triple_retriever import TripleRetriever

export = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
sdk = pytest.importorskip("opentelemetry.sdk.trace")

Ended = Callable[[], tuple[Any, ...]]
FILMS = NetworkxStore([("Alien", "directed by", "Ridley Scott")], name="films")
SPLIT = "1. Alien was directed by ?answer | Alien ; ?answer"
ASK: dict[str, Any] = {"method": "kg-gpt", "embedder": "", "entities": ["Alien"]}


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ended]:
    """The spans that ended, as the SDK's collector in memory has them."""
    from opentelemetry import trace
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    provider, collector = sdk.TracerProvider(), export.InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(collector))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    yield collector.get_finished_spans
    provider.shutdown()


def model() -> ScriptedChatModel:
    return ScriptedChatModel(responses={r"Question: ": "Ridley Scott", r"(?s).*": SPLIT})


def test_a_question_is_a_workflow_of_nodes_and_chats(ended: Ended) -> None:
    ask(FILMS, "Who directed Alien?", model=model(), **ASK)
    spans = ended()
    by_id = {s.context.span_id: s for s in spans}
    (workflow,) = (s for s in spans if s.parent is None)
    assert workflow.name == "invoke_workflow kg-gpt"
    assert workflow.attributes == {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "kg-gpt"}
    chats = [s for s in spans if s.name == "chat scripted"]
    assert chats and all(by_id[s.parent.span_id].name.startswith("node ") for s in chats)
    for chat in chats:
        assert chat.kind.name == "CLIENT" and chat.attributes["gen_ai.operation.name"] == "chat"
        assert chat.attributes["gen_ai.usage.input_tokens"] > 0
    nodes = [s for s in spans if s.name.startswith("node ")]
    assert all(by_id[s.parent.span_id] is workflow for s in nodes)
    assert "Alien" not in json.dumps([dict(s.attributes) for s in spans])


def test_contents_are_told_where_asked_for(ended: Ended, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tracing.CAPTURE, "true")
    ask(FILMS, "Who directed Alien?", model=model(), **ASK)
    spans = ended()
    chat = next(s for s in spans if s.name.startswith("chat "))
    asked = json.loads(chat.attributes["gen_ai.input.messages"])
    assert asked[-1]["role"] == "user" and "Alien" in asked[-1]["parts"][0]["content"]
    assert json.loads(chat.attributes["gen_ai.output.messages"])[0]["role"] == "assistant"


def test_tools_and_retrieval(ended: Ended) -> None:
    tools = {t.name: t for t in graph_tools(FILMS, model=model(), retriever=TripleRetriever(FILMS))}
    tools["retrieve_triples"].invoke({"question": "Who directed Alien?"})
    found = {s.name: s for s in ended()}
    tool = found["execute_tool retrieve_triples"]
    assert tool.attributes == {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "retrieve_triples"}
    retrieval = found["retrieval films"]
    assert retrieval.attributes["gen_ai.data_source.id"] == "films" and retrieval.parent.span_id == tool.context.span_id


def test_an_error_is_told_by_its_type_alone(ended: Ended) -> None:
    failing = ScriptedChatModel(responses=[BackendError("the secret of Alien")])
    with pytest.raises(BackendError):
        ask(FILMS, "Who directed Alien?", model=failing, **ASK)
    spans = ended()
    chat = next(s for s in spans if s.name.startswith("chat "))
    assert chat.attributes["error.type"] == "BackendError" and chat.status.status_code.name == "ERROR"
    assert not any(s.events or "secret" in str(s.status.description) for s in spans)


def test_spans_reach_a_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """By OTLP, to a server of its protocol on this machine."""
    otlp = pytest.importorskip("opentelemetry.exporter.otlp.proto.grpc.trace_exporter")
    service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc")
    from concurrent.futures import ThreadPoolExecutor

    import grpc
    from opentelemetry import trace
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    received: list[Any] = []

    class Collector(service.TraceServiceServicer):
        def Export(self, request: Any, context: Any) -> Any:
            received.extend(s for r in request.resource_spans for scope in r.scope_spans for s in scope.spans)
            return ExportTraceServiceResponse()

    server = grpc.server(ThreadPoolExecutor(2))
    service.add_TraceServiceServicer_to_server(Collector(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    provider = sdk.TracerProvider()
    exporter = otlp.OTLPSpanExporter(endpoint=f"http://127.0.0.1:{port}", insecure=True)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    try:
        ask(FILMS, "Who directed Alien?", model=model(), **ASK)
        provider.shutdown()
    finally:
        server.stop(None).wait()
    (workflow,) = (s for s in received if not s.parent_span_id)
    assert workflow.name == "invoke_workflow kg-gpt" and {s.trace_id for s in received} == {workflow.trace_id}
    chat = next(s for s in received if s.name == "chat scripted")
    attributes = {a.key: a.value for a in chat.attributes}
    assert attributes["gen_ai.operation.name"].string_value == "chat"
    assert attributes["gen_ai.usage.input_tokens"].int_value > 0
    assert b"Alien" not in b"".join(s.SerializeToString() for s in received)
