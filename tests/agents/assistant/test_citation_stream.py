"""Citations of a text that is still coming."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triplewise.agents.assistant.answers import check_text
from triplewise.agents.assistant.citation_stream import CitationStream
from triplewise.agents.assistant.events import Citation

KNOWN = {n: Citation(n, f"m#{n}", "a", "r", "b", ("a", "r", "b")) for n in (2, 5)}


def streamed(pieces: list[str]) -> list[str]:
    stream = CitationStream(KNOWN.__contains__)
    return [*(stream.take(p) for p in pieces), stream.end()]


def test_a_citation_is_told_whole_and_under_its_new_number() -> None:
    assert streamed(["By Ann [", "5", "] and", " Ben [2", "][7] ", "."]) == [
        "By Ann",
        "",
        " [1] and",
        " Ben",
        " [2]",
        ".",
        "",
    ]


@given(
    st.lists(st.sampled_from(["a", " ", "[", "]", "[2]", "[5", "7]", ".", "\n", "[12345]", "words of it"]), max_size=14)
)
def test_the_pieces_are_the_checked_text(pieces: list[str]) -> None:
    assert "".join(streamed(pieces)) == check_text("".join(pieces), list(KNOWN.values()))[0]
