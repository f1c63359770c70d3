"""The query graph: one immutable form of what is asked, whoever asks it.

Patterns over entities and variables, filters on values, patterns that must not hold, one order or count, and the
variable that is the answer (Yih et al. 2015, section 2, with the aggregates of RnG-KBQA's logical forms). As JSON::

    {"select": "?x", "where": [["?x", "on_line", "Lake Line"], ["?x", "elevation_m", "?h"]],
     "filter": [["?h", ">", "300"]], "minus": [["RE 2210", "calls_at", "?x"]],
     "order": {"by": "?h", "desc": true, "limit": 1}}

``"count": "?x"`` in place of ``select`` asks how many; ``"total": "?h"`` and ``"average": "?h"`` reckon with numbers,
each once for each thing that has it; ``"span": ["?since", "?until"], "unit": "days"`` the time between two days
(weeks, months, years; one of them may be a day as text), ``"span": "?day"`` from the first of them to the last;
``"ask": "some"`` or ``"none"`` makes a claim, and ``count`` with ``"compare": ["=", "3"]`` a claim about a number.
``"by": "count ?u"`` orders the answers by how many ?u they have, ``"total ?h"`` and ``"average ?h"`` by the sum or the
mean of the numbers that they have, each once for each thing that has it, ``["?since", "?until"]`` by the days between.
A filter of a variable that stands in ``minus`` alone narrows what that takes away: with ``"minus": [["?x", "author",
"?a"]]`` and ``"filter": [["?a", "in", ["Ada", "Jun"]]]`` the answers are by neither.
A relation may be one of several, ``"daughter of|son of"``, as a path of SPARQL may.
A term is a variable where it begins with ``?``; an entity whose id begins so is written ``{"id": "?…"}``, and a value
to compare with ``{"value": "?…"}``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from triplewise.errors import QuestionError
from triplewise.kg.query.span import UNITS, SpanUnit, is_day
from triplewise.kg.values import parse_value

TYPE = "rdf:type"
"""The relation from a thing to its class, whatever the graph's own name for it is."""
NAME = "skos:altLabel"
"""The relation from a thing to another name of it."""
_EITHER = "|"


def either(relations: Iterable[str]) -> str:
    """One relation that stands for any of some: what a daughter and a son are to a parent."""
    return _EITHER.join(sorted(relations))


def either_words(labels: Sequence[str]) -> str:
    """How several relations are called together: "daughter or son of"."""
    heads = [label.removesuffix(" of") for label in labels]
    of_all = len(labels) > 1 and all(label.endswith(" of") for label in labels)
    return f"{' or '.join(heads)} of" if of_all else " or ".join(labels)


def alternatives(relation: str, known: Callable[[], Container[str]]) -> tuple[str, ...]:
    """The relations of which a pattern's relation is any one; ``known``: gives those of the graph, of which one may
    have such a name itself."""
    return tuple(relation.split(_EITHER)) if _EITHER in relation and relation not in known() else (relation,)


Measure = Literal["count", "total", "average"]
"""What answers are ordered by, where it is no value of theirs: how many things, or the sum or mean of numbers."""
Form = Literal["select", "count", "total", "average", "span", "ask"]
OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "year")
_FORMS: tuple[Form, ...] = ("select", "count", "total", "average", "span", "ask")
_MEASURES: tuple[Measure, ...] = ("count", "total", "average")
_FIELDS = (*_FORMS, "where", "filter", "minus", "order", "compare", "unit")


@dataclass(frozen=True, slots=True)
class Variable:
    """An unknown of a query graph."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


Term = Variable | str
"""A variable, or the id of a node."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple that must hold; ``relation`` is an id, one of several (``either``), or ``TYPE`` or ``NAME``."""

    head: Term
    relation: str
    tail: Term

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Its variables, head before tail."""
        return tuple(t for t in (self.head, self.tail) if isinstance(t, Variable))


@dataclass(frozen=True, slots=True)
class Filter:
    """A comparison that must hold. ``right``: a value's text, another variable, or for ``in`` and ``not in`` node ids.

    ``op``: = != < <= > >= compare the labels as values; ``in`` and ``not in`` compare ids (``not in`` also with that of
    another variable); ``year`` holds where a date's year is that.
    """

    left: Variable
    op: str
    right: Variable | str | tuple[str, ...]

    def __post_init__(self) -> None:
        if self.op not in OPERATORS:
            raise QuestionError(f"no comparison {self.op!r}.", f"Known: {', '.join(OPERATORS)}.")
        listed = isinstance(self.right, tuple)
        if self.op in ("in", "not in") and not (listed or (self.op == "not in" and isinstance(self.right, Variable))):
            raise QuestionError(
                f"{self.op!r} needs a list of things on its right side.", 'Write ["?x", "in", ["A", "B"]].'
            )
        if listed and self.op not in ("in", "not in"):
            raise QuestionError(f"{self.op!r} compares with one value, not with a list.", "For a list there is 'in'.")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Its variables."""
        return (self.left, self.right) if isinstance(self.right, Variable) else (self.left,)


@dataclass(frozen=True, slots=True)
class Order:
    """Keep the first ``limit`` answers by ``by``, and those equal to the last kept (arg max and arg min).

    ``measure``: by how many different ``by`` an answer has, or by the total or average of these, each once for each
    thing that has it; None: by the value itself. Totals of numbers in different units order nothing. ``since``: by the
    days between this one's value and that of ``by``.
    """

    by: Variable
    descending: bool = True
    limit: int = 1
    measure: Measure | None = None
    since: Variable | None = None

    def __post_init__(self) -> None:
        if self.measure not in (None, *_MEASURES):
            raise QuestionError(f"no order by {self.measure!r}.", f"Known: {', '.join(_MEASURES)}.")
        if self.measure and self.since:
            raise QuestionError(f"an order by the time between days is by no {self.measure}.", "Leave one of them out.")
        if self.limit < 1:
            raise QuestionError(f"an order cannot keep the first {self.limit} answers.", "Keep 1 or more.")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """What the answers are ordered by."""
        return (self.since, self.by) if self.since else (self.by,)


@dataclass(frozen=True, slots=True)
class Span:
    """That the time from ``since`` (another variable, or a day as text) to the answer is asked for, whichever is first;
    None: the time from the first of the answers to the last."""

    since: Variable | str | None = None
    unit: SpanUnit = "days"

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise QuestionError(f"no unit {self.unit!r} of time.", f"Known: {', '.join(UNITS)}.")
        if isinstance(self.since, str) and not is_day(self.since):
            raise QuestionError(f"{self.since!r} is no day, month or year.", "Write it as 2024-03-02.")


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """What is asked. ``form`` "select": the answers; "count": how many there are; "total" and "average": the sum or the
    mean of the numbers that they are; "span": the time between days; "ask": whether there is any.

    ``answer`` is None for "ask". ``denied``: the claim says that nothing matches. ``compare``: for "count", the claim
    that the number stands in this relation to a given one, as ("=", "3").
    """

    patterns: tuple[Pattern, ...]
    answer: Variable | None = None
    form: Form = "select"
    filters: tuple[Filter, ...] = ()
    minus: tuple[Pattern, ...] = ()
    order: Order | None = None
    denied: bool = False
    compare: tuple[str, str] | None = None
    span: Span | None = None

    def __post_init__(self) -> None:
        bound = set(self.variables())
        away = {v for p in self.minus for v in p.variables}
        if not self.patterns:
            raise QuestionError("a query graph has no pattern.", "Give at least one [head, relation, tail].")
        if (self.answer is None) != (self.form == "ask"):
            raise QuestionError("a query graph asks for a variable, or whether anything matches.", "Not both.")
        if self.order and self.answer is None:
            raise QuestionError("an order needs answers to choose from.", 'Give "select" or "count" instead of "ask".')
        if (self.span is None) == (self.form == "span"):
            raise QuestionError("the form span has a span, and no other form has.", 'Write {"span": ["?from", "?to"]}.')
        if self.order and self.form in ("total", "average", "span"):
            raise QuestionError(f"the {self.form} of the first by an order is not reckoned.", 'Leave "order" out.')
        if self.compare:
            self._check_number(*self.compare)
        needed = {v for f in self.filters if not away.issuperset(f.variables) for v in f.variables}
        needed |= {self.answer} if self.answer else set()
        needed |= set(self.order.variables) if self.order else set()
        needed |= {self.span.since} if self.span and isinstance(self.span.since, Variable) else set()
        if free := sorted(str(v) for v in needed - bound):
            raise QuestionError(f"{free[0]} stands in no pattern of the query graph.")

    def _check_number(self, op: str, number: str) -> None:
        if self.form != "count":
            raise QuestionError("only a count is compared with a number.", 'Give "count" with "compare".')
        if op not in OPERATORS[:6] or parse_value(number).kind not in ("number", "year"):
            raise QuestionError(f"a count is not compared by {op!r} with {number!r}.", 'Write ["=", "3"].')

    @property
    def minus_filters(self) -> tuple[Filter, ...]:
        """The filters that narrow what ``minus`` takes away: those with a variable that stands there alone."""
        bound = set(self.variables())
        return tuple(f for f in self.filters if not bound.issuperset(f.variables))

    def variables(self) -> Iterator[Variable]:
        """The variables of the patterns, with repetitions."""
        return (v for pattern in self.patterns for v in pattern.variables)

    def holder(self, value: Variable) -> Variable | None:
        """What has a value, for totals, averages and spans: the head of the first pattern that leads to it; None where
        that is a named thing."""
        heads = (p.head for p in self.patterns if p.tail == value)
        head = next(heads, None)
        return head if isinstance(head, Variable) else None

    @property
    def entities(self) -> tuple[str, ...]:
        """The node ids that it names, each once."""
        terms = [t for p in (*self.patterns, *self.minus) for t in (p.head, p.tail)]
        terms += [e for f in self.filters if isinstance(f.right, tuple) for e in f.right]
        return tuple(dict.fromkeys(t for t in terms if isinstance(t, str)))

    @property
    def relations(self) -> tuple[str, ...]:
        """The relation ids of its patterns, each once."""
        return tuple(dict.fromkeys(p.relation for p in (*self.patterns, *self.minus)))

    def to_json(self) -> dict[str, Any]:
        """The form in the module's docstring, with ids."""
        data: dict[str, Any] = {}
        if self.form == "ask":
            data["ask"] = "none" if self.denied else "some"
        elif self.span:
            since, until = self.span.since, str(self.answer)
            data["span"] = until if since is None else [str(since), until]
            data["unit"] = self.span.unit
        else:
            data[self.form] = str(self.answer)
        data["where"] = [_pattern_json(p) for p in self.patterns]
        if self.filters:
            data["filter"] = [[str(f.left), f.op, _right_json(f.right)] for f in self.filters]
        if self.minus:
            data["minus"] = [_pattern_json(p) for p in self.minus]
        if self.order:
            by: Any = f"{self.order.measure} {self.order.by}" if self.order.measure else str(self.order.by)
            by = [str(self.order.since), by] if self.order.since else by
            data["order"] = {"by": by, "desc": self.order.descending, "limit": self.order.limit}
        if self.compare:
            data["compare"] = list(self.compare)
        return data

    @classmethod
    def from_json(
        cls,
        data: Any,
        *,
        entity: Callable[[str], str] = str,
        relation: Callable[[str], str] = str,
    ) -> QueryGraph:
        """A query graph from its JSON form; ``entity`` and ``relation`` turn what stands there into ids.

        Raises QuestionError that names what is wrong.
        """
        try:
            return _read(data, entity, relation)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise QuestionError(
                f"this is no query graph: {'no ' if isinstance(error, KeyError) else ''}{error}.",
                'Write {"select": "?x", "where": [["HEAD", "RELATION", "?x"]]}.',
            ) from None


def _pattern_json(pattern: Pattern) -> list[Any]:
    return [_term_json(pattern.head), pattern.relation, _term_json(pattern.tail)]


def _term_json(term: Term) -> Any:
    return str(term) if isinstance(term, Variable) or not term.startswith("?") else {"id": term}


def _right_json(right: Variable | str | tuple[str, ...]) -> Any:
    if isinstance(right, tuple):
        return list(right)
    return {"value": right} if isinstance(right, str) and right.startswith("?") else str(right)


def _read(data: Any, entity: Callable[[str], str], relation: Callable[[str], str]) -> QueryGraph:
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    if strange := [str(name) for name in data if name not in _FIELDS]:
        raise ValueError(f"unknown field {strange[0]!r}")
    asked: list[Form] = [name for name in _FORMS if name in data]
    if len(asked) != 1:
        raise ValueError(
            f"it has {' and '.join(asked) or 'none'} of {', '.join(_FORMS[:-1])} and ask; one of them is needed"
        )

    def term(value: Any) -> Term:
        if isinstance(value, dict):
            return entity(_text(value["id"], "a term"))
        return _variable(value) if _text(value, "a term").startswith("?") else entity(value)

    def right(op: Any, value: Any) -> Variable | str | tuple[str, ...]:
        if isinstance(value, list):
            return tuple(entity(_text(v, "a term")) for v in value)
        if isinstance(value, dict):
            return _text(value["value"], "a value")
        if isinstance(value, str) and value.startswith("?"):
            return _variable(value)
        return (entity(_number_text(value)),) if op in ("in", "not in") else _number_text(value)

    def patterns(name: str) -> tuple[Pattern, ...]:
        rows = _rows(data, name)
        return tuple(Pattern(term(h), relation(_text(r, "a relation")), term(t)) for h, r, t in rows)

    form = asked[0]
    if form == "ask" and data["ask"] not in ("some", "none"):
        raise ValueError(f'"ask" is "some" or "none", not {data["ask"]!r}')
    compare = data.get("compare")
    if compare is not None and not (isinstance(compare, list) and len(compare) == 2):
        raise ValueError('"compare" is not [OPERATOR, NUMBER]')
    since, answer = _ends(data["span"]) if form == "span" else (None, None if form == "ask" else _variable(data[form]))
    if "unit" in data and form != "span":
        raise ValueError('"unit" stands with "span" alone')
    return QueryGraph(
        patterns=patterns("where"),
        answer=answer,
        form=form,
        filters=tuple(Filter(_variable(a), op, right(op, b)) for a, op, b in _rows(data, "filter")),
        minus=patterns("minus"),
        order=_order(data["order"]) if "order" in data else None,
        denied=data.get("ask") == "none",
        compare=(_text(compare[0], "a comparison"), _number_text(compare[1])) if compare else None,
        span=Span(since, data.get("unit", "days")) if form == "span" else None,
    )


def _ends(data: Any) -> tuple[Variable | str | None, Variable]:
    """Between what a span is asked for: a variable or a day as text, None for the first day, and the answer."""
    if isinstance(data, str):
        return None, _variable(data)
    if not (isinstance(data, list) and len(data) == 2 and any(_is_variable(end) for end in data)):
        raise ValueError(f'"span" is a variable or two days of which one is a variable, not {data!r}')
    since, until = data if _is_variable(data[1]) else data[::-1]
    return _variable(since) if _is_variable(since) else _number_text(since), _variable(until)


def _is_variable(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("?")


def _rows(data: dict[str, Any], name: str) -> list[Any]:
    rows = data.get(name, [])
    for row in rows if isinstance(rows, list) else [rows]:
        if not (isinstance(row, list) and len(row) == 3):
            raise ValueError(f'"{name}" is a list of lists of three, and has {row!r}')
    return rows


def _order(data: Any) -> Order:
    if not isinstance(data, dict):
        raise ValueError('"order" is not an object such as {"by": "?h", "desc": true, "limit": 1}')
    by, limit, descending = data["by"], data.get("limit", 1), data.get("desc", True)
    if not isinstance(limit, int) or isinstance(limit, bool) or not isinstance(descending, bool):
        raise ValueError('the "limit" of "order" is a whole number, "desc" is true or false')
    if isinstance(by, list) and len(by) == 2:
        return Order(_variable(by[1]), descending, limit, since=_variable(by[0]))
    by = _text(by, "a variable")
    measure: Measure | None = next((m for m in _MEASURES if by.startswith(f"{m} ")), None)
    return Order(_variable(by.removeprefix(f"{measure} ").strip()), descending, limit, measure)


def _variable(text: Any) -> Variable:
    """The variable that is written so: "?x"."""
    if len(_text(text, "a variable")) < 2 or not text.startswith("?"):
        raise ValueError(f"{text!r} is not a variable")
    return Variable(text[1:])


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not {what}")
    return value


def _number_text(value: Any) -> str:
    """A value to compare with; models write numbers without quotes."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else _text(value, "a value")
