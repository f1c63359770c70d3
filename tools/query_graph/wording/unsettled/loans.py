"""What is lent and not back, where a loan tells the day on which the thing came back, and nothing until it has.

"What's still out?", "who's still got something of mine?", "what has Ann still got?", "Bo still has the ladder" are read
as loans without such a day, to whomever they are, of whatever they are; "what did Ann borrow?" as all of hers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from triplewise.kg.query import execute
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in
from triplewise.tools.query_graph.ranking import Ranked, Ranking
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.query_graph.wording.leads import LEAD
from triplewise.tools.query_graph.wording.unsettled.named_within import NAMED, named_within
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import word_set

_BACK = re.compile(r"\b(?:back|bck|returned|return(?: date| day)?|came home|handed in)\b", re.I)
_ENDED = re.compile(r"\b(?:ends?|ended|finish(?:ed)?)\b", re.I)
"""Of the day on which a hire was over, where some are not yet."""
_PLANNED = re.compile(r"\b(?:due|expected|planned|promised|wanted|should|by|until)\b", re.I)
_TO = re.compile(
    r"(?:(?:is|was|it) )?(?:(?:lent|loaned|loan|hired|hire|rented|issued|gone|out)(?: out)? (?:to|by)|to|borrowers?|"
    r"borrowed by|hirer|renter|(?:kept|held|taken|had) by|holder|who (?:has|had|borrowed|took)(?: it)?)",
    re.I,
)
_OF = re.compile(r"\b(?:items?|things?|what|wht|of|lent|loaned)\b", re.I)
_MOST = 0.6
"""Share of the loans that must tell what is lent, and of what came back that must be loans."""
_SURE = 0.95

_NOT = r"(?:not|never|ha(?:s|ve)(?:n['’]?t| not| never)|isn['’]?t|aren['’]?t|is not|are not|didn['’]?t|yet to|still to)"
_CAME = r"(?:been|being|come|came|gone|given|gave|give|brought|bring|handed|hand|sent|send|turned up)"
_RETURNED = r"(?:returned|return)"
_IS_BACK = rf"(?:{_CAME} )*(?:it |them |any |that |me |us |my things |our things )*(?:back|home)"
_OUT = re.compile(
    rf"\b{_NOT} (?:yet )?(?:{_IS_BACK}|(?:been )?{_RETURNED})\b|\bnever (?:{_IS_BACK}|{_RETURNED})\b|"
    r"\bon (?:loan|hire)\b|\b(?:lent|loaned) out\b|\bout\b|\bmissing\b",
    re.I,
)
_HAS = r"(?:got|has|have|having|holding|sitting on|hanging on to)"
_WHAT_IS_OUT = re.compile(
    rf"{LEAD}(?P<asked>what|which(?: of (?:our|my|the))?|any|anything|everything|how many)(?P<rest>(?:s\b|\b).*)$",
    re.I,
)
_NOUNS = 2
"""Words of the noun at most behind "which"."""
_WHO_HAS = re.compile(rf"{LEAD}who(?:['’]?s| has| is|)\s+(?:still\s+)?{_HAS}\b(?! to\b)(?P<what>.+)$", re.I)
_WHO_GAVE_NOT_BACK = re.compile(
    rf"{LEAD}who(?:['’]?s)?\s+(?:still\s+)?{_NOT}\s+(?:yet\s+)?(?:{_CAME}\b(?P<what>.*)\b(?:back|home)|"
    rf"{_RETURNED}\b(?P<returned>.*))\b(?P<after>[^.]*)$",
    re.I,
)
_WHO_BORROWED = re.compile(
    rf"{LEAD}who(?:['’]?s|\s+has|\s+have)\s+(?:still\s+)?(?:borrowed|had)\s+(?P<what>[^,.;]{{2,40}}?),?\s+(?:and|but)\s+"
    rf"(?:(?:still|has|have|they)\s+)*{_NOT}\s+[^.]*\b(?:back|returned|home)\W*$",
    re.I,
)
_WHAT_HAS = re.compile(
    rf"{LEAD}(?P<asked>what(?: else)?|which [\w'’ -]{{2,24}}?)(?:['’]s|s\b| has| have| does| do)\s+(?P<who>.+?)\s+"
    r"(?:still\s+)?(?:got|have|has|holding|holds?)\b(?P<after>.*)$",
    re.I,
)
_WHAT_BORROWED = re.compile(
    rf"{LEAD}(?P<asked>what(?: else)?|which [\w'’ -]{{2,24}}?)\s+(?:has|have|did|had)\s+(?P<who>.+?)\s+(?:ever\s+)?"
    r"(?:borrow(?:ed)?|(?:have|had)\s+(?:out|on\s+loan)(?:\s+on\s+loan)?)(?:\s+(?:from|off)\s+(?:us|me))?\W*$",
    re.I,
)
_HAS_STILL = re.compile(rf"{LEAD}(?P<who>.+?)(?:['’]s|\s+is|\s+has|)\s+still\s+{_HAS}\s+(?P<what>.+)$", re.I)
_IS_STILL_OUT = re.compile(
    rf"{LEAD}(?P<what>.+?)(?:['’]s|\s+is|\s+are)?\s+still\s+"
    r"(?:out\b(?:\s+on (?:loan|hire))?|on (?:loan|hire)|with\s+(?P<who>.+?)|to come back)\W*$",
    re.I,
)
_STILL = re.compile(
    r"\b(?:still|yet|never|back|home|out|on (?:loan|hire)|borrow(?:ed)?|returned|at the (?:mo|moment|minute)|"
    r"currently|now|these days)\b",
    re.I,
)
_SAYS_BACK = re.compile(r"\b(?:still|back|returned|on (?:loan|hire)|lent)\b", re.I)
_OTHERWISE = re.compile(r"\b(?:most|fewest|longest|shortest|(?:more|less|longer|fewer) than|average|when)\b", re.I)
"""What asks for more than the loans that are open."""
_IDLE = word_set(
    "still yet now then at the mo moment minute right currently these days ie i e and that which is are has have do "
    "did of ours mine us me we our my a an his her their your all there so far to from it on s ve else people folk "
    "anyone anybody somebody someone they he she borrowed lent with waiting get been re back home"
)
"""Words that say nothing more of what is out, or who has it."""
_GENERIC = word_set("what something anything everything stuff thing things one ones some any them")


class Loans(NamedTuple):
    """How a graph tells of loans: who has something, what it is (None where that tells itself who has it), and the day
    on which it came back; ``rows``: the loans."""

    to: str
    item: str | None
    back: str
    rows: frozenset[str]


class OpenLoans:
    """Reads the sentences about what is not back over one graph."""

    def __init__(self, generator: Generator, verbaliser: Verbaliser, persons: Persons) -> None:
        self.generator, self.schema = generator, generator.schema
        self._verbaliser, self._persons = verbaliser, persons

    def ranking(self, text: str, task: str, given: Sequence[str]) -> Ranking | None:
        """The reading of a sentence about what is not back; None of any other, and where the graph tells no loans."""
        now = _STILL.search(text)
        if not (now or _WHO_HAS.match(text)) or _OTHERWISE.search(text) or (loans := self._loans) is None:
            return None
        patterns = (_WHAT_HAS, _WHAT_BORROWED, _WHAT_IS_OUT, _WHO_BORROWED, _WHO_HAS, _WHO_GAVE_NOT_BACK)
        found = [m for p in (patterns if task == "ask" else (_HAS_STILL, _IS_STILL_OUT)) if (m := p.match(text))]
        if not found:
            return None
        sentence = self.generator.read(text, given)
        if any(v.kind != "text" for v in sentence.values):
            return None
        draft = self._asked(loans, found, sentence) if task == "ask" else self._claimed(loans, found[0], sentence)
        if draft is None or not (now or draft.links):
            return None
        if draft.form != "ask":
            draft = draft.but(answers=frozenset(execute(self.schema.store, draft.query()).ids))
            if not draft.answers and draft.links and not _SAYS_BACK.search(text):
                return None  # who has the drill that is not lent is its owner
        shown = self._verbaliser.reading(draft, sentence)
        return Ranking(sentence, (Ranked(draft, shown, 0.0, _SURE),), 1 - _SURE, 1)

    @cached_property
    def _loans(self) -> Loans | None:
        schema = self.schema
        dated = [r for r in schema.relations if schema.value_kind(r) == "date"]
        dated = [r for r in dated if not _PLANNED.search(schema.words(r))]
        days = [r for r in dated if _BACK.search(schema.words(r))]
        ends = [r for r in dated if r not in days and _ENDED.search(schema.words(r))]
        holding = [
            r
            for r in schema.relations
            if schema.value_kind(r) in (None, "text")
            and _TO.fullmatch(words := schema.words(r))
            and (words.lower() != "to" or self._lead_to_persons(r))
        ]
        for back in (*days, *ends):
            for to in holding:
                rows, returned = schema.heads(to), schema.heads(back)
                if len(rows & returned) > _MOST * len(returned) and (back in days or rows - returned):
                    return Loans(to, self._item(to, rows), back, rows)
        return None

    def _lead_to_persons(self, relation: str) -> bool:
        few = self.schema.first(self.schema.starts(Step(relation, True)))
        named = [self._persons.sure(n) == "person" or self._persons.holds(n) for n in few]
        return bool(few) and sum(named) > _MOST * len(few)

    def _item(self, to: str, rows: frozenset[str]) -> str | None:
        """The relation from loans to what is lent: the one that most have, by its word where several do."""
        schema, found = self.schema, list[tuple[bool, int, str]]()
        for relation in schema.relations:
            having = len(schema.heads(relation) & rows)
            if relation == to or having <= _MOST * len(rows) or schema.value_kind(relation) not in (None, "text"):
                continue
            if not self._lead_to_persons(relation):
                found.append((bool(_OF.search(schema.words(relation))), having, relation))
        rows_are_things = not any(schema.kinds(n) for n in schema.first(rows)) or self._are_called(rows)
        return max(found)[2] if found and (max(found)[0] or not rows_are_things) else None

    def _are_called(self, rows: frozenset[str]) -> bool:
        """Whether most of some nodes have names without a number."""
        few = self.schema.first(rows)
        return sum(not any(c.isdigit() for c in self.schema.label(n)) for n in few) > _MOST * len(few)

    # questions --------------------------------------------------------------------------------------

    def _asked(self, loans: Loans, matches: Sequence[re.Match[str]], sentence: Sentence) -> Draft | None:
        things, holders = self._things(loans), self.schema.starts(Step(loans.to, True))
        for found in matches:
            if found.re is _WHAT_IS_OUT:
                if (noun := self._noun(sentence, found)) is not None and self._calls(noun, loans):
                    draft = self._draft(loans, sentence)
                    return draft.but(form="count") if found["asked"].lower() == "how many" else draft
            elif found.re in (_WHAT_HAS, _WHAT_BORROWED):
                who = self._named(sentence, found.span("who"), holders)
                more = found.re is _WHAT_HAS and self._left(sentence, found.span("after"))
                if who is not None and not more and self._calls(_words(found["asked"]), loans):
                    draft = self._draft(loans, sentence, who=who)
                    return draft if found.re is _WHAT_HAS else draft.but(minus=(), minus_route=())
            else:
                span = found.span("what") if found["what"] is not None else found.span("returned")
                what = self._named(sentence, span, things)
                more = found.re is _WHO_GAVE_NOT_BACK and self._left(sentence, found.span("after"))
                noun = self._left(sentence, span)
                names = {words_in(sentence.text)[x.first].text for x in sentence.links if x.score >= NAMED}
                plain = len(noun) <= _NOUNS and names.isdisjoint(noun)
                if not more and (what is not None or (plain and self._calls(noun, loans))):
                    return self._draft(loans, sentence, what=what, of_holder=True)
        return None

    def _noun(self, sentence: Sentence, found: re.Match[str]) -> list[str] | None:
        """The words between what asks and that it is out; None where more is said than that."""
        start, end = found.span("rest")
        words = [w for w in words_in(sentence.text) if start <= w.start]
        for size in range(_NOUNS + 1):
            after = words[size - 1].end if 0 < size <= len(words) else start
            if _OUT.search(sentence.text, after) and not self._left(sentence, (after, end)):
                return [w.text for w in words[:size] if w.text not in _IDLE]
        return None

    def _left(self, sentence: Sentence, span: tuple[int, int], link: int | None = None) -> list[str]:
        """The words of a part that say more than that something is out; ``link``: the name that it holds."""
        text = _OUT.sub(lambda out: " " * len(out[0]), sentence.text)
        words, named = words_in(sentence.text), sentence.links[link] if link is not None else None
        inside = (words[named.first].start, words[named.last].end) if named else (0, 0)
        return [
            w.text
            for w in words_in(text)
            if span[0] <= w.start and w.end <= span[1] and w.text not in _IDLE
            and not inside[0] <= w.start < inside[1]
        ]  # fmt: skip

    def _calls(self, words: Sequence[str], loans: Loans) -> bool:
        """Whether words call what is lent: by no noun, by one that the graph has not, by the class of it, by its
        relation, or by a word of most names."""
        nouns = [w for w in words if w not in _GENERIC | _IDLE]
        if not nouns:
            return True
        said = {w for r in self.schema.relations for w in folded_words(self.schema.words(r))}
        said |= {w for kind in self.schema.classes for w in words_of_class(self.schema, kind)}
        if not any(is_form_of(w, nouns[-1]) for w in said):
            return True  # "records", where the graph has no word for what is lent
        things = sorted(self._things(loans))
        called = {w for k in {k for n in things for k in self.schema.kinds(n)} for w in words_of_class(self.schema, k)}
        called |= {w for w in folded_words(self.schema.words(loans.item or loans.back)) if len(w) > 2}
        names = [folded_words(self.schema.label(n)) for n in things]
        common = sum(any(is_form_of(w, nouns[-1]) for w in name) for name in names)
        return any(is_form_of(w, nouns[-1]) for w in called) or common > _MOST * len(names)

    def _things(self, loans: Loans) -> frozenset[str]:
        return self.schema.follow(loans.rows, Step(loans.item)) if loans.item else loans.rows

    # claims -----------------------------------------------------------------------------------------

    def _claimed(self, loans: Loans, found: re.Match[str], sentence: Sentence) -> Draft | None:
        things, holders = self._things(loans), self.schema.starts(Step(loans.to, True))
        what = self._named(sentence, found.span("what"), things)
        who = self._named(sentence, found.span("who"), holders) if found["who"] else None
        if what is None or (found["who"] and who is None):
            return None
        return self._draft(loans, sentence, what=what, who=who).but(form="ask")

    # drafts -----------------------------------------------------------------------------------------

    def _named(self, sentence: Sentence, span: tuple[int, int], nodes: frozenset[str]) -> int | None:
        """The position of the likeliest link within some words that is one of some things, where they say no more than
        its name; None where there is none, or where two are as likely."""
        best = named_within(sentence, span, nodes)
        return None if best is None or self._left(sentence, span, best) else best

    def _draft(
        self,
        loans: Loans,
        sentence: Sentence,
        *,
        what: int | None = None,
        who: int | None = None,
        of_holder: bool = False,
    ) -> Draft:
        """Loans that are not back; ``what`` and ``who``: the links to a thing and to a holder."""
        links = tuple(i for i in (what, who) if i is not None)

        def end(link: int | None, free: int) -> End:
            return sentence.links[link].node if link is not None else free

        loan: End = 1
        if loans.item is None:
            loan = end(what, 1 if of_holder else 0)
        holder, thing = end(who, 0 if of_holder else 2), end(what, 2 if of_holder else 0)
        rows: list[Row] = [(loan, loans.to, holder)]
        route = (holder, Step(loans.to, True), loan)
        steps = [Step(loans.to)]
        if loans.item is not None:
            rows.append((loan, loans.item, thing))
            route += (Step(loans.item), thing)
            steps.append(Step(loans.item))
        return Draft(
            tuple(rows), frozenset(), tuple(steps), (route,), links,
            minus=((loan if isinstance(loan, str) else 0, loans.back, 3),),
            minus_of=loan if isinstance(loan, int) else 0,
            minus_route=(3, Step(loans.back, True), loan),
        )  # fmt: skip


def _words(text: str) -> list[str]:
    return [w.text for w in words_in(text) if w.text != "which"]
