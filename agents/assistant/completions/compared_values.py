"""Two values that were told, held against each other: "is that more than the other?", "which sold more?" """

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import called, swapped
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import TYPE, Filter, Order, Pattern, Variable
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.mentions import is_form_of, words_in
from triplewise.tools.text.verb_forms import is_auxiliary

_TURNS = 5
"""Turns among which the two values are looked for."""
_IS_MORE = re.compile(
    r"(?:(?:is|was|are|were|does|did) (?:that|this|it|those|they)|(?:that|this|it|those|they) (?:is|was|are|were))"
    r"(?: (?:really|even|still|then|much|a lot|any|far))* (?P<more>\w+)(?: \w+)? than (?P<other>[^,.;?!]+?)"
    r"(?: (?:then|one))?\W*",
    re.I,
)
_BEATS = re.compile(r"(?:that|this|it) (?:beats?|tops?|topped|outsold|outdid) (?P<other>[^,.;?!]+?)(?: then)?\W*", re.I)
"""It is more than what another has: "so that beat the spring fair"."""
_ANY_MORE = re.compile(
    r"(?:(?:is|are) there |(?:have|do) (?:we|you|they) (?:got |have )?|has )?(?:any|anything|anyone|something)"
    r"(?: (?P<kind>[a-z]+))??(?: ones?)?(?: (?:that|who|which)(?:['’]s| is| are| was))? "
    r"(?P<more>\w{2,}er|(?:more|less) \w+)(?: ones?)?(?:,? then)?\W*",
    re.I,
)
"""Asks for others that have more: "is there any that's dearer?" """
_OTHER = re.compile(
    r"(?:the (?:other|first|former|previous|earlier|last)|that|(?:for |of )?(?:him|her|it|them|his|hers|its|theirs))"
    r"(?: one)?",
    re.I,
)
"""What was told before, where it has no name."""
_WHICH = re.compile(
    r"(?:which|who|what)(?: (?:ones?|of (?:them|those|these|the two)(?: two)?))? (?P<verb>\w+)(?: the)? (?P<more>\w+)"
    r"(?:(?: one)?,? then)?(?: ones?)?\W*",
    re.I,
)
_OF_ANY = re.compile(r"more|less|fewer|higher|lower|bigger|smaller|greater|larger", re.I)
"""Said of whatever amount was asked about."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A turn that told one value of a thing: ``relation`` leads to the value ``value`` of the query."""

    question: str
    thing: str
    query: QueryGraph
    value: Variable
    relation: str


def compared_values(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The value told last claimed to be more than that of another thing; or which of the two things told last has
    more. Both by the relation that was asked, so that nothing is left to be read."""
    if said := _BEATS.fullmatch(seen.bare):
        yield from _claimed(things, "more", said["other"], memory)
    elif said := _IS_MORE.fullmatch(seen.bare):
        yield from _claimed(things, said["more"], said["other"], memory)
    elif said := _ANY_MORE.fullmatch(seen.bare):
        yield from _any_more(things, said["kind"], said["more"], memory)
    elif said := _WHICH.fullmatch(seen.bare):
        yield from _which(things, said["verb"], said["more"], memory)


def _claimed(things: Things, more: str, other: str, memory: Memory) -> Iterator[Interpretation]:
    last = next(_told(things, memory), None)
    runs = _direction(things, last, more) if last else ""
    if last is None or not runs:
        return
    if _OTHER.fullmatch(other):
        before = next((t for t in _told(things, memory) if t.thing != last.thing and t.relation == last.relation), None)
    else:
        links = things.links(other)
        named = {x.node for x in links} - {last.thing} if things.only_names(other, links) else set()
        alike = [n for n in named if things.kinds(n) & things.kinds(last.thing)]
        before = replace(last, thing=alike[0], query=swapped(last.query, last.thing, alike[0])) if alike else None
    if before is None:
        return
    mine, theirs = (called(t.query, lambda v, i=i: Variable(f"{v.name}_{i}")) for i, t in enumerate((last, before)))
    held = Filter(Variable(f"{last.value.name}_0"), runs, Variable(f"{before.value.name}_1"))
    query = QueryGraph((*mine.patterns, *theirs.patterns), None, "ask", (held,))
    names = things.name(last.thing), things.name(before.thing)
    yield Interpretation(f"{names[0]} is {more} than {names[1]}", "compared", " and ".join(names), query=query)


def _any_more(things: Things, kind: str | None, more: str, memory: Memory) -> Iterator[Interpretation]:
    """Which others of its kind have more, or less, than what was told last."""
    last = next(_told(things, memory), None)
    runs = _direction(things, last, more) if last else ""
    kinds = things.kg.types(last.thing)[:1] if last else ()
    if last is None or not runs or (kind and not kinds) or (kind and things.only_kind(kind) not in ("", *kinds)):
        return
    thing = Variable("other")
    mine, theirs = (
        called(q, lambda v, i=i: Variable(f"{v.name}_{i}"))
        for i, q in enumerate((swapped(last.query, last.thing, thing), last.query))
    )
    other = Variable("other_0")
    held = Filter(Variable(f"{last.value.name}_0"), runs, Variable(f"{last.value.name}_1"))
    typed = [Pattern(other, TYPE, k) for k in kinds]
    query = QueryGraph((*typed, *mine.patterns, *theirs.patterns), other, filters=(held,))
    yield Interpretation(
        f"Any {more} than {things.name(last.thing)}?", "compared", things.name(last.thing), query=query
    )


def _which(things: Things, verb: str, more: str, memory: Memory) -> Iterator[Interpretation]:
    last, before = (*_told(things, memory), None, None)[:2]
    if last is None or before is None or swapped(before.query, before.thing, last.thing) != last.query:
        return
    asked = [w.text for w in words_in(f"{last.question} {things.names.schema.words(last.relation)}")]
    runs = _direction(things, last, more)
    if not runs or not (is_auxiliary(verb.lower()) or any(is_form_of(w, verb.lower()) for w in asked)):
        return
    thing = Variable("told")
    moved = swapped(last.query, last.thing, thing)
    query = replace(
        moved,
        answer=thing,
        filters=(*moved.filters, Filter(thing, "in", (before.thing, last.thing))),
        order=Order(last.value, runs == ">"),
    )
    names = " and ".join(things.name(t.thing) for t in (before, last))
    yield Interpretation(f"Which of {names} {verb} {more}?", "among", names, query=query)


def _direction(things: Things, told: _Told, more: str) -> str:
    """How the values run where one is said to be more, ">" or "<"; "" where the word is of another measure."""
    schema = things.names.schema
    if schema.value_kind(told.relation) in ("date", "year"):
        return cues.direction(more, True)
    words = schema.measure(told.relation)
    fits = _OF_ANY.fullmatch(more) or cues.extreme_number(f"{re.sub('i?er$', '', more)}est", words)
    return cues.direction(more, False, words) if fits else ""


def _told(things: Things, memory: Memory) -> Iterator[_Told]:
    """The turns that told one value of one thing, the last first, each thing once."""
    seen: set[str] = set()
    for turn in reversed(memory.turns[-_TURNS:]):
        told = _value_told(things, turn)
        if told and told.thing not in seen:
            seen.add(told.thing)
            yield told


def _value_told(things: Things, turn: Remembered) -> _Told | None:
    query = QueryGraph.from_json(turn.query) if turn.query else None
    if query is None or query.form != "select" or query.filters or query.minus or query.order or len(turn.answers) != 1:
        return None
    value = query.answer
    relation = next((p.relation for p in query.patterns if p.tail == value), "")
    named = [n for n in query.entities if not things.kg.is_class(n) and not things.kg.is_literal(n)]
    kind = things.names.schema.value_kind(relation) if relation else None
    if value is None or len(named) != 1 or kind not in ("number", "date", "year", "time"):
        return None
    return _Told(turn.question, named[0], query, value, relation)
