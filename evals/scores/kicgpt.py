"""KICGPT's evaluation: filtered metrics of the retriever and of the re-ranking, cost, long tail (figure 3).

Every triple (h, r, t) gives two queries, (h, r, ?) and (?, r, t). The rank of the true answer is taken in the
ranking of all entities without the other true answers ("filtered", section 4.1). A query whose reply failed
keeps the retriever's order and counts like any other.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from triplewise.agents.context import Context
from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.evals.scores.ranking import metrics_of
from triplewise.types import Triple, Usage


@dataclass(frozen=True, slots=True)
class LinkOutcome:
    """One query: the filtered ranks (from 1) of its true answer before and after the conversation."""

    query: LinkQuery
    answer: str
    retriever_rank: int
    rank: int
    offered: bool
    """Whether the true answer was among the m candidates."""
    failed: bool
    usage: Usage

    @property
    def triple(self) -> Triple:
        """The true triple."""
        return self.query.triple(self.answer)


class KnownAnswers:
    """All true answers of each query, for the filtered setting."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._found: dict[LinkQuery, set[str]] = {}
        for h, r, t in triples:
            self._found.setdefault(LinkQuery(h, r, None), set()).add(t)
            self._found.setdefault(LinkQuery(None, r, t), set()).add(h)

    def of(self, query: LinkQuery) -> set[str]:
        """The true answers of a query, empty where there is none."""
        return self._found.get(query, set())


def queries_of(triples: Iterable[Triple]) -> list[tuple[LinkQuery, str]]:
    """Both queries of each triple, each with its answer."""
    return [pair for h, r, t in triples for pair in ((LinkQuery(h, r, None), t), (LinkQuery(None, r, t), h))]


def filtered_rank(ranking: Sequence[str], answer: str, known: set[str]) -> int:
    """The answer's rank from 1 among the entities that are no other true answer; one past the end if absent."""
    rank = 1
    for entity in ranking:
        if entity == answer:
            return rank
        rank += entity not in known
    return rank


async def evaluate(
    graph: Any,
    context: Context,
    queries: Sequence[tuple[LinkQuery, str]],
    known: KnownAnswers,
    *,
    at_once: int = 32,
    on_done: Callable[[LinkOutcome], None] | None = None,
) -> list[LinkOutcome]:
    """Run the compiled graph over all queries, ``at_once`` in flight; outcomes in the queries' order.

    The first error ends the others that are in flight, and is raised.
    """
    gate = asyncio.Semaphore(at_once)

    async def one(query: LinkQuery, answer: str) -> LinkOutcome:
        async with gate:
            state = await graph.ainvoke({"query": query, "steps": [], "warnings": []}, context=context)
        others = known.of(query) - {answer}
        order, candidates = state["order"], state["candidates"]
        before = (*(c.id for c in candidates), *state["ranking"][len(order) :])
        outcome = LinkOutcome(
            query,
            answer,
            filtered_rank(before, answer, others),
            filtered_rank(state["ranking"], answer, others),
            any(c.id == answer for c in candidates),
            any(s.node.startswith("final_query") and s.status == "fallback" for s in state["steps"]),
            sum((s.usage for s in state["steps"]), Usage()),
        )
        if on_done:
            on_done(outcome)
        return outcome

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(q, a)) for q, a in queries]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


def summary(outcomes: Sequence[LinkOutcome]) -> dict[str, Any]:
    """Metrics before and after, the best that any re-ranking of these candidates can reach, cost and failures.

    ``ceiling``: the metrics where every offered answer comes first (the retriever's Hits@m at rank 1).
    """
    n = len(outcomes) or 1
    total = sum((o.usage for o in outcomes), Usage())
    return {
        "n": len(outcomes),
        "retriever": asdict(metrics_of([o.retriever_rank for o in outcomes])),
        "kicgpt": asdict(metrics_of([o.rank for o in outcomes])),
        "ceiling": asdict(metrics_of([1 if o.offered else o.retriever_rank for o in outcomes])),
        "offered": sum(o.offered for o in outcomes) / n,
        "failed": sum(o.failed for o in outcomes) / n,
        "calls_per_query": total.calls / n,
        "prompt_tokens_per_query": total.prompt_tokens / n,
        "completion_tokens_per_query": total.completion_tokens / n,
    }


def long_tail(
    outcomes: Sequence[LinkOutcome], degrees: Mapping[str, int], base: float = 2.0
) -> dict[int, dict[str, Any]]:
    """Figure 3: Hits@1 and Hits@10 by entity degree, group g holding degrees from base^g to below base^(g+1).

    A triple counts for the group of its head and for that of its tail (section 4.4). The paper names no
    base for its logarithm.
    """
    groups: dict[int, list[LinkOutcome]] = {}
    for outcome in outcomes:
        ends = (outcome.triple.head, outcome.triple.tail)
        for group in {degree_group(degrees.get(e, 0), base) for e in ends}:
            groups.setdefault(group, []).append(outcome)
    return {
        group: {
            "n": len(members),
            "retriever": _hits([o.retriever_rank for o in members]),
            "kicgpt": _hits([o.rank for o in members]),
        }
        for group, members in sorted(groups.items())
    }


def degree_group(degree: int, base: float = 2.0) -> int:
    """floor(log_base(degree)); the small addition keeps exact powers in their group."""
    return math.floor(math.log(degree, base) + 1e-9) if degree > 0 else 0


def _hits(ranks: Sequence[int]) -> dict[str, float]:
    metrics = metrics_of(ranks)
    return {"hits_at_1": metrics.hits_at_1, "hits_at_10": metrics.hits_at_10}
