"""A relation whose own words are what is asked for is answered with what it leads to: "who is the treasurer of the
biggest club?" is not told by a club that has any treasurer."""

from __future__ import annotations

import re

from triplewise.kg.names import fold
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_ASKED = re.compile(
    r"^\W*(?:who|what)\s*(?:['’]s|\bis|\bare|\bwas|\bwere)\s+(?:the|our|your)\s+(?P<words>[\w' -]+?)\s+(?:of|for)\b",
    re.I,
)
_WHICH = re.compile(
    r"^\W*(?:(?:on|in|at|of|to|from|for)\s+)?(?:which|what)\s+(?P<words>[\w'-]+)\s+(?:is|are|was|were)\b", re.I
)


def of_asked_relation(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that ask of a thing only that it has what is asked for, or that answer with what has it
    ("on which floor is the room of Optics?" with the room), where some answer with that."""
    found = _ASKED.match(sentence.text) or _WHICH.match(sentence.text)
    if not found:
        return drafts
    asked = {r for r in schema.relations if fold(schema.words(r)) == fold(found["words"])}

    def answers(draft: Draft) -> bool:
        return any(r in asked and tail == 0 for _, r, tail in draft.rows)

    if not any(map(answers, drafts)):
        return drafts
    having = frozenset[str]().union(*(schema.starts(Step(r)) for r in asked))
    left = [d for d in drafts if not any(r in asked and _is_any(d, tail) for _, r, tail in d.rows)]
    return [d for d in left if answers(d) or not d.answers or d.form != "select" or not d.answers <= having]


def _is_any(draft: Draft, end: object) -> bool:
    """Whether an end of a row is a variable of which nothing else is said."""
    if not isinstance(end, int) or end == 0:
        return False
    compared = {left for left, _, _ in draft.filters} | ({draft.order[0]} if draft.order else set())
    return end not in compared and sum(end in (head, tail) for head, _, tail in draft.rows) == 1
