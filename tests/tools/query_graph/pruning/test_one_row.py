"""What two named things have in common is told by the row of both."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.one_row import at_one_row

_TASTED = [("Alder Red", "Ann Lee", 90), ("Alder Red", "Bob Ray", 85), ("Birch White", "Ann Lee", 70)]
WINES = Candidates(
    NetworkxStore(
        [
            *((wine, "has tasting", f"_:t{n}") for n, (wine, _, _) in enumerate(_TASTED)),
            *((f"_:t{n}", "tasted by", critic) for n, (_, critic, _) in enumerate(_TASTED)),
            *((f"_:t{n}", "score", f'"{score}"') for n, (_, _, score) in enumerate(_TASTED)),
            *((wine, "is a", "Wine") for wine in ("Alder Red", "Birch White")),
            *((critic, "is a", "Critic") for critic in ("Ann Lee", "Bob Ray")),
        ],
        name="wines",
    )
)  # fmt: skip


RIDES = Candidates(
    NetworkxStore(
        [
            (f"_:r{n}", relation, end)
            for n, (rider, horse, course) in enumerate(
                [("Mo Ansell", "Bramble", "Heath"), ("Gus Farr", "Bramble", "Moor"), ("Gus Farr", "Comet", "Heath")]
            )
            for relation, end in (("rider", rider), ("horse", horse), ("course", course))
        ],
        types={"Bramble": ["Horse"], "Comet": ["Horse"], "Mo Ansell": ["Rider"], "Gus Farr": ["Rider"]},
        name="rides",
    )
)


def test_a_value_written_as_a_name_is_at_the_row_and_things_are_told_by_it_too() -> None:
    sentence, drafts = RIDES.of("Who rode Bramble at Heath?")
    kept = at_one_row(RIDES.schema, sentence, drafts)
    found, left = (
        {d.links for d in some if d.form == "select" and any(r == "rider" and t == 0 for _, r, t in d.rows)}
        for some in (drafts, kept)
    )
    assert {(0,), (1,), (0, 1)} <= found and left == {(0, 1)}


def _scores(question: str) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """The scores that readings answer with: before, and of those that are kept."""
    sentence, drafts = WINES.of(question)
    kept = at_one_row(WINES.schema, sentence, drafts)
    found, left = (
        {
            d.answers
            for d in some
            if d.rows and any(r == "score" and t == 0 for _, r, t in d.rows) and d.form == "select"
        }
        for some in (drafts, kept)
    )
    return found, left


def test_other_rows_tell_nothing_of_both() -> None:
    found, left = _scores("What score did Ann Lee give to the Alder Red?")
    assert {frozenset({'"85"'}), frozenset({'"90"', '"85"'}), frozenset({'"90"'})} <= found
    assert left == {frozenset({'"90"'})}


@pytest.mark.parametrize(
    "question", ["What score did others than Ann Lee give to the Alder Red?", "What score did Ann Lee give?"]
)
def test_others_may_be_spoken_of(question: str) -> None:
    found, left = _scores(question)
    assert found == left
