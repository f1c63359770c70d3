"""What is open where a graph tells how things end, and of none that it is open: "open bugs in Moth" are those that are
not fixed."""

from __future__ import annotations

import re
from functools import cached_property

from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of

_OPEN = re.compile(r"\b(?:still )?(?:open|unresolved|outstanding) (?P<noun>[^\W\d_]+)\b", re.I)
_ARE_OPEN = re.compile(
    r"^(?P<lead>\W*(?:(?:and|so|ok) )?(?:which|what|how many) )(?P<noun>[^\W\d_]+) (?P<rest>(?:[^?]*? )?)"
    r"(?:are|is) (?:still )?(?:open|unresolved|outstanding)(?P<end>\W*$| (?:in|on|at|for|with)\b.*)",
    re.I,
)
_ENDED = frozenset(("fixed", "closed", "resolved", "solved", "finished", "completed", "done", "settled", "repaired",
                    "mended"))  # fmt: skip
"""How things are said to end, as relations say it."""


class StillOpen:
    """Sentences about what is open, in the words of one graph."""

    def __init__(self, words: KnownWords) -> None:
        self._words, self._schema = words, words.names.schema

    def in_words_of_relation(self, text: str) -> str:
        """A question about what is open as one about what is not fixed, closed or done."""
        if (said := _ARE_OPEN.match(text)) and (how := self._ended(said["noun"])):
            rest = said["rest"].strip()
            return f"{said['lead']}{said['noun']} {rest + ' ' if rest else ''}are not {how}{said['end']}"
        if (said := _OPEN.search(text)) and (how := self._ended(said["noun"])):
            before, after = text[: said.start()], text[said.end() :].rstrip(" ?.!")
            asked = before if before.strip() else "which "
            return f"{asked}{said['noun']}{after} are not {how}?"
        return text

    def _ended(self, noun: str) -> str:
        """How things that a noun calls end: "fixed"; "" where the graph tells that they are open, or of no end."""
        if self._words.said_in_relations("open", "opened", "outstanding") or self._is_value:
            return ""
        schema = self._schema
        for kind in schema.classes:
            if not any(is_form_of(word, noun) for word in words_of_class(schema, kind)[-1:]):
                continue
            members = schema.set_of(kind)
            for relation in schema.relations:
                how = next((w for w in folded_words(schema.words(relation)) if w in _ENDED), "")
                if schema.value_kind(relation) == "text":
                    continue  # a pub that is closed on Mondays
                ended = schema.heads(relation) & members if how else frozenset[str]()
                if ended and ended != members:
                    return how
        return ""

    @cached_property
    def _is_value(self) -> bool:
        return any(n.is_value and n.text.lower() in ("open", "outstanding") for n in self._words.names.names)
