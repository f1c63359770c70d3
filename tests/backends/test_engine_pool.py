"""Calls in flight on the embedded model: each in a context of its own, with the replies that it has alone."""

from __future__ import annotations

import asyncio
import threading

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from triplewise.backends.llama.engine_pool import MOST, EnginePool
from triplewise.backends.llama.llama_engine import Engine, Sampling
from triplewise.backends.llama.llamacpp import ChatLlamaCpp
from triplewise.errors import BackendError

pytestmark = pytest.mark.local
pytest.importorskip("llama_cpp")
PROMPTS = [
    [SystemMessage("You name one thing."), HumanMessage(f"Name a {w}.")] for w in ("river", "tree", "bird", "tool")
]


@pytest.fixture(scope="module")
def model() -> ChatLlamaCpp:
    return ChatLlamaCpp.from_spec("embedded", n_ctx=1024, n_threads=2, n_gpu_layers=0, max_tokens=12)


def test_calls_in_flight_have_a_context_each_and_reply_as_alone(model: ChatLlamaCpp) -> None:
    alone = [model.invoke(p).text for p in PROMPTS]

    async def together() -> list[str]:
        return [reply.text for reply in await asyncio.gather(*(model.ainvoke(p) for p in PROMPTS))]

    assert asyncio.run(together()) == alone
    assert len(model.pool.engines) == 2
    assert all(engine.llm.n_tokens for engine in model.pool.engines)


def test_threads_are_shared_out(model: ChatLlamaCpp) -> None:
    pool = model.pool
    assert pool.share() == 2
    with pool.engine_for([1]) as first:
        assert pool.share() == 2
        taken = threading.Event()
        done = threading.Event()

        def second() -> None:
            with pool.engine_for([1]) as engine:
                assert engine is not first
                taken.set()
                done.wait(10)

        thread = threading.Thread(target=second)
        thread.start()
        assert taken.wait(10) and pool.share() == 1
        done.set()
        thread.join()
    assert pool.share() == 2


def test_a_context_that_is_made_late_has_its_share_only() -> None:
    pool = ChatLlamaCpp.from_spec("embedded", n_ctx=736, n_threads=2, n_gpu_layers=0).pool

    def threads_after_a_token(engine: Engine) -> int:
        list(engine.generate([1, 2], Sampling(max_tokens=1), engine.start([1, 2], Sampling())))
        return engine.capi.llama_n_threads(engine.llm.ctx)

    with pool.engine_for([1]) as first, pool.engine_for([1]) as second:
        assert [threads_after_a_token(engine) for engine in (first, second)] == [1, 1]
        with pool.engine_for([1]) as third:
            assert threads_after_a_token(third) == 1


def test_a_prompt_goes_where_most_of_it_was_read(model: ChatLlamaCpp) -> None:
    for prompt in (PROMPTS[0], PROMPTS[0]):
        usage = model.invoke([SystemMessage("Quay " * 90), *prompt], max_tokens=1).usage_metadata
    assert usage and usage["input_token_details"]["cache_read"] >= usage["input_tokens"] - 1


def test_a_call_within_a_stream_does_not_wait_for_itself() -> None:
    model = ChatLlamaCpp.from_spec("embedded", n_ctx=512, n_threads=1, n_gpu_layers=0, max_tokens=6)
    alone = [model.invoke(p).text for p in PROMPTS[:2]]
    pieces = [(chunk.text, model.invoke(PROMPTS[1]).text) for chunk in model.stream(PROMPTS[0])]
    assert "".join(piece for piece, _ in pieces) == alone[0]
    assert {inner for _, inner in pieces} == {alone[1]}


def test_one_thread_cannot_stream_without_end() -> None:
    model = ChatLlamaCpp.from_spec("embedded", n_ctx=576, n_threads=1, n_gpu_layers=0, max_tokens=6)
    streams = [model.stream(PROMPTS[0]) for _ in range(MOST)]
    for stream in streams:
        next(stream)
    with pytest.raises(BackendError, match="4 replies of one model"):
        model.invoke(PROMPTS[1])
    for stream in streams:
        stream.close()  # pyright: ignore[reportAttributeAccessIssue]
    assert model.invoke(PROMPTS[1]).text


def test_a_stream_that_another_thread_closes_gives_its_context_back() -> None:
    model = ChatLlamaCpp.from_spec("embedded", n_ctx=608, n_threads=1, n_gpu_layers=0, max_tokens=6)
    stream = model.stream(PROMPTS[0])
    next(stream)
    closer = threading.Thread(target=stream.close)  # pyright: ignore[reportAttributeAccessIssue]
    closer.start()
    closer.join()
    assert model.invoke(PROMPTS[1]).text and len(model.pool.engines) == 1


@pytest.mark.parametrize("streamed", [False, True])
def test_a_call_that_is_given_up_while_it_waits_reads_nothing(streamed: bool) -> None:
    model = ChatLlamaCpp.from_spec("embedded", n_ctx=640, n_threads=1, n_gpu_layers=0, max_tokens=4)
    model.pool.forget()

    async def whole() -> None:
        if streamed:
            async for _ in model.astream(PROMPTS[0]):
                pass
        else:
            await model.ainvoke(PROMPTS[0])

    async def give_up() -> None:
        waiting = asyncio.create_task(whole())
        await asyncio.sleep(0.3)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    with model.pool.engine_for([1]) as engine:
        asyncio.run(give_up())
    model.pool.executor.submit(lambda: None).result(20)  # what waited before it has ended
    assert engine.llm.n_tokens == 0


def test_what_one_context_read_another_can_go_on_from(model: ChatLlamaCpp) -> None:
    model.pool.forget()
    shared = SystemMessage("The quay is long. " * 90)
    with model.pool.engine_for([1]) as first, model.pool.engine_for([1]) as second:
        tokens = [first.tokenize(first.render([{"role": "system", "content": shared.text}, {"role": "user", "content": w}]))
                  for w in ("Why?", "Since when?")]  # fmt: skip
        runs = [first.start(t, Sampling(max_tokens=2)) for t in tokens]
        list(first.generate(tokens[0], Sampling(max_tokens=2), runs[0]))
        list(first.generate(first.tokenize("Another prompt."), Sampling(max_tokens=1), first.start([1], Sampling())))
        list(second.generate(tokens[1], Sampling(max_tokens=2), runs[1]))
    assert runs[0].cached_tokens == 0 and runs[1].cached_tokens > 300


def test_where_no_other_context_can_be_made_calls_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ChatLlamaCpp.from_spec("embedded", n_ctx=704, n_threads=2, n_gpu_layers=0, max_tokens=3)

    def no_memory(*_: object) -> Engine:
        raise BackendError("llama.cpp gives no other context.", "Is memory short?")

    monkeypatch.setattr(Engine, "another", no_memory)

    async def together() -> list[str]:
        return [reply.text for reply in await asyncio.gather(*(model.ainvoke(p) for p in PROMPTS))]

    assert len(asyncio.run(together())) == 4
    assert (model.pool.size, len(model.pool.engines)) == (1, 1)


def test_a_pool_is_one_for_each_model(model: ChatLlamaCpp) -> None:
    again = ChatLlamaCpp.from_spec("embedded", n_ctx=1024, n_threads=2, n_gpu_layers=0, temperature=0.5)
    assert again.pool is model.pool and isinstance(again.pool, EnginePool)
