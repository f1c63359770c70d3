"""Names that fit several things: when a sentence can be answered for more than one of them, the user is asked which.

A reading is ambiguous where it names a thing whose words fit another as well, and the same query about that one holds
too. What the sentence or the thread has settled (a class, another name, an earlier choice) is not asked again.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence, Set
from itertools import chain, islice

from triplewise.agents.assistant.answers import unbracketed
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.events import Choices, Option
from triplewise.errors import QuestionError
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold, one_line
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.mentions import DAYS_AND_MONTHS, Link, NameIndex, words_in
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import word_set

MAX_OPTIONS = 8
_NEAR = 0.999
"""Share of the better's score that another candidate of the same words must reach."""
_NAMED = 0.4
"""Score from which on a part of a name may mean it: a first name that two share weighs less than half of each."""
_WHOLE = 0.95
"""Score from which on words are a name and no part of one."""
_TRIPLES = 200
"""Triples of a thing whose words are looked at."""
_POINTING = word_set("a an the one ones other same first second third last this that no yes")
"""Words that may be values too, and in a reply only point."""
_DOES = re.compile(r"\b(?:did|does|do|can|could|will|would)(?:n['’]t)?\s+$", re.I)
"""What stands before who does something."""


def rivals(names: NameIndex, text: str) -> list[list[Link]]:
    """Groups of things that the same words of a sentence fit equally well, the meant ones unknown. The "Tom" of a whole
    name, "Old Tom", is no other Tom's."""
    groups: list[list[Link]] = []
    links = [x for x in names.link(text) if not x.is_value and x.score >= _NAMED]
    whole = [x for x in links if x.score > _WHOLE]
    links = [x for x in links if not any(_within(x, y) for y in whole)]
    for link in links:
        same = [
            x
            for x in links
            if x.node != link.node and x.overlaps(link)
            and (x.first, x.last) == (link.first, link.last) and x.weight >= _NEAR * link.weight
        ]  # fmt: skip
        best = [x for x in (link, *same) if x.weight >= _NEAR * max(y.weight for y in (link, *same))]
        exact = [x for x in best if x.score > _WHOLE]
        kept = exact if exact else best
        if len(kept) > 1 and not any({x.node for x in kept} & {y.node for y in g} for g in groups):
            groups.append(kept)
    return groups


def said_of_several(names: NameIndex, text: str) -> list[str]:
    """The words of a sentence that name several things equally well."""
    words = words_in(text)
    return [text[words[g[0].first].start : words[g[0].last].end] for g in rivals(names, text) if g[0].first >= 0]


def _within(one: Link, other: Link) -> bool:
    """Whether the words of one link are only some of the other's."""
    span, whole = (one.first, one.last), (other.first, other.last)
    return span != whole and whole[0] <= span[0] and span[1] <= whole[1]


def ambiguous_entities(
    kg: KGStore, names: NameIndex, text: str, query: QueryGraph | None, settled: set[str], claim: bool = False
) -> list[str]:
    """The things among which the user should choose, () where the sentence, the graph or the thread tells which is
    meant. Things of one name are always asked about; others that the same words fit, where the query holds for both."""
    for group in rivals(names, text):
        nodes = [x.node for x in group]
        if settled & set(nodes) or _disambiguated(kg, group, text):
            continue
        does = _does(names, group, text)
        if does and (query is None or does in query.entities):
            continue
        if query is None or len({_bare_name(kg, n) for n in nodes}) == 1:
            return nodes[:MAX_OPTIONS]
        used = [n for n in nodes if n in query.entities]
        if not used:
            continue
        able = [n for n in nodes if n == used[0] or claim or _holds(kg, swapped(query, used[0], n))]
        if len(able) > 1:
            return able[:MAX_OPTIONS]
    return []


def _does(names: NameIndex, group: Sequence[Link], text: str) -> str:
    """The only person among the bearers of a name that does something: no room picks a colour in "did Maisie pick it?";
    "" for none."""
    start = words_in(text)[group[0].first].start if group[0].first >= 0 else 0
    if not _DOES.search(text[:start]):
        return ""
    persons = [x.node for x in group if Persons(names.schema).holds(x.node)]
    return persons[0] if len(persons) == 1 else ""


def _bare_name(kg: KGStore, node: str) -> str:
    """A label without what stands in brackets after it."""
    return fold(re.sub(r"\s*\([^()]*\)$", "", kg.label(node)))


def _disambiguated(kg: KGStore, group: Sequence[Link], text: str) -> bool:
    """Whether the words beside an ambiguous name select one of its bearers: "Ivan Petrov, the ref", "Tolu town"."""
    words = words_in(text)
    named = {words[i].text for i in range(group[0].first, group[0].last + 1) if 0 <= i < len(words)}
    beside = {w.text for w in words if w.text not in named and w.text not in STOP_WORDS and len(w.text) > 2}
    scores = [sum(is_like(w, own) for w in beside) for own in ((_own_words(kg, x.node) - named) for x in group)]
    return scores.count(max(scores)) == 1


def _own_words(kg: KGStore, node: str) -> set[str]:
    """The words of a thing's names and kinds."""
    names = (kg.label(node), kg.display(node), *kg.aliases(node), *(kg.label(t) for t in kg.types(node)))
    return {w.text for n in names for w in words_in(n)}


def told_words(kg: KGStore, node: str, *, relations: bool) -> set[str]:
    """The words of a thing's names and kinds, and of what it is linked to; ``relations``: and of how."""
    triples = list(islice(chain(kg.triples(node, None, None), kg.triples(None, None, node)), _TRIPLES))
    others = {t.tail if t.head == node else t.head for t in triples}
    names = [n for o in others for n in (kg.label(o), *kg.aliases(o))]
    names += [kg.relation_label(t.relation) for t in triples] if relations else []
    return _own_words(kg, node) | {w.text for n in names for w in words_in(n)} | _times(kg.label(o) for o in others)


def _times(values: Iterable[str]) -> set[str]:
    """The months and days of the week of the dates among some values: "the April one", "the Friday visit"."""
    found: set[str] = set()
    for year, month, day in (map(int, v.key) for v in map(parse_value, values) if v.kind == "date"):
        found.add(calendar.month_name[month].lower())
        if year > 0 and 0 < day <= calendar.monthrange(year, month)[1]:
            found.add(calendar.day_name[calendar.weekday(year, month, day)].lower())
    return found


def is_like(word: str, others: Set[str]) -> bool:
    """Whether a word is one of these, or shares its stem with one: "ref" with "referee", "Brazilian" with "Brazil"."""
    if word in others:
        return True
    stem = word[:-1] if word.endswith("s") and len(word) > 3 else word
    return len(stem) > 2 and any(
        len(o) > 2 and (o.startswith(stem) or (len(o) > 3 and stem.startswith(o))) for o in others
    )


def _holds(kg: KGStore, query: QueryGraph) -> bool:
    try:
        return bool(execute(kg, query, max_rows=2_000).found)
    except QuestionError:
        return False


def options(kg: KGStore, nodes: Sequence[str]) -> tuple[Option, ...]:
    """Choices with what tells them apart: kinds, else a fact."""
    made = []
    for node in nodes:
        kinds = ", ".join(one_line(kg.label(t)) for t in kg.types(node))
        facts = [f"{one_line(kg.relation_label(t.relation))} {one_line(kg.display(t.tail))}" for t in _facts(kg, node)]
        made.append(Option(node, one_line(kg.display(node)), "; ".join(part for part in (kinds, *facts) if part)))
    return tuple(made)


def which_one(kg: KGStore, message: str, nodes: Sequence[str]) -> Choices:
    """The question which of some things is meant; ``message``: id of the answer that waits for it."""
    return Choices(message, "Which one do you mean?", options(kg, nodes))


def assumed(kg: KGStore, rivals: Sequence[str]) -> str:
    """Which of some namesakes was taken, the first, where nobody could be asked."""
    others = ", ".join(unbracketed(kg.display(n)) for n in rivals[1:])
    return f"I took it to be {unbracketed(kg.display(rivals[0]))}; it may also be {others}."


def _facts(kg: KGStore, node: str, most: int = 2) -> list:
    left_out = kg.roles.types | kg.roles.aliases
    found = [t for t in kg.triples(node, None, None) if t.relation not in left_out]
    return sorted(found, key=lambda t: (kg.is_literal(t.tail), kg.degree(t.tail)))[:most]


def best_fit(kg: KGStore, nodes: Sequence[str], text: str) -> str:
    """The one thing that words fit best, by its names, its triples and those one step farther; "" where several do."""
    words = {w.text for w in words_in(text)}
    scores = [_overlap(kg, node, words) for node in nodes]
    best = max(scores, default=0.0)
    return nodes[scores.index(best)] if best > 0 and scores.count(best) == 1 else ""


def _overlap(kg: KGStore, node: str, said: set[str]) -> float:
    """How many words of a reply tell of a thing: in its names and kinds, then in its triples, then one step farther."""
    own = _own_words(kg, node)
    near: set[str] = set()
    far: set[str] = set()
    values: set[str] = set()
    for triple in islice(chain(kg.triples(node, None, None), kg.triples(None, None, node)), _TRIPLES):
        other = triple.tail if triple.head == node else triple.head
        near |= {w.text for n in (kg.label(other), *kg.aliases(other)) for w in words_in(n)}
        near |= {w.text for w in words_in(kg.relation_label(triple.relation))}
        near |= {w.text for t in kg.types(other) for w in words_in(kg.label(t))}
        near |= _times((kg.label(other),))
        values.add(kg.label(other).lower())
        if not kg.is_literal(other):
            far |= {w.text for t in list(kg.triples(other, None, None))[:50] for w in words_in(kg.label(t.tail))}
    far -= DAYS_AND_MONTHS  # what somebody else did in April
    score = 0.0
    telling = {w for w in said if len(w) > 1 and w not in STOP_WORDS} | (said & values) - _POINTING
    for word in telling:
        score += next((weight for weight, words in ((3.0, own), (1.0, near), (0.3, far)) if is_like(word, words)), 0.0)
    return score
