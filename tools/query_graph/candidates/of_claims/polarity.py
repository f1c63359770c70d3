"""Whether a claim says yes or no of a relation that has only these values.

"Ruth has paid" says yes, "Ruth has not paid" denies that. So what is denied is never the no, for that would be a denial
of a denial; and of a relation that a claim names and does not deny it does not say no. That there is a value, be it yes
or no, nobody says at all. A verb that forbids turns this round: "the inn bans dogs" says no of "dogs allowed". So does
the opposite of what a relation says: "the race took place" denies that it was cancelled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from triplewise.kg.names import quote_literal, words_of
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row
from triplewise.tools.query_graph.forbidding import allows, forbids, speaks_of_forbidding, without_forbidding
from triplewise.tools.query_graph.linking.mentions import singulars
from triplewise.tools.query_graph.opposites import opposed
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_STEM = 4
_PART = re.compile(r"\bnon\b|\w-free\b|\w(?:less)\b", re.I)
"""Denials within a word: "non-smoking", "smoke-free"."""


class Polarity:
    """Yes and no in the readings of one claim."""

    def __init__(self, schema: SchemaView, text: str) -> None:
        self.schema, self._text = schema, text
        plain = without_forbidding(text)
        self.denies = bool(cues.NOT.search(plain) or _PART.search(plain))
        """Whether it denies anything; a verb that forbids is no denial, and "does not ban" denies nothing."""
        self.forbids, self._of_forbidding = forbids(text), speaks_of_forbidding(text)
        self.stems = {_stem(word) for word in words_of(text)}
        self._singular = {form for word in words_of(text) for form in (word, *singulars(word))}

    def affirmed(self, draft: Draft) -> Draft:
        """A draft that says yes where it only said that there is a value, or no of what may not be so."""
        ends = Counter(end for h, _, t in (*draft.rows, *draft.minus) for end in (h, t))
        told = {v for v, _, _ in (*draft.filters, *draft.unsaid)}
        for row in draft.rows:
            free = isinstance(row[2], int) and ends[row[2]] == 1 and row[2] not in told
            if (free or self._is_no(row)) and (yes := self._yes(row[1])):
                return _with_tail(draft, row, yes)
        return draft

    def told(self, draft: Draft) -> Iterator[Draft]:
        """Drafts that also say yes of what a draft finds, by relations that the claim names: the booking is paid. A
        question need not say so of a thing that is found without it."""
        if draft.form != "select" or len(draft.links) < 2 or draft.order or draft.minus:
            return
        kinds = {k for node in self.schema.first(draft.answers) for k in self.schema.kinds(node)}
        held = {step.relation for step in draft.steps}
        for step in sorted(self.schema.kind_steps(kinds)):
            if step.inverse or step.relation in held or not self._is_said(step.relation):
                continue
            if yes := self._yes(step.relation):
                yield draft.but(
                    rows=(*draft.rows, (0, step.relation, yes)), steps=(*draft.steps, step), answers=frozenset(),
                    routes=(*draft.routes, (yes, step.back, 0)),
                )  # fmt: skip

    def is_turned(self, draft: Draft) -> bool:
        """Whether a draft says no of a relation that the claim names and does not deny, or yes of what it forbids."""
        if self.denies:
            return False
        return any(self._is_no(row) and (self._is_said(row[1]) or self._may_forbid(row[1])) for row in draft.rows)

    def says_no(self, draft: Draft) -> bool:
        """Whether a draft says no of a relation, or yes of what the claim forbids, so that its denial would deny
        twice."""
        return any(map(self._is_no, draft.rows))

    def of_opposites(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts of a claim that says the opposite of what a relation does, such that each denies what the claim
        does, and none is left that says something else of no more things; all where it says no opposite."""
        against = [d for d in drafts if any(map(self._is_opposed, d.rows))]
        alone = [d for d in against if len(d.rows) == 1 and not d.denied]
        if not alone:
            return drafts
        turned = [d.but(denied=self._says_yes(d) != self.denies) for d in alone]
        named = {i for d in turned for i in d.links}
        others = [d for d in drafts if d not in against and (d.values or not named.issuperset(d.links))]
        return [*turned, *others]

    def _is_opposed(self, row: Row) -> bool:
        """Whether the claim says the opposite of a pattern's relation, which has yes or no."""
        _, relation, tail = row
        words = self.schema.words(relation)
        yes_no = isinstance(tail, str) and self.schema.value_kind(relation) == "yes-no"
        said = all(_stem(word) in self.stems for word in words_of(words) if len(word) > 2)
        return yes_no and not said and opposed(self._text, words)

    def _says_yes(self, draft: Draft) -> bool:
        """Whether a draft says yes of what the claim says the opposite of."""
        yes = parse_value("yes").key
        return any(
            self._is_opposed(row) and parse_value(self.schema.label(str(row[2]))).key == yes for row in draft.rows
        )

    def may_be_denied(self, draft: Draft) -> bool:
        """Whether a denial in the claim may be one of what a draft says: not that of the verb that forbids."""
        return self.denies or not any(self._may_forbid(relation) for _, relation, _ in draft.rows)

    def _is_no(self, row: Row) -> bool:
        _, relation, tail = row
        if not isinstance(tail, str) or self.schema.value_kind(relation) != "yes-no":
            return False
        return parse_value(self.schema.label(tail)).key == parse_value("yes" if self._turns(relation) else "no").key

    def _yes(self, relation: str) -> str:
        """The yes of a relation, or the no of what the claim forbids, also where the graph has none such; "" where it
        has other values."""
        if self.schema.value_kind(relation) != "yes-no":
            return ""
        tails = {t.tail for t in self.schema.store.triples(relation=relation)}
        said = "no" if self._turns(relation) else "yes"
        found = min((t for t in tails if parse_value(self.schema.label(t)).key == parse_value(said).key), default="")
        return found or quote_literal(said)

    def _turns(self, relation: str) -> bool:
        """Whether the claim says no of a relation by a verb that forbids."""
        return self.forbids and self._may_forbid(relation)

    def _may_forbid(self, relation: str) -> bool:
        """Whether a verb of the claim that forbids is one of a relation: of what is allowed, or of what it names."""
        words = self.schema.words(relation)
        if not self._of_forbidding or self.schema.value_kind(relation) != "yes-no" or speaks_of_forbidding(words):
            return False
        return allows(words) or any(
            len(w) > 2 and not self._singular.isdisjoint((w, *singulars(w))) for w in words_of(words)
        )

    def _is_said(self, relation: str) -> bool:
        return any(_stem(w) in self.stems for w in words_of(self.schema.words(relation)) if len(w) > 2)


def _with_tail(draft: Draft, row: Row, value: str) -> Draft:
    """A draft with a value at the end of one of its patterns; what has the value is asked for where that was."""
    head, relation, tail = row
    to: dict[End | Step, End] = {0: value, head: 0} if tail == 0 and isinstance(head, int) else {tail: value}

    def moved(end: End) -> End:
        return to.get(end, end)

    rows = tuple((moved(h), r, value if (h, r, t) == row else moved(t)) for h, r, t in draft.rows)
    routes: list[tuple[End | Step, ...]] = []
    for route in draft.routes:
        ends = tuple(to.get(end, end) for end in route)
        bare = len(route) == 3 and isinstance(route[0], int) and route[1] == Step(relation)
        routes.append((value, Step(relation, inverse=True), ends[0]) if bare else ends)
    filters, unsaid = (
        tuple((0 if to.get(v) == 0 else v, op, right) for v, op, right in conditions)
        for conditions in (draft.filters, draft.unsaid)
    )
    return draft.but(rows=rows, routes=tuple(routes), filters=filters, unsaid=unsaid, answers=frozenset())


def _stem(word: str) -> str:
    """The first letters of a word, which survive its endings."""
    return word[: max(_STEM, len(word) - 3)]
