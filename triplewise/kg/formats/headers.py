"""The header line of a delimited graph file: which column is the head, which the relation, which the tail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

COLUMNS = ("head", "relation", "tail")
_CERTAIN: tuple[set[str], ...] = (
    {"head", "subject", "source", "subj", "startid", "headentity", "sourceid", "subjectid", "headid"},
    {"relation", "predicate", "relationship", "rel", "pred", "relationid", "predicateid", "relationtype", "edge"},
    {"tail", "target", "object", "obj", "endid", "tailentity", "targetid", "objectid", "tailid"},
)
"""Words that two of a line's cells may be for the line to count as a header, whatever the third is."""
_POSSIBLE: tuple[set[str], ...] = (
    {
        "from", "h", "s", "start", "startnode", "node1", "entity1", "e1", "src", "sourcenode", "fromid", "src1",
        "item", "entity", "entry", "thing", "record", "resource", "node", "who",
    },
    {
        "property", "r", "p", "type", "label", "verb", "link", "edgetype", "reltype", "edgelabel", "role",
        "attribute", "field", "key", "what", "entry", "fact", "detail", "aspect", "heading",
    },
    {
        "to", "t", "o", "end", "endnode", "node2", "entity2", "e2", "dst", "dest", "destination", "targetnode", "toid",
        "value", "val",
    },
)  # fmt: skip
"""Words that also stand in data; all three cells must be known."""
_SUFFIXES = ("name", "label", "uri", "iri")


def _roles(cell: str, words: Sequence[set[str]]) -> list[int]:
    key = re.sub(r"[^a-z0-9]+", "", cell.lower())
    forms = {key, *(key.removesuffix(s) for s in _SUFFIXES)}
    return [i for i, known in enumerate(words) if forms & known]


def _role(cell: str, words: Sequence[set[str]]) -> int | None:
    return next(iter(_roles(cell, words)), None)


def read_header(cells: Sequence[str]) -> tuple[int, int, int] | None:
    """The places of head, relation and tail where these three cells are a header; None where they are data.

    Raises ValueError where they look like a header that does not tell which column is which.
    """
    known = [certain | possible for certain, possible in zip(_CERTAIN, _POSSIBLE, strict=True)]
    roles = [_roles(cell, known) for cell in cells]
    for places in permutations(range(3)):  # as they stand first: "entry" may be either of two
        if all(role in roles[place] for role, place in enumerate(places)):
            return places[0], places[1], places[2]
    if sum(map(is_certain, cells)) >= 2:
        raise ValueError(f"this looks like a header, but {', '.join(cells)} does not tell head, relation and tail.")
    return None


def is_certain(cell: str) -> bool:
    """Whether a header's cell surely stands for head, relation or tail."""
    return _role(cell, _CERTAIN) is not None


def parts_named(cells: Sequence[str]) -> set[int]:
    """Which of head (0), relation (1) and tail (2) surely head a column."""
    return {role for cell in cells if (role := _role(cell, _CERTAIN)) is not None}


def names_triple(cells: Sequence[str]) -> bool:
    """Whether head, relation and tail are among a header's columns, surely, with others beside them."""
    return parts_named(cells) == {0, 1, 2}
