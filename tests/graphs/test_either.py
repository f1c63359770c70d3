"""Names that "or", "and" and commas join: what belongs to either of them, and which of them it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import triplewise
from triplewise.kg import KGStore, load_kg

NOVELS = {
    "The Salt Wife": ("Ada Roth", "312", "The Salt Wife (2011)", "Kite"),
    "Cold Harbour": ("Ada Roth", "280", "", "Finch"),
    "Ninth Bell": ("Jun Mori", "401", "Ninth Bell (2019)", "Kite"),
    "Red Ledger": ("Jun Mori", "255", "", "Finch"),
    "Low Water": ("Sam Lee", "199", "", "Kite"),
}
BY_EITHER = {"The Salt Wife", "Cold Harbour", "Ninth Bell", "Red Ledger"}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    rows = [(person, "type", "person") for person in ("Ada Roth", "Jun Mori", "Sam Lee")]
    for novel, (author, pages, film, publisher) in NOVELS.items():
        rows += [(novel, "publisher", publisher)]
        rows += [(novel, "type", "novel"), (novel, "author", author), (novel, "pages", pages)]
        rows += [(novel, "film adaptation", film), (film, "type", "film")] if film else []
    path: Path = tmp_path_factory.mktemp("shelf") / "novels.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return load_kg(path)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which novels were written by Ada or Jun?", BY_EITHER),
        ("which novels did Ada and Jun write?", BY_EITHER),
        ("which novels are by Ada, or by Jun?", BY_EITHER),
        ("how many novels are by Ada Roth or Jun Mori?", {"4"}),
        ("which is the longest novel by Ada or Jun?", {"Ninth Bell"}),
        ("which of Ada's or Jun's novels have a film adaptation?", {"The Salt Wife", "Ninth Bell"}),
        ("which novels by Ada or Jun did Kite publish?", {"The Salt Wife", "Ninth Bell"}),
        ("which novels published by Kite were written by Ada or Jun?", {"The Salt Wife", "Ninth Bell"}),
        ("which novels by Ada are published by Kite or Finch?", {"The Salt Wife", "Cold Harbour"}),
        ("who wrote Cold Harbour and Ninth Bell?", {"Ada Roth", "Jun Mori"}),
        ("how many pages do Cold Harbour, Ninth Bell and The Salt Wife have?", {"280", "401", "312"}),
        ("which novels are not by Ada or Jun?", {"Low Water"}),
        ("which novels did neither Ada nor Jun write?", {"Low Water"}),
        ("how many novels aren't by Ada or Jun?", {"1"}),
        ("which novels published by Kite are not by Ada or Sam?", {"Ninth Bell"}),
        ("which novels are only by Ada or Jun?", BY_EITHER),
        ("which novels by Ada or Jun were not published by Kite?", {"Cold Harbour", "Red Ledger"}),
        ("which novels by Ada were not published by Finch?", {"The Salt Wife"}),
        ("was Red Ledger written by Ada or Jun?", {"Jun Mori"}),
        ("who wrote Red Ledger, Ada or Jun?", {"Jun Mori"}),
        ("which is longer, Cold Harbour or Ninth Bell?", {"Ninth Bell"}),
    ],
)
def test_questions(shelf: KGStore, question: str, answers: set[str]) -> None:
    result = triplewise.ask(shelf, question, method="query-graph")
    assert {a.label for a in result.answers} == answers
    assert all(a.citations for a in result.answers)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ninth Bell was written by Ada or Jun.", "supported"),
        ("Either Ada or Jun wrote Ninth Bell.", "supported"),
        ("Ninth Bell was written by Ada or Sam.", "refuted"),
        ("Ada and Jun wrote Ninth Bell.", "refuted"),
        ("Ninth Bell isn't by Ada or Jun.", "refuted"),
        ("Ninth Bell was not written by Ada or Jun.", "refuted"),
        ("Ninth Bell wasn't written by Ada or Sam.", "supported"),
    ],
)
def test_claims(shelf: KGStore, claim: str, verdict: str) -> None:
    assert triplewise.verify(shelf, claim, method="query-graph").verdict == verdict


def test_what_is_taken_away_is_said(shelf: KGStore) -> None:
    result = triplewise.ask(shelf, "which novels are not by Ada or Jun?", method="query-graph")
    assert result.reading is not None
    assert result.reading.text.endswith("but not where X's author is Y and Y is Ada Roth or Jun Mori")
    assert result.reading.query["filter"] == [["?a", "in", ["Ada Roth", "Jun Mori"]]]


@pytest.mark.parametrize(
    "question", ["which novels are not by Ada or Jun?", "which novels did neither Ada nor Jun write?"]
)
def test_what_has_no_author_at_all_is_by_neither(tmp_path: Path, question: str) -> None:
    """A reading of what lacks the relation has the same patterns, and is another one."""
    rows = [(novel, "type", "novel") for novel in (*NOVELS, "Found Pages")]
    rows += [(person, "type", "person") for person in ("Ada Roth", "Jun Mori", "Sam Lee")]
    rows += [(novel, "author", author) for novel, (author, *_) in NOVELS.items()]
    (tmp_path / "novels.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    result = triplewise.ask(load_kg(tmp_path / "novels.tsv"), question, method="query-graph")
    assert {a.label for a in result.answers} == {"Low Water", "Found Pages"}


def test_what_has_either_of_two_things_is_left_out(tmp_path: Path) -> None:
    rows = [("Satay", "peanut"), ("Satay", "chicken"), ("Porridge", "milk"), ("Porridge", "oats"), ("Slaw", "cabbage")]
    rows += [(dish, "type") for dish in ("Satay", "Porridge", "Slaw")]
    lines = [(dish, "is a", "dish") if what == "type" else (dish, "contains", what) for dish, what in rows]
    (tmp_path / "dishes.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
    kg = load_kg(tmp_path / "dishes.tsv")
    for question in ("dishes without peanut or milk?", "which dishes contain no peanut or milk?",
                     "which dishes don't contain peanut or milk?", "which dishes have neither peanut nor milk?"):  # fmt: skip
        result = triplewise.ask(kg, question, method="query-graph")
        assert {a.label for a in result.answers} == {"Slaw"}, question


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who is allergic to nuts or milk?", {"Jon Bede", "Lena Ash"}),
        ("Who isn't allergic to nuts or milk?", {"Marta Quill", "Ivo Grant"}),
        ("Who is allergic to neither nuts nor milk?", {"Marta Quill", "Ivo Grant"}),
        ("Who can't have nuts or milk?", {"Jon Bede", "Lena Ash"}),
        ("Who can eat nuts or milk?", {"Marta Quill", "Ivo Grant"}),
    ],
)
def test_the_relation_may_be_said_in_its_own_words(tmp_path: Path, question: str, answers: set[str]) -> None:
    rows = [(who, "type", "singer") for who in ("Marta Quill", "Jon Bede", "Lena Ash", "Ivo Grant")]
    rows += [("Jon Bede", "allergic to", "nuts"), ("Lena Ash", "allergic to", "milk")]
    rows += [("Marta Quill", "sings", "alto"), ("Jon Bede", "sings", "bass"), ("Ivo Grant", "sings", "tenor")]
    (tmp_path / "choir.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    result = triplewise.ask(load_kg(tmp_path / "choir.tsv"), question, method="query-graph")
    assert {a.label for a in result.answers} == answers


def test_who_joins_what_may_be_had_together_means_both(tmp_path: Path) -> None:
    rows = [("Risotto", "saffron"), ("Risotto", "rice"), ("Soup", "salt"), ("Soup", "leek"), ("Paella", "rice")]
    (tmp_path / "dishes.tsv").write_text("".join(f"{dish}\tingredient\t{what}\n" for dish, what in rows))
    kg = load_kg(tmp_path / "dishes.tsv")
    either = triplewise.ask(kg, "which dishes have saffron or leek in them?", method="query-graph")
    both = triplewise.ask(kg, "which dishes have saffron and rice in them?", method="query-graph")
    neither = triplewise.ask(kg, "which dishes have saffron and leek in them?", method="query-graph")
    assert {a.label for a in either.answers} == {"Risotto", "Soup"}
    assert {a.label for a in both.answers} == {"Risotto"}
    assert {a.label for a in neither.answers} != {"Risotto", "Soup"}


def test_both_are_asked_of_whatever_else_is_named(tmp_path: Path) -> None:
    rows = [("Grace Osei", kid) for kid in ("Hannah Osei", "Joe Osei")] + [("Cal Hart", "Ben Hart")]
    (tmp_path / "kin.tsv").write_text(
        "".join(f"{parent}\tparent of\t{kid}\n" for parent, kid in rows)
        + "Hannah Osei\tplays\tflute\nJoe Osei\tplays\ttrombone\nBen Hart\tplays\tflute\n"
    )
    found = triplewise.ask(load_kg(tmp_path / "kin.tsv"), "whose kids are Hannah and Joe Osei?", method="query-graph")
    assert [a.label for a in found.answers] == ["Grace Osei"]


def test_what_is_denied_is_not_read_as_one_of_the_two(shelf: KGStore) -> None:
    result = triplewise.ask(shelf, "which novels were not written by Ada or Jun?", method="query-graph")
    assert {a.label for a in result.answers} not in ({"Ninth Bell", "Red Ledger"}, {"The Salt Wife", "Cold Harbour"})


def test_how_it_was_read_is_told(shelf: KGStore) -> None:
    result = triplewise.ask(shelf, "which novels were written by Ada or Jun?", method="query-graph")
    assert result.reading is not None
    assert result.reading.text == "every X, where X's author is Y and Y is Ada Roth or Jun Mori"
