"""Every format, and every kind of file that is not one: each has its own message."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from triplewise.errors import ConfigError, GraphFileError
from triplewise.kg import load_kg
from triplewise.types import Triple

TTL = """@prefix : <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:alien a :Film ; rdfs:label "Alien"@en, "Alien – Das unheimliche Wesen"@de ; skos:altLabel "Alien 1" ;
  :director :scott ; :year 1979 . :scott skos:prefLabel "Ridley Scott" . :director rdfs:label "directed by" .
"""
NT = """<http://x.org/alien> <http://x.org/director> <http://x.org/scott> .
<http://x.org/alien> <http://x.org/year> "1979"^^<http://www.w3.org/2001/XMLSchema#integer> .
<http://x.org/alien> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x.org/Film> .
<http://x.org/alien> <http://www.w3.org/2000/01/rdf-schema#label> "Alien" .
"""
JSONLD = """{"@context": {"@vocab": "http://x.org/", "name": "http://schema.org/name"}, "@id": "http://x.org/alien",
 "@type": "Film", "name": "Alien", "director": {"@id": "http://x.org/scott", "name": "Ridley Scott"}, "year": 1979}"""


def write(tmp_path: Path, name: str, content: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.tsv", "Alien\tdirected_by\tRidley Scott\n"),
        ("g.tsv", "\ufeffhead\trelation\ttail\r\nAlien\tdirected_by\tRidley Scott\r\n"),
        ("g.csv", "Alien,directed_by,Ridley Scott\n"),
        ("g.csv", "Source,Relation,Object\nAlien,directed_by,Ridley Scott\n"),
        ("g.csv", 'subject,predicate,object\n"Alien","directed_by","Ridley Scott"\n'),
        ("g.csv", "Item,Entry,Value\nAlien,directed_by,Ridley Scott\n"),
        ("g.csv", "Who,What,Value\nAlien,directed_by,Ridley Scott\n"),
        ("g.csv", "head;relation;tail\nAlien;directed_by;Ridley Scott\n"),
        ("g.csv", "Alien;directed_by;Ridley Scott\n"),
        ("g.txt", "# films\n\nAlien|directed_by|Ridley Scott\n"),
        ("g", "Alien\tdirected_by\tRidley Scott"),
    ],
)
def test_delimited(tmp_path: Path, name: str, text: str) -> None:
    assert list(load_kg(write(tmp_path, name, text)).triples()) == [Triple("Alien", "directed_by", "Ridley Scott")]


@pytest.mark.parametrize(
    ("name", "text"), [("g.ttl", TTL), ("g.jsonld", JSONLD), ("g.nt", NT), ("a.txt", TTL), ("b", NT), ("c", JSONLD)]
)
def test_rdf(tmp_path: Path, name: str, text: str) -> None:
    kg = load_kg(write(tmp_path, name, text))
    (film,) = kg.search("alien", 1)
    assert film.id == "http://x.org/alien" and kg.label(film.id) == "Alien"
    assert [t.tail for t in kg.triples(film.id, "http://x.org/director")] == ["http://x.org/scott"]
    (year,) = kg.triples(film.id, "http://x.org/year")
    assert kg.is_literal(year.tail) and kg.label(year.tail) == "1979" and year.tail not in kg.entities()
    assert kg.types(film.id) == ("http://x.org/Film",) and kg.find_type("films") == "http://x.org/Film"


def test_turtle_labels_aliases_and_relation_names(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "g.ttl", TTL))
    assert set(kg.aliases("http://x.org/alien")) == {"Alien 1", "Alien – Das unheimliche Wesen"}
    assert kg.label("http://x.org/scott") == "Ridley Scott"
    assert kg.relation_label("http://x.org/director") == "directed by"
    assert "http://x.org/Film" not in kg.entities() and "http://x.org/director" not in kg.entities()


def test_a_label_in_another_language_is_better_than_none(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "g.ttl", TTL.replace('"Alien"@en, ', "")))
    assert kg.label("http://x.org/alien") == "Alien – Das unheimliche Wesen"
    assert kg.aliases("http://x.org/alien") == ("Alien 1",)


def test_literals_keep_type_language_and_quotes(tmp_path: Path) -> None:
    text = ':a :p "say \\"no\\"", "l1\\nl2"@en, 5 .'
    kg = load_kg(write(tmp_path, "g.ttl", "@prefix : <http://x/> . " + text))
    tails = {t.tail: kg.label(t.tail) for t in kg.triples()}
    assert tails == {
        '"say \\"no\\""': 'say "no"',
        '"l1\nl2"@en': "l1 l2",
        '"5"^^<http://www.w3.org/2001/XMLSchema#integer>': "5",
    }
    assert all(kg.is_literal(t) for t in tails)


RDF_FILES = {
    "g.ttl": "@prefix : <http://x/> . :a :p [ :q :b ], ( 1 2 ) . _:n :q :c . <rel> :p <rel2> .",
    "g.jsonld": '{"@context": {"@vocab": "http://x/"}, "@graph": [{"@id": "a", "p": {"q": 1}}, {"@id": "_:z", "p": 2}]}',
    "g.nt": "_:x <http://p> _:y .\n",
}


@pytest.mark.parametrize("name", RDF_FILES)
def test_an_rdf_file_gives_the_same_graph_in_every_process_and_folder(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, RDF_FILES[name])
    code = (
        "import sys; from triplewise.kg import load_kg; k = load_kg(sys.argv[1]); print(k.content_hash, k.entities())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code, str(path)], cwd=cwd, env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed, cwd in (("1", tmp_path), ("2", Path.cwd()))
    }  # fmt: skip
    assert len(seen) == 1 and "file:" not in seen.pop()


CONTEXTS = [
    '"URL"',
    '[["URL"]]',
    '{"t": {"@id": "http://x/t", "@context": "URL"}}',
    '{"@import": "URL"}',
    '{"@context": "URL"}',
]


@pytest.mark.parametrize("context", CONTEXTS)
def test_no_remote_context_is_fetched(tmp_path: Path, context: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/c.json"
        data = f'{{"@context": {context.replace("URL", url)}, "@id": "http://x/a", "t": {{"http://x/p": 1}}}}'
        with pytest.raises(GraphFileError, match="@context lies elsewhere"):
            load_kg(write(tmp_path, "g.jsonld", data))
        assert select.select([server], [], [], 0.1)[0] == []  # nobody came


def test_a_named_graph_in_json_ld_is_read(tmp_path: Path) -> None:
    text = '{"@id": "http://g", "http://x/about": 1, "@graph": [{"@id": "http://a", "http://p": {"@id": "http://b"}}]}'
    assert Triple("http://a", "http://p", "http://b") in list(load_kg(write(tmp_path, "g.jsonld", text)).triples())


def test_meta_relations_in_tsv(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "g.tsv", 'Dune (1984)\trdfs:label\tDune\nDune (1984)\tskos:altLabel\tDer Wüstenplanet\n'
                                          'Dune (1984)\trdf:type\tFilm\nDune (1984)\trunning_time\t"137"\n'))  # fmt: skip
    assert len(kg) == 1 and kg.label("Dune (1984)") == "Dune" and kg.types("Dune (1984)") == ("Film",)
    assert [h.id for h in kg.search("der wustenplanet", 1)] == ["Dune (1984)"]
    (triple,) = kg.triples()
    assert kg.is_literal(triple.tail) and kg.label(triple.tail) == "137"


def test_a_second_label_is_an_alias_and_language_tags_are_read(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "g.tsv", 'a\trdfs:label\tOne\na\trdfs:label\tTwo\nb\trdfs:label\t"Zwei"@de\n'
                                          'b\trdf:type\t"Thing"\na\tr\tb\na\tr\t"Weird Al" Yankovic\n'))  # fmt: skip
    assert kg.label("a") == "One" and kg.aliases("a") == ("Two",)
    assert kg.label("b") == "Zwei" and kg.types("b") == ("Thing",)
    assert '"Weird Al" Yankovic' in kg.entities()


NAMED = """@prefix : <http://x/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix schema: <https://schema.org/> .
@prefix dct: <http://purl.org/dc/terms/> . @prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
@prefix dc: <http://purl.org/dc/elements/1.1/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a foaf:name "Anna Roth"@de, "Ann Roe", "Annie" ; dct:title "Dr" ; foaf:knows :b .
:b vcard:fn "B. Lee" ; dc:title "Sir" ; dct:title "Lord"@en ; foaf:knows :c .
:c schema:familyName "Okafor" ; schema:givenName "Nell" ; foaf:knows :d .
:d schema:name "Dee" ; skos:prefLabel "Dee Moss" ; rdfs:label "D" ; dct:title "Head coach" ; foaf:knows :e .
:e foaf:name :d ; foaf:givenName "Eve" ; foaf:knows :a .
"""


def test_names_of_other_vocabularies_are_labels_where_there_is_none(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "g.ttl", NAMED))
    assert [kg.label(f"http://x/{e}") for e in "abcde"] == ["Ann Roe", "Lord", "Nell Okafor", "D", "e"]
    assert kg.aliases("http://x/a")[:2] == ("Annie", "Anna Roth")
    assert kg.aliases("http://x/d")[:2] == ("Dee", "Dee Moss")
    assert [kg.label(t.tail) for t in kg.triples() if not t.relation.endswith("knows")] == [
        "Dr", "B. Lee", "Sir", "Okafor", "Nell", "Head coach", "D", "Eve",
    ]  # fmt: skip
    kg = load_kg(write(tmp_path, "g.tsv", "p1\tfoaf:name\tAnn Roe\np1\tknows\tp2\np2\tdct:title\tLady Lee\n"))
    assert [kg.label(e) for e in kg.entities()] == ["Ann Roe", "Lady Lee"] and len(kg) == 1
    with pytest.raises(GraphFileError, match="no triple"):
        load_kg(write(tmp_path, "names.tsv", "p1\tfoaf:name\tAnn Roe\n"))


WIKIDATA = """@prefix wd: <http://www.wikidata.org/entity/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> . @prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> . @prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
wd:P84 a wikibase:Property ; rdfs:label "architect"@en ; skos:altLabel "designer"@en ; rdfs:comment "who drew it" ;
  wikibase:propertyType wikibase:WikibaseItem ; wikibase:directClaim wdt:P84 ; wikibase:claim p:P84 ;
  wikibase:statementValue psv:P84 ; wikibase:qualifier pq:P84 .
wd:P6 rdfs:label "head"@en ; wikibase:directClaim wdt:P6 ; wdt:P1 wd:Q3 . wdt:P6 rdfs:label "head of state" .
wd:Q1 wdt:P84 wd:Q2 ; p:P84 wd:S1 ; wdt:P6 wd:Q2 . wd:S1 pq:P84 wd:Q2 ; psv:P84 wd:V1 .
"""


def test_relations_of_a_wikibase_have_the_labels_of_their_properties(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "g.ttl", WIKIDATA))
    assert [kg.relation_label(r) for r in kg.relation_ids()] == [
        "p1", "architect (direct)", "architect (prop)", "head of state", "architect (qualifier)", "architect (value)",
    ]  # fmt: skip
    assert len(kg) == 6 and "http://www.wikidata.org/entity/P84" not in kg.nodes()
    assert kg.label("http://www.wikidata.org/entity/P6") == "head" and not kg.instances(
        "http://wikiba.se/ontology#Property"
    )


def test_csv_cells_may_hold_line_breaks(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "g.csv", 'a,r,"two\nlines"\r\nb,r,c\n'))
    assert [t.tail for t in kg.triples()] == ["two\nlines", "c"]
    text = 'a,r,b\nx,r,"open\nc,r,d\ne,r,5" disc\n'
    with pytest.raises(GraphFileError, match=r"open.csv:2: not CSV"):
        load_kg(write(tmp_path, "open.csv", text))
    kg = load_kg(tmp_path / "open.csv", skip_bad_lines=True)
    assert [t.head for t in kg.triples()] == ["a", "c", "e"] and [line for line, _ in kg.skipped] == [2]


def test_benchmark_folder_holds_train_only(tmp_path: Path) -> None:
    write(tmp_path, "train.txt", "/m/1\t/film/director/film\t/m/2\n")
    write(tmp_path, "test.txt", "/m/2\t/film/director/film\t/m/1\n")
    write(tmp_path, "entity2text.txt", "/m/1\tRidley Scott\n/m/2\tAlien\n")
    write(tmp_path, "entity2description.txt", "/m/2\tA film of 1979.\n")
    write(tmp_path, "relation2text.txt", "/film/director/film\tdirected\n")
    kg = load_kg(tmp_path)
    assert len(kg) == 1 and kg.label("/m/2") == "Alien" and kg.description("/m/2") == "A film of 1979."
    assert kg.relation_label("/film/director/film") == "directed"


HOSTILE = [
    ("empty.tsv", b"", "empty"),
    ("blank.tsv", b"\n\n# only this\n", "no triple"),
    ("binary.tsv", b"\x89PNG\0\0\0\0", "binary"),
    ("binary", bytes(range(256)), "binary"),
    ("columns.tsv", b"a\tr\tb\na\tb\n", "columns.tsv:2: 2 columns"),
    ("hole.tsv", b"a\tr\tb\na\t\tb\n", "hole.tsv:2: column 2 is empty"),
    ("latin.tsv", b"a\tr\tb\nz\tr\t\xe9t\xe9\n", "latin.tsv:2: byte 5 is not UTF-8"),
    ("nul.tsv", b"a\tr\tb\na\tr\t\0\n", "nul.tsv:2"),
    ("quote.csv", b'a,r,b\n"a,r,b\n', "quote.csv:2: not CSV"),
    ("bad.ttl", b"@prefix : <http://x/> .\n:a :b ", "bad.ttl:2: not turtle: "),
    (
        "dot.ttl",
        b"@prefix : <http://x/> .\n:a :b :c\n:d :e",
        "dot.ttl:3: not turtle: expected '.' or '}' or ']' at end of",
    ),
    ("bad.nt", b"<http://x/a> <http://x/b> <http://x/c> .\n<a> nonsense\n", "bad.nt:2: not N-Triples"),
    ("bad.jsonld", b'{"@id": ', "not JSON"),
    ("deep.jsonld", b"[" * 100_000, "not JSON"),
    ("remote.jsonld", b'{"@context": "http://127.0.0.1:9/c.json", "@id": "a"}', "@context lies elsewhere"),
    ("utf16.tsv", "a\tr\tb\n".encode("utf-16"), "UTF-16"),
    ("packed.tsv.gz", b"\x1f\x8b\x08\x00", "gzip"),
    ("packed.tsv", b"PK\x03\x04", "zip"),
    ("binary.ttl", b'<http://a> <http://b> "\0" .', "binary"),
    ("latin.ttl", b'<http://a> <http://b> "\xe9" .', "byte 24 is not UTF-8"),
    ("escape.nt", b"<a> \x1b[31m nonsense\n", "\\x1b[31m"),
    ("commas.tsv", b"a,r,b\n", "commas.tsv:1: 1 column instead of 3 (head, relation, tail). The line looks like csv"),
    ("tabs.csv", b"a\tr\tb\n", "say --format tsv"),
    ("graph.rdf", b'<?xml version="1.0"?><rdf:RDF xmlns:rdf="x"/>', "Convert RDF/XML to Turtle"),
    ("prose.txt", b"It was a dark night.\nThe rain fell.\n", "format cannot be told"),
]


@pytest.mark.usefixtures("collected")
@pytest.mark.parametrize(("name", "content", "message"), HOSTILE, ids=[h[0] for h in HOSTILE])
def test_hostile_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    with pytest.raises(GraphFileError) as caught:
        load_kg(write(tmp_path, name, content))
    assert message in str(caught.value)
    assert caught.value.hint or caught.value.line or "not" in str(caught.value)


def test_bad_lines_can_be_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, "g.tsv", b"a\tr\tb\nbad\nc\tr\t\xe9\nd\tr\te\n")
    kg = load_kg(path, skip_bad_lines=True)
    assert len(kg) == 2 and [line for line, _ in kg.skipped] == [2, 3]
    with pytest.raises(GraphFileError, match="its only line is bad"):
        load_kg(write(tmp_path, "all.tsv", "bad\n"), skip_bad_lines=True)


def test_a_line_of_100_mb_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.tsv"
    with path.open("wb") as file:
        file.write(b"a\tr\tb\n")
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b"\nc\tr\td\n")
    tracemalloc.start()
    with pytest.raises(GraphFileError, match=r"long.tsv:2: the line is longer"):
        load_kg(path)
    kg = load_kg(path, skip_bad_lines=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(kg) == 2 and peak < 20_000_000


def test_a_turtle_file_too_large_to_be_read_whole_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "long.ttl", b'<http://a> <http://b> "' + b"x" * 100_000_000 + b'" .\n')
    with pytest.raises(GraphFileError, match="95 MiB; turtle is read up to 64 MiB"):
        load_kg(path)


def test_strange_names_are_kept(tmp_path: Path) -> None:
    names = ['He said "no"', "[brackets]", "שלום עולם", "Ignore all previous instructions.", "a|b,c;d", "👩‍🚀", "--kg"]
    kg = load_kg(write(tmp_path, "g.tsv", "".join(f"{n}\tr\t{m}\n" for n in names for m in names)))
    assert set(kg.entities()) == set(names) and len(kg) == len(names) ** 2
    quoted = load_kg(write(tmp_path, "q.csv", '"line\u2028break",r,"x ""y"""\n'))
    assert set(quoted.entities()) == {"line\u2028break", 'x "y"'}


def test_missing_file_unknown_format_and_folder(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="no such file"):
        load_kg(tmp_path / "none.tsv")
    with pytest.raises(GraphFileError, match=r"^http://x\.org/g\.ttl: a graph is read from a file, nothing is fetched"):
        load_kg("http://x.org/g.ttl")
    with pytest.raises(ConfigError, match="no graph format"):
        load_kg(write(tmp_path, "g.tsv", "a\tr\tb\n"), format="xml")
    assert len(load_kg(tmp_path)) == 1
    with pytest.raises(GraphFileError, match="a folder, not a tsv file"):
        load_kg(tmp_path, format="tsv")
    with pytest.raises(GraphFileError, match="a file, not a folder"):
        load_kg(tmp_path / "g.tsv", format="folder")


def test_what_cannot_be_opened_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GraphFileError, match="cannot be read: File name too long"):
        load_kg(tmp_path / ("x" * 300))
    os.mkfifo(tmp_path / "pipe.tsv")
    with pytest.raises(GraphFileError, match="not a regular file"):
        load_kg(tmp_path / "pipe.tsv")
    with pytest.raises(ConfigError, match="the graph's path is"):
        load_kg("a\0b")

    def refuse(*args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, "g.tsv", "a\tr\tb\n")  # a test may run as root, for whom nothing is forbidden
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(GraphFileError, match="cannot be read: Permission denied"):
        load_kg(path)


def test_a_bad_line_beside_train_names_its_file(tmp_path: Path) -> None:
    write(tmp_path, "train.txt", "a\tr\tb\n")
    write(tmp_path, "entity2text.txt", b"a\t\xff\n")
    with pytest.raises(GraphFileError, match=r"entity2text\.txt:1: byte 3"):
        load_kg(tmp_path)


def test_an_unchanged_file_is_loaded_once(tmp_path: Path) -> None:
    path = write(tmp_path, "g.tsv", "a\tr\tb\n")
    assert load_kg(path) is load_kg(path)
    first = load_kg(path)
    path.write_text("a\tr\tb\na\tr\tc\n")
    assert load_kg(path) is not first and len(load_kg(path)) == 2
    assert load_kg(path, skip_bad_lines=True) is not load_kg(path)
    folder = tmp_path / "set"
    folder.mkdir()
    write(folder, "train.txt", "a\tr\tb\n")
    assert len(load_kg(folder)) == 1
    write(folder, "train.txt", "a\tr\tb\na\tr\tc\n")
    assert len(load_kg(folder)) == 2


def test_metaqa(data_dir) -> None:
    assert len(load_kg(data_dir("metaqa") / "kb.txt")) == 133_582
