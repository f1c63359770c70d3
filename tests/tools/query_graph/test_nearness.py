"""What relations say of a sentence, token by token: by vectors that are written here, and by the encoder's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_graphs import ferries

from triplewise.backends.encoders.mini_bert import TokenVectors
from triplewise.errors import ConfigError
from triplewise.tools.query_graph.nearness import Nearness, RelationVectors
from triplewise.tools.query_graph.ranker import WEIGHTS, Reader
from triplewise.tools.query_graph.schema_view import Step

ONE, TWO, NEITHER = np.eye(3, dtype=np.float32)


def tokenise(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def vectors(*texts: tuple[np.ndarray, list[np.ndarray]], ids: list[int]) -> TokenVectors:
    tokens = [np.stack(own) if own else np.zeros((0, 3), np.float32) for _, own in texts]
    return TokenVectors(np.stack([whole for whole, _ in texts]), tokens, [ids] * len(texts))


RELATIONS = RelationVectors(["one", "both", "mute"], vectors((ONE, [ONE]), (TWO, [ONE, TWO]), (NEITHER, []), ids=[]))


def cover(near: Nearness, relations: list[str], said: str = "") -> list[float]:
    [found] = near.cover([(frozenset(relations), 0)], [near.named([said])])
    return found.tolist()


def test_each_token_is_matched_by_the_best_of_the_relations() -> None:
    near = Nearness(RELATIONS, vectors((ONE, [ONE, TWO, NEITHER]), ids=[1, 2, 3]), tokenise)
    assert [near(Step(r)) for r in ("one", "both", "unknown")] == [1, 0, 0]
    assert cover(near, ["one"]) == pytest.approx((1 / 3, 0, 1 / 3, 1, 1))
    assert cover(near, ["both"]) == pytest.approx((2 / 3, 0, 2 / 3, 1, 1))
    assert cover(near, ["one", "mute"]) == pytest.approx((1 / 3, 0, 1 / 3, 0.5, 0))
    assert cover(near, ["one"], "3") == pytest.approx((2 / 3, 0, 1 / 2, 1, 1))
    assert cover(near, [], "2 3") == cover(near, ["unknown"], "2 3") == pytest.approx((2 / 3, 0, 0, 0, 0))
    assert cover(near, ["one"], "1 2 3") == pytest.approx((1, 0, 0, 1, 1))


def test_several_are_reckoned_at_once_as_each_is_alone() -> None:
    near = Nearness(RELATIONS, vectors((ONE, [ONE, TWO, NEITHER]), ids=[1, 2, 3]), tokenise)
    asked = [(frozenset(r), n) for n in (0, 1, 2) for r in (["one"], [], ["both", "one"], ["mute", "unknown"])]
    said = ["", "2", "1 3"]
    alone = [cover(near, sorted(relations), said[n]) for relations, n in asked]
    assert near.cover(asked, [near.named([text]) for text in said]).tolist() == alone
    assert near.cover([], []).shape == (0, 5)


def test_a_word_is_as_near_as_to_the_nearest_relation() -> None:
    near = Nearness(RELATIONS, vectors((ONE, [ONE, NEITHER, (ONE + NEITHER) / 2]), ids=[1, 2, 3]), tokenise)
    assert [near.of_word(word) for word in ("1", "2", "3", "2 3", "4")] == [1, 0, 0.5, 0.5, 0]


def test_a_second_relation_gains_what_the_first_leaves_unsaid() -> None:
    two = RelationVectors(["one", "two"], vectors((ONE, [ONE]), (TWO, [TWO]), ids=[]))
    near = Nearness(two, vectors((ONE, [ONE, TWO]), ids=[1, 2]), tokenise)
    assert cover(near, ["one", "two"]) == pytest.approx((1, 0.5, 1, 1, 1))


@pytest.mark.parametrize("sentence", ["", "?", "ß" * 500])
def test_a_sentence_of_no_or_many_tokens_has_finite_features(sentence: str) -> None:
    near = Reader(ferries()).affinity(sentence)
    assert np.isfinite(cover(near, ["captain of", "built"], "ß")).all()


def test_the_encoder_tells_what_is_said() -> None:
    near = Reader(ferries()).affinity("Who is the captain of the Otter?")
    said, other = (cover(near, [r], "Otter") for r in ("captain of", "length m"))
    assert said[0] > other[0] and said[2] > other[2]


def test_a_ranker_of_another_version_is_refused(tmp_path: Path) -> None:
    with np.load(WEIGHTS) as file:
        arrays = {name: file[name][:, :40] if name == "features.mean" else file[name] for name in file.files}
    np.savez(tmp_path / "old.npz", **arrays)
    with pytest.raises(ConfigError, match="a ranker of another version"):
        Reader(ferries(), tmp_path / "old.npz")
