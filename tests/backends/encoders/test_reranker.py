"""The re-ranker: NumPy and ONNX Runtime give what torch does, its file is made once, and without its packages there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from triplewise.backends.encoders import int8_layers, reranker
from triplewise.backends.encoders.reranker import ADAPTER, SWITCH, Reranker, find_reranker, joined
from triplewise.errors import MissingExtraError
from triplewise.places import cache_folder

WORDS = ("<s>", "<pad>", "</s>", "[UNK]", "who", "sails", "the", "otter", "anna", "captain", "of", "##s", "?")
TEXTS = ["captain of the otter", "the otter", "anna", "who sails anna? the captain of the otters"]
installed = pytest.mark.skipif(not reranker._pieces() or not ADAPTER.is_file(), reason="needs the extra reranker")


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(SWITCH, raising=False)
    reranker._found.cache_clear()
    yield
    reranker._found.cache_clear()


@pytest.mark.parametrize("int8", ["on", "off"])
def test_scores_as_torch_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, int8: str) -> None:
    monkeypatch.setenv(int8_layers.SWITCH, int8)
    torch = pytest.importorskip("torch", reason="needs the extra train")
    transformers = pytest.importorskip("transformers", reason="needs the extra train")
    from triplewise.train.query_graph import reranker_network

    monkeypatch.setattr(reranker_network, "_number_type", lambda: torch.float32)
    torch.manual_seed(0)
    config = transformers.MPNetConfig(
        vocab_size=len(WORDS), hidden_size=48, num_hidden_layers=7, max_position_embeddings=514, layer_norm_eps=1e-5
    )
    model = transformers.MPNetModel(config)
    model.encoder.relative_attention_bias.weight.data.normal_(std=2.0)
    for name, tensor in model.named_parameters():
        if name.endswith("bias") or "LayerNorm" in name:
            tensor.data.add_(torch.randn(tensor.shape) * 0.2)
    state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    network = reranker_network.RerankerNetwork(state, WORDS).eval()
    assert len(network.slow()) == 2 * 6 * (7 - reranker_network.ADAPTED_FROM)
    with torch.no_grad():
        for parameter in (*network.slow(), *network.quick()):
            parameter.add_(torch.randn(parameter.shape) * 0.2)
        scored = network.score(["who sails the otter?", "anna"], TEXTS, [0, 0, 1, 0]).numpy()
    network.save(tmp_path / "adapter.npz")
    with np.load(tmp_path / "adapter.npz", allow_pickle=False) as archive:
        arrays = joined(state, dict(archive))
    arrays["vocabulary"] = np.frombuffer("\n".join(WORDS).encode(), np.uint8)
    ours = Reranker(arrays, reranker._quick(tmp_path / "layers.onnx", arrays))
    own = ours.score("who sails the otter?", [TEXTS[0], TEXTS[1], TEXTS[3]])
    assert np.allclose(own, scored[[0, 1, 3]], atol=0.2 * np.ptp(scored)), "int8 of weights drawn at random"
    assert np.allclose(ours.none, network.none.detach().numpy() + reranker_network.NONE)
    assert np.allclose(ours.share, reranker_network.SHARE)
    assert ours.score("anna", []).shape == (0,)


def test_distances_are_grouped_as_in_torch() -> None:
    torch = pytest.importorskip("torch", reason="needs the extra train")
    mpnet = pytest.importorskip("transformers.models.mpnet.modeling_mpnet", reason="needs the extra train")
    place = torch.arange(192)
    groups = mpnet.MPNetEncoder.relative_position_bucket(place[None, :] - place[:, None], num_buckets=32)
    assert (reranker._buckets(192) == groups.numpy()).all()


def test_there_is_none_without_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("safetensors", reason="needs the extra kge")
    monkeypatch.setattr(reranker, "_PARTS", ("no-such-package",))
    monkeypatch.setattr(reranker, "ADAPTER", Path(__file__))
    assert find_reranker() is None
    with pytest.raises(MissingExtraError, match="re-ranker"):
        reranker.mpnet()


@installed
def test_it_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(reranker.reranker_id()) == 16, "a run records it"
    monkeypatch.setenv(SWITCH, "off")
    assert find_reranker() is None and reranker.reranker_id() == ""


@installed
@pytest.mark.timeout(300)
def test_it_is_joined_once(tmp_path: Path) -> None:
    first = find_reranker()
    assert first is not None
    (place,) = (tmp_path / "triplewise").glob("reranker-*.npz")
    scores = first.score("Who skippers the Otter?", ["the captain of Otter", "the home port of Otter"])
    assert scores[0] > scores[1] + 1
    written = place.stat().st_mtime_ns
    reranker._found.cache_clear()
    again = find_reranker()
    assert again is not None and place.stat().st_mtime_ns == written
    assert np.allclose(again.score("Who skippers the Otter?", ["the captain of Otter"]), scores[:1], atol=1e-3)
    place.write_bytes(place.read_bytes()[:1000])  # cut off: it is made anew
    reranker._found.cache_clear()
    assert find_reranker() is not None and place.stat().st_size > 50_000_000


@installed
@pytest.mark.timeout(300)
def test_its_layers_are_written_anew_where_they_are_damaged() -> None:
    first = find_reranker()
    assert first is not None
    if first.quick is None:
        pytest.skip("this processor's products of 8-bit numbers overflow, or onnxruntime is not installed")
    place = reranker._beside(next(cache_folder().glob("reranker-*.npz")))
    place.write_bytes(place.read_bytes()[:1_000_000])
    reranker._found.cache_clear()
    again = find_reranker()
    assert again is not None and again.quick is not None and place.stat().st_size > 50_000_000
