"""Names that several things share: when they are asked for, and which a reply chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.intents.choices import choose
from triplewise.agents.assistant.namesakes import ambiguous_entities, options, rivals
from triplewise.kg import KGStore, load_kg
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView


def by_date(kg: KGStore) -> Callable[[Sequence[str]], list[str]]:
    return FollowUps(kg, NameIndex(SchemaView(kg))).by_date


def test_namesakes_are_asked_for_once(kg: KGStore, names: NameIndex) -> None:
    query = QueryGraph.from_json({"select": "?x", "where": [["Duke (bull)", "born", "?x"]]})
    [group] = rivals(names, "When was Duke born?")
    assert {link.node for link in group} == {"Duke (bull)", "Duke (horse)"}
    assert set(ambiguous_entities(kg, names, "When was Duke born?", query, set())) == {"Duke (bull)", "Duke (horse)"}
    assert ambiguous_entities(kg, names, "When was Duke born?", query, {"Duke (bull)"}) == []
    assert ambiguous_entities(kg, names, "When was Bramble born?", query, set()) == []
    assert ambiguous_entities(kg, names, "When was Duke, the horse, born?", query, set()) == []
    assert ambiguous_entities(kg, names, "Who pays for Duke?", None, set())


def test_a_word_of_a_whole_name_is_no_other_name(tmp_path: Path) -> None:
    told = ["Old Tom\trdf:type\tengine", *(f"Tom Hollis ({x})\trdf:type\tperson" for x in ("buffet", "driver"))]
    (tmp_path / "yard.tsv").write_text("\n".join([*told, "Old Tom\tkept at\tThornley"]), encoding="utf-8")
    yard = load_kg(tmp_path / "yard.tsv")
    index = NameIndex(SchemaView(yard))
    assert rivals(index, "Where is Old Tom kept?") == [] and rivals(index, "Where does Tom live?")


@pytest.mark.parametrize(
    "reply", ["Duke (horse)", "2", "the horse, of course", "the one Jory looks after", "the second"]
)
def test_a_reply_chooses_in_many_words(kg: KGStore, reply: str) -> None:
    found = options(kg, ["Duke (bull)", "Duke (horse)"])
    assert found[0].hint.startswith("bull")
    chosen = choose(kg, reply, found, by_date(kg))
    assert chosen is not None and chosen.id == "Duke (horse)"


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("the old one", "Duke (horse)"),
        ("The old one, when was he born?", "Duke (horse)"),
        ("the bull, who looks after him? Jory?", "Duke (bull)"),
    ],
)
def test_what_a_reply_begins_with_chooses(kg: KGStore, reply: str, meant: str) -> None:
    """And not what it goes on to ask of it."""
    chosen = choose(kg, reply, options(kg, ["Duke (bull)", "Duke (horse)"]), by_date(kg))
    assert chosen is not None and chosen.id == meant


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("The one with the money.", "r1"),
        ("the one who mends computers", "r2"),
        ("the one from work", "r1"),
        ("not the one in Finance", "r2"),
        ("not the technician", "r1"),
        ("not the technician but the one in Finance", "r1"),
        ("Not Finance but the technician", "r2"),
        ("is there any money?", None),
        ("the weather is nice", None),
    ],
)
def test_a_reply_chooses_by_what_it_means(tmp_path: Path, reply: str, meant: str | None) -> None:
    told = [
        ("r1", "label", "Sam Ridley"),
        ("r2", "label", "Sam Ridley"),
        ("r1", "works in", "Finance"),
        ("r1", "known from", "work"),
    ]
    told += [("r2", "job", "technician"), ("r1", "lives in", "Harle"), ("r2", "lives in", "Harle")]
    (tmp_path / "desk.tsv").write_text("\n".join(map("\t".join, told)), encoding="utf-8")
    desk = load_kg(tmp_path / "desk.tsv")
    chosen = choose(desk, reply, options(desk, ["r1", "r2"]), by_date(desk))
    assert (chosen and chosen.id) == meant


def test_a_reply_that_fits_neither_chooses_nothing(kg: KGStore) -> None:
    found = options(kg, ["Duke (bull)", "Duke (horse)"])
    assert choose(kg, "never mind", found, by_date(kg)) is None and choose(kg, "9", found, by_date(kg)) is None


@pytest.mark.parametrize(("text", "asked"), [("Did Maisie choose Oat?", False), ("What do you know of Maisie?", True)])
def test_who_does_something_is_a_person(tmp_path: Path, text: str, asked: bool) -> None:
    told = ["Maisie Room\trdf:type\troom", "Maisie Room\tpainted in\tOat", "Maisie Lee\trdf:type\tperson"]
    told += [
        "Oat\tchosen by\tMaisie Lee",
        "Oat\trdf:type\tcolour",
        "Ben Lee\trdf:type\tperson",
        "Maisie Lee\tborn\t1990",
    ]
    (tmp_path / "home.tsv").write_text("\n".join(told), encoding="utf-8")
    home = load_kg(tmp_path / "home.tsv")
    query = QueryGraph.from_json({"ask": "some", "where": [["Oat", "chosen by", "Maisie Lee"]]})
    found = ambiguous_entities(home, NameIndex(SchemaView(home)), text, query, set(), claim=True)
    assert bool(found) == asked


def test_what_is_called_after_somebody_is_not_meant_by_the_name_alone(tmp_path: Path) -> None:
    (tmp_path / "home.tsv").write_text("Maisie's Room\tpainted in\tOat\nMaisie Lee\tborn\t1990\n", encoding="utf-8")
    home = load_kg(tmp_path / "home.tsv")
    query = QueryGraph.from_json({"select": "?x", "where": [["Maisie Lee", "born", "?x"]]})
    text = "What do you know of Maisie?"
    assert not ambiguous_entities(home, NameIndex(SchemaView(home)), text, query, set(), claim=False)
