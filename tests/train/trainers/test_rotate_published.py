"""RotatE as its authors publish it: the loss by hand, negatives of each triple's own, the scorer, a run gone on with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from triplewise.errors import ConfigError
from triplewise.tools.links.kge_data import FactIndex, LinkPredictionData
from triplewise.tools.links.rotate_scorer import RotatEScorer
from triplewise.train.trainers import rotate
from triplewise.train.trainers.rotate_settings import PRESETS, RotatESettings
from triplewise.types import Triple

torch = pytest.importorskip("torch")
pytest.importorskip("pykeen")
from triplewise.train.trainers.rotate_published import known_among, step_loss, subsampling_weights  # noqa: E402

SMALL = RotatESettings(8, 3.0, 1.0, 0.01, 8, 4, 6, 3, published=True)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def data() -> LinkPredictionData:
    triples = [Triple(f"e{i}", f"r{i % 2}", f"e{(i * 3 + 1) % 12}") for i in range(12)]
    triples += [Triple(f"e{i}", "r0", "e0") for i in range(1, 9)]
    triples = list(dict.fromkeys(triples))
    return LinkPredictionData.from_triples("small", triples[:-2], triples[-2:], [], graph_hash="x")


def test_weights_fall_with_the_frequency_of_a_triples_sides() -> None:
    triples = np.array([[0, 0, 1], [0, 0, 2], [3, 0, 2], [4, 1, 5]], dtype=np.int32)
    counts = [5 + 4, 5 + 5, 4 + 5, 4 + 4]  # (h, r) and (r, t), the first occurrence counting 4
    assert subsampling_weights(triples) == pytest.approx([c**-0.5 for c in counts])


@pytest.mark.parametrize("side", ["head", "tail"])
def test_the_loss_is_the_papers(side: str) -> None:
    rng = np.random.default_rng(1)
    table = torch.nn.Parameter(torch.from_numpy(rng.normal(size=(6, 8)).astype(np.float32)))
    phases = torch.from_numpy(rng.uniform(0, 6.28, (2, 4)))
    rotation = torch.polar(torch.ones_like(phases), phases).to(torch.complex64)

    def entity(at: torch.Tensor) -> torch.Tensor:
        return torch.view_as_complex(table[at].reshape(len(at), 4, 2))

    batch = np.array([[0, 0, 1], [2, 1, 3]], dtype=np.int32)
    drawn = np.array([[1, 4, 5], [0, 2, 4]])
    known = np.array([[True, False, False], [False, False, False]])
    weights = np.array([0.5, 0.25], dtype=np.float32)
    found = step_loss(entity, lambda at: rotation[at], batch, drawn, known, weights, side, 3.0, 0.5, "cpu")  # type: ignore[arg-type]
    e = table.detach().numpy().view(np.complex64)
    r = rotation.numpy()
    total = 0.0
    for (h, q, t), others, hidden, w in zip(batch, drawn, known, weights, strict=True):

        def distance(a: int, b: int, q: int = q) -> float:
            return float(np.abs(e[a] * r[q] - e[b]).sum())

        wrong = np.array([distance(h, o) if side == "tail" else distance(o, t) for o, k in zip(others, hidden, strict=True) if not k])  # fmt: skip
        share = np.exp(0.5 * (3 - wrong))
        share /= share.sum()
        total += w * -np.log(1 / (1 + np.exp(distance(h, t) - 3)))
        total += w * -(share * np.log(1 / (1 + np.exp(3 - wrong)))).sum()
    assert found == pytest.approx(total / (2 * weights.sum()), rel=1e-4)
    assert table.grad is not None and bool(torch.isfinite(table.grad).all())


def test_known_answers_are_told_among_each_triples_own_negatives() -> None:
    facts = np.array([[0, 0, 1], [0, 0, 2], [1, 0, 2]], dtype=np.int32)
    drawn = np.array([[1, 2, 3], [1, 2, 3]])
    found = known_among(FactIndex(facts, 1), "tail", facts[[0, 2], 0], facts[[0, 2], 1], drawn, 4)
    assert found.tolist() == [[True, True, False], [False, True, False]]


def test_the_published_score_is_the_sum_of_moduli() -> None:
    rng, small = np.random.default_rng(2), data()
    n, relations = len(small.entities), len(small.relations)
    entity = rng.normal(size=(n, 6)).astype(np.float32)
    phases = rng.uniform(0, 6.28, (relations, 3))
    rotation = np.stack([np.cos(phases), np.sin(phases)], -1).reshape(relations, 6).astype(np.float32)
    scorer = RotatEScorer(small, entity, rotation, moduli=True)
    e, r = entity.view(np.complex64), rotation.view(np.complex64)
    heads, rels = np.array([0, 3], dtype=np.int32), np.array([0, 1], dtype=np.int32)
    wanted = [[-np.abs(e[h] * r[q] - e[t]).sum() for t in range(n)] for h, q in zip(heads, rels, strict=True)]
    assert scorer.score_tails(heads, rels) == pytest.approx(np.array(wanted), rel=1e-4)
    backwards = [[-np.abs(e[h] * r[q] - e[t]).sum() for h in range(n)] for q, t in zip(rels, heads, strict=True)]
    assert scorer.score_heads(rels, heads) == pytest.approx(np.array(backwards), rel=1e-4)


def test_a_run_goes_on_to_the_same_model(tmp_path: Path) -> None:
    whole = rotate.train(data(), tmp_path / "whole", SMALL)

    def stop(report: rotate.EpochReport) -> None:
        if report.epoch == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rotate.train(data(), tmp_path / "cut", SMALL, on_epoch=stop)
    resumed = rotate.train(data(), tmp_path / "cut", SMALL)
    assert whole.moduli and resumed.moduli
    assert np.array_equal(whole._entity, resumed._entity)


def test_devices() -> None:
    assert rotate.torch_device("cpu").type == "cpu"
    with pytest.raises(ConfigError, match="no device 'tpu'"):
        rotate.torch_device("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(ConfigError, match="no CUDA device"):
            rotate.torch_device("cuda")
    assert PRESETS["paper-wn18rr"].published and not PRESETS["cpu"].published
