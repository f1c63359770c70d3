"""Which end of a relation a question asks for, where the graph names the other."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore
from triplewise.tools.text.converses import Role, asked_role, roles_of

PARENT, CHILD, TEACHER, PUPIL = Role(0, True), Role(0, False), Role(1, True), Role(1, False)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Who are the children of Nora Hall?", CHILD),
        ("Has Nora any children?", CHILD),
        ("Nora's kids?", CHILD),
        ("Which parents does Nora have?", PARENT),
        ("Who is Wanda's pupil", PUPIL),
        ("whom did Wanda Skiba coach", PUPIL),
        ("Who is Nora a child of?", None),
        ("Whose children are at sea?", None),
        ("Who teaches the student Tom?", None),
        ("Who are the parents of Nora's children?", None),
        ("who has a teacher that sings", None),
        ("Where was Nora born?", None),
    ],
)
def test_what_is_asked_for(text: str, role: Role | None) -> None:
    assert asked_role(text) == role


@pytest.mark.parametrize(
    ("label", "roles"),
    [
        ("parent of", (PARENT, CHILD)),
        ("is child of", (CHILD, PARENT)),
        ("has parent", (CHILD, PARENT)),
        ("children", (PARENT, CHILD)),
        ("mentored by", (PUPIL, TEACHER)),
        ("teaches", (TEACHER, PUPIL)),
        ("taught in", None),
        ("born in", None),
    ],
)
def test_what_the_ends_of_a_relation_are(label: str, roles: tuple[Role, Role] | None) -> None:
    assert roles_of(label) == roles


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Has Nora Hall any children?", {"Karin Eck"}),
        ("Who are Nora Hall's parents?", {"Pat Hall", "Bridget Cron"}),
        ("Who are the kids of Pat Hall?", {"Nora Hall"}),
        ("Whom did Bridget Cron teach?", {"Nora Hall"}),
        ("Who is Nora Hall's teacher?", {"Bridget Cron"}),
    ],
)
def test_the_asked_end_is_told(question: str, answers: set[str]) -> None:
    kg = NetworkxStore(
        [
            ("Pat Hall", "parentOf", "Nora Hall"), ("Bridget Cron", "parentOf", "Nora Hall"),
            ("Nora Hall", "parentOf", "Karin Eck"), ("Karin Eck", "parentOf", "Ole Eck"),
            ("Nora Hall", "taughtBy", "Bridget Cron"), ("Karin Eck", "taughtBy", "Nora Hall"),
            *((name, "bornIn", "Cork") for name in ("Pat Hall", "Nora Hall", "Karin Eck")),
        ],
    )  # fmt: skip
    assert {a.label for a in ask(kg, question, method="query-graph").answers} == answers
