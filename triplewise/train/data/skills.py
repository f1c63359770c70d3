"""Training examples for the nodes' skills, composed from any graph without a teacher model.

Prompts are the nodes' short ones (``prompts/kg_gpt/*_short.txt``, ``prompts/cot_kg/plan_short.txt``), letter for
letter: splitting a question or claim, choosing relations, judging a claim by noisy or missing evidence, planning
look-ups, answering from hints. ``SKILLS`` says how often each is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from langchain_core.messages import BaseMessage

from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.names import relation_words
from triplewise.prompts.reply_tokens import ABSTAIN, APART, DENIED, NONE
from triplewise.prompts.template import load_prompt
from triplewise.tools.retrieval.pattern_join import join
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.tools.text.relation_text import nearest_relations
from triplewise.train.sentences.claims import ClaimComposer
from triplewise.train.sentences.compose import Composed, Part
from triplewise.train.sentences.grammar import entries, statement
from triplewise.types import Triple

SKILLS = {
    "segment_ask": 33, "segment_verify": 22, "select_ask": 18, "select_verify": 8, "verify": 4, "plan": 9, "reason": 6,
}  # fmt: skip
"""How often each skill is drawn."""

NONE_FITS = 0.12
"""Share of the selections where no offered relation fits."""
FEW_OFFERED = 0.25
"""Share of the selections where the fitting relation stands alone or beside one or two: what joins two entities."""
MAX_OFFERED = 24
"""Most relations offered in a composed selection: longer lists cost tokens and teach nothing new."""
MAX_HINTS = 20
"""Most triples shown to answer by, the retriever's default."""
NO_HINT = 0.15
"""Share of the answers from hints where a needed relation is taken out."""
_LABELS = {"graph": 30, "words": 30, "path": 30, "raw": 10}
"""How offered relations are written: as the graph labels them, other names, id in words, raw names."""


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt and the reply to learn; ``skill``: a key of ``SKILLS``, or another stage's name."""

    skill: str
    messages: tuple[BaseMessage, ...]
    reply: str


class SkillComposer(ClaimComposer):
    """Draws examples from a graph; the same seed draws the same ones."""

    def examples(self, skills: dict[str, int] = SKILLS) -> Iterator[Example]:
        """Without end."""
        while True:
            skill = self.rng.choices(list(skills), list(skills.values()))[0]
            composed = self.claim() if skill.endswith("verify") else self.question()
            if skill.startswith("segment"):
                yield self.segment(composed)
            elif skill.startswith("select"):
                yield self.select(composed, self.rng.choice(composed.parts))
            elif skill == "plan":
                yield plan_example(composed.text, composed.steps)
            elif skill == "reason":
                yield self.reason(composed)
            else:
                yield self.verify(composed)

    def segment(self, composed: Composed) -> Example:
        """Split a question or claim."""
        names = [self.name(e) for e in composed.entities]
        if self.rng.random() < 0.1:
            self.rng.shuffle(names)
        return segment_example(composed.task, composed.text, names, composed.parts)

    # relation selection -----------------------------------------------------------------------------------

    def select(self, composed: Composed, part: Part) -> Example:
        """Choose a part's relation among those around it, the nearest by BM25 first as at run time.

        Relations of the gold one's meaning are gold too; one that the same words could mean is not offered.
        """
        rng, records = self.rng, self.vocabulary.records
        entry = records[part.relation][0]
        style = rng.choices(list(_LABELS), list(_LABELS.values()))[0]
        around = self.around(composed, part)
        rng.shuffle(around)
        if len(around) > MAX_OFFERED or rng.random() < 0.4:
            around = around[: rng.randint(1, min(14, max(1, len(around))))]
        if not around:
            others = [r for r in self.relations if not self._misleading(r, part) and r != part.relation]
            around = rng.sample(others, min(len(others), 4))
        lacking = rng.random() < NONE_FITS and bool(around)
        if not lacking and rng.random() < FEW_OFFERED:
            around = around[: rng.randint(0, 2)]
        labels = {} if lacking else {self.label(part.relation, style): part.relation}
        other = rng.choice(entry.words)
        if rng.random() < 0.1 and all(other.casefold() != name.replace("_", " ").casefold() for name in labels):
            labels |= {} if lacking else {other: part.relation}
        gold = set(labels)
        for relation in around:
            label = self.label(relation, style)
            if label.casefold() in {known.casefold() for known in labels}:
                continue
            if relation in records and records[relation][0].key == entry.key:
                if lacking:
                    continue
                gold.add(label)
            labels[label] = relation
        sentence = composed.text if len(composed.parts) == 1 and rng.random() < 0.1 else part.text
        offered = [*labels]
        rng.shuffle(offered)
        if rng.random() < 0.75:
            offered = list(nearest_relations(sentence, {name: name for name in sorted(offered)}, len(offered)))
        if lacking and not offered:
            return self.select(composed, part)
        return select_example(sentence, offered, [o for o in offered if o in gold])

    def around(self, composed: Composed, part: Part) -> list[str]:
        """The other relations that the selector would offer: those at the part's named ends, else of the whole path's
        nodes; without those that could be meant too."""
        ids = {self.name(e): e for e in composed.entities}
        named = [ids[end] for end in part.ends if end in ids]
        nodes = named if composed.task == "ask" or not named else named[:1]
        found = {d.relation for e in nodes or composed.nodes for d in self.kg.relations(e)}
        return [r for r in sorted(found - {part.relation}) if not self._misleading(r, part)]

    def _misleading(self, relation: str, part: Part) -> bool:
        """Held out, or so near in meaning that it would be neither right nor wrong."""
        if relation not in entries():
            return False
        entry, gold = entries()[relation][0], self.vocabulary.records[part.relation][0]
        if entry.key == gold.key:
            return False
        shared = {(s.kind, s.word, s.rest) for s in entry.verbalisations} & {
            (s.kind, s.word, s.rest) for s in gold.verbalisations
        }
        return entry.key in self.vocabulary.held_out or bool(set(entry.words) & set(gold.words)) or bool(shared)

    def label(self, relation: str, style: str) -> str:
        """A relation's label in a style."""
        words = self.vocabulary.records[relation][0].words if relation in self.vocabulary.records else ()
        if style == "words" and words:
            return self.rng.choice(words)
        if style == "raw":
            first, *rest = (self.rng.choice(words) if words else relation_words(relation)).split()
            form = self.rng.random()
            if form < 0.5:
                return first + "".join(w.capitalize() for w in rest)
            return "_".join([first, *rest]) if form < 0.8 or len(relation) > 45 else relation
        label = self.kg.relation_label(relation)
        return relation_words(relation) if style == "path" or len(label) > 60 else label

    # judging claims -----------------------------------------------------------------------------------------

    def verify(self, composed: Composed) -> Example:
        """Judge a claim by numbered triples among which others stand; in a part of the cases the needed ones lack."""
        match = self.executed(composed)
        shows = [self._shows(composed, component) for component, _ in self.judged(composed)]
        needed = list(dict.fromkeys(t for shown in shows for t in shown))[:6]
        missing = not all(shows) or self.rng.random() < 0.25
        noise = self._noise(
            composed, needed + match.triples(), self.rng.randint(1, 5) if missing else self.rng.randint(0, 4)
        )
        shown = noise if missing else list(dict.fromkeys([*needed, *noise]))
        self.rng.shuffle(shown)
        if missing:
            return verify_example(composed.text, self._lines(shown), ABSTAIN, (), "No triple says this.")
        verdict = "supported" if composed.holds else "refuted"
        used = sorted(shown.index(t) + 1 for t in needed)
        reason = " ".join(self._said_plainly(shown[i - 1]) for i in used)[:190]
        return verify_example(composed.text, self._lines(shown), verdict, used, reason)

    def _shows(self, composed: Composed, component: Sequence[int]) -> list[Triple]:
        """What proves a component's parts, else what the graph says instead; at most three triples of the latter."""
        match = join(self.kg, [self.clauses(composed)[i] for i in component])
        if not match.unmatched:
            variable = next((n for c in match.clauses for n in (c.left.variable, c.right.variable) if n), "")
            return match.proof(variable, min(match.bindings[variable])) if variable else match.triples()
        ids = {self.name(e): e for e in composed.entities}
        found: list[Triple] = []
        for i in match.unmatched:
            part = composed.parts[component[i]]
            for entity in (ids[end] for end in part.ends if end in ids):
                near = [t for t in self.kg.triples(head=entity, relation=part.relation) if self._speakable(t)][:2]
                near += [t for t in self.kg.triples(relation=part.relation, tail=entity) if self._speakable(t)][:2]
                found += [t for t in near if t not in found]
        return found[:3]

    # answering from hints ----------------------------------------------------------------------------------

    def reason(self, composed: Composed) -> Example:
        """Answer by retrieved triples as YAML: proofs of some answers among others; where they lack, say so."""
        rng, match = self.rng, self.executed(composed)
        answers = sorted(match.bindings["answer"])
        wanted = rng.sample(answers, min(len(answers), rng.choice([1, 1, 2, 3, 5, 8])))
        proofs = list(dict.fromkeys(t for a in wanted for t in match.proof("answer", a)))[:MAX_HINTS]
        if rng.random() < NO_HINT:
            lost = rng.choice(composed.parts).relation
            proofs = [t for t in proofs if t.relation != lost]
        around = [t for p in proofs for t in sorted(self._near(p), key=lambda _: rng.random())[:3]]
        around += self._noise(composed, match.triples(), 4)
        room = max(2, rng.randint(4, MAX_HINTS) - len(proofs))
        shown = list(dict.fromkeys([*proofs, *rng.sample(around, min(len(around), room))]))
        shown.sort(key=lambda t: rng.random() + (t not in proofs) * 0.3)
        found = join(NetworkxStore.from_triples(shown), self.clauses(composed))
        said = () if found.unmatched else found.bindings["answer"]
        order = list(dict.fromkeys(end for t in shown for end in (t.head, t.tail) if end in said))
        style = rng.choices(["yaml", "yaml-head", "triples"], [8, 1, 1])[0]
        return reason_example(self.kg, composed.text, shown, order, style)

    def _near(self, triple: Triple) -> list[Triple]:
        """Other triples at both ends of a triple: two of each relation."""
        ends = [(end, d) for end in (triple.head, triple.tail) for d in sorted(self.kg.relations(end))[:12]]
        found = (t for end, d in ends for t in _first(self.kg, end, d.relation, d.inverse))
        return [t for t in dict.fromkeys(found) if t != triple and self._speakable(t)]

    def _speakable(self, triple: Triple) -> bool:
        return self.vocabulary.nameable(triple.head) and self.vocabulary.nameable(triple.tail)

    def _noise(self, composed: Composed, but: Sequence[Triple], count: int) -> list[Triple]:
        """Other triples around the claim's entities, or of anything, that use none of the claim's relations."""
        relations = {p.relation for p in composed.parts}
        near = [
            t
            for entity in composed.entities
            for d in sorted(self.kg.relations(entity))[:12]
            if d.relation not in relations and d.relation in self.vocabulary.records
            for t in _first(self.kg, entity, d.relation, d.inverse)
            if self._speakable(t) and t not in but
        ]
        found = self.rng.sample(near, min(count, len(near)))
        while len(found) < count and len(found) < 2:
            triple = self.rng.choice(self.vocabulary.by_relation[self.rng.choice(self.relations)])
            if triple.relation not in relations or len(self.relations) < 4:
                found.append(triple)
        return list(dict.fromkeys(found))

    def _lines(self, triples: Sequence[Triple]) -> str:
        return "\n".join(
            f"{n}. ({self.name(t.head)}, {self.label(t.relation, 'graph')}, {self.name(t.tail)})"
            for n, t in enumerate(triples, 1)
        )

    def _said_plainly(self, triple: Triple) -> str:
        entry, swapped = self.vocabulary.records[triple.relation]
        left, right = (triple.tail, triple.head) if swapped else (triple.head, triple.tail)
        return statement(entry, entry.verbalisations[0], self.name(left), self.name(right))[0]


@lru_cache(maxsize=4096)
def _first(kg: object, entity: str, relation: str, inverse: bool) -> tuple[Triple, ...]:
    """The first two triples of a relation at an entity."""
    from itertools import islice

    ends = (None, relation, entity) if inverse else (entity, relation, None)
    return tuple(islice(kg.triples(*ends), 2))  # pyright: ignore[reportAttributeAccessIssue]


# prompts -------------------------------------------------------------------------------------------------------


def segment_example(task: str, text: str, names: Sequence[str], parts: Sequence[Part]) -> Example:
    """Split a question ("ask") or claim ("verify")."""
    prompt = load_prompt(f"kg_gpt/segment_{task}_short").render(sentence=text, entities=" ; ".join(names))
    reply = "\n".join(
        f"{i}. {DENIED if p.denied else ''}{p.text} | {' ; '.join(p.ends)}" for i, p in enumerate(parts, 1)
    )
    return Example(f"segment_{task}", tuple(prompt), reply)


def select_example(sentence: str, offered: Sequence[str], gold: Sequence[str]) -> Example:
    """Choose relations among those offered, at most three, in their order; none where none fits."""
    prompt = load_prompt("kg_gpt/select_short").render(sentence=sentence, relations=" ; ".join(offered))
    return Example("select", tuple(prompt), APART.join(gold[:3]) or NONE)


def verify_example(text: str, triples: str, verdict: str, used: Sequence[int], reason: str) -> Example:
    """Judge a claim by numbered triples."""
    prompt = load_prompt("kg_gpt/verify_short").render(sentence=text, triples=triples)
    numbers = ", ".join(map(str, used)) or "none"
    return Example("verify", tuple(prompt), f"{verdict}\nTriples used: {numbers}\nReason: {reason}")


def plan_example(question: str, steps: Sequence[str]) -> Example:
    """Plan the look-ups that answer a question."""
    prompt = load_prompt("cot_kg/plan_short").render(question=question)
    return Example("plan", tuple(prompt), "\n".join(f"{i}. {step}" for i, step in enumerate(steps, 1)))


def reason_example(
    kg: KGStore, question: str, shown: Sequence[Triple], answers: Sequence[str], style: str = "yaml"
) -> Example:
    """Answer a question by triples in a knowledge format."""
    prompt = load_prompt("cot_kg/reason_short").render(question=question, knowledge=format_triples(kg, shown, style))
    return Example("reason", tuple(prompt), APART.join(map(kg.display, answers)) or ABSTAIN)
