"""Of whom it is so: "All members have paid." "Who hasn't?", "Does the shed have a workshop?" "Which ones do?" """

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import asked_for, of_whom, without
from triplewise.agents.assistant.intents.of_all import says_of_all
from triplewise.agents.assistant.memory import Remembered
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE, Pattern, Variable
from triplewise.kg.values import parse_value

_WHICH_DO = re.compile(
    r"^(?:so |and |but )?(?:who|(?P<which>which)(?: ones?)?)(?P<other> else| others?)?(?: (?:really|actually|then))? "
    r"(?:is|are|was|were|do|does|did|has|have|had|can|will)(?P<denied>n['’]?t| not)?(?: yet)?(?:,? then)?\W*$",
    re.I,
)


def which_do(things: Things, bare: str, last: Remembered, query: QueryGraph) -> Iterator[Interpretation]:
    """What the last turn claimed of all or none of a kind, or asked of one thing by yes or no, asked of which it is
    so; what it asked for, asked of the rest: "who's got a key?" "And who hasn't?" """
    said = _WHICH_DO.match(bare)
    if not said:
        return
    denied = bool(said["denied"])
    any_kind = bool(said["which"] or said["other"])
    if last.task == "verify" and says_of_all(last.question):
        asked = of_whom(query, denied)
    else:
        asked = [*_of_kind(things, query, last, denied=denied)] if any_kind else []
        if said["other"]:
            told = [n for n in last.topics if not things.kg.is_literal(n)]
            asked = [without(q, told) for q in asked]
        elif not asked and query.form == "select" and query.answer is not None:
            asked, any_kind = [*_of_the_rest(things, query, query.answer, last, denied=denied)], True
    for other in asked:
        found = execute(things.kg, other).ids
        if found and (any_kind or len(things.people(found)) == len(found)):
            text = f"{last.question.rstrip(' .?')}: {bare.strip(' .?')}?"
            yield Interpretation(text, "else", "of whom not" if denied else "of whom it is so", query=other)
            return


def _of_kind(things: Things, query: QueryGraph, last: Remembered, *, denied: bool) -> Iterator[QueryGraph]:
    """What was asked of one thing by yes or no, as the question which things of its class it is so of."""
    for node in [n for n in last.topics if n in query.entities and not things.kg.is_literal(n)]:
        kind = next(iter(things.kg.types(node)), "")
        asked = _by_column(things, query, node, denied=denied) or (None if denied else asked_for(query, node))
        if asked and asked.answer and kind:
            yield replace(asked, patterns=(Pattern(asked.answer, TYPE, kind), *asked.patterns))


def _of_the_rest(
    things: Things, query: QueryGraph, asked: Variable, last: Remembered, *, denied: bool
) -> Iterator[QueryGraph]:
    """A question for what has a yes as one for what has a no, and the other way round; else for those of the class of
    its answers of which it is not so."""
    kg, schema = things.kg, things.names.schema
    for pattern in query.patterns:
        if isinstance(pattern.tail, str) and schema.value_kind(pattern.relation) == "yes-no":
            other = _value(things, pattern.relation, denied=denied)
            if other and other != pattern.tail:
                new = Pattern(pattern.head, pattern.relation, other)
                yield replace(query, patterns=tuple(new if p == pattern else p for p in query.patterns))
            return
    kinds = [set(kg.types(node)[:1]) for node in last.answers]
    shared = set[str].intersection(*kinds) if kinds else set[str]()
    told = tuple(p for p in query.patterns if p.relation != TYPE)
    some = tuple(f for f in query.filters if f.left == asked and f.op == "in")
    if denied and shared and told and not query.minus and not query.order and len(some) == len(query.filters):
        yield QueryGraph((Pattern(asked, TYPE, min(shared)),), asked, filters=some, minus=told)


def _by_column(things: Things, query: QueryGraph, node: str, *, denied: bool) -> QueryGraph | None:
    """The things of which a relation to yes and no says what is asked; None where the last question asks no such."""
    schema, asked = things.names.schema, Variable("asked")
    if len(query.patterns) != 1 or query.minus or query.filters or query.patterns[0].head != node:
        return None
    relation = query.patterns[0].relation
    if schema.value_kind(relation) != "yes-no":
        return None
    value = _value(things, relation, denied=denied)
    return QueryGraph((Pattern(asked, relation, value),), asked) if value else None


def _value(things: Things, relation: str, *, denied: bool) -> str | None:
    """The yes, or the no, of a relation."""
    told = parse_value("no" if denied else "yes").key
    tails = {t.tail for t in things.kg.triples(relation=relation)}
    return next((t for t in sorted(tails) if parse_value(things.kg.label(t)).key == told), None)
