"""Golden values of the metrics; every number is worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplewise.evals.data.items import Item
from triplewise.evals.scores.metrics import METRICS, VERSIONS, Outcome, mean, normalise, score
from triplewise.types import Answer, Evidence, Result, Step, Triple, Usage

ASK = Item("ask", "who?", ("Ann Lee", "Bob"))


def outcome(*labels: str, **fields: object) -> Outcome:
    return Outcome(answers=tuple((f"id:{x}", x) for x in labels), text=", ".join(labels), **fields)  # type: ignore[arg-type]


GOLDEN = [
    # answers            hit1 any  P    R    F1   substring rog
    (("Ann Lee", "Bob"), (1, 1, 1, 1, 1, 1, 1)),
    (("ann lee.",), (1, 1, 1, 0.5, 2 / 3, 1, 1)),
    (("Cy", "Bob"), (0, 1, 0.5, 0.5, 0.5, 1, 1)),
    (("Bobby",), (0, 0, 0, 0, 0, 1, 1)),  # the legacy scores take "bob" in "bobby"
    (("Cy",), (0, 0, 0, 0, 0, 0, 0)),
    ((), (0, 0, 0, 0, 0, 0, 0)),
]
NAMES = ("hits_at_1", "hits_any", "precision", "recall", "f1", "kg_gpt_substring", "rog_hit")


@pytest.mark.parametrize(("labels", "expected"), GOLDEN)
def test_answers(labels: tuple[str, ...], expected: tuple[float, ...]) -> None:
    got = score(ASK, outcome(*labels))
    assert [got[n] for n in NAMES] == pytest.approx(list(expected))


def test_gold_ids_count_as_labels_do() -> None:
    assert score(Item("ask", "q", ("m.1",)), Outcome(answers=(("m.1", "One"),)))["hits_at_1"] == 1


def test_empty_gold_is_met_by_no_answer() -> None:
    empty = Item("ask", "q", ())
    assert [score(empty, outcome())[n] for n in NAMES[:5]] == [0, 0, 1, 1, 1]
    assert score(empty, outcome("x"))["f1"] == 0


@pytest.mark.parametrize(
    ("label", "verdict", "right", "closed", "abstained"),
    [
        (True, "supported", 1, 1, 0), (True, "refuted", 0, 0, 0), (False, "refuted", 1, 1, 0),
        (False, "supported", 0, 0, 0), (False, "not_enough_evidence", 0, 1, 1), (True, "not_enough_evidence", 0, 0, 1),
        (True, None, 0, 0, 1), (False, None, 0, 0, 1),
    ],
)  # fmt: skip
def test_verdicts(label: bool, verdict: str | None, right: int, closed: int, abstained: int) -> None:
    got = score(Item("verify", "c", label=label), Outcome(verdict=verdict))
    assert (got["accuracy"], got["accuracy_closed_world"], got["abstention"]) == (right, closed, abstained)
    assert (got["hits_at_1"], got["f1"]) == (None, None)


def test_a_closed_world_counts_no_error_as_refuted() -> None:
    got = score(Item("verify", "c", label=False), Outcome(error="BackendTimeoutError"))
    assert (got["accuracy"], got["accuracy_closed_world"]) == (0, 0)
    assert score(ASK, outcome("Bob"))["accuracy_closed_world"] is None


def test_evidence_and_citations() -> None:
    made = outcome("Bob", evidence=(("m", "r", "Bob"), ("m", "r", "Cy")), citations=(0, 5, -1, 1))
    got = score(ASK, made)
    assert got["evidence_recall"] == 0.5
    assert got["citation_validity"] == 0.5
    assert score(ASK, outcome("Bob"))["citation_validity"] is None


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [((), (None,) * 3), (("ok", "skipped"), (0, 0, 0)), (("repaired",), (1, 1, 0)), (("ok", "fallback"), (1, 0, 1))],
)
def test_statuses(statuses: tuple[str, ...], expected: tuple[float | None, ...]) -> None:
    got = score(ASK, outcome("Bob", statuses=statuses))
    assert (got["parse_failure"], got["repair"], got["fallback"]) == expected


def test_an_error_is_wrong_and_no_abstention() -> None:
    got = score(ASK, Outcome(error="BackendTimeoutError"))
    assert (got["hits_at_1"], got["f1"], got["errors"], got["abstention"]) == (0, 0, 1, None)


def test_outcome_of_a_result() -> None:
    result = Result(
        "q", "kg-gpt", "Bob", (Answer("b", "Bob", (0,)),), (Evidence(Triple("m", "r", "b")),), (0,),
        steps=(Step("segment", "repaired"),), usage=Usage(3, 100, 40, 10, cost=0.5),
    )  # fmt: skip
    got = score(ASK, Outcome.of(result, 1.5))
    assert (got["calls"], got["tokens"], got["cached_tokens"], got["cost"], got["seconds"]) == (3, 110, 40, 0.5, 1.5)
    assert (got["hits_at_1"], got["repair"], got["citation_validity"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Matrix!", "matrix"),
        ("Ｆｉｌｍ", "film"),
        ("The The", "the the"),
        ("A", "a"),
        ("?", "?"),
        ("STRASSE", "strasse"),
        ("C:\u0327", "\u00e7"),  # what the colon kept apart is one letter without it
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text())
def test_normalise_is_stable(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text) or normalise(text) == ""


@given(st.lists(st.text(min_size=1, max_size=4), max_size=5), st.lists(st.text(min_size=1, max_size=4), max_size=5))
def test_scores_are_shares(gold: list[str], given_: list[str]) -> None:
    got = score(Item("ask", "q", tuple(gold)), outcome(*given_))
    assert all(0 <= v <= 1 for n in NAMES if (v := got[n]) is not None)


def test_every_metric_has_a_version() -> None:
    assert set(VERSIONS) == set(METRICS)
    assert all(v >= 1 for v in VERSIONS.values())
    assert mean([1.0, None, 0.0]) == (0.5, 2)
    assert mean([None]) == (None, 0)
