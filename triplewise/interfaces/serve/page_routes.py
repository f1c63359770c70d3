"""The page's files, and the JSON that it calls: turns, threads, graphs, evidence.

A turn is a POST that is answered by a stream of the assistant's events as they are (``Event.to_json``). What a page may
name is an id; a file's name is only ever one of a fixed list.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator, Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, Field

from triplewise import __version__
from triplewise.errors import QuestionError, UnknownEntityError, UserError
from triplewise.interfaces.serve.security import key_matches
from triplewise.interfaces.serve.service import Events, Service
from triplewise.interfaces.serve.sse import EventStream, data_line
from triplewise.kg.base import KGStore

FOLDER = Path(__file__).parent / "page"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
FILES = {path.name: path for path in FOLDER.iterdir() if path.suffix in _TYPES}
SUFFIXES = (".tsv", ".csv", ".txt", ".nt", ".ttl", ".turtle", ".jsonld", ".json")
NODE_LIMIT = 40
"""Triples that expanding a node brings at a time."""

Id = Annotated[str, Field(min_length=1, max_length=200)]


class _Turn(BaseModel):
    text: Annotated[str, Field(min_length=1, max_length=20_000)]
    thread_id: Id | None = None
    kg: Id | None = None


class _Resume(BaseModel):
    thread_id: Id
    choice: Annotated[str, Field(max_length=2_000)] | None = None


class _ReadAs(BaseModel):
    thread_id: Id
    message_id: Id
    reading: Annotated[int, Field(ge=0, le=100)]


class _Thread(BaseModel):
    thread_id: Id


class _Title(BaseModel):
    title: Annotated[str, Field(min_length=1, max_length=200)]


class _Fork(BaseModel):
    message_id: Id


class _Upload(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(min_length=1)]


def pages() -> APIRouter:
    """The page itself; it holds nothing of a graph, so that it needs no key."""
    routes = APIRouter()

    @routes.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def index() -> Response:
        return _file("index.html")

    @routes.api_route("/favicon.ico", methods=["GET", "HEAD"], include_in_schema=False)
    async def icon() -> Response:
        return _file("icon.svg")

    @routes.api_route("/evidence/{message_id}", methods=["GET", "HEAD"], include_in_schema=False)
    async def evidence_page(message_id: str) -> Response:
        return _file("evidence.html")

    @routes.get("/page/{name}", include_in_schema=False)
    async def page_file(name: str) -> Response:
        return _file(name) if name in FILES else PlainTextResponse("There is no such file.", 404)

    return routes


def _file(name: str) -> Response:
    return FileResponse(FILES[name], media_type=_TYPES[FILES[name].suffix], headers={"Cache-Control": "no-cache"})


def api(service: Service) -> APIRouter:
    """What the page calls."""
    routes = APIRouter(prefix="/api")
    assistant = service.assistant

    @routes.get("/start")
    async def start(kg: str | None = None) -> dict[str, Any]:
        name = _graph_name(service, kg)
        overview = await assistant.overview(name)
        return {
            "version": __version__,
            "model": service.model,
            "graphs": [{"name": n, "triples": len(store)} for n, store in service.graphs.items()],
            "overview": asdict(overview),
            "suggestions": await assistant.suggestions(name, 6),
        }

    @routes.post("/turn")
    async def turn(asked: _Turn) -> Response:
        kg = _graph_name(service, asked.kg) if asked.kg else None
        return _turn(service, lambda: assistant.stream(asked.thread_id, asked.text, can_ask=True, kg=kg))

    @routes.post("/turn/resume")
    async def resume(asked: _Resume) -> Response:
        return _turn(service, lambda: assistant.resume(asked.thread_id, asked.choice))

    @routes.post("/turn/read-as")
    async def read_as(asked: _ReadAs) -> Response:
        return _turn(service, lambda: assistant.read_as(asked.thread_id, asked.message_id, asked.reading))

    @routes.post("/turn/stop")
    async def stop(asked: _Thread) -> dict[str, Any]:
        return {"stopped": await assistant.stop(asked.thread_id)}

    @routes.get("/threads")
    async def threads(before: str | None = None) -> list[dict[str, Any]]:
        return [asdict(thread) for thread in await assistant.threads(50, before)]

    @routes.get("/threads/{thread_id}")
    async def messages(thread_id: str) -> list[dict[str, Any]]:
        return [_plain(message) for message in await assistant.messages(thread_id)]

    @routes.post("/threads/{thread_id}/rename")
    async def rename(thread_id: str, asked: _Title) -> dict[str, Any]:
        return asdict(await assistant.rename(thread_id, asked.title))

    @routes.post("/threads/{thread_id}/fork")
    async def fork(thread_id: str, asked: _Fork) -> dict[str, Any]:
        return asdict(await assistant.fork(thread_id, asked.message_id))

    @routes.get("/threads/{thread_id}/export")
    async def export(thread_id: str, format: Literal["json", "markdown"] = "markdown") -> Response:
        return PlainTextResponse(await assistant.export(thread_id, format))

    @routes.delete("/threads/{thread_id}")
    async def delete(thread_id: str) -> dict[str, Any]:
        await assistant.delete(thread_id)
        return {"deleted": True}

    @routes.post("/graphs")
    async def upload(asked: _Upload) -> dict[str, Any]:
        return {"name": await _add(service, asked)}

    @routes.get("/graphs/{name}/node")
    async def node(
        name: str, id: Annotated[str, Query(max_length=10_000)], offset: Annotated[int, Query(ge=0)] = 0
    ) -> Any:
        return node_json(service.graphs[_graph_name(service, name)], id, offset)

    @routes.get("/evidence/{message_id}")
    async def evidence(request: Request, message_id: str, s: str = "") -> Any:
        authorized = key_matches(request.headers.get("authorization", ""), service.options.key)
        if not service.may_see(message_id, s, authorized):
            return JSONResponse(_error("The link is not complete.", ""), 401)
        return [asdict(citation) for citation in await service.evidence(message_id)]

    return routes


def _turn(service: Service, events: Callable[[], Events]) -> Response:
    service.check_room()
    stream = service.turn(events, "page")

    async def lines() -> AsyncGenerator[str, None]:
        async for event in stream:
            yield data_line(event.to_json())

    return EventStream(lines(), service.options.keep_alive, stream)


def _plain(message: Any) -> dict[str, Any]:
    return {**{f.name: getattr(message, f.name) for f in fields(message)}, "data": dict(message.data)}


def _graph_name(service: Service, name: str | None) -> str:
    if name is None:
        return next(iter(service.graphs))
    if name not in service.graphs:
        raise UserError("there is no graph of that name here.", f"Known: {', '.join(service.graphs)}.")
    return name


async def _add(service: Service, asked: _Upload) -> str:
    """Read a file that was dropped on the page. Its name serves as a label and for its suffix, never as a path."""
    given = Path(asked.name.replace("\\", "/")).name
    suffix = Path(given).suffix.lower()
    if suffix not in SUFFIXES:
        raise QuestionError(f"a file {suffix or 'without a suffix'} is no graph.", f"Readable: {' '.join(SUFFIXES)}.")
    if len(service.graphs) >= 16:
        raise QuestionError("16 graphs are open; that is as many as may be.", "Start the server anew.")
    stem = "".join(c for c in Path(given).stem if c.isalnum() or c in " -_.")[:60].strip(" .") or "graph"
    name, n = stem, 2
    while name in service.graphs:
        name, n = f"{stem} {n}", n + 1
    with tempfile.TemporaryDirectory(prefix="triplewise-") as folder:
        path = Path(folder) / f"graph{'.jsonld' if suffix == '.json' else suffix}"
        path.write_text(asked.text, encoding="utf-8", newline="")
        try:
            return await service.add_graph(str(path), name)
        except UserError as error:
            raise QuestionError(error.message.replace(str(path), given), error.hint) from None


def node_json(kg: KGStore, node: str, offset: int = 0) -> dict[str, Any]:
    """A node with its triples, ``NODE_LIMIT`` at a time."""
    if not kg.has_entity(node):
        raise UnknownEntityError("there is no such node.")
    triples = [] if kg.is_literal(node) else list(kg.neighborhood([node], 1))
    return {
        "id": node,
        "label": kg.display(node),
        "description": kg.description(node),
        "types": [kg.display(t) for t in kg.types(node)],
        "total": len(triples),
        "triples": [
            {"head": t.head, "relation": t.relation, "tail": t.tail,
             "labels": [kg.display(t.head), kg.relation_label(t.relation), kg.display(t.tail)]}
            for t in triples[offset : offset + NODE_LIMIT]
        ],
    }  # fmt: skip


def _error(message: str, hint: str) -> dict[str, Any]:
    return {"error": {"message": message, "hint": hint}}


async def user_error(request: Request, error: Exception) -> Response:
    """What the user can mend, as JSON."""
    assert isinstance(error, UserError)
    return JSONResponse(_error(error.message, error.hint), 404 if isinstance(error, UnknownEntityError) else 400)


async def validation_error(request: Request, error: Any) -> Response:
    """A body of another form: which field, and never its value."""
    places = [".".join(str(part) for part in problem["loc"] if part != "body") for problem in error.errors()[:5]]
    return JSONResponse(_error(f"The request is not of the form asked for: {', '.join(places)}.", ""), 400)
