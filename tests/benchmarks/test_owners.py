"""The graphs that owners ask of: each loads, and what is wanted of it stands in it."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from triplewise.kg import load_kg
from triplewise.kg.query.reckon import is_number
from triplewise.train.query_graph.asked import as_compared

OWNERS = Path(__file__).parents[2] / "benchmarks" / "owners"
GRAPHS = sorted(path.name for path in OWNERS.iterdir() if path.is_dir())
VERDICTS = {"supported", "refuted", "not_enough_evidence"}


def test_there_are_a_hundred_and_fifteen() -> None:
    assert len(GRAPHS) == 115


@pytest.mark.parametrize("name", GRAPHS)
def test_what_is_wanted_stands_in_the_graph(name: str) -> None:
    folder = OWNERS / name
    (graph,) = folder.glob("graph*")
    kg = load_kg(graph)
    labels = {as_compared(kg.label(node)) for node in kg.nodes()}

    def rows(file: str) -> list[dict[str, list[str]]]:
        return [json.loads(line) for line in (folder / file).read_text(encoding="utf-8").splitlines()]

    questions, claims = (rows(f"{kind}.jsonl") for kind in ("questions", "claims"))
    more = rows("more.jsonl") if (folder / "more.jsonl").is_file() else []
    chats = [rows(path.name) for path in folder.glob("chat*.jsonl")]
    turns = [len(chat) for chat in chats]
    talks = turns == [9] * 6  # the newest have more conversations, and fewer questions
    assert talks or turns in ([10], [9, 9, 9])
    assert (len(questions), len(claims)) in ([(20, 8)] if talks else [(29, 10), (30, 10)]) and len(more) in (0, 40)
    assert all(claim["verdict"] in VERDICTS for claim in claims)
    wanted = [a for item in chain(questions, more, *chats) for a in item["answers"] if a not in VERDICTS]
    assert not [a for a in wanted if as_compared(a) not in labels and not is_number(a)]
