"""A large graph on disk: import, memory, and what a question costs, at several sizes.

::

    python benchmarks/bench_stores.py 100000 1000000 [--keep DIR] [--json FILE] [--figure FILE.svg]

The graph is made by a generator: people, works, places and years; tails are drawn from a Zipf distribution, so that
some places and genres are hubs with very many triples. Import and questions run in processes of their own, whose peak
resident memory is reported. A retrieval is what an agent makes for a question: link the names in a sentence, read the
triples around them, run a query graph of two steps. A question is one that query-graph answers from reading to text,
the choice of the reading by its ranker. Beside the times stand those of the processor, for machines that do more than
this; ``--ask-only`` asks the stores that ``--keep`` left. The figures so far are written after each size.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

EX = "http://bench.example/"
RELATIONS = ("directed_by", "written_by", "starring", "filmed_in", "genre", "released", "born_in", "works_for")
_SYLLABLES = [
    "ba",
    "be",
    "do",
    "fa",
    "gu",
    "ha",
    "jo",
    "ka",
    "li",
    "ma",
    "ne",
    "no",
    "pa",
    "ra",
    "ri",
    "sa",
    "so",
    "ta",
    "ti",
    "vo",
    "wen",
    "zar",
    "lund",
    "berg",
    "mont",
    "croft",
    "vale",
    "ster",
]


def name(number: int, words: int) -> str:
    """A pronounceable name; a few things share one."""
    rng = random.Random(number // 1.02)
    return " ".join("".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))).capitalize() for _ in range(words))


def generate(path: Path, triples: int, seed: int = 7) -> None:
    """N-Triples with labels and classes; some 8 triples a node, hubs of one hundredth of all triples."""
    rng = random.Random(seed)
    things = max(triples // 8, 100)
    kinds = (("Work", things * 5 // 10, 2), ("Person", things * 4 // 10, 2), ("Place", things // 10, 1))
    label, kind_of = "<http://www.w3.org/2000/01/rdf-schema#label>", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    written = 0
    with path.open("w", encoding="utf-8", buffering=2**20) as file:
        for kind, count, words in kinds:
            for i in range(count):
                node = f"<{EX}{kind}/{i}>"
                file.write(f'{node} {label} "{name(len(kind) * 10_000_000 + i, words)}" .\n')
                file.write(f"{node} {kind_of} <{EX}{kind}> .\n")
        sizes = {kind: count for kind, count, _ in kinds}

        def drawn(kind: str) -> str:
            return f"<{EX}{kind}/{min(int(rng.paretovariate(0.35)) - 1, sizes[kind] - 1)}>"

        while written < triples:
            relation = RELATIONS[written % len(RELATIONS)]
            head, tail = f"<{EX}Work/{rng.randrange(sizes['Work'])}>", ""
            if relation in ("directed_by", "written_by", "starring"):
                tail = f"<{EX}Person/{rng.randrange(sizes['Person'])}>"
            elif relation in ("born_in", "works_for"):
                head = f"<{EX}Person/{rng.randrange(sizes['Person'])}>"
                tail = drawn("Place")
            elif relation == "filmed_in":
                tail = drawn("Place")
            elif relation == "genre":
                tail = f"<{EX}Genre/{min(int(rng.paretovariate(1.0)), 40)}>"
            else:
                tail = f'"{rng.randrange(1900, 2026)}"^^<http://www.w3.org/2001/XMLSchema#gYear>'
            file.write(f"{head} <{EX}{relation}> {tail} .\n")
            written += 1


def import_one(source: Path, target: Path) -> dict[str, Any]:
    """Import a file; seconds of each phase."""
    from triplewise.kg.stores.importer import import_graph

    begun, phases = time.perf_counter(), dict[str, float]()

    def note(what: str, share: float) -> None:
        phases.setdefault(what, time.perf_counter() - begun)

    import_graph(source, target, progress=note)
    total = time.perf_counter() - begun
    size = sum(f.stat().st_size for f in target.rglob("*") if f.is_file() and "read-" not in str(f))
    load = phases["count"]
    return {
        "seconds": total, "load_s": load, "count_s": phases["index"] - load, "index_s": total - phases["index"],
        "disk_mb": size / 1e6,
    }  # fmt: skip


def ask(target: Path, questions: int) -> dict[str, Any]:
    """Questions over a store; times of a retrieval."""
    import triplewise
    from triplewise.backends.fake import ScriptedChatModel
    from triplewise.kg.linking import link_entities
    from triplewise.kg.query import Pattern, QueryGraph, Variable, execute
    from triplewise.kg.stores.oxigraph import OxigraphStore

    begun = time.perf_counter()
    store = OxigraphStore(target)
    opened, rng = time.perf_counter() - begun, random.Random(1)
    people = [
        n
        for n in (f"{EX}Person/{rng.randrange(max(len(store) // 20, 40))}" for _ in range(questions * 3))
        if store.has_entity(n)
    ]
    times: dict[str, list[float]] = {"link": [], "around": [], "query": [], "search": [], "all": []}
    processor, answers, told = list[float](), 0, 0
    x, y = Variable("x"), Variable("y")
    for person in people[:questions]:
        start, spent = time.perf_counter(), time.process_time()
        mentions = link_entities(store, f"Which genres have the works directed by {store.label(person)}?")
        linked = time.perf_counter()
        found = list(store.edges([person], 50))
        around_them = store.edges([t.tail if t.head == person else t.head for t in found], 20)
        assert len(list(around_them)) >= len(found)
        around = time.perf_counter()
        query = QueryGraph((Pattern(x, f"{EX}directed_by", person), Pattern(x, f"{EX}genre", y)), y)
        answers += len(execute(store, query).ids) > 0
        queried = time.perf_counter()
        processor.append((time.process_time() - spent) * 1000)
        store.search(store.label(person)[:-1] + "x", 5)
        end = time.perf_counter()
        assert mentions
        parts = zip(
            times, (linked - start, around - linked, queried - around, end - queried, queried - start), strict=True
        )
        for part, seconds in parts:
            times[part].append(seconds * 1000)
    asked, busy = list[float](), list[float]()
    for person in people[: max(questions // 5, 1)]:
        start, spent = time.perf_counter(), time.process_time()
        reply = triplewise.ask(
            store,
            f"Which works are directed by {store.label(person)}?",
            model=ScriptedChatModel(),
            method="query-graph",
        )
        asked.append(time.perf_counter() - start)
        busy.append(time.process_time() - spent)
        told += bool(reply.answers)
    hub = max(store.instances(f"{EX}Genre") or [f"{EX}Genre/1"], key=store.degree)
    start = time.perf_counter()
    degree = store.degree(hub)
    store.relations(hub)
    hub_ms = (time.perf_counter() - start) * 1000
    figures = {f"{part}_ms": median(values) for part, values in times.items()}
    figures |= {"all_p95_ms": quantiles(times["all"], n=20)[-1], "all_cpu_ms": median(processor)}
    return {"open_s": opened, "triples": len(store), "nodes": len(store.nodes()), "hub": degree, "hub_ms": hub_ms,
            "answered": answers, "asked": len(asked), "told": told, "first_question_s": asked[0],
            "question_s": median(asked), "question_cpu_s": median(busy), **figures}  # fmt: skip


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Seconds and resident memory over triples."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "stores"
    from matplotlib import pyplot

    figure, (seconds, memory) = pyplot.subplots(1, 2, figsize=(8, 3.4))

    def line(panel: Any, step: str, name: str, key: str, unit: float = 1) -> None:
        points = [(row["ask"]["triples"], row[step][key] * unit) for row in rows if step in row]
        if points:
            panel.plot(*zip(*points, strict=True), marker=".", label=name)

    line(seconds, "import", "import", "seconds")
    line(seconds, "ask", "question, median", "question_s")
    line(seconds, "ask", "retrieval, median", "all_ms", 1e-3)
    line(memory, "import", "import", "peak_mb")
    line(memory, "ask", "questions", "peak_mb")
    for panel, title in ((seconds, "seconds"), (memory, "peak resident memory, MB")):
        panel.set(title=title, xlabel="triples", xscale="log", yscale="log")
        panel.grid(alpha=0.3)
        panel.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description="A large graph on disk.")
    parser.add_argument("sizes", nargs="*", type=int, default=[100_000])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", type=Path, help="figures of each size, written when it is done")
    parser.add_argument("--figure", type=Path, help="SVG of seconds and memory over triples (needs the extra evals)")
    parser.add_argument("--ask-only", action="store_true")
    parser.add_argument("--one", nargs=2, metavar=("STEP", "DIR"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        step, target = args.one[0], Path(args.one[1])
        figures = import_one(target.with_suffix(".nt"), target) if step == "import" else ask(target, args.questions)
        figures |= {
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
            "cpu_s": time.process_time(),
        }
        print(json.dumps(figures))
        return
    root, rows = args.keep or Path(tempfile.mkdtemp()), []
    root.mkdir(exist_ok=True)
    for size in args.sizes:
        target = root / str(size)
        start = time.perf_counter()
        if not args.ask_only and not target.with_suffix(".nt").exists():
            generate(target.with_suffix(".nt"), size)
        row: dict[str, Any] = {"size": size, "generate_s": time.perf_counter() - start}
        for step in ("ask",) if args.ask_only else ("import", "ask"):
            command = [sys.executable, __file__, "--one", step, str(target), "--questions", str(args.questions)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(done.stderr)
            row[step] = json.loads(done.stdout.splitlines()[-1])
        rows.append(row)
        print(json.dumps(row, indent=1), flush=True)
        if args.json:
            args.json.write_text(json.dumps(rows, indent=1))
        if args.figure:
            draw(rows, args.figure)
    if not args.keep:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
