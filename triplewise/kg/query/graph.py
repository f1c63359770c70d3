"""The query graph: one immutable form of what is asked, whoever asks it.

Patterns over entities and variables, filters on values, patterns that must not hold, one order or count, and the
variable that is the answer (Yih et al. 2015, section 2, with the aggregates of RnG-KBQA's logical forms). As JSON::

    {"select": "?x", "where": [["?x", "on_line", "Lake Line"], ["?x", "elevation_m", "?h"]],
     "filter": [["?h", ">", "300"]], "minus": [["RE 2210", "calls_at", "?x"]],
     "order": {"by": "?h", "desc": true, "limit": 1}}

``"count": "?x"`` in place of ``select`` asks how many; ``"ask": "some"`` or ``"none"`` makes a claim, and ``count`` with
``"compare": ["=", "3"]`` a claim about a number. ``"by": "count ?u"`` orders the answers by how many ?u they have.
A term is a variable where it begins with ``?``; an entity whose id begins so is written ``{"id": "?…"}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from triplewise.errors import QuestionError

TYPE = "rdf:type"
"""The relation from a thing to its class, whatever the graph's own name for it is."""
NAME = "skos:altLabel"
"""The relation from a thing to another name of it."""
OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in", "not in", "year")


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
    """A triple that must hold; ``relation`` is an id, or ``TYPE`` or ``NAME``."""

    head: Term
    relation: str
    tail: Term

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Its variables, head before tail."""
        return tuple(t for t in (self.head, self.tail) if isinstance(t, Variable))


@dataclass(frozen=True, slots=True)
class Filter:
    """A comparison that must hold. ``right`` is a value's text, another variable, or for ``in`` and ``not in`` several node ids.

    ``op``: = != < <= > >= compare the labels as values; ``in`` and ``not in`` compare ids (``not in`` also that of another variable); ``year`` holds where a date's year is that.
    """

    left: Variable
    op: str
    right: Variable | str | tuple[str, ...]

    def __post_init__(self) -> None:
        if self.op not in OPERATORS:
            raise QuestionError(f"no comparison {self.op!r}.", f"Known: {' '.join(OPERATORS)}.")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Its variables."""
        return (self.left, self.right) if isinstance(self.right, Variable) else (self.left,)


@dataclass(frozen=True, slots=True)
class Order:
    """Keep the first ``limit`` answers by ``by``, and those equal to the last kept (arg max and arg min).

    ``count``: by how many different ``by`` an answer has, instead of by its value.
    """

    by: Variable
    descending: bool = True
    limit: int = 1
    count: bool = False


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """What is asked. ``form`` "select": the answers; "count": how many there are; "ask": whether there is any.

    ``answer`` is None for "ask". ``denied``: the claim says that nothing matches. ``compare``: for "count", the claim
    that the number stands in this relation to a given one, as ("=", "3").
    """

    patterns: tuple[Pattern, ...]
    answer: Variable | None = None
    form: Literal["select", "count", "ask"] = "select"
    filters: tuple[Filter, ...] = ()
    minus: tuple[Pattern, ...] = ()
    order: Order | None = None
    denied: bool = False
    compare: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        bound = set(self.variables())
        if not self.patterns:
            raise QuestionError("a query graph has no pattern.", "Give at least one [head, relation, tail].")
        if (self.answer is None) != (self.form == "ask"):
            raise QuestionError("a query graph asks for a variable, or whether anything matches.", "Not both.")
        needed = {v for f in self.filters for v in f.variables} | ({self.answer} if self.answer else set())
        needed |= {self.order.by} if self.order else set()
        if free := sorted(str(v) for v in needed - bound):
            raise QuestionError(f"{free[0]} stands in no pattern of the query graph.")

    def variables(self) -> Iterator[Variable]:
        """The variables of the patterns, with repetitions."""
        return (v for pattern in self.patterns for v in pattern.variables)

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
        else:
            data[self.form] = str(self.answer)
        data["where"] = [_pattern_json(p) for p in self.patterns]
        if self.filters:
            data["filter"] = [[str(f.left), f.op, _right_json(f.right)] for f in self.filters]
        if self.minus:
            data["minus"] = [_pattern_json(p) for p in self.minus]
        if self.order:
            by = f"count {self.order.by}" if self.order.count else str(self.order.by)
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
                f"this is no query graph: {type(error).__name__} {error}.",
                'Write {"select": "?x", "where": [["HEAD", "RELATION", "?x"]]}.',
            ) from None


def _pattern_json(pattern: Pattern) -> list[Any]:
    return [_term_json(pattern.head), pattern.relation, _term_json(pattern.tail)]


def _term_json(term: Term) -> Any:
    return str(term) if isinstance(term, Variable) or not term.startswith("?") else {"id": term}


def _right_json(right: Variable | str | tuple[str, ...]) -> Any:
    return list(right) if isinstance(right, tuple) else str(right)


def _read(data: Any, entity: Callable[[str], str], relation: Callable[[str], str]) -> QueryGraph:
    known = {"select", "count", "ask", "where", "filter", "minus", "order", "compare"}
    if not isinstance(data, dict) or (strange := sorted(set(data) - known)):
        raise ValueError(f"unknown field {strange[0]!r}" if isinstance(data, dict) else "it is not an object")

    def term(value: Any) -> Term:
        if isinstance(value, dict):
            return entity(value["id"])
        if not isinstance(value, str):
            raise ValueError(f"{value!r} is not a term")
        return Variable(value[1:]) if value.startswith("?") else entity(value)

    def variable(value: str) -> Variable:
        if not value.startswith("?"):
            raise ValueError(f"{value!r} is not a variable")
        return Variable(value[1:])

    def patterns(rows: Any) -> tuple[Pattern, ...]:
        return tuple(Pattern(term(h), relation(r), term(t)) for h, r, t in rows)

    def right(op: str, value: Any) -> Any:
        if op in ("in", "not in"):
            return tuple(entity(v) for v in value) if isinstance(value, list) else variable(value)
        return variable(value) if value.startswith("?") else value

    order = None
    if "order" in data:
        count, _, name = data["order"]["by"].rpartition(" ")
        order = Order(variable(name), bool(data["order"]["desc"]), int(data["order"].get("limit", 1)), count == "count")
    form: Any = "count" if "count" in data else "ask" if "ask" in data else "select"
    compare = data.get("compare")
    return QueryGraph(
        patterns=patterns(data["where"]),
        answer=None if form == "ask" else variable(data[form]),
        form=form,
        filters=tuple(Filter(variable(a), op, right(op, b)) for a, op, b in data.get("filter", ())),
        minus=patterns(data.get("minus", ())),
        order=order,
        denied=data.get("ask") == "none",
        compare=(str(compare[0]), str(compare[1])) if compare else None,
    )
