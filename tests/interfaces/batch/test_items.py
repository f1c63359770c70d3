"""Items of a batch: what a line or row may say, and how a bad one is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triplewise.interfaces.batch.items import BatchFileError, BatchItem, read_items


def written(path: Path, *rows: Any) -> Path:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_each_task_in_its_own_words(tmp_path: Path) -> None:
    path = written(
        tmp_path / "items.jsonl",
        {"id": 7, "question": "Who?", "entities": "Alien"},
        "",
        {"claim": "So it is.", "extra": [1]},
        {"id": "l", "head": "Alien", "relation": "genre", "tail": None},
        {"text": "What?", "task": "ask"},
    )
    assert list(read_items(path)) == [
        BatchItem("7", "ask", "Who?", ("Alien",)),
        BatchItem("3", "verify", "So it is."),
        BatchItem("l", "complete", head="Alien", relation="genre"),
        BatchItem("5", "ask", "What?"),
    ]
    assert [i.task for i in read_items(written(path, {"text": "x"}), "verify")] == ["verify"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "no JSON object"),
        ("[1]", "a JSON object"),
        ({"text": "x"}, "says no task"),
        ({"question": 3}, "question is a text"),
        ({"question": "x", "claim": "y"}, "says no task"),
        ({"question": "x", "id": True}, "id is a text"),
        ({"question": "x", "id": ""}, "id is a text"),
        ({"question": "x", "task": "guess"}, "task is 'guess'"),
        ({"question": "x", "entities": [1]}, "entities is a list of texts"),
        ({"task": "complete", "head": "Alien"}, "a link has a relation"),
        ({"task": "ask"}, "has no question or claim"),
    ],
)
def test_a_bad_line_is_told_with_its_number(row: Any, said: str, tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", {"question": "fine"}, row)
    with pytest.raises(BatchFileError, match=f"items.jsonl:2: .*{said}"):
        list(read_items(path))


def test_the_content_of_an_item_is_not_its_id() -> None:
    assert BatchItem("a", "ask", "Who?").content == BatchItem("b", "ask", "Who?").content
    assert BatchItem("a", "ask", "Who?").content != BatchItem("a", "verify", "Who?").content


def test_parquet_rows_are_items(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

    rows = [
        {"id": i, "question": f"Who directed Film{i}?", "entities": [f"Film{i}"], "vector": [0.5]} for i in range(5)
    ]
    path = tmp_path / "items.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert list(read_items(path))[4] == BatchItem("4", "ask", "Who directed Film4?", ("Film4",))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BatchFileError, match="Parquet"):
        list(read_items(path))
