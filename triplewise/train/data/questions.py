"""A user's questions as examples of the nodes' skills, where their gold relation path is known: no teacher is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from triplewise.kg.base import KGStore
from triplewise.train.data.metaqa import verbalisation_used
from triplewise.train.data.skills import Example, SkillComposer, plan_example
from triplewise.train.sentences.compose import Composed, Part
from triplewise.train.sentences.grammar import Phrase, classes, plural
from triplewise.train.trainers.retriever import TrainingQuestion
from triplewise.types import Triple

SKILLS = ("segment_ask", "select_ask", "plan", "reason")
"""What a question can teach."""


def question_examples(
    composer: SkillComposer, questions: Sequence[TrainingQuestion], skills: Mapping[str, int]
) -> Iterator[Example]:
    """One example of each of these skills from every question that its path can be walked for."""
    for question in questions:
        composed = composed_question(composer, question)
        if composed is None:
            continue
        for skill in (s for s in SKILLS if s in skills):
            if skill == "segment_ask":
                yield composer.segment(composed)
            elif skill == "select_ask":
                yield composer.select(composed, composer.rng.choice(composed.parts))
            elif skill == "plan":
                yield plan_example(composed.text, composed.steps)
            elif composer.executed(composed).bindings.get("answer"):
                yield composer.reason(composed)


def composed_question(composer: SkillComposer, question: TrainingQuestion) -> Composed | None:
    """The question with its parts and look-ups; its words choose among the verbalisations of each relation.

    None without a path, where the graph does not have it, or where the topic's name cannot stand in a reply.
    """
    vocabulary, topic = composer.vocabulary, question.topics[0]
    known = set(vocabulary.records)
    if not question.path or not known.issuperset(question.path) or not vocabulary.nameable(topic):
        return None
    here, nodes, used = {topic}, [topic], set[str]()
    parts, steps = list[Part](), list[str]()
    end, before = composer.name(topic), Phrase(composer.name(topic), name=True)
    for i, relation in enumerate(question.path):
        there, forward = _step(vocabulary.kg, here, relation)
        if not there:
            return None
        hop = composer._hop(Triple(topic, relation, topic), forward)
        hop = replace(hop, verbalisation=verbalisation_used(hop.entry, question.text))
        node = min(there)
        class_ = composer._class(hop, node)
        following = "?answer" if i == len(question.path) - 1 else composer._variable(class_, used)
        parts.append(composer.part(hop, end, following, class_))
        steps.append(
            f"Find {composer.realiser.phrase(hop.entry, hop.verbalisation, hop.asked, before, True, class_).text}."
        )
        before = Phrase(f"these {plural(classes()[class_]['words'][0])}", True)
        end, here = following, there
        nodes.append(node)
    return Composed("ask", question.text, (topic,), tuple(parts), tuple(nodes), tuple(steps))


def _step(kg: KGStore, here: set[str], relation: str) -> tuple[set[str], bool]:
    """Where a relation leads, and whether from heads to tails; the side with more ends where both exist."""
    forward = {t.tail for e in here for t in kg.triples(head=e, relation=relation)}
    backward = {t.head for e in here for t in kg.triples(relation=relation, tail=e)}
    return (forward, True) if len(forward) >= len(backward) else (backward, False)
