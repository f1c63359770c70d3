"""Training data drawn from one graph: the paper's three stages, each task with its weight.

instruction: Table 5's tasks; pretraining: the graph itself; reasoning: the nodes' skills, composed from paths whose
answer is known. Works from any graph: a relation that the lexicon lacks is spoken of by its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from zlib import crc32

from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.train.data.corpus import corpus
from triplewise.train.data.instructions import TASKS, InstructionComposer
from triplewise.train.data.questions import question_examples
from triplewise.train.data.rows import STAGES, Row, Split
from triplewise.train.data.skills import SKILLS, Example, SkillComposer
from triplewise.train.data.spoken_graphs import SpokenGraph
from triplewise.train.sentences.compose import DEV_SHARE, Vocabulary
from triplewise.train.trainers.retriever import TrainingQuestion

WEIGHTS: dict[str, dict[str, int]] = {"instruction": TASKS, "pretraining": {"graph": 1}, "reasoning": SKILLS}
"""Stage → its tasks, and how often each is drawn."""
BY_NAME: dict[str, dict[str, int]] = {"reasoning": {"order": 1}}
"""Tasks that are drawn only where they are named, each by itself: their examples are many times as long."""
_DRAWS = 20
"""Draws for one new example before a graph counts as exhausted."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to draw: ``examples`` for training of each stage and as many of each task of ``BY_NAME``, ``dev`` to be
    scored (of all that have replies, together); the graph is taken whole, in chunks of ``chunk_tokens``."""

    tasks: Mapping[str, Mapping[str, int]] = field(default_factory=lambda: WEIGHTS)
    examples: int = 2_000
    dev: int = 200
    seed: int = 0
    chunk_tokens: int = 256


def chosen_tasks(names: str) -> dict[str, dict[str, int]]:
    """Stages and tasks by name, "instruction,plan"; raises ConfigError on one that is not known."""
    found: dict[str, dict[str, int]] = {stage: {} for stage in STAGES}
    for name in (n.strip() for n in names.split(",")):
        hits = {s: dict(t) if s == name else {name: t[name]} for s, t in WEIGHTS.items() if name in (s, *t)}
        hits = hits or {s: {name: t[name]} for s, t in BY_NAME.items() if name in t}
        if not hits:
            known = "; ".join(f"{s}: {', '.join([*tasks, *BY_NAME.get(s, ())])}" for s, tasks in WEIGHTS.items())
            raise ConfigError(f"no training task {name!r}.", f"Known, by stage: {known}.")
        for stage, tasks in hits.items():
            found[stage] |= tasks
    return {stage: tasks for stage, tasks in found.items() if tasks}


def draw(
    vocabulary: Vocabulary,
    recipe: Recipe,
    count: Callable[[str], int],
    *,
    reasoning: Iterable[Row] | None = None,
    questions: Sequence[TrainingQuestion] = (),
    spoken: Sequence[SpokenGraph] = (),
    report: Callable[[str, int, int], None] = lambda stage, made, of: None,
) -> Iterator[Row]:
    """The rows, stage after stage; the same recipe gives the same ones. ``count``: tokens of a text.

    ``reasoning``: rows to take for that stage's skills instead; ``questions``: what it begins with, before questions
    are composed; ``spoken``: graphs with sentences, for graph to text and back. Raises ConfigError where the graph has
    nothing to say for a stage.
    """
    draws = list(_apart(recipe.tasks))
    replying = [tasks for stage, tasks in draws if stage != "pretraining"]
    for stage, tasks in draws:
        made, skills = 0, stage == "reasoning" and not tasks.keys() & BY_NAME[stage].keys()
        if stage == "pretraining":
            for text in corpus(vocabulary.kg, recipe.chunk_tokens, count):
                made += 1
                yield Row(stage, Example("graph", (), text))
                report(stage, made, 0)
            continue
        if skills and reasoning is not None:
            yield from reasoning
            continue
        dev = recipe.dev // len(replying) + (tasks is replying[-1]) * (recipe.dev % len(replying))
        splits: tuple[tuple[Split, int], ...] = (("train", recipe.examples), ("dev", dev))
        for split, wanted in splits:
            before = made
            stream = _stream(stage, tasks, vocabulary, recipe.seed, spoken, dev=split == "dev")
            if skills and questions:
                composer = SkillComposer(vocabulary, recipe.seed, dev=split == "dev")
                share = [q for q in questions if of_dev(q) == (split == "dev")]
                stream = chain(question_examples(composer, share, tasks), stream)
            for example in distinct(stream, wanted):
                made += 1
                yield Row(stage, example, split)
                report(stage, made, recipe.examples + dev)
            if split == "train" and wanted and made == before:
                raise ConfigError(
                    f"the graph has nothing for the {stage} stage ({', '.join(tasks)}).",
                    f"{_needs(tasks)} Else leave it out.",
                )


def _apart(tasks: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, Mapping[str, int]]]:
    """What is drawn from one random stream each: a stage's weighed tasks together, then each task of ``BY_NAME``."""
    for stage, weights in tasks.items():
        alone = [task for task in BY_NAME.get(stage, ()) if task in weights]
        if weighed := {task: weight for task, weight in weights.items() if task not in alone}:
            yield stage, weighed
        yield from ((stage, {task: weights[task]}) for task in alone)


def _stream(
    stage: str, tasks: Mapping[str, int], vocabulary: Vocabulary, seed: int, spoken: Sequence[SpokenGraph], *, dev: bool
) -> Iterator[Example]:
    if "order" in tasks:
        from triplewise.train.data.ordering import OrderComposer

        return OrderComposer(vocabulary.kg, seed, dev=dev).examples()
    if stage == "instruction":
        return InstructionComposer(vocabulary, seed, dev=dev, spoken=spoken).examples(tasks)
    if not spoken_of(vocabulary, dev=dev):
        return iter(())
    return SkillComposer(vocabulary, seed, dev=dev).examples(dict(tasks))


def _needs(tasks: Mapping[str, int]) -> str:
    if "order" in tasks:
        return "It needs links whose ends have others too, and relations that lead to at least five entities."
    return "It needs relations between entities with names of 2 to 60 characters."


def spoken_of(vocabulary: Vocabulary, *, dev: bool) -> bool:
    """Whether there is an entity in this share to compose questions about."""
    ends = (e for triples in vocabulary.by_relation.values() for t in triples for e in (t.head, t.tail))
    return any((crc32(e.encode()) % DEV_SHARE == 0) == dev for e in ends)


def of_dev(question: TrainingQuestion) -> bool:
    """Whether a question's topic belongs to the development share."""
    return crc32(question.topics[0].encode()) % DEV_SHARE == 0


def distinct(stream: Iterator[Example], wanted: int) -> Iterator[Example]:
    """So many different examples, or fewer where the stream repeats itself."""
    seen: set[tuple[str, ...]] = set()
    misses = 0
    while len(seen) < wanted and misses < _DRAWS * 10 and (example := next(stream, None)) is not None:
        key = (*(m.text for m in example.messages), example.reply)
        if key in seen:
            misses += 1
            continue
        misses = 0
        seen.add(key)
        yield example


def about(kg: KGStore, recipe: Recipe) -> dict[str, object]:
    """What the rows were made from, for their description."""
    from importlib.metadata import version

    return {
        "made_by": f"triplewise {version('triplewise')}", "graph": kg.name, "graph_sha256": kg.content_hash,
        "triples": len(kg), "seed": recipe.seed, "tasks": {s: list(t) for s, t in recipe.tasks.items()},
        "chunk_tokens": recipe.chunk_tokens,
    }  # fmt: skip
