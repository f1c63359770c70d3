"""Without classes, a relation's ends are told by what else those that have it have."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.pruning.fitting_ends import FittingEnds
from triplewise.tools.query_graph.schema_view import SchemaView, Step

DIVES = NetworkxStore(
    [
        t
        for n, boat, guide, diver in [
            (1, "Tern", "Ida", "Ann"), (2, "Tern", "Ida", "Bob"), (3, "Gull", "Jon", "Ann"), (4, "Gull", "Jon", "Cem")
        ]
        for t in [
            (f"Dive {n}", "guided by", guide), (f"Dive {n}", "went out on", boat), (f"Dive {n}", "had diver", diver),
            (f"Dive {n}", "dive date", f'"2024-05-0{n}"'), (f"Dive {n}", "entry", f"entry {n}"),
        ]
    ]
    + [(boat, "skippered by", who) for boat, who in (("Tern", "Ida"), ("Gull", "Jon"))]
    + [(boat, "seats", f'"{n}"') for boat, n in (("Tern", 6), ("Gull", 8))]
    + [(who, "speaks", "English") for who in ("Ida", "Jon", "Ann", "Bob", "Cem")]
    + [(x, "entry", f"entry {x}") for x in ("Tern", "Gull", "Ida", "Jon", "Ann", "Bob", "Cem")]
)  # fmt: skip
"""A log without classes, in which all things have an entry."""


@pytest.mark.parametrize(
    ("node", "step", "fits"),
    [
        ("Dive 1", Step("guided by"), True),
        ("Tern", Step("guided by"), False),
        ("Ann", Step("guided by"), False),
        ("Ann", Step("guided by", inverse=True), True),
        ("Dive 2", Step("guided by", inverse=True), False),
        ("Tern", Step("skippered by"), True),
        ("Tern", Step("seats"), True),
        ("entry 1", Step("guided by"), True),
    ],
)
def test_a_step_fits_what_has_the_others(node: str, step: Step, fits: bool) -> None:
    assert FittingEnds(SchemaView(DIVES)).fits(node, step) is fits


def test_a_claim_is_not_read_as_what_its_ends_cannot_have() -> None:
    generator = Generator(SchemaView(DIVES))
    drafts = ClaimRun(generator, generator.read("The Tern is steered by Ida."), lambda step: 0.3).drafts()
    rows = {draft.rows for draft in drafts}
    assert (("Tern", "skippered by", "Ida"),) in rows
    assert (("Tern", "guided by", "Ida"),) not in rows
    assert (("Ida", "guided by", "Tern"),) not in rows
