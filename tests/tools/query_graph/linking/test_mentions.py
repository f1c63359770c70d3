"""Linking as people write: every node that the words may mean, ambiguity kept."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, ferries

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.mentions import NameIndex, words_in
from triplewise.tools.query_graph.schema_view import SchemaView

FERRIES = Candidates(ferries())


def linked(text: str, candidates: Candidates = FERRIES) -> list[str]:
    return [link.node for link in candidates.generator.names.link(text)]


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("who commands sea eagle", "Sea Eagle"),  # lower case
        ("who is captain of ms lowe", "MS Löwe"),  # no accent
        ("who is captain of the ms lwöe", "MS Löwe"),  # letters that changed places
        ("where is the oter based", "Otter"),  # a letter missing
        ("how old is Berg", "Anna Berg"),  # a part of a name
        ("the Eagle's captain", "Sea Eagle"),  # an alias, possessive
        ("Leo’s home port", "MS Löwe"),
    ],
)
def test_links_as_people_write(text: str, node: str) -> None:
    assert linked(text)[:1] == [node]


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("Where does Park live?", {"Chris Park", "Lee Park"}),
        ("where does park live?", set[str]()),
        ("Where Does Park Live?", set[str]()),
        ("WHERE DOES PARK LIVE?", set[str]()),
    ],
)
def test_an_everyday_word_is_a_name_where_it_alone_is_written_as_one(text: str, nodes: set[str]) -> None:
    people = Candidates(NetworkxStore([("Chris Park", "lives in", "Ufer"), ("Lee Park", "lives in", "Wald")]))
    assert set(linked(text, people)) == nodes


def test_two_words_are_one_in_a_name() -> None:
    kg = NetworkxStore([("Otterhound", "lies at", "Ufer"), ("Eagle", "lies at", "Ufer")])
    assert "Otterhound" in linked("where does the otter hound lie", Candidates(kg))


def test_a_possessive_ending_is_no_word() -> None:
    assert [w.text for w in words_in("Zoë's and Tom’s ships")] == ["zoe", "and", "tom", "ships"]


def test_letters_that_do_not_decompose_are_spelt_out() -> None:
    assert [w.text for w in words_in("Łódź Ærø straße")] == ["lodz", "aero", "strasse"]


def test_class_words_are_no_things() -> None:
    sentence = FERRIES.generator.read("Which ships lie at which harbours?")
    assert not sentence.links
    assert sentence.classes == {"Ship": (1, 1), "Harbour": (5, 5)}


def test_the_last_word_of_a_class_is_enough_where_it_can_mean_no_other() -> None:
    kinds = {"WaterTap": ["Weir Tap", "Gate Tap", "Spring"], "Bus Line": ["A Line"], "Ferry Line": ["B Line"]}
    kinds |= {"Film Factory": ["Ortho Factory"], "Town": ["Ufer", "Wald", "Berg"], "Old Mill": ["Tap Mill"]}
    kinds |= {"Virtual Machine": ["io", "eve"]}
    triples = [(thing, "is a", kind) for kind, named in kinds.items() for thing in named]
    triples += [("A Line", "nearest tap", "Spring"), ("Berg", "factory", "Ufer"), ("Wald", "owns", "Tap Mill")]
    generator = Candidates(NetworkxStore([*triples, *((town, "lies in", "Rona") for town in kinds["Town"])])).generator

    def classes(text: str) -> dict[str, tuple[int, int]]:
        return generator.read(text).classes

    assert classes("How many taps are there?") == {"WaterTap": (2, 2)}
    assert classes("Where is the Weir Tap?") == {"WaterTap": (4, 4)}
    assert list(classes("Who owns the Tap Mill?")) == ["Old Mill"]  # which is no water tap
    assert not classes("Which lines are there?")  # buses' or ferries'
    assert not classes("Whose factory is it?")  # what a relation says
    assert classes("Which machines are there?") == {"Virtual Machine": (1, 1)}  # and no others


def test_a_class_is_found_with_a_typing_error() -> None:
    assert list(FERRIES.generator.read("every habour").classes) == ["Harbour"]


def test_namesakes_are_kept_side_by_side() -> None:
    kg = NetworkxStore(
        [("e1", "plays", "Chess"), ("e2", "plays", "Go"), ("e3", "plays", "Go")],
        labels={"e1": "Kim Sato", "e2": "Kim Sato", "e3": "Kim Ito"},
    )
    found = Candidates(kg).generator.names.link("What does Kim Sato play?")
    assert {link.node for link in found[:2]} == {"e1", "e2"}
    assert found[0].score == found[1].score


def test_what_stands_in_brackets_need_not_be_said() -> None:
    kg = NetworkxStore([("Mercury (planet)", "orbits", "Sun"), ("Mercury (metal)", "melts at", '"-39"')])
    assert set(linked("What about Mercury?", Candidates(kg))) == {"Mercury (planet)", "Mercury (metal)"}


def test_an_everyday_word_is_a_name_only_as_a_whole() -> None:
    kg = NetworkxStore([("First Light", "by", "Ames"), ("Second Home", "by", "Ode")])
    assert linked("What came first?", Candidates(kg)) == []


def test_descriptions_are_no_names() -> None:
    text = '"a long text that says what the thing is and what it is good for"'
    kg = NetworkxStore([("Saw", "about", text), ("Axe", "about", '"short"')])
    assert text not in {name.node for name in Candidates(kg).generator.names.names}


def test_given_things_stand_in_for_linking() -> None:
    sentence = FERRIES.generator.read("Who is the captain?", ["Otter"])
    assert [(link.node, link.score) for link in sentence.links] == [("Otter", 1.0)]


def test_values_are_linked_beside_given_things() -> None:
    kg = NetworkxStore([("Guido", "works as", "owner"), ("Guido", "lives in", "Linz"), ("Linz", "is in", "Austria")])
    sentence = Candidates(kg).generator.read("Is he the owner, or does he only live in Linz?", ["Guido"])
    assert [link.node for link in sentence.links] == ["Guido", "owner"]


def test_values_meet_literals() -> None:
    sentence = FERRIES.generator.read("What was built on 11 August 2014?")
    assert [node for _, node in sentence.value_nodes] == ['"2014-08-11"']


def test_what_is_only_named_is_not_linked() -> None:
    kg = NetworkxStore(
        [("b1", "architect", "p1")], labels={"b1": "Ansel Gate", "P84": "gate architect"}, types={"Ouse Lock": ["Gate"]}
    )
    candidates = Candidates(kg)
    assert linked("who is the gate architect of ansel gate", candidates) == ["b1"]
    assert linked("is ouse lock a gate", candidates) == ["Ouse Lock"]


def test_a_name_within_another_is_meant_where_it_stands_by_itself() -> None:
    store = NetworkxStore(
        [("Ludlow Castle", "made by", "Ann"), ("Ann", "lives in", "Ludlow"), ("Ludlow", "is a", "Town")]
    )
    names = NameIndex(SchemaView(store))
    sentence = "Ludlow Castle was made by somebody from Ludlow"
    found = {link.node: (link.first, link.last) for link in names.link(sentence)}
    assert (found["Ludlow Castle"], found["Ludlow"]) == ((0, 1), (7, 7))
    assert {x.node: x.first for x in names.link("Ludlow Castle was made by Ann")}["Ludlow"] == 0


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Is Tom's Blue 2021 vegan?", []),
        ("Is the Blue 2021 vegan?", []),
        ("Was the Blue sold in 2021?", ["2021"]),
        ("Who came on 12 May 2020?", ["2020-05-12"]),  # the end of a name that is a value by itself
    ],
)
def test_the_end_of_a_name_is_no_value(text: str, values: list[str]) -> None:
    kg = NetworkxStore([("Tom's Blue 2021", "made by", "Tom Marsh"), ("Gala 12 May 2020", "held by", "Tom Marsh")])
    assert [v.low for v in Candidates(kg).generator.read(text).values] == values


def test_a_definite_noun_is_the_one_thing_whose_name_ends_in_it() -> None:
    dishes = ("Goat Cheese Tart", "Slow Roast Lamb", "Lamb Shoulder Pie", "Cheese Board Plate")
    names = NameIndex(SchemaView(NetworkxStore([(d, "is a", "Dish") for d in dishes])))
    assert [x.node for x in names.link("the tart costs more")] == ["Goat Cheese Tart"]
    assert names.link("a tart costs more") == []
    assert "Slow Roast Lamb" not in [x.node for x in names.link("the lamb costs more")]  # two have the word


@pytest.mark.parametrize(
    ("sentence", "meant"),
    [
        ("When was the Old Bridge built?", {"Old Bridge of Kirrach", "Old Bridge of Talmoor"}),
        ("When was the Old Bridge of Talmoor built?", {"Old Bridge of Talmoor"}),
        ("Which is the old bridge?", set()),
        ("When was the Bridge built?", set()),
    ],
)
def test_a_name_may_be_said_up_to_its_of(sentence: str, meant: set[str]) -> None:
    bridges = ("Old Bridge of Kirrach", "Old Bridge of Talmoor", "Dorfler Bridge", "Mill Bridge")
    store = NetworkxStore(
        [(bridge, "built in", f'"{1600 + 10 * n}"') for n, bridge in enumerate(bridges)],
        types=dict.fromkeys(bridges, ("bridge",)),
    )
    found = [x for x in NameIndex(SchemaView(store)).link(sentence) if x.score > 0.6]
    best = max((x.score for x in found), default=0)
    assert {x.node for x in found if x.score == best} == meant


_TASKS = {"Weed beds": "done", "Prune hedge": "not started", "Mow lawn": "in progress", "Paint shed": "not started"}
GARDEN = NetworkxStore(
    [
        *((task, "is a", "task") for task in _TASKS), *((task, "status", state) for task, state in _TASKS.items()),
        ("Weed beds", "done by", "Ann Lee"), ("Prune hedge", "done by", "Bob Ray"), ("Mow lawn", "done by", "Ann Lee"),
        ("Ann Lee", "is a", "gardener"), ("Bob Ray", "is a", "gardener"),
    ],
    name="garden",
)  # fmt: skip
TASKS = Candidates(GARDEN)


@pytest.mark.parametrize(
    ("text", "node", "found"),
    [
        ("which tasks are done?", "done", True),
        ("which tasks aren't done?", "done", True),
        ("which tasks are done by Ann Lee?", "done", False),
        ("who has done it?", "done", False),
        ("which tasks are started?", "not started", False),
        ("which tasks are not started?", "not started", True),
        ("which tasks haven't been started?", "not started", True),
        ("who's pruning the hedge?", "Prune hedge", True),
    ],
)
def test_states_and_deeds(text: str, node: str, found: bool) -> None:
    assert (node in linked(text, TASKS)) == found


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which tasks are done?", {"Weed beds"}),
        ("Which tasks haven't been started?", {"Prune hedge", "Paint shed"}),
        ("Who's mowing the lawn?", {"Ann Lee"}),
    ],
)
def test_a_state_is_no_denial_of_anything_else(question: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(GARDEN, question, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The weeding of the beds is done.", "supported"),
        ("Paint shed hasn't been started.", "supported"),
        ("Mow lawn is not started.", "refuted"),
        ("Paint shed is started.", "not_enough_evidence"),
    ],
)
def test_what_is_not_started_is_not_started(claim: str, verdict: str) -> None:
    assert triplewise.verify(GARDEN, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("who has the ladder?", {"Long Oak Ladder", "Short Steel Ladder"}),
        ("who has a ladder?", set[str]()),
        ("who has the pole?", set[str]()),  # one of many
    ],
)
def test_one_of_few_by_the_last_word_of_their_names(text: str, nodes: set[str]) -> None:
    poles = [f"Very Long Bamboo {n} Pole" for n in ("Red", "Green", "Blue", "White", "Black")]
    things = ["Long Oak Ladder", "Short Steel Ladder", *poles]
    triples = [(thing, "keeper", "Ann Lee") for thing in things]
    assert set(linked(text, Candidates(NetworkxStore(triples, name="shed")))) == nodes


def test_round_before_an_article_is_no_shape() -> None:
    kg = NetworkxStore([("Sage", "shape", '"round"'), ("Thyme", "shape", '"long"'), ("Sage", "seats", '"10"')])
    names = NameIndex(SchemaView(kg))
    assert not any(x.is_value for x in names.link("Ten people fit round the Sage table."))
    assert any(x.is_value for x in names.link("Is Sage round?"))


def test_the_whole_name_of_one_thing_is_no_part_of_a_longer_one() -> None:
    rows = [(team, "is_a", "team") for team in ("Frost Owls", "Frost Owls Academy", "Frost Owls (youth)")]
    names = NameIndex(SchemaView(NetworkxStore([*rows, ("Anna", "plays_for", "Frost Owls")])))

    def meant(text: str) -> set[str]:
        return {link.node for link in names.link(text)}

    assert meant("who plays for the Frost Owls?") == {"Frost Owls", "Frost Owls (youth)"}
    assert "Frost Owls Academy" in meant("who plays for the Frost Owls Academy?")
