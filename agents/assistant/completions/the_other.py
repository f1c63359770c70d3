"""The other one: of two that were told, or of the bearers of a name ("the other Duke", "the old one")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import asked_of
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.pronouns import compares_with, pronouns
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References, find_references, replace_other, replace_pronouns
from triplewise.kg.names import fold


def the_other(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The sentence about the other one, or the last question asked of it."""
    if seen.namesake == "one" and (two := _picked(memory)):
        old, new = two
        yield from _about(things, seen, memory, old, new)
        return
    for old in dict.fromkeys((*memory.chosen(), *memory.focus())):
        names = {fold(n) for n in (things.kg.label(old), *things.kg.aliases(old))}
        wanted = fold(seen.namesake)
        if wanted != "one" and not any(set(wanted.split()) <= set(n.split()) for n in names):
            continue
        for new in things.namesakes(old, "" if wanted == "one" else wanted):
            yield from _about(things, seen, memory, old, new)


def _picked(memory: Memory) -> tuple[str, str] | None:
    """The one of two answers that was spoken of since, and the other."""
    last = memory.last
    for turn in reversed(memory.turns[-4:-1] if last else ()):
        if last and len(turn.answers) == 2:
            for spoken in (last.answers, last.topics):
                since = [n for n in turn.answers if n in spoken]
                if len(since) == 1:
                    return since[0], next(n for n in turn.answers if n != since[0])
    return None


def _about(things: Things, seen: References, memory: Memory, old: str, new: str) -> Iterator[Interpretation]:
    name, how = things.name(new), f"the other one: {things.name(new)}"
    rest, beside = replace_other(seen.bare, name), replace_other(seen.bare, "")
    if things.only_names(beside, things.links(beside)) and (same := list(asked_of(things, memory, new, (old,), how))):
        yield from same
        return
    if seen.pronouns and seen.pronouns[0][0] < seen.bare.lower().find("the other"):  # "does he know the other one?"
        others = [n for n in memory.focus() if n != new]
        for i in pronouns(things, find_references(rest), memory, others):
            yield replace(i, kind="namesake", how=f"{how}; {i.how}", given=(*i.given, new))
        return
    text, given = replace_pronouns(rest, name), (new,)
    if compares_with(rest) and not things.links(rest.replace(name, " ")):  # "the other is older"
        text, given = f"{text.rstrip(' ?.')} than {things.name(old)}", (new, old)
    yield Interpretation(text, "namesake", how, given=given)
