"""What is said twice of a thing is a condition twice: of two relations that are joined by "both ... and" a reading has
either both or is none, and boats "that sleep six" and "will take a dog" are not all that sleep six."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import IN_MONTH, Draft, Row, alternatives, denied_any
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import is_participle, is_past, word_set

_BOTH = re.compile(r"\bboth\s+(?P<one>[^?,]+?)\s+and\s+(?P<other>[^?,]+)", re.I)
_STEM = 4
_WHOLE = 0.99
_FEW = 4
"""Answers that are looked at, at most."""
_LIGHT = word_set("was were been had did done got made given taken based called held put set kept gone come came went")
_RELATIVE = frozenset(("that", "which", "who", "whom"))
_ENDS = re.compile(r"[.!?;:]")
_TWO_CLAUSES = re.compile(
    r"^\W*(?:which|what|how many)(?:\s+\w+){1,2}\s+(?:that|who|which)\s+(?:\w+\s+){1,6}?"
    r"(?:will|can|could|would|may|must|do|does|did|have|has|had|are|is|was|were)\s+\w+",
    re.I,
)
"""A noun with a clause of its own before what is asked of it: "which boats that sleep six will take a dog?"."""

_SAME_OF_TWO = re.compile(
    r"\band\b.+?\b(?:have|had|share|are|were|live|lives|work|works|got|born)\b.*\bthe\s+same\b"
    r"|\band\b.+?\bshared?\s+an?\b",
    re.I,
)
_OTHER_THAN = re.compile(r"\bthe\s+same\s+[\w-]+\s+as\b", re.I)


def of_both(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts with a relation of each half of "both ... and", where both halves say one and some draft has both."""
    found = _BOTH.search(sentence.text)
    if not found:
        return drafts
    one, other = (_said(schema, found[half]) for half in ("one", "other"))
    one, other = one - other, other - one
    who, persons = cues.WHO.search(sentence.text), Persons(schema)

    def is_whole(draft: Draft) -> bool:
        told = {r for h, r, t in draft.rows if 0 in (h, t)}
        whole = len(told) == len({r for _, r, _ in draft.rows}) and told & one and told & other
        few = schema.first(draft.answers)[:1]
        return bool(whole) and told <= one | other | {TYPE} and (not who or all(map(persons.holds, few)))

    whole = [d for d in drafts if is_whole(d)]
    return whole if any(d.answers for d in whole) else drafts


def of_either(_schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that hold one of the names which "or" joins and not the others, where some draft is of
    any of them: what Ada or Jun wrote is not what Jun wrote. Nor is what neither wrote what one did."""

    def spans(draft: Draft, nodes: Collection[str] = ()) -> frozenset[tuple[int, int]]:
        links = (sentence.links[i] for i in draft.links)
        return frozenset((x.first, x.last) for x in links if not nodes or x.node in nodes)

    joined = {(spans(d, nodes), spans(d)) for d in drafts for _, nodes in alternatives(d)}
    denied = {spans(d, nodes) for d in drafts if (nodes := denied_any(d))}

    def leaves_out(draft: Draft) -> bool:
        own = spans(draft)
        if denied and not denied_any(draft) and any(own & group for group in denied):
            return True
        return any(own < names and 0 < len(own & group) < len(group) for group, names in joined)

    return [d for d in drafts if not leaves_out(d)] or drafts


def of_joined_values(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts with the days or years that "or" joins, where there are some, and those that give one of a named
    thing: "was that in 2019 or 2021?"."""

    def is_whole(draft: Draft) -> bool:
        taken = sum(any(v in (h, t) for h, _, t in draft.minus) for v, op, _ in draft.filters if op == "in")
        return IN_MONTH in draft.extra or taken > 0

    def tells(draft: Draft) -> bool:
        labels = map(schema.label, schema.first(draft.answers)[:_FEW])
        return bool(draft.answers and draft.links) and all(
            any(v.holds(label) for v in sentence.joined) for label in labels
        )

    whole = [d for d in drafts if is_whole(d) or tells(d)] if sentence.joined else drafts
    return whole or drafts


def of_same_end(sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts of a claim by which one relation leads from two named things to one end, where it says that the two
    have the same: Jack and Lily with the same mother are not each other's. All where there is none."""
    if not _SAME_OF_TWO.search(sentence.text) or _OTHER_THAN.search(sentence.text):
        return drafts

    def is_shared(draft: Draft) -> bool:
        named = {e for h, _, t in draft.rows for e in (h, t) if isinstance(e, str)}
        ends = Counter((r, t) for h, r, t in draft.rows if isinstance(t, int) and isinstance(h, str))
        return len(draft.rows) == 2 and len(named) == 2 and any(number == 2 for number in ends.values())

    return [d for d in drafts if is_shared(d)] or drafts


def of_all_clauses(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those of one pattern to which others only add what else is said: the relation of a verb, or
    something that tells a second clause where the noun that is asked for has one of its own."""
    verbs, two = _verbs(schema, sentence), bool(_TWO_CLAUSES.match(sentence.text))
    if not verbs and not two:
        return drafts
    having: dict[Row, list[Draft]] = {}
    for draft in drafts:
        if draft.answers and _is_plain(draft):
            for row in draft.rows:
                having.setdefault(row, []).append(draft)

    def told(draft: Draft) -> set[str]:
        return {word for word, relations in verbs.items() if any(r in relations for _, r, _ in draft.rows)}

    def conditions(draft: Draft) -> int:
        """How much a draft tells of its answers, by names and values."""
        return sum(0 in (h, t) and (isinstance(h, str) or isinstance(t, str)) and r != TYPE for h, r, t in draft.rows)

    def leaves_out(draft: Draft) -> bool:
        if not _is_plain(draft) or sum(r != TYPE for _, r, _ in draft.rows) != 1:
            return False
        wider = [d for d in having.get(draft.rows[0], ()) if d.form == draft.form and set(d.rows) > set(draft.rows)]
        wider = [d for d in wider if d.answers < draft.answers]  # what all have is no condition
        wider = [d for d in wider if set(d.links) >= set(draft.links) and set(d.values) >= set(draft.values)]
        verbs_left = any(told(d) > told(draft) for d in wider)
        return verbs_left or (two and conditions(draft) == 1 and any(conditions(d) > 1 for d in wider))

    return [d for d in drafts if not leaves_out(d)]


def of_described(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that pass by the things which have a clause of their own, "boats that Wendy has mended",
    where some say something of such things."""
    words = words_in(sentence.text)
    kinds = [
        k
        for k, (_, at) in sentence.classes.items()
        if at + 2 < len(words)
        and words[at + 1].text in _RELATIVE
        and not _ENDS.search(sentence.text[words[at].end : words[at + 1].start])
    ]
    if len(kinds) != 1 or not any(link.score > _WHOLE for link in sentence.links):
        return drafts
    members = schema.set_of(kinds[0])

    @cache
    def meets(step: Step) -> bool:
        return not members.isdisjoint(schema.starts(step)) or not members.isdisjoint(schema.starts(step.back))

    met = [d for d in drafts if kinds[0] in d.classes or any(map(meets, d.steps))]
    return met if any(d.answers for d in met) else drafts


def _is_plain(draft: Draft) -> bool:
    return draft.form != "ask" and not (draft.minus or draft.order or draft.filters)


def said_verbs(sentence: Sentence) -> list[str]:
    """The verbs of a sentence in the past tense or as participles, but for those that say little: "hired"."""
    words = words_in(sentence.text)
    named = {i for x in sentence.links if x.score > _WHOLE for i in range(x.first, x.last + 1)}
    verbs = [w.text for i, w in enumerate(words) if i not in named and (is_past(w.text) or is_participle(w.text))]
    return [verb for verb in verbs if verb not in _LIGHT]


def _verbs(schema: SchemaView, sentence: Sentence) -> dict[str, set[str]]:
    """The verbs that a sentence says of some relation's word, each with these relations: "hired", and the hirer."""
    found = {verb: _said(schema, verb) for verb in said_verbs(sentence)}
    return {verb: relations for verb, relations in found.items() if relations}


def _said(schema: SchemaView, text: str) -> set[str]:
    """The relations of which a word is said, in any form."""
    stems = {word[: max(_STEM, len(word) - 3)] for word in folded_words(text) if len(word) > _STEM}
    return {r for r in schema.relations if any(w.startswith(s) for w in folded_words(schema.words(r)) for s in stems)}


def of_same_kind(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts in which what two have in common is of the class behind "same", where some are; else all."""
    words = [w.text for w in words_in(sentence.text)]
    said = [kind for kind, (first, _) in sentence.classes.items() if first and words[first - 1] == "same"]
    if len(said) != 1:
        return drafts
    members = schema.set_of(said[0])
    shared = [_shared(draft) for draft in drafts]
    fits = [any(schema.starts(step.back) <= members for step in steps) for steps in shared]
    if not any(fits):
        return drafts
    return [draft for draft, steps, fit in zip(drafts, shared, fits, strict=True) if fit or not steps]


def _shared(draft: Draft) -> list[Step]:
    """The steps that lead to a variable at which two rows meet."""
    ends = [
        (e, Step(r, e == h and e != t)) for h, r, t in draft.rows if r != TYPE for e in (h, t) if isinstance(e, int)
    ]
    numbers = [e for e, _ in ends]
    return [step for e, step in ends if numbers.count(e) > 1]
