"""How much it was that had the most: after "which release has sold best?", "and how many was that?" asks for the number
by which they were ordered; and how often the last question's answer did it: "who has hired the van?" "How many times?"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.edits import in_place
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import TYPE, Form, Variable

_HOW_MUCH = re.compile(
    r"how (?:much|many|high|long|far|big|old|heavy|deep|tall|late|early)(?: [\w-]+)?? (?:is|was|were|are) "
    r"(?:that|it|this|those)(?: one)?(?:,? (?:exactly|then|again|in all|altogether|please))*\W*",
    re.I,
)
_HOW_OFTEN = re.compile(
    r"(?:how (?:many times|often)|(?:and )?what['’]?s the number of times)(?: (?:was|is) (?:that|it))?"
    r"(?:,? (?:exactly|then|in all|altogether|please|in total))*\W*",
    re.I,
)


def how_much_it_was(seen: References, last: Remembered) -> Iterator[Interpretation]:
    """The number, or the date, by which the one answer of the last question was the first or the last."""
    query = QueryGraph.from_json(last.query) if last.query else None
    if query is None or query.form != "select" or query.answer is None or len(last.answers) != 1:
        return
    if _HOW_OFTEN.fullmatch(seen.bare) and query.order is None:
        ends = [{*p.variables} for p in query.patterns if query.answer in p.variables and p.relation != TYPE]
        rows = set().union(*ends) - {query.answer}
        if len(rows) == 1:
            asked = _of_answer(query, last.answers[0], rows.pop(), "count")
            yield Interpretation(f"{last.question.rstrip(' ?.')}, how many times?", "swap", "counted", query=asked)
    elif query.order and query.order.by != query.answer and _HOW_MUCH.fullmatch(seen.bare):
        form: Form = "count" if query.order.measure == "count" else query.order.measure or "select"
        value = _of_answer(query, last.answers[0], query.order.by, form)
        yield Interpretation(f"{last.question.rstrip(' ?.')}, {seen.bare}", "swap", "by how much", query=value)


def _of_answer(query: QueryGraph, answer: str, asked: Variable, form: Form) -> QueryGraph:
    """What a query comes by to an answer of it."""
    assert query.answer is not None
    filters = tuple(f for f in query.filters if query.answer not in f.variables)
    return QueryGraph(in_place(query.patterns, query.answer, answer), asked, form, filters)
