"""Yes or no of a relation that a question denies."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

import triplewise
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.pruning.denials import taking_away
from triplewise.tools.query_graph.pruning.said_answers import of_forbidden, of_said_no, of_said_yes, of_undone

_ORDERS = {"Order A": ("true", True), "Order B": ("false", True), "Order C": ("false", False)}
ORDERS = Candidates(
    NetworkxStore(
        [
            *((order, "paid", f'"{paid}"') for order, (paid, _) in _ORDERS.items()),
            *((order, "delivered on", '"2024-05-01"') for order, (_, delivered) in _ORDERS.items() if delivered),
            *((order, "is a", "Order") for order in _ORDERS),
        ],
        name="orders",
    )
)


@pytest.mark.parametrize(
    "question",
    [
        "Which orders are not paid?",
        "Which orders are unpaid?",
        "Which orders haven't been paid yet?",
        "Which orders still have to be paid?",
        "Which orders need to be paid?",
    ],
)
def test_what_is_denied_is_no(question: str) -> None:
    sentence, drafts = ORDERS.of(question)
    assert any(d.minus for d in drafts)
    kept = of_said_no(ORDERS.schema, sentence, drafts)
    assert all((0, "paid", '"false"') in d.rows and not d.minus for d in kept if d.form == "select" and d.kind)
    assert frozenset({"Order B", "Order C"}) in {d.answers for d in kept}


@pytest.mark.parametrize("question", ["Which orders are paid?", "Which orders have not been delivered?"])
def test_what_is_not_denied_stays(question: str) -> None:
    sentence, drafts = ORDERS.of(question)
    assert of_said_no(ORDERS.schema, sentence, drafts) == drafts


INCIDENTS = Candidates(
    NetworkxStore(
        [
            *(
                ("Leak", "postmortem", '"yes"'),
                ("Fire", "postmortem", '"no"'),
                ("Flood", "postmortem", '"no"'),
            ),
            *((incident, "is a", "Incident") for incident in ("Leak", "Fire", "Flood")),
        ]
    )
)


@pytest.mark.parametrize(
    "question",
    [
        "Which incidents have no postmortem?",
        "incidents without a postmortem",
        "Which incidents don't have a postmortem?",
        "Which incidents lack a postmortem yet?",
        "which incidents haven't got any postmortem",
    ],
)
def test_what_is_lacking_is_no(question: str) -> None:
    sentence, drafts = INCIDENTS.of(question)
    kept = of_said_yes(INCIDENTS.schema, sentence, of_said_no(INCIDENTS.schema, sentence, drafts))
    assert kept and all((0, "postmortem", '"no"') in d.rows and not d.minus for d in kept)


INNS = Candidates(
    NetworkxStore(
        [
            *(
                ("Anchor", "dogs allowed", '"yes"'),
                ("Bell", "dogs allowed", '"no"'),
                ("Crown", "dogs allowed", '"yes"'),
            ),
            *((inn, "is a", "Inn") for inn in ("Anchor", "Bell", "Crown")),
        ]
    )
)


@pytest.mark.parametrize(
    ("question", "kept"),
    [("Which inns ban dogs?", {"no"}), ("Which inns allow dogs?", {"yes", "no"})],
)
def test_what_is_forbidden_is_not_said_yes_of(question: str, kept: set[str]) -> None:
    sentence, drafts = INNS.of(question)
    told = {
        INNS.store.label(t)
        for d in of_forbidden(INNS.schema, sentence, drafts)
        for _, relation, t in d.rows
        if relation == "dogs allowed" and isinstance(t, str)
    }
    assert told == kept


_TESTS = (("T1", "Ann", "Winter Riding", "yes"), ("T2", "Bob", "Winter Riding", "no"), ("T3", "Ann", "First Aid", "no"))
RIDERS = Candidates(
    NetworkxStore(
        [
            *((row, relation, end) for row, who, course, passed in _TESTS for relation, end in
              (("rider", who), ("course", course), ("passed", f'"{passed}"'))),
            ("Cal", "rides", "Comet"), ("Ann", "rides", "Gull"),
        ],
        types={**{row[0]: ["Test"] for row in _TESTS}, **{who: ["Rider"] for who in ("Ann", "Bob", "Cal")},
               **{course: ["Course"] for course in ("Winter Riding", "First Aid")}},
    )
)  # fmt: skip


@pytest.mark.parametrize("question", ["Who did not pass Winter Riding?", "Which riders haven't passed Winter Riding?"])
def test_who_has_a_no_is_not_denied_the_thing_as_well(question: str) -> None:
    sentence, drafts = RIDERS.of(question)
    kept = of_said_no(RIDERS.schema, sentence, taking_away(RIDERS.schema, sentence, drafts))
    assert frozenset({"Bob"}) in {d.answers for d in kept}
    assert not any(d.minus for d in kept)


_SAT = (("A1", "Ann Lee", "First Aid", "yes"), ("A2", "Ben Ode", "First Aid", "no"), ("A3", "Cid Ray", "Riding", "yes"))
COURSES = Candidates(
    NetworkxStore(
        [
            *((row, "courier", who) for row, who, _, _ in _SAT),
            *((row, "course", what) for row, _, what, _ in _SAT),
            *((row, "passed", f'"{passed}"') for row, _, _, passed in _SAT),
            *((row, "is a", "Attendance") for row, *_ in _SAT),
            *((course, "taught by", "Dov Lind") for course in ("First Aid", "Riding")),
        ]
    )
)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who passed First Aid?", {"Ann Lee"}),
        ("Who failed First Aid?", {"Ben Ode"}),
        ("Which courier has passed Riding?", {"Cid Ray"}),
    ],
)
def test_what_is_said_is_told_by_the_rows_that_say_so(question: str, answers: set[str]) -> None:
    sentence, drafts = COURSES.of(question)
    assert frozenset({"Dov Lind"}) in {d.answers for d in drafts}
    kept = of_said_yes(COURSES.schema, sentence, drafts)
    assert all("passed" in {r for _, r, _ in d.rows} for d in kept)
    assert frozenset(answers) in {d.answers for d in kept}


@pytest.mark.parametrize(
    "question", ["Who taught First Aid?", "Who has not passed First Aid?", "Which is the pass for Riding?"]
)
def test_what_is_not_said_takes_nothing_out(question: str) -> None:
    sentence, drafts = COURSES.of(question)
    assert of_said_yes(COURSES.schema, sentence, drafts) == drafts


PROPS = Candidates(
    NetworkxStore(
        [
            *(
                (prop, "returned", f'"{back}"')
                for prop, back in (("Ball", "true"), ("Handbag", "false"), ("Case", "false"))
            ),
            *((prop, "is a", "Prop") for prop in ("Ball", "Handbag", "Case", "Cheese")),
        ],
        name="props",
    )
)


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("which props have we still got to give back?", False),
        ("which props haven't gone back yet", False),
        ("which props are yet to go back?", False),
        ("which props have gone back?", True),
        ("which props still go to the hall?", True),
    ],
)
def test_what_is_not_done_yet_is_no(question: str, left: bool) -> None:
    sentence, drafts = PROPS.of(question)
    kept = of_undone(PROPS.schema, sentence, drafts)
    assert any((0, "returned", '"false"') in d.rows for d in kept)
    assert any((0, "returned", '"true"') in d.rows for d in kept) == left


LAPTOPS = Candidates(
    NetworkxStore(
        [
            *(
                (laptop, "under warranty", f'"{told}"')
                for laptop, told in (("Heron", "false"), ("Osprey", "true"), ("Robin", "false"))
            ),
            *((laptop, "is a", "Laptop") for laptop in ("Heron", "Osprey", "Robin", "Jay")),
        ],
        name="laptops",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many laptops are not under warranty?", "false"),
        ("which laptops aren't under warranty", "false"),
        ("which laptops are under warranty?", "true"),
    ],
)
def test_a_relation_of_several_words_is_denied(question: str, answer: str) -> None:
    sentence, drafts = LAPTOPS.of(question)
    kept = of_said_no(LAPTOPS.schema, sentence, drafts)
    said = {t for d in kept for _, r, t in d.rows if r == "under warranty" and isinstance(t, str)}
    assert said == ({'"false"'} if answer == "false" else {'"false"', '"true"'})


INVOICES = NetworkxStore(
    [
        *((one, "paid", f'"{told}"') for one, told in (("Invoice 1", "true"), ("Invoice 2", "false"))),
        *((one, "is a", "Invoice") for one in ("Invoice 1", "Invoice 2")),
        ("Piano", "price paid", '"450"'),
    ],
    name="invoices",
)


def test_an_opposite_is_told_though_another_relation_has_the_word() -> None:
    found = triplewise.ask(INVOICES, "Which invoices are outstanding?", method="query-graph")
    assert [a.label for a in found.answers] == ["Invoice 2"]


def test_a_verb_is_no_opposite() -> None:
    sat = (("T1", "Ann Lee", "yes"), ("T2", "Ben Ode", "no"))
    store = NetworkxStore(
        [
            triple
            for t, who, failed in sat
            for triple in ((t, "taken by", who), (t, "course", "First Aid"), (t, "failed", f'"{failed}"'))
        ],
        types={**{t: ["Test"] for t, *_ in sat}, **{who: ["Person"] for _, who, _ in sat}, "First Aid": ["Course"]},
    )
    found = triplewise.ask(store, "Who took First Aid?", method="query-graph")
    assert {a.label for a in found.answers} == {"Ann Lee", "Ben Ode"}


@pytest.mark.parametrize(
    ("question", "answers"),
    [("which species is priority?", ["Otter"]), ("and which is not a priority species?", ["Rat"])],
)
def test_the_class_is_no_word_of_what_is_said_of_it(question: str, answers: list[str]) -> None:
    reserve = NetworkxStore(
        [("Otter", "priority species", "true"), ("Rat", "priority species", "false"), ("Rat", "latin name", "Rattus")],
        types={"Otter": ["Species"], "Rat": ["Species"]},
        name="reserve",
    )
    assert [a.label for a in triplewise.ask(reserve, question, method="query-graph").answers] == answers


NEEDS = NetworkxStore(
    [
        *((thing, "is a", "instrument") for thing in ("Horn", "Cornet", "Drum")),
        ("Horn", "needs repair", "yes"), ("Cornet", "needs repair", "no"), ("Drum", "needs repair", "yes"),
        ("Horn", "good with damp", "no"), ("Cornet", "good with damp", "yes"), ("Drum", "good with damp", "yes"),
        ("Horn", "on loan to", "Ann Lee"), ("Drum", "on loan to", "Bob Ray"),
    ],
    name="band",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which instruments need repairing?", {"Horn", "Drum"}),
        ("Which instruments still need repairing?", {"Horn", "Drum"}),
        ("Which instruments don't need repairing?", {"Cornet"}),
        ("Which instruments are good with moisture?", {"Cornet", "Drum"}),
        ("Which instruments are good with damp?", {"Cornet", "Drum"}),
        ("Which instruments aren't good with damp?", {"Horn"}),
    ],
)
def test_yes_is_meant_where_nothing_is_denied(question: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(NEEDS, question, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which singers still owe their subs?", {"Ben Okoro", "Dora Finch"}),
        ("Who has unpaid subs?", {"Ben Okoro", "Dora Finch"}),
        ("Who is behind with the subs?", {"Ben Okoro", "Dora Finch"}),
        ("Who has paid the subs?", {"Ada Finch"}),
    ],
)
def test_the_opposite_of_what_a_noun_and_a_participle_say(question: str, answers: set[str]) -> None:
    paid = {"Ada Finch": "yes", "Ben Okoro": "no", "Dora Finch": "no"}
    told = [*((n, "subs paid", said) for n, said in paid.items()), *((n, "is a", "singer") for n in paid)]
    choir = NetworkxStore(
        [*told, ("Ada Finch", "voice", "alto"), ("Ben Okoro", "lift from", "Ada Finch")], name="choir"
    )
    assert {a.label for a in triplewise.ask(choir, question, method="query-graph").answers} == answers
