"""Candidate generation: the graph lists what can be asked of it about the things that the sentence names.

Staged as in STAGG (Yih et al. 2015): paths from each linked thing, places where paths of two or three meet, classes as
starting points; then counts, superlatives, comparisons, filters on values and differences over the best of these. Each
stage keeps the best by a cheap score, so that the number of candidates and the time are bounded.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.kg.values import Kind, comparable, compare, parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.drafts import Draft, End, Row, row_of
from triplewise.tools.query_graph.mentions import Link, NameIndex, link_classes
from triplewise.tools.query_graph.paths import Path, extend, follow, missing_steps, paths_from
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.query_graph.value_mentions import ValueMention, find_values

ORDERED: tuple[Kind, ...] = ("number", "year", "date", "time")
"""Kinds of values that can be ordered."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of generation: how many paths, meetings and bases are gone on from, and of candidates and time."""

    hops: int = 3
    width: int = 60
    """Paths of one length from one thing that are gone on from."""
    meets: int = 40
    """Paths of a thing that are held against another's, and meeting places that are gone on from."""
    bases: int = 24
    """Sets of things that are counted, ordered, filtered and subtracted from."""
    candidates: int = 6_000
    milliseconds: float = 3_000.0
    """A fail-safe: after this no further stage is begun. The other limits bound the work the same way every time."""


@dataclass
class Sentence:
    """What was found in a sentence before candidates are made."""

    text: str
    links: list[Link]
    values: list[ValueMention]
    classes: dict[str, tuple[int, int]]
    value_nodes: list[tuple[int, str]] = field(default_factory=list)
    """(value mention, node) for each literal that a value mention is."""


@dataclass(frozen=True, slots=True)
class Source:
    """A named thing, value or class that paths start from, with those of its paths that may meet another's."""

    links: tuple[int, ...]
    values: tuple[int, ...]
    kind: str
    """The class where it is one, else ""."""
    paths: list[Path]
    weight: float


class Generator:
    """Candidate readings over one graph; its indexes are built once."""

    def __init__(self, schema: SchemaView, limits: Limits | None = None) -> None:
        self.schema = schema
        self.store = schema.store
        self.limits = limits or Limits()
        self.names = NameIndex(schema)
        self._value_nodes: dict[tuple[str, tuple[float, ...]], list[str]] = defaultdict(list)
        for node in self.store.nodes():
            value = parse_value(self.store.label(node))
            if value.kind not in ("text", "yes-no"):
                self._value_nodes[value.kind, value.key].append(node)
        self._heads: dict[str, frozenset[str]] = {}

    # what the sentence holds --------------------------------------------------------------------------

    def read(self, sentence: str, given: Sequence[str] = ()) -> Sentence:
        """Links, values and classes of a sentence; ``given``: node ids that the caller says it is about."""
        links = self.names.link(sentence)
        if given:
            links = [Link(e, self.store.label(e), -1 - i, -1 - i, 1.0, 20.0) for i, e in enumerate(given)]
        values = find_values(sentence)
        found = Sentence(sentence, links, values, link_classes(self.schema, sentence))
        for i, mention in enumerate(values):
            for text in mention.texts:
                value = parse_value(text)
                kinds = (value.kind, "number") if value.kind == "year" else (value.kind, "year")
                for kind in kinds:
                    for node in self._value_nodes.get((kind, value.key), ()):
                        found.value_nodes.append((i, node))
        return found

    # generation -----------------------------------------------------------------------------------------

    def generate(self, sentence: Sentence, affinity: Callable[[Step], float]) -> list[Draft]:
        """All candidates, duplicates left out; ``affinity`` is how near a step's words are to the sentence's."""
        return Run(self, sentence, affinity).drafts()

    def heads(self, relation: str) -> frozenset[str]:
        """All heads of a relation."""
        found = self._heads.get(relation)
        if found is None:
            found = self._heads[relation] = frozenset(t.head for t in self.store.triples(relation=relation))
        return found


class Run:
    def __init__(self, generator: Generator, sentence: Sentence, affinity: Callable[[Step], float]) -> None:
        self.g, self.s, self.schema, self.limits = generator, sentence, generator.schema, generator.limits
        self.affinity = cache(affinity)
        self.began = time.perf_counter()
        self.out: list[Draft] = []
        self.seen: set[object] = set()
        self.refined: list[Draft] = []
        self.inner: list[Draft] = []
        text = sentence.text
        self.counting = bool(cues.COUNT.search(text))
        self.superlative = bool(cues.MOST.search(text))
        self.negative = bool(cues.NOT.search(text))
        self.comparing = bool(cues.COMPARE.search(text))

    def late(self) -> bool:
        """Whether the time or the number of candidates is used up."""
        spent = (time.perf_counter() - self.began) * 1000
        return spent > self.limits.milliseconds or len(self.out) >= self.limits.candidates

    def emit(self, draft: Draft) -> Draft | None:
        """Keep a draft that is new; None for one that is there, or that would answer with nameless nodes."""
        if draft.answers and self.schema.is_mediator(next(iter(draft.answers))):
            return None
        key = (
            frozenset(draft.rows), draft.form, draft.filters, frozenset(draft.minus), draft.order, draft.compare,
        )  # fmt: skip
        if key in self.seen:
            return None
        self.seen.add(key)
        self.out.append(draft)
        return draft

    def drafts(self) -> list[Draft]:
        singles = self.single_paths()
        meets = self.meetings()
        classes = self.class_bases()
        plain = sorted([*singles, *meets], key=lambda d: -d.prior)
        typed = [t for d in plain[: 3 * self.limits.bases] for t in self.typed(d)]
        bases = sorted([*plain, *typed], key=lambda d: -d.prior)[: self.limits.bases]
        self.inner = sorted(self.inner, key=lambda d: -d.prior)[:6]
        for stage in (self.yes_no, self.having, self.filtered, self.ordered, self.subtracted, self.compared):
            if not self.late():
                stage(bases, classes)
        for draft in self.best_refined(16):
            if not self.late():
                self.onwards(draft, width=10, again=0)
        self.counted()
        return self.out

    def best_refined(self, most: int) -> list[Draft]:
        """The likeliest sets that a filter or a difference has made."""
        return sorted(self.refined, key=lambda d: -d.prior)[:most]

    # stage 1: paths ---------------------------------------------------------------------------------------

    def single_paths(self) -> list[Draft]:
        self.paths: dict[int, list[Path]] = {}
        self.value_paths: dict[int, list[Path]] = {}
        found = []
        for i, link in enumerate(self.s.links):
            self.paths[i] = paths_from(
                self.schema,
                link.node,
                max_hops=self.limits.hops,
                affinity=self.affinity,
                width=self.limits.width if i < 5 else 12,
            )
            found += [d for p in self.paths[i] if (d := self.path_draft(p, links=(i,)))]
            self.inner += [self.inner_draft(p, (i,)) for p in self.paths[i] if p.mediator and len(p.ends) > 1]
        for j, (i, node) in enumerate(self.s.value_nodes):
            self.value_paths[j] = paths_from(self.schema, node, max_hops=2, affinity=self.affinity, width=20)
            found += [d for p in self.value_paths[j] if (d := self.path_draft(p, values=(i,)))]
        return found

    def inner_draft(self, path: Path, links: tuple[int, ...]) -> Draft:
        """Nameless nodes at a path's end: no answers, but what filters and orders may choose among before a step on."""
        rows, route = walk_rows(path.start, path.steps, 0, 1)
        return Draft(rows, path.ends, path.steps, (route,), links, hops=path.hops, prior=self.prior(path.steps, links))

    def path_draft(self, path: Path, links: tuple[int, ...] = (), values: tuple[int, ...] = ()) -> Draft | None:
        if path.mediator:
            return None
        answers = frozenset(n for n in path.ends if not self.schema.is_mediator(n))
        if not answers and not path.missing:
            return None
        rows, route = walk_rows(path.start, path.steps, 0, 1)
        marks = ("missing",) if path.missing else ()
        differs: list[tuple[int, str, str | int | tuple[str, ...]]] = []
        for position in path.apart:  # the node before step i is variable i, and the start itself before step 0
            differs.append((0, "not in", position if position else (path.start,)))
        draft = Draft(
            rows, answers, path.steps, (route,), links, values, filters=tuple(differs), hops=path.hops, extra=marks,
            prior=self.prior(path.steps, links, values) - 0.3 * path.missing,
        )  # fmt: skip
        return self.emit(draft)

    def prior(self, steps: Sequence[Step], links: Sequence[int], values: Sequence[int] = ()) -> float:
        """The cheap score: how near the steps are to the sentence, and how much of what it names is used."""
        near = sum(self.affinity(s) for s in steps) / len(steps) if steps else 0.0
        used = sum(self.s.links[i].score * min(1.0, self.s.links[i].weight / 6) for i in links) + 0.7 * len(set(values))
        return near + 0.35 * used - 0.04 * len(steps)

    # stage 2: meetings --------------------------------------------------------------------------------------

    def meetings(self) -> list[Draft]:
        sources = self.sources()
        found: list[Draft] = []
        pairs = sorted(
            ((a, b) for i, a in enumerate(sources) for b in sources[i + 1 :] if self._apart(a, b)),
            key=lambda ab: -(ab[0].weight + ab[1].weight),
        )
        twice = [(a, a) for a in sources if a.links][:4]  # born there and still living there
        for a, b in [*pairs[:24], *twice]:
            if self.late():
                break
            found += self.meet(a, b)
        threes = sorted(found, key=lambda d: -d.prior)[: self.limits.meets // 2]
        for draft in threes:
            for source in sources:
                if not self.late() and self._free(draft, source):
                    found += self.join(draft, source)
        return found

    def sources(self) -> list[Source]:
        """What paths may meet: linked things, values, mentioned classes, and yes or no of a near relation."""
        found = []
        for i, link in enumerate(self.s.links):
            found.append(Source((i,), (), "", self._near(self.paths[i]), link.score * link.weight))
        found += [
            Source((), (self.s.value_nodes[j][0],), "", self._near(paths), 5.0) for j, paths in self.value_paths.items()
        ]
        for kind in list(self.s.classes)[:4]:
            members = frozenset(self.schema.members(kind))
            paths = paths_from(self.schema, kind, max_hops=2, affinity=self.affinity, width=12, members=members)
            near = self._near(paths)
            for path in near[:20]:
                self.class_path(kind, path)
            found.append(Source((), (), kind, near, 2.0))
        yes_no = [r for r in self.schema.relations if self.schema.value_kind(r) == "yes-no"]
        for relation in sorted(yes_no, key=lambda r: (-self.affinity(Step(r)), r))[:3]:
            for value in sorted({t.tail for t in self.schema.store.triples(relation=relation)})[:2]:
                heads = frozenset(self.schema.go(value, Step(relation, True)))
                first = Path(value, (Step(relation, True),), heads, 1, self.affinity(Step(relation, True)))
                paths = [first, *extend(self.schema, first, self.affinity, value)]
                found.append(Source((), (), "", [p for p in paths if not p.missing], 1.0))
        return found

    def class_path(self, kind: str, path: Path) -> None:
        """What is reached from the things of a mentioned class: what the visits to a sow cost."""
        answers = frozenset(n for n in path.ends if not self.schema.is_mediator(n))
        if answers and not path.mediator:
            rows, route = self.walk(path, 0, 1)
            prior = self.prior(path.steps, ()) - 0.1
            if made := self.emit(
                Draft(rows, answers, path.steps, (route,), classes=(kind,), hops=path.hops, prior=prior)
            ):
                for draft in self.typed(made):
                    self.emit(draft)

    def walk(self, path: Path, end: int, fresh: int) -> tuple[tuple[Row, ...], tuple[End | Step, ...]]:
        """The patterns of a path; one from a class begins with a variable of that class."""
        if path.start not in self.s.classes:
            return walk_rows(path.start, path.steps, end, fresh)
        first = fresh + len(path.steps)
        rows, route = walk_rows(first, path.steps, end, fresh)
        return ((first, TYPE, path.start), *rows), route

    def _near(self, paths: Iterable[Path]) -> list[Path]:
        near = [p for p in paths if p.hops <= 2 and not p.missing and len(p.steps) <= 4]
        return sorted(near, key=lambda p: -p.score / len(p.steps) + 0.05 * p.hops)[: 2 * self.limits.meets]

    def _apart(self, a: Source, b: Source) -> bool:
        if a.links and b.links:
            return not self.s.links[a.links[0]].overlaps(self.s.links[b.links[0]])
        if a.kind or b.kind:
            return bool(a.links or b.links or a.values or b.values)
        return a.values != b.values or not a.values

    def _free(self, draft: Draft, source: Source) -> bool:
        used = [self.s.links[i] for i in draft.links]
        if source.kind in draft.classes:
            return False
        return not any(self.s.links[i].overlaps(u) for i in source.links for u in used) and not set(
            source.values
        ) & set(draft.values)

    def meet(self, a: Source, b: Source) -> list[Draft]:
        """Readings in which a path of each source ends at the same things, and steps on from there."""
        links, values = (a.links, a.values) if a is b else (a.links + b.links, a.values + b.values)
        kinds = tuple(k for k in (a.kind, b.kind) if k)
        named = {p.start for p in (*a.paths[:1], *b.paths[:1])}
        found = []
        for p in a.paths:
            for q in b.paths:
                if a is b and (p.steps >= q.steps or p.steps[:1] == q.steps[:1]):
                    continue
                if p.hops + q.hops > 3 or (p.hops + q.hops == 0):
                    continue
                both = (p.ends & q.ends) - named
                if not both:
                    continue
                if p.start in q.ends and q.start in p.ends and p.steps == tuple(s.back for s in reversed(q.steps)):
                    continue
                found.append((p, q, both))
        found.sort(key=lambda m: -(m[0].score + m[1].score) / (len(m[0].steps) + len(m[1].steps)))
        drafts = []
        for p, q, both in found[: 3 * self.limits.meets]:
            rows, first = self.walk(p, 0, 1)
            more, second = self.walk(q, 0, 2 + len(p.steps))
            draft = Draft(
                rows + more, both, p.steps + q.steps, (first, second), links, values, kinds, hops=max(p.hops, q.hops),
                prior=self.prior(p.steps + q.steps, links, values),
            )  # fmt: skip
            if not all(self.schema.is_mediator(n) for n in both) and (made := self.emit(draft)):
                drafts.append(made)
            if len(drafts) < self.limits.meets or self.schema.is_mediator(next(iter(both))):
                drafts += self.onwards(draft)
        return drafts

    def onwards(self, draft: Draft, *, width: int = 12, again: int = 3) -> list[Draft]:
        """One step on from a draft's answers: where paths meet, or the best by an order, is in the middle.

        Of these the ``again`` nearest to the sentence are gone on from once more.
        """
        probe = sorted(draft.answers)[:40]
        steps = {s for node in probe for s in self.schema.steps(node) if s.relation not in self.schema.left_out}
        missing = set(missing_steps(self.schema, probe[:20], steps, self.affinity)) if again else set()
        named = {self.s.links[i].node for i in draft.links}
        found = []
        for step in sorted(steps | missing, key=lambda s: (-self.affinity(s), s))[:width]:
            if step.back in draft.steps:
                continue
            reached = follow(self.schema, draft.answers, step) - draft.answers - named
            answers = frozenset(n for n in reached if not self.schema.is_mediator(n))
            if not reached and step not in missing:
                continue
            moved = _move_answer(draft, step).but(
                answers=reached, steps=(*draft.steps, step), hops=draft.hops + 1,
                extra=("missing",) if not reached else (),
                prior=self.prior((*draft.steps, step), draft.links, draft.values) - 0.3 * (not reached),
            )  # fmt: skip
            if answers == reached and (made := self.emit(moved)):
                found.append(made)
            elif answers != reached:
                found += self.onwards(moved, width=width, again=0)
        if again:
            for made in sorted(found, key=lambda d: -d.prior)[:again]:
                if made.answers and len(made.answers) <= 40:
                    found += self.onwards(made, width=8, again=0)
        return found

    def join(self, draft: Draft, source: Source) -> list[Draft]:
        """A third thing's path that ends at a draft's answers."""
        out = []
        for path in source.paths[: self.limits.meets]:
            both = draft.answers & path.ends
            if not both or path.hops > 2:
                continue
            rows, route = self.walk(path, 0, draft.next_variable)
            joined = draft.but(
                rows=draft.rows + rows, answers=both, steps=draft.steps + path.steps, routes=(*draft.routes, route),
                links=draft.links + source.links, values=draft.values + source.values,
                prior=self.prior(draft.steps + path.steps, draft.links + source.links, draft.values + source.values),
            )  # fmt: skip
            if made := self.emit(joined):
                out.append(made)
        return out

    # stage 3: classes -----------------------------------------------------------------------------------------

    def class_bases(self) -> list[Draft]:
        """All things of a class, the mentioned classes first; without classes, all that have a relation."""
        mentioned = [c for c in self.schema.classes if c in self.s.classes]
        others = [c for c in self.schema.classes if c not in self.s.classes and len(self.schema.members(c)) > 1][:16]
        found = []
        for kind in [*mentioned, *others]:
            members = frozenset(self.schema.members(kind))
            said = kind in self.s.classes
            draft = Draft(
                ((0, TYPE, kind),),
                members,
                classes=(kind,) if said else (),
                kind=kind,
                hops=1,
                prior=0.5 if said else 0.1,
            )
            found.append(self.emit(draft) or draft if said else draft)
        found += self.relation_bases()
        if not self.schema.classes:
            for kind in self.schema.unnamed_kinds[:8]:
                members = frozenset(self.schema.members(kind))
                if len(members) > 1:
                    found.append(Draft((), members, kind=kind, hops=1, prior=0.2, extra=("unnamed kind",)))
        return found

    def relation_bases(self) -> list[Draft]:
        """All things that have a relation, and all that it leads to, for the relations nearest to the sentence."""
        found = []
        for relation in sorted(self.schema.relations, key=lambda r: (-self.affinity(Step(r)), r))[:16]:
            step = Step(relation)
            sides = [(self.g.heads(relation), step)]
            if self.schema.value_kind(relation) is None:
                sides.append((follow(self.schema, self.g.heads(relation), step), step.back))
            for members, way in sides:
                if len(members) > 1 and not all(self.schema.is_mediator(n) for n in members):
                    draft = Draft(
                        (row_of(0, way, 1),), members, (way,), ((1, way.back, 0),), prior=self.affinity(way) - 0.1
                    )
                    if made := self.emit(draft):
                        found.append(made)
                        found += self.typed(made)
        return found

    def typed(self, draft: Draft) -> list[Draft]:
        """A path's answers of one class only, where they are of several."""
        if draft.kind or not draft.answers:
            return []
        kinds: dict[str, set[str]] = defaultdict(set)
        for node in draft.answers:
            for kind in self.schema.store.types(node):
                kinds[kind].add(node)
        found = []
        for kind, members in sorted(kinds.items(), key=lambda kv: (kv[0] not in self.s.classes, -len(kv[1]), kv[0]))[
            :5
        ]:
            said = kind in self.s.classes
            if len(members) == len(draft.answers):
                continue
            made = self.emit(
                draft.but(
                    rows=(*draft.rows, (0, TYPE, kind)),
                    answers=frozenset(members),
                    kind=kind,
                    classes=(kind,) if said else (),
                    prior=draft.prior + (0.25 if said else -0.05),
                )  # fmt: skip
            )
            if made:
                found.append(made)
        return found

    # stage 4: filters ------------------------------------------------------------------------------------------

    def values_at(self, draft: Draft) -> Iterator[tuple[tuple[Step, ...], str]]:
        """The steps to an ordered value that things of a draft have, nearest to the sentence first."""
        probe = sorted(draft.answers)[:30]
        steps = {s for node in probe for s in self.schema.steps(node)}
        direct = [s for s in steps if not s.inverse and self.schema.value_kind(s.relation) in ORDERED]
        yield from (((s,), s.relation) for s in sorted(direct, key=lambda s: (-self.affinity(s), s)))
        around: list[tuple[float, Step, Step]] = []
        for step in steps:
            if step.relation in self.schema.left_out or self.schema.value_kind(step.relation):
                continue
            beyond = {
                s for node in probe[:8] for n in list(self.schema.go(node, step))[:3] for s in self.schema.steps(n)
            }
            around += [
                (self.affinity(step) + self.affinity(s), step, s)
                for s in beyond
                if not s.inverse and self.schema.value_kind(s.relation) in ORDERED
            ]
        around.sort(key=lambda a: (-a[0], a[1], a[2]))
        yield from (((a, b), b.relation) for _, a, b in around[:6])

    def with_value(self, draft: Draft, steps: tuple[Step, ...]) -> tuple[Draft, int, dict[str, set[str]]]:
        """A draft with a variable for a value of its answers; the variable, and answer → labels of the values."""
        variable = draft.next_variable or 1
        rows, at = list(draft.rows), 0
        for step in steps:
            rows.append(row_of(at, step, variable))
            at, variable = variable, variable + 1
        values: dict[str, set[str]] = {}
        for node in draft.answers:
            reached = frozenset((node,))
            for step in steps:
                reached = follow(self.schema, reached, step)
            if reached:
                values[node] = {self.store_label(n) for n in reached}
        return draft.but(rows=tuple(rows), steps=(*draft.steps, *steps)), at, values

    def store_label(self, node: str) -> str:
        return self.schema.label(node)

    def filtered(self, bases: list[Draft], classes: list[Draft]) -> None:
        if not self.s.values:
            return
        for draft in [*classes, *bases, *self.inner]:
            if self.late():
                return
            if draft.extra == ("missing",) or len(draft.answers) < 1:
                continue
            for steps, relation in list(self.values_at(draft))[:10]:
                kind = self.schema.value_kind(relation)
                valued, variable, values = self.with_value(draft, steps)
                for i, mention in enumerate(self.s.values):
                    if i in draft.values or not kind or not _fits(mention, kind):
                        continue
                    for conditions in self.conditions(mention, kind):
                        kept = frozenset(
                            n for n, vs in values.items() if any(all(_true(v, c) for c in conditions) for v in vs)
                        )
                        if kept and (len(kept) < len(draft.answers) or len(kept) == 1):
                            self.refine(
                                valued.but(
                                    answers=kept,
                                    filters=tuple((variable, op, value) for op, value in conditions),
                                    values=(*draft.values, i),
                                    prior=draft.prior + 0.3 + 0.4 * self.affinity(steps[-1]),
                                    hops=max(draft.hops, len(steps)),
                                )
                            )

    def refine(self, draft: Draft) -> None:
        """A filtered or reduced set, kept for later stages."""
        nameless = self.schema.is_mediator(next(iter(draft.answers)))
        if nameless or self.emit(draft):
            self.refined.append(draft)

    def conditions(self, mention: ValueMention, kind: Kind) -> Iterator[tuple[tuple[str, str], ...]]:
        """The filters that a value's mention may mean: what stands before it says which way."""
        around = (
            self.s.text[max(0, mention.start - 28) : mention.start] + " " + self.s.text[mention.end : mention.end + 14]
        )
        less, more, inclusive = (bool(p.search(around)) for p in (cues.LESS, cues.MORE, cues.INCLUSIVE))
        whole = self.s.text
        if not (less or more):
            less, more = bool(cues.LESS.search(whole)), bool(cues.MORE.search(whole))
        if not (less or more):  # a misspelt "befor"
            less = more = True
        low, high = mention.low, mention.high
        if low != high:
            yield (">=", low), ("<=", high)
        elif kind == "date" and mention.kind == "year":
            yield (("year", low),)
        if less:
            yield (("<=" if inclusive else "<", high if inclusive else low),)
            if inclusive:
                yield (("<", low),)
        if more:
            yield ((">=" if inclusive else ">", low if inclusive else high),)
            if inclusive:
                yield ((">", high),)
        for number, other in enumerate(self.s.values):  # between 2010 and 2015
            if other is not mention and other.kind == mention.kind and self.s.values.index(mention) < number:
                a, b = sorted((low, other.high), key=lambda v: parse_value(v).key)
                yield (">=", a), ("<=", b)

    def yes_no(self, bases: list[Draft], classes: list[Draft]) -> None:
        """Things that have yes, or no, as a value: nobody says "organic yes"."""
        for draft in [*classes, *bases[:16]]:
            relations = [
                s
                for s in {s for n in sorted(draft.answers)[:20] for s in self.schema.steps(n)}
                if not s.inverse and self.schema.value_kind(s.relation) == "yes-no"
            ]
            for step in sorted(relations):
                for value in sorted({v for n in list(draft.answers)[:60] for v in self.schema.go(n, step)}):
                    kept = frozenset(n for n in draft.answers if value in self.schema.go(n, step))
                    if kept and len(kept) < len(draft.answers):
                        route = (value, step.back, 0)
                        made = self.emit(
                            draft.but(
                                rows=(*draft.rows, row_of(0, step, value)),
                                answers=kept,
                                steps=(*draft.steps, step),
                                routes=(*draft.routes, route),
                                prior=draft.prior + 0.5 * self.affinity(step),
                            )  # fmt: skip
                        )
                        if made and (draft.classes or draft.links or self.affinity(step) > 0.3):
                            bases.append(made)

    # stage 5: orders -----------------------------------------------------------------------------------------------

    def ordered(self, bases: list[Draft], classes: list[Draft]) -> None:
        sets = [*classes, *[d for d in bases if len(d.answers) > 1], *self.best_refined(8), *self.inner]
        if not self.superlative:
            sets = [d for d in sets if d.classes or d.links][:4]
        for draft in sets:
            if self.late():
                return
            for steps, _relation in list(self.values_at(draft))[:12]:
                valued, variable, values = self.with_value(draft, steps)
                for descending in (True, False):
                    kept = _extreme(values, descending)
                    if kept:
                        best = valued.but(
                            answers=kept, order=(variable, descending, False),
                            prior=draft.prior + 0.2 + 0.5 * self.affinity(steps[-1]), hops=max(draft.hops, len(steps)),
                        )  # fmt: skip
                        nameless = self.schema.is_mediator(next(iter(kept)))
                        if (self.emit(best) or nameless) and len(steps) == 1:
                            self.onwards(best, again=0)
            self.most(draft)

    def most(self, draft: Draft) -> None:
        """Things with the most or the fewest of something."""
        probe = sorted(draft.answers)[:30]
        steps = {s for node in probe for s in self.schema.steps(node)} - {None}
        steps = {s for s in steps if s.relation not in self.schema.left_out and not self.schema.functional(s)}
        for step in sorted(steps, key=lambda s: (-self.affinity(s), s))[:8]:
            reached = {n: set(self.schema.go(n, step)) for n in draft.answers}
            kinds = [
                None,
                *(
                    c
                    for c in self.s.classes
                    if any(c in self.schema.store.types(t) for ts in reached.values() for t in ts)
                ),
            ]
            for kind in kinds:
                counts = {
                    n: (float(sum(kind is None or kind in self.schema.store.types(t) for t in ts)),)
                    for n, ts in reached.items()
                }
                counts = {n: c for n, c in counts.items() if c[0]}
                for descending in (True, False):
                    if not counts:
                        continue
                    top = (max if descending else min)(counts.values())
                    kept = frozenset(n for n, c in counts.items() if c == top)
                    variable = draft.next_variable or 1
                    rows = (*draft.rows, row_of(0, step, variable))
                    if kind:
                        rows = (*rows, (variable, TYPE, kind))
                    self.emit(
                        draft.but(
                            rows=rows,
                            answers=kept,
                            order=(variable, descending, True),
                            steps=(*draft.steps, step),
                            classes=tuple({*draft.classes, *((kind,) if kind else ())}),
                            prior=draft.prior + 0.1 + 0.5 * self.affinity(step),
                        )  # fmt: skip
                    )

    # stage 6: differences and comparisons ------------------------------------------------------------------------------

    def subtracted(self, bases: list[Draft], classes: list[Draft]) -> None:
        sets = [*classes, *bases, *self.inner]
        if not self.negative:
            sets = [d for d in sets if d.classes or d.links][:6]
        for draft in sets:
            if self.late():
                return
            if len(draft.answers) < 2:
                continue
            probe = sorted(draft.answers)[:60]
            steps = {s for node in probe for s in self.schema.steps(node)}
            for step in sorted(steps, key=lambda s: (-self.affinity(s), s)):
                having = frozenset(n for n in draft.answers if self.schema.go(n, step))
                variable = draft.next_variable or 1
                self.minus(draft, having, (row_of(0, step, variable),), (step,), (variable, step.back, 0), (), ())
            for i in range(len(self.s.links)):
                if any(i != j and self.s.links[i].overlaps(self.s.links[j]) for j in draft.links):
                    continue
                for path in self._near(self.paths[i])[:24]:
                    rows, route = walk_rows(path.start, path.steps, 0, draft.next_variable or 1)
                    self.minus(draft, path.ends, rows, path.steps, route, (i,), ())
            for j, (i, _) in enumerate(self.s.value_nodes):
                for path in self.value_paths[j][:12]:
                    if i not in draft.values:
                        rows, route = walk_rows(path.start, path.steps, 0, draft.next_variable or 1)
                        self.minus(draft, path.ends, rows, path.steps, route, (), (i,))

    def minus(
        self,
        draft: Draft,
        having: frozenset[str],
        rows: tuple[Row, ...],
        steps: tuple[Step, ...],
        route: tuple[End | Step, ...],
        links: tuple[int, ...],
        values: tuple[int, ...],
    ) -> None:
        rest = draft.answers - having
        if not draft.rows or not rest or len(rest) == len(draft.answers):
            return
        near = sum(self.affinity(s) for s in steps) / len(steps)
        used = sum(self.s.links[i].score for i in links)
        self.refine(
            draft.but(
                answers=rest,
                minus=rows,
                minus_route=route,
                steps=(*draft.steps, *steps),
                links=draft.links + links,
                values=draft.values + values,
                prior=draft.prior + 0.4 * near + 0.3 * used,
            )  # fmt: skip
        )

    def having(self, bases: list[Draft], classes: list[Draft]) -> None:
        """Things that have a relation at all: the series that have ended, the planes that are leased."""
        for draft in [*[c for c in classes if c.classes], *bases]:
            if len(draft.answers) < 2 or self.late():
                continue
            steps = {s for node in sorted(draft.answers)[:40] for s in self.schema.steps(node)} - set(draft.steps)
            for step in sorted(steps, key=lambda s: (-self.affinity(s), s))[:6]:
                kept = frozenset(n for n in draft.answers if self.schema.go(n, step))
                if kept and len(kept) < len(draft.answers) and step.relation not in self.schema.left_out:
                    variable = draft.next_variable or 1
                    self.refine(
                        draft.but(
                            rows=(*draft.rows, row_of(0, step, variable)),
                            answers=kept,
                            steps=(*draft.steps, step),
                            routes=(*draft.routes, (variable, step.back, 0)),
                            prior=draft.prior + 0.3 * self.affinity(step) - 0.05,
                        )  # fmt: skip
                    )

    def compared(self, bases: list[Draft], classes: list[Draft]) -> None:
        links = self.s.links if self.comparing else self.s.links[:2]
        for i in range(len(links)):
            for j in range(i + 1, len(links)):
                if not links[i].overlaps(links[j]) and links[i].node != links[j].node:
                    self.two(i, j)
        for draft in classes if self.comparing else ():
            if draft.kind and not self.late():
                self.two_values(draft)
        for i, link in enumerate(links):
            if self.late():
                return
            kinds = set(self.schema.kinds(link.node))
            own = [c for c in classes if c.kind in kinds or c.kind in self.s.classes]
            sets = [*own, *[b for b in bases if i not in b.links and len(b.answers) > 1][:12]]
            for step in self.schema.steps(link.node):
                if step.inverse or self.schema.value_kind(step.relation) not in ORDERED:
                    continue
                limits = [self.store_label(v) for v in self.schema.go(link.node, step)]
                for draft in sets:
                    valued, variable, values = self.with_value(draft, (step,))
                    for op in ("<", ">"):
                        kept = frozenset(
                            n for n, vs in values.items()
                            if n != link.node and any(compare(v, op, limit) for v in vs for limit in limits)
                        )  # fmt: skip
                        if kept:
                            other = variable + 1
                            self.emit(
                                valued.but(
                                    rows=(*valued.rows, row_of(link.node, step, other)),
                                    answers=kept,
                                    filters=((variable, op, other),),
                                    links=(*draft.links, i),
                                    prior=draft.prior + 0.2 + 0.4 * self.affinity(step),
                                )  # fmt: skip
                            )

    def two_values(self, draft: Draft) -> None:
        """Things of which one value is more than another: away goals than home goals."""
        probe = sorted(draft.answers)[:10]
        steps = sorted(
            {
                s
                for n in probe
                for s in self.schema.steps(n)
                if not s.inverse and self.schema.value_kind(s.relation) in ORDERED
            }
        )
        for a in steps:
            for b in steps:
                if a != b and self.schema.value_kind(a.relation) == self.schema.value_kind(b.relation):
                    one, first, left = self.with_value(draft, (a,))
                    both, second, right = self.with_value(one, (b,))
                    kept = frozenset(
                        n for n, vs in left.items() if any(compare(v, ">", w) for v in vs for w in right.get(n, ()))
                    )
                    if kept and len(kept) < len(draft.answers):
                        near = 0.2 * (self.affinity(a) + self.affinity(b))
                        self.emit(both.but(answers=kept, filters=((first, ">", second),), prior=draft.prior + near))

    def two(self, i: int, j: int) -> None:
        """Which of two named things has more of something."""
        a, b = self.s.links[i].node, self.s.links[j].node
        shared = set(self.schema.steps(a)) & set(self.schema.steps(b))
        for step in sorted(shared):
            ordered = not step.inverse and self.schema.value_kind(step.relation) in ORDERED
            if not ordered and self.schema.functional(step):
                continue
            base = Draft((row_of(0, step, 1),), frozenset((a, b)), (step,), links=(i, j), hops=1)
            reached = {n: set(self.schema.go(n, step)) for n in (a, b)}
            if ordered:
                values = {n: {self.store_label(v) for v in vs} for n, vs in reached.items()}
            else:
                values = {n: {str(len(vs))} for n, vs in reached.items()}
            for descending in (True, False):
                if kept := _extreme(values, descending):
                    self.emit(
                        base.but(
                            answers=kept,
                            filters=((0, "in", (a, b)),),
                            order=(1, descending, not ordered),
                            prior=self.prior((step,), (i, j)) + 0.2 * ordered,
                        )  # fmt: skip
                    )

    # stage 7: counts ---------------------------------------------------------------------------------------------------

    def counted(self) -> None:
        plain = list(self.out) if self.counting else sorted(self.out, key=lambda d: -d.prior)[:40]
        for draft in plain:
            if draft.form == "select" and draft.order is None and draft.answers and draft.rows:
                values = all(self.schema.value_kind(s.relation) in ORDERED and not s.inverse for s in draft.steps[-1:])
                if not (values and draft.steps) or draft.filters:
                    self.emit(draft.but(form="count", prior=draft.prior + 0.3))


def walk_rows(
    start: End, steps: Sequence[Step], end: int, fresh: int
) -> tuple[tuple[Row, ...], tuple[End | Step, ...]]:
    """The patterns of a path whose last node is the variable ``end``; the ones between get numbers from ``fresh``."""
    rows: list[Row] = []
    route: list[End | Step] = [start]
    at: End = start
    for number, step in enumerate(steps):
        following = end if number == len(steps) - 1 else fresh + number
        rows.append(row_of(at, step, following))
        route += [step, following]
        at = following
    return tuple(rows), tuple(route)


def _move_answer(draft: Draft, step: Step) -> Draft:
    """A draft whose answer is one step on: what was variable 0 becomes a fresh one."""
    fresh = draft.next_variable

    def renamed(end: End | Step) -> End | Step:
        return fresh if end == 0 and isinstance(end, int) else end

    def row(r: Row) -> Row:
        return renamed(r[0]), r[1], renamed(r[2])  # pyright: ignore[reportReturnType]

    routes = tuple(tuple(renamed(e) for e in route) for route in draft.routes)
    return draft.but(
        rows=(*(row(r) for r in draft.rows), row_of(fresh, step, 0)),
        routes=(*routes, (fresh, step, 0)),
        filters=tuple((fresh if v == 0 else v, op, right) for v, op, right in draft.filters),
        order=draft.order and (fresh if draft.order[0] == 0 else draft.order[0], *draft.order[1:]),
        kind="",
    )


def _fits(mention: ValueMention, kind: Kind) -> bool:
    value = parse_value(mention.low)
    if kind in ("year", "date"):
        return value.kind in ("year", "date")
    return value.kind == kind or (kind == "number" and value.kind == "year")


def _true(value: str, condition: tuple[str, str]) -> bool:
    op, right = condition
    if op == "year":
        parsed = parse_value(value)
        return parsed.kind in ("date", "year") and parsed.key[:1] == parse_value(right).key[:1]
    return compare(value, op, right)


def _extreme(values: dict[str, set[str]], descending: bool) -> frozenset[str]:
    """The things whose greatest (or least) value is the greatest (or least) of all."""
    keys: dict[str, tuple[float, ...]] = {}
    for node, labels in values.items():
        found = [v for label in labels if (v := parse_value(label)).key]
        if found and all(comparable(found[0], v) for v in found):
            keys[node] = (max if descending else min)(v.key for v in found)
    if len(keys) < 2:
        return frozenset()
    top = (max if descending else min)(keys.values())
    return frozenset(n for n, key in keys.items() if key == top)
