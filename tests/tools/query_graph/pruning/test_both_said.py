"""Of "both ... and" no reading has one half only."""

from __future__ import annotations

from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.both_said import of_both

_PLAYS = [("Macbeth", "Ann Lee", "Bob Ray"), ("Aladdin", "Bob Ray", "Cal Hume"), ("Hay Fever", "Dee Fox", "Ann Lee")]
PLAYS = Candidates(
    NetworkxStore(
        [
            *((play, "directed by", name) for play, name, _ in _PLAYS), *((play, "produced by", name) for play, _, name in _PLAYS),
            *((play, "is a", "Play") for play, *_ in _PLAYS),
            *((name, "is a", "Person") for name in ("Ann Lee", "Bob Ray", "Cal Hume", "Dee Fox")),
        ],
        name="plays",
    )
)  # fmt: skip


def test_both_halves_are_conditions() -> None:
    sentence, drafts = PLAYS.of("Who has both directed and produced?")
    kept = of_both(PLAYS.schema, sentence, drafts)
    assert len(kept) < len(drafts)
    assert {d.answers for d in kept if d.form == "select"} == {frozenset({"Ann Lee", "Bob Ray"})}


def test_without_both_all_stay() -> None:
    sentence, drafts = PLAYS.of("Who has directed and produced?")
    assert of_both(PLAYS.schema, sentence, drafts) == drafts
