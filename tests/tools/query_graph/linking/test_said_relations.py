"""Whether a sentence has a word of a relation's own."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView

SCHEMA = SchemaView(NetworkxStore([("Ann", "reports_to", "Ben"), ("Ann", "dailyFee", '"12"'), ("Ann", "no", '"7"')]))


@pytest.mark.parametrize(
    ("sentence", "relation", "said"),
    [
        ("Who reports to Ben?", "reports_to", True),
        ("Who wrote to Ben?", "reports_to", False),  # "to" says nothing of it
        ("What are the fees of Ann?", "dailyFee", True),
        ("What does Ann charge?", "dailyFee", False),
        ("Ann is no guest.", "no", False),
    ],
)
def test_a_word_of_the_relation(sentence: str, relation: str, said: bool) -> None:
    assert says_relation(SCHEMA, folded_words(sentence), relation) == said


def test_shorter_words_count_where_it_is_said_so() -> None:
    assert says_relation(SCHEMA, ["no", "7"], "no", shortest=1)
