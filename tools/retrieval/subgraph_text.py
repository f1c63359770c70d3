"""The text that a triple is embedded as: t ⊕ G_t (Retrieval and Reasoning on KGs, equation 2).

G_t are the triples that share t's head or t's tail. They are capped, since a hub has thousands and an
encoder reads a few hundred words: at most ``same_head`` and ``same_tail`` of them. The rule of order:
relations take turns in the graph's order, the relation of t itself one turn later than the others, so
that a text shows as many different relations as it can. As text::

    Alien directed by Ridley Scott. Alien: release year 1979, starring Harry Dean Stanton.
    Ridley Scott: Gladiator directed by
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from triplewise.tools.retrieval.triple_table import TripleTable

RULE = 1
"""Raised whenever the texts of the same settings change: an index made by another rule is out of date."""
_LOOKED_AT = 400
"""Triples of a hub that are considered; the rest of a hub's triples say nothing new."""
_LONGEST = 120
"""Characters of a name in a text."""


@dataclass(frozen=True, slots=True)
class SubgraphRule:
    """How many neighbouring triples a text carries; 0 and 0 is the ablation "without sub-graph"."""

    same_head: int = 4
    """Most neighbouring triples with the same head."""
    same_tail: int = 2
    """Most neighbouring triples with the same tail."""

    @property
    def id(self) -> str:
        """Names the rule in an index."""
        return f"rule{RULE}-{self.same_head}-{self.same_tail}"


PLAIN = SubgraphRule(0, 0)


class SubgraphTexts:
    """Texts of the triples of a table, by row."""

    def __init__(self, table: TripleTable, rule: SubgraphRule) -> None:
        self.table, self.rule = table, rule
        kg = table.kg
        self._names = [_cut(kg.label(e)) for e in table.entities]
        self._relations = [kg.relation_label(r) for r in table.relations]
        self._codes = table.codes.tolist()
        self._sides: dict[tuple[int, int], dict[int, list[int]]] = {}

    def text(self, row: int) -> str:
        """The triple in words, then its sub-graph."""
        names, relations = self._names, self._relations
        head, relation, tail = self._codes[row]
        text = f"{names[head]} {relations[relation]} {names[tail]}"
        if same := self._neighbours(row, 0, self.rule.same_head):
            told = ", ".join(f"{relations[r]} {names[t]}" for _, r, t in map(self._codes.__getitem__, same))
            text += f". {names[head]}: {told}"
        if same := self._neighbours(row, 2, self.rule.same_tail):
            told = ", ".join(f"{names[h]} {relations[r]}" for h, r, _ in map(self._codes.__getitem__, same))
            text += f". {names[tail]}: {told}"
        return text

    def texts(self, rows: Iterable[int]) -> list[str]:
        """The texts of these rows."""
        return [self.text(row) for row in rows]

    def _neighbours(self, row: int, side: int, n: int) -> list[int]:
        """The first ``n`` rows of G_t that share the head (``side`` 0) or the tail (2)."""
        if not n:
            return []
        end, own = self._codes[row][side], self._codes[row][1]
        by_relation = self._side(end, side)
        turns = [
            (turn + (relation == own), place, other)
            for place, (relation, rows) in enumerate(by_relation.items())
            for turn, other in enumerate([r for r in rows[: n + 1] if r != row][:n])
        ]
        return [other for _, _, other in sorted(turns)[:n]]

    def _side(self, entity: int, side: int) -> dict[int, list[int]]:
        """Rows of which the entity is the head or the tail, by relation, in the graph's order."""
        key = (entity, side)
        if (found := self._sides.get(key)) is None:
            found = {}
            for row in self.table.at(entity)[:_LOOKED_AT].tolist():
                if self._codes[row][side] == entity and row not in found.get(self._codes[row][1], ()):
                    found.setdefault(self._codes[row][1], []).append(row)
            self._sides[key] = found
        return found


def _cut(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def text_hash(text: str) -> str:
    """A short hash of an embedded text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
