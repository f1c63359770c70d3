"""Whose a thing is, is told by who owns it, and not by who built it; when it is, by when it begins, and not ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in
from triplewise.tools.query_graph.linking.said_names import span_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.roles.converses import ROLES, roles_of
from triplewise.tools.text.verb_forms import word_set

_WHOSE = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?whose\s+(?:(?P<noun>[\w-]+)\s+)?(?:is|are|was|were)\s+(?:the\s+)?(?P<rest>[^?]*?)"
    r"(?:,?\s+(?:then|again|exactly|please))?\W*$",
    re.I,
)
_WHOSE_THINGS = re.compile(r"^\W*(?:(?:and|so|but)\s+)?whose\s+(?=\w)", re.I)
_OWNING = re.compile(r"\b(?:own(?:s|ed|ers?)?|belongs?|belonging|possess\w*|proprietors?|property of)\b", re.I)
_WHEN = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?(?:when|(?:on )?what (?:date|day))(?:['’]?s|\s+(?:is|are|was|were))\s+(?:the\s+)?"
    r"(?P<rest>[^?]*?)(?:\s+on)?\W*$",
    re.I,
)
BEGINNING = re.compile(
    r"\b(?:(?!(?:start|beginning) of (?:\d|the (?:year|month|week)|[jfmasond][a-z]+ \d))(?:start\w*|beg[iau]n\w*)"
    r"|opens?|opened|opening|from)\b",
    re.I,
)
"""Words of a beginning; "after the start of 2020" says a day, and of no beginning."""
ENDING = re.compile(r"\b(?:end(?:s|ed|ing)?|finish\w*|clos(?:es?|ed|ing)|until|till)\b", re.I)

_WHO_HAS = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?who(?:(?:['’]s|\s+has|\s+have)\s+got|\s+has|\s+have|\s+had)\s+"
    r"(?!(?:to|been|a|an|more|most|no|any|never|not)\b)(?:the\s+(?!most\b))?(?P<rest>[^?]+?)"
    r"(?:,?\s+(?:now|then|before|again|exactly|please))?\W*$",
    re.I,
)
_BY = re.compile(r"(?P<verb>\w+)(?: (?:off|out|up|in|on|for))? by", re.I)
_HAVING = word_set(
    "owned held kept rented hired borrowed leased used occupied possessed taken worn won played run booked"
)
"""Verbs whose doer has the thing."""


def of_having(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer who has a thing with who did something to it, who signed off a contract or a
    badge, where others find somebody."""
    asked = _WHO_HAS.match(sentence.text)
    if not asked or not _is_of_name(schema, sentence, asked):
        return drafts

    def is_doer(draft: Draft) -> bool:
        told = (_BY.search(schema.words(r)) for _, r, t in draft.rows if t == 0)
        return any(by and by["verb"].lower() not in _HAVING for by in told)

    doers = [d for d in drafts if is_doer(d)]
    fewest = min((len(d.rows) for d in doers), default=0)
    apart = set(map(id, doers))
    left = [d for d in drafts if id(d) not in apart]
    near = (d for d in left if d.links and d.answers and len(d.rows) <= fewest)
    return left if any(not any(t == 0 and schema.value_kind(r) for _, r, t in d.rows) for d in near) else drafts


def of_owners(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts by which a relation tells the owner, where only that is asked: "whose boat is Heron?". Whose pupil
    somebody is, is told by the relation that says so."""
    asked = _WHOSE.match(sentence.text)
    if not asked or not _is_of_name(schema, sentence, asked) or _is_role(schema, asked["noun"] or "", schema.relations):
        return drafts
    found = [d for d in drafts if any(_OWNING.search(schema.words(r)) for _, r, _ in d.rows)]
    return found if any(len(d.rows) == 1 and d.links for d in found) else drafts


def of_whose_role(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that answer "whose boss is Ann?" with those who have her as their boss, or report to her; all where no
    relation says so, or none does."""
    asked = _WHOSE.match(sentence.text)
    if not asked or not asked["noun"] or not _is_of_name(schema, sentence, asked):
        return drafts
    noun, named = asked["noun"].lower(), {link.node for link in sentence.links}
    ends = {r: _end_called(schema.words(r), noun) for r in schema.relations}
    found = [
        d
        for d in drafts
        if any((ends[r], h) == ("tail", 0) and t in named for h, r, t in d.rows if r in ends)
        or any((ends[r], t) == ("head", 0) and h in named for h, r, t in d.rows if r in ends)
    ]
    return found if any(d.answers for d in found) else drafts


def _end_called(label: str, noun: str) -> str:
    """Which end of a relation is what a noun says: of "reports to" the tail is a boss; "" where neither is."""
    if label.lower().split()[-1:] == [noun]:
        return "tail"
    role, told = ROLES.get(noun), roles_of(label)
    if role is None or told is None:
        return ""
    return {told[0]: "head", told[1]: "tail"}.get(role, "")


def of_possessors(schema: SchemaView, persons: Persons, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer "whose dogs are in Ufer?" with dogs, where as much of it can be used by one
    that answers with who has them: with who owns them, or with persons where the graph tells no owners."""
    kind = _possessed(schema, sentence)
    if not kind:
        return drafts
    members = schema.set_of(kind)
    things = [d for d in drafts if d.form == "select" and d.answers & members]
    others = [d for d in drafts if d.form == "select" and d.answers and not d.answers & members]
    owners = {r for r in schema.relations if _OWNING.search(schema.words(r)) and _is_told_of(schema, r, members)}
    owning = [d for d in others if any(0 in (h, t) and r in owners for h, r, t in d.rows)]
    having = owning or [d for d in others if len(d.rows) > 1 and persons.holds(schema.first(d.answers)[0])]
    used = {(frozenset(d.links), frozenset(d.values)) for d in having}
    out = {id(d) for d in (*things, *(others if owning else ()))} - set(map(id, having))

    def gives_way(draft: Draft) -> bool:
        return id(draft) in out and any(i.issuperset(draft.links) and v.issuperset(draft.values) for i, v in used)

    return [d for d in drafts if not gives_way(d)]


def _is_told_of(schema: SchemaView, relation: str, things: Set[str]) -> bool:
    """Whether some things are at an end of a relation."""
    return any(not schema.starts(step).isdisjoint(things) for step in (Step(relation), Step(relation, inverse=True)))


def _possessed(schema: SchemaView, sentence: Sentence) -> str:
    """The class right behind "whose"; "" where there is none, or where one of its things is that of another: "whose
    mate"."""
    asked = _WHOSE_THINGS.match(sentence.text)
    words = words_in(sentence.text)
    starts = asked.end() if asked else -1
    for kind, (first, last) in sentence.classes.items():
        if words[first].start == starts:
            members = schema.members(kind)
            within = {r for r in schema.relations if not schema.heads(r).isdisjoint(members)}
            return "" if _is_role(schema, words[last].text, within) else kind
    return ""


def of_beginning(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that tell when a thing ends, where only "when" is asked and some tell when it begins."""
    asked = _WHEN.match(sentence.text)
    if not asked or not _is_of_name(schema, sentence, asked):
        return drafts

    def told(draft: Draft) -> str:
        return next((schema.words(r) for _, r, t in draft.rows if t == 0 and isinstance(t, int)), "")

    begins = {d.links for d in drafts if d.answers and len(d.rows) == 1 and BEGINNING.search(told(d))}
    return [d for d in drafts if d.links not in begins or not ENDING.search(told(d))]


def _is_of_name(schema: SchemaView, sentence: Sentence, asked: re.Match[str]) -> bool:
    """Whether all that stands behind "whose is" or "when is" is a name."""
    words = words_in(sentence.text)
    named = (span_of(schema, x, words) for x in sentence.links if x.score >= 0.5)
    rest = (asked.start("rest"), asked.end("rest"))
    return any(first >= 0 and (words[first].start, words[last].end) == rest for first, last in named)


def _is_role(schema: SchemaView, noun: str, relations: Iterable[str]) -> bool:
    """Whether one of some relations is called by a noun."""
    name = noun.lower()
    return any(is_form_of(word, name) for r in relations for word in folded_words(schema.words(r)))
