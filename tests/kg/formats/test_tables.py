"""Tables as graphs: which files are tables, what their rows and cells become, and what is told of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.errors import GraphFileError
from triplewise.kg import load_kg
from triplewise.kg.stores.importer import import_graph
from triplewise.kg.stores.oxigraph import OxigraphStore
from triplewise.types import Triple

STAFF = """Name;Team;Joined;Boss
Mia Kern;Platform;2019-04-01;Jon Adler
Jon Adler;Platform;2015-01-10;
Tom Ruiz;"Sales; South";2021-09-15;Jon Adler
"""
TRIPLES = {
    ("Mia Kern", "Team", "Platform"),
    ("Mia Kern", "Joined", "2019-04-01"),
    ("Mia Kern", "Boss", "Jon Adler"),
    ("Jon Adler", "Team", "Platform"),
    ("Jon Adler", "Joined", "2015-01-10"),
    ("Tom Ruiz", "Team", "Sales; South"),
    ("Tom Ruiz", "Joined", "2021-09-15"),
    ("Tom Ruiz", "Boss", "Jon Adler"),
}
BY_NUMBER = """ship_id,name,berths,home,sister_id
1,MS Löwe,3,Ufer,3
2,Sea Eagle,2,Wald,
3,MS Tiger,1,Ufer,1
"""


def write(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("staff.csv", STAFF),
        ("staff.csv", "\ufeff" + STAFF.replace("\n", "\r\n")),
        ("staff.csv", STAFF.replace("; South", "# South").replace(";", ",").replace("# South", "; South")),
        ("staff.tsv", STAFF.replace('"Sales; South"', "Sales# South").replace(";", "\t").replace("#", ";")),
        ("staff", STAFF),
        ("staff.txt", STAFF),
    ],
    ids=["semicolons", "excel", "commas", "tabs", "no suffix", "txt"],
)
def test_each_row_is_a_thing_and_each_column_a_relation(tmp_path: Path, name: str, text: str) -> None:
    assert set(load_kg(write(tmp_path, name, text)).triples()) == {Triple(*t) for t in TRIPLES}


@pytest.mark.parametrize("first", ["name", "Title", "ship_id", "Ship name"])
def test_three_columns_are_a_table_where_the_first_is_headed_as_names(tmp_path: Path, first: str) -> None:
    kg = load_kg(write(tmp_path, "ships.csv", f"{first},home,berths\nLöwe,Ufer,3\nTiger,Wald,1\n"))
    assert Triple("Löwe", "home", "Ufer") in set(kg.triples()) and kg.relations("Tiger")


@pytest.mark.parametrize("first", ["No", "NO", "No."])
def test_a_header_that_says_number_is_no_answer(tmp_path: Path, first: str) -> None:
    kg = load_kg(
        write(
            tmp_path,
            "residents.csv",
            f"{first},Name,Room,Wheelchair\nR01,Doris Pett,Bluebell,no\nR02,Art Lind,Thistle,yes\n",
        )
    )
    assert ("R01", "Wheelchair", "no") in {(t.head, t.relation, t.tail) for t in kg.triples()}
    assert kg.label("R01") == "Doris Pett"


@pytest.mark.parametrize("header", ["", "id,relation,value\n", "ship,home,port\n"])
def test_other_lines_of_three_columns_are_triples(tmp_path: Path, header: str) -> None:
    kg = load_kg(write(tmp_path, "ships.csv", f"{header}Löwe,home,Ufer\nTiger,home,Wald\n"))
    assert Triple("Löwe", "home", "Ufer") in set(kg.triples())


def test_numbers_of_rows_are_not_values(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "ships.csv", BY_NUMBER))
    assert kg.label("1") == "MS Löwe" and kg.types("1") == ("ship",)
    assert list(kg.triples(head="1", relation="sister_id")) == [Triple("1", "sister_id", "3")]
    assert [t.tail for t in kg.triples(head="1", relation="berths")] == ['"3"']


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("Ship", ("Ship",)),
        ("Ship name", ("Ship",)),
        ("shipId", ("ship",)),
        ("id", ("ship",)),
        ("", ("ship",)),
        ("Piano", ("Piano",)),
    ],
)
def test_the_first_header_is_the_class(tmp_path: Path, header: str, kind: tuple[str, ...]) -> None:
    kg = load_kg(write(tmp_path, "ships.csv", BY_NUMBER.replace("ship_id", header)))
    assert kg.types("1") == kind


def test_a_name_in_another_column_is_the_row_of_that_name(tmp_path: Path) -> None:
    text = "nr,name,since,chief\n7,Ada,2001,\n8,Bo,2004,Ada\n9,Bo,2010,Bo\n"
    kg = load_kg(write(tmp_path, "staff.csv", text))
    assert [t.tail for t in kg.triples(head="8", relation="chief")] == ["7"]
    assert [t.tail for t in kg.triples(head="9", relation="chief")] == ["Bo"]  # two are called so
    assert not kg.types("7")


def test_two_or_three_columns_are_a_table_where_that_is_said(tmp_path: Path) -> None:
    path = write(tmp_path, "capital.csv", "Country,Capital,Since\nNorway,Oslo,1814\n")
    kg = load_kg(path, format="table")
    assert {tuple(t) for t in kg.triples()} == {("Norway", "Capital", "Oslo"), ("Norway", "Since", "1814")}
    assert kg.types("Norway") == ("Country",)
    assert len(load_kg(path)) == 2  # else they are two triples


def test_a_question_is_answered_over_a_table(tmp_path: Path) -> None:
    from triplewise.tools.query_graph.ranker import Reader

    best = Reader(load_kg(write(tmp_path, "staff.csv", STAFF))).rank("Who is Mia Kern's boss?").readings[0]
    assert best.draft.answers == {"Jon Adler"}


def test_it_is_imported_to_disk_too(tmp_path: Path) -> None:
    import_graph(write(tmp_path, "staff.csv", STAFF), tmp_path / "store")
    store = OxigraphStore(tmp_path / "store")
    assert {(t.head, t.relation, t.tail) for t in store.triples()} == TRIPLES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,r,b,c\nd,r,e,f\n", "bad.csv:1: 4 columns instead of 3 (head, relation, tail). A table"),
        ("a,b,c,d\n", "bad.csv:1: 4 columns instead of 3"),
        ("subject,predicate,object,weight\na,r,b,c\n", "4 columns instead of 3"),
        ("a,2019,b,c\nd,2020,e,f\n", "4 columns instead of 3"),
        (STAFF.replace("Tom Ruiz;", ";"), "bad.csv:4: the first column, which names the row, is empty."),
        (STAFF + STAFF.split("\n", 1)[1] * 4 + "Eva;Board\n", "bad.csv:17: 2 columns instead of the header's 4."),
    ],
    ids=["quads", "one line", "weighted triples", "a number on top", "a nameless row", "a short row"],
)
def test_what_is_no_table_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, "bad.csv", text)
    with pytest.raises(GraphFileError) as caught:
        load_kg(path)
    assert message in str(caught.value)


def test_bad_rows_of_a_table_are_left_out_on_demand(tmp_path: Path) -> None:
    path = write(tmp_path, "staff.csv", STAFF + "Eva;Board\n;Board;;\n;;;\n")
    kg = load_kg(path, format="table", skip_bad_lines=True)
    assert set(kg.triples()) == {Triple(*t) for t in TRIPLES}
    assert [(line, reason) for line, reason in kg.skipped] == [
        (5, "2 columns instead of the header's 4."),
        (6, "the first column, which names the row, is empty."),
    ]
    with pytest.raises(GraphFileError, match=r"staff.csv:5: 2 columns instead of the header's 4"):
        load_kg(path, format="table")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rooms.csv", "Name;Floor\nLab;2\nHall;0\n"),
        ("rooms.csv", "\ufeffRoom,Floor\r\nLab,2\r\nHall,0\r\n"),
        ("rooms.tsv", "Name\tFloor\nLab\t2\nHall\t0\n"),
        ("rooms", "room_id;Floor\nLab;2\nHall;0\n"),
    ],
    ids=["semicolons", "excel", "tabs", "no suffix"],
)
def test_two_columns_under_a_header_are_a_table(tmp_path: Path, name: str, text: str) -> None:
    kg = load_kg(write(tmp_path, name, text))
    assert set(kg.triples()) == {Triple("Lab", "Floor", "2"), Triple("Hall", "Floor", "0")}
    import_graph(tmp_path / name, tmp_path / "store")
    assert len(OxigraphStore(tmp_path / "store")) == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("edges.csv", "Mia,Jon\nTom,Mia\n"),
        ("edges.csv", "source,target\nMia,Jon\n"),
        ("edges.csv", "1,2\n2,3\n"),
        ("edges.csv", "Mia,Jon\n"),
        ("edges.tsv", "Mia\tJon\nTom\tEva\n"),
    ],
)
def test_pairs_without_a_header_of_their_own_are_no_table(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(GraphFileError, match=r":1: 2 columns instead of 3.* --format table"):
        load_kg(write(tmp_path, name, text))


def test_a_subject_that_is_taught_is_no_end_of_a_triple(tmp_path: Path) -> None:
    kg = load_kg(write(tmp_path, "teachers.csv", "Name,Subject,Room\nMia,Maths,R1\nJon,Art,R2\n"))
    assert Triple("Mia", "Subject", "Maths") in set(kg.triples())
    with pytest.raises(GraphFileError, match="does not tell head, relation and tail"):
        load_kg(write(tmp_path, "edges.csv", "Name,Source,Target\n1,Mia,Jon\n"))
