"""Each store on MetaQA: what it takes to load, the memory, and what a question costs.

::

    python benchmarks/bench_metaqa_stores.py data/metaqa [--stores memory disk oxigraph-server …] [-n 20]

The questions are the first of dev's 1- and 2-hop ones, answered by query-graph with the ranker's choice. Every store
runs in a process of its own. ``load`` is from the file to a store that answers (import, or the server's start and load
of N-Triples); ``candidates`` the node ``find_readings``, ``question`` all of it, both without the first question, which
makes indexes or copies; ``memory`` the peak of this process, and of the server's. Beside the times stand those of this
process's processor. ``same``: questions with the answers of the store in memory. Servers are those of the tests, where
they are installed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import triplewise
from triplewise.backends.fake import ScriptedChatModel
from triplewise.evals.data.datasets import load_dataset
from triplewise.kg import load_kg

TRIPLES = "kb.nt"
STORES = ("memory", "disk", "oxigraph-server", "rdflib-endpoint", "virtuoso")
sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "support"))


def opened(kind: str, folder: Path, work: Path, stack: ExitStack) -> Any:
    """A store of this kind with MetaQA's graph."""
    from triplewise.kg.stores.client import Limits
    from triplewise.kg.stores.dialects import dialect
    from triplewise.kg.stores.endpoint import EndpointStore
    from triplewise.kg.stores.importer import import_graph
    from triplewise.kg.stores.oxigraph import OxigraphStore

    if kind == "memory":
        return load_kg(str(folder / "kb.txt"))
    if kind == "disk":
        import_graph(folder / "kb.txt", work / "store")
        return OxigraphStore(work / "store")
    from sparql_servers import SERVERS  # pyright: ignore[reportMissingImports] - of the tests

    url = stack.enter_context(SERVERS[kind](work.parent / TRIPLES, work))
    way = dialect("virtuoso" if kind == "virtuoso" else "plain")
    store = EndpointStore(url, dialect=way, limits=Limits(per_second=1000))
    stack.callback(store.close)
    return store


def write_triples(folder: Path, root: Path) -> None:
    """MetaQA's graph as N-Triples, with the terms that a store on disk has, for the servers."""
    from triplewise.kg.stores.folder import pyoxigraph
    from triplewise.kg.stores.importer import import_graph
    from triplewise.kg.stores.oxigraph import OxigraphStore

    engine = pyoxigraph()
    import_graph(folder / "kb.txt", root / "imported")
    db, graph = OxigraphStore(root / "imported").db, engine.DefaultGraph()
    db.dump(str(root / TRIPLES), format=engine.RdfFormat.N_TRIPLES, from_graph=graph)


def measure(kind: str, folder: Path, work: Path, n: int) -> dict[str, Any]:
    """The figures of one store."""
    spans = collect_spans()
    with ExitStack() as stack:
        begun = time.perf_counter()
        store = opened(kind, folder, work, stack)
        size = len(store)
        load = time.perf_counter() - begun
        asked = [q for hops in (1, 2) for q in load_dataset(f"metaqa-{hops}", folder, limit=-(-n // 2)).items]
        rows, requests = list[dict[str, Any]](), list[int]()
        for question in asked:
            before, spent, start = sent(store), time.process_time(), time.perf_counter()
            found = triplewise.ask(store, question.text, model=ScriptedChatModel(), method="query-graph")
            seconds, processor = time.perf_counter() - start, time.process_time() - spent
            requests.append(sent(store) - before)
            candidates = sum(s for name, s in spans() if name == "node find_readings")
            answers = sorted(a.label for a in found.answers)
            rows.append({"s": seconds, "cpu": processor, "candidates": candidates, "answers": answers,
                         "hit": bool(answers) and found.answers[0].label in question.answers})  # fmt: skip
        server = max((peak_mb(pid) for pid in children()), default=0.0)
    later = rows[1:]
    return {
        "triples": size, "load_s": load, "first_question_s": rows[0]["s"],
        "candidates_s": median(r["candidates"] for r in later),
        "question_s": median(r["s"] for r in later), "question_cpu_s": median(r["cpu"] for r in later),
        "requests": max(requests), "hits": sum(r["hit"] for r in rows), "n": len(rows),
        "memory_mb": peak_mb("self"), "server_mb": server,
        "answers": [r["answers"] for r in rows],
    }  # fmt: skip


def sent(store: Any) -> int:
    """Requests that an endpoint was sent; 0 for other stores."""
    return store.client.requests if hasattr(store, "client") else 0


def collect_spans() -> Callable[[], list[tuple[str, float]]]:
    """``spans()``: (name, seconds) of the spans that ended since it was asked last."""
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    collector, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(collector))
    trace.set_tracer_provider(provider)

    def ended() -> list[tuple[str, float]]:
        found = [(s.name, ((s.end_time or 0) - (s.start_time or 0)) / 1e9) for s in collector.get_finished_spans()]
        collector.clear()
        return found

    return ended


def children() -> list[int]:
    """Processes that this one started and that still run."""
    task = Path("/proc/self/task")
    return [int(pid) for thread in task.iterdir() for pid in (thread / "children").read_text().split()]


def peak_mb(pid: int | str) -> float:
    """The peak resident memory of a process."""
    lines = (Path("/proc") / str(pid) / "status").read_text().splitlines()
    return next((int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmHWM")), 0.0)


def main() -> None:
    """Measure each store, and print a table for docs/results.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stores", nargs="*", default=list(STORES), choices=STORES)
    parser.add_argument("-n", type=int, default=20)
    parser.add_argument("--one", nargs=2, metavar=("STORE", "WORK"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args.one[0], args.folder, Path(args.one[1]), args.n)))
        return
    gold: list[list[str]] = []
    columns = ("store", "load, s", "memory, MB", "its server's", "candidates, s", "question, s (processor)",
               "first question, s", "requests", "Hits@1", "same")  # fmt: skip
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)
    with tempfile.TemporaryDirectory() as root:
        if set(args.stores) - {"memory", "disk"}:
            write_triples(args.folder, Path(root))
        for kind in args.stores:
            work = Path(root) / kind
            work.mkdir()
            command = [sys.executable, __file__, str(args.folder), "-n", str(args.n), "--one", kind, str(work)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"| {kind} | not run: {(done.stderr.strip().splitlines() or ['?'])[-1]} |", flush=True)
                continue
            f = json.loads(done.stdout.splitlines()[-1])
            gold = gold or f["answers"]
            same = sum(a == b for a, b in zip(gold, f["answers"], strict=True))
            print(
                f"| {kind} | {f['load_s']:.1f} | {f['memory_mb']:.0f} | {f['server_mb']:.0f} | {f['candidates_s']:.2f} "
                f"| {f['question_s']:.2f} ({f['question_cpu_s']:.2f}) | {f['first_question_s']:.1f} | {f['requests']} "
                f"| {f['hits']}/{f['n']} | {same}/{f['n']} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
