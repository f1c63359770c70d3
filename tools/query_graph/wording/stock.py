"""What has run out, where a graph tells how many of a thing there are: "what have we run out of?" asks for those of
which 0 are in stock."""

from __future__ import annotations

import re
from functools import cached_property

from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.verb_forms import plural

_STOCK = re.compile(r"\b(?:stock|on hand|in store|stocked)\b", re.I)
_NONE_LEFT = re.compile(
    r"^(?P<before>\W*(?:(?:and|so|but)\s+)*)(?:what(?=['’]|\s)|(?:what|which)\s+(?P<noun>[^\W\d_]+))"
    r"(?:(?:['’]ve|\s+have|\s+did|\s+has|\s+are|\s+is|['’]s|['’]re)?(?:\s+(?:we|you|they))?(?:\s+(?:got|now|all|currently))*"
    r"\s+(?:(?:run|ran|running|sold|clean)\s+out(?:\s+of(?:\s+stock)?)?|out\s+of(?:\s+stock)?)"
    r"|(?:['’]s|\s+is|\s+are|\s+have|\s+has)\s+(?:sold\s+out|all\s+gone|out\s+of\s+stock))"
    r"(?:\s+(?:now|then|at\s+the\s+moment|right\s+now))?\W*$",
    re.I,
)


class Stock:
    """What one graph tells of stocks."""

    def __init__(self, schema: SchemaView) -> None:
        self._schema = schema

    @cached_property
    def _told(self) -> tuple[str, str]:
        """(the words of the relation that tells how many there are, the class of what it tells that of); ("", "")
        where none does, or several do."""
        schema = self._schema
        found = [r for r in schema.relations if schema.value_kind(r) == "number" and _STOCK.search(schema.words(r))]
        kinds = [k for r in found[:1] for n in schema.first(schema.heads(r))[:1] for k in schema.kinds(n)]
        label = next((schema.store.label(k) for k in kinds if k in schema.classes), "")
        return (
            (schema.words(found[0]).lower(), " ".join(folded_words(label))) if len(found) == 1 and label else ("", "")
        )

    def in_words_of_relation(self, text: str) -> str:
        """A question for what has run out as one for that of which there are 0; others stay as they are."""
        found = _NONE_LEFT.match(text)
        if not found:
            return text
        relation, kind = self._told
        return f"{found['before']}which {found['noun'] or plural(kind)} have 0 {relation}?" if relation else text
