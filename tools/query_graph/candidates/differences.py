"""Generation, stage 4: sets without what others have: the menus without gluten, the cooks who made no dessert."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.drafts import (
    IN_MONTH,
    Draft,
    End,
    Row,
    alternatives,
    row_of,
    walk_rows,
    without,
)
from triplewise.tools.query_graph.candidates.meetings import Meetings
from triplewise.tools.query_graph.candidates.paths import Path
from triplewise.tools.query_graph.joined.names import denies, joined_names
from triplewise.tools.query_graph.schema_view import Step

_NEXT = 24
"""Sets one step from a named thing, beside the likeliest, from which others are taken away, and paths to what is."""
_FAR = 8
"""Paths to what is taken away where none of these excludes anything."""


class Differences(Meetings):
    """Differences of the likeliest sets, and of all things of a class."""

    def best_refined(self, most: int) -> list[Draft]:
        """The likeliest sets that a filter or a difference has made."""
        return sorted(self.refined, key=lambda d: -d.prior)[:most]

    def not_many(self, sets: Sequence[Draft]) -> list[Draft]:
        """Of these sets those that are tried though no word of the sentence asks for it, for they are not large."""
        return [d for d in sets if len(d.answers) <= self.limits.unasked]

    def refine(self, draft: Draft) -> None:
        """A filtered or reduced set, kept for later stages."""
        if self.schema.nameless(draft.answers) or self.emit(draft):
            self.refined.append(draft)

    def subtracted(self, bases: list[Draft], classes: list[Draft]) -> None:
        sets = [d for d in (*classes, *bases, *self.inner) if self.negative or not alternatives(d)]
        if self.negative:  # of two named things one may be taken away: what the other has by itself may be no base
            kept = {id(d) for d in bases}
            plain = [d for d in self.out if d.form == "select" and not (d.order or d.minus or d.filters)]
            near = [d for d in plain if d.hops == 1 and d.links and len(d.answers) > 1 and id(d) not in kept]
            sets += sorted(near, key=lambda d: -d.prior)[:_NEXT]
            sets += [d for d in self.best_refined(_FAR) if IN_MONTH in d.extra]
        else:
            sets = self.not_many([d for d in sets if d.classes or d.links])[:6]
        for draft in sets:
            if self.late():
                return
            if len(draft.answers) < 2 or self._are_unsaid_rows(draft):
                continue
            probe = self.schema.first(draft.answers)
            steps = {s for node in probe for s in self.schema.steps(node)}
            for step in sorted(steps, key=lambda s: (-self.affinity(s), s)):
                if not step.inverse and self.schema.value_kind(step.relation) == "yes-no":
                    continue  # who has "not paid" has a no there
                variable = draft.next_variable or 1
                if none := draft.answers & self.numbers.none(step):
                    self.counting_none(draft, none, step, variable)
                    continue
                having = draft.answers & self.schema.starts(step)
                self.minus(draft, having, (row_of(0, step, variable),), (step,), (variable, step.back, 0), (), ())
                for sheet in self.sheets(step) if draft.kind or draft.links else ():
                    told = self.schema.follow(sheet.rows, step.back)
                    rows = (row_of(0, step, variable), (variable, TYPE, sheet.kind))
                    route = (-1, sheet.near.back, variable, step.back, 0)
                    self.minus(draft, draft.answers & told, rows, (step, sheet.near), route, (), ())
            for i in range(len(self.s.links)):
                if any(i != j and self.s.links[i].overlaps(self.s.links[j]) for j in draft.links):
                    continue
                for path in self.near(self.paths[i])[:_NEXT]:
                    self.but_for(draft, i, path)
            for ways in self.denied:
                self.but_for_any(draft, ways)
            for step, nodes in self.denied_values:
                self.but_for_values(draft, step, nodes)
            if self.negative and draft.classes and not draft.steps:
                self.of_said_class(draft)
            for j, (i, _) in enumerate(self.s.value_nodes):
                for path in self.value_paths[j][:12]:
                    if i not in draft.values:
                        rows, route = walk_rows(path.start, path.steps, 0, draft.next_variable or 1)
                        self.minus(draft, path.ends, rows, path.steps, route, (), (i,), exact=not path.dropped)

    def _are_unsaid_rows(self, draft: Draft) -> bool:
        """Whether a set is of rows and the sentence says no class: of "any bike that we never repaired?" no job is the
        answer, but "which copies have not come back?" is answered by loans."""
        return draft.kind in self.schema.roles.row_classes and not self.s.classes

    def but_for(self, draft: Draft, link: int, path: Path, *, of_none: bool = False) -> None:
        """A set without what a path from a named thing leads to; what shares something with itself is among that."""
        rows, route = walk_rows(path.start, path.steps, 0, draft.next_variable or 1)
        itself = {n for after, nodes in path.dropped if after == len(path.steps) for n in nodes}
        exact = all(after == len(path.steps) for after, _ in path.dropped)
        having = path.ends | itself
        self.minus(draft, having, rows, path.steps, route, (link,), (), exact=exact, of_none=of_none)

    @cached_property
    def denied(self) -> list[list[tuple[int, Path]]]:
        """Paths of the same steps from each name that a denial joins ("not by Ada or Jun", "neither nuts nor milk"),
        with their links."""
        found = []
        for joined, any_of in joined_names(self.s) if self.negative else ():
            places = self.alike(joined)
            if not any_of or len(places) < 2 or not (self.able or denies(self.s, places)):
                continue
            for path in (p for first in places[0] for p in self.near(self.paths[first])[:_NEXT]):
                ways = [way for place in places if (way := self.same_way(place, path))]
                if len(ways) == len(places):
                    found.append(ways)
        return found

    def but_for_any(self, draft: Draft, ways: list[tuple[int, Path]]) -> None:
        """A set without what the same steps lead to from any of some names."""
        links, steps = tuple(i for i, _ in ways), ways[0][1].steps
        if any(self.s.links[i].overlaps(self.s.links[j]) for i in links for j in draft.links):
            return
        start = draft.next_variable or 1
        rows, route = walk_rows(start, steps, 0, start + 1)
        having = frozenset().union(*(way.ends for _, way in ways))
        one_of = (start, "in", tuple(sorted(way.start for _, way in ways)))
        self.minus(draft.but(filters=(*draft.filters, one_of)), having, rows, steps, route, links, ())

    @cached_property
    def denied_values(self) -> list[tuple[Step, tuple[str, ...]]]:
        """The nearest relations from values that a denial joins ("not published in 2019 or 2021"), with these."""
        found = []
        for values in (v for v in self.s.joined if v.denied):
            for relation in (r for r in self.schema.relations if values.suits(self.schema.value_kind(r))):
                step = Step(relation, True)
                nodes = sorted(n for n in self.schema.starts(step) if values.holds(self.schema.label(n)))
                found += [(step, tuple(nodes))] if nodes else []
        return sorted(found, key=lambda way: -self.affinity(way[0]))[:_FAR]

    def but_for_values(self, draft: Draft, step: Step, nodes: tuple[str, ...]) -> None:
        """A set without what has any of some values."""
        start = draft.next_variable or 1
        rows, route = walk_rows(start, (step,), 0, start + 1)
        having = frozenset().union(*(self.schema.go(node, step) for node in nodes))
        one_of = (start, "in", nodes)
        self.minus(draft.but(filters=(*draft.filters, one_of)), having, rows, (step,), route, (), ())

    def of_said_class(self, draft: Draft) -> None:
        """All things of a mentioned class but those that other things or classes exclude, for a denial."""
        for i, paths in self.paths.items():
            near = [p for p in paths if p.hops <= 2]
            if any(i != j and self.s.links[i].overlaps(self.s.links[j]) for j in draft.links):
                continue
            if not any(p.ends & draft.answers for p in near):
                self.of_far(draft, i)
        for kind, paths in self.class_paths.items():
            if kind in draft.classes:
                continue
            for path in paths:
                rows, route = self.walk(path, 0, draft.next_variable or 1)
                self.minus(draft, path.ends, rows, path.steps, route, (), (), (kind,), exact=not path.dropped)

    def of_far(self, draft: Draft, link: int) -> None:
        """The things of a class without what longer paths from a named thing lead to: menus without gluten are those
        of which no dish has any ingredient that contains it. Where there is none, the starters without fish are all."""
        found = [p for p in self.paths[link] if not (p.missing or p.mediator)]
        found.sort(key=lambda p: -p.score / len(p.steps))
        excluding = [p for p in found if p.ends & draft.answers]
        idle = [p for p in found if draft.answers & self.schema.starts(p.steps[-1].back)]
        for path in (excluding or idle)[:_FAR]:
            self.but_for(draft, link, path, of_none=not excluding)

    def counting_none(self, draft: Draft, none: frozenset[str], step: Step, variable: int) -> None:
        """Things of which a count is 0; for words they are those without any."""
        row = row_of(0, step, variable)
        if len(none) < len(draft.answers) and step not in draft.steps:
            self.refine(
                draft.but(
                    rows=(*draft.rows, row),
                    answers=none,
                    minus=(row,),
                    minus_route=(variable, step.back, 0),
                    minus_of=None,
                    unsaid=(*draft.unsaid, (variable, "=", "0")),
                    steps=(*draft.steps, step),
                    prior=draft.prior + 0.4 * self.affinity(step),
                )
            )

    def minus(
        self,
        draft: Draft,
        having: frozenset[str],
        rows: tuple[Row, ...],
        steps: tuple[Step, ...],
        route: tuple[End | Step, ...],
        links: tuple[int, ...],
        values: tuple[int, ...],
        classes: tuple[str, ...] = (),
        *,
        exact: bool = True,
        of_none: bool = False,
    ) -> None:
        """A set without what another has; ``exact``: whether these patterns say what that one has; ``of_none``: whether
        it may be that nothing is taken away."""
        rest = draft.answers - having
        if not draft.rows or not rest or (len(rest) == len(draft.answers) and not of_none):
            return
        near = sum(self.affinity(s) for s in steps) / len(steps)
        used = sum(self.s.links[i].score for i in links)
        self.refine(
            draft.but(
                answers=rest,
                minus=rows,
                minus_route=route,
                minus_of=0 if exact else None,
                unsaid=draft.unsaid if exact else draft.unsaid + without(0, draft.answers & having),
                steps=(*draft.steps, *steps),
                links=draft.links + links,
                values=draft.values + values,
                classes=draft.classes + classes,
                prior=draft.prior + 0.4 * near + 0.3 * used,
            )
        )
