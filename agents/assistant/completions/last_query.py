"""Edits of the last question: counted, asked of another thing or value, its other answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.pronouns import pronouns
from triplewise.agents.assistant.completions.things import WH, Things
from triplewise.agents.assistant.edits import counted, swapped, turned
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References, replace_pronouns, without_else
from triplewise.kg.query import QueryGraph
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.mentions import Link, words_in
from triplewise.tools.query_graph.value_mentions import find_values

COUNT = re.compile(
    r"^(?:so |and )?how many(?: of (?:them|those|these))?(?: (?:is|are|was|were) (?:that|there|they|those|these))?"
    r"(?: (?:in all|in total|altogether|all told))?\W*$",
    re.I,
)
_WHO_THEN = re.compile(
    r"^(?:so |and |but )?who (?:is|was|did|does|has|had|are|were)(?: it| that)?\W*(?:then)?\W*$", re.I
)


def edits(things: Things, seen: References, links: Sequence[Link], last: Remembered) -> Iterator[Interpretation]:
    """The last question, changed by what the sentence says."""
    query = QueryGraph.from_json(last.query) if last.query else None
    if last.task == "verify" and _WHO_THEN.match(seen.bare):
        yield from _who_then(things, last)
    if query is None:
        return
    if COUNT.match(seen.bare) and query.form == "select":
        yield Interpretation(f"How many: {last.question}", "count", "counted the last answers", query=counted(query))
    if links and things.only_names(seen.bare, links):
        for link in links[:3]:
            if not seen.namesake or link.node not in last.topics:
                yield from _swap(things, query, link.node, last)
    values = find_values(seen.bare)
    if seen.pronouns or seen.ordinal or links:
        return  # the "one" of "that one" is no number
    if values and not WH.search(seen.bare):
        for old in find_values(last.question)[:1]:
            new = seen.bare[values[0].start : values[0].end]
            text = f"{last.question[: old.start]}{new}{last.question[old.end :]}"
            yield Interpretation(text, "swap", f"{last.question[old.start : old.end]} → {new}")
    if values and len(seen.bare.split()) <= 6:
        yield Interpretation(f"{last.question.rstrip(' ?.')} {seen.bare}", "more", "added to the last question")


def others(
    things: Things, seen: References, last: Remembered, memory: Memory, focus: list[str]
) -> Iterator[Interpretation]:
    """ "Who else?": the answers that were not told yet."""
    text = without_else(seen.bare)
    known = tuple(dict.fromkeys((*last.topics, *last.answers, *last.inner)))
    content = [w.text for w in words_in(text) if w.text not in STOP_WORDS]
    if len(content) <= 1 and last.query and len(last.answers) == 1:
        query = turned(QueryGraph.from_json(last.query), last.answers[0])
        if query is not None:
            name = things.name(last.answers[0])
            yield Interpretation(replace_pronouns(text, name), "else", "those not yet told", query=query)
    for interpretation in (*pronouns(things, seen, memory, focus), Interpretation(text)):
        yield Interpretation(
            without_else(interpretation.text), "else", f"{interpretation.how}; those not yet told".strip("; "),
            interpretation.given, drop=known,
        )  # fmt: skip


def renamed(question: str, old: str, new: str) -> str:
    """A question about another thing; where the name does not stand in it, the new one is added."""
    changed = re.sub(re.escape(old), lambda _: new, question, flags=re.I)
    return changed if changed != question else f"{question.rstrip(' ?')}, for {new}?"


def _swap(things: Things, query: QueryGraph, new: str, last: Remembered) -> Iterator[Interpretation]:
    kinds = things.kinds(new)
    for old in query.entities:
        if old == new or things.kg.is_class(old) or things.kg.is_literal(old):
            continue
        if not kinds or kinds & things.kinds(old):
            text = renamed(last.question, things.kg.label(old), things.name(new))
            how = f"{things.name(old)} → {things.name(new)}"
            yield Interpretation(text, "swap", how, query=swapped(query, old, new))


def _who_then(things: Things, last: Remembered) -> Iterator[Interpretation]:
    """ "He is the owner, isn't he?" "No." "Who is, then?" """
    for node in last.topics:
        name = things.name(node)
        if last.question.startswith(name):
            rest = last.question[len(name) :].strip(" .?")
            yield Interpretation(f"Who {rest}?", "else", f"not {name}", drop=(node,))
            return
