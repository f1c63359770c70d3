"""What is charged and not paid, where a bill, a job or a booking tells its price, and the day of payment once paid.

"Who still owes me money?", "who hasn't paid yet?", "how much is still owed altogether?", "what does Ann still owe us?",
"Bo is all paid up" are read as what has a price and no such day, and as whose it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from triplewise.kg.names import fold
from triplewise.kg.query import execute
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row, row_of
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in
from triplewise.tools.query_graph.ranking import Ranked, Ranking
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.query_graph.wording.leads import LEAD
from triplewise.tools.query_graph.wording.unsettled.named_within import named_within
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import word_set

_PAID = re.compile(r"\b(?:paid|pd|settled|payment(?: date| day)?|money (?:in|came))\b", re.I)
_OWED = re.compile(r"\b(?:owes?|owed|owing|outstanding|(?:left|still) to pay|balance (?:due|left|owed))\b", re.I)
"""Of an amount that is not paid yet."""
_YES = frozenset(("yes", "y", "true", "paid", "done", "ja", "oui", "x"))
_OTHER_DAY = re.compile(r"\b(?:due|deposit|expected|planned|by|until|for)\b", re.I)
"""Of a day that is none of payment, or of a part alone."""
_NO_PRICE = re.compile(
    r"\b(?:costs?|expenses?|deposits?|spent|refund\w*|per|hourly|rates?|est\w*|value|worth|insur\w*|limit|budget)\b",
    re.I,
)
"""Of money that nobody pays to who keeps the graph, or not all of it."""
_PAYER = re.compile(
    r"\b(?:customers?|clients?|hirers?|payers?|tenants?|pupils?|students?|members?|guests?|owners?|buyers?|whose|"
    r"(?:bought|booked|ordered|hired|billed|sold|rented|paid|taken|reserved|let) (?:by|to|for)|bill(?:ed)? to|sent to|"
    r"invoiced?|cust)\b"
    r"|^(?:who|for|who for|for who(?:m)?)$",
    re.I,
)
_WHOSE = re.compile(r"\b(?:customers?|clients?|owners?|whose|tenants?|cust|belongs to|owned by)\b", re.I)
"""Of a thing that somebody has things done to."""
_OTHERS = re.compile(r"\b(?:by|with)$", re.I)
"""Of who did it, and does not pay for it."""
_MOST = 0.6
"""Share of what was paid that must have a price, and of the ends of a relation that must be persons."""
_PAID_MOSTLY = 0.3
"""Share of what has a price that must be paid: else it is told otherwise what is."""
_SURE = 0.95

_ME = r"(?:\s+(?:me|us))?"
_NOT = r"(?:ha(?:s|ve)(?:n['’]?t| not| never)|['’]s not|has yet to|still has to|still have to|still needs? to)"
_WHEN = r"(?:\s+(?:yet|now|up|so far|at the (?:moment|minute)|any ?money|money|anything|something))*\W*$"
_WHO_OWES = re.compile(
    rf"{LEAD}(?:who(?:['’]s|\s+(?:is|does|do))?|(?:is there |does )?any(?:one|body)(?: who| that)?)(?:\s+else)?"
    rf"(?:\s+still)?\s+(?:owes?|owing){_ME}(?:\s+(?:money|cash|anything|something))?"
    rf"(?:\s+for\s+(?:(?:an?|the|any|their|our|my)\s+)?(?P<noun>[^\W\d_]+))?{_WHEN}",
    re.I,
)
_WHO_HAS_NOT_PAID = re.compile(
    rf"{LEAD}(?:who|any(?:one|body)(?: who| that)?|which (?:of )?(?:the |our |my )?(?P<payers>[^\W\d_]+))(?:\s+else)?"
    rf"(?:\s+still)?\s*{_NOT}\s+(?:yet\s+)?(?:paid|pay|settled|settle|coughed up|cough up)(?:\s+up)?{_ME}"
    rf"(?:\s+for\s+(?:(?:an?|the|any|their|our|my)\s+)?(?P<noun>[^\W\d_]+))?{_WHEN}",
    re.I,
)
_WHO_HAS_PAID = re.compile(
    rf"{LEAD}(?:who|any(?:one|body)(?: who| that)?|which (?:of )?(?:the |our |my )?(?P<payers>[^\W\d_]+))"
    rf"(?:['’]?s|\s+has|\s+have)(?:\s+(?:already|all))?\s+(?:paid|settled|coughed)(?:\s+up)?{_ME}(?:\s+for\s+(?:(?:an?|the|any|their|our|my)\s+)?"
    r"(?P<noun>[^\W\d_]+))?(?:\s+(?:already|yet|now|so far|in full))*\W*$",
    re.I,
)
_ALTOGETHER = (
    r"(?:[\s,]+(?:yet|now|at the (?:mo|moment|minute)|currently|still|to me|to us|me|us|money|al(?:l )?together|"
    r"in (?:total|all|pounds|euros|eur|quid|dollars)|then|please|so far|all in(?: all)?|overall))*\W*$"
)
_HOW_MUCH_IS_OWED = re.compile(
    rf"{LEAD}(?:(?:(?:what(?:['’]?s|\s+is)|how much is)\s+(?:the\s+)?(?:total|amount|sum)|(?:the\s+)?total)"
    rf"(?:\s+(?:that is|that['’]s|still|amount))*"
    rf"\s+|(?:how much (?:money )?|what(?:['’]s)?\s+)(?:(?:is|am|are|do|does|have|has)\s+)?(?:there\s+)?"
    rf"(?:i\s+|we\s+)?(?:(?:be|been|still|not)\s+)*)(?:owed|owing|outstanding|unpaid)\b{_ALTOGETHER}",
    re.I,
)
_HOW_MUCH_OWES = re.compile(
    rf"{LEAD}(?:how much|what)\s+(?:money\s+)?(?:do(?:es)?)\s+(?P<who>.{{2,60}}?)\s+(?:still\s+)?owe{_ALTOGETHER}",
    re.I,
)
_OWES = re.compile(
    rf"{LEAD}(?P<who>.{{2,60}}?)\s+(?:still\s+)?(?:owes?|is owing){_ME}(?:\s+(?:money|cash))?{_WHEN}", re.I
)
_HAS_NOT_PAID = re.compile(
    rf"{LEAD}(?P<who>.{{2,60}}?)(?:\s+still)?\s*{_NOT}\s+(?:yet\s+)?(?:paid|pay|settled|settle)(?:\s+up)?{_ME}{_WHEN}",
    re.I,
)
_IS_PAID_UP = re.compile(
    rf"{LEAD}(?P<who>.{{2,60}}?)(?:['’]s|\s+(?:is|has))\s+(?:(?:all|fully|completely)\s+)?(?:paid up|settled up|"
    rf"all paid|paid (?:me|us) (?:everything|in full)|paid for everything|paid everything)"
    rf"(?: (?:him|her|them)sel(?:f|ves))?{_WHEN}",
    re.I,
)
_IDLE = word_set("still yet now then the a an of ours mine my our and so all that")


class Debts(NamedTuple):
    """How a graph tells of debts: the price, what tells that it was paid ("" where what is owed is told itself), the
    steps to who pays (none where that is who has the price), what has a price, and the yes by which it was paid, where
    no day tells it."""

    price: str
    paid: str
    payer: tuple[Step, ...]
    rows: frozenset[str]
    yes: str = ""


class OpenDebts:
    """Reads the sentences about what is not paid over one graph."""

    def __init__(self, generator: Generator, verbaliser: Verbaliser, persons: Persons) -> None:
        self.generator, self.schema = generator, generator.schema
        self._verbaliser, self._persons = verbaliser, persons

    def ranking(self, text: str, task: str, given: Sequence[str]) -> Ranking | None:
        """The reading of a sentence about what is not paid; None of any other, and where the graph tells no debts."""
        patterns = (_WHO_OWES, _WHO_HAS_NOT_PAID, _WHO_HAS_PAID, _HOW_MUCH_IS_OWED, _HOW_MUCH_OWES)
        found = next((m for p in (patterns if task == "ask" else _CLAIMS) if (m := p.match(text))), None)
        if found is None or (debts := self._debts) is None:
            return None
        sentence = self.generator.read(text, given)
        if any(v.kind != "text" for v in sentence.values):
            return None
        draft = self._read(debts, found, sentence)
        if draft is None:
            return None
        if draft.form == "select":
            draft = draft.but(answers=frozenset(execute(self.schema.store, draft.query()).ids))
        shown = self._verbaliser.reading(draft, sentence)
        return Ranking(sentence, (Ranked(draft, shown, 0.0, _SURE),), 1 - _SURE, 1)

    def _read(self, debts: Debts, found: re.Match[str], sentence: Sentence) -> Draft | None:
        if found.re in (_WHO_OWES, _WHO_HAS_NOT_PAID, _WHO_HAS_PAID):
            said = found.groupdict()
            if found["noun"] and not self._calls(debts, found["noun"]):
                return None
            if said.get("payers") and (not debts.payer or self._are_called(debts.rows, said["payers"])):
                return None
            if found.re is _WHO_HAS_PAID:
                return self._paid(debts)
            return self._unpaid(debts, (), 0) if debts.payer else self._unpaid(debts, (), None, row=0)
        if found.re is _HOW_MUCH_IS_OWED:
            return self._unpaid(debts, (), None).but(form="total")
        is_row = found.re is _IS_PAID_UP or not debts.payer
        row = self._named(debts.rows, sentence, found.span("who")) if is_row else None
        payers = self.schema.starts(debts.payer[-1].back) if debts.payer else frozenset[str]()
        who = self._named(payers, sentence, found.span("who")) if row is None else None
        if row is not None:
            draft = self._unpaid(debts, (row,), None, sentence.links[row].node)
        elif who is not None:
            one = 0 if found.re is _IS_PAID_UP else 1
            draft = self._unpaid(debts, (who,), sentence.links[who].node, row=one)
        else:
            return None
        if found.re is _IS_PAID_UP:
            return draft.but(form="count", compare=("=", "0"))
        return draft.but(form="total" if found.re is _HOW_MUCH_OWES else "ask")

    def _paid(self, debts: Debts) -> Draft | None:
        """Who has paid: of what has a day of payment, or a yes, whose it is; None where that is told otherwise."""
        if not debts.paid or not debts.payer:
            return None
        unpaid = self._unpaid(debts, (), 0)
        value: End = debts.yes or 3
        row, route = (1, debts.paid, value), (value, Step(debts.paid, True), 1)
        return unpaid.but(
            rows=(*unpaid.rows, row), steps=(*unpaid.steps, Step(debts.paid)), routes=(*unpaid.routes, route),
            minus=(), minus_route=(),
        )  # fmt: skip

    def _unpaid(self, debts: Debts, links: tuple[int, ...], payer: End | None, row: End = 1) -> Draft:
        """What has a price and was not paid, by who pays it: any, the answer (0), or somebody who is named; the prices
        are the answer where no payer is, unless the ``row`` is, which may be named as well."""
        price: End = 2 if 0 in (payer, row) else 0
        rows: list[Row] = [(row, debts.price, price)]
        end: End = row
        for at, step in enumerate(debts.payer if payer is not None else ()):
            reached: End = payer if at == len(debts.payer) - 1 and payer is not None else 4
            rows.append(row_of(end, step, reached))
            end = reached
        return Draft(
            tuple(rows), frozenset(), (Step(debts.price), *(debts.payer if payer is not None else ())),
            ((price, Step(debts.price, True), row),), links, minus_of=row if isinstance(row, int) else 0,
            minus=((0 if isinstance(row, int) else row, debts.paid, debts.yes or 3),) if debts.paid else (),
            minus_route=(debts.yes or 3, Step(debts.paid, True), row) if debts.paid else (),
        )  # fmt: skip

    def _named(self, nodes: frozenset[str], sentence: Sentence, span: tuple[int, int]) -> int | None:
        """The position of the likeliest link to one of some things, where some words say no more than its name."""
        best = named_within(sentence, span, nodes)
        link = sentence.links[best] if best is not None else None
        words = [(i, w) for i, w in enumerate(words_in(sentence.text)) if span[0] <= w.start and w.end <= span[1]]
        left = [w.text for i, w in words if link and not link.first <= i <= link.last]
        return best if _IDLE.issuperset(left) else None

    def _calls(self, debts: Debts, noun: str) -> bool:
        """Whether a noun calls what has a price: by its class, or where the graph has no such word."""
        classes = {k for row in self.schema.first(debts.rows) for k in self.schema.kinds(row)}
        called = [w for kind in classes for w in words_of_class(self.schema, kind)]
        known = [w for r in self.schema.relations for w in folded_words(self.schema.words(r))]
        known += [w for kind in self.schema.classes for w in words_of_class(self.schema, kind)]
        return any(is_form_of(w, noun.lower()) for w in called) or not any(is_form_of(w, noun.lower()) for w in known)

    def _are_called(self, nodes: frozenset[str], noun: str) -> bool:
        """Whether a noun calls the class of some things."""
        kinds = {k for n in self.schema.first(nodes) for k in self.schema.kinds(n)}
        return any(is_form_of(w, noun.lower()) for kind in kinds for w in words_of_class(self.schema, kind))

    # what the graph tells ---------------------------------------------------------------------------

    @cached_property
    def _debts(self) -> Debts | None:
        return next(self._told_itself(), None) or next(self._by_payment(), None)

    def _told_itself(self) -> Iterator[Debts]:
        """What is owed where a relation tells it: by somebody, or for what is somebody's."""
        for owed in self.schema.relations:
            words = self.schema.words(owed)
            if self.schema.value_kind(owed) == "number" and _OWED.search(words) and not self._has_zeros(owed):
                rows = self.schema.heads(owed)
                payer = () if self._are_persons(rows) else next(self._payers(rows), None)
                if payer is not None:
                    yield Debts(owed, "", payer, rows)

    def _by_payment(self) -> Iterator[Debts]:
        """What has a price, where others have a day of payment as well, or a yes."""
        schema = self.schema
        prices = [r for r in schema.relations if self._is_price(r)]
        for paid in schema.relations:
            words, kind = schema.words(paid), schema.value_kind(paid)
            if kind not in ("date", "yes-no") or not _PAID.search(words) or _OTHER_DAY.search(words):
                continue
            yes = self._yes(paid) if kind == "yes-no" else ""
            done = schema.starts(Step(paid)) if not yes else frozenset(schema.go(yes, Step(paid, True)))
            for price in sorted(prices, key=lambda r: (-len(schema.heads(r) & done), r))[:1]:
                rows = schema.heads(price)
                told = len(rows & done) > max(_MOST * len(done), _PAID_MOSTLY * len(rows))
                if told and (kind == "date" or yes) and (payer := next(self._payers(rows), None)):
                    yield Debts(price, paid, payer, rows, yes)

    def _yes(self, relation: str) -> str:
        """The only value of a relation that says yes; "" where there are several, or none."""
        values = self.schema.starts(Step(relation, True))
        found = [node for node in values if fold(self.schema.label(node)) in _YES]
        return found[0] if len(found) == 1 else ""

    def _has_zeros(self, relation: str) -> bool:
        """Whether a relation tells of some things that it is nothing."""
        values = self.schema.starts(Step(relation, True))
        return any(parse_value(self.schema.label(node)).key[:1] == (0.0,) for node in values)

    def _is_price(self, relation: str) -> bool:
        schema = self.schema
        is_price = schema.value_kind(relation) == "number" and cues.is_money(schema.measure(relation))
        return is_price and not _NO_PRICE.search(schema.words(relation))

    def _payers(self, rows: frozenset[str]) -> Iterator[tuple[Step, ...]]:
        """The steps from rows to who pays, the likeliest first: one whose words say so, two over a thing that is
        somebody's, or the only one to persons."""
        first = self._forward(rows)
        said = [s for s in first if _PAYER.search(self.schema.words(s.relation))]
        yield from ((s,) for s in sorted(said, key=lambda s: not self._are_persons(self.schema.follow(rows, s))))
        for step in first:
            ends = self.schema.follow(rows, step)
            for onward in self._forward(ends):
                if _WHOSE.search(self.schema.words(onward.relation)):
                    yield step, onward
        others = [s for s in first if self._are_persons(self.schema.follow(rows, s))]
        if len(others) == 1 and not _OTHERS.search(self.schema.words(others[0].relation)):
            yield (others[0],)

    def _forward(self, nodes: frozenset[str]) -> list[Step]:
        """The steps that most of some nodes have, forward to things."""
        schema = self.schema
        few = schema.first(nodes)
        steps = {s for node in few for s in schema.steps(node) if not s.inverse and s.relation not in schema.left_out}
        return sorted(
            s
            for s in steps
            if schema.value_kind(s.relation) in (None, "text")
            and sum(node in schema.starts(s) for node in few) > _MOST * len(few)
        )

    def _are_persons(self, nodes: frozenset[str]) -> bool:
        few = self.schema.first(nodes)
        named = [self._persons.sure(n) == "person" or self._persons.holds(n) for n in few]
        return len(few) > 1 and sum(named) > _MOST * len(few)


_CLAIMS = (_OWES, _HAS_NOT_PAID, _IS_PAID_UP)
