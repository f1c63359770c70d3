"""Rows that only tie other things, where these are asked for."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.pruning.row_ends import RowEnds
from triplewise.tools.query_graph.ranker import reader_of

_REPAIRS = [
    ("R01", "Radio", "Tom Wilk", "fuse", "30", "2025-01-18"),
    ("R02", "Kettle", "Tom Wilk", "seal", "20", "2025-02-15"),
    ("R03", "Lamp", "Ruth Pohl", "switch", "90", "2025-02-15"),
    ("R04", "Radio", "Ruth Pohl", "fuse", "10", "2025-03-15"),
]
_KINDS = {
    "repair": [row[0] for row in _REPAIRS], "item": ["Radio", "Kettle", "Lamp"], "volunteer": ["Tom Wilk", "Ruth Pohl"],
    "order": ["O-1", "O-2"], "invoice": ["N-1"],
}  # fmt: skip
_COLUMNS = ("item id", "repaired by", "parts used", "minutes", "date")
_TRIPLES = [
    *((row[0], column, cell) for row in _REPAIRS for column, cell in zip(_COLUMNS, row[1:], strict=True)),
    *((thing, "is a", kind) for kind, named in _KINDS.items() for thing in named),
    *((person, "phone", f'"0151 33{i}"') for i, person in enumerate(_KINDS["volunteer"])),
    ("Radio", "brand", "Velox"), ("Kettle", "brand", "Brauner"), ("Lamp", "brand", "Velox"),
    ("O-1", "ordered by", "Tom Wilk"), ("O-1", "for item", "Lamp"), ("N-1", "invoice of", "O-1"),
    ("O-2", "ordered by", "Ruth Pohl"), ("O-2", "for item", "Kettle"),
]  # fmt: skip
CAFE = Candidates(NetworkxStore(_TRIPLES, name="cafe"))
ENDS = RowEnds(CAFE.schema)
BY_TOM = Draft(((0, "repaired by", "Tom Wilk"),), frozenset(("R01", "R02")))
LONGEST = Draft(((0, "minutes", 1),), frozenset(("R03",)), order=(1, True, None))
LONGEST_OF_AN_ITEM = Draft(
    ((0, "item id", 1), (0, "minutes", 2)), frozenset(("R03",)), order=(2, True, None)
)  # fmt: skip
ORDERED = Draft(((0, "ordered by", "Tom Wilk"),), frozenset(("O-1",)))


@pytest.mark.parametrize(
    ("question", "draft", "told"),
    [
        ("Which items did Tom Wilk repair?", BY_TOM, {"Radio", "Kettle"}),
        ("Which things were repaired by Tom Wilk?", BY_TOM, {"Radio", "Kettle"}),
        ("What did Tom Wilk repair?", BY_TOM, {"Radio", "Kettle"}),
        ("What's Tom Wilk repairing?", BY_TOM, {"Radio", "Kettle"}),
        ("Which gadgets did Tom Wilk repair?", BY_TOM, {"Radio", "Kettle"}),
        ("Which brands did Tom Wilk repair?", BY_TOM, {"Velox", "Brauner"}),
        ("Which parts did Tom Wilk need?", BY_TOM, {"fuse", "seal"}),
        ("What was the slowest part?", LONGEST, {"switch"}),
        ("Who did the longest repair?", LONGEST, {"Ruth Pohl"}),
        ("Which item took the longest?", LONGEST_OF_AN_ITEM, {"Lamp"}),
        ("Which item was ordered by Tom Wilk?", ORDERED, {"Lamp"}),
    ],
)
def test_what_rows_tie_is_told_where_it_is_asked_for(question: str, draft: Draft, told: set[str]) -> None:
    asked = ENDS.asked(CAFE.generator.read(question))
    [further] = ENDS.led_on(asked, draft) if asked else []
    assert further.answers == told
    assert set(execute(CAFE.store, further.query()).ids) == told
    assert len(further.rows) == len({row[1] for row in further.rows})


VISITS = NetworkxStore(
    [
        *((visit, "is a", "visit") for visit in ("Visit 1", "Visit 2")),
        *((cat, "is a", "cat") for cat in ("Tom", "Kit")),
        *((person, "is a", "vet") for person in ("Ann Lee", "Bob Ray")), ("Tom", "colour", "black"),
        ("Visit 1", "cat", "Tom"), ("Visit 2", "cat", "Kit"), ("Visit 1", "seen by", "Ann Lee"),
        ("Visit 2", "seen by", "Bob Ray"), ("Visit 1", "reason", "a bad tooth"), ("Visit 2", "reason", "a cold"),
        ("Ann Lee", "phone", "0151 331"), ("Bob Ray", "phone", "0151 332"),
    ],
    name="visits",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who looked at Tom?", {"Ann Lee"}),  # Visit 1 is nobody
        ("Why was Tom seen?", {"a bad tooth"}),
        ("Which visits did Tom have?", set()),  # they are asked for themselves
    ],
)
def test_what_is_called_by_its_class_and_a_number_is_nobody(question: str, told: set[str]) -> None:
    seen = Candidates(VISITS)
    asked = RowEnds(seen.schema).asked(seen.generator.read(question))
    further = RowEnds(seen.schema).led_on(asked, Draft(((0, "cat", "Tom"),), frozenset(("Visit 1",)))) if asked else []
    assert {a for d in further for a in d.answers} == told


def test_the_readings_say_which_end_of_rows_is_asked_for() -> None:
    orders = [("O1", "Hotel", "Cake"), ("O2", "Bar", "Bread"), ("O3", "Hotel", "Bread")]
    told = [(row[0], r, end) for row in orders for r, end in zip(("customer", "product"), row[1:], strict=True)]
    kinds = {"order": ("O1", "O2", "O3"), "customer": ("Hotel", "Bar"), "product": ("Cake", "Bread")}
    typed = [(thing, "is a", kind) for kind, things in kinds.items() for thing in things]
    driven = [("O1", "driver", "Joe Bell"), ("O2", "driver", "Joe Bell"), ("O3", "driver", "Ann Lee")]
    store = NetworkxStore([*told, *typed, *driven, ("Hotel", "town", "Wick"), ("Cake", "price", "12")], name="bakery")
    ranking = reader_of(store).rank("Which baked goods does Joe Bell drive out?")
    assert ranking.readings[0].draft.answers == {"Cake", "Bread"}


SALES = NetworkxStore(
    [
        *((sale, "is a", "sale") for sale in ("SL-1", "SL-2", "SL-3")),
        *((piece, "is a", "piece") for piece in ("Storm Bowl", "Moon Jar", "Owl Lamp")),
        *((piece, "height cm", f'"{i}"') for i, piece in enumerate(("Storm Bowl", "Moon Jar", "Owl Lamp"), 20)),
        ("SL-1", "piece id", "Storm Bowl"), ("SL-2", "piece id", "Moon Jar"), ("SL-3", "piece id", "Owl Lamp"),
        ("SL-1", "buyer", "Maud Ellery"), ("SL-2", "buyer", "Maud Ellery"), ("SL-3", "buyer", "Bridge Street Gallery"),
        ("SL-1", "payment", "Cash"), ("SL-2", "payment", "Card"), ("SL-3", "payment", "Invoice"),
    ],
    name="sales",
)  # fmt: skip
SOLD = Candidates(SALES)


@pytest.mark.parametrize(
    ("question", "row", "told"),
    [
        ("What did Maud Ellery buy?", ("buyer", "Maud Ellery"), {"Storm Bowl", "Moon Jar"}),
        ("Which pieces did Maud Ellery buy?", ("buyer", "Maud Ellery"), {"Storm Bowl", "Moon Jar"}),
        ("Who buys by invoice?", ("payment", "Invoice"), {"Bridge Street Gallery"}),
        ("Which sales were paid by invoice?", ("payment", "Invoice"), None),
    ],
)
def test_a_row_may_tie_a_thing_to_a_name(question: str, row: tuple[str, str], told: set[str] | None) -> None:
    ends = RowEnds(SOLD.schema)
    asked = ends.asked(SOLD.generator.read(question))
    draft = Draft(((0, *row),), frozenset(t.head for t in SALES.triples(relation=row[0]) if t.tail == row[1]))
    further = ends.led_on(asked, draft) if asked else []
    assert [d.answers for d in further] == ([told] if told else [])


def test_what_is_counted_is_what_is_asked_for() -> None:
    asked = ENDS.asked(CAFE.generator.read("How many items did Ruth Pohl repair?"))
    [further] = ENDS.led_on(asked, BY_TOM.but(form="count")) if asked else []
    assert execute(CAFE.store, further.query()).number == 2


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("Which repairs did Tom Wilk do?", BY_TOM),
        ("How many repairs did Tom Wilk do?", BY_TOM),
        ("Who did Tom Wilk help?", BY_TOM),  # who repaired is told
        ("What was repaired in January?", BY_TOM),
        ("What did Tom Wilk order?", ORDERED),  # an order is a thing, of which an invoice tells
        ("Which orders came from Tom Wilk?", ORDERED),
        ("Which items did Tom Wilk repair?", BY_TOM.but(answers=frozenset(("Radio",)))),
    ],
)
def test_rows_are_told_where_they_may_be_meant(question: str, draft: Draft) -> None:
    asked = ENDS.asked(CAFE.generator.read(question))
    assert not asked or not ENDS.led_on(asked, draft)


def test_the_likeliest_reading_is_led_on() -> None:
    ranking = reader_of(CAFE.store).rank("Which items did Tom Wilk repair?")
    assert ranking.readings[0].draft.answers == {"Radio", "Kettle"}
    assert len({r.text for r in ranking.readings}) == len(ranking.readings)
    assert sum(r.probability for r in ranking.readings) + ranking.none == pytest.approx(1.0)
    for word in ("repairs", "jobs"):  # "gadgets" are much nearer to items than to repairs, "jobs" are not
        rows = reader_of(CAFE.store).rank(f"Which {word} did Tom Wilk do?")
        assert rows.readings[0].draft.answers == {"R01", "R02"}


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Who is Ann Lee's boss?", False),
        ("Who is Ann Lee?", True),  # a name alone asks what she is
        ("Who has Ann Lee's job title?", True),
    ],
)
def test_a_job_title_is_nobody(question: str, kept: bool) -> None:
    jobs = {"Ann Lee": "Waiter", "Bob Ray": "Head Waiter", "Cal Hume": "Chef"}
    triples = [(name, "job title", f'"{job}"') for name, job in jobs.items()]
    staff = [(name, "is a", "Member") for name in jobs]
    crew = Candidates(NetworkxStore([*triples, *staff, ("Ann Lee", "reports to", "Bob Ray")], name="crew"))
    sentence, drafts = crew.of(question)
    found = [d.rows for d in RowEnds(crew.schema).of_persons(sentence, drafts) if d.form == "select"]
    title = (("Ann Lee", "job title", 0),)
    assert title in [d.rows for d in drafts] and (title in found) == kept
    assert (("Ann Lee", "reports to", 0),) in found


@pytest.mark.parametrize(
    ("question", "kept"),
    [("Which newbies did Tom Wilk bring on?", False), ("What is told of Tom Wilk?", True)],
)
def test_no_noun_calls_rows_of_several_tables(question: str, kept: bool) -> None:
    trips = [
        ("T01", "courier", "Tom Wilk"),
        ("T01", "van", "Basil"),
        ("T02", "courier", "Ann Lee"),
        ("T02", "van", "Thyme"),
    ]
    visits = [
        ("V01", "courier", "Tom Wilk"),
        ("V01", "site", "Weir"),
        ("V02", "courier", "Ann Lee"),
        ("V02", "site", "Mill"),
    ]
    kinds = {"trip": ("T01", "T02"), "visit": ("V01", "V02"), "person": ("Tom Wilk", "Ann Lee", "Bob Ray")}
    kinds |= {"van": ("Basil", "Thyme"), "site": ("Weir", "Mill")}
    typed = [(thing, "is a", kind) for kind, things in kinds.items() for thing in things]
    couriers = Candidates(NetworkxStore([*trips, *visits, *typed, ("Bob Ray", "trained by", "Tom Wilk")], name="rows"))
    sentence, drafts = couriers.of(question)
    answers = {d.answers for d in RowEnds(couriers.schema).of_one_table(sentence, drafts) if d.form == "select"}
    assert frozenset(("Bob Ray",)) in answers and (frozenset(("T01", "V01")) in answers) == kept


def test_kindred_things_are_no_mixture() -> None:
    numbers = {"crane": ("C01", "C02"), "hoist": ("H01", "H02")}
    machines = [(node, "is a", kind) for kind, nodes in numbers.items() for node in nodes]
    told = [
        (node, relation, end)
        for nodes in numbers.values()
        for node, ends in zip(nodes, (("Weir", "Krahn", "Bob Ray"), ("Mill", "Vertika", "Cal Hume")), strict=True)
        for relation, end in zip(("stands at", "built by", "driven by"), ends, strict=True)
    ]
    kinds = {"site": ("Weir", "Mill"), "maker": ("Krahn", "Vertika"), "driver": ("Bob Ray", "Cal Hume")}
    typed = [(thing, "is a", kind) for kind, things in kinds.items() for thing in things]
    yard = Candidates(NetworkxStore([*machines, *told, *typed, ("Krahn", "based in", "Weir")], name="yard"))
    sentence, drafts = yard.of("Which machines are at the Weir?")
    answers = {d.answers for d in RowEnds(yard.schema).of_one_table(sentence, drafts) if d.form == "select"}
    assert {frozenset(("C01", "H01")), frozenset(("Krahn",))} <= answers


_STREET = [
    *((who, "lives at", f"{n} Alder Row") for n, who in enumerate(("Ravi Menon", "Margaret Okafor", "Tom Barker"), 1)),
    *((who, "born", f'"{year}"') for who, year in (("Ravi Menon", 1991), ("Margaret Okafor", 1960), ("Tom Barker", 1971))),
    *((car, "owned by", who) for car, who in (("Nissan Leaf", "Ravi Menon"), ("Ford Transit", "Tom Barker"))),
    ("Nissan Leaf", "fuel", "electric"), ("Ford Transit", "fuel", "diesel"),
    ("Nissan Leaf", "reg year", '"2021"'), ("Ford Transit", "reg year", '"2015"'),
]  # fmt: skip
STREET = Candidates(
    NetworkxStore(
        _STREET,
        types={
            **dict.fromkeys(("Ravi Menon", "Margaret Okafor", "Tom Barker"), ("resident",)),
            **dict.fromkeys(("Nissan Leaf", "Ford Transit"), ("car",)),
        },
    )
)


@pytest.mark.parametrize(
    ("question", "cars"),
    [
        ("Who has an electric car?", False),
        ("anyone with a car that is electric?", False),
        ("does anybody own an electric car?", False),
        ("Which electric car is there?", True),
        ("Who is a car?", True),
    ],
)
def test_who_has_a_car_is_no_car(question: str, cars: bool) -> None:
    sentence, drafts = STREET.of(question)
    kept = RowEnds(STREET.schema).of_persons(sentence, drafts)
    told = [d.answers for d in kept if d.form == "select" and d.answers]
    assert cars == any("Nissan Leaf" in answers for answers in told)
    assert not told or any("Ravi Menon" in answers for answers in told)
