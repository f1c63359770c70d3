"""Names in place of what stands for them: pronouns, "the horse", "the Velden one", and what a sentence leaves out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import asked_in_turn
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import WH, Things
from triplewise.agents.assistant.memory import Memory, left_out
from triplewise.agents.assistant.references import References, find_references, replace_pronouns
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.mentions import fold_word, folded_words, words_in
from triplewise.tools.query_graph.nameless import is_bare_id
from triplewise.tools.text.verb_forms import is_participle

MAX_FOCUS = 4
"""Things that a pronoun is tried with."""
MAX_EACH = 20
"""Things that a question is asked of one by one."""
_GOES_ON = (
    r"(?:is|was|has|had|have|do|does|did|will|can|go|goes|get|gets|come|comes|run|runs|made|now|then|too|again|"
    r"as well|already|yet|herself|himself|itself|at all|and|or|costs?|lasts?|lasted|takes?|took|starts?|started|"
    r"begins?|began|ends?|ended|"
    r"weighs?|weighed|belongs?|happen(?:s|ed)?)"
)
_DEFINITE = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bare )(?<!['’]s )(?<!\bas )(?<!\bbe )"
    r"(?<!\ball )(?<!\ball of )(?<!\bout of )(?<!\bany of )(?<!\bone of )(?<!\bwhich of )"
    rf"(?:\b(?:the|that|this) (?P<noun>[a-z][\w'’-]{{2,}})\b(?=\s*(?:[?.!,;:]|$)|\s+{_GOES_ON}\b)"
    r"|\b(?:that|this) (?P<shown>[a-z][\w'’-]{2,})\b(?=\s+(?:in|on|at|with|from|by|for|before|after)\b))"
)
"""A noun that is not what something is said to be, and not said more exactly: "the horse", not "the horse of"; after
"that" more may be said, as in "that horse in spring"; nor is it any of them, as in "all the staff"."""
_TOGETHER = re.compile(
    r"\b(?:same|common|share|shared|together|between|each other|one another|meet|met|both|differ\w*)\b", re.I
)
_WITH_ANOTHER = re.compile(r"\b(?:as|with|than)\b", re.I)
_BOTH = re.compile(r"\s*\bboth(?: of)?\b(?=\s+\w)", re.I)
_BOTH_AT_END = re.compile(r"(?<!\bthey )(?<!\bthem )\bboth\W*$", re.I)
_BOTH_DONE = re.compile(
    r"(?:have|has) (?:he|she|they|we|you) (?P<verb>\w+)(?P<to> (?:for|to|in|at|on|with))? "
    r"both of (?:them|those|these)\b",
    re.I,
)
_BOTH_OF_THEM = re.compile(r"\bboth of (?:them|those|these)\b", re.I)
_MET = re.compile(
    r"\b(?:same|common|share|shared|together|between|each other|one another|meet|met|differ\w*|married|related)\b", re.I
)
"""What two do or are only with each other."""
_OF_ONE = {"were": "was", "are": "is", "do": "does", "have": "has"}
_THEY_VERB = re.compile(
    r"\b(?:are|were|do|have)(?=(?:n['’]t)? they\b)|"
    r"(?<!\bdo they )(?<!n['’]t they )(?<!\bdid they )(?<!\bcan they )(?<!\bwill they )(?<!\bwould they )"
    r"(?<!\bhave they )(?<=\bthey )(?:are|were|do|have)\b",
    re.I,
)
_THERE = re.compile(r"(?P<at>\b(?:in|at|from|near|to|over|up|down) )?\bthere\b", re.I)
_SINCE_WHEN = re.compile(
    r"(?:(?:since|until|till|from|up to) (?:when|what (?:date|day|month|year))|when|(?:for )?how long(?: for)?)"
    r"(?:,? (?:then|exactly|actually|please))?\W*",
    re.I,
)
"""Asks when a fact held, and names no other."""
_THAT_ONE = re.compile(r"(?:that|this) one(?:['’]s)?", re.I)
"""One of several, not anything that was spoken of."""
_THAN = re.compile(r"(?:so )?(?:\w+er|(?:more|less)(?: \w+)?) than (?:he|him|she|her|it|that|they|them)\b", re.I)
_COMPARED = re.compile(r"\bthan\b|\bsame\b.*\bas\b", re.I)
_LACKS_SUBJECT = re.compile(
    r"(?:(?P<adjective>(?!other)\w{3,}er)|more|less|fewer|(?:the )?same)\b(?!.*\b(?:who|which|what)\b)"
    r".*\b(?:than|as)\b",
    re.I,
)
""" "Heavier than F-0251?", "same town as Bo?" are said of what was spoken of."""
_HOW = re.compile(
    r"(?P<how>how (?:big|large|small|high|tall|deep|long|wide|heavy|old|fast|steep|strong|expensive|cheap|hot))\W*",
    re.I,
)
_DONE_BY = re.compile(r"(?P<done>[\w-]+)(?P<to> (?:after|down|for|in|off|on|out|over|up))? by\W*", re.I)
""" "Paid for by?" asks for who does it."""
_BEFORE = re.compile(r"(?:before|after) (?!that\b|this\b|then\b|\d)", re.I)
_WHEN_DID = re.compile(r"\W*(?:(?:and|so|but) )*when (?:did|was|were|is|are|does|do) (?P<what>.+?)\W*$", re.I)
""" "When did Callum start?" "So before Priya?" """
_HE_AND_HIM = re.compile(
    r"\b(?:he\b[^,.;?]* him\b|she\b[^,.;?]* her\b(?=\W*$| (?:once|then|too|as well|in|at|on)\b))", re.I
)
_OBJECT = re.compile(r"him|her", re.I)
_PAIRED = 3
"""Persons of whom one does something to another."""
_AT = re.compile(r"\b(?:at|in)(?: (?:the|our))? $", re.I)
_THEY_DO = re.compile(r"(?<!\bare )(?<!\bwere )\bthey\b(?! (?:are|were|cost)\b)", re.I)


def pronouns(things: Things, seen: References, memory: Memory, focus: list[str]) -> Iterator[Interpretation]:
    """The sentence with a name for each pronoun; ``focus``: what may be meant, what the turn itself named first."""
    if not seen.pronouns:
        return
    one_by_one = list(_each(things, seen, memory))
    yield from one_by_one
    if not one_by_one and (several := _several(things, seen, memory)):
        names = " and ".join(things.name(n) for n in several)
        yield Interpretation(replace_pronouns(seen.bare, names), "pronoun", _named(things, several), several)
        if _TOGETHER.search(seen.bare) and not _WITH_ANOTHER.search(seen.bare):
            return  # nobody is alone in the same band
    if seen.only_both:
        return
    passed = memory.passed_over()
    focus = [n for n in focus if n not in passed]
    word, *others = seen.words
    if word == "it":  # the row that ties the drill to who has it was never spoken of
        focus = sorted(focus, key=lambda n: is_bare_id(things.kg.label(n)) and not memory.was_told(n))
    if word == "there":
        focus = [*dict.fromkeys((*_places(things, memory), *focus))]
    if word in ("he", "she"):
        focus = [*dict.fromkeys((*_persons(things, memory), *focus))]
        focus = _named_first(things, seen, word, memory, focus)
        focus = _claimed_of(things, word, memory) or focus
    if all(_THAT_ONE.fullmatch(seen.bare[slice(*span)]) for span in seen.pronouns):
        focus = _picked(things, memory) or focus
    if _HE_AND_HIM.search(seen.bare):
        yield from _one_and_another(things, seen, focus)
        return
    apart = {n for i in one_by_one for n in i.each}
    if one_by_one and (place := _place(things, seen, memory, apart)):
        apart.add(place)  # where "they" are
    fit = [n for n in _fitting(things, seen, word, focus) if n not in apart][:MAX_FOCUS]
    for node in fit:
        name = things.name(node)
        second = next((n for o in others[:1] if o != "they" for n in _fitting(things, seen, o, focus) if n != node), "")
        also = things.name(second) if second else ""
        how = f"{word}: {name}" + (f"; {others[0]}: {also}" if also else "")
        said = _of_one(seen.bare) if word == "they" and name else seen.bare
        given = (node, *((second,) if second else ()))
        place = _place(things, seen, memory, given)
        if name and place:
            yield Interpretation(replace_pronouns(_placed(things, said, place), name, also), "pronoun", how, given)
        text = replace_pronouns(said, name or seen.bare[slice(*seen.pronouns[0])], also)
        yield Interpretation(text, "pronoun", how, given)
    for other in [] if fit or one_by_one else others[:1]:  # "bless him, who found it?", where nobody was spoken of
        for node in _fitting(things, seen, other, focus)[:MAX_FOCUS]:
            name = things.name(node)
            yield Interpretation(replace_pronouns(seen.bare, "", name), "pronoun", f"{other}: {name}", (node,))


def _of_one(bare: str) -> str:
    """What "they" do, as one does it: "how long have they been here?" is asked of one as "how long has …"."""
    return _THEY_VERB.sub(lambda m: _OF_ONE[m.group().lower()], bare)


def _place(things: Things, seen: References, memory: Memory, others: Collection[str]) -> str:
    """What "there" means beside another pronoun, which means ``others``: "how long have they been there?" "" where it
    stands alone, or no place was spoken of."""
    words = {seen.bare[slice(*span)].lower() for span in seen.pronouns}
    if "there" not in words or words == {"there"}:
        return ""
    named = [n for n in memory.last.topics if things.is_words(n)] if memory.last else []  # a town may be but a value
    places = things.fitting("there", [n for n in dict.fromkeys((*memory.focus(), *named)) if n not in others])
    return next((n for n in places[:1] if things.name(n) and not things.may_be_person(n)), "")


def _placed(things: Things, bare: str, place: str) -> str:
    """The sentence with a place for "there"."""
    return _THERE.sub(lambda m: f"{m['at'] or 'at '}{things.name(place)}", bare, count=1)


def _one_and_another(things: Things, seen: References, focus: list[str]) -> Iterator[Interpretation]:
    """ "He taught him": nobody does so to himself."""
    word, *_ = seen.words
    people = things.people(focus)
    may_be = {*(_fitting(things, seen, word, focus) if len(people) < 2 else ()), *people}
    fit = [n for n in focus if n in may_be][:_PAIRED]  # who was told last does it to who was asked about
    (start, end) = next(span for span in seen.pronouns[1:] if _OBJECT.fullmatch(seen.bare[slice(*span)]))
    for one in fit:
        for other in (n for n in fit if n != one):
            said = f"{seen.bare[:start]}{things.name(other)}{seen.bare[end:]}"
            how = f"{word}: {things.name(one)}; {things.name(other)}"
            yield Interpretation(replace_pronouns(said, things.name(one)), "pronoun", how, (one, other))


def _fitting(things: Things, seen: References, word: str, focus: list[str]) -> list[str]:
    if word == "they" and _THEY_DO.search(seen.bare):
        return things.acting_first(focus)
    return things.fitting("that" if word == "it" and seen.points else word, focus)


def _named(things: Things, several: Sequence[str]) -> str:
    return f"they: {' and '.join(things.name(n) for n in several)}"


def _several(things: Things, seen: References, memory: Memory) -> tuple[str, ...]:
    """What "they" means of the last turn: its answers, or where "both" is said, what it asked about and the answer;
    else the last two of one kind that were spoken of."""
    last = memory.last
    if last is None or not seen.plural:
        return ()
    answers = [n for n in last.answers[:5] if memory.is_thing(n)]
    if seen.both and {x.node for x in things.links(seen.bare)} & set(answers):
        return (
            asked_in_turn(*memory.turns[-2:]) if len(memory.turns) > 1 else ()
        )  # "so Priya voted for both of them", of the films that were asked about
    if 2 <= len(answers) <= 4:
        return tuple(answers)
    if seen.both and len(memory.turns) > 1 and (pair := asked_in_turn(*memory.turns[-2:])):
        return pair  # who was on the one incident, then on the other
    found = tuple(dict.fromkeys((*(n for n in last.topics if memory.is_thing(n)), *answers)))
    if seen.both and len(found) == 2:
        return found
    if not (seen.both or _TOGETHER.search(seen.bare)):
        return ()
    focus = memory.focus()
    pairs = ((old, new) for i, old in enumerate(focus) for new in focus[:i] if things.kinds(old) & things.kinds(new))
    return next(pairs, ())


def _picked(things: Things, memory: Memory) -> list[str]:
    """The one of several that the last turn picked by its words: "and the other Anna?" """
    last = memory.last
    said = find_references(last.said) if last else None
    if last is None or said is None or not (said.namesake or said.ordinal):
        return []
    if said.namesake:
        named = [n for n in last.topics if things.namesakes(n, "" if said.namesake == "one" else said.namesake)]
        told = {n for t in memory.turns[-4:-1] if len(t.answers) > 1 for n in t.answers}
        return named or [n for n in last.topics if n in told]  # the other of two wines
    listed = memory.turns[-2].answers if len(memory.turns) > 1 else ()
    return [n for n in last.topics if n in listed]


def _places(things: Things, memory: Memory) -> list[str]:
    """The last answers where they are words: a town may be no more than a value of the graph."""
    answers = memory.last.answers if memory.last else ()
    return [n for n in answers if things.is_words(n)] if len(answers) <= 3 else []


def _persons(things: Things, memory: Memory) -> list[str]:
    """The one answer, else what was named, of the last turns, where a person is no more than a value of the graph."""
    found: list[str] = []
    values: list[str] = []
    for turn in reversed(memory.turns[-2:]):
        found += turn.answers if len(turn.answers) == 1 and memory.is_thing(turn.answers[0]) else ()
        own = things.persons([n for n in (*turn.answers[:1], *turn.topics) if not memory.is_thing(n)])
        found, values = found + own, values + own
    return found if values else []


def _claimed_of(things: Things, word: str, memory: Memory) -> list[str]:
    """Of whom the last turn claimed something by the same pronoun: "he's Hamza's dad", and whose dad is he then?"""
    last = memory.last
    if last is None or last.task != "verify" or word not in find_references(last.said).words:
        return []
    said = set(folded_words(last.said))
    return [n for n in last.topics if memory.is_thing(n) and said.isdisjoint(folded_words(things.name(n)))]


def _named_first(things: Things, seen: References, word: str, memory: Memory, focus: list[str]) -> list[str]:
    """What the last question named before its answers, where the pronoun may stand for several of these: one of them
    would be told from the others."""
    last = memory.last
    listed = set(_fitting(things, seen, word, list(last.answers))) if last and len(last.answers) > 1 else set()
    named = [n for n in focus if last and n in last.topics and n not in last.answers] if len(listed) > 1 else []
    return [*dict.fromkeys((*named, *focus))]


def _each(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "Who is their boss?": asked of each of the last answers, where nothing says that they are meant together. "Were
    they both sold?" claims it of each of two."""
    if not WH.search(seen.bare) and (end := _BOTH_AT_END.search(seen.bare)):
        two = _several(things, seen, memory)
        if len(two) == 2 and (name := things.name(two[0])) and len(seen.pronouns) == 1:  # "so Callum leads both"
            text = f"{seen.bare[: end.start()]}{name}"
            yield Interpretation(text, "pronoun", _named(things, two), (two[0],), each=two)
        return
    if not WH.search(seen.bare) and _BOTH.search(seen.bare) and not _MET.search(seen.bare):
        two = _several(things, seen, memory)
        if len(two) == 2 and (both := _BOTH_OF_THEM.search(seen.bare)) and things.name(two[0]):
            text = f"{seen.bare[: both.start()]}{things.name(two[0])}{seen.bare[both.end() :]}"
            if (done := _BOTH_DONE.match(seen.bare)) and is_participle(done["verb"].lower()) and memory.is_theirs(two):
                text = f"is {things.name(two[0])} {done['verb']}{done['to'] or ''}{seen.bare[done.end() :]}"
                yield Interpretation(text, "pronoun", _named(things, two), (two[0],), each=two)
                return
            if (beside := find_references(text)).pronouns:  # "have they paid for both of them?"
                others = [n for n in memory.focus() if n not in two]
                for i in pronouns(things, beside, memory, others):
                    if not set(i.given) & set(two):
                        yield replace(i, given=(two[0], *i.given), each=two)
                return
        if seen.words[:1] == ("they",) and len(two) == 2 and (name := things.name(two[0])):
            text = re.sub(
                r"^(they )?(\w+)",
                lambda m: (m[1] or "") + _OF_ONE.get(m[2].lower(), m[2]),
                _BOTH.sub("", seen.bare, count=1),
            )
            yield Interpretation(replace_pronouns(text, name), "pronoun", _named(things, two), (two[0],), each=two)
        return
    if not WH.search(seen.bare) or (seen.both and not seen.owned) or _TOGETHER.search(seen.bare):
        return
    nodes = [n for n in memory.last.answers if memory.is_thing(n)] if memory.last else []
    them = seen.words[:1] == ("they",)
    if memory.last and seen.words == ("there",) and things.fitting("there", nodes) == nodes:
        them = not _says_place(things, memory.last.question)
    if them and 2 <= len(nodes) <= MAX_EACH and (name := things.name(nodes[0])):
        said, place = _of_one(seen.bare), _place(things, seen, memory, nodes)
        text = replace_pronouns(_placed(things, said, place) if place else said, name)
        yield Interpretation(text, "pronoun", f"each of the {len(nodes)} before", (nodes[0],), each=tuple(nodes))


def _says_place(things: Things, question: str) -> bool:
    """Whether a question asks what is at a place: then "there" is that place, not what is there."""
    words = words_in(question)
    return any(_AT.search(question[: words[x.first].start]) for x in things.links(question) if x.first >= 0)


def compared(things: Things, seen: References, focus: list[str]) -> Iterator[Interpretation]:
    """ "Older than him": the subject is left out, and is another thing of the pronoun's kind."""
    if not _THAN.match(seen.bare):
        return
    for node in things.fitting(seen.words[0], focus)[:MAX_FOCUS]:
        subject = next((n for n in focus if n != node and things.kinds(n) & things.kinds(node)), "")
        if subject and things.name(subject) and things.name(node):
            text = f"{things.name(subject)} is {replace_pronouns(seen.bare, things.name(node))}"
            yield Interpretation(text, "pronoun", f"{things.name(subject)} and {things.name(node)}", (subject, node))


def _of_fact(things: Things, bare: str, memory: Memory) -> list[str]:
    """What "since when?" asks of where the graph tells dates of it: the row that the last answer stands in, else what
    the last question was about, rather than the answer itself; not what that only left out of its answers."""
    last = memory.last
    if last is None or not _SINCE_WHEN.fullmatch(bare):
        return []
    out = left_out(last)
    for nodes in (last.inner, [n for n in last.topics if n not in out]):
        if dated := [n for n in nodes if things.is_dated(n)]:
            return dated
    return []


def ellipses(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The sentence said of each thing that was spoken of: "born when?" It is said of one thing, so that what the last
    question was about comes before several answers, or what was only counted."""
    last, focus = memory.last, memory.focus()
    if last and _BEFORE.match(seen.bare) and (asked := _WHEN_DID.match(last.question)):
        yield Interpretation(f"{asked['what']} {seen.bare}", "swap", "what was asked when it was")
        return
    if last and (len(last.answers) > 1 or "count" in (last.query or ())):
        focus = [*dict.fromkeys((*(n for n in focus if n in last.topics), *focus))]
    passed = memory.passed_over()
    focus = _of_fact(things, seen.bare, memory) or [n for n in focus if n not in passed] or focus
    for node in focus[:MAX_FOCUS]:
        name = things.name(node)
        text = f"{seen.bare.rstrip(' ?!.')}, {name}?" if name else seen.bare
        if name and (how := _HOW.fullmatch(seen.bare)):
            text = f"{how['how']} is {name}?"
        if name and (by := _DONE_BY.fullmatch(seen.bare)) and is_participle(by["done"].lower()):
            text = f"who is {name} {by['done'].lower()}{by['to'] or ''} by?"
        if name and (lacking := _LACKS_SUBJECT.match(seen.bare)):  # whose side it is on decides what is compared
            text = f"{name} {'is' if lacking['adjective'] else 'has'} {seen.bare}"
        yield Interpretation(text, "ellipsis", f"about {name or 'the same'}", (node,))


def with_names(things: Things, bare: str, memory: Memory) -> str:
    """The sentence with a name for "the horse", where that is a word of what was spoken of, the latest first."""

    def put(match: re.Match[str]) -> str:
        word = fold_word(match.group("noun") or match.group("shown"))
        if word in STOP_WORDS or things.links(match.group()):
            return match.group()
        node = next((n for n in known if word in things.nouns(n)), "")
        node = node or next((n for n in known if things.is_compound_of(n, word)), "")
        return things.name(node) or match.group()

    answers = (a for t in reversed(memory.turns[-3:]) if len(t.answers) <= 20 for a in t.answers)
    known = [n for n in dict.fromkeys((*memory.focus(6), *answers)) if memory.is_thing(n)]
    return _DEFINITE.sub(put, bare) if known else bare


def compares_with(text: str) -> bool:
    """Whether a sentence compares something with what it names, and names no other: "So above Saaz." """
    told = cues.direction(text, False) or cues.direction(text, True) or _COMPARED.search(text)
    return bool(told) and not WH.search(text)
