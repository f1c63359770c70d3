"""Generation, stage 2: the things at which paths from two or three named things meet, and what lies one step on; and
what is reached from either of some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Bases
from triplewise.tools.query_graph.candidates.drafts import (
    Draft,
    End,
    Row,
    answer_mover,
    dropped_by,
    move_answer,
    walk_rows,
    without,
)
from triplewise.tools.query_graph.candidates.paths import Path, extend, missing_steps, paths_from
from triplewise.tools.query_graph.candidates.rows import from_row, shared_rows
from triplewise.tools.query_graph.joined.names import joined_names
from triplewise.tools.query_graph.schema_view import Step

_OF_CLASS = 20
"""Paths from a mentioned class that are gone on from."""
_CROSSED = 12
"""Sets of things whose rows in other sheets are looked at."""


@dataclass(frozen=True, slots=True)
class Source:
    """A named thing, value or class that paths start from, with those of its paths that may meet another's."""

    links: tuple[int, ...]
    values: tuple[int, ...]
    kind: str
    """The class where it is one, else ""."""
    paths: list[Path]
    weight: float


class Meetings(Bases):
    """Readings of several named things, values or classes."""

    def either(self) -> list[Draft]:
        """What one way leads to from any of the things that a sentence joins by "or": the novels by Ada or Jun. So it
        is where "and" joins them, nothing lies at the end of that way from all of them, and either end has no more than
        one of the other: of a novel's author, not of a recipe's ingredients. And which of these lies at
        the end of a way from another name: "was it written by Ada or Jun?"."""
        found: list[Draft] = []
        compared = cues.AMOUNTS.search(self.s.text)  # "which has more guests, the Attic or the Cellar?"
        for joined, any_of in joined_names(self.s) if not compared else ():
            places = self.alike(joined)
            if len(places) < 2 or (self.negative and not any_of):
                continue
            found += self._which_of([place[0] for place in places]) if any_of else ()
            for first in places[0]:
                for path in self.paths[first]:
                    if path.hops <= 2 and _is_plain(path):
                        same = [self.same_way(place, path) for place in places]
                        made = self._from_any(path, [one for one in same if one], any_of=any_of) if all(same) else None
                        found += [made] if made else []
        for draft in sorted(found, key=lambda d: -d.prior)[: self.limits.meets // 2]:
            for source in self.met:
                if not self.late() and self.free(draft, source):
                    found += self.join(draft, source)
        return found

    def alike(self, places: list[list[int]]) -> list[list[int]]:
        """The last of some joined names that are of one kind: "who wrote Red Ledger, Ada or Jun?"."""
        kinds = [self.schema.kinds(self.s.links[place[0]].node) for place in places]
        unlike = [n for n, own in enumerate(kinds) if own and kinds[-1] and not set(own) & set(kinds[-1])]
        return places[max(unlike, default=-1) + 1 :]

    def _which_of(self, choices: Sequence[int]) -> list[Draft]:
        nodes = tuple(sorted(self.s.links[i].node for i in choices))
        found = []
        for i, link in enumerate(self.s.links):
            if any(link.overlaps(self.s.links[k]) for k in choices):
                continue
            for path in self.paths[i]:
                if path.hops <= 2 and (answers := path.ends.intersection(nodes)) and _is_plain(path):
                    rows, route = walk_rows(path.start, path.steps, 0, 1)
                    links = (i, *choices)
                    draft = Draft(
                        rows, answers, path.steps, (route,), links, filters=((0, "in", nodes),), hops=path.hops,
                        prior=self.prior(path.steps, links),
                    )  # fmt: skip
                    found += [made] if (made := self.emit(draft)) else []
        return found

    def same_way(self, place: Iterable[int], path: Path) -> tuple[int, Path] | None:
        """A link at a place of the sentence from which the steps of a path lead on too, and its path."""
        ways = ((i, p) for i in place for p in self.paths[i])
        return next(((i, p) for i, p in ways if p.steps == path.steps and _is_plain(p)), None)

    def _from_any(self, path: Path, ways: Sequence[tuple[int, Path]], *, any_of: bool) -> Draft | None:
        ends = [way.ends for _, way in ways]
        links, nodes = tuple(i for i, _ in ways), tuple(sorted(way.start for _, way in ways))
        answers = frozenset().union(*ends) - self.schema.mediators
        if not answers - set(nodes):
            return None
        one_each = self.schema.functional
        alone = all(map(one_each, path.steps)) or all(one_each(step.back) for step in path.steps)
        if not any_of and (frozenset.intersection(*ends) or not alone):
            return None
        start = 1 + len(path.steps)
        rows, route = walk_rows(start, path.steps, 0, 1)
        return self.emit(
            Draft(
                rows, answers, path.steps, (route,), links, filters=((start, "in", nodes),), hops=path.hops,
                prior=self.prior(path.steps, links),
            )
        )  # fmt: skip

    def meetings(self) -> list[Draft]:
        self.met = sources = self.sources()
        """What paths begin at that may meet."""
        found: list[Draft] = []
        pairs = sorted(
            ((a, b) for i, a in enumerate(sources) for b in sources[i + 1 :] if self.apart(a, b)),
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
                if not self.late() and self.free(draft, source):
                    found += self.join(draft, source)
        return found

    def sources(self) -> list[Source]:
        """What paths may meet: linked things, values, mentioned classes, and yes or no of a near relation."""
        found = []
        for i, link in enumerate(self.s.links):
            found.append(Source((i,), (), "", self.near(self.paths[i]), link.score * link.weight))
        found += [
            Source((), (self.s.value_nodes[j][0],), "", self.near(paths), 5.0) for j, paths in self.value_paths.items()
        ]
        for kind in list(self.s.classes)[:4]:
            members = self.schema.set_of(kind)
            paths = paths_from(
                self.schema, kind, max_hops=2, affinity=self.affinity, width=12, members=members,
                by_chance=self.numbers.by_chance,
            )  # fmt: skip
            near = self.near(paths)
            self.class_paths[kind] = near[:_OF_CLASS]
            for path in near[:_OF_CLASS]:
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
        answers = path.ends - self.schema.mediators
        if answers and not path.mediator:
            rows, route = self.walk(path, 0, 1)
            prior = self.prior(path.steps, ()) - 0.1
            unsaid = dropped_by(path, 0, 1) + without(0, path.ends - answers)
            if made := self.emit(
                Draft(
                    rows,
                    answers,
                    path.steps,
                    (route,),
                    classes=(kind,),
                    unsaid=unsaid,
                    hops=path.hops,
                    prior=prior,
                )
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

    def near(self, paths: Iterable[Path]) -> list[Path]:
        """The short ones of these paths that are nearest to the sentence."""
        near = [p for p in paths if p.hops <= 2 and not p.missing and len(p.steps) <= 4]
        return sorted(near, key=lambda p: -p.score / len(p.steps) + 0.05 * p.hops)[: 2 * self.limits.meets]

    def apart(self, a: Source, b: Source) -> bool:
        """Whether two sources are of different words of the sentence."""
        if a.links and b.links:
            return not self.s.links[a.links[0]].overlaps(self.s.links[b.links[0]])
        if a.kind or b.kind:
            return bool(a.links or b.links or a.values or b.values)
        return a.values != b.values or not a.values

    def free(self, draft: Draft, source: Source) -> bool:
        """Whether a draft does not use a source's words yet."""
        used = [self.s.links[i] for i in draft.links]
        if source.kind in draft.classes:
            return False
        return not any(self.s.links[i].overlaps(u) for i in source.links for u in used) and not set(
            source.values
        ) & set(draft.values)

    def meet(self, a: Source, b: Source) -> list[Draft]:
        """Readings in which a path of each source ends at the same things, and steps on from there. A path from all
        things of a class must tell some of the other's ends from the rest: else it adds words and no condition."""
        links, values = (a.links, a.values) if a is b else (a.links + b.links, a.values + b.values)
        kinds = tuple(k for k in (a.kind, b.kind) if k)
        named = {p.start for p in (*a.paths[:1], *b.paths[:1])}
        found = []
        for p in a.paths:
            for q in b.paths:
                if a is b and (p.steps >= q.steps or p.steps[:1] == q.steps[:1]):
                    continue
                most = 4 if p.steps == q.steps else 3  # "who lets flats both in Northfield and in Lower Wick"
                if p.hops + q.hops > most:  # 0 where both end at a nameless node: whose role is treasurer
                    continue
                if self.numbers.by_chance(p.steps[-1], q.steps[-1]):
                    continue
                rows = shared_rows(self.schema, p, q)
                if rows and not (a.links and b.links):
                    continue  # a row with a value is gone on from
                ends = self.schema.follow(rows, p.steps[-1]) if rows else p.ends & q.ends
                both = ends - named
                if not both or (b.kind and both == p.ends - named) or (a.kind and both == q.ends - named):
                    continue
                if p.start in q.ends and q.start in p.ends and p.steps == tuple(s.back for s in reversed(q.steps)):
                    continue
                found.append((p, q, both, bool(rows)))
        found.sort(key=lambda m: -(m[0].score + m[1].score) / (len(m[0].steps) + len(m[1].steps)))
        drafts = []
        for p, q, both, one_row in found[: 3 * self.limits.meets]:
            rows, first = self.walk(p, 0, 1)
            more, second = self.walk(q, 0, 2 + len(p.steps))
            if one_row:
                more, second = from_row(first[-3], more, second)
            draft = Draft(
                rows + more, both, p.steps + q.steps, (first, second), links, values, kinds, hops=max(p.hops, q.hops),
                unsaid=dropped_by(p, 0, 1) + dropped_by(q, 0, 2 + len(p.steps)) + without(0, p.ends & q.ends & named),
                prior=self.prior(p.steps + q.steps, links, values),
            )  # fmt: skip
            if both <= self.schema.mediators:
                self.met_rows.append(draft)
            elif made := self.emit(draft):
                drafts.append(made)
            if len(drafts) < self.limits.meets or self.schema.nameless(both):
                drafts += self.onwards(draft)
        return drafts

    def onwards(self, draft: Draft, *, width: int = 12, again: int = 3) -> list[Draft]:
        """One step on from a draft's answers: where paths meet, or the best by an order, is in the middle.

        Of these the ``again`` nearest to the sentence are gone on from once more.
        """
        probe = self.schema.first(draft.answers)[:40]
        steps = {s for node in probe for s in self.schema.steps(node) if s.relation not in self.schema.left_out}
        missing = set(missing_steps(self.schema, probe[:20], steps, self.affinity)) if again else set()
        named = {self.s.links[i].node for i in draft.links}
        arriving = _arriving(draft)
        move = answer_mover(draft)
        found = []
        for step in sorted(steps | missing, key=lambda s: (-self.affinity(s), s))[:width]:
            if step.back in draft.steps or any(self.numbers.by_chance(came, step.back) for came in arriving):
                continue
            beyond = self.schema.follow(draft.answers, step)
            reached = beyond - draft.answers - named
            answers = reached - self.schema.mediators
            if not reached and step not in missing:
                continue
            moved = move(
                step, answers=reached, steps=(*draft.steps, step), hops=draft.hops + 1,
                extra=draft.extra if reached else ("missing",),
                prior=self.prior((*draft.steps, step), draft.links, draft.values) - 0.3 * (not reached),
            )  # fmt: skip
            if len(beyond) > len(reached):
                moved = moved.but(unsaid=moved.unsaid + without(0, beyond - reached))
            if answers == reached and (made := self.emit(moved)):
                found.append(made)
            elif answers != reached:
                found += self.onwards(moved, width=width, again=0)
        if again:
            for made in sorted(found, key=lambda d: -d.prior)[:again]:
                if made.answers and len(made.answers) <= 40:
                    found += self.onwards(made, width=8, again=0)
        return found

    def across_sheets(self, drafts: list[Draft]) -> None:
        """What the rows of another sheet tell of things of a class that is said, over the column that the two share:
        who has hired a boat that Wendy has repaired."""
        found = [d for d in drafts if d.links and d.answers and not d.minus]
        for draft in sorted(found, key=lambda d: -d.prior)[:_CROSSED]:
            few = self.schema.first(draft.answers)
            if not all(any(kind in self.s.classes for kind in self.schema.store.types(node)) for node in few):
                continue
            told = {step.relation for step in draft.steps}
            crossed = {k for node in few for k in self.schema.store.types(node) if k in self.s.classes}
            for step in sorted({s for node in few for s in self.schema.steps(node)}):
                for sheet in self.sheets(step):
                    rows = self.schema.follow(draft.answers, step) & sheet.rows
                    own = {s for row in self.schema.first(rows) for s in self.schema.steps(row) if not s.inverse}
                    own = {s for s in own if s != step.back and self.schema.heads(s.relation) <= sheet.rows}
                    if told.isdisjoint(s.relation for s in own):
                        over = crossed | ({sheet.kind} & self.s.classes.keys())
                        whole = draft.but(classes=tuple(sorted(over.union(draft.classes))))
                        self._ends_of_rows(whole, step, rows, sorted(own, key=lambda s: (-self.affinity(s), s))[:4])

    def _ends_of_rows(self, draft: Draft, step: Step, rows: frozenset[str], steps: list[Step]) -> None:
        for last in steps:
            answers = self.schema.follow(rows, last)
            if answers and not answers & self.schema.mediators:
                ways = (*draft.steps, step, last)
                moved = move_answer(move_answer(draft, step), last)
                self.emit(
                    moved.but(answers=answers, steps=ways, hops=draft.hops + 2, prior=self.prior(ways, draft.links))
                )

    def join(self, draft: Draft, source: Source) -> list[Draft]:
        """A third thing's path that ends at a draft's answers."""
        out = []
        for path in source.paths[: self.limits.meets]:
            both = draft.answers & path.ends
            if not both or path.hops > 2 or (source.kind and both == draft.answers):
                continue
            if any(self.numbers.by_chance(path.steps[-1], came) for came in _arriving(draft)):
                continue
            rows, route = self.walk(path, 0, draft.next_variable)
            joined = draft.but(
                rows=draft.rows + rows, unsaid=draft.unsaid + dropped_by(path, 0, draft.next_variable), answers=both,
                steps=draft.steps + path.steps, routes=(*draft.routes, route),
                links=draft.links + source.links, values=draft.values + source.values,
                prior=self.prior(draft.steps + path.steps, draft.links + source.links, draft.values + source.values),
            )  # fmt: skip
            if made := self.emit(joined):
                out.append(made)
        return out


def _is_plain(path: Path) -> bool:
    """Whether a path's steps tell all of it."""
    return not (path.missing or path.dropped or path.apart)


def _arriving(draft: Draft) -> list[Step]:
    """The steps by which a draft's patterns come to its answers."""
    return [route[-2] for route in draft.routes if len(route) > 2 and route[-1] == 0 and isinstance(route[-2], Step)]
