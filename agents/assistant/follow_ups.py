"""Follow-ups as self-contained questions: every way in which what was said before can complete a sentence.

Where an edit of the last query graph is enough (count it, ask it of another thing, the others, those of them) the
interpretation brings the edited query; else it brings a sentence with names in place of pronouns. Nothing is decided
here: ``agents.assistant.interpreter`` asks the ranker which is meant. ``completions`` has a file for each way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import kindred, told_alike
from triplewise.agents.assistant.completions.bearers import bearers
from triplewise.agents.assistant.completions.compared_values import compared_values
from triplewise.agents.assistant.completions.corrections import corrections
from triplewise.agents.assistant.completions.earlier_query import earlier, earlier_value
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.last_answers import (
    ONE_OF,
    among_answers,
    compared_answers,
    first_to,
    ordinals,
    others_of_list,
    says_extreme,
    superlatives,
    the_one_that_is,
    the_two,
)
from triplewise.agents.assistant.completions.last_query import COUNT, asked_again, edits, others
from triplewise.agents.assistant.completions.own_names import with_aged_names, with_own_names
from triplewise.agents.assistant.completions.pronouns import (
    compared,
    compares_with,
    ellipses,
    pronouns,
    with_names,
)
from triplewise.agents.assistant.completions.reckoned.came_first import came_first
from triplewise.agents.assistant.completions.reckoned.how_much_it_was import how_much_it_was
from triplewise.agents.assistant.completions.reckoned.of_these import of_these
from triplewise.agents.assistant.completions.reckoned.the_most_of_that import the_most_of_that
from triplewise.agents.assistant.completions.reckoned.the_two_called import the_two_called
from triplewise.agents.assistant.completions.reckoned.together import together
from triplewise.agents.assistant.completions.the_other import pairs, the_other
from triplewise.agents.assistant.completions.the_rest import the_rest
from triplewise.agents.assistant.completions.things import WH, Nearness, Things
from triplewise.agents.assistant.completions.told.described import picked_before
from triplewise.agents.assistant.completions.told.leads_to import leads_to
from triplewise.agents.assistant.completions.told.of_whom import of_whom
from triplewise.agents.assistant.completions.told.other_time import other_time
from triplewise.agents.assistant.completions.told.put_first import put_first
from triplewise.agents.assistant.completions.told.speaker import with_speaker
from triplewise.agents.assistant.completions.told.that_value import with_values
from triplewise.agents.assistant.completions.told.those_of_kind import those_of_kind
from triplewise.agents.assistant.completions.told.to_whom import to_whom, whom_then
from triplewise.agents.assistant.completions.told.when_it_was import when_it_was
from triplewise.agents.assistant.completions.where_it_is import where_it_is
from triplewise.agents.assistant.intents.in_one import in_one
from triplewise.agents.assistant.intents.intent import last_sentence
from triplewise.agents.assistant.intents.of_all import says_of_all
from triplewise.agents.assistant.intents.small_talk import accepts
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.namesakes import rivals
from triplewise.agents.assistant.references import References, find_references, without_else
from triplewise.kg.base import KGStore
from triplewise.kg.query import QueryGraph
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.mentions import DAYS_AND_MONTHS, Link, NameIndex, words_in
from triplewise.tools.text.plainer_questions import without_speaker

_LEANS = re.compile(
    r"(?:in|on|at|with|from|by|for|of|to|under|over|against|about|near|until|till|since|before|after|during|without|as)\b",
    re.I,
)
"""What begins so hangs on the question before, whatever it names: "with the red roof?" """
_MEANT = re.compile(
    r"^(?P<said>\W*(?:(?:oh|no|ah|sorry|wait|oops|actually)\b\W*)*"
    r"(?:i meant?|it['’]?s|i(?:['’]m| was) thinking of)\s[^,.;?]{2,40}?)"
    r"(?:\s(?:that\s)?i(?:['’]m| was) (?:thinking of|after)|\si meant)?,\s+"
    r"(?=(?:and |so )?(?:who|whose|what|which|when|where|how)\b)",
    re.I,
)
"""What is put right before it is asked of: "no sorry, I meant the chicken, where was that from?" """
_ONLY_WH = re.compile(
    r"(?:(?:since|until|from|to|by|with) )?(?:who|whom|where|when|why|(?:what|which)(?: (?!happened|won)[\w-]+)?|"
    r"how (?:many|much)(?: [\w-]+)?|how \w+)[\s,]*(?:ones?|then|exactly|actually|from|with|for|last)?\W*$",
    re.I,
)
_LEADS_TO = re.compile(
    r".*[,;:–—-]\s*(?:(?:and|so)\s+)?(?:(?:can|could|would|will) you (?:(?:please|just) )?(?:tell me|say|remind me|see|"
    r"check|find out)|do you know|tell me|any idea)[\s,:]+(?P<asked>(?:who|whom|whose|what|which|when|where|how)\b.*)",
    re.I,
)
"""Says what a question is for before it asks: "I'm after a van, can you tell me who has Heron?" """
_SO = re.compile(
    r".*\b(?:i|we|my|our)\b.*[,;–—-]\s*so[\s,]+(?P<asked>(?:who|whom|whose|what|which|when|where|how)\b.*)", re.I
)
"""Tells of the speaker first: "we've a guest who can't climb stairs, so which rooms are on the ground floor?" """
_GOES_ON = re.compile(r"\W*(?:(?:ok(?:ay)?|oh|ah|right|well|so)\W+)?and\b", re.I)
"""Goes on with what was spoken of, where it names nothing itself: "and how many dropped out?" """
_EXISTS = re.compile(r"^(?:how many|what|which) (?!of\b)\w.* (?:is|are|was|were) there\W*$", re.I)
"""May ask for all that there are: "how many customers are there?" """
_KIND_ASKED = re.compile(r"Which (?P<kind>.+?) (?:is|are|was|were|does|do|did|has|have|had)\b", re.I)
_OF_ALL = re.compile(
    r"(?:(?P<apart>,\s*(?:(?:out )?of|among|amongst|from)|\s(?:out of|among|amongst))|\s(?:of|over|for|than)) "
    r"(?:everybody|everyone|(?:us|you) all|all(?: of)? (?:the|our|your|my) [\w-]+(?: here)?)\W*$",
    re.I,
)
"""Asks of all, whoever was spoken of: "who is the boss of everybody?", "who can dive, out of all the crew?" """
_OF_THEM_ALL = re.compile(r"(?<=\w) (?:out )?of (?:all(?: of)? them|them all)(?=\W*$)", re.I)
"""All of a kind, where no several were spoken of: "which bike is the oldest of all of them?" """
_EXTREME = re.compile(r"\b(?:most|least|the (?:first|last)|\w+est)\b", re.I)
_ONE_THAT = re.compile(
    r"\bthe (?:first|last|latest|newest|only) (?:one|person) (?:(?:in|of|on|from|at|with) |(?:that|who|which|to)\b)",
    re.I,
)
_WITH_SOMEBODY = re.compile(r"(?:and |so )?who\b.*\b(?:with|beside|alongside) (?:him|her|them)\W*$", re.I)
_ONE = re.compile(r"\bone\W*$", re.I)
"""One of the kind that was spoken of: "the Primrose one" may be Primrose's, whatever else is called Primrose."""
_COMPLETE = 3
"""Words from which on a sentence that refers to nothing may stand alone, as may fewer with an extreme of a kind."""


_WHOLE = 5
"""Words from which on a question of an extreme may stand alone though it begins with "and"."""


class FollowUps:
    """Interpretations of sentences over one graph."""

    def __init__(self, kg: KGStore, names: NameIndex, nearness: Nearness | None = None) -> None:
        self.names = names
        self.things = Things(kg, names, nearness)
        self.by_date = self.things.by_date

    def interpretations(self, text: str, memory: Memory) -> list[Interpretation]:
        """All, the most specific first; the sentence alone is among them where it may be complete."""
        text, speaker = with_speaker(self.things, text, memory)
        found = self._interpretations(text, memory)
        told = f"I: {speaker}"
        return [replace(i, how=f"{told}; {i.how}" if i.how else told) for i in found] if speaker else found

    def _interpretations(self, text: str, memory: Memory) -> list[Interpretation]:
        things, text = self.things, _MEANT.sub(r"\g<said>. ", in_one(text))
        text = without_speaker(text)
        leads = _LEADS_TO.match(text) or _SO.match(text)
        if leads and (things.links(leads["asked"]) or find_references(leads["asked"]).any):
            before = " ".join(things.name(x.node) for x in things.links(text[: leads.start("asked")]))
            text = f"{before}. {leads['asked']}" if before and not things.links(leads["asked"]) else leads["asked"]
        asked = self._asked(text)
        seen = find_references(asked)
        of_all = _OF_ALL.search(seen.bare)
        if of_all and of_all["apart"] and not seen.any and not _EXTREME.search(seen.bare):
            text = asked = seen.bare[: of_all.start()]  # that it is asked of all is nothing that it asks
            seen = find_references(asked)
        if (them := _OF_THEM_ALL.search(seen.bare)) and not memory.several():
            text = asked = seen.bare[: them.start()]
            seen = find_references(asked)
        if rest := list(the_rest(seen.bare, memory)):
            return rest
        if place := list(where_it_is(things, seen.bare)):
            return place
        if told := list(corrections(things, text, memory)) or self._bearers(seen, memory):
            return told
        said = with_own_names(things, with_aged_names(things, seen.bare))
        if (whole := with_values(things, with_names(things, said, memory), memory)) != seen.bare:
            text, asked = text.replace(asked, whole), whole
            seen = find_references(asked)
        links = things.links(seen.bare)
        before = text.replace(asked, " ", 1)
        named = [x.node for x in things.links(before) if x not in links]
        other_before = find_references(before)
        other: list[str] = []
        if other_before.namesake and seen.pronouns:  # "now the other Martin. Which film did he suggest?"
            other = [new for _, new in pairs(things, other_before, memory)][:1]
        named = named or (picked_before(things, before, memory) if seen.pronouns else [])
        alone = [Interpretation(find_references(text).bare)]
        if asked != text and links and not seen.any:
            own = WH.match(seen.bare) and not named and not things.values(before)
            alone = [*([] if own else alone), Interpretation(seen.bare)]  # "… still learning. Who is Gaz?"
        last = memory.last
        itself = {x.node for x in links}
        focus = other or [n for n in dict.fromkeys((*named, *memory.focus(6))) if n not in itself]
        if last is None:
            found = list(pronouns(things, seen, memory, focus)) if named and not links else []
            return found or alone
        if measured := list(how_much_it_was(seen, last)) or list(the_most_of_that(things, seen, last)):
            return measured
        if time := list(other_time(things, seen, memory)) or list(of_whom(things, seen, links, memory)):
            return time
        if last.offered and accepts(text):
            query = QueryGraph.from_json(last.offered)
            return [Interpretation(last.question, "swap", "as it was offered", query=query)]
        if things.only_names(seen.bare, links) and (again := list(asked_again(things, links, last))):
            return again
        if alike := list(told_alike(things, seen, links, memory, lambda: self._others(seen, memory, focus))):
            return alike
        if of_kind := list(those_of_kind(things, seen, memory)):
            return of_kind
        if one_of := list(the_one_that_is(things, seen, memory)) or list(of_these(things, seen, memory)):
            return one_of
        if in_time := list(came_first(things, seen, memory)) or list(the_two_called(things, seen, memory)):
            return in_time
        if held := list(compared_values(things, seen, memory)) or (
            [] if links else list(together(things, seen, memory))
        ):
            return held
        if not links and (two := list(the_two(things, seen, memory)) or list(leads_to(things, seen, last))):
            return two
        if not links and (
            other_end := [
                *to_whom(things, seen, last),
                *whom_then(things, seen, last),
                *when_it_was(things, seen, last),
            ]
        ):
            return other_end
        if not seen.namesake and not seen.ordinal and (own := list(put_first(things, seen, links, memory))):
            told = tuple(filter(memory.is_thing, memory.mentioned())) if seen.others else ()
            return [replace(i, text=without_else(i.text), kind="else", drop=told) for i in own] if told else own
        if others_of := list(others_of_list(things, seen, memory)):
            return others_of
        if seen.namesake and (others_named := list(the_other(things, seen, memory))):
            return others_named
        timed = any(w.text in DAYS_AND_MONTHS for w in words_in(seen.bare))
        alike = timed or _ONE.search(seen.bare)
        if alike and (of_time := list(kindred(things, seen, memory, alike=not timed))):  # "the April one" of hers
            return of_time
        found = list(edits(things, seen, links, last, memory, focus)) or list(earlier(things, seen, links, memory))
        found += list(earlier_value(seen, memory))
        named_it = links and things.only_names(seen.bare, links) and not _ONE.search(seen.bare)
        if not found and not named_it and (described := list(kindred(things, seen, memory))):
            return described
        extreme = says_extreme(things, seen)
        if first := list(first_to(things, seen, memory)):
            return first
        if seen.ordinal and not extreme and (nth := list(ordinals(things, seen, memory))):
            return nth
        if seen.others and not found:
            found += others(things, seen, last, memory, focus)
        some = [] if COUNT.match(seen.bare) else list(self._some(seen, memory, focus))
        found += some
        some_of_them = extreme or WH.search(seen.bare) or ONE_OF.search(seen.bare)  # "which of them" asks for some
        whole = not some or not some_of_them
        exists = bool(_EXISTS.search(seen.bare))
        placed = not (exists and links and seen.words == ("there",))  # "how many of Ann's lambs were there?"
        if seen.pronouns and placed and whole and not any(i.kind == "else" for i in found):
            found += [*compared(things, seen, focus)] or pronouns(things, seen, memory, focus)
        leans = _LEANS.match(seen.bare) or (len({x.node for x in links}) == 1 and compares_with(seen.bare))
        superlative = some and not seen.any  # "heaviest?" is said of several
        own = not leans and len(seen.bare.split()) >= _COMPLETE and things.has_own_subject(seen.bare)
        several = {x.node for group in rivals(self.names, seen.bare) for x in group}
        own = own or bool(several and several.isdisjoint(focus))  # "how much is the fern?" of two of them
        own = own or bool(_ONE_THAT.search(seen.bare)) or says_of_all(seen.bare)
        own = own or (of_all is not None and not seen.any)
        if (
            not named
            and not own
            and not seen.any
            and not superlative
            and (leans if links else not things.names_unknown(seen.bare))
        ):
            found += ellipses(things, seen, memory)
        kind = things.names_kind(seen.bare)
        enough = len(seen.bare.split()) >= _COMPLETE and (kind or not _GOES_ON.match(text))
        most = cues.MOST.search(seen.bare) or _EXTREME.search(seen.bare)
        enough = enough or (most and (kind or (WH.match(seen.bare) and len(seen.bare.split()) >= _WHOLE)))
        complete = enough and all(i.kind in ("ellipsis", "more") for i in found)
        of_some = seen.of_them and seen.pronouns and some  # asked of those, it is not asked of all
        if not of_some and (links or not found or complete or exists or things.values(seen.bare)):
            found += alone
        if _WITH_SOMEBODY.match(seen.bare):  # who does it with her is not she
            found = [replace(i, drop=(*i.drop, *things.people(i.given))) if i.query is None else i for i in found]
        return list({(i.text, i.query, i.drop, i.keep, i.each): i for i in found}.values())

    def _bearers(self, seen: References, memory: Memory) -> list[Interpretation]:
        """What is asked of a bearer of a name; of what is called so, where no name of the bearer has these words:
        "and the repress?" after the first press of a record."""
        found = list(bearers(self.things, seen, memory))
        words = {w.text for w in words_in(seen.bare)} - STOP_WORDS - {"one"}
        nodes = [n for i in found for n in i.given]
        if nodes and not words <= self.things.nouns(nodes[0]):
            return list(kindred(self.things, seen, memory, by_name=True)) or found
        return found

    def _others(self, seen: References, memory: Memory, focus: list[str]) -> list[str]:
        """What the other one, else a pronoun, may mean: nothing of what the last question was about."""
        if seen.namesake:
            return [n for i in the_other(self.things, seen, memory) for n in i.given[:1]]
        topics = memory.last.topics if memory.last else ()
        return [n for n in self.things.fitting(seen.words[0], focus) if n not in topics] if seen.pronouns else []

    def _asked(self, text: str) -> str:
        """The sentence that asks; with those before it where it holds no more than "Who?" """
        asked = last_sentence(text)
        before = text[: text.rfind(asked)].strip()
        if before and _ONLY_WH.match(asked) and (find_references(before).any or self.things.links(before)):
            return text
        return asked

    def _some(self, seen: References, memory: Memory, focus: list[str]) -> Iterator[Interpretation]:
        """What is asked of some of the last answers."""
        if seen.of_them:
            yield from among_answers(self.things, seen, memory, focus)
        if not seen.outside:
            yield from list(superlatives(self.things, seen, memory)) or compared_answers(self.things, seen, memory)

    def names_something(self, text: str) -> bool:
        """Whether a sentence names a thing, a value or a class, or refers to what was spoken of."""
        things = self.things
        return bool(find_references(text).any or things.links(text) or things.values(text) or things.names_kind(text))

    def asks_for_value(self, question: str) -> bool:
        """Whether "Which pub has it got?" asks for one of what is no more than a value of the graph, as a pub that is
        among what places have: then it was asked whether it has it, for no thing is a pub."""
        kind = _KIND_ASKED.match(question)
        things = self.things
        values = things.values(kind["kind"]) if kind and not things.names_kind(kind["kind"]) else []
        return bool(kind) and bool(values) and things.only_names(kind["kind"], values)

    def own_links(self, text: str) -> list[Link]:
        """The things that a sentence names itself, surely."""
        return self.things.links(text)

    def spoken_of(self, text: str) -> list[str]:
        """The things that a sentence names, and the persons who are no more than values of the graph."""
        values = (x.node for x in self.things.values(text))
        return [*(x.node for x in self.own_links(text)), *self.things.persons([*values])]

    def people(self, nodes: Sequence[str]) -> list[str]:
        """Those of some things that are of a kind of persons."""
        return self.things.people(nodes)

    def own_names(self, text: str) -> list[str]:
        """The words by which a sentence names them."""
        words = words_in(text)
        return [text[words[x.first].start : words[x.last].end] for x in self.own_links(text)]

    def in_full(self, text: str, node: str) -> str:
        """A sentence with the whole name of a thing that it calls by a part of it, once it is known which is meant:
        the ranker reads "what Ann Holt does" more surely than "what Holt does"."""
        name, words = self.things.name(node), words_in(text)
        link = next((x for x in self.names.link(text) if x.node == node), None)
        if link is None or not name or name.casefold() in text.casefold():
            return text
        return f"{text[: words[link.first].start]}{name}{text[words[link.last].end :]}"

    def about(self, interpretation: Interpretation) -> tuple[str, ...]:
        """The things that a completed sentence is about, those put in and those that it names, in its order: "is A over
        B" is no "is B over A". () where it stands alone, so that its own words are linked."""
        given, text = interpretation.given, interpretation.text
        if not given:
            return ()
        mine = {link.node for link in self.own_links(" ".join(self.things.kg.display(g) for g in given))}
        words = words_in(text)
        places = {g: text.find(self.things.name(g)) for g in given}
        for link in self.own_links(text):
            if link.node not in mine:
                places.setdefault(link.node, words[link.first].start)
        return tuple(sorted(places, key=lambda n: places[n]))
