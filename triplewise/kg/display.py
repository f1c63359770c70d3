"""Names that are unique where labels are not: what prompts and screens show, mapped back to ids.

Namesakes are told apart by the bracket in the entity's own id ("Dune (1984)" with the label "Dune"),
else by a release or birth year, else by a type, else by the id.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from triplewise.kg.names import entity_label, name_line, relation_words

if TYPE_CHECKING:
    from triplewise.kg.base import KGStore

_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_DATED = {"year", "date", "born", "released"}
_FIRST = {"release", "released", "birth", "born", "publication"}
_MAX_PARTS = 2
"""Last parts of an IRI that are shown for it."""


def unique_names(
    items: Iterable[str], label: Callable[[str], str], hint: Callable[[str, str], str] = lambda item, label: ""
) -> tuple[dict[str, str], dict[str, str]]:
    """(item → name where it differs from the label, name → item); one name per item, by construction.

    ``hint(item, label)`` may tell an item from its namesakes; "" or a hint that two share gives the id instead.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for item in items:
        groups[label(item)].append(item)
    shown: dict[str, str] = {}
    taken = {text: group[0] for text, group in groups.items() if len(group) == 1}
    for text, group in groups.items():
        if len(group) == 1:
            continue
        hints = {item: hint(item, text) for item in group}
        count, short = Counter(hints.values()), _short_ids(group)
        for item, extra in hints.items():
            name = f"{text} ({extra if extra and count[extra] == 1 else short[item]})"
            while name in taken:
                name += "'"
            shown[item] = name
            taken[name] = item
    return shown, taken


def _short_ids(items: Iterable[str]) -> dict[str, str]:
    """Ids as a person is shown them: of IRIs as few of the last parts as tell these apart, whole IRIs where none do.

    What all end in tells nothing: of ``…/prop/direct/P166`` and ``…/prop/statement/P166`` "direct" and "statement".
    """
    whole = {item: name_line(item) for item in items}
    parts = {item: re.split(r"[/#:]+", name.rstrip("/#")) for item, name in whole.items() if "://" in name}
    shared = 0
    if len(parts) == len(whole):
        for same in zip(*map(reversed, parts.values()), strict=False):
            if len(set(same)) > 1:
                break
            shared += 1
    for count in range(1, _MAX_PARTS + 1):
        ends = {item: "/".join(p[: len(p) - shared][-count:]) for item, p in parts.items()}
        shown = whole | ends
        if all(shown.values()) and len(set(shown.values())) == len(shown):
            return shown
    return whole


def entity_hint(store: KGStore, entity: str, label: str) -> str:
    """What tells an entity from its namesakes, "" where nothing does."""
    name = entity_label(entity)
    if name.startswith(label) and (rest := name[len(label) :].strip()).startswith("(") and rest.endswith(")"):
        return rest[1:-1]
    if store.is_literal(entity):
        return "value"
    dated = [r for r in store.out_relations(entity) if _DATED & set(relation_words(r).split())]
    for relation in sorted(dated, key=lambda r: not _FIRST & set(relation_words(r).split())):
        for triple in store.triples(entity, relation):
            if match := _YEAR.search(store.label(triple.tail)):
                return match.group()
    types = store.types(entity)
    return store.label(types[0]) if types else ""


def relation_names(relations: Iterable[str], labels: Mapping[str, str]) -> dict[str, str]:
    """Each relation's name in words: its own label where the graph gives one, else its id made readable.

    rdf:type, by which proofs tell a class, is in words too.
    """
    relations = tuple(relations)
    words = {r: name_line(labels.get(r) or relation_words(r)) for r in relations}
    shown, _ = unique_names(relations, words.__getitem__)
    return {"rdf:type": "is a"} | words | shown
