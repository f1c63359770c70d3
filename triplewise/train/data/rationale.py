"""Reasoning data from a teacher (Retrieval and Reasoning on KGs, Prompt 3 and section 3.4): rationalisation.

A stronger model is told a question with its answer, and for the reasoner the retrieved clues too, and writes the
reasoning in between. The student learns it under Prompts 1 and 2 without demonstrations: plan, then output;
reasoning, then output. Clues come from BM25, or from an embedder's index: neither was tuned for the questions. Where
they miss the answer, the
gold path's triples are added for most, and the others teach the student to say that the hints do not hold it.
A reply that cannot be used, also when asked for once more, is dropped and counted.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from langchain_core.language_models import BaseChatModel

from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.kg import NetworkxStore
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold
from triplewise.prompts.template import load_examples, load_prompt
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, TripleRetriever
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.train.data.dataset import Recipe, of_dev, spoken_of
from triplewise.train.data.rows import Row
from triplewise.train.data.skills import Example
from triplewise.train.sentences.compose import Composer, Vocabulary
from triplewise.train.trainers.retriever import TrainingQuestion, follow, shortest_paths
from triplewise.types import Triple, Usage

CLUES = 20
"""Triples shown, as many as at run time."""
MAX_ANSWERS = 10
"""A question with more answers is left out: they do not fit among the clues."""
UNANSWERED = 0.3
"""Share of the questions whose clues miss the answer and stay so."""
_TRIES = 500
_PROOFS = 3
_MAX_HOPS = 5
_STEP = re.compile(r"^\s*(?:\(?\d+[.):]|[-*•]|step\s+\d+\s*[.:)-])\s*", re.IGNORECASE)
_OUTPUT = re.compile(r"(?:^|\n)\W*(?:output|answers?)\W*:.*", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Rationales:
    """What the teacher gave: per question its examples, and counts of what it did not."""

    examples: dict[int, list[Example]] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=lambda: {"plan_cot": 0, "reason_cot": 0})
    unanswered: int = 0
    left_out: int = 0
    """Questions without an answer in the graph, or with too many."""
    usage: Usage = field(default_factory=Usage)


class Teacher:
    """Asks a model for the reasoning of questions over one graph."""

    def __init__(
        self, kg: KGStore, model: BaseChatModel, seed: int = 0, at_once: int = 16,
        retriever: TripleRetriever | None = None,
    ) -> None:  # fmt: skip
        """``retriever``: where clues come from, by its index where it has one; None is BM25."""
        self.kg, self.model, self.seed = kg, model, seed
        self.retriever = retriever or TripleRetriever(kg)
        self.mode: Literal["bm25", "dense"] = "bm25" if self.retriever.index is None else "dense"
        self._gate = asyncio.Semaphore(at_once)

    async def explain(
        self, questions: Sequence[TrainingQuestion], on_done: Callable[[int], None] = lambda done: None
    ) -> Rationales:
        """The examples of all questions; errors of the model itself (budget, timeout) are raised."""
        made = Rationales()
        finished = 0

        async def one(i: int) -> None:
            nonlocal finished
            async with self._gate:
                made.examples[i] = await self._one(i, questions[i], made)
            finished += 1
            on_done(finished)

        tasks = [asyncio.create_task(one(i)) for i in range(len(questions))]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        return made

    async def plans(self, questions: Sequence[TrainingQuestion]) -> list[tuple[str, ...]]:
        """The rationalised steps of each question (section 3.2: the answer is told, the steps must not name it).

        () where the graph has no answer, or too many, or the model's steps cannot be used.
        """
        made = Rationales()

        async def one(question: TrainingQuestion) -> tuple[str, ...]:
            answers = question.answers or self.ends(question)
            if not 0 < len(answers) <= MAX_ANSWERS:
                return ()
            async with self._gate:
                steps = await self._ask("plan", made, question.text, [self.kg.display(a) for a in answers])
            return tuple(steps.split("\n")) if steps else ()

        return list(await asyncio.gather(*map(one, questions)))

    async def _one(self, number: int, question: TrainingQuestion, made: Rationales) -> list[Example]:
        answers = question.answers or self.ends(question)
        if not 0 < len(answers) <= MAX_ANSWERS:
            made.left_out += 1
            return []
        rng = random.Random(f"{self.seed} {number} {question.text}")
        clues, held = self.clues(question, answers, rng)
        found: list[Example] = []
        names = [self.kg.display(a) for a in answers]
        if steps := await self._ask("plan", made, question.text, names):
            found.append(plan_example(question.text, steps.split("\n"), names))
        knowledge = format_triples(self.kg, clues)
        if not held:
            made.unanswered += 1
            found.append(reason_example(question.text, knowledge, "The hints do not say this.", ()))
            return found
        names = [self.kg.display(a) for a in answers if a in held]
        if text := await self._ask("reason", made, question.text, names, knowledge):
            found.append(reason_example(question.text, knowledge, text, names))
        return found

    async def _ask(self, kind: str, made: Rationales, question: str, names: list[str], knowledge: str = "") -> str:
        """The teacher's text, "" where it cannot be used."""
        extra = {"knowledge": knowledge} if kind == "reason" else {}
        messages = load_prompt(f"cot_kg/rationalize_{kind}").render(
            examples=demonstrations(kind), question=question, answer=", ".join(names), **extra
        )
        read = read_steps if kind == "plan" else read_reasoning
        reply = ReplyFormat(
            parse=lambda text: read(text, question, names), fallback=str, fallback_note="The example is dropped.",
            max_tokens=400,
        )  # fmt: skip
        called = await call_model(self.model, messages, reply, node=f"rationalize_{kind}")
        made.usage += called.step.usage
        made.dropped[f"{kind}_cot"] += not called.value
        return called.value

    # evidence -----------------------------------------------------------------------------------------------

    def ends(self, question: TrainingQuestion) -> tuple[str, ...]:
        """Where the gold relation path leads."""
        here = set(question.topics)
        for relation in question.path:
            forward = {t.tail for e in here for t in self.kg.triples(head=e, relation=relation)}
            here = forward | {t.head for e in here for t in self.kg.triples(relation=relation, tail=e)}
        return tuple(sorted(here)) if question.path else ()

    def clues(
        self, question: TrainingQuestion, answers: Sequence[str], rng: random.Random
    ) -> tuple[list[Triple], set[str]]:
        """Retrieved triples, with the gold ones where they are missing for most; the answers that they lead to."""
        options = RetrievalOptions(k=CLUES, mode=self.mode)
        found = [s.triple for s in self.retriever.retrieve(question.text, (), question.topics, options).triples]
        held = reached(found, question.topics) & set(answers)
        if not held and rng.random() >= UNANSWERED:
            gold = self.gold(question, rng.sample(list(answers), min(len(answers), _PROOFS)))
            found = [*gold, *(t for t in found if t not in gold)][:CLUES]
            rng.shuffle(found)
            held = reached(found, question.topics) & set(answers)
        return found, held

    def gold(self, question: TrainingQuestion, answers: Sequence[str]) -> list[Triple]:
        """A chain of the gold path to each answer, else all shortest paths."""
        table = self.retriever.table
        steps = follow(table, question.topics, question.path) if question.path else []
        if not steps:
            rows = shortest_paths(table, question.topics, answers, _MAX_HOPS)
            return [table.triples[row] for row in rows.tolist()]
        found: dict[Triple, None] = {}
        for answer in answers:
            here = answer
            for rows in reversed(steps):
                hit = next((t for t in (table.triples[r] for r in rows.tolist()) if here in (t.head, t.tail)), None)
                if hit is not None:
                    found[hit] = None
                    here = hit.tail if hit.head == here else hit.head
        return list(found)


def reached(triples: Sequence[Triple], topics: Sequence[str]) -> set[str]:
    """All that the triples link to a topic, the topics aside."""
    here, size = set(topics), -1
    while len(here) != size:
        size = len(here)
        here |= {end for t in triples if t.head in here or t.tail in here for end in (t.head, t.tail)}
    return here - set(topics)


# the teacher's replies ----------------------------------------------------------------------------------------


def read_steps(reply: str, question: str, answers: Sequence[str]) -> str:
    """One to six steps, a line each, without numbers; raises ReplyError where they name an answer."""
    lines = [line for line in _OUTPUT.sub("", reply.strip().strip("`")).splitlines() if _STEP.match(line)]
    steps = [" ".join(_STEP.sub("", line).split())[:300] for line in lines]
    if not 1 <= len(steps) <= 6 or not all(any(c.isalpha() for c in s) for s in steps):
        raise ReplyError("Write one to six numbered lines, each a step.")
    told = [a for a in answers if _names(" ".join(steps), a) and not _names(question, a)]
    if told:
        raise ReplyError(f"The steps must not name the answer ({told[0]}): say what has to be found.")
    return "\n".join(steps)


def read_reasoning(reply: str, question: str, answers: Sequence[str]) -> str:
    """The reasoning on one line; raises ReplyError where it does not come to an answer."""
    text = " ".join(_STEP.sub("", line) for line in _OUTPUT.sub("", reply.strip().strip("`")).splitlines())
    text = " ".join(re.sub(r"^\W*(?:CoT|reasoning)\W*:", "", text, flags=re.IGNORECASE).split())
    if not any(_names(text, a) for a in answers):
        raise ReplyError("The reasoning does not come to the answer: name it in the last sentence.")
    if not len(text) <= 1_000:
        raise ReplyError("The reasoning is too long: a few short sentences are enough.")
    return text


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(fold(name))}(?!\w)", fold(text)) is not None


# prompts ------------------------------------------------------------------------------------------------------


def demonstrations(kind: str) -> str:
    """Prompt 3's examples; each followed by a blank line."""
    shown = []
    for record in load_examples("cot_kg"):
        triples = [Triple(*t) for t in record["triples"]]
        clues = f"Clues:\n{format_triples(NetworkxStore(triples), triples)}\n" if kind == "reason" else ""
        steps = "\n".join(f"{i}. {step}" for i, step in enumerate(record["plan"], 1))
        output = record["reasoning"] if kind == "reason" else steps
        answers = ", ".join(record["answers"])
        shown.append(f"Input: {record['question']}\n{clues}Answer: {answers} ### Output:\n{output}\n\n")
    return "".join(shown)


def plan_example(question: str, steps: Sequence[str], answers: Sequence[str]) -> Example:
    """Prompt 1 without demonstrations: the steps, then an answer."""
    prompt = load_prompt("cot_kg/plan").render(examples="", question=question)
    numbered = "\n".join(f"{i}. {step}" for i, step in enumerate(steps, 1))
    return Example("plan_cot", tuple(prompt), f"{numbered}\nOutput: {', '.join(answers)}")


def reason_example(question: str, knowledge: str, text: str, answers: Sequence[str]) -> Example:
    """Prompt 2 without demonstrations: the reasoning, then the list of answers."""
    prompt = load_prompt("cot_kg/reason").render(examples="", question=question, knowledge=knowledge)
    return Example("reason_cot", tuple(prompt), f"{text}\nOutput: {json.dumps(list(answers), ensure_ascii=False)}")


# questions and rows -------------------------------------------------------------------------------------------


def teaching_questions(
    vocabulary: Vocabulary, recipe: Recipe, asked: Sequence[TrainingQuestion] = ()
) -> list[TrainingQuestion]:
    """As many questions as the recipe's examples need, two each: those asked, then composed ones."""
    found: list[TrainingQuestion] = []
    for dev, wanted in ((False, recipe.examples), (True, recipe.dev)):
        need = (wanted + 1) // 2
        share = [q for q in dict.fromkeys(asked) if of_dev(q) == dev][:need]
        if len(share) < need and spoken_of(vocabulary, dev=dev):
            share += islice(_composed(Composer(vocabulary, recipe.seed, dev=dev)), need - len(share))
        found += share
    return found


def _composed(composer: Composer) -> Iterator[TrainingQuestion]:
    """Questions with few enough answers, each once."""
    seen: set[str] = set()
    misses = 0
    while misses < _TRIES:
        composed = composer.question()
        answers = composer.executed(composed).bindings.get("answer", ())
        misses += 1
        if composed.text not in seen and 0 < len(answers) <= MAX_ANSWERS:
            seen.add(composed.text)
            misses = 0
            yield TrainingQuestion(composed.text, composed.entities, tuple(sorted(answers)))


def teaching_rows(questions: Sequence[TrainingQuestion], made: Rationales) -> list[Row]:
    """The rows in the questions' order."""
    return [
        Row("reasoning", example, "dev" if of_dev(question) else "train")
        for i, question in enumerate(questions)
        for example in made.examples.get(i, ())
    ]
