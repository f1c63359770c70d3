"""An earlier question asked of another thing, where the last one has none of its kind: "And on the Grand Union?" """

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.last_query import swap, value_swaps
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.linking.mentions import Link
from triplewise.tools.query_graph.linking.value_mentions import find_values

_ONLY_VALUE = re.compile(r"\W*(?:(?:and|what about|how about|for|on|in|at|number|the|one)\b\W*)*", re.I)
_TURNS = 5
"""Turns after which a question is still asked of something else."""


def earlier(things: Things, seen: References, links: Sequence[Link], memory: Memory) -> Iterator[Interpretation]:
    """The latest earlier question that had a thing or a value of the kind that the sentence names, and names only."""
    for turn in reversed(memory.turns[-_TURNS:-1]):
        query = QueryGraph.from_json(turn.query) if turn.query else None
        if query is None or query.form == "ask":
            continue
        named = links if links and things.only_names(seen.bare, links) else ()
        found = [i for link in named[:3] for i in swap(things, query, link.node, turn)]
        found = found or list(value_swaps(things, seen, links, turn, query))
        if found:
            yield from found
            return


def earlier_value(seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "What's on pump 3?" "Till when?" "And two?": the latest earlier question that said a number or a date, with
    another one, where the last question said none."""
    values = find_values(seen.bare)
    said = len(values) == 1 and _ONLY_VALUE.fullmatch(seen.bare[: values[0].start])
    if not said or seen.bare[values[0].end :].strip(" ?.!,") or find_values(memory.turns[-1].question):
        return
    new = seen.bare[values[0].start : values[0].end]
    for turn in reversed(memory.turns[-_TURNS:-1]):
        old = next((v for v in find_values(turn.question) if v.kind == values[0].kind), None)
        if old is not None:
            text = f"{turn.question[: old.start]}{new}{turn.question[old.end :]}"
            yield Interpretation(text, "swap", f"{turn.question[old.start : old.end]} → {new}")
            return
