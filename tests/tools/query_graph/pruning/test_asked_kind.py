"""The class that is said of what is asked for or counted."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.pruning.asked_kind import (
    asked_class,
    asks_for_extreme,
    of_asked_kind,
    of_asked_person,
)
from triplewise.tools.text.persons import Persons

_KINDS = {"Plot": ["Ashfield", "Birchen", "Cobbett"], "Water Tap": ["Gate Tap", "Weir Tap"], "Lane": ["Harrow Lane"]}
_AT = [(thing, "stands at", "Harrow Lane") for thing in ("Ashfield", "Birchen", "Gate Tap", "Weir Tap")]
LANES = Candidates(
    NetworkxStore(
        [
            *_AT, ("Cobbett", "stands at", "Mill Lane"), ("Ashfield", "waters", "Gate Tap"), ("Gate Tap", "waters", "Birchen"),
            ("Mill Lane", "is a", "Lane"), *((thing, "is a", kind) for kind, named in _KINDS.items() for thing in named),
        ],
        name="lanes",
    )
)  # fmt: skip
WIDE = (0, "stands at", "Harrow Lane")


@pytest.mark.parametrize(
    ("question", "narrower"),
    [
        ("How many plots are there at Harrow Lane?", True),
        ("Which of the plots stand at Harrow Lane?", True),
        ("List all the water taps at Harrow Lane", True),
        ("How many taps are there at Harrow Lane?", True),
        ("How many things stand at Harrow Lane?", False),
        ("What waters plots at Harrow Lane?", False),  # other things are asked for
        ("Who from Harrow Lane has a plot?", False),
        ("How many plots and water taps are there at Harrow Lane?", False),
        ("Which plos stand at Harrow Lane?", False),  # the class is only guessed
    ],
)
def test_what_is_of_another_kind_is_not_answered(question: str, narrower: bool) -> None:
    sentence, drafts = LANES.of(question)
    kept = of_asked_kind(LANES.schema, Persons(LANES.schema), sentence, drafts)
    assert (WIDE,) in [d.rows for d in drafts] and ((WIDE,) in [d.rows for d in kept]) != narrower
    assert any(d.rows[0] == WIDE and d.kind for d in kept)


_BOOKED = [("Ann Lee", "Raku Day"), ("Bob Ray", "Raku Day"), ("Cal Hume", "Wheel Day")]
CLASSES = Candidates(
    NetworkxStore(
        [
            *((person, "is a", "member") for person in ("Ann Lee", "Bob Ray", "Cal Hume", "Dee Fox")),
            *((person, "joined", f'"{2015 + i}"') for i, person in enumerate(("Ann Lee", "Bob Ray", "Cal Hume", "Dee Fox"))),
            *((title, "is a", "class") for title in ("Raku Day", "Wheel Day", "Clay Club")),
            *((title, "fee", f'"{n}"') for title, n in (("Raku Day", 75), ("Wheel Day", 90), ("Clay Club", 20))),
            *((person, "booked", title) for person, title in _BOOKED), ("Clay Club", "run by", "Dee Fox"),
        ],
        name="classes",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Who hasn't booked any class?", False),
        ("Who has booked no class?", False),
        ("Which class has nobody booked?", True),
        ("Who is no member of a class?", True),
        ("Who has not booked the class?", True),
    ],
)
def test_who_is_not_what_something_is_done_to(question: str, kept: bool) -> None:
    sentence, drafts = CLASSES.of(question)
    persons = Persons(CLASSES.schema)
    left = of_asked_person(CLASSES.schema, persons, sentence, drafts)
    clubs, of_class = [d for d in drafts if d.answers == {"Clay Club"}], (2, "rdf:type", "class")
    assert clubs and (any(d in left for d in clubs) == kept)
    assert kept or not any(d.minus and of_class in d.rows and d.minus_of == 2 for d in left)
    assert any(d.answers == {"Dee Fox"} for d in left)


@pytest.mark.parametrize(
    ("claim", "narrower"),
    [
        ("Two plots stand at Harrow Lane.", True),
        ("There are 2 water taps at Harrow Lane.", True),
        ("Two things stand at Harrow Lane.", False),
        ("The plot stands with two others at Harrow Lane.", False),
    ],
)
def test_a_claim_of_a_number_counts_what_it_says(claim: str, narrower: bool) -> None:
    sentence = LANES.generator.read(claim)
    drafts = ClaimRun(LANES.generator, sentence, word_affinity(LANES.schema, claim)).drafts()
    kept = of_asked_kind(LANES.schema, Persons(LANES.schema), sentence, drafts)
    assert ((WIDE,), ("=", "2")) in [(d.rows, d.compare) for d in drafts]
    assert (((WIDE,), ("=", "2")) in [(d.rows, d.compare) for d in kept]) != narrower


_SAILORS = {"Ann Lee": "Helm", "Bob Ray": "Helm", "Cy Moss": "Sailor"}
_MEMBERS = [(who, "member of", "Bay Club") for who in _SAILORS]
CLUB = Candidates(
    NetworkxStore(
        [
            *_MEMBERS, *((who, "is a", kind) for who, kind in _SAILORS.items()), ("Helm", "subclass of", "Sailor"),
            ("Lark", "owned by", "Ann Lee"), ("Lark", "owned by", "Cy Moss"), ("Heron", "owned by", "Bob Ray"),
            *((boat, "is a", "Boat") for boat in ("Lark", "Heron")), ("Bay Club", "is a", "Club"),
            ("Merlet", "is a", "Boat Class"), ("Merlet", "designed by", "Cy Moss"),
            ("Lark", "of model", "Merlet"), ("Heron", "of model", "Merlet"),
            ("First Crew", "crew member", "Ann Lee"), ("First Crew", "is a", "Crew"),
        ],
        name="club",
        type_relations=["is a"],
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "narrowed"),
    [
        ("Who owns the Lark?", False),
        ("Which sailors own the Lark?", False),
        ("Which helms own the Lark?", True),  # the class below is said
        ("Which sailors who are a helm own the Lark?", True),
        ("What owns the Lark?", True),  # anything may be meant
    ],
)
def test_nobody_is_left_out_for_a_class_that_is_not_said(question: str, narrowed: bool) -> None:
    sentence, drafts = CLUB.of(question)
    kept = of_asked_kind(CLUB.schema, Persons(CLUB.schema), sentence, drafts)
    wide, narrow = (("Lark", "owned by", 0),), (("Lark", "owned by", 0), (0, TYPE, "Helm"))
    assert narrow in [d.rows for d in drafts]
    assert (narrow in [d.rows for d in kept]) == narrowed
    assert narrowed or wide in [d.rows for d in kept]


@pytest.mark.parametrize(
    ("question", "left_out", "kept"),
    [
        ("Which boats did Cy Moss design?", "Merlet", "Lark"),
        ("Which boat did Cy Moss design?", "Merlet", "Lark"),
        ("Which sailors are in the Bay Club?", "First Crew", "Cy Moss"),
    ],
)
def test_what_is_of_other_classes_only_is_not_answered(question: str, left_out: str, kept: str) -> None:
    sentence, drafts = CLUB.of(question)
    answers = [d.answers for d in of_asked_kind(CLUB.schema, Persons(CLUB.schema), sentence, drafts)]
    assert {left_out} in [d.answers for d in drafts] and {left_out} not in answers
    assert any(kept in found for found in answers)


@pytest.mark.parametrize("question", ["Which boat classes did Cy Moss design?", "Which boat model did Cy Moss design?"])
def test_a_noun_before_another_one_is_not_what_is_asked_for(question: str) -> None:
    sentence, drafts = CLUB.of(question)
    assert {"Merlet"} in [d.answers for d in of_asked_kind(CLUB.schema, Persons(CLUB.schema), sentence, drafts)]


_WEIGHTS = {"Heron": ("Boat", 9), "Teal": ("Boat", 4), "Crane": ("Crane Type", 2), "Wren": ("Boat", 7)}
FLEET = Candidates(
    NetworkxStore(
        [
            *((thing, "is a", kind) for thing, (kind, _) in _WEIGHTS.items()),
            *((thing, "weight tons", f'"{tons}"') for thing, (_, tons) in _WEIGHTS.items()),
            ("Heron", "kept at", "Crane"), ("Teal", "kept at", "Crane"), ("Wren", "kept at", "Crane"),
        ],
        name="fleet",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what's the lightest boat", "Boat"),
        ("Heaviest boat", "Boat"),
        ("What is the most expensive boat in the yard?", "Boat"),
        ("boats of less than 5 tons", "Boat"),
        ("What does the lightest boat weigh?", ""),
        ("Where is the lightest boat's berth?", ""),
        ("The lightest boat, where is it kept?", ""),
        ("Boat harbour of Teal", ""),
        ("boats of the Crane, tons only", ""),
    ],
)
def test_the_noun_of_an_extreme_is_asked_for(question: str, asked: str) -> None:
    sentence, drafts = FLEET.of(question)
    assert asked_class(FLEET.schema, sentence) == asked
    kept = of_asked_kind(FLEET.schema, Persons(FLEET.schema), sentence, drafts)
    wide = [d for d in kept if d.order and not d.kind and (0, "weight tons", d.order[0]) in d.rows and len(d.rows) == 1]
    assert not (wide and asked and asks_for_extreme(FLEET.schema, sentence))
    found = [d.answers for d in kept if d.order and d.kind == "Boat"]
    assert not asks_for_extreme(FLEET.schema, sentence) or (
        found and all(a <= {"Heron", "Teal", "Wren"} for a in found)
    )


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Which shops take anything of Ann Lee's?", False),  # what a miller sells is no shop
        ("Which shops sell goods of Ann Lee's?", True),  # "goods" are told of
        ("What comes of Ann Lee's work?", True),
    ],
)
def test_a_text_is_none_of_the_class_that_is_asked_for(question: str, kept: bool) -> None:
    kinds = {"shop": ("Hob", "Deli"), "baker": ("Ann Lee", "Bob Ray"), "miller": ("Mill Ltd",), "order": ("O1", "O2")}
    typed = [(thing, "is a", kind) for kind, things in kinds.items() for thing in things]
    told = [
        ("Ann Lee", "flour from", "Mill Ltd"), ("Bob Ray", "flour from", "Mill Ltd"), ("Mill Ltd", "goods", '"bran"'),
        ("O1", "baker", "Ann Lee"), ("O1", "customer", "Hob"), ("O2", "baker", "Bob Ray"), ("O2", "customer", "Deli"),
    ]  # fmt: skip
    shops = Candidates(NetworkxStore([*typed, *told], name="shops"))
    sentence, drafts = shops.of(question)
    goods = [d for d in drafts if d.answers == frozenset(('"bran"',))]
    left = of_asked_kind(shops.schema, Persons(shops.schema), sentence, drafts)
    assert goods and any(d.answers == frozenset(("Hob",)) for d in left)
    assert any(d.answers == frozenset(('"bran"',)) for d in left) == kept


_PLANTS = {
    "Spidey": ("spider plant", "48"),
    **{name: ("cactus", "22") for name in ("Frida", "Diego", "Pablo")},
    **{name: ("monstera", "90") for name in ("Gerald", "Vera", "Ines", "Otto")},
}
PLANTS = Candidates(
    NetworkxStore(
        [
            t
            for plant, (kind, height) in _PLANTS.items()
            for t in (
                (plant, "is a", kind),
                (plant, "height cm", f'"{height}"'),
                (plant, "stands in", "hall"),
                (plant, "from", "market"),
            )
        ],
        name="plants",
    )
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which plant is the shortest?", ""),
        ("Which spider plant is the shortest?", "spider plant"),
        ("Which monstera is the shortest?", "monstera"),
    ],
)
def test_a_part_of_the_class_of_one_thing_may_mean_its_kindred(question: str, asked: str) -> None:
    assert asked_class(PLANTS.schema, PLANTS.generator.read(question)) == asked
