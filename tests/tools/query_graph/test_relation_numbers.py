"""Which numbers a value with a unit may be, by the relation's name and its values."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.linking.value_mentions import find_values
from triplewise.tools.query_graph.relation_numbers import RelationNumbers
from triplewise.tools.query_graph.schema_view import SchemaView

VALUES = {
    "elevation": ("5410", "7381"),
    "height": ("158", "191"),
    "height_m": ("2", "300"),
    "running_time_minutes": ("1", "240"),
    "lasts": ("1", "240"),
    "reach": ("30 cm", "400 cm"),
    "age": ("2", "90"),
}
PRICE = ("price", ("4 €", "9 €"))
PEAKS = Candidates(
    NetworkxStore(
        [(f"thing {n}", relation, f'"{value}"') for relation, pair in VALUES.items() for n, value in enumerate(pair)],
        types={f"thing {n}": ["Peak"] for n in range(2)},
    )
)


@pytest.mark.parametrize(
    ("text", "relation", "forms"),
    [
        ("over 7000 m", "elevation", ("7000",)),
        ("over 100 m", "elevation", ("100",)),
        ("taller than 1.8 metres", "height", ("1.8", "180")),
        ("taller than 2 metres", "height_m", ("2",)),
        ("over 2 hours", "running_time_minutes", ("120",)),
        ("over 2 hours", "lasts", ("2", "120")),
        ("2 m", "reach", ("200",)),
        ("older than 5 years", "age", ("5",)),
        ("over 7000", "elevation", ("7000",)),
    ],
)
def test_forms_of_a_number(text: str, relation: str, forms: tuple[str, ...]) -> None:
    (mention,) = find_values(text)
    assert RelationNumbers(PEAKS.schema).texts(mention, text, relation) == forms


@pytest.mark.parametrize(
    ("text", "relation", "expected"),
    [
        ("over 2 m", "height_m", True),
        ("over 2 metres", "reach", True),
        ("over 2 kg", "reach", False),
        ("over 2", "height_m", False),
        ("for over 60 min", "running_time_minutes", True),
        ("under 5 euros", "price", True),
        ("under £5", "price", False),
        ("under €5", "price", True),
    ],
)
def test_the_unit_of_a_relation_is_said(text: str, relation: str, expected: bool) -> None:
    schema = SchemaView(NetworkxStore([("Peak", r, f'"{v}"') for r, pair in (*VALUES.items(), PRICE) for v in pair]))
    (mention,) = find_values(text)
    assert RelationNumbers(schema).has_unit(mention, text, relation) is expected


def test_claims_compare_with_the_forms_that_a_relation_may_have() -> None:
    text = "Thing 1 is higher than 7000 m."
    sentence = PEAKS.generator.read(text)
    drafts = ClaimRun(PEAKS.generator, sentence, word_affinity(PEAKS.schema, text)).drafts()
    right = {
        value
        for d in drafts
        for _, op, value in d.filters
        if op == ">" and tuple(s.relation for s in d.steps) == ("elevation",)
    }
    assert right == {"7000"}
