"""Edits of a query graph: what a follow-up changes of the question before it, and the result of running any query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import NAME, TYPE, Filter, Pattern, Term, Variable
from triplewise.types import Answer, Evidence, Reading, Result, Step, Triple, Verdict

MAX_EVIDENCE = 300
_SIGN = {"=": "is", "!=": "is not", "<": "<", "<=": "≤", ">": ">", ">=": "≥", "year": "is in"}


def counted(query: QueryGraph) -> QueryGraph:
    """How many there are of what was asked."""
    return replace(query, form="count", order=None, compare=None)


def swapped(query: QueryGraph, old: str, new: str) -> QueryGraph:
    """The same question about another thing."""

    def other(term: Term) -> Term:
        return new if term == old else term

    def moved(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        return tuple(Pattern(other(p.head), p.relation, other(p.tail)) for p in patterns)

    filters = tuple(
        replace(f, right=tuple(new if e == old else e for e in f.right)) if isinstance(f.right, tuple) else f
        for f in query.filters
    )
    return replace(query, patterns=moved(query.patterns), minus=moved(query.minus), filters=filters)


def without(query: QueryGraph, nodes: Sequence[str]) -> QueryGraph:
    """The other answers: those but these."""
    assert query.answer is not None
    return replace(query, filters=(*query.filters, Filter(query.answer, "not in", tuple(nodes))))


def among(query: QueryGraph, nodes: Sequence[str]) -> QueryGraph:
    """Those of these things for which a query holds."""
    assert query.answer is not None
    return replace(query, filters=(*query.filters, Filter(query.answer, "in", tuple(nodes))))


def filtered(query: QueryGraph, relation: str, op: str, value: str) -> QueryGraph:
    """With one more condition on a value of the answer."""
    assert query.answer is not None
    existing = [p.tail for p in query.patterns if p.head == query.answer and p.relation == relation]
    if existing and isinstance(existing[0], Variable):
        return replace(query, filters=(*query.filters, Filter(existing[0], op, value)))
    fresh = Variable(f"{query.answer.name}_value{len(query.filters)}")
    pattern = Pattern(query.answer, relation, fresh)
    return replace(query, patterns=(*query.patterns, pattern), filters=(*query.filters, Filter(fresh, op, value)))


def in_words(kg: KGStore, query: QueryGraph) -> str:
    """A query graph as one line for a person."""

    def name(term: Term) -> str:
        if isinstance(term, Variable):
            return "?" if term == query.answer else f"?{term.name}"
        return one_line(kg.display(term)) if kg.has_entity(term) else one_line(term)

    def line(pattern: Pattern) -> str:
        if pattern.relation == TYPE:
            return f"{name(pattern.head)} is a {name(pattern.tail)}"
        label = "is called" if pattern.relation == NAME else _relation(kg, pattern.relation)
        return f"{name(pattern.head)} {label} {name(pattern.tail)}"

    parts = [line(p) for p in query.patterns]
    for f in query.filters:
        if isinstance(f.right, tuple):
            few = ", ".join(name(e) for e in f.right[:3]) + (" …" if len(f.right) > 3 else "")
            parts.append(f"{name(f.left)} {'one of' if f.op == 'in' else 'not'} {few}")
        else:
            parts.append(f"{name(f.left)} {_SIGN.get(f.op, f.op)} {f.right}")
    parts += [f"not: {line(p)}" for p in query.minus]
    if query.order:
        how = "most" if query.order.descending else "fewest"
        end = "highest" if query.order.descending else "lowest"
        parts.append(f"with the {how if query.order.count else end} {name(query.order.by)}")
    if query.form == "ask":
        return ("it is not so that " if query.denied else "") + "; ".join(parts)
    return f"{'how many' if query.form == 'count' else 'which'} ?: {'; '.join(parts)}"


def _relation(kg: KGStore, relation: str) -> str:
    return one_line(kg.relation_label(relation)) if relation in set(kg.relation_ids()) else relation


def run_query(kg: KGStore, query: QueryGraph, question: str, *, name: Callable[[str], str] | None = None) -> Result:
    """The result of a query graph that the conversation made, in the form of every method's."""
    done = execute(kg, query)
    evidence: dict[Triple, int] = {}
    answers = []
    for found in done.found:
        for triple in found.proof:
            if len(evidence) < MAX_EVIDENCE:
                evidence.setdefault(triple, len(evidence))
        if found.id:
            cited = tuple(evidence[t] for t in found.proof if t in evidence)
            answers.append(Answer(found.id, one_line((name or kg.display)(found.id)), cited))
    verdict: Verdict | None = None
    if done.holds is not None:
        verdict = "supported" if done.holds else "not_enough_evidence"
    shown = str(done.number) if query.form == "count" else ", ".join(a.label for a in answers)
    reading = Reading(in_words(kg, query), query.to_json(), (shown,) if query.form == "count" else _few(answers), 1.0)
    return Result(
        question=question,
        method="query-graph",
        text=shown,
        answers=tuple(answers) if query.form == "select" else (),
        evidence=tuple(Evidence(t, origin="query") for t in evidence),
        citations=tuple(range(len(evidence))),
        verdict=verdict,
        steps=(Step("execute", detail={"query": query.to_json(), "answers": done.number}),),
        warnings=("The search was cut short: answers may be missing.",) if done.truncated else (),
        reading=reading,
    )


def _few(answers: Sequence[Answer]) -> tuple[str, ...]:
    return tuple(a.label for a in answers[:20])
