"""A query graph in words for a person: "which ship is based at Ufer", "the price per tonne of wheat".

One triple becomes a phrase; more become clauses about X, Y and Z, so that a wrong reading is seen at once. The graph's
own relation names stand in them, turned into predicates ("is based at") or nouns ("the price of") by their form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query.graph import TYPE, Filter, Pattern, QueryGraph, Term, Variable, alternatives, either_words
from triplewise.kg.query.search import matching
from triplewise.kg.values import is_duration, parse_value
from triplewise.tools.query_graph.nameless import told_name
from triplewise.tools.text.predicates import is_named, predicate, value_kind
from triplewise.tools.text.verb_forms import is_plural, plural, with_article

_SIGN = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least", "=": "", "!=": "not"}
_TIMES = frozenset(("date", "year", "time"))
_LATEST = {"greatest": "latest", "least": "earliest"}
_LISTED = 5
"""Things that a condition names."""
_DATED = {"<": "before", "<=": "until", ">": "after", ">=": "since", "=": "", "!=": "not"}


_OWN = re.compile(r"^(?:her|his|their|its)\s+(?=\w)|(?<=\w)\s+(?:is|are)$", re.I)
"""What a relation's words have around the noun: "her mum is" is shown as "mum"."""
_ASKED = 8
"""Things at an end of a relation that tell whether people are there."""


class _Words:
    def __init__(self, store: KGStore, query: QueryGraph, is_person: Callable[[str], bool]) -> None:
        self.store, self.query, self.is_person = store, query, is_person
        self.kinds: dict[Variable, str] = {}
        for pattern in query.patterns:
            if pattern.relation == TYPE and isinstance(pattern.head, Variable) and isinstance(pattern.tail, str):
                self.kinds.setdefault(pattern.head, one_line(store.label(pattern.tail)))
        of_answer = (p for p in query.patterns if p.relation == TYPE and p.head == query.answer)
        self.kind_told = next((p for p in of_answer if isinstance(p.tail, str)), None)
        """The pattern that the answer's noun says: "every ship"."""
        self.names: dict[Variable, str] = {}
        letters = iter("XYZABCDEF")
        first = (query.answer,) if query.answer else ()
        for variable in dict.fromkeys((*first, *(v for p in (*query.patterns, *query.minus) for v in p.variables))):
            self.names[variable] = next(letters, variable.name)

    def term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self.names[term]
        return one_line(told_name(self.store, term) if self.store.has_entity(term) else self.store.label(term))

    def relation(self, relation: str) -> str:
        known, parts = self.store.relation_ids(), alternatives(relation, self.store.relation_ids)
        return one_line(either_words([self.store.relation_label(r) if r in known else r for r in parts]))

    def pattern(self, pattern: Pattern) -> str:
        head, tail = self.term(pattern.head), self.term(pattern.tail)
        if pattern.relation == TYPE:
            return f"{head} is {with_article(tail)}"
        if between := predicate(self.store, pattern.relation):
            return f"{head} {between.of(tail, not isinstance(pattern.tail, Variable))}"
        noun = _noun(self.relation(pattern.relation))
        many = is_plural(noun) and value_kind(self.store, pattern.relation) in (None, "number")
        return f"{_possessive(head)} {noun} {'are' if many else 'is'} {tail}"

    def phrase(self, pattern: Pattern, asked: Variable) -> str:
        """One triple with its asked end in the place of a noun: "which ship is based at Ufer"."""
        kind = self.kinds.get(asked)
        which = f"which {kind}" if kind else self.who(pattern, asked)
        between, label = predicate(self.store, pattern.relation), _noun(self.relation(pattern.relation))
        if pattern.head == asked:
            tail = self.term(pattern.tail)
            if pattern.relation == TYPE:
                return f"{which} is {with_article(tail)}"
            if between:
                return f"{which} {between.of(tail)}"
            named = isinstance(pattern.tail, str) and is_named(self.store, pattern.tail)
            return f"{which} has {tail} as {label}" if named else f"{which} has the {label} {tail}"
        head = self.term(pattern.head)
        if between:
            return between.asked(head, which)
        return f"the {label} of {head}" + (f" that is {with_article(kind)}" if kind else "")

    def who(self, pattern: Pattern, asked: Variable) -> str:
        """ "who" where people are at the asked end of a triple, else "what"."""
        at = pattern.head == asked
        known = {"tail" if at else "head": pattern.tail if at else pattern.head}
        ends = {k: n for k, n in known.items() if isinstance(n, str)}
        named = matching(self.store, ends.get("head"), pattern.relation, ends.get("tail"))
        found = list(islice(named, _ASKED)) or list(islice(matching(self.store, None, pattern.relation, None), _ASKED))
        return "who" if found and all(self.is_person(t.head if at else t.tail) for t in found) else "what"

    def filter(self, condition: Filter) -> str:
        left, right = self.names[condition.left], condition.right
        if isinstance(right, tuple):
            return f"{left} is {'not ' if condition.op == 'not in' else ''}{self.listed(right)}"
        if condition.op == "year":
            return f"{left} is in {self.term(right) if isinstance(right, Variable) else right}"
        if isinstance(right, Variable):
            if condition.op == "not in":
                return f"{left} is not {self.term(right)}"
            return f"{left} is {_SIGN[condition.op]} {self.term(right)}".replace("  ", " ")
        dated = self.dated(condition.left, right)
        return f"{left} is {(_DATED if dated else _SIGN)[condition.op]} {right}".replace("  ", " ")

    def listed(self, nodes: tuple[str, ...]) -> str:
        more = f" or {len(nodes) - _LISTED} more" if len(nodes) > _LISTED else ""
        return " or ".join(self.term(n) for n in nodes[:_LISTED]) + more

    def dated(self, variable: Variable, value: str) -> bool:
        """Whether a value is a date or time: "1400" beside a rent is none."""
        return {_kind_of(value), self._kind(variable) or "date"} <= _TIMES

    def is_day(self, variable: Variable) -> bool:
        """Whether a variable's values are days or times."""
        return self._kind(variable) in _TIMES

    def _kind(self, variable: Variable) -> str:
        """Of what kind a value of a variable is, "" where it has none."""
        relations = [p.relation for p in self.query.patterns if p.tail == variable and p.relation != TYPE]
        sample = next((t.tail for r in relations for t in self.store.triples(relation=r)), None)
        return _kind_of(self.store.label(sample)) if sample else ""


def _kind_of(value: str) -> str:
    """The kind of a value, "" for a duration."""
    return "" if is_duration(value) else parse_value(value).kind


def read_back(store: KGStore, query: QueryGraph, is_person: Callable[[str], bool] = lambda _: False) -> str:
    """One line that says what a query graph asks or claims; ``is_person``: whether a thing is surely a person."""
    words = _Words(store, query, is_person)
    patterns = [p for p in query.patterns if p != words.kind_told]
    plain = not (query.filters or query.minus or query.order or query.compare)
    if plain and query.form == "select" and query.answer and len(patterns) == 1 and len(patterns[0].variables) == 1:
        return words.phrase(patterns[0], query.answer)
    own = [f for f in query.filters if f not in query.minus_filters]
    said = _joined([*(words.pattern(p) for p in patterns), *(words.filter(f) for f in own)])
    if query.form == "ask":
        return _claimed(words, query, said)
    kind = words.kinds.get(query.answer) if query.answer else None
    what = f"{kind} X" if kind else "X"
    where = f", where {said}" if said else ""
    if query.minus:
        where += f", but not where {_taken_away(words, query)}"
    if query.order:
        by = words.names[query.order.by]
        measure = query.order.measure
        size = ("most" if query.order.descending else "fewest") if measure == "count" else (
            "greatest" if query.order.descending else "least"
        )  # fmt: skip
        by = f"{measure} of {by}" if measure in ("total", "average") else by
        if query.order.since:
            size, by = (
                "longest" if query.order.descending else "shortest",
                f"time from {words.names[query.order.since]} to {by}",
            )
        if query.order.by == query.answer and not (measure or query.order.since):
            what = f"the {_LATEST.get(size, size) if words.is_day(query.order.by) else size} {what}"
        else:
            what = f"the {what} with the {size} {by}"
    elif query.form in ("total", "average"):
        what = f"the {query.form} of every {what}"
    elif query.span:
        since = query.span.since
        first = f"{words.names[since] if isinstance(since, Variable) else since} to X"
        what = f"the {query.span.unit} from {'the first to the last X' if since is None else first}"
    elif query.form == "count":
        return f"how many {f'{plural(kind)} X' if kind else 'X'} there are{where}{_compared(query)}"
    else:
        what = f"every {what}"
    return f"{what}{where}"


def _claimed(words: _Words, query: QueryGraph, said: str) -> str:
    if query.minus and query.denied:
        return _of_every(words, query)
    if query.minus:
        away = _taken_away(words, query)
        shared = {v for p in query.patterns for v in p.variables} & {v for p in query.minus for v in p.variables}
        return f"{said}, but {'not where' if shared else 'it is not so that'} {away}"
    first = query.filters[0] if query.filters else None
    if query.denied and (of := next(iter(words.kinds), None)):
        others = [words.pattern(p) for p in query.patterns if not (p.relation == TYPE and p.head == of)]
        where = _joined([*others, *(words.filter(f) for f in query.filters)])
        return f"there is no {words.kinds[of]} {words.names[of]}{f' where {where}' if where else ''}"
    if query.denied and first and first.op == "not in" and isinstance(first.right, tuple):
        rest = _joined([*(words.pattern(p) for p in query.patterns), *(words.filter(f) for f in query.filters[1:])])
        return f"there is no {words.names[first.left]} but {words.listed(first.right)} where {rest}"
    return f"{'it is not so that ' if query.denied else ''}{said}"


def _of_every(words: _Words, query: QueryGraph) -> str:
    """That nothing is taken away from by ``minus``: "for every boat X, X is based at Ufer"."""
    of = next(v for p in query.patterns for v in p.variables if any(v in m.variables for m in query.minus))
    free = {m.relation for m in query.minus}
    narrowing = [
        words.pattern(p)
        for p in query.patterns
        if not (p.relation == TYPE and p.head == of) and not (len(p.variables) == 2 and p.relation in free)
    ]
    own = [f for f in query.filters if f not in query.minus_filters]
    where = _joined([*narrowing, *(words.filter(f) for f in own)])
    what = f"{words.kinds.get(of, 'thing')} {words.names[of]}"
    return f"for every {what}{f' where {where}' if where else ''}, {_taken_away(words, query)}"


def _taken_away(words: _Words, query: QueryGraph) -> str:
    return _joined([*(words.pattern(p) for p in query.minus), *(words.filter(f) for f in query.minus_filters)])


def _noun(label: str) -> str:
    """A relation as the noun that it is beside what says whose it is: "mum" of "her mum is"."""
    return _OWN.sub("", label) or label


def _joined(clauses: list[str]) -> str:
    return f"{', '.join(clauses[:-1])} and {clauses[-1]}" if len(clauses) > 1 else "".join(clauses)


def _compared(query: QueryGraph) -> str:
    return f", and that it is {_SIGN[query.compare[0]]} {query.compare[1]}".replace("  ", " ") if query.compare else ""


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
