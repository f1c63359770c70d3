"""An earlier question asked of another thing, where the last one has none of its kind: "And on the Grand Union?" """

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.last_query import swap, value_swaps
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.linking.mentions import Link

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
