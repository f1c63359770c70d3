"""Training RotatE: learns, same seed same bits, resumes with the same bits, holds PyKEEN's scores and the paper's
property |r| = 1, and refuses what does not fit."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from triplewise.errors import ConfigError, GraphFileError
from triplewise.evals.scores.ranking import evaluate_scorer
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links.kge_data import LinkPredictionData, kept_split
from triplewise.tools.links.rotate_scorer import RotatEScorer
from triplewise.train.trainers.rotate import EpochReport, following, train
from triplewise.train.trainers.rotate_settings import RotatESettings, preset
from triplewise.types import Triple

torch = pytest.importorskip("torch")
pytest.importorskip("pykeen")
SMALL = RotatESettings(dim=32, epochs=12, evaluate_every=2, negatives=64)


@pytest.fixture(scope="module")
def nations() -> LinkPredictionData:
    """PyKEEN's own copy of Nations: 14 entities, 55 relations, 1,592 training triples."""
    import pykeen.datasets

    folder = Path(pykeen.datasets.__file__).parent / "nations"
    parts = [
        [Triple(*line.split("\t")) for line in (folder / f"{part}.txt").read_text().splitlines()]
        for part in ("train", "valid", "test")
    ]
    return LinkPredictionData.from_triples("nations", *parts, graph_hash="nations")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.suffix == ".safetensors"}


class Killed(Exception):
    pass


def kill_after(epoch: int):
    def stop(report: EpochReport) -> None:
        if report.epoch == epoch:
            raise Killed

    return stop


def test_it_learns_nations(nations: LinkPredictionData, tmp_path: Path) -> None:
    scorer = train(nations, tmp_path, replace(SMALL, epochs=60))
    metrics = evaluate_scorer(scorer, nations).metrics()
    assert metrics.mrr > 0.6  # 0.27 at random; PyKEEN's loop reaches 0.48 in 100 epochs
    assert metrics.n == 2 * len(nations.test)
    np.testing.assert_allclose(np.abs(scorer._relation), 1, atol=1e-5)
    assert {p.name for p in tmp_path.iterdir()} == {"rotate.json", "rotate.safetensors", ".lock"}


def test_same_seed_same_bits(nations: LinkPredictionData, tmp_path: Path) -> None:
    before = torch.random.get_rng_state()
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        train(nations, tmp_path / name, replace(SMALL, seed=seed))
    assert contents(tmp_path / "a") == contents(tmp_path / "b") != contents(tmp_path / "c")
    assert torch.equal(before, torch.random.get_rng_state())  # the caller's random stream is untouched


@pytest.mark.parametrize("epoch", [1, 4, 7, 9])
def test_a_killed_run_goes_on_to_the_same_bits(nations: LinkPredictionData, tmp_path: Path, epoch: int) -> None:
    train(nations, tmp_path / "whole", SMALL)
    with pytest.raises(Killed):
        train(nations, tmp_path / "cut", SMALL, on_epoch=kill_after(epoch))
    seen: list[int] = []
    train(nations, tmp_path / "cut", SMALL, on_epoch=lambda r: seen.append(r.epoch))
    assert seen[0] == epoch // 2 * 2 + 1  # from the last validation on
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")
    assert not list((tmp_path / "cut").glob("checkpoint*"))


@pytest.mark.slow
def test_a_process_killed_at_any_moment_leaves_a_usable_folder(tmp_path: Path) -> None:
    code = (
        "import sys, typer; from triplewise.interfaces.commands.train import group as cli_train; app = typer.Typer(); "
        "cli_train.register(app); app(['train', 'rotate', '--out', sys.argv[1], '--threads', '1', '--epochs', '30', '--dim', '16'])"
    )
    for wait in (0, 0.3, 1.1):
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stderr=subprocess.PIPE, text=True)
        assert process.stderr
        process.stderr.readline()  # the first validation
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert RotatEScorer.load(tmp_path, load_kg("films")).entities


def test_a_finished_run_is_returned_as_it_is(nations: LinkPredictionData, tmp_path: Path) -> None:
    train(nations, tmp_path, SMALL)
    before = contents(tmp_path)
    train(nations, tmp_path, SMALL, on_epoch=kill_after(1))
    assert contents(tmp_path) == before
    with pytest.raises(ConfigError, match=f"with dim {SMALL.dim}, not 16"):
        train(nations, tmp_path, replace(SMALL, dim=16))
    with pytest.raises(ConfigError, match="on another graph"):
        train(replace(nations, graph_hash="other"), tmp_path, SMALL)
    train(nations, tmp_path, replace(SMALL, dim=16), restart=True)
    assert RotatEScorer.load(tmp_path)._entity.shape == (14, 32)


def test_a_damaged_or_foreign_checkpoint_is_told(nations: LinkPredictionData, tmp_path: Path) -> None:
    with pytest.raises(Killed):
        train(nations, tmp_path, SMALL, on_epoch=kill_after(4))
    with pytest.raises(ConfigError, match="with seed 0, not 9"):
        train(nations, tmp_path, replace(SMALL, seed=9))
    kept = (tmp_path / "checkpoint.json").read_text()
    for damage in ("{", "[]", json.dumps({"tensors": "none"}), kept.replace("stale", "fresh")):
        (tmp_path / "checkpoint.json").write_text(damage)
        with pytest.raises(ConfigError):
            train(nations, tmp_path, SMALL)
    (tmp_path / "checkpoint.json").write_text(kept)
    next(tmp_path.glob("checkpoint-*.safetensors")).write_bytes(b"nothing")
    with pytest.raises(ConfigError, match="damaged"):
        train(nations, tmp_path, SMALL)


def test_a_folder_that_cannot_be_is_told(nations: LinkPredictionData, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="file cannot be written"):
        train(nations, tmp_path / "file", SMALL)
    with pytest.raises(ConfigError, match=r"split\.json cannot be written"):
        kept_split(load_kg("films"), tmp_path / "file" / "split.json")


def test_one_process_at_a_time(nations: LinkPredictionData, tmp_path: Path) -> None:
    def again(report: EpochReport) -> None:
        train(nations, tmp_path, SMALL)

    with pytest.raises(ConfigError, match="another process"):
        train(nations, tmp_path, SMALL, on_epoch=again)


def test_it_stops_where_validation_gains_nothing(nations: LinkPredictionData, tmp_path: Path) -> None:
    reports: list[EpochReport] = []
    settings = replace(SMALL, epochs=500, evaluate_every=1, patience=2)
    train(nations, tmp_path, settings, on_epoch=reports.append)
    assert len(reports) < 400
    best = max(r.mrr for r in reports if r.mrr is not None)
    description = json.loads((tmp_path / "rotate.json").read_text())
    assert description["valid_mrr"] == best and description["epochs"] == reports[-1].epoch
    valid = evaluate_scorer(RotatEScorer.load(tmp_path), nations, nations.valid).metrics()
    assert valid.mrr == pytest.approx(best, abs=1e-6)  # the best state was kept, not the last


def test_shared_negatives_score_as_pykeen_scores_each() -> None:
    from pykeen.nn.modules import RotatEInteraction

    from triplewise.train.trainers.rotate import _distances

    generator = torch.Generator().manual_seed(0)
    queries, entities = (torch.randn(n, 32, dtype=torch.cfloat, generator=generator) for n in (20, 50))
    one = torch.ones(1, 32, dtype=torch.cfloat)
    expected = RotatEInteraction()(queries[:, None], one, entities[None])
    torch.testing.assert_close(-_distances(queries, entities), expected, rtol=1e-5, atol=1e-5)


def test_known_training_answers_are_no_negatives(nations: LinkPredictionData) -> None:
    from triplewise.train.trainers.rotate import _Trainer

    trainer = _Trainer(nations, SMALL)
    drawn = np.array([3, 0, 7, 12, 5])
    batch = nations.train[:200]
    known = {tuple(row) for row in nations.train.tolist()}
    for side, given, make in (
        ("tail", batch[:, 0], lambda row, e: (row[0], row[1], e)),
        ("head", batch[:, 2], lambda row, e: (e, row[1], row[2])),
    ):
        expected = [[make(row, e) in known for e in drawn.tolist()] for row in batch.tolist()]
        assert trainer._known(side, given, batch[:, 1], drawn).tolist() == expected


def test_an_own_graph_is_split_by_seed_and_the_split_kept(tmp_path: Path) -> None:
    kg = load_kg("films")
    data = kept_split(kg, tmp_path / "split.json")
    again = kept_split(kg, tmp_path / "split.json")
    for part in ("train", "valid", "test"):
        assert sorted(data.triples(part)) == sorted(again.triples(part))
    everything = {t for part in ("train", "valid", "test") for t in data.triples(part)}
    assert everything == {t for t in kg.triples() if not kg.is_literal(t.tail)}
    assert len(data.train) + len(data.valid) + len(data.test) == len(everything)
    assert set(data.train[:, [0, 2]].ravel()) >= set(data.test[:, [0, 2]].ravel())
    assert set(data.train[:, 1]) >= set(data.valid[:, 1])
    assert len(data.test) == round(0.05 * len(everything))
    other = LinkPredictionData.from_store(kg).split(seed=1)
    assert set(other.triples("test")) != set(data.triples("test"))
    with pytest.raises(ConfigError, match="seed 0"):
        kept_split(kg, tmp_path / "split.json", seed=1)
    with pytest.raises(ConfigError, match="other shares: 491 validation and 491 test triples"):
        kept_split(kg, tmp_path / "split.json", test=0.1)
    with pytest.raises(GraphFileError, match="split"):
        kept_split(NetworkxStore.from_triples([("a", "r", "b")]), tmp_path / "split.json")
    (tmp_path / "split.json").write_text("{}")
    with pytest.raises(GraphFileError, match="not a split"):
        kept_split(kg, tmp_path / "split.json")


def test_a_model_follows_edits(nations: LinkPredictionData, tmp_path: Path) -> None:
    """It goes on from the embeddings that there are: in fewer epochs, with the held-out triples still held out."""
    every = nations.triples("train")
    before = NetworkxStore([t for t in every if "uk" not in (t.head, t.tail)], name="n")
    now = NetworkxStore([t for t in every if t.relation != "embassy"], name="n")
    earlier = kept_split(before, tmp_path / "before" / "split.json")
    train(earlier, tmp_path / "before", replace(SMALL, epochs=20))
    assert following(tmp_path / "before", now)[0].epochs == 15
    settings, data = following(tmp_path / "before", now, epochs=4)
    everything = {t for part in ("train", "valid", "test") for t in data.triples(part)}
    assert everything == set(now.triples())
    for part in ("valid", "test"):
        assert set(data.triples(part)) == {t for t in earlier.triples(part) if t.relation != "embassy"}
    losses: dict[str, list[float]] = {"on": [], "anew": []}
    scorer = train(data, tmp_path / "now", settings, earlier=tmp_path / "before", on_epoch=told(losses["on"]))
    anew = train(data, tmp_path / "anew", settings, on_epoch=told(losses["anew"]))
    assert max(losses["on"]) < losses["anew"][0]
    assert evaluate_scorer(scorer, data).metrics().mrr > evaluate_scorer(anew, data).metrics().mrr
    assert RotatEScorer.load(tmp_path / "now", now).data.graph_hash == now.content_hash
    train(data, tmp_path / "now", settings, earlier=tmp_path / "before")  # as it is
    with pytest.raises(ConfigError, match="started_from"):
        train(data, tmp_path / "now", settings)
    with pytest.raises(ConfigError, match="dimensions"):
        train(data, tmp_path / "wide", replace(settings, dim=8), earlier=tmp_path / "before")
    train(nations, tmp_path / "benchmark", replace(SMALL, epochs=1))
    with pytest.raises(ConfigError, match="benchmark"):
        following(tmp_path / "benchmark", now)


def told(losses: list[float]):
    return lambda report: losses.append(report.loss)


def test_thin_graphs(tmp_path: Path) -> None:
    pair = LinkPredictionData.from_store(NetworkxStore.from_triples([("a", "r", "b")]))
    assert len(pair.split(0.4, 0.4).train) == 1
    scorer = train(pair, tmp_path / "pair", replace(SMALL, epochs=3))  # no validation, no negative at all
    assert np.isfinite(scorer.scores("a", "r", None)).all()
    literals = LinkPredictionData.from_store(NetworkxStore.from_triples([("a", "year", '"1972"')]))
    with pytest.raises(ConfigError, match="no triple between entities"):
        train(literals, tmp_path / "literals", SMALL)


def test_settings_are_checked() -> None:
    assert preset("paper-wn18rr").dim == 500 and preset("cpu", dim=7, epochs=None).dim == 7
    with pytest.raises(ConfigError, match="no RotatE preset"):
        preset("gpu")
    for bad in ({"dim": 0}, {"learning_rate": -1.0}, {"margin": float("nan")}):
        with pytest.raises(ConfigError, match="must be above 0"):
            preset("cpu", **bad)
    for shares in ((-0.1, 0.1), (0.5, 0.5)):
        with pytest.raises(ConfigError, match="leave nothing"):
            LinkPredictionData.from_store(load_kg("films")).split(*shares)


def test_a_benchmark_folder(tmp_path: Path) -> None:
    parts = {"train": "a\tr\tb\nb\tr\tc\n", "valid": "a\tr\tc\n", "test": "c\tr\tnew\n"}
    for name, text in parts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    data = LinkPredictionData.from_folder(tmp_path)
    assert [len(data.train), len(data.valid), len(data.test)] == [2, 1, 1]
    assert data.entities == ("a", "b", "c", "new") and data.benchmark
    assert data.graph_hash == load_kg(tmp_path).content_hash
    assert data.asserted.answers("tail", 0, 0).tolist() == [1, 2]
    assert data.known.answers("tail", 2, 0).tolist() == [3] and data.asserted.answers("tail", 2, 0).tolist() == []
    (tmp_path / "test.txt").write_text("c\tr\n")
    with pytest.raises(GraphFileError, match=r"test\.txt:1"):
        LinkPredictionData.from_folder(tmp_path)
    (tmp_path / "test.txt").unlink()
    with pytest.raises(GraphFileError, match=r"no test\.txt"):
        LinkPredictionData.from_folder(tmp_path)
