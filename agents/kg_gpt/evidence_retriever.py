"""KG-GPT's second stage, second half: the evidence graph G_E (section 2.2).

G_E holds all triples whose relation was selected and whose entities the sub-sentences allow, joined
over the variables they share (``triplewise.tools.retrieval.pattern_join``). Where a claim names both ends and no
triple links them, the graph's other triples at these ends are added as contrast: they may refute the claim.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from triplewise.agents.context import NodeContext
from triplewise.agents.node import Node, node
from triplewise.agents.state import ANSWER, AskState, SubSentence
from triplewise.kg import NetworkxStore
from triplewise.kg.base import KGStore
from triplewise.tools.retrieval.pattern_join import Clause, Match, Term, join
from triplewise.tools.text.relation_text import nearest_relations
from triplewise.types import Evidence, Step, Triple

CONTRAST_PER_END = 5


@dataclass(frozen=True, slots=True)
class RetrieverOptions:
    """What is kept of the joined sub-graph."""

    limit: int = 1000
    """Most triples kept as evidence; what is cut is said in a warning."""
    contrast: bool = True
    """Add the other values where a claim's two entities are not linked."""
    sampled: bool = False
    """The published code's sampled paths and thinning instead of the whole sub-graph."""


def clauses_of(subs: Sequence[SubSentence]) -> list[Clause]:
    """Sub-sentences as clauses; a missing second end may be anything."""

    return [
        Clause(s.ends[0], s.ends[1] if len(s.ends) > 1 else Term(variable=f" {i}"), s.relations)
        for i, s in enumerate(subs)
    ]


def contrast_triples(kg: KGStore, clause: Clause) -> list[Triple]:
    """What the graph says of the named ends under the clause's relations, at most 5 per end; first what refutes."""
    around = [
        t
        for term in (clause.left, clause.right)
        if term.entity
        for t in islice(_said(kg, clause, term.entity, ("head", "tail")), CONTRAST_PER_END)
    ]
    return list(dict.fromkeys([*refuting_triples(kg, clause), *around]))


def refuting_triples(kg: KGStore, clause: Clause) -> list[Triple]:
    """What the graph says instead of a clause that it does not have, at most 5 per end.

    That a graph names one director of a film speaks against another, that it names one film of a director does not:
    where it knows something by a relation it is taken to know all, seen from the side on which the relation leads to
    fewer things (the partial completeness assumption of Galárraga et al., AMIE, 2013).
    """
    found: list[Triple] = []
    for term in (clause.left, clause.right):
        if term.entity:
            found += islice(_said(kg, clause, term.entity, ()), CONTRAST_PER_END)
    return list(dict.fromkeys(found))


def _said(kg: KGStore, clause: Clause, entity: str, sides: Sequence[str]) -> Iterator[Triple]:
    """Triples of the entity at these sides of the clause's relations, or at each relation's narrower side."""
    for relation in clause.relations:
        for side in sides or (_narrower_side(kg, relation),):
            yield from kg.triples(relation=relation, **{side: entity})  # pyright: ignore[reportArgumentType]


@lru_cache(maxsize=4096)
def _narrower_side(kg: KGStore, relation: str) -> str:
    """The side from which a relation leads to fewer things: "head" where most heads have one tail."""
    triples = list(kg.triples(relation=relation))
    return "head" if len({t.head for t in triples}) >= len({t.tail for t in triples}) else "tail"


def sampled_triples(match: Match) -> list[Triple]:
    """The published code's choice: one hop whole; two hops one tail per middle entity; three hops one path."""
    if len(match.clauses) == 1:
        return match.triples()
    if len(match.clauses) == 2:
        first: dict[str, Triple] = {}
        shared = {match.clauses[0].left.variable, match.clauses[0].right.variable} - {""}
        side = 0 if match.clauses[1].left.variable in shared else 1
        for row in match.rows[1]:
            first.setdefault(row.right if side else row.left, row.triple)
        return list(dict.fromkeys([row.triple for row in match.rows[0]] + list(first.values())))
    answers = sorted(match.bindings.get(ANSWER, ()))
    return next((proof for a in answers if (proof := match.proof(ANSWER, a))), match.triples()[:1])


def thinned(triples: Sequence[Triple]) -> list[Triple]:
    """The published code's thinning of claim evidence: one triple per head and relation."""
    return list({(t.head, t.relation): t for t in reversed(triples)}.values())[::-1]


def retrieve(
    kg: KGStore, subs: Sequence[SubSentence], task: str, options: RetrieverOptions
) -> tuple[list[Evidence], Match]:
    """The evidence graph of sub-sentences with their relations, and the match it was read from."""
    match = join(kg, clauses_of(subs))
    triples = match.triples()
    if options.sampled:
        triples = sampled_triples(match) if task == "ask" else thinned(triples)
    evidence = [Evidence(t, origin="matched") for t in triples]
    if options.contrast and task == "verify":
        have = set(triples)
        evidence += [
            Evidence(t, origin="contrast")
            for i in match.unmatched
            for t in contrast_triples(kg, match.clauses[i])
            if t not in have
        ]
    return evidence, match


def match_of(kg: KGStore, state: AskState) -> Match:
    """The join that the evidence was read from. Where another node brought the evidence, the sub-sentences are joined
    over the evidence alone: each by the relations selected for it, else by those of the evidence, the nearest first."""
    if "match" in state:
        return state["match"]
    triples = [e.triple for e in state["evidence"]]
    labels = {kg.relation_label(t.relation): t.relation for t in triples}
    subs = [
        s if s.relations else replace(s, relations=nearest_relations(s.text, labels, len(labels)))
        for s in state["sub_sentences"]
    ]
    return join(NetworkxStore.from_triples(triples), clauses_of(subs))


def make_evidence_retriever(options: RetrieverOptions | None = None) -> Node[AskState, AskState]:
    """The retriever node: sub_sentences and the relations selected for them → evidence."""
    options = options or RetrieverOptions()

    @node
    async def retrieve_evidence(state: AskState, context: NodeContext) -> AskState:
        started = time.perf_counter()
        kg = context.kg
        selected = state.get("selected", {})
        subs = tuple(replace(s, relations=selected.get(i, s.relations)) for i, s in enumerate(state["sub_sentences"]))
        evidence, match = retrieve(kg, subs, state.get("task", "ask"), options)
        warnings: list[str] = []
        if len(evidence) > options.limit:
            warnings.append(f"Evidence was cut to {options.limit} of {len(evidence)} triples.")
            evidence = evidence[: options.limit]
        detail = {
            "triples": len(evidence),
            "unmatched": [subs[i].text for i in match.unmatched],
            "evidence": [
                [kg.display(e.triple.head), kg.relation_label(e.triple.relation), kg.display(e.triple.tail)]
                for e in evidence[:50]
            ],
        }
        step = Step("retrieve_evidence", detail=detail, seconds=time.perf_counter() - started)
        return {
            "sub_sentences": subs,
            "match": match,
            "evidence": tuple(evidence),
            "steps": [step],
            "warnings": warnings,
        }

    return retrieve_evidence
