"""A folder of graph files as one graph: how its tables hang together, what is left out, and what is told of it."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from triplewise.errors import GraphFileError
from triplewise.kg import KGStore, load_kg
from triplewise.kg.formats import folders
from triplewise.kg.formats.row_kinds import kind_of_file
from triplewise.kg.stores.importer import import_graph
from triplewise.kg.stores.oxigraph import OxigraphStore

SCHOOL = {
    "teachers.csv": "\ufeffid;Name;Subject;Floor\r\n1;Mia Kern;Maths;2\r\n2;Jon Adler;Physics;1\r\n3;Eva Brandt;Art;2\r\n",
    "pupils.csv": "id,first name,last name,tutor\n1,Ada,Lind,Mia Kern\n2,Bo,Ek,Eva Brandt\n3,Cy,Holm,\n",
    "lessons.csv": "Lesson;teacher_id;room;Day;pupils\nAlgebra;1;Lab;Monday;Ada Lind, Bo Ek\nOptics;2;Lab;Friday;Cy Holm\n",
    "rooms.csv": "Name;Floor\nLab;2\nHall;1\n",
    "clubs.csv": "pupil_id,club\n1,Chess\n3,Drama\n",
    "extra.tsv": "Mia Kern\tmarried to\tJon Adler\n",
}


def folder(tmp_path: Path, files: dict[str, str]) -> Path:
    path = tmp_path / "school"
    path.mkdir()
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8", newline="")
    return path


def told(kg: KGStore, thing: str) -> dict[str, set[str]]:
    """What is told of the thing with this name, in names."""
    (head,) = [e for e in kg.entities() if kg.label(e) == thing]
    found: dict[str, set[str]] = {}
    for triple in kg.triples(head=head):
        found.setdefault(triple.relation, set()).add(kg.label(triple.tail))
    return found


def test_the_tables_of_a_folder_are_one_graph(tmp_path: Path) -> None:
    kg = load_kg(folder(tmp_path, SCHOOL))
    assert kg.name == "school"
    assert told(kg, "Algebra") == {
        "teacher_id": {"Mia Kern"}, "room": {"Lab"}, "Day": {"Monday"}, "pupils": {"Ada Lind", "Bo Ek"}
    }  # fmt: skip
    assert told(kg, "Ada Lind") == {
        "first name": {"Ada"},
        "last name": {"Lind"},
        "tutor": {"Mia Kern"},
        "club": {"Chess"},
    }
    assert told(kg, "Mia Kern")["married to"] == {"Jon Adler"} and told(kg, "Lab") == {"Floor": {"2"}}
    assert {kg.label(t) for e in kg.entities() for t in kg.types(e)} == {"teacher", "pupil", "Lesson", "room"}


def test_a_question_is_answered_across_files(tmp_path: Path) -> None:
    from triplewise.tools.query_graph.ranker import Reader

    best = Reader(load_kg(folder(tmp_path, SCHOOL))).rank("On which floor is the room of Optics?").readings[0]
    assert best.draft.answers == {"2"}


def test_a_folder_is_imported_to_disk_too(tmp_path: Path) -> None:
    path = folder(
        tmp_path, SCHOOL | {"a.ttl": "@prefix : <http://x/> .\n[] :p [] .\n", "b.nt": "_:b0 <http://x/p> _:b1 .\n"}
    )
    (path / "sub").mkdir()
    import_graph(path, tmp_path / "store")
    kg = load_kg(path)
    assert set(OxigraphStore(tmp_path / "store").triples()) == set(kg.triples())
    assert len({e for e in kg.entities() if e.startswith("_:")}) == 4  # blank nodes are a file's own


def test_numbers_are_rows_where_the_column_says_whose(tmp_path: Path) -> None:
    files = {
        "boats.csv": "id,name,berths,captain_id,sister_id,owner_no\n1,Tern,3,2,3,2\n2,Gull,2,1,,1\n3,Kite,1,1,1,4\n",
        "captains.csv": "id,name,age,boss_id\n1,Ada,40,2\n2,Bo,2,\n3,Cy,41,2\n4,Di,50,3\n",
    }
    kg = load_kg(folder(tmp_path, files))
    tern = told(kg, "Tern")
    assert tern["captain_id"] == {"Bo"} and tern["sister_id"] == {"Kite"} and tern["berths"] == {"3"}
    assert tern["owner_no"] == {"Bo"}  # only captains go up to 4
    assert told(kg, "Ada")["boss_id"] == {"Bo"} and told(kg, "Bo")["age"] == {"2"}


def test_a_header_tells_which_of_two_namesakes_is_meant(tmp_path: Path) -> None:
    files = {
        "teachers.csv": "id,name,subject,year\nT1,Ada,Maths,2001\nT2,Bo,Art,2002\n",
        "pupils.csv": "id,name,form,friend\nP1,Ada,10A,Bo\nP2,Cy,10B,Ada\n",
        "marks.csv": "mark,teacher,class teacher,seen by\nM1,Ada,Bo,Ada\n",
        "phones.csv": "Teacher,Phone\nAda,0151 1\nEva,0151 2\n",
    }
    kg = load_kg(folder(tmp_path, files))
    assert [t.tail for t in kg.triples("M1")] == ["T1", "T2", "Ada"]
    assert [t.tail for t in kg.triples("P1", "friend")] == ["T2"]
    assert [t.tail for t in kg.triples("P2", "friend")] == ["P1"]
    assert [t.tail for t in kg.triples("T1", "Phone")] == ["0151 1"] and kg.types("Eva") == ("Teacher",) == kg.types(
        "T2"
    )


def test_a_column_of_texts_names_no_rows_by_chance(tmp_path: Path) -> None:
    kg = load_kg(
        folder(
            tmp_path,
            {
                "plays.csv": "Play,Author,Owner\nMacbeth,Shakespeare,Ann Lee\nRobin Hood,Ann Lee,Bo Ek\nHamlet,,Cy\n",
                "people.csv": "Name,Town\nAnn Lee,Fenby\nBo Ek,Harle\n",
                "props.csv": "Prop,Price\nRose,2\nSkull,3\n",
                "cast.csv": "Part no,Play,Person,Character,Lent\nP1,Macbeth,Ann Lee,Macbeth,Skull\n"
                "P2,Macbeth,Bo Ek,Banquo,Rose\nP3,Macbeth,Ann Lee,Porter,Rosse\nP4,Robin Hood,Bo Ek,Robin Hood,\n"
                "P5,Robin Hood,Ann Lee,Sheriff,\nP6,Hamlet,Ann Lee,Rose,\nP7,Hamlet,Bo Ek,Yorick,\n"
                "P8,Hamlet,Ann Lee,Claudius,\nP9,Hamlet,Bo Ek,Osric,\n"
                "PA,Hamlet,Bo Ek,Laertes,\nPB,Hamlet,Ann Lee,Gertrude,\nPC,Hamlet,Bo Ek,Marcellus,\n"
                "PD,Hamlet,Bo Ek,Bernardo,\n",
            },
        )
    )
    for row, name in (("P1", "Macbeth"), ("P4", "Robin Hood"), ("P6", "Rose")):  # called as a play, or as a prop
        assert [t.tail for t in kg.triples(head=row, relation="Character")] == [f'"{name}"']
    assert [t.tail for t in kg.triples(head="P1", relation="Play")] == ["Macbeth"]
    assert [t.tail for t in kg.triples(head="P2", relation="Lent")] == ["Rose"]  # one of three is misspelt
    assert told(kg, "Robin Hood")["Author"] == {"Ann Lee"}  # one of two, and two words
    assert [t.tail for t in kg.triples(head="Robin Hood", relation="Author")] == ["Ann Lee"]


def test_ids_that_other_things_have_too_are_told_apart(tmp_path: Path) -> None:
    files = {
        "boats.csv": "id,name,berths,port\nX1,Tern,3,Ufer\nX2,Gull,2,Wald\n",
        "crews.csv": "id,name,size,boat\nX1,Blue,3,X2\n",
        "repairs.csv": "boat_id,repair\nX2,keel\n",
    }
    kg = load_kg(folder(tmp_path, files))
    assert told(kg, "Gull") == {"berths": {"2"}, "port": {"Wald"}, "repair": {"keel"}}
    assert told(kg, "Blue") == {"size": {"3"}, "boat": {"Gull"}}


def test_a_column_of_other_rows_ids_is_called_as_one_says_it(tmp_path: Path) -> None:
    files = {
        "makers.csv": "maker_id,name,mentor_id,vat_id,age\nM-1,Ada,,V7,40\nM-2,Bo,M-1,V8,41\nM-3,Cy,M-1,V9,42\n",
        "pieces.csv": "piece_id,title,maker_id,kiln_id,kiln\nP-1,Jar,M-1,K-1,hot\nP-2,Cup,M-3,K-2,old\n",
        "kilns.csv": "kiln_id,name,fuel\nK-1,Bertha,gas\nK-2,Otto,wood\n",
    }
    kg = load_kg(folder(tmp_path, files))
    assert {r: kg.relation_label(r) for r in kg.relation_ids() if r.endswith("_id")} == {
        "mentor_id": "mentor", "maker_id": "maker",
        "vat_id": "vat id", "kiln_id": "kiln id",  # tells no row, and there is another "kiln"
    }  # fmt: skip
    assert told(kg, "Cup")["maker_id"] == {"Cy"}


def test_three_columns_are_a_table_beside_what_they_tell_of(tmp_path: Path) -> None:
    files = {"rooms.csv": "Name;Floor\nLab;2\n", "lessons.csv": "Lesson,Day,Room\nArt,Monday,Lab\nMaths,Friday,Lab\n"}
    kg = load_kg(folder(tmp_path, files))
    assert told(kg, "Art") == {"Day": {"Monday"}, "Room": {"Lab"}}
    other = folder(tmp_path / "school", {"a.csv": "Land,Capital,Since\nNorway,Oslo,1814\n"})
    assert {t.relation for t in load_kg(other).triples()} == {"Capital", "Oslo"}  # triples, as alone
    assert {t.relation for t in load_kg(other, format="table").triples()} == {"Capital", "Since"}


@pytest.mark.parametrize(
    ("stem", "kind"),
    [
        ("teachers", "teacher"),
        ("School - Bus Stops", "Bus Stop"),
        ("all_categories_2024", "category"),
        ("boxes", "box"),
        ("Sheet1", ""),
        ("species", "species"),
    ],
)
def test_a_files_name_says_what_its_rows_are(stem: str, kind: str) -> None:
    assert kind_of_file(stem) == kind


def test_what_is_left_out_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    names = {
        "README.md": "x",
        "marks.xlsx": "PK",
        "x.doc": "",
        "y.doc": "",
        ".hidden.csv": "a,b,c",
        "empty.csv": "\n",
        "blank.csv": "a;b;c;d\n",
    }
    path = folder(tmp_path, SCHOOL | names | {"\x1b[31mred.txt": "x"})
    (path / "old").mkdir()
    (path / "old" / "more.csv").write_text("a,r,b\n")
    (tmp_path / "secret.csv").write_text("a,r,b\n")
    (path / "link.csv").symlink_to(tmp_path / "secret.csv")
    (path / "own.tsv").symlink_to("extra.tsv")
    (path / "none.csv").symlink_to("nowhere")
    os.mkfifo(path / "pipe.csv")
    with caplog.at_level(logging.WARNING):
        kg = load_kg(path)
    (warning,) = caplog.messages
    for part in (
        ".hidden.csv (hidden)", "README.md", "blank.csv (no row under its header)", "empty.csv (empty)",
        "link.csv (a link out of the folder)", "none.csv (no regular file)", "old (a folder)", "and 2 more",
    ):  # fmt: skip
        assert part in warning
    assert "\x1b" not in warning and "own.tsv" not in warning and not kg.has_entity("a")


def test_a_folder_without_graph_files_says_which_would_be_read(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match=r"no graph file \(.*\.csv .*\.ttl.*\) and no train\.txt.*workbook as CSV"):
        load_kg(folder(tmp_path, {"notes.md": "x"}))


def test_a_bad_line_names_its_file(tmp_path: Path) -> None:
    path = folder(tmp_path, SCHOOL | {"extra.tsv": "a\tr\tb\nbad\n"})
    with pytest.raises(GraphFileError, match=r"school/extra\.tsv:2: 1 column"):
        load_kg(path)
    reason = "extra.tsv: 1 column instead of 3 (head, relation, tail)."
    assert load_kg(path, skip_bad_lines=True).skipped == ((2, reason),)
    assert import_graph(path, tmp_path / "store", skip_bad_lines=True).skipped == [(2, reason)]
    (path / "extra.tsv").write_bytes("a\tr\tb\n".encode("utf-16"))
    with pytest.raises(GraphFileError, match=r"school/extra\.tsv: this is UTF-16"):
        load_kg(path)


def test_a_changed_file_of_a_folder_is_noticed(tmp_path: Path) -> None:
    path = folder(tmp_path, SCHOOL)
    first = load_kg(path)
    assert load_kg(path) is first
    (path / "rooms.csv").write_text("Name;Floor\nLab;3\nHall;1\n")
    assert told(load_kg(path), "Lab") == {"Floor": {"3"}}
    (path / "rooms.csv").unlink()
    assert not [e for e in load_kg(path).entities() if e == "Hall"]


def test_an_import_of_a_folder_that_changed_meanwhile_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triplewise.kg.stores import importer

    path = folder(tmp_path, SCHOOL)
    with monkeypatch.context() as patch:
        patch.setattr(importer, "finish", lambda *args: 1 / 0)
        patch.setattr(importer, "read_folder", lambda *args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            import_graph(path, tmp_path / "store")
    (path / "rooms.csv").write_text("Name;Floor\nLab;33\nHall;1\n")
    import_graph(path, tmp_path / "store")
    assert set(OxigraphStore(tmp_path / "store").triples()) == set(load_kg(path).triples())


def test_a_folder_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_FILES", 3)
    with pytest.raises(GraphFileError, match="has 6 graph files; up to 3 are read"):
        load_kg(folder(tmp_path, SCHOOL))
