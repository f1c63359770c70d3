"""When what was asked or said last took place: after "who built the Mill?" "what year was that?" asks when that was
built, and not when its builder died."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import TYPE, Pattern, Variable
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.text.roles.doers import family_of
from triplewise.tools.text.verb_forms import is_participle

_WHEN = re.compile(
    r"(?:(?:and|so|but|oh|ok) )*(?:(?:in )?(?:what|which) (?:year|date|day|month)|when)"
    r"(?: (?:was|is|did) (?:that|this|it)(?: happen)?)?(?:,? (?:then|exactly|again|please))?\W*",
    re.I,
)


def when_it_was(things: Things, seen: References, last: Remembered) -> Iterator[Interpretation]:
    """The date that the graph tells of what the last question named, or of its one answer, by the verb of the relation
    that it asked for: who "moves to" the room "moves on" a day."""
    if not _WHEN.fullmatch(seen.bare) or last.query is None:
        return
    query, schema = QueryGraph.from_json(last.query), things.names.schema
    rows = [p for p in query.patterns if p.relation != TYPE]
    if len(rows) != 1 or (query.order and query.order.by not in rows[0].variables):
        return
    words = (*folded_words(schema.words(rows[0].relation)), *filter(is_participle, folded_words(last.said)))
    said = {family_of(w) for w in words if w not in STOP_WORDS}
    told = last.answers if len(last.answers) == 1 else ()
    for node in (*query.entities, *(n for n in told if things.kg.has_entity(n))):
        for step in schema.steps(node):
            dated = not step.inverse and schema.value_kind(step.relation) in ("date", "year")
            if dated and said.intersection(map(family_of, folded_words(schema.words(step.relation)))):
                when = QueryGraph(patterns=(Pattern(node, step.relation, Variable("x")),), answer=Variable("x"))
                yield Interpretation(read_back(things.kg, when), "swap", "when that was", query=when)
                return
