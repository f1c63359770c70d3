"""What is open where a graph tells only how things end; hires that are not over; what is said to be paid."""

from __future__ import annotations

import pytest
from small_graphs import Candidates

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.candidates.several import OFTEN
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.wording.unsettled.still_open import StillOpen

_BUGS = (("BUG-1", "Moth", "1.2"), ("BUG-2", "Moth", ""), ("BUG-3", "Moth", ""), ("BUG-4", "Fern", ""))
_HIRES = (
    ("HIRE-1", "red cello", "Ann Holt", "2024-01-08", "2024-06-01", "2024-02-01"),
    ("HIRE-2", "small violin", "Ben Roe", "2024-02-11", "", "2024-03-01"),
    ("HIRE-3", "old viola", "Ann Holt", "2024-03-05", "", ""),
)


@pytest.fixture(scope="module")
def studio() -> KGStore:
    told = [(bug, "bug in", game) for bug, game, _ in _BUGS] + [(b, "fixed in", v) for b, _, v in _BUGS if v]
    told += [(bug, "is a", "bug") for bug, *_ in _BUGS] + [(game, "is a", "game") for game in ("Moth", "Fern")]
    return NetworkxStore(told, name="studio")


@pytest.fixture(scope="module")
def workshop() -> KGStore:
    told: list[tuple[str, str, str]] = []
    for hire, thing, who, start, end, paid in _HIRES:
        told += [(hire, "is a", "hire"), (hire, "hire of", thing), (hire, "hired by", who), (hire, "hire start", start)]
        told += [(hire, "hire end", end)] if end else []
        told += [(hire, "paid on", paid)] if paid else []
        told += [(thing, "is a", "instrument"), (who, "is a", "customer")]
    return NetworkxStore(told, name="workshop")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("open bugs in Moth?", {"BUG-2", "BUG-3"}),
        ("which bugs in Moth are still open?", {"BUG-2", "BUG-3"}),
        ("how many open bugs are there?", {"3"}),
    ],
)
def test_what_is_not_fixed_is_open(studio: KGStore, question: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(studio, question, model="llamacpp:embedded").answers} == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which instruments are out on hire at the moment?", {"small violin", "old viola"}),
        ("what has Ann Holt got on hire?", {"old viola"}),
        ("when did Ben Roe hire the small violin?", {"2024-02-11"}),
        ("which hires has Ann Holt paid for?", {"HIRE-1"}),
    ],
)
def test_a_hire_without_an_end_is_not_over(workshop: KGStore, question: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(workshop, question, model="llamacpp:embedded").answers} == answers


SCHOOL = NetworkxStore(
    [
        *((f"E-{n}", "is a", "enrolment") for n in range(1, 5)),
        *((f"E-{n}", "enrolled student", s) for n, s in enumerate(("Bea Hart", "Bea Hart", "Ravi Menon", "Greta Sol"), 1)),
        *((f"E-{n}", "for course", c) for n, c in enumerate(("French B1", "Italian A1", "French B1", "French B1"), 1)),
        *((f"E-{n}", "invoice total", f"{n * 10} EUR") for n in range(1, 5)), ("E-1", "paid on", "2024-02-01"),
        ("E-3", "paid on", "2024-02-03"),
        *((c, "is a", "course") for c in ("French B1", "Italian A1")),
        *((s, "is a", "student") for s in ("Bea Hart", "Ravi Menon", "Greta Sol")),
        ("Bea Hart", "phone", "0151 220 5521"), ("Ravi Menon", "phone", "0151 220 5522"),
        ("Old Piano", "is a", "instrument"), ("Old Piano", "owned by", "Greta Sol"),
    ],
    name="school",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the email address of Bea Hart?", set()),
        ("What is the phone number of Bea Hart?", {"0151 220 5521"}),
        ("Whose is E-3?", {"Ravi Menon"}),
    ],
)
def test_what_rows_tell_of_persons(question: str, answers: set[str]) -> None:
    found = triplewise.ask(SCHOOL, question, model="llamacpp:embedded").answers
    assert {str(a.label) for a in found} == answers


def test_what_several_rows_tie_to_something_is_proposed() -> None:
    _, found = Candidates(SCHOOL).of("Which students are enrolled in more than one course?")
    assert any(draft.answers == {"Bea Hart"} and OFTEN in draft.extra for draft in found)


def test_a_class_of_websites_is_asked_for_as_any_other() -> None:
    sites = [(s, "is a", "website") for s in ("Harbour Blog", "Quay Shop")] + [("Harbour Blog", "hosted on", "Atlas")]
    store = NetworkxStore([*sites, ("Quay Shop", "hosted on", "Borea")], name="sites")
    found = triplewise.ask(store, "Which website is hosted on Borea?", model="llamacpp:embedded").answers
    assert [a.label for a in found] == ["Quay Shop"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("which bugs are open in Moth?", "which bugs are not fixed in Moth?"),
        ("open bugs in Moth?", "which bugs in Moth are not fixed?"),
        ("which games are open?", "which games are open?"),
    ],
)
def test_the_rest_of_what_is_said_stays(studio: KGStore, text: str, read: str) -> None:
    assert StillOpen(KnownWords(NameIndex(SchemaView(studio)))).in_words_of_relation(text) == read


def test_a_pub_that_is_open_on_monday_is_not_one_that_never_closes() -> None:
    pubs = [(p, "is a", "pub") for p in ("Plough", "Swan")] + [("Plough", "closed on", "Monday")]
    words = KnownWords(NameIndex(SchemaView(NetworkxStore(pubs, name="pubs"))))
    assert StillOpen(words).in_words_of_relation("which pubs are open on Monday?") == "which pubs are open on Monday?"


def test_when_is_told_by_the_day_of_what_happened() -> None:
    told = [("Old Oak", "is a", "tree"), ("Young Elm", "is a", "tree")]
    told += [("Spring Dig", "is a", "planting"), ("Spring Dig", "took place on", "2018-03-24")]
    told += [("Autumn Dig", "is a", "planting"), ("Autumn Dig", "took place on", "2019-10-05")]
    told += [("Old Oak", "planted at", "Spring Dig"), ("Young Elm", "planted at", "Autumn Dig")]
    found = triplewise.ask(NetworkxStore(told, name="park"), "When was Old Oak planted?", model="llamacpp:embedded")
    assert [a.label for a in found.answers] == ["2018-03-24"]
