"""Denials over several steps, of classes and of those who act: what is taken away is all that the sentence says."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.pruning.denials import of_the_absent, taking_away
from triplewise.tools.query_graph.pruning.pruner import Pruner
from triplewise.tools.query_graph.pruning.row_ends import RowEnds

_PARTS = {
    "Soup": ("Leek", "Cream"), "Tart": ("Leek", "Dough"), "Omelette": ("Eggs", "Leek"), "Mousse": ("Eggs", "Cream"),
    "Sorbet": ("Berries",),
}  # fmt: skip
_CONTAINS = {"Cream": "Milk", "Dough": "Gluten", "Eggs": "Egg"}
_MENUS = {"Spring Menu": ("Soup", "Mousse"), "Autumn Menu": ("Tart", "Sorbet"), "Garden-Free Menu": ("Omelette",)}
_COOKS = {
    "Soup": "Ann Lee", "Tart": "Bob Ray", "Omelette": "Ann Lee", "Mousse": "Bob Ray", "Sorbet": "Bob Ray",
}  # fmt: skip
_KINDS = {
    "Starter": ("Soup", "Omelette"), "Main": ("Tart",), "Dessert": ("Mousse", "Sorbet"), "Menu": tuple(_MENUS),
    "Ingredient": ("Leek", "Cream", "Dough", "Eggs", "Berries"), "Allergen": ("Milk", "Gluten", "Egg", "Soya"),
    "Cook": ("Ann Lee", "Bob Ray", "Cal Hume"), "Party": ("Fair", "Gala"), "Wedding": ("Union",),
    "Event": ("Fair", "Gala", "Union"),
}  # fmt: skip
_DISHES = {dish: kind for kind in ("Starter", "Main", "Dessert") for dish in _KINDS[kind]}
KITCHEN = Candidates(
    NetworkxStore(
        [
            *((dish, "has ingredient", part) for dish, parts in _PARTS.items() for part in parts),
            *((part, "contains allergen", allergen) for part, allergen in _CONTAINS.items()),
            *((menu, "includes dish", dish) for menu, dishes in _MENUS.items() for dish in dishes),
            *((dish, "created by", cook) for dish, cook in _COOKS.items()),
            *((event, "served by", cook) for event, cook in (("Fair", "Ann Lee"), ("Gala", "Ann Lee"), ("Union", "Bob Ray"))),
            *((event, "guests", f'"{n}"') for event, n in (("Fair", 20), ("Gala", 90), ("Union", 60))),
        ],
        types={
            node: [kind, *(["Dish"] if node in _DISHES else [])]
            for kind, nodes in _KINDS.items()
            for node in nodes
            if kind != "Event"
        }
        | {node: [kind, "Event"] for kind in ("Party", "Wedding") for node in _KINDS[kind]},
    )
)  # fmt: skip


def kept(question: str) -> list[frozenset[str]]:
    """What the readings of a question answer that are left, each checked against what running it finds."""
    sentence, drafts = KITCHEN.of(question)
    left = [
        d for d in Pruner(KITCHEN.schema, RowEnds(KITCHEN.schema)).kept(sentence, "ask", drafts) if d.form == "select"
    ]
    assert all(set(execute(KITCHEN.store, d.query()).ids) == d.answers for d in left)
    return [d.answers for d in left]


NO_EGG = frozenset({"Soup", "Tart", "Sorbet"})


@pytest.mark.parametrize(
    "question",
    ["Which dishes have no egg?", "Which dishes don't contain Egg?", "Which dishes are egg-free?",
     "Which dishes are free of egg?"],
)  # fmt: skip
def test_a_denial_covers_the_whole_chain(question: str) -> None:
    answers = kept(question)
    assert NO_EGG in answers
    assert frozenset({"Omelette", "Mousse"}) not in answers  # those that have it
    assert frozenset(_DISHES) not in answers  # those of which some ingredient contains none


def test_what_is_said_itself_is_not_taken_away() -> None:
    assert frozenset({"Omelette", "Mousse"}) in kept("Which dishes contain Egg?")
    assert frozenset({"Omelette"}) in kept("Which dishes are on the Garden-Free Menu?")


def test_what_no_short_path_leads_to_is_taken_away_over_a_longer_one() -> None:
    assert frozenset({"Spring Menu", "Garden-Free Menu"}) in kept("Which menus have no gluten?")


def test_a_chain_to_anything_of_a_class_is_taken_away() -> None:
    assert frozenset({"Sorbet"}) in kept("Which dishes contain no allergen at all?")


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which cook hasn't created any starter?", frozenset({"Bob Ray", "Cal Hume"})),
        ("Which cook has created no dessert?", frozenset({"Ann Lee", "Cal Hume"})),
        ("Which cooks never created a main?", frozenset({"Ann Lee", "Cal Hume"})),
    ],
)
def test_only_the_class_is_taken_away_that_is_denied(question: str, right: frozenset[str]) -> None:
    sentence, drafts = KITCHEN.of(question)
    left = Pruner(KITCHEN.schema, RowEnds(KITCHEN.schema)).kept(sentence, "ask", drafts)
    denied = {kind for kind in sentence.classes if kind != "Cook"}
    assert right in {d.answers for d in left}
    assert all(denied & {t for _, _, t in d.minus} for d in left)
    assert any(
        f"without {next(iter(denied)).lower()} → created by → ?" in KITCHEN.verbaliser.reading(d, sentence)
        for d in left
    )


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which dishes weren't created by Bob?", frozenset({"Soup", "Omelette"})),
        ("Which dishes did bob ray not create?", frozenset({"Soup", "Omelette"})),
        ("Which events did Ann not serve at?", frozenset({"Union"})),
    ],
)
def test_who_did_not_do_it_is_taken_away(question: str, right: frozenset[str]) -> None:
    answers = kept(question)
    named = {"Soup", "Omelette", "Tart", "Mousse", "Sorbet"} if "dish" in question else {"Fair", "Gala", "Union"}
    assert right in answers
    assert frozenset(named) - right not in answers


def test_what_a_thing_shares_with_others_it_shares_with_itself() -> None:
    assert frozenset({"Mousse", "Sorbet"}) in kept("Which dishes share no ingredient with the Tart?")


def test_kinds_of_one_class_are_no_sheets_of_their_own() -> None:
    _, drafts = KITCHEN.of("Which cooks were never hired?")
    assert not any("Wedding" in {t for _, _, t in d.minus} for d in drafts)
    _, drafts = KITCHEN.of("Which cooks never served at a wedding?")
    assert any("Wedding" in {t for _, _, t in d.minus} for d in drafts)


@pytest.mark.parametrize("question", ["Which dessert has no gluten?", "Which desserts are gluten-free?"])
def test_what_none_has_leaves_all(question: str) -> None:
    assert frozenset({"Mousse", "Sorbet"}) in kept(question)


@pytest.mark.parametrize(
    "question",
    [
        "My legs aren't what they were, so which dishes contain Egg?",
        "Ann isn't in, is she, so which dishes contain Egg?",
    ],
)
def test_what_is_denied_outside_the_question_denies_nothing_in_it(question: str) -> None:
    assert frozenset({"Omelette", "Mousse"}) in kept(question)


def test_a_noun_that_tells_of_another_is_not_denied_itself() -> None:
    sentence, drafts = KITCHEN.of("Which dishes have no egg cup?")
    assert taking_away(KITCHEN.schema, sentence, drafts) == drafts
    sentence, drafts = KITCHEN.of("Which dishes have no egg?")
    assert taking_away(KITCHEN.schema, sentence, drafts) != drafts


def test_what_is_free_of_something_in_another_clause_is_not_asked_for() -> None:
    sentence, drafts = KITCHEN.of("The egg-free dish, its ingredients?")
    assert taking_away(KITCHEN.schema, sentence, drafts) == drafts


def test_who_is_in_no_row_of_a_class_has_nothing_of_it() -> None:
    moves = [("M1", "Ann Lee", "Kites"), ("M2", "Bob Ray", "Wrens")]
    clubs = Candidates(
        NetworkxStore(
            [(row, relation, end) for row, who, club in moves for relation, end in (("player", who), ("left", club))],
            types={**{row[0]: ["Move"] for row in moves}, **{who: ["Player"] for who in ("Ann Lee", "Bob Ray")},
                   **{club: ["Club"] for club in ("Kites", "Wrens", "Terns")}},
        )
    )  # fmt: skip
    sentence, drafts = clubs.of("Which clubs were never left by any player?")
    assert frozenset({"Terns"}) in {d.answers for d in taking_away(clubs.schema, sentence, drafts)}


REHEARSAL = Candidates(
    NetworkxStore(
        [
            *(("Read-through", "missed by", who) for who in ("Martin Oakes", "Colin Pruett")),
            *(("Read-through", "held at", "Corn Hall"), ("Read-through", "led by", "Judith Oakes")),
        ],
        types={who: ["Member"] for who in ("Martin Oakes", "Colin Pruett", "Judith Oakes", "Bea Holt")},
    )
)


def test_who_was_not_there_missed_it() -> None:
    for question in ("who wasn't there for the Read-through?", "Which members didn't come to the Read-through?"):
        sentence, drafts = REHEARSAL.of(question)
        assert any(d.minus for d in drafts)
        kept = of_the_absent(REHEARSAL.schema, sentence, drafts)
        assert kept and all(not d.minus and any(r == "missed by" for _, r, _ in d.rows) for d in kept)
    sentence, drafts = REHEARSAL.of("Who led the Read-through?")
    assert of_the_absent(REHEARSAL.schema, sentence, drafts) == drafts
