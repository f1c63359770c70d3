"""What somebody does, where one relation tells it: "what does Kit do for a living?" asks for his job."""

from __future__ import annotations

import re
from functools import cached_property

from triplewise.tools.query_graph.linking.mentions import NameIndex, folded_words
from triplewise.tools.text.verb_forms import word_set

_DOES = re.compile(
    r"^(?P<before>\W*(?:(?:and|so|but|ok)\W+)*)what\s+(?:does|did|do)\s+(?P<who>(?!(?:it|that|this|we|you|i)\b)[^?]+?)\s+"
    r"(?:do(?:\s+for\s+(?:a\s+living|work|a\s+job))?|work\s+as)\W*$",
    re.I,
)
_OCCUPATIONS = word_set("job occupation profession trade")


class Occupation:
    """What one graph tells of people's work."""

    def __init__(self, names: NameIndex) -> None:
        self._names, self._schema = names, names.schema

    @cached_property
    def _told(self) -> str:
        """The one relation that is called an occupation; "" where there is none, or several."""
        schema = self._schema
        found = [r for r in schema.relations if _OCCUPATIONS.intersection(folded_words(schema.words(r))[-1:])]
        return found[0] if len(found) == 1 else ""

    def in_words_of_relation(self, text: str) -> str:
        """A question for what somebody does who has an occupation, as one for that; others stay as they are."""
        found = _DOES.match(text)
        if not found or not self._told:
            return text
        named = {link.node for link in self._names.link(found["who"])}
        if named.isdisjoint(self._schema.heads(self._told)):
            return text
        return f"{found['before']}what is {found['who']}'s {self._schema.words(self._told).lower()}?"
