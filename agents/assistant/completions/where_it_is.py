"""Where a thing is that the graph only tells others to have: "where is the garlic?", which grows in a bed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import Pattern, Variable

_WHERE_IS = re.compile(
    r"where(?:['’]s| (?:is|are|was|were|do we have|have we got|did we (?:put|plant)|can i (?:find|get)))"
    r" (?P<name>[^,.;?!]+?)"
    r"(?: (?:now|growing|grown|planted|sown|kept|stored|put|found|located|hanging|standing|lying|displayed))*\W*",
    re.I,
)


def where_it_is(things: Things, bare: str) -> Iterator[Interpretation]:
    """What has the thing, by the relation most have it by, where the graph tells nothing of the thing itself and those
    that have it are no persons."""
    said = _WHERE_IS.fullmatch(bare)
    if not said:
        return
    kg, name = things.kg, said["name"]
    links = [*things.links(name), *things.values(name)]
    nodes = dict.fromkeys(x.node for x in links) if links and things.only_names(name, links) else {}
    for node in nodes:
        own = [t for t in kg.triples(node, None, None) if t.relation not in kg.roles.types | kg.roles.aliases]
        holders: dict[str, set[str]] = defaultdict(set)
        for triple in () if own else kg.triples(None, None, node):
            if not things.may_be_person(triple.head):
                holders[triple.relation].add(triple.head)
        if holders:
            asked, relation = Variable("where"), max(holders, key=lambda r: (len(holders[r]), r))
            query = QueryGraph((Pattern(asked, relation, node),), asked)
            yield Interpretation(bare, "alone", f"what has {things.name(node)}", query=query)
            return
