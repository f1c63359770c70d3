"""What lies within what: who was born in Camborne was born in Cornwall, where the graph has the one in the other."""

from __future__ import annotations

import re
from functools import lru_cache

from triplewise.kg.query.graph import TYPE, QueryGraph, Variable
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.schema_view import SchemaView

_AREA = "country|county|state|province|region|district|borough|parish|continent|municipality|city|town|building|island"
_WITHIN = re.compile(
    r"(?:(?:is|lies|located|situated|sits|stands|set|found|kept|stored|housed|based) )?"
    rf"(?:with)?in(?: (?:the )?(?:{_AREA}))?|(?:is )?part of|located at|{_AREA}"
)
"""The names of relations from a place to one that it is a part of."""
_LOCATING = re.compile(rf"(?:.* )?(?:in|at|to|from|near|on|place|birthplace|home|location|address|{_AREA})")
"""The names of relations that tell of where."""
_DEPTH = 3
_MAX_PLACES = 2_000


class Places:
    """The places of one graph and what they are parts of."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._within = frozenset(r for r in schema.relations if _WITHIN.fullmatch(schema.words(r).lower()))
        self.inside = lru_cache(maxsize=256)(self._inside)

    def in_other_words(self, one: Draft, other: Draft) -> bool:
        """Whether one draft has that something is at a place, and the other that it is at a part of that place."""
        if self._beside_rows(one) != self._beside_rows(other):
            return False
        own = [row for row in one.rows if row not in other.rows and row[1] != TYPE]
        steps = [row for row in other.rows if row not in one.rows and row[1] != TYPE]
        if len(own) != 1 or len(steps) != 2 or not isinstance(own[0][2], str) or not self._is_locating(own[0][1]):
            return False
        near = next((row for row in steps if row[:2] == own[0][:2]), None)
        return near is not None and any(r in self._within and (h, t) == (near[2], own[0][2]) for h, r, t in steps)

    def is_there(self, query: QueryGraph) -> bool:
        """Whether what a query asks to be at a place is, or may be, at a part of it."""
        for pattern in query.patterns if self._within else ():
            if isinstance(pattern.tail, Variable) or not self._is_locating(pattern.relation):
                continue
            inside, head, store = self.inside(pattern.tail), pattern.head, self.schema.store
            if isinstance(head, Variable):
                found = any(next(iter(store.triples(None, pattern.relation, place)), None) for place in inside)
            else:
                known = store.triples(head, pattern.relation) if inside and store.has_entity(head) else ()
                found = any(t.tail in inside for t in known)
            if found:
                return True
        return False

    @staticmethod
    def _beside_rows(draft: Draft) -> object:
        return draft.form, draft.denied, draft.filters, draft.minus, draft.order, frozenset(draft.links)

    def _is_locating(self, relation: str) -> bool:
        return bool(self._within) and bool(_LOCATING.fullmatch(self.schema.words(relation).lower()))

    def _inside(self, place: str) -> frozenset[str]:
        """The places that are within one, up to three steps down."""
        store, found, rim = self.schema.store, set[str](), {place}
        for _ in range(_DEPTH):
            rim = {
                t.head
                for node in rim
                if store.has_entity(node)
                for r in self._within
                for t in store.triples(None, r, node)
            } - found
            found |= rim
            if not rim or len(found) > _MAX_PLACES:
                break
        return frozenset(found)
