"""Follow-ups as self-contained questions: every way in which what was said before can complete a sentence.

Where an edit of the last query graph is enough (count it, ask it of another thing, the others, those of them) the
interpretation brings the edited query; else it brings a sentence with names in place of pronouns. Nothing is decided
here: ``agents.assistant.interpreter`` asks the ranker which is meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from triplewise.agents.assistant.edits import counted, swapped, turned
from triplewise.agents.assistant.intent import last_sentence
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.namesakes import best_fit
from triplewise.agents.assistant.references import (
    References,
    find_references,
    replace_ordinal,
    replace_other,
    replace_pronouns,
    without_else,
    without_of_them,
)
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold, one_line
from triplewise.kg.query import QueryGraph
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.mentions import Link, NameIndex, fold_word, words_in
from triplewise.tools.query_graph.value_mentions import find_values
from triplewise.tools.text.persons import Persons

Kind = Literal["alone", "pronoun", "ellipsis", "swap", "count", "else", "among", "namesake", "more", "ordinal"]
_COUNT = re.compile(
    r"^(?:so |and )?how many(?: of (?:them|those|these))?(?: (?:is|are|was|were) (?:that|there|they|those|these))?"
    r"(?: (?:in all|in total|altogether|all told))?\W*$",
    re.I,
)
_CORRECTION = re.compile(
    r"\b(?:i (?:mean|meant)|not (?:that|him|her|it)|rather|instead|what about|how about|same for|"
    r"and for|the same|of course|"
    r"with|for|or|in|at|on|from|the|only|just|sorry|no|and|is it|her|his|one|them)\b",
    re.I,
)
_WH = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.I)
_WHO_THEN = re.compile(
    r"^(?:so |and |but )?who (?:is|was|did|does|has|had|are|were)(?: it| that)?\W*(?:then)?\W*$", re.I
)
_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "latter": -1}
_DEFINITE = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bare )(?<!['’]s )(?<!\bas )(?<!\bbe )\b(?:the|that|this) (?P<noun>[a-z][\w'’-]{2,})\b"
    r"(?=\s*(?:[?.!,;:]|$)|\s+(?:is|was|has|had|have|do|does|did|will|can|go|goes|get|gets|come|comes|run|runs|made|now|then|"
    r"too|again|herself|himself|itself|at all|and|or)\b)"
)
"""A noun that is not what something is said to be, and not said more exactly: "the horse", not "the horse of"."""
_DESCRIBED = re.compile(
    r"\b(?:the|that) (?P<words>(?!other\b)[\w'’-]+(?: [\w'’-]+){0,2}?) one\b(?!s)"
    r"|^(?:the|that) (?P<first>[\w'’-]+(?: [\w'’-]+){0,2}),",
    re.I,
)
_AGE = re.compile(r"(?P<new>new|newest|recent|young|youngest)|old|oldest", re.I)
_TELLING = 5.0
"""Bits from which on a part of a name stands for it."""
MAX_FOCUS = 4
"""Things that a pronoun is tried with."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to complete a sentence. ``text`` stands alone; ``how`` says what was put in; ``given``: the ids that
    were; ``query``: an edit of the last one, which needs no reading; ``keep``: only these may be answers; ``drop``:
    these may not."""

    text: str
    kind: Kind = "alone"
    how: str = ""
    given: tuple[str, ...] = ()
    query: QueryGraph | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


class FollowUps:
    """Interpretations of sentences over one graph."""

    def __init__(self, kg: KGStore, names: NameIndex) -> None:
        self.kg, self.names = kg, names
        self.persons = Persons(names.schema)

    def interpretations(self, text: str, memory: Memory) -> list[Interpretation]:
        """All, the most specific first; the sentence alone is always among them."""
        asked = last_sentence(text)
        seen = find_references(asked)
        if (whole := self._with_names(seen.bare, memory)) != seen.bare:
            text, asked = text.replace(asked, whole), whole
            seen = find_references(asked)
        links = self.own_links(seen.bare)
        named = [x.node for x in self.own_links(text.replace(asked, " ", 1)) if x not in links]
        alone = [Interpretation(find_references(text).bare)]
        if asked != text and links and not seen.any:
            alone.append(Interpretation(seen.bare))
        last = memory.last
        itself = {x.node for x in links}
        focus = [n for n in dict.fromkeys((*named, *memory.focus(6))) if n not in itself]
        if last is None:
            found = list(self._pronouns(seen, memory, focus)) if named and not links else []
            return found or alone
        if not seen.namesake and not seen.ordinal and (own := list(self._put_first(seen, links, memory))):
            return own
        found = [*self._edits(seen, links, last, memory)]
        if any(i.kind == "namesake" for i in found):
            return [i for i in found if i.kind == "namesake"]
        if seen.ordinal and (nth := list(self._ordinals(seen, memory))):
            return nth
        if seen.others and not found:
            found += self._others(seen, last, memory, focus)
        if seen.of_them and not _COUNT.match(seen.bare):
            found += self._among(seen, last)
        if seen.pronouns and not any(i.kind == "else" for i in found):
            found += self._pronouns(seen, memory, focus)
        one_side = len({x.node for x in links}) == 1 and _compares_with(seen.bare)
        if not named and not seen.any and (not links or one_side):
            found += self._ellipses(seen, memory)
        if links or not found or self._names_value(seen.bare):
            found += alone
        return list({(i.text, i.query, i.drop, i.keep): i for i in found}.values())

    def _with_names(self, bare: str, memory: Memory) -> str:
        """The sentence with a name for "the horse", where that is a word of what was spoken of, the latest first."""

        def put(match: re.Match[str]) -> str:
            word = fold_word(match.group("noun"))
            if word in STOP_WORDS or self.own_links(match.group()):
                return match.group()
            node = next((n for n in known if word in self._nouns(n)), "")
            return self._name(node) or match.group()

        answers = (a for t in reversed(memory.turns[-3:]) if len(t.answers) <= 20 for a in t.answers)
        known = [n for n in dict.fromkeys((*memory.focus(6), *answers)) if memory.is_thing(n)]
        return _DEFINITE.sub(put, bare) if known else bare

    def _nouns(self, node: str) -> set[str]:
        """What a thing may be called for short: the words of its names, and its kinds of one word."""
        names = (self.kg.label(node), self.kg.display(node), *self.kg.aliases(node))
        return {w.text for n in names for w in words_in(n)} | {fold_word(self.kg.label(t)) for t in self.kg.types(node)}

    def own_links(self, text: str) -> list[Link]:
        """The things that a sentence names itself, surely: by most of a name, or by a telling part of one name only."""
        links = [x for x in self.names.link(text) if not x.is_value and x.weight >= 2.0]
        at = Counter((x.first, x.last) for x in links)
        return [x for x in links if x.score >= 0.6 or (x.weight >= _TELLING and at[x.first, x.last] == 1)]

    def _put_first(self, seen: References, links: list[Link], memory: Memory) -> Iterator[Interpretation]:
        """What a sentence names before it asks: "P-0340, how big was that?", "the Velden one, how far is it?" """
        one = _DESCRIBED.search(seen.bare)
        if one and not self.own_links(one.group()):
            node = self._described(one.group("words") or one.group("first"), memory)
            if node and (name := self._name(node)):
                rest = seen.bare[one.end() :].strip(" ,")
                if one.start() or not rest:
                    text = f"{seen.bare[: one.start()]}{name}{seen.bare[one.end() :]}"
                elif find_references(rest).pronouns:
                    text = replace_pronouns(rest, name)
                else:
                    text = f"{rest.rstrip(' ?!.')}, {name}?"
                yield Interpretation(text, "pronoun", f"{one.group().strip(' ,')}: {name}", (node,))
                return
        nodes = {x.node for x in links}
        if len(nodes) != 1 or not seen.pronouns or seen.plural:
            return
        start = seen.pronouns[0][0]
        clause = max((m.end() for m in re.finditer(r"[,.;:!?] ", seen.bare[:start])), default=0)
        if (
            clause
            and all(x.node in nodes for x in self.own_links(seen.bare[:clause]))
            and not self.own_links(seen.bare[clause:])
        ):
            (node,) = nodes
            name = self._name(node)
            text = replace_pronouns(seen.bare[clause:], name)
            yield Interpretation(text, "pronoun", f"{seen.words[0]}: {name}", (node,))

    def _described(self, words: str, memory: Memory) -> str:
        """The one of the last answers, or of the namesakes of what was spoken of, that words fit best; "" for none."""
        for turn in reversed(memory.turns[-3:]):
            if 2 <= len(turn.answers) <= 20 and (node := self._best(turn.answers, words)):
                return node
        for old in memory.focus()[:MAX_FOCUS]:
            if (others := self.namesakes(old)) and (node := self._best((old, *others), words)):
                return node
        return ""

    def _best(self, nodes: Sequence[str], words: str) -> str:
        """The one of some things that words describe: by what is told of it, or as the new or the old one."""
        if age := _AGE.fullmatch(words):
            by_date = self._by_date(list(nodes))
            return (by_date[-1] if age.group("new") else by_date[0]) if by_date else ""
        return best_fit(self.kg, nodes, words)

    def about(self, interpretation: Interpretation) -> tuple[str, ...]:
        """The things that a completed sentence is about: those put in, and the others that it names; () where it stands
        alone, so that its own words are linked."""
        given = interpretation.given
        if not given:
            return ()
        mine = {link.node for link in self.own_links(" ".join(self.kg.display(g) for g in given))}
        own = dict.fromkeys(x.node for x in self.own_links(interpretation.text))
        return (*given, *(n for n in own if n not in mine and n not in given))

    def _names_value(self, text: str) -> bool:
        """Whether a sentence names a value of the graph: "how many bikes are Gazelles?" may well stand alone."""
        return any(x.is_value and x.weight >= 2.0 and x.score > 0.9 for x in self.names.link(text))

    # edits of the last query ---------------------------------------------------------------------------

    def _edits(self, seen: References, links: list[Link], last: Remembered, memory: Memory) -> Iterator[Interpretation]:
        query = QueryGraph.from_json(last.query) if last.query else None
        if seen.namesake:
            yield from self._namesakes(seen, last, memory, query)
        if last.task == "verify" and _WHO_THEN.match(seen.bare):
            yield from self._who_then(last)
        if query is None:
            return
        if _COUNT.match(seen.bare) and query.form == "select":
            yield Interpretation(
                f"How many: {last.question}", "count", "counted the last answers", query=counted(query)
            )
        if links and self._only_names(seen.bare, links):
            for link in links[:3]:
                if not seen.namesake or link.node not in last.topics:
                    yield from self._swap(query, link.node, last)
        values = find_values(seen.bare)
        if seen.pronouns or seen.ordinal:
            return  # the "one" of "that one" is no number
        if values and not links and not _WH.search(seen.bare):
            for old in find_values(last.question)[:1]:
                new = seen.bare[values[0].start : values[0].end]
                text = f"{last.question[: old.start]}{new}{last.question[old.end :]}"
                yield Interpretation(text, "swap", f"{last.question[old.start : old.end]} → {new}")

        if values and not links and len(seen.bare.split()) <= 6:
            yield Interpretation(f"{last.question.rstrip(' ?.')} {seen.bare}", "more", "added to the last question")

    def _swap(self, query: QueryGraph, new: str, last: Remembered) -> Iterator[Interpretation]:
        kinds = set(self.kg.types(new)) or set(self.names.schema.kinds(new))
        for old in query.entities:
            if old == new or self.kg.is_class(old) or self.kg.is_literal(old):
                continue
            if not kinds or kinds & (set(self.kg.types(old)) or set(self.names.schema.kinds(old))):
                name, was = self._name(new), self._name(old)
                text = _replace_name(last.question, self.kg.label(old), name)
                yield Interpretation(text, "swap", f"{was} → {name}", query=swapped(query, old, new))

    def _who_then(self, last: Remembered) -> Iterator[Interpretation]:
        """ "He is the owner, isn't he?" "No." "Who is, then?" """
        for node in last.topics:
            name = self._name(node)
            if last.question.startswith(name):
                rest = last.question[len(name) :].strip(" .?")
                yield Interpretation(f"Who {rest}?", "else", f"not {name}", drop=(node,))
                return

    def _only_names(self, bare: str, links: list[Link]) -> bool:
        """Whether a sentence holds hardly more than the names: "and oats?", "no, Rookery I meant"."""
        named = {i for link in links for i in range(link.first, link.last + 1)}
        rest = [w.text for i, w in enumerate(words_in(bare)) if i not in named]
        left = fold(_CORRECTION.sub(" ", " ".join(rest))).split()
        return not [w for w in left if w not in STOP_WORDS and len(w) > 1] and not _WH.search(bare.split(",")[0])

    def _namesakes(
        self, seen: References, last: Remembered, memory: Memory, query: QueryGraph | None
    ) -> Iterator[Interpretation]:
        for old in [*memory.chosen(), *memory.focus()]:
            names = {fold(n) for n in (self.kg.label(old), *self.kg.aliases(old))}
            wanted = fold(seen.namesake)
            if wanted != "one" and not any(set(wanted.split()) <= set(n.split()) for n in names):
                continue
            for new in self.namesakes(old, "" if wanted == "one" else wanted):
                name = self._name(new)
                rest = replace_other(seen.bare, name)
                if query is not None and old in query.entities and self._only_names(rest, self.own_links(rest)):
                    text = _replace_name(last.question, self.kg.label(old), name)
                    yield Interpretation(text, "namesake", f"the other one: {name}", query=swapped(query, old, new))
                else:
                    text, given = replace_pronouns(rest, name), (new,)
                    if _compares_with(rest) and not self.own_links(rest.replace(name, " ")):  # "the other is older"
                        text, given = f"{text.rstrip(' ?.')} than {self._name(old)}", (new, old)
                    yield Interpretation(text, "namesake", f"the other one: {name}", given=given)

    def namesakes(self, node: str, called: str = "") -> list[str]:
        """Other things that share a name, or a word of it that they were called by."""
        mine = {fold(n) for n in (self.kg.label(node), *self.kg.aliases(node))}
        texts = [self.kg.label(node), *self.kg.aliases(node), *([called] if called else [])]
        found: dict[str, None] = {}
        for text in texts:
            found |= dict.fromkeys(h.id for h in self.kg.named(text) if h.id != node and not self.kg.is_literal(h.id))
            for link in self.names.link(text):
                shares = fold(called) and fold(called) in fold(link.name)
                if link.node != node and (link.score > 0.95 or shares) and not link.is_value:
                    found[link.node] = None
        kinds = set(self.kg.types(node))
        found = {n: None for n in found if self.kg.types(n) or (self.kg.relations(n) and not self.kg.is_name(n))}
        return sorted(found, key=lambda n: (fold(self.kg.label(n)) not in mine, not kinds & set(self.kg.types(n))))[:3]

    def _others(self, seen: References, last: Remembered, memory: Memory, focus: list[str]) -> Iterator[Interpretation]:
        text = without_else(seen.bare)
        known = tuple(dict.fromkeys((*last.topics, *last.answers, *last.inner)))
        content = [w.text for w in words_in(text) if w.text not in STOP_WORDS]
        if len(content) <= 1 and last.query and len(last.answers) == 1:
            query = turned(QueryGraph.from_json(last.query), last.answers[0])
            if query is not None:
                name = self._name(last.answers[0])
                yield Interpretation(replace_pronouns(text, name), "else", "those not yet told", query=query)
        for interpretation in (*self._pronouns(seen, memory, focus), Interpretation(text)):
            yield Interpretation(
                without_else(interpretation.text), "else", f"{interpretation.how}; those not yet told".strip("; "),
                interpretation.given, drop=known,
            )  # fmt: skip

    def _among(self, seen: References, last: Remembered) -> Iterator[Interpretation]:
        if len(last.answers) < 2:
            return
        kinds = [self.kg.types(a)[:1] for a in last.answers]
        shared = kinds[0][0] if kinds[0] and all(k == kinds[0] for k in kinds) else ""
        kind = f"{one_line(self.kg.label(shared)).lower()}s" if shared else "things"
        text = without_of_them(seen.bare, kind)
        yield Interpretation(text, "among", f"of the {len(last.answers)} before", keep=last.answers)

    def _ordinals(self, seen: References, memory: Memory) -> Iterator[Interpretation]:
        """ "The second of those", "the later one": one of the last answers, by its place or by its date."""
        turn = next((t for t in reversed(memory.turns[-3:]) if 2 <= len(t.answers) <= 20), None)
        if turn is None:
            return
        nodes, place = list(turn.answers), _PLACES.get(seen.ordinal)
        if place is None:
            place = 0 if re.match(r"earli|old", seen.ordinal) else -1
            nodes = self._by_date(nodes)
        if nodes and -len(nodes) <= place < len(nodes):
            node = nodes[place]
            name = self._name(node)
            text = replace_ordinal(seen.bare, name)
            yield Interpretation(text, "ordinal", f"the {seen.ordinal}: {name}", (node,))

    def _by_date(self, nodes: list[str]) -> list[str]:
        """Things by the first date that all of them have; [] where they share none."""
        schema = self.names.schema
        for step in schema.steps(nodes[0]):
            if step.inverse or schema.value_kind(step.relation) not in ("date", "year"):
                continue
            values = {n: schema.go(n, step) for n in nodes}
            if all(len(v) == 1 for v in values.values()):
                return sorted(nodes, key=lambda n: parse_value(self.kg.label(values[n][0])).key)
        return []

    # names in place of pronouns ------------------------------------------------------------------------

    def _pronouns(self, seen: References, memory: Memory, focus: list[str]) -> Iterator[Interpretation]:
        """``focus``: what may be meant, what the turn itself named first."""
        if not seen.pronouns:
            return
        last = memory.last
        if seen.plural and last is not None and 2 <= len(last.answers) <= 4:
            names = " and ".join(self._name(a) for a in last.answers)
            yield Interpretation(
                replace_pronouns(seen.bare, names), "pronoun", f"they: {names}", tuple(last.answers), keep=()
            )
        elif seen.plural and last is not None and len(last.answers) == len(last.topics) == 1:
            both = (*last.topics, *last.answers)
            names = " and ".join(self._name(n) for n in both)
            yield Interpretation(replace_pronouns(seen.bare, names), "pronoun", f"they: {names}", both)
        word, *others = seen.words
        for node in self._fitting(word, focus)[:MAX_FOCUS]:
            name = self._name(node)
            second = next((n for o in others[:1] if o != "they" for n in self._fitting(o, focus) if n != node), "")
            also = self._name(second) if second else ""
            how = f"{word}: {name}" + (f"; {others[0]}: {also}" if also else "")
            text = replace_pronouns(seen.bare, name or seen.bare[slice(*seen.pronouns[0])], also)
            yield Interpretation(text, "pronoun", how, (node, *((second,) if second else ())))

    def _fitting(self, word: str, nodes: list[str]) -> list[str]:
        """The things that a pronoun suits: people for "she", where there are any; all for "it", others than people
        first, since a mountain or a ship may be called as people are."""
        if word in ("he", "she"):
            return [n for n in nodes if self.persons.holds(n)] or nodes
        return sorted(nodes, key=self.persons.holds) if word == "it" else nodes

    def _ellipses(self, seen: References, memory: Memory) -> Iterator[Interpretation]:
        for node in memory.focus()[:MAX_FOCUS]:
            name = self._name(node)
            text = f"{seen.bare.rstrip(' ?!.')}, {name}?" if name else seen.bare
            yield Interpretation(text, "ellipsis", f"about {name or 'the same'}", (node,))

    def _name(self, node: str) -> str:
        """A thing's name; "" for a nameless one."""
        return "" if self.names.schema.is_mediator(node) else one_line(self.kg.display(node))


def _compares_with(text: str) -> bool:
    """Whether a sentence compares something with what it names, and names no other: "So above Saaz." """
    told = cues.direction(text, False) or cues.direction(text, True) or re.search(r"\bthan\b", text, re.I)
    return bool(told) and not _WH.search(text)


def _replace_name(question: str, old: str, new: str) -> str:
    """A question about another thing; where the name does not stand in it, the new one is added."""
    changed = re.sub(re.escape(old), lambda _: new, question, flags=re.I)
    return changed if changed != question else f"{question.rstrip(' ?')}, for {new}?"
