"""Graph files made to do harm, or made by somebody in a hurry: attack.md 1, 16, 24, 30."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from triplewise.errors import GraphFileError
from triplewise.kg import load_kg
from triplewise.kg.formats import rdf_child
from triplewise.kg.formats.ntriples import parse_line

XSD = "http://www.w3.org/2001/XMLSchema#"
KEPT = {
    "decimal": f'"1E999999999"^^<{XSD}decimal>',
    "integer": f'"007"^^<{XSD}integer>',
    "boolean": f'"0"^^<{XSD}boolean>',
    "date": f'"2001-02-03T04:05:06.000Z"^^<{XSD}dateTime>',
    "float": f'"1.10"^^<{XSD}double>',
}


def _processor_seconds() -> float:
    """Of this process and its children that have ended: the clock on the wall counts what others do, too."""
    return sum(os.times()[:4])


def _write(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("literal", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("suffix", ["nt", "ttl", "jsonld"])
def test_a_literal_is_what_the_file_says(tmp_path: Path, suffix: str, literal: str) -> None:
    text = f"<http://x/a> <http://x/b> {literal} .\n"
    if suffix == "jsonld":
        value, datatype = literal[1:].split('"^^<')
        text = f'{{"@id":"http://x/a","http://x/b":{{"@value":"{value}","@type":"{datatype[:-1]}"}}}}'
    before = _processor_seconds()
    (triple,) = load_kg(_write(tmp_path, f"g.{suffix}", text)).triples()
    assert triple.tail == literal and _processor_seconds() - before < 10


HEADERS = [
    "source,target,relation",
    "Target,Source,Relation",
    "from,to,type",
    ":START_ID,:END_ID,:TYPE",
    "subject_label,object_label,predicate_label",
    "node1,node2,edge",
    "head_id,tail_id,relation_id",
]


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_orders_the_columns(tmp_path: Path, header: str) -> None:
    head, tail = ("b", "a") if header.startswith("Target") else ("a", "b")
    kg = load_kg(_write(tmp_path, "g.csv", f"{header}\na,b,likes\n"))
    assert list(kg.triples()) == [(head, "likes", tail)]


@pytest.mark.parametrize("header", ["item,property,value", "Entity,Attribute,Value", "entry,field,value"])
def test_a_header_of_a_table_of_facts_is_no_triple(tmp_path: Path, header: str) -> None:
    kg = load_kg(_write(tmp_path, "g.csv", f"{header}\na,likes,b\n"))
    assert list(kg.triples()) == [("a", "likes", "b")]


@pytest.mark.parametrize("header", ["source,target,weight", "subject,year,object", "head,head,tail"])
def test_a_header_that_does_not_tell_is_refused(tmp_path: Path, header: str) -> None:
    with pytest.raises(GraphFileError, match=r"g\.csv:1: this looks like a header"):
        load_kg(_write(tmp_path, "g.csv", f"{header}\na,b,1\n"))


@pytest.mark.parametrize("line", ["car,type,object", "Alien,directed by,Ridley Scott", "a,label,b", "from,x,to"])
def test_data_is_no_header(tmp_path: Path, line: str) -> None:
    assert len(load_kg(_write(tmp_path, "g.csv", f"{line}\nx,y,z\n"))) == 2


SLOW = {
    "prefixes.ttl": "".join(f"@prefix p{i}: <http://x/{i}/> .\n" for i in range(60_000)) + "p1:a p1:b p1:c .",
    "escapes.ttl": '@prefix : <http://x/> . :a :b "' + "\\u0041" * 300_000,
    "unclosed.ttl": '@prefix : <http://x/> . :a :b """' + 'x"' * 700_000,
    "brackets.ttl": "@prefix : <http://x/> . :a :b " + "[" * 1_000_000,
    "lists.jsonld": "[" + "[],[]," * 500_000 + "[]]",
    "line.nt": '<http://x/a> <http://x/b> "' + "\\u0041" * 160_000 + '" . x',
    "quotes.nt": "<http://x/a> <http://x/b> " + '"' * 900_000 + " .",
    "dots.nt": "_:" + "a." * 450_000 + " <http://x/b> <http://x/c> .",
}


def _refused_in_time(path: Path) -> None:
    before = _processor_seconds()
    with pytest.raises(GraphFileError) as caught:
        load_kg(path)
    assert _processor_seconds() - before < 12, caught.value
    assert caught.value.hint and len(str(caught.value)) < 600


@pytest.mark.parametrize("name", SLOW)
def test_hostile_text_is_refused_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(rdf_child, "STALLED", 0.5)  # of 8 s
    _refused_in_time(_write(tmp_path, name, SLOW[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_hostile_text_is_refused_in_the_whole_time(tmp_path: Path, name: str) -> None:
    _refused_in_time(_write(tmp_path, name, SLOW[name]))


@pytest.mark.slow
def test_json_that_takes_all_memory_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path, "g.jsonld", "[" + "[[]]," * 10_000_000 + "[]]")
    with pytest.raises(GraphFileError, match=r"memory|no triple|nothing"):
        load_kg(path)


def test_ntriples_terms() -> None:
    assert parse_line("# a comment") is None
    assert parse_line('_:b1 <http://x/\\u00e9> "a\\t\\"b\\u00e9"@en-GB . # so') == (
        "_:b1",
        "http://x/é",
        '"a\t\\"bé"@en-GB',
        'a\t"bé',
        "en-GB",
    )
    assert parse_line(f'<a:b><c:d>"x"^^<{XSD}string>.') == ("a:b", "c:d", '"x"', "x", "")
    for bad in (
        "<a:b> <c:d>",
        "<a:b> _:c <d:e> .",
        '<a:b> <c:d> "\\q" .',
        '<a:b> <c:d> "\\uD800" .',
        "<a b> <c> <d> .",
    ):
        with pytest.raises(ValueError):
            parse_line(bad)


@pytest.mark.parametrize("name", ["g.jsonl", "g.ndjson"])
def test_json_lines_are_no_graph(tmp_path: Path, name: str) -> None:
    with pytest.raises(GraphFileError, match="JSON Lines"):
        load_kg(_write(tmp_path, name, '{"a": 1}\n{"a": 2}\n'))
    with pytest.raises(GraphFileError, match="no triple"):
        load_kg(_write(tmp_path, name, "\n\n"))
