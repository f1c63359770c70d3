"""Classes that only the names of rows tell: "goal 1", "goal 2" and "goal 3" are goals, though no triple says so.

Many tables of one file call their rows by a word and a number, or by names that end in the same noun: "guitar parcel",
"drill loan April", "farrier visit 2", "wedding of Ann and Bo". Where at least three things are called so, some relation
is theirs alone, and nothing else is called by the word, the word is their class. Ids before a number (L-016, INV-7) are
no words, and of things with IRIs the graph tells the class or none: an endpoint would not know ours.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from triplewise.kg.names import entity_label, fold
from triplewise.kg.stop_words import STOP_WORDS

_T = TypeVar("_T", bound=Hashable)
"""A relation, or a step along one."""
_STEM = re.compile(r"(?P<stem>[^\W\d_]+)[-_ #]{0,2}(?P<number>\d{1,9})")
_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]{2,}")
"""A word of three letters at least, in small ones but for the first."""
_NOUN = re.compile(r"[^\W\d_A-Z]{3,}")
"""The noun that a name ends in, which is no name itself: "birdseed parcel", and not "Ann Kemp"."""
_MARK = re.compile(r"(?:[A-Z][\w-]*|\d{1,4}[a-z]?)")
"""What stands behind the noun to tell one from another: "ladder loan April", "street party 2024"."""
_MARKS = 3
"""Such words at most: "Ann's session 13 April 2024"."""
_ABOUT = re.compile(r"\s(?:of|for|to|at|in|on|with|from|by)\s")
"""What stands between the noun and what the row is about: "wedding of Ann and Bo"."""
IRIS = ("http://", "https://", "urn:", "_:")
"""What the ids of RDF's things begin with."""
_ROWS = 3
_MOST = 0.5
"""Share of the rows that must have a relation which is theirs alone."""
_SHARED, _NEARLY_ALL = 3, 0.75
"""Relations of a table by which a row that is called otherwise is known to be of it, and the share that it must have of
them."""


def numbered(label: str) -> tuple[str, int] | None:
    """The word before the number of a thing that is called by one, folded, and the number: ("tenancy", 10) of
    "tenancy 10", ("l", 16) of "L-016"; None for any other."""
    found = _STEM.fullmatch(label)
    return (fold(found["stem"]), int(found["number"])) if found else None


def noun_of(label: str) -> str | None:
    """The noun of a name of several words, folded: "parcel" of "birdseed parcel", "visit" of "farrier visit 2"; None
    where it ends in none."""
    before, *about = _ABOUT.split(label, maxsplit=1)
    words = before.split()
    for _ in range(_MARKS):
        if len(words) > 1 and _MARK.fullmatch(words[-1]):
            words.pop()
    if not words or not (about or len(words) > 1) or not _NOUN.fullmatch(words[-1]):
        return None
    return None if (word := fold(words[-1])) in STOP_WORDS else word


def numbered_rows(
    rows: Iterable[str], label: Callable[[str], str], own: Callable[[str], Iterable[_T]], heads: Callable[[_T], int]
) -> dict[str, set[str]]:
    """Word → those of some things that are called by it and a number, where some relation is theirs alone.

    ``own(thing)``: the relations of which it is a head; ``heads(relation)``: how many heads one has."""
    words = ((node, numbered(text)) for node in rows if (text := label(node))[-1:].isdigit())
    return _tables(((node, found[0]) for node, found in words if found), own, heads)


def _tables(
    words: Iterable[tuple[str, str]], own: Callable[[str], Iterable[_T]], heads: Callable[[_T], int]
) -> dict[str, set[str]]:
    """Word → the rows of it, of (row, word), where there are several and some relation is theirs alone."""
    called: dict[str, set[str]] = defaultdict(set)
    for node, word in words:
        called[word].add(node)
    return {word: rows for word, rows in called.items() if len(rows) >= _ROWS and _have_their_own(rows, own, heads)}


def _have_their_own(rows: set[str], own: Callable[[str], Iterable[_T]], heads: Callable[[_T], int]) -> bool:
    counts = Counter(relation for row in rows for relation in own(row))
    return any(n > _MOST * len(rows) and n == heads(relation) for relation, n in counts.items())


def find_row_classes(
    rows: Iterable[str], own: Callable[[str], Iterable[str]], heads: Callable[[str], int], nodes: Iterable[str]
) -> dict[str, str]:
    """Node → its class, of ``rows``, the heads of triples that have none. ``own`` and ``heads``: as ``numbered_rows``
    takes them; ``nodes``: all of the graph, looked at where some rows may be a class: none may be called as it is."""
    plain = [row for row in rows if not row.startswith(IRIS)]
    several = Counter(fold(word) for row in plain if (word := _called(entity_label(row))))
    several = {word for word, n in several.items() if n >= _ROWS}  # of a million names most are met once
    called = ((row, fold(_called(entity_label(row)) or "")) for row in plain) if several else ()
    tables = _tables(((row, word) for row, word in called if word in several), own, heads)
    if not tables:
        return {}
    names = {word: _called(entity_label(min(table))) or word for word, table in tables.items()}
    _join_others(tables, plain, own)
    taken = names.keys() & map(fold, map(entity_label, nodes))
    return {row: name for word, name in sorted(names.items()) if word not in taken for row in sorted(tables[word])}


def _join_others(tables: Mapping[str, set[str]], plain: Iterable[str], own: Callable[[str], Iterable[str]]) -> None:
    """Add the rows that have a table's word elsewhere in their names, and half of the relations that most of it have
    (the "lift home from Tadwick" is a lift as the "lift to Tadwick" is), and others that have nearly all of these,
    where they are fewer: the "shakedown weekend" is a trip where most are called so."""
    counts = {word: Counter(relation for row in rows for relation in own(row)) for word, rows in tables.items()}
    usual = {word: {r for r, n in counts[word].items() if n > _MOST * len(rows)} for word, rows in tables.items()}
    known = {row for rows in tables.values() for row in rows}
    alike: dict[str, set[str]] = defaultdict(set)
    for row in plain:
        if row in known:
            continue
        told = set(own(row))
        word = _word_within(entity_label(row), tables)
        if word and len(usual[word] & told) >= _MOST * len(usual[word]):
            tables[word].add(row)
            continue
        for other, relations in usual.items():
            if len(relations) >= _SHARED and len(relations & told) >= _NEARLY_ALL * len(relations):
                alike[other].add(row)
    for word, rows in alike.items():
        if len(rows) < len(tables[word]):
            tables[word].update(rows)


def _word_within(label: str, words: Mapping[str, object]) -> str | None:
    """The first of some words that a name of several has within it, in small letters."""
    parts = label.split()
    return next((fold(p) for p in parts if _NOUN.fullmatch(p) and fold(p) in words), None) if len(parts) > 1 else None


def _called(label: str) -> str | None:
    """The word that a row is called by, as it is written: before its number, or the noun of its name."""
    found = _STEM.fullmatch(label)
    return found["stem"] if found and _WORD.fullmatch(found["stem"]) else noun_of(label)


def called_classes(found: Mapping[str, str]) -> dict[str, str]:
    """What ``row_class`` takes, of what ``find_row_classes`` gives."""
    classes = {fold(kind): kind for kind in found.values()}
    labels = {row: entity_label(row) for row in found}
    return classes | {fold(labels[row]): kind for row, kind in found.items() if row_class(labels[row], classes) != kind}


def row_class(label: str, classes: Mapping[str, str]) -> str | None:
    """The class of a row by its name; ``classes``: folded word, or name of a row whose word does not tell, → class."""
    if (whole := classes.get(fold(label))) and fold(whole) != fold(label):
        return whole
    word = fold(_called(label) or "")
    word = word if word in classes else _word_within(label, classes)
    return classes.get(word) if word else None
