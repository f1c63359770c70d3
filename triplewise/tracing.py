"""Spans of OpenTelemetry by its GenAI conventions, where ``opentelemetry-api`` is installed and the program that uses
triplewise has set up a tracer provider; else nothing happens. ::

    invoke_workflow query-graph
    └── node find_readings
    execute_tool ask
    └── invoke_workflow kg-gpt
        └── node segment
            └── chat gpt-4o-mini

Prompts, replies and arguments are left out, unless ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` is "true":
questions and graphs may be private. Of an error its type is told, not its message.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

Operation = Literal["invoke_workflow", "execute_tool", "retrieval", "chat", "node"]
_NAMES: dict[str, str] = {
    "invoke_workflow": "gen_ai.workflow.name",
    "execute_tool": "gen_ai.tool.name",
    "retrieval": "gen_ai.data_source.id",
    "chat": "gen_ai.request.model",
    "node": "triplewise.node",
}
"""Operation → the attribute that has the span's name."""
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


class Span:
    """A span under way, or none."""

    def __init__(self, span: Any = None) -> None:
        self._span = span

    def set(self, attributes: Mapping[str, Any]) -> None:
        """Add attributes; those that are None are left out."""
        if self._span is not None:
            self._span.set_attributes({name: value for name, value in attributes.items() if value is not None})

    @property
    def captures(self) -> bool:
        """Whether contents are wanted."""
        return self._span is not None and self._span.is_recording() and os.environ.get(CAPTURE, "").lower() == "true"


@contextmanager
def span(operation: Operation, name: str, attributes: Mapping[str, Any] | None = None) -> Iterator[Span]:
    """A span around a block, below the one that is under way."""
    try:
        from opentelemetry import trace
    except ImportError:
        yield Span()
        return
    kind = trace.SpanKind.CLIENT if operation == "chat" else trace.SpanKind.INTERNAL
    told = {_NAMES[operation]: name} | ({"gen_ai.operation.name": operation} if operation != "node" else {})
    with trace.get_tracer("triplewise").start_as_current_span(
        f"{operation} {name}", kind=kind, attributes=told, record_exception=False, set_status_on_exception=False
    ) as current:
        made = Span(current)
        made.set(attributes or {})
        try:
            yield made
        except BaseException as error:
            made.set({"error.type": type(error).__name__})
            current.set_status(trace.StatusCode.ERROR)
            raise


def traced(operation: Operation, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function or coroutine function, each call of it in a span."""

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awaited(*args: Any, **kwargs: Any) -> Any:
                with span(operation, name):
                    return await function(*args, **kwargs)

            return awaited

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            with span(operation, name):
                return function(*args, **kwargs)

        return called

    return around


def messages_json(messages: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """(role, text) pairs as the conventions write messages."""
    return [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in messages]
