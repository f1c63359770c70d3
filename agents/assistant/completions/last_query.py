"""Edits of the last question: counted, asked of another thing or value, its other answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import in_place_of, renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.pronouns import pronouns
from triplewise.agents.assistant.completions.things import WH, Things
from triplewise.agents.assistant.completions.through import swap_listed, swap_through
from triplewise.agents.assistant.completions.told.named_alike import named_alike
from triplewise.agents.assistant.completions.which_do import which_do
from triplewise.agents.assistant.edits import (
    among,
    asked_for,
    beside,
    counted,
    end_asked,
    listed,
    one_of_list,
    opened,
    other_end,
    swapped,
    turned,
    without,
)
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References, replace_pronouns, without_else
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.query_graph.linking.value_mentions import find_values
from triplewise.tools.text.verb_forms import plural
from triplewise.tools.text.yes_no import denies

_FEW = 5
"""Answers of which the others are looked for one by one."""
_TOLD = 3
"""Turns whose things are known when others are asked for."""
_PART = 0.6
"""Score above which a part of a value's name, and nothing beside it, may stand for it: "and on the Grand Union?" """
_OTHER_OF_KIND = re.compile(r"\bother [a-z]", re.I)
""" "Does she mind any other beds?" leaves out every bed that was spoken of, whatever was asked of it."""
_ANY = {"any", "anybody", "other", "more", "anyone", "anything", "others"}
COUNT = re.compile(
    r"^(?:so |and )?how many(?: of (?:them|those|these))?(?: (?:is|are|was|were) (?:that|there|they|those|these))?"
    r"(?: (?:in all|in total|altogether|all told))?(?:,? (?:please|then))?\W*$",
    re.I,
)
_LIST = re.compile(
    r"^(?:(?:who|what|which)(?: (?:ones?|all))?(?: (?:is|are|was|were))?(?: (?:they|those|these|that|it)(?: called)?)?|"
    r"what are their names|(?:their )?names|namely|to wit|(?:may|might|can|could) (?:i|we) have their names|"
    r"(?:list|name|show|give)(?: me)?(?: all)? (?:of )?(?:them|those|these)(?: all)?)"
    r"(?: (?:then|exactly|please|by name))*\W*$",
    re.I,
)
"""After a number: "Who are they?", "Name them." """
_COMPARING = re.compile(
    r"\b(?:(?:\w+er|more|less) than|before|after|since|until|over|under|above|below|at (?:least|most)|up to)\s+$", re.I
)
_WHO = re.compile(r"(?:so |and |but )?whom?\b", re.I)
_WHO_THEN = re.compile(
    r"^(?:(?:so|and|but|oh|ok|okay)\W+)*who(?:se|m)?(?: (?:else|really|actually))?"
    r"(?:['’]s| (?:is|was|did|does|has|had|are|were))?"
    r"(?: (?:it|that|he|she|they))?\W*(?:then)?\W*$",
    re.I,
)


_AND_SHE = re.compile(
    r"\W*(?:and|but|what about|how about)\W+(?:(?:is|was|does|did|has|had|can|what about)(?:n['’]t)? )?"
    r"(?:he|she|him|her)(?: (?:is|was|does|did|has|had|too))?\W*",
    re.I,
)
_WITH_WHOM = re.compile(
    r"^(?:and |so )?(?:together |along )?(?:with (?:whom|who)|whom? (?:else )?with)(?: else)?(?:,? then)?\W*$", re.I
)
_WHICH_END = re.compile(
    r"^(?:so |and )?(?:(?:to|with|by|from|for|of|in|at|on|since) )?(?:whom?|what|which|where|when)"
    r"(?: (?:to|with|by|from|for|of))?(?:,? (?P<then>then)|,? (?:exactly|please))?\W*$",
    re.I,
)
"""After "is he married?": "to whom?"; after a no: "when, then?" """


_BESIDES = re.compile(
    r"(?:(?:and|so|ok)\W+)*(?:(?:which|who|what)(?: ones?)?(?: (?:are|is|was|were)(?: they| it)?)?,? )?"
    r"(?:leaving out|besides|apart from|other than|except(?: for)?|excluding|not counting|aside from) "
    r"(?P<out>[^?]+?)\W*",
    re.I,
)
""" "Which, leaving out Nimbus?" """
_HERS = re.compile(r"(?:['’]s|s['’])\W*$", re.I)
_OTHER_END = re.compile(
    r"(?:(?:and|so|but) )*(?:(?:who|which|what)(?:['’]s| (?:one )?(?:is|was|comes?|came|finished))?|what about) "
    r"(?:at )?(?:the )?(?:(?:very )?bottom|last|worst|lowest|least|other end)(?: (?:one|place))?\W*",
    re.I,
)
"""After "which patrol has the most points?": "and who's bottom?" """


def edits(
    things: Things, seen: References, links: Sequence[Link], last: Remembered, memory: Memory, focus: Sequence[str] = ()
) -> Iterator[Interpretation]:
    """The last question, changed by what the sentence says; ``focus``: what the turns so far were about."""
    query = QueryGraph.from_json(last.query) if last.query else None
    if query and last.task == "verify" and (claimed := _claimed(seen.bare, query)):
        text = f"{last.question.rstrip(' ?.')}, {seen.bare}"
        yield from (Interpretation(text, "count", "what was claimed", query=q) for q in claimed)
        return
    if query and (which := list(which_do(things, seen.bare, last, query))):
        yield from which
    elif query and _AND_SHE.fullmatch(seen.text) and not links:
        yield from _of_another(things, seen, last, query, focus)
        return
    elif last.task == "verify" and _WHO_THEN.match(seen.bare):
        yield from _who_then(things, last, query)
    if query is None:
        return
    if _OTHER_END.fullmatch(seen.bare) and (other := other_end(query)):
        yield Interpretation(f"{last.question.rstrip(' ?.')}, {seen.bare}", "swap", "the other end", query=other)
    if _WITH_WHOM.match(seen.bare) and 0 < len(last.answers) <= _FEW:
        yield from _with_whom(things, query, last)
    if COUNT.match(seen.bare) and query.form == "select":
        yield Interpretation(f"How many: {last.question}", "count", "counted the last answers", query=counted(query))
    if _LIST.match(seen.bare) and query.form != "select" and query.form != "ask" and not query.compare:
        yield Interpretation(f"Which: {last.question}", "count", "listed what was counted", query=listed(query))
    if (besides := _BESIDES.fullmatch(seen.bare)) and query.form in ("select", "count"):
        out = [x.node for x in things.links(besides["out"])]
        if out and (rest := without(listed(query), out)) and query.answer is not None:
            yield Interpretation(f"{last.question.rstrip(' ?.')}, {seen.bare}", "else", "the others", query=rest)
            return
    if links and things.only_names(seen.bare, links):
        for link in links[:3]:
            if not seen.namesake or link.node not in last.topics:
                direct = list(swap(things, query, link.node, last))
                direct = _ends_of(direct, last) if _HERS.search(seen.bare) else direct
                direct = direct or list(swap_listed(things, query, link.node, memory))
                yield from direct or swap_through(things, query, link.node, last, focus)
        yield from _confirmed(things, query, links, last)
    elif alike := list(dict.fromkeys(named_alike(things, seen.bare, last))):
        for node in alike:
            yield from swap(things, query, node, last)
    elif not links and not seen.any and (kind := things.only_kind(seen.bare)):
        yield from _kind_swap(things, query, kind, last)
    yield from value_swaps(things, seen, links, last, query)
    values = [v for v in find_values(seen.bare) if seen.bare[v.start : v.end].lower() != "one"]  # "the night one"
    if seen.pronouns or seen.ordinal or links or WH.search(seen.bare):
        return
    compared = False
    if values:
        for old in find_values(last.question)[:1]:
            start, first = _with_comparison(last.question, old.start), _with_comparison(seen.bare, values[0].start)
            compared = start < old.start and first < values[0].start
            if not compared:
                start, first = old.start, values[0].start
            new = seen.bare[first : values[0].end]
            text = f"{last.question[:start]}{new}{last.question[old.end :]}"
            yield Interpretation(text, "swap", f"{last.question[start : old.end]} → {new}")
    if values and not compared and len(seen.bare.split()) <= 6:
        yield Interpretation(f"{last.question.rstrip(' ?.')} {seen.bare}", "more", "added to the last question")


def _of_another(
    things: Things, seen: References, last: Remembered, query: QueryGraph, focus: Sequence[str]
) -> Iterator[Interpretation]:
    """ "Is he insured?" "And is she?": the same of somebody else who was spoken of."""
    own = [n for n in query.entities if things.people([n])]
    for new in things.fitting(seen.words[0], [n for n in focus if n not in query.entities])[:1] if own else ():
        name = things.name(new)
        text = renamed(last.question, things.called(own[0]), name)
        yield Interpretation(text, "swap", f"{seen.words[0]}: {name}", query=swapped(query, own[0], new))


def _claimed(bare: str, query: QueryGraph) -> list[QueryGraph]:
    """What a question word alone asks of the claim before it."""
    word = _WHICH_END.match(bare)
    if word is None:
        return []
    ends = word.group("then") and not _WHO_THEN.match(bare)  # who asks for the one who was named first
    return opened(query) or (end_asked(query) if ends else [])


def asked_again(things: Things, links: Sequence[Link], last: Remembered) -> Iterator[Interpretation]:
    """A question that was not understood, asked of another thing: it is read anew, since what was offered was not
    taken."""
    query = QueryGraph.from_json(last.offered) if last.offered else None
    for link in links[:3]:
        old = next((n for n in query.entities if things.kinds(n) & things.kinds(link.node)), "") if query else ""
        if old and old != link.node:
            text = renamed(last.question, things.called(old), things.name(link.node))
            yield Interpretation(text, "swap", f"{things.name(old)} → {things.name(link.node)}", (link.node,))


def _with_comparison(text: str, start: int) -> int:
    """Where a value begins with the words before it that compare: "before 2010", "more than 5,000"."""
    match = _COMPARING.search(text[:start])
    return match.start() if match else start


def others(
    things: Things, seen: References, last: Remembered, memory: Memory, focus: list[str]
) -> Iterator[Interpretation]:
    """ "Who else?", "any other beds?": the answers that were not told yet."""
    text = without_else(seen.bare)
    known = tuple(dict.fromkeys((*_told(memory), *(_spoken_of(memory) if _OTHER_OF_KIND.search(seen.bare) else ()))))
    content = [w.text for w in words_in(text) if w.text not in STOP_WORDS and w.text not in _ANY]
    kind_said = [w for w in content if things.names_kind(w)]
    if WH.match(text) and seen.pronouns and len(kind_said) == 1:
        content = [w for w in content if w not in (*kind_said, "got")]  # "which other row's got that?"
    if not seen.pronouns and _is_kind_of(things, text, last.answers):
        content = []
    before = QueryGraph.from_json(last.query) if last.query and len(content) <= 1 else None
    more = before is not None and before.form == "select" and before.answer is not None and bool(last.answers)
    same = more and not content and not seen.pronouns and (not _WHO.match(text) or _are_people(things, last.answers))
    alone = last.answers[0] if len(last.answers) == 1 and _stands_for(things, seen, memory, last.answers[0]) else ""
    fits = not _WHO.match(text) or _are_people(things, last.topics)  # no desk sits there
    if before and alone and not same and fits and (query := turned(before, alone)):
        name = things.name(alone)
        query = _of_people(things, query) if _WHO.match(text) else query
        yield Interpretation(replace_pronouns(text, name), "else", "those not yet told", query=query)
    if before and not content and last.task == "verify" and not {"he", "she"} & set(seen.words):
        for node in reversed([n for n in last.topics if not things.kg.is_literal(n)]):
            if (query := asked_for(before, node)) is not None:
                how = f"besides {things.name(node)}"
                yield Interpretation(f"{last.question} {seen.bare}", "else", how, query=without(query, (node,)))
    of_another = bool(seen.pronouns) and not alone  # "who are the others on it?"
    if alone and _WHO.match(text) and not _are_people(things, last.answers):
        of_another = True  # "who else plays that?" after what she plays
    if before and not content and more and not of_another and not (_WHO.match(text) and _amounts(things, last.answers)):
        rest = without(before, last.answers[: last.shown])
        yield Interpretation(f"{last.question.rstrip(' ?.')}, {seen.bare}", "else", "those not yet told", query=rest)
        return
    for interpretation in (*pronouns(things, seen, memory, focus), Interpretation(text)):
        yield Interpretation(
            without_else(interpretation.text), "else", f"{interpretation.how}; those not yet told".strip("; "),
            interpretation.given, drop=known,
        )  # fmt: skip


def _told(memory: Memory) -> Iterator[str]:
    """What others are asked for besides: what the last question was about, and the answers to older ones that asked by
    a relation of it."""
    led_to = set[str]()
    for back, turn in enumerate(reversed(memory.turns[-_TOLD:])):
        if not back or led_to.intersection(turn.answers):  # whose desk it is, then its room: "who else sits there?"
            yield from (*turn.topics, *turn.answers, *turn.inner)
            led_to = set(turn.topics)
        elif _relations(turn) & _relations(memory.turns[-1]):
            yield from turn.answers


def _spoken_of(memory: Memory) -> Iterator[str]:
    """What the last turns named or told, a few at a time."""
    for turn in memory.turns[-_TOLD:]:
        yield from filter(memory.is_thing, (*turn.topics, *(turn.answers if len(turn.answers) <= _FEW else ())))


def _is_kind_of(things: Things, text: str, answers: Sequence[str]) -> bool:
    """Whether a sentence holds no more than the class of what was told: "any other beds?" asks for the rest of them."""
    kind = things.only_kind(" ".join(w.text for w in words_in(text) if w.text not in _ANY))
    return bool(kind) and bool(answers) and all(kind in things.kinds(n) for n in answers)


def _of_people(things: Things, query: QueryGraph) -> QueryGraph:
    """A query with persons alone among its answers, where it has any: a street is told of bays, too, and none lives
    there."""
    found = execute(things.kg, query).ids
    people = things.people(found)
    return among(query, people) if 0 < len(people) < len(found) else query


def _are_people(things: Things, answers: Sequence[str]) -> bool:
    """Whether all answers are persons, not a club that is called as people are."""
    persons = {*things.people(answers), *things.persons(answers)}
    return all(n in persons and things.has_first_name(n) for n in answers)


def _relations(turn: Remembered) -> set[str]:
    return set(QueryGraph.from_json(turn.query).relations) if turn.query else set()


def _amounts(things: Things, nodes: Sequence[str]) -> bool:
    """Whether all answers are numbers or dates, beside which nobody else is."""
    return all(things.kg.is_literal(n) and not things.is_words(n) for n in nodes)


def _stands_for(things: Things, seen: References, memory: Memory, answer: str) -> bool:
    """Whether a pronoun may stand for an answer: "it" for nobody; a value is a place or a subject of talk ("there",
    "it"), yet nobody does anything as "not fixed", a number or a date; and only what is called as persons are is he or
    she."""
    if seen.words == ("there",) and not things.fitting("there", [answer]):
        return False
    if memory.is_thing(answer) or not seen.pronouns or things.persons([answer]):
        return seen.words[:1] != ("it",) or seen.points or not things.people([answer])
    return things.is_words(answer) and not denies(things.kg.label(answer)) and not {"he", "she"} & set(seen.words)


def value_swaps(
    things: Things, seen: References, links: Sequence[Link], last: Remembered, query: QueryGraph
) -> Iterator[Interpretation]:
    """ "Who works in Lund?" "And Malmö?": another value of the same relation, of which a part of its name is enough."""
    named = things.values(seen.bare, _PART)
    links = [x for x in links if not any(v.overlaps(x) and v.score > x.score for v in named)]  # boots, not Alpina Boots
    if not named or links or seen.pronouns or not things.only_names(seen.bare, named):
        return
    for pattern in query.patterns:
        old = pattern.tail
        for link in named[:3]:
            led_to = isinstance(old, str) and next(things.kg.triples(None, pattern.relation, link.node), None)
            if isinstance(old, str) and led_to and old != link.node:
                text = renamed(last.question, things.called(old), things.name(link.node))
                note = f"{things.name(old)} → {things.name(link.node)}"
                yield Interpretation(text, "swap", note, query=swapped(query, old, link.node))


def _ends_of(found: Sequence[Interpretation], last: Remembered) -> list[Interpretation]:
    """After a claim that nothing of hers was spoken of in ("Ann parks at P6"), "and Mimi's?" asks where she does."""
    if _HERS.search(last.question.rstrip(" ?.!")) or re.search(r"['’]s \w", last.question):
        return list(found)
    asked = ((i, end_asked(i.query)) for i in found if i.query and i.query.form == "ask")
    return [replace(i, query=query) for i, (query, *_) in ((i, ends) for i, ends in asked if ends)] or list(found)


def swap(things: Things, query: QueryGraph, new: str, last: Remembered) -> Iterator[Interpretation]:
    """The last question asked of another thing; nothing is asked of what its answers only leave out."""
    kinds = things.kinds(new)
    kindred = {k for kind in kinds for k in things.names.schema.kindred(kind)}
    asked = _asked_of(query)
    named = [n for n in query.entities if n in asked and not things.kg.is_class(n) and not things.kg.is_literal(n)]
    alike = [n for n in named if not kinds or kinds & things.kinds(n)]
    alike = alike or [n for n in named if kindred & things.kinds(n)]
    # a villa after a cottage: classes are often finer than what one asks of, and what is asked is told of both
    for old in alike or [n for n in named if new in in_place_of(things, query, n)] if new not in named else ():
        text = renamed(last.question, things.called(old), things.name(new))
        how = f"{things.name(old)} → {things.name(new)}"
        until_today = query.span and isinstance(
            query.span.since, str
        )  # which an age is not of everybody: it is read anew
        edited = None
        if not until_today:
            edited = one_of_list(query, old, new) or swapped(_of_any_kind(things, query, old, new), old, new)
        yield Interpretation(text, "swap", how, query=edited)


def _asked_of(query: QueryGraph) -> set[str]:
    """What a query says something of: its things, but for those that are no more than left out of the answers."""
    ends = (e for p in (*query.patterns, *query.minus) for e in (p.head, p.tail) if isinstance(e, str))
    return {*ends, *(n for f in query.filters if f.op == "in" and isinstance(f.right, tuple) for n in f.right)}


def _of_any_kind(things: Things, query: QueryGraph, old: str, new: str) -> QueryGraph:
    """A query without what it says of the class of one thing, where another is not of that class."""
    typing = {TYPE, *things.kg.roles.types}
    kept = tuple(
        p for p in query.patterns if p.head != old or p.relation not in typing or p.tail in things.kg.types(new)
    )
    return replace(query, patterns=kept)


def _kind_swap(things: Things, query: QueryGraph, new: str, last: Remembered) -> Iterator[Interpretation]:
    """ "How many mountains are there?" "And huts?": the same of another class, where the last question said one."""
    said = [p.tail for p in query.patterns if p.head == query.answer and p.relation in (TYPE, *things.kg.roles.types)]
    for old in said:
        if isinstance(old, str) and old != new:
            old_words, new_words = (plural(things.kind_label(k)) for k in (old, new))
            text = renamed(last.question, (old_words,), new_words)
            yield Interpretation(text, "swap", f"{old_words} → {new_words}", query=swapped(query, old, new))


def _confirmed(things: Things, query: QueryGraph, links: Sequence[Link], last: Remembered) -> Iterator[Interpretation]:
    """ "I mean Martin Ruiz", whom the answer took: the same once more, where the words name nothing else."""
    nodes = {link.node for link in links}
    if len(nodes) == 1 and nodes <= set(query.entities):
        yield Interpretation(last.question, "swap", f"{things.name(links[0].node)}, as before", query=query)


def _with_whom(things: Things, query: QueryGraph, last: Remembered) -> Iterator[Interpretation]:
    """ "What did Ann climb?" "With whom?": who else did, where a person was asked about, who is no part of it."""
    named = [n for n in last.topics if n in query.entities]
    for node in things.fitting("who", named)[:1]:
        for answer in last.answers:
            if (asked := beside(query, node, answer)) is not None:
                text = f"Who else: {last.question}"
                yield Interpretation(text, "else", f"besides {things.name(node)}", query=asked)


def _who_then(things: Things, last: Remembered, query: QueryGraph | None) -> Iterator[Interpretation]:
    """ "He is the owner, isn't he?" "No." "Who is, then?": people first, of them the one of whom the claim said that
    something is by him ("did she train him?"), then what it named first."""
    topics = [n for n in last.topics if not things.kg.is_literal(n)]
    places = {n: last.question.casefold().find(things.kg.label(n).casefold()) for n in topics}
    topics.sort(key=lambda n: (places[n] < 0, places[n]))
    fitting = things.fitting("who", topics)
    tails = [p.tail for p in query.patterns if isinstance(p.tail, str) and p.tail in fitting] if query else []
    for node in dict.fromkeys([*tails[-1:], *fitting]):
        asked = asked_for(query, node) if query else None
        name = things.name(node)
        starts = bool(name) and last.question.startswith(name)
        text = f"Who {last.question[len(name) :].strip(' .?')}?" if starts else f"{last.question.rstrip(' .?')}: who?"
        if asked is not None or starts:
            yield Interpretation(text, "else", f"not {name}", query=asked, drop=(node,))
