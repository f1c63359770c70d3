"""The spend ledger of a run: equal to the true spend to the token, kills included.

Every call writes two records to ``spend.jsonl``: one before it is sent, with its prompt's hash, and one with its cost
when the reply has come, which is on disk before the reply is used. If the process is killed between the two, the cost
is unknown: a client cannot know whether a request was served whose reply it never saw. So a run does not call a server
itself. A process of its own does (``evals.accounting.call_broker``): it outlives the run, waits for the replies under
way, and writes both the ledger and the LLM cache. What was paid is recorded, and not paid again.

Only where that process dies as well (the machine goes down) do calls stay open. Such a call is charged what
its repetition cost, when the resumed run asks the same prompt again, and marked ``assumed``; until then, and
where a call ended in a timeout, its cost is not known, and ``Spent.unknown`` counts it.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from triplewise.backends.calling import usage_of
from triplewise.backends.traits import traits_of
from triplewise.backends.usage import Budget
from triplewise.errors import BackendTimeoutError
from triplewise.evals.accounting.ledger import Ledger, read_ledger
from triplewise.evals.data.items import digest
from triplewise.types import Caps, Price, Usage

FREE = Price(0.0, 0.0)
"""The price of a model in this process."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a ledger adds up to; ``assumed`` calls are those charged by their repetition."""

    usage: Usage
    unknown: int = 0
    assumed: int = 0


@dataclass(frozen=True, slots=True)
class _Sum:
    spent: Spent
    open: dict[str, list[dict[str, Any]]]
    """Prompt's hash → the records of calls that were sent and have no reply on record."""


def _add_up(records: Sequence[dict[str, Any]]) -> _Sum:
    usage, unknown, assumed, asked = Usage(), 0, 0, dict[str, dict[str, Any]]()
    for record in records:
        if "ask" in record:
            asked[record["ask"]] = record
            continue
        asked.pop(record["told"], None)
        usage += Usage(**record["usage"])
        unknown += record.get("error") == BackendTimeoutError.__name__
        assumed += bool(record.get("assumed"))
    by_prompt: dict[str, list[dict[str, Any]]] = {}
    for record in asked.values():
        by_prompt.setdefault(record["prompt"], []).append(record)
    return _Sum(Spent(usage, unknown + len(asked), assumed), by_prompt)


def read_spent(path: str | Path, row: str | None = None) -> Spent:
    """What a run, or one row of it, has spent so far, kills included; raises LedgerError on a damaged ledger."""
    return _add_up([r for r in read_ledger(path) if row is None or r.get("row") == row]).spent


def price_of(chat: BaseChatModel) -> Price | None:
    """The chat model's price; a model without that field runs here and costs no money."""
    traits = traits_of(chat)
    return FREE if traits.free else traits.price


class Payer:
    """A chat model whose every call is in a ledger, under caps on all that the ledger adds up to."""

    def __init__(self, chat: BaseChatModel, ledger: Ledger, caps: Caps | None = None) -> None:
        self.chat, self.ledger = chat, ledger
        found = _add_up(ledger.records)
        self._open = found.open
        self._turn = asyncio.Semaphore(traits_of(chat).max_concurrency or 1)  # a model in this process takes one
        self._budget = Budget(*astuple(caps or Caps()))
        self._budget.meter.add("before", found.spent.usage)

    async def ask(self, messages: Sequence[BaseMessage], kwargs: dict[str, Any], row: str = "") -> AIMessage:
        """One call to the model. A reply from the cache carries the usage of the call that made it, so that an item has
        the same cost whether or not a kill made the run ask again; the ledger holds what was paid.

        ``row``: what the call is charged to, in a run of several rows. An error of the model is raised unchanged and
        recorded without a cost. Raises BudgetExceededError before a call that a cap forbids. At most as many calls as
        the model takes at once are recorded as sent and unanswered.
        """
        async with self._turn:
            return await self._ask(messages, kwargs, {"row": row} if row else {})

    async def _ask(self, messages: Sequence[BaseMessage], kwargs: dict[str, Any], charged: dict[str, str]) -> AIMessage:
        call, prompt = uuid.uuid4().hex[:16], digest([[m.type, m.text] for m in messages])
        usage = Usage()
        self._budget.reserve(priced=price_of(self.chat) is not None)
        try:
            self.ledger.append({"ask": call, "prompt": prompt, **charged}, sync=False)
            try:
                reply = await self.chat.ainvoke(list(messages), **kwargs)
            except Exception as error:
                told = {"told": call, "usage": {}, "error": type(error).__name__, **charged}
                await asyncio.to_thread(self.ledger.append, told)
                raise
            usage = self._priced(usage_of(reply))
            meta: Any = {k: v for k, v in (reply.usage_metadata or {}).items() if k != "total_cost"}
            made = AIMessage(reply.text, usage_metadata=meta or None)
            told = [{"told": call, "usage": asdict(usage), **charged}]
            for old in self._open.pop(prompt, ()):
                its = {"row": old["row"]} if "row" in old else {}
                told.append({"told": old["ask"], "usage": asdict(self._priced(usage_of(made))), "assumed": True, **its})
            await asyncio.to_thread(self._append, told)
            return made
        finally:
            self._budget.settle("", usage)

    def _append(self, records: list[dict[str, Any]]) -> None:
        for record in records:
            self.ledger.append(record, sync=record is records[-1])

    def _priced(self, usage: Usage) -> Usage:
        price = price_of(self.chat)
        return usage if price is None else replace(usage, cost=price.of(usage))

    def close(self) -> None:
        """Give the ledger back."""
        self.ledger.close()
