"""Which of those that were told came first, by their dates: "which of the two came first?" """

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import Filter, Order, Pattern, Variable

_CAME_FIRST = re.compile(
    r"(?:which|who|what)(?: one)?(?: of (?:them|those|these|the (?:two|three|four|lot))(?: two| three)?)? "
    r"(?:came|comes|happened|started|was|is) (?P<end>first|last|earlier|later|earliest|latest)(?:,? then)?\W*",
    re.I,
)
_LAST = ("last", "later", "latest")


def came_first(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The first, or the last, of the last answers by the first date that the graph tells of each of them."""
    said, nodes = _CAME_FIRST.fullmatch(seen.bare), memory.several()
    if said is None or len(nodes) < 2 or things.people(nodes) or (step := things.dated_by(nodes)) is None:
        return  # who of several persons came first may have won a race
    x, day = Variable("x"), Variable("day")
    query = QueryGraph(
        (Pattern(x, step.relation, day),), x, filters=(Filter(x, "in", tuple(nodes)),),
        order=Order(day, descending=said["end"].lower() in _LAST),
    )  # fmt: skip
    yield Interpretation(seen.bare, "among", f"of the {len(nodes)} before", query=query)
