"""A scripted chat model: for tests and examples, and for running a graph without any model.

Replies come from a list (in order), from rules (the first regular expression that matches the last
message), or from a function of the messages. Tokens are counted as words.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field, PrivateAttr

from triplewise.errors import BackendError, ConfigError

Reply = str | AIMessage
ReplyFunction = Callable[[list[BaseMessage], dict[str, Any]], Reply]


class ScriptedChatModel(BaseChatModel):
    """Replies as scripted; ``calls`` records the messages and arguments of every call."""

    responses: Any = Field(default_factory=list)
    """A list of replies, a list of (pattern, reply) rules, or a function (messages, kwargs) → reply."""
    latency: float = 0.0
    """Seconds per call."""
    supports_grammar: bool = False
    name_: str = "scripted"
    calls: list[tuple[list[BaseMessage], dict[str, Any]]] = Field(default_factory=list)
    _next: int = PrivateAttr(default=0)

    @property
    def _llm_type(self) -> str:
        return "triplewise-scripted"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"name": self.name_}

    @classmethod
    def from_spec(cls, spec: str, **settings: Any) -> ScriptedChatModel:
        """``fake:FILE.json``: a list of replies, or of {"match": regex, "reply": text}."""
        path = Path(spec)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except OSError:
            raise ConfigError(f"fake: no script {spec!r}.", "Give fake:FILE.json, a list of replies.") from None
        except ValueError as error:
            raise ConfigError(f"fake: {spec} is not JSON: {error}") from None
        if not isinstance(data, list):
            raise ConfigError(f"fake: {spec} is not a list.")
        if data and isinstance(data[0], dict):
            data = [(rule.get("match", ""), rule.get("reply", "")) for rule in data]
        return cls(responses=data, name_=spec)

    def _reply(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        self.calls.append((messages, kwargs))
        reply: Reply
        if callable(self.responses):
            reply = self.responses(messages, kwargs)
        elif self.responses and isinstance(self.responses[0], tuple | list):
            last = messages[-1].text
            rules = (answer for pattern, answer in self.responses if re.search(pattern, last, re.S))
            found = next(rules, None)
            if found is None:
                raise BackendError(f"fake: no rule matches {last[-200:]!r}.")
            reply = found
        else:
            if self._next >= len(self.responses):
                raise BackendError(f"fake: the script has {len(self.responses)} replies; one more was asked for.")
            reply = self.responses[self._next]
            self._next += 1
        message = reply if isinstance(reply, AIMessage) else AIMessage(reply)
        stop = kwargs.get("stop")
        if isinstance(message.content, str) and stop:
            text = message.content
            for mark in stop:
                text = text.split(mark)[0]
            message = message.model_copy(update={"content": text})
        asked = sum(len(m.text.split()) for m in messages)
        told = len(message.text.split()) + len(message.tool_calls)
        usage = {"input_tokens": asked, "output_tokens": told, "total_tokens": asked + told}
        return message.model_copy(update={"usage_metadata": usage, "response_metadata": {"model_name": self.name_}})

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        time.sleep(self.latency)
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, {**kwargs, "stop": stop}))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        await asyncio.sleep(self.latency)
        return ChatResult(generations=[ChatGeneration(message=self._reply(messages, {**kwargs, "stop": stop}))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        yield from _chunks(self._reply(messages, {**kwargs, "stop": stop}))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(self._reply(messages, {**kwargs, "stop": stop})):
            yield chunk

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: Any = None, **kwargs: Any) -> Any:
        """Pass the tools on to the script as OpenAI tool definitions."""
        defined = [convert_to_openai_tool(t) for t in tools]
        return self.bind(tools=defined, tool_choice=tool_choice, **kwargs)

    def get_num_tokens(self, text: str) -> int:
        """Words."""
        return len(text.split())


def _chunks(message: AIMessage) -> Iterator[ChatGenerationChunk]:
    """A message in pieces of a word each, the usage with the last."""
    words = re.findall(r"\s*\S+\s*$|\s*\S+", message.text) or [""]
    for word in words[:-1]:
        yield ChatGenerationChunk(message=AIMessageChunk(content=word))
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content=words[-1],
            tool_calls=message.tool_calls,
            usage_metadata=message.usage_metadata,
            response_metadata=message.response_metadata,
            chunk_position="last",
        )
    )
