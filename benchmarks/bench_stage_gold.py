"""KG-GPT's retrieval with gold segmentation and relations, on MetaQA: python benchmarks/bench_stage_gold.py data/metaqa

The qtype files name each question's relation path; with that path as sub-sentences and relations the
evidence must hold every gold answer, and the executed join must equal the gold set. ``--machine N`` also
sends N questions a hop through the whole state machine with a model scripted to say the gold path.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import triplewise
from triplewise.agents.evidence_retriever import RetrieverOptions, retrieve
from triplewise.agents.state import ANSWER, End, SubSentence
from triplewise.backends.fake import ScriptedChatModel
from triplewise.kg import KGStore, load_kg

RELATIONS = {
    "director": "directed_by", "writer": "written_by", "actor": "starred_actors", "genre": "has_genre",
    "year": "release_year", "language": "in_language", "tags": "has_tags", "tag": "has_tags",
    "imdbrating": "has_imdb_rating", "imdbvotes": "has_imdb_votes",
}  # fmt: skip


class Question(NamedTuple):
    """A question with its topic, gold answers and gold path ("movie_to_director_to_movie")."""

    text: str
    topic: str
    gold: frozenset[str]
    path: str


def questions(folder: Path, hops: int, split: str = "dev") -> Iterator[Question]:
    """Questions of a hop count in MetaQA's public layout."""
    lines = (folder / f"{hops}-hop/vanilla/qa_{split}.txt").read_text(encoding="utf-8").splitlines()
    paths = (folder / f"{hops}-hop/qa_{split}_qtype.txt").read_text(encoding="utf-8").split()
    for line, path in zip(lines, paths, strict=True):
        text, answers = line.split("\t")
        yield Question(text, text[text.index("[") + 1 : text.rindex("]")], frozenset(answers.split("|")), path)


def gold_sub_sentences(question: Question) -> tuple[SubSentence, ...]:
    """The path as a chain of sub-sentences from the topic to ?answer, each with its gold relation."""
    kinds = question.path.split("_to_")
    ends = [
        End(entity=question.topic),
        *(End(variable=f"x{i}") for i in range(1, len(kinds) - 1)),
        End(variable=ANSWER),
    ]
    relations = [RELATIONS[a if b == "movie" else b] for a, b in pairwise(kinds)]
    return tuple(SubSentence(f"part {i + 1}", (ends[i], ends[i + 1]), (r,)) for i, r in enumerate(relations))


def picked_answers(kg: KGStore, subs: tuple[SubSentence, ...], gold: frozenset[str]) -> tuple[bool, frozenset[str]]:
    """(evidence covers the gold set, executed join of the reading that reaches a gold answer)."""
    evidence, match = retrieve(kg, subs, "ask", RetrieverOptions())
    pick = min(gold)
    joins = (part.bindings[ANSWER] for _, part in match.signatures() if pick in part.bindings.get(ANSWER, ()))
    return gold <= {e for t in evidence for e in (t.triple.head, t.triple.tail)}, next(joins, frozenset())


def gold_model(kg: KGStore, by_text: dict[str, Question]) -> ScriptedChatModel:
    """A model that segments by the gold path, selects the gold relation and picks a gold answer."""

    def reply(messages: list[Any], kwargs: dict[str, Any]) -> str:
        system, user = messages[0].text, messages[1].text  # a repair asks again below
        if "You choose" in system:
            return user.rpartition("Sentence: ")[2].partition("\n")[0]
        marker = "Sentence: " if "You split" in system else "Question: "
        question = by_text[user.rpartition(marker)[2].partition("\n")[0]]
        if marker == "Question: ":
            return min(question.gold)
        return "\n".join(
            f"{i}. {kg.relation_label(s.relations[0])} | "
            + " ; ".join(kg.display(e.entity) if e.entity else f"?{e.variable}" for e in s.ends)
            for i, s in enumerate(gold_sub_sentences(question), 1)
        )

    return ScriptedChatModel(responses=reply)


async def machine(kg: KGStore, asked: list[Question]) -> tuple[int, float]:
    """(questions whose answer set equals gold, questions a second) through the whole machine, 64 at once."""
    model = gold_model(kg, {q.text: q for q in asked})
    gate = asyncio.Semaphore(64)

    async def one(question: Question) -> bool:
        async with gate:
            result = await triplewise.aask(kg, question.text, model=model)
            return frozenset(a.id for a in result.answers) == question.gold

    started = time.perf_counter()
    right = sum(await asyncio.gather(*(one(q) for q in asked)))
    return right, len(asked) / (time.perf_counter() - started)


def main() -> None:
    """Print coverage, equality and speed per hop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--machine", type=int, default=0, help="questions a hop through the whole machine")
    args = parser.parse_args()
    kg = load_kg(args.folder / "kb.txt")
    print(f"{'hop':>3}{'n':>7}{'evidence covers gold':>22}{'join equals gold':>18}{'questions/s':>13}")
    for hops in (1, 2, 3):
        asked = list(questions(args.folder, hops))
        started = time.perf_counter()
        outcomes = [(q, *picked_answers(kg, gold_sub_sentences(q), q.gold)) for q in asked]
        rate = len(asked) / (time.perf_counter() - started)
        covered, equal = sum(c for _, c, _ in outcomes), sum(j == q.gold for q, _, j in outcomes)
        n = len(asked)
        print(f"{hops:3}{n:7}{covered:13} {covered / n:7.2%}{equal:10} {equal / n:7.2%}{rate:13,.0f}")
        if args.machine:
            right, rate = asyncio.run(machine(kg, asked[: args.machine]))
            print(
                f"    whole machine: {right} of {min(n, args.machine)} answer sets equal gold, {rate:,.0f} questions/s"
            )


if __name__ == "__main__":
    main()
