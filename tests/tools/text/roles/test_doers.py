"""Who does what a verb says, and who is called by a noun."""

from __future__ import annotations

import pytest

from triplewise.tools.text.roles.converses import Role
from triplewise.tools.text.roles.doers import Between, ends_of, is_of_doer, roles_said

MENTOR, MENTEE, MANAGER, MANAGED = Role(1, True), Role(1, False), Role(4, True), Role(4, False)


@pytest.mark.parametrize(
    ("before", "between", "after", "first"),
    [
        ("", "is mentored by", "", MENTEE),
        ("", "was not mentored by", "", MENTEE),
        ("", "'s mentor is", "", MENTEE),
        ("", "has a mentor called", "", MENTEE),
        ("", "has", "as her mentor", MENTEE),
        ("the mentor of", "is", "", MENTEE),
        ("", "mentors", "", MENTOR),
        ("", "has mentored", "", MENTOR),
        ("", "does not coach", "", MENTOR),
        ("", "is the mentor of", "", MENTOR),
        ("", "is", "'s mentor", MENTOR),
        ("", "is", "mentored by", MENTOR),
        ("", "does", "mentor", MENTEE),
        ("", "is", "'s mentee", MENTEE),
        ("", "manages", "", MANAGER),
        ("", "owns", "", Role("own", True)),
        ("", "is managed by", "", MANAGED),
        ("", "reports to", "", MANAGED),
        ("", "does", "report to", MANAGER),
        ("", "depends on", "", Role("depend", True)),
        ("", "does not depend on", "", Role("depend", True)),
        ("does", "depend on", "", Role("depend", True)),
        ("", "does", "depend on", Role("depend", False)),
        ("", "'s manager is", "", MANAGED),
    ],
)
def test_what_the_first_of_two_is(before: str, between: str, after: str, first: Role) -> None:
    assert first in roles_said(Between(before.split(), between.split(), after.split()))


@pytest.mark.parametrize(
    ("before", "between", "after"),
    [
        ("", "and", ""),
        ("", "'s mentor 's wife is", ""),
        ("", "bought the mug of a friend mentored by", ""),
        ("", "is a friend of", ""),
        ("", "and", "have a mentor"),
    ],
)
def test_what_grammar_leaves_open(before: str, between: str, after: str) -> None:
    told = roles_said(Between(before.split(), between.split(), after.split()))
    assert not told & {MENTOR, MENTEE}


@pytest.mark.parametrize(
    ("label", "ends"),
    [
        ("mentor id", (MENTEE, MENTOR)),
        ("coach", (MENTEE, MENTOR)),
        ("line manager", (MANAGED, MANAGER)),
        ("managed by", (MANAGED, MANAGER)),
        ("reports to", (MANAGED, MANAGER)),
        ("belongs to", (Role("own", False), Role("own", True))),
        ("manages", (MANAGER, MANAGED)),
        ("manager of", (MANAGER, MANAGED)),
        ("capital", (Role("a capital", False), Role("a capital", True))),
        ("coaches", None),  # what one does, or whom one has
        ("friend", None),
        ("depends on", (Role("depend", True), Role("depend", False))),
        ("born in", None),
    ],
)
def test_what_the_ends_of_a_relation_are(label: str, ends: tuple[Role, Role] | None) -> None:
    assert ends_of(label) == ends


def test_a_capital_does_nothing() -> None:
    assert is_of_doer(MANAGER) and not is_of_doer(MANAGED) and not is_of_doer(Role("a capital", True))
