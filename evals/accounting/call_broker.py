"""The process that makes a run's calls to a server, and outlives the run until their replies are in.

``LedgerChat`` is the chat model of a run: where the model is a server's, each call goes over a pipe to a process in a
session of its own (``python -m triplewise.evals.accounting.call_broker``), which asks the server and writes the
ledger and the LLM cache (``evals.accounting.spend`` says why). When the run ends, or is killed, the pipe closes; the
process finishes the calls under way and ends. A resumed run waits for it, by the ledger's lock. A model in this
process needs no broker: a call that a kill ends has cost nothing.

One JSON object a line: ``{"id", "messages": [[type, text], …], "kwargs", "row"}`` and back ``{"id", "text", "usage"}``
or ``{"id", "error", "message", "hint"}``.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from triplewise import errors
from triplewise.backends import load_chat_model
from triplewise.errors import BackendError, MissingExtraError, TriplewiseError
from triplewise.evals.accounting.ledger import Ledger, LedgerError
from triplewise.evals.accounting.spend import Payer, price_of
from triplewise.types import Caps, Price

LEDGER, CACHE = "spend.jsonl", "llm.sqlite"
WAIT = 900.0
"""Seconds to wait for the call broker of a run that was killed: as long as a call may take with all its tries."""
_MESSAGES = {"system": SystemMessage, "ai": AIMessage}
_ERRORS = {k: v for k, v in {**vars(errors), "LedgerError": LedgerError}.items() if isinstance(v, type)}


def priced(settings: dict[str, Any]) -> dict[str, Any]:
    """``load_chat_model``'s settings out of JSON, where a price is a dict."""
    price = settings.get("price")
    return {**settings, "price": Price(**price)} if isinstance(price, dict) else settings


class LedgerChat(BaseChatModel):
    """A chat model whose calls are in the ledger of the run folder ``run``, and its replies in the run's cache."""

    chat: BaseChatModel
    """The model itself, for what can be known without a call."""
    payer: Any
    row: str = ""
    """What calls are charged to in the ledger, of a run of several rows."""

    @classmethod
    def of(cls, spec: str, run: str | Path, caps: dict[str, Any] | None = None, **settings: Any) -> LedgerChat:
        """The model that a string names, ``caps`` (fields of ``Caps``) on all that the run spends.

        Raises what ``load_chat_model`` raises, and LedgerError.
        """
        chat = load_chat_model(spec, **priced(settings))
        if spec.startswith("openai:"):
            return cls(chat=chat, payer=_BrokerClient(spec, Path(run), caps, settings))
        kept = load_chat_model(spec, cache=Path(run) / CACHE, **priced(settings))
        return cls(chat=chat, payer=Payer(kept, Ledger(Path(run) / LEDGER), Caps(**caps or {})))

    @property
    def _llm_type(self) -> str:
        return "ledger"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return dict(self.chat._identifying_params)

    @property
    def price(self) -> Price | None:
        """US dollars per million tokens, None where no price is known."""
        return price_of(self.chat)

    @property
    def wrapped(self) -> BaseChatModel:
        """The model whose traits this one has."""
        return self.chat

    def get_num_tokens(self, text: str) -> int:
        """Tokens of a text as the model counts them."""
        return self.chat.get_num_tokens(text)

    def get_num_tokens_from_messages(self, messages: list[BaseMessage], tools: Any = None) -> int:
        """Tokens of a prompt as the model counts them."""
        return self.chat.get_num_tokens_from_messages(messages, tools)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = await self.payer.ask(messages, kwargs if stop is None else {**kwargs, "stop": stop}, self.row)
        return ChatResult(generations=[ChatGeneration(message=reply)])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise NotImplementedError("a run is asynchronous: use ainvoke")

    def close(self) -> None:
        """Wait for the calls under way, and give the ledger back."""
        self.payer.close()


def start_process() -> subprocess.Popen[bytes]:
    """The call broker as a process in a session of its own: neither Ctrl-C nor a kill of the run's group ends it."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "triplewise.evals.accounting.call_broker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


class _BrokerClient:
    """The run's end of the pipe."""

    def __init__(self, spec: str, run: Path, caps: dict[str, Any] | None, settings: dict[str, Any]) -> None:
        self._process = start_process()
        self._ids, self._guard = count(1), threading.Lock()
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        begun = self._send({"spec": spec, "run": str(run), "caps": caps or {}, "settings": settings})
        try:
            _checked(begun.result())
        except BaseException:
            self.close()
            raise

    async def ask(self, messages: Sequence[BaseMessage], kwargs: dict[str, Any], row: str = "") -> AIMessage:
        sent = self._send({"messages": [[m.type, m.text] for m in messages], "kwargs": kwargs, "row": row})
        reply = _checked(await asyncio.wrap_future(sent))
        return AIMessage(reply["text"], usage_metadata=reply["usage"])

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        self._reader.join()

    def _send(self, request: dict[str, Any]) -> Future[dict[str, Any]]:
        assert self._process.stdin
        future: Future[dict[str, Any]] = Future()
        with self._guard:
            number = next(self._ids)
            self._waiting[number] = future
            try:
                self._process.stdin.write(json.dumps({"id": number, **request}).encode() + b"\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                self._waiting.pop(number)
                raise BackendError("the process that makes the run's calls has ended.", "Resume the run.") from None
        return future

    def _read(self) -> None:
        with cast(Any, self._process.stdout) as replies:
            for line in replies:
                reply = json.loads(line)
                with self._guard:
                    future = self._waiting.pop(reply["id"])
                if future.set_running_or_notify_cancel():
                    future.set_result(reply)
        with self._guard:
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(
                    BackendError("the process that makes the run's calls has ended.", "Resume the run.")
                )


def _checked(reply: dict[str, Any]) -> dict[str, Any]:
    if "error" not in reply:
        return reply
    kind = _ERRORS.get(reply["error"])
    if kind and issubclass(kind, TriplewiseError) and kind is not MissingExtraError:
        raise kind(reply["message"], reply["hint"])
    raise BackendError(f"{reply['error']}: {reply['message']}", reply["hint"])


def main() -> None:
    """The call broker itself: calls come in lines on stdin, and it ends when they do and all are answered."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no reply
    line = sys.stdin.buffer.readline()
    if not line:
        return
    first = json.loads(line)
    try:
        run = Path(first["run"])
        chat = load_chat_model(first["spec"], cache=run / CACHE, **priced(first["settings"]))
        payer = Payer(chat, Ledger(run / LEDGER, wait=WAIT), Caps(**first["caps"]))
    except Exception as error:
        _tell(out, first["id"], error)
        return
    _write(out, {"id": first["id"]})
    try:
        asyncio.run(_serve(payer, out))
    finally:
        payer.close()


async def _serve(payer: Payer, out: Any) -> None:
    loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        for line in iter(sys.stdin.buffer.readline, b""):
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, b"")

    async def answer(request: dict[str, Any]) -> None:
        try:
            messages = [_MESSAGES.get(kind, HumanMessage)(text) for kind, text in request["messages"]]
            reply = await payer.ask(messages, request["kwargs"], request["row"])
            _write(out, {"id": request["id"], "text": reply.text, "usage": reply.usage_metadata})
        except Exception as error:
            _tell(out, request["id"], error)

    threading.Thread(target=read, daemon=True).start()
    while line := await lines.get():
        tasks.add(task := asyncio.create_task(answer(json.loads(line))))
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)


def _tell(out: Any, number: int, error: Exception) -> None:
    told = {"error": type(error).__name__, "message": str(error), "hint": ""}
    if isinstance(error, TriplewiseError):
        kind = next(k for k in type(error).__mro__ if k in _ERRORS.values())
        told = {"error": kind.__name__, "message": error.message, "hint": error.hint}
    _write(out, {"id": number, **told})


def _write(out: Any, reply: dict[str, Any]) -> None:
    try:
        out.write(json.dumps(reply).encode() + b"\n")
        out.flush()
    except OSError:
        pass  # the run is gone; ledger and cache have the reply


if __name__ == "__main__":
    main()
