"""Link scorers: PyKEEN as the oracle of the matrix product, files of rankings, the tool, damage and mismatch."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triplewise.errors import ConfigError, GraphFileError, IndexMismatchError, QuestionError, UnknownEntityError
from triplewise.kg import NetworkxStore
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.rotate_scorer import LinkScorer, RankingFile, RotatEScorer, write_model
from triplewise.tools.links.scorers import load_scorer
from triplewise.tools.predict_links import make_predict_links

KG = NetworkxStore.from_triples(
    [("alien", "directed_by", "scott"), ("heat", "directed_by", "mann"), ("alien", "has_genre", "horror")],
    labels={"alien": "Alien", "heat": "Heat", "scott": "Ridley Scott", "mann": "Michael Mann"},
)
DATA = LinkPredictionData.from_store(KG)


def random_scorer(data: LinkPredictionData, dim: int, seed: int = 0) -> RotatEScorer:
    rng = np.random.default_rng(seed)
    phases = rng.uniform(0, 2 * np.pi, (len(data.relations), dim))
    relation = np.stack([np.cos(phases), np.sin(phases)], axis=-1).reshape(len(data.relations), 2 * dim)
    entity = rng.normal(size=(len(data.entities), 2 * dim)) * 0.3
    return RotatEScorer(data, entity.astype(np.float32), relation.astype(np.float32))


def numbered(n_entities: int, n_relations: int) -> LinkPredictionData:
    names = [f"e{i}" for i in range(n_entities)], [f"r{i}" for i in range(n_relations)]
    return LinkPredictionData.from_triples("n", [], graph_hash="", entities=names[0], relations=names[1])


def save(scorer: RotatEScorer, folder: Path, graph_hash: str) -> Path:
    folder.mkdir(exist_ok=True)
    data = scorer.data
    description = {"graph": data.name, "graph_hash": graph_hash, "benchmark": False, "split_seed": None}
    names = {"entities": list(data.entities), "relations": list(data.relations)}
    parts = {"train": data.train, "valid": data.valid, "test": data.test}
    weights = {"entity": scorer._entity, "relation": scorer._relation.view(np.float32)}
    write_model(folder, description | names, weights | parts)
    return folder


def test_scores_equal_pykeens() -> None:
    torch = pytest.importorskip("torch")
    from pykeen.models import RotatE
    from pykeen.triples import CoreTriplesFactory

    data = numbered(500, 7)
    scorer = random_scorer(data, 64)
    factory = CoreTriplesFactory(torch.zeros((1, 3), dtype=torch.long), num_entities=500, num_relations=7)
    model = RotatE(triples_factory=factory, embedding_dim=64, random_seed=0)
    with torch.no_grad():
        # An entity that a rotated head meets exactly: the product alone would lose its digits there.
        scorer._entity[3] = (scorer._entity[[2]].view(np.complex64) * scorer._relation[[1]]).view(np.float32) + 1e-4
        scorer = RotatEScorer(data, scorer._entity, scorer._relation.view(np.float32))
        next(model.entity_representations[0].parameters()).copy_(torch.from_numpy(scorer._entity))
        next(model.relation_representations[0].parameters()).copy_(
            torch.from_numpy(scorer._relation.view(np.float32).copy())
        )
    rng = np.random.default_rng(1)
    given, relation = rng.integers(500, size=64, dtype=np.int32), rng.integers(7, size=64, dtype=np.int32)
    given[0], relation[0] = 2, 1
    given[1], relation[1] = 3, 1
    pairs = torch.from_numpy(np.column_stack([given, relation])).long()
    np.testing.assert_allclose(
        scorer.score_tails(given, relation), model.predict_t(pairs).detach().numpy(), rtol=1e-6, atol=1e-6
    )
    pairs = torch.from_numpy(np.column_stack([relation, given])).long()
    np.testing.assert_allclose(
        scorer.score_heads(relation, given), model.predict_h(pairs).detach().numpy(), rtol=1e-6, atol=1e-6
    )


def test_32_queries_over_40943_entities_are_fast() -> None:
    scorer = random_scorer(numbered(40_943, 11), 256)
    rng = np.random.default_rng(0)
    given, relation = rng.integers(40_943, size=32, dtype=np.int32), rng.integers(11, size=32, dtype=np.int32)
    times = []
    for _ in range(8):
        started = time.perf_counter()
        assert scorer.score_tails(given, relation).shape == (32, 40_943)
        times.append(time.perf_counter() - started)
    assert min(times) < 0.25  # 25 ms on an idle machine; see benchmarks/bench_rotate.py


def test_rank_and_candidates_agree_and_leave_out_what_is_known() -> None:
    scorer: LinkScorer = random_scorer(DATA, 8)
    for head, relation, tail in (("alien", "directed_by", None), (None, "directed_by", "mann")):
        ids, scores = scorer.rank(head, relation, tail)
        assert sorted(ids) == sorted(KG.entities()) and scores == sorted(scores, reverse=True)
        assert scorer.candidates(head, relation, tail, 3) == list(zip(ids[:3], scores, strict=False))
        fresh = [e for e, _ in scorer.candidates(head, relation, tail, 99, exclude_known=True)]
        known = {t.tail if tail is None else t.head for t in KG.triples(head, relation, tail)}
        assert fresh == [e for e in ids if e not in known]


def test_held_out_facts_of_an_own_graph_are_known_those_of_a_benchmark_are_not() -> None:
    parts = [[("a", "r", "b")], [("a", "r", "c")], [("a", "r", "d")]]
    for benchmark, left in ((False, {"a"}), (True, {"a", "d"})):
        data = LinkPredictionData.from_triples("x", *parts, graph_hash="", benchmark=benchmark)
        found = random_scorer(data, 4).candidates("a", "r", None, 9, exclude_known=True)
        assert {e for e, _ in found} == left


def test_a_query_has_one_missing_end() -> None:
    scorer = random_scorer(DATA, 4)
    for ends in ((None, None), ("alien", "scott")):
        with pytest.raises(QuestionError):
            scorer.scores(ends[0], "directed_by", ends[1])
    with pytest.raises(UnknownEntityError):
        scorer.scores("nobody", "directed_by", None)


def test_saved_and_loaded_for_its_own_graph_only(tmp_path: Path) -> None:
    scorer = random_scorer(DATA, 8)
    folder = save(scorer, tmp_path / "m", KG.content_hash)
    again = load_scorer(folder, KG)
    assert again.rank("alien", "directed_by", None) == scorer.rank("alien", "directed_by", None)
    other = NetworkxStore.from_triples([("a", "r", "b")])
    with pytest.raises(IndexMismatchError, match="another graph"):
        load_scorer(folder, other)
    assert {p.suffix for p in folder.iterdir()} == {".json", ".safetensors"}


@pytest.mark.parametrize(
    "damage",
    [
        lambda f: (f / "rotate.json").write_text("{"),
        lambda f: (f / "rotate.json").write_text("[]"),
        lambda f: (f / "rotate.json").write_text("{}"),
        lambda f: (f / "rotate.json").unlink(),
        lambda f: (f / "rotate.safetensors").unlink(),
        lambda f: (f / "rotate.safetensors").write_bytes(b"x" * 100),
    ],
)
def test_a_damaged_folder_is_told(tmp_path: Path, damage: Callable[[Path], Any]) -> None:
    folder = save(random_scorer(DATA, 4), tmp_path / "m", KG.content_hash)
    damage(folder)
    with pytest.raises(ConfigError, match=r"damaged.*--restart|holds no trained RotatE"):
        load_scorer(folder, KG)
    with pytest.raises(ConfigError, match="no scorer at"):
        load_scorer(tmp_path / "none", KG)


def test_a_file_of_rankings(tmp_path: Path) -> None:
    lines = [
        json.dumps({"head": "alien", "relation": "directed_by", "tail": None, "ranking": ["mann", ["scott", -7.5]]}),
        "?\tdirected_by\tmann\talien\t0.5",
        "?\tdirected_by\tmann\theat\t0.75",
    ]
    file = tmp_path / "r.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    scorer = load_scorer(file, KG)
    assert isinstance(scorer, RankingFile) and len(scorer) == 2
    ids, scores = scorer.rank("alien", "directed_by", None)
    assert ids[:2] == ["mann", "scott"] and scores[:2] == [-1.0, -7.5] and len(ids) == len(KG.entities())
    assert all(np.isnan(scores[2:]))
    assert scorer.candidates(None, "directed_by", "mann") == [("heat", 0.75), ("alien", 0.5)]
    assert scorer.candidates(None, "directed_by", "mann", exclude_known=True) == [("alien", 0.5)]
    assert scorer.candidates("heat", "has_genre", None) == []  # the file has no such query
    assert scorer.rank("heat", "has_genre", None)[0] == list(KG.entities())


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not a ranking"),
        ("[1]", "not a ranking"),
        ("alien\tdirected_by", "not a ranking"),
        ("alien\tdirected_by\t?\tscott\thigh", "'high' is no score.*finite number"),
        ("alien\tdirected_by\t?\tscott\tnan", "'nan' is no score"),
        ("alien\tdirected_by\t?\tnobody", "'nobody' is no entity.*by the graph's ids"),
        ("alien\tdirects\t?\tscott", "'directs' is no relation.*by the graph's ids"),
        ("?\tdirected_by\t?\tscott", "exactly one missing end"),
        ('{"head": "alien", "relation": "directed_by", "ranking": [["scott"]]}', "not a ranking"),
        ('{"head": "alien", "relation": "directed_by", "ranking": [["scott", null]]}', "no score"),
        (f'{{"head": "alien", "relation": "directed_by", "ranking": [["scott", {"9" * 400}]]}}', "no score"),
        ('{"head": "alien", "relation": "directed_by", "ranking": [3]}', "not a ranking"),
        ('{"head": ["alien"], "relation": "directed_by", "ranking": []}', "not a ranking"),
        ('{"head": "alien", "ranking": ["scott"]}', "not a ranking"),
    ],
)
def test_a_bad_line_is_told_by_its_number(tmp_path: Path, line: str, problem: str) -> None:
    file = tmp_path / "r.tsv"
    file.write_text(f"# rankings\n{line}\n", encoding="utf-8")
    with pytest.raises(GraphFileError, match=problem) as caught:
        RankingFile.load(file, KG)
    assert caught.value.line == 2


def test_a_file_that_is_none(tmp_path: Path) -> None:
    for name, content in (("empty", b""), ("binary", b"\xff\xfe\x00"), ("comment", b"# nothing\n")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(GraphFileError):
            RankingFile.load(tmp_path / name, KG)


def test_the_tool_marks_its_candidates_as_predicted() -> None:
    scorer = random_scorer(DATA, 8)
    tool = make_predict_links(KG, scorer)
    call = {"type": "tool_call", "id": "1", "name": "predict_links"}
    message = tool.invoke({**call, "args": {"relation": "directed by", "head": "Alien", "limit": 3}})
    assert message.content.startswith("Predicted, not stated in the graph: Alien | ")
    assert [e.source for e in message.artifact] == ["predicted"] * 3
    assert all(e.triple[:2] == ("alien", "directed_by") and e.triple.tail != "scott" for e in message.artifact)
    assert [e.score for e in message.artifact] == sorted((e.score for e in message.artifact), reverse=True)
    message = tool.invoke({**call, "args": {"relation": "directed_by", "tail": "Michael Mann", "limit": 1}})
    assert message.artifact[0].triple.tail == "mann"


@pytest.mark.parametrize(
    "arguments",
    [
        {"relation": "directed_by"},
        {"relation": "directed_by", "head": "Alien", "tail": "Heat"},
        {"relation": "directed_by", "head": "Alyen"},
        {"relation": "eaten_by", "head": "Alien"},
    ],
)
def test_the_tool_tells_the_model_what_is_wrong(arguments: dict[str, Any]) -> None:
    tool = make_predict_links(KG, random_scorer(DATA, 4))
    message = tool.invoke({"type": "tool_call", "id": "1", "name": "predict_links", "args": arguments})
    assert message.status == "error" and message.content
