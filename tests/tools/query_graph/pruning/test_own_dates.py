"""A date is that of what is asked for."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.own_dates import of_own_dates

_SHOWS = [("Show One", "Macbeth", "2019-11-06", 142), ("Show Two", "Macbeth", "2019-11-07", 201), ("Show Three", "Aladdin", "2020-01-02", 90)]  # fmt: skip
STAGE = Candidates(
    NetworkxStore(
        [
            *((show, "production", play) for show, play, _, _ in _SHOWS),
            *((show, "date", f'"{day}"') for show, _, day, _ in _SHOWS),
            *((show, "tickets sold", f'"{sold}"') for show, _, _, sold in _SHOWS),
            ("Macbeth", "opening night", '"2019-11-06"'), ("Aladdin", "opening night", '"2020-01-02"'),
            *((show, "is a", "Performance") for show, *_ in _SHOWS),
            *((play, "is a", "Production") for play in ("Macbeth", "Aladdin")),
        ],
        name="stage",
    )
)  # fmt: skip


def _by_opening(question: str) -> tuple[bool, bool]:
    """Whether performances, or what they sold, are found by when their production opened: before, and in what is
    kept."""
    sentence, drafts = STAGE.of(question)
    shows = set(STAGE.schema.members("Performance"))
    kept = of_own_dates(STAGE.schema, sentence, drafts)
    found, left = (
        any(
            {"opening night", "production"} <= {r for _, r, _ in d.rows}
            and d.values
            and not d.filters
            and d.answers <= shows
            for d in some
        )
        for some in (drafts, kept)
    )
    return found, left


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Which performances were on 6 November 2019?", False),
        ("Which performances are of what opened on 6 November 2019?", True),
    ],
)
def test_a_date_belongs_to_what_is_asked_for(question: str, kept: bool) -> None:
    assert _by_opening(question) == (True, kept)
