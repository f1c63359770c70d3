"""What is read off a graph once: kinds without a name, and the steps that a kind has."""

from __future__ import annotations

import random
import time

import pytest

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph import schema_view
from triplewise.tools.query_graph.nameless import has_opaque_iri
from triplewise.tools.query_graph.schema_view import SchemaView, Step


def test_ends_that_mostly_hold_the_same_things_are_one_kind() -> None:
    people, towns = [f"p{i}" for i in range(20)], ["Arden", "Brook", "Coley", "Denby"]
    triples = [(p, "lives in", towns[i % 4]) for i, p in enumerate(people)]
    triples += [(p, "child of", people[(i + 1) % 20]) for i, p in enumerate(people)]
    triples += [(town, "twin of", towns[3 - i]) for i, town in enumerate(towns)]
    schema = SchemaView(NetworkxStore(triples))
    assert len({schema.kinds(p) for p in people}) == 1 and len(schema.unnamed_kinds) == 2
    assert schema.kinds("Arden") == schema.kinds("Brook") != schema.kinds("p1")


def test_a_step_that_hardly_any_of_a_kind_has_is_not_lacked_by_the_others() -> None:
    people = [f"p{i}" for i in range(1_000)]
    triples = [(p, "lives in", f"town {i % 4}") for i, p in enumerate(people)]
    triples += [(p, "deputy of", people[i + 1]) for i, p in enumerate(people[:4])]
    triples += [(p, "pupil of", people[i + 1]) for i, p in enumerate(people[:10])]
    schema = SchemaView(NetworkxStore(triples))
    steps = schema.kind_steps(schema.kinds("p500"))
    assert Step("pupil of") in steps and Step("deputy of") not in steps


def test_a_day_among_years_makes_a_relation_one_of_dates() -> None:
    triples = [(f"p{i}", "born", f"{1850 + i}") for i in range(9)]
    assert SchemaView(NetworkxStore(triples)).value_kind("born") == "year"
    assert SchemaView(NetworkxStore([*triples, ("p9", "born", "22 May 1872")])).value_kind("born") == "date"


def photographs() -> list[tuple[str, str, str]]:
    told = (("plate", 4), ("print", 6), ("daguerreotype", 1))
    photos = [(f"{kind} {i}", kind) for kind, many in told for i in range(many)]
    triples = [(p, r, f"{r} {i % 3}") for i, (p, _) in enumerate(photos) for r in ("kept in", "shows", "given by")]
    triples += [(p, "taken by", "Ada" if i % 2 else "Ben") for i, (p, k) in enumerate(photos) if len(k) < 6]
    triples += [(f"{who} {i}", "lives in", "Ufer") for who in ("Ann", "Bea") for i in range(3)]
    return [*triples, *((p, "is a", k) for p, k in photos), *((f"Ann {i}", "is a", "donor") for i in range(3))]


def test_classes_of_which_the_same_is_told_are_kindred() -> None:
    schema = SchemaView(NetworkxStore(photographs()))
    assert schema.kindred("plate") == {"plate", "print", "daguerreotype"} and schema.kindred("donor") == {"donor"}


def test_what_the_only_one_of_its_class_lacks_is_told_by_kindred_classes() -> None:
    schema = SchemaView(NetworkxStore(photographs()))
    assert Step("taken by") not in schema.steps("daguerreotype 0")
    assert Step("taken by") in schema.usual_steps(["daguerreotype"])
    assert Step("taken by") in schema.kind_steps(["daguerreotype"])
    assert Step("lives in") not in schema.kind_steps(["daguerreotype"])


def test_thousands_of_relations_are_grouped_in_no_time() -> None:
    """Freebase's 1,447 relations took 200 s of the processor: each pair of ends was held against each other."""
    triples = [(f"a{i % 40}.{j}", f"relation {i}", f"b{i}.{j}") for i in range(1_500) for j in range(8)]
    started = time.process_time()
    assert len(SchemaView(NetworkxStore(triples)).unnamed_kinds) == 40
    assert time.process_time() - started < 10


def test_statements_of_wikidata_are_nameless() -> None:
    statement, named = (f"http://www.wikidata.org/entity/statement/Q1-{n}" for n in "ab")
    triples = [
        ("Q1", "award", statement),
        (statement, "year", '"1936"'),
        ("Q1", "award", named),
        ("Q1", "a", "wds:Q1-c"),
    ]
    schema = SchemaView(NetworkxStore(triples, labels={named: "the award of 1936"}))
    assert schema.is_mediator(statement) and schema.is_mediator("wds:Q1-c")
    assert not schema.is_mediator(named) and not schema.is_mediator("Q1")


def test_sets_are_followed_as_their_nodes_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    triples = {(f"n{rng.randrange(300)}", rng.choice("rs"), f"n{rng.randrange(300)}") for _ in range(2000)}
    schema = SchemaView(NetworkxStore.from_triples(sorted(triples)))
    nodes = frozenset(f"n{i}" for i in range(0, 300, 2))
    for kept in (500_000, 7):  # the second forgets all the time
        monkeypatch.setattr(schema_view, "_KEPT", kept)
        for step in (Step("r"), Step("s", True)):
            ends = {n: frozenset(schema.go(n, step)) for n in nodes}
            assert schema.follow(nodes, step) == frozenset().union(*ends.values())
            assert {n: frozenset(e) for n, e in schema.each(nodes, step).items()} == {
                n: e for n, e in ends.items() if e
            }
        assert schema.first(nodes) == tuple(sorted(nodes)[:60])
    monkeypatch.setattr(schema_view, "_AT_ONCE", 10)
    some = schema.follow(nodes, Step("r"), most=20)
    assert 20 < len(some) < len(schema.follow(nodes, Step("r"))) and some <= schema.follow(nodes, Step("r"))


def test_all_nameless_nodes_are_known() -> None:
    schema = SchemaView(NetworkxStore.from_triples([("ann", "marriage", "_:m1"), ("_:m1", "spouse", "bob")]))
    assert schema.mediators == {"_:m1"}


IDS = "https://alps.example/id/"


def ascents(named: dict[str, str], extra: tuple[tuple[str, str, str], ...] = ()) -> SchemaView:
    triples = [
        (IDS + f"f0{n}", relation, IDS + end)
        for n, mountain, climber in ((1, "m1", "c1"), (2, "m2", "c1"))
        for relation, end in (("ofMountain", mountain), ("climbedBy", climber))
    ]
    types = {IDS + n: ["FirstAscent"] for n in ("f01", "f02")}
    labels = {IDS + n: label for n, label in named.items()}
    return SchemaView(NetworkxStore([*triples, *extra], labels=labels, types=types))


def test_an_event_that_has_an_id_and_no_name_is_nameless_where_what_it_ties_has_names() -> None:
    named = {"m1": "Piz Murena", "m2": "Hexenturm", "c1": "Anna Hofer"}
    assert ascents(named).mediators == {IDS + "f01", IDS + "f02"}
    assert not ascents({}).mediators  # ids are all that this graph has
    assert not ascents(named | {"f02": "ascent of the Hexenturm"}).mediators  # a name was forgotten
    titles = tuple((IDS + f"f0{n}", "title", f'"The {n}"') for n in (1, 2))
    assert not ascents(named, titles).mediators  # people call it by its title


@pytest.mark.parametrize(
    ("name", "opaque"),
    [
        ("f06", True),
        ("m014", True),
        ("Q123", True),
        ("evt-7", True),
        ("firstAscent12", True),
        ("3f2b8c1e-9a4d-4e6f-8b7a-0c1d2e3f4a5b", True),
        ("9e107d9d372bb6826bd81d3542a419d6", True),
        ("Vienna", False),
        ("Anna_Hofer", False),
        ("L-3010", False),
        ("MBX1", False),
        ("apollo11", False),
        ("deadbeefcafe", False),
    ],
)
def test_an_id_is_told_from_a_name(name: str, opaque: bool) -> None:
    node = IDS + name
    store = NetworkxStore([(node, "tied to", IDS + "m1")], types={node: ["FirstAscent"]})
    assert has_opaque_iri(store, node) is opaque
    assert not has_opaque_iri(NetworkxStore([(name, "tied to", "m1")]), name)  # people call a table's rows so


def test_what_a_number_measures() -> None:
    view = SchemaView(
        NetworkxStore([("The Slug", "pint", '"£4.20"'), ("The Slug", "tables", '"12"'), ("a", "cost", '"£3"')])
    )
    assert [view.measure(r) for r in ("pint", "tables", "cost")] == ["pint price", "tables", "cost"]
