"""The last question asked of another thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.memory import Memory
from triplewise.kg.query import QueryGraph


def asked_of(things: Things, memory: Memory, new: str, old: Sequence[str], how: str) -> Iterator[Interpretation]:
    """The last question asked of another thing: in place of one of these where it names one, else of its kind."""
    last = memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if last is None or query is None or new in query.entities:
        return
    named = [n for n in query.entities if not things.kg.is_class(n) and not things.kg.is_literal(n)]
    kinds = things.kinds(new)
    for node in [n for n in named if n in old] or [n for n in named if kinds & things.kinds(n)][:1]:
        text = renamed(last.question, things.kg.label(node), things.name(new))
        yield Interpretation(text, "namesake", how, query=swapped(query, node, new))


def renamed(question: str, old: str, new: str) -> str:
    """A question about another thing; where the name does not stand in it, the new one is added. What told the old one
    from its namesakes, in brackets after its name, goes with it."""
    changed = re.sub(rf"{re.escape(old)}(?: \([^()]*\))?", lambda _: new, question, flags=re.I)
    return changed if changed != question else f"{question.rstrip(' ?')}, for {new}?"
