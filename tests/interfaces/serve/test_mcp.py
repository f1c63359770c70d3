"""MCP as the SDK's client sees it: in process, over HTTP, and as a child process; both protocol revisions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import ElicitRequestParams, ElicitResult
from scripted_assistant import ScriptedAssistant
from served import KEY, Serve

from triplewise.backends.fake import ScriptedChatModel
from triplewise.graphs.assistant import Assistant
from triplewise.interfaces.serve.mcp_server import MAX_TRIPLES, build
from triplewise.interfaces.serve.options import ServeOptions
from triplewise.interfaces.serve.service import Service
from triplewise.kg import load_kg

SUPPORT = Path(__file__).resolve().parents[2] / "support"
TOOLS = {"get_schema", "search_nodes", "explore_relations", "ask", "verify_claim", "show_evidence"}
MODES = ["auto", "legacy"]


def service(graphs: dict[str, Any]) -> Service:
    return Service(ScriptedAssistant(graphs), lambda g, m: ScriptedAssistant(g), ServeOptions(), model="scripted")


def said(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    return result.structured_content


@pytest.mark.parametrize("mode", MODES)
async def test_tools_are_typed_and_read_only(films: dict[str, Any], mode: str) -> None:
    async with Client(build(service(films)), mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert {t.name for t in tools} == TOOLS
        for tool in tools:
            assert tool.description and tool.output_schema and len(tool.description) < 200
            assert tool.annotations and tool.annotations.read_only_hint
            names = set(tool.input_schema["properties"])
            assert ({"reading", "entities"} <= names) == (tool.name in ("ask", "verify_claim"))
            assert not names & {"turn", "chosen", "ctx"}  # what is resolved is not the model's to give


@pytest.mark.parametrize("mode", MODES)
async def test_look_ups(films: dict[str, Any], mode: str) -> None:
    async with Client(build(service(films)), mode=mode) as client:
        schema = said(await client.call_tool("get_schema", {}))
        assert schema["graph"] == "films" and schema["graphs"] == ["films"] and schema["relations"]["directed by"] > 300
        [hit, *_] = said(await client.call_tool("search_nodes", {"query": "blade runer"}))["hits"]
        assert hit["name"] == "Blade Runner"
        facts = said(await client.call_tool("explore_relations", {"entity": "Blade Runner", "relation": "directed by"}))
        assert [f["tail"] for f in facts["facts"]] == ["Ridley Scott"] and facts["next_offset"] is None
        hub = said(await client.call_tool("explore_relations", {"entity": "English"}))
        assert len(hub["facts"]) == MAX_TRIPLES and hub["next_offset"] == MAX_TRIPLES
        more = said(await client.call_tool("explore_relations", {"entity": "English", "offset": MAX_TRIPLES}))
        assert more["facts"][0] != hub["facts"][0]


@pytest.mark.parametrize("mode", MODES)
async def test_ask_and_its_evidence(films: dict[str, Any], mode: str) -> None:
    async with Client(build(service(films)), mode=mode) as client:
        answer = said(await client.call_tool("ask", {"question": "Who made Blade Runner?"}))
        assert "Ridley Scott [2]" in answer["text"] and answer["evidence"][1]["tail"] == "Ridley Scott"
        assert answer["evidence"][2]["source"] == "inferred" and answer["other_readings"]
        shown = said(await client.call_tool("show_evidence", {"evidence_id": answer["evidence_id"]}))
        assert [f["n"] for f in shown["facts"]][:4] == [1, 2, 3, None]
        claim = said(await client.call_tool("verify_claim", {"claim": "Ridley Scott made Blade Runner"}))
        assert claim["evidence"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_choice_is_asked_for(films: dict[str, Any], mode: str) -> None:
    asked: list[Any] = []

    async def answer(context: Any, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params)
        schema = params.requested_schema  # type: ignore[union-attr]
        [name] = schema["properties"]
        return ElicitResult(action="accept", content={name: schema["properties"][name]["enum"][1]})

    served = service(films)
    async with Client(build(served), mode=mode, elicitation_callback=answer) as client:
        found = said(await client.call_tool("ask", {"question": "Which Alien has the best music?"}))
    assert len(asked) == 1 and "Which Alien" in asked[0].message
    assert found["evidence"][0]["head"] == "Aliens"


@pytest.mark.parametrize("mode", MODES)
async def test_a_choice_declined_takes_the_likeliest(films: dict[str, Any], mode: str) -> None:
    async def answer(context: Any, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="decline")

    async with Client(build(service(films)), mode=mode, elicitation_callback=answer) as client:
        found = said(await client.call_tool("ask", {"question": "Which Alien has the best music?"}))
    assert found["evidence"][0]["head"] == "Alien"


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_cannot_be_asked_gets_the_likeliest(films: dict[str, Any], mode: str) -> None:
    async with Client(build(service(films)), mode=mode) as client:
        found = said(await client.call_tool("ask", {"question": "Which Alien has the best music?"}))
    assert found["evidence"]


@pytest.fixture
def dukes(tmp_path: Path) -> Service:
    """The assistant itself over two things of one name, of which each was born and arrived somewhere."""
    rows = [
        ("Duke (bull)", "bull", "2019-03-02", "2019-06-01"), ("Duke (horse)", "horse", "2004-05-17", "2010-01-30"),
    ]  # fmt: skip
    (tmp_path / "dukes.tsv").write_text(
        "".join(
            f"{name}\tskos:altLabel\tDuke\n{name}\trdf:type\t{kind}\n{name}\tdate of birth\t{born}\n"
            f"{name}\tdate of arrival\t{arrived}\n"
            for name, kind, born, arrived in rows
        )
    )
    kg = load_kg(tmp_path / "dukes.tsv")

    def make(graphs: Any, method: str) -> Assistant:
        return Assistant(dict(graphs), ScriptedChatModel(responses=["ask"]), agent=False, method="query-graph")

    return Service(make({"dukes": kg}, ""), make, ServeOptions(), model="scripted")


@pytest.mark.parametrize("mode", MODES)
async def test_a_namesake_and_a_reading_can_be_given(dukes: Service, mode: str) -> None:
    question = "What is Duke's date of birth?"
    async with Client(build(dukes), mode=mode) as client:
        first = said(await client.call_tool("ask", {"question": question}))
        born = {"Duke (bull)": "2019-03-02", "Duke (horse)": "2004-05-17"}
        assert [n["id"] for n in first["namesakes"]] and {n["id"] for n in first["namesakes"]} == set(born)
        assert {n["hint"].split(";")[0] for n in first["namesakes"]} == {"bull", "horse"}
        for name in born:
            found = said(await client.call_tool("ask", {"question": question, "entities": [name]}))
            assert found["answers"] == [born[name]] and found["namesakes"] == []
        assert first["reading"] == 1 and first["other_readings"]
        for other in first["other_readings"]:
            found = said(await client.call_tool("ask", {"question": question, "reading": other["number"]}))
            assert (found["reading"], found["read_as"]) == (other["number"], other["text"])
            assert 1 in [o["number"] for o in found["other_readings"]] and "it may also be" not in found["text"]
        claim = {"claim": "Duke was born on 2004-05-17", "entities": ["Duke (horse)"]}
        assert said(await client.call_tool("verify_claim", claim))["verdict"] == "supported"
        for wrong in ({"reading": 99}, {"reading": 0}, {"entities": ["Nobody Whatsoever"]}, {"entities": "x"}):
            result = await client.call_tool("ask", {"question": question, **wrong})
            assert result.is_error and result.content[0].text, wrong  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", MODES)
async def test_errors_are_told_as_errors(films: dict[str, Any], mode: str) -> None:
    calls = [
        ("ask", {"question": "fail please"}),
        ("explore_relations", {"entity": "Nobody Whatsoever Here"}),
        ("explore_relations", {"entity": "Alien", "relation": "eaten by"}),
        ("show_evidence", {"evidence_id": "none"}),
        ("get_schema", {"graph": "nowhere"}),
    ]
    async with Client(build(service(films)), mode=mode) as client:
        for name, arguments in calls:
            result = await client.call_tool(name, arguments)
            assert result.is_error and result.content[0].text, name  # type: ignore[union-attr]


async def test_resources_and_prompts(films: dict[str, Any]) -> None:
    async with Client(build(service(films))) as client:
        schema = (await client.read_resource("kg://schema")).contents[0]
        assert json.loads(schema.text)["triples"] > 9_000  # type: ignore[union-attr]
        entity = (await client.read_resource("kg://entity/Blade%20Runner")).contents[0]
        assert json.loads(entity.text)["about"] == "Blade Runner"  # type: ignore[union-attr]
        answer = said(await client.call_tool("ask", {"question": "Who made Blade Runner?"}))
        kept = (await client.read_resource(f"kg://evidence/{answer['evidence_id']}")).contents[0]
        assert len(json.loads(kept.text)["facts"]) > 3  # type: ignore[union-attr]
        names = {p.name for p in (await client.list_prompts()).prompts}
        assert names == {"ask_the_graph", "check_a_claim"}
        prompt = await client.get_prompt("ask_the_graph", {"question": "Who?"})
        assert "Who?" in prompt.messages[0].content.text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("uri", "said"),
    [("kg://entity/Nope", "no entity is named 'Nope'"), ("kg://evidence/none", "there is no such answer, or")],
)
async def test_a_resource_that_is_not_there_is_told(films: dict[str, Any], uri: str, said: str) -> None:
    async with Client(build(service(films))) as client:
        with pytest.raises(MCPError, match=said):
            await client.read_resource(uri)


async def test_replies_are_capped(hostile_graph: dict[str, Any]) -> None:
    from triplewise.kg import NetworkxStore
    from triplewise.types import Triple

    big = NetworkxStore([Triple("Alpha", "says", "word " * 10_000 + str(i)) for i in range(300)], name="big")
    async with Client(build(service({"big": big}))) as client:
        for name, arguments in [
            ("explore_relations", {"entity": "Alpha"}),
            ("ask", {"question": "Alpha"}),
            ("search_nodes", {"query": "word"}),
        ]:
            assert len(json.dumps(said(await client.call_tool(name, arguments)))) < 50_000, name


@pytest.mark.parametrize("mode", MODES)
async def test_over_http(serve: Serve, mode: str) -> None:
    async with Client(serve().url + "/mcp", mode=mode) as client:
        answer = said(await client.call_tool("ask", {"question": "Who made Blade Runner?"}))
        assert "Ridley Scott" in answer["text"]


@pytest.mark.parametrize("mode", MODES)
async def test_over_http_with_a_choice(serve: Serve, mode: str) -> None:
    async def answer(context: Any, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"choice": "Aliens (film, 1986)"})

    async with Client(serve().url + "/mcp", mode=mode, elicitation_callback=answer) as client:
        found = said(await client.call_tool("ask", {"question": "Which Alien has the best music?"}))
    assert found["evidence"][0]["head"] == "Aliens"


def test_over_http_with_a_key(serve: Serve) -> None:
    served = serve(key=KEY)
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    with served.client() as http:
        assert http.post("/mcp", json=request).status_code == 401
        headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json, text/event-stream"}
        assert http.post("/mcp", json=request, headers=headers).status_code != 401


@pytest.mark.parametrize("mode", MODES)
async def test_as_a_child_process(mode: str) -> None:
    code = f"import sys; sys.path.append({str(SUPPORT)!r}); import mcp_child"
    async with Client(
        stdio_client(StdioServerParameters(command=sys.executable, args=["-c", code])), mode=mode
    ) as client:
        assert {t.name for t in (await client.list_tools()).tools} == TOOLS
        given = {"question": "Who made Blade Runner?", "reading": 2, "entities": ["Blade Runner"]}
        answer = said(await client.call_tool("ask", given))
        assert answer["reading"] == 1 and [o["number"] for o in answer["other_readings"]] == [2]
        assert "Ridley Scott" in answer["text"]
