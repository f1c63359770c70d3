"""Which end of a relation a question asks for, where the graph names the other."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask
from triplewise.kg import NetworkxStore
from triplewise.tools.text.roles.converses import Role, are_of_one_kind, asked_role, roles_of, steps_up

PARENT, CHILD, TEACHER, PUPIL = Role(0, True), Role(0, False), Role(1, True), Role(1, False)
BOSS, BELOW = Role(4, True), Role(4, False)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Who are the children of Nora Hall?", CHILD),
        ("Has Nora any children?", CHILD),
        ("Nora's kids?", CHILD),
        ("Which parents does Nora have?", PARENT),
        ("Who is Wanda's pupil", PUPIL),
        ("whom did Wanda Skiba coach", PUPIL),
        ("Who coached Wanda Skiba?", TEACHER),
        ("and who teached wanda", TEACHER),
        ("Who trained at the Mill?", None),
        ("Who has Wanda as their boss?", BELOW),
        ("which cook has Nora as a mentor", PUPIL),
        ("Who is Nora a child of?", None),
        ("Whose children are at sea?", None),
        ("Who teaches the student Tom?", None),
        ("Who are the parents of Nora's children?", None),
        ("who has a teacher that sings", None),
        ("Where was Nora born?", None),
        ("whos the boss of Nora", BOSS),
        ("Who's Nora's line manager?", BOSS),
        ("Who is Nora Hall the boss of?", BELOW),
        ("Who answers to Nora?", BELOW),
        ("Who does Nora answer to?", BOSS),
        ("Who reports to Nora's boss?", None),
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
        ("taught", (TEACHER, PUPIL)),
        ("teaches", (TEACHER, PUPIL)),
        ("reports to", (BELOW, BOSS)),
        ("line manager", (BELOW, BOSS)),
        ("manager of", (BOSS, BELOW)),
        ("taught in", None),
        ("born in", None),
    ],
)
def test_what_the_ends_of_a_relation_are(label: str, roles: tuple[Role, Role] | None) -> None:
    assert roles_of(label) == roles


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Who does Nora's boss answer to?", 2),
        ("who does the manager of Nora's boss report to", 3),
        ("Who does Nora report to?", 0),
        ("Who does the child of Nora's boss report to?", 0),
        ("Who reports to Nora's boss?", 0),
        ("Who is Nora's boss?", 0),
    ],
)
def test_whom_a_boss_answers_to(text: str, steps: int) -> None:
    assert steps_up(text) == steps


@pytest.mark.parametrize(
    ("asked", "text", "role", "label", "one"),
    [
        (BOSS, "Who is Nora's boss?", TEACHER, "supervised by", True),
        (TEACHER, "Who is Nora's supervisor?", BOSS, "reports to", True),
        (BOSS, "Who is Nora's boss?", TEACHER, "taught by", False),
        (BOSS, "Who is Nora's boss?", PARENT, "parent", False),
    ],
)
def test_supervisors_may_be_teachers_or_bosses(asked: Role, text: str, role: Role, label: str, one: bool) -> None:
    assert are_of_one_kind(asked, text, role, label) == one


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Has Nora Hall any children?", {"Karin Eck"}),
        ("Who are Nora Hall's parents?", {"Pat Hall", "Bridget Cron"}),
        ("Who are the kids of Pat Hall?", {"Nora Hall"}),
        ("Whom did Bridget Cron teach?", {"Nora Hall"}),
        ("Who is Nora Hall's teacher?", {"Bridget Cron"}),
        ("who's Karin Eck's boss", {"Pat Hall"}),
        ("Who is Pat Hall's boss?", {"Ole Eck"}),
        ("Who answers to Pat Hall?", {"Karin Eck"}),
        ("Who does Karin Eck's boss answer to?", {"Ole Eck"}),
    ],
)
def test_the_asked_end_is_told(question: str, answers: set[str]) -> None:
    kg = NetworkxStore(
        [
            ("Pat Hall", "parentOf", "Nora Hall"), ("Bridget Cron", "parentOf", "Nora Hall"),
            ("Nora Hall", "parentOf", "Karin Eck"), ("Karin Eck", "parentOf", "Ole Eck"),
            ("Nora Hall", "taughtBy", "Bridget Cron"), ("Karin Eck", "taughtBy", "Nora Hall"),
            ("Karin Eck", "reportsTo", "Pat Hall"), ("Pat Hall", "reportsTo", "Ole Eck"),
            ("Karin Eck", "jobTitle", '"Waiter"'), ("Pat Hall", "jobTitle", '"Head Waiter"'),
            *((name, "bornIn", "Cork") for name in ("Pat Hall", "Nora Hall", "Karin Eck")),
        ],
    )  # fmt: skip
    assert {a.label for a in ask(kg, question, method="query-graph").answers} == answers


STAFF = NetworkxStore(
    [
        *(("Len Booth", "boss", "Helen Tranter"), ("Pete Ogden", "boss", "Wilf Garside")),
        *(("Little Dot", "checked by", "Len Booth"), ("Blue Boy", "checked by", "Len Booth")),
        *(("Helen Tranter", "taught", "Len Booth"), ("Len Booth", "taught", "Pete Ogden")),
    ],
    types={
        **{key: ["Worker"] for key in ("Len Booth", "Helen Tranter", "Pete Ogden", "Wilf Garside")},
        **{key: ["Bus"] for key in ("Little Dot", "Blue Boy")},
    },
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who does Len Booth report to?", ["Helen Tranter"]),
        ("Who reports to Wilf Garside?", ["Pete Ogden"]),
        ("Who has Helen Tranter as their boss?", ["Len Booth"]),
        ("And whose boss is Helen Tranter?", ["Len Booth"]),
        ("Who's Len Booth's boss?", ["Helen Tranter"]),
        ("Who coached Len Booth?", ["Helen Tranter"]),
        ("Who did Len Booth teach?", ["Pete Ogden"]),
    ],
)
def test_the_end_that_is_asked_for(question: str, answers: list[str]) -> None:
    assert [a.label for a in ask(STAFF, question, method="query-graph").answers] == answers


OFFICE = NetworkxStore(
    [
        *(("Len Booth", "works under", "Helen Tranter"), ("Pete Ogden", "works under", "Len Booth")),
        *(("Len Booth", "job title", "Head of Stores"), ("Helen Tranter", "job title", "Director")),
    ],
    types={key: ["Person"] for key in ("Len Booth", "Helen Tranter", "Pete Ogden")},
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Len Booth's boss?", ["Helen Tranter"]),
        ("who's young Pete's boss?", ["Len Booth"]),
        ("whose boss is Helen then?", ["Len Booth"]),
    ],
)
def test_no_boss_is_a_job_title(question: str, answers: list[str]) -> None:
    assert [a.label for a in ask(OFFICE, question, method="query-graph").answers] == answers


def test_a_relation_that_may_be_a_noun_or_a_verb_tells_no_ends() -> None:
    """A pupil's "coaches" are whom he has; a coach "coaches" the team."""
    assert roles_of("coaches") is None and roles_of("mentors") is None
    assert roles_of("trains") == (TEACHER, PUPIL) and roles_of("coach") == (PUPIL, TEACHER)
