"""The things of a graph as a conversation speaks of them: which a sentence names, what they are called, and which of
several words describe."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

from triplewise.agents.assistant.intents.told_apart import by_age, by_role
from triplewise.agents.assistant.namesakes import best_fit
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold, one_line
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.linking.class_names import ClassNames
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Link, NameIndex, fold_word, words_in
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.text.genders import Genders
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import plural

_CORRECTION = re.compile(
    r"\b(?:wrong \w+|correction|i (?:mean|meant)|not (?:that|him|her|it)|rather|"
    r"(?<=sorry )(?:love|dear|mate|pet|darling|hun)|instead|what about|how about|same for|"
    r"and for|the same|of course|please|thanks|thank you|"
    r"with|for|or|in|at|on|from|the|only|just|sorry|no|and|is it|her|his|one|them)\b",
    re.I,
)
WH = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.I)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_OF_TITLES = re.compile(r"\b(?:job|title|role|position|profession|occupation|rank|grade|trade|post|duty)\b", re.I)
"""Relations whose values are written as names are, and are nobody's."""
_BOAT = re.compile(
    r"\b(?:boat|ship|yacht|ferry|vessel|lifeboat|trawler|barge|dinghy|canoe|schooner|sloop|ketch|tug|steamer|narrowboat|"
    r"locomotive|balloon)s?\b",
    re.I,
)
"""Kinds of things that are called "she"."""
_ANY_OF = re.compile(
    r"\b(?:an?|any|each|every|all(?: the)?|one|(?:of|per)(?! (?:the|this|that|these|those|his|her|its|their)\b)) "
    r"(?P<kind>[\w-]+(?: [\w-]+)?)",
    re.I,
)
_WHICH_OF_KIND = re.compile(
    r"^(?:which|what) (?P<kind>[\w-]+) (?!of\b)(?:[\w-]+ ){2,}"
    r"(?!(?:in|on|at|of|for|with|by|from|to|about|there)\b)[\w-]+\W*$",
    re.I,
)
"""A whole question of a kind: fewer words, or a preposition at its end, may leave out of what it is asked."""
_WHERE_IS = re.compile(r"where(?:['’]?s| is| are) (?:the|our) (?P<kind>[\w-]+(?: [\w-]+)?)\W*", re.I)
_NAMED = 2.0
"""Bits from which on a word may name somebody."""
_TELLING = 5.0
"""Bits from which on a part of a name stands for it; less in a graph of few names."""


_THE = re.compile(r"the\b", re.I)
_SAMPLE = 40
"""Things of a kind whose first names are looked at."""
_FIRST_NAMES = 0.3
"""Share of them that are usual first names, where the kind is one of persons: of firms none is, or one by chance."""
_BY = re.compile(r"\bby$")
_APART = 0.1
"""By how much a relation must be nearer to the words than what the others have for itself."""
Nearness = Callable[[str], Callable[[Step], float]]
"""How near each relation's words are to a sentence."""


class Things:
    """The things of one graph, and its names."""

    def __init__(self, kg: KGStore, names: NameIndex, nearness: Nearness | None = None) -> None:
        self.kg, self.names, self.nearness = kg, names, nearness
        self._persons, self._genders = Persons(names.schema), Genders(names.schema)
        self._first_names: dict[str, bool] = {}
        self._known = KnownWords(names)
        self._classes = ClassNames(names.schema)
        self.kind_label = Verbaliser(names.schema).kind_label

    def name(self, node: str) -> str:
        """A thing's name; "" for a nameless one."""
        return "" if self.names.schema.is_mediator(node) else one_line(self.kg.display(node))

    def is_words(self, node: str) -> bool:
        """Whether a node is called by words, neither a number nor a date."""
        return self.kg.has_entity(node) and parse_value(self.kg.label(node)).kind == "text"

    def persons(self, nodes: Sequence[str]) -> list[str]:
        """Those nodes without a kind that are called as persons are: a first name and more, each with a capital; a Head
        Waiter is not."""
        own = [n for n in nodes if self.kg.has_entity(n) and not self.kg.is_class(n)]
        return [n for n in own if self._persons.called(self.kg.label(n)) and not self._is_title(n)]

    def _is_title(self, node: str) -> bool:
        """Whether a value tells what people do or are."""
        schema = self.names.schema
        return any(s.inverse and _OF_TITLES.search(schema.words(s.relation)) for s in schema.steps(node))

    def people(self, nodes: Sequence[str]) -> list[str]:
        """Those nodes that are of a kind of persons."""
        return [n for n in nodes if self._persons.holds(n)]

    def may_be_person(self, node: str) -> bool:
        """Whether a thing is a person, for all that is known."""
        return self._persons.sure(node) == "person" or self._persons.holds(node)

    def _is_value_of_person(self, node: str) -> bool:
        return not self.kinds(node) and bool(self.persons([node]))

    def called(self, node: str) -> tuple[str, ...]:
        """A thing's names, and its label without what tells it from its namesakes in brackets."""
        label = self.kg.label(node)
        return (label, self.kg.display(node), *self.kg.aliases(node), re.sub(r"\s*\([^()]*\)$", "", label))

    def nouns(self, node: str) -> set[str]:
        """What a thing may be called for short: the words of its names, and its kinds of one word."""
        return {w.text for n in self.called(node) for w in words_in(n)} | {
            fold_word(self.kg.label(t)) for t in self.kg.types(node)
        }

    def is_compound_of(self, node: str, word: str) -> bool:
        """Whether a thing's class is written together of this word and another: a website is a site."""
        kinds = (fold_word(self.kg.label(kind)) for kind in self.kg.types(node))
        return len(word) > 3 and any(kind.endswith((word, plural(word))) for kind in kinds)

    def kinds(self, node: str) -> set[str]:
        """The classes of a thing; where the graph has none, those that its relations tell."""
        return set(self.kg.types(node)) or set(self.names.schema.kinds(node))

    def links(self, text: str) -> list[Link]:
        """The things that a sentence names itself, surely: by most of a name, or by a telling part of one name only."""
        links = [x for x in self.names.link(text) if not x.is_value and x.weight >= 2.0]
        at = Counter((x.first, x.last) for x in links)
        telling = min(_TELLING, 0.9 * math.log2(1 + len(self.names.names)))  # a word of one name has no more
        return [x for x in links if x.score >= 0.6 or (x.weight >= telling and at[x.first, x.last] == 1)]

    def values(self, text: str, least: float = 0.9) -> list[Link]:
        """The values of the graph that a sentence names: "how many bikes are Gazelles?" may well stand alone.
        ``least``: the score above which a part of a value's name stands for it."""
        return [x for x in self.names.link(text) if x.is_value and x.weight >= 2.0 and x.score > least]

    def names_unknown(self, text: str) -> bool:
        """Whether a sentence names what the graph has no word for: "the capital of France"."""
        return bool(self._known.unknown_name(text))

    def names_kind(self, text: str) -> bool:
        """Whether a sentence has the word of a class: "the cheapest lesson", "lessons"."""
        words = self.names.class_words
        return any(w.text in words or w.text in map(plural, words) for w in words_in(text))

    def is_dated(self, node: str, kinds: Sequence[str] = ("date", "year")) -> bool:
        """Whether the graph tells a date of a thing."""
        schema = self.names.schema
        return any(not s.inverse and schema.value_kind(s.relation) in kinds for s in schema.steps(node))

    def has_own_subject(self, text: str) -> bool:
        """Whether a sentence says itself what it asks about, though it names nothing surely: any of a class, as in "the
        price of a piece", "which pieces have been sold?", or somebody by a first name."""
        words = self.names.class_words
        if (where := _WHERE_IS.fullmatch(text)) and self.names_kind(where["kind"]):
            return True
        kinds = (words_in(m["kind"]) for m in (*_ANY_OF.finditer(text), *_WHICH_OF_KIND.finditer(text)))
        if any(w.text in words or w.text in map(plural, words) for found in kinds for w in found):
            return True
        named = [x.node for x in self.names.link(text) if x.weight >= _NAMED]
        return any(self._genders.of(n) for n in self.persons(named))

    def only_kind(self, text: str) -> str:
        """The class whose name, without more than "and" or "what about", is all that a sentence holds; "" for none."""
        words = words_in(text)
        for kind, (first, last) in self._classes.link(text, ()).items():
            rest = " ".join(w.text for i, w in enumerate(words) if not first <= i <= last)
            left = fold(_CORRECTION.sub(" ", rest)).split()
            if not [w for w in left if w not in STOP_WORDS]:
                return kind
        return ""

    def only_names(self, bare: str, links: Sequence[Link]) -> bool:
        """Whether a sentence holds hardly more than the names: "and oats?", "no, Rookery I meant"."""
        named = {i for link in links for i in range(link.first, link.last + 1)}
        rest = [w.text for i, w in enumerate(words_in(bare)) if i not in named]
        left = fold(_CORRECTION.sub(" ", " ".join(rest))).split()
        asks = WH.search(_CORRECTION.sub(" ", bare).split(",")[0])  # "what about" asks nothing new
        return not [w for w in left if w not in STOP_WORDS and len(w) > 1] and not asks

    def fitting(self, word: str, nodes: list[str]) -> list[str]:
        """Things in the order in which a pronoun suits them: people first for "who" and "she", which an animal or a
        ship may be too; others first for "it", since a mountain may be called as people are. What surely is a person or
        surely none is left out where something else suits the pronoun: "that" may stand for either. So is a woman of
        "he" and a man of "she"; what has no name, as a sale has none, is never either."""
        if word in ("he", "she", "who"):
            if other := {"he": "she", "she": "he"}.get(word):
                nodes = [n for n in nodes if self._persons.maybe(n)]
                nodes = [n for n in nodes if self._genders.of(n) != other] or nodes
            if other and any(map(self.has_first_name, nodes)):  # then no firm that is called as people are
                nodes = [n for n in nodes if self.has_first_name(n) or not self._persons.holds(n)]
            persons = any(self._persons.sure(n) == "person" or self._is_value_of_person(n) for n in nodes)
            afloat = word == "she" and persons  # a boat is "she" beside women
            fit = [n for n in nodes if self._persons.sure(n) != "thing" or (afloat and self._is_boat(n))]
            fit = fit if persons else nodes
            return sorted(fit, key=lambda n: (not self._persons.holds(n), self._genders.of(n) != word))
        if word == "there":  # nothing is at somebody
            places = [n for n in nodes if self._persons.sure(n) != "person"]
            return places or [n for n in nodes if not self._genders.of(n)]  # a customer may be a bakery
        fit = [n for n in nodes if self._persons.sure(n) != "person"] if word == "it" else []
        return sorted(fit or nodes, key=self._persons.holds) if word in ("it", "that") else nodes

    def _is_boat(self, node: str) -> bool:
        return any(_BOAT.search(self.kg.label(kind)) for kind in self.kg.types(node))

    def has_first_name(self, node: str) -> bool:
        """Whether a node is called by a usual first name, or is told a gender of, or others of its kind are and it may
        be: one is "the Talbot Inn" among the customers, but hardly a person."""
        if self._genders.of(node):
            return True
        if _THE.match(self.kg.label(node)):
            return False
        return any(self._have_first_names(kind) for kind in self.names.schema.kinds(node)[:1])

    def _have_first_names(self, kind: str) -> bool:
        if kind not in self._first_names:
            members = list(islice(self.names.schema.members(kind), _SAMPLE))
            called = sum(bool(self._genders.of(m)) for m in members)
            self._first_names[kind] = bool(called) and called >= _FIRST_NAMES * len(members)
        return self._first_names[kind]

    def acting_first(self, nodes: list[str]) -> list[str]:
        """Things in the order in which "they" may do something, said of one: first what does, as a firm, and what has a
        name as it may, then events, jobs and what else has none."""
        active = {n for n in nodes if self._acts(n)}
        return sorted(nodes, key=lambda n: bool(active) and n not in active and not self._persons.maybe(n))

    def _acts(self, node: str) -> bool:
        """Whether a thing does something: a person, or what others are done, owned or taught by."""
        steps = self.names.schema.steps(node)
        return self._persons.holds(node) or any(
            s.inverse and _BY.search(self.names.schema.words(s.relation)) for s in steps
        )

    def may_be(self, word: str, node: str) -> bool:
        """Whether somebody may be "he" or "she", for all that is known."""
        return self._genders.of(node) in ("", word)

    def described(self, nodes: Sequence[str], words: str) -> str:
        """The one of some things that words describe: by its age, its role, or what is told of it; "" where
        none or several do."""
        return (
            by_age(self.kg, nodes, words, self.by_date)
            or by_role(self.kg, nodes, words)
            or best_fit(self.kg, nodes, words)
        )

    def doing(self, nodes: Sequence[str], words: str) -> str:
        """The one of some things that has the relation nearest to the words, which the others have not: "who teaches",
        of whom things are taught by. "" where there is none, or one as near."""
        if self.nearness is None:
            return ""
        near, steps = self.nearness(words), {n: set(self.names.schema.steps(n)) for n in nodes}
        others = {n: set[Step]().union(*(steps[o] for o in nodes if o != n)) for n in nodes}
        best = sorted(((max(map(near, steps[n] - others[n]), default=0.0), n) for n in nodes), reverse=True)
        return best[0][1] if len(best) > 1 and best[0][0] > best[1][0] + _APART else ""

    def dated_by(self, nodes: Sequence[str]) -> Step | None:
        """The first relation that tells one date of each of some things."""
        schema = self.names.schema
        dates = (
            s for s in schema.steps(nodes[0]) if not s.inverse and schema.value_kind(s.relation) in ("date", "year")
        )
        return next((s for s in dates if all(len(schema.go(n, s)) == 1 for n in nodes)), None)

    def by_date(self, nodes: Sequence[str]) -> list[str]:
        """Things by the first date that all of them have, else by the years in their names; [] where they have none."""
        if (step := self.dated_by(nodes)) is not None:
            days = {n: self.kg.label(self.names.schema.go(n, step)[0]) for n in nodes}
            return sorted(nodes, key=lambda n: parse_value(days[n]).key)
        years = {n: _YEAR.findall(self.kg.label(n)) for n in nodes}
        return sorted(nodes, key=lambda n: years[n]) if all(years.values()) else []

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
