"""KG instruction tasks from any graph (Retrieval and Reasoning on KGs, section 3.3, Table 5), graphs in YAML.

Entity level: name the entity behind <mask> from its one-hop neighbours. Relationship level: name the relation
between two entities from what surrounds them, every triple between the two left out. Graph to text and text to
graph: a small connected graph and the statements that the lexicon makes of it, or the graphs and sentences of a file
in WebNLG's layout, as in the paper.
Each task has three wordings, ``prompts/kg_instructions``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from zlib import crc32

from triplewise.kg import NetworkxStore
from triplewise.kg.names import one_line
from triplewise.prompts.template import load_prompt
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.train.data.skills import Example
from triplewise.train.data.spoken_graphs import SpokenGraph
from triplewise.train.sentences.compose import DEV_SHARE, Vocabulary
from triplewise.train.sentences.grammar import statement
from triplewise.types import Triple

TASKS = {"entity": 27, "relationship": 54, "graph_to_text": 13, "text_to_graph": 13}
"""How often each task is drawn; the paper has 270k, 540k and 13k pairs in each direction, here ten times as often."""
WORDINGS = 3
MASK = "<mask>"
_AROUND = 8
"""Most triples shown around an entity, as many again around the second of two."""
_SPOKEN = 4
"""Most triples of a graph that is put into words."""
_SCANNED = 200
"""Triples looked at on either side of an entity; hubs have many more."""
_TRIES = 200
"""Entities tried before a task is given up for the graph."""


class InstructionComposer:
    """Draws examples; the same seed draws the same ones.

    ``dev``: about the development share of the entities only, else about the others only, as ``Composer`` does.
    ``spoken``: graphs with sentences, which graph to text and back take instead of the graph's own.
    """

    def __init__(
        self, vocabulary: Vocabulary, seed: int = 0, *, dev: bool = False, spoken: Sequence[SpokenGraph] = ()
    ) -> None:
        self.vocabulary, self.kg = vocabulary, vocabulary.kg
        self.rng = random.Random(seed)
        self.spoken = [s for s in spoken if s.dev == dev]
        self.topics = [e for e in self.kg.entities() if (crc32(e.encode()) % DEV_SHARE == 0) == dev]
        self._makers = {
            "entity": self.entity, "relationship": self.relationship,
            "graph_to_text": self.graph_to_text, "text_to_graph": self.text_to_graph,
        }  # fmt: skip

    def examples(self, tasks: Mapping[str, int] = TASKS) -> Iterator[Example]:
        """Without end, as long as the graph has something for one of the tasks."""
        left = dict(tasks)
        while left and self.topics:
            task = self.rng.choices(list(left), list(left.values()))[0]
            example = self._makers[task]()
            if example is None:
                del left[task]
            else:
                yield example

    # the tasks ----------------------------------------------------------------------------------------------

    def entity(self) -> Example | None:
        """Name a masked entity of at least two triples; None where the graph has none."""
        for _ in range(_TRIES):
            topic = self.rng.choice(self.topics)
            around = self._around(topic, _AROUND)
            if len(around) > 1:
                text = self._yaml(around, {topic: MASK})
                return self._made("entity", self.name(topic), knowledge=text)
        return None

    def relationship(self) -> Example | None:
        """Name the relation of a triple whose entities both have others; None where the graph has none."""
        for _ in range(_TRIES):
            topic = self.rng.choice(self.topics)
            around = self._around(topic, _SCANNED)
            pairs = [t for t in around if t.head != t.tail and not self.kg.is_literal(t.tail)]
            if not pairs:
                continue
            triple = self.rng.choice(pairs)
            ends = {triple.head, triple.tail}
            shown = [t for e in (triple.head, triple.tail) for t in self._around(e, _AROUND, ends)]
            if shown:
                entities = f"{self.name(triple.head)} ; {self.name(triple.tail)}"
                label = self.kg.relation_label(triple.relation)
                return self._made("relationship", label, knowledge=self._yaml(shown), entities=entities)
        return None

    def graph_to_text(self) -> Example | None:
        """Say a small graph; None where no triple of the graph can be said."""
        said = self._said()
        return said and self._made("graph_to_text", said[1], knowledge=said[0])

    def text_to_graph(self) -> Example | None:
        """Read a small graph out of its statements; None where no triple of the graph can be said."""
        said = self._said()
        return said and self._made("text_to_graph", said[0], text=said[1])

    def _made(self, task: str, reply: str, **values: str) -> Example:
        prompt = load_prompt(f"kg_instructions/{task}_{self.rng.randint(1, WORDINGS)}").render(**values)
        return Example(task, tuple(prompt), reply)

    # parts of the graph -------------------------------------------------------------------------------------

    def name(self, node: str) -> str:
        """The name that sentences use, else the graph's own."""
        return self.vocabulary.names.get(node) or one_line(self.kg.display(node))

    def _around(self, entity: str, limit: int, but: Iterable[str] = ()) -> list[Triple]:
        """At most so many triples at an entity, drawn so that each relation comes once before any comes twice.

        ``but``: leave out triples both of whose ends are among these.
        """
        found = [*islice(self.kg.triples(head=entity), _SCANNED), *islice(self.kg.triples(tail=entity), _SCANNED)]
        left_out = set(but)
        found = [t for t in dict.fromkeys(found) if not {t.head, t.tail} <= left_out]
        self.rng.shuffle(found)
        times: dict[tuple[str, bool], int] = {}
        rounds: dict[Triple, int] = {}
        for triple in found:
            side = triple.relation, triple.head == entity
            rounds[triple] = times[side] = times.get(side, 0) + 1
        return sorted(found, key=rounds.__getitem__)[:limit]

    def _yaml(self, triples: list[Triple], other: Mapping[str, str] | None = None) -> str:
        """The triples as YAML, by the names that sentences use; ``other``: names that stand instead."""
        nodes = {node for t in triples for node in (t.head, t.tail)}
        labels = {node: self.name(node) for node in nodes} | dict(other or {})
        relations = {t.relation: self.kg.relation_label(t.relation) for t in triples}
        return format_triples(NetworkxStore(triples, labels=labels, relation_labels=relations), triples)

    def _said(self) -> tuple[str, str] | None:
        """A small connected graph in YAML and in statements, or one that was given with its sentences."""
        if self.spoken:
            given = self.rng.choice(self.spoken)
            return given.knowledge, self.rng.choice(given.texts)
        by_relation = self.vocabulary.by_relation
        for _ in range(_TRIES if by_relation else 0):
            topic = self.rng.choice(self.topics)
            spoken = [t for t in self._around(topic, _SCANNED) if self._speakable(t)]
            if spoken:
                chosen = spoken[: self.rng.randint(1, _SPOKEN)]
                return self._yaml(chosen), " ".join(map(self._statement, chosen))
        return None

    def _speakable(self, triple: Triple) -> bool:
        plain = self.vocabulary.nameable
        spoken = triple.relation in self.vocabulary.by_relation
        return spoken and triple.head != triple.tail and plain(triple.head) and plain(triple.tail)

    def _statement(self, triple: Triple) -> str:
        entry, swapped = self.vocabulary.records[triple.relation]
        left, right = (triple.tail, triple.head) if swapped else (triple.head, triple.tail)
        return statement(entry, self.rng.choice(entry.verbalisations), self.name(left), self.name(right))[0]
