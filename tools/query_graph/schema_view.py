"""What can be asked of a graph, read off it once: kinds of things, the steps that each kind has, and kinds of values.

Where the graph tells classes, these are the kinds. Where it does not, the ends of its relations are grouped: two ends
that mostly hold the same things (the heads of "child of" and of "lives in") are one kind without a name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from heapq import nsmallest
from itertools import islice
from typing import NamedTuple

from triplewise.kg.base import KGStore
from triplewise.kg.names import literal_parts
from triplewise.kg.query.graph import alternatives, either_words
from triplewise.kg.values import Kind, is_duration, parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.kinds import KindSteps, unnamed_kinds
from triplewise.tools.query_graph.nameless import has_label, has_opaque_iri, is_machine_id, is_statement
from triplewise.tools.query_graph.value_kinds import kind_of_values
from triplewise.tools.text.abbreviations import in_full

_SHARE = 0.005
"""Share of a kind that must have a step for it to be a step of the kind."""
_USUAL = 0.1
"""The same for the others to be said to lack it: of the training corpus' questions that the graph cannot answer, the
rarest such step is one that a tenth of the kind has, and one in fifty is rarer than a quarter."""
_SMALL, _FEW_STEPS = 30, 40
"""Things of a kind up to which one that has a step is enough, if the kind has no more steps than so many: to whom a
musician is not married can be asked where one of seventeen is."""
_KEPT = 500_000
"""Entries of each cache: the steps of a small graph are looked up once."""
PROBE = 60
"""Of a set, the nodes that are asked for their steps, at most."""
_MANY = 1_000
"""Nodes from which on the first ones are sought without sorting all."""
_READ_WHOLE = 100_000
"""Triples of a relation up to which what it leads to is read from all nodes at once."""
_SHEETS = 1_000
"""Relations of which it is kept which classes have them."""
_AT_ONCE = 200
"""Nodes that are gone on from before the number of those reached is looked at."""


class Step(NamedTuple):
    """One step along a relation: from its head to its tail, or ``inverse`` from its tail to its head."""

    relation: str
    inverse: bool = False

    @property
    def back(self) -> Step:
        """The same relation the other way."""
        return Step(self.relation, not self.inverse)


class _Reached(dict[str, tuple[str, ...]]):
    """Node → the nodes that one step leads to from it, read when it is asked for."""

    def __init__(self, schema: SchemaView, step: Step) -> None:
        super().__init__()
        self._schema, self._step = schema, step

    def __missing__(self, node: str) -> tuple[str, ...]:
        found = self[node] = self._schema.read(node, self._step)
        return found


class SchemaView:
    """Kinds of things, their steps, and what relations lead to; built in one pass over the triples."""

    def __init__(self, store: KGStore) -> None:
        self.store = store
        self.roles = store.roles
        self.left_out = store.roles.types | store.roles.aliases
        """Relations that tell classes and other names, which no path crosses."""
        self._steps: dict[str, tuple[Step, ...]] = {}
        self._reached: dict[Step, _Reached] = {}
        self._kept = 0
        self._starts: dict[Step, frozenset[str]] = {}
        self._firsts: dict[frozenset[str], tuple[str, ...]] = {}
        self._held = 0
        self.is_mediator = lru_cache(maxsize=_KEPT)(self._is_mediator)
        self.label = lru_cache(maxsize=_KEPT)(store.label)
        self.sheets = lru_cache(maxsize=_SHEETS)(self._sheets)
        self.measure = lru_cache(maxsize=_SHEETS)(self._measure)
        self.set_of = lru_cache(maxsize=_SHEETS)(self._set_of)
        self.words: Callable[[str], str] = cache(self._words)
        """A relation in words, abbreviated ones in full."""

    # nodes ------------------------------------------------------------------------------------------

    def steps(self, node: str) -> tuple[Step, ...]:
        """The steps that a node has, forward ones first, by relation id."""
        found = self._steps.get(node)
        if found is None:
            directed = self.store.relations(node) if self.store.has_entity(node) else ()
            found = tuple(Step(*d) for d in sorted(directed, key=lambda d: (d.inverse, d.relation)))
            self._steps[node] = found
        return found

    def go(self, node: str, step: Step) -> tuple[str, ...]:
        """The nodes that a step leads to from a node."""
        return self._table(step)[node]

    def each(self, nodes: frozenset[str], step: Step) -> dict[str, tuple[str, ...]]:
        """What a step leads to from each of these nodes that has it."""
        table = self._table(step)
        return {n: table[n] for n in nodes & self.starts(step)}

    def follow(self, nodes: frozenset[str], step: Step, most: int | None = None) -> frozenset[str]:
        """The nodes one step away from any of these; from ``most`` on, no further ones are looked for."""
        having, table = nodes & self.starts(step), self._table(step)
        if len(having) == 1:
            return frozenset(table[next(iter(having))])
        if most is None or len(having) <= _AT_ONCE:
            return frozenset().union(*map(table.__getitem__, having))
        reached, line = set[str](), list(having)
        for at in range(0, len(line), _AT_ONCE):
            reached.update(*map(table.__getitem__, line[at : at + _AT_ONCE]))
            if len(reached) > most:
                break
        return frozenset(reached)

    def _table(self, step: Step) -> _Reached:
        """What a step leads to, by node; all tables are begun anew when they have grown too large."""
        if self._kept > _KEPT:
            self._reached.clear()
            self._kept = 0
        found = self._reached.get(step)
        if found is None:
            found = self._reached[step] = _Reached(self, step)
        return found

    def read(self, node: str, step: Step) -> tuple[str, ...]:
        """The nodes that a step leads to from a node, as the store has them."""
        self._kept += 1
        first, *others = alternatives(step.relation, self.store.relation_ids)
        if others:
            found = (Step(r, step.inverse) for r in (first, *others))
            return tuple(dict.fromkeys(end for each in found for end in self.read(node, each)))
        if step.inverse:
            return tuple(t.head for t in self.store.triples(None, first, node))
        return tuple(t.tail for t in self.store.triples(node, first))

    @cached_property
    def mediators(self) -> frozenset[str]:
        """All nameless nodes."""
        return frozenset(n for n in self.store.nodes() if self._is_mediator(n))

    def nameless(self, nodes: frozenset[str]) -> bool:
        """Whether some nodes, of one kind, are without a name: whether the first of them is."""
        return bool(self.mediators) and self.is_mediator(min(nodes))

    def first(self, nodes: frozenset[str]) -> tuple[str, ...]:
        """The first ``PROBE`` of some nodes, by id."""
        found = self._firsts.get(nodes)
        if found is None:
            self._held += len(nodes)  # a cache holds the sets themselves
            if self._held > _KEPT:
                self._firsts.clear()
                self._held = len(nodes)
            few = sorted(nodes)[:PROBE] if len(nodes) < _MANY else nsmallest(PROBE, nodes)
            found = self._firsts[nodes] = tuple(few)
        return found

    def _sheets(self, relation: str) -> tuple[tuple[str, frozenset[str], tuple[Step, ...]], ...]:
        """What has a relation, by its class, with the other relations of each, where things of several classes have it;
        () where one class has it."""
        rows = self.heads(relation)
        of: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for kind in self.store.types(row):
                of[kind].add(row)
        if any(members == rows for members in of.values()):  # weddings and parties are events, of one sheet
            return ()
        found = []
        for kind, members in sorted(of.items()):
            own = {s for row in self.first(frozenset(members))[:10] for s in self.steps(row)}
            own = {s for s in own if not s.inverse and s.relation != relation and s.relation not in self.left_out}
            if own:
                found.append((kind, frozenset(members), tuple(sorted(own))))
        return tuple(found)

    def _is_mediator(self, node: str) -> bool:
        """A nameless node that only ties others together: a blank node, a statement, Freebase's m.0abc."""
        if node.startswith("_:"):
            return True
        if literal_parts(node):
            return False
        return is_statement(self.store, node) or is_machine_id(self.store, node) or self._only_ties(node)

    def _only_ties(self, node: str) -> bool:
        """Whether a node has an id and no name, as all of its kind, and ties things that have names: ``ex:f06``, a
        first ascent. One that has a text of its own is called by that."""
        if not has_opaque_iri(self.store, node) or self.store.aliases(node):
            return False
        if any(has_label(self.store, n) for kind in self.kinds(node) for n in self.members(kind)[:PROBE]):
            return False
        steps = [s for s in self.steps(node) if s.relation not in self.roles.types]
        ends = {n: s for s in steps for n in self.go(node, s) if n != node}
        texts = (s for n, s in ends.items() if literal_parts(n) and parse_value(self.store.label(n)).kind == "text")
        if any(self.functional(step.back) for step in texts):
            return False
        return len(ends) > 1 and any(has_label(self.store, n) for n in ends)

    def kinds(self, node: str) -> tuple[str, ...]:
        """The kinds of a node: its classes, else the unnamed kind that it belongs to; () for a value."""
        if classes := tuple(self.store.types(node)):
            return classes
        kind = self._unnamed.get(node)
        return (kind,) if kind else ()

    def kind_steps(self, kinds: Iterable[str]) -> frozenset[Step]:
        """The steps that things of these kinds have, those of fewer than ``_SHARE`` of a kind left out."""
        return self._steps_of(kinds, _SHARE)

    def usual_steps(self, kinds: Iterable[str]) -> frozenset[Step]:
        """The steps that many things of these kinds have, so that one without them may be said to lack them."""
        found: set[Step] = set()
        for kind in kinds:
            size = len(self.members(kind))
            told = 0 < size <= _SMALL and len(self._kind_steps.of(kind, 0)) <= _FEW_STEPS
            found |= self._kind_steps.of(kind, min(_USUAL, 1 / size) if told else _USUAL)
        return frozenset(found)

    def _steps_of(self, kinds: Iterable[str], share: float) -> frozenset[Step]:
        found: set[Step] = set()
        for kind in kinds:
            found |= self._kind_steps.of(kind, share)
        return frozenset(found)

    def members(self, kind: str) -> Sequence[str]:
        """The things of a kind."""
        return self.store.instances(kind) or self._members.get(kind, ())

    def _set_of(self, kind: str) -> frozenset[str]:
        """The things of a kind, for set operations."""
        return frozenset(self.members(kind))

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The named kinds, the largest first."""
        found = {c for e in self.store.entities() for c in self.store.types(e)}
        return tuple(sorted(found, key=lambda c: (-len(self.store.instances(c)), c)))

    # relations --------------------------------------------------------------------------------------

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """All relations but those that tell classes and other names."""
        return tuple(r for r in self.store.relation_ids() if r not in self.left_out)

    def value_kind(self, relation: str) -> Kind | None:
        """What the tails of a relation are: numbers, years, dates, times, yes or no, texts; None for things."""
        return self._value_kinds.get(relation)

    @cached_property
    def tells_yes_or_no(self) -> bool:
        """Whether any relation has yes and no for values."""
        return "yes-no" in self._value_kinds.values()

    @cached_property
    def _value_kinds(self) -> dict[str, Kind]:
        found: dict[str, Kind] = {}
        for relation in self.relations:
            if kind := kind_of_values(self.store, relation, self.words(relation), self._is_thing):
                found[relation] = kind
        return found

    def _is_thing(self, node: str) -> bool:
        return bool(self.store.types(node)) or any(not s.inverse for s in self.steps(node))

    def heads(self, relation: str) -> frozenset[str]:
        """All heads of a relation."""
        return self.starts(Step(relation))

    def starts(self, step: Step) -> frozenset[str]:
        """All nodes that have a step."""
        found = self._starts.get(step)
        if found is None:
            pairs = (
                (t.tail, t.head) if step.inverse else (t.head, t.tail)
                for r in alternatives(step.relation, self.store.relation_ids)
                for t in self.store.triples(relation=r)
            )
            ends: dict[str, list[str]] = defaultdict(list)
            for start, end in islice(pairs, _READ_WHOLE):
                ends[start].append(end)
            more = frozenset(start for start, _ in pairs)
            found = self._starts[step] = more.union(ends)
            if not more:
                self._table(step).update((node, tuple(reached)) for node, reached in ends.items())
                self._kept += len(ends)
        return found

    def functional(self, step: Step) -> bool:
        """Whether the step leads to at most one node from each."""
        return step in self._functional

    @cached_property
    def _functional(self) -> frozenset[Step]:
        found: set[Step] = set()
        for relation in self.store.relation_ids():
            heads, tails, size = set(), set(), 0
            for triple in self.store.triples(relation=relation):
                heads.add(triple.head)
                tails.add(triple.tail)
                size += 1
            if size == len(heads):
                found.add(Step(relation))
            if size == len(tails):
                found.add(Step(relation, True))
        return frozenset(found)

    def _words(self, relation: str) -> str:
        parts = alternatives(relation, self.store.relation_ids)
        return either_words([in_full(self.store.relation_label(r)) for r in parts])

    def _measure(self, relation: str) -> str:
        """What a relation's numbers measure, in words: a price where their unit is one of money, whatever it is called
        ("pint £4.20"), and a time where some can be no time of day ("marathon 3h 12m")."""
        words = self.words(relation)
        if self.value_kind(relation) == "time":
            told = map(self.label, self.first(self.starts(Step(relation, inverse=True))))
            return f"{words} time" if any(map(is_duration, told)) else words
        if self.value_kind(relation) != "number" or cues.is_money(words):
            return words
        first = next(iter(self.first(self.starts(Step(relation, inverse=True)))), None)
        is_sum = first is not None and parse_value(self.label(first)).unit.lower() in cues.CURRENCIES
        return f"{words} price" if is_sum else words

    # kinds without a name ---------------------------------------------------------------------------

    @cached_property
    def _unnamed(self) -> dict[str, str]:
        """Node without a class → its unnamed kind."""
        ends: dict[Step, set[str]] = defaultdict(set)
        for relation in self.relations:
            values = self.value_kind(relation) is not None
            for triple in self.store.triples(relation=relation):
                if not self.store.types(triple.head):
                    ends[Step(relation)].add(triple.head)
                if not values and not self.store.types(triple.tail):
                    ends[Step(relation, True)].add(triple.tail)
        return unnamed_kinds(ends, self.store.label)

    @cached_property
    def _members(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for node, kind in self._unnamed.items():
            found[kind].append(node)
        return {k: tuple(sorted(v)) for k, v in found.items()}

    @cached_property
    def unnamed_kinds(self) -> tuple[str, ...]:
        """The kinds without a name, the largest first."""
        return tuple(sorted(self._members, key=lambda k: (-len(self._members[k]), k)))

    def kindred(self, kind: str) -> frozenset[str]:
        """The classes of which the graph tells mostly the same, and the kind itself: cottages beside villas."""
        return self._kind_steps.kindred(kind)

    @cached_property
    def _kind_steps(self) -> KindSteps[Step]:
        found: dict[str, Counter[Step]] = defaultdict(Counter)
        sizes: Counter[str] = Counter()
        for entity in self.store.entities():
            for kind in self.kinds(entity):
                found[kind].update(s for s in self.steps(entity) if s.relation not in self.left_out)
                sizes[kind] += 1
        return KindSteps(found, sizes, self.classes)

    @cached_property
    def rdf_types(self) -> bool:
        """Whether classes come from rdf:type statements, which are no triples of the graph."""
        return bool(self.classes) and not self.roles.types
