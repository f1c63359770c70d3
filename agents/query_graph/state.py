"""What the nodes of query-graph exchange beside the shared state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from triplewise.agents.state import AskState, ProvidedBy
from triplewise.kg.query.graph import QueryGraph
from triplewise.types import Reading


@dataclass(frozen=True, slots=True)
class ScoredReading:
    """A query graph that the sentence may mean. ``shown``: its words as the ranker saw them."""

    query: QueryGraph
    shown: str
    score: float
    probability: float


class QueryGraphState(AskState, total=False):
    """The shared state and the readings of the sentence."""

    readings: Annotated[tuple[ScoredReading, ...], ProvidedBy("find_readings")]
    """The likeliest first."""
    reading: Annotated[Reading | None, ProvidedBy("execute_reading")]
    """How the sentence was read; None where nothing was likely enough."""
    other_readings: Annotated[tuple[Reading, ...], ProvidedBy("execute_reading")]
    """The runners-up, the likeliest first."""
    margin: Annotated[float | None, ProvidedBy("execute_reading")]
    """The difference of probability between the reading and the first of the others."""
    none_probability: Annotated[float, ProvidedBy("find_readings")]
    """How likely it is that the graph cannot say what is asked."""
