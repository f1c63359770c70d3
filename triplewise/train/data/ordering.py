"""Training examples for ordering candidates, from any graph without a teacher: KICGPT's compact conversation, numbered.

A fifth of the links is put aside, as for the test of a link predictor. A question is one of these without its head or
tail; demonstrations come from the other links only, by the node's own pools and in its own sentences. The candidates
stand in for a retriever's: other answers of the relation, entities in another role of the answer's, what lies around
the given entity, without other known answers. The answer stands mostly near the front. The reply to learn puts it
first and leaves the others in the retriever's order (section 3.2's permutation of the m leading entities).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast
from zlib import crc32

from triplewise.agents.kicgpt.conversation import final_messages, history
from triplewise.agents.kicgpt.prompts import ConversationOptions, LinkPrompts, interleave
from triplewise.agents.kicgpt.state import Candidate, LinkQuery, LinkState
from triplewise.kg.base import KGStore
from triplewise.tools.links.demonstrations import DemonstrationPools, StoreTexts
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.train.data.skills import Example
from triplewise.train.sentences.compose import DEV_SHARE
from triplewise.types import Triple

PUT_ASIDE = 0.2
"""Share of the links that are asked for and never shown."""
CANDIDATES = (5, 12)
"""Fewest and most candidates."""
DEMONSTRATIONS = 8
"""Most demonstrations of both kinds; a run shows up to 32 of the same, which is long for a small model."""
MAX_CHARACTERS = 2_000
"""Of a prompt, about 600 tokens; demonstrations are left out for it, as the node does for its budget."""
MEAN_PLACE = 2.0
"""Of the answer among the candidates, counted from 0, where there are many: it is first in four of ten."""
_SOURCES = {"relation": 5, "role": 3, "around": 2}
"""Where the other candidates come from; the earlier ones also stand before the later ones, mostly."""
_TRIES = 300


@dataclass(frozen=True, slots=True)
class Asked:
    """A link with a missing end, the candidates in the retriever's order, the place of the right one, and how many
    demonstrations are shown."""

    query: LinkQuery
    candidates: tuple[str, ...]
    answer: int
    demonstrations: int


class OrderComposer:
    """Draws examples; the same seed draws the same ones.

    ``dev``: about given entities of the development share only, else about links neither end of which is in it.
    """

    def __init__(self, kg: KGStore, seed: int = 0, *, dev: bool = False) -> None:
        self.kg, self.rng = kg, random.Random(f"order {seed} {dev}")
        self.data = LinkPredictionData.from_store(kg).split(PUT_ASIDE, 0.0, seed)
        self.pools = DemonstrationPools(self.data, StoreTexts(kg), parts=("train",))
        self._places: dict[tuple[int, int], list[int]] = {}
        """(relation, side) → the entities there, once per triple, as a retriever knows the frequent ones best."""
        self._touching: dict[int, list[tuple[int, int, int]]] = {}
        for h, r, t in self.data.train.tolist():
            self._places.setdefault((r, 0), []).append(h)
            self._places.setdefault((r, 2), []).append(t)
            for end in {h, t}:
                self._touching.setdefault(end, []).append((h, r, t))
        self.links = [
            (link, given)
            for link in self.data.valid.tolist()
            for given in (0, 2)
            if link[0] != link[2] and self._of_share(link, given, dev)
        ]

    def _of_share(self, link: list[int], given: int, dev: bool) -> bool:
        ends = [crc32(self.data.entities[e].encode()) % DEV_SHARE == 0 for e in (link[given], link[2 - given])]
        return ends[0] if dev else not any(ends)

    def examples(self) -> Iterator[Example]:
        """Without end, as long as the graph has links with enough candidates."""
        while self.links:
            drawn = (self.asked() for _ in range(_TRIES))
            made = next((e for e in (self.example(a) for a in drawn if a) if e), None)
            if made is None:
                return
            yield made

    def asked(self) -> Asked | None:
        """A link to ask for; None where the graph has too few candidates for the one that was drawn."""
        rng = self.rng
        link, given = rng.choice(self.links)
        others = self._others(link, given, rng.randint(*CANDIDATES) - 1)
        if len(others) + 1 < CANDIDATES[0]:
            return None
        place = int(rng.expovariate(1 / MEAN_PLACE))
        place = place if place <= len(others) else rng.randint(0, len(others))
        candidates = [self.data.entities[e] for e in (*others[:place], link[2 - given], *others[place:])]
        head, relation, tail = self.data.triple(link)
        query = LinkQuery(head if given == 0 else None, relation, tail if given == 2 else None)
        return Asked(query, tuple(candidates), place, rng.randint(0, DEMONSTRATIONS))

    def _others(self, link: list[int], given: int, count: int) -> list[int]:
        """At most so many wrong candidates, in the order in which a retriever might have them."""
        rng, relation = self.rng, link[1]
        known, answer = link[given], link[2 - given]
        right = set(self.data.asserted.answers("tail" if given == 0 else "head", known, relation).tolist())
        draw: dict[str, Callable[[], int]] = {
            "relation": lambda: rng.choice(self._places.get((relation, 2 - given), [answer])),
            "role": lambda: self._in_a_role_of(answer),
            "around": lambda: self._around(known),
        }
        found: dict[int, float] = {}
        for _ in range(count * 8):
            if len(found) == count:
                break
            source = rng.choices(list(_SOURCES), list(_SOURCES.values()))[0]
            entity = draw[source]()
            if entity not in right and entity != known and entity not in found:
                found[entity] = rng.random() + list(_SOURCES).index(source) * 0.3
        return sorted(found, key=found.__getitem__)

    def _in_a_role_of(self, entity: int) -> int:
        """An entity at the same end of one of this one's relations."""
        h, r, _ = self.rng.choice(self._touching[entity])
        return self.rng.choice(self._places[r, 0 if h == entity else 2])

    def _around(self, entity: int) -> int:
        """An entity one or two links away."""
        for _ in range(self.rng.choice([1, 2])):
            h, _, t = self.rng.choice(self._touching[entity])
            entity = t if h == entity else h
        return entity

    def example(self, asked: Asked) -> Example | None:
        """The question as the graph sends it, and the order to reply; None where it is too long."""
        query, m = asked.query, len(asked.candidates)
        options = ConversationOptions(demonstrations=asked.demonstrations)
        candidates = tuple(Candidate(e, -float(n), n) for n, e in enumerate(asked.candidates, 1))
        state = cast(LinkState, {"query": query, "candidates": candidates})
        prompts = LinkPrompts.of(state, self.kg, options)
        shown = interleave(*self._demonstrations(query), options.demonstrations)
        for kept in range(len(shown), -1, -1):
            messages = final_messages(prompts, history(prompts, shown[:kept]), shown[:kept], range(m))
            if sum(len(message.text) for message in messages) <= MAX_CHARACTERS:
                order = (asked.answer, *(i for i in range(m) if i != asked.answer))
                return Example("order", tuple(messages), ", ".join(str(i + 1) for i in order))
        return None

    def _demonstrations(self, query: LinkQuery) -> tuple[list[Triple], list[Triple]]:
        pools, limit = self.pools, DEMONSTRATIONS
        return pools.analogies(query.relation, limit), pools.supplements(query.entity, query.relation, limit)
