"""Training data for KG-GPT's nodes, composed from any graph without a teacher model.

Questions and claims of one to three hops are composed from ``wordings.yaml`` along paths of the graph;
the replies follow from the path. MetaQA's own training questions, whose relation path is known, can be
added. Prompts are the nodes' short ones (``prompts/kg_gpt/*_short.txt``), letter for letter.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from langchain_core.messages import BaseMessage

from triplewise.kg.base import KGStore
from triplewise.prompts.template import load_prompt
from triplewise.types import Triple

MAX_HOPS = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt and the reply to learn; ``skill``: "segment", "select" or "verify"."""

    skill: str
    messages: tuple[BaseMessage, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class Part:
    """A sub-sentence with its ends as written in a reply ("She", "?film") and its relation."""

    text: str
    ends: tuple[str, str]
    relation: str


Claim = tuple[str, list[str], list[Part], list[Triple], str, list[int], str]
"""Claim, entity names, parts, evidence, verdict, triples used (from 1), reason."""


@cache
def wordings() -> dict[str, dict[str, Any]]:
    """Relation id → its wordings."""
    records = yaml.safe_load((Path(__file__).parent / "wordings.yaml").read_text(encoding="utf-8"))
    return {name: record for record in records for name in record["names"]}


class Composer:
    """Draws examples from a graph; the same seed draws the same ones."""

    def __init__(self, kg: KGStore, seed: int = 0) -> None:
        self.kg = kg
        self.rng = random.Random(seed)
        self.triples = [t for t in kg.triples() if t.relation in wordings()]
        self.by_relation: dict[str, list[Triple]] = {}
        for triple in self.triples:
            self.by_relation.setdefault(triple.relation, []).append(triple)
        self.relations = list(self.by_relation)

    # questions ------------------------------------------------------------------------------------

    def question(self) -> tuple[str, list[str], list[Part]]:
        """(question, entity names, parts) along a random path; rare relations are drawn as often as common ones."""
        rng, kg = self.rng, self.kg
        triple = rng.choice(self.by_relation[rng.choice(self.relations)])
        node, forward = (triple.head, True) if rng.random() < 0.5 else (triple.tail, False)
        phrase, name = kg.display(node), kg.display(node)
        hops = rng.choices([1, 2, 3], [4, 4, 2])[0]
        parts: list[Part] = []
        here, used = name, set[str]()
        for hop in range(hops):
            words = wordings()[triple.relation]
            last = hop == hops - 1
            step = self._next(triple.tail if forward else triple.head) if not last else None
            if step is None:
                last = True
            variable = words["vars"][1 if forward else 0]
            while variable in used:
                variable = f"other_{variable}"
            used.add(variable)
            there = "?answer" if last else f"?{variable}"
            ends = (here, there) if forward else (there, here)
            parts.append(Part(self._statement(triple.relation, *ends), ends, triple.relation))
            if last:
                phrase = rng.choice(words["ask_tail" if forward else "ask_head"]).format(X=phrase)
                break
            phrase = rng.choice(words["tail" if forward else "head"]).format(X=phrase)
            assert step is not None
            here, (triple, forward) = there, step
        return self._dress(phrase), [name], parts

    def _next(self, node: str) -> tuple[Triple, bool] | None:
        options = [(t, True) for t in self.kg.triples(head=node)] + [(t, False) for t in self.kg.triples(tail=node)]
        options = [(t, f) for t, f in options if t.relation in wordings()]
        if not options:
            return None
        relation = self.rng.choice(sorted({(t.relation, f) for t, f in options}))
        return self.rng.choice([(t, f) for t, f in options if (t.relation, f) == relation])

    def _dress(self, text: str) -> str:
        style = self.rng.random()
        if style < 0.4:
            return text[:1].upper() + text[1:] + "?"
        return text + "?" if style < 0.5 else text

    def _statement(self, relation: str, left: str, right: str) -> str:
        """The first wording of a relation; unknowns read "the film", what is asked "the answer"."""

        def words(end: str) -> str:
            return f"the {end[1:].replace('_', ' ')}" if end.startswith("?") else end

        text = wordings()[relation]["s"][0].format(L=words(left), R=words(right))
        return text[:1].upper() + text[1:]

    # claims -----------------------------------------------------------------------------------------

    def claim(self) -> Claim:
        """A claim of one hop, perhaps denied, or of two."""
        rng, kg = self.rng, self.kg
        triple = rng.choice(self.by_relation[rng.choice(self.relations)])
        first = self._next(triple.tail)
        if rng.random() < 0.3 and first and first[0] != triple and first[1] and first[0].head == triple.tail:
            return self._two_hop_claim(triple, first[0])
        true = rng.random() < 0.5
        tail = triple.tail if true else self._wrong_tail(triple)
        head, end = kg.display(triple.head), kg.display(tail)
        text = rng.choice(wordings()[triple.relation]["s"]).format(L=head, R=end)
        negated = rng.random() < 0.2
        if negated:
            text = _negate(text, rng)
        evidence = [triple] if true else list(kg.triples(triple.head, triple.relation))[:5]
        if not true:
            evidence += [t for t in list(kg.triples(relation=triple.relation, tail=tail))[:5] if t not in evidence]
        parts = [Part(self._statement(triple.relation, head, end), (head, end), triple.relation)]
        verdict = "supported" if true != negated else "refuted"
        used = [i for i, t in enumerate(evidence, 1) if t.head == triple.head][:3]
        return self._colloquial(text), [head, end], parts, evidence, verdict, used, self._reason(evidence, used)

    def _two_hop_claim(self, one: Triple, two: Triple) -> Claim:
        rng, kg = self.rng, self.kg
        true = rng.random() < 0.5
        tail = two.tail if true else self._wrong_tail(two)
        head, end = kg.display(one.head), kg.display(tail)
        variable = "?" + wordings()[one.relation]["vars"][1]
        phrase = rng.choice(wordings()[one.relation]["tail"]).format(X=head)
        text = rng.choice(wordings()[two.relation]["s"]).format(L=phrase, R=end)
        parts = [
            Part(self._statement(one.relation, head, variable), (head, variable), one.relation),
            Part(self._statement(two.relation, variable, end), (variable, end), two.relation),
        ]
        evidence = [one, two]
        if not true:
            evidence = [one, *list(kg.triples(relation=two.relation, tail=tail))[:5]]
            if rng.random() < 0.5:
                evidence.insert(1, two)
        used = [1, 2] if len(evidence) > 1 else [1]
        verdict = "supported" if true else "refuted"
        return (
            self._colloquial(text[:1].upper() + text[1:]),
            [head, end],
            parts,
            evidence,
            verdict,
            used,
            self._reason(evidence, used),
        )

    def _wrong_tail(self, triple: Triple) -> str:
        right = {t.tail for t in self.kg.triples(triple.head, triple.relation)}
        for _ in range(20):
            tail = self.rng.choice(self.by_relation[triple.relation]).tail
            if tail not in right and tail != triple.head:
                return tail
        return triple.head

    def _reason(self, evidence: Sequence[Triple], used: Sequence[int]) -> str:
        says = [evidence[i - 1] for i in used]
        return " ".join(
            wordings()[t.relation]["s"][0].format(L=self.kg.display(t.head), R=self.kg.display(t.tail)) for t in says
        )[:190]

    def _colloquial(self, text: str) -> str:
        before = self.rng.choice(["", "", "", "", "I heard that ", "Yes, ", "Did you know that ", "I think "])
        return before + text if not before.startswith("Did") else before + text.rstrip(".") + "?"

    # examples ----------------------------------------------------------------------------------------

    def examples(self) -> Iterator[Example]:
        """Without end: per question or claim its segmentation, one selection, and a claim's verdict."""
        while True:
            if self.rng.random() < 0.65:
                text, names, parts = self.question()
                yield segment_example("ask", text, names, parts)
            else:
                text, names, parts, evidence, verdict, used, reason = self.claim()
                yield segment_example("verify", text, names, parts)
                yield self.verify_example(text, evidence, verdict, used, reason)
            yield self.select_example(self.rng.choice(parts))

    def select_example(self, part: Part) -> Example:
        """Choose the relation among others, drawn from the graph, in random order."""
        others = [r for r in self.kg.relation_ids() if r != part.relation]
        labels = [self.kg.relation_label(r) for r in self.rng.sample(others, min(len(others), self.rng.randint(1, 12)))]
        gold = self.kg.relation_label(part.relation)
        offered = [*labels, gold]
        self.rng.shuffle(offered)
        prompt = load_prompt("kg_gpt/select_short").render(sentence=part.text, relations=" ; ".join(offered))
        return Example("select", tuple(prompt), gold)

    def verify_example(
        self, text: str, evidence: Sequence[Triple], verdict: str, used: Sequence[int], reason: str
    ) -> Example:
        """Judge a claim by numbered triples."""
        kg = self.kg
        order = list(range(len(evidence)))
        self.rng.shuffle(order)
        place = {old: new for new, old in enumerate(order, 1)}
        lines = "\n".join(
            f"{n}. ({kg.display(t.head)}, {kg.relation_label(t.relation)}, {kg.display(t.tail)})"
            for n, t in enumerate((evidence[i] for i in order), 1)
        )
        prompt = load_prompt("kg_gpt/verify_short").render(sentence=text, triples=lines)
        numbers = ", ".join(str(n) for n in sorted(place[i - 1] for i in used))
        return Example("verify", tuple(prompt), f"{verdict}\nTriples used: {numbers}\nReason: {reason}")


def _negate(text: str, rng: random.Random) -> str:
    """A statement denied: "was directed" becomes "was not directed", else "It is not true that …"."""
    for verb in (" was ", " is ", " are "):
        if verb in text and rng.random() < 0.8:
            return text.replace(verb, f"{verb}not ", 1)
    return f"It is not true that {text}"


def segment_example(task: str, text: str, names: Sequence[str], parts: Sequence[Part]) -> Example:
    """Split a question or claim."""
    prompt = load_prompt(f"kg_gpt/segment_{task}_short").render(sentence=text, entities=" ; ".join(names))
    reply = "\n".join(f"{i}. {p.text} | {' ; '.join(p.ends)}" for i, p in enumerate(parts, 1))
    return Example("segment", tuple(prompt), reply)


_METAQA = {
    "director": "directed_by", "writer": "written_by", "actor": "starred_actors", "genre": "has_genre",
    "year": "release_year", "language": "in_language", "tags": "has_tags", "tag": "has_tags",
    "imdbrating": "has_imdb_rating", "imdbvotes": "has_imdb_votes",
}  # fmt: skip


def metaqa_examples(folder: Path, kg: KGStore, seed: int = 0) -> Iterator[Example]:
    """Segmentation and selection from MetaQA's training questions (public layout), shuffled, endless."""
    composer = Composer(kg, seed)
    asked: list[tuple[str, str]] = []
    for hops in (1, 2, 3):
        lines = (folder / f"{hops}-hop/vanilla/qa_train.txt").read_text(encoding="utf-8").splitlines()
        paths = (folder / f"{hops}-hop/qa_train_qtype.txt").read_text(encoding="utf-8").split()
        asked += [(line.split("\t")[0], path) for line, path in zip(lines, paths, strict=True)]
    while True:
        composer.rng.shuffle(asked)
        for text, path in asked:
            topic = text[text.index("[") + 1 : text.rindex("]")]
            kinds = ["film" if k == "movie" else k for k in path.split("_to_")]
            ends = [topic, *(f"?{k}" for k in kinds[1:-1]), "?answer"]
            parts = []
            for i, (a, b) in enumerate(pairwise(kinds)):
                pair = (ends[i + 1], ends[i]) if b == "film" else (ends[i], ends[i + 1])
                relation = _METAQA[a if b == "film" else b]
                parts.append(Part(composer._statement(relation, *pair), pair, relation))
            yield segment_example("ask", text, [kg.display(topic) if kg.has_entity(topic) else topic], parts)
            yield composer.select_example(composer.rng.choice(parts))
