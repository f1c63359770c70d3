"""Claims of all of a kind: "All boats are insured" is read as "which boats are insured?" is, and says that no boat is
otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from triplewise.kg.names import literal_parts
from triplewise.kg.query.graph import TYPE, Filter, Variable
from triplewise.kg.query.search import filter_holds
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import IN_MONTH, Condition, Draft, End, Row, at_least_one
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.query_graph.turned_claims.noun_ends import end_of_valued_group, noun_of

_NO_TIME = (
    r"(?!(?:day|morning|evening|night|week|month|year|time|hour|minute|spring|summer|autumn|winter|other|over|along|"
    r"right|way|same|more|best|rest|while|world|at|in|on|from|by|to|and|or|of|for|with|but|one|two|three|four|five)s?\b)"
)
_BEING = r"(?:is|are|was|were|has|have|had|does|do|did)"
_ALL = re.compile(
    rf"^\W*(?:(?:so|and|but)\s+)*(?:{_BEING}\s+)?(?P<denied>not\s+)?(?:all|every|each)\b(?!\s+(?:other|but)\b)"
    r"(?:\s+of\b)?(?:\s+(?:the|our|these|those)\b)?\s+(?P<rest>.+)$",
    re.I,
)
_BOTH = re.compile(
    rf"^(?P<before>\W*(?:(?:so|and|but)\s+)*(?:{_BEING}\s+)?)both\b(?:\s+(?P<of>of)\b)?(?=\s+(?P<rest>.+)$)", re.I
)
_AND = re.compile(r"\band\b", re.I)
_EVERYTHING = re.compile(
    rf"^\W*(?:(?:so|and|but)\s+)*(?:{_BEING}\s+)?(?P<denied>not\s+)?every(?:(?P<who>one|body)|thing)\s+(?!but\b|else\b)"
    r"(?P<rest>.+)$",
    re.I,
)
_OWN = re.compile(r"(?P<owner>[^\W\d_][\w .-]*?)['’]s?\s+(?P<noun>[^\W\d_]+s)\s+(?P<said>.+)$", re.I)
""" "All of Ann's boats are insured": those of Ann."""
_OF_OBJECTS = re.compile(
    r"^\W*(?P<before>\S+\s.*?\S)\s+(?:all|every|each)\s+(?:of\s+)?(?:(?:the|our|my|your|his|her|its|their|these|those)\s+)?+"
    rf"{_NO_TIME}(?P<noun>.+)$",
    re.I,
)
"""All behind the verb: "Ann wrote all our plays"."""
_WHOLE, _PLURAL, _SURE = 0.99, 0.94, 3.0
"""The scores, as it is and in the plural, and the bits of a link from which on a thing is surely named."""
_OTHERWISE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class AllClaim(NamedTuple):
    """What is said of all things of a kind, or denied, as the question which of them it is so of.

    ``border``: where the words for the kind end in the question; 0 where the question must tell. ``both``: that there
    are two of them is said as well. ``owner``: where the name of whose they are begins in the question; 0 for any.
    """

    question: str
    denied: bool
    border: int = 0
    both: bool = False
    owner: int = 0


def all_claim(text: str) -> AllClaim | None:
    """The parts of a claim of all of a kind; None for any other, and where "all … are not" may deny either."""
    text = text.strip().rstrip(".")
    if (both := _BOTH.match(text)) and (both["of"] or not _AND.search(both["rest"])):  # not "both Ann and Ben sing"
        claim = all_claim(f"{both['before']}all{text[both.end() :]}")
        return claim and claim._replace(both=True)
    every = _EVERYTHING.match(text)
    match = every or _ALL.match(text)
    if not match and (objects := _OF_OBJECTS.match(text)) and not cues.DENIED.search(text):
        kind = f"Which {objects['noun']}"
        return AllClaim(f"{kind} {objects['before']}", False, len(kind))
    if not match or cues.DENIED.search(match["rest"]):
        return None
    asked = "Which" if not every else "Who" if every["who"] else "What"
    if not every and (own := _OWN.match(match["rest"])):
        kind = f"Which {own['noun']} of {own['owner']}"
        return AllClaim(f"{kind} {own['said']}", bool(match["denied"]), len(kind), owner=len(kind) - len(own["owner"]))
    return AllClaim(f"{asked} {match['rest']}", bool(match["denied"]))


class _Part(NamedTuple):
    """Patterns that are tied to each other without the answer, their filters, and where the sentence says them."""

    rows: tuple[Row, ...]
    filters: tuple[Condition, ...]
    places: tuple[int, ...]


def is_of_owner(claim: AllClaim, draft: Draft, sentence: Sentence) -> bool:
    """Whether a reading of the question holds whose things they are, where the claim says so."""
    words = words_in(sentence.text)
    starts = [words[sentence.links[i].first].start for i in draft.links if sentence.links[i].first >= 0]
    return not claim.owner or any(claim.owner <= start < claim.border for start in starts)


def may_be_of_all(schema: SchemaView, draft: Draft, sentence: Sentence) -> bool:
    """Whether a question's reading gives things of the question's kind, as what is said of all of them must."""
    kind, _ = noun_of(schema, sentence, draft)
    plain = draft.form == "select" and not draft.order and not draft.minus
    if any(isinstance(t, int) and schema.value_kind(r) == "yes-no" for _, r, t in draft.rows):
        return False  # nobody says of all that each is either insured or not
    if _passes_over(sentence, draft):
        return False
    return plain and (not kind or not draft.answers or bool(draft.answers & set(schema.members(kind))))


def _passes_over(sentence: Sentence, draft: Draft) -> bool:
    """Whether a draft leaves out a thing that the sentence surely names, in the plural where it is its noun."""
    used = [sentence.links[i] for i in draft.links]
    spans = [Link(kind, "", first, last, 1.0, 0.0) for kind, (first, last) in sentence.classes.items()]
    sure = [x for x in sentence.links if x.score > (_PLURAL if x.first == 1 else _WHOLE) and x.weight >= _SURE]
    return any(not any(x.overlaps(y) for y in (*used, *spans)) for x in sure)


def no_exception(schema: SchemaView, draft: Draft, sentence: Sentence, border: int = 0) -> Draft | None:
    """The claim that no thing of a question's kind is other than a draft says; None where a draft cannot be so turned.

    What stands within the noun ("all taps on Harrow Lane were …") narrows the kind; what follows is said of it. A thing
    is an exception where it has the relation with another value; what lacks it altogether is left to the verdict.
    ``border``: where the noun with what narrows it ends, where that is known.
    """
    kind, end = noun_of(schema, sentence, draft)
    by_value = 0 if kind else end_of_valued_group(sentence, draft)
    border = border or end or by_value
    unused = set(range(len(sentence.values))) - set(draft.values)
    if unused or not (by_value or schema.members(kind)) or not may_be_of_all(schema, draft, sentence):
        return None
    parts = _telling(_parts(draft, sentence, kind))
    within = [p for p in parts if p.places and max(p.places) < border]
    said = [p for p in parts if p not in within]
    if len(said) != 1 or any(place < border for place in said[0].places):
        return None
    if {r for part in within for _, r, _ in part.rows} & {r for _, r, _ in said[0].rows}:
        return None  # the same is hardly said twice
    own: tuple[Row, ...] = ((0, TYPE, kind),) if kind else ()
    domain = (*own, *(row for part in within for row in part.rows))
    narrowed = tuple(c for part in within for c in part.filters)
    otherwise = _otherwise(schema, said[0], draft.next_variable)
    if otherwise is None:
        return None
    rows, filters, minus = otherwise
    rows = (*domain, *rows)
    variables = {end for h, _, t in rows for end in (h, t) if isinstance(end, int)}
    of_parts = {c for part in parts for c in part.filters}
    unsaid = [c for c in draft.unsaid if c not in of_parts]
    return draft.but(
        rows=rows, filters=(*filters, *narrowed), minus=minus, minus_of=0, form="ask", denied=True, answers=frozenset(),
        unsaid=tuple(c for c in unsaid if c not in draft.filters and c[0] in variables and c[0] != 0),
    )  # fmt: skip


def _parts(draft: Draft, sentence: Sentence, kind: str) -> list[_Part]:
    """What a draft says of its answer, part by part."""
    words = words_in(sentence.text)
    rows = [row for row in draft.rows if row != (0, TYPE, kind)]
    groups: list[tuple[list[Row], set[End]]] = []
    for row in rows:
        ends = {end for end in (row[0], row[2]) if end != 0 and not (row[1] == TYPE and isinstance(end, str))}
        met = [g for g in groups if g[1] & ends]
        groups = [g for g in groups if g not in met]
        groups.append(([r for g in met for r in g[0]] + [row], ends.union(*(g[1] for g in met))))
    links: list[Link] = [sentence.links[i] for i in draft.links]
    found: list[_Part] = []
    for group, ends in groups:
        in_month = IN_MONTH in draft.extra
        counts = (c for c in draft.unsaid if c == at_least_one(c[0]) or (in_month and c[1] == "in"))
        filters = tuple(c for c in (*draft.filters, *counts) if c[0] in ends)
        places = [words[x.first].start for x in links if x.node in ends and x.first >= 0]
        if filters or (not places and any(isinstance(end, str) for end in ends)):
            named = (end for end in ends if isinstance(end, str))
            told = {c[2] for c in filters} | {parts.value if (parts := literal_parts(end)) else end for end in named}
            values = [sentence.values[i] for i in draft.values]
            places += [v.start for v in values if filters or not told.isdisjoint(v.texts)]
            if in_month and filters:
                places += [m.start for m in (*sentence.months, *(v.mentions[0] for v in sentence.joined))]
        found.append(_Part(tuple(group), filters, tuple(places)))
    return found


def _telling(parts: list[_Part]) -> list[_Part]:
    """The parts without those that say no more than that there is such a relation, where another says to what."""

    def bare(part: _Part) -> bool:
        """A kind of what there is tells no more: that a jug has a glaze, beside its being glazed in Honey."""
        ends = (end for h, r, t in part.rows if r != TYPE for end in (h, t))
        return not part.filters and all(isinstance(end, int) for end in ends)

    telling = {r for part in parts if not bare(part) for _, r, _ in part.rows}
    return [p for p in parts if not (bare(p) and telling.issuperset(r for _, r, _ in p.rows if r != TYPE))]


def _otherwise(
    schema: SchemaView, part: _Part, fresh: int
) -> tuple[tuple[Row, ...], tuple[Condition, ...], tuple[Row, ...]] | None:
    """Patterns, filters and what is taken away, such that the answer has the relations of a part but is otherwise."""
    if part.filters:
        condition = _otherwise_valued(schema, part)
        return condition and (part.rows, (condition,), ())
    named = {end for h, r, t in part.rows for end in (h, t) if isinstance(end, str) and not (r == TYPE and h != 0)}
    if len(named) > 1:
        return None
    inner = sorted({end for h, _, t in part.rows for end in (h, t) if isinstance(end, int) and end != 0})
    moved: dict[End, int] = {end: fresh + 1 + n for n, end in enumerate(inner)}
    minus = tuple((_moved(h, moved), r, _moved(t, moved)) for h, r, t in part.rows)
    if not named:
        return (), (), minus  # "all plots have a tap": only what lacks one could be an exception
    freed: dict[End, int] = dict.fromkeys(named, fresh)
    return tuple((_moved(h, freed), r, _moved(t, freed)) for h, r, t in part.rows), (), minus


def _moved(end: End, to: dict[End, int]) -> End:
    return to.get(end, end)


def _otherwise_valued(schema: SchemaView, part: _Part) -> Condition | None:
    """What a value is like that is not as a part's filters say; None where a thing may have several such values."""
    variable = part.filters[0][0]
    if len(part.filters) == 1 and part.filters[0][1] == "in" and _single_valued(schema, part.rows, variable):
        return variable, "not in", part.filters[0][2]
    conditions = [(op, right) for v, op, right in part.filters if v == variable and isinstance(right, str)]
    if len(conditions) != len(part.filters) or not _single_valued(schema, part.rows, variable):
        return None
    (op, right), *more = conditions
    if not more and op in _OTHERWISE:
        return variable, _OTHERWISE[op], right
    relation = next(r for h, r, t in part.rows if variable in (h, t))
    filters = [Filter(Variable("x"), op, right) for op, right in conditions]
    ends = {t.tail for t in schema.store.triples(relation=relation)}
    return variable, "not in", tuple(sorted(e for e in ends if all(filter_holds(schema.store, f, e) for f in filters)))


def _single_valued(schema: SchemaView, rows: Sequence[Row], end: End) -> bool:
    """Whether patterns lead from the answer to an end, by relations of which a thing has one."""
    at: End = 0
    left = list(rows)
    while at != end:
        row = next((r for r in left if at in (r[0], r[2])), None)
        if row is None or not schema.functional(Step(row[1], inverse=row[2] == at)):
            return False
        left.remove(row)
        at = row[0] if row[2] == at else row[2]
    return not left
