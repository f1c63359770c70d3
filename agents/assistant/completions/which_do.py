"""Of whom it is so: "All members have paid." "Who hasn't?", "Does the shed have a workshop?" "Which ones do?" """

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import asked_for, of_whom
from triplewise.agents.assistant.intents.of_all import says_of_all
from triplewise.agents.assistant.memory import Remembered
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE, Pattern, Variable
from triplewise.kg.values import parse_value

_WHICH_DO = re.compile(
    r"^(?:so |and |but )?(?:who|(?P<which>which)(?: ones?)?)(?: (?:really|actually|then))? "
    r"(?:is|are|was|were|do|does|did|has|have|had|can|will)(?P<denied>n['’]?t| not)?(?:,? then)?\W*$",
    re.I,
)


def which_do(things: Things, bare: str, last: Remembered, query: QueryGraph) -> Iterator[Interpretation]:
    """What the last turn claimed of all or none of a kind, or asked of one thing by yes or no, asked of which it is
    so."""
    said = _WHICH_DO.match(bare)
    if not said:
        return
    denied = bool(said["denied"])
    if last.task == "verify" and says_of_all(last.question):
        asked = of_whom(query, denied)
    elif said["which"]:
        asked = [*_of_kind(things, query, last, denied=denied)]
    else:
        return
    for other in asked:
        found = execute(things.kg, other).ids
        if found and (said["which"] or len(things.people(found)) == len(found)):
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


def _by_column(things: Things, query: QueryGraph, node: str, *, denied: bool) -> QueryGraph | None:
    """The things of which a relation to yes and no says what is asked; None where the last question asks no such."""
    schema, asked = things.names.schema, Variable("asked")
    if len(query.patterns) != 1 or query.minus or query.filters or query.patterns[0].head != node:
        return None
    relation = query.patterns[0].relation
    if schema.value_kind(relation) != "yes-no":
        return None
    told = parse_value("no" if denied else "yes").key
    tails = {t.tail for t in things.kg.triples(relation=relation)}
    value = next((t for t in sorted(tails) if parse_value(things.kg.label(t)).key == told), None)
    return QueryGraph((Pattern(asked, relation, value),), asked) if value else None
