"""Claims that a thing has, or has not, a relation which the graph tells of few of its kind: "she never had a mentor".

Of what many of its kind have it is proposed anyway that a thing lacks it; of the rest only what the claim says in the
relation's own words, and of what none of its kind has, what it is said to have: "has no mascot".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.tools.query_graph.candidates.drafts import Draft, row_of
from triplewise.tools.query_graph.candidates.generate import Run
from triplewise.tools.query_graph.linking.mentions import folded_words, singulars, words_in
from triplewise.tools.query_graph.schema_view import Step

_HAVING = re.compile(
    r"\b(?:have|has|had|having|any|no|without)\W+(?:(?:an?|any|no|its|his|her|their|own|ever|never)\W+)*$", re.I
)


def lacked_relations(run: Run) -> Iterator[Draft]:
    """The claims that a named thing has something by a relation that is said and that it lacks."""
    schema, text = run.schema, run.s.text
    said = {form for word in words_in(text) for form in (word.text, *singulars(word.text))}
    spoken = [r for r in schema.relations if (words := folded_words(schema.words(r))) and said.issuperset(words)]
    had = {r for r in spoken if _is_had(text, schema.words(r))}
    for i, link in enumerate(run.s.links):
        if link.is_value or link.score < 1:
            continue
        kinds = set(schema.kinds(link.node))
        own = {step.relation for step in schema.steps(link.node)}
        for step in map(Step, spoken):
            unusual = kinds and step not in schema.kind_steps(kinds) and step.relation not in had
            if step.relation in own or unusual:
                continue
            yield Draft(
                (row_of(link.node, step, 0),), frozenset(), (step,), ((link.node, step, 0),), (i,), form="ask",
                extra=("missing",), prior=run.prior((step,), (i,)),
            )  # fmt: skip


def _is_had(text: str, relation: str) -> bool:
    """Whether a claim says of a relation that somebody has it, or has none."""
    name, words = folded_words(relation), words_in(text)
    for at, word in enumerate(words):
        forms = {word.text, *singulars(word.text)}
        if name[0] in forms and len(words) >= at + len(name) and _HAVING.search(text[: word.start]):
            return True
    return False
