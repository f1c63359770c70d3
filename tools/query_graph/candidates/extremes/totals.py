"""Of which things all that they have comes to the most: "who's spent the most with me?" is asked of the prices of all
orders of each customer, and of no single one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from triplewise.kg.query.reckon import Reckoning, amount, is_number
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Draft, move_answer, row_of
from triplewise.tools.query_graph.candidates.extremes.orders import Orders
from triplewise.tools.query_graph.linking.mentions import folded_words, same_word
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_ASKS = re.compile(
    r"\b(?:who|whom|(?:which|what)\s+(?!(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could)\b)"
    r"(?P<kind>[^\W\d_]+))\b",
    re.I,
)
_SPENDER = re.compile(r"\b(?:biggest|top|best|largest|highest)[ -](?:spender|earner|donor|payer|debtor)s?\b", re.I)
_MOST = re.compile(r"\b(?P<size>most|least|fewest)\b(?:\s+(?P<noun>[^\W\d_]+))?", re.I)
_AVERAGE = re.compile(
    r"\b(?P<size>highest|best|biggest|largest|longest|lowest|worst|smallest|shortest)\s+(?:average|mean)\s+"
    r"(?P<noun>[^\W\d_]+)",
    re.I,
)
_ON_AVERAGE = re.compile(r"\bon average\b|\baverages\b", re.I)
_SMALL = frozenset(("least", "fewest", "lowest", "worst", "smallest", "shortest"))
_MONEY_VERB = re.compile(
    r"\b(?:spen[dt]|spends|paid|pays?|earn(?:s|ed)?|raise[sd]?|donate[sd]?|owe[sd]?|br(?:ought|ings?)\s+in|"
    r"cost(?:s|ed)?)\b",
    re.I,
)
_MONEY = frozenset(("money", "cash"))
NO_NOUN = re.compile(
    r"(?:all|altogether|and|at|by|down|during|for|from|here|i|if|in|into|last|of|off|on|or|out|over|overall|so|since|that|"
    r"then|there|these|they|this|those|through|to|together|total|under|until|up|we|when|with|within|you)$"
)
"""Words behind "the most" that are no noun of it."""
_SINGLE = re.compile(
    r"\b(?:in one go|at once|at a time|at one time|in a single|single|(?:for|on|in) (?:one|a|an)|per|each|every|an?"
    r" (?:hour|day|night|week|month|year|kilo|ball|metre|meter|head))\b",
    re.I,
)
"""One bill, and not all of them."""
_MANY = 4
"""Relations to numbers, and sets of things that have them, that are tried."""
_SAMPLE = 40
_AT_A_TIME = re.compile(
    r"\b(?:rates?|hourly|daily|weekly|monthly|yearly|annual(?:ly)?|per|each|hours?|days?|weeks?|months?|years?)\b", re.I
)
"""Words of a relation to money that is paid again and again, or of how long one has to pay."""


class Most(NamedTuple):
    """What a sentence asks the most of: ``kind``: of what, in one folded word, "" for who; ``noun``: what is added up,
    "" for money; ``descending``: the most, or the least."""

    kind: str
    how: Reckoning
    noun: str
    descending: bool


def asked_most(text: str) -> Most | None:
    """What a question asks to be added up for each of several things; None where it does not, or where the words tell
    one of what each has: "who spent the most in one go?"."""
    spender, kind = bool(_SPENDER.search(text)), asked_kind(text)
    if kind is None and spender and not _ASKS.search(text):
        kind = ""
    if kind is None or _SINGLE.search(text):
        return None
    if found := _AVERAGE.search(text):
        return Most(kind, "average", _folded(found["noun"]), found["size"].lower() not in _SMALL)
    found = _MOST.search(text)
    if not found:
        return Most(kind, "total", "", descending=True) if spender else None
    noun, descending = _folded(found["noun"] or ""), found["size"].lower() not in _SMALL
    how: Reckoning = "average" if _ON_AVERAGE.search(text) else "total"
    if noun and noun not in _MONEY and not NO_NOUN.match(noun):
        return Most(kind, how, noun, descending)
    return Most(kind, how, "", descending) if noun in _MONEY or _MONEY_VERB.search(text) else None


def asked_kind(text: str) -> str | None:
    """Of what a question asks which it is, in one folded word, "" for who; None where it asks otherwise, or twice."""
    asks = list(_ASKS.finditer(text))
    return _folded(asks[0]["kind"] or "") if len(asks) == 1 else None


def tells_amount(schema: SchemaView, relation: str, asked: Most) -> bool:
    """Whether a relation to numbers tells money, or what the noun says by its words or the unit of its numbers."""
    if schema.value_kind(relation) != "number":
        return False
    words, sample = schema.words(relation), next(iter(schema.first(schema.heads(relation))), None)
    if not asked.noun:
        return cues.is_money(schema.measure(relation)) and not _AT_A_TIME.search(words)
    units = {parse_value(schema.label(n)).unit for n in schema.go(sample, Step(relation))} if sample else set[str]()
    return any(same_word(word, asked.noun) for name in (words, *units) for word in folded_words(name))


def _folded(word: str) -> str:
    return next(iter(folded_words(word)), "")


class Totals(Orders):
    """The stage of totals for each of several things."""

    def totals(self, bases: list[Draft], classes: list[Draft]) -> None:
        asked = asked_most(self.s.text)
        values = self._amounts(asked) if asked else []
        if not asked or not values or self._is_counted(asked.noun):
            return
        sets = [*classes, *[d for d in bases if len(d.answers) > 1], *self.best_refined(8), *self.inner]
        for value in values:
            rows = self.schema.starts(value)
            narrowed = self.narrowed(sets, rows)
            for step in self._holders(value, asked):
                for draft in (Draft((), rows), *narrowed):
                    if self.late():
                        return
                    self._total(draft, value, step, asked)

    def narrowed(self, sets: list[Draft], rows: frozenset[str]) -> list[Draft]:
        """Those of some sets that are a part of the rows by what the sentence says of them."""
        said = (d for d in sets if d.links or d.values or d.filters or d.minus or d.classes)
        return [d for d in said if d.form == "select" and not d.order and d.answers < rows][: 3 * _MANY]

    def _amounts(self, asked: Most) -> list[Step]:
        """The steps to the numbers that are added up, nearest to the sentence first."""
        found = [Step(r) for r in self.schema.relations if tells_amount(self.schema, r, asked)]
        return sorted(found, key=lambda s: (-self.affinity(s), s))[:_MANY]

    def _is_counted(self, noun: str) -> bool:
        """Whether the most of a class are asked for, which are counted."""
        return bool(noun) and any(same_word(word, noun) for kind in self.s.classes for word in self._words_of(kind))

    def _words_of(self, kind: str) -> list[str]:
        return folded_words(self.schema.store.label(kind))

    def is_called(self, nodes: frozenset[str], kind: str) -> bool:
        """Whether some nodes are of a class that a word says."""
        said = [k for k in self.s.classes if any(same_word(word, kind) for word in self._words_of(k))]
        return any(nodes <= self.schema.set_of(k) for k in said)

    def fits(self, step: Step, ends: frozenset[str], kind: str) -> bool:
        """Whether a step leads to what is asked for, by its class or the relation's words; who it may be is left to
        later."""
        if not kind or self.is_called(ends, kind):
            return True
        said = any(same_word(word, kind) for k in self.s.classes for word in self._words_of(k))
        return not said and not step.inverse and says_relation(self.schema, (kind,), step.relation)

    def _holders(self, value: Step, asked: Most) -> Iterator[Step]:
        """The steps from what has a number to what has several of these, and no such number itself."""
        rows = self.schema.starts(value)
        sample = self.schema.first(rows)[:_SAMPLE]
        steps = {s for row in sample for s in self.schema.steps(row)}
        steps = {s for s in steps if self.schema.value_kind(s.relation) in (None, "text")}
        for step in sorted(steps, key=lambda s: (-self.affinity(s), s))[: 2 * _MANY]:
            ends = self.schema.follow(rows, step)
            if step.relation in self.schema.left_out or self.schema.functional(step.back) or len(ends) < 2:
                continue
            if not self.fits(step, ends, asked.kind):
                continue
            probe = self.schema.first(ends)[:_SAMPLE]
            own = [n for n in probe if any(self._has(n, s, asked) for s in self.schema.steps(n))]
            if 2 * len(own) < len(probe):
                yield step

    def _has(self, node: str, step: Step, asked: Most) -> bool:
        """Whether a thing tells such a number of itself."""
        return not step.inverse and tells_amount(self.schema, step.relation, asked)

    def _total(self, draft: Draft, value: Step, step: Step, asked: Most) -> None:
        """Of some rows, what they lead to by a step and have the most of in all."""
        label, numbers, units = self.schema.label, defaultdict[str, list[float]](list), set[str]()
        ends = self.schema.each(draft.answers, step)
        for row, values in self.schema.each(draft.answers, value).items():
            told = [parse_value(label(n)) for n in values if is_number(label(n))]
            units.update(number.unit for number in told)
            for end in ends.get(row, ()) if told else ():
                numbers[end] += [number.key[0] for number in told]
        amounts: dict[str, Fraction | float] = {end: amount(asked.how, of_one) for end, of_one in numbers.items()}
        if len(amounts) < 2 or len(units) != 1:
            return
        best = (max if asked.descending else min)(amounts.values())
        moved = move_answer(draft, step) if draft.rows else _any(step)
        variable = moved.next_variable
        self.emit(
            moved.but(
                rows=(*moved.rows, row_of(moved.rows[-1][2 if step.inverse else 0], value, variable)),
                answers=frozenset(end for end, total in amounts.items() if total == best),
                steps=(*draft.steps, step, value), order=(variable, asked.descending, asked.how), hops=draft.hops + 1,
                prior=draft.prior + 0.2 + 0.5 * (self.affinity(step) + self.affinity(value)),
            )
        )  # fmt: skip


def _any(step: Step) -> Draft:
    """What anything leads to by a step."""
    return Draft((row_of(1, step, 0),), frozenset(), routes=((1, step, 0),))
