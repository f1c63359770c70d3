"""Classes that only the names of rows tell, in memory and on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import TYPE, Pattern, QueryGraph, Variable, execute
from triplewise.kg.stores.edits import editing
from triplewise.kg.stores.importer import import_graph
from triplewise.kg.stores.oxigraph import OxigraphStore
from triplewise.tools.store_views import view_of
from triplewise.types import Triple

MATCHES = [
    *((f"goal {n}", "by", who) for n, who in enumerate(("Ann Lee", "Bo Ray", "Ann Lee", "Cy Tan"), 1)),
    *((f"goal {n}", "match", "Home v Rovers") for n in (1, 2, 3)),
    ("Home v Rovers", "date", "2024-10-12"),
    *((f"Lift_{n}", "took", "Ann Lee") for n in (1, 2, 3)),
    *((f"L-0{n}", "lent to", "Bo Ray") for n in (1, 2, 3)),
]


def classes(store: KGStore) -> dict[str, list[str]]:
    return {c: sorted(store.instances(c)) for e in store.entities() for c in store.types(e)}


def test_rows_called_by_a_word_are_of_its_class() -> None:
    goals = [f"goal {n}" for n in (1, 2, 3, 4)]
    store = NetworkxStore(MATCHES)
    assert classes(store) == {"goal": goals, "Lift": ["Lift_1", "Lift_2", "Lift_3"]}
    assert store.roles.row_classes == {"goal", "Lift"}
    assert classes(NetworkxStore(MATCHES, row_classes=())) == {}


@pytest.mark.parametrize(
    "triples",
    [
        MATCHES[:2],  # two are no table
        [(f"Rocky {n}", "directed by", "Ann") for n in (1, 2, 3)]
        + [("Jaws", "directed by", "Bo")],  # none of their own
        [(f"run {n}", "by", "Ann") for n in (1, 2, 3)] + [("Ann", "likes", "Run")],  # something is called so
        [(f"http://ex.org/goal{n}", "by", "Ann") for n in (1, 2, 3)],
        [(f"INV-{n}", "paid by", "Ann") for n in (1, 2, 3)],
    ],
)
def test_what_else_is_called_by_a_number_is_not(triples: list[tuple[str, str, str]]) -> None:
    assert classes(NetworkxStore(triples)) == {}


HOUSE = [
    *((f"{what} parcel", "came on", f"2024-05-0{n}") for n, what in enumerate(("birdseed", "guitar", "school shoes"), 1)),
    *((loan, "lent on", "2024-06-01") for loan in ("drill loan", "ladder loan April", "ladder loan June")),
    *((f"{who} visit {n}", "work", "teeth") for n, who in enumerate(("farrier", "vet", "vet"), 1)),
    *((f"wedding of {who} and Bo", "held on", "1950-06-01") for who in ("Ann", "Ida", "Eva")),
    *((f"{who} Kemp", "lives at", "number 4") for who in ("Ann", "David", "Lottie")),
    *((f"ride to {where}", r, v) for where in ("Ufer", "Wald", "Aue") for r, v in (("driver", "Bo"), ("to", where))),
    ("ride home from Aue", "driver", "Bo"),
    *((f"{where} trip", r, "x") for where in ("Ufer", "Wald", "Aue") for r in ("left on", "back on", "who went", "miles")),
    *(("shakedown weekend", r, "x") for r in ("left on", "back on", "who went")),
    *(("Glastonbury", r, "x") for r in ("left on", "back on", "who went")),
]  # fmt: skip


def test_names_that_end_in_the_same_noun_are_of_its_class() -> None:
    store = NetworkxStore(HOUSE)
    assert classes(store) == {
        "parcel": ["birdseed parcel", "guitar parcel", "school shoes parcel"],
        "trip": ["Aue trip", "Glastonbury", "Ufer trip", "Wald trip", "shakedown weekend"],
        "ride": ["ride home from Aue", "ride to Aue", "ride to Ufer", "ride to Wald"],
        "loan": ["drill loan", "ladder loan April", "ladder loan June"],
        "visit": ["farrier visit 1", "vet visit 2", "vet visit 3"],
        "wedding": ["wedding of Ann and Bo", "wedding of Eva and Bo", "wedding of Ida and Bo"],
    }


@pytest.mark.parametrize(
    "triples",
    [
        [(f"{what} parcel", "from", "Ann") for what in ("red", "blue", "green")] + [("the gift", "from", "Bo")],
        [(f"{what} parcel", "from", "Ann") for what in ("red", "blue", "green")] + [("Bo", "sent", "parcel")],
        [(f"trip {where}", "led by", "Ann") for where in ("and", "with", "under")],
        [(what, "from", "Ann") for what in ("parcel", "red parcel", "blue parcel")],
    ],
)
def test_what_else_ends_in_a_word_is_not(triples: list[tuple[str, str, str]]) -> None:
    assert classes(NetworkxStore(triples)) == {}


def test_a_told_class_goes_before() -> None:
    told = [*MATCHES, *((f"goal {n}", "is a", "own goal") for n in (1, 2))]
    store = NetworkxStore(told)
    assert store.types("goal 1") == ("own goal",)
    assert "goal" not in classes(store)  # two more are left, and no relation is theirs alone


def test_the_proof_is_of_triples_where_there_are_some() -> None:
    store = NetworkxStore(MATCHES)
    goal = Variable("goal")
    query = QueryGraph((Pattern(goal, TYPE, "goal"), Pattern(goal, "match", "Home v Rovers")), goal)
    assert [f.proof for f in execute(store, query).found] == [
        (Triple(f"goal {n}", "match", "Home v Rovers"),) for n in (1, 2, 3)
    ]


def test_a_store_on_disk_tells_the_same(tmp_path: Path) -> None:
    file = tmp_path / "matches.tsv"
    rows = [*MATCHES, *HOUSE]
    file.write_text("".join("\t".join(t) + "\n" for t in rows), encoding="utf-8")
    import_graph(file, tmp_path / "s")
    store = OxigraphStore(tmp_path / "s")
    assert classes(store) == classes(NetworkxStore(rows)) == classes(view_of(store))
    told = {"goal", "trip", "ride", "Lift", "parcel", "loan", "visit", "wedding"}
    assert store.roles.row_classes == view_of(store).roles.row_classes == told
    more = [(f"goal {n}", "by", "Bo Ray") for n in (5, 6)]
    (tmp_path / "more.tsv").write_text("".join("\t".join(t) + "\n" for t in more), encoding="utf-8")
    import_graph(tmp_path / "more.tsv", tmp_path / "s")
    assert classes(OxigraphStore(tmp_path / "s")) == classes(NetworkxStore([*rows, *more]))


def test_edits_bring_and_take_rows(tmp_path: Path) -> None:
    file = tmp_path / "matches.tsv"
    file.write_text("".join("\t".join(t) + "\n" for t in MATCHES), encoding="utf-8")
    import_graph(file, tmp_path / "s")
    new, old = Triple("goal 5", "by", "Bo Ray"), Triple("goal 4", "by", "Cy Tan")
    with editing(tmp_path / "s") as editor:
        editor.add([new])
        editor.remove([old])
    store = OxigraphStore(tmp_path / "s")
    assert sorted(store.instances("goal")) == ["goal 1", "goal 2", "goal 3", "goal 5"]
    assert not store.has_entity("goal 4") and store.statistics.classes["goal"] == 4
    with editing(tmp_path / "s") as editor:
        editor.undo(2)
    store = OxigraphStore(tmp_path / "s")
    assert classes(store) == classes(NetworkxStore(MATCHES)) and not store.has_entity("goal 5")


def test_a_row_that_its_word_does_not_tell_comes_and_goes_with_the_import(tmp_path: Path) -> None:
    others = ("shakedown weekend", "Glastonbury")
    rows = [(head, relation, tail) for head, relation, tail in HOUSE if "trip" in head or head in others]
    file = tmp_path / "trips.tsv"
    file.write_text("".join("\t".join(t) + "\n" for t in rows), encoding="utf-8")
    import_graph(file, tmp_path / "s")
    assert [OxigraphStore(tmp_path / "s").types(row) for row in others] == [("trip",), ("trip",)]
    with editing(tmp_path / "s") as editor:
        editor.remove([Triple(*row) for row in rows if row[0] in others])
    assert not any(map(OxigraphStore(tmp_path / "s").has_entity, others))
    import_graph(file, tmp_path / "s")
    assert classes(OxigraphStore(tmp_path / "s")) == classes(NetworkxStore(rows))
