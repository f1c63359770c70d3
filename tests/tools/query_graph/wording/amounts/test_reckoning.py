"""What is to be reckoned, and the sentence without the words that ask for it."""

from __future__ import annotations

import pytest

from triplewise.tools.query_graph.wording.amounts.reckoning import Reckoned, asked_reckoning


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What is the average age?", Reckoned("average", "What is the age?", True)),
        ("What do the jobs bring in on average?", Reckoned("average", "What do the jobs bring in?", True)),
        ("What is the median age?", Reckoned(None, "What is the median age?", True)),
        ("How much did all parts cost together?", Reckoned("total", "How much did all parts cost?", True)),
        ("How much money did all the sessions raise?", Reckoned("total", "How much money did all the sessions raise?", True)),
        ("how much did the parts cost in total?", Reckoned("total", "how much did the parts cost?", True)),
        ("How many minutes did her repairs take in all?", Reckoned("total", "How many minutes did her repairs take?", True)),
        ("whats the total we've spent at the chandlery", Reckoned("total", "how much have we spent at the chandlery", True)),
        ("what did Mia's hires come to altogether?", Reckoned("total", "what did Mia's hires cost?", True)),
        ("What did her repairs come to?", Reckoned("total", "What did her repairs cost?", False)),
        ("total taken on weddings?", Reckoned("total", "how much was taken on weddings?", True)),
        ("What is the total of all donations?", Reckoned("total", "What is the donations?", True)),
        ("what's the total cost of Lucy's repairs", Reckoned("total", "what's the cost of Lucy's repairs", False)),
        ("What did all the parts cost together?", Reckoned("total", "What did all the parts cost?", True)),
        ("How many repairs were there in total?", Reckoned("total", "How many repairs were there in total?", False)),
        ("what have we spent so far, all in?", Reckoned("total", "what have we spent so far?", True)),
        ("could you tot up what Ann's jobs cost us?", Reckoned("total", "what Ann's jobs cost us?", True)),
        ("Adding them all up, how many copies were run?", Reckoned("total", "how many copies were run altogether?", False)),
        ("how much was paid if you add it all up?", Reckoned("total", "how much was paid?", True)),
        ("total miles for ann", Reckoned("total", "how many miles has ann done?", True)),
        ("How much did we make, all the stalls put together?", Reckoned("total", "How much did we make?", True)),
        ("How many repairs were there?", None),
        ("What is the total number of the visitors?", None),
        ("How much is all this?", None),
        ("How much did the repair of the stairs cost?", None),
        ("Who lives together with Ann?", None),
        ("What does the sign mean?", None),
    ],
)  # fmt: skip
def test_an_average_or_a_total_is_asked_for(text: str, asked: Reckoned | None) -> None:
    assert asked_reckoning(text) == asked


def test_a_relation_that_is_called_a_total_is_none() -> None:
    assert asked_reckoning("What is the total cost of his repairs?", ["total cost", "day"]) is None
    average = asked_reckoning("What is the average cost of his repairs?", ["total cost", "day"])
    assert average and average.how == "average"
    assert asked_reckoning("What is the average cost of his repairs?", ["avg cost"]) is None
