"""Questions and claims along paths of a graph, with the parts that they are split into.

Every question or claim is composed from a path: its parts, with the path's relations, are the gold
segmentation, and executing them over the graph gives back the path's end. Entities fall into a training and
a development share, so that development questions are never about an entity that was trained on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from zlib import crc32

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.tools.retrieval.pattern_join import Clause, Match, Term, join
from triplewise.train.sentences.grammar import (
    Entry,
    Phrase,
    Realiser,
    Verbalisation,
    classes,
    entries,
    generic_entry,
    plural,
    predicate,
    statement,
)
from triplewise.types import Triple

DEV_SHARE = 20
"""One topic entity of so many belongs to the development share."""
_NAME = re.compile(r"[^|;?\n]{2,60}")
_UNNATURAL = re.compile(r"\(/m/|^[mg]\.\w+$|-(?:GB|US)\b|^[\W\d_]+$|\s{2}")


@dataclass(frozen=True, slots=True)
class Part:
    """A sub-sentence with its ends as written in a reply ("She", "?film") and its relation; ``denied``: the claim
    says that it does not hold."""

    text: str
    ends: tuple[str, str]
    relation: str
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Composed:
    """A question or claim; ``entities``: ids in order of mention; ``nodes``: what the path visits, end last;
    ``steps``: the look-ups in words; ``holds``: whether a claim is true of the graph."""

    task: str
    text: str
    entities: tuple[str, ...]
    parts: tuple[Part, ...]
    nodes: tuple[str, ...]
    steps: tuple[str, ...] = ()
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path: the triple, from which side it is walked, and how it is said."""

    triple: Triple
    entry: Entry
    verbalisation: Verbalisation
    known: str
    """The side of the record ("L" or "R") that the step starts from."""

    @property
    def asked(self) -> str:
        """The side of the record that the step leads to."""
        return "R" if self.known == "L" else "L"


@dataclass(slots=True)
class Vocabulary:
    """The entities and relations of a graph that are composed about.

    ``held_out``: keys of records that must not occur, nor any of their relations. ``short``: an entity's label is
    cut at its first comma (WordNet's labels are followed by their definition).
    """

    kg: KGStore
    held_out: frozenset[str] = frozenset()
    short: bool = False
    generic: bool = False
    names: dict[str, str] = field(default_factory=dict)
    records: dict[str, tuple[Entry, bool]] = field(default_factory=dict)
    by_relation: dict[str, list[Triple]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known, kg = entries(), self.kg
        for relation in kg.relation_ids():
            if relation in known:
                self.records[relation] = known[relation]
            elif self.generic:
                self.records[relation] = (generic_entry(relation, kg.relation_label(relation)), False)
        self.records = {r: e for r, e in self.records.items() if e[0].key not in self.held_out}
        seen: dict[str, str] = {}
        for triple in kg.triples():
            for node in (triple.head, triple.tail):
                if node not in self.names:
                    name = kg.display(node)
                    name = name.partition(",")[0].strip() if self.short else name
                    self.names[node] = name if seen.setdefault(name.casefold(), node) == node else ""
                    if self.names[node] == "":
                        self.names[seen[name.casefold()]] = ""
        for triple in kg.triples():
            spoken = triple.relation in self.records and triple.head != triple.tail
            if spoken and self.nameable(triple.head) and self.nameable(triple.tail):
                self.by_relation.setdefault(triple.relation, []).append(triple)

    def nameable(self, node: str) -> bool:
        """Whether a node's name can stand in a sentence: short, unique, and without technical marks."""
        name = self.names.get(node, "")
        literal = re.fullmatch(r"\d{1,4}(?:\.\d+)?", name)
        plain = _NAME.fullmatch(name) and not _UNNATURAL.search(name) and name == one_line(name)
        return bool(literal or plain) and "[" not in name


def verbalised_part(entry: Entry, form: Verbalisation, left: str, right: str, relation: str, class_: str) -> Part:
    """A relation between two ends as a sub-sentence: "?film" reads "the film", "?answer" as its class."""
    shown = [f"the {end[1:].replace('_', ' ')}" if end.startswith("?") else end for end in (left, right)]
    if "?answer" in (left, right):
        at = (left, right).index("?answer")
        shown[at] = f"the {classes()[class_]['words'][0]}"
        if shown[at] == shown[1 - at]:
            shown[at] = f"the other {classes()[class_]['words'][0]}"
    text, ends = statement(entry, form, *shown)
    back = dict(zip(shown, (left, right), strict=True))
    return Part(text, (back[ends[0]], back[ends[1]]), relation)


class Composer:
    """Draws questions and claims from a graph; the same seed draws the same ones.

    ``dev``: draw about the development share of the entities only, else about the others only.
    """

    def __init__(self, vocabulary: Vocabulary, seed: int = 0, *, dev: bool = False) -> None:
        self.vocabulary, self.kg = vocabulary, vocabulary.kg
        self.rng, self.dev = random.Random(seed), dev
        self.realiser = Realiser(self.rng)
        self.relations = list(vocabulary.by_relation)

    # paths --------------------------------------------------------------------------------------------

    def name(self, node: str) -> str:
        """The name of a node in sentences."""
        return self.vocabulary.names[node]

    def _hop(self, triple: Triple, forward: bool) -> Hop:
        entry, swapped = self.vocabulary.records[triple.relation]
        known = "L" if forward != swapped else "R"
        return Hop(triple, entry, self.rng.choice(entry.verbalisations), known)

    def _start(self) -> tuple[Triple, bool]:
        """A triple and its direction: relations are drawn alike, so that rare ones are learned too."""
        while True:
            triple = self.rng.choice(self.vocabulary.by_relation[self.rng.choice(self.relations)])
            forward = self.rng.random() < 0.5
            topic = triple.head if forward else triple.tail
            if (crc32(topic.encode()) % DEV_SHARE == 0) == self.dev:
                return triple, forward

    def _onward(self, node: str, visited: Sequence[str]) -> tuple[Triple, bool] | None:
        """A step from a node to one that was not visited, its relation drawn first."""
        options: dict[tuple[str, bool], list[Triple]] = {}
        for direction in self.kg.relations(node):
            if direction.relation in self.vocabulary.by_relation:
                options[direction.relation, not direction.inverse] = []
        for relation, forward in self.rng.sample(sorted(options), len(options)):
            found = self.kg.triples(head=node, relation=relation) if forward else self.kg.triples(None, relation, node)
            ends = [(t, t.tail if forward else t.head) for t in islice(found, 200)]
            ends = [(t, end) for t, end in ends if end not in visited and self.vocabulary.nameable(end)]
            if ends:
                return self.rng.choice(ends)[0], forward
        return None

    def path(self, hops: int) -> tuple[list[Hop], list[str]]:
        """At most ``hops`` steps along distinct nodes, and the nodes."""
        triple, forward = self._start()
        nodes = [triple.head, triple.tail] if forward else [triple.tail, triple.head]
        walked = [self._hop(triple, forward)]
        while len(walked) < hops and (step := self._onward(nodes[-1], nodes)):
            walked.append(self._hop(*step))
            nodes.append(step[0].tail if step[1] else step[0].head)
        return walked, nodes

    def _class(self, hop: Hop, node: str) -> str:
        """The class of a step's end; where the graph gives types, one that agrees with them."""
        class_ = hop.entry.end(hop.asked)
        if types := self.kg.types(node):
            word = self.kg.find_type(classes()[class_]["words"][0])
            if word is not None and word not in types:
                name = self.kg.label(types[0]).lower()
                return name if name in classes() else "thing"
        return class_

    def _many(self, hop: Hop, node: str) -> bool:
        """Whether to speak of the step's ends in the plural: mostly where there are several."""
        if hop.asked in hop.entry.many or hop.asked == "L":
            return self.rng.random() < 0.7
        return self.rng.random() < 0.08

    def part(self, hop: Hop, known: str, asked: str, class_: str = "") -> Part:
        """The sub-sentence of a step between two ends, written as in a reply."""
        ends = (known, asked) if hop.known == "L" else (asked, known)
        return verbalised_part(
            hop.entry, hop.verbalisation, *ends, hop.triple.relation, class_ or hop.entry.end(hop.asked)
        )

    # questions -------------------------------------------------------------------------------------------

    def question(self) -> Composed:
        """A question of one to three hops, now and then with two conditions on its answer."""
        if self.rng.random() < 0.12 and (both := self._two_conditions()):
            return both
        walked, nodes = self.path(self.rng.choices([1, 2, 3], [3, 5, 3])[0])
        phrase = Phrase(self.name(nodes[0]), name=True)
        here, parts, steps, used = self.name(nodes[0]), list[Part](), list[str](), set[str]()
        text, before = "", phrase
        for i, hop in enumerate(walked):
            class_, last = self._class(hop, nodes[i + 1]), i == len(walked) - 1
            many = self._many(hop, nodes[i + 1])
            there = "?answer" if last else self._variable(class_, used)
            parts.append(self.part(hop, here, there, class_))
            found = self.realiser.phrase(hop.entry, hop.verbalisation, hop.asked, before, True, class_)
            steps.append(f"Find {found.text}.")
            before = Phrase(f"these {plural(classes()[class_]['words'][0])}", True)
            if last:
                text = self.realiser.question(hop.entry, hop.verbalisation, hop.asked, phrase, many, class_)
            else:
                phrase = self.realiser.phrase(hop.entry, hop.verbalisation, hop.asked, phrase, many, class_)
            here = there
        return Composed("ask", self._dress(text), (nodes[0],), tuple(parts), tuple(nodes), tuple(steps))

    @staticmethod
    def _variable(class_: str, used: set[str]) -> str:
        word = classes()[class_]["words"][0].lower().replace(" ", "_")
        while word in used:
            word = f"other_{word}"
        used.add(word)
        return f"?{word}"

    def _two_conditions(self) -> Composed | None:
        """A question for what two facts have in common: "which films star X and were directed by Y"."""
        walked, nodes = self.path(2)
        if len(walked) < 2:
            return None
        first = walked[0]
        second = replace(walked[1], known=walked[1].asked)
        if first.entry.end(first.asked) != second.entry.end(second.asked):
            return None
        class_ = self._class(first, nodes[1])
        said = [
            predicate(h.entry, h.verbalisation, h.asked, self.name(n), True)
            for h, n in ((first, nodes[0]), (second, nodes[2]))
            if h.verbalisation.kind != "noun" or h.verbalisation.side != h.asked
        ]
        if len(said) < 2:
            return None
        if not all(said):
            return None
        which = f"{self.rng.choice(['which', 'what'])} {plural(self.realiser.word(class_))}"
        start = self.rng.choice([which, which, f"find the {which.split(' ', 1)[1]} that"])
        parts = tuple(self.part(h, self.name(n), "?answer", class_) for h, n in ((first, nodes[0]), (second, nodes[2])))
        steps = tuple(f"Find the {plural(class_)} that {s}." for s in said)
        order = (nodes[0], nodes[2])
        return Composed("ask", self._dress(f"{start} {said[0]} and {said[1]}"), order, parts, (*order, nodes[1]), steps)

    def _dress(self, text: str) -> str:
        if self.rng.random() < 0.12:
            return text.lower()
        style = self.rng.random()
        mark = "" if re.match(r"(name|list|tell|find|show|give) ", text) else "?"
        if style < 0.45:
            return text[:1].upper() + text[1:] + (mark or ("" if text.endswith(".") else "."))
        if style < 0.55:
            return text + mark
        if style < 0.62:
            return self.rng.choice(["so ", "hey, ", "please: ", "ok, ", "I want to know: "]) + text + mark
        return text

    # checking ---------------------------------------------------------------------------------------------

    def clauses(self, composed: Composed) -> list[Clause]:
        """The parts as clauses over ids, each with its gold relation."""
        ids = {self.name(e): e for e in composed.entities}

        def term(end: str) -> Term:
            return Term(variable=end[1:]) if end.startswith("?") else Term(entity=ids[end])

        return [Clause(term(p.ends[0]), term(p.ends[1]), (p.relation,)) for p in composed.parts]

    def executed(self, composed: Composed) -> Match:
        """The parts joined over the graph."""
        return join(self.kg, self.clauses(composed))
