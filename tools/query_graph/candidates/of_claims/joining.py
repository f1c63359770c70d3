"""Two or three single claims at once: "Key Tower in Port Hale has 45 floors and was completed in 1985"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from triplewise.kg.query.execute import execute
from triplewise.tools.query_graph.candidates.drafts import Condition, Draft, End
from triplewise.tools.query_graph.candidates.generate import Run
from triplewise.tools.query_graph.schema_view import Step

_LIKELIEST = 24
"""Single claims that are paired with each other, and pairs to which a third is added."""
_TOLD = 8
"""Single claims beside them that the graph holds, and pairs of such."""


class Joiner:
    """Joins the single claims of one sentence."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def joined(self, atoms: list[Draft]) -> Iterator[Draft]:
        """Two single claims at once, and three about the same things."""
        likely = sorted(atoms, key=lambda d: -d.prior)
        told = (d for d in likely[_LIKELIEST:] if self.is_told(d))
        best = [*likely[:_LIKELIEST], *islice(told, _TOLD)]
        held = {n for n, d in enumerate(best) if n >= _LIKELIEST or self.is_told(d)}
        pairs: list[tuple[Draft, frozenset[int]]] = []
        for n, a in enumerate(best):
            for m, b in enumerate(best[n + 1 :], n + 1):
                if self.adds(a, b) and self.adds(b, a) and not self.says_twice(a, b):
                    pairs.append((self.both(a, b), frozenset((n, m))))
        yield from (pair for pair, _ in pairs)
        seen: set[frozenset[int]] = set()
        pairs.sort(key=lambda p: -p[0].prior)
        told_pairs = [p for p in pairs[_LIKELIEST:] if p[1] <= held][:_TOLD]
        for pair, parts in pairs[:_LIKELIEST] + told_pairs:
            for k, c in enumerate(best):
                three = parts | {k}
                if three in seen or not self.adds(pair, c) or set(pair.links).isdisjoint(c.links):
                    continue
                seen.add(three)
                if all(self.adds(c, best[i]) for i in parts) and not self.says_twice(pair, c):
                    yield self.both(pair, c)

    def is_told(self, draft: Draft) -> bool:
        """Whether the graph holds a claim that a draft makes in one triple."""
        return (
            len(draft.rows) == 1 and bool(draft.answers) and bool(execute(self.run.schema.store, draft.query()).holds)
        )

    def adds(self, to: Draft, draft: Draft) -> bool:
        """Whether a draft uses what the sentence names and another does not."""
        return bool(set(draft.links) - set(to.links) or set(draft.values) - set(to.values))

    def says_twice(self, a: Draft, b: Draft) -> bool:
        """Whether the same words would mean one thing in one claim and another in the other, or two values are said to
        be what a thing has one of."""
        told = [(h, r, t) for h, r, t in a.rows if isinstance(h, str)]
        values: dict[tuple[End, str], str | int | tuple[str, ...]] = {
            (h, r): right for h, r, t in told for v, op, right in a.filters if v == t and op == "="
        }
        for h, r, t in b.rows if values else ():
            said = {right for v, op, right in b.filters if v == t and op == "="}
            if said - {values.get((h, r))} and (h, r) in values and self.run.schema.functional(Step(r)):
                return True
        links = self.run.s.links
        return any(i != j and links[i].overlaps(links[j]) for i in a.links for j in b.links)

    def both(self, a: Draft, b: Draft) -> Draft:
        """The claim that both drafts make."""
        moved = shifted(b, a.next_variable)
        links, values = dict.fromkeys(a.links + b.links), dict.fromkeys(a.values + b.values)
        return a.but(
            rows=a.rows + moved.rows, steps=a.steps + b.steps, routes=a.routes + moved.routes,
            links=tuple(links), values=tuple(values), filters=a.filters + moved.filters,
            unsaid=a.unsaid + moved.unsaid, hops=max(a.hops, b.hops),
            prior=self.run.prior(a.steps + b.steps, tuple({*a.links, *b.links}), tuple({*a.values, *b.values})),
        )  # fmt: skip


def shifted(draft: Draft, by: int) -> Draft:
    """A draft whose variables have numbers higher by ``by``."""

    def moved(end: End | Step) -> End | Step:
        return end + by if isinstance(end, int) else end

    def conditions(found: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple((v + by, op, right + by if isinstance(right, int) else right) for v, op, right in found)

    return draft.but(
        rows=tuple((moved(h), r, moved(t)) for h, r, t in draft.rows),
        routes=tuple(tuple(moved(e) for e in route) for route in draft.routes),
        filters=conditions(draft.filters),
        unsaid=conditions(draft.unsaid),
    )
