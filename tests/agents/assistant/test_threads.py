"""Threads in a real SQLite file: reopened, forked, deleted, small; and texts whose citations are checked."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from triplewise.agents.assistant.answers import check_text, sentences, unbracketed
from triplewise.agents.assistant.events import Citation
from triplewise.agents.assistant.threads import Threads
from triplewise.agents.assistant.transcript import as_json, as_markdown
from triplewise.errors import ConfigError, UserError


def cited(n: int, head: str = "Alien", tail: str = "Ridley Scott") -> Citation:
    return Citation(n, f"m#{n}", head, "directed_by", tail, (head, "directed by", tail))


def test_a_thread_is_there_after_reopening(threads_place: str) -> None:
    first = Threads(threads_place)
    thread = first.open(None, "films")
    message = first.begin(thread.id, "  Who directed   Alien? ")
    assert first.get(thread.id).open
    first.end(message, "Ridley Scott [1].", "done", {"answer": {"text": "x"}})
    first.close()
    again = Threads(threads_place)
    [found] = again.recent()
    assert (found.title, found.turns, found.open, found.waiting) == ("Who directed Alien?", 1, False, False)
    assert [m.text for m in again.messages(thread.id)] == ["  Who directed   Alien? ", "Ridley Scott [1]."]
    assert again.message(message)[1].data == {"answer": {"text": "x"}}
    assert again.rename(thread.id, "Scott").title == "Scott"
    assert again.delete(thread.id) and again.recent() == []
    with pytest.raises(UserError, match="no thread"):
        again.messages(thread.id)
    again.close()


def test_a_fork_keeps_what_was_before(threads_place: str) -> None:
    threads = Threads(threads_place)
    thread = threads.open("t", "films")
    for text in ("one", "two"):
        message = threads.begin(thread.id, text)
        threads.end(message, f"to {text}", "done", {"citations": {"citations": [{"id": f"{message}#1"}]}})
    second = threads.messages("t")[2]
    fork = threads.fork("t", second.id)
    copied = threads.messages(fork.id)
    assert [m.text for m in copied] == ["one", "to one"]
    assert copied[1].data["citations"]["citations"][0]["id"] == f"{copied[1].id}#1"
    assert len(threads.messages("t")) == 4
    with pytest.raises(UserError):
        threads.fork("t", "nowhere")
    threads.close()


def test_a_turn_left_open_is_closed_by_the_next(threads_place: str) -> None:
    threads = Threads(threads_place)
    threads.begin(threads.open("t", "films").id, "one")
    threads.begin("t", "two")
    assert [m.status for m in threads.messages("t")] == ["done", "stopped", "done", "running"]
    threads.close()


def test_a_hundred_turns_of_fifty_triples_are_small(tmp_path: Path) -> None:
    path = tmp_path / "threads.sqlite"
    threads = Threads(path)
    threads.open("t", "films")
    for turn in range(100):
        message = threads.begin("t", f"Question number {turn} about film {turn * 7919}?")
        citations = [
            {
                "n": n, "id": f"{message}#{n}", "head": f"Film {turn * 53 + n * 17} of {n}", "relation": "directed_by",
                "tail": f"Person {turn * 31 + n * 101}", "labels": [f"Film {turn * 53 + n * 17} of {n}", "directed by",
                f"Person {turn * 31 + n * 101}"], "source": "asserted", "score": None, "origin": "query graph",
            }
            for n in range(1, 51)
        ]  # fmt: skip
        threads.end(message, "An answer. " * 20, "done", {"citations": {"citations": citations}})
    threads.close()
    assert path.stat().st_size < 1_000_000


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("this is no database, though it is long enough to be one" * 50)
    with pytest.raises(ConfigError, match="threads cannot be kept"):
        Threads(tmp_path / "x")


def test_exports_hold_everything_and_no_markup() -> None:
    threads = Threads(None)
    thread = threads.open("t", "films")
    message = threads.begin("t", "<script>alert(1)</script> ![x](http://y)")
    data = {"citations": {"citations": [{"n": 1, "labels": ["a`b", "r", "t"], "source": "predicted"}]}}
    threads.end(message, "So [1].", "done", data)
    thread, said = threads.get(thread.id), threads.messages("t")
    assert json.loads(as_json(thread, said))["messages"][1]["text"] == "So [1]."
    text = as_markdown(thread, said)
    assert "<script>" not in text and "- [1] `a'b` — `r` → `t` (predicted)" in text
    threads.close()


def test_citations_of_a_text_are_renumbered_and_unknown_ones_taken_out() -> None:
    text, kept, unsupported = check_text("Ridley Scott made Alien [7]. It won nine Oscars [9]. Why?", [cited(7)])
    assert text == "Ridley Scott made Alien [1]. It won nine Oscars. Why?"
    assert [c.n for c in kept] == [1] and kept[0].id == "m#1"
    assert unsupported == ("It won nine Oscars.",)


def test_a_citation_of_something_else_supports_nothing() -> None:
    _, _, unsupported = check_text("Jaws was shot in Boston [1].", [cited(1)])
    assert unsupported == ("Jaws was shot in Boston [1].",)
    producer = replace(cited(2), labels=("Alien", "produced by", "Mallory Vane"), tail="Mallory Vane")
    _, _, unsupported = check_text("Alien was directed by Mallory Vane [1].", [cited(1), producer])
    assert unsupported == ("Alien was directed by Mallory Vane [1].",)
    assert (
        check_text("Mallory Vane produced Alien [2], which Ridley Scott directed [1].", [cited(1), producer])[2] == ()
    )


def test_labels_cannot_look_like_citations() -> None:
    assert unbracketed("Film [3]\n[4]") == "Film (3) (4)"
    assert sentences("One [1]. Two? [2] Three") == ["One [1].", "Two? [2]", "Three"]


def test_nobody_else_reads_the_conversations(tmp_path: Path) -> None:
    path = tmp_path / "home" / "triplewise" / "threads.sqlite"
    before = os.umask(0o022)
    try:
        threads = Threads(path)
        threads.open(None, "films")
        assert {stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()} == {0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        threads.close()
        path.chmod(0o644)
        Threads(path).close()  # one that an earlier version made for all to read
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with pytest.raises(ConfigError):
            Threads(path.parent)
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700  # a folder keeps its rights
    finally:
        os.umask(before)
