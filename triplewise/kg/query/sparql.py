"""A query graph as SPARQL 1.1: one SELECT or ASK that only reads, with the same answers on the graph as RDF.

``to_rdf`` writes the graph, ``rdf_terms`` says how ids become terms. SPARQL compares typed values and knows neither
"1,450 m" nor a year against a date, so a filter is written in one of two ways:

- as a cast, where every value that the variable can have is a plain decimal number or a full date, for these compare
  in SPARQL as they do here: ``FILTER(xsd:decimal(STR(?h)) > 300)``, ``FILTER(STR(?d) < "2014-08-11")``;
- else as ``VALUES`` with those of the store's nodes that pass, or, between two variables, with the parsed value beside
  each node (its kind, a number to order by, its year, its folded text). Such a query holds for the graph that it was
  written for.

An order is written alike, by the number itself or by the rank of the value, and keeps ties by comparing with the last
key that is kept. There is no SERVICE, FROM or update in any query, and every id is escaped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence

import rdflib

from triplewise.kg.base import KGStore
from triplewise.kg.names import fold
from triplewise.kg.query.graph import Filter, Order, Pattern, QueryGraph, Span, Variable, alternatives
from triplewise.kg.query.rdf_terms import node_term, relation_iri, to_rdf
from triplewise.kg.query.search import filter_holds, matching, plain_name
from triplewise.kg.query.span import PARTS, SpanUnit, moment
from triplewise.kg.values import Value, parse_value

__all__ = ["to_rdf", "to_sparql"]

_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
"""A variable's name that is written as it is; names with an underscore are ours, so that none can clash."""
_DECIMAL = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,3})?")
"""At most 15 digits: then binary floating point orders numbers as decimals do."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEAR = re.compile(r"[12][0-9]{3}")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_NEVER = "FILTER(1 = 2)"
"""rdflib 7 passes over FILTER(false) and fails on VALUES without rows."""
_XSD = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"


def to_sparql(store: KGStore, query: QueryGraph) -> str:
    """A query graph as one read-only SPARQL 1.1 query, to be run on ``to_rdf(store)``.

    "select" gives the answers' terms, "count", "total" and "average" one number (none where there is none to reckon
    with, or units differ), "span" the different numbers of its unit, "ask" and a count that is compared whether the
    claim holds.
    """
    text = _Writer(store, query).text()
    return _XSD + text if "xsd:" in text else text


class _Writer:
    def __init__(self, store: KGStore, query: QueryGraph) -> None:
        self.store, self.query = store, query
        self.patterns = [plain_name(p) for p in query.patterns]
        self.minus = [plain_name(p) for p in query.minus]
        variables = dict.fromkeys(v for p in (*self.patterns, *self.minus) for v in p.variables)
        self.names = {
            v: f"?{v.name}" if _PLAIN_NAME.fullmatch(v.name) else f"?v_{i}" for i, v in enumerate(variables, 1)
        }
        self._candidates: dict[Variable, list[str]] = {}

    def text(self) -> str:
        query, body = self.query, self._body()
        if query.answer is None:
            where = ["FILTER NOT EXISTS {", *_indented(body), "}"] if query.denied else body
            return _block("ASK {", where)
        answer = self.names[query.answer]
        if query.order:
            body = self._best(query.answer, body, query.order)
        if query.form == "select":
            return _block(f"SELECT DISTINCT {answer} WHERE {{", body)
        if query.form == "total" or query.form == "average":
            return self._reckoned(query.answer, body, "SUM" if query.form == "total" else "AVG")
        if query.span:
            return self._spanned(query.answer, query.span, body)
        count = f"SELECT (COUNT(DISTINCT {answer}) AS ?_count) WHERE {{"
        if query.compare is None:
            return _block(count, body)
        op, number = query.compare
        inner = ["{", *_indented([count, *_indented(body), "}"]), "}"]
        return _block("ASK {", [*inner, f"FILTER(?_count {op} {_number(parse_value(number).key[0])})"])

    def _body(self) -> list[str]:
        """The lines of the patterns with filters and minus."""
        away = self.query.minus_filters
        lines = self._narrowed(self.patterns, [f for f in self.query.filters if f not in away])
        if self.minus:
            lines += ["FILTER NOT EXISTS {", *_indented(self._narrowed(self.minus, away)), "}"]
        return lines

    def _narrowed(self, patterns: Sequence[Pattern], filters: Iterable[Filter]) -> list[str]:
        """The lines of patterns with filters."""
        conditions = list(dict.fromkeys(line for f in filters for line in self._filter(f)))
        lines = [line for line in conditions if line.startswith("VALUES")]  # first: engines join from the left
        lines += self._triples(patterns)
        return [*lines, *(line for line in conditions if not line.startswith("VALUES"))]

    def _triples(self, patterns: Sequence[Pattern]) -> list[str]:
        return [f"{self._term(p.head)} {self._path(p.relation)} {self._term(p.tail)} ." for p in patterns]

    def _path(self, relation: str) -> str:
        return "|".join(f"<{relation_iri(r)}>" for r in alternatives(relation, self.store.relation_ids))

    def _term(self, term: Variable | str) -> str:
        return self.names[term] if isinstance(term, Variable) else _written(node_term(self.store, term))

    # filters ----------------------------------------------------------------------------------

    def _filter(self, condition: Filter) -> list[str]:
        left, right = self.names[condition.left], condition.right
        if isinstance(right, tuple):
            if condition.op == "in":
                return [self._values(condition.left, right)]
            return [f"FILTER(!sameTerm({left}, {self._term(node)}))" for node in right]
        if isinstance(right, Variable):
            if condition.op == "not in":
                return [f"FILTER(!sameTerm({left}, {self.names[right]}))"]
            return self._between(condition.left, condition.op, right)
        candidates = self.candidates(condition.left)
        if cast := self._cast(left, condition.op, parse_value(right), right.strip(), candidates):
            return [f"FILTER({cast})"]
        return [self._values(condition.left, (c for c in candidates if filter_holds(self.store, condition, c)))]

    def _values(self, variable: Variable, nodes: Iterable[str]) -> str:
        terms = " ".join(dict.fromkeys(self._term(node) for node in nodes))
        return f"VALUES {self.names[variable]} {{ {terms} }}" if terms else _NEVER

    def candidates(self, variable: Variable) -> list[str]:
        """The nodes that the variable can be, by the pattern that leaves fewest."""
        if variable not in self._candidates:
            found: list[dict[str, None]] = []
            bound = any(variable in pattern.variables for pattern in self.patterns)
            for pattern in self.patterns if bound else self.minus:
                head, tail = (None if isinstance(t, Variable) else t for t in (pattern.head, pattern.tail))
                triples = (
                    list(matching(self.store, head, pattern.relation, tail)) if variable in pattern.variables else []
                )
                if pattern.head == variable:
                    found.append(dict.fromkeys(t.head for t in triples))
                if pattern.tail == variable:
                    found.append(dict.fromkeys(t.tail for t in triples))
            self._candidates[variable] = list(min(found, key=len))
        return self._candidates[variable]

    def _cast(self, name: str, op: str, right: Value, text: str, candidates: Sequence[str]) -> str | None:
        """The filter as an expression, where it means in SPARQL exactly what it means here."""
        if right.kind in ("number", "year") and op != "year" and self._all(candidates, _is_decimal):
            return f"xsd:decimal(STR({name})) {op} {_number(right.key[0])}"
        if op == "year" and right.kind == "year" and self._all(candidates, _is_dated):
            return f'SUBSTR(STR({name}), 1, 4) = "{text}"'
        if op != "year" and _is_date(text) and self._all(candidates, _is_date):
            return f'STR({name}) {op} "{text}"'
        if op not in ("year", "=", "!=") and right.kind == "year" and self._all(candidates, _is_date):
            return f'SUBSTR(STR({name}), 1, 4) {op} "{text}"'
        return None

    def _all(self, candidates: Sequence[str], test: Callable[[str], bool]) -> bool:
        """Whether all nodes are literals whose text is their label and passes."""
        for node in candidates:
            term, label = node_term(self.store, node), self.store.label(node)
            if not (isinstance(term, rdflib.Literal) and str(term) == label and test(label)):
                return False
        return bool(candidates)

    def _between(self, left: Variable, op: str, right: Variable) -> list[str]:
        """A comparison of two variables."""
        if op != "year" and all(self._all(self.candidates(v), _is_decimal) for v in (left, right)):
            return [f"FILTER(xsd:decimal(STR({self.names[left]})) {op} xsd:decimal(STR({self.names[right]})))"]
        a, b = (self.names[v] for v in (left, right))
        alike = f'({a}_kind = {b}_kind || ({a}_kind IN ("number", "year") && {b}_kind IN ("number", "year")))'
        if op == "year":
            test = f'{a}_kind IN ("date", "year") && {b}_kind IN ("number", "date", "year") && {a}_year = {b}_year'
        elif op in ("=", "!="):
            test = f'IF({alike} && {a}_kind != "text", {a}_key = {b}_key, {a}_text = {b}_text)'
            test = test if op == "=" else f"!{test}"
        else:
            dated = f'(({a}_kind = "date" && {b}_kind = "year") || ({a}_kind = "year" && {b}_kind = "date"))'
            ordered = f'{alike} && !({a}_kind IN ("text", "yes-no")) && {a}_key {op} {b}_key'
            test = f"({ordered}) || ({dated} && {a}_year {op} {b}_year)"
        return [self._parsed(left), self._parsed(right), f"FILTER({test})"]

    def _parsed(self, variable: Variable) -> str:
        """The nodes that the variable can be, each with its parsed value."""
        name = self.names[variable]
        rows = []
        for node in self.candidates(variable):
            label = self.store.label(node)
            value = parse_value(label)
            year = value.key[0] if value.key else 0.0
            rows.append(
                f"({self._term(node)} {_string(value.kind)} {_key(value)} {_number(year)} {_string(fold(label))})"
            )
        head = " ".join((name, *(f"{name}_{column}" for column in ("kind", "key", "year", "text"))))
        return f"VALUES ({head}) {{ {' '.join(rows)} }}" if rows else _NEVER

    # numbers ----------------------------------------------------------------------------------

    def _reckoned(self, answer: Variable, body: list[str], function: str) -> str:
        """The sum or mean of the numbers, each once for each thing that has it."""
        name = self.names[answer]
        each = self._numbers(answer, body)
        found = _block(f"SELECT ({function}({name}_number) AS ?_{function.lower()}) WHERE {{", each)
        return f"{found}\nHAVING (COUNT(DISTINCT {name}_unit) = 1)"

    def _numbers(self, value: Variable, body: list[str], *of: Variable) -> list[str]:
        """Each number that a variable can be, once for each thing that has it and each value of other variables."""
        name, candidates, holder = self.names[value], self.candidates(value), self.query.holder(value)
        number, unit = f"{name}_number", f"{name}_unit"
        if self._all(candidates, _is_decimal):
            body = [*body, f"BIND(xsd:decimal(STR({name})) AS {number})", f'BIND("" AS {unit})']
        else:
            numbers = [(node, parse_value(self.store.label(node))) for node in candidates]
            rows = " ".join(
                f"({self._term(node)} {_number(value.key[0])} {_string(value.unit)})"
                for node, value in numbers
                if value.kind in ("number", "year")
            )
            body = [f"VALUES ({name} {number} {unit}) {{ {rows} }}" if rows else _NEVER, *body]
        told = " ".join(dict.fromkeys(self.names[v] for v in (*of, *((holder,) if holder else ()), value)))
        return ["{", *_indented([f"SELECT DISTINCT {told} {number} {unit} WHERE {{", *_indented(body), "}"]), "}"]

    def _spanned(self, answer: Variable, span: Span, body: list[str]) -> str:
        """The whole units between two days of each match, or from the first day to the last."""
        name, part = self.names[answer], PARTS[span.unit]
        if span.since is None:
            body = [self._days(answer, span.unit), *body]
            each = ["{", f"  SELECT DISTINCT {name}_full {name}_rough WHERE {{", *_indented(body), "  }", "}"]
            full, rough = (f"(MAX({name}_{of}) - MIN({name}_{of}))" for of in ("full", "rough"))
            roughly = f"IF(COUNT({name}_rough) = COUNT(*), {rough}, 1/0)"
            told = f"IF(COUNT({name}_full) = COUNT(*), FLOOR({full} / {part}), {roughly})"
            return f"{_block(f'SELECT ({told} AS ?_span) WHERE {{', each)}\nHAVING (COUNT(*) > 1)"
        if isinstance(span.since, Variable):
            since, first = self.names[span.since], [self._days(span.since, span.unit)]
        else:
            since, first = "?_since", [f"VALUES (?_since_full ?_since_rough) {{ {_moment(span.since, span.unit)} }}"]
        full, rough = (f"ABS({name}_{of} - {since}_{of})" for of in ("full", "rough"))
        told = f"BIND(COALESCE(FLOOR({full} / {part}), {rough}) AS ?_span)"
        body = [*first, self._days(answer, span.unit), *body, told, "FILTER(BOUND(?_span))"]
        return _block("SELECT DISTINCT ?_span WHERE {", body)

    def _days(self, variable: Variable, unit: SpanUnit) -> str:
        """The days that a variable can be, each with its numbers."""
        name = self.names[variable]
        days = [(node, self.store.label(node)) for node in self.candidates(variable)]
        rows = " ".join(f"({self._term(node)} {_moment(day, unit)[1:]}" for node, day in days if moment(day, unit).told)
        return f"VALUES ({name} {name}_full {name}_rough) {{ {rows} }}" if rows else _NEVER

    # order ------------------------------------------------------------------------------------

    def _best(self, answer: Variable, body: list[str], order: Order) -> list[str]:
        """The answers whose key is as good as that of the last of the first ``limit``."""
        name = self.names[answer]
        best, last, at_least = ("MAX", "MIN", ">=") if order.descending else ("MIN", "MAX", "<=")
        key, body, alike = self._measured(answer, body, order, best)

        def keys(called: str) -> list[str]:
            return [f"SELECT {name} ({key} AS {called}) WHERE {{", *_indented(body), f"}} GROUP BY {name}"]

        direction = "DESC" if order.descending else "ASC"
        first = [*keys("?_first"), f"ORDER BY {direction}(?_first) LIMIT {order.limit}"]
        cut = [
            f"SELECT ({last}(?_first) AS ?_last) WHERE {{",
            *_indented(["{", *_indented(first), "}"]),
            "}",
        ]
        return [
            *("{", *_indented(keys("?_best")), "}"),
            *("{", *_indented(cut), "}"),
            f"FILTER(?_best {at_least} ?_last)",
            *alike,
        ]

    def _measured(self, answer: Variable, body: list[str], order: Order, best: str) -> tuple[str, list[str], list[str]]:
        """By what answers are ordered, as an expression over a body, the body, and what must hold beside."""
        by = self.names[order.by]
        if order.since is not None:
            days = [self._days(v, "days") for v in dict.fromkeys(order.variables)]
            told = f"BIND(ABS({by}_full - {self.names[order.since]}_full) AS {by}_rank)"
            return f"{best}({by}_rank)", [*days, *body, told, f"FILTER(BOUND({by}_rank))"], []
        if order.measure is None:
            return f"{best}({by}_rank)", self._ranked(order.by, body), []
        if order.measure == "count":
            return f"COUNT(DISTINCT {by})", body, []
        body = self._numbers(order.by, body, answer)
        units = [f"SELECT (COUNT(DISTINCT {by}_unit) AS ?_units) WHERE {{", *_indented(body), "}"]
        function = "SUM" if order.measure == "total" else "AVG"
        return f"{function}({by}_number)", body, ["{", *_indented(units), "}", "FILTER(?_units = 1)"]

    def _ranked(self, by: Variable, body: list[str]) -> list[str]:
        name, candidates = self.names[by], self.candidates(by)
        if self._all(candidates, _is_decimal):
            return [*body, f"BIND(xsd:decimal(STR({name})) AS {name}_rank)"]
        keys = {node: key for node in candidates if (key := parse_value(self.store.label(node)).key)}
        ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())))}
        rows = " ".join(f"({self._term(node)} {ranks[key]})" for node, key in keys.items())
        return [f"VALUES ({name} {name}_rank) {{ {rows} }}" if rows else _NEVER, *body]


def _moment(day: str, unit: SpanUnit) -> str:
    """The two numbers of a day as a row of VALUES."""
    return f"({' '.join('UNDEF' if k is None else str(k) for k in moment(day, unit))})"


def _is_decimal(label: str) -> bool:
    return _DECIMAL.fullmatch(label) is not None


def _is_date(label: str) -> bool:
    return _DATE.fullmatch(label) is not None and parse_value(label).kind == "date"


def _is_dated(label: str) -> bool:
    return _YEAR.fullmatch(label) is not None or _is_date(label)


def _key(value: Value) -> str:
    """A number that orders the values of one kind."""
    if value.kind == "date":
        year, month, day = value.key
        return _number(year * 10_000 + month * 100 + day)
    if value.kind == "time":
        hours, minutes, seconds = value.key
        return _number(hours * 3_600 + minutes * 60 + seconds)
    return _number(value.key[0] if value.key else 0.0)


def _number(number: float) -> str:
    """A number as an integer or decimal where that is short, else as a double."""
    if math.isinf(number):
        return "1e999" if number > 0 else "-1e999"
    text = f"{number:.0f}" if number == int(number) else repr(number)
    return text if _DECIMAL.fullmatch(text) else f"{number!r}e0" if "e" not in repr(number) else repr(number)


def _written(term: rdflib.URIRef | rdflib.Literal) -> str:
    if isinstance(term, rdflib.URIRef):
        return f"<{term}>"
    return _string(term) + (f"@{term.language}" if term.language else f"^^<{term.datatype}>" if term.datatype else "")


def _string(text: str) -> str:
    """A text in quotes. A u behind a backslash is written by its number: SPARQL expands \\\\uXXXX before it parses."""
    escaped = "".join(_ESCAPES.get(c, c) for c in text)
    return '"' + re.sub(r"(?<=\\\\)[uU]", lambda u: f"\\U{ord(u.group()):08X}", escaped) + '"'


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _block(head: str, body: Iterable[str]) -> str:
    return "\n".join((head, *_indented(body), "}"))
