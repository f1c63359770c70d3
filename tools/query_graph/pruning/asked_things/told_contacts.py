"""Ways to reach somebody that a graph does not tell of anybody: no phone number is an email address."""

from __future__ import annotations

import re

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


def lacks_contact(schema: SchemaView, text: str) -> bool:
    """Whether a question asks for such a thing, and no relation is called so."""
    asks = (told for asked, told in _CONTACTS if asked.search(text))
    return any(not any(map(told.search, map(schema.words, schema.relations))) for told in asks)
