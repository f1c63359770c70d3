"""Examples from questions whose answers alone are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.errors import ConfigError
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.ranker import WEIGHTS, Reader
from triplewise.train.query_graph import asked
from triplewise.train.query_graph.asked import AskedGraph, as_compared, asked_candidates, asked_examples, read_asked

CLUB = NetworkxStore(
    [
        *((who, "is a", "player") for who in ("Wayne Dabb", "Kylie Moss", "Gaz Mumby")),
        ("Wayne Dabb", "plays for", "Bandits"), ("Kylie Moss", "plays for", "Rats"), ("Gaz Mumby", "plays for", "Rats"),
        ("Kylie Moss", "day job", "plumber"), ("Gaz Mumby", "day job", "baker"), ("Wayne Dabb", "ex of", "Kylie Moss"),
    ],
    name="club",
)  # fmt: skip


def _examples(monkeypatch: pytest.MonkeyPatch, question: str, *answers: str) -> list[asked.Example]:
    monkeypatch.setattr(asked, "SURE", 1.1)
    return list(asked_examples(AskedGraph("club", CLUB, ((question, answers),)), Reader(CLUB)))


def test_what_gives_the_answers_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = _examples(monkeypatch, "What does Kylie do for a living?", "plumber")
    assert len(example.right) == 1 and not example.unanswerable
    assert example.texts[example.right[0]].endswith("Kylie Moss → day job → ? = plumber")


def test_of_what_cannot_be_answered_a_silent_reading_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = _examples(monkeypatch, "What does Wayne do for a living?")
    assert not example.unanswerable
    assert example.texts[example.right[0]].endswith("Wayne Dabb → day job → ? = nothing")


def test_a_question_that_teaches_nothing_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not _examples(monkeypatch, "What does Kylie do for a living?", "bishop")


def _candidates(question: str, *answers: str) -> list[asked.Example]:
    return list(asked_candidates(AskedGraph("club", CLUB, ((question, answers),)), WEIGHTS))


def test_the_candidates_that_give_the_answers_are_right() -> None:
    (example,) = _candidates("What does Kylie do for a living?", "plumber")
    assert len(example.features) == len(example.texts) == len(example.shortlist) > 1 and not example.unanswerable
    assert example.texts[example.right[0]].endswith("Kylie Moss → day job → ? = plumber")
    silent = {n for n, text in enumerate(example.texts) if text.endswith("= nothing")}
    assert silent and silent <= set(example.alike), "of what they say the graph is silent, which is not wrong"


def test_candidates_of_what_is_not_known_teach_only_where_none_is_meant() -> None:
    assert not _candidates("What does Wayne do for a living?"), "the first says that there is nothing"
    assert not _candidates("What does Kylie do for a living?", "bishop"), "none gives it"
    (example,) = _candidates("Who sponsors the Rats?")
    assert example.unanswerable and not example.right


def test_days_and_numbers_are_compared_by_their_value() -> None:
    assert as_compared("17 April 2024") == as_compared("2024-04-17") != as_compared("delivery 17 April 2024")
    assert as_compared("£142,000") == as_compared("142000")
    assert as_compared("NITETCH_1") == as_compared("NITETCH 1")


def test_folders_without_questions_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no graph with questions"):
        read_asked(tmp_path)
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "graph.tsv").write_text("a\tb\tc\n")
    (tmp_path / "club" / "questions.jsonl").write_text('{"question": "who?", "answers": ["c"]}\n\n{"claim": "x"}\n')
    (tmp_path / "club" / "more.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="no UTF-8"):
        read_asked(tmp_path)
    (tmp_path / "club" / "more.jsonl").unlink()
    (graph,) = read_asked(tmp_path)
    assert graph.name == "club" and graph.asked == (("who?", ("c",)),)
