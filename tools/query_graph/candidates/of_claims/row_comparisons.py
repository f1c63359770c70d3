"""Claims that hold a value in one row of a table against the value in another: what Ann scored in a race and what Ben
did, the fee for the bike and the fee for the boat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Draft, move_answer, row_of
from triplewise.tools.query_graph.candidates.generate import Run
from triplewise.tools.query_graph.candidates.of_claims.joining import shifted
from triplewise.tools.query_graph.candidates.refinements import ORDERED
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import Step

_ATOMS = 24
"""Readings of nameless rows that are gone on from."""


def compared_at_rows(run: Run) -> Iterator[Draft]:
    """The value of one thing in what ties it and another is more, or less, than a third thing's there: Ann's points
    in a race than Ben's."""
    rows = sorted(run.met_rows, key=lambda d: -d.prior)[:_ATOMS] if cues.COMPARATIVE.search(run.s.text) else []
    for a, b in permutations(rows, 2):
        both, alike = (
            set(a.links) & set(b.links),
            sorted(r for _, r, _ in a.rows) == sorted(r for _, r, _ in b.rows),
        )
        if len(both) != 1 or len(a.links) != 2 or len(b.links) != 2 or not alike or a.values or b.values:
            continue
        [one], [other] = (set(d.links) - both for d in (a, b))
        if run.s.links[one].first >= run.s.links[other].first or run.s.links[one].overlaps(run.s.links[other]):
            continue
        for steps, relation in run.values_at(a):
            if steps[1:] or run.schema.value_kind(relation) not in ORDERED:
                continue
            first, second = (move_answer(d, steps[0]) for d in (a, b))
            by, links = first.next_variable, (one, other, *both)
            second = shifted(second, by)
            for op in _operators(run, steps[0]):
                yield first.but(
                    rows=first.rows + second.rows, answers=frozenset(), steps=(*a.steps, *b.steps, *steps),
                    routes=first.routes + second.routes, links=links, form="ask",
                    filters=(*first.filters, *second.filters, (0, op, by)), unsaid=first.unsaid + second.unsaid,
                    prior=run.prior((*a.steps, *steps), links),
                )  # fmt: skip


def compared_by_rows(run: Run) -> Iterator[Draft]:
    """What the one row of a thing tells, by a relation that the claim says, is more, or less, than what another's does:
    "the fee for the bike was higher than the one for the boat", of a table of hires."""
    if not cues.COMPARATIVE.search(run.s.text):
        return
    words, schema = folded_words(run.s.text), run.schema
    for i, j in permutations(range(len(run.s.links)), 2):
        a, b = run.s.links[i], run.s.links[j]
        if a.first >= b.first or a.overlaps(b) or a.is_value or b.is_value:
            continue
        for step in sorted(set(schema.steps(a.node)) & set(schema.steps(b.node))):
            rows = [schema.go(node, step) for node in (a.node, b.node)] if step.inverse else []
            if not rows or max(map(len, rows)) > 1:
                continue
            told = set(schema.steps(rows[0][0])) & set(schema.steps(rows[1][0]))
            for value in sorted(s for s in told if not s.inverse and schema.value_kind(s.relation) in ORDERED):
                if not says_relation(schema, words, value.relation):
                    continue
                for op in _operators(run, value):
                    yield Draft(
                        (row_of(a.node, step, 1), row_of(1, value, 0), row_of(b.node, step, 3), row_of(3, value, 2)),
                        frozenset(), (step, value), ((a.node, step, 1, value, 0), (b.node, step, 3, value, 2)), (i, j),
                        form="ask", filters=((0, op, 2),), prior=run.prior((step, value), (i, j)),
                    )  # fmt: skip


def _operators(run: Run, step: Step) -> tuple[str, ...]:
    """How the words compare what a step leads to; both ways where they do not tell, none where they speak of amounts
    and it leads to days: who has more is not who came later."""
    told = run.told_direction(step)
    if not told and run.dated(step) and cues.AMOUNTS.search(run.s.text):
        return ()
    return (told,) if told else ("<", ">")
