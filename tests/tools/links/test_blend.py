"""Blends of link scorers: each part by its formula, signs, weights, files, and the triples that speak for a link."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from triplewise.errors import ConfigError, IndexMismatchError
from triplewise.evals.scores.ranking import evaluate_scorer
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links.blend import BlendScorer, candidates_of, choose_weights
from triplewise.tools.links.complex_scorer import ComplExScorer
from triplewise.tools.links.graph_signs import SIGNS, GraphSigns
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.reasons import reasons
from triplewise.tools.links.rotate_scorer import RankingFile
from triplewise.tools.links.scorers import default_scorer_folder, find_scorer, load_scorer
from triplewise.tools.links.text_scorer import TextScorer
from triplewise.types import Triple

KG = NetworkxStore.from_triples(
    [
        ("ann", "wife_of", "bob"), ("bob", "husband_of", "ann"), ("eve", "wife_of", "dan"), ("dan", "husband_of", "eve"),
        ("ann", "lives_in", "york"), ("bob", "lives_in", "york"), ("eve", "lives_in", "hull"), ("ann", "knows", "eve"),
        ("fay", "wife_of", "gus"), ("gus", "lives_in", "hull"),
    ],
)  # fmt: skip
DATA = LinkPredictionData.from_store(KG)


def complex_part(data: LinkPredictionData, dim: int = 4, seed: int = 0) -> ComplExScorer:
    rng = np.random.default_rng(seed)
    sizes = {"entity": len(data.entities), "relation": 2 * len(data.relations)}
    return ComplExScorer(data, {k: rng.normal(size=(n, 2 * dim)).astype(np.float16) for k, n in sizes.items()})


def text_part(data: LinkPredictionData, size: int = 6, hidden: int = 5, seed: int = 1) -> TextScorer:
    rng = np.random.default_rng(seed)
    n, r = len(data.entities), 2 * len(data.relations)
    shapes = {
        "given": (n, size), "answers": (n, size), "relation": (r, size), "scale": (r, size),
        "query_in": (hidden, 2 * size), "query_bias": (hidden,), "query_out": (size, hidden),
    }  # fmt: skip
    arrays = {name: rng.normal(size=shape).astype(np.float16) for name, shape in shapes.items()}
    arrays["answers"] /= np.linalg.norm(arrays["answers"], axis=1, keepdims=True)
    return TextScorer(data, {**arrays, "sharpness": np.array([20.0], np.float16)})


def blend_of(data: LinkPredictionData, **weights: float) -> BlendScorer:
    return BlendScorer(data, {"text": text_part(data), "complex": complex_part(data)}, weights)


def test_complex_is_its_formula() -> None:
    part = complex_part(DATA)
    entity, relation = (np.asarray(a, np.float32) for a in part.arrays.values())
    e, r = (x[:, :4] + 1j * x[:, 4:] for x in (entity, relation))
    given, by = np.array([0, 3, 1], np.int32), np.array([0, 2, 1], np.int32)
    tails = np.real((e[given] * r[by]) @ e.conj().T)
    heads = np.real((e[given] * r[by + len(DATA.relations)]) @ e.conj().T)
    np.testing.assert_allclose(part.score_tails(given, by), tails, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(part.score_heads(by, given), heads, rtol=1e-4, atol=1e-4)
    by_id = part.scores(None, DATA.relations[2], DATA.entities[3])
    np.testing.assert_allclose(by_id, heads[1], rtol=1e-4, atol=1e-4)


def test_text_is_a_cosine_times_its_sharpness() -> None:
    part = text_part(DATA)
    scores = part.score_tails(np.array([0, 1], np.int32), np.array([1, 0], np.int32))
    assert scores.shape == (2, len(DATA.entities)) and np.abs(scores).max() <= 20.05
    w = {name: np.asarray(a, np.float64) for name, a in part.arrays.items()}
    inner = np.concatenate([w["given"][0], w["relation"][1]]) @ w["query_in"].T + w["query_bias"]
    inner = 0.5 * inner * (1 + np.tanh(0.7978845608 * (inner + 0.044715 * inner**3)))
    query = w["given"][0] * w["scale"][1] + w["query_out"] @ inner
    np.testing.assert_allclose(scores[0], 20 * w["answers"] @ query / np.linalg.norm(query), rtol=1e-3, atol=1e-3)


def test_signs_of_the_graph() -> None:
    signs = GraphSigns(DATA)
    ann, bob, york, dan = map(DATA.entity, ("ann", "bob", "york", "dan"))
    wife, husband = DATA.relation("wife_of"), DATA.relation("husband_of")
    back = husband + len(DATA.relations)  # (h, husband_of⁻¹, t): t is h's husband
    # Of 2 pairs (x, husband_of⁻¹, y) both have (x, wife_of, y); 5 pairs of doubt are reckoned with besides.
    assert signs.shares[back, wife] == pytest.approx(2 / 7) and signs.shares[wife, wife] == 0
    said = signs.of(ann, wife)
    assert said["same"][0].tolist() == [ann]
    assert dict(zip(*map(list, said["implied"]), strict=True))[bob] == pytest.approx(2 / 7)
    assert bob in said["near"][0] and york in said["near"][0]
    assert dan in said["two"][0] and not set(said["two"][0].tolist()) & {ann, *said["near"][0].tolist()}
    answers, logs = said["range"]
    assert set(answers.tolist()) == set(map(DATA.entity, ("bob", "dan", "gus"))) and logs == pytest.approx(np.log(2))


def test_a_blend_is_the_weighted_sum() -> None:
    blend = blend_of(DATA, text=0.5, complex=2.0, near=3.0)
    given, by = np.array([0, 1], np.int32), np.array([0, 1], np.int32)
    for side, shift in (("tail", 0), ("head", len(DATA.relations))):
        whole, *parts = (
            s.score_tails(given, by) if side == "tail" else s.score_heads(by, given)
            for s in (blend, *blend.parts.values())
        )
        wanted = 0.5 * parts[0] + 2 * parts[1]
        for row in range(2):
            near = blend.signs.of(int(given[row]), int(by[row]) + shift)["near"][0]
            wanted[row, near] += 3
        np.testing.assert_allclose(whole, wanted, rtol=1e-4, atol=1e-4)


def test_each_relation_has_its_own_weights() -> None:
    names, r = ("text", "complex", *SIGNS), len(DATA.relations)
    own = np.zeros((2 * r, len(names)), np.float32)
    own[0, names.index("text")], own[1, names.index("complex")], own[r, names.index("near")] = 1.0, 2.0, 3.0
    parts, given = {"text": text_part(DATA), "complex": complex_part(DATA)}, np.array([0, 0], np.int32)
    blend = BlendScorer(DATA, parts, {"two": 9.0}, by_relation=own)
    tails = blend.score_tails(given, np.array([0, 1], np.int32))
    np.testing.assert_allclose(tails[0], parts["text"].score_tails(given[:1], np.array([0], np.int32))[0], rtol=1e-5)
    wanted = 2 * parts["complex"].score_tails(given[:1], np.array([1], np.int32))[0]
    np.testing.assert_allclose(tails[1], wanted, rtol=1e-5)
    heads = blend.score_heads(np.array([0], np.int32), given[:1])[0]
    near = blend.signs.of(0, r)["near"][0]
    assert len(near) and np.all(heads[near] == 3) and heads.sum() == 3 * len(near)


def saved(folder: Path) -> BlendScorer:
    folder.mkdir(parents=True, exist_ok=True)
    blend = blend_of(DATA, text=0.5, complex=2.0, implied=4.0, same=-8.0)
    blend.save(folder, {"seconds": {}})
    return blend


def test_files_are_no_pickles_and_give_the_same_scores(tmp_path: Path) -> None:
    blend = saved(tmp_path)
    assert sorted(f.name for f in tmp_path.iterdir()) == ["links.json", "links.safetensors"]
    again = load_scorer(tmp_path, KG)
    assert isinstance(again, BlendScorer) and again.weights == blend.weights
    for query in (("ann", "wife_of", None), (None, "lives_in", "york")):
        np.testing.assert_array_equal(again.scores(*query), blend.scores(*query))
        assert again.rank(*query) == blend.rank(*query)
    assert blend.candidates("ann", "wife_of", None, 3, exclude_known=True)[0][0] != "bob"


def test_weights_of_relations_are_saved(tmp_path: Path) -> None:
    own = np.random.default_rng(3).normal(size=(2 * len(DATA.relations), 2 + len(SIGNS))).astype(np.float32)
    blend = BlendScorer(DATA, {"text": text_part(DATA), "complex": complex_part(DATA)}, {"text": 1.0}, by_relation=own)
    blend.save(tmp_path, {})
    again = BlendScorer.load(tmp_path, KG)
    np.testing.assert_array_equal(again.scores("ann", "wife_of", None), blend.scores("ann", "wife_of", None))


def test_a_graphs_own_blend_is_found_before_its_rotate() -> None:
    saved(default_scorer_folder(KG, "links"))  # tests have a cache folder of their own
    assert isinstance(find_scorer(KG), BlendScorer)


def test_damage_and_other_graphs(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no trained blend"):
        BlendScorer.load(tmp_path)
    saved(tmp_path)
    with pytest.raises(IndexMismatchError, match="trained on another graph"):
        load_scorer(tmp_path, NetworkxStore.from_triples([("a", "r", "b")]))
    weights = tmp_path / "links.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(ConfigError, match="is damaged"):
        load_scorer(tmp_path, KG)


def films(seed: int = 0) -> LinkPredictionData:
    """A part of the bundled graph, small enough that every entity is a candidate."""
    kg = load_kg("films")
    triples = [t for t in kg.triples() if t.relation in ("directed_by", "has_genre")][:300]
    whole = LinkPredictionData.from_triples("films", triples, graph_hash="", benchmark=False)
    return whole.split(0.1, 0.1, seed)


def test_reckoned_and_real_ranks_agree() -> None:
    data = films()
    parts = {"text": text_part(data), "complex": complex_part(data)}
    signs = GraphSigns(data)
    choices = candidates_of(data, parts, signs, data.valid, leading=len(data.entities))
    weights = {"text": 0.3, "complex": 1.0, "two": 0.7, "range": 0.2, "same": -3.0}
    real = evaluate_scorer(BlendScorer(data, parts, weights, signs), data, data.valid).metrics().mrr
    assert choices.mrr([weights.get(n, 0.0) for n in choices.names]) == pytest.approx(real, abs=2e-3)


def test_weights_are_chosen_on_the_validation_part_alone() -> None:
    data = films()
    parts, signs = {"text": text_part(data), "complex": complex_part(data)}, GraphSigns(data)
    weights, mrr = choose_weights(candidates_of(data, parts, signs, data.valid))
    assert set(weights) == {"text", "complex", *SIGNS}
    alone = choose_weights(candidates_of(data, parts, signs, data.valid), rounds=0)[1]
    assert mrr > 2 * alone  # random parts: only the signs say anything
    few = candidates_of(data, parts, signs, data.valid[:1])
    assert sum(w != 0 for w in choose_weights(few)[0].values()) == 1  # two queries choose a part and nothing else
    asked = {(side, row[i], row[1]) for row in data.valid.tolist() for side, i in (("tail", 0), ("head", 2))}
    shared = [bool({("tail", h, r), ("head", t, r)} & asked) for h, r, t in data.test.tolist()]
    other = replace(data, test=data.test[shared])  # what filters the validation queries, and nothing else of the test
    assert len(other.test) < len(data.test)
    assert choose_weights(candidates_of(other, parts, signs, data.valid)) == (weights, mrr)


def test_what_speaks_for_a_link(tmp_path: Path) -> None:
    kg = NetworkxStore.from_triples(
        [("ann", "works_with", "bob"), ("eve", "likes", "tea"), ("fay", "likes", "tea"), ("ann", "knows", "eve"),
         ("bob", "likes", "tea"), ("eve", "knows", "dan"), ("ann", "knows", "dan"), ("ann", "likes", "milk")],
    )  # fmt: skip
    wanted = Triple("ann", "likes", "tea")
    found = reasons(kg, wanted, "ann")
    assert found[0] == ("eve", "likes", "tea")  # it shares most neighbours with ann
    assert len(found) == 3 and wanted not in found and set(found) <= set(kg.triples())
    assert reasons(kg, Triple("ann", "married_to", "bob"), "ann")[0] == ("ann", "works_with", "bob")
    data = LinkPredictionData.from_store(kg)
    near = np.eye(len(data.entities), 8, dtype=np.float16)
    near[data.entity("fay")] = near[data.entity("ann")]
    relation = np.ones((2 * len(data.relations), 8), np.float16)
    alike = ComplExScorer(data, {"entity": near, "relation": relation})
    assert reasons(kg, wanted, "ann", alike)[0] == ("fay", "likes", "tea")
    path = tmp_path / "r.tsv"
    path.write_text("ann\tlikes\t?\ttea\n")
    assert reasons(kg, wanted, "ann", RankingFile.load(path, kg)) == found


def test_the_description_says_what_was_saved(tmp_path: Path) -> None:
    saved(tmp_path)
    kept = json.loads((tmp_path / "links.json").read_text())
    assert kept["parts"] == ["text", "complex"] and kept["weights"]["implied"] == 4.0
    assert kept["graph_hash"] == KG.content_hash and len(kept["entities"]) == len(KG.entities())
