"""What a run will cost, told before it: prompts as the model will be given them, by its own count."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.evals.runs.estimate import Estimate, estimate
from triplewise.evals.runs.plan import Request

pytest.importorskip("scipy")
N = 8


@pytest.fixture
def metaqa(tmp_path: Path) -> Path:
    (tmp_path / "2-hop" / "vanilla").mkdir(parents=True)
    lines = [f"Film{i}|directed_by|Person{i // 2}\nFilm{i}|written_by|Writer{i}\n" for i in range(N)]
    (tmp_path / "kb.txt").write_text("".join(lines))
    asked = [f"who wrote films by the director of [Film{i}]\tWriter{i}|Writer{i ^ 1}\n" for i in range(N)]
    (tmp_path / "2-hop" / "vanilla" / "qa_dev.txt").write_text("".join(asked))
    kinds = ["movie_to_director_to_movie"] * N
    (tmp_path / "2-hop" / "qa_dev_qtype.txt").write_text("\n".join(kinds))
    return tmp_path


def told(folder: Path, model: str, **changes: object) -> Estimate:
    return estimate(Request("metaqa-2", model, data=folder, **changes))  # type: ignore[arg-type]


def test_more_examples_cost_more(metaqa: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")  # nobody listens there, and nobody asks
    few, many = (told(metaqa, "openai:fake", options={"shots": shots}) for shots in (2, 12))
    assert few.calls == many.calls >= 2 * N
    assert many.prompt_tokens > 2 * few.prompt_tokens
    assert few.cost is None and few.seconds is None
    low, high = few.tokens_interval
    assert low <= few.prompt_tokens + few.completion_tokens <= high
    part = told(metaqa, "openai:fake", options={"shots": 2}, limit=4)
    assert (part.n, part.sampled) == (4, 4)


@pytest.mark.local
def test_a_model_trained_on_the_nodes_gets_their_short_prompts(metaqa: Path) -> None:
    pytest.importorskip("llama_cpp")
    short, long = told(metaqa, "llamacpp:embedded"), told(metaqa, "llamacpp:embedded", options={"shots": 12})
    assert short.calls >= 2 * N  # two parts or a split and a choice
    assert short.prompt_tokens / short.calls < 60 < long.prompt_tokens / long.calls
    assert short.cost == 0
