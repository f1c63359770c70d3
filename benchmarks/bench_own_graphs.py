"""Graphs that nobody trained for: python benchmarks/bench_own_graphs.py corpus --out own-graphs.json

Questions and claims of the corpus' development domains by a method: strict Hits@1 (the first answer is a gold answer),
set F1, the right answers among the first five readings, what cannot be answered and is said so, answerable questions
that are refused, verdicts; by kind, hops and voice, with 95 % intervals; and for query-graph the stage at which each
miss was lost. Beside it, on the same items: ``--method kg-gpt`` and ``cot-kg``, ``minilm`` (query-graph's candidates
ranked by the untrained encoder alone) and ``sparql`` (queries written by the chat model).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from own_graph_baselines import Untrained, WrittenSparql, outcome

import triplewise
from triplewise.errors import TriplewiseError
from triplewise.evals.scores.statistics import interval, wilson
from triplewise.kg.names import literal_parts
from triplewise.kg.query.graph import NAME, TYPE
from triplewise.tools.query_graph.features import Features
from triplewise.tools.query_graph.ranker import SHORTLIST, WEIGHTS, reader_of
from triplewise.train.query_graph.corpus import DEVELOPMENT, CorpusItem, Domain, open_corpus
from triplewise.train.query_graph.examples import right_claims, right_readings


def same_text(domain: Domain, node: str) -> str:
    """Of literals with one text the same one; ``"6"`` for a count."""
    parts = literal_parts(node)
    return domain.node(parts.value) if parts else node


def found_ids(domain: Domain, item: CorpusItem, answers: Any) -> list[str]:
    """The answers of a result, comparable with the item's."""
    if item.query is not None and item.query.form == "count":
        return [a.label for a in answers]
    return [same_text(domain, a.id) for a in answers]


def among_first(domain: Domain, item: CorpusItem, result: Any) -> bool:
    """Whether one of the first five readings has exactly the gold answers."""
    readings = [r for r in (result.reading, *result.other_readings) if r is not None][:5]
    gold = {domain.store.label(a) if literal_parts(a) or domain.store.has_entity(a) else a for a in item.answers}
    return any(set(r.answers) == gold for r in readings)


def stage(domain: Domain, item: CorpusItem, result: Any, ranker: Path) -> str:
    """Where the right reading was lost: linking, generation, shortlist, ranking or calibration."""
    if item.query is None or item.missing in ("relation", "entity"):
        return "calibration"
    reader = reader_of(domain.store, ranker)
    sentence, drafts, affinity = reader.candidates(item.text, item.task)
    ignored = domain.store.roles.aliases
    if item.task == "ask":
        right, alike = right_readings(drafts, item.query, item.answers, ignored, lambda n: same_text(domain, n))
        right |= alike
    else:
        right, alike = right_claims(drafts, item.query, ignored)
        right |= alike
    if not right:
        named = {
            e
            for p in item.query.patterns
            if p.relation not in (TYPE, NAME)
            for e in (p.head, p.tail)
            if isinstance(e, str)
        }
        reached = {link.node for link in sentence.links} | {node for _, node in sentence.value_nodes}
        missing = [e for e in named if e not in reached and not literal_parts(e) and domain.store.out_relations(e)]
        return "linking" if missing else "generation"
    cheap = reader.cheap_scores(Features(reader.schema, sentence, affinity).matrix(drafts))
    best = set(sorted(range(len(drafts)), key=lambda i: -cheap[i])[:SHORTLIST])
    if not right & best:
        return "shortlist"
    return "calibration" if item.task == "ask" and result is not None and not result.answers else "ranking"


def run_baseline(domain: Domain, item: CorpusItem, baseline: Untrained | WrittenSparql) -> dict[str, Any]:
    """One item's outcome by what is no method of ours."""
    started = time.perf_counter()
    found = baseline.answer(domain, item)
    return {"seconds": time.perf_counter() - started, **outcome(domain, item, found)}


def run(domain: Domain, item: CorpusItem, method: str, model: Any, embedder: str, ranker: Path) -> dict[str, Any]:
    """One item's outcome."""
    options = {"ranker": ranker} if method == "query-graph" else {"model": model, "embedder": embedder}
    call = triplewise.ask if item.task == "ask" else triplewise.verify
    started = time.perf_counter()
    try:
        result = call(domain.store, item.text, method=method, **options)
    except TriplewiseError as error:
        return {
            "error": str(error),
            "right": False,
            "f1": 0.0,
            "silent": True,
            "seconds": time.perf_counter() - started,
        }
    seconds = time.perf_counter() - started
    row: dict[str, Any] = {"seconds": seconds, "calls": result.usage.calls}
    if item.task == "verify":
        row["right"] = result.verdict in item.answers
        row["verdict"] = result.verdict
    else:
        found, gold = found_ids(domain, item, result.answers), set(item.answers)
        row["silent"] = not found
        row["right"] = not found if not gold else bool(found) and found[0] in gold
        row["f1"] = 2 * len(set(found) & gold) / (len(set(found)) + len(gold)) if found or gold else 1.0
        if method == "query-graph":
            row["five"] = among_first(domain, item, result)
    if method == "query-graph":
        row["reading"] = result.reading.text if result.reading else ""
        if not row["right"] or row.get("f1", 1.0) < 1:
            row["stage"] = stage(domain, item, result, ranker)
    return row


async def throughput(domains: list[Domain], sources: list[str], every: int, in_flight: int, ranker: Path) -> None:
    """Ask everything with so many sentences in flight; prints how many were done a second."""
    work = iter([(d, i) for d in domains for i in [i for i in d.items() if i.source in sources][::every]])
    for domain in domains:
        await triplewise.aask(domain.store, "What is there?", method="query-graph", ranker=ranker)  # reads the graph
    done = 0

    async def one_after_another() -> None:
        nonlocal done
        for domain, item in work:
            call = triplewise.aask if item.task == "ask" else triplewise.averify
            await call(domain.store, item.text, method="query-graph", ranker=ranker)
            done += 1

    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one_after_another() for _ in range(in_flight)))
    seconds = time.perf_counter() - started
    print(f"{done} sentences, {in_flight} in flight: {done / seconds:.1f} a second, "
          f"{(time.process_time() - cpu) / done:.2f} s of the processor each")  # fmt: skip


def share(rows: list[dict[str, Any]], key: str) -> str:
    """A share with its interval."""
    hits = sum(bool(r.get(key)) for r in rows)
    low, high = wilson(hits, len(rows)) if rows else (0.0, 0.0)
    return f"{hits}/{len(rows)} = {hits / max(1, len(rows)):.1%} [{low:.1%}, {high:.1%}]"


def report(rows: list[dict[str, Any]]) -> None:
    """All tables."""
    asked = [r for r in rows if r["task"] == "ask"]
    known, none = [r for r in asked if r["kind"] != "none"], [r for r in asked if r["kind"] == "none"]
    claims = [r for r in rows if r["task"] == "verify"]
    if known:
        f1 = [r["f1"] for r in known]
        low, high = interval(f1)
        print(f"Hits@1              {share(known, 'right')}")
        print(f"set F1              {statistics.mean(f1):.3f} [{low:.3f}, {high:.3f}]")
        print(f"among first five    {share(known, 'five')}")
        print(f"answerable refused  {share(known, 'silent')}")
    print(f"unanswerable said   {share(none, 'right')}")
    print(f"claims              {share(claims, 'right')}")
    seconds = sorted(r["seconds"] for r in rows)
    print(f"seconds             median {seconds[len(seconds) // 2]:.2f}, 95 % {seconds[int(len(seconds) * 0.95)]:.2f}")
    print(f"peak memory         {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    for group in ("domain", "kind", "hops", "voice"):
        print(f"\nby {group}")
        parts: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            parts[f"{row['task']} {row[group]}"].append(row)
        for name in sorted(parts):
            print(f"  {name:28} {share(parts[name], 'right')}")
    for task in ("ask", "verify"):
        stages = Counter(r["stage"] for r in rows if r["task"] == task and "stage" in r and not r["right"])
        print(f"\nlost, {task}: {dict(stages.most_common())}")


def main() -> None:
    """Run the items and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--method", default="query-graph")
    parser.add_argument("--model", default="llamacpp:embedded")
    parser.add_argument("--embedder", default="minilm")
    parser.add_argument("--ranker", type=Path, default=WEIGHTS, help="query-graph: FILE.npz of 'train ranker'")
    parser.add_argument("--domains", nargs="*", default=list(DEVELOPMENT))
    parser.add_argument("--sources", nargs="*", default=["questions", "claims"])
    parser.add_argument("--every", type=int, default=1, help="take each n-th item")
    parser.add_argument("--in-flight", type=int, default=0, help="query-graph: only the throughput of so many at once")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    if args.in_flight:
        domains = list(open_corpus(args.corpus, tuple(args.domains)))
        asyncio.run(throughput(domains, args.sources, args.every, args.in_flight, args.ranker))
        return
    model = triplewise.load_chat_model(args.model) if args.method not in ("query-graph", "minilm") else None
    baseline = {"minilm": Untrained, "sparql": lambda: WrittenSparql(model)}.get(args.method, lambda: None)()
    rows = []
    for domain in open_corpus(args.corpus, tuple(args.domains)):
        items = [i for i in domain.items() if i.source in args.sources][:: args.every]
        for item in items:
            if baseline:
                row = run_baseline(domain, item, baseline)
            else:
                row = run(domain, item, args.method, model, args.embedder, args.ranker)
            rows.append({"id": item.id, "task": item.task, "text": item.text, "domain": item.domain, "kind": item.kind,
                         "hops": item.hops, "voice": item.voice, **row})  # fmt: skip
        print(domain.name, share(rows[-len(items) :], "right"), flush=True)
        if args.out:
            args.out.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    report(rows)


if __name__ == "__main__":
    main()
