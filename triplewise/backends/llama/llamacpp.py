"""ChatLlamaCpp: a LangChain chat model over llama.cpp in this process.

``llamacpp:PATH.gguf[+ADAPTER.gguf]`` or ``llamacpp:embedded``. Replies are held to a GBNF grammar
(``grammar=``), to a JSON schema (``with_structured_output``) or to tool calls (``bind_tools``). As many
calls run at once as the model's pool has contexts; asynchronous ones wait in the pool's threads, so they
never block the event loop. All layers go to the GPU where llama.cpp was built for one.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.output_parsers import PydanticOutputParser
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda, RunnableMap, RunnablePassthrough
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_json_schema, convert_to_openai_tool
from langchain_core.utils.pydantic import is_basemodel_subclass

from triplewise.backends.llama.engine_pool import EnginePool
from triplewise.backends.llama.gbnf import json_schema_to_gbnf
from triplewise.backends.llama.llama_engine import (
    EMBEDDED_PACKAGE,
    Engine,
    Generation,
    Sampling,
    embedded_weights,
)
from triplewise.backends.llama.prompt_weights import prompt_weights
from triplewise.backends.tool_calls import chosen_tools, plain_messages, read_tool_call, tool_grammar
from triplewise.errors import ConfigError
from triplewise.files import private_folder, write_text
from triplewise.places import cache_folder

ADAPTER = Path(__file__).resolve().parents[2] / "data" / "embedded-adapter.gguf"


class ChatLlamaCpp(BaseChatModel):
    """A chat model in this process. Raises ConfigError on a bad file, MissingExtraError without llama.cpp,
    ContextOverflowError, before any work, where a prompt does not fit."""

    model_path: str
    lora_path: str | None = None
    n_ctx: int = 8192
    """Tokens that prompt and reply may have together."""
    n_threads: int | None = None
    n_gpu_layers: int = -1
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 512
    seed: int = 0
    stop: list[str] | None = None

    @classmethod
    def from_spec(cls, spec: str, **settings: Any) -> ChatLlamaCpp:
        """``embedded[+ADAPTER.gguf]``, or ``PATH.gguf[+ADAPTER.gguf]``; settings that only servers have are ignored."""
        known = {k: v for k, v in settings.items() if k in cls.model_fields and v is not None}
        if spec == "embedded":
            return cls(
                model_path=str(embedded_weights()), lora_path=str(ADAPTER) if ADAPTER.exists() else None, **known
            )
        if spec.startswith("embedded+"):
            return cls(model_path=str(embedded_weights()), lora_path=spec.removeprefix("embedded+"), **known)
        path, plus, lora = spec.partition(".gguf+")
        return cls(model_path=f"{path}.gguf" if plus else spec, lora_path=lora or None, **known)

    @property
    def supports_grammar(self) -> bool:
        """Replies can be held to a GBNF grammar."""
        return True

    @property
    def trained_for_nodes(self) -> bool:
        """Whether the adapter is one of ``triplewise train``, so that the nodes' short prompts fit."""
        if self.lora_path == str(ADAPTER):  # known without loading the model
            return True
        return self.lora_path is not None and self.engine.adapter_name.startswith("triplewise")

    @property
    def known_relations(self) -> frozenset[str]:
        """Words of the relations that the shipped adapter was trained on; where a graph has no others it is at home."""
        if self.lora_path != str(ADAPTER):
            return frozenset()
        return frozenset(ADAPTER.with_suffix(".relations.txt").read_text(encoding="utf-8").split("\n"))

    @property
    def engine(self) -> Engine:
        """The first engine of the pool, whose vocabulary and template are those of all."""
        return self.pool.engines[0]

    @cached_property
    def pool(self) -> EnginePool:
        """The loaded model, shared by all chat models of the same files and context."""
        lora = Path(self.lora_path) if self.lora_path else None
        path = Path(self.model_path)
        if path.parent.name == EMBEDDED_PACKAGE:
            path = prompt_weights(path, file_hash(self.model_path))
        return EnginePool.of(path, lora, self.n_ctx, self.n_threads, self.n_gpu_layers)

    def _here(self) -> EnginePool:
        """The pool, if this is the process that loaded it; asked before any lock, which a fork may have left held."""
        self.engine.check_process()
        return self.pool

    @property
    def _llm_type(self) -> str:
        return "triplewise-llamacpp"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {
            "model": file_hash(self.model_path),
            "adapter": file_hash(self.lora_path) if self.lora_path else None,
            "n_ctx": self.n_ctx,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "stop": self.stop,
        }

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> Any:
        return {
            "ls_provider": "llamacpp",
            "ls_model_name": kwargs.get("model", Path(self.model_path).name),
            "ls_model_type": "chat",
            "ls_temperature": kwargs.get("temperature", self.temperature),
            "ls_max_tokens": kwargs.get("max_tokens", self.max_tokens),
            **({"ls_stop": stop} if stop else {}),
        }

    # a call ------------------------------------------------------------------------------------------

    def _start(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]
    ) -> tuple[list[int], Sampling, Generation, list[dict[str, Any]]]:
        tools, required = chosen_tools(kwargs.get("tools") or [], kwargs.get("tool_choice"))
        grammar = kwargs.get("grammar")
        if grammar is None and kwargs.get("json_schema"):
            grammar = json_schema_to_gbnf(kwargs["json_schema"])
        if grammar is None and tools:
            grammar = tool_grammar(tools, required=required)
        logprobs = -1
        if kwargs.get("logprobs"):
            logprobs = int(kwargs.get("top_logprobs") or 0)
        sampling = Sampling(
            temperature=kwargs.get("temperature", self.temperature),
            top_p=kwargs.get("top_p", self.top_p),
            seed=kwargs.get("seed", self.seed),
            max_tokens=kwargs.get("max_tokens") or (self.n_ctx if kwargs.get("json_schema") else self.max_tokens),
            stop=tuple(stop or self.stop or ()),
            grammar=grammar,
            logprobs=logprobs,
            rank=tuple(kwargs.get("rank") or ()),
        )
        tokens = self.engine.tokenize(self.engine.render(plain_messages(messages, tools, self.engine.control_tokens)))
        return tokens, sampling, self.engine.start(tokens, sampling), tools

    def _finish(self, run: Generation) -> tuple[dict[str, Any], dict[str, Any]]:
        usage = {
            "input_tokens": run.prompt_tokens,
            "output_tokens": run.completion_tokens,
            "total_tokens": run.prompt_tokens + run.completion_tokens,
            "input_token_details": {"cache_read": run.cached_tokens},
        }
        metadata: dict[str, Any] = {"model_name": Path(self.model_path).name, "finish_reason": run.finish_reason}
        if run.logprobs:
            metadata["logprobs"] = {"content": run.logprobs}
        return usage, metadata

    def _result(self, text: str, run: Generation, tools: list[dict[str, Any]]) -> ChatResult:
        usage, metadata = self._finish(run)
        message = read_tool_call(text, tools) if tools else AIMessage(text)
        message = message.model_copy(update={"usage_metadata": usage, "response_metadata": metadata})
        return ChatResult(generations=[ChatGeneration(message=message, generation_info=metadata)])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        pool = self._here()
        tokens, sampling, run, tools = self._start(messages, stop, kwargs)
        return self._result(_whole(pool, tokens, sampling, run), run, tools)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        runs: list[Generation] = []
        cancelled = False
        pool = self._here()

        def work() -> ChatResult:
            tokens, sampling, run, tools = self._start(messages, stop, kwargs)
            runs.append(run)
            if cancelled:
                run.cancelled.set()
            return self._result(_whole(pool, tokens, sampling, run), run, tools)

        try:
            return await asyncio.get_running_loop().run_in_executor(pool.executor, work)
        except asyncio.CancelledError:
            cancelled = True
            for run in runs:
                run.cancelled.set()
            raise

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        pool = self._here()
        tokens, sampling, run, tools = self._start(messages, stop, kwargs)
        with pool.engine_for(tokens) as engine, closing(engine.generate(tokens, sampling, run)) as pieces:
            for piece in ["".join(pieces)] if tools else pieces:  # a tool call is whole or nothing
                chunk = _chunk(piece, tools)
                if run_manager:
                    run_manager.on_llm_new_token(piece, chunk=chunk)
                yield chunk
            yield self._last(run)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Any] = asyncio.Queue()
        runs: list[Generation] = []
        given_up = False
        pool = self._here()

        def put(item: Any) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, item)

        def work() -> None:
            try:
                tokens, sampling, run, tools = self._start(messages, stop, kwargs)
                runs.append(run)
                if given_up:
                    return
                with pool.engine_for(tokens) as engine, closing(engine.generate(tokens, sampling, run)) as pieces:
                    for piece in ["".join(pieces)] if tools else pieces:
                        put(_chunk(piece, tools))
                    put(self._last(run))
                put(None)
            except BaseException as error:
                put(error)

        pool.executor.submit(work)
        try:
            while (item := await queue.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                if run_manager:
                    await run_manager.on_llm_new_token(item.text, chunk=item)
                yield item
        finally:
            given_up = True
            for run in runs:
                run.cancelled.set()

    def _last(self, run: Generation) -> ChatGenerationChunk:
        usage, metadata = self._finish(run)
        message = AIMessageChunk(
            content="",
            usage_metadata=usage,  # pyright: ignore[reportArgumentType]
            response_metadata=metadata,
            chunk_position="last",
        )
        return ChatGenerationChunk(message=message)

    # tools and structure ---------------------------------------------------------------------------------

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: Any = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Offer tools; ``tool_choice``: "auto", "any" (also "required", True), "none" or a tool's name."""
        defined = [convert_to_openai_tool(t) for t in tools]
        chosen_tools(defined, tool_choice)
        return self.bind(tools=defined, tool_choice=tool_choice, **kwargs)  # pyright: ignore[reportReturnType]

    def with_structured_output(
        self, schema: Any = None, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[Any, Any]:
        """Replies as ``schema`` (a pydantic class, a TypedDict or a JSON schema): JSON held by grammar.

        The reply may use the whole context, so that it is never cut off inside the JSON.
        What JSON Schema grammars cannot hold (bounds, patterns) pydantic validates afterwards.
        """
        kwargs.pop("method", None)
        kwargs.pop("strict", None)
        if kwargs:
            raise ValueError(f"unknown arguments {sorted(kwargs)}")
        pydantic = isinstance(schema, type) and is_basemodel_subclass(schema)
        # not JsonOutputParser: it mends cut-off JSON into something nobody said
        parser: Any = PydanticOutputParser(pydantic_object=schema) if pydantic else RunnableLambda(_json)
        json_schema = convert_to_json_schema(schema)
        model = self.bind(
            json_schema=json_schema,
            ls_structured_output_format={"kwargs": {"method": "json_schema"}, "schema": json_schema},
        )
        if not include_raw:
            return model | parser

        def parse(raw: AIMessage) -> dict[str, Any]:
            try:
                return {"parsed": parser.invoke(raw), "parsing_error": None}
            except ValueError as error:
                return {"parsed": None, "parsing_error": error}

        both = RunnableMap(raw=model)
        return both | RunnablePassthrough.assign(x=RunnableLambda(lambda d: parse(d["raw"]))) | RunnableLambda(_flatten)

    # tokens --------------------------------------------------------------------------------------------------

    def get_token_ids(self, text: str) -> list[int]:
        """Token ids of a text by the model's own vocabulary."""
        return self.engine.tokenize(text)

    def get_num_tokens(self, text: str) -> int:
        """Tokens of a text by the model's own vocabulary."""
        return len(self.get_token_ids(text))

    def get_num_tokens_from_messages(self, messages: list[BaseMessage], tools: Any = None) -> int:
        """Tokens of a whole prompt, the chat template's included."""
        defined = [convert_to_openai_tool(t) for t in tools or ()]
        return len(
            self.engine.tokenize(self.engine.render(plain_messages(messages, defined, self.engine.control_tokens)))
        )


def _whole(pool: EnginePool, tokens: list[int], sampling: Sampling, run: Generation) -> str:
    with pool.engine_for(tokens) as engine, closing(engine.generate(tokens, sampling, run)) as pieces:
        return "".join(pieces)


def _chunk(piece: str, tools: list[dict[str, Any]]) -> ChatGenerationChunk:
    if tools and (message := read_tool_call(piece, tools)).tool_calls:
        calls = [
            {"name": c["name"], "args": json.dumps(c["args"]), "id": c["id"], "index": i, "type": "tool_call_chunk"}
            for i, c in enumerate(message.tool_calls)
        ]
        return ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=calls))  # pyright: ignore[reportArgumentType]
    return ChatGenerationChunk(message=AIMessageChunk(content=piece))


def _json(message: AIMessage) -> Any:
    return json.loads(message.text)


def _flatten(value: dict[str, Any]) -> dict[str, Any]:
    return {"raw": value["raw"], **value["x"]}


def file_hash(path: str) -> str:
    """SHA-256 of a file; kept by path, time and size, so that 98 MB are not read at every start."""
    try:
        stat = Path(path).stat()
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror}.", "Give llamacpp:PATH.gguf.") from None
    return _hash_of(str(Path(path).resolve()), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=32)
def _hash_of(path: str, mtime: int, size: int) -> str:
    key = f"{path}:{mtime}:{size}"
    known: dict[str, Any] = {}
    with suppress(OSError, ValueError, ConfigError):
        read = json.loads((cache_folder() / "hashes.json").read_text(encoding="utf-8"))
        known = read if isinstance(read, dict) else {}
    if isinstance(known.get(key), str) and re.fullmatch("[0-9a-f]{64}", known[key]):
        return known[key]
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    with suppress(OSError, ConfigError):  # a read-only home costs a hash per process, nothing else
        write_text(private_folder(cache_folder()) / "hashes.json", json.dumps({**known, key: digest}), private=True)
    return digest
