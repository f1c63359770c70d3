"""Questions that a graph can answer, made from its schema; each is executed before it is offered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE, Pattern, Variable
from triplewise.tools.text.predicates import base_form, plural, predicate, value_kind

_X = Variable("x")
_MAX_ANSWERS = 6
_NOUN = re.compile(r"is \w+ (?:of|from|to)\b|\w+ing$")
"""Predicates that have no plural of their own: "is captain of"."""
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
            text = _asked_of(kg, relation, one_line(kg.display(triple.head)), _is_person(kg, triple.tail))
            if text and (made := _executed(kg, text, query)):
                return made
    return None


def _asked_of(kg: KGStore, relation: str, name: str, person: bool) -> str:
    """A question for the tail of a relation at a thing; "" where its words make none."""
    words, between = one_line(kg.relation_label(relation)), predicate(kg, relation)
    kind = value_kind(kg, relation)
    if kind == "yes-no":
        return ""
    wh = "Who" if person else "What"
    auxiliary, _, rest = between.partition(" ")
    if kind in ("date", "year") and auxiliary == "was":
        return f"When was {name} {re.sub(r' (?:on|in|date|year)$', '', rest)}?"
    if within := re.fullmatch(r"is (on|in|at|for|by|from) (.+)", between):
        return f"Which {within.group(2)} is {name} {within.group(1)}?"
    if auxiliary in ("is", "was"):
        return f"{wh} {auxiliary} {name} {rest}?"
    if auxiliary in ("has", "have"):
        return f"What {rest} does {name} have?"
    if between:
        act = base_form(between)
        return f"{wh} does {name} {act}?" if act != between else ""
    if kind == "number" and re.fullmatch(r"[a-z]+[^su]s", words, re.I):
        return f"How many {words} does {name} have?"
    return f"{wh} is the {words} of {name}?"


def _backward(kg: KGStore, relation: str) -> Suggestion | None:
    """ "Which film has the director Ridley Scott?" """
    for triple in _sample(kg, relation):
        kind = next(iter(kg.types(triple.head)), "")
        if kind and _nameable(kg, triple.tail):
            query = QueryGraph((Pattern(_X, relation, triple.tail), Pattern(_X, TYPE, kind)), _X)
            words, what = one_line(kg.relation_label(relation)), one_line(kg.label(kind)).lower()
            between = predicate(kg, relation) or f"has the {words}"
            made = _executed(kg, f"Which {what} {between} {one_line(kg.display(triple.tail))}?", query)
            if made:
                return made
    return None


def _count(kg: KGStore, relation: str) -> Suggestion | None:
    """ "How many films are directed by Ridley Scott?" """
    for triple in _sample(kg, relation):
        kind = next(iter(kg.types(triple.head)), "")
        between = predicate(kg, relation)
        if kind and between and not _NOUN.match(between) and _nameable(kg, triple.tail):
            query = QueryGraph((Pattern(_X, relation, triple.tail), Pattern(_X, TYPE, kind)), _X, "count")
            what, name = one_line(kg.label(kind)).lower(), one_line(kg.display(triple.tail))
            auxiliary, _, rest = between.partition(" ")
            many = {"is": "are", "was": "were", "has": "have"}.get(auxiliary)
            verb = f"{many} {rest}" if many else base_form(between)
            if 2 <= execute(kg, query, max_rows=2_000).number <= 20:
                return Suggestion(f"How many {plural(what)} {verb} {name}?", query, frozenset())
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
