"""Retrieval's recall, as in Figure 3 of Retrieval and Reasoning on KGs: a table, a figure and a JSON file.

    python benchmarks/bench_retrieval.py data --planner llamacpp:embedded --trained retriever --out recall

``data`` holds webqsp/, cwq/ and metaqa/. Recall@k of answer-bearing triples (triplewise.evals.scores.retrieval says
what these are) over n questions a data set, drawn by seed 0 from those with an answer in reach; topic entities are the
data set's own, candidates the triples within its number of hops (WebQSP 2, CWQ 4, MetaQA 2 and 3), as in the
paper's Table 4; 95 % intervals by a bootstrap over questions. Rows:

BM25, MiniLM            by the question alone, over single triples
without sub-graph       equation 2 over single triples, with the planned steps
without CoT             over sub-graph-enriched triples, by the question alone
full                    equation 2
fusion                  full and BM25 together
trained                 full, by the retriever of --trained (a folder that ``triplewise train retriever`` made)
follow                  the plan hop by hop, then equation 2 (cot-kg's default)
gold plan               with steps composed from MetaQA's gold path: what a perfect planner would give

Plans and vectors are kept (--work), so that a second run takes minutes. Tune with --split train only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplewise.agents.cot_kg.planner import PlannerOptions, plan_question
from triplewise.backends import load_chat_model
from triplewise.backends.embedders import load_embedder
from triplewise.evals.data.datasets import json_lines, load_dataset
from triplewise.evals.scores.retrieval import KS, RetrievalQuestion, recall_at, retrieval_question
from triplewise.evals.scores.statistics import bootstrap, paired_bootstrap
from triplewise.kg import load_kg
from triplewise.kg.linking import link_entities
from triplewise.tools.retrieval.subgraph_index import BATCH, SubgraphIndex
from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule, SubgraphTexts
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, TripleRetriever
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.train.data.metaqa import MetaqaComposer
from triplewise.train.sentences.compose import Vocabulary
from triplewise.train.trainers.retriever import follow

NAMES = ("webqsp", "cwq", "metaqa-2", "metaqa-3")
GRAPHS = {"webqsp": "webqsp/kg.tsv", "cwq": "cwq/kg.tsv", "metaqa-2": "metaqa/kb.txt", "metaqa-3": "metaqa/kb.txt"}
HOPS = {"webqsp": 2, "cwq": 4, "metaqa-2": 2, "metaqa-3": 3}
Curves = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One line of the table: which index, which ranking, which steps."""

    index: str
    mode: str = "dense"
    plan: str = ""


ROWS = {
    "BM25": Row("", "bm25"),
    "MiniLM": Row("plain"),
    "without sub-graph": Row("plain", plan="planned"),
    "without CoT": Row("sub-graph"),
    "full": Row("sub-graph", plan="planned"),
    "fusion": Row("sub-graph", "fusion", plan="planned"),
    "follow": Row("sub-graph", "follow", plan="planned"),
    "trained": Row("trained", plan="planned"),
    "trained, without CoT": Row("trained"),
    "trained, follow": Row("trained", "follow", plan="planned"),
    "trained, gold plan": Row("trained", plan="gold"),
    "full, gold plan": Row("sub-graph", plan="gold"),
    "follow, gold plan": Row("sub-graph", "follow", plan="gold"),
}

COMPARED = (
    ("full", "MiniLM"), ("fusion", "full"), ("follow", "full"), ("trained", "full"),
    ("trained, without CoT", "without CoT"), ("trained, gold plan", "full, gold plan"),
)  # fmt: skip
"""Rows whose difference is reported."""


@dataclass
class Data:
    """One data set: its questions and, per question, the steps of each kind of plan."""

    name: str
    table: TripleTable
    questions: list[RetrievalQuestion]
    asked: int
    hops: int
    plans: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)


def load(folder: Path, name: str, split: str, n: int, table: TripleTable) -> Data:
    """n questions with an answer in reach, at random by seed 0."""
    drawn = list(_webqsp_train(folder, table) if (name, split) == ("webqsp", "train") else _items(folder, name, split))
    random.Random(0).shuffle(drawn)
    found: list[RetrievalQuestion] = []
    asked = 0
    for text, topics, answers, path, kind in drawn:
        asked += 1
        if question := retrieval_question(table, text, topics, answers, path, kind):
            found.append(question)
        if len(found) == n:
            break
    return Data(name, table, found, asked, HOPS[name])


def _items(folder: Path, name: str, split: str) -> Any:
    for item in load_dataset(name, folder / name.partition("-")[0], split).items:
        text = item.text.replace("[", "").replace("]", "") if name.startswith("metaqa") else item.text
        yield text, item.entities, item.answers, item.path, item.kind


def _webqsp_train(folder: Path, table: TripleTable) -> Any:
    """Questions and gold paths only: topics are linked, answers are where a gold path leads."""
    for _, row in json_lines(folder / "webqsp" / "train_questions.jsonl"):
        topics = [m.candidates[0].id for m in link_entities(table.kg, row["question"]) if m.candidates]
        for path in row["gold_relation_paths"]:
            if steps := follow(table, topics, path):
                ends = {table.entities[e] for e in table.codes[steps[-1]][:, [0, 2]].ravel().tolist()}
                yield row["question"], topics, sorted(ends), path, ""
                break


def planned(data: Data, spec: str, cache: Path, short: bool) -> list[tuple[str, ...]]:
    """Each question's steps by a model; its replies are kept."""
    options = PlannerOptions("short", 0) if short else None
    model = load_chat_model(spec, cache=cache)
    room = asyncio.Semaphore(64)

    async def one(question: RetrievalQuestion) -> tuple[str, ...]:
        async with room:
            return (await plan_question(model, question.text, options)).value

    async def every() -> list[tuple[str, ...]]:
        return list(await asyncio.gather(*map(one, data.questions)))

    return asyncio.run(every())


def gold_plans(data: Data, folder: Path) -> list[tuple[str, ...]]:
    """Each question's steps, composed from its gold path."""
    composer = MetaqaComposer(folder, Vocabulary(data.table.kg))
    return [
        composer.composed(
            q.text.replace(q.topics[0], f"[{q.topics[0]}]", 1),
            ["film" if k == "movie" else k for k in q.kind.split("_to_")],
        ).steps
        for q in data.questions
    ]


def curves(data: Data, row: Row, retriever: TripleRetriever) -> tuple[Curves, float]:
    """Recall [questions, k], and milliseconds a question."""
    options = RetrievalOptions(k=max(KS), mode=row.mode, plan=bool(row.plan), hops=data.hops)  # pyright: ignore
    found, started = [], time.perf_counter()
    for i, question in enumerate(data.questions):
        plan = data.plans[row.plan][i] if row.plan else ()
        ranked = retriever.retrieve(question.text, plan, question.topics, options)
        found.append(recall_at(question, [t.triple for t in ranked.triples]))
    return np.array(found), 1e3 * (time.perf_counter() - started) / len(found)


def ceiling(data: Data) -> NDArray[np.float64]:
    """Recall@k where the candidates are ranked as well as can be, each triple bearing one answer more."""
    found = []
    for q in data.questions:
        near = data.table.near(q.topics, data.hops, RetrievalOptions().limit)
        within = {data.table.triples[r] for r in near.tolist()} & set(q.bearing)
        reached = len(frozenset[str]().union(*(q.bearing[t] for t in within)))
        found.append([min(k, reached) / len(q.answers) for k in KS])
    return np.mean(found, axis=0)


class CandidateIndex(SubgraphIndex):
    """Embeds only what is asked for, and keeps it in a file: a whole graph takes a core up to an hour."""

    def embed(self, rows: NDArray[np.int64]) -> None:
        """Make sure that the vectors of ``rows`` are there."""
        if self.is_current():  # a whole index, made by ``triplewise index``
            super().vectors(rows)
            return
        file = Path(f"{self.place}-{self.kg.content_hash[:8]}-{self.embedder.id.rpartition('@')[2]}.npz")
        if self._vectors is None:
            self._vectors = np.zeros((len(self.table), self.embedder.dimension), dtype=np.float32)
            if file.is_file():
                with np.load(file) as kept:
                    self._vectors[kept["rows"]], self._known[kept["rows"]] = kept["vectors"], True
        texts = {row: text for row in rows[~self._known[rows]].tolist() for text in [self._texts.text(row)]}
        todo = sorted(texts, key=lambda row: len(texts[row]))
        for at in range(0, len(todo), BATCH):
            part = todo[at : at + BATCH]
            self._vectors[part] = self.embedder.documents([texts[row] for row in part])
            self._known[part] = True
            known = np.flatnonzero(self._known)
            np.savez(file, rows=known, vectors=self._vectors[known].astype(np.float16))
            print(f"\r\033[K  {file.name}: {at + len(part):,} of {len(todo):,}", end="\n", flush=True)

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """As in an index that was built; a walk along a plan may look at others than were asked for."""
        if not self._known[rows].all():
            self.embed(rows)
        return super().vectors(rows)

    @cached_property
    def _texts(self) -> SubgraphTexts:
        return SubgraphTexts(self.table, self.rule)


def retrievers(args: argparse.Namespace, graph: str, table: TripleTable) -> dict[str, TripleRetriever]:
    """The retrievers over a graph, by the name of their index."""
    kinds = {"plain": ("minilm", PLAIN), "sub-graph": ("minilm", SubgraphRule())}
    if args.trained:
        kinds["trained"] = (f"st:{args.trained}", SubgraphRule())
    return {"": TripleRetriever(table.kg)} | {
        kind: TripleRetriever(
            table.kg, CandidateIndex(table.kg, load_embedder(spec), args.work / f"{graph}-{kind}", rule, table=table)
        )
        for kind, (spec, rule) in kinds.items()
        if kind in {ROWS[row].index for row in args.rows}
    }


def report(data: Data, found: dict[str, Curves], times: dict[str, float]) -> dict[str, Any]:
    """Print a data set's table; the same as JSON."""
    n = len(data.questions)
    compared = [(row, base) for row, base in COMPARED if row in found and base in found]
    width = max([22, *(len(f"{row} - {base}") for row, base in compared)])
    print(f"\n{data.name}: n = {n} ({data.asked - n} more drawn have no answer in reach)")
    print(f"{'Recall@':{width}}" + "".join(f"{k:>7}" for k in KS) + f"{'@20, 95 %':>16}{'ms':>7}")
    out: dict[str, Any] = {"n": n, "out_of_reach": data.asked - n, "rows": {}}
    for row, values in found.items():
        low, high = bootstrap(values[:, KS.index(20)].tolist(), draws=2_000)
        cells = "".join(f"{100 * v:7.1f}" for v in values.mean(axis=0))
        print(f"{row:{width}}{cells}{f'[{100 * low:.1f}, {100 * high:.1f}]':>16}{times[row]:7.0f}")
        out["rows"][row] = {"recall": values.mean(axis=0).round(4).tolist(), "interval_20": [low, high],
                            "hit": (values > 0).mean(axis=0).round(4).tolist(), "ms": round(times[row], 1)}  # fmt: skip
    best = ceiling(data)
    out["ceiling"] = best.round(4).tolist()
    print(f"{'perfect order':{width}}" + "".join(f"{100 * v:7.1f}" for v in best))
    for row, base in compared:
        pairs = [paired_bootstrap(found[base][:, i].tolist(), found[row][:, i].tolist(), draws=2_000)
                 for i in range(len(KS))]  # fmt: skip
        print(f"{f'{row} - {base}':{width}}" + "".join(f"{100 * d.value:+7.1f}" for d in pairs)
              + f"{f'[{100 * pairs[3].interval.low:+.1f}, {100 * pairs[3].interval.high:+.1f}]':>16}")  # fmt: skip
        out[f"{row} - {base}"] = [[d.value, *d.interval, d.p] for d in pairs]
    return out


def draw(results: dict[str, Any], path: Path) -> None:
    """Recall over k, a panel a data set."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "recall"
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(results), figsize=(3.4 * len(results), 3.2), squeeze=False)
    for panel, (name, result) in zip(panels[0], results.items(), strict=True):
        for row, values in result["rows"].items():
            dashed = "--" if "gold" in row else "-"
            panel.plot(KS, [100 * v for v in values["recall"]], dashed, marker=".", linewidth=1.2, label=row)
        panel.set(title=f"{name} (n = {result['n']})", xlabel="k", xticks=KS)
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("Recall@k, %")
    handles = {h.get_label(): h for p in panels[0] for h in p.get_lines()}
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncols=5, fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.14, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--planner", help="model of the planned steps; without it only rows without CoT")
    parser.add_argument("--short", action="store_true", help="plan by the prompt without demonstrations")
    parser.add_argument("--trained", help="folder of a trained retriever")
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--data", nargs="*", default=NAMES, choices=NAMES)
    parser.add_argument("--rows", nargs="*", default=list(ROWS), choices=list(ROWS))
    parser.add_argument("-n", type=int, default=200, help="questions a data set")
    parser.add_argument("--work", type=Path, default=Path("recall-work"), help="vectors and plans are kept here")
    parser.add_argument("--out", type=Path, default=Path("recall"), help="OUT.json and OUT.svg are written")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {}
    tables: dict[str, tuple[TripleTable, dict[str, TripleRetriever]]] = {}
    for name in args.data:
        graph = GRAPHS[name]
        if graph not in tables:
            table = TripleTable(load_kg(args.folder / graph))
            tables = {graph: (table, retrievers(args, name.partition("-")[0], table))}  # one graph at a time
        table, by = tables[graph]
        data = load(args.folder, name, args.split, args.n, table)
        for retriever in by.values():
            if isinstance(retriever.index, CandidateIndex):
                retriever.index.embed(
                    np.unique(np.concatenate([table.near(q.topics, data.hops) for q in data.questions]))
                )
        if args.planner:
            data.plans["planned"] = planned(data, args.planner, args.work / "plans.sqlite", args.short)
        if name.startswith("metaqa"):
            data.plans["gold"] = gold_plans(data, args.folder / "metaqa")
        rows = {k: ROWS[k] for k in args.rows if ROWS[k].index in by and ROWS[k].plan in ("", *data.plans)}
        measured = {k: curves(data, row, by[row.index]) for k, row in rows.items()}
        times = {k: ms for k, (_, ms) in measured.items()}
        results[name] = report(data, {k: values for k, (values, _) in measured.items()}, times)
    about = {"split": args.split, "ks": KS, "planner": args.planner, "trained": args.trained, "results": results}
    args.out.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    draw(results, args.out.with_suffix(".svg"))
    print(f"\n{args.out.with_suffix('.json')}, {args.out.with_suffix('.svg')}")


if __name__ == "__main__":
    main()
