"""Stores on disk: imports that go on, edits and their log, readers beside a writer."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from triplewise.errors import ConfigError, GraphFileError, QuestionError
from triplewise.kg import load_kg
from triplewise.kg.formats.loaders import read_graph
from triplewise.kg.stores import importer
from triplewise.kg.stores.edits import editing, net_changes, read_log
from triplewise.kg.stores.importer import import_graph
from triplewise.kg.stores.oxigraph import OxigraphStore
from triplewise.types import Triple

from .graphs import CLUB_TSV, SHIPS_NT

EDIT = Triple("Ada Holm", "beat", "Cy Tan")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    (tmp_path / "club.tsv").write_text(CLUB_TSV)
    import_graph(tmp_path / "club.tsv", tmp_path / "club")
    return tmp_path / "club"


def test_gzipped_triples_and_load_kg(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "ships.nt.gz", "wt", encoding="utf-8") as file:
        file.write(SHIPS_NT)
    shares: list[float] = []
    import_graph(tmp_path / "ships.nt.gz", tmp_path / "s", progress=lambda what, share: shares.append(share))
    store = load_kg(tmp_path / "s")
    assert store.name == "ships" and isinstance(store, OxigraphStore) and max(shares) == 1.0
    assert load_kg(tmp_path / "s") is store


def test_bad_lines(tmp_path: Path) -> None:
    file = tmp_path / "g.nt"
    file.write_text(SHIPS_NT + "<http://ex.org/a> nonsense .\n" + SHIPS_NT)
    with pytest.raises(GraphFileError, match=r"g\.nt:32: not N-Triples"):
        import_graph(file, tmp_path / "s")
    import_graph(file, tmp_path / "s", skip_bad_lines=True)
    store = OxigraphStore(tmp_path / "s")
    assert len(store) == 14 and [line for line, _ in store.skipped] == [32]
    with pytest.raises(GraphFileError, match="no such file"):
        import_graph(tmp_path / "none.nt", tmp_path / "t")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    with pytest.raises(GraphFileError, match="other things"):
        import_graph(file, tmp_path / "other")


def test_an_import_that_was_killed_goes_on(tmp_path: Path) -> None:
    """Killed at random moments; the store is the one that an import in one go makes."""
    file = tmp_path / "big.nt"
    rng = random.Random(5)
    lines = [f"<http://e/{rng.randrange(900)}> <http://r/{rng.randrange(9)}> <http://e/{i}> .\n" for i in range(4000)]
    file.write_text("".join(lines))
    code = (
        "import sys; from triplewise.kg.stores import importer; importer.PIECE = 4096;"
        "importer.import_graph(sys.argv[1], sys.argv[2])"
    )
    command = [sys.executable, "-c", code, str(file), str(tmp_path / "s")]
    for wait in (0.6, 0.9, 1.1):
        with subprocess.Popen(command) as process:
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
    import_graph(file, tmp_path / "s")
    ours, memory = OxigraphStore(tmp_path / "s"), read_graph(file)
    assert set(ours.triples()) == set(memory.triples()) and set(ours.nodes()) == set(memory.nodes())


def test_another_file_does_not_finish_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.nt").write_text(SHIPS_NT)
    (tmp_path / "b.nt").write_text(SHIPS_NT)
    monkeypatch.setattr(importer, "finish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        import_graph(tmp_path / "a.nt", tmp_path / "s")
    monkeypatch.undo()
    with pytest.raises(ConfigError, match="interrupted"):
        import_graph(tmp_path / "b.nt", tmp_path / "s")
    import_graph(tmp_path / "a.nt", tmp_path / "s")
    assert len(OxigraphStore(tmp_path / "s")) == 14


def test_edits_are_logged_and_undone(club: Path) -> None:
    before = OxigraphStore(club)
    with editing(club) as editor:
        assert editor.add([EDIT]) == 1 and editor.add([EDIT]) == 0
        assert editor.remove([Triple("Cy Tan", "beat", "Ada Holm")]) == 1
        editor.add([Triple("Eve Lund", "rdf:type", "member"), Triple("Eve Lund", "skos:altLabel", "Evie")])
    after = load_kg(club)
    assert EDIT in after.triples("Ada Holm", "beat") and EDIT not in before.triples("Ada Holm", "beat")
    assert [h.id for h in after.named("evie")] == ["Eve Lund"] and "Eve Lund" in after.instances("member")
    assert after.content_hash != before.content_hash
    plus, minus = net_changes(read_log(club))
    assert EDIT in plus and minus == [Triple("Cy Tan", "beat", "Ada Holm")]
    with editing(club) as editor:
        assert len(editor.undo(99)) == 4
    assert load_kg(club).content_hash == before.content_hash
    assert set(load_kg(club).triples()) == set(before.triples())
    assert net_changes(read_log(club)) == ([], [])


def test_a_second_writer_is_refused_and_odd_triples_too(club: Path) -> None:
    with editing(club) as editor:
        with pytest.raises(ConfigError, match="another process"), editing(club):
            pass
        for triple in (("", "r", "t"), ('"5"', "r", "t"), ("a\n", "r", "t")):
            with pytest.raises(QuestionError):
                editor.add([Triple(*triple)])


def test_an_edit_that_was_cut_off_is_made_again(club: Path) -> None:
    with editing(club) as editor, editor.index.db as log:
        log.execute("INSERT INTO edit (at, op, head, relation, tail, done) VALUES ('', '+', ?, ?, ?, 0)", EDIT)
    with editing(club):
        pass
    store = OxigraphStore(club)
    assert EDIT in store.triples("Ada Holm") and store.statistics.relations["beat"].triples == 5


@pytest.mark.parametrize("seed", range(3))
def test_names_classes_and_counts_follow_edits(tmp_path: Path, seed: int) -> None:
    """After random edits a store is what an import of the edited graph is."""
    rng = random.Random(seed)
    things, classes = [f"e{i}" for i in range(8)], ["C1", "C2", "C3", "C4"]

    def drawn() -> Triple:
        tails = {"rdf:type": ["C1", "C2"], "skos:altLabel": ["Al", "Bo"], "rdfs:label": ["Lena", "Éva"]}
        relation = rng.choice(["r1", "r2", "r1", "r2", "subclass of", *tails])
        if relation == "subclass of":
            return Triple(rng.choice(classes), relation, rng.choice(classes))
        return Triple(rng.choice(things), relation, rng.choice(tails.get(relation, [*things, '"5"'])))

    def write(triples: set[Triple]) -> Path:
        (tmp_path / "g.tsv").write_text("".join("\t".join(t) + "\n" for t in sorted(triples)))
        return tmp_path / "g.tsv"

    now = {Triple("e0", "r1", "e1"), *(drawn() for _ in range(25))}
    import_graph(write(now), tmp_path / "s")
    for step in range(3):
        with editing(tmp_path / "s") as editor:
            for _ in range(10):
                if rng.random() < 0.5 and len(now) > 5:
                    triple = rng.choice(sorted(now - {Triple("e0", "r1", "e1")}))
                    now.discard(triple)
                    assert editor.remove([triple]) == 1
                else:
                    triple = drawn()
                    assert editor.add([triple]) == (triple not in now)
                    now.add(triple)
        import_graph(write(now), tmp_path / f"again{step}")
        ours, again = OxigraphStore(tmp_path / "s"), OxigraphStore(tmp_path / f"again{step}")
        assert set(ours.triples()) == set(again.triples()) and set(ours.nodes()) == set(again.nodes())
        assert ours.statistics == again.statistics
        for node in again.nodes():
            assert set(ours.types(node)) == set(again.types(node)) and ours.display(node) == again.display(node)
            assert set(ours.aliases(node)) == set(again.aliases(node))
        for text in ("al", "Lena", "eva", "e1", "5"):
            assert set(ours.named(text)) == set(again.named(text))


NESTED = """\
Salvador\tis_a\twreck\nDorothea\tis_a\twreck\nChimneys\tis_a\treef\nTern Reef\tis_a\treef\nSea Otter\tis_a\tboat
Manta\tis_a\tboat\nwreck\tis_a\tdive site\nreef\tis_a\tdive site\ndive site\tis_a\tplace\nSalvador\tdepth\t22
Sea Otter\tgoes to\tSalvador\nManta\tgoes to\tChimneys\n"""


def test_classes_below_classes_are_as_in_memory(tmp_path: Path) -> None:
    (tmp_path / "sites.tsv").write_text(NESTED)
    import_graph(tmp_path / "sites.tsv", tmp_path / "s")
    memory = read_graph(tmp_path / "sites.tsv")
    with editing(tmp_path / "s") as editor:
        editor.add([Triple("boat", "is_a", "gear"), Triple("gear", "is_a", "thing")])
        editor.remove([Triple("gear", "is_a", "thing")])
        editor.remove([Triple("boat", "is_a", "gear")])
    store = OxigraphStore(tmp_path / "s")
    assert store.roles == memory.roles and store.roles.nested == {"is_a"}
    for node in memory.nodes():
        assert set(store.types(node)) == set(memory.types(node)), node
        assert set(store.instances(node)) == set(memory.instances(node)), node
        assert store.is_class(node) == memory.is_class(node), node
        assert store.type_relations(node) == memory.type_relations(node), node
    assert set(store.instances("dive site")) == {"Salvador", "Dorothea", "Chimneys", "Tern Reef"}


def test_a_reader_reads_on_beside_a_writer(club: Path) -> None:
    reader = OxigraphStore(club)
    before = set(reader.triples())
    for i in range(6):  # more generations than are kept
        with editing(club) as editor:
            editor.add([Triple("Ada Holm", "beat", f"guest {i}")])
        assert set(reader.triples()) == before
    assert len(OxigraphStore(club)) == len(before) + 6
    assert len([p for p in club.iterdir() if p.name.startswith("read-")]) == 3
    assert os.access(club / "index.sqlite", os.R_OK)


@pytest.mark.parametrize(
    ("name", "text"), [("a.tsv", "a\tr\tb\na\tb\n"), ("a.csv", "a,b\n"), ("a.tab", "some words\n"), ("a.tsv", "")]
)
def test_a_bad_line_is_told_as_in_memory(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(GraphFileError) as in_memory:
        read_graph(tmp_path / name)
    with pytest.raises(GraphFileError) as on_disk:
        import_graph(tmp_path / name, tmp_path / "s")
    assert on_disk.value.line == in_memory.value.line and (not text or str(on_disk.value) == str(in_memory.value))


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "club.tsv").write_text(CLUB_TSV)
    with pytest.raises(ConfigError, match="no graph format 'xml'"):
        import_graph(tmp_path / "club.tsv", tmp_path / "s", format="xml")
    assert not (tmp_path / "s").exists()


BAD = {
    "line.tsv": b"Uma Roe\tbeat\tAda Holm\n" * 3 + b"broken\n",
    "line.nt": b"<http://e/a> <http://e/r> <http://e/b> .\nbroken\n",
    "empty.tsv": b"",
    "empty.nt": b"",
    "comments.nt": b"# nothing\n",
    "binary.tsv": b"\0\1\2",
    "cut.nt.gz": gzip.compress(b"<http://e/a> <http://e/r> <http://e/b> .\n" * 99)[:-9],
}


@pytest.mark.parametrize("name", BAD)
def test_a_new_store_of_a_bad_file_leaves_nothing(name: str, tmp_path: Path) -> None:
    file, place = tmp_path / name, tmp_path / "s"
    file.write_bytes(BAD[name])
    with pytest.raises(GraphFileError):
        import_graph(file, place)
    assert not place.exists()
    place.mkdir()
    with pytest.raises(GraphFileError):
        import_graph(file, place)
    import_graph(_mended(file), place)  # in a folder that was there before
    assert len(OxigraphStore(place)) == 1


@pytest.mark.parametrize("name", ["line.tsv", "line.nt", "empty.tsv", "binary.tsv", "cut.nt.gz"])
def test_a_store_is_as_before_where_a_second_file_is_bad(
    name: str, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though some of the file was loaded, and an edit had not been published."""
    monkeypatch.setattr(importer, "_BATCH", 1)
    monkeypatch.setattr(importer, "PIECE", 45)
    file = tmp_path / name
    file.write_bytes(BAD[name])
    before = OxigraphStore(club)
    with monkeypatch.context() as patch, editing(club) as editor:
        patch.setattr(editor, "publish", editor.index.close)
        editor.add([EDIT])
    with pytest.raises(GraphFileError):
        import_graph(file, club)
    assert not (club / "import.json").exists() and not (club / "before").exists()
    assert set(OxigraphStore(club).triples()) == set(before.triples())
    with editing(club) as editor:
        editor.add([Triple("q", "y", "z")])
    expected = {*before.triples(), EDIT, Triple("q", "y", "z")}
    assert set(OxigraphStore(club).triples()) == expected
    assert net_changes(read_log(club)) == ([EDIT, Triple("q", "y", "z")], [])
    import_graph(_mended(file), club)
    assert len(OxigraphStore(club)) == len(expected) + 1


def _mended(file: Path) -> Path:
    nt = b"<http://e/a> <http://e/r> <http://e/b> .\n"
    file.write_bytes(gzip.compress(nt) if file.suffix == ".gz" else nt if file.suffix == ".nt" else b"a\tr\tb\n")
    return file


def test_a_store_that_was_killed_as_it_took_an_import_back(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "_BATCH", 1)
    file, count = tmp_path / "line.tsv", len(OxigraphStore(club))
    file.write_bytes(BAD["line.tsv"])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            import_graph(file, club)
    import_graph(_mended(file), club)
    assert len(OxigraphStore(club)) == count + 1


def test_a_file_that_was_changed_after_an_interruption_begins_anew(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, count = _half_imported(club, tmp_path, monkeypatch), len(OxigraphStore(club))
    import_graph(_mended(file), club)
    assert len(OxigraphStore(club)) == count + 1


def test_no_edit_publishes_half_an_import(club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, count = _half_imported(club, tmp_path, monkeypatch), len(OxigraphStore(club))
    with pytest.raises(ConfigError, match=r"an import of .*two\.tsv into .* is unfinished"), editing(club):
        pass
    import_graph(file, club)
    with editing(club) as editor:
        editor.add([EDIT])
    assert len(OxigraphStore(club)) == count + 3


def _half_imported(club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of which one triple is in the store as the import is stopped."""
    (tmp_path / "two.tsv").write_text("x\tr\ty\nx\tr\tz\n")

    def stop(what: str, share: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(importer, "_BATCH", 1)
        import_graph(tmp_path / "two.tsv", club, progress=stop)
    return tmp_path / "two.tsv"
