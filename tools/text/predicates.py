"""Relation names as the predicates of English clauses: "based at" → "is based at"; nouns ("price") have none."""

from __future__ import annotations

import re

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query.graph import NAME
from triplewise.kg.values import Kind, parse_value

_PREPOSITIONS = "by|in|at|from|with|for|to|on|of|as|into|under|about|after|than|between|until|near"
_ENDS_SO = re.compile(rf" (?:{_PREPOSITIONS})$", re.I)
_BEGINS_SO = re.compile(rf"(?:{_PREPOSITIONS}) ", re.I)
_PARTICIPLE = re.compile(
    r"(?:\w+[^e\W]ed|born|built|bought|made|won|sold|held|sent|led|written|given|taken|known|found|hung|kept|lent|put|"
    r"set|cut)\b",
    re.I,
)
_ACTIVE = re.compile(
    r"(?:joined|started|opened|closed|retired|died|ended|finished|arrived|landed|moved|married|came|went|took|ran|had|"
    r"has|have|is|are|was|were|does|did|can|may|must)\b|\w+ing$",
    re.I,
)
_VERB = re.compile(r"[a-z]+(?:[^su]s)(?: |$)", re.I)
_OF_VALUES = re.compile(
    r"(?:costs|weighs|measures|pays|earns|holds|lasts|takes|starts|ends|opens|closes|leaves)\b", re.I
)
_SAMPLE = 12
"""Triples that tell whether a relation leads to values."""


def predicate(store: KGStore, relation: str) -> str:
    """A relation's words between its ends: "is captain of", "contains"; "" where they are a noun."""
    if relation == NAME:
        return "is also called"
    words = one_line(store.relation_label(relation)) if relation in store.relation_ids() else one_line(relation)
    if _ACTIVE.match(words):
        return words
    kind = value_kind(store, relation)
    if _PARTICIPLE.match(words):
        return f"{'was' if words.startswith('born') or kind not in (None, 'text') else 'is'} {words}"
    if _BEGINS_SO.match(words):
        return f"is {words}"
    if _ENDS_SO.search(words):
        return words if _VERB.match(words) else f"is {words}"
    return words if _OF_VALUES.match(words) or (_VERB.match(words) and kind in (None, "yes-no")) else ""


def value_kind(store: KGStore, relation: str) -> Kind | None:
    """What a relation's first triples lead to: dates, numbers, texts …; None for things."""
    tails = [t.tail for _, t in zip(range(_SAMPLE), store.triples(relation=relation), strict=False)]
    values: list[Kind] = []
    for tail in tails:
        kind = parse_value(store.label(tail)).kind
        if kind != "text" or store.is_literal(tail):
            values.append(kind)
    return values[0] if 2 * len(values) > len(tails) else None


def base_form(words: str) -> str:
    """ "works at" → "work at": a verb after "does"."""
    verb, _, rest = words.partition(" ")
    if verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    elif re.search(r"(?:ch|sh|ss|x|o)es$", verb):
        verb = verb[:-2]
    else:
        verb = verb.removesuffix("s")
    return f"{verb} {rest}".strip()


def plural(noun: str) -> str:
    """A kind's name for several things: "city" → "cities"."""
    if noun.endswith("person"):
        return f"{noun[:-6]}people"
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(?:s|x|ch|sh)$", noun) else f"{noun}s"
