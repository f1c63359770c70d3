"""Where somebody lives is no person: "where did the man who designed the hotel live?" asks for his house, and not for
him. Where his home is not told, but the homes of others are, theirs are no answer; his village or where he sleeps is.
"""

from __future__ import annotations

import re

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.persons import Persons

_WHERE_LIVES = re.compile(
    r"\bwhere\b.*\b(?:lives?|lived|living|dwells?|dwelt|resides?|resided|stay(?:s|ed|ing)?|"
    r"(?:is|was|are|were) .+ (?:from|born))\b",
    re.I,
)
_ASKS_ELSE = re.compile(r"^[^.!?;]*\b(?:who|whom|whose|when|how many)\b[^.!?;,]*(?<!\band )\bwhere\b", re.I)
"""What asks for something else than a home: "who keeps the key to the house where the Pup lives?"."""
_LIVES = re.compile(r"\b(?:lives?|lived|living|dwells?|dwelt|resides?|resided)\b", re.I)
_HOME = re.compile(r"\b(?:lives?|lived|dwells?|dwelt|resid\w+|home|house|address|lodg\w+|stays?)\b", re.I)
_PLACE = re.compile(
    r"\b(?:villages?|towns?|city|cities|streets?|postcode|place|where\w*|based|located|location|kept (?:in|at)|"
    r"sleep\w*|housed)\b",
    re.I,
)
"""Of where something is that has no home told: a customer's village, beside the homes of the helpers."""

_CLAUSE = frozenset(("who", "whoever", "that", "which", "whose"))
"""What begins a clause, whose verb is not that of the name before it: "where does whoever gave us the drill live?"."""


def _living(sentence: Sentence) -> frozenset[int]:
    """The positions of the links that are said to live somewhere: their names stand right before the verb."""
    words = words_in(sentence.text)
    if any(word.text in _CLAUSE for word in words):
        return frozenset()
    verbs = {i for i, word in enumerate(words) if _LIVES.fullmatch(word.text)}
    return frozenset(i for i, link in enumerate(sentence.links) if link.first >= 0 and link.last + 1 in verbs)


_HOUSE = re.compile(r"^(?:(?:in|at) )?(?:the )?(?:house|home|cottage|flat|address|lodgings?)$", re.I)
"""How a row tells where somebody lived: the house of an entry of a census."""
_FEW = 10
"""Rows of each relation that are looked at."""


def lacks_home(schema: SchemaView, persons: Persons, sentence: Sentence) -> bool:
    """Whether it is asked where somebody lives whose home the graph does not tell, though it tells others': no home of
    anybody else's is his."""
    if not _WHERE_LIVES.search(sentence.plain) or _ASKS_ELSE.search(sentence.plain):
        return False
    named = {x.node for x in (sentence.links[i] for i in _living(sentence)) if not x.is_value}
    homes = {r for r in schema.relations if _LIVES.search(schema.words(r)) and not schema.words(r).endswith(" with")}
    told = frozenset[str]().union(*map(schema.heads, homes))
    if not named or not told or not all(map(persons.holds, named)) or told & named:
        return False
    own = {s.relation for node in named for s in schema.steps(node) if not s.inverse}
    rows = [n for node in named for s in schema.steps(node) if s.inverse for n in schema.go(node, s)[:_FEW]]
    if any(_HOUSE.search(schema.words(s.relation)) for row in rows for s in schema.steps(row) if not s.inverse):
        return False  # a census tells who was in which house
    return not any(_HOME.search(text) or _PLACE.search(text) for text in map(schema.words, own))


def of_homes(schema: SchemaView, persons: Persons, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that tell of somebody's home, where it is asked for, and do not answer with persons; those that do not
    answer with persons where none tells of one. Where no home is told by one row, what a named thing has itself of its
    place (its village, where it sleeps) comes before a home that is told of it by way of others."""
    if not _WHERE_LIVES.search(sentence.plain) or _ASKS_ELSE.search(sentence.plain):
        return drafts

    def are_persons(draft: Draft) -> bool:
        return all(map(persons.holds, schema.first(draft.answers)[:3]))

    def tells_home(draft: Draft) -> bool:
        return any(0 in (h, t) and _HOME.search(schema.words(r)) for h, r, t in draft.rows)

    others = [d for d in drafts if d.answers and not are_persons(d)]
    homes = [d for d in others if tells_home(d)] if _LIVES.search(sentence.plain) else []
    if homes and not any(len(d.rows) == 1 and d.links for d in homes):
        living = _living(sentence)
        own = [
            d
            for d in others
            if len(d.rows) == 1 and not living.isdisjoint(d.links) and _PLACE.search(schema.words(d.rows[0][1]))
        ]
        at = {d.links for d in own}
        homes = [*own, *(d for d in homes if d.links not in at)]
    named = {d.links for d in homes or others}
    kept = set(map(id, homes or others))
    return [d for d in drafts if id(d) in kept or d.links not in named]
