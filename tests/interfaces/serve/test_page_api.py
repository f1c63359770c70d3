"""The JSON that the page calls: turns, threads, files, nodes, evidence; and stopping."""

from __future__ import annotations

import json
import time

import httpx2 as httpx
import pytest
from served import Serve, Served

from triplewise.config import Settings
from triplewise.errors import ConfigError
from triplewise.interfaces.serve.command import service_of
from triplewise.interfaces.serve.options import ServeOptions


def types(events: list[dict]) -> list[str]:
    return [e["type"] for e in events]


def wait_until(condition: object, seconds: float = 5.0) -> float:
    began = time.monotonic()
    while not condition() and time.monotonic() - began < seconds:  # type: ignore[operator]
        time.sleep(0.01)
    assert condition()  # type: ignore[operator]
    return time.monotonic() - began


def open_turn(served: Served, text: str, path: str = "/api/turn") -> tuple[httpx.Client, object]:
    client = served.client()
    body = {"text": text} if path == "/api/turn" else {"messages": [{"role": "user", "content": text}], "stream": True}
    stream = client.stream("POST", path, json=body)
    response = stream.__enter__()
    served.lines = response.iter_lines()  # a reader that is let go closes the response
    next(served.lines)
    return client, stream


def test_start(serve: Serve) -> None:
    with serve().client() as client:
        start = client.get("/api/start").json()
        assert start["graphs"] == [{"name": "films", "triples": 9939}] and start["overview"]["kg"] == "films"
        assert len(start["suggestions"]) == 6 and start["model"] == "scripted"
        assert client.get("/api/start?kg=nowhere").json()["error"]["hint"] == "Known: films."


def test_a_turn_is_the_assistants_events(serve: Serve) -> None:
    events = serve().events("/api/turn", {"text": "Who made Blade Runner?"})
    assert types(events)[:2] == ["step_started", "step_finished"]
    assert types(events)[-3:] == ["answer", "usage", "done"] and "token" in types(events)
    assert len(events[types(events).index("citations")]["citations"]) == 3


def test_choices_are_resumed(serve: Serve) -> None:
    served = serve()
    events = served.events("/api/turn", {"text": "Which Alien is it?"})
    assert events[-1]["status"] == "waiting"
    choice = next(e for e in events if e["type"] == "choices")["options"][1]["id"]
    after = served.events("/api/turn/resume", {"thread_id": events[-1]["thread_id"], "choice": choice})
    assert after[-1]["status"] == "done" and "Aliens" in next(e for e in after if e["type"] == "answer")["text"]


def test_another_reading(serve: Serve) -> None:
    served = serve()
    done = served.events("/api/turn", {"text": "Who made Blade Runner?"})[-1]
    body = {"thread_id": done["thread_id"], "message_id": done["message_id"], "reading": 0}
    assert served.events("/api/turn/read-as", body)[-1]["message_id"] == done["message_id"]


def test_threads(serve: Serve) -> None:
    served = serve(max_turns=9)
    thread = served.events("/api/turn", {"text": "Who made Blade Runner?"})[-1]["thread_id"]
    with served.client() as client:
        assert [t["id"] for t in client.get("/api/threads").json()] == [thread]
        messages = client.get(f"/api/threads/{thread}").json()
        assert [m["role"] for m in messages] == ["user", "assistant"] and messages[1]["data"]["citations"]["citations"]
        assert client.post(f"/api/threads/{thread}/rename", json={"title": "Films"}).json()["title"] == "Films"
        fork = client.post(f"/api/threads/{thread}/fork", json={"message_id": messages[0]["id"]}).json()
        assert fork["id"] != thread and client.get(f"/api/threads/{fork['id']}").json() == []
        assert "Blade Runner" in client.get(f"/api/threads/{thread}/export?format=markdown").text
        assert client.request("DELETE", f"/api/threads/{thread}").status_code == 200
        gone = client.get(f"/api/threads/{thread}")
        assert gone.status_code == 400 and "no such conversation" in gone.json()["error"]["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/turn", {}), ("/api/turn", {"text": ""}), ("/api/turn", {"text": "x" * 30_000}), ("/api/turn", {"text": 5}),
        ("/api/turn", {"text": "x", "kg": "nowhere"}), ("/api/turn", []), ("/api/turn/resume", {"choice": "x"}),
        ("/api/turn/read-as", {"thread_id": "t", "message_id": "m", "reading": -1}), ("/api/threads/x/rename", {"title": ""}),
        ("/api/graphs", {"name": "a.exe", "text": "x"}), ("/api/graphs", {"name": "../../etc/passwd", "text": "x"}),
        ("/api/graphs", {"name": "a.tsv", "text": "no triple"}),
    ],
)  # fmt: skip
def test_bodies_that_will_not_do(serve: Serve, path: str, body: object) -> None:
    with serve().client() as client:
        answer = client.post(path, json=body)
        assert answer.status_code == 400 and answer.json()["error"]["message"]
        assert "xxxx" not in answer.text and "/tmp" not in answer.text


def test_a_failed_turn_is_told(serve: Serve) -> None:
    events = serve().events("/api/turn", {"text": "fail"})
    assert types(events)[-2:] == ["error", "done"] and events[-2]["kind"] == "backend"


def test_what_the_assistant_raises_is_told_without_its_text(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve(max_turns=9)

    def broken(*args: object, **options: object) -> object:
        raise RuntimeError("secret contents")

    monkeypatch.setattr(served.assistant, "_events", broken)
    events = served.events("/api/turn", {"text": "Who?"})
    assert events[-1]["kind"] == "internal" and "secret" not in str(events)
    monkeypatch.setattr(served.assistant, "overview", broken)
    with served.client() as client:
        answer = client.get("/api/start")
        assert answer.status_code == 500 and "secret" not in answer.text and answer.json()["error"]["message"]


@pytest.mark.parametrize("path", ["/api/turn", "/v1/chat/completions", "/openwebui/v1/chat/completions"])
def test_a_closed_connection_stops_the_model(serve: Serve, path: str) -> None:
    served = serve(max_turns=9, keep_alive=0.2)
    client, stream = open_turn(served, "slow", path)
    assert served.service.running == 1
    stream.__exit__(None, None, None)  # type: ignore[attr-defined]
    client.close()
    models = lambda: served.assistant.stopped_models + sum(o.stopped_models for o in served.others)  # noqa: E731
    assert wait_until(lambda: models() == 1 and served.service.running == 0) < 1.0


def test_stop(serve: Serve) -> None:
    served = serve(max_turns=9)
    done = served.events("/api/turn", {"text": "hello"})[-1]
    with (
        served.client() as client,
        client.stream("POST", "/api/turn", json={"text": "slow", "thread_id": done["thread_id"]}) as response,
    ):
        lines = response.iter_lines()
        next(lines)
        began = time.monotonic()
        with served.client() as other:
            assert other.post("/api/turn/stop", json={"thread_id": done["thread_id"]}).json() == {"stopped": True}
        last = [json.loads(line[6:]) for line in lines if line.startswith("data: ")][-1]
        assert last["status"] == "stopped" and time.monotonic() - began < 1
        with served.client() as other:
            assert other.post("/api/turn/stop", json={"thread_id": done["thread_id"]}).json() == {"stopped": False}


def test_too_many_turns(serve: Serve) -> None:
    served = serve(max_turns=1)
    client, stream = open_turn(served, "slow")
    with served.client() as other:
        answer = other.post("/api/turn", json={"text": "hello"})
        assert answer.status_code == 429 and answer.headers["retry-after"] == "1"
    stream.__exit__(None, None, None)  # type: ignore[attr-defined]
    client.close()
    wait_until(lambda: served.service.running == 0)
    assert served.events("/api/turn", {"text": "hello"})[-1]["status"] == "done"


@pytest.mark.parametrize(
    ("name", "text", "graph"),
    [
        ("pets.tsv", "Rex\tis a\tdog\nRex\tlives with\tAnna\n", "pets"),
        ("C:\\data\\../pets.csv", "head,relation,tail\nRex,lives with,Anna\n", "pets"),
        ("pets.ttl", "@prefix e: <http://e/> . e:Rex e:livesWith e:Anna .", "pets"),
        ("pets.json", '{"@id": "http://e/Rex", "http://e/livesWith": {"@id": "http://e/Anna"}}', "pets"),
        ("<script>.tsv", "Rex\tlives with\tAnna\n", "script"),
        ("..tsv", "Rex\tlives with\tAnna\n", "graph"),
    ],
)
def test_a_dropped_file_is_asked(serve: Serve, films: dict, name: str, text: str, graph: str) -> None:
    served = serve(graphs=dict(films))
    with served.client() as client:
        answer = client.post("/api/graphs", json={"name": name, "text": text})
        assert answer.json() == {"name": graph}, answer.text
        assert client.get(f"/api/start?kg={graph}").json()["overview"]["kg"] == graph
        assert client.post("/api/graphs", json={"name": name, "text": text}).json() == {"name": f"{graph} 2"}
    assert "Anna" in str(served.events("/api/turn", {"text": "Who lives with Rex?", "kg": graph}))


def test_a_file_that_is_no_graph_is_told_by_its_own_name(serve: Serve) -> None:
    with serve().client() as client:
        error = client.post("/api/graphs", json={"name": "pets.tsv", "text": "only one column\n"}).json()["error"]
    assert "pets.tsv" in error["message"] and "graph.tsv" not in error["message"]


def test_a_node(serve: Serve) -> None:
    with serve().client() as client:
        node = client.get("/api/graphs/films/node", params={"id": "English"}).json()
        assert node["total"] > len(node["triples"]) == 40
        rest = client.get("/api/graphs/films/node", params={"id": "English", "offset": 40}).json()
        assert rest["triples"][0] != node["triples"][0]
        assert client.get("/api/graphs/films/node", params={"id": "nobody"}).status_code == 404


def test_evidence(serve: Serve) -> None:
    served = serve()
    done = served.events("/api/turn", {"text": "Who made Blade Runner?"})[-1]
    with served.client() as client:
        assert [f["n"] for f in client.get(f"/api/evidence/{done['message_id']}").json()][:3] == [1, 2, 3]
        assert client.get("/api/evidence/none").status_code == 400
        assert client.get("/evidence/none").status_code == 200


def test_health(serve: Serve) -> None:
    with serve().client() as client:
        health = client.get("/healthz").json()
        assert health["status"] == "ok" and health["turns"] == 0


def test_a_method_that_does_not_exist_is_told_at_the_start() -> None:
    with pytest.raises(ConfigError, match="no method 'nope'"):
        service_of(Settings(method="nope"), {}, None, ServeOptions())
