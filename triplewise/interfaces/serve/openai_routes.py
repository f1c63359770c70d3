"""``/v1`` and ``/openwebui/v1``: models and chat completions as OpenAI's clients know them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from triplewise.agents.assistant.events import Answered, Failed, StepStarted, Token
from triplewise.interfaces.serve.openai_reply import Reply
from triplewise.interfaces.serve.openai_request import (
    ChatRequest,
    RequestError,
    housekeeping_reply,
    model_ids,
    parse,
)
from triplewise.interfaces.serve.service import BusyError, Events, Service, ending, failed, new_id
from triplewise.interfaces.serve.sse import DONE, EventStream, data_line


def router(service: Service, *, openwebui: bool) -> APIRouter:
    """The routes; ``openwebui``: with citations and steps as Open WebUI shows them."""
    routes = APIRouter(prefix="/openwebui/v1" if openwebui else "/v1")
    client = "openwebui" if openwebui else "openai"

    def models() -> list[str]:
        return model_ids(service.methods, list(service.graphs))

    def described(model: str) -> dict[str, Any]:
        return {"id": model, "object": "model", "created": int(service.started), "owned_by": "triplewise"}

    @routes.get("/models")
    async def list_models() -> dict[str, Any]:
        return {"object": "list", "data": [described(model) for model in models()]}

    @routes.get("/models/{model:path}")
    async def one_model(model: str) -> Response:
        if model in models():
            return JSONResponse(described(model))
        return _error(RequestError("There is no such model.", param="model", code="model_not_found", status=404))

    @routes.post("/chat/completions")
    async def chat(request: Request) -> Response:
        try:
            body = json.loads(await request.body())
            asked = parse(body, request.headers, service.methods, list(service.graphs))
            service.check_room()
        except (ValueError, RecursionError):
            return _error(RequestError("The body is not JSON."))
        except RequestError as error:
            return _error(error)
        except BusyError as error:
            return _failure(Reply("", "", failure=failed(error)))
        base = service.options.public_url or f"{request.url.scheme}://{request.headers['host']}"
        reply = Reply(asked.model, "", openwebui, form=asked.form)
        if asked.task:
            return await _housekeeping(service, asked, reply)
        events = service.turn(lambda: _events(service, asked), client)
        if asked.stream:
            return await _stream(service, asked, reply, events, base)
        async with ending(events):
            async for event in events:
                reply.take(event)
        if not reply.answered or reply.failure:
            return _failure(reply)
        reply.base = service.evidence_url(base, reply.message_id)
        return JSONResponse(reply.completion())

    return routes


def _events(service: Service, asked: ChatRequest) -> Events:
    if asked.thread and not asked.method:
        return service.assistant.stream(asked.thread, asked.text, kg=asked.kg)
    return service.once(asked.text, method=asked.method, kg=asked.kg, history=asked.history)


async def _stream(service: Service, asked: ChatRequest, reply: Reply, events: Events, base: str) -> Response:
    """The stream, or an error with its own status where the turn fails before anything was to be said."""
    first = await anext(events, None)
    if isinstance(first, Failed):
        async with ending(events):
            reply.take(first)
            return _failure(reply)

    async def lines() -> AsyncGenerator[str, None]:
        async with ending(events):
            yield data_line(reply.chunk({"role": "assistant", "content": ""}))
            event = first
            while event is not None:
                reply.take(event)
                if reply.openwebui and isinstance(event, StepStarted):
                    yield data_line(reply.status(event))
                elif isinstance(event, Token) and (chunk := reply.token(event.text)) is not None:
                    yield data_line(chunk)
                event = await anext(events, None)
            if reply.failure or not reply.answered:
                yield data_line(reply.error()[1])
            else:
                reply.base = service.evidence_url(base, reply.message_id)
                for chunk in reply.text_chunks():
                    yield data_line(chunk)
                if asked.include_usage:
                    yield data_line(reply.usage_chunk())
            yield DONE

    return EventStream(lines(), service.options.keep_alive, events)


async def _housekeeping(service: Service, asked: ChatRequest, reply: Reply) -> Response:
    graph = asked.kg or next(iter(service.graphs), "graph")
    suggestions = await service.assistant.suggestions(asked.kg, 3) if asked.task == "follow_ups" else []
    reply.take(Answered(new_id(), housekeeping_reply(asked.task, asked.text, suggestions, graph), "chat"))
    if not asked.stream:
        return JSONResponse(reply.completion())

    chunks = [reply.chunk({"role": "assistant", "content": reply.text}), reply.chunk({}, "stop")]
    chunks += [reply.usage_chunk()] * asked.include_usage
    return Response("".join(map(data_line, chunks)) + DONE, media_type="text/event-stream")


def _failure(reply: Reply) -> Response:
    status, body = reply.error()
    headers = {"Retry-After": "1"} if status == 429 else {}
    if reply.failure and reply.failure.kind == "budget":
        headers["x-should-retry"] = "false"  # openai-python would ask again, and the cap would hold again
    return JSONResponse(body, status, headers)


def _error(error: RequestError) -> Response:
    body = {"message": error.message, "type": "invalid_request_error", "param": error.param, "code": error.code}
    return JSONResponse({"error": body}, error.status)
