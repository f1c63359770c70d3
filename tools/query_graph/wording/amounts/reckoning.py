"""Totals and averages: "how much did the repairs cost altogether?" is read as "how much did the repairs cost?", and the
numbers that answer it are added up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise, permutations
from typing import NamedTuple

from triplewise.kg.names import fold
from triplewise.kg.query.graph import TYPE
from triplewise.kg.query.reckon import Reckoning, is_number
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row, answering, move_answer, relation_to
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in, written_as_names
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.ranking import Ranked
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_SURE = 0.9
"""The score of a link from which on a thing is surely named."""
_BY_PART = 0.45
"""The score of a link from which on a part of a name names it, where everything is written small."""
_AND = re.compile(r"\s*(?:,|and|&|,\s*and)\s+(?:the\s+|our\s+)?", re.I)
_MONEY = re.compile(r"\b(?:cost|spen[dt]|paid|pay)\b", re.I)
_PAYING = re.compile(r"\b(?:spen[dt]|paid|pay|payments?)\b", re.I)
"""Words of what was paid, in sentences and in relations."""
_GIVEN = re.compile(
    r"\bwhat (?:has|have|did)\b.*\b(?:given?|gave|donated?|contributed?|chipped in|put in|raised?|brought in|sent)\b",
    re.I,
)
_UNSPENT = re.compile(r"\b(?:on|for)\s+(?!(?:all|it|them|that|this|those|these|average|everything)\b)\w+", re.I)
"""What money is spent on: heating is not told by all that anything costs."""
_NEAREST = 6
"""Relations to numbers of which all values are proposed."""
_AVERAGE = re.compile(
    r",?\s*\b(?:on|as an) (?:an )?average\b|\b(?:average|avg|mean(?=\s+\w+\s+(?:of|for|in|at)\b))\b", re.I
)
_MEDIAN = re.compile(r"\bmedian\b", re.I)
_TOGETHER = re.compile(
    r",?\s*\b(?:al(?:l ?)?together|"
    r"all (?:of )?(?:the|our|my|their|these|those) [\w-]+ (?:put |added |taken )?together|"
    r"together|in (?:total|all|sum)|all told|all in all|all in(?=\W*$)|combined|overall|"
    r"(?:all )?(?:added|tot(?:t?ed)|totalled|totaled) up)\b",
    re.I,
)
_TOTAL_OF_SEVERAL = re.compile(
    r"\btotal (?:amount |cost |price |value )?(?:of|for|on) (?:all )?(?:of )?(?:the|our|my|his|her|their|these|those)\b"
    r"[^?]*?\w{3,}s\b",
    re.I,
)
_ADD_UP = re.compile(
    r"^\W*(?:(?:(?:can|could|would|will) you|please|pls|just)\s+)*"
    r"(?:(?:tot|total|sum|add) up\s+(?=(?:what|how much|all|the)\b)|"
    r"(?:adding|totting)\s+(?:(?:it|them|that|these|everything)\s+)?(?:all\s+)?(?:up|together),\s*)"
    r"|,?\s+if (?:you|i|we) (?:tot|add)(?: up)?(?: it| them)?(?: all)?(?: (?:the|our|my) [^\W\d_]+)?"
    r"(?: up| together)?(?=\W*$)",
    re.I,
)
"""What asks for a total before what is to be added: "could you tot up what the jobs cost?"."""
_WOULD_YOU = re.compile(r",?\s+(?:would|could|can|will) you(?:,? please)?(?=\W*$)", re.I)
_COMES_TO = re.compile(r"\b(what (?:did|do|does) .{2,80}?) (?:come|amount|add up) to\b", re.I)
_TOTAL = re.compile(r"\b(?:total|sum|sums)\s+(?:(?!number\b|count\b)(?=[^\W\d_]))", re.I)
_SUM_OF = re.compile(r"\b(?:the\s+)?(?:sums?(?:\s+total)?|total)\s+of\s+(?:all\s+)?(?:the\s+)?", re.I)
_TOTAL_SPENT = re.compile(
    r"^(?P<before>\W*(?:(?:and|so|but|ok|okay)\s+)?)(?:what(?:['’]?s| is| was)\s+)?(?:(?:the|our|my)\s+)?"
    r"(?:grand\s+)?total\s+(?:(?:amount|sum)\s+)?(?:that\s+)?"
    r"(?:(?P<who>we|i|they|you|she|he)(?:['’]?ve|['’]?s|['’]d|\s+have|\s+has|\s+had)?\s+)?"
    r"(?P<spent>spent|paid|taken|made|earned|raised|donated)\b",
    re.I,
)
_UNITS = (
    "euros?|pounds?|dollars?|cents?|pence|francs?|minutes?|hours?|days?|nights?|km|kilomet(?:re|er)s?|met(?:re|er)s?|"
    "miles?|kilos?|kg|grams?|tons?|tonnes?|lit(?:re|er)s?|(?:tera|giga|mega)bytes?|tb|gb|mb|watts?|kwh|points?|acres?|"
    "hectares?"
)
_UNITS_OF = re.compile(rf"^\W*(?P<unit>{_UNITS})\s+(?:for|by)\s+(?P<who>[^?]+?)\W*$", re.I)
"""What is left of "total miles for Ann"."""
_HOW_MANY_DONE = r"how many \g<unit> has \g<who> done?"
_HOW_MUCH = re.compile(rf"\bhow (?:much|many (?:{_UNITS}))\b", re.I)
_WHAT_MONEY = re.compile(
    r"\bwhat\b.*\b(?:spent|spend|pay|paid|cost|earn(?:ed)?|made|raised?|set (?:me|us) back|brought in|bring in)\b", re.I
)
_HOW_MANY = re.compile(r"\bhow many\b", re.I)
_HOW_MANY_WHAT = re.compile(r"\bhow many ([^\W\d_]+)\b", re.I)
_WHAT = re.compile(r"\bwhat\b", re.I)
_ITS = r"(?:the|our|their|his|her|its|my|your|these|those|[\w.-]+['’]s?)\s+"
_ALL_OF = rf"(?:all|both)\s+(?:of\s+)?(?:{_ITS})?(?:[\w-]+\s+){{0,2}}?(?!this\b|plus\b)[\w-]*[a-rtv-z]s\b"
_DOES = r"(?:did|do|does|have|has|had|were|are|is|was|will|would)"
_OF_ALL = re.compile(rf"\bhow (?:much|many (?:{_UNITS}))\b(?:\s+\w+)?\s+{_DOES}\s+{_ALL_OF}", re.I)
"""What several things cost or weigh: "how much did all the parts cost?"."""
_ONE_BY_ONE = re.compile(
    r"\b(?:each|every|per|respectively|and|or|a (?:day|week|month|year|time)|usually|at most|at least)\b", re.I
)
"""What asks for several numbers, or for one of them."""
_CALLED_TOTAL = re.compile(r"\b(?:total\w*|sums?|overall)\b", re.I)
_CALLED_AVERAGE = re.compile(r"\b(?:averages?|avg|mean|median)\b", re.I)


class Reckoned(NamedTuple):
    """What a sentence asks to be reckoned.

    ``how``: None for what cannot be (a median); ``text``: the sentence without the words that ask for it; ``surely``:
    whether nothing but a number can answer it.
    """

    how: Reckoning | None
    text: str
    surely: bool


def asked_reckoning(text: str, relations: Iterable[str] = ()) -> Reckoned | None:
    """What a question asks to be reckoned; None where nothing is, or where a relation, in words, is called so."""
    found = _reckoning_in(text)
    called = _CALLED_TOTAL if found and found.how == "total" else _CALLED_AVERAGE
    return None if found is None or any(map(called.search, relations)) else found


def _reckoning_in(text: str) -> Reckoned | None:
    """What a question asks to be reckoned by its own words."""
    if (added := _ADD_UP.sub("", text)) != text:
        added = _without(_TOGETHER, _WOULD_YOU.sub("", added))
        if _HOW_MANY.search(added) and not _HOW_MUCH.search(added):  # of numbers, or of what is counted
            return Reckoned("total", f"{added.rstrip(' ?.')} altogether?", surely=False)
        return Reckoned("total", added, surely=True)
    if (spent := _TOTAL_SPENT.sub(_how_much, text)) != text:
        return Reckoned("total", _without(_TOGETHER, spent), surely=True)
    plain = _without(_TOGETHER, text)
    if _MEDIAN.search(text) or _AVERAGE.search(text):
        return Reckoned(None if _MEDIAN.search(text) else "average", _without(_AVERAGE, plain), surely=True)
    if (sums := _COMES_TO.sub(r"\1 cost", plain)) != plain:
        return Reckoned("total", sums, surely=plain != text)
    much = bool(_HOW_MUCH.search(text) or _WHAT_MONEY.search(text))
    if plain != text and not much and _HOW_MANY.search(plain):
        return Reckoned("total", text, surely=False)
    if plain != text and (much or (_WHAT.search(text) and not cues.COUNT.search(plain))):
        return Reckoned("total", _without(_TOTAL, plain), surely=much)
    surely = bool(_SUM_OF.search(text) or _OF_ALL.search(text))
    if surely or _TOTAL.search(text):
        plain = _without(_TOTAL, _SUM_OF.sub("the ", text))
        done = _UNITS_OF.sub(_HOW_MANY_DONE, plain)
        return Reckoned("total", done, surely or done != plain)
    return None


def _how_much(found: re.Match[str]) -> str:
    """ "The total we've spent" as "how much have we spent"."""
    have = f"have {found['who']}" if found["who"] else "was"
    return f"{found['before']}how much {have} {found['spent']}"


def of_numbers(
    schema: SchemaView, sentence: Sentence, asked: Reckoned, drafts: list[Draft], affinity: Callable[[Step], float]
) -> list[Draft]:
    """The drafts, and all values of the relations to numbers that are nearest; where surely a number is asked for, only
    those that give numbers, if there are any."""
    numbers = [r for r in schema.relations if schema.value_kind(r) == "number"]
    for relation in sorted(numbers, key=lambda r: (-affinity(Step(r)), r))[:_NEAREST]:
        step, row = Step(relation), (1, relation, 0)
        if all(draft.rows != (row,) for draft in drafts):
            prior = affinity(step) - 0.1
            drafts = [*drafts, Draft((row,), schema.starts(step.back), (step,), ((1, step, 0),), prior=prior)]
    drafts = [*drafts, *_of_several_named(schema, sentence, numbers, affinity)]
    fitting = [d for d in drafts if reckonable(schema, d) and not passes_over(sentence, d)]
    if called := [d for d in fitting if relation_to(d, 0) in _called_so(schema, sentence, numbers)]:
        return called
    if not (asked.surely and fitting):
        return drafts
    if not cues.NOT.search(sentence.text):
        fitting = [d for d in fitting if not d.minus] or fitting
    if _WHAT_MONEY.search(sentence.text):
        fitting = [d for d in fitting if cues.is_money(schema.measure(relation_to(d, 0)))] or fitting
    fitting = _of_payments(schema, sentence, fitting)
    if named := [d for d in fitting if d.links and _is_of_named(sentence, d)]:
        fitting = [d for d in fitting if d.links or d.classes or d.values] or named
    several = {frozenset(d.links) for d in fitting if len(d.answers) > 1}  # what is added up is more than one
    said = {(d.rows, d.filters, d.minus) for d in fitting}
    fitting = [d for d in fitting if len(d.answers) > 1 or frozenset(d.links) not in several]
    return [d for d in fitting if not any((rows, d.filters, d.minus) in said for rows in _without_idle(d))] or fitting


def _of_several_named(
    schema: SchemaView, sentence: Sentence, numbers: Iterable[str], affinity: Callable[[Step], float]
) -> Iterator[Draft]:
    """The numbers of things that a sentence names one beside the other, each of which has the same: what "the kettle
    and the lamp" cost."""
    words = words_in(sentence.text)
    surely = sorted((x.first, x.last, i) for i, x in enumerate(sentence.links) if x.score > _SURE and x.first >= 0)
    beside = [b for a, b in pairwise(surely) if _AND.fullmatch(sentence.text[words[a[1]].end : words[b[0]].start])]
    named = tuple(i for a, b in pairwise(surely) if b in beside or a in beside for i in (a[2], b[2]))
    links = tuple(dict.fromkeys(named))
    nodes = tuple(sentence.links[i].node for i in links)
    for relation in numbers if len(set(nodes)) > 1 else ():
        if schema.heads(relation).issuperset(nodes):
            step = Step(relation)
            yield Draft(
                ((1, relation, 0),), schema.follow(frozenset(nodes), step), (step,), ((1, step, 0),), links,
                unsaid=((1, "in", nodes),), said=(f"of {' and '.join(map(schema.label, nodes))}",),
                prior=affinity(step) + 0.3,
            )  # fmt: skip


def _called_so(schema: SchemaView, sentence: Sentence, numbers: Iterable[str]) -> set[str]:
    """The relations to numbers that are called by the noun behind "how many", where it is no class: the "houses" of
    each round."""
    noun = _HOW_MANY_WHAT.search(sentence.text)
    words = words_in(sentence.text)
    spans = [(words[first].start, words[last].end) for first, last in sentence.classes.values()]
    if noun is None or any(start <= noun.start(1) < end for start, end in spans):
        return set()
    own = {r: folded_words(schema.words(r)) for r in numbers}
    return {r for r, words in own.items() if len(words) == 1 and is_form_of(words[0], fold(noun[1]))}


def _of_payments(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that add up all of another number, where it is asked what was paid, and rows that are
    told to be paid, by a day or to somebody, have one."""
    if not _PAYING.search(sentence.text) or _UNSPENT.search(sentence.text):
        return drafts

    def is_all(draft: Draft) -> bool:
        return len(draft.rows) == 1 and not (draft.links or draft.filters or draft.classes or draft.minus)

    if not any(is_all(d) and _is_paid(schema, d.rows[0][1]) for d in drafts):
        return drafts
    return [
        _of_paid_rows(schema, d) if is_all(d) else d for d in drafts if not is_all(d) or _is_paid(schema, d.rows[0][1])
    ]


def _of_paid_rows(schema: SchemaView, draft: Draft) -> Draft:
    """All of a number, of what has a day of payment, where that is not all that has the number."""
    [(row, relation, _)] = draft.rows
    heads = schema.heads(relation)
    days = [r for r in schema.relations if schema.value_kind(r) == "date" and _PAYING.search(schema.words(r))]
    paid = next((r for r in days if 2 * len(schema.heads(r) & heads) > len(heads)), "")
    if not paid or _PAYING.search(schema.words(relation)) or heads <= schema.heads(paid):
        return draft
    left = schema.follow(heads & schema.heads(paid), Step(relation))
    more = ((row, Step(paid), draft.next_variable),)
    rows: tuple[Row, ...] = (*draft.rows, (row, paid, draft.next_variable))
    return draft.but(rows=rows, steps=(*draft.steps, Step(paid)), routes=(*draft.routes, *more), answers=left)


def _is_paid(schema: SchemaView, relation: str) -> bool:
    """Whether numbers are told to be paid, by their relation or by another one of most of what has them."""
    if _PAYING.search(schema.words(relation)):
        return True
    heads = schema.heads(relation)
    paid = (schema.heads(r) for r in schema.relations if _PAYING.search(schema.words(r)))
    return any(2 * len(heads & rows) > len(heads) for rows in paid)


def _is_of_named(sentence: Sentence, draft: Draft) -> bool:
    """Whether a draft is about something that is written as a name, or where nothing is written so named by a word of
    its own: what Maureen was paid is not all that was paid."""
    written = written_as_names(sentence.text, words_in(sentence.text))
    if not written and sentence.text == sentence.text.lower():
        return any(sentence.links[i].score >= _BY_PART and not sentence.links[i].is_value for i in draft.links)
    return any(sentence.links[i].first in written for i in draft.links)


def _without_idle(draft: Draft) -> Iterator[tuple[Row, ...]]:
    """The patterns of a draft but for one that says no more than that something is had, whatever it is."""
    ends = Counter(end for h, _, t in draft.rows for end in (h, t))
    bound = {v for v, _, right in (*draft.filters, *draft.unsaid) for v in (v, right)}
    for row in draft.rows:
        if any(ends[end] == 1 and end != 0 and isinstance(end, int) and end not in bound for end in (row[0], row[2])):
            yield tuple(r for r in draft.rows if r != row)


def reckoning(schema: SchemaView, sentence: Sentence, asked: Reckoned, readings: list[Ranked]) -> list[Ranked]:
    """The readings, those that give several numbers as the total or average of these; where surely a number is asked
    for, only such."""
    found = []
    for reading in readings:
        draft = reading.draft
        if asked.how == "total" and (numbers := _numbers_counted(schema, draft)):
            found.append(replace(reading, draft=numbers))
        elif asked.how and reckonable(schema, draft) and not passes_over(sentence, draft):
            several = len(draft.answers) > 1 or len(draft.rows) > 1
            found.append(replace(reading, draft=draft.but(form=asked.how)) if several else reading)
        elif asked.how == "total" and (given := _given(schema, sentence, draft)):
            found.append(replace(reading, draft=given))
        elif not asked.surely:
            found.append(reading)
    return found


def of_several_numbers(schema: SchemaView, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
    """The readings, those that give several numbers as their total, where a number of units is asked for: what went on
    two chairs is no answer to "how many metres of the velvet have I used?"."""
    sums = _TOTAL_OF_SEVERAL.search(sentence.text)  # more than one invoice, each of which has its total
    if not (sums or cues.asks_no_money(sentence.text)) or _ONE_BY_ONE.search(sentence.text):
        return readings
    several = [len(r.draft.answers) > 1 and reckonable(schema, r.draft) for r in readings]
    return [replace(r, draft=r.draft.but(form="total")) if s else r for r, s in zip(readings, several, strict=True)]


def _given(schema: SchemaView, sentence: Sentence, draft: Draft) -> Draft | None:
    """Of "what has Hilary given us, all told?" the total of the only money that each of her gifts is told to be; None
    for any other reading."""
    plain = draft.form == "select" and not draft.order and len(draft.answers) > 1
    if not plain or not _GIVEN.search(sentence.text):
        return None
    numbers = [r for r in schema.relations if schema.value_kind(r) == "number" and cues.is_money(schema.measure(r))]
    told = [r for r in numbers if draft.answers <= schema.heads(r)]
    if len(told) != 1:
        return None
    step = Step(told[0])
    moved = move_answer(draft, step).but(steps=(*draft.steps, step), answers=schema.follow(draft.answers, step))
    return moved.but(form="total")


def _numbers_counted(schema: SchemaView, draft: Draft) -> Draft | None:
    """Of "how many people came altogether?" the total of the numbers of people, where a reading counts the evenings
    that have one; None for any other reading."""
    rows = [row for row in draft.rows if row[1] != TYPE]
    if draft.form != "count" or len(rows) != 1 or draft.filters or draft.minus:
        return None
    head, relation, value = rows[0]
    if head != 0 or not isinstance(value, int) or schema.value_kind(relation) != "number":
        return None
    return answering(draft, value, schema.follow(draft.answers, Step(relation))).but(form="total")


def reckonable(schema: SchemaView, draft: Draft) -> bool:
    """Whether a draft answers with numbers that can be added."""
    relation = relation_to(draft, 0)
    several = len(draft.answers) > 1 or (draft.answers and (draft.links or draft.classes or draft.values))
    plain = draft.form == "select" and draft.order is None and several
    if not (plain and relation and schema.value_kind(relation) == "number"):
        return False
    return all(is_number(schema.label(n)) for n in schema.first(draft.answers)[:20])


def says_what(schema: SchemaView, sentence: Sentence, draft: Draft) -> bool:
    """Whether a draft's numbers are those of things that a sentence names, or of a relation that it says or that only
    things of a class which it names have: what is spent on advertising is not told by all that anything costs."""
    words = {word.text for word in words_in(sentence.text)}
    relation = relation_to(draft, 0)
    paid = bool(_MONEY.search(sentence.text)) and not _UNSPENT.search(sentence.text)
    if draft.links or draft.classes or not relation:
        return bool(draft.links or draft.classes)
    return (
        says_relation(schema, words, relation)
        or any(is_form_of(word, name) for name in folded_words(schema.words(relation)) for word in words - STOP_WORDS)
        or any(schema.heads(relation) <= schema.set_of(kind) for kind in sentence.classes)
        or (paid and (cues.is_price(schema.words(relation)) or _is_paid(schema, relation)))
    )


def passes_over(sentence: Sentence, draft: Draft) -> bool:
    """Whether a draft is not about both of two things that a sentence names together: "the kettle and the lamp"."""
    words = words_in(sentence.text)
    used = {sentence.links[i].node for i in draft.links}
    surely = [x for x in sentence.links if x.score > _SURE and x.first >= 0]
    for one, other in permutations(surely, 2):
        between = sentence.text[words[one.last].end : words[other.first].start] if one.last < other.first else ""
        if _AND.fullmatch(between) and len(used & {one.node, other.node}) < 2:
            return True
    return False


def without_together(text: str) -> str:
    """A sentence without "altogether"."""
    return _without(_TOGETHER, text)


def _without(words: re.Pattern[str], text: str) -> str:
    """A sentence without the words that a pattern finds."""
    return re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s{2,}", " ", words.sub(" ", text))).strip()
