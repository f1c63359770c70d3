"""Yes and no in the readings of claims."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.claims.verdict import Judge

_BOOKINGS = (
    ("B1", "Ann Lind", "Pilates", "yes"), ("B2", "Ann Lind", "Rowing", "no"), ("B3", "Ben Ode", "Pilates", "yes"),
    ("B4", "Cal Hume", "Rowing", "yes"), ("B5", "Ben Ode", "Rowing", "no"),
)  # fmt: skip
GYM = Candidates(
    NetworkxStore(
        [
            triple
            for booking, member, course, paid in _BOOKINGS
            for triple in (
                (booking, "is a", "Booking"), (booking, "member", member), (booking, "course", course),
                (booking, "paid", f'"{paid}"'),
            )
        ]
        + [(m, "is a", "Member") for m in ("Ann Lind", "Ben Ode", "Cal Hume")]
        + [(c, "is a", "Course") for c in ("Pilates", "Rowing")]
    )
)  # fmt: skip


def said(claim: str) -> dict[str, str]:
    """The readings of a claim that say of a booking whether it is paid, with their verdicts."""
    sentence = GYM.generator.read(claim)
    drafts = ClaimRun(GYM.generator, sentence, word_affinity(GYM.schema, claim)).drafts()
    judge = Judge(GYM.schema)
    return {
        GYM.verbaliser.reading(d, sentence): judge.verdict(d.query())[0]
        for d in drafts
        if len(d.rows) == 3 and len(d.links) == 2 and any(r == "paid" for _, r, _ in d.rows) and not d.minus
    }


def reading(member: str, course: str, value: str) -> str:
    return f"claim: {member} ← member ← ?; {course} ← course ← ?; {value} ← paid ← ?"


@pytest.mark.parametrize(
    ("member", "course", "paid"),
    [("Ann Lind", "Rowing", False), ("Ann Lind", "Pilates", True), ("Cal Hume", "Rowing", True)],
)
def test_who_has_paid_and_who_has_not(member: str, course: str, paid: bool) -> None:
    yes = reading(member, course, "yes")
    plain, denied = said(f"{member} has paid for {course}."), said(f"{member} has not paid for {course}.")
    assert plain[yes] == ("supported" if paid else "refuted")
    assert denied[f"not {yes}"] == ("refuted" if paid else "supported")


def test_what_is_named_and_not_denied_is_not_said_to_be_no() -> None:
    no = reading("Ann Lind", "Rowing", "no")
    assert no not in said("Ann Lind has paid for Rowing.")
    assert no in said("Ann Lind has unpaid Rowing.")
    assert no in said("Ann Lind owes us for Rowing.")


def test_a_denial_is_not_denied() -> None:
    found = said("Ann Lind has not paid for Rowing.")
    assert reading("Ann Lind", "Rowing", "no") in found
    assert not any(text.startswith("not") and "no ← paid" in text for text in found)


def test_nobody_says_that_there_is_a_yes_or_a_no() -> None:
    assert not any("paid → ?" in text for text in said("Ann Lind has paid for Rowing."))


INNS = Candidates(
    NetworkxStore(
        [
            *(
                ("Anchor", "dogs allowed", '"yes"'),
                ("Bell", "dogs allowed", '"no"'),
                ("Crown", "dogs allowed", '"yes"'),
            ),
            *(("Anchor", "smoking banned", '"yes"'), ("Bell", "smoking banned", '"no"')),
            *((inn, "is a", "Inn") for inn in ("Anchor", "Bell", "Crown")),
        ]
    )
)


def of_inns(claim: str, relation: str) -> dict[str, str]:
    """The readings of a claim of one inn, with their verdicts."""
    sentence = INNS.generator.read(claim)
    drafts = ClaimRun(INNS.generator, sentence, word_affinity(INNS.schema, claim)).drafts()
    judge = Judge(INNS.schema)
    return {
        INNS.verbaliser.reading(d, sentence): judge.verdict(d.query())[0]
        for d in drafts
        if len(d.rows) == 1 and d.rows[0][1] == relation and d.links and not d.minus and not d.filters
    }


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Anchor bans dogs.", "refuted"),
        ("Bell refuses dogs.", "supported"),
        ("Bell prohibits every dog.", "supported"),
        ("Bell allows dogs.", "refuted"),
        ("Anchor never refused dogs.", "supported"),
    ],
)
def test_what_is_forbidden_is_not_allowed(claim: str, verdict: str) -> None:
    found = of_inns(claim, "dogs allowed")
    assert set(found.values()) == {verdict}, found


def test_a_relation_that_forbids_says_yes_of_what_is_forbidden() -> None:
    assert set(of_inns("Anchor bans smoking.", "smoking banned").values()) == {"supported"}


def test_other_words_of_denial_deny_what_is_forbidden() -> None:
    found = of_inns("No dogs are banned at Bell.", "dogs allowed")
    assert [text for text in found if text.startswith("not ")] == ["not claim: Bell → dogs allowed → no"]
