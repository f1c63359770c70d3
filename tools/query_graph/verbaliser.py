"""A candidate reading as the ranker reads it: short, the same form for every graph, with what it would answer.

``84 005 → based at depot → depot → headed by → ?`` is a chain, ``Zone C ← fare zone ← ?`` goes against a relation's
direction; conditions follow after semicolons, and the first answers after ``=``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from triplewise.kg.query.graph import TYPE
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row, alternatives, denied_any
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_SHOWN = 3
"""Answers that the text shows."""
_SAMPLE = 40
_SIZES = {(True, True): "most", (True, False): "fewest", (False, True): "highest", (False, False): "lowest"}
"""By count or by value, descending or not."""
_NO_KINDS: Mapping[End, str] = {}
_SIGN = {
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
    "=": "is",
    "!=": "is not",
    "year": "in year",
}
_BY_DATE = {"year": "in year", "<": "before", "<=": "until", ">": "after", ">=": "since"}


class Verbaliser:
    """Texts of steps and readings over one graph."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self.store = schema.store
        self.end_kind = lru_cache(maxsize=None)(self._end_kind)
        self.row_kind = lru_cache(maxsize=None)(self._row_kind)
        self.mid_kind = lru_cache(maxsize=None)(self._mid_kind)
        self.kind_label = lru_cache(maxsize=None)(self._kind_label)

    def _kind_label(self, kind: str) -> str:
        """A class in words; "" for a kind without a name."""
        if not kind or kind.startswith("kind:"):
            return ""
        return _spaced(self.store.label(kind))

    def _end_kind(self, step: Step) -> str:
        """What a step leads to: the commonest class, or the kind of value; "" where the graph tells neither."""
        if not step.inverse and (value := self.schema.value_kind(step.relation)):
            return value if value != "text" else ""
        counts: Counter[str] = Counter()
        for number, triple in enumerate(self.store.triples(relation=step.relation)):
            if number == _SAMPLE:
                break
            counts.update(self.store.types(triple.head if step.inverse else triple.tail)[:1])
        return self.kind_label(counts.most_common(1)[0][0]) if counts else ""

    def _mid_kind(self, step: Step, onward: Step) -> str:
        """What a step leads to where another goes on from there: of an ``item``'s loans and repairs the repair, where
        it goes on to a cost that only repairs have."""
        kind = self.end_kind(step)
        if not kind or self.schema.value_kind(step.relation):
            return kind
        between = self.schema.starts(step.back) & self.schema.starts(onward)
        counts = Counter(k for node in self.schema.first(between)[:_SAMPLE] for k in self.store.types(node)[:1])
        return self.kind_label(counts.most_common(1)[0][0]) if counts else kind

    def step(self, relation: str) -> str:
        """A relation between the kinds of its ends, as the encoder compares it with a sentence."""
        words = self.schema.words(relation)
        head, tail = self.end_kind(Step(relation, True)), self.end_kind(Step(relation))
        sample = "" if tail else self._sample(relation)
        return " ".join(part for part in (head, words, tail or sample) if part)

    def _sample(self, relation: str) -> str:
        """The commonest tails of a relation to texts, which say more than an abbreviated name."""
        if self.schema.value_kind(relation) != "text":
            return ""
        counts: Counter[str] = Counter()
        for number, triple in enumerate(self.store.triples(relation=relation)):
            if number == _SAMPLE:
                break
            counts[self.store.label(triple.tail)] += 1
        return ", ".join(text[:30] for text, _ in counts.most_common(2))

    def reading(self, draft: Draft, sentence: Sentence) -> str:
        """The text of a candidate."""
        names: dict[End, str] = {sentence.links[i].node: sentence.links[i].name for i in draft.links}
        names |= {v: self._any_of(nodes, names) for v, nodes in alternatives(draft)}
        kind = self._answer_kind(draft, sentence)
        parts = []
        if draft.kind and not draft.kind.startswith("kind:"):
            parts.append(f"? is {self.kind_label(draft.kind)}")
        parts += [self._route(route, names) for route in draft.routes]
        parts += self._mid_classes(draft)
        parts += [*self._conditions(draft, names), *draft.said]
        if draft.minus:
            kinds = {} if denied_any(draft) else self._kinds_taken_away(draft)
            parts.append(f"without {self._route(draft.minus_route, names, kinds)}")
        if draft.order:
            variable, descending, measure = draft.order
            relation = self._relation_of(draft.rows, variable)
            how = _SIZES[measure == "count", descending]
            rows = self.row_kind(Step(relation)) if measure == "count" and relation else ""
            how = f"{how} {measure}" if measure in ("total", "average") else how
            if draft.order_since is not None:
                since = self._said(self._relation_of(draft.rows, draft.order_since))
                how = f"{'longest' if descending else 'shortest'} time {since} to"
            parts.append(" ".join(filter(None, ("with", how, rows, self._said(relation)))))
        if draft.form == "ask":
            return f"{'not ' if draft.denied else ''}claim: {'; '.join(parts)}"
        if draft.compare:
            op, number = draft.compare
            return f"claim: count {kind or 'things'}: {'; '.join(parts)} {_SIGN[op]} {number}"
        what = "count" if draft.form == "count" else "find"
        return f"{what} {kind or 'things'}: {'; '.join(parts)} = {self._answers(draft)}"

    def _any_of(self, nodes: Sequence[str], names: Mapping[End, str]) -> str:
        """Some things of which any is meant; of more than a few days the first ones."""
        more = [f"{len(nodes) - _SHOWN} more"] if len(nodes) > 2 * _SHOWN else []
        return " or ".join([*(self._name(e, names) for e in nodes[: _SHOWN if more else None]), *more])

    def _answers(self, draft: Draft) -> str:
        if draft.form == "count":
            return "number"
        if not draft.answers:
            return "nothing"
        shown = sorted(map(self.schema.label, sorted(draft.answers)[:50]))[:_SHOWN]
        more = f" and {len(draft.answers) - _SHOWN} more" if len(draft.answers) > _SHOWN else ""
        return ", ".join(s[:40] for s in shown) + more

    def _answer_kind(self, draft: Draft, sentence: Sentence) -> str:
        """The class or kind of value of the answers: of classes that all are of the one that is said, else the lowest;
        else the commonest."""
        if draft.kind:
            return self.kind_label(draft.kind)
        if not draft.answers:
            last = draft.steps[-1] if draft.steps else None
            return self.end_kind(last) if last else ""
        few = sorted(draft.answers)[:10]
        classes = [self.store.types(node) for node in few]
        if of_all := _shared(classes, tuple(sentence.classes)):
            return self.kind_label(of_all)
        counts: Counter[str] = Counter()
        for node, types in zip(few, classes, strict=True):
            if types:
                counts[self.kind_label(types[0])] += 1
            elif (value := parse_value(self.schema.label(node)).kind) != "text":
                counts[value] += 1
        return counts.most_common(1)[0][0] if counts else ""

    def _name(self, end: End, names: Mapping[End, str]) -> str:
        if isinstance(end, int):
            return "?" if end == 0 else names.get(end, "")
        return names.get(end) or self.schema.label(end)[:50]

    def _route(
        self, route: tuple[End | Step, ...], names: Mapping[End, str], kinds: Mapping[End, str] = _NO_KINDS
    ) -> str:
        """A chain in words; ``kinds``: the classes that are asked of variables, which a starter tells from a dish."""
        parts: list[str] = []
        for position, part in enumerate(route):
            if isinstance(part, Step):
                arrow = "←" if part.inverse else "→"
                parts.append(f"{arrow} {self.schema.words(part.relation)} {arrow}")
            elif kinds.get(part):
                parts.append(kinds[part])
            elif isinstance(part, int) and part != 0 and position:
                parts.append(self._between(route, position) or "it")
            elif isinstance(part, int) and part != 0:
                parts.append(self._name(part, names) or "any")
            else:
                parts.append(self._name(part, names))
        return " ".join(parts)

    def _kinds_taken_away(self, draft: Draft) -> Mapping[End, str]:
        """The classes of what a draft goes without: those that it says, and that of the rows at which the chain begins:
        "without any goal → by → ?"."""
        kinds: dict[End, str] = {h: self.kind_label(t) for h, r, t in draft.minus if r == TYPE and isinstance(t, str)}
        start, first = (*draft.minus_route, None, None)[:2]
        if isinstance(start, int) and start not in kinds and isinstance(first, Step) and (rows := self.row_kind(first)):
            kinds[start] = f"any {rows}"
        return kinds

    def _row_kind(self, step: Step) -> str:
        """The class of the rows that have a step, where nothing else has it."""
        kinds = {k for n in self.schema.starts(step) for k in self.schema.kinds(n)}
        return self.kind_label(kinds.pop()) if len(kinds) == 1 and kinds <= self.schema.roles.row_classes else ""

    def _between(self, route: tuple[End | Step, ...], position: int) -> str:
        """What stands at a place within a chain."""
        before, after = route[position - 1], route[position + 1] if position + 1 < len(route) else None
        assert isinstance(before, Step)
        return self.mid_kind(before, after) if isinstance(after, Step) else self.end_kind(before)

    def _mid_classes(self, draft: Draft) -> list[str]:
        return [
            f"{self._name(h, {})} is {self.kind_label(t)}".lstrip()
            for h, r, t in draft.rows
            if r == TYPE and isinstance(t, str) and not (h == 0 and t == draft.kind)
        ]

    def _conditions(self, draft: Draft, names: Mapping[End, str]) -> list[str]:
        out = []
        for left, op, right in draft.filters:
            if left in names:
                continue
            relation = self._relation_of(draft.rows, left)
            words = self._said(relation)
            if op == "in" and isinstance(right, tuple):
                out.append("? one of " + ", ".join(self._name(e, names) for e in right))
            elif op == "not in":
                out.append("? another")
            elif isinstance(right, int):
                owner = self._owner(draft.rows, right)
                of = f" of {self._name(owner, names)}" if isinstance(owner, str) else ""
                out.append(f"{words} {_SIGN[op]} {self._said(self._relation_of(draft.rows, right))}{of}")
            else:
                dated = self.schema.value_kind(relation) in ("date", "year", "time")
                out.append(f"{words} {_BY_DATE.get(op, _SIGN[op]) if dated else _SIGN[op]} {right}")
        return out

    def _said(self, relation: str) -> str:
        return self.schema.words(relation) if relation else ""

    def _relation_of(self, rows: tuple[Row, ...], variable: int) -> str:
        """The last relation that leads to a variable, "" where none does."""
        for head, relation, tail in reversed(rows):
            if relation != TYPE and variable in (head, tail):
                return relation
        return ""

    @staticmethod
    def _owner(rows: tuple[Row, ...], variable: int) -> End | None:
        for head, _, tail in reversed(rows):
            if tail == variable:
                return head
        return None


def _shared(classes: Sequence[Sequence[str]], said: Sequence[str] = ()) -> str:
    """The class that all of some things are of: a said one, else the lowest; "" where there is none."""
    if not classes or not all(classes):
        return ""
    of_all = [kind for kind in classes[0] if all(kind in types for types in classes)]
    spoken = [kind for kind in of_all if kind in said]
    return next(iter((*spoken, *of_all)), "")


def _spaced(label: str) -> str:
    """A class label in lower-case words: AircraftType → aircraft type."""
    out = []
    for i, char in enumerate(label.replace("_", " ")):
        if char.isupper() and i and label[i - 1].islower():
            out.append(" ")
        out.append(char.lower())
    return "".join(out)
