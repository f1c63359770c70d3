"""Questions that a graph can answer, in plain English."""

from __future__ import annotations

from small_graphs import ferries

from triplewise.agents.assistant.suggestions import suggest
from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute


def test_suggestions_are_english_and_have_the_answers_that_they_say() -> None:
    kg = ferries()
    made = {s.text: s for s in suggest(kg)}
    assert {
        "What is Ben Ode the captain of?", "When was Sea Eagle built?", "Which island is Ufer on?", "Which ship is based at Ufer?",
        "How many ships are based at Ufer?", "Which harbour is on the island Rona?", "What is the length m of Sea Eagle?",
    } <= set(made)  # fmt: skip
    for suggestion in made.values():
        assert execute(kg, suggestion.query).ids and set(execute(kg, suggestion.query).ids) >= suggestion.answers


def test_relations_are_worded_as_verbs_and_nouns() -> None:
    people = ["Wanda Skiba", "Reto Caflisch"]
    triples = [(f"Climb {i}", "climbedBy", who) for i, who in enumerate(people)]
    triples += [("Climb 1", "viaRoute", "West Ridge"), ("Climb 1", "inRange", "Tarkhan Range")]
    triples += [(who, "hasJob", "guide") for who in people] + [(who, "is_a", "Climber") for who in people]
    triples += [
        ("Hut Nord", "warden", "Wanda Skiba"),
        ("Hut Nord", "liesOff", "West Ridge"),
        ("Hut Nord", "beds", "12"),
    ]
    triples += [("Hut Nord", "due on", '"2024-05-01"'), ("Hut Nord", "is_a", "Hut"), ("Hut Nord", "condition", "good")]
    texts = {s.text for s in suggest(NetworkxStore(triples))}
    assert {
        "Who is Climb 1 climbed by?", "Which route is Climb 1 via?", "Which range is Climb 1 in?",
        "What job does Wanda Skiba have?", "Which climber has the job guide?", "Which hut has Wanda Skiba as warden?",
        "What does Hut Nord lie off?", "When is Hut Nord due?", "How many beds does Hut Nord have?",
        "Which hut has the condition good?",
    } <= texts  # fmt: skip
    assert not any(" a?" in text for text in texts)


def test_named_things_are_suggested_before_ids() -> None:
    triples = [(f"P{i:02}", "person", who) for i, who in enumerate(("Wanda Skiba", "Reto Caflisch"), 10)]
    triples += [(f"P{i:02}", "is_a", "Part") for i in (10, 11)]
    triples += [("Wanda Skiba", "lives in", "Chur"), ("Wanda Skiba", "is_a", "Person")]
    texts = [s.text for s in suggest(NetworkxStore(triples))]
    assert any("P10" in text for text in texts) and "P1" not in texts[0]
    of_ids = ["P1" in text for text in texts]
    assert of_ids == sorted(of_ids)
