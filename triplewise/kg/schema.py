"""What a graph's relations are for, read off the graph: classes, other names, values, and lists that are complete.

A relation is a *type relation* where its name says so ("is a", "instance of", "kind", "P31") and its tails behave as
classes do: far fewer than the things that have it. It is an *alias relation* where its name says so ("aka", "known as",
"nickname", "code") and its tails behave as names do: each the name of few things, with no relation of their own.
A caller's word (``--type-relation``, ``--alias-relation``) is taken instead of the finding. A *subclass relation* is
told by its name alone ("subclass of", rdfs:subClassOf, Wikidata's P279): what is of a class is of the classes above it.
A type relation may be one as well: "Wreck is a Dive Site" beside "Salvador is a Wreck" (but no "instance of", whose
tails may be classes of classes).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from triplewise.kg.names import fold, literal_parts, relation_words
from triplewise.kg.values import parse_value

_TYPE_NAMES = {
    "a", "is", "is a", "isa", "is an", "type", "types", "rdf type", "instance of", "p31", "kind", "kinds", "kind of",
    "kind of thing", "type of", "type of thing", "category", "cat", "class", "entity type", "node type",
    "what it is", "sort", "sort of", "object type", "record type", "is of type", "has type", "of type", "klass",
    "typ", "rec typ", "obj typ", "cls",
}  # fmt: skip
_TYPE_WORDS = {"type", "category", "class", "kind"}
_ALIAS_NAMES = {
    "aka", "a k a", "also known as", "known as", "also called", "called", "alias", "aliases", "nickname",
    "nick name", "nick", "short name", "other name", "other names", "alternative name", "alternate name",
    "alt name", "alt nm", "nm", "alt label", "label", "lbl", "name", "title", "code", "abbreviation", "abbr", "acronym",
    "callsign", "call sign", "hostname", "host name", "trade name", "brand name", "common name", "full name",
    "stage name", "pet name", "handle", "ticker", "symbol", "iata", "synonym", "goes by", "known to us as", "code name",
    "short code", "display name", "named",
}  # fmt: skip
_ALIAS_FORMS = re.compile(
    r"(?:stable|barn|yard|kennel|call|show|racing|pen|screen|user|old|former|proper|real|informal|local) names?|"
    r"(?:is|are|was) (?:called|nicknamed|named)|"
    r"(?:(?:is|also|better|usually|often|mostly|otherwise|commonly|locally|just) )+"
    r"(?:known|called|nicknamed|goes by)(?: as)?|"
    r"(?:known|called) (?:locally|here|to (?:us|everyone|friends)) as|nicknamed|answers to|short for|shortened to|"
    r"(?:what )?(?:we|they|i|everyone|everybody|people|locals|the \w+) (?:(?:all|usually|often|just) )?calls? "
    r"(?:it|them|him|her)"
)
"""More ways in which owners call them: "stable name", "better known as", "we call them"."""
_SUBCLASS_NAMES = {"sub class of", "subclass of", "is a subclass of", "is subclass of"}
_SUBCLASS_IDS = {"P279", "wdt:P279", "http://www.wikidata.org/prop/direct/P279"}
_NEVER_NESTED = {"instance of", "p31", "rdf type"}
_MAX_CLASS_SHARE = {True: 0.6, False: 0.34}
"""Distinct tails by heads, at most: for a relation named as types are, and for one with a word such as "type" in it."""
_MIN_TYPED_SHARE = 0.5
"""Of all things with relations, for a relation that only has a word such as "type" in its name."""
_MIN_NAME_SHARE = 0.6
"""Distinct tails by triples, at least, for an alias relation."""
_AMBIGUOUS = {"label", "lbl", "title", "symbol", "code"}
"""An album's label and a person's title are no names of theirs."""
_MIN_AMBIGUOUS_SHARE = 0.9
"""The same for these where their heads are called by words already."""


class RelationIndex(Protocol):
    """What is looked at: a store under construction."""

    def relation_ids(self) -> Sequence[str]: ...
    def pairs(self, relation: str) -> Sequence[tuple[str, str]]: ...
    def out_relations(self, entity: str) -> Sequence[str]: ...
    def in_relations(self, entity: str) -> Sequence[str]: ...
    def head_count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class RelationRoles:
    """The type relations, alias relations and subclass relations of a graph, as ids.

    ``nested``: type relations that are subclass relations as well: from a class they lead to the one above it.
    ``row_classes``: the classes that no relation tells, but the names of rows (``triplewise.kg.row_classes``).
    """

    types: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    subclasses: frozenset[str] = frozenset()
    nested: frozenset[str] = frozenset()
    row_classes: frozenset[str] = frozenset()


def find_roles(
    graph: RelationIndex,
    type_relations: Collection[str] | None = None,
    alias_relations: Collection[str] | None = None,
) -> RelationRoles:
    """Which relations of a graph tell classes and other names; what the caller names is taken as it is."""
    types, aliases = set(type_relations or ()), set(alias_relations or ())
    for relation in graph.relation_ids():
        words = fold(relation_words(relation))
        if type_relations is None and _may_tell_classes(words) and _tells_classes(graph, relation, words):
            types.add(relation)
        elif alias_relations is None and _may_tell_names(words) and _tells_names(graph, relation, words):
            aliases.add(relation)
    nested = frozenset(r for r in types if _is_nested(graph, r))
    subclasses = subclass_relations(graph.relation_ids()) | nested
    return RelationRoles(frozenset(types), frozenset(aliases - types), subclasses, nested)


def subclass_relations(relations: Iterable[str]) -> frozenset[str]:
    """Those of some relations that lead from a class to the classes above it."""
    return frozenset(r for r in relations if r in _SUBCLASS_IDS or relation_words(r) in _SUBCLASS_NAMES)


def with_classes_above(own: Iterable[str], above: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Classes and all that are above them, these after the own ones and the nearest first.

    ``above(class)``: the classes just above one. Blank nodes, OWL's restrictions, are passed through and left out.
    """
    told = dict.fromkeys(own)
    return tuple(c for c in reached(told, above) if c in told or not c.startswith("_:"))


def reached(start: Iterable[str], following: Callable[[str], Iterable[str]]) -> dict[str, None]:
    """What one comes to from some nodes, these first and then the nearest; circles do no harm."""
    found = nearest = dict.fromkeys(start)
    while nearest:
        nearest = {n: None for known in nearest for n in following(known) if n not in found}
        found |= nearest
    return found


def _may_tell_classes(words: str) -> bool:
    return words in _TYPE_NAMES or bool(_TYPE_WORDS & set(words.split()[-1:]))


def _may_tell_names(words: str) -> bool:
    return words in _ALIAS_NAMES or _ALIAS_FORMS.fullmatch(words) is not None


def _is_nested(graph: RelationIndex, relation: str) -> bool:
    if fold(relation_words(relation)) in _NEVER_NESTED:
        return False
    pairs = graph.pairs(relation)
    plain = _without_things(graph, {t for _, t in pairs}, relation)
    return any(h in plain for h, _ in pairs)


def _without_things(graph: RelationIndex, classes: Iterable[str], relation: str) -> set[str]:
    """Of some classes those that are nothing else: all that they have are classes above them."""
    return {
        c for c in classes if not set(graph.out_relations(c)) - subclass_relations(graph.out_relations(c)) - {relation}
    }


def _tells_classes(graph: RelationIndex, relation: str, words: str) -> bool:
    pairs = graph.pairs(relation)
    classes = {t for _, t in pairs}
    plain = _without_things(graph, classes, relation)
    having = {h for h, _ in pairs} - plain
    if len(having) < 2 or any(parse_value(_label(t)).kind != "text" for t in classes):
        return False
    told = {t for h, t in pairs if h in having}
    if len(told) > max(2, _MAX_CLASS_SHARE[words in _TYPE_NAMES] * len(having)):
        return False
    things = len(classes - plain)
    if words in _TYPE_NAMES and things <= 0.5 * len(classes):
        return True
    return things <= 0.2 * len(classes) and len(having) >= _MIN_TYPED_SHARE * graph.head_count()


def _tells_names(graph: RelationIndex, relation: str, words: str) -> bool:
    pairs = graph.pairs(relation)
    tails = {t for _, t in pairs}
    least = _MIN_AMBIGUOUS_SHARE if words in _AMBIGUOUS and _called_by_words(pairs) else _MIN_NAME_SHARE
    if len(tails) < least * len(pairs):
        return False
    names = sum(not graph.out_relations(t) and list(graph.in_relations(t)) == [relation] for t in tails)
    numbers = sum(parse_value(_label(t)).kind in ("number", "date", "yes-no") for t in tails)
    return names >= 0.6 * len(tails) and numbers <= 0.5 * len(tails)


def _called_by_words(pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether most heads are names rather than codes or IRIs."""
    return sum(h.replace(" ", "").isalpha() for h, _ in pairs) > 0.5 * len(pairs)


def _label(node: str) -> str:
    parts = literal_parts(node)
    return parts.value if parts else node
