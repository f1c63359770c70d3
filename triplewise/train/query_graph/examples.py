"""Training examples for the ranker: each question of the corpus with the graph's own candidates, told right from wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from triplewise.kg.names import literal_parts
from triplewise.kg.query.graph import NAME, TYPE, QueryGraph, Variable
from triplewise.tools.query_graph.drafts import Draft
from triplewise.tools.query_graph.generate import Generator, Sentence
from triplewise.tools.query_graph.wording import Wording


@dataclass(frozen=True, slots=True)
class Example:
    """A question with candidates in words; ``right`` are the positions of those that read it as it is meant."""

    id: str
    question: str
    texts: tuple[str, ...]
    right: frozenset[int]
    features: Any = None


def right_readings(
    drafts: list[Draft], gold: QueryGraph, answers: frozenset[str], ignored: frozenset[str], same: Callable[[str], str]
) -> tuple[set[int], set[int]]:
    """(positions of right candidates, positions of those that answer alike by other relations, neither right nor wrong).

    ``same`` turns a node into the one that stands for all literals of its text; ``ignored``: relations that tell names.
    """
    wanted = {r for r in gold.relations if r not in (TYPE, NAME) and r not in ignored}
    right, alike = set(), set()
    for i, draft in enumerate(drafts):
        if (draft.form == "count") != (gold.form == "count"):
            continue
        if draft.form == "count":
            if frozenset((str(len(draft.answers)),)) != answers:
                continue
        elif frozenset(map(same, draft.answers)) != answers:
            continue
        used = {r for _, r, _ in (*draft.rows, *draft.minus) if r not in (TYPE, NAME) and r not in ignored}
        shaped = bool(draft.order) == bool(gold.order) and bool(draft.minus) == bool(gold.minus)
        if used == wanted and shaped:
            right.add(i)
        elif answers and (used >= wanted or wanted >= used or used & wanted):
            alike.add(i)
    return right, alike


def right_claims(drafts: list[Draft], gold: QueryGraph, ignored: frozenset[str]) -> tuple[set[int], set[int]]:
    """(positions of right readings of a claim, positions of those that say the same with another comparison)."""
    wanted = {r for r in gold.relations if r not in (TYPE, NAME) and r not in ignored}
    ends = {t for p in gold.patterns if p.relation in wanted for t in (p.head, p.tail) if isinstance(t, str)}
    limits = sorted((f.op, str(f.right)) for f in gold.filters if isinstance(f.right, str))
    right, alike = set(), set()
    for i, draft in enumerate(drafts):
        used = {r for _, r, _ in (*draft.rows, *draft.minus) if r not in (TYPE, NAME) and r not in ignored}
        if used != wanted or draft.compare != gold.compare or len(draft.rows) < len(gold.patterns) - 1:
            continue
        named = {e for h, r, t in draft.rows if r in wanted for e in (h, t) if isinstance(e, str)}
        said = sorted((op, str(v)) for _, op, v in draft.filters if isinstance(v, str))
        between = {op for _, op, v in draft.filters if isinstance(v, int)}
        if between != {f.op for f in gold.filters if isinstance(f.right, Variable)} or not ends <= named:
            continue
        if draft.denied == gold.denied:
            (right if said == limits else alike if len(said) == len(limits) else set()).add(i)
    return right, alike


def relations_in(gold: QueryGraph) -> frozenset[str]:
    """The relations that a gold query asks for, classes and names left out."""
    return frozenset(r for r in gold.relations if r not in (TYPE, NAME))


def pick(
    generator: Generator, wording: Wording, sentence: Sentence, drafts: list[Draft], right: set[int], alike: set[int],
    size: int, rng: random.Random,
) -> Iterator[tuple[str, bool]]:  # fmt: skip
    """(text, whether right) of the candidates to learn from: the likeliest by the cheap score, and some at random."""
    order = sorted(range(len(drafts)), key=lambda i: -drafts[i].prior)
    wrong = [i for i in order if i not in right and i not in alike]
    chosen = wrong[: size * 3 // 4]
    rest = wrong[size * 3 // 4 :]
    chosen += rng.sample(rest, min(size // 4, len(rest)))
    best = sorted(right, key=lambda i: -drafts[i].prior)[:2]
    for i in (*best, *chosen):
        yield wording.reading(drafts[i], sentence), i in right


def same_text(node_of: Callable[[str], str], label: Callable[[str], str]) -> Callable[[str], str]:
    """What stands for a node: of literals with one text the same one."""
    return lambda node: node_of(label(node)) if literal_parts(node) else node
