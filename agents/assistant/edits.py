"""Edits of a query graph: what a follow-up changes of the question before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import Filter, Order, Pattern, Term, Variable
from triplewise.kg.query.reckon import Reckoning


def counted(query: QueryGraph) -> QueryGraph:
    """How many there are of what was asked."""
    return replace(query, form="count", order=None, compare=None, span=None)


def reckoned(query: QueryGraph, how: Reckoning) -> QueryGraph:
    """The total or the average of the numbers that were asked for."""
    return replace(query, form=how, order=None, span=None)


def listed(query: QueryGraph) -> QueryGraph:
    """Which they are that were counted."""
    return replace(query, form="select", span=None)


def other_end(query: QueryGraph) -> QueryGraph | None:
    """The last of what the first was asked of, and the first of what the last was; None where neither was."""
    order = query.order
    return replace(query, order=replace(order, descending=not order.descending)) if order else None


def swapped(query: QueryGraph, old: Term, new: Term) -> QueryGraph:
    """The same question about another thing."""

    def moved(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        return in_place(patterns, old, new)

    def changed(f: Filter) -> Filter:
        if not isinstance(f.right, tuple):
            return f
        if isinstance(new, str):
            return replace(f, right=tuple(new if e == old else e for e in f.right))
        return replace(f, right=new) if f.op == "not in" and f.right == (old,) else f

    filters = tuple(changed(f) for f in query.filters)
    return replace(query, patterns=moved(query.patterns), minus=moved(query.minus), filters=filters)


def one_of_list(query: QueryGraph, old: str, new: str) -> QueryGraph | None:
    """What was asked of each of some things, or added up, asked of one other alone; None where no list has the old."""
    for listed in query.filters:
        nodes = listed.right if listed.op == "in" and isinstance(listed.right, tuple) else ()
        if old in nodes and len(nodes) > 1 and listed.left != query.answer:
            rest = tuple(f for f in query.filters if f != listed)
            if any(listed.left in f.variables for f in rest):
                return None
            moved = in_place(query.patterns, listed.left, new)
            form = "select" if query.form in ("total", "average") else query.form
            return QueryGraph(moved, query.answer, form, rest, in_place(query.minus, listed.left, new))
    return None


def in_place(patterns: Sequence[Pattern], old: Term, new: Term) -> tuple[Pattern, ...]:
    """The patterns with another thing or variable."""

    def other(term: Term) -> Term:
        return new if term == old else term

    return tuple(Pattern(other(p.head), p.relation, other(p.tail)) for p in patterns)


def of_each(query: QueryGraph, node: str, nodes: Sequence[str]) -> QueryGraph | None:
    """The same question about each of these things instead of one, their answers together. None where no pattern is
    about that one, or a list of things names it beside others."""
    each = Variable("each")
    asked = swapped(query, node, each)
    if asked.patterns == query.patterns or node in asked.entities:
        return None
    return replace(asked, filters=(*asked.filters, Filter(each, "in", tuple(nodes))))


def called(query: QueryGraph, new: Callable[[Variable], Variable]) -> QueryGraph:
    """The same with other names for its variables, so that it can stand beside another query; without its order."""

    def term(old: Term) -> Term:
        return new(old) if isinstance(old, Variable) else old

    def patterns(own: Sequence[Pattern]) -> tuple[Pattern, ...]:
        return tuple(Pattern(term(p.head), p.relation, term(p.tail)) for p in own)

    def limit(f: Filter) -> Filter:
        return replace(f, left=new(f.left), right=new(f.right) if isinstance(f.right, Variable) else f.right)

    answer = new(query.answer) if query.answer else None
    filters = tuple(map(limit, query.filters))
    return QueryGraph(patterns(query.patterns), answer, query.form, filters, patterns(query.minus))


def answering(query: QueryGraph, listed: Filter, before: QueryGraph) -> QueryGraph:
    """The same question, no longer about some listed things but about what answers another question."""
    own = called(before, lambda v: listed.left if v == before.answer else Variable(f"{v.name}_before"))
    kept = tuple(f for f in query.filters if f != listed)
    return replace(
        query,
        patterns=(*query.patterns, *own.patterns),
        minus=(*query.minus, *own.minus),
        filters=(*kept, *own.filters),
    )


def held_of_each(query: QueryGraph, node: str, nodes: Sequence[str]) -> QueryGraph | None:
    """A claim about one thing made of each of these. None where it is no claim about triples, is a denial, or is about
    others of these as well."""
    if query.form != "ask" or query.denied or node not in query.entities or set(nodes) & set(query.entities) != {node}:
        return None
    claims = [called(swapped(query, node, n), lambda v, i=i: Variable(f"{v.name}_{i}")) for i, n in enumerate(nodes)]
    return replace(
        query,
        patterns=tuple(p for c in claims for p in c.patterns),
        minus=tuple(p for c in claims for p in c.minus),
        filters=tuple(f for c in claims for f in c.filters),
    )


def without(query: QueryGraph, nodes: Sequence[str]) -> QueryGraph:
    """The other answers: those but these."""
    assert query.answer is not None
    return replace(query, filters=(*query.filters, Filter(query.answer, "not in", tuple(nodes))))


def among(query: QueryGraph, nodes: Sequence[str]) -> QueryGraph:
    """Those of these things for which a query holds."""
    assert query.answer is not None
    return replace(query, filters=(*query.filters, Filter(query.answer, "in", tuple(nodes))))


def turned(query: QueryGraph, answer: str) -> QueryGraph | None:
    """The one pattern of a query with its answer put in and its other end asked for, that end left out: after "which
    club is she in?" the club's other members. None where the query is not of that form."""
    if query.form != "select" or len(query.patterns) != 1 or query.filters or query.answer is None:
        return None
    pattern, asked = query.patterns[0], query.answer
    other = pattern.tail if pattern.head == asked else pattern.head
    if isinstance(other, Variable):
        return None
    head, tail = (answer, asked) if pattern.head == asked else (asked, answer)
    return without(QueryGraph((Pattern(head, pattern.relation, tail),), asked), (other,))


def beside(query: QueryGraph, named: str, answer: str) -> QueryGraph | None:
    """The others of whom the same answer is told: after what Ann climbed, with whom she did. None where the question is
    not about that one, or narrowed by more than triples."""
    if query.form != "select" or query.answer is None or query.filters or query.minus or query.order:
        return None
    asked = Variable("asked")
    opened = swapped(query, named, asked)
    if opened.patterns == query.patterns:
        return None
    ends = ((answer if t == query.answer else t for t in (p.head, p.tail)) for p in opened.patterns)
    fixed = tuple(Pattern(head, p.relation, tail) for p, (head, tail) in zip(opened.patterns, ends, strict=True))
    return without(QueryGraph(fixed, asked), (named,))


def opened(query: QueryGraph) -> list[QueryGraph]:
    """What it is of which a claim says that there is one: as the claim limits it, then, as after a no, without the
    limits ("founded in 1995?" "When, then?"). [] where it names all, or leaves several open."""
    if query.form != "ask" or query.denied or query.compare:
        return []
    free = {t for p in query.patterns for t in (p.head, p.tail) if isinstance(t, Variable)}
    if len(free) != 1:
        return []
    asked = replace(query, form="select", answer=free.pop(), span=None)
    return [asked, *([replace(asked, filters=())] if query.filters else [])]


def end_asked(query: QueryGraph) -> list[QueryGraph]:
    """The end of a claim that names all, asked for: "it is held in the cellar?" "Where, then?" """
    end = query.patterns[-1].tail
    alone = len(query.patterns) == 1 and not query.filters
    found = asked_for(query, end) if alone and isinstance(end, str) else None
    return [found] if found else []


def asked_for(query: QueryGraph, node: str) -> QueryGraph | None:
    """Who or what it is of whom a claim is true that was made of this thing: the claim with that thing asked for. None
    where it is no claim about triples."""
    if query.form != "ask" or query.denied or query.compare:
        return None
    asked = Variable("asked")
    moved = swapped(query, node, asked)
    return replace(moved, form="select", answer=asked, span=None) if moved.patterns != query.patterns else None


def of_whom(query: QueryGraph, denied: bool) -> list[QueryGraph]:
    """Of whom a claim about all or none of a kind is true, or with ``denied`` is not: what most of it is said of first,
    as what it says all of is. [] where it is no claim about triples, or what is not so cannot be told apart."""
    if query.form != "ask" or (denied and not query.minus):
        return []
    patterns = query.patterns if denied else (*query.patterns, *query.minus)
    said = Counter(v for p in patterns for v in dict.fromkeys(p.variables))
    minus = query.minus if denied else ()
    return [QueryGraph(patterns, v, filters=query.filters, minus=minus) for v, _ in said.most_common()]


def held_among(query: QueryGraph, nodes: Sequence[str]) -> QueryGraph | None:
    """A claim that one is the first or the last, made of these things alone. None where it claims something else."""
    held = held_against(query)
    if held is None or held.answer is None:
        return None
    return replace(query, filters=(*query.filters, Filter(held.answer, "in", tuple(nodes))))


def some_of(query: QueryGraph, nodes: Sequence[str]) -> QueryGraph | None:
    """A claim that something is so, made of one of these things; None where it is a claim about several."""
    variables = {v for p in query.patterns for v in p.variables}
    if query.denied or len(variables) != 1 or query.filters or query.minus:
        return None
    return replace(query, filters=(Filter(variables.pop(), "in", tuple(nodes)),))


def held_against(query: QueryGraph) -> QueryGraph | None:
    """The things among which a claim says that one is the first or the last, itself among them, by what they are held
    against each other: the teachers, of "is he the oldest teacher?" None where it claims something else."""
    limits = [f for f in query.filters if f.op in ("<", ">") and isinstance(f.right, Variable)]
    ends = [v for f in limits for v in f.variables]
    for value, other in (ends, ends[::-1]) if query.denied and len(ends) == 2 else ():
        thing = next((p.head for p in query.patterns if p.tail == value and isinstance(p.head, Variable)), None)
        if thing is None:
            continue
        own = {value, thing}
        for _ in query.patterns:  # what else is said of them: their class, where they are
            near = [set(p.variables) for p in query.patterns if other not in p.variables]
            own = own.union(*(v for v in near if own & v))
        patterns = tuple(p for p in query.patterns if own & set(p.variables))
        minus = tuple(p for p in query.minus if own.issuperset(p.variables))
        kept = tuple(f for f in query.filters if own.issuperset(f.variables) and f.op not in ("not in", "!="))
        return QueryGraph(patterns, thing, filters=kept, minus=minus, order=Order(value))
    return None
