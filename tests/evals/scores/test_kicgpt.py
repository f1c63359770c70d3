"""The two scripted ends of KICGPT against metrics computed another way, and figure 3's groups."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from langchain_core.messages import BaseMessage

from triplewise.agents.context import Context
from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.backends.fake import ScriptedChatModel
from triplewise.evals.scores.kicgpt import (
    KnownAnswers,
    LinkOutcome,
    evaluate,
    filtered_rank,
    long_tail,
    queries_of,
    summary,
)
from triplewise.evals.scores.ranking import evaluate_scorer, metrics_of
from triplewise.graphs import kicgpt
from triplewise.kg import NetworkxStore
from triplewise.tools.links.kge_data import FactIndex, LinkPredictionData
from triplewise.tools.links.link_ranks import filtered_ranks
from triplewise.tools.links.rotate_scorer import RotatEScorer
from triplewise.types import Triple, Usage

ENTITIES, RELATIONS, M = 60, 3, 10


@pytest.fixture(scope="module")
def setting() -> tuple[NetworkxStore, LinkPredictionData, RotatEScorer]:
    """Random facts, a tenth of them held out, and a RotatE of random weights."""
    rng = np.random.default_rng(5)
    rows = {
        tuple(r) for r in np.column_stack([rng.integers(0, n, 700) for n in (ENTITIES, RELATIONS, ENTITIES)]).tolist()
    }
    triples = [Triple(f"e{h}", f"r{r}", f"e{t}") for h, r, t in sorted(rows) if h != t]
    rng.shuffle(triples)  # pyright: ignore[reportArgumentType, reportCallIssue]
    triples = [Triple(*t) for t in triples]
    kg = NetworkxStore.from_triples(triples[60:])
    data = LinkPredictionData.from_triples("random", triples[60:], [], triples[:60], graph_hash=kg.content_hash)
    n, d = len(data.entities), 8
    phases = rng.uniform(0, 2 * np.pi, (len(data.relations), d))
    relation = np.stack([np.cos(phases), np.sin(phases)], axis=-1).reshape(-1, 2 * d)
    return kg, data, RotatEScorer(data, rng.normal(size=(n, 2 * d)).astype(np.float32), relation.astype(np.float32))


def settings(**options: Any) -> kicgpt.KicgptSettings:
    return kicgpt.settings(**{"m": M, "keep_known": False, "parts": ("train",), **options})


def known_of(data: LinkPredictionData) -> KnownAnswers:
    return KnownAnswers(data.triples("train") + data.triples("test"))


@pytest.mark.parametrize("ablation", [None, "no-icl"])
async def test_an_identity_gives_exactly_the_retrievers_metrics(setting: Any, ablation: str | None) -> None:
    kg, data, scorer = setting
    identity = ScriptedChatModel(responses=lambda m, k: ", ".join(str(i) for i in range(1, M + 1)))
    queries = queries_of(data.triples("test"))
    outcomes = await evaluate(
        kicgpt.build(settings(ablation=ablation)), Context(kg, identity, scorer=scorer), queries, known_of(data)
    )
    oracle = evaluate_scorer(scorer, data).metrics()
    found = summary(outcomes)
    for part in ("retriever", "kicgpt"):
        assert found[part]["mrr"] == pytest.approx(oracle.mrr, abs=1e-12)
        assert [found[part][f"hits_at_{k}"] for k in (1, 3, 10)] == pytest.approx(
            [oracle.hits_at_1, oracle.hits_at_3, oracle.hits_at_10], abs=1e-12
        )
    assert found["calls_per_query"] == 1 and found["failed"] == 0


async def test_a_failed_reply_counts_with_the_retrievers_rank(setting: Any) -> None:
    kg, data, scorer = setting
    broken = ScriptedChatModel(responses=lambda m, k: "I do not know")
    queries = queries_of(data.triples("test")[:10])
    outcomes = await evaluate(kicgpt.build(settings()), Context(kg, broken, scorer=scorer), queries, known_of(data))
    found = summary(outcomes)
    assert found["failed"] == 1 and found["kicgpt"] == found["retriever"]
    assert found["calls_per_query"] == 2  # asked once more


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ablation": "shuffle-candidates"},
        {"reply": "names"},
        pytest.param({"preset": "paper"}, marks=pytest.mark.slow),
    ],
)
async def test_an_oracle_reaches_the_retrievers_ceiling(setting: Any, options: dict[str, Any]) -> None:
    kg, data, scorer = setting
    graph = kicgpt.build(settings(**options))
    outcomes = []
    for query, answer in queries_of(data.triples("test")):

        def oracle(messages: list[BaseMessage], kwargs: dict[str, Any], answer: str = answer) -> str:
            """The true answer first, if it is offered."""
            last = messages[-1].text
            if "Yes or No" in last or "reply only OK" in last:
                return "Yes"
            numbered = re.search(rf"^(\d+)\. {answer}$", last, re.M)
            offered = answer in last.partition("The candidates: ")[2].partition("\n")[0].split(" | ")
            return numbered.group(1) if numbered else answer if offered else "1"

        model = ScriptedChatModel(responses=oracle)
        outcomes += await evaluate(graph, Context(kg, model, scorer=scorer), [(query, answer)], known_of(data))
    # Independently: an answer is offered where its rank without the graph's own facts is at most m.
    train = FactIndex(data.train, len(data.relations))
    sides = ("tail", "head")
    offered = np.stack([filtered_ranks(scorer, data.test, train, side).realistic <= M for side in sides], axis=1)
    ranks = np.stack([filtered_ranks(scorer, data.test, data.known, side).realistic for side in sides], axis=1)
    ceiling = metrics_of(np.where(offered, 1, ranks).ravel())
    found = summary(outcomes)
    assert 0.1 < found["offered"] < 0.9 and found["offered"] == pytest.approx(offered.mean())
    assert found["kicgpt"]["hits_at_1"] == pytest.approx(ceiling.hits_at_1, abs=1e-12)
    assert found["kicgpt"]["mrr"] == pytest.approx(ceiling.mrr, abs=1e-12)
    assert found["ceiling"] == found["kicgpt"]


def test_filtered_ranks_leave_out_other_answers() -> None:
    assert filtered_rank(["a", "b", "c", "d"], "c", {"a", "d"}) == 2
    assert filtered_rank(["a", "b"], "z", {"a"}) == 2
    assert filtered_rank([], "z", set()) == 1


def outcome(head: str, tail: str, before: int, after: int) -> LinkOutcome:
    return LinkOutcome(LinkQuery(head, "r", None), tail, before, after, True, False, Usage(calls=1))


def test_long_tail_groups_by_the_logarithm_of_degrees() -> None:
    degrees = {"rare": 1, "mid": 7, "edge": 8, "hub": 1000}
    found = long_tail(
        [outcome("rare", "hub", 5, 1), outcome("mid", "edge", 1, 1), outcome("rare", "rare", 20, 11)], degrees
    )
    assert {g: row["n"] for g, row in found.items()} == {0: 2, 2: 1, 3: 1, 9: 1}  # one triple, two groups
    assert found[0]["retriever"] == {"hits_at_1": 0.0, "hits_at_10": 0.5}
    assert found[0]["kicgpt"] == {"hits_at_1": 0.5, "hits_at_10": 0.5}
    assert list(long_tail([outcome("hub", "new", 1, 1)], degrees, base=10)) == [0, 3]
