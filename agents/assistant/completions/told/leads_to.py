"""What the things of the last question lead to: after "which parcels go out on Friday?", "and to which towns?" """

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.references import References
from triplewise.errors import QuestionError
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import Pattern, Variable
from triplewise.tools.query_graph.linking.mentions import fold_word, folded_words, singulars

_TO_WHICH = re.compile(
    r"(?:to|for|from|by|with|in|on|at|of|under|into|through) (?:which|what) (?P<noun>[\w'’-]+)"
    r"(?:,? (?:then|exactly|please|too))?\W*",
    re.I,
)
_ROWS = 2_000
"""Rows from which on a question is not looked at."""


def leads_to(things: Things, seen: References, last: Remembered) -> Iterator[Interpretation]:
    """What a relation that the noun calls leads to, from the answers or from what these were reached through, where
    there are several: of one it is asked by name."""
    said = _TO_WHICH.fullmatch(seen.bare)
    query = QueryGraph.from_json(last.query) if last.query else None
    if not said or query is None or query.form != "select" or query.answer is None or len(last.answers) < 2:
        return
    noun, schema, asked = fold_word(said["noun"]), things.names.schema, Variable("asked")
    nouns = {noun, *singulars(noun)}
    inner = [v for p in query.patterns for v in p.variables if v != query.answer]
    for start in dict.fromkeys((*inner, query.answer)):
        for relation in schema.relations:
            if not nouns.intersection(folded_words(schema.words(relation))):
                continue
            led = next((p.tail for p in query.patterns if p.head == start and p.relation == relation), asked)
            if not isinstance(led, Variable) or led == query.answer:
                continue
            told = (*query.patterns, *((Pattern(start, relation, led),) if led == asked else ()))
            other = replace(query, patterns=told, answer=led, order=None)
            if _has_answers(things, other):
                text = f"{last.question.rstrip(' ?.')}, {seen.bare}"
                yield Interpretation(text, "swap", "of what was asked", query=other)
                return


def _has_answers(things: Things, query: QueryGraph) -> bool:
    try:
        return execute(things.kg, query, max_rows=_ROWS).number > 0
    except QuestionError:
        return False
