"""A query graph in words for a person: "the persons whose home depot is Erlkamp Depot, and whose …".

Plain and literal, so that a wrong reading is seen at once; the graph's own relation names stand in it.
"""

from __future__ import annotations

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query.graph import NAME, TYPE, Filter, Pattern, QueryGraph, Term, Variable
from triplewise.kg.values import parse_value

_SIGN = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least", "=": "", "!=": "not"}
_LISTED = 5
"""Things that a condition names."""
_DATED = {"<": "before", "<=": "until", ">": "after", ">=": "since", "=": "", "!=": "not"}


class _Words:
    def __init__(self, store: KGStore, query: QueryGraph) -> None:
        self.store, self.query = store, query
        self.kinds: dict[Variable, str] = {}
        for pattern in query.patterns:
            if pattern.relation == TYPE and isinstance(pattern.head, Variable) and isinstance(pattern.tail, str):
                self.kinds[pattern.head] = store.label(pattern.tail)
        self.names: dict[Variable, str] = {}
        letters = iter("XYZABCDEF")
        first = (query.answer,) if query.answer else ()
        for variable in dict.fromkeys((*first, *(v for p in (*query.patterns, *query.minus) for v in p.variables))):
            self.names[variable] = next(letters, variable.name)

    def term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self.names[term]
        return one_line(self.store.display(term) if self.store.has_entity(term) else self.store.label(term))

    def pattern(self, pattern: Pattern) -> str:
        if pattern.relation == TYPE:
            return f"{self.term(pattern.head)} is {_article(self.term(pattern.tail))}"
        words = "is also called" if pattern.relation == NAME else self.store.relation_label(pattern.relation)
        return f"{self.term(pattern.head)} – {one_line(words)} – {self.term(pattern.tail)}"

    def filter(self, condition: Filter) -> str:
        left, right = self.names[condition.left], condition.right
        if isinstance(right, tuple):
            more = f" or {len(right) - _LISTED} more" if len(right) > _LISTED else ""
            listed = " or ".join(self.term(r) for r in right[:_LISTED]) + more
            return f"{left} is {'not ' if condition.op == 'not in' else ''}{listed}"
        if condition.op == "year":
            return f"{left} is in {self.term(right) if isinstance(right, Variable) else right}"
        if isinstance(right, Variable):
            if condition.op == "not in":
                return f"{left} is not {self.term(right)}"
            return f"{left} is {_SIGN[condition.op]} {self.term(right)}".replace("  ", " ")
        dated = parse_value(right).kind in ("date", "year", "time")
        return f"{left} is {(_DATED if dated else _SIGN)[condition.op]} {right}".replace("  ", " ")


def read_back(store: KGStore, query: QueryGraph) -> str:
    """One line that says what a query graph asks or claims."""
    words = _Words(store, query)
    parts = [words.pattern(p) for p in query.patterns if not _is_kind_of_answer(p, query)]
    parts += [words.filter(f) for f in query.filters]
    if query.minus:
        parts.append("not: " + ", ".join(words.pattern(p) for p in query.minus))
    said = "; ".join(parts)
    if query.form == "ask":
        return f"{'It is not so that ' if query.denied else ''}{said}"
    kind = words.kinds.get(query.answer) if query.answer else None
    what = f"{_article(kind)} X" if kind else "X"
    if query.order:
        by = words.names[query.order.by]
        size = ("most" if query.order.descending else "fewest") if query.order.count else (
            "greatest" if query.order.descending else "least"
        )  # fmt: skip
        what = f"{what} with the {size} {by}"
    if query.form == "count":
        return f"How many X{f' ({kind})' if kind else ''}: {said}" + _compared(query)
    return f"{what}: {said}" if said else what


def _compared(query: QueryGraph) -> str:
    return f"; that is {_SIGN[query.compare[0]]} {query.compare[1]}".replace("  ", " ") if query.compare else ""


def _is_kind_of_answer(pattern: Pattern, query: QueryGraph) -> bool:
    return pattern.relation == TYPE and pattern.head == query.answer and query.answer is not None


def _article(noun: str | None) -> str:
    noun = noun or ""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
