"""Questions that a graph can answer, made from its schema; each is executed before it is offered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE, Pattern, Variable
from triplewise.tools.query_graph.nameless import is_bare_id
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.predicates import is_named, predicate
from triplewise.tools.text.verb_forms import base_form, is_plural, plural

_X = Variable("x")
_MAX_ANSWERS = 6
_NOUN = re.compile(r"is (?:an? )?\w+ (?:of|from|to)\b|is$|ha[sd] ")
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
    """Suggestions of different kinds in turn: what a thing has, what has it, how many there are; those about things
    with bare ids last, which somebody asks about who has one at hand."""
    relations = sorted(kg.relation_ids(), key=lambda r: -sum(1 for _ in kg.triples(relation=r)))
    relations = [r for r in relations if r not in kg.roles.types | kg.roles.aliases]
    makers, of_ids = (_forward, _backward, _count), list[Suggestion]()
    for i in range(2 * len(relations)):
        for k, maker in enumerate(makers):
            if i < len(relations) and (made := maker(kg, relations[(i + 2 * k) % len(relations)])) is not None:
                if _is_of_id(kg, made.query):
                    of_ids.append(made)
                else:
                    yield made
    yield from of_ids


def _is_of_id(kg: KGStore, query: QueryGraph) -> bool:
    """Whether what a query is about is called by a bare id."""
    named = [e for p in query.patterns if p.relation != TYPE for e in (p.head, p.tail) if isinstance(e, str)]
    return any(is_bare_id(kg.label(e)) for e in named)


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
    kind, wh = between.kind, "Who" if person else "What"
    auxiliary, _, rest = between.verb.partition(" ")
    if kind == "yes-no" or between.after:
        return ""
    if not between:
        if kind == "number" and is_plural(words):
            return f"How many {words} does {name} have?"
        return f"{wh} {'are' if is_plural(words) and kind is None else 'is'} the {words} of {name}?"
    if between.sorts:
        return f"What kind of thing is {name}?"
    if kind in ("date", "year", "time"):
        act = re.sub(r" (?:on|in|at)$", "", rest if auxiliary in ("is", "was") else base_form(between.verb))
        if auxiliary in ("is", "was"):
            return f"When {auxiliary} {name} {act}?"
        return f"When does {name} {act}?" if auxiliary.endswith("s") and auxiliary != "has" else ""
    if auxiliary in ("has", "have", "had"):
        return (
            f"What {between.noun} {'did' if auxiliary == 'had' else 'does'} {name} have?"
            if between.noun and not rest
            else ""
        )
    wh = f"How many {between.noun}" if between.counted else f"Which {between.noun}" if between.noun else wh
    if auxiliary in ("is", "was"):
        return f"{wh} {auxiliary} {name} {rest}?"
    act = base_form(between.verb)
    return f"{wh} does {name} {act}?" if act != between.verb else ""


def _backward(kg: KGStore, relation: str) -> Suggestion | None:
    """ "Which film has the director Ridley Scott?" """
    for triple in _sample(kg, relation):
        kind = next(iter(kg.types(triple.head)), "")
        if kind and _nameable(kg, triple.tail):
            query = QueryGraph((Pattern(_X, relation, triple.tail), Pattern(_X, TYPE, kind)), _X)
            words, what = one_line(kg.relation_label(relation)), one_line(kg.label(kind)).lower()
            between, name = predicate(kg, relation), one_line(kg.display(triple.tail))
            said = (
                between.of(name)
                if between
                else f"has {name} as {words}"
                if is_named(kg, triple.tail)
                else f"has the {words} {name}"
            )
            made = _executed(kg, f"Which {what} {said}?", query)
            if made:
                return made
    return None


def _count(kg: KGStore, relation: str) -> Suggestion | None:
    """ "How many films are directed by Ridley Scott?" """
    for triple in _sample(kg, relation):
        kind = next(iter(kg.types(triple.head)), "")
        between = predicate(kg, relation)
        if kind and between and not _NOUN.match(between.verb) and _nameable(kg, triple.tail):
            query = QueryGraph((Pattern(_X, relation, triple.tail), Pattern(_X, TYPE, kind)), _X, "count")
            what, name = one_line(kg.label(kind)).lower(), one_line(kg.display(triple.tail))
            auxiliary, _, rest = between.of(name).partition(" ")
            many = {"is": "are", "was": "were"}.get(auxiliary)
            said = f"{many} {rest}" if many else base_form(between.of(name))
            if 2 <= execute(kg, query, max_rows=2_000).number <= 20:
                return Suggestion(f"How many {plural(what)} {said}?", query, frozenset())
    return None


def _sample(kg: KGStore, relation: str) -> list:
    found = []
    for number, triple in enumerate(kg.triples(relation=relation)):
        if number == _LOOKED:
            break
        found.append(triple)
    return sorted(found, key=lambda t: (is_bare_id(kg.label(t.head)), -min(kg.degree(t.head), 30)))


def _nameable(kg: KGStore, node: str) -> bool:
    label = kg.label(node)
    plain = 2 < len(label) <= 40 and len(kg.named(label)) == 1 and any(c.isalpha() for c in label)
    return plain and not kg.is_literal(node) and not kg.is_class(node) and not node.startswith("_:")


def _is_person(kg: KGStore, node: str) -> bool:
    return bool(kg.types(node)) and _persons(kg).sure(node) == "person"


@lru_cache(maxsize=2)
def _persons(kg: KGStore) -> Persons:
    return Persons(SchemaView(kg))


def _executed(kg: KGStore, text: str, query: QueryGraph) -> Suggestion | None:
    done = execute(kg, query, max_rows=2_000)
    if not 1 <= done.number <= _MAX_ANSWERS:
        return None
    return Suggestion(text, query, frozenset(done.ids))
