"""Which end of a relation each thing of a sentence is, by its grammar: of "Ann is mentored by Bo" no reading is kept by
which Ann is Bo's mentor. Between things of one class the kinds of the ends tell nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row, alternatives
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.linking.said_names import span_of
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.roles.converses import TEACHING, Role, are_of_one_kind
from triplewise.tools.text.roles.doers import (
    GENITIVE,
    LIGHT,
    Between,
    does_first,
    ends_by_words,
    ends_of,
    family_of,
    is_of_doer,
    roles_said,
    says_label,
)
from triplewise.tools.text.verb_forms import is_adjective, is_participle, is_third_person

Span = tuple[int, int]
_GENITIVE = re.compile(r"['’](?:s\b|(?=\s))", re.I)
_ASKING = frozenset(("who", "whom"))
_WHICH = frozenset(("which", "what"))
_ANYTHING = frozenset(
    ["anything", "nothing", "something", "everything", "anyone", "nobody", "anybody", "somebody", "someone"]
)
"""Words for a thing of which a claim tells no name."""
_DOING = frozenset(("did", "does", "do", "has", "have", "had"))
_BEFORE_NAMES = frozenset(("the", "a", "an", "our", "my", "your", "mr", "mrs", "ms", "dr"))
_TAKING_PART = frozenset(("for", "on", "in", "to", "into", "at", "with"))


def of_said_ends(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that take the ends of a relation the wrong way round, or that go a longer way over it,
    where some have the very triple that is said."""
    ends = _Ends(schema, sentence)
    told = [ends.as_said(draft) for draft in drafts]
    if True not in told:  # then a claim is left to readings by other relations
        return [d for d, right in zip(drafts, told, strict=True) if right is not False or d.form != "ask"] or drafts
    kept = [(draft, right) for draft, right in zip(drafts, told, strict=True) if right is not False]
    tied = {frozenset(d.links) for d, right in kept if right and _is_tie(d)}
    return [d for d, right in kept if right or not _is_tie(d) or frozenset(d.links) not in tied]


def _is_tie(draft: Draft) -> bool:
    """Whether a claim says one triple of two named things: by the relation that is said where there is such a one, and
    by no other."""
    return draft.form == "ask" and len(draft.rows) == 1 and len(draft.links) == 2 and not draft.minus


def of_said_phrases(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that hold the triple of which a question says the relation's own words and then its tail: "booked by
    Ann", "did Ann book", "booked by Ann or Bo". All where none that answers holds it."""
    told = set(_phrases(schema, sentence))

    def holds(draft: Draft) -> bool:
        any_of = dict[End, tuple[str, ...]](alternatives(draft))
        rows = (*draft.rows, *draft.minus)
        return any((r, end) in told for _, r, t in rows for end in (any_of.get(t) or (t,)))

    kept = [d for d in drafts if holds(d)] if told else []
    return kept if any(d.answers for d in kept) else drafts


def _phrases(schema: SchemaView, sentence: Sentence) -> Iterator[tuple[str, str]]:
    """(relation, tail) of each pair that is said so."""
    words = words_in(sentence.text)
    texts = [w.text for w in words]
    for link in sentence.links:
        first, last = span_of(schema, link, words)
        while first > 0 and texts[first - 1] in _BEFORE_NAMES:
            first -= 1
        for relation in schema.relations if first > 0 else ():
            name = folded_words(schema.words(relation))
            if len(name) < 2 or link.node not in schema.starts(Step(relation, inverse=True)):
                continue
            if texts[max(0, first - len(name)) : first] == name or _is_doing(schema, sentence, (first, last), name):
                yield relation, link.node


def _is_doing(schema: SchemaView, sentence: Sentence, named: Span, name: list[str]) -> bool:
    """Whether what is named is asked for what it did by the verb of a passive relation, which no other relation has."""
    words, at = words_in(sentence.text), named[1] + 1
    if name[-1] != "by" or not is_participle(name[-2]) or at >= len(words):
        return False
    asked = not _DOING.isdisjoint(w.text for w in words[max(0, named[0] - 3) : max(0, named[0])])
    if not asked or sentence.text[words[named[1]].end : words[at].start].strip():
        return False
    stem = family_of(name[-2])
    others = [w for r in schema.relations for w in folded_words(schema.words(r)) if family_of(w) == stem]
    return family_of(words[at].text) == stem and len(others) == 1


def is_spoken_of(schema: SchemaView, sentence: Sentence, relation: str) -> bool:
    """Whether a claim may say a relation: not that of a doer of whom it says only to take part: who "runs" a class
    may be its tutor, who "signed up for" it hardly is."""
    if not is_unsaid_doer(schema, sentence, relation):
        return True
    words, before = words_in(sentence.text), {link.first - 1 for link in sentence.links if link.first > 1}
    return not any(words[i].text in _TAKING_PART and not _is_quality(words[i - 1].text) for i in before)


def is_unsaid_doer(schema: SchemaView, sentence: Sentence, relation: str) -> bool:
    """Whether a relation leads to who does something, of which a sentence has no word."""
    ends = ends_of(schema.words(relation))
    if ends is None or not is_of_doer(ends[1]):
        return False
    words = folded_words(sentence.text)
    return not (says_relation(schema, words, relation) or any(ends[0].family == family_of(word) for word in words))


def _is_quality(word: str) -> bool:
    """Whether a word says what somebody is rather than does: "responsible", not "booked"."""
    return is_adjective(word) and not is_participle(word)


class _Ends:
    """What a sentence says of the ends of relations."""

    def __init__(self, schema: SchemaView, sentence: Sentence) -> None:
        self.schema, self.s = schema, sentence
        self.words = words_in(sentence.text)
        self.nouns = {label[-1] for kind in schema.classes if (label := words_of_class(schema, kind))}
        self.asked = self._asked()
        self.roles = lru_cache(maxsize=None)(self._roles)
        self.ends = lru_cache(maxsize=None)(self._ends_of)

    def as_said(self, draft: Draft) -> bool | None:
        """Whether a draft has the triple that the sentence says, its ends the right way round; None where the sentence
        says none of the draft's relations."""
        if not any(self.ends(r) for _, r, _ in draft.rows):
            return None
        found = [right for row in draft.rows for right in self._row(draft, row)]
        if found:
            return all(found)
        said = {
            role.family for a, b in combinations(self._spans(draft), 2) for role in self.roles(min(a, b), max(a, b))
        }
        detour = said and any(ends and ends[0].family in said for ends in (self.ends(r) for _, r, _ in draft.rows))
        return False if detour else None

    def _ends_of(self, relation: str) -> tuple[Role, Role] | None:
        """What the ends of a relation are by its words, where both are of one class: kinds tell others apart."""
        sides = (Step(relation), Step(relation, inverse=True))
        heads, tails = (
            {k for node in self.schema.first(self.schema.starts(s)) for k in self.schema.kinds(node)} for s in sides
        )
        words = self.schema.words(relation)
        return (ends_of(words) or ends_by_words(words)) if heads & tails else None

    def _row(self, draft: Draft, row: Row) -> Iterator[bool]:
        ends = self.ends(row[1])
        head, tail = self._span(draft, row[0]), self._span(draft, row[2])
        if ends and head and tail and head != tail:
            first = ends[head > tail]
            label = self.schema.words(row[1])
            said = {
                Role(first.family, role.first)
                for role in self.roles(min(head, tail), max(head, tail))
                if role.family == first.family or are_of_one_kind(role, self.s.text, first, label)
            }
            if not said:
                said = self._aligned(label, first, head > tail, self._between(min(head, tail), max(head, tail)))
            if len(said) == 1:
                yield first in said

    def _aligned(self, label: str, first: Role, turned: bool, words: Between) -> set[Role]:
        """What the first of two is where a sentence has another verb, "sent" for "referred by": the doer of either is
        the doer. Or it has the relation's own words. ``turned``: the relation's tail is said first."""
        if says_label(label, words.between):
            return {first.other if turned else first}
        if not (label.endswith(" by") or first.family == TEACHING):
            return set()
        does = does_first(words)
        return set() if does is None else {Role(first.family, does)}

    def _spans(self, draft: Draft) -> set[Span]:
        """The words of the things that a draft is about, those that ask among them."""
        named = {(self.s.links[i].first, self.s.links[i].last) for i in draft.links}
        return named if draft.form == "ask" or not self.asked else named | {self.asked}

    def _span(self, draft: Draft, end: int | str) -> Span | None:
        """The words by which an end of a triple is said."""
        if end == 0 and draft.form != "ask":
            return self.asked
        if isinstance(end, int) and draft.form == "ask":
            return next(((i, i) for i, word in enumerate(self.words) if word.text in _ANYTHING), None)
        links = (self.s.links[i] for i in draft.links)
        return next(((link.first, link.last) for link in links if link.node == end), None)

    def _asked(self) -> Span | None:
        """The words that ask: "who", "which member"."""
        at = next((i for i, word in enumerate(self.words) if word.text in _ASKING | _WHICH), None)
        if at is None:
            return None
        noun = self.words[at].text in _WHICH and at + 1 < len(self.words) and not self._is_verb(self.words[at + 1].text)
        return at, at + noun

    def _is_verb(self, word: str) -> bool:
        """Whether a word behind "what" is no noun: "what does", "what depends on" where a relation is called so."""
        return word in LIGHT or (
            is_third_person(word) and any(word == self.schema.words(r).split(" ")[0] for r in self.schema.relations)
        )

    def _roles(self, first: Span, second: Span) -> set[Role]:
        return roles_said(self._between(first, second)) if first[1] < second[0] else set()

    def _between(self, first: Span, second: Span) -> Between:
        """A sentence's words before, between and behind two things, the second of which stands behind the first."""
        last = len(self.words)
        behind = first[1] + 1
        behind += behind < second[0] and self.words[behind].text in self.nouns  # "the ledger service depends on …"
        between = [*self._genitive(behind - 1), *self._texts(behind, second[0])]
        after = [*self._genitive(second[1]), *self._texts(second[1] + 1, last)]
        return Between(self._texts(0, first[0]), between, after)

    def _texts(self, start: int, end: int) -> list[str]:
        return [text for i in range(start, end) for text in (self.words[i].text, *(self._genitive(i)))]

    def _genitive(self, at: int) -> list[str]:
        if _GENITIVE.match(self.s.text, self.words[at].end):
            return [GENITIVE]
        word = self.words[at].text  # "priyas boss"
        ends = (folded_words(link.name)[-1:] for link in self.s.links if link.last == at)
        return [GENITIVE] if word.endswith("s") and [word[:-1]] in ends else []
