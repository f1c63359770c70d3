"""Who is only said to be in something is told by the rows that tie persons and things."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.taking_part import of_taking_part

_CAST = [
    ("P1", "Macbeth", "Ann Lee", '"Macbeth"'),
    ("P2", "Macbeth", "Bo Ek", "Porter"),
    ("P3", "Hay", "Bo Ek", "Sorel"),
]
_TRIPLES = [
    *((row[0], r, cell) for row in _CAST for r, cell in zip(("Play", "Person", "Character"), row[1:], strict=True)),
    *((play, "is a", "play") for play in ("Macbeth", "Hay")),
    *((who, "is a", "person") for who in ("Ann Lee", "Bo Ek", "Cy Vane")),
    *((who, "lives in", '"Hay"') for who in ("Ann Lee", "Cy Vane")),
    *((play, "directed by", "Cy Vane") for play in ("Macbeth", "Hay")),
]  # fmt: skip
PLAYERS = Candidates(NetworkxStore(_TRIPLES, name="players"))
NO_ROWS = Candidates(NetworkxStore([t for t in _TRIPLES if t[1] not in ("Play", "Person")], name="players"))


def _left(graph: Candidates, question: str, relation: str, end: str = "") -> bool:
    """Whether readings by a relation, to some end, are kept; there are such before."""
    sentence, drafts = graph.of(question)
    kept = of_taking_part(graph.schema, sentence, drafts)
    before, after = (
        [d for d in some if not d.order and any(r == relation and end in ("", t) for _, r, t in d.rows)]
        for some in (drafts, kept)
    )
    assert before
    return bool(after)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Who was in Macbeth?", False),
        ("Who acted in Macbeth?", False),
        ("Who is in the cast of Macbeth?", False),
        ("Which plays was Cy Vane in?", False),
        ("Who directed Macbeth?", True),
        ("Who was in charge of Macbeth?", True),
        ("Who has directed or been in Macbeth?", True),
    ],
)
def test_who_is_in_a_play_does_not_direct_it(question: str, kept: bool) -> None:
    assert _left(PLAYERS, question, "directed by") == kept


def test_without_rows_whoever_is_tied_to_it_may_be_meant() -> None:
    assert _left(NO_ROWS, "Who was in Macbeth?", "directed by")


@pytest.mark.parametrize(
    ("question", "relation", "text", "kept"),
    [
        ("Who was in Macbeth?", "Character", '"Macbeth"', False),
        ("Who played Macbeth?", "Character", '"Macbeth"', True),
        ("Who lives in Hay?", "lives in", '"Hay"', True),  # the relation says "in" itself
    ],
)
def test_what_somebody_is_in_is_no_text_that_is_called_so(question: str, relation: str, text: str, kept: bool) -> None:
    assert _left(PLAYERS, question, relation, text) == kept
