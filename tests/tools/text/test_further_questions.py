"""What names a thing for the question behind it asks nothing of its own."""

from __future__ import annotations

import pytest

from triplewise.tools.text.further_questions import further_questions


@pytest.mark.parametrize(
    ("text", "further"),
    [
        ("what about the owls, who saw them", []),
        ("and how about Rex, when was he born?", []),
        ("who saw the owls, and when were they seen?", ["when were they seen"]),
    ],
)
def test_a_lead_in_is_no_question(text: str, further: list[str]) -> None:
    assert further_questions(text) == further
