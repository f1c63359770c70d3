"""Loaders of the public layouts, an item's identity, and errors that say what is missing."""

from __future__ import annotations

import json
import os
import pickle  # noqa: TID251 - writes the published form, and a hostile one
from pathlib import Path

import pytest

from triplewise.evals.data.datasets import LOADERS, json_lines, load_dataset
from triplewise.evals.data.items import DatasetError, Item
from triplewise.evals.runs.answer import note_of, store_of


def lines(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_identity_is_content() -> None:
    item = Item("ask", "who?", ("Ann",), entities=("E",))
    assert item.id == Item("ask", "who?", ("Ann",), entities=("E",)).id
    others = [
        Item("ask", "who", ("Ann",), entities=("E",)),
        Item("ask", "who?", ("Ann", "Bob"), entities=("E",)),
        Item("ask", "who?", ("Ann",)),
        Item("verify", "who?", ("Ann",), entities=("E",)),
        Item("ask", "who?", ("Ann",), entities=("E",), occurrence=1),
    ]
    assert len({item.id, *(o.id for o in others)}) == 6


def test_equal_items_stay_apart(tmp_path: Path) -> None:
    row = {"question": "who?", "answers": ["Ann"]}
    data = load_dataset("own", lines(tmp_path / "q.jsonl", row, row))
    assert [i.occurrence for i in data.items] == [0, 1]
    assert data.items[0].id != data.items[1].id


def test_one_changed_item_changes_the_hash(tmp_path: Path) -> None:
    rows = [{"question": f"q{i}?", "answers": ["Ann"]} for i in range(5)]
    before = load_dataset("own", lines(tmp_path / "a.jsonl", *rows))
    rows[3]["answers"] = ["Bob"]
    after = load_dataset("own", lines(tmp_path / "b.jsonl", *rows))
    assert before.content_hash != after.content_hash
    assert [a.id == b.id for a, b in zip(before.items, after.items, strict=True)] == [True] * 3 + [False, True]


def test_metaqa_layout(tmp_path: Path) -> None:
    folder = tmp_path / "2-hop"
    (folder / "vanilla").mkdir(parents=True)
    (folder / "vanilla/qa_dev.txt").write_text("which films share a director with [M [1]]\tB|A|B\n")
    (folder / "qa_dev_qtype.txt").write_text("movie_to_director_to_movie\n")
    (item,) = load_dataset("metaqa-2", tmp_path).items
    assert item.entities == ("M [1]",)
    assert item.answers == ("A", "B")
    assert item.path == ("directed_by", "directed_by")


def test_factkg_pickle_and_lines_agree(tmp_path: Path) -> None:
    gold = {"A": [["~network", "editor"], ["network"]]}
    raw = {"A claim.": {"Label": [True], "Entity_set": ["A"], "types": ["written", "num1"], "Evidence": gold}}
    (tmp_path / "p").mkdir()
    (tmp_path / "p/factkg_dev.pickle").write_bytes(pickle.dumps(raw))
    row = {"claim": "A claim.", "label": True, "entity_set": ["A"], "types": ["num1", "written"]}
    lines(tmp_path / "j/dev.jsonl", row | {"evidence_gold_relations": gold})
    one, two = load_dataset("factkg", tmp_path / "p"), load_dataset("factkg", tmp_path / "j")
    assert one.items == two.items
    assert one.items[0].label is True
    assert one.items[0].path == ("editor", "network")
    for bad in (["r"], {"A": "r"}, {"A": [[1]]}):
        lines(tmp_path / "b/dev.jsonl", row | {"evidence_gold_relations": bad})
        with pytest.raises(DatasetError, match=r"gold evidence|list of texts"):
            load_dataset("factkg", tmp_path / "b")


class Hostile:
    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.target}",)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_hostile_pickle_runs_nothing(tmp_path: Path, protocol: int) -> None:
    marker = tmp_path / "ran"
    (tmp_path / "factkg_dev.pickle").write_bytes(pickle.dumps({"c": Hostile(marker)}, protocol))
    with pytest.raises(DatasetError, match="only plain containers"):
        load_dataset("factkg", tmp_path)
    assert not marker.exists()


@pytest.mark.parametrize("content", [b"", b"\x80\x04", b"garbage", pickle.dumps([1]), pickle.dumps({"c": 1})])
def test_broken_pickle(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "factkg_dev.pickle").write_bytes(content)
    with pytest.raises(DatasetError):
        load_dataset("factkg", tmp_path)


def _doubled(start: bytes, twice: bytes) -> bytes:
    """Opcodes of a value, and 40 times of a container that holds the one before twice: 400 bytes for 10¹² parts."""
    steps = (b"0" + twice.replace(b"?", b"h" + bytes([i])) + b"q" + bytes([i + 1]) for i in range(40))
    return start + b"q\0" + b"".join(steps)


BOMBS = {
    "repr": b"\x80\x02}U\1c}U\5Label\x88sU\nEntity_set" + _doubled(b"]", b"](??e") + b"ss.",
    "hash": b"\x80\x02}" + _doubled(b")", b"??\x86") + b"Ns.",
    "memo": b"\x80\x02}r\xff\xff\xff\x7f.",
    "deep": b"\x80\x02}U\1c" + b"(" * 200_000 + b"t" * 200_000 + b"s.",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_pickle_that_is_a_bomb(tmp_path: Path, name: str) -> None:
    (tmp_path / "factkg_dev.pickle").write_bytes(BOMBS[name])
    with pytest.raises(DatasetError) as caught:
        load_dataset("factkg", tmp_path)
    assert len(str(caught.value)) < 400


def test_rog_layout(tmp_path: Path) -> None:
    row = {"question": "q", "answer": ["B", "A"], "q_entity": ["T"], "graph": [["T", "r", "A"], ["T", "r", "B"]]}
    lines(tmp_path / "test.jsonl", row, row)
    data = load_dataset("webqsp", tmp_path, "test")
    assert [tuple(t) for t in data.triples] == [("T", "r", "A"), ("T", "r", "B")]
    assert data.items[0].answers == ("A", "B")


def test_rog_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pa.table({"question": ["q"], "answer": [["A"]], "q_entity": [["T"]], "graph": [[["T", "r", "A"]]]})
    (tmp_path / "data").mkdir()
    parquet.write_table(table, tmp_path / "data/test-00000-of-00001-x.parquet")
    data = load_dataset("cwq", tmp_path, "test")
    assert data.items[0].entities == ("T",)
    assert len(data.triples) == 1


def test_nsm_layout(tmp_path: Path) -> None:
    (tmp_path / "entities.txt").write_text("m.0\nm.1\n")
    (tmp_path / "relations.txt").write_text("r.0\n")
    row = {"question": "q", "entities": [0], "answers": [{"kb_id": "m.1", "text": "One"}]}
    lines(tmp_path / "test_simple.json", row | {"subgraph": {"tuples": [[0, 0, 1]], "entities": [0, 1]}})
    data = load_dataset("webqsp", tmp_path, "test")
    assert data.items[0].entities == ("m.0",)
    assert data.items[0].answers == ("m.1",)
    assert tuple(data.triples[0]) == ("m.0", "r.0", "m.1")


def test_own_lines(tmp_path: Path) -> None:
    (tmp_path / "kg.tsv").write_text("A\tr\tB\n")
    rows = [
        {"question": "q", "answers": ["B"], "entities": ["A"]},
        {"claim": "c", "label": False, "entities": ["A"]},
        {"head": "A", "relation": "r", "tail": "B"},
    ]
    data = load_dataset("mine", lines(tmp_path / "mine.jsonl", *rows))
    assert [i.task for i in data.items] == ["ask", "verify", "complete"]
    assert data.items[1].entities == ("A",)
    assert data.graph == tmp_path / "kg.tsv"


@pytest.mark.parametrize(
    "row",
    [{"x": 1}, [1], {"question": 1, "answers": []}, {"claim": "c", "label": "yes"}, {"question": "q", "answers": "A"}],
)
def test_bad_line_is_named(tmp_path: Path, row: object) -> None:
    with pytest.raises(DatasetError, match="jsonl:1:"):
        load_dataset("own", lines(tmp_path / "bad.jsonl", row))


@pytest.mark.parametrize("name", LOADERS)
def test_missing_folder_says_where_to_get_it(tmp_path: Path, name: str) -> None:
    with pytest.raises(DatasetError, match=r"Get it from https://.*expected files"):
        load_dataset(name, tmp_path / "nothing")


def test_unknown_name(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="Known: metaqa-1"):
        load_dataset("nope", tmp_path)


@pytest.mark.parametrize(
    ("name", "folder", "n"),
    [
        ("metaqa-1", "metaqa", 2998), ("metaqa-2", "metaqa", 4462), ("metaqa-3", "metaqa", 4283),
        ("factkg", "factkg", 3980), ("webqsp", "webqsp", 814), ("cwq", "cwq", 1765),
        ("fb15k-237", "fb15k-237", 8767), ("wn18rr", "wn18rr", 1517),
    ],
)  # fmt: skip
def test_real_data(data_dir, name: str, folder: str, n: int) -> None:
    data = load_dataset(name, data_dir(folder))
    assert len(data.items) == n == len({i.id for i in data.items})
    assert data.graph is not None and data.graph.exists()


@pytest.mark.parametrize(
    ("name", "folder", "lost"), [("factkg", "factkg", 18), ("webqsp", "webqsp", 0), ("cwq", "cwq", 0)]
)
def test_real_graphs_load_without_their_odd_lines(data_dir, name: str, folder: str, lost: int) -> None:
    data = load_dataset(name, data_dir(folder))
    kg = store_of(data)
    assert len(kg.skipped) == lost
    assert (f"{lost} lines of the graph are no triple" in note_of(data, kg)) == bool(lost)
    assert sum(any(kg.has_entity(e) for e in item.entities) for item in data.items) > len(data.items) / 2
    assert all(item.text.strip() for item in data.items)


def test_ones_own_file_of_json_lines(tmp_path: Path) -> None:
    """An editor's mark at its beginning is no part of the first line."""
    (tmp_path / "mine.jsonl").write_text('{"question": "who?", "answers": ["x"]}\n', encoding="utf-8-sig")
    assert len(load_dataset("mine", tmp_path / "mine.jsonl").items) == 1
    (tmp_path / "binary.jsonl").write_bytes(b"\x94")
    with pytest.raises(DatasetError, match=r"binary\.jsonl is no UTF-8 text: byte 1"):
        list(json_lines(tmp_path / "binary.jsonl"))
    with pytest.raises(DatasetError, match="cannot be read: Is a directory"):
        list(json_lines(tmp_path))
    with pytest.raises(DatasetError, match=r"none\.jsonl is not there\. Name a file of JSON lines"):
        list(json_lines(tmp_path / "none.jsonl"))
