"""The results' file: whatever a kill leaves of it, each item is in it once, and another run's are not mixed in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.errors import ConfigError
from triplewise.evals.runs.stale import StaleRunError
from triplewise.interfaces.batch.items import BatchFileError, BatchItem
from triplewise.interfaces.batch.results import Results

BASIS = {"graph": "abc", "flags": {"top_k": 3}}
ITEMS = [BatchItem(f"q{i}", "ask", f"Wer führt Film{i}?") for i in range(4)]
OK = {"status": "ok", "text": "Jürgen \u2028 Ö"}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    path = tmp_path / "out.jsonl"
    with Results(path, BASIS) as results:
        results.append([(ITEMS[0], OK), (ITEMS[1], {"status": "error", "error": {"type": "X"}})])
        results.append([(ITEMS[2], OK)])
    return path


def ids(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().split("\n")[:-1]]


def test_a_last_line_cut_at_any_byte_is_done_again(out: Path) -> None:
    whole = out.read_bytes()
    start = whole[:-1].rindex(b"\n") + 1
    for cut in range(start, len(whole)):
        out.write_bytes(whole[:cut])
        with Results(out, BASIS) as results:
            assert [results.has(item) for item in ITEMS] == [True, True, False, False]
            results.append([(ITEMS[2], OK)])
        assert out.read_bytes() == whole


def test_damage_elsewhere_and_an_item_twice_are_told(out: Path) -> None:
    whole = out.read_bytes()
    out.write_bytes(whole.replace(b'"status"', b'"sta\n', 1))
    with pytest.raises(BatchFileError, match=r"out\.jsonl:1"):
        Results(out, BASIS)
    out.write_bytes(whole * 2)
    with pytest.raises(BatchFileError, match="in it twice"):
        Results(out, BASIS)
    out.write_bytes(whole)
    with Results(out, BASIS) as results, pytest.raises(AssertionError):
        results.append([(ITEMS[0], OK)])


def test_results_of_another_basis_or_item_are_not_mixed(out: Path) -> None:
    with pytest.raises(StaleRunError, match="changed since: graph"):
        Results(out, {**BASIS, "graph": "other"})
    with Results(out, BASIS) as results, pytest.raises(StaleRunError, match="'q0' is not what it was"):
        results.has(BatchItem("q0", "ask", "Someone else?"))
    with Results(out, {"graph": "other"}, force=True) as results:
        assert len(results) == 0 and out.read_bytes() == b""


def test_errors_can_be_tried_again(out: Path) -> None:
    with Results(out, BASIS) as results:
        assert results.errors == 1
    with Results(out, BASIS, retry_errors=True) as results:
        assert (results.errors, results.has(ITEMS[1]), len(results)) == (0, False, 2)
        results.append([(ITEMS[1], OK)])
    assert ids(out) == ["q0", "q2", "q1"]


def test_one_process_at_a_time_and_no_foreign_file(out: Path, tmp_path: Path) -> None:
    with Results(out, BASIS), pytest.raises(ConfigError, match="in use"):
        Results(out, BASIS)
    foreign = tmp_path / "thesis.txt"
    foreign.write_text("years of work")
    with pytest.raises(ConfigError, match="no output of this command"):
        Results(foreign, BASIS)
    assert foreign.read_text() == "years of work"
