"""Totals and averages of what was told: "how much is that altogether?" asks for those of numbers, "what did those two
cost together?" for what things have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import asked_in_turn
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.pronouns import MAX_EACH
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import of_each, reckoned
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References
from triplewise.kg.query import Pattern, QueryGraph, Variable, execute
from triplewise.kg.query.reckon import Reckoning, is_number
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.wording.amounts.reckoning import asked_reckoning, without_together

_TOTAL = re.compile(
    r"^(?:(?:so|and|ok|okay)\W+)*"
    r"(?:what(?:['’]s| is| was| does| do| did)?|"
    r"how (?:much(?: \w+)?|many (?!in\b|of\b)\w+|long)(?: is| was| are| were| does| do| did)?)?"
    r"\s*(?:that|it|this|they|those|these|all that|all of (?:that|it|them))?\s*(?:all )?(?:for )?"
    r"(?:(?:come|add up|amount|sum up)\s*(?:to)?\s*|"
    r"(?:bring in|bring us|make|raise|earn|fetch|cost|set (?:us|me) back)\s*(?:for )?(?:us|me)?\s*)?"
    r"(?P<how>(?:the |their )?(?:total|sum)|(?:in )?(?:total|all|sum)|altogether|all together|all told|combined|"
    r"together|(?<=for )(?:the|those|both(?: of)?(?: them)?) ?(?:two)?(?: together)?|"
    r"(?<=come to)|(?<=add up to)|(?<=amount to)|(?:on |the |their )?average)\W*(?:then|please)?\W*$",
    re.I,
)
""" "How much is that altogether?", "and on average?" after numbers."""
_THOSE = re.compile(
    r"\b(?:those|these|the)\s+(?:two|three|four|\d+)(?:\s+[a-z]+s)?\b|\b(?:those|these)(?:\s+[a-z]+s)?\b|"
    r"\b(?:they|them|that)\b",
    re.I,
)
_COUNTS = re.compile(r"(?:so |and )?how many (?:is|are|was|were) (?:that|there|they|those|these)\b", re.I)
""" "How many is that altogether?" counts what was told."""
_EACH = re.compile(r"\b(?:each|apiece|individually|separately)\b", re.I)
""" "What did each come to?" asks for no sum."""
_MANY = re.compile(r"\b(?:are|were|do|have)\b", re.I)
_OF_ONE = {"are": "is", "were": "was", "do": "does", "have": "has"}


def _numbers_of(things: Things, query: QueryGraph) -> QueryGraph | None:
    """A query for the only numbers that another one finds on its way: of who owes something what they owe; None where
    it finds none, or several kinds."""
    if query.order:
        return None
    on_the_way = {p.tail for p in query.patterns if isinstance(p.tail, Variable)} - {query.answer}
    filtered = {f.left for f in query.filters} | {f.right for f in query.filters}
    found = []
    for variable in sorted(on_the_way - filtered, key=lambda v: v.name):
        asked = replace(query, answer=variable)
        labels = [things.kg.label(n) for n in execute(things.kg, asked).ids]
        if labels and all(map(is_number, labels)):
            found.append(asked)
    return found[0] if len(found) == 1 else None


def _money_of_rows(things: Things, query: QueryGraph) -> QueryGraph | None:
    """A query for the sums that the rows which another one finds its answers through tell: of who bought something what
    the sales brought in; None where none do, or several."""
    schema, found = things.names.schema, dict[tuple[str, frozenset[str]], QueryGraph]()
    if query.order or query.answer is None:
        return None
    told = {p.relation for p in query.patterns}
    money = [r for r in schema.relations if r not in told and cues.is_money(schema.measure(r))]
    for variable in dict.fromkeys(v for p in query.patterns for v in p.variables if v != query.answer):
        rows = frozenset(execute(things.kg, replace(query, answer=variable)).ids)
        for relation in money if len(rows) > 1 else ():
            if schema.value_kind(relation) == "number" and all(row in schema.heads(relation) for row in rows):
                amount = Variable("amount")
                patterns = (*query.patterns, Pattern(variable, relation, amount))
                found[relation, rows] = replace(query, patterns=patterns, answer=amount)
    return found.popitem()[1] if len(found) == 1 else None


def together(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The total or average of the last answers, which are numbers, or of what is asked of each of them."""
    last = memory.last
    if _COUNTS.match(seen.bare):
        return
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if last is None or query is None:
        return
    numbers = len(last.answers) > 1 and all(is_number(things.kg.label(answer)) for answer in last.answers)
    bare = _TOTAL.match(seen.bare)
    of_rows = bare and query.form == "select" and not numbers
    if of_rows and (told := _numbers_of(things, query) or _money_of_rows(things, query)):
        query, numbers = told, True
    if bare and (query.form in ("total", "average") or (query.form == "select" and numbers)):
        how: Reckoning = "average" if "average" in bare["how"].lower() else "total"
        text = f"The {how}: {last.question}"
        yield Interpretation(text, "count", f"the {how} of what was told", query=reckoned(query, how))
        return
    pair = asked_in_turn(*memory.turns[-2:]) if bare and len(memory.turns) > 1 and not numbers else ()
    if pair and len(last.answers) == 1 and is_number(things.kg.label(last.answers[0])):
        both = of_each(query, pair[1], pair)
        if both is not None:
            yield Interpretation(
                f"{last.question}, together", "count", "the total of both", query=reckoned(both, "total")
            )
            return
    nodes = [node for node in last.answers if memory.is_thing(node)]
    asked = asked_reckoning(seen.bare) if 2 <= len(nodes) <= MAX_EACH and _THOSE.search(seen.bare) else None
    if asked and asked.how and (name := things.name(nodes[0])):
        text = _MANY.sub(
            lambda verb: _OF_ONE[verb[0].lower()], _THOSE.sub(lambda _: name, without_together(asked.text), count=1)
        )
        one_by_one = _EACH.search(seen.text) is not None
        how_many = f"each of the {len(nodes)} before" if one_by_one else f"the {asked.how} of the {len(nodes)} before"
        reckon = None if one_by_one else asked.how
        yield Interpretation(text, "pronoun", how_many, (nodes[0],), each=tuple(nodes), reckon=reckon)
