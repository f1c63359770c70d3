"""Questions that go on with a list, with a yes or a no, or with who is named before they ask."""

from __future__ import annotations

import pytest

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import find_references
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.schema_view import SchemaView

COOP = NetworkxStore(
    [
        ("Mill Shed", "has workshop", '"no"'),
        ("Kettle Yard", "has workshop", '"yes"'),
        ("Harbour Arch", "has workshop", '"yes"'),
        ("Mill Shed", "manager", "Ann Holt"),
        ("Kettle Yard", "manager", "Ben Roe"),
        ("Job 1", "price eur", '"29"'),
        ("Job 1", "booked by", "Sam Taylor (client)"),
        ("Job 1", "courier", "Ann Holt"),
        ("Sam Taylor (courier)", "hourly rate", '"14.50"'),
        ("Gala", "guests", '"140"'),
        ("Fair", "guests", '"90"'),
        ("Ball", "guests", '"300"'),
        *((event, "led by", "Ann Holt") for event in ("Gala", "Fair")),
        ("Ball", "led by", "Ben Roe"),
        ("Sam Taylor (client)", "skos:altLabel", "Sam Taylor"),
        ("Sam Taylor (courier)", "skos:altLabel", "Sam Taylor"),
    ],
    types={
        **dict.fromkeys(("Mill Shed", "Kettle Yard", "Harbour Arch"), ("depot",)),
        **dict.fromkeys(("Gala", "Fair", "Ball"), ("event",)),
        **dict.fromkeys(("Ann Holt", "Ben Roe", "Sam Taylor (courier)"), ("courier",)),
        "Sam Taylor (client)": ("client",),
        "Job 1": ("job",),
    },
)
FOLLOW_UPS = FollowUps(COOP, NameIndex(SchemaView(COOP)))


def turn(question: str, query: dict[str, object], task: str = "ask") -> Remembered:
    asked = QueryGraph.from_json(query)
    answers = execute(COOP, asked).ids if asked.form == "select" else ()
    return Remembered(question, question, task, answers, asked.entities, query=asked.to_json())  # pyright: ignore[reportArgumentType]


def complete(text: str, *turns: Remembered) -> list[Interpretation]:
    return FOLLOW_UPS.interpretations(text, Memory(COOP, list(turns)))


WORKSHOP = turn("Does Mill Shed have a workshop?", {"select": "?x", "where": [["Mill Shed", "has workshop", "?x"]]})
CLAIMED = turn("Mill Shed is Ben's.", {"ask": "some", "where": [["Mill Shed", "manager", "Ben Roe"]]}, "verify")


@pytest.mark.parametrize(
    ("text", "last", "answers"),
    [
        ("Which ones do?", WORKSHOP, {"Kettle Yard", "Harbour Arch"}),
        ("And which have?", WORKSHOP, {"Kettle Yard", "Harbour Arch"}),
        ("which don't?", WORKSHOP, {"Mill Shed"}),
        ("Which one is, then?", CLAIMED, {"Kettle Yard"}),
    ],
)
def test_of_which_it_is_so(text: str, last: Remembered, answers: set[str]) -> None:
    first = complete(text, last)[0]
    assert first.query and set(execute(COOP, first.query).ids) == answers


HAVING = turn("Which depots have a workshop?", {"select": "?x", "where": [["?x", "has workshop", '"yes"']]})
LED = turn("Which events does Ann lead?", {"select": "?x", "where": [["?x", "led by", "Ann Holt"]]})
LACKING = turn(
    "Kettle Yard has no workshop?", {"ask": "some", "where": [["Kettle Yard", "has workshop", '"no"']]}, "verify"
)


@pytest.mark.parametrize(
    ("text", "last", "answers"),
    [
        ("And which don't?", HAVING, {"Mill Shed"}),
        ("who hasn't?", HAVING, {"Mill Shed"}),
        ("and which ones doesn't she?", LED, set()),
        ("which ones aren't?", LED, {"Ball"}),
        ("which others have?", LACKING, {"Harbour Arch"}),
        ("who else hasn't?", LACKING, {"Mill Shed"}),
    ],
)
def test_of_the_rest(text: str, last: Remembered, answers: set[str]) -> None:
    found = [set(execute(COOP, i.query).ids) for i in complete(text, last)[:1] if i.query]
    assert found == [answers] * bool(answers)


def test_who_does_is_asked_of_people_only() -> None:
    assert not any(i.kind == "else" for i in complete("Who does?", WORKSHOP))


LED = turn("Which events did Ann lead?", {"select": "?x", "where": [["?x", "led by", "Ann Holt"]]})


@pytest.mark.parametrize("text", ["which had more guests?", "And which has fewer guests?"])
def test_a_comparison_right_after_a_list_is_of_these(text: str) -> None:
    (found,) = complete(text, LED)
    assert set(found.keep) == {"Gala", "Fair"}
    assert found.text.startswith("Which event ") and ("most guests" in found.text or "fewest guests" in found.text)


def test_a_comparison_with_a_name_is_of_that() -> None:
    assert not any(i.keep for i in complete("Which had more guests than the Ball?", LED))


def test_the_job_is_the_one_spoken_of() -> None:
    job = turn("Who booked Job 1?", {"select": "?x", "where": [["Job 1", "booked by", "?x"]]})
    rate = turn("What is her rate?", {"select": "?x", "where": [["Sam Taylor (courier)", "hourly rate", "?x"]]})
    assert "what did Job 1 cost?" in {i.text for i in complete("and what did the job cost?", job, rate)}


@pytest.mark.parametrize("asked", ["what did they book?", "what has he booked?"])
def test_a_pronoun_behind_a_name_is_that_name_and_its_class_tells_the_bearer(asked: str) -> None:
    found = complete(f"And the client Sam Taylor, {asked}", LED)
    assert [i.given for i in found] == [("Sam Taylor (client)",)]


def test_a_title_is_nobody() -> None:
    crew = NetworkxStore(
        [("Callum Frith", "job title", "Head Waiter"), ("Leila Haddad", "reports to", "Marta Kowal")],
        types=dict.fromkeys(("Callum Frith", "Leila Haddad", "Marta Kowal"), ("staff",)),
    )
    asked = QueryGraph.from_json({"select": "?x", "where": [["Callum Frith", "job title", "?x"]]})
    last = Remembered("His job?", "His job?", "ask", ("Head Waiter",), ("Callum Frith",), query=asked.to_json())
    found = FollowUps(crew, NameIndex(SchemaView(crew))).interpretations(
        "and who does she report to?", Memory(crew, [last])
    )
    assert not any("Head Waiter" in i.given for i in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How long has she been at it?", ("she",)),
        ("Is he still at it?", ("he",)),
        ("Look at it.", ("it",)),
        ("Bless him, who found it?", ("it",)),
        ("Poor thing, where is she now?", ("she",)),
    ],
)
def test_idioms_and_exclamations_mean_nothing_that_was_spoken_of(text: str, words: tuple[str, ...]) -> None:
    assert find_references(text).words == words
