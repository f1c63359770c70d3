"""The server's application: the routes, what stands before them, and their start and end."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from triplewise import __version__
from triplewise.errors import UserError
from triplewise.interfaces.serve import openai_routes, page_routes
from triplewise.interfaces.serve.logs import INTERNAL, RequestLog, log_error, log_event
from triplewise.interfaces.serve.security import Guard, Refusal
from triplewise.interfaces.serve.service import BusyError, Service


def create_app(service: Service) -> ASGIApp:
    """The whole server over a service: log outermost, then the guard, then the routes."""
    mcp = _Mcp(service)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with mcp.running():
                log_event("started", version=__version__, graphs=len(service.graphs))
                yield
        except Exception as error:
            log_error("start failed", error)
            raise
        finally:
            await service.close()
            log_event("stopped", seconds=round(time.time() - service.started))

    app = FastAPI(
        title="triplewise", version=__version__, docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan
    )
    app.include_router(page_routes.pages())
    app.include_router(page_routes.api(service))
    app.include_router(openai_routes.router(service, openwebui=False))
    app.include_router(openai_routes.router(service, openwebui=True))

    @app.api_route("/healthz", methods=["GET", "HEAD"])
    async def health() -> dict[str, Any]:
        return {"status": "ok", "version": __version__, "turns": service.running}

    app.router.routes.append(Route("/mcp", mcp, methods=["GET", "POST", "DELETE"]))
    app.add_exception_handler(UserError, page_routes.user_error)
    app.add_exception_handler(RequestValidationError, page_routes.validation_error)
    app.add_exception_handler(BusyError, _busy)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(HTTPException, _no_route)
    app.add_exception_handler(Exception, _internal)
    return RequestLog(Guard(app, service.options))


class _Mcp:
    """The MCP endpoint; importing its SDK takes two seconds, so that it is made at the server's start."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.manager: Any = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        from mcp.server.transport_security import TransportSecuritySettings

        from triplewise.interfaces.serve.mcp_server import build

        server = build(self.service)
        own_guard = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # Guard stands before all routes
        server.streamable_http_app(transport_security=own_guard, max_request_body_size=self.service.options.max_body)
        self.manager = server.session_manager
        async with self.manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.manager.handle_request(scope, receive, send)


async def _busy(request: Request, error: Exception) -> Response:
    assert isinstance(error, BusyError)
    body = {"error": {"message": error.message, "hint": error.hint}}
    return JSONResponse(body, HTTPStatus.TOO_MANY_REQUESTS, {"Retry-After": "1"})


async def _internal(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": {"message": INTERNAL, "type": "server_error", "param": None, "code": None}}, 500)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _invalid(error.message, int(error.status), {"Connection": "close"})


async def _no_route(request: Request, error: Exception) -> Response:
    """An address or a method that no route takes; the framework would answer in a form of its own."""
    assert isinstance(error, HTTPException)
    said = {404: "There is no such address.", 405: f"This address does not take {request.method}."}
    return _invalid(said.get(error.status_code, error.detail), error.status_code, error.headers)


def _invalid(message: str, status: int, headers: Mapping[str, str] | None) -> Response:
    """An error of the client's in OpenAI's form."""
    body = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}
    return JSONResponse(body, status, headers)
