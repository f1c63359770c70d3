"""``openai:MODEL``: any server that speaks OpenAI's chat completions, through langchain-openai.

``OPENAI_API_KEY`` and ``OPENAI_BASE_URL`` say who and where; a server on this machine or a private
network needs no key. What langchain-openai leaves open is settled here: one HTTP client per event loop,
one bound on calls in flight, every failure as one of triplewise's errors, token counts without a
download. 408, 409, 429 and 5xx, lost connections and timeouts are tried again, at most ``max_retries``
times, after the time that Retry-After asks for (up to two minutes) or a growing pause; every other
refusal is final. A redirect is refused: it would post the prompt, and the graph in it, to another host.
"""

from __future__ import annotations

import ipaddress
import math
import os
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any, NoReturn
from urllib.parse import urlsplit

import httpx2
import openai
from langchain_core.exceptions import ContextOverflowError as LangChainContextOverflow
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from pydantic import Field, PrivateAttr, ValidationError

from triplewise.backends.cache import stable_json
from triplewise.backends.openai_reply import declined, refusal_of, with_checked_usage, without_secrets
from triplewise.backends.transport import LoopTransport, Transport, check_proxy
from triplewise.errors import (
    BackendError,
    BackendTimeoutError,
    BadResponseError,
    ConfigError,
    ContextOverflowError,
    RateLimitError,
    RefusedReplyError,
    TriplewiseError,
)
from triplewise.redaction import keep_secret, redact, redact_known, without_userinfo
from triplewise.types import Price

DEFAULT_URL = "https://api.openai.com/v1"
_PLACEHOLDER = re.compile(
    r"(sk-)?(\.{2,}|…|x{3,}|\*{3,}|0{3,})|<.*>|\$.*|\{.*\}|none|null|todo|change[-_ ]?me|placeholder|dummy"
    r"|(sk-)?(your|my|insert|enter|put)[-_ ].*|your_?key|(openai[-_ ])?api[-_ ]?key([-_ ]here)?",
    re.IGNORECASE,
)
_OVERFLOW = re.compile(
    r"context[ _](length|size|window)|maximum context|exceed_context|prompt is too long|too many tokens"
    r"|input tokens exceed",
    re.IGNORECASE,
)
_MALFORMED = (ValueError, KeyError, TypeError, IndexError, AttributeError)
"""What a reply outside the protocol raises in langchain-openai's conversion."""
_SPEAKS = "Does OPENAI_BASE_URL name a server that speaks OpenAI's API? It often ends in /v1."
_SDK_ONLY = {"response_format", "extra_headers", "extra_query", "timeout"}
"""Call arguments that the SDK handles itself."""
_FAILURES = (
    openai.OpenAIError,
    httpx2.HTTPError,  # a broken stream, which the SDK passes on as it is
    TimeoutError,
    ValueError,  # no JSON, no UTF-8, a number of thousands of digits, a reply of another form
    RecursionError,
)


class OpenAIChat(ChatOpenAI):
    """ChatOpenAI with triplewise's errors and limits."""

    max_concurrency: int = Field(default=64, ge=1)
    """Calls in flight; bounds the calls of one event loop, and those of all threads in sync use."""
    price: Price | None = Field(default=None, exclude=True)
    """US dollars per million tokens where the user gave them."""
    _transport: LoopTransport = PrivateAttr()
    _threads: BoundedSemaphore = PrivateAttr()

    @classmethod
    def from_spec(cls, model: str, **settings: Any) -> OpenAIChat:
        """A model by its name; see ``load_chat_model`` for the settings.

        Raises ConfigError where the key is missing or a placeholder, the URL is malformed or a setting
        is out of range.
        """
        url = (settings.pop("base_url", None) or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/")
        key = settings.pop("api_key", None) or os.environ.get("OPENAI_API_KEY", "")
        given = {name: value for name, value in settings.items() if value is not None}
        fields = {f.alias or name for name, f in cls.model_fields.items()} | set(cls.model_fields)
        if unknown := sorted(set(given) - fields):
            raise ConfigError(f"openai: no setting {unknown[0]!r}.", "See docs/backends.md for the settings.")
        if not (isinstance(timeout := given.get("timeout", 120.0), int | float) and timeout > 0):
            raise ConfigError(f"openai: timeout is {timeout!r}.", "It is a number of seconds above 0.")
        defaults = {"temperature": 0.0, "timeout": timeout, "max_retries": 3, "stream_usage": True}
        try:
            return cls(**{**defaults, **given, "model": model, "base_url": url, "api_key": checked_key(key, url)})
        except ValidationError as error:
            problem = error.errors()[0]
            # Without a place the input is all settings, the key among them: it must not be shown.
            value = f"{problem['loc'][0]} is {problem['input']!r}: " if problem["loc"] else ""
            raise ConfigError(f"openai: {value}{problem['msg']}.") from None

    def __init__(self, **kwargs: Any) -> None:
        transport, threads = LoopTransport(), Transport()
        here: dict[str, Any] = {"follow_redirects": False, "trust_env": False}  # proxies are the transports' matter
        kwargs.setdefault("http_async_client", openai.DefaultAsyncHttpxClient(transport=transport, **here))
        kwargs.setdefault("http_client", openai.DefaultHttpxClient(transport=threads, **here))
        super().__init__(**kwargs)
        transport.max_concurrency = self.max_concurrency
        self._transport = transport
        self._threads = BoundedSemaphore(self.max_concurrency)

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """False: a copy could not carry the key, and the cache key below must not depend on it."""
        return False

    @property
    def url(self) -> str:
        """The server's base URL."""
        return self.openai_api_base or DEFAULT_URL

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {**super()._identifying_params, "base_url": self.url}

    def _get_llm_string(self, stop: list[str] | None = None, **kwargs: Any) -> str:
        return stable_json({**self._identifying_params, "stop": stop, "call": kwargs})

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload = super()._get_request_payload(input_, stop=stop, **kwargs)
        if self.url != DEFAULT_URL and "max_completion_tokens" in payload:
            # Only OpenAI knows the new name; llama.cpp's server and others ignore it without a word.
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        return payload

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        with self._threads, self._errors():
            return super()._generate(*args, **kwargs)

    async def _agenerate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        own = await self._transport.here()
        async with own.semaphore:
            with self._errors():
                payload = self._get_request_payload(messages, stop=stop, **kwargs)
                if _SDK_ONLY & payload.keys() or self._use_responses_api(payload):
                    return await super()._agenerate(messages, stop, run_manager, **kwargs)
                # As langchain-openai does, without what costs more than all else in a call: the SDK's walk
                # through every message and reply by its type hints, and a thread for each conversion.
                extra = payload.pop("extra_body", None) or {}
                reply = await self.root_async_client.post(
                    "/chat/completions", cast_to=object, body={**payload, **extra}
                )
                return self._create_chat_result(reply, {})

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        finished = False
        with self._threads, self._errors():
            for chunk in super()._stream(*args, **kwargs):
                finished = finished or _ends(chunk)
                yield chunk
            self._complete(finished)

    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        finished = False
        own = await self._transport.here()
        async with own.semaphore:
            with self._errors():
                async for chunk in super()._astream(*args, **kwargs):
                    finished = finished or _ends(chunk)
                    yield chunk
                self._complete(finished)

    def _create_chat_result(self, response: Any, *args: Any, **kwargs: Any) -> ChatResult:
        try:
            result = super()._create_chat_result(with_checked_usage(response), *args, **kwargs)
        except _MALFORMED as error:
            raise self._malformed(error, _SPEAKS) from error
        if not result.generations:
            raise BadResponseError(f"{self._who} sent a reply without choices.")
        for generation in result.generations:
            if why := declined(generation, refusal_of(response)):
                raise RefusedReplyError(f"{self._who} {why}", "Ask in other words, or another model.")
        result.generations = [without_secrets(generation) for generation in result.generations]
        result.llm_output = redact_known(result.llm_output)
        return result

    def _convert_chunk_to_generation_chunk(self, chunk: Any, *args: Any, **kwargs: Any) -> ChatGenerationChunk | None:
        try:
            found = super()._convert_chunk_to_generation_chunk(with_checked_usage(chunk), *args, **kwargs)
        except _MALFORMED as error:
            raise self._malformed(error) from error
        if found is not None and (why := declined(found)):
            raise RefusedReplyError(f"{self._who} {why}", "Ask in other words, or another model.")
        return found and without_secrets(found)

    def _malformed(self, error: Exception, hint: str = "") -> BadResponseError:
        return BadResponseError(f"{self._who} sent no valid reply: {_said(error)}", hint)

    def _complete(self, finished: bool) -> None:
        if not finished:
            raise BadResponseError(f"{self._who} broke off its reply.", "Ask again; the part received is no answer.")

    @property
    def _who(self) -> str:
        return f"{self.model_name} at {without_userinfo(self.url)}"

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except _FAILURES as error:
            self._raise(error)

    def _raise(self, error: Exception) -> NoReturn:
        """Turn an error of the SDK, of httpx or of langchain-openai into one of ours."""
        who, said = self._who, _said(error)
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, TriplewiseError):  # what the transport found, wrapped by the SDK
                raise cause
            cause = cause.__cause__
        if isinstance(error, openai.APITimeoutError | TimeoutError | httpx2.TimeoutException):
            raise BackendTimeoutError(
                f"{who} gave no complete reply within {self.request_timeout:g} s.", "Raise timeout, or ask less."
            ) from error
        if isinstance(error, LangChainContextOverflow) or (_is_refusal(error) and _OVERFLOW.search(said)):
            raise ContextOverflowError(
                f"the prompt does not fit the context of {who}: {said}", "Use fewer shots or a smaller limit."
            ) from error
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            raise ConfigError(f"{who} refused the key: {said}", "Check OPENAI_API_KEY and OPENAI_BASE_URL.") from error
        if isinstance(error, openai.NotFoundError):
            raise ConfigError(f"{who} is not there: {said}", "Check the model's name and OPENAI_BASE_URL.") from error
        if isinstance(error, openai.RateLimitError):
            raise RateLimitError(f"{who} still refuses (429): {said}", "Lower max_concurrency or wait.") from error
        if isinstance(error, openai.APIStatusError) and 300 <= error.status_code < 400:
            place = without_userinfo(" ".join(error.response.headers.get("location", "nowhere").split())[:200])
            raise BackendError(
                f"{who} redirects to {place}; redirects are not followed.",
                "If that is the server you mean, set OPENAI_BASE_URL to it.",
            ) from error
        if isinstance(error, openai.APIStatusError):
            raise BackendError(f"{who} failed with status {error.status_code}: {said}") from error
        if isinstance(_root(error), httpx2.ConnectError):
            raise BackendError(
                f"{without_userinfo(self.url)} cannot be reached: {said}", "Is it running? Check OPENAI_BASE_URL."
            ) from error
        raise self._malformed(error) from error

    def get_token_ids(self, text: str) -> list[int]:
        """Not known here: raises BackendError."""
        raise BackendError("the token ids of a remote model are not known.", "get_num_tokens gives an estimate.")

    def get_num_tokens(self, text: str) -> int:
        """An estimate, one token per four bytes of UTF-8: the exact tables would have to be downloaded."""
        return math.ceil(len(text.encode("utf-8", "surrogatepass")) / 4)

    def get_num_tokens_from_messages(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, messages: Sequence[BaseMessage], tools: Sequence[Any] | None = None, **kwargs: Any
    ) -> int:
        """An estimate: the texts' tokens and four for each message's frame. Tools are not counted."""
        return sum(self.get_num_tokens(m.text) + 4 for m in messages)


def _ends(chunk: ChatGenerationChunk) -> bool:
    return bool((chunk.generation_info or {}).get("finish_reason") or chunk.message.response_metadata.get("status"))


def _is_refusal(error: Exception) -> bool:
    return isinstance(error, openai.APIStatusError) and error.status_code in (400, 413, 422)


def _root(error: BaseException) -> BaseException:
    """The error at the end of a chain of causes: httpx's beneath the SDK's and langchain-openai's."""
    while isinstance(error.__cause__, openai.OpenAIError | httpx2.HTTPError):
        error = error.__cause__
    return error


def _said(error: Exception) -> str:
    """The server's own words, at most 300 characters, else the error's."""
    body = getattr(error, "body", None)
    text = str(body.get("message") or "") if isinstance(body, dict) else ""
    told = _root(error) if isinstance(error, openai.APIConnectionError) else error
    # redacted before it is cut: the front half of a key would not be known as one
    text = " ".join(redact((text or str(told) or str(error) or type(error).__name__)[:5_000]).split())
    return text if len(text) <= 300 else f"{text[:297]}..."


def checked_key(key: str, url: str) -> str:
    """The key to send to an address; raises ConfigError where either cannot be used. Neither is ever shown whole."""
    password = None
    try:
        parts = urlsplit(url)
        password = parts.password
        host = parts.hostname if parts.scheme in ("http", "https") and parts.port != 0 else None
    except ValueError:  # a broken IPv6 address or port
        host = None
    if not host or not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigError(f"OPENAI_BASE_URL is {url!r}.", "It must look like http://localhost:8080/v1.")
    if password:
        keep_secret(password)
    check_proxy(url)
    key = key.strip()
    keep_secret(key)
    if _PLACEHOLDER.fullmatch(key) and not is_local(host):
        raise ConfigError("OPENAI_API_KEY is a placeholder.", f"Set it to a real key for {host}.")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigError(
            "OPENAI_API_KEY holds a character that no key has (a line break, a space, a letter beyond ASCII).",
            "Copy the key again.",
        )
    if is_local(host):
        return key or "none"
    if not key:
        raise ConfigError(f"no key for {host}.", "Set OPENAI_API_KEY.")
    return key


def is_local(host: str) -> bool:
    """Whether a host is this machine or on a private network (a bare name such as a container's counts)."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".internal"))
    return address.is_loopback or address.is_private
