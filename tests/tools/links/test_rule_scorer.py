"""Rules: their confidences by hand on a graph of a few triples, what they may not see, and what they cost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from triplewise.evals.scores.ranking import evaluate_scorer
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links import rule_scorer
from triplewise.tools.links.blend import BlendScorer
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.rule_scorer import RuleScorer
from triplewise.train.links.rules import learn_rules
from triplewise.train.links.settings import RuleSettings
from triplewise.train.links.training import LinksSettings, train

TRIPLES = [
    ("ann", "works_at", "mill"), ("bob", "works_at", "mill"), ("cid", "works_at", "mill"), ("dan", "works_at", "dock"),
    ("ann", "lives_in", "york"), ("bob", "lives_in", "york"), ("dan", "lives_in", "hull"),
    ("mill", "stands_in", "york"), ("dock", "stands_in", "hull"),
]  # fmt: skip
KG = NetworkxStore.from_triples(TRIPLES)
DATA = LinkPredictionData.from_store(KG)
EVERY = RuleSettings(least=1)


def score(scorer: RuleScorer, head: str, relation: str, tail: str) -> float:
    return float(np.exp(scorer.scores(head, relation, None)[DATA.entity(tail)])) - 0.01


def test_confidences_by_hand() -> None:
    scorer = learn_rules(DATA, EVERY)
    # Of the two who work at the mill and live anywhere, both live in york: 2 / (2 + 5). By two steps, works_at then
    # stands_in leads three residents to one place each, where all three live: 3 / (3 + 5); works_at, back to a
    # colleague of cid, is no answer. The sum is of one rule each.
    first, second = 2 / 7, 3 / 8
    assert score(scorer, "cid", "lives_in", "york") == pytest.approx(1.1 * (first + second), rel=2e-3)
    assert score(scorer, "cid", "lives_in", "hull") == pytest.approx(0, abs=1e-6)


def test_an_entity_is_no_evidence_for_itself() -> None:
    scorer = RuleScorer(DATA, {"rules": np.zeros(0, np.int64), "confidence": np.zeros(0, np.float16)})
    # ann's own home says nothing of ann's: of the others at the mill one has a home, which is in york, and of the
    # others in york one is in york.
    assert score(scorer, "ann", "lives_in", "york") == pytest.approx(1 / 6 + 0.1 * 2 / 6, rel=1e-3)
    assert score(scorer, "dan", "lives_in", "hull") == pytest.approx(0, abs=1e-6)


def test_heads_are_asked_by_inverse_rules() -> None:
    scorer = learn_rules(DATA, EVERY)
    found = scorer.scores(None, "lives_in", "york")
    order = [DATA.entities[i] for i in np.argsort(-found)]
    assert "cid" in order[:3] and found[DATA.entity("cid")] > found[DATA.entity("dan")]


def test_a_hub_is_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_scorer, "HUB", 2)
    scorer = learn_rules(DATA, EVERY)
    assert score(scorer, "cid", "lives_in", "york") == pytest.approx(0, abs=1e-6)  # three work at the mill


def test_a_table_in_slices_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    kg = load_kg("films")
    data = LinkPredictionData.from_store(kg).split(0.05, 0.05)
    scorer = learn_rules(data, RuleSettings(queries=200))
    rows = data.test[:20]
    whole = scorer.score_tails(rows[:, 0], rows[:, 1])
    monkeypatch.setattr(rule_scorer, "_CELLS", 16)
    np.testing.assert_allclose(scorer.score_tails(rows[:, 0], rows[:, 1]), whole, rtol=1e-6)


def test_rules_learn_the_bundled_graph_and_are_saved(tmp_path: Path) -> None:
    kg = load_kg("films")
    data = LinkPredictionData.from_store(kg).split(0.05, 0.05)
    blend = train(data, kg, tmp_path, LinksSettings(("rules",)))
    by_chance = np.mean(1 / np.arange(1, len(data.entities) + 1))
    few = data.test[:150]
    assert evaluate_scorer(blend.parts["rules"], data, few).metrics().mrr > 20 * by_chance
    again = BlendScorer.load(tmp_path)
    h, r = few[:5, 0], few[:5, 1]
    np.testing.assert_array_equal(again.score_tails(h, r), blend.score_tails(h, r))


def test_entities_with_the_same_triples_are_alike() -> None:
    scorer = learn_rules(DATA, EVERY)
    likeness = scorer.likeness("ann", ["bob", "cid", "dan", "nobody"])
    assert likeness[0] == pytest.approx(1) and likeness[0] > likeness[1] > likeness[2] and likeness[3] == -1


def test_a_graph_without_triples_has_no_rules() -> None:
    data = LinkPredictionData.from_triples(
        "none", [], entities=["a", "b"], relations=["r"], graph_hash="", benchmark=False
    )
    scorer = learn_rules(data, RuleSettings())
    np.testing.assert_allclose(scorer.scores("a", "r", None), np.log(0.01), rtol=1e-6)
