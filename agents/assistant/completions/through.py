"""Another thing, asked of by what hangs on it: a repair of it, the pieces made with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import answering, swapped
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import Pattern, Term, Variable
from triplewise.types import Triple


def swap_through(
    things: Things, query: QueryGraph, new: str, last: Remembered, focus: Sequence[str]
) -> Iterator[Interpretation]:
    """After "who repaired the laptop?", "how long did that take?", which is about a repair: "I meant the printer" asks
    the same of the repair of the printer, since the one that was asked about hangs on another thing of its kind."""
    kg, kinds = things.kg, things.kinds(new)
    ends = [n for n in focus if n not in query.entities and n != new and kinds & things.kinds(n)]
    for asked in [] if new in query.entities else query.entities:
        ties = [(t, end) for end in ends for t in (*kg.triples(asked, None, end), *kg.triples(end, None, asked))]
        if kg.is_class(asked) or kg.is_literal(asked) or len(ties) != 1:
            continue
        ((tie, end),), other = ties, Variable("other")
        if (reached := _in_place_of_reached(query, asked, tie, new)) is not None:
            text = renamed(last.question, things.called(asked), things.name(new))
            yield Interpretation(text, "swap", f"{things.name(end)} → {things.name(new)}", query=reached)
            continue
        moved = swapped(query, asked, other)
        if asked in moved.entities:  # one of several in a list
            continue
        tied = Pattern(other, tie.relation, new) if tie.head == asked else Pattern(new, tie.relation, other)
        text = renamed(last.question, things.called(asked), things.name(new))
        how = f"{things.name(end)} → {things.name(new)}"
        yield Interpretation(text, "swap", how, query=replace(moved, patterns=(tied, *moved.patterns)))


def _in_place_of_reached(query: QueryGraph, asked: str, tie: Triple, new: str) -> QueryGraph | None:
    """What is asked of the thing that a question reaches by this tie, asked of another: after where a play's director
    lives, where Beth does. None where the question does not go by the tie, or says more of what it began with."""
    by = [
        (p, end) for p in query.patterns for end in (p.head, p.tail)
        if p.relation == tie.relation and {p.head, p.tail} == {asked, end} and isinstance(end, Variable)
    ]  # fmt: skip
    if len(by) != 1 or by[0][1] == query.answer:
        return None
    ((tied, reached),) = by
    rest = replace(query, patterns=tuple(p for p in query.patterns if p != tied))
    if asked in rest.entities or any(reached in f.variables for f in rest.filters):
        return None

    def put(term: Term) -> Term:
        return new if term == reached else term

    def told(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        return tuple(Pattern(put(p.head), p.relation, put(p.tail)) for p in patterns)

    return replace(rest, patterns=told(rest.patterns), minus=told(rest.minus))


def swap_listed(things: Things, query: QueryGraph, new: str, memory: Memory) -> Iterator[Interpretation]:
    """After "what was glazed with honey?", "who made those?", which asks of a list of pieces: "and with lime?" asks the
    same of what was glazed with lime, since the list answers a question about another thing of its kind."""
    kinds = things.kinds(new)
    for listed in query.filters:
        nodes = set(listed.right) if listed.op == "in" and isinstance(listed.right, tuple) else set[str]()
        for turn in reversed(memory.turns[:-1]) if nodes else ():
            before = QueryGraph.from_json(turn.query) if turn.query else None
            if before is None or before.form != "select" or before.order or set(turn.answers) != nodes:
                continue  # not what the list was
            for old in [n for n in before.entities if n != new and kinds & things.kinds(n)]:
                asked = answering(query, listed, swapped(before, old, new))
                text = f"{memory.turns[-1].question.rstrip(' ?.')}, for {things.name(new)}?"
                yield Interpretation(text, "swap", f"{things.name(old)} → {things.name(new)}", query=asked)
            return
