"""A link as text, with ids or names, read as a query over the graph."""

from __future__ import annotations

from itertools import islice

from typing_extensions import TypedDict

from triplewise.agents.context import NodeContext
from triplewise.agents.kicgpt.state import LinkQuery, LinkState
from triplewise.agents.node import node
from triplewise.errors import QuestionError
from triplewise.kg.base import KGStore
from triplewise.kg.linking import resolve_entity, resolve_relation
from triplewise.tools.text.entity_text import entity_of_word

MISSING = (None, "?", "_", "")
"""How the missing end may be written; a shell may expand a bare ``?``."""


class LinkText(TypedDict, total=False):
    """A link by ids or names; the missing end is left out, null, "?", "_" or ""."""

    head: str | None
    relation: str
    tail: str | None


def resolve_query(kg: KGStore, head: str | None, relation: str, tail: str | None) -> LinkQuery:
    """The query meant by ids or names; the missing end is None, "?", "_" or "".

    Raises QuestionError unless exactly one end is missing, and UnknownEntityError or
    UnknownRelationError where a name is unknown or ambiguous.
    """
    if (head in MISSING) == (tail in MISSING):
        raise QuestionError("exactly one end of the link must be missing.", "Write HEAD RELATION _ or _ RELATION TAIL.")
    named = resolve_relation(kg, relation)
    if all(kg.is_literal(t.tail) for t in islice(kg.triples(relation=named), 20)):
        raise QuestionError(
            f"{kg.relation_label(named)!r} leads to values and not to entities.",
            "A link predictor ranks entities only.",
        )
    return LinkQuery(
        None if head in MISSING else _entity(kg, str(head)),
        named,
        None if tail in MISSING else _entity(kg, str(tail)),
    )


def _entity(kg: KGStore, name: str) -> str:
    return entity_of_word(kg, name) or resolve_entity(kg, name)


@node
async def read_link(state: LinkText, context: NodeContext) -> LinkState:
    """Resolve the names of a link."""
    return {"query": resolve_query(context.kg, state.get("head"), state["relation"], state.get("tail"))}
