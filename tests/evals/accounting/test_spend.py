"""What a ledger says of calls of which nothing was heard, and of those that wait for their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from triplewise.backends import load_chat_model
from triplewise.evals.accounting.ledger import Ledger, read_ledger
from triplewise.evals.accounting.spend import Payer, Spent, read_spent
from triplewise.evals.data.items import digest
from triplewise.types import Usage


def payer(path: Path, server: Any, **settings: Any) -> Payer:
    return Payer(load_chat_model("openai:fake", base_url=server.url, api_key="none", **settings), Ledger(path))


def ask(payer: Payer, *texts: str, row: str = "") -> None:
    async def all_of_them() -> None:
        await asyncio.gather(*(payer.ask([HumanMessage(t)], {}, row) for t in texts))

    asyncio.run(all_of_them())
    payer.close()


def test_a_call_left_open_is_charged_what_its_repetition_cost_under_its_own_row(
    tmp_path: Path, fake_openai: Callable[..., Any]
) -> None:
    path, prompt = tmp_path / "spend.jsonl", digest([["human", "Who?"]])
    with Ledger(path) as ledger:
        ledger.append({"ask": "lost", "prompt": prompt, "row": "kicgpt"})
        ledger.append({"ask": "other", "prompt": "never asked again"})
    assert read_spent(path) == Spent(Usage(), unknown=2)
    server = fake_openai("Ada")
    ask(payer(path, server), "Who?", row="no-icl")
    cost = Usage(calls=1, prompt_tokens=server.prompt_tokens, completion_tokens=server.completion_tokens)
    assert read_spent(path, "no-icl") == Spent(cost)
    assert read_spent(path, "kicgpt") == Spent(cost, assumed=1)
    assert read_spent(path) == Spent(cost + cost, unknown=1, assumed=1)


def test_only_calls_that_are_sent_are_on_the_record_as_asked(tmp_path: Path, fake_openai: Callable[..., Any]) -> None:
    path = tmp_path / "spend.jsonl"
    ask(payer(path, fake_openai("Ada", latency=0.02), max_concurrency=2), *map(str, range(6)))
    under_way = [0]
    for record in read_ledger(path):
        under_way.append(under_way[-1] + (1 if "ask" in record else -1))
    assert (max(under_way), under_way[-1], read_spent(path).usage.calls) == (2, 0, 6)
