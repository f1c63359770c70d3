"""Entity linking on MetaQA's questions without their brackets: python benchmarks/bench_linking.py data/metaqa

Counts the questions whose only mention has the topic as its first candidate, as written and all in lower case
(there the topic counts up to case: a tag and a person may differ in case only). Report on dev; tune on train.
"""

from __future__ import annotations

import argparse
import statistics
import time

from triplewise.evals.data.datasets import load_dataset
from triplewise.evals.scores.statistics import wilson
from triplewise.kg import load_kg
from triplewise.kg.linking import link_entities


def main() -> None:
    """Link every question of a split, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="MetaQA's folder, with kb.txt")
    parser.add_argument("--split", default="dev")
    args = parser.parse_args()
    kg = load_kg(f"{args.folder}/kb.txt")
    link_entities(kg, "warm up")
    seconds = []
    print(f"{args.split:8}{'n':>6}{'as written':>27}{'all in lower case':>27}")
    for hops in (1, 2, 3):
        items = load_dataset(f"metaqa-{hops}", args.folder, args.split).items
        cells = []
        for lower in (False, True):
            hits = 0
            for item in items:
                text = item.text.replace("[", "").replace("]", "")
                started = time.perf_counter()
                mentions = link_entities(kg, text.lower() if lower else text)
                seconds.append(time.perf_counter() - started)
                found = [m.candidates[0].id for m in mentions]
                hits += (
                    [f.lower() for f in found] == [item.entities[0].lower()] if lower else found == [item.entities[0]]
                )
            low, high = wilson(hits, len(items))
            cells.append(f"{hits / len(items):.2%} ({low:.2%} – {high:.2%})")
        print(f"{hops}-hop   {len(items):6}{cells[0]:>27}{cells[1]:>27}")
    seconds.sort()
    print(f"median {statistics.median(seconds) * 1e3:.2f} ms, p99 {seconds[len(seconds) * 99 // 100] * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
