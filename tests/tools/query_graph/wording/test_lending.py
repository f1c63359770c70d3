"""Who has what, over tables of loans and over a relation of what is lent."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_graphs import tables_in

import triplewise
from triplewise.kg import KGStore, NetworkxStore, load_kg
from triplewise.tools.query_graph.ranker import reader_of
from triplewise.tools.query_graph.wording.lending import Lending

TABLES = {
    "repairs": "repair_no,item,fault,cost,fixed\nR1,I1,jammed chuck,12,yes\nR2,I4,bent rung,,no\n",
    "members": "member_id,name,street,volunteer\nM1,Helen Marsh,Alder Road,yes\nM2,Tom Whit,Mill Lane,no\n"
    "M3,Mei Tanaka,Mill Lane,no\nM4,Piotr Zielin,Alder Road,yes\n",
    "items": "item_id,name,category,weekly_fee,donated_by\nI1,Bosch drill,tools,4,M1\nI2,Bell tent,camping,10,M2\n"
    "I3,Sewing machine,home,5,M1\nI4,Extension ladder,tools,6,\n",
    "loans": "loan_no,borrower,item,due_back,returned\nL01,M2,I1,2025-03-08,yes\nL02,M3,I3,2025-04-12,no\n"
    "L03,M4,I1,2025-04-05,no\nL04,M1,I2,2025-03-01,yes\nL05,M4,I2,2025-03-20,yes\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    return tables_in(tmp_path_factory.mktemp("library"), TABLES)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who's got the Bosch drill at the mo?", "who is the borrower of the Bosch drill that is not returned?"),
        ("And who has the Bell tent?", "And who is the borrower of the Bell tent that is not returned?"),
        ("who else has had the Bosch drill?", "who else is the borrower of the Bosch drill?"),
        ("What's Piotr still got?", "What has Piotr borrowed and not returned?"),
        ("which items have never been lent out?", "which items have no loan?"),
        ("give me everything that's still out with people", "Which items are not returned"),
        ("which members have something out on loan?", "which members have borrowed items that are not returned?"),
        ("And which things has Helen borrowed from us?", "And what has Helen borrowed?"),
        ("which items did Helen borrow in March?", "what has Helen borrowed in March?"),
        ("which tents did Helen borrow?", "which tents did Helen borrow?"),
        ("is the Bell tent still out?", "is the Bell tent still out?"),
        ("how many items are still out?", "how many items are not returned?"),
        ("who has the most loans?", "who has the most loans?"),
        ("how many times has the Bell tent gone out?", "how many loans of the Bell tent are there?"),
        ("who has a dog?", "who has a dog?"),
        ("who has had L02?", "who has had L02?"),
        ("which of those aren't out on loan", "which of those aren't out on loan"),
        ("what has Mill Lane got?", "what has Mill Lane got?"),
    ],
)
def test_in_the_words_of_loans(library: KGStore, asked: str, said: str) -> None:
    assert reader_of(library).wording.lending.in_its_words(asked) == said


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who's got the sewing machine?", ["Mei Tanaka"]),
        ("who's got the Bosch drill right now?", ["Piotr Zielin"]),
        ("who has had the Bosch drill?", ["Piotr Zielin", "Tom Whit"]),
        ("what's Piotr got?", ["Bosch drill"]),
        ("which items have never been lent out?", ["Extension ladder"]),
        ("how often has the Bosch drill been borrowed?", ["2"]),
        ("which items are still out?", ["Bosch drill", "Sewing machine"]),
        ("how much did the repair of the Bosch drill cost?", ["12"]),
        ("what is the weekly fee of the Bosch drill?", ["4"]),
    ],
)
def test_who_has_what(library: KGStore, question: str, answers: list[str]) -> None:
    told = triplewise.ask(library, question, method="query-graph")
    assert sorted(a.label for a in told.answers) == answers


@pytest.fixture(scope="module")
def out_or_not(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """The same with a column that says what is out, and the day of return."""
    folder: Path = tmp_path_factory.mktemp("out")
    loans = (line.rpartition(",") for line in TABLES["loans"].splitlines()[1:])
    rows = [f"{rest},{'2025-05-01,no' if back == 'yes' else ',yes'}" for rest, _, back in loans]
    told = TABLES | {"loans": "\n".join(("loan_no,borrower,item,due_back,returned,still_out", *rows)) + "\n"}
    for name, text in told.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return load_kg(folder)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who's got the sewing machine?", ["Mei Tanaka"]),
        ("who has the Bosch drill now?", ["Piotr Zielin"]),
        ("which things does Piotr still have?", ["Bosch drill"]),
        ("which items does Piotr still have?", ["Bosch drill"]),
        ("which items are still out?", ["Bosch drill", "Sewing machine"]),
        ("what stuff is still out with people right now?", ["Bosch drill", "Sewing machine"]),
    ],
)
def test_who_has_what_where_a_column_says_what_is_out(out_or_not: KGStore, question: str, answers: list[str]) -> None:
    told = triplewise.ask(out_or_not, question, method="query-graph")
    assert sorted(a.label for a in told.answers) == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("the Bosch drill has been mended", "supported"),
        ("the Extension ladder has been mended", "refuted"),
        ("the Extension ladder has not been fixed", "supported"),
        ("the Sewing machine has been fixed", "not_enough_evidence"),  # it has no repair; what Helen gave too has
        ("the Extension ladder has been painted", "not_enough_evidence"),
    ],
)
def test_what_is_told_of_a_repair(library: KGStore, claim: str, verdict: str) -> None:
    assert triplewise.verify(library, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize("claim", ["the Bell tent is out on loan", "the Bell tent is still out"])
def test_what_is_back_is_not_out(library: KGStore, claim: str) -> None:
    assert triplewise.verify(library, claim, method="query-graph").verdict != "supported"
    assert "yes" not in {a.label for a in triplewise.ask(library, f"Is {claim[:13]} out on loan?").answers}


def test_without_loans_of_their_own() -> None:
    books = NetworkxStore(
        [("Dune", "lent to", "Ann"), ("Emma", "lent to", "Bo"), ("Dune", "author", "Herbert")], name="books"
    )
    lending = Lending(reader_of(books).generator.names)
    assert lending.in_its_words("who's got Dune?") == "who has borrowed Dune?"
    assert lending.in_its_words("which have never been lent out?") == "which have never been lent out?"


def test_a_graph_without_lending() -> None:
    pets = NetworkxStore([("Ann", "pet", "Rex"), ("Rex", "colour", "black")], name="pets")
    assert Lending(reader_of(pets).generator.names).in_its_words("who's got Rex?") == "who's got Rex?"


KIT = "item,kept_by,lent_to,cost\nBow saw,Ron Stacey,,18\nWater carrier,Ron Stacey,Chidi Okoro,13\nTipi,Ron Stacey,,310\nStove,Nadia Kessler,,40\n"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who's got the Water carrier?", {"Chidi Okoro"}),
        ("who has the Bow saw?", {"Ron Stacey"}),  # it is not lent
        ("which items are out on loan?", {"Water carrier"}),
        ("what has Chidi got?", {"Water carrier"}),
    ],
)
def test_a_thing_tells_itself_to_whom_it_is_lent(tmp_path: Path, question: str, answers: set[str]) -> None:
    kg = tables_in(tmp_path / "kit", {"kit": KIT})
    assert {a.label for a in triplewise.ask(kg, question, method="query-graph").answers} == answers
