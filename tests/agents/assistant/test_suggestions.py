"""Questions that a graph can answer, in plain English."""

from __future__ import annotations

from small_graphs import ferries

from triplewise.agents.assistant.suggestions import suggest
from triplewise.kg.query import execute


def test_suggestions_are_english_and_have_the_answers_that_they_say() -> None:
    kg = ferries()
    made = {s.text: s for s in suggest(kg)}
    assert {
        "What is Ben Ode captain of?", "When was Sea Eagle built?", "Which island is Ufer on?", "Which ship is based at Ufer?",
        "How many ships are based at Ufer?", "Which harbour is on island Rona?", "What is the length m of Sea Eagle?",
    } <= set(made)  # fmt: skip
    for suggestion in made.values():
        assert execute(kg, suggestion.query).ids and set(execute(kg, suggestion.query).ids) >= suggestion.answers
