"""Numbers and dates of a claim that its reading does not hold: "Ivo is at Central and came in 2020" may be read as that
he is at Central."""

from __future__ import annotations

import re

from triplewise.kg.query.graph import QueryGraph
from triplewise.kg.values import compare, parse_value
from triplewise.tools.query_graph.candidates.of_claims.days_claimed import unsaid_day
from triplewise.tools.query_graph.joined.values import joined_days
from triplewise.tools.query_graph.linking.mentions import NameIndex, folded_words, words_in
from triplewise.tools.query_graph.linking.value_mentions import ValueMention, find_values

_FEW = 3.0
"""Up to so many things are named one by one: "has two writers, Ann and Ben"."""
_BESIDE = re.compile(
    r"\bby (?:some |about |around |nearly |over )?$|\bthat is,? (?:\w+ )?$|\bi\.e\.,? (?:\w+ )?$", re.I
)
"""What stands before a difference, or before what says the same again: "older by ten years", "that is, after May"."""
_WHEN = re.compile(r"\b(?:in|on|during|since|until|till|before|after)\s+(?:the\s+)?$", re.I)
"""What stands before the day or year of a deed; "the Rosalba of 1824" is a thing of that year."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def unused_value(text: str, query: QueryGraph, names: NameIndex) -> str:
    """The first value of a claim that its reading neither compares with nor names, days of the week last; "" where
    there is none."""
    schema = names.schema
    held = {parse_value(f.right).key for f in query.filters if isinstance(f.right, str)}
    held |= {parse_value(query.compare[1]).key} if query.compare else set()
    numbers: set[str] = set()
    for node in query.entities:
        held.add(parse_value(schema.label(node)).key)
        numbers.update(_NUMBER.findall(f"{node} {schema.label(node)}"))
    relations = [schema.words(r) for r in query.relations if r in schema.relations]
    for words in relations:  # the "10k" of a "10k time"
        numbers.update(word for word in folded_words(words) if word[0].isdigit())
    used: dict[tuple[int, int], bool] = {}
    for value in find_values(text):
        forms = (*value.texts, value.low, value.high)
        holds = any(parse_value(form).key in held or form in numbers for form in forms)
        holds = holds or text[value.start : value.end].lower() in numbers
        used[value.start, value.end] = used.get((value.start, value.end), False) or holds or _says_nothing(text, value)
    if any(f.op == "in" for f in query.filters):  # one of several days
        used |= {(m.start, m.end): True for days in joined_days(text, find_values(text)) for m in days}
    named = _named(text, names)
    free = [(a, b) for (a, b), is_used in used.items() if not is_used and not any(s <= a and b <= e for s, e in named)]
    dated = (v for v in find_values(text) if not used[v.start, v.end] and _is_of_deed(text, v, query, names))
    told = [*map(schema.label, query.entities), *relations]
    day = unsaid_day(text, " ".join([*told, *(f.right for f in query.filters if isinstance(f.right, str))]))
    return text[slice(*free[0])] if free else next((text[v.start : v.end] for v in dated), day)


def _is_of_deed(text: str, value: ValueMention, query: QueryGraph, names: NameIndex) -> bool:
    """Whether a day or year behind a name says when something was done, and does not tell which thing is meant: the
    2021 of "Ann taught First Aid in 2021", unless First Aid is of that year."""
    if value.kind not in ("date", "year") or not _WHEN.search(text[: value.start]):
        return False
    schema = names.schema
    own = [schema.label(t.tail) for e in query.entities if schema.store.has_entity(e) for t in schema.store.triples(e)]
    days = [label for label in own if parse_value(label).kind in ("date", "year")]
    return not any(compare(day, ">=", value.low) and compare(day, "<=", value.high) for day in days)


def _says_nothing(text: str, value: ValueMention) -> bool:
    """Whether a value may be left out: it counts what is named, or it says again what is said."""
    few = value.kind == "number" and float(value.low) <= _FEW
    return few or _BESIDE.search(text[: value.start]) is not None


def _named(text: str, names: NameIndex) -> list[tuple[int, int]]:
    """Where things are named, with the word before and the two behind, which may tell a thing from its namesakes: "the
    2012 Salt Wife", "Tessari's Rosalba of 1824"."""
    words = words_in(text)
    links = [x for x in names.link(text) if not x.is_value and x.first >= 0]
    return [
        (words[max(0, x.first - 1)].start, words[min(len(words) - 1, x.last + 2)].end) for x in links if x.score > 0.6
    ]
