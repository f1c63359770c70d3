"""One call to a chat model whose reply must have a given format: all calls of nodes go through here.

A node states its reply format once: a grammar (GBNF) that llama.cpp decodes under, and a parser
that is tolerant for every other model. A reply that does not parse is asked for once more with
the reason; if that fails too, the node's stated fallback is used and the step says so. Errors of
the backend itself (timeout, refused, context overflow) are never turned into a fallback, nor is a model's
refusal. What names and questions hold of a tokenizer's control tokens is made harmless before it is sent.
Each request is charged to the active budget (``usage.use_budget``) and refused beyond its caps.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from triplewise.backends.llama.control_tokens import harmless
from triplewise.backends.reply import QUOTED, estimated_tokens, read_reply, was_cut, well_formed
from triplewise.backends.traits import traits_of
from triplewise.backends.usage import active_budget
from triplewise.errors import ReplyError
from triplewise.tracing import Span, messages_json, span
from triplewise.types import Step, StepStatus, Usage

T = TypeVar("T")
_TRACED = 20_000
"""Characters of a reply that a trace keeps."""
_node: ContextVar[str] = ContextVar("triplewise_node", default="")
_is_repair: ContextVar[bool] = ContextVar("triplewise_is_repair", default=False)


def calling_node() -> str:
    """The name of the node whose model call is under way ("segment", "select_relations[2]"), "" outside one.

    A scripted model tells by it what it is asked, whatever the prompt's words are.
    """
    return _node.get()


def is_repair() -> bool:
    """Whether the call under way asks a second time, since the first reply could not be read."""
    return _is_repair.get()


@dataclass(frozen=True, slots=True)
class ReplyFormat(Generic[T]):
    """What a valid reply is, for one call.

    ``parse`` raises ReplyError with a reason the model can act on. ``grammar`` must admit only
    what ``parse`` accepts; a function is called only for a model that decodes under a grammar.
    ``rank``: the replies that there are; a model that decodes under a grammar is then asked how probable each is,
    and ``parse`` is given JSON [[reply, log-probability], …], the likeliest first.
    ``fallback`` gives the value used when two replies failed and ``fallback_note`` says in words
    what that value is; without it the ReplyError is raised.
    """

    parse: Callable[[str], T]
    grammar: str | Callable[[], str] | None = None
    rank: tuple[str, ...] = ()
    fallback: Callable[[], T] | None = None
    fallback_note: str = ""
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[T]):
    """A parsed reply, and the step that records how it was obtained."""

    value: T
    step: Step


def usage_of(message: BaseMessage) -> Usage:
    """Usage of one reply; a reply from the LLM cache costs nothing and counts as a cache hit."""
    meta: Any = getattr(message, "usage_metadata", None) or {}
    if meta.get("total_cost") == 0:  # how langchain-core marks a cache hit
        return Usage(cache_hits=1)
    details = meta.get("input_token_details") or {}
    return Usage(
        calls=1,
        prompt_tokens=meta.get("input_tokens", 0),
        cached_tokens=details.get("cache_read", 0) or 0,
        completion_tokens=meta.get("output_tokens", 0),
    )


async def _ask(
    model: BaseChatModel, messages: Sequence[BaseMessage], kwargs: dict[str, Any], node: str, repair: bool
) -> tuple[AIMessage, Usage]:
    """One request, priced and charged. A model without a ``price`` field runs here and costs no money."""
    traits = traits_of(model)
    price, budget = traits.price, active_budget()
    if budget is not None:
        budget.reserve(priced=price is not None or traits.free)
    usage, named, second = Usage(), _node.set(node), _is_repair.set(repair)
    try:
        with span("chat", _model_name(model), {"gen_ai.provider.name": model._llm_type}) as seen:
            message = await model.ainvoke(list(messages), **kwargs)
            usage = _charged(usage_of(message), messages, message)
            _tell(seen, messages, message, usage)
        if price is not None:
            usage = replace(usage, cost=price.of(usage))
    finally:
        _node.reset(named)
        _is_repair.reset(second)
        if budget is not None:
            budget.settle(node, usage)
    return message, usage


def _model_name(model: BaseChatModel) -> str:
    names = (getattr(model, name, None) for name in ("model_name", "model", "name_"))
    return next((name for name in names if isinstance(name, str) and name), model._llm_type)


def _tell(seen: Span, messages: Sequence[BaseMessage], reply: AIMessage, usage: Usage) -> None:
    """What the conventions want to know of a call."""
    seen.set({
        "gen_ai.usage.input_tokens": usage.prompt_tokens, "gen_ai.usage.output_tokens": usage.completion_tokens,
        "triplewise.cache_hit": bool(usage.cache_hits),
    })  # fmt: skip
    if seen.captures:
        roles = {"human": "user", "ai": "assistant"}
        asked = messages_json([(roles.get(m.type, m.type), m.text) for m in messages])
        seen.set({
            "gen_ai.input.messages": json.dumps(asked, ensure_ascii=False),
            "gen_ai.output.messages": json.dumps(messages_json([("assistant", reply.text)]), ensure_ascii=False),
        })  # fmt: skip


def _charged(usage: Usage, messages: Sequence[BaseMessage], reply: BaseMessage) -> Usage:
    """The usage, estimated where the server gives none: a cap on tokens or money must hold there too."""
    if not usage.calls or usage.prompt_tokens > 0 or usage.completion_tokens > 0:
        return usage
    prompt = sum(estimated_tokens(m.text) for m in messages)
    return replace(usage, prompt_tokens=prompt, completion_tokens=estimated_tokens(reply.text))


def prepared(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages as they may be sent: no lone surrogates, no control tokens of a tokenizer."""
    out: list[BaseMessage] = []
    for message in messages:
        content = message.content
        safe = harmless(well_formed(content)) if isinstance(content, str) else content
        out.append(message if safe == content else message.model_copy(update={"content": safe}))
    return out


def prompt_text(messages: Sequence[BaseMessage]) -> str:
    """The messages as one readable text, for traces."""
    return "\n\n".join(f"[{m.type}]\n{m.text}" for m in messages)


async def call_model(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    reply: ReplyFormat[T],
    *,
    node: str,
    detail: dict[str, Any] | None = None,
) -> ParsedReply[T]:
    """Ask once, repair once, then fall back; see the module's docstring."""
    kwargs: dict[str, Any] = {}
    held = traits_of(model).supports_grammar
    if reply.rank and held:
        kwargs["rank"] = list(reply.rank)
    elif reply.grammar and held:
        kwargs["grammar"] = reply.grammar if isinstance(reply.grammar, str) else reply.grammar()
    if reply.stop:
        kwargs["stop"] = list(reply.stop)
    if reply.max_tokens:
        kwargs["max_tokens"] = reply.max_tokens
    messages = prepared(messages)
    asked: list[BaseMessage] = list(messages)
    usage, texts, started = Usage(), list[str](), time.perf_counter()
    error: ReplyError | None = None
    status: StepStatus = "ok"
    for attempt in ("ok", "repaired"):
        status = attempt
        message, spent = await _ask(model, asked, kwargs, node, attempt == "repaired")
        usage += spent
        texts.append(message.text[:_TRACED])
        try:
            # a ranking is our own JSON of all choices, as long as they are
            value = reply.parse(message.text if "rank" in kwargs else read_reply(message))
            break
        except ReplyError as failure:
            error = failure
            if was_cut(message):
                error = ReplyError(f"{failure.message} The reply was cut at its limit of tokens.")
            asked = prepared([
                *messages,
                AIMessage(message.text[:QUOTED]),
                HumanMessage(f"That reply cannot be used: {error.message} Reply again, in exactly the form asked for."),
            ])  # fmt: skip
    else:
        assert error is not None
        if reply.fallback is None:
            raise error
        status, value = "fallback", reply.fallback()
    note = "" if error is None else f"{error.message} {reply.fallback_note if status == 'fallback' else ''}".strip()
    step = Step(
        node=node,
        status=status,
        note=note,
        prompt=prompt_text(messages),
        reply="\n---\n".join(texts),
        detail=detail or {},
        usage=usage,
        seconds=time.perf_counter() - started,
    )
    return ParsedReply(value, step)
