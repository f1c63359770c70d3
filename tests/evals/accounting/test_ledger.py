"""A ledger survives a cut at every byte and finds every changed bit."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from triplewise.evals.accounting.ledger import Ledger, LedgerError, read_ledger

RECORDS = [{"id": f"item {i}", "tokens": i, "text": "é\n\u2028 …"} for i in range(6)]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "spend.jsonl"
    with Ledger(path) as ledger:
        for record in RECORDS:
            ledger.append(record)
    return path


def test_round_trip_and_append(written: Path) -> None:
    assert read_ledger(written) == RECORDS
    with Ledger(written) as ledger:
        assert ledger.records == RECORDS
        ledger.append({"more": 1})
    assert read_ledger(written) == [*RECORDS, {"more": 1}]


def test_cut_at_every_byte_of_the_last_record(written: Path) -> None:
    data = written.read_bytes()
    last = data.rindex(b"\n", 0, -1) + 1
    for end in range(last, len(data)):
        written.write_bytes(data[:end])
        assert read_ledger(written) == RECORDS[:-1]
        with Ledger(written) as ledger:
            assert ledger.dropped == end - last
            ledger.append(RECORDS[-1])
        assert written.read_bytes() == data


def test_a_thousand_bit_flips(written: Path) -> None:
    data = written.read_bytes()
    rng = random.Random(0)
    for _ in range(1000):
        position, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
        written.write_bytes(data[:position] + bytes([data[position] ^ bit]) + data[position + 1 :])
        if position == len(data) - 1:  # the final newline: a cut tail
            assert read_ledger(written) == RECORDS[:-1]
            continue
        with pytest.raises(LedgerError):
            read_ledger(written)


@pytest.mark.parametrize("change", ["lost", "doubled", "swapped"])
def test_lines_moved(written: Path, change: str) -> None:
    lines = written.read_bytes().splitlines(keepends=True)
    changed = {
        "lost": lines[:2] + lines[3:],
        "doubled": lines[:3] + lines[2:],
        "swapped": [lines[0], lines[2], lines[1], *lines[3:]],
    }[change]
    written.write_bytes(b"".join(changed))
    with pytest.raises(LedgerError, match=r"spend\.jsonl:3|spend\.jsonl:2|spend\.jsonl:4"):
        Ledger(written)


RACER = """
import sys
from triplewise.evals.accounting.ledger import Ledger, LedgerError
print("ready", flush=True)
for path in sys.stdin:
    try:
        ledger = Ledger(path.strip())
        ledger.append({"owner": 1})
        print("won", flush=True)
    except LedgerError:
        ledger = None
        print("lost", flush=True)
    sys.stdin.readline()
    if ledger:
        ledger.close()
    print("let go", flush=True)
"""


def test_one_owner_in_fifty_races(tmp_path: Path) -> None:
    racers = [
        subprocess.Popen([sys.executable, "-c", RACER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]

    def say(what: object) -> None:
        for racer in racers:
            assert racer.stdin
            racer.stdin.write(f"{what}\n")
            racer.stdin.flush()

    def heard() -> list[str]:
        return sorted(racer.stdout.readline().strip() for racer in racers if racer.stdout)

    assert heard() == ["ready"] * 3
    for race in range(50):
        path = tmp_path / f"{race}.jsonl"
        say(path)
        assert heard() == ["lost", "lost", "won"]
        say("done")
        assert heard() == ["let go"] * 3
        assert len(read_ledger(path)) == 1
    for racer in racers:
        racer.communicate(timeout=60)
