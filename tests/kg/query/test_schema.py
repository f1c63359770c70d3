"""Classes and other names by relations that tell them in all but name: found, overridden, and no things in linking."""

from __future__ import annotations

import pytest

from triplewise.backends.fake import ScriptedChatModel
from triplewise.graphs.run import ask, verify
from triplewise.kg import NetworkxStore
from triplewise.kg.linking import link_entities
from triplewise.kg.query import NAME, TYPE, Pattern, QueryGraph, Variable, execute

HUTS = [
    ("Alp Grüm", "is_a", "hut"), ("Cavardiras", "is_a", "hut"), ("Lej Sgrischus", "is_a", "lake"), ("Lunghin", "is_a", "lake"),
    ("Alp Grüm", "also known as", "the Green One"), ("Cavardiras", "also known as", "Cava"), ("Alp Grüm", "near", "Lunghin"),
    ("Cavardiras", "near", "Lej Sgrischus"), ("Alp Grüm", "beds", "40"), ("Cavardiras", "beds", "62"),
]  # fmt: skip
X = Variable("x")


def having(relation: str, tails: list[str]) -> list[tuple[str, str, str]]:
    """Six things with one more relation, whose tails are those."""
    return [(f"t{i}", relation, tail) for i, tail in enumerate(tails)] + [
        (f"t{i}", "next", f"t{i + 1}") for i in range(6)
    ]


@pytest.mark.parametrize(
    "name", ["is_a", "isA", "instance of", "http://example.org/kind", "P31", "a", "node type", "category", "TYP"]
)
def test_a_relation_named_as_types_are(name: str) -> None:
    store = NetworkxStore(having(name, ["hut", "hut", "lake", "lake", "hut", "lake"]))
    assert store.roles.types == {name}
    assert store.types("t2") == ("lake",)
    assert store.instances("hut") == ("t0", "t1", "t4")
    assert store.is_class("hut")
    assert len(store) == 12  # the triples stay


def test_a_relation_with_such_a_word_counts_where_most_things_have_it() -> None:
    classes = ["IC", "IC", "RE", "RE", "RE", "RE"]
    assert NetworkxStore(having("train type", classes)).roles.types == {"train type"}
    others = [(f"s{i}", "beside", f"s{i + 1}") for i in range(12)]
    assert not NetworkxStore(having("train type", classes) + others).roles.types


def test_what_is_named_so_but_behaves_otherwise_is_none() -> None:
    assert not NetworkxStore(having("is_a", ["u", "v", "w", "x", "y", "z"])).roles.types  # each its own
    assert not NetworkxStore(having("category", ["1", "1", "2", "2", "2", "2"])).roles.types  # numbers
    things = [("hut", "owner", "Ann"), ("lake", "owner", "Bob")]
    assert not NetworkxStore([*having("is_a", ["hut", "lake"] * 3), *things]).roles.types  # tails with relations


@pytest.mark.parametrize(("shared", "names"), [(True, False), (False, True)])
def test_a_label_that_named_things_share_is_no_name(shared: bool, names: bool) -> None:
    labels = {"Ebb": "Quay Records", "Pane": "Quay Records" if shared else "Pane (album)", "Flotsam": "Northlight"}
    store = NetworkxStore([(album, "label", label) for album, label in labels.items()])
    assert store.roles.aliases == ({"label"} if names else set())
    coded = NetworkxStore([(f"A{i}", "label", label) for i, label in enumerate(labels.values())])
    assert coded.roles.aliases == {"label"}  # two of one name are namesakes


@pytest.mark.parametrize("name", ["aka", "also_known_as", "nickname", "alsoKnownAs", "short name", "code"])
def test_a_relation_named_as_other_names_are(name: str) -> None:
    store = NetworkxStore(having(name, ["Alf", "Bea", "Cid", "Dot", "Eve", '"Fay"']))
    assert store.roles.aliases == {name}
    assert store.aliases("t1") == ("Bea",)
    assert store.aliases("t5") == ("Fay",)
    assert store.is_name("Bea")
    assert [hit.id for hit in store.named("bea")] == ["t1"]


def test_names_that_many_share_or_that_have_relations_are_none() -> None:
    assert not NetworkxStore(having("code", ["A", "A", "A", "B", "B", "B"])).roles.aliases
    people = ["Alf", "Bea", "Cid", "Dot", "Eve", "Fay"]
    assert not NetworkxStore([*having("known as", people), *((p, "born", "1972") for p in people)]).roles.aliases
    assert not NetworkxStore(having("code", ["11", "12", "13", "14", "15", "16"])).roles.aliases


def test_the_callers_word_is_taken() -> None:
    store = NetworkxStore(HUTS, type_relations=["near"], alias_relations=[])
    assert (store.roles.types, store.roles.aliases) == ({"near"}, frozenset())
    assert store.types("Alp Grüm") == ("Lunghin",)
    none = NetworkxStore(HUTS, type_relations=[], alias_relations=[])
    assert not none.types("Alp Grüm") and not none.aliases("Alp Grüm")
    both = NetworkxStore(HUTS, type_relations=["is_a"], alias_relations=["is_a"])
    assert (both.roles.types, both.roles.aliases) == ({"is_a"}, frozenset())


WRECKS = [
    *((name, "is_a", kind) for name, kind in (
        ("Salvador", "wreck"), ("Dorothea", "wreck"), ("Chimneys", "reef"), ("Sea Otter", "boat"), ("Regulator 2", "regulator"),
        ("Manta", "boat"), ("Tern Reef", "reef"), ("Regulator 5", "regulator"),
        ("wreck", "dive site"), ("reef", "dive site"), ("dive site", "place"), ("regulator", "gear"),
    )),
    ("Salvador", "depth", "22"), ("Dorothea", "depth", "36"), ("Chimneys", "depth", "18"), ("Sea Otter", "length", "9"),
    ("Sea Otter", "goes to", "Salvador"), ("Regulator 2", "hired on", "Sea Otter"),
]  # fmt: skip


@pytest.mark.parametrize("given", [None, ["is_a"]])
def test_a_class_that_is_a_class_lies_below_it(given: list[str] | None) -> None:
    store = NetworkxStore(WRECKS, type_relations=given)
    assert store.roles.types == store.roles.nested == store.roles.subclasses == {"is_a"}
    assert store.types("Salvador") == ("wreck", "dive site", "place") and not store.types("wreck")
    assert store.instances("dive site") == ("Salvador", "Dorothea", "Chimneys", "Tern Reef")
    assert store.is_class("wreck") and store.is_class("place") and not store.is_class("Salvador")
    deepest = ask(store, "What is the deepest dive site?", model=ScriptedChatModel(), method="query-graph")
    assert [a.id for a in deepest.answers] == ["Dorothea"]


def test_instances_of_classes_of_classes_stay_what_they_are() -> None:
    told = [(h, "instance_of" if r == "is_a" else r, t) for h, r, t in WRECKS]
    store = NetworkxStore(told)
    assert store.roles.types == {"instance_of"} and not store.roles.nested
    assert store.types("Salvador") == ("wreck",) and store.types("wreck") == ("dive site",)


def test_a_thing_that_is_a_class_with_relations_of_its_own_is_a_thing() -> None:
    store = NetworkxStore(
        [*WRECKS, ("Sea Otter", "is_a", "Otter line"), ("Otter line", "is_a", "boat"), ("Otter line", "made by", "Vik")]
    )
    assert "boat" in store.types("Otter line") and store.types("Sea Otter") == ("boat", "Otter line")


def test_said_types_and_found_ones_are_one() -> None:
    store = NetworkxStore(HUTS, types={"Lunghin": ("water", "lake")})
    assert store.types("Lunghin") == ("water", "lake")


RDFS = "http://www.w3.org/2000/01/rdf-schema#"
BRIDGES = [
    ("Ansel Gate", "crosses", "Osk"), ("Dunmere Crossing", "crosses", "Osk"), ("Osk", "flows into", "the sea"),
    ("arch bridge", "SUB", "fixed bridge"), ("arch bridge", "SUB", "landmark"), ("fixed bridge", "SUB", "bridge"),
    ("bridge", "SUB", "_:b1"), ("_:b1", "SUB", "structure"), ("structure", "SUB", "bridge"), ("ferry", "SUB", "boat"),
]  # fmt: skip
SUBCLASS_IDS = [
    f"{RDFS}subClassOf",
    "rdfs:subClassOf",
    "http://www.wikidata.org/prop/direct/P279",
    "wdt:P279",
    "subclass_of",
]


@pytest.mark.parametrize("name", SUBCLASS_IDS)
def test_what_is_of_a_class_is_of_the_classes_above_it(name: str) -> None:
    triples = [(h, name if r == "SUB" else r, t) for h, r, t in BRIDGES]
    store = NetworkxStore(triples, types={"Ansel Gate": ("arch bridge",), "Dunmere Crossing": ("bridge",)})
    assert store.roles.subclasses == {name} and len(store) == len(triples)
    assert store.types("Ansel Gate") == ("arch bridge", "fixed bridge", "landmark", "bridge", "structure")
    assert store.types("Dunmere Crossing") == ("bridge", "structure") and not store.types("arch bridge")
    assert store.instances("bridge") == ("Ansel Gate", "Dunmere Crossing") and not store.instances("boat")
    assert execute(store, QueryGraph((Pattern(X, TYPE, "structure"),), X)).ids == ("Ansel Gate", "Dunmere Crossing")
    assert (
        verify(store, "Ansel Gate is a bridge.", model=ScriptedChatModel(), method="query-graph").verdict == "supported"
    )


def test_statements_of_wikidata_tell_no_classes_above() -> None:
    prop = "http://www.wikidata.org/prop/"
    triples = [
        ("Q7", f"{prop}P279", "S1"),
        ("S1", f"{prop}statement/P279", "Q1"),
        ("Q7", f"{prop}qualifier/P279", "Q2"),
    ]
    store = NetworkxStore([*triples, ("b1", "crosses", "Osk")], types={"b1": ["Q7"]})
    assert not store.roles.subclasses and store.types("b1") == ("Q7",)


def test_classes_that_only_have_classes_above_are_classes() -> None:
    below = [(c, "wdt:P279", "building") for c in ("hut", "lake")]
    store = NetworkxStore([*having("wdt:P31", ["hut", "lake"] * 3), *below])
    assert store.roles.types == {"wdt:P31"} and store.types("t0") == ("hut", "building")


def test_classes_and_names_are_not_linked_as_things() -> None:
    store = NetworkxStore(HUTS)
    assert (store.roles.types, store.roles.aliases) == ({"is_a"}, {"also known as"})
    (mention,) = link_entities(store, "is the green one a hut?")
    assert [hit.id for hit in mention.candidates] == ["Alp Grüm"]
    assert not link_entities(store, "which lake is a hut")
    assert [m.candidates[0].id for m in link_entities(NetworkxStore(HUTS, type_relations=[]), "which hut")] == ["hut"]


def test_query_graphs_see_them_under_one_name() -> None:
    store = NetworkxStore(HUTS)
    assert execute(store, QueryGraph((Pattern(X, TYPE, "lake"),), X)).ids == ("Lej Sgrischus", "Lunghin")
    assert execute(store, QueryGraph((Pattern(X, NAME, "Cava"),), X)).ids == ("Cavardiras",)
    assert execute(store, QueryGraph((Pattern("Alp Grüm", NAME, X),), X)).ids == ('"the Green One"',)
    typed = QueryGraph((Pattern(X, "near", Variable("y")), Pattern(Variable("y"), TYPE, "lake")), X)
    assert execute(store, typed).ids == ("Cavardiras", "Alp Grüm")
