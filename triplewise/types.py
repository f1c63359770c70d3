"""What flows between nodes: ids inside, labels only at the edges.

All types are immutable. Entities and relations are ids (strings) everywhere;
``triplewise.kg.KGStore`` turns them into labels for prompts and screens.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from triplewise.errors import ConfigError

Task = Literal["ask", "verify", "complete"]
"""Answer a question, verify a claim, complete a link."""
Source = Literal["asserted", "inferred", "predicted"]
Verdict = Literal["supported", "refuted", "not_enough_evidence"]
StepStatus = Literal["ok", "repaired", "fallback", "skipped"]


class Triple(NamedTuple):
    """One fact, as ids."""

    head: str
    relation: str
    tail: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A triple with its source; the one evidence type of all methods.

    ``source``: asserted in the graph, inferred by path, or predicted (then ``score`` is
    the scorer's value, higher is better). ``origin`` tells which node brought it and why.
    """

    triple: Triple
    source: Source = "asserted"
    score: float | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: entity id, display label, and indices into the result's evidence."""

    id: str
    label: str
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Model cost. Tokens are the model's own; ``cost`` is US dollars, None where no price is known.

    ``calls`` counts requests a model answered, ``cache_hits`` those answered by the LLM cache
    (a hit adds no call and no tokens). ``prompt_tokens`` includes ``cached_tokens`` (a prefix
    that was not evaluated again).
    """

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cache_hits: int = 0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        costs = [c for c in (self.cost, other.cost) if c is not None]
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.cached_tokens + other.cached_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cache_hits + other.cache_hits,
            sum(costs) if costs else None,
        )


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits on what a run may spend; None is no limit. ``max_tokens`` counts prompt and completion
    tokens together, ``max_cost`` is US dollars."""

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens; ``cached`` is the price of a cached prompt token, else ``prompt``'s."""

    prompt: float
    completion: float
    cached: float | None = None

    def __post_init__(self) -> None:
        for name in ("prompt", "completion", "cached"):
            value = getattr(self, name)
            if value is None and name == "cached":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                # a price that is not a number would make every cap on money void
                raise ConfigError(
                    f"a price's {name!r} is {value!r}.", "It is US dollars per million tokens, 0 or more."
                )

    def of(self, usage: Usage) -> float:
        """The cost of a usage in US dollars."""
        cached = self.prompt if self.cached is None else self.cached
        fresh = usage.prompt_tokens - usage.cached_tokens
        return (fresh * self.prompt + usage.cached_tokens * cached + usage.completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class Step:
    """What one node saw, asked and got.

    ``status``: "ok", "repaired" (the second reply parsed), "fallback" (``note`` states which)
    or "skipped" (no model call was needed). ``prompt`` and ``reply`` are texts as sent and
    received; ``detail`` holds JSON values a person can read (labels, not ids).
    """

    node: str
    status: StepStatus = "ok"
    note: str = ""
    prompt: str = ""
    reply: str = ""
    detail: dict[str, Any] = field(default_factory=dict)
    usage: Usage = Usage()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a question or claim over a graph.

    ``text``: in words, for a person. ``query``: the query graph as JSON with ids (``QueryGraph.to_json``). ``answers``:
    labels of what it gives (a count or a verdict as its word). ``probability``: how sure the ranker is of it, 0 to 1.
    """

    text: str
    query: dict[str, Any]
    answers: tuple[str, ...] = ()
    probability: float = 0.0
    number: int = 1
    """Its place among the readings, from 1: what the option ``reading`` takes."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of ``ask`` or ``verify``: answers or a verdict, and the triples that prove it.

    ``reading`` is how the sentence was read, where the method tells (query-graph does); ``other_readings`` are the
    runners-up that answer otherwise, the likeliest first; ``margin`` is the difference of probability between it and
    the first of them.
    """

    question: str
    method: str
    text: str
    answers: tuple[Answer, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    citations: tuple[int, ...] = ()
    verdict: Verdict | None = None
    reason: str = ""
    steps: tuple[Step, ...] = ()
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    reading: Reading | None = None
    other_readings: tuple[Reading, ...] = ()
    margin: float | None = None

    @classmethod
    def from_state(cls, state: Mapping[str, Any], *, method: str = "", question: str = "") -> Result:
        """The result that a graph's final state holds, of ours or of one composed of our nodes.

        ``question``: as it was asked, else the state's. What the state lacks is empty.
        """
        steps = tuple(state.get("steps", ()))
        return cls(
            question=question or state.get("question", ""),
            method=method,
            text=state.get("text", ""),
            answers=tuple(state.get("answers", ())),
            evidence=tuple(state.get("evidence", ())),
            citations=tuple(state.get("citations", ())),
            verdict=state.get("verdict"),
            reason=state.get("reason", ""),
            steps=steps,
            usage=sum((s.usage for s in steps), Usage()),
            warnings=tuple(state.get("warnings", ())),
            reading=state.get("reading"),
            other_readings=tuple(state.get("other_readings", ())),
            margin=state.get("margin"),
        )

    def cited_triples(self) -> list[Triple]:
        """The triples that the answer or verdict rests on."""
        return [self.evidence[i].triple for i in self.citations]
