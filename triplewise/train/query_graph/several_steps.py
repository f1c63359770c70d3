"""Small domains for questions and claims of several steps over the fields of ``corpus/wordings``.

    python -m triplewise.train.query_graph.several_steps corpus FOLDER

``corpus/several_steps/FIELD.jsonl`` has sentences with their query graphs in the field's relations, and no graph: each
field gets the graph of its wordings (``FieldGraph``), and what makes its queries have answers beside it, drawn. What is
written are domains of the corpus, without conversations. A query that still has no answer, or too many, is left out,
and a claim that does not hold.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from triplewise.errors import ConfigError, QuestionError
from triplewise.kg.names import fold
from triplewise.kg.query import execute
from triplewise.kg.query.graph import OPERATORS
from triplewise.kg.values import compare, parse_value
from triplewise.train.query_graph.corpus import Domain, answers_of
from triplewise.train.query_graph.worded_graphs import VALUES, FieldGraph
from triplewise.train.query_graph.wordings import Wordings, wordings_of

FOLDER = "several_steps"
"""Where a corpus keeps them."""
_MANY = 15
"""Answers of a question at most."""
_PARTS = ("where", "minus")
_NEVER = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}

_ASKED = {"kind": "chain", "voice": "several steps", "hops": 2}
_TOLD = {**_ASKED, "label": "supported", "found": "present"}
"""What the corpus has of each item; the verdict of a claim is that of its query, which holds."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SteppedField:
    """A field with its sentences of several steps; ``wrong``: what is wrong with the others, a line each."""

    field: Wordings
    rows: list[Row]
    wrong: list[str]


def read_steps(path: Path, field: Wordings) -> SteppedField:
    """One file, checked against its field; raises ConfigError where a line is no JSON object."""
    rows, wrong = list[Row](), list[str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"{path}:{number}: not JSON: {error}.") from None
        faults = [f"{path.name}:{number}: {fault}" for fault in _faults(row, field)]
        wrong += faults
        if not faults:
            rows.append({**row, "id": f"s{number:02}"})
    return SteppedField(field, rows, wrong)


def _faults(row: Row, field: Wordings) -> Iterator[str]:
    text, query = (row.get("question") or row.get("claim"), row.get("query")) if isinstance(row, dict) else ("", None)
    if not (isinstance(text, str) and isinstance(query, dict) and query.get("where") and _are_triples(query)):
        yield "expected a question or a claim, and a query with triples of texts."
        return
    ends = {name: (head, tail) for head, name, tail in field.relations}
    kinds = defaultdict[str, set[str]](set)
    for part in _PARTS:
        for head, relation, tail in query.get(part, ()):
            if relation in ends:
                kinds[head].add(ends[relation][0])
                kinds[tail].add(ends[relation][1])
            elif not row.get("missing"):
                yield f"{relation!r} is no relation of the field."
    if strange := [f for f in query.get("filter", ()) if len(f) != 3 or f[1] not in OPERATORS]:
        yield f"{strange[0]} is no filter."
    for term, found in kinds.items():
        if len(found) > 1:
            yield f"{term!r} is a {' and a '.join(sorted(found))}."
        words = {w for w in fold(term).split() if len(w) > 2 or not w.isalpha()} or {*fold(term).split()}
        if not term.startswith("?") and not found & {*VALUES} and not any(w in fold(text) for w in words):
            yield f"{term!r} is not named in {text!r}."


def _are_triples(query: Row) -> bool:
    triples = [triple for part in _PARTS for triple in query.get(part, ())]
    return all(isinstance(t, list) and len(t) == 3 and all(isinstance(end, str) for end in t) for t in triples)


class SteppedGraph:
    """The graph of a field with what its sentences ask for."""

    def __init__(self, stepped: SteppedField, seed: int = 0) -> None:
        self._draw = random.Random(f"{seed} steps of {stepped.field.name}")
        self._field = FieldGraph(stepped.field, seed)
        self._ends = {name: (head, tail) for head, name, tail in stepped.field.relations}
        self.triples = dict.fromkeys(self._field.triples)
        self._has = {end for h, r, t in self.triples for end in ((h, r, True), (t, r, False))}
        self.rows = stepped.rows
        for row in self.rows:
            for head, relation, tail in row["query"]["where"]:
                for term, kind in zip((head, tail), self._ends.get(relation, ("", "")), strict=True):
                    if kind and kind not in VALUES and not term.startswith("?"):
                        self._field.things[kind].add(term)
        for row in self.rows:
            if not row.get("missing"):
                for number in range(self._draw.choice((2, 3, 3))):
                    self._hold(row["query"], denied=number > 1)
        for kind, names in sorted(self._field.things.items()):
            self.triples |= dict.fromkeys((name, "type", kind) for name in sorted(names))

    def _hold(self, query: Row, *, denied: bool) -> None:
        """Draw things for a query's variables, and the triples by which its patterns hold; ``denied``: those that it
        takes away hold, too, or a comparison does not."""
        patterns, away = list(query["where"]), list(query.get("minus", ()))
        limits = [tuple(f) for f in query.get("filter", ())]
        if query.get("ask") == "none" and len(patterns) == 1:
            return
        if query.get("ask") == "none":
            held = self._draw.choice(patterns)
            patterns, away = [held], [p for p in patterns if p is not held]
        elif denied and away:
            patterns, away = [*patterns, *away], []
        elif denied and limits:
            variable, op, value = limits[-1]
            limits[-1] = (variable, _NEVER.get(op, op), value)
        of_values = [p for p in patterns if self._ends[p[1]][1] in VALUES]
        given: dict[str, str] = {}
        for head, relation, tail in patterns:
            for term, kind in zip((head, tail), self._ends[relation], strict=True):
                if not term.startswith("?"):
                    given[term] = term
                elif term not in given and kind not in VALUES:
                    unfit = {(r, h == term) for h, r, t in (*of_values, *away) if term in (h, t)}
                    given[term] = self._thing(kind, [(op, v) for t, op, v in limits if t == term], unfit)
                elif term not in given:
                    said = [(op, given.get(v, v)) for t, op, v in limits if t == term and isinstance(v, str)]
                    given[term] = self._value(kind, said)
            self._add(given[head], relation, given[tail])

    def _add(self, head: str, relation: str, tail: str) -> None:
        self.triples[head, relation, tail] = None
        self._has |= {(head, relation, True), (tail, relation, False)}

    def _thing(self, kind: str, said: list[tuple[str, Any]], unfit: set[tuple[str, bool]]) -> str:
        """A thing of a class, a new one where all have what is ``unfit``: (relation, whether it is its head)."""
        things = sorted(self._field.things[kind])
        for op, names in said:
            listed = names if isinstance(names, list) else [names]
            things = [t for t in things if (t in listed) == (op in ("in", "="))] or things
        fit = [t for t in things if not any((t, *ends) in self._has for ends in unfit)]
        if not fit:
            fit = [f"{kind.capitalize()} {self._draw.randint(1_000, 9_999)}"]
            self._field.things[kind].add(fit[0])
        return self._draw.choice(fit)

    def _value(self, kind: str, said: list[tuple[str, str]]) -> str:
        """A value for which some comparisons hold, if that is easy."""
        value = self._field.tail(kind)
        for op, other in said:
            if op == "year":
                value = f"{other}{value[4:]}"
            elif not other.startswith("?") and not compare(value, op, other):
                value = _moved(other, {"<": -1, ">": 1, "<=": -1}.get(op, 0), self._draw.randint(1, 20))
        return value

    def domain(self, folder: Path) -> Domain:
        """Write the graph, and the questions and claims that have answers in it, as a domain of the corpus."""
        folder.mkdir(parents=True, exist_ok=True)
        lines = ["\t".join(triple) + "\n" for triple in self.triples]
        (folder / "graph.tsv").write_text("".join(lines), encoding="utf-8")
        domain = Domain(folder)
        files: dict[str, list[Row]] = {"questions": [], "claims": [], "conversations": []}
        for row in self.rows:
            try:
                query = domain.query(row["query"])
            except QuestionError:
                continue  # told as a line without an answer
            if "claim" in row:
                if execute(domain.store, query).holds:
                    files["claims"].append({**_TOLD, **row})
            else:
                answers = [] if row.get("missing") else sorted(map(domain.store.label, answers_of(domain, query)))
                if row.get("missing") or (0 < len(answers) <= _MANY and answers != ["0"]):
                    files["questions"].append({**_ASKED, **row, "answers": answers})
        for name, rows in files.items():
            text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
            (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
        return domain


def _moved(value: str, by: int, far: int) -> str:
    """A value some way after or before another one of its kind."""
    known = parse_value(value)
    if known.kind == "date" and len(value) == len("2024-01-01"):
        return str(date.fromisoformat(value) + timedelta(days=by * far))
    if value.isdecimal():
        return str(max(0, int(value) + by * far))
    return value


def write_domains(corpus: Path, out: Path, named: tuple[str, ...] = (), seed: int = 0) -> tuple[int, list[str]]:
    """A domain for each field that has sentences of several steps, or for the named ones; returns how many sentences
    there are, and what is wrong, a line each."""
    sentences, wrong = 0, list[str]()
    for field in wordings_of(corpus):
        path = corpus / FOLDER / f"{field.name}.jsonl"
        if path.is_file() and (not named or field.name in named):
            stepped = read_steps(path, field)
            domain = SteppedGraph(stepped, seed).domain(out / field.name)
            kept = {item.id.rpartition("/")[2] for item in domain.items()}
            wrong += stepped.wrong
            wrong += [
                f"{path.name}:{int(r['id'][1:])}: no answer, or too many." for r in stepped.rows if r["id"] not in kept
            ]
            sentences += len(kept)
    return sentences, wrong


if __name__ == "__main__":
    number, faults = write_domains(Path(sys.argv[1]), Path(sys.argv[2]), tuple(sys.argv[3:]))
    if not number:
        sys.exit(
            f"{sys.argv[1]} has no such fields: a corpus has them in {FOLDER}/ and, of the same names, in wordings/."
        )
    print("\n".join([*faults, f"{number:,} questions and claims in {sys.argv[2]}"]))
