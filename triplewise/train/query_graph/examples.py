"""Training examples for the ranker: each item of the corpus with the graph's own candidates, labelled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from triplewise.kg.base import KGStore
from triplewise.kg.names import literal_parts
from triplewise.kg.query.graph import NAME, TYPE, QueryGraph, Variable
from triplewise.tools.query_graph.candidates.bases import Limits
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.features import Features
from triplewise.tools.query_graph.pruning.pruner import Pruner
from triplewise.tools.query_graph.pruning.row_ends import RowEnds
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.train.query_graph.corpus import CorpusItem

KEPT = 2_500
"""Candidates of one sentence that are kept, the likeliest by the cheap score."""


@dataclass(slots=True)
class Example:
    """A sentence with its candidates: their texts, their features, and which of them are right.

    ``alike``: candidates that answer the same by other means, neither right nor wrong. ``unanswerable``: nothing is
    right. ``relations``: positions, among the domain's relations, of those that the gold query asks for. ``shortlist``:
    the cheap score of each candidate, by a network that did not see the domain.
    """

    id: str
    domain: str
    task: str
    text: str
    texts: list[str]
    features: npt.NDArray[np.float16]
    right: list[int]
    alike: list[int]
    unanswerable: bool
    relations: list[int]
    shortlist: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))


class Source(Protocol):
    """What has items over a graph: a domain of the corpus, or one's own graph with composed items."""

    @property
    def name(self) -> str: ...

    @property
    def store(self) -> KGStore: ...

    def items(self) -> Iterable[CorpusItem]:
        """Its questions and claims."""
        ...

    def node(self, term: str) -> str:
        """The id that stands for all literals of one text."""
        ...


def domain_examples(
    domain: Source, affinity: Callable[[str], Callable[[Step], float]], schema: SchemaView, verbaliser: Verbaliser
) -> Iterator[Example]:
    """The examples of one domain; ``affinity(sentence)`` tells how near each step is to it."""
    generator = Generator(schema, Limits(milliseconds=60_000))
    pruner = Pruner(schema, RowEnds(schema))
    ignored = domain.store.roles.aliases
    names = list(schema.relations)

    def same(node: str) -> str:
        return domain.node(domain.store.label(node)) if literal_parts(node) else node

    for item in domain.items():
        near = affinity(item.text)
        sentence = generator.read(item.text, item.given)
        if item.task == "ask":
            drafts = generator.generate(sentence, near)
        else:
            drafts = ClaimRun(generator, sentence, near).drafts()
        drafts = sorted(pruner.kept(sentence, item.task, drafts), key=lambda d: -d.prior)[:KEPT]
        right, alike = _right_and_alike(item, drafts, ignored, same)
        yield Example(
            item.id, domain.name, item.task, item.text,
            [verbaliser.reading(d, sentence) for d in drafts],
            Features(schema, sentence, near).matrix(drafts).astype(np.float16),
            sorted(right), sorted(alike - right), item.missing in ("relation", "entity"),
            [names.index(r) for r in relations_in(item.query) if r in names] if item.query else [],
        )  # fmt: skip


def _right_and_alike(
    item: CorpusItem, drafts: list[Draft], ignored: frozenset[str], same: Callable[[str], str]
) -> tuple[set[int], set[int]]:
    if item.query is None or item.missing in ("relation", "entity"):
        return set(), set()
    if item.task == "ask":
        return right_readings(drafts, item.query, item.answers, ignored, same)
    return right_claims(drafts, item.query, ignored)


def right_readings(
    drafts: list[Draft], gold: QueryGraph, answers: frozenset[str], ignored: frozenset[str], same: Callable[[str], str]
) -> tuple[set[int], set[int]]:
    """(positions of right candidates, positions of those that answer alike by other relations).

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
    """(positions of right readings of a claim, positions of those that say the same with another comparison).

    A value may stand in a pattern or be said to be equal; a limit may be a year or its first or last day.
    """
    wanted = {r for r in gold.relations if r not in (TYPE, NAME) and r not in ignored}
    ends = {_text(t) for p in gold.patterns if p.relation in wanted for t in (p.head, p.tail) if isinstance(t, str)}
    ends |= {f.right for f in gold.filters if f.op == "=" and isinstance(f.right, str)}
    limits = _limits((f.op, f.right) for f in gold.filters if f.op != "=" and isinstance(f.right, str))
    compared = _limits([gold.compare] if gold.compare else [])
    right, alike = set(), set()
    for i, draft in enumerate(drafts):
        used = {r for _, r, _ in (*draft.rows, *draft.minus) if r not in (TYPE, NAME) and r not in ignored}
        if used != wanted or len(draft.rows) < len(gold.patterns) - 1 or draft.denied != gold.denied:
            continue
        if _limits([draft.compare] if draft.compare else []) != compared:
            continue
        equal = {v for _, op, v in draft.filters if op == "=" and isinstance(v, str)}
        named = {_text(e) for h, r, t in draft.rows if r in wanted for e in (h, t) if isinstance(e, str)}
        said = _limits((op, v) for _, op, v in draft.filters if op != "=" and isinstance(v, str))
        between = {op for _, op, v in draft.filters if isinstance(v, int)}
        if between != {f.op for f in gold.filters if isinstance(f.right, Variable)}:
            continue
        if ends <= named | equal and equal <= ends and said == limits:
            right.add(i)
        elif len(said) + len(equal) == len(limits) + len(ends - named):
            alike.add(i)
    return right, alike


def _text(node: str) -> str:
    parts = literal_parts(node)
    return parts.value if parts else node


def _limits(conditions: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Conditions as "≥" and "<" of whole numbers and of days, so that those that mean the same are equal."""
    found: list[tuple[str, str]] = []
    for op, value in conditions:
        if op == "year":
            found += _limits([(">=", value), ("<=", value)])
            continue
        year = re.fullmatch(r"(\d{4})(-01-01|-12-31)?", value)
        if year and (year[2] is None or (op in ("<=", ">")) == (year[2] == "-12-31")) and op in _FROM:
            found.append((_FROM[op], f"{int(year[1]) + (op in ('<=', '>'))}-01-01"))
        elif value.isdecimal() and op in _FROM:
            found.append((_FROM[op], str(int(value) + (op in ("<=", ">")))))
        else:
            found.append((op, value))
    return sorted(found)


_FROM = {"<": "<", "<=": "<", ">": ">=", ">=": ">="}
"""Operator → the one that says the same of the next whole number, or of the same."""


def relations_in(gold: QueryGraph) -> frozenset[str]:
    """The relations that a gold query asks for, classes and names left out."""
    return frozenset(r for r in gold.relations if r not in (TYPE, NAME))
