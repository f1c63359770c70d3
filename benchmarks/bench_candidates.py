"""How long query-graph takes to list its candidates on MetaQA's graph, apart from reading and ranking them.

::

    python benchmarks/bench_candidates.py data/metaqa [-n 60]

Training questions of one, two and three hops, drawn with a seed; seconds of the processor, after a first question that
reads the graph.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from statistics import median, quantiles

from triplewise.kg import load_kg
from triplewise.tools.query_graph.ranker import reader_of


def main() -> None:
    """Read the arguments, ask, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-n", type=int, default=60)
    args = parser.parse_args()
    files = [args.folder / f"{hops}-hop" / "vanilla" / "qa_train.txt" for hops in (1, 2, 3)]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [
        line.split("\t")[0].replace("[", "").replace("]", "") for line in random.Random(0).sample(lines, args.n + 1)
    ]
    reader = reader_of(load_kg(args.folder / "kb.txt"))
    seconds: list[float] = []
    counts: list[int] = []
    for text in texts:
        near = reader.affinity(text)
        began = time.process_time()
        counts.append(len(reader.generator.generate(reader.generator.read(text), near)))
        seconds.append(time.process_time() - began)
    spent, most = seconds[1:], quantiles(seconds[1:], n=20)[-1]
    print(f"{args.n} questions: {1000 * median(spent):.0f} ms median, 95 % {1000 * most:.0f} ms; ", end="")
    print(f"{median(counts):.0f} candidates, most {max(counts)}")


if __name__ == "__main__":
    main()
