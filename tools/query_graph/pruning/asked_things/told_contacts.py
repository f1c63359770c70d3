"""Ways to reach somebody that a graph does not tell of anybody: no phone number is an email address."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.schema_view import SchemaView

_CONTACTS = tuple(
    (re.compile(rf"\b(?:{asked})\b", re.I), re.compile(told, re.I))
    for asked, told in (
        (r"e-?mails?(?: address(?:es)?)?", r"mail|\bcontact(?: details| info\w*)?$|\bmsg\b"),
        (r"post ?codes?|zip(?: codes?)?", r"post|zip|address"),
        (r"web ?sites?|web pages?|home ?pages?|urls?", r"web|site|page|url|link"),
        (r"bank (?:account|details)|iban|sort codes?|account numbers?", r"bank|iban|account|sort"),
    )
)
"""What is asked for → what a relation that tells it is called."""
_SURE = 0.9
"""The score of a link above which a name is surely said."""


def lacks_contact(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether a question asks for such a thing, and no relation, class or name that it says is called so: "which
    websites are down?" asks for websites."""
    for asked, told in _CONTACTS:
        if asked.search(sentence.text):
            called = [*map(schema.label, schema.classes), *(x.name for x in sentence.links if x.score > _SURE)]
            if not (any(map(told.search, map(schema.words, schema.relations))) or any(map(asked.search, called))):
                return True
    return False
