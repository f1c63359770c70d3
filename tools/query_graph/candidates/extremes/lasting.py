"""What lasted the longest or the shortest, by the days on which it began and ended: "who stayed the longest?"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from triplewise.kg.query.span import between, moment
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.drafts import Draft, move_answer
from triplewise.tools.query_graph.candidates.extremes.totals import NO_NOUN, Totals, asked_kind
from triplewise.tools.query_graph.linking.mentions import folded_words, same_word
from triplewise.tools.query_graph.schema_view import Step

PLANNED = re.compile(r"\b(?:due|expected|planned|deadline|promised|scheduled|target|next|expires?|expiry)\b", re.I)
"""Days that say what was to be, and not what was."""
BEGINS = re.compile(r"\b(?:start\w*|beg[aiu]n\w*|from|out|lent|borrowed|taken|opened|arriv\w+|in|joined|since)\b", re.I)
ENDS = re.compile(r"\b(?:end\w*|finish\w*|return\w*|back|closed|left|moved out|until|to|complete\w*|done)\b", re.I)
_LASTS = re.compile(
    r"\b(?:stay(?:s|ed)?|last(?:s|ed)?|took|takes?|taken|out|away|drag(?:s|ged)?|ke(?:pt|eps?)|gone|lent|borrow(?:s|ed)?|"
    r"hire[sd]?|rent(?:s|ed)?|open|held|holds?|absent|visit(?:s|ed)?)\b",
    re.I,
)
"""Verbs of what goes on for some time: who stayed, what took, the longest."""
_EXTREME = re.compile(r"\b(?P<size>long|short)est\b(?:\s+(?P<noun>[^\W\d_]+))?", re.I)
_WHICH_OF_ALL = re.compile(
    r"\bof all\s+(?:(?:the|our|my)\s+)?(?P<kind>[^\W\d_]+)\b[^?]*\b(?:which|what)(?:\s+one)?\s+(?:is|was|has been)\b",
    re.I,
)
""" "Of all the times that somebody was away, which was the shortest?"."""
_TIMES = frozenset(("time", "stretch", "while", "spell", "period"))
_SINCE = re.compile(r"\bsince\b", re.I)
_MANY = 4
_SAMPLE = 40


class Lasting(NamedTuple):
    """Rows that tell the day on which something began and that on which it ended, and the relations to these."""

    begin: str
    end: str
    rows: frozenset[str]


class LongestTimes(Totals):
    """The stage of what lasted the longest."""

    def longest_times(self, bases: list[Draft], classes: list[Draft]) -> None:
        kind, text = asked_kind(self.s.text), self.s.text
        found, of_all = _EXTREME.search(text), asked_of_all(text)
        kind = of_all if of_all and kind is None else kind
        if kind is None or found is None or not cues.asks_what_lasts(text) or _SINCE.search(text):
            return
        noun = (found["noun"] or "").lower()
        noun = "" if noun in _TIMES or NO_NOUN.match(noun) else noun
        if not (noun or _LASTS.search(text)) or self._kind_tells_span(kind):
            return
        descending = found["size"].lower() == "long"
        unnamed = not self.s.classes and (bool(of_all) or not self._is_word_of_graph(kind))
        unnamed = unnamed and not any(map(self.is_span, self.schema.relations))  # what may tell it rather
        sets = [*classes, *[d for d in bases if len(d.answers) > 1], *self.best_refined(8), *self.inner]
        for lasting in self._lasting():
            if noun and not self.is_called(lasting.rows, noun):
                continue
            for draft in (Draft((), lasting.rows), *self.narrowed(sets, lasting.rows)):
                if self.late():
                    return
                if kind and (self.is_called(lasting.rows, kind) or unnamed):
                    self._longest(draft, lasting, None, descending)
                for step in () if of_all else self._taking_part(lasting, kind):
                    self._longest(draft, lasting, step, descending)

    def _is_word_of_graph(self, kind: str) -> bool:
        """Whether the graph calls a class or a relation by a word."""
        relations = (word for r in self.schema.relations for word in folded_words(self.schema.words(r)))
        classes = (word for k in self.schema.classes for word in self._words_of(k))
        return any(same_word(word, kind) for words in (relations, classes) for word in words)

    def _lasting(self) -> Iterator[Lasting]:
        """The rows of which a day begins and another ends what they tell."""
        days = {r: self.schema.heads(r) for r in self.schema.relations if self.schema.value_kind(r) == "date"}
        words = {r: self.schema.words(r) for r in days}
        days = {r: rows for r, rows in days.items() if not (PLANNED.search(words[r]) or cues.is_birth(words[r]))}
        seen = set[tuple[str, str]]()
        for rows in days.values():
            few = self.schema.first(rows)[:_SAMPLE]
            own = {r for r, heads in days.items() if sum(n in heads for n in few) * 2 > len(few)}
            pair = begin_and_end(words, own)
            if not pair and len(own) == 2:
                pair = self._in_turn(min(own), max(own), few)
            if pair and pair not in seen and not any(map(self._tells_span, few)):
                seen.add(pair)
                both = days[pair[0]] & days[pair[1]]
                if len(both) > 1:
                    yield Lasting(pair[0], pair[1], both)

    def _in_turn(self, one: str, other: str, rows: Sequence[str]) -> tuple[str, str]:
        """Two relations to days, that of the earlier day of most rows first."""
        days = [[min(map(self._day, self.schema.go(n, Step(r))), default=()) for r in (one, other)] for n in rows]
        told = [first <= last for first, last in days if first and last]
        return (one, other) if 2 * sum(told) >= len(told) else (other, one)

    def _day(self, node: str) -> tuple[float, ...]:
        return parse_value(self.schema.label(node)).key

    def _kind_tells_span(self, kind: str) -> bool:
        """Whether things of the class that is asked for tell a span in a number themselves."""
        said = [k for k in self.s.classes if kind and self.is_called(self.schema.set_of(k), kind)]
        return any(self._tells_span(node) for k in said for node in list(self.schema.members(k))[:_SAMPLE])

    def _tells_span(self, node: str) -> bool:
        """Whether a row tells itself in a number how long it is: in nights, or in miles where it is not asked what took
        the longest."""
        own = {s.relation for s in self.schema.steps(node) if not s.inverse}
        numbers = [r for r in own if self.schema.value_kind(r) == "number" and not cues.is_money(self.schema.words(r))]
        length = not _LASTS.search(self.s.text)
        return any(self.is_span(r) or (length and r in self.measuring) for r in numbers)

    def _taking_part(self, lasting: Lasting, kind: str) -> list[Step]:
        """The steps from rows to what took part in what they tell, and is asked for."""
        steps = {s for row in self.schema.first(lasting.rows)[:_SAMPLE] for s in self.schema.steps(row)}
        found = []
        for step in sorted(steps, key=lambda s: (-self.affinity(s), s)):
            things = (
                self.schema.value_kind(step.relation) in (None, "text") and step.relation not in self.schema.left_out
            )
            if things and self.fits(step, self.schema.follow(lasting.rows, step), kind):
                found.append(step)
        return found[:_MANY]

    def _longest(self, draft: Draft, lasting: Lasting, step: Step | None, descending: bool) -> None:
        """Of some rows those that lasted the longest, or what took part in these."""
        schema, times = self.schema, defaultdict[int, set[str]](set)
        ends = schema.each(draft.answers, Step(lasting.end))
        for row, begins in schema.each(draft.answers, Step(lasting.begin)).items():
            for one in begins:
                for other in ends.get(row, ()):
                    days = between(moment(schema.label(one), "days"), moment(schema.label(other), "days"), "days")
                    if days is not None:
                        times[days].update([row] if step is None else schema.go(row, step))
        if len(times) < 2:
            return
        kept = times[(max if descending else min)(times)]
        plain = draft if draft.rows else Draft((), draft.answers)
        moved = plain if step is None else move_answer(plain, step)
        row = 0 if step is None else (plain.next_variable or 1)
        since = max(moved.next_variable, row + 1)
        self.emit(
            moved.but(
                rows=(*moved.rows, (row, lasting.begin, since), (row, lasting.end, since + 1)),
                routes=moved.routes or ((row, Step(lasting.begin), since),),
                answers=frozenset(kept), order=(since + 1, descending, None), order_since=since,
                steps=(*moved.steps, *((step,) if step else ()), Step(lasting.end)), hops=draft.hops + bool(step),
                prior=draft.prior + 0.3 + 0.5 * (self.affinity(step) if step else self.affinity(Step(lasting.end))),
            )
        )  # fmt: skip


def asked_of_all(text: str) -> str:
    """Of what the longest is asked for, folded, where that stands before the question: "of all the times …, which was
    the shortest?"; "" otherwise."""
    found = _WHICH_OF_ALL.search(text)
    return found["kind"].lower() if found else ""


def begin_and_end(words: dict[str, str], relations: Set[str]) -> tuple[str, str] | tuple[()]:
    """Of several relations to days the one that says when something began and the one that says when it ended; none
    where that is not told of exactly one each."""
    begins = [r for r in relations if BEGINS.search(words[r]) and not ENDS.search(words[r])]
    ends = [r for r in relations if ENDS.search(words[r])]
    return (begins[0], ends[0]) if len(begins) == len(ends) == 1 else ()
