"""Which of the ranked readings goes first."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

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
