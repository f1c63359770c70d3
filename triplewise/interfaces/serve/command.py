"""``triplewise serve``: the page, the OpenAI-compatible API and MCP over HTTP; ``triplewise mcp``: MCP over stdio."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.errors import MissingExtraError
from triplewise.interfaces.options import Cache, MaxCalls, MaxCost, MaxTokens, Model, SkipBad, Timeout, settings_of
from triplewise.places import threads_file

if TYPE_CHECKING:
    from triplewise.config import Settings
    from triplewise.interfaces.serve.options import ServeOptions
    from triplewise.interfaces.serve.service import Service
    from triplewise.kg.base import KGStore

Graphs = Annotated[
    list[str] | None, typer.Option("--kg", help="Graph file, folder or 'films'; repeatable, the first is the default.")
]
Method = Annotated[str | None, typer.Option("--method", help="For questions; default: the best there is.")]
Threads = Annotated[
    str | None,
    typer.Option(
        "--threads", metavar="PLACE", help="File or postgresql://… of conversations; default: your data folder."
    ),
]


def register(app: typer.Typer) -> None:
    """Add ``serve`` and ``mcp`` to the command line."""

    @app.command()
    def serve(
        kg: Graphs = None,
        model: Model = None,
        host: Annotated[
            str, typer.Option("--host", help="Address to listen on; others than loopback need a key.")
        ] = "127.0.0.1",
        port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8000,
        threads: Threads = None,
        allow_host: Annotated[
            list[str] | None,
            typer.Option("--allow-host", metavar="NAME", help="A name that callers use for this server; repeatable."),
        ] = None,
        frame_origin: Annotated[
            str,
            typer.Option("--frame-origin", metavar="URL", help="The site that may frame evidence pages (Open WebUI)."),
        ] = "",
        public_url: Annotated[
            str, typer.Option("--public-url", metavar="URL", help="What links to evidence begin with, behind a proxy.")
        ] = "",
        log: Annotated[
            bool | None,
            typer.Option(
                "--log/--no-log", help="A JSON line per request on stderr; default: unless that is a terminal."
            ),
        ] = None,
        method: Method = None,
        cache: Cache = None,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        skip_bad_lines: SkipBad = False,
    ) -> None:
        """Serve graphs: a chat page, an OpenAI-compatible API (/v1) and MCP (/mcp)."""
        _need("fastapi", "uvicorn", extra="serve")
        _need("mcp", extra="mcp")
        from triplewise.interfaces.serve.options import ServeOptions, checked, key_of

        options = checked(
            ServeOptions(
                host=host, port=port, key=key_of(os.environ), allowed_hosts=tuple(allow_host or ()),
                frame_origin=frame_origin, public_url=public_url,
            )
        )  # fmt: skip
        settings = settings_of(
            model=model,
            method=method,
            cache=cache,
            timeout=timeout,
            max_calls=max_calls,
            max_tokens=max_tokens,
            max_cost=max_cost,
        )
        _serve(options, settings, kg, threads, skip_bad_lines, sys.stderr.isatty() is False if log is None else log)

    @app.command()
    def mcp(
        kg: Graphs = None,
        model: Model = None,
        method: Method = None,
        cache: Cache = None,
        timeout: Timeout = None,
        max_calls: MaxCalls = None,
        max_tokens: MaxTokens = None,
        max_cost: MaxCost = None,
        skip_bad_lines: SkipBad = False,
    ) -> None:
        """Serve graphs to an MCP client over stdin and stdout."""
        _need("mcp", extra="mcp")
        settings = settings_of(
            model=model,
            method=method,
            cache=cache,
            timeout=timeout,
            max_calls=max_calls,
            max_tokens=max_tokens,
            max_cost=max_cost,
        )
        _stdio(settings, kg, skip_bad_lines)


def _serve(
    options: ServeOptions, settings: Settings, kg: list[str] | None, threads: str | None, skip: bool, log: bool
) -> None:
    from triplewise.interfaces.serve import http_server, logs
    from triplewise.interfaces.serve.app import create_app

    sock = http_server.listen(options)
    logs.configure(everything=log)
    service = service_of(settings, load_graphs(kg or [settings.kg], skip), threads or threads_file(), options)
    address = sock.getsockname()
    name = f"[{address[0]}]" if ":" in address[0] else address[0]
    print(f"{', '.join(service.graphs)} at http://{name}:{address[1]} (Ctrl-C stops)", flush=True)
    with sock:
        http_server.server(create_app(service), options).run(sockets=[sock])


def _stdio(settings: Settings, kg: list[str] | None, skip: bool) -> None:
    import anyio

    from triplewise.interfaces.serve import logs
    from triplewise.interfaces.serve.mcp_server import build
    from triplewise.interfaces.serve.options import ServeOptions

    logs.configure(everything=False)
    graphs = load_graphs(kg or [settings.kg], skip)

    async def run() -> None:
        service = service_of(settings, graphs, None, ServeOptions())
        try:
            await build(service).run_stdio_async()
        finally:
            await service.close()

    anyio.run(run)


def service_of(
    settings: Settings, graphs: dict[str, KGStore], threads: str | Path | None, options: ServeOptions
) -> Service:
    """The service over graphs, with the model and the caps of the settings."""
    from triplewise.backends import load_chat_model
    from triplewise.graphs.assistant import Assistant
    from triplewise.graphs.method import method as method_of
    from triplewise.graphs.method import methods
    from triplewise.interfaces.serve.service import Service

    if settings.method:
        method_of(settings.method, "ask")  # a wrong one is told at the start, not at the first question
    chat = load_chat_model(settings.model, **settings.model_options())
    caps = settings.budget()

    def make(stores: Any, method: str) -> Assistant:
        return Assistant(dict(stores), chat, method=method or settings.method or "", caps=caps)

    assistant = Assistant(dict(graphs), chat, method=settings.method or "", threads=threads, caps=caps)
    names = tuple(record.id for record in methods("ask"))
    return Service(assistant, make, options, model=settings.model, chat=chat, methods=names)


def load_graphs(paths: list[str], skip_bad_lines: bool = False) -> dict[str, KGStore]:
    """The graphs by name; of two with one name the second gets a number."""
    from triplewise.kg import load_kg

    graphs: dict[str, KGStore] = {}
    for path in paths:
        store = load_kg(path, skip_bad_lines=skip_bad_lines)
        name, n = store.name, 2
        while name in graphs:
            name, n = f"{store.name} {n}", n + 1
        graphs[name] = store
    return graphs


def _need(*modules: str, extra: str) -> None:
    from importlib.util import find_spec

    if any(find_spec(module) is None for module in modules):
        raise MissingExtraError("this command", extra)
