"""``/v1`` and ``/openwebui/v1`` as openai-python, langchain-openai, Open WebUI and LibreChat use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import openai
import pydantic
import pytest
from served import KEY, Serve, Served

from triplewise.agents.assistant.events import ReadAs
from triplewise.interfaces.read_as import readings_line
from triplewise.interfaces.serve.openai_request import RequestError, housekeeping, parse
from triplewise.types import Reading

ASK = [{"role": "user", "content": "Who made Blade Runner?"}]


CLIENTS: list[openai.OpenAI] = []


def client(served: Served, path: str = "/v1", **options: Any) -> openai.OpenAI:
    made = openai.OpenAI(base_url=served.url + path, api_key=KEY, max_retries=0, **options)
    CLIENTS.append(made)
    return made


@pytest.fixture(autouse=True)
def closed_clients() -> Iterator[None]:
    yield
    while CLIENTS:
        CLIENTS.pop().close()


def chunks_of(served: Served, body: dict[str, Any], path: str = "/v1") -> list[dict[str, Any]]:
    with served.client() as http:
        text = http.post(f"{path}/chat/completions", json={"stream": True, **body}).text
    lines = [line for line in text.split("\n\n") if line]
    assert lines[-1] == "data: [DONE]"
    return [json.loads(line[6:]) for line in lines[:-1] if line.startswith("data: ")]


def schema(properties: dict[str, Any]) -> dict[str, Any]:
    whole = {"type": "object", "properties": properties, "additionalProperties": False}
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": whole}}}


def test_models(serve: Serve) -> None:
    models = client(serve()).models
    assert [m.id for m in models.list()] == ["triplewise", "kg-gpt", "cot-kg"]
    assert models.retrieve("kg-gpt").owned_by == "triplewise"
    with pytest.raises(openai.NotFoundError):
        models.retrieve("gpt-9")


def test_models_of_several_graphs(serve: Serve, films: dict[str, Any]) -> None:
    served = serve(graphs={"films": films["films"], "more films": films["films"]})
    assert "triplewise@more films" in [m.id for m in client(served).models.list()]
    answer = client(served).chat.completions.create(model="kg-gpt@more films", messages=ASK)  # type: ignore[arg-type]
    assert "Ridley Scott" in (answer.choices[0].message.content or "")


def test_a_completion(serve: Serve) -> None:
    served = serve()
    answer = client(served).chat.completions.create(model="triplewise", messages=ASK)  # type: ignore[arg-type]
    [choice] = answer.choices
    text = choice.message.content or ""
    assert choice.finish_reason == "stop" and "Ridley Scott [2]" in text
    assert answer.usage and answer.usage.total_tokens == 366
    assert answer.usage.prompt_tokens_details and answer.usage.prompt_tokens_details.cached_tokens == 100
    for note in choice.message.annotations or []:
        cited = note.url_citation
        assert text[cited.start_index : cited.end_index] == f"[{cited.url.split('#')[1]}]"
        assert httpx.get(cited.url).status_code == 200
    assert len(choice.message.annotations or []) == 3
    extra = answer.model_extra["triplewise"]  # type: ignore[index]
    assert [c["n"] for c in extra["citations"]] == [1, 2, 3]
    assert extra["citations"][1]["labels"] == ["Blade Runner", "directed by", "Ridley Scott"]
    assert extra["citations"][2]["source"] == "inferred" and extra["read_as"] and extra["cost"] == 0.0004


LINE = (
    "\n\nRead as: What the graph says of Blade Runner; other readings: 2 Films with Blade Runner in their title. "
    "Reply with a number to take one."
)


def test_the_text_says_how_the_question_was_read(serve: Serve) -> None:
    """Also to a client that shows nothing but text, plain and streamed, and the extension tells the same in parts."""
    served = serve()
    answer = client(served).chat.completions.create(model="triplewise", messages=ASK)  # type: ignore[arg-type]
    text = answer.choices[0].message.content or ""
    assert text.endswith(f".{LINE}")
    extra = answer.model_extra["triplewise"]  # type: ignore[index]
    assert (extra["reading"], extra["read_as"]) == (1, "What the graph says of Blade Runner")
    title = "Films with Blade Runner in their title"
    assert extra["other_readings"] == [{"number": 2, "text": title, "answers": ["b"]}] and extra["margin"] == 0.7
    for path in ("/v1", "/openwebui/v1"):
        told = [c["choices"][0]["delta"].get("content") or "" for c in chunks_of(served, {"messages": ASK}, path)]
        assert "".join(told) == text.replace(LINE, f" {LINE}")  # the assistant's last word ends in a space
    unsure = {"messages": [{"role": "user", "content": "nothing, unsure"}]}
    told = "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks_of(served, unsure))
    assert told.endswith("\n\nIt may be read so: 1 Films of Jane Campion. Reply with a number to take one.")


def test_the_line_that_a_client_sends_back_is_no_part_of_what_was_said() -> None:
    read = ReadAs("m", Reading("films of [1] X", {}), (Reading("films on X", {}, number=2),))
    said = f"Alien [1].\n\n{readings_line(read)}"
    assert said.count("[1]") == 1  # a label of the graph is no citation
    asked = [ASK[0], {"role": "assistant", "content": said}, {"role": "user", "content": "2"}]
    assert parse({"messages": asked}, {}, (), ["films"]).history == [
        ("user", ASK[0]["content"]),
        ("assistant", "Alien [1]."),
    ]
    quoted = [{"role": "user", "content": said}, *asked[1:]]
    assert parse({"messages": quoted}, {}, (), ["films"]).history[0] == ("user", said)


def test_a_stream(serve: Serve) -> None:
    served = serve()
    stream = client(served).chat.completions.create(
        model="triplewise",
        messages=ASK,
        stream=True,
        stream_options={"include_usage": True},  # type: ignore[arg-type]
    )
    chunks = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert "Ridley Scott [2]" in text
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].choices == [] and chunks[-1].usage and chunks[-1].usage.completion_tokens == 45
    noted = [c.choices[0].delta.model_extra or {} for c in chunks if c.choices]
    notes = [note for extra in noted for note in extra.get("annotations", [])]
    assert [text[n["url_citation"]["start_index"] : n["url_citation"]["end_index"]] for n in notes] == [
        "[1]",
        "[2]",
        "[3]",
    ]
    last = chunks[-2].model_extra or {}
    assert len(last["triplewise"]["citations"]) == 3
    assert len({c.id for c in chunks}) == 1


def test_openai_pythons_own_accumulation(serve: Serve) -> None:
    with client(serve()).chat.completions.stream(model="triplewise", messages=ASK) as stream:  # type: ignore[arg-type]
        final = stream.get_final_completion()
    assert "Ridley Scott" in (final.choices[0].message.content or "")


def test_text_is_streamed_as_it_comes(serve: Serve) -> None:
    told = [c["choices"][0]["delta"].get("content") for c in chunks_of(serve(), {"messages": ASK})]
    pieces = [t for t in told if t]
    pieces = pieces[: next(i for i, t in enumerate(pieces) if t.startswith("\n\nRead as"))]  # its last line is ours
    assert all(len(p.split()) == 1 for p in pieces) and len(pieces) > 10  # the words as the assistant told them
    assert "".join(pieces).count("Ridley Scott") == 1


class Cited(pydantic.BaseModel):
    head: str
    tail: str


class Film(pydantic.BaseModel):
    answers: list[str]
    verdict: str | None
    citations: list[Cited]


def test_answers_as_json(serve: Serve) -> None:
    served = serve()
    chat = client(served).chat.completions
    answer = chat.create(model="triplewise", messages=ASK, response_format={"type": "json_object"})  # type: ignore[arg-type]
    whole = json.loads(answer.choices[0].message.content or "")
    assert set(whole) == {"answer", "answers", "ids", "kind", "verdict", "read_as", "citations"}
    assert whole["citations"][1] == {
        "n": 2, "head": "Blade Runner", "relation": "directed by", "tail": "Ridley Scott", "source": "asserted",
    }  # fmt: skip
    parsed = chat.parse(model="triplewise", messages=ASK, response_format=Film).choices[0].message.parsed  # type: ignore[arg-type]
    assert parsed and "Ridley Scott" in parsed.answers and parsed.verdict is None
    assert parsed.citations[1] == Cited(head="Blade Runner", tail="Ridley Scott")
    asked = {"messages": ASK, **schema({"ids": {"type": "array"}})}
    told = "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks_of(served, asked))
    assert list(json.loads(told)) == ["ids"]


def test_no_usage_unless_asked_for(serve: Serve) -> None:
    assert all(c["choices"] and "usage" not in c for c in chunks_of(serve(), {"messages": ASK}))


def test_langchain(serve: Serve) -> None:
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(base_url=serve().url + "/v1", api_key=KEY, model="triplewise", stream_usage=True)  # type: ignore[arg-type]
    assert "Ridley Scott" in chat.invoke("Who made Blade Runner?").text
    pieces = list(chat.stream("Who made Blade Runner?"))
    assert "Ridley Scott" in "".join(p.text for p in pieces)
    used = [p.usage_metadata for p in pieces if p.usage_metadata]
    assert sum(u["total_tokens"] for u in used) == 366


async def test_openai_python_async(serve: Serve) -> None:
    async with openai.AsyncOpenAI(base_url=serve().url + "/v1", api_key=KEY) as chat:
        answer = await chat.chat.completions.create(model="triplewise", messages=ASK)  # type: ignore[arg-type]
    assert "Ridley Scott" in (answer.choices[0].message.content or "")


def test_what_was_said_before_is_handed_on_and_nothing_is_kept(serve: Serve) -> None:
    served = serve(max_turns=9)
    said = [
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}, {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": [{"type": "text", "text": "Who made Blade Runner?"}]},
    ]  # fmt: skip
    client(served).chat.completions.create(model="triplewise", messages=said)  # type: ignore[arg-type]
    [other] = served.others
    assert other.asked == [("Who made Blade Runner?", [("user", "hello"), ("assistant", "Hi")])]
    assert other.rows == {} and served.assistant.rows == {}


@pytest.mark.parametrize("header", ["X-Thread-Id", "X-OpenWebUI-Chat-Id"])
def test_a_thread_where_one_is_asked_for(serve: Serve, header: str) -> None:
    served = serve(max_turns=9)
    for _ in range(2):
        client(served, default_headers={header: "chat-1"}).chat.completions.create(model="triplewise", messages=ASK)  # type: ignore[arg-type]
    assert list(served.assistant.rows) == ["chat-1"] and served.assistant.rows["chat-1"].turns == 2
    with pytest.raises(openai.BadRequestError, match="thread"):
        client(served, default_headers={header: "../x"}).chat.completions.create(model="triplewise", messages=ASK)  # type: ignore[arg-type]


def test_evidence_of_a_follow_up_has_an_address(serve: Serve) -> None:
    said = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "Hi"}, *ASK]
    answer = client(serve()).chat.completions.create(model="triplewise", messages=said)  # type: ignore[arg-type]
    url = answer.model_extra["triplewise"]["evidence_url"]  # type: ignore[index]
    facts = httpx.get(url.replace("/evidence/", "/api/evidence/")).json()
    assert [f["n"] for f in facts][:4] == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("more", "status", "param"),
    [
        ({"messages": []}, 400, "messages"),
        ({"messages": "hi"}, 400, "messages"),
        ({"messages": [{"content": "x"}]}, 400, "messages[0]"),
        ({"messages": [{"role": "user", "content": 5}]}, 400, "messages[0].content"),
        ({"messages": [{"role": "user", "content": "  "}]}, 400, "messages"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, 400, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}, 400, "messages[0].content"),
        ({"model": "gpt-9"}, 404, "model"),
        ({"model": 5}, 400, "model"),
        ({"response_format": {"type": "grammar"}}, 400, "response_format"),
        ({"response_format": "json"}, 400, "response_format"),
        (schema({"colour": {"type": "string"}}), 400, "response_format"),
        (schema({"answers": {"type": "array", "items": {"type": "integer"}}}), 400, "response_format"),
        (schema({"answers": {"type": "array", "minItems": 2}}), 400, "response_format"),
        (schema({"verdict": {"type": "string"}}), 400, "response_format"),
        (schema({"answer": {"$ref": "#/$defs/none"}}), 400, "response_format"),
        ({"response_format": {"type": "json_schema", "json_schema": {}}}, 400, "response_format"),
        ({"tool_choice": "required"}, 400, "tool_choice"),
        ({"tool_choice": {"type": "function", "function": {"name": "f"}}}, 400, "tool_choice"),
        ({"n": 2}, 400, "n"),
    ],
)  # fmt: skip
def test_what_cannot_be_met_is_refused(serve: Serve, more: dict[str, Any], status: int, param: str) -> None:
    with serve().client() as http:
        for stream in (False, True):
            body = {"model": "triplewise", "messages": ASK, "stream": stream, **more}
            answer = http.post("/v1/chat/completions", json=body)
            assert answer.status_code == status
            assert answer.json()["error"]["param"] == param and answer.json()["error"]["message"]


@pytest.mark.parametrize("body", [b"", b"[]", b"nul", b'"x"', b"{"])
def test_bodies_that_are_none(serve: Serve, body: bytes) -> None:
    with serve().client() as http:
        answer = http.post("/v1/chat/completions", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400 and answer.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("DELETE", "/v1/models", 405), ("GET", "/v1/chat/completions", 405), ("GET", "/v1/files", 404), ("GET", "/nope", 404)],
)  # fmt: skip
def test_what_no_route_takes_is_refused_in_the_same_form(serve: Serve, method: str, path: str, status: int) -> None:
    with serve().client() as http:
        answer = http.request(method, path)
    error = answer.json()["error"]
    assert answer.status_code == status and error["type"] == "invalid_request_error" and error["message"]
    assert set(error) == {"message", "type", "param", "code"} and ("allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize("path", ["/", "/healthz", "/favicon.ico", "/evidence/any"])
def test_what_watches_a_server_may_ask_for_the_head_alone(serve: Serve, path: str) -> None:
    with serve().client() as http:
        answer = http.head(path)
    assert answer.status_code == 200 and answer.content == b""


def test_what_is_not_known_is_ignored(serve: Serve) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
    more = {
        "tools": [tool], "tool_choice": "auto", "temperature": 0.3, "max_tokens": 5, "seed": 7, "stop": ["x"], "top_p": 1, "logprobs": False,
        "user": "u", "metadata": {"a": 1}, "parallel_tool_calls": True, "response_format": {"type": "text"}, "presence_penalty": 0,
        "stream_options": None, "reasoning_effort": "low", "chat_id": "x", "session_id": "y", "params": {}, "features": {}, "n": 1,
    }  # fmt: skip
    with serve().client() as http:
        answer = http.post("/v1/chat/completions", json={"model": "triplewise", "messages": ASK, **more}).json()
    assert "Ridley Scott" in answer["choices"][0]["message"]["content"]
    assert not answer["choices"][0]["message"].get("tool_calls")


def test_a_failure_before_and_in_a_stream(serve: Serve) -> None:
    served = serve()
    failing = [{"role": "user", "content": "fail please"}]
    with pytest.raises(openai.InternalServerError) as error:
        client(served).chat.completions.create(model="triplewise", messages=failing)  # type: ignore[arg-type]
    assert error.value.status_code == 502 and "OPENAI_BASE_URL" in str(error.value)
    stream = client(served).chat.completions.create(model="triplewise", messages=failing, stream=True)  # type: ignore[arg-type]
    with pytest.raises(openai.APIError, match="did not answer"):
        list(stream)


def test_more_turns_than_may_run(serve: Serve) -> None:
    served = serve(max_turns=0)
    for stream in (False, True):
        with pytest.raises(openai.RateLimitError):
            client(served).chat.completions.create(model="triplewise", messages=ASK, stream=stream)  # type: ignore[arg-type]


def test_silence_is_filled_with_comments(serve: Serve) -> None:
    served = serve(latency=0.4, keep_alive=0.1)
    with served.client() as http:
        text = http.post("/v1/chat/completions", json={"messages": ASK, "stream": True}).text
    assert text.count(": still working\n\n") >= 2
    assert "Ridley Scott" in text


def test_open_webui_sources(serve: Serve) -> None:
    chunks = chunks_of(serve(), {"messages": ASK, "model": "triplewise"}, "/openwebui/v1")
    events = [c["event"] for c in chunks if "event" in c]
    sources = [e["data"] for e in events if e["type"] == "source"]
    assert [s["source"]["embed_url"].split("#")[1] for s in sources] == ["1", "2", "3"]
    answer = sources[0]["source"]["embed_url"].split("/evidence/")[1].split("#")[0]
    assert [s["source"]["id"] for s in sources] == [f"{answer}#{n}" for n in (1, 2, 3)]
    assert not any(s["source"]["name"].startswith("http") for s in sources)
    assert "directed by" in sources[1]["document"][0]
    assert [e["data"]["description"] for e in events if e["type"] == "status"][:2] == [
        "Reading the question",
        "Asking the graph",
    ]
    assert all(c["choices"] for c in chunks)
    assert not any("annotations" in c["choices"][0]["delta"] for c in chunks)
    stream = client(serve(), "/openwebui/v1").chat.completions.create(model="triplewise", messages=ASK, stream=True)  # type: ignore[arg-type]
    assert "Ridley Scott" in "".join(c.choices[0].delta.content or "" for c in stream)


def task(kind: str, key: str, sample: str) -> str:
    """The shape of Open WebUI's housekeeping prompts."""
    return (
        f'### Task:\n{kind}\n### Guidelines:\n- Be concise.\n### Output:\nJSON format: {{ "{key}": {sample} }}\n'
        "### Chat History:\n<chat_history>\nUSER: Who made Blade Runner?\nASSISTANT: Ridley Scott [1]\n</chat_history>"
    )


HOUSEKEEPING = [
    ("title", task("Generate a concise, 3-5 word title.", "title", '"your title"')),
    ("tags", task("Generate 1-3 broad tags.", "tags", '["tag1"]')),
    ("follow_ups", task("Suggest 3-5 relevant follow-up questions.", "follow_ups", '["Question 1?"]')),
    ("queries", task("Analyze the chat history to determine the necessity of search queries.", "queries", '["q"]')),
]  # fmt: skip


@pytest.mark.parametrize(("key", "prompt"), HOUSEKEEPING)
def test_housekeeping_is_answered_without_the_graph(serve: Serve, key: str, prompt: str) -> None:
    served = serve(max_turns=9)
    for stream in (False, True):
        body = {"model": "triplewise", "messages": [{"role": "user", "content": prompt}], "stream": stream}
        if stream:
            [first, *_] = chunks_of(served, body)
            text = first["choices"][0]["delta"]["content"]
        else:
            with served.client() as http:
                text = http.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]["content"]
        assert key in json.loads(text)
    assert served.assistant.asked == [] and served.others == []
    if key == "title":
        assert json.loads(text) == {"title": "Who made Blade Runner"}
    if key == "follow_ups":
        assert len(json.loads(text)["follow_ups"]) == 3


def test_librechats_titles() -> None:
    said = "Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: hi"
    assert housekeeping(said, []) == "plain title"


@pytest.mark.parametrize(
    "text",
    [
        "What is the title of the film?",
        "### Task:\nWho made Blade Runner?",
        "### Task:\nRespond to the query using the context.\n<context>{\"title\": 1}</context>\n<user_query>Who?</user_query>",
        "Who wrote \"### Task:\" with {\"title\": …} <chat_history> x </chat_history>?",
        "Provide a concise list of films",
    ],
)  # fmt: skip
def test_questions_are_no_housekeeping(text: str) -> None:
    assert housekeeping(text, []) == ""


def test_housekeeping_only_where_nothing_was_said_before() -> None:
    assert housekeeping(HOUSEKEEPING[0][1], [("user", "hi")]) == ""


OPEN_WEBUI = {
    "stream": True, "model": "triplewise", "messages": [{"role": "user", "content": "Who made Blade Runner?"}], "params": {}, "tool_servers": [],
    "features": {"image_generation": False, "code_interpreter": False, "web_search": False}, "variables": {"{{USER_NAME}}": "User"},
    "model_item": {"id": "triplewise", "object": "model"}, "session_id": "s", "chat_id": "c", "id": "i", "background_tasks": {"follow_up_generation": True},
    "stream_options": {"include_usage": True}, "metadata": {},
}  # fmt: skip
LIBRECHAT = {
    "model": "triplewise", "user": "665f", "stream": True, "temperature": 1, "top_p": 1, "presence_penalty": 0, "frequency_penalty": 0,
    "messages": [{"role": "system", "content": "x"}, {"role": "user", "content": [{"type": "text", "text": "Who made Blade Runner?"}]}],
    "stream_options": {"include_usage": True}, "tools": [], "stop": None,
}  # fmt: skip


@pytest.mark.parametrize("body", [OPEN_WEBUI, LIBRECHAT], ids=["open-webui", "librechat"])
def test_bodies_of_chat_clients(serve: Serve, body: dict[str, Any]) -> None:
    chunks = chunks_of(serve(), body)
    assert "Ridley Scott" in "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks if c["choices"])
    assert chunks[-1]["choices"] == [] and chunks[-1]["usage"]["total_tokens"] == 366


def test_parse_takes_nothing_by_surprise() -> None:
    with pytest.raises(RequestError):
        parse({"messages": [{"role": "user", "content": "x"}] * 2_000}, {}, (), ["films"])
    with pytest.raises(RequestError):
        parse({"messages": ASK, "model": "triplewise@nowhere"}, {}, (), ["films"])
