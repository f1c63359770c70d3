"""Complete results as JSON lines, to compare before and after a change that must not change them.

    python benchmarks/same_answers.py before.jsonl
    ... the change ...
    python benchmarks/same_answers.py after.jsonl
    cmp before.jsonl after.jsonl

A line is a question, a claim or a link by a method and a preset: answers, evidence, citations, and each step's prompt
and reply. Times and cost are left out. What is asked comes from this repository's corpus: questions and claims over its
graphs for the methods that ask and verify, links out of the graphs for KICGPT, whose first ranking is a seeded draw.

Replies are drawn at random out of each node's grammar (``drawn_replies.py``): that compares prompts, parsing,
retrieval, joins and the printed result, repairs and fallbacks included, and says nothing of how good the answers are.
Query-graph's ranker is the trained one. With ``--model`` and ``--cache`` a real model replies, from the cache where
that has the reply, so that the second run asks nothing; ``--data`` takes MetaQA's questions in place of the corpus.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from drawn_replies import drawing_model
from langchain_core.language_models import BaseChatModel

import triplewise
from triplewise.backends import load_chat_model
from triplewise.errors import TriplewiseError
from triplewise.evals.data.datasets import load_dataset
from triplewise.graphs.complete import Completion, acomplete
from triplewise.graphs.method import Method, methods
from triplewise.kg import KGStore, load_kg
from triplewise.tools.links.rotate_scorer import RankingFile
from triplewise.tools.retrieval.triple_retriever import TripleRetriever
from triplewise.train.query_graph.corpus import Domain, domain_names
from triplewise.types import Result

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
RANKED = 30
"""Entities in a drawn first ranking of a link."""
Asked = tuple[KGStore, str, dict[str, Any]]
"""(graph, task, what is asked)."""


def plain(result: Result | Completion) -> dict[str, Any]:
    """The result without what differs from run to run."""
    data = asdict(result)
    del data["usage"]
    for step in data["steps"]:
        del step["seconds"], step["usage"]
    return data


def of_corpus(n: int) -> Iterator[Asked]:
    """``n`` questions and claims, and as many links, taken from all graphs in turn."""
    domains = [Domain(CORPUS / name) for name in domain_names(CORPUS)]
    each = -(-n // len(domains))
    for domain in domains:
        for item in islice(domain.items(), each):
            yield domain.store, item.task, {"text": item.text}
        things = [t for t in domain.store.triples() if not domain.store.is_literal(t.tail)]
        for triple in random.Random(domain.name).sample(things, min(each, len(things))):
            yield domain.store, "complete", {"head": triple.head, "relation": triple.relation, "tail": triple.tail}


def of_metaqa(folder: Path, n: int) -> Iterator[Asked]:
    """``n`` questions of each number of hops."""
    kg = load_kg(folder / "kb.txt", skip_bad_lines=True)
    for hops in (1, 2, 3):
        for item in load_dataset(f"metaqa-{hops}", folder, limit=n).items:
            yield kg, "ask", {"text": item.text}


def drawn_ranking(kg: KGStore, folder: Path, link: dict[str, str]) -> RankingFile:
    """A link predictor that ranks the right tail among drawn entities."""
    rng = random.Random(json.dumps(link))
    others = rng.sample(list(kg.nodes()), min(RANKED, len(list(kg.nodes()))))
    ranking = [e for e in others if not kg.is_literal(e) and e != link["tail"]]
    ranking.insert(rng.randint(0, min(9, len(ranking))), link["tail"])
    file = folder / "rankings.jsonl"
    file.write_text(json.dumps({**link, "tail": None, "ranking": ranking}), encoding="utf-8")
    return RankingFile.load(file, kg)


async def answer(
    kg: KGStore, task: str, asked: dict[str, Any], method: Method, preset: str, model: BaseChatModel, folder: Path
) -> dict[str, Any]:
    """What a method makes of one question, claim or link; an error's text where it makes nothing of it."""
    options: dict[str, Any] = {"method": method.id, "preset": preset, "model": model}
    try:
        if task == "complete":
            ranker = drawn_ranking(kg, folder, asked)
            return plain(await acomplete(kg, asked["head"], asked["relation"], None, scorer=ranker, **options))
        if "retriever" in method.resources:
            options |= {"retriever": TripleRetriever(kg), "retrieval": "bm25"}
        run = triplewise.averify if task == "verify" else triplewise.aask
        return plain(await run(kg, asked["text"], embedder="", **options))
    except TriplewiseError as error:
        return {"error": str(error)}


def _same_settings(method: Method, preset: str, others: list[str]) -> bool:
    return any(method.presets[preset] == method.presets[other] for other in others)


async def record(out: Path, asked: list[Asked], chosen: list[str], model: str | None, cache: Path | None) -> None:
    """Write the lines."""
    with out.open("w", encoding="utf-8") as file, TemporaryDirectory() as folder:
        for method in (m for m in methods() if m.id in chosen or not chosen):
            lines = errors = 0
            presets = list(method.presets)
            for preset in (p for i, p in enumerate(presets) if not _same_settings(method, p, presets[:i])):
                sampling = method.sampling(preset)
                chat = load_chat_model(model, cache=cache or False, **sampling) if model else drawing_model()
                for kg, task, what in asked:
                    if task in method.tasks:
                        found = await answer(kg, task, what, method, preset, chat, Path(folder))
                        line = {"method": method.id, "preset": preset, "task": task, "graph": kg.name, **what, **found}
                        file.write(json.dumps(line, ensure_ascii=False, sort_keys=True, default=str) + "\n")
                        lines, errors = lines + 1, errors + ("error" in found)
            print(f"{method.id:12}{lines:6,} lines, {errors:,} of them errors")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, help="MetaQA's folder, in place of the corpus")
    parser.add_argument("--model", help="a model string; without it replies are drawn")
    parser.add_argument("--cache", type=Path, help="the LLM cache's file")
    parser.add_argument("--method", action="append", default=[], help="ids of methods; all without it")
    parser.add_argument("-n", type=int, default=200, help="questions and claims, and links (of MetaQA: per hop)")
    args = parser.parse_args()
    asked = list(of_metaqa(args.data, args.n) if args.data else of_corpus(args.n))
    asyncio.run(record(args.out, asked, args.method, args.model, args.cache))


if __name__ == "__main__":
    main()
