"""call_model and budgets: repair, fallback, usage, prices, and caps that stop before the call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from triplewise.agents.node import run_sync
from triplewise.backends import load_chat_model
from triplewise.backends.calling import ParsedReply, ReplyFormat, call_model
from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.usage import Budget, UsageMeter, active_budget, use_budget
from triplewise.errors import BackendError, BudgetExceededError, ConfigError, RateLimitError, ReplyError
from triplewise.types import Caps, Price, Usage


def number(text: str) -> int:
    if not text.strip().isdigit():
        raise ReplyError("It is no number.")
    return int(text)


NUMBER = ReplyFormat(parse=number, grammar="root ::= [0-9]+", fallback=lambda: -1, fallback_note="Took -1.")


async def ask(model: Any, reply: ReplyFormat[int] = NUMBER, node: str = "count") -> ParsedReply[int]:
    return await call_model(model, [HumanMessage("how many are there?")], reply, node=node)


async def test_ok_repaired_fallback_and_error() -> None:
    model = ScriptedChatModel(responses=["7", "seven", "7", "seven", "sieben", "x", "y"])
    called = await ask(model)
    assert (called.value, called.step.status, called.step.note) == (7, "ok", "")
    called = await ask(model)
    assert (called.value, called.step.status, called.step.note) == (7, "repaired", "It is no number.")
    assert called.step.usage.calls == 2 and called.step.reply == "seven\n---\n7"
    assert "It is no number." in model.calls[-1][0][-1].text
    called = await ask(model)
    assert (called.value, called.step.status) == (-1, "fallback") and "Took -1." in called.step.note
    with pytest.raises(ReplyError):
        await ask(model, ReplyFormat(parse=number))


async def test_backend_errors_are_never_a_fallback() -> None:
    with pytest.raises(RateLimitError):
        await ask(ScriptedChatModel(responses=[RateLimitError("slow down")]))


@pytest.mark.parametrize("supported", [True, False])
async def test_grammar_goes_only_where_it_is_understood(supported: bool) -> None:
    model = ScriptedChatModel(responses=["7"], supports_grammar=supported)
    await ask(model)
    assert ("grammar" in model.calls[0][1]) is supported


async def test_cap_on_calls_stops_before_the_call() -> None:
    model = ScriptedChatModel(responses=lambda m, k: "7")
    with use_budget(Budget(max_calls=2)) as budget:
        await ask(model)
        await ask(model, node="other")
        with pytest.raises(BudgetExceededError, match="2 calls"):
            await ask(model)
    assert len(model.calls) == 2 and list(budget.meter.by_node) == ["count", "other"]
    await ask(model)  # outside nothing is capped
    assert len(model.calls) == 3


async def test_cap_on_calls_is_exact_with_many_in_flight() -> None:
    model = ScriptedChatModel(responses=lambda m, k: "7", latency=0.01)
    with use_budget(Budget(max_calls=10)) as budget:
        outcomes = await asyncio.gather(*(ask(model) for _ in range(50)), return_exceptions=True)
    assert sum(isinstance(o, BudgetExceededError) for o in outcomes) == 40
    assert len(model.calls) == budget.meter.total.calls == 10


async def test_a_repair_is_charged_and_refused_too() -> None:
    model = ScriptedChatModel(responses=["seven", "7"])
    with use_budget(Budget(max_calls=1)), pytest.raises(BudgetExceededError):
        await ask(model)
    assert len(model.calls) == 1


async def test_cap_on_tokens() -> None:
    model = ScriptedChatModel(responses=lambda m, k: "7")  # 4 + 1 tokens a call
    with use_budget(Caps(max_tokens=9)) as budget:
        await ask(model)
        await ask(model)
        with pytest.raises(BudgetExceededError, match=r"9 tokens \(10 used\)"):
            await ask(model)
    assert budget.meter.total == Usage(2, 8, 0, 2)


async def test_cost_and_its_cap() -> None:
    model = ScriptedChatModel(responses=lambda m, k: "7", price=Price(prompt=250_000, completion=1_000_000))
    called = await ask(model)
    assert called.step.usage.cost == pytest.approx(2.0)
    with use_budget(Budget(max_cost=3.0)) as budget:
        await ask(model)
        await ask(model)
        with pytest.raises(BudgetExceededError, match=r"\$3 \(\$4\.0000 spent\)"):
            await ask(model)
    assert budget.meter.total.cost == pytest.approx(4.0)


def test_price_of_cached_tokens() -> None:
    usage = Usage(1, 1000, 600, 100)
    assert Price(10, 20).of(usage) == pytest.approx((1000 * 10 + 100 * 20) / 1e6)
    assert Price(10, 20, cached=1).of(usage) == pytest.approx((400 * 10 + 600 * 1 + 100 * 20) / 1e6)


async def test_no_price_no_cost_and_no_cap_on_cost() -> None:
    model = ScriptedChatModel(responses=["7"])
    assert (await ask(model)).step.usage.cost is None
    with use_budget(Budget(max_cost=1.0)), pytest.raises(ConfigError, match="no known price"):
        await ask(model)


async def test_a_failed_call_is_given_back() -> None:
    model = ScriptedChatModel(responses=[BackendError("down"), "7"])
    with use_budget(Budget(max_calls=1)) as budget:
        with pytest.raises(BackendError):
            await ask(model)
        assert (await ask(model)).value == 7
    assert budget.meter.total.calls == 1


async def test_hits_of_the_cache_are_free(tmp_path: Any) -> None:
    from triplewise.backends.cache import LLMCache

    model = ScriptedChatModel(responses=["7"], cache=LLMCache(tmp_path), price=Price(1, 1))
    await ask(model)
    with use_budget(Budget(max_calls=1, max_tokens=1, max_cost=1e-9)) as budget:
        for _ in range(5):
            assert (await ask(model)).value == 7
    assert budget.meter.total == Usage(cache_hits=5, cost=0.0)


def test_the_budget_reaches_sync_runs_and_graphs() -> None:
    from langgraph.graph import END, START, StateGraph

    from triplewise.agents.context import Context
    from triplewise.agents.node import node

    async def count(state: dict[str, Any], context: Context) -> dict[str, Any]:
        assert not isinstance(context.model, str)
        return {"n": (await ask(context.model)).value}

    kg: Any = object()
    graph = StateGraph(dict, context_schema=Context).add_node("count", node(count))
    compiled = graph.add_edge(START, "count").add_edge("count", END).compile()
    context = Context(kg=kg, model=ScriptedChatModel(responses=lambda m, k: "7"))
    with use_budget(Budget(max_calls=2)) as budget:
        run_sync(ask(context.model))
        compiled.invoke({"n": 0}, context=context)
        with pytest.raises(BudgetExceededError):
            asyncio.run(compiled.ainvoke({"n": 0}, context=context))
    assert budget.meter.total.calls == 2 and active_budget() is None


@pytest.mark.parametrize(
    "caps", [{"max_calls": -1}, {"max_tokens": -5}, {"max_cost": -0.1}, {"max_cost": float("nan")}]
)
def test_caps_below_zero(caps: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="at least 0"):
        Budget(**caps)


def test_meter() -> None:
    meter = UsageMeter()
    meter.add("a", Usage(1, 10, 0, 2))
    meter.add("b", Usage(1, 5, 5, 1))
    meter.add("a", Usage(1, 1, 0, 1))
    assert meter.by_node == {"a": Usage(2, 11, 0, 3), "b": Usage(1, 5, 5, 1)}
    assert meter.total == Usage(3, 16, 5, 4)


async def test_against_a_server(fake_openai: Callable[..., Any]) -> None:
    server = fake_openai(["7"])
    model = load_chat_model("openai:fake", price=Price(1, 1))
    with use_budget(Budget(max_calls=3)) as budget, pytest.raises(BudgetExceededError):
        for _ in range(9):
            await ask(model)
    spent = budget.meter.total
    assert server.requests == spent.calls == 3
    assert (spent.prompt_tokens, spent.completion_tokens) == (server.prompt_tokens, server.completion_tokens)
