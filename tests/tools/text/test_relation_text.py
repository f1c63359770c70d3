"""Relations in words: section 3.4's examples, the alignment file, markers against capital letters."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.errors import ConfigError, GraphFileError, UnknownEntityError
from triplewise.kg import NetworkxStore
from triplewise.tools.text.entity_text import EntityTexts, entity_of_word
from triplewise.tools.text.relation_text import (
    AlignedSentence,
    RelationTexts,
    check_sentence,
    fill,
    nearest_relations,
    raw_words,
    read_alignment,
    rule_reading,
    write_alignment,
)


def test_nearest_relations_in_any_script() -> None:
    labels = {"снят режиссёром": "p1", "родился в": "p2", "gehört zu": "p3", "née à": "p4", "directed by": "p5"}
    for sentence, first in (
        ("Фильм снят кем-то.", "p1"), ("Er gehörte zu einer Stadt.", "p3"), ("Elle est nee a Paris.", "p4"),
        ("Someone directed it.", "p5"),
    ):  # fmt: skip
        assert nearest_relations(sentence, labels, 2)[0] == first
    assert nearest_relations("?", {}, 3) == ()


def test_freebase_paths_are_reversed_and_joined_by_of() -> None:
    assert raw_words("/tv/tv_program/country_of_origin") == "country of origin of tv program of tv"  # section 3.4
    assert raw_words("/location/location/partially_contains") == "partially contains of location of location"
    assert (
        raw_words("/people/person/spouse_s./people/marriage/type_of_union")
        == "type of union of marriage of people of spouse s of person of people"  # table 7
    )


@pytest.mark.parametrize(
    ("relation", "label", "sentence"),
    [
        ("/music/artist/origin", "", "[T] is the origin of artist of music of [H]."),
        ("_has_part", "", "[T] is a part of [H]."),
        ("_hypernym", "", "[H] is a kind of [T]."),
        ("_member_of_domain_usage", "", "Dictionaries mark [T] as [H]."),
        ("_unlisted_pointer", "", "[T] is the unlisted pointer of [H]."),
        ("directed_by", "directed by", "[H] is directed by [T]."),
        ("http://example.org/P57", "director", "[T] is the director of [H]."),
        ("", "", "[T] is the  of [H]."),
    ],
)
def test_readings(relation: str, label: str, sentence: str) -> None:
    assert rule_reading(relation, label) == sentence


def test_names_take_the_place_of_markers_and_of_nothing_else() -> None:
    sentence = "A TV show by the BBC, [H], has the Theme [T]."
    assert fill(sentence, "Hi-T [T]", "Thing [H]") == "A TV show by the BBC, Hi-T [T], has the Theme Thing [H]."


@pytest.mark.parametrize(
    "sentence", ["", "no markers", "[H] only", "[H] and [H] and [T]", "[H]\n[T]", "[H] [T]" + "x" * 300]
)
def test_a_sentence_needs_both_markers_once(sentence: str) -> None:
    assert check_sentence(sentence)


def test_the_file_is_read_back_and_bad_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "alignment.tsv"
    written = {"r": AlignedSentence("[H] likes [T].", "model"), "/a/b": AlignedSentence("[T] of [H].", "rule")}
    write_alignment(path, written)
    assert read_alignment(path) == written
    path.write_text("# comment\n\nr\t[H] loves [T].\n")
    assert read_alignment(path) == {"r": AlignedSentence("[H] loves [T].", "edited")}
    path.write_text("r\t[H] loves [T].\ns\tA loves B.\tmodel\n")
    with pytest.raises(GraphFileError, match=r"alignment.tsv:2: .*'s'.*\[H\] and \[T\]"):
        read_alignment(path)
    path.write_text("only one column\n")
    with pytest.raises(GraphFileError, match=":1:"):
        read_alignment(path)
    path.write_text("# comment\nr\t[H] loves [T].\n", encoding="utf-8-sig")
    assert read_alignment(path) == {"r": AlignedSentence("[H] loves [T].", "edited")}
    path.write_bytes(b"r\t\xff")
    with pytest.raises(GraphFileError, match="no UTF-8 text"):
        read_alignment(path)
    with pytest.raises(GraphFileError, match=r"no such file.*triplewise align --out .*none.tsv"):
        read_alignment(tmp_path / "none.tsv")


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_alignment(tmp_path / "file" / "alignment.tsv", {})


def store() -> NetworkxStore:
    return NetworkxStore.from_triples(
        [("f1", "directed_by", "p1"), ("f2", "directed_by", "p1"), ("f3", "directed_by", "p1")],
        labels={"f1": "Apes", "f2": "Apes", "f3": "Alien", "p1": "Tim [T] Burton"},
        descriptions={"f1": "a film of 1968 with apes in it"},
    )


def test_statements_and_blanks() -> None:
    kg = store()
    texts, names = RelationTexts(kg, {}), EntityTexts(kg)
    assert texts.statement("f3", "directed_by", "p1", names.name) == "Alien is directed by Tim [T] Burton."
    assert texts.statement("f3", "directed_by", None, names.name) == "Alien is directed by ____."
    aligned = RelationTexts(kg, {"directed_by": AlignedSentence("[T] made [H].", "model")})
    assert aligned.statement(None, "directed_by", "p1", names.name) == "Tim [T] Burton made ____."


def test_namesakes_are_told_apart_by_description_or_by_id() -> None:
    names = EntityTexts(store(), "clashing", words=4)
    assert [names.listed(e) for e in ("f1", "f2", "f3")] == ["Apes (a film of 1968 …)", "Apes (f2)", "Alien"]
    assert EntityTexts(store(), "none").listed("f1") == "Apes"
    assert names.about("f1") == "About Apes: a film of 1968 with apes in it\n"
    assert names.about("f3") == ""


def test_labels_that_carry_definitions_are_taken_apart() -> None:
    """WN18RR's entity2text holds "lemma, definition"; two words may be spelled alike."""
    labels = {"1": "stool, a simple seat", "2": "stool, what a doctor asks for, politely", "3": "seat, to sit on"}
    kg = NetworkxStore.from_triples([("1", "_hypernym", "3"), ("2", "_hypernym", "3")], labels=labels)
    names = EntityTexts(kg, "clashing", words=4)
    assert [names.name(e) for e in "123"] == ["stool", "stool", "seat"]
    assert names.listed("2") == "stool (what a doctor asks …)"
    assert names.about("1") == "About stool: a simple seat\n"
    texts = RelationTexts(kg, {})
    assert texts.statement("1", "_hypernym", "3", names.name) == "stool is a kind of seat."
    assert names.listed("3") == names.disambiguated("3") == "seat"  # no namesake, no definition
    assert EntityTexts(kg, "all", words=4).listed("3") == "seat (to sit on)"
    assert EntityTexts(kg, "none").disambiguated("1") == "stool (a simple seat)"


def test_a_word_stands_for_its_entity_where_it_has_one_meaning() -> None:
    labels = {"1": "stool, a simple seat", "2": "stool, what a doctor asks for", "3": "seat, to sit on"}
    kg = NetworkxStore.from_triples([("1", "_hypernym", "3"), ("2", "_hypernym", "3")], labels=labels)
    assert entity_of_word(kg, "Seat") == "3" and entity_of_word(kg, "table") is None
    assert entity_of_word(kg, "3") is None  # an id
    assert entity_of_word(kg, EntityTexts(kg).disambiguated("2")) == "2"
    with pytest.raises(UnknownEntityError, match=r"2 meanings.*1: stool \(a simple seat\); 2: stool"):
        entity_of_word(kg, "stool")
    assert entity_of_word(store(), "Alien") is None  # labels without definitions
