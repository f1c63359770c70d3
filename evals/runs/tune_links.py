"""KICGPT's tuning (section 4.1): m and the demonstrations of a round, chosen on queries of the validation part.

The paper takes m from {10, 20, 30, 40, 50} and the batch from {4, 8, 16, 32} by a random subset of 200 validation
queries. Each choice is a run of its own (``evals.runs.kicgpt_run``) with the same queries, so that it goes on after a
stop; demonstrations come from the training part alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from triplewise.errors import ConfigError
from triplewise.evals.runs import kicgpt_run
from triplewise.evals.runs.kicgpt_run import LinkRun
from triplewise.evals.scores.results import load_run
from triplewise.evals.scores.summary import Figure, summarise
from triplewise.types import Caps

CANDIDATES, PER_ROUND, QUERIES = (10, 20, 30, 40, 50), (4, 8, 16, 32), 200


@dataclass(frozen=True, slots=True)
class Tried:
    """One choice and its filtered MRR on the queries."""

    m: int
    per_round: int
    mrr: Figure
    run: str


def tune(
    settings: LinkRun,
    out: Path,
    candidates: Sequence[int] = CANDIDATES,
    per_round: Sequence[int] = PER_ROUND,
    caps: Caps | None = None,
    on_query: Callable[[str], None] = lambda name: None,
) -> Iterator[Tried]:
    """Try all pairs, each in a folder of ``out``; ``caps`` are on each. ``settings``: data, scorer, model, queries."""
    for m in candidates:
        for k in per_round:
            name = f"m{m}-round{k}"
            chosen = replace(
                settings, part="valid", rows=("kicgpt",), options={**settings.options, "m": m, "per_round": k}
            )
            kicgpt_run.run(chosen, out / name, caps=caps, on_outcome=lambda *_, name=name: on_query(name))
            (figure,) = summarise(load_run(out / name), ("mrr",))
            yield Tried(m, k, figure, str(out / name))


def best(tried: Sequence[Tried]) -> Tried:
    """The choice of the highest MRR, of equal ones the cheapest; raises ConfigError where nothing was tried."""
    if not tried:
        raise ConfigError("nothing was tried.", "Give at least one m and one size of a round.")
    return max(tried, key=lambda t: (t.mrr.value, -t.m, -t.per_round))
