"""Questions that a graph can answer, made from its schema; each is executed before it is offered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE, Pattern, Variable

_X = Variable("x")
_MAX_ANSWERS = 6
_LOOKED = 40
"""Triples of a relation that are looked at for one that makes a good question."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question, the query graph that it was made from, and its answers' ids."""

    text: str
    query: QueryGraph
    answers: frozenset[str]


def suggest(kg: KGStore) -> Iterator[Suggestion]:
    """Suggestions of different kinds in turn: what a thing has, what has it, how many there are."""
    relations = sorted(kg.relation_ids(), key=lambda r: -sum(1 for _ in kg.triples(relation=r)))
    relations = [r for r in relations if r not in kg.roles.types | kg.roles.aliases]
    makers = (_forward, _backward, _count)
    for i in range(2 * len(relations)):
        for k, maker in enumerate(makers):
            if i < len(relations) and (made := maker(kg, relations[(i + 2 * k) % len(relations)])) is not None:
                yield made


def _forward(kg: KGStore, relation: str) -> Suggestion | None:
    """ "What is the birth year of Ridley Scott?" """
    for triple in _sample(kg, relation):
        if _nameable(kg, triple.head):
            query = QueryGraph((Pattern(triple.head, relation, _X),), _X)
            words, name = one_line(kg.relation_label(relation)), one_line(kg.display(triple.head))
            wh = "Who" if _is_person(kg, triple.tail) else "What"
            if re.search(r"\b(?:by|in|at|from|with|for|to|on)$", words):
                text = f"{wh} is {name} {words}?" if wh == "What" else f"Who is {name} {words}?"
            elif re.match(r"(?:has|have) ", words):
                text = f"What {words.split(' ', 1)[1]} does {name} have?"
            else:
                text = f"{wh} is the {words} of {name}?"
            if made := _executed(kg, text, query):
                return made
    return None


def _backward(kg: KGStore, relation: str) -> Suggestion | None:
    """ "Which film has the director Ridley Scott?" """
    for triple in _sample(kg, relation):
        kind = next(iter(kg.types(triple.head)), "")
        if kind and _nameable(kg, triple.tail):
            query = QueryGraph((Pattern(_X, relation, triple.tail), Pattern(_X, TYPE, kind)), _X)
            words, what = one_line(kg.relation_label(relation)), one_line(kg.label(kind)).lower()
            name = one_line(kg.display(triple.tail))
            verb = "is" if re.search(r"\b(?:by|in|at|from|with|for|to|on|of)$", words) else "has the"
            made = _executed(kg, f"Which {what} {verb} {words.removeprefix('has ')} {name}?", query)
            if made:
                return made
    return None


def _count(kg: KGStore, relation: str) -> Suggestion | None:
    """ "How many films are directed by Ridley Scott?" """
    for triple in _sample(kg, relation):
        kind = next(iter(kg.types(triple.head)), "")
        words = one_line(kg.relation_label(relation))
        if kind and _nameable(kg, triple.tail) and re.search(r"\b(?:by|in|at|from|with|for|to|on|of)$", words):
            query = QueryGraph((Pattern(_X, relation, triple.tail), Pattern(_X, TYPE, kind)), _X, "count")
            what, name = one_line(kg.label(kind)).lower(), one_line(kg.display(triple.tail))
            if 2 <= execute(kg, query, max_rows=2_000).number <= 20:
                return Suggestion(f"How many {what}s are {words} {name}?", query, frozenset())
    return None


def _sample(kg: KGStore, relation: str) -> list:
    found = []
    for number, triple in enumerate(kg.triples(relation=relation)):
        if number == _LOOKED:
            break
        found.append(triple)
    return sorted(found, key=lambda t: -min(kg.degree(t.head), 30))


def _nameable(kg: KGStore, node: str) -> bool:
    label = kg.label(node)
    plain = 2 < len(label) <= 40 and len(kg.named(label)) == 1 and any(c.isalpha() for c in label)
    return plain and not kg.is_literal(node) and not kg.is_class(node) and not node.startswith("_:")


def _is_person(kg: KGStore, node: str) -> bool:
    return any("person" in kg.label(t).casefold() for t in kg.types(node))


def _executed(kg: KGStore, text: str, query: QueryGraph) -> Suggestion | None:
    done = execute(kg, query, max_rows=2_000)
    if not 1 <= done.number <= _MAX_ANSWERS:
        return None
    return Suggestion(text, query, frozenset(done.ids))
