"""What query-graph is compared with runs with the ranker that ships."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from triplewise.train.query_graph.corpus import open_corpus

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.slow
def test_untrained_minilm_ranks_the_same_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    baselines = importlib.import_module("own_graph_baselines")
    monkeypatch.delitem(sys.modules, "own_graph_baselines")
    domain = open_corpus(ROOT / "corpus", ("library",))[0]
    untrained, items = baselines.Untrained(), domain.items()
    reader = baselines.Reader(domain.store, untrained.weights)
    item = next(i for i in items if i.task == "ask")
    ranking = reader.rank(item.text, shortlist=5)
    near = reader.bert.read([item.text, *(r.text for r in ranking.readings)]).whole
    by_cosine = sorted(range(1, len(near)), key=lambda k: -float(near[0] @ near[k]))
    assert by_cosine[0] == 1 and untrained.answer(domain, item)
    untrained.folder.cleanup()
