"""Turns of the corpus's conversations as training items: as they were said, completed by what was said before.

The assistant reads "and its captain?" as every completion that the turns before allow, and the ranker decides. Here the
turns before are the right ones, so the completion that names what the gold query names is known; the others are left
out, since the sentence that they make may well have an answer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered, inner_nodes
from triplewise.kg.base import KGStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.train.query_graph.corpus import CorpusItem, Domain


class TalkedDomain:
    """A domain whose items are followed by the turns of its conversations as they were said; with ``reworded`` by its
    questions and claims in other words before these."""

    def __init__(self, domain: Domain, *, reworded: bool = False) -> None:
        self.domain, self.name, self.store = domain, domain.name, domain.store
        more = domain.rewordings() if reworded else ()
        self._items = (*domain.items(), *more, *turn_items(domain))  # training goes over them several times

    def items(self) -> tuple[CorpusItem, ...]:
        """Questions, claims, standalone turns, rewordings, then the turns as they were said."""
        return self._items

    def node(self, term: str) -> str:
        """The id that stands for all literals of one text."""
        return self.domain.node(term)


def turn_items(domain: Domain) -> Iterator[CorpusItem]:
    """Each turn with a gold query, once for every completion that is about what the query names.

    ``given`` are the things that a completion is about. A follow-up that the assistant answers by an edit of the query
    before ("how many is that?") needs no reading and gives no item.
    """
    kg = domain.store
    follow_ups = FollowUps(kg, NameIndex(SchemaView(kg)))
    for talk in domain.conversations():
        turns: list[Remembered] = []
        for said, item in talk:
            if item.query is None:
                continue
            named = set(item.query.entities)
            found = follow_ups.interpretations(said, Memory(kg, turns))
            if item.task == "verify" or all(i.query is None for i in found):
                right = [i for i in found if i.query is None and named.issuperset(i.given)]
                for number, one in enumerate(right):
                    given = follow_ups.about(one)
                    yield replace(item, id=f"{item.id}/{number}", text=one.text, given=given, voice="turn")
            turns.append(_remembered(kg, said, item, item.query))


def _remembered(kg: KGStore, said: str, item: CorpusItem, query: QueryGraph) -> Remembered:
    """The turn as the assistant remembers it when it answers right."""
    done = execute(kg, query)
    inner = inner_nodes(kg, [t for found in done.found for t in found.proof], {*done.ids, *query.entities})
    return Remembered(said, item.text, item.task, done.ids, query.entities, query=query.to_json(), inner=inner)
