"""Nobody in the words of the graph: "which table has nobody on it?" asks which table has no guest."""

from __future__ import annotations

import re
from collections import Counter

from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.persons import Persons

_HAS_NOBODY = re.compile(
    r"(?:^|(?<=[.!?;]\s))(?P<before>\W*(?:(?:and|so|but)\s+)*(?:which|what)\s+(?P<noun>[^\W\d_]+)\s+(?:(?:still|has|have|had|with|got)\s+)+)"
    r"(?:nobody|no[ -]?one)"
    r"(?:\s+(?:(?:sitting|sat|living|staying|working|yet|left)\s+)?(?:(?:on|in|at)\s+(?:it|them))?)?\W*$",
    re.I,
)


class Nobody:
    """Who may be at what, by the classes of one graph."""

    def __init__(self, schema: SchemaView, persons: Persons) -> None:
        self._schema, self._persons = schema, persons

    def in_words_of_class(self, text: str) -> str:
        """A question for what has nobody with the class of persons that such a thing may have; as it is where the graph
        tells of none."""
        found = _HAS_NOBODY.search(text)
        if not found:
            return text
        noun = found["noun"].lower()
        called = [k for k in self._schema.classes if any(is_form_of(w, noun) for w in _label(self._schema, k)[-1:])]
        for kind in called:
            if person := self._person_of(self._schema.set_of(kind)):
                return f"{text[: found.start()]}{found['before']}no {person}?"
        return text

    def _person_of(self, nodes: frozenset[str]) -> str:
        """What the persons are called of whom the most relate to some things by one relation; "" where none do."""
        schema, most, label = self._schema, 0, ""
        for relation in schema.relations:
            if schema.value_kind(relation) is not None or schema.starts(Step(relation, True)).isdisjoint(nodes):
                continue
            heads = schema.follow(nodes, Step(relation, True))
            kinds = Counter(kind for head in heads for kind in schema.kinds(head)[:1] if self._persons.holds(head))
            if len(heads) > most and kinds:
                most, label = len(heads), " ".join(_label(schema, kinds.most_common(1)[0][0]))
        return label


def _label(schema: SchemaView, kind: str) -> list[str]:
    return folded_words(schema.store.label(kind)) if kind in schema.classes else []
