"""The last or first of some things: "who did the last job on the bike?" is not answered by all who did some."""

from __future__ import annotations

import re

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView

_LAST_ONE = re.compile(
    r"\b(?:the|our|my|his|her|their|its|\w+['’]s)\s+(?:very\s+)?"
    r"(?P<which>last|latest|newest|most recent|first|earliest)\s+"
    r"(?!(?:year|month|week|night|evening|summer|winter|spring|autumn|season|time|name|one|thing|place|aid|day|half|class|leg|"
    r"floor|few|two|three|four|five|of|to)s?\b)[^\W\d_]+",
    re.I,
)
_WHICH_LAST = re.compile(
    r"\bwhich (?:[^\W\d_]+ ){1,2}(?:was|is) (?:the|our|my|his|her|their) "
    r"(?P<which>last|latest|newest|most recent|first|earliest) one\b",
    re.I,
)
_SURE = 0.5
"""The score of a link above which its words are a name: "First Aid 2024"."""
_SUPERLATIVES = frozenset(("last", "latest", "newest", "first", "earliest"))
_LATEST = ("last", "latest", "newest", "most recent")


def of_last_one(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that give all where the last or first by a day is asked for, and some give that one."""
    found = _LAST_ONE.search(sentence.text) or _WHICH_LAST.search(sentence.text)
    if not found:
        return drafts
    words, at = words_in(sentence.text), found.start("which")
    surely = (x for x in sentence.links if x.first >= 0 and x.score > _SURE)
    if any(words[x.first].start <= at < words[x.last].end for x in surely):
        return drafts
    descending = found["which"].lower() in _LATEST

    texts = {word.text for word in words}
    if any(says_relation(schema, texts & _SUPERLATIVES, r) for r in schema.relations):
        return drafts

    denied = bool(cues.DENIED.search(sentence.text))

    def holder(draft: Draft) -> End | None:
        """What has the day by which a draft orders, None where it orders by none."""
        if not draft.order or draft.order[1:] != (descending, None) or not draft.answers:
            return None
        by = draft.order[0]
        days = (h for h, r, t in draft.rows if t == by and schema.value_kind(r) in ("date", "year"))
        return next(days, None)

    dated = {id(d): d for d in drafts if holder(d) is not None}
    near = {i for i, d in dated.items() if _is_by_name(d, holder(d))}
    best = near or set(dated)
    ones = [(frozenset(d.links), {r for _, r, _ in d.rows}, _answer(d)) for i, d in dated.items() if i in best]

    def fits(draft: Draft) -> bool:
        links, relations = frozenset(draft.links), {r for _, r, _ in draft.rows}
        if not any(links == of for of, *_ in ones):
            return True
        if draft.order:
            idle = any(links == of and _answer(draft) == told and more < relations for of, more, told in ones)
            return id(draft) in best and not idle
        if draft.minus:
            return denied
        if draft.values:
            return True
        if draft.form == "ask" or not draft.answers:
            return True
        gives_all = len(draft.answers) > 1 and any(links == of and relations < more for of, more, _ in ones)
        said = any(says_relation(schema, texts, r) for r in relations)
        return not gives_all and (len(draft.answers) > 1 or said)

    return [draft for draft in drafts if fits(draft)] or drafts


def _answer(draft: Draft) -> set[str]:
    """The relations of which an answer is an end."""
    return {r for h, r, t in draft.rows if 0 in (h, t)}


def _is_by_name(draft: Draft, end: End | None) -> bool:
    """Whether an end of a draft stands beside a named thing: of the last job on the bike it is the job."""
    ends = [(h, t) for h, r, t in draft.rows if r != TYPE and end in (h, t)]
    return any({isinstance(h, str), isinstance(t, str)} == {True, False} for h, t in ends)
