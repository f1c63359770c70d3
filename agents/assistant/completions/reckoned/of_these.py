"""What is asked of all that was told, in a word or two: after "which deliveries are unpaid?", "which pubs?" asks whom
they went to, and "total casks" adds up what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import among, reckoned
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import Pattern, Variable
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import Step

_WHICH = re.compile(
    r"(?:(?:and|so|ok)\W+)*(?:at |in |on |for |to |from |by )?(?:which|what) (?P<noun>[a-z][\w'’-]+)"
    r"(?: (?:is|was) (?:that|it)| (?:are|were) (?:those|they|these))?(?:,? then)?\W*",
    re.I,
)
_TOTAL = re.compile(
    r"(?:(?:and|so|ok)\W+)*(?:the |their |what(?:['’]s| is) the )?total (?:number of |amount of )?"
    r"(?P<noun>[a-z][\w'’-]+)"
    r"(?:,? (?:then|please))?\W*",
    re.I,
)
_MANY = 20


def of_these(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The things of that class to which one relation leads from what was told; the total of the numbers that one of
    that name does."""
    last = memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if last is None or query is None or query.form != "select" or query.answer is None or query.order:
        return
    nodes = [n for n in last.answers if memory.is_thing(n)]
    if not nodes or len(nodes) != len(last.answers) or len(nodes) > _MANY:
        return
    schema = things.names.schema
    steps = {s for n in nodes for s in schema.steps(n)} - {
        Step(p.relation, p.tail == query.answer) for p in query.patterns
    }
    if (said := _WHICH.fullmatch(seen.bare)) and (kind := things.only_kind(said["noun"])):
        if any(kind in things.kinds(n) for n in nodes):
            return
        fit = [s for s in steps if all(kind in things.kinds(e) for n in nodes for e in schema.go(n, s))]
        how, form = f"of the {len(nodes)} before" if len(nodes) > 1 else things.name(nodes[0]), "select"
    elif (said := _TOTAL.fullmatch(seen.bare)) and len(nodes) > 1:
        noun = said["noun"].lower()
        numbers = [s for s in steps if not s.inverse and schema.value_kind(s.relation) == "number"]
        fit = [s for s in numbers if any(is_form_of(w, noun) for w in folded_words(schema.words(s.relation)))]
        how, form = f"the total of the {len(nodes)} before", "total"
    else:
        return
    fit = [s for s in fit if any(schema.go(n, s) for n in nodes)]
    if len(fit) != 1:
        return
    (step,), end = fit, Variable("end")
    tie = Pattern(end, step.relation, query.answer) if step.inverse else Pattern(query.answer, step.relation, end)
    kept = among(query, nodes)
    asked = replace(kept, patterns=(*kept.patterns, tie), answer=end)
    asked = reckoned(asked, "total") if form == "total" else asked
    yield Interpretation(f"{last.question.rstrip(' ?.')}, {seen.bare}", "count", how, query=asked)
