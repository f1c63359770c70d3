"""The other one: of two that were told, of the bearers of a name ("the other Duke", "the old one"), or of the only two
of a kind ("the other vet")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import asked_of
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.pronouns import compares_with, pronouns
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References, find_references, replace_other, replace_pronouns
from triplewise.kg.names import fold
from triplewise.tools.query_graph.linking.mentions import folded_words

_MEANT = re.compile(
    r"(?:(?:oh|ah|no|nope|sorry|wait|actually|oops)\b\W*)*(?:i (?:meant?|was (?:asking|thinking) (?:about|of))|"
    r"not th[ai][ts](?: one)?,?(?: but)?)\W+the other [^,?]+?"
    r"(?:,\s+(?P<which>(?:the|our|my|his|her|who|that|with|from|in)\b[^?]*))?"
    r"[.!\s]*",
    re.I,
)
"""Puts right which one was meant, with what may tell it."""
_ASKS_THEN = re.compile(r",\s*(?:and\s+)?(?:who|whom|whose|what|where|when|which|why|how)\b", re.I)


def the_other(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The sentence about the other one, or the last question asked of it."""
    found = list(pairs(things, seen, memory))
    if meant := _MEANT.fullmatch(seen.text.strip()):  # "no, I meant the other Plough, the one with the feathers"
        fit = things.described([new for _, new in found], meant["which"]) if meant["which"] and found[1:] else ""
        found = sorted(found, key=lambda pair: pair[1] != fit)
        asked = (asked_of(things, memory, new, (old,), f"the other one: {things.name(new)}") for old, new in found)
        if same := [i for each in asked for i in each]:
            yield from same
            return
    for old, new in found:
        yield from _about(things, seen, memory, old, new)


def pairs(things: Things, seen: References, memory: Memory) -> Iterator[tuple[str, str]]:
    """(the one that was spoken of, the other one that is meant), the likeliest first."""
    wanted = fold(seen.namesake)
    if wanted == "one" and (told := _told(things, memory)):
        old, *rest = told
        yield from ((old, new) for new in rest)
        return
    for old in memory.focus() if wanted != "one" else ():
        if new := _of_kind(things, old, wanted, _told(things, memory)):
            yield old, new
            return
    for old in dict.fromkeys((*memory.chosen(), *memory.focus())):
        names = {fold(n) for n in (things.kg.label(old), *things.kg.aliases(old))}
        if wanted != "one" and not any(set(wanted.split()) <= set(n.split()) for n in names):
            continue
        for new in _longest_unsaid(memory, things.namesakes(old, "" if wanted == "one" else wanted)):
            yield old, new


def _told(things: Things, memory: Memory) -> list[str]:
    """Of two answers, or of the bearers of a name that was said, the one that was spoken of last, and the others."""
    unsaid: list[tuple[str, ...]] = []
    if (last := memory.last) and len(last.answers) == 2 and last.query and "count" in last.query:
        earlier = {n for turn in memory.turns[:-1] for n in (*turn.topics, *turn.answers)}
        known = [n for n in last.answers if n in earlier]
        if len(known) == 1:  # of two that were counted the one that was not spoken of
            return [known[0], *(n for n in last.answers if n not in known)]
    for back, turn in enumerate(reversed(memory.turns[-4:])):
        pair = turn.answers if back and len(turn.answers) == 2 else ()
        said = {x.node for x in things.names.link(turn.said)} if turn.rivals else set[str]()
        rivals = turn.rivals if said.intersection(turn.rivals) else ()
        unsaid += [turn.rivals] if turn.rivals and not rivals else []  # of "that boat" the user named none
        for group in (pair, rivals, _called(things, turn)):
            if told := _one_of(group, memory) or (_what_they_have(things, group, memory) if group is pair else []):
                return told
    return next((told for group in unsaid if (told := _one_of(group, memory))), [])


def _what_they_have(things: Things, pair: Sequence[str], memory: Memory) -> list[str]:
    """After two visits, and whose the boat of the one is: its boat, and the boat of the other."""
    topics = memory.last.topics if memory.last and len(pair) == 2 else ()
    for one, other in (pair, reversed(pair)) if topics else ():
        for tie in (t for t in things.kg.triples(one, None, None) if t.tail in topics):
            ends = [t.tail for t in things.kg.triples(other, tie.relation, None)]
            if len(ends) == 1 and ends[0] != tie.tail and not things.kg.is_class(tie.tail):
                return [tie.tail, ends[0]]
        for tie in (t for t in things.kg.triples(None, None, one) if t.head in topics):
            ends = [t.head for t in things.kg.triples(None, tie.relation, other)]
            if len(ends) == 1 and ends[0] != tie.head:
                return [tie.head, ends[0]]
    return []


def _one_of(group: Sequence[str], memory: Memory) -> list[str]:
    """The one of some things that was spoken of last, then the others; [] where that is not one."""
    last = memory.last
    for spoken in (last.answers, last.topics) if last and group else ():
        since = [n for n in group if n in spoken]
        if len(since) == 1:
            return [since[0], *_longest_unsaid(memory, [n for n in group if n != since[0]])]
    return []


def _of_kind(things: Things, old: str, noun: str, told: Sequence[str]) -> str:
    """The other of the only two that a noun calls: of a class, of those that a relation leads to, or of those that a
    value calls so, as two are called by the job "driver"; of more than two the other of those that were told."""
    schema, kg = things.names.schema, things.kg
    groups = [set(schema.members(k)) for k in kg.types(old) if noun in folded_words(things.kind_label(k))[-1:]]
    for step in schema.steps(old):
        if step.inverse and noun in folded_words(schema.words(step.relation)):
            groups.append({t.tail for t in kg.triples(relation=step.relation)})
        elif not step.inverse:
            values = [v for v in schema.go(old, step) if fold(kg.label(v)) == noun]
            groups += [{t.head for t in kg.triples(relation=step.relation, tail=v)} for v in values]
    for group in groups:
        others = group - {old} if len(group) == 2 else {*told[1:2]} if old in told[:1] and set(told) <= group else set()
        if len(others) == 1:
            return others.pop()
    return ""


def _called(things: Things, turn: Remembered) -> tuple[str, ...]:
    """The bearers of the name that an earlier turn said after "the other": "and the other Anna?" """
    name = find_references(turn.said).namesake
    if name in ("", "one"):
        return ()
    return next(((n, *others) for n in turn.topics if (others := things.namesakes(n, name))), ())


def _longest_unsaid(memory: Memory, nodes: Sequence[str]) -> list[str]:
    """Things, those first that were not spoken of, or longest ago: of three, "the other one" goes on to the third."""
    said = {n: at for at, turn in enumerate(memory.turns, 1) for n in (*turn.topics, *turn.answers)}
    return sorted(nodes, key=lambda n: said.get(n, 0))


def _about(things: Things, seen: References, memory: Memory, old: str, new: str) -> Iterator[Interpretation]:
    name, how = things.name(new), f"the other one: {things.name(new)}"
    rest, beside = replace_other(seen.bare, name), replace_other(seen.bare, "")
    asks = _ASKS_THEN.search(beside)  # "the other Sam, where does he work?"
    if (
        not asks
        and things.only_names(beside, things.links(beside))
        and (same := list(asked_of(things, memory, new, (old,), how)))
    ):
        yield from same
        return
    if seen.pronouns and seen.pronouns[0][0] < seen.bare.lower().find("the other"):  # "does he know the other one?"
        others = [n for n in memory.focus() if n != new]
        for i in pronouns(things, find_references(rest), memory, others):
            yield replace(i, kind="namesake", how=f"{how}; {i.how}", given=(*i.given, new))
        return
    said = find_references(rest)
    if said.words[:1] in (("he",), ("she",)) and said.words[1:] and not things.may_be_person(new):
        people = things.people(things.fitting(said.words[0], memory.focus()))
        he = people[0] if people else ""  # "what did he do in that one?"
        text, given = replace_pronouns(rest, things.name(he), name) if he else rest, (new, *((he,) if he else ()))
        yield Interpretation(text, "namesake", how, given=given)
        return
    text, given = replace_pronouns(rest, name), (new,)
    if compares_with(rest) and not things.links(rest.replace(name, " ")):  # "the other is older"
        text, given = f"{text.rstrip(' ?.')} than {things.name(old)}", (new, old)
    yield Interpretation(text, "namesake", how, given=given)
