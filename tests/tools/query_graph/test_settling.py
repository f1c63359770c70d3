"""Which of the ranked readings goes first."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.settling import of_more_names

_DISHES = (("Trifle", "Yuki Tanaka", "Custard"), ("Pavlova", "Ben Ode", "Custard"), ("Crumble", "Yuki Tanaka", "Oats"))
KITCHEN = Candidates(
    NetworkxStore(
        [
            triple
            for dish, cook, part in _DISHES
            for triple in ((dish, "created by", cook), (dish, "has ingredient", part), (dish, "is a", "Dish"))
        ]
        + [(cook, "is a", "Cook") for cook in ("Yuki Tanaka", "Ben Ode")]
    )
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which dishes of Yuki contain custard?", {"Trifle"}),
        ("Which dishes of yuki contain custard?", {"Trifle", "Pavlova"}),  # it is not written as a name
        ("Which dishes contain custard?", {"Trifle", "Pavlova"}),
    ],
)
def test_a_name_is_not_passed_over(question: str, answers: set[str]) -> None:
    sentence, found = KITCHEN.of(question)
    plain = next(d for d in found if d.answers == {"Trifle", "Pavlova"} and d.form == "select" and not d.minus)
    drafts = [plain, *(d for d in found if d is not plain)]
    assert drafts[of_more_names(sentence, drafts)].answers == answers


CLINIC = NetworkxStore(
    [
        ("wei1", "label", "Wei Chen"), ("wei2", "label", "Wei Chen"), ("ada", "label", "Ada Moor"),
        ("wei1", "born in", "Truro"), ("wei2", "born in", "Exeter"), ("ada", "born in", "Truro"),
        *((person, "is a", "Nurse") for person in ("wei1", "wei2", "ada")),
    ],
    name="clinic",
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Wei Chen was born in Truro.", "supported"),
        ("Wei Chen was born in Exeter.", "supported"),
        ("Ada Moor was born in Exeter.", "refuted"),
    ],
)
def test_of_namesakes_the_one_is_meant_of_whom_it_is_so(claim: str, verdict: str) -> None:
    assert triplewise.verify(CLINIC, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(
    ("question", "answers"),
    [("Who is Priya Nair married to?", ["Rowan Hale"]), ("Who is Rowan Hale married to?", ["Priya Nair"])],
)
def test_whom_somebody_is_married_to_may_be_told_of_the_other(question: str, answers: list[str]) -> None:
    told = [("Rowan Hale", "married to", "Priya Nair"), ("Ann Oakes", "married to", "Martin Oakes")]
    born = [(who, "born", '"1980"') for who in ("Rowan Hale", "Priya Nair", "Ann Oakes", "Martin Oakes")]
    kg = NetworkxStore(told + born, types={who: ["Member"] for who, _, _ in born})
    assert [a.label for a in triplewise.ask(kg, question, method="query-graph").answers] == answers
