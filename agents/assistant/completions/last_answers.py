"""Some of the last answers: "which of them are open?", "the second of those", "the later one"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References, replace_ordinal, without_of_them
from triplewise.kg.names import one_line

_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "latter": -1}


def among_answers(things: Things, seen: References, last: Remembered) -> Iterator[Interpretation]:
    """The question asked of the last answers alone."""
    if len(last.answers) < 2:
        return
    kinds = [things.kg.types(a)[:1] for a in last.answers]
    shared = kinds[0][0] if kinds[0] and all(k == kinds[0] for k in kinds) else ""
    kind = f"{one_line(things.kg.label(shared)).lower()}s" if shared else "things"
    text = without_of_them(seen.bare, kind)
    yield Interpretation(text, "among", f"of the {len(last.answers)} before", keep=last.answers)


def ordinals(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "The second of those", "the later one": one of the last answers, by its place or by its date."""
    turn = next((t for t in reversed(memory.turns[-3:]) if 2 <= len(t.answers) <= 20), None)
    if turn is None:
        return
    nodes, place = list(turn.answers), _PLACES.get(seen.ordinal)
    if place is None:
        place = 0 if re.match(r"earli|old", seen.ordinal) else -1
        nodes = things.by_date(nodes)
    if nodes and -len(nodes) <= place < len(nodes):
        node = nodes[place]
        name = things.name(node)
        yield Interpretation(replace_ordinal(seen.bare, name), "ordinal", f"the {seen.ordinal}: {name}", (node,))
