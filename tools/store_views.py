"""What of a graph outside memory sentences are read over: all of a small graph, else what is around a sentence's names.

Candidates need the look-ups of a graph in memory, thousands of them. A graph of at most ``WHOLE`` statements is copied
into memory once, names and classes included, so that it proposes and answers what the same graph in memory does. Of a
larger one the part within two steps of what the sentence names is read, in a bounded number of requests; readings are
found over that part and executed over the store. Of hubs among the neighbours only the own statements are read, so that
other paths through them are not proposed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from weakref import WeakKeyDictionary

from triplewise.kg.base import DistantStore, KGStore
from triplewise.kg.formats.collector import Collector
from triplewise.kg.linking import link_entities
from triplewise.kg.names import literal_parts
from triplewise.kg.store import NetworkxStore
from triplewise.kg.stores.base import RdfStore
from triplewise.kg.stores.terms import LABELS
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.ranker import WEIGHTS, Reader, reader_of
from triplewise.types import Triple

WHOLE = 200_000
"""Statements of a graph that is copied whole; an endpoint's must come in one request, too."""
_KEPT = 16
"""Parts that are kept, for the nodes after the first that work on the same sentence, and for follow-ups."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How much is read around a sentence's names: ``first`` and ``second``: triples of each node, relation and
    direction, one and two steps away; ``nodes``: neighbours that are gone on from; ``members``: things of a class that
    the sentence names."""

    first: int
    nodes: int
    second: int
    members: int


ON_DISK = Reach(300, 600, 30, 100)
DISTANT = Reach(40, 100, 4, 20)


def view_of(store: KGStore) -> KGStore:
    """The store itself where it is in memory or large, else its copy in memory, made at the first call."""
    if not isinstance(store, RdfStore):
        return store
    with _lock:
        if store not in _copies:
            _copies[store] = _copied(store)
        return _copies[store] or store


def reader_for(store: KGStore, sentence: str, given: Sequence[str] | None = None, *, weights: Path = WEIGHTS) -> Reader:
    """What reads a sentence over a graph. ``given``: ids of nodes that it is about, () for those that it names, None
    for what was given for the same sentence before. ``weights``: the ranker's file."""
    view = view_of(store)
    if not isinstance(view, RdfStore):
        return reader_of(view, weights)
    with _lock:
        kept = _parts.setdefault(view, OrderedDict())
        if (sentence, weights) in kept and given in (None, kept[sentence, weights][0]):
            return kept[sentence, weights][1]
    reader = Reader(_part(view, sentence, given or ()), weights)
    with _lock:
        kept[sentence, weights] = (given or (), reader)
        while len(kept) > _KEPT:
            kept.popitem(last=False)
    return reader


def near_of(store: KGStore, sentence: str, *, weights: Path = WEIGHTS) -> KGStore:
    """Where the runners-up of a sentence are executed: the store itself where it is in memory, else the part."""
    return reader_for(store, sentence, weights=weights).store if isinstance(store, RdfStore) else store


_lock = threading.RLock()
_copies: WeakKeyDictionary[RdfStore, NetworkxStore | None] = WeakKeyDictionary()
_parts: WeakKeyDictionary[RdfStore, OrderedDict[tuple[str, Path], tuple[Sequence[str], Reader]]] = WeakKeyDictionary()


def _copied(store: RdfStore) -> NetworkxStore | None:
    """The whole graph in memory, None where it is large."""
    statements = store.statements(WHOLE)
    if not statements:
        return None
    rank = {relation: number for number, relation in enumerate(LABELS)}
    gathered = Collector(Path(store.name), skip=True)
    for head, relation, tail in sorted(
        statements, key=lambda s: (s.head, rank.get(s.relation, -1), s.relation, s.tail)
    ):
        parts = literal_parts(tail)
        text, language = (parts.value, parts.language) if parts else (tail, "")
        gathered.add(head, relation, tail, text=text, language=language)
    return gathered.store(store.name, roles=store.roles) if gathered.triples else None


def _part(store: RdfStore, sentence: str, given: Sequence[str]) -> NetworkxStore:
    """The triples within two steps of what a sentence names, with names and classes."""
    reach = DISTANT if isinstance(store, DistantStore) else ON_DISK
    seeds = list(given) or [c.id for m in link_entities(store, sentence) for c in m.candidates[:3]][:8]
    seeds += [e for c in _classes(store, sentence) for e in store.instances(c)[: reach.members]]
    found = dict.fromkeys(store.edges(seeds, reach.first))
    beyond = [n for n in _nodes(found) if not literal_parts(n) and not n.startswith("_:")]
    frontier = [n for n in beyond if n not in set(seeds)][: reach.nodes]
    found |= dict.fromkeys(store.edges(frontier, reach.second, hubs=False))
    nodes = list(dict.fromkeys([*seeds, *_nodes(found)]))
    store.prefetch(nodes)
    labels = {n: label for n in nodes if (label := store.own_label(n)) is not None}
    types = {n: tuple(store.types(n)) for n in nodes}
    labels |= {c: store.label(c) for c in {c for cs in types.values() for c in cs}}
    return NetworkxStore(
        found,
        labels=labels,
        types={n: classes for n, classes in types.items() if classes},
        aliases={n: names for n in nodes if (names := store.aliases(n))},
        relation_labels={t.relation: store.relation_label(t.relation) for t in found},
        name=store.name,
        type_relations=store.roles.types,
        alias_relations=store.roles.aliases,
        row_classes=store.roles.row_classes,
    )


def _nodes(triples: Iterable[Triple]) -> list[str]:
    return list(dict.fromkeys(n for t in triples for n in (t.head, t.tail)))


def _classes(store: RdfStore, sentence: str) -> list[str]:
    """The classes whose names are in a sentence, of one or two words."""
    words = [w.text for w in words_in(sentence)]
    texts = [*words, *(f"{a} {b}" for a, b in pairwise(words))]
    return list(dict.fromkeys(c for text in texts if (c := store.find_type(text)) is not None))
