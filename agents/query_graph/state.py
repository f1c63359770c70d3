"""What the nodes of query-graph exchange beside the shared state."""

from __future__ import annotations

from dataclasses import dataclass

from triplewise.agents.state import AskState
from triplewise.kg.query.graph import QueryGraph


@dataclass(frozen=True, slots=True)
class ScoredReading:
    """A query graph that the sentence may mean. ``shown``: its words as the ranker saw them."""

    query: QueryGraph
    shown: str
    score: float
    probability: float


class QueryGraphState(AskState, total=False):
    """The shared state and the readings of the sentence."""

    readings: tuple[ScoredReading, ...]
    """The likeliest first."""
    none_probability: float
    """How likely it is that the graph cannot say what is asked."""
