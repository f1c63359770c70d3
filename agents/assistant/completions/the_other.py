"""The other bearer of a name: "the other Duke", "the other one"."""

from __future__ import annotations

from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.last_query import renamed
from triplewise.agents.assistant.completions.pronouns import compares_with
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References, replace_other, replace_pronouns
from triplewise.kg.names import fold
from triplewise.kg.query import QueryGraph


def other_bearers(things: Things, seen: References, last: Remembered, memory: Memory) -> Iterator[Interpretation]:
    """The sentence with the namesake of what was spoken of, or the last question asked of it."""
    query = QueryGraph.from_json(last.query) if last.query else None
    for old in [*memory.chosen(), *memory.focus()]:
        names = {fold(n) for n in (things.kg.label(old), *things.kg.aliases(old))}
        wanted = fold(seen.namesake)
        if wanted != "one" and not any(set(wanted.split()) <= set(n.split()) for n in names):
            continue
        for new in things.namesakes(old, "" if wanted == "one" else wanted):
            name = things.name(new)
            rest = replace_other(seen.bare, name)
            if query is not None and old in query.entities and things.only_names(rest, things.links(rest)):
                text = renamed(last.question, things.kg.label(old), name)
                yield Interpretation(text, "namesake", f"the other one: {name}", query=swapped(query, old, new))
            else:
                text, given = replace_pronouns(rest, name), (new,)
                if compares_with(rest) and not things.links(rest.replace(name, " ")):  # "the other is older"
                    text, given = f"{text.rstrip(' ?.')} than {things.name(old)}", (new, old)
                yield Interpretation(text, "namesake", f"the other one: {name}", given=given)
