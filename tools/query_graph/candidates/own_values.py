"""Two values of one thing held against each other: what "sold for less than its asking price" has both.

Which of the two is the lesser is told by where the words of each relation stand, before "than" or behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from triplewise.kg.names import words_of
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, row_of
from triplewise.tools.query_graph.candidates.plain_nouns import ALONE
from triplewise.tools.query_graph.candidates.refinements import ORDERED
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_THAN = re.compile(r"\bth[ae]n\b", re.I)
_OWN = re.compile(
    r"^\s+(?:(?:what|that)\s+)?(?:its|their|his|her|it|they|he|she|was|were|were?\s+first)\b(?!\s+(?:own\s+)?[\w-]+['’]s)",
    re.I,
)
_WHOLE = 0.99
_STEM = 4


def told_order(schema: SchemaView, text: str, one: Step, other: Step) -> str:
    """How a sentence compares the values of two relations, "<" or ">", the first on the left; else ""."""
    than = _THAN.search(text)
    if not than:
        return ""
    left, right = (_side(schema, text, than, step) for step in (one, other))
    if left == right:
        return ""
    first = left < right
    dated = schema.value_kind(one.relation) in ("date", "year", "time")
    told = cues.direction(text[: than.start()], dated, schema.words((one if first else other).relation))
    return told if first else told.translate(str.maketrans("<>", "><"))


def _side(schema: SchemaView, text: str, than: re.Match[str], step: Step) -> float:
    """Below 0 where a relation's words are said before "than", above where behind it, 0 where that is not told."""
    own = {_stem(word) for word in words_of(schema.words(step.relation)) if len(word) > 2}
    before, behind = (
        len(own & {_stem(word) for word in words_of(part)}) for part in (text[: than.start()], text[than.end() :])
    )
    return (behind > before) - (behind < before)


def _stem(word: str) -> str:
    return word[: max(_STEM, len(word) - 3)]


def own_compared(schema: SchemaView, sentence: Sentence) -> list[Draft]:
    """That one value of the thing which a claim names is more, or less, than another of its own; [] where the claim
    names more things, or does not say both values."""
    than = _THAN.search(sentence.text)
    if not than or not _OWN.match(sentence.text[than.end() :]) or sentence.values:
        return []
    words = words_in(sentence.text)
    sure = [(i, x) for i, x in enumerate(sentence.links) if x.score > _WHOLE and x.first >= 0]
    if len({(x.first, x.last) for _, x in sure}) != 1 or words[sure[0][1].last].start > than.start():
        return []
    denied = bool(cues.NEGATED.search(sentence.text))
    return [d.but(denied=denied) for i, link in sure for d in _of_thing(schema, sentence, i, link, than)]


def _of_thing(schema: SchemaView, sentence: Sentence, i: int, link: Link, than: re.Match[str]) -> Iterator[Draft]:
    for thing, head, rows in _called(schema, link):
        steps = [s for s in schema.steps(thing) if not s.inverse and schema.value_kind(s.relation) in ORDERED]
        for one, other in permutations(steps, 2):
            if schema.value_kind(one.relation) != schema.value_kind(other.relation):
                continue
            said = _side(schema, sentence.text, than, one) < 0 < _side(schema, sentence.text, than, other)
            told = told_order(schema, sentence.text, one, other) if said else ""
            if told:
                yield Draft(
                    (*rows, row_of(head, one, 0), row_of(head, other, 1)), frozenset(), (one, other),
                    ((head, one, 0),), (i,), form="ask", filters=((0, told, 1),), extra=(ALONE,),
                )  # fmt: skip


def _called(schema: SchemaView, link: Link) -> Iterator[tuple[str, End, tuple[tuple[End, str, End], ...]]]:
    """The thing of a name, what stands for it in patterns, and the pattern that names it where the name is a value."""
    if not link.is_value:
        yield link.node, link.node, ()
        return
    for step in schema.steps(link.node):
        if step.inverse and schema.functional(step):
            yield from ((thing, 2, (row_of(link.node, step, 2),)) for thing in schema.go(link.node, step))
