"""What costs nothing and what costs money, where a graph tells prices and some are 0: "which data sets are free?" """

from __future__ import annotations

import re
from functools import cached_property

from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_PRICE = re.compile(r"\b(?:price|cost|costs|fee|fees|charge)\b", re.I)
_NOTHING = (
    r"(?:(?:is|are|was|were|come|comes|came|go|goes)\s+(?:all\s+)?(?:for\s+)?(?:free(?:\s+of\s+charge)?|nothing|gratis)"
    r"|(?:cost|costs)\s+(?:us\s+|me\s+)?(?:nothing|nowt)|(?:do|does|did)(?:n['’]?t|\s+not)\s+cost\s+(?:us\s+|me\s+)?anything)"
)
_MONEY = (
    r"(?:(?:cost|costs|did\s+cost|do\s+cost)\s+(?:us\s+|me\s+|any\s+)?(?:money|anything|something)"
    r"|(?:is|are|was|were)(?:n['’]t|\s+not)\s+free(?:\s+of\s+charge)?)"
)
_ASKED = re.compile(
    rf"^(?P<before>\W*(?:(?:and|so|but)\s+)*)(?P<which>which|what|how\s+many)\s+(?P<noun>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+"
    rf"(?:(?P<free>{_NOTHING})|(?P<paid>{_MONEY}))\W*$",
    re.I,
)


class FreeOfCharge:
    """What one graph tells of prices."""

    def __init__(self, schema: SchemaView) -> None:
        self._schema = schema

    @cached_property
    def _prices(self) -> list[str]:
        """The relations that tell prices, of which some are 0."""
        schema = self._schema
        found = [r for r in schema.relations if schema.value_kind(r) == "number" and _PRICE.search(schema.words(r))]
        return [r for r in found if any(self._is_nothing(v) for v in schema.starts(Step(r, True)))]

    def _is_nothing(self, node: str) -> bool:
        value = parse_value(self._schema.label(node))
        return value.kind == "number" and value.key[0] == 0

    def in_words_of_relation(self, text: str) -> str:
        """A question for what is free, or is not, as one for a price of 0, or of more; others stay as they are."""
        found = _ASKED.match(text)
        relation = self._price_of(found["noun"]) if found else ""
        if not found or not relation:
            return text
        amount = "of 0" if found["free"] else "of more than 0"
        words = self._schema.words(relation).lower()
        return f"{found['before']}{found['which']} {found['noun']} have a {words} {amount}?"

    def _price_of(self, noun: str) -> str:
        """The one relation that tells prices of what a noun calls; "" where there is none, or several."""
        schema, last = self._schema, noun.lower().split()[-1]
        called = {k: folded_words(schema.store.label(k)) for k in schema.classes}
        kinds = [k for k, words in called.items() if any(is_form_of(w, last) for w in words[-1:])]
        told = [r for r in self._prices if any(schema.set_of(k) & schema.heads(r) for k in kinds)]
        return told[0] if len(told) == 1 else ""
