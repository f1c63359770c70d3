"""What is in a graph, for a first page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line

_SHOWN = 40
_EXAMPLES = 8


@dataclass(frozen=True, slots=True)
class Overview:
    """Sizes, classes and relations with their counts as labels, and the best connected things."""

    kg: str
    triples: int
    entities: int
    classes: tuple[tuple[str, int], ...]
    relations: tuple[tuple[str, int], ...]
    examples: tuple[str, ...]


def overview(kg: KGStore, name: str = "") -> Overview:
    """What is in a graph."""
    things = kg.entities()
    classes = Counter(c for e in things for c in kg.types(e))
    relations = Counter({r: sum(1 for _ in kg.triples(relation=r)) for r in kg.relation_ids()})
    named = [e for e in things if not kg.is_class(e) and not e.startswith("_:")]
    best = sorted(named, key=lambda e: -kg.degree(e))[:_EXAMPLES]
    return Overview(
        name or one_line(kg.name),
        len(kg),
        len(things),
        tuple((one_line(kg.label(c)), n) for c, n in classes.most_common(_SHOWN)),
        tuple((one_line(kg.relation_label(r)), n) for r, n in relations.most_common(_SHOWN)),
        tuple(one_line(kg.display(e)) for e in best),
    )
