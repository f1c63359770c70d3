"""Yes or no of a relation that a question names: orders that are "not paid", "unpaid" or "still to be paid" are those
of which the graph says no, and none that lack anything else. So are inns that "ban dogs" of whether dogs are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, said
from triplewise.tools.query_graph.candidates.of_claims.polarity import Polarity
from triplewise.tools.query_graph.linking.mentions import Word, folded_words, is_form_of, words_in
from triplewise.tools.query_graph.opposites import opposed
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.roles.doers import family_of

_NOT_YET = re.compile(
    r"(?:\b(?:not|never|no longer)(?: (?:yet|been|be|being|fully|even|actually))*|n['’]t(?: (?:yet|been|be))*|"
    r"\b(?:arent|isnt|wasnt|werent|hasnt|havent|aint)(?: (?:yet|been|be))*|"
    r"\b(?:still|yet|ha(?:ve|s|d)|needs?|left|remains?|due|waiting|awaiting)(?: to(?: be)?| being)|"
    r"\bno|(?:\b(?:without|lack(?:s|ed|ing)?|ha(?:s|ve|d)n['’]?t(?: got)?)|(?:\bnot|n['’]?t) (?:have|has|had|got))"
    r"(?: (?:an?|any|its|their))?) (?:un)?$",
    re.I,
)
"""What stands before what is not so, or not so yet: "not been ", "still to be ", "have to be "; or before what a thing
lacks: "no ", "without a ", "haven't got any "."""
_ELSE = re.compile(rf"{cues.NEGATED.pattern}|\b(?:without|lack(?:s|ed|ing)?|un[a-z]+ed|unpaid|no)\b", re.I)
"""What denies something: of two one takes away something else."""
_UNDONE = re.compile(
    r"(?:\b(?:not|never)\b|n['’]t\b|\b(?:have|has|is|are|was)nt\b)[^,.;?]*\byet\b"
    r"|\bstill (?:(?:got|have|has|needs?|left|waiting) ){0,2}(?:to\b(?! (?:the|a|an)\b)|need\w* \w+ing\b)"
    r"|\b(?:yet|left) to\b(?! (?:the|a|an)\b)|\bneeds? (?:pay|return|collect|check|repair|finish|sign|clean|test)ing\b",
    re.I,
)
_DENYING = re.compile(r"\bno\b|\bnon\b|\bfail\w*", re.I)
_MUCH = 6.0
"""How many times likelier a reading that says no must be than the same with yes where nothing is denied."""
_NEEDS = re.compile(r"\b(?:needs?|requires?|required|due|to be|outstanding|pending|awaiting)\b", re.I)
"""A relation that tells itself what is still to do: what "needs repairing" has a yes there."""
_UN = ("un", "non", "in")
_LIGHT = frozenset(("is", "was", "has", "been"))


def of_said_no(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that say no of the yes-no relation that a question denies, and take nothing else away; all where it
    denies none."""
    denied = set(_denied(schema, sentence))
    if not denied:
        return drafts
    more = len(_ELSE.findall(sentence.plain)) > 1

    def says_no(draft: Draft) -> bool:
        told = [tail for _, relation, tail in draft.rows if relation in denied]
        return bool(told) and all(_is(schema, tail, "no") for tail in told) and (more or not draft.minus)

    return [d for d in drafts if says_no(d)] or drafts


def rather_yes(schema: SchemaView, sentence: Sentence, readings: Sequence[tuple[Draft, float]]) -> int:
    """The place of the reading that says yes where the likeliest says no and is else the same, though the question
    denies nothing: "good with kids" is said of those that are. Of 145 such questions of the training domains 132 mean
    yes, so that the other must be much likelier; 0 where it is, or where there is no such reading."""
    first, most = readings[0]
    no = [row for row in first.rows if schema.value_kind(row[1]) == "yes-no" and _is(schema, row[2], "no")]
    if len(no) != 1 or cues.NOT.search(sentence.plain) or _DENYING.search(sentence.plain):
        return 0
    if opposed(sentence.plain, " ".join(_label(schema, no[0][1]))):
        return 0

    def is_other(draft: Draft) -> bool:
        others = set(draft.rows).difference(first.rows)
        alike = len(draft.rows) == len(first.rows) and len(others) == 1 and said(draft, *others) == said(first, *no)
        return alike and all(r[:2] == no[0][:2] and _is(schema, r[2], "yes") for r in others)

    places = (i for i, (draft, share) in enumerate(readings) if is_other(draft) and most < _MUCH * share)
    return next(places, 0)


def says_opposite(schema: SchemaView, sentence: Sentence, drafts: Sequence[Draft]) -> bool:
    """Whether a question says the opposite of a yes-no relation, and a draft says no of it: "broken" is near to no
    relation, though what is not "working" is told."""
    told = {r for r in schema.relations if schema.value_kind(r) == "yes-no"}
    denied = {r for r in told if opposed(sentence.text, " ".join(_label(schema, r)))}
    return any(r in denied and _is(schema, t, "no") for draft in drafts if denied for _, r, t in draft.rows)


def of_undone(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that say yes where a question is for what was "not yet" done, is "still to" be, and the
    same with no is among them: props that we "still have to give back" are not returned."""
    if not _UNDONE.search(sentence.plain):
        return drafts

    needed = {r for r in schema.relations if _NEEDS.search(schema.words(r))}

    def turned(draft: Draft) -> object:
        rows = [(h, r, "" if schema.value_kind(r) == "yes-no" and isinstance(t, str) else t) for h, r, t in draft.rows]
        return frozenset(rows), draft.form, draft.filters, draft.minus, draft.order

    def says(draft: Draft, answer: str) -> bool:
        told = [(r, t) for _, r, t in draft.rows if schema.value_kind(r) == "yes-no" and isinstance(t, str)]
        return bool(told) and all(_is(schema, t, answer) and r not in needed for r, t in told)

    undone = {turned(d) for d in drafts if says(d, "no")}
    return [d for d in drafts if not (says(d, "yes") and turned(d) in undone)]


def says_no_of(schema: SchemaView, draft: Draft, words: str) -> bool:
    """Whether a draft says no of the yes-no relation that one of some denied words calls."""
    told = [(r, tail) for _, r, tail in draft.rows if schema.value_kind(r) == "yes-no"]
    said = [word.text for word in words_in(words)]
    return any(
        _is(schema, tail, "no") and any(_calls(n, w) for n in _label(schema, r) for w in said) for r, tail in told
    )


def of_said_yes(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that ask of the yes-no relation whose one word a question says, or say what it says of it: who "passed
    first aid" is told by the rows that say so, and who "failed" by those that say no. All where the question denies
    anything, or none of them holds the relation."""
    if cues.NEGATED.search(sentence.plain) or any(_denied(schema, sentence)):
        return drafts
    told = dict(_said(schema, sentence))

    def says(draft: Draft) -> bool:
        rows = [(h, r, t) for h, r, t in draft.rows if r in told]
        values = [t for _, _, t in rows if isinstance(t, str)]  # nobody says one word of what is and of what is not
        of_things = any(isinstance(t, int) or isinstance(h, int) for h, _, t in rows)
        return of_things and all(_is(schema, t, told[r]) for _, r, t in rows if t in values)

    return [d for d in drafts if says(d)] or drafts if told else drafts


def of_forbidden(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that do not say yes of what a question forbids; all where it forbids nothing, or none is left."""
    polarity = Polarity(schema, sentence.plain)
    return [d for d in drafts if not polarity.is_turned(d)] or drafts if polarity.forbids else drafts


def _said(schema: SchemaView, sentence: Sentence) -> Iterator[tuple[str, str]]:
    """The yes-no relations of which a sentence says the one word they are called by, or its opposite, or all of several
    one after the other, with the answer that it says: "yes" or "no". No word that a thing, a class, a value or another
    relation is called by."""
    spans = [(x.first, x.last) for x in sentence.links if x.first >= 0] + list(sentence.classes.values())
    free = [
        w
        for i, w in enumerate(words_in(sentence.text))
        if not any(first <= i <= last for first, last in spans)
        and not any(v.start <= w.start < v.end for v in sentence.values)
    ]
    for relation in schema.relations:
        label = _label(schema, relation)
        if schema.value_kind(relation) != "yes-no" or not label:
            continue
        if len(label) > 1:
            if _starts_of(label, free):
                yield relation, "yes"
            elif opposed(" ".join(w.text for w in free), " ".join(label)):
                yield relation, "no"
            continue
        if len(label[0]) < len("yes"):
            continue
        if any(is_form_of(label[0], w.text) for w in free):
            answer = "yes"
        elif opposed(" ".join(w.text for w in free), label[0]):
            answer = "no"
        else:
            continue
        others = (w for r in schema.relations if r != relation for w in _label(schema, r))
        if answer == "no" or family_of(label[0]) not in map(family_of, others):  # an opposite says no "price paid"
            yield relation, answer


def _label(schema: SchemaView, relation: str) -> list[str]:
    """What a relation is called by, but for words that only say that it is so, and for the class of what it is said of:
    a "priority species" is a species that is one."""
    words = [w for w in folded_words(schema.words(relation)) if w not in _LIGHT]
    kinds = schema.kinds(schema.first(schema.heads(relation))[0]) if len(words) > 1 else ()
    of = {w for kind in kinds if kind in schema.classes for w in folded_words(schema.label(kind))}
    return [w for w in words if w not in of] or words


def _denied(schema: SchemaView, sentence: Sentence) -> Iterator[str]:
    """The yes-no relations that are called by the words that a sentence denies: "not under warranty"."""
    words = words_in(sentence.text)
    for relation in schema.relations:
        if schema.value_kind(relation) != "yes-no":
            continue
        label = _label(schema, relation)
        if len(label) == 1:
            denied = any(_is_denied(sentence.plain, label[0], word) for word in words)
        else:
            denied = _is_phrase_denied(sentence.plain, label, words) or _is_prefixed(label, words)
            denied = denied or _has_none(label, words)
        if denied:
            yield relation


def _is_phrase_denied(text: str, label: Sequence[str], words: Sequence[Word]) -> bool:
    """Whether the words of a relation stand one after the other, denied: "not under warranty"."""
    return any(_NOT_YET.search(text[: words[at].start]) for at in _starts_of(label, words))


def _has_none(label: Sequence[str], words: Sequence[Word]) -> bool:
    """Whether "no" stands within the words of a relation: "needs no labels"."""
    return any(
        words[at + 1].text == "no"
        and words[at].text.rstrip("s") == label[0].rstrip("s")
        and at + 2 in _starts_of(label[1:], words)
        for at in range(len(words) - len(label))
    )


def _is_prefixed(label: Sequence[str], words: Sequence[Word]) -> bool:
    """Whether the last word of a relation is denied by how it begins, beside the others: "unpaid subs"."""
    said = {word.text for word in words}
    return not said.isdisjoint(f"{un}{label[-1]}" for un in _UN) and said.issuperset(label[:-1]) if label else False


def _starts_of(label: Sequence[str], words: Sequence[Word]) -> list[int]:
    """Where the words of a relation stand one after the other."""
    starts = range(len(words) - len(label) + 1) if label else ()
    return [at for at in starts if all(_calls(n, w.text) for n, w in zip(label, words[at:], strict=False))]


def _is_denied(text: str, name: str, word: Word) -> bool:
    bare = next((word.text.removeprefix(p) for p in _UN if word.text.startswith(p) and not name.startswith(p)), "")
    return bare == name or (_calls(name, word.text) and bool(_NOT_YET.search(text[: word.start])))


def _calls(name: str, word: str) -> bool:
    """Whether a word calls a yes-no relation: who did not "pass" has not "passed"."""
    return is_form_of(name, word) or name in (f"{word}ed", f"{word}d")


def _is(schema: SchemaView, tail: int | str, answer: str) -> bool:
    return isinstance(tail, str) and parse_value(schema.label(tail)).key == parse_value(answer).key
