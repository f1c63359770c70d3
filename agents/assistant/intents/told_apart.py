"""Which of several things one word tells: by a name of its own, by its age among them, or by its end of a relation."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from triplewise.kg.base import KGStore
from triplewise.kg.names import fold
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.mentions import fold_word, words_in
from triplewise.tools.text.roles.converses import ROLES, Role, roles_of

_OLDER = re.compile(r"old|older|oldest|elder|eldest|senior|sr", re.I)
_YOUNGER = re.compile(r"new|newer|newest|recent|young|younger|youngest|junior|jr", re.I)
_PARENT = ROLES["parent"]
_ARTICLE = re.compile(r"^(?:the|that|a|an) ", re.I)


def called(kg: KGStore, nodes: Sequence[str], words: str) -> str:
    """The one that has these words for a name, else the only one that has them in its names; "" for none."""
    wanted = fold(_ARTICLE.sub("", words.strip()))
    names = {n: {fold(name) for name in (kg.label(n), kg.display(n), *kg.aliases(n))} for n in nodes}
    whole = [n for n in nodes if any(_ARTICLE.sub("", name) == wanted for name in names[n])]
    said = {w.text for w in words_in(wanted)} - STOP_WORDS
    own = {n: {w.text for name in names[n] for w in words_in(name)} for n in nodes}
    found = whole or [n for n in nodes if said and said <= own[n]]
    return found[0] if len(found) == 1 else ""


def by_age(kg: KGStore, nodes: Sequence[str], words: str, by_date: Callable[[Sequence[str]], list[str]]) -> str:
    """The older or the younger of some things: by what their names say, as the parent or the child of another of them,
    else by their dates; "" where nothing tells, or the word is not of that kind."""
    old, young = _OLDER.fullmatch(words), _YOUNGER.fullmatch(words)
    if not (old or young):
        return ""
    wanted, other = (_OLDER, _YOUNGER) if old else (_YOUNGER, _OLDER)
    if named := _marked(kg, nodes, wanted, other):
        return named
    role = _PARENT if old else _PARENT.other
    if kin := at_end(kg, nodes, role, among=True) or _of_grandparents(kg, nodes, role):
        return kin
    dated = by_date(nodes)
    return (dated[0] if old else dated[-1]) if dated else ""


def by_role(kg: KGStore, nodes: Sequence[str], words: str) -> str:
    """The one that a word calls by its end of a relation, of another of them first: "the father", "the captain"."""
    word = fold_word(words.split()[-1]) if words.strip() else ""
    role = ROLES.get(word, word)
    return at_end(kg, nodes, role, among=True) or at_end(kg, nodes, role, among=False) if word else ""


def at_end(kg: KGStore, nodes: Sequence[str], role: Role | str, *, among: bool) -> str:
    """The only one of some things at an end of a relation; ``among``: whose other end is another of them."""
    found: set[str] = set()
    for node in nodes:
        for triple in (*kg.triples(node, None, None), *kg.triples(None, None, node)):
            if not among or {triple.head, triple.tail} <= set(nodes):
                head, tail = _ends(kg.relation_label(triple.relation))
                if role == (head if triple.head == node else tail):
                    found.add(node)
    return found.pop() if len(found) == 1 else ""


def _of_grandparents(kg: KGStore, nodes: Sequence[str], role: Role | str) -> str:
    """The only one of some things that is so to somebody who is so to another of them: names often come from the
    grandfather."""
    far = {n: {o for other in _others(kg, n, role) for o in _others(kg, other, role)} for n in nodes}
    found = [n for n in nodes if far[n] & (set(nodes) - {n})]
    return found[0] if len(found) == 1 else ""


def _others(kg: KGStore, node: str, role: Role | str) -> set[str]:
    """To whom a thing is a parent, or a child."""
    told = ((t, _ends(kg.relation_label(t.relation))) for t in (*kg.triples(node), *kg.triples(tail=node)))
    return {t.tail if t.head == node else t.head for t, ends in told if role == ends[0 if t.head == node else 1]}


def _ends(label: str) -> tuple[Role | str, Role | str]:
    """What the head and the tail of a relation are called: a noun names the tail, and with "of" the head."""
    if roles := roles_of(label):
        return roles
    words = label.split()
    if len(words) == 2 and words[1].lower() == "of":
        return fold_word(words[0]), ""
    return "", fold_word(words[0]) if len(words) == 1 else ""


def _marked(kg: KGStore, nodes: Sequence[str], wanted: re.Pattern[str], other: re.Pattern[str]) -> str:
    """The one whose names have such a word; of two also the one beside that with the opposite."""

    def having(pattern: re.Pattern[str]) -> list[str]:
        texts = {n: (kg.label(n), kg.display(n), *kg.aliases(n)) for n in nodes}
        return [n for n in nodes if any(pattern.fullmatch(w.text) for t in texts[n] for w in words_in(t))]

    mine, theirs = having(wanted), having(other)
    if len(mine) == 1:
        return mine[0]
    rest = [n for n in nodes if n not in theirs]
    return rest[0] if not mine and len(theirs) == 1 and len(rest) == 1 else ""
