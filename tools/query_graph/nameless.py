"""Nodes that have no name that a person would know: statements, events and machine ids that nobody labelled."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from triplewise.kg.base import KGStore
from triplewise.kg.names import entity_label, fold, literal_parts

_IRI = ("http://", "https://", "urn:")
_COUNTED = re.compile(r"(?P<letters>[a-z]+(?:[A-Z][a-z]+)*|Q)[-. ]?\d+")
"""Letters before a number, small ones but for Wikidata's Q: L-3010, PT-101 and MBX1 are what people call things."""
_FEW = 3
"""Letters before a number that are no word: f06, Q123, evt 7."""
_RANDOM = re.compile(
    r"(?:[a-z]+[-. ])?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[0-9a-f]*[0-9])[0-9a-f]{12,}|\d{5,})", re.I
)
"""UUIDs, hashes and long numbers."""
_NUMBERED = re.compile(r"(?P<word>[^\W\d_]+)[ _-]?#?\d+")
_SEVERAL = 3
"""Things that are called so at least, for it to be how all of their kind are."""
_NEARLY_ALL = 0.8
"""Share of the labels that must end with a day."""
_MONTH = rf"(?:{'|'.join(rf'{m[:3]}(?:{m[3:]})?' for m in calendar.month_name[1:])})\.?"
_DATED = re.compile(
    rf"[ ,(-](?:\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?|{_MONTH}(?= \d{{4}})|"
    rf"\d{{4}}-\d\d(?:-\d\d)?|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?)(?:,? \d{{4}})?\)?$|"
    r", [^,\d]{2,30} \d{4}$|^(?:mon|tues?|wed|thur?s?|fri|sat|sun)(?:[a-z]*day)?\b.{2,40} \d{4}$",
    re.I,
)
_BARE = re.compile(r"[^\W\d_]{0,4}[-./_ ]?\d+(?:[-./_]\d+)*[a-z]?", re.I)
"""What the rows of tables are called: R09, L-3010, 4411, 2024-17."""


def is_bare_id(label: str) -> bool:
    """Whether a label is but a number, perhaps with some letters before it."""
    return _BARE.fullmatch(label) is not None


def are_numbered(labels: Sequence[str]) -> bool:
    """Whether labels are one word with a number each: "sowing 5", "sowing 12"."""
    found = [_NUMBERED.fullmatch(label) for label in labels]
    return len(labels) >= _SEVERAL and all(found) and len({fold(m["word"]) for m in found if m}) == 1


def are_dated(labels: Sequence[str]) -> bool:
    """Whether nearly all labels end with a day, a month or an occasion: "vet visit 4 May 2023", "Ham, Easter 2024"."""
    dated = sum(_DATED.search(label) is not None for label in labels)
    return len(labels) >= _SEVERAL and dated > _NEARLY_ALL * len(labels)


def has_label(store: KGStore, node: str) -> bool:
    """Whether the graph gives a thing a name beside its id."""
    return literal_parts(node) is None and store.label(node) != entity_label(node)


def told_name(store: KGStore, node: str) -> str:
    """What a person is told of a node: its name; of a blank node or a statement no more than its class."""
    if not (node.startswith("_:") or is_statement(store, node)) or has_label(store, node):
        return store.display(node)
    return f"a nameless {next((store.label(c) for c in store.types(node)), 'thing')}"


def is_statement(store: KGStore, node: str) -> bool:
    """Whether a node is one of Wikidata's statements, which have no label."""
    return ("/entity/statement/" in node or node.startswith("wds:")) and not has_label(store, node)


def is_machine_id(store: KGStore, node: str) -> bool:
    """Whether a node has no name that a person would know: Freebase's m.0abc and g.1abc."""
    label = store.label(node)
    head, dot, rest = label.partition(".")
    return bool(dot) and head in ("m", "g") and rest.replace("_", "").isalnum() and any(c.isdigit() for c in rest)


def has_opaque_iri(store: KGStore, node: str) -> bool:
    """Whether a node without a label has an IRI that ends in an id and not in a name: ``.../f06``, a UUID, a hash, the
    name of its class with a number; not ``.../Vienna``. Where ids are no IRIs, as in tables, people call things by
    them."""
    if not node.startswith(_IRI) or has_label(store, node):
        return False
    name = entity_label(node)
    if _RANDOM.fullmatch(name):
        return True
    if not (counted := _COUNTED.fullmatch(name)):
        return False
    letters = fold(counted["letters"])
    classes = [fold(store.label(c)).replace(" ", "") for c in store.types(node)]
    return len(letters) <= _FEW or letters in classes
