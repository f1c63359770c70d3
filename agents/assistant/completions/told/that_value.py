"""A value called by the relation it was told by: after "what street is it in?", "who else lives on that street?" """

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.linking.mentions import fold_word, folded_words
from triplewise.tools.text.verb_forms import is_participle, is_past

_THAT = re.compile(
    r"\b(?P<said>(?:that|this)(?: (?:very )?same)?|the (?:very )?same) (?P<noun>(?!(?:first|last)\b)[a-z][\w'’-]{2,})\b"
    r"(?=\s*(?:[?.!,;:]|$)|\s+(?:in|on|at|with|from|by|for|is|was|has|had|have|do|does|did|will|can|now|then|too|again|"
    r"as well|already|yet|and|or|this|last|next|off|up|out|back|cost|costs|come|came|go|went|get|got|take|took)\b)"
    r"(?!\s+as\b)",
    re.I,
)
_OTHERS = re.compile(r"\b(?:else|others?|another)\b", re.I)
""" "The same street" is that street where others are asked for; "has Bo the same boss?" compares two bosses."""
_DAY = {"day", "date", "evening", "morning", "afternoon", "night"}
_PREPOSITION = re.compile(r"\b(?:in|on|at|since|from|until|till|before|after|by|for|of|with)\s+$", re.I)
_TURNS = 4
"""Turns after which a value is still called so."""


def with_values(things: Things, bare: str, memory: Memory) -> str:
    """The sentence with the value for "that street": "who else lives on the street Mill Lane?" """

    def put(match: re.Match[str]) -> str:
        noun = fold_word(match["noun"])
        if is_past(noun) or is_participle(noun):
            return match.group()  # "the last one that started"
        if match["said"].lower().startswith("the") and not _OTHERS.search(bare):
            return match.group()
        value = next((v for turn in reversed(memory.turns[-_TURNS:]) for v in _called(things, turn, noun)), "")
        if not value:
            return match.group()
        name = things.kg.display(value)
        if noun not in _DAY:
            return f"the {match['noun']} {name}"
        return name if _PREPOSITION.search(bare[: match.start()]) else f"on {name}"

    return _THAT.sub(put, bare) if memory.turns else bare


def _called(things: Things, turn: Remembered, noun: str) -> Iterator[str]:
    """The values of a turn that a noun calls: what it told or named by such a relation, else what its things have by
    one, where that is one value."""
    schema, kg = things.names.schema, things.kg
    query = QueryGraph.from_json(turn.query) if turn.query else None
    for pattern in reversed(query.patterns) if query else ():
        if pattern.relation not in schema.relations:
            continue  # a name or a class, which no relation tells
        fits = noun in folded_words(schema.words(pattern.relation)) or _is_day(things, pattern.relation, noun)
        told = turn.answers if query and pattern.tail == query.answer and len(turn.answers) == 1 else ()
        fits = fits or bool(told and re.search(rf"\b(?:what|which) {re.escape(noun)}\b", turn.question, re.I))
        named = (pattern.tail,) if isinstance(pattern.tail, str) and not kg.is_class(pattern.tail) else ()
        yield from (told or named) if fits else ()
    few = turn.answers if len(turn.answers) == 1 else ()
    for node in (*few, *turn.topics, *turn.inner):
        for step in schema.steps(node):
            if not step.inverse and noun in folded_words(schema.words(step.relation)):
                values = schema.go(node, step)
                yield from values if len(values) == 1 else ()


def _is_day(things: Things, relation: str, noun: str) -> bool:
    return noun in _DAY and things.names.schema.value_kind(relation) == "date"
