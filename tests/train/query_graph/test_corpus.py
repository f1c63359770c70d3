"""The corpus: every query of every domain gives the answers that its item says, and what is wrong is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.errors import GraphFileError
from triplewise.train.query_graph.corpus import DEVELOPMENT, Domain, check, domain_names, main

CORPUS = Path(__file__).resolve().parents[3] / "corpus"
DOMAINS = [CORPUS / name for name in domain_names(CORPUS)]


def test_there_are_124_domains_of_which_8_are_never_trained_on() -> None:
    assert len(DOMAINS) == 124 and set(DEVELOPMENT) < {p.name for p in DOMAINS} and len(DEVELOPMENT) == 8


@pytest.mark.parametrize("folder", DOMAINS, ids=lambda p: p.name)
def test_every_query_gives_the_answers_of_its_item(folder: Path) -> None:
    assert check(Domain(folder)) == []


def domain(folder: Path, answers: list[str], query: dict[str, object]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "graph.tsv").write_text("Otter\tbased at\tUfer\nEagle\tbased at\tUfer\n", encoding="utf-8")
    row = {"id": "q1", "question": "What is based at Ufer?", "answers": answers, "kind": "one-hop", "voice": "plain"}
    (folder / "questions.jsonl").write_text(json.dumps({**row, "query": query}) + "\n", encoding="utf-8")
    for name in ("claims.jsonl", "conversations.jsonl"):
        (folder / name).write_text("", encoding="utf-8")
    return folder


QUERY = {"select": "?x", "where": [["?x", "based at", "Ufer"]]}


def test_a_wrong_answer_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = domain(tmp_path / "quay", ["Otter"], QUERY)
    (problem,) = check(Domain(folder))
    assert problem == "quay/q1: the graph gives ['Eagle', 'Otter'], the item says ['Otter']"
    assert main([str(tmp_path)]) == 1
    domain(tmp_path / "quay", ["Otter", "Eagle"], QUERY)
    capsys.readouterr()
    assert main([str(folder)]) == 0
    assert capsys.readouterr().out == "ok: 1 domains, 1 items\n"


def test_a_line_that_is_no_json_is_told(tmp_path: Path) -> None:
    folder = domain(tmp_path / "quay", [], QUERY)
    (folder / "questions.jsonl").write_text("{}\n{'id'", encoding="utf-8")
    with pytest.raises((GraphFileError, KeyError)):
        list(Domain(folder).items())


def test_domains_are_listed_by_name(tmp_path: Path) -> None:
    for name in ("quay", "attic"):
        domain(tmp_path / name, [], QUERY)
    (tmp_path / "notes").mkdir()
    assert domain_names(tmp_path) == ["attic", "quay"]


def test_a_folder_without_a_graph_is_told(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="no graph file"):
        Domain(tmp_path)


def test_a_wrong_label_is_told(tmp_path: Path) -> None:
    folder = domain(tmp_path / "quay", ["Otter", "Eagle"], QUERY)
    rows = [
        {
            "id": "c1",
            "claim": "Otter is at Ufer.",
            "label": "refuted",
            "query": {"ask": "some", "where": [["Otter", "based at", "Ufer"]]},
        },
        {
            "id": "c2",
            "claim": "Nothing is at Wald.",
            "label": "not_enough_evidence",
            "query": {"ask": "none", "where": [["?x", "based at", "Wald"]]},
        },
        {
            "id": "c3",
            "claim": "Otter is at Wald.",
            "label": "supported",
            "query": {"ask": "some", "where": [["Otter", "based at", "Wald"]]},
        },
    ]
    lines = [json.dumps({**row, "found": "present", "kind": "one-hop", "voice": "plain"}) for row in rows]
    (folder / "claims.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert check(Domain(folder)) == [
        "quay/c1: the graph says that it holds, the item says refuted",
        "quay/c3: the graph says that it does not hold, the item says supported",
    ]


def test_rewordings_are_items_in_other_words(tmp_path: Path) -> None:
    folder = domain(tmp_path / "quay", ["Otter", "Eagle"], QUERY)
    assert list(Domain(folder).rewordings()) == []
    (folder / "rewordings.tsv").write_text("q1\tWho's moored at Ufer?\nq1\tUfer, what lies there?\n", encoding="utf-8")
    read = Domain(folder)
    (own,), said = list(read.items()), list(read.rewordings())
    assert [i.text for i in said] == ["Who's moored at Ufer?", "Ufer, what lies there?"]
    assert {i.query for i in said} == {own.query} and {i.answers for i in said} == {own.answers}
    assert check(read) == []


@pytest.mark.parametrize("line", ["q9\tWho is moored there?", "q1\t ", "q1 Who is moored there?"])
def test_a_rewording_of_nothing_is_told(tmp_path: Path, line: str) -> None:
    folder = domain(tmp_path / "quay", ["Otter", "Eagle"], QUERY)
    (folder / "rewordings.tsv").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(GraphFileError, match=r"rewordings.tsv:1: no sentence"):
        check(Domain(folder))
