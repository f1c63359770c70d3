"""A scripted chat model: for tests and examples, and for running a graph without any model.

Replies come from a list (in order), from rules (the first regular expression that matches the last
message), or from a function of the messages. A reply is a text, an ``AIMessage`` (with tool calls) or an
exception, which is raised. Tokens are counted as words.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LangSmithParams
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolCallChunk, UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field, PrivateAttr

from triplewise.backends.cache import stable_json
from triplewise.backends.calling import calling_node, is_repair
from triplewise.errors import BackendError, ConfigError
from triplewise.types import Price

Reply = str | AIMessage | Exception
ReplyFunction = Callable[[list[BaseMessage], dict[str, Any]], Reply]


class ScriptedChatModel(BaseChatModel):
    """Replies as scripted; ``calls`` records the messages and arguments of every call."""

    responses: Any = Field(default_factory=list)
    """A list of replies; rules, as a mapping or a list of (pattern, reply); or a ``ReplyFunction``, whose arguments
    hold the name of the calling node as ``node``."""
    latency: float = 0.0
    """Seconds per call."""
    supports_grammar: bool = False
    """Whether nodes pass it ``grammar=``; the script sees it and need not obey."""
    price: Price | None = None
    name_: str = "scripted"
    """The model's name in metadata and in the cache's key."""
    temperature: float | None = None
    max_tokens: int | None = None
    stop: list[str] | None = None
    calls: list[tuple[list[BaseMessage], dict[str, Any]]] = Field(default_factory=list, exclude=True)
    _next: int = PrivateAttr(default=0)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def _llm_type(self) -> str:
        return "triplewise-scripted"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"name": self.name_, "temperature": self.temperature, "max_tokens": self.max_tokens, "stop": self.stop}

    def _get_llm_string(self, stop: list[str] | None = None, **kwargs: Any) -> str:
        return stable_json({"type": self._llm_type, **self._identifying_params, "call": {**kwargs, "stop": stop}})

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        known = super()._get_ls_params(stop=stop, **kwargs)
        return {**known, "ls_provider": "triplewise", "ls_model_name": kwargs.get("model", self.name_)}

    @classmethod
    def from_spec(cls, spec: str, **settings: Any) -> ScriptedChatModel:
        """``fake:FILE.json``: a list of replies, or of {"match": regex, "reply": text}; or ``fake:echo``.

        Raises ConfigError where the file is missing or something else.
        """
        known = {name: value for name, value in settings.items() if name in cls.model_fields}
        if spec == "echo":
            return cls(responses=lambda messages, kwargs: messages[-1].text, name_=spec, **known)
        try:
            data = json.loads(Path(spec).read_text(encoding="utf-8"))
        except OSError:
            raise ConfigError(f"fake: no script {spec!r}.", "Give fake:FILE.json, a list of replies.") from None
        except ValueError as error:
            raise ConfigError(f"fake: {spec} is not JSON: {error}") from None
        if not isinstance(data, list) or not data:
            raise ConfigError(f"fake: {spec} is not a list of replies.")
        try:
            if isinstance(data[0], dict):
                data = [(re.compile(rule["match"]).pattern, str(rule["reply"])) for rule in data]
            elif not all(isinstance(reply, str) for reply in data):
                raise TypeError
        except (TypeError, KeyError, re.error):
            raise ConfigError(
                f"fake: {spec} is no script.", 'It is a list of texts, or of {"match": regex, "reply": text}.'
            ) from None
        return cls(responses=data, name_=spec, **known)

    def _scripted(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> Reply:
        responses = self.responses
        if callable(responses):
            function: Any = responses
            return function(messages, {**kwargs, "node": calling_node(), "repair": is_repair()})
        rules: Any = list(responses.items()) if isinstance(responses, Mapping) else responses
        if rules and isinstance(rules[0], tuple | list):
            last = messages[-1].text
            for pattern, reply in rules:
                if re.search(pattern, last, re.S):
                    return reply
            raise BackendError(f"fake: no rule matches {last[-200:]!r}.")
        with self._lock:
            if self._next >= len(rules):
                raise BackendError(f"fake: the script has {len(rules)} replies; one more was asked for.")
            self._next += 1
            return rules[self._next - 1]

    def _reply(self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]) -> AIMessage:
        self.calls.append((messages, {**kwargs, "stop": stop}))
        reply = self._scripted(messages, {**kwargs, "stop": stop})
        if isinstance(reply, Exception):
            raise reply
        message = reply if isinstance(reply, AIMessage) else AIMessage(reply)
        text = message.content
        if isinstance(text, str):
            for sequence in stop or self.stop or ():
                text = text.split(sequence)[0]
        asked = sum(self.get_num_tokens(m.text) for m in messages)
        told = self.get_num_tokens(message.text) + len(message.tool_calls)
        usage = UsageMetadata(input_tokens=asked, output_tokens=told, total_tokens=asked + told)
        known = {"model_name": kwargs.get("model", self.name_), "model_provider": "triplewise"}
        return message.model_copy(
            update={
                "content": text,
                "usage_metadata": message.usage_metadata or usage,
                "response_metadata": {**known, **message.response_metadata},
            }
        )

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        time.sleep(self.latency)
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, stop, kwargs))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        await asyncio.sleep(self.latency)
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, stop, kwargs))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        time.sleep(self.latency)
        for chunk in _chunks(self._reply(messages, stop, kwargs)):
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        await asyncio.sleep(self.latency)
        for chunk in _chunks(self._reply(messages, stop, kwargs)):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: Any = None, **kwargs: Any) -> Any:
        """Pass the tools on to the script as OpenAI tool definitions."""
        defined = [convert_to_openai_tool(t) for t in tools]
        return self.bind(tools=defined, tool_choice=tool_choice, **kwargs)

    def get_num_tokens(self, text: str) -> int:
        """Words."""
        return len(text.split())


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    """A message in pieces of a word each; tool calls and usage with the last."""
    words = re.findall(r"\s*\S+\s*$|\s*\S+", message.text) or [message.text]
    for word in words[:-1]:
        yield ChatGenerationChunk(message=AIMessageChunk(content=word))
    calls = [
        ToolCallChunk(name=c["name"], args=json.dumps(c["args"]), id=c["id"], index=i, type="tool_call_chunk")
        for i, c in enumerate(message.tool_calls)
    ]
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content=words[-1],
            tool_call_chunks=calls,
            usage_metadata=message.usage_metadata,
            response_metadata=message.response_metadata,
            chunk_position="last",
        )
    )
