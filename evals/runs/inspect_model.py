"""Our chat models inside Inspect, through its public interface only.

``TriplewiseAPI`` is a model provider, ``triplewise/SPEC`` (``triplewise/openai:gpt-4o-mini``,
``triplewise/llamacpp:embedded``): Inspect's token and money limits, retries and logs see every call that our
backends make. ``InspectChat`` is the chat model that the methods get: it hands each call to Inspect's
``get_model().generate()``. A call's arguments travel in ``GenerateConfig``; the grammar, which Inspect does
not know, in ``extra_body``. Inspect's own cache stays off (it pickles, and its key lacks the model arguments).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig

from triplewise.backends import load_chat_model
from triplewise.backends.calling import usage_of
from triplewise.backends.traits import traits_of
from triplewise.errors import BadResponseError
from triplewise.evals.accounting.call_broker import LedgerChat, priced
from triplewise.evals.accounting.spend import price_of
from triplewise.evals.runs.stage_gold import GOLD, gold_chat
from triplewise.types import Caps, Price

_run: ContextVar[tuple[str, dict[str, Any]] | None] = ContextVar("run", default=None)


@contextmanager
def kept_in(run: str | Path, caps: Caps) -> Iterator[None]:
    """Models made inside the block have every call in the ledger of a run's folder and every reply in its cache.

    Not model arguments: Inspect resumes only what has the same ones, and a run goes on from another place, or
    under higher caps, too.
    """
    token = _run.set((str(run), asdict(caps)))
    try:
        yield
    finally:
        _run.reset(token)


class TriplewiseAPI(ModelAPI):
    """A backend of ours as Inspect's model provider; ``model_args`` are ``load_chat_model``'s settings.

    ``triplewise/gold`` is ``evals.runs.stage_gold``'s model of the run's ``task``.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's signature; never changed
        task: dict[str, Any] | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if base_url:
            model_args["base_url"] = base_url
        self.chat: BaseChatModel
        if model_name == GOLD and task:
            self.chat = gold_chat(task)
        elif kept := _run.get():
            self.chat = LedgerChat.of(model_name, *kept, **model_args)
        else:
            self.chat = load_chat_model(model_name, **priced(model_args))
        self.local = model_name.startswith("llamacpp:")

    def close(self) -> None:
        """End a run's calls, and give its ledger back."""
        if isinstance(self.chat, LedgerChat):
            self.chat.close()

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """One request to the backend; its error leaves as it is, and is never a reply."""
        kwargs: dict[str, Any] = dict(config.extra_body or {})
        for theirs, ours in (("temperature",) * 2, ("top_p",) * 2, ("max_tokens",) * 2, ("stop_seqs", "stop")):
            if (value := getattr(config, theirs)) is not None:
                kwargs[ours] = value
        messages = [_ours(m) for m in input]
        if isinstance(self.chat, LedgerChat):  # InspectChat was LangChain's layer already
            reply = await self.chat.payer.ask(messages, kwargs)
        else:
            reply = await self.chat.ainvoke(messages, **kwargs)
        usage, price = usage_of(reply), price_of(self.chat)
        output = ModelOutput.from_content(self.model_name, reply.text)
        output.usage = ModelUsage(
            input_tokens=usage.prompt_tokens - usage.cached_tokens,
            output_tokens=usage.completion_tokens,
            total_tokens=usage.prompt_tokens + usage.completion_tokens,
            input_tokens_cache_read=usage.cached_tokens,
            total_cost=None if price is None else price.of(usage),
        )
        output.metadata = {"cache_hit": usage.cache_hits > 0}
        return output

    def max_connections(self) -> int:
        """One for a model in this process, so that a run is the same each time; the backend's own bound elsewhere.

        Twice that where another process makes the calls: it keeps the bound, and a call that waits there is sent
        as soon as one ends, however busy this process is.
        """
        if self.local:
            return 1
        if isinstance(self.chat, LedgerChat):
            return 2 * (traits_of(self.chat).max_concurrency or 64)
        return traits_of(self.chat).max_concurrency or 64

    def connection_key(self) -> str:
        """One pool of connections per model."""
        return self.model_name


@modelapi(name="triplewise")
def triplewise_provider() -> type[ModelAPI]:
    """Registers ``triplewise/SPEC`` with Inspect."""
    return TriplewiseAPI


class InspectChat(BaseChatModel):
    """A chat model over Inspect's ``generate``; without ``model``, the one active at the first use."""

    model: Any = None

    @property
    def _llm_type(self) -> str:
        return "inspect"

    @property
    def price(self) -> Price | None:
        """US dollars per million tokens, None where no price is known."""
        api = self._model().api
        return price_of(api.chat) if isinstance(api, TriplewiseAPI) else None

    @property
    def wrapped(self) -> BaseChatModel | None:
        """The backend behind Inspect, whose traits this model has; None where it is none of ours."""
        api = self._model().api
        return api.chat if isinstance(api, TriplewiseAPI) else None

    def _model(self) -> Model:
        self.model = self.model or get_model()
        return self.model

    async def ainvoke(
        self,
        input: LanguageModelInput,
        config: RunnableConfig | None = None,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> AIMessage:
        """A reply; past LangChain's callbacks where none is given: Inspect keeps the record of the call."""
        if config or not isinstance(input, list) or not all(isinstance(m, BaseMessage) for m in input):
            return await super().ainvoke(input, config, stop=stop, **kwargs)
        result = await self._agenerate(cast("list[BaseMessage]", input), stop, **kwargs)
        return cast(AIMessage, result.generations[0].message)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        config = GenerateConfig(cache=False)
        for name in ("temperature", "top_p", "max_tokens", "seed"):
            if name in kwargs:
                setattr(config, name, kwargs.pop(name))
        config.stop_seqs = stop
        config.extra_body = kwargs or None
        output = await self._model().generate([_theirs(m) for m in messages], config=config)
        if output.error or not output.choices:
            raise BadResponseError(f"the model gave no reply: {output.error or 'no choices'}.")
        return ChatResult(
            generations=[ChatGeneration(message=AIMessage(output.completion, usage_metadata=_usage(output)))]
        )

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise NotImplementedError("Inspect's models are asynchronous: use ainvoke")


def _usage(output: ModelOutput) -> UsageMetadata:
    use, cached = output.usage or ModelUsage(), 0
    cached = use.input_tokens_cache_read or 0
    metadata = UsageMetadata(
        input_tokens=use.input_tokens + cached,
        output_tokens=use.output_tokens,
        total_tokens=use.input_tokens + cached + use.output_tokens,
        input_token_details=InputTokenDetails(cache_read=cached),
    )
    if (output.metadata or {}).get("cache_hit"):
        metadata["total_cost"] = 0  # type: ignore[typeddict-unknown-key] - how langchain-core marks a cache hit
    return metadata


def _theirs(message: BaseMessage) -> ChatMessage:
    kinds = {"system": ChatMessageSystem, "ai": ChatMessageAssistant}
    return kinds.get(message.type, ChatMessageUser)(content=message.text)


def _ours(message: ChatMessage) -> BaseMessage:
    kinds = {"system": SystemMessage, "assistant": AIMessage}
    return kinds.get(message.role, HumanMessage)(message.text)
