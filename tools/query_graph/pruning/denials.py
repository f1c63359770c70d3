"""What a sentence denies must be what a reading takes away: of "horses that are not in Mill Yard", not those in Mill
Yard that lack something else; of "boats that were never hired" not those of a booking without a hirer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import IN_MONTH, Draft, Row, denied_any
from triplewise.tools.query_graph.forbidding import is_aversion, may_have, must_not_have
from triplewise.tools.query_graph.linking.mentions import Link, folded_words, words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.pruning.asked_kind import asked_class
from triplewise.tools.query_graph.pruning.said_answers import says_no_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_NOT_SO = re.compile(
    r"(?:\b(?:not|never|except|without|other than|apart from|excluding)|n['’]t)"
    r"(?P<between>(?: (?!(?:only|who|whom|whose|what|which|where|when|how)\b)[\w'’-]+){0,3}?) $"
    r"|\b(?P<no>no|free (?:of|from)) $",
    re.I,
)
"""What stands before what is denied: "not in ", "not ridden by ", "isn't a ", "no "; "I never learnt who ran" asks."""
_OF_ONESELF = re.compile(r"(?:^|[.!?;]\s)\s*(?:i|we)\b[^.!?;]*$", re.I)
_ASKED_AFTER = re.compile(r"^[^.!?;]*[.!;]\s.*\b(?:which|what|who|whom|whose|where|when|how)\b", re.I | re.S)
"""What stands around a denial that is of who asks: "I can't stand Juno Cola. Whose shirts is it on?"."""
_OF_NOUN = re.compile(rf" (?!(?:{'|'.join(sorted(STOP_WORDS))})\b)\w", re.I)
"""What stands behind a noun that only tells of another: of "no flood risk" it is risk that is denied."""
_DOES = re.compile(r"\b(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could) $", re.I)
_DOES_NOT = re.compile(r" (?:not|never)\b", re.I)
"""What stands around who does not do what is asked for: "which events did Ann not work at?"."""
_NO_SUCH = re.compile(
    r"(?:\b(?P<no>no|without(?: an?| any)?)|(?:\b(?:not|never)|n['’]t)(?: (?!only\b)[\w'’-]+){1,3}?) $", re.I
)
"""What stands before a class of which nothing is: "no ", "hasn't made any "; but not "isn't a "."""
_OWN = re.compile(r"\b(?:their|his|her|its) $", re.I)
"""What stands before what somebody has: who "hasn't brought their skates back" has them."""
_NO = re.compile(r"\b(?:no|none|without|nobody|lack\w*|free (?:of|from))\b", re.I)
_RELATIVE = re.compile(r"\w\s+(?:that|who|which|whose|where|with)\b", re.I)
"""What says that something is denied of a row: "boats with a review that has no date"."""
_CLAUSE = re.compile(r"[^.,;:?!]*$")
_MORE = re.compile(r"[.,;:?!]\s*\w")
"""The beginning of a further clause."""
_ASKS = re.compile(r"\b(?:which|what|who|whom|how many|list|show|name|give|tell)\b", re.I)
"""What asks in a clause: "my legs aren't what they were, so which village is it?" denies nothing of a village."""
_NO_MORE = re.compile(
    r"(?:\b(?:not|no|never|neither|cannot)\b|n['’]t\b)(?:(?!\b(?:and|but|or|that|which|who)\b)[^,.;:?!])*?"
    r"\b(?:(?:more|less|fewer|(?!other\b|rather\b|under\b|over\b)\w+er)\b[^,.;:?!]*\bthan|as \w+ as|so \w+ as)\b",
    re.I,
)
"""A denied comparison: "isn't any bigger than", "doesn't cost more than", "not as old as"."""
_NEEDING = re.compile(
    r"\b(?:need(?:s|ed|ing)?|want(?:s|ed|ing)?|requir\w+|await\w*|wait(?:s|ing)?|looking|short|due|ow(?:e|es|ed|ing)|"
    r"outstanding|left|remain\w*|vacan\w*|open|free|available|empty|gaps?|wrong|forg[eo]t\w*|only|"
    r"just(?! now\b)|alone)\b",
    re.I,
)
"""What may say without a denial that something is not there: "which trips need a driver?"."""
_LENDING = frozenset(("loan", "loaned", "lent", "borrowed"))
"""Words of which one says as much as another of a thing: what is "out on loan" is lent."""
_ABSENT = re.compile(
    r"(?:\b(?:not|never)|n['’]t|\b(?:was|were|did|is|are|could)nt)\b(?: \w+){0,2}? "
    r"(?:there|com(?:e|ing)|attend\w*|(?:show|turn)\w* up|mak(?:e|ing) it|present|at)\b",
    re.I,
)
_MISSING = re.compile(r"^(?:was |is |were )?(?:missed|absent|away|excused)(?: by| from)?$|^misses$", re.I)
_DIRECTLY = "no"
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""


def of_denied_comparison(_schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts of a claim that denies a comparison of two things, without those that compare them all the same; all
    where none denies it."""
    if not _NO_MORE.search(sentence.plain):
        return drafts

    def compares(draft: Draft) -> bool:
        return any(isinstance(right, int) for _, op, right in draft.filters if op != "!=")

    if not any(draft.denied and compares(draft) for draft in drafts):
        return drafts
    return [draft for draft in drafts if draft.denied or not compares(draft)]


def taking_away(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that take away what the sentence denies, by name or by class; all where it denies nothing, or none
    does."""
    away = _without_names(schema, sentence, drafts)
    kinds = _denied_classes(schema, sentence)
    return [d for d in away if any(_holds_class(schema, d.minus, kind) for kind in kinds)] or away


def of_affirmed(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that take away what has a relation which the sentence says and does not deny, where
    others find what has it: "which kit is lent out?" is not answered by what is lent to nobody."""
    if cues.NOT.search(sentence.plain) or _NEEDING.search(sentence.plain):
        return drafts
    words = folded_words(sentence.plain)
    words += _LENDING if not _LENDING.isdisjoint(words) else ()
    had = {r for d in drafts if not d.minus for _, r, _ in d.rows if r != TYPE}
    said = {r for r in had if says_relation(schema, words, r)}

    def takes_said(draft: Draft) -> bool:
        return draft.minus_of == 0 and any(r in said for _, r, _ in draft.minus)

    return [d for d in drafts if not takes_said(d)] or drafts


def of_what_is_avoided(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that take nothing away, of a question for who "can't have" something, or is allergic to it, where they
    tell who avoids it; and of one for who can have what some avoid those that take these away."""
    cannot = must_not_have(sentence.plain) or (is_aversion(sentence.plain) and not cues.NOT.search(sentence.plain))
    can = may_have(sentence.plain, map(schema.words, schema.relations)) and _is_avoided(schema, sentence)
    if not (cannot or can):
        return drafts

    def avoids(rows: Sequence[Row]) -> bool:
        return any(is_aversion(schema.words(r)) for _, r, _ in rows if r != TYPE)

    if can:
        return [d for d in drafts if avoids(d.minus)] or [d for d in drafts if not avoids(d.rows)] or drafts
    asked, left = asked_class(schema, sentence), [d for d in drafts if not d.minus]

    def is_asked(draft: Draft) -> bool:
        return not asked or not draft.answers.isdisjoint(schema.members(asked))

    return left if any(avoids(d.rows) and is_asked(d) for d in left) else drafts


def _is_avoided(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether a sentence names something that anybody avoids."""
    said = {x.node for x in sentence.links}.union(node for _, node in sentence.value_nodes)
    avoided = (r for r in schema.relations if is_aversion(schema.words(r)))
    return any(not said.isdisjoint(schema.starts(Step(r, inverse=True))) for r in avoided)


def of_the_absent(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that tell who missed something, of a question for who "wasn't there": they take nobody away. All where
    none tells it."""
    if not _ABSENT.search(sentence.plain):
        return drafts

    def misses(rows: Sequence[Row]) -> bool:
        return any(_MISSING.search(schema.words(r)) for _, r, _ in rows if r != TYPE)

    missing = [d for d in drafts if misses(d.rows) and not d.minus]
    return missing if any(d.answers for d in missing) else drafts


def _without_names(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that take away what the sentence denies by name, or that say no of what it denies of that name: who
    did "not pass Winter Riding" has a no there."""
    found = [(link, said) for link in sentence.links if (said := _denial(sentence, link)) is not None]
    denied = {link.node for link, _ in found}

    def holds(rows: Sequence[Row]) -> bool:
        return any(end in denied for head, _, tail in rows for end in (head, tail))

    for _, between in found:
        if any(holds(d.rows) and says_no_of(schema, d, between) for d in drafts):
            return drafts
    away = [d for d in drafts if (holds(d.minus) or denied.intersection(denied_any(d))) and not holds(d.rows)]
    if not asked_class(schema, sentence) and all(between == _DIRECTLY for _, between in found):
        return away or drafts  # "those who know no Slovene" are of a class that a relation tells
    spoken = [d for d in away if d.filters or IN_MONTH in d.extra or d.order or all(_tells(row) for row in d.rows)]
    return spoken or away or drafts


def _denial(sentence: Sentence, link: Link) -> str | None:
    """The words between "not" and a name, which stands there in its own words, by another ("Swiss" for Switzerland), or
    in short with its capital ("Yuki"); "no" where it is denied by itself, and None where it is not denied."""
    words, text, in_short = words_in(sentence.text), sentence.plain, False
    if at := re.search(rf"\b{re.escape(link.name)}", text, re.I):
        start, end = at.span()
    elif link.first >= 0 and (link.score > _WHOLE or text[words[link.first].start].isupper()):
        start, end, in_short = words[link.first].start, words[link.last].end, link.score <= _WHOLE
    else:
        return None
    if before := _NOT_SO.search(text[:start]):
        of_oneself = _OF_ONESELF.search(text[: before.start()]) and _ASKED_AFTER.search(text[end:])
        if of_oneself or (in_short and not _in_question(text, before.start())):
            return None
        if before["no"]:
            return None if _OF_NOUN.match(text[end:]) else _DIRECTLY
        return before["between"]
    around = _DOES.search(text[:start]) and _DOES_NOT.match(text[end:])
    return _DIRECTLY if around or _is_free_of(sentence, link) else None


def _is_free_of(sentence: Sentence, link: Link) -> bool:
    """Whether a name is denied by what is written to it: "egg-free", and no "Meat-Free Menu" that is a name. Of "the
    egg-free one, its price?" another clause asks."""
    free, words = link.last + 1, words_in(sentence.text)
    if link.first < 0 or not (found := cues.FREE_OF.match(sentence.plain, words[link.last].end)):
        return False
    if _MORE.search(sentence.plain, found.end()):
        return False
    return not any(x.score > _WHOLE and x.first <= free <= x.last for x in sentence.links)


def _denied_classes(schema: SchemaView, sentence: Sentence) -> list[str]:
    """The classes of which there is nothing, by the sentence, for what it asks for."""
    words, text, asked = words_in(sentence.text), sentence.plain, asked_class(schema, sentence)

    def is_denied(first: int, last: int) -> bool:
        before = _NO_SUCH.search(text[: words[first].start])
        if (
            not before
            or _OWN.search(text[: words[first].start])
            or _RELATIVE.search(text[: before.start()])
            or not _in_question(text, before.start())
        ):
            return False
        return not (before["no"] and _OF_NOUN.match(text[words[last].end :]))

    return [kind for kind, span in sentence.classes.items() if kind != asked and is_denied(*span)]


def _holds_class(schema: SchemaView, rows: Sequence[Row], kind: str) -> bool:
    """Whether some patterns speak of a thing of a class, by the class, by a relation that leads to no others, or by a
    row that has one: what "never went to a lab" has no booking at any."""
    members = schema.set_of(kind)
    ends = {(e, Step(r, inverse=e == t)) for h, r, t in rows if r != TYPE for e in (h, t) if isinstance(e, int) and e}
    found = [schema.starts(step) for _, step in ends]
    return any(tail == kind for _, _, tail in rows) or any(n <= members or _has_one(schema, n, members) for n in found)


def _has_one(schema: SchemaView, rows: frozenset[str], members: frozenset[str]) -> bool:
    """Whether each of some rows has a thing of a class in one column."""
    steps = (step for row in schema.first(rows)[:1] for step in schema.steps(row) if not step.inverse)
    return any(schema.functional(s) and rows <= schema.starts(s) and schema.starts(s.back) <= members for s in steps)


def of_no_row(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that find things by a row which lacks something, where a question denies its verb of
    the things themselves and some drafts take away those of which a sheet has any row."""
    asked = denied_of(schema, sentence)
    if not asked:
        return drafts
    sheets = dict(found for d in drafts if (found := _sheet_without(d)) and found[0] != asked)

    def lacks(draft: Draft) -> bool:
        if not draft.minus:
            return False
        by_row = {r for h, r, t in draft.rows if draft.minus_of and (h, t) == (draft.minus_of, 0)}
        few = schema.first(draft.answers)[:1]
        kinds = {kind for n in few for kind in schema.store.types(n)}  # a starter is a dish, and no row about dishes
        are_rows = draft.minus_of == 0 and asked not in kinds and not kinds.isdisjoint(sheets)
        return are_rows or not by_row.isdisjoint(sheets.values())

    return [d for d in drafts if not lacks(d)]


def denied_of(schema: SchemaView, sentence: Sentence) -> str:
    """The class of the things of which a question denies its verb; "" where it denies none, or one of other things."""
    text = sentence.plain
    denied = cues.NEGATED.search(text) or _NO.search(text)
    if denied and _RELATIVE.search(text[: denied.start()]):
        return ""
    return asked_class(schema, sentence) if denied or any(_is_free_of(sentence, x) for x in sentence.links) else ""


def is_denied_in_question(sentence: Sentence) -> bool:
    """Whether a denial stands in the clause that asks, behind what asks."""
    found = (
        *cues.NEGATED.finditer(sentence.plain),
        *_NO.finditer(sentence.plain),
        *cues.FREE_OF.finditer(sentence.plain),
    )
    return any(_in_question(sentence.plain, match.start()) for match in found)


def _in_question(text: str, at: int) -> bool:
    """Whether a place in a sentence is behind what asks in the same clause."""
    clause = _CLAUSE.search(text[:at])
    return clause is not None and bool(_ASKS.search(clause.group()))


def _sheet_without(draft: Draft) -> tuple[str, str] | None:
    """The class of rows of which a draft's things have none, and the relation by which others have them."""
    if draft.minus_of != 0 or len(draft.minus) != 2:
        return None
    kinds = {h: t for h, r, t in draft.minus if r == TYPE and isinstance(t, str)}
    return next(((kinds[h], r) for h, r, t in draft.minus if h in kinds and t == 0), None)


def _tells(row: Row) -> bool:
    """Whether a pattern narrows its variable: "has any sire" hardly does."""
    return isinstance(row[0], str) or isinstance(row[2], str)
