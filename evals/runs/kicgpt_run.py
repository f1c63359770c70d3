"""KICGPT's evaluation as one run that can be stopped: table 4's rows, figure 3's groups, cost.

    python -m triplewise.evals.runs.kicgpt_run --data data/fb15k-237 --scorer rotate-fb15k-237 \\
        --model openai:MODEL --queries 200 --out run

A run is a folder: ``run.json`` (its settings, and hashes of what it rests on), ``outcomes.jsonl`` (a ledger line for
every answered query, on disk before the next), ``report.json``, and what every run has (``evals.runs.runner``):
``spend.jsonl`` and ``llm.sqlite``, written by the process that makes the calls (``evals.accounting.call_broker``).
The same command goes on where it stopped; answered queries are not asked again, and what a kill cut short is not paid
again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from triplewise.agents.context import Context
from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.agents.node import run_sync
from triplewise.backends.cache import stable_json
from triplewise.errors import ConfigError, TriplewiseError, UserError
from triplewise.evals.accounting.call_broker import LEDGER, LedgerChat
from triplewise.evals.accounting.ledger import Ledger, read_ledger
from triplewise.evals.accounting.spend import read_spent
from triplewise.evals.data.items import digest
from triplewise.evals.report.kicgpt import kicgpt_report, report_text
from triplewise.evals.runs.stale import code_hash
from triplewise.evals.scores.kicgpt import KnownAnswers, LinkOutcome, evaluate, queries_of
from triplewise.files import write_text
from triplewise.graphs import kicgpt
from triplewise.kg import load_kg
from triplewise.kg.base import KGStore
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.scorers import description_of, find_scorer
from triplewise.types import Caps, Usage

OF_THE_RUN = frozenset({"ablation", "alignment", "parts", "seed"})
"""Options of KICGPT that the rows and parts of a run set."""
ROWS = ("kicgpt", "kicgpt-tsa", *kicgpt.ABLATIONS)
"""Tables 1 and 4: the full model, with self-aligned relation texts, and the ablations."""


@dataclass(frozen=True, slots=True)
class LinkRun:
    """What is evaluated.

    ``data``: a folder with train.txt, valid.txt and test.txt. ``queries``: drawn by ``seed`` from both
    directions of ``part``'s triples, 0 for all. ``repeats``: runs of each row with seeds ``seed``, ``seed`` + 1, …
    (the paper takes 4). ``options``: of ``kicgpt.settings``. ``alignment``: the file for the row kicgpt-tsa.
    ``model_args``: of ``load_chat_model`` (no keys: they stay in the environment).
    """

    data: str
    scorer: str
    model: str
    part: Literal["valid", "test"] = "test"
    rows: tuple[str, ...] = ("kicgpt", *kicgpt.ABLATIONS)
    queries: int = 200
    repeats: int = 1
    seed: int = 0
    preset: str = "default"
    options: dict[str, Any] = field(default_factory=dict)
    alignment: str | None = None
    model_args: dict[str, Any] = field(default_factory=dict)

    def row_settings(self, row: str, seed: int) -> kicgpt.KicgptSettings:
        """The graph's settings for a row; validation queries are shown training triples only.

        Raises ConfigError on an unknown row, or on kicgpt-tsa without ``alignment``.
        """
        if row not in ROWS:
            raise ConfigError(f"no row {row!r}.", f"Known: {', '.join(ROWS)}.")
        if row == "kicgpt-tsa" and self.alignment is None:
            raise ConfigError("the row kicgpt-tsa needs relation texts.", "Make them with: triplewise align --out FILE")
        return kicgpt.settings(
            self.preset,
            **self.options,
            ablation=row if row in kicgpt.ABLATIONS else None,
            alignment=self.alignment if row == "kicgpt-tsa" else None,
            parts=("train",) if self.part == "valid" else ("train", "valid"),
            seed=seed,
        )

    def units(self) -> Iterator[tuple[str, int]]:
        """Rows and seeds, in the order of the run."""
        for row in self.rows:
            for seed in range(self.seed, self.seed + self.repeats):
                yield row, seed


def run(
    settings: LinkRun,
    out: str | Path,
    *,
    caps: Caps | None = None,
    at_once: int = 32,
    on_outcome: Callable[[str, int, int], None] | None = None,
) -> dict[str, Any]:
    """Run, or go on with the run in ``out``, and return the report (see ``kicgpt_report``).

    ``caps`` are on all that the run spends, its earlier parts included, and replace those that it began with;
    ``on_outcome`` gets (row, answered, queries of the row). Raises ConfigError where the folder holds another run,
    and the model's error where one stops it: what was answered until then is kept.
    """
    out = Path(out)
    units = [(row, seed, settings.row_settings(row, seed)) for row, seed in settings.units()]
    if settings.queries < 0 or not units:
        raise ConfigError("an evaluation needs a row, a repeat and no negative number of queries.")
    kg = load_kg(settings.data)
    scorer = find_scorer(kg, settings.scorer)
    data = LinkPredictionData.from_folder(settings.data)
    queries, left_out = _queries(settings, kg, data)
    known = KnownAnswers(t for part in ("train", "valid", "test") for t in data.triples(part))
    model_args = dict(units[0][2].sampling) | settings.model_args
    caps = caps or _begun_under(out)
    with (
        Ledger(out / "outcomes.jsonl") as ledger,
        closing(LedgerChat.of(settings.model, out, asdict(caps), **model_args)) as model,
    ):
        found = {"m": units[0][2].candidates.m, "left_out": left_out, **_hashes(settings, kg, model)}
        _same_run(out, settings, found, caps)
        degrees, context = _degrees(data), Context(kg=kg, model=model, scorer=scorer)
        answered = {(r["row"], r["seed"], *_query_key(_query(r), r["answer"])) for r in ledger.records}

        async def all_units() -> None:
            for row, seed, options in units:
                model.row = row
                todo = [(q, a) for q, a in queries if (row, seed, *_query_key(q, a)) not in answered]
                count = len(queries) - len(todo)

                def keep(outcome: LinkOutcome, row: str = row, seed: int = seed) -> None:
                    nonlocal count
                    ledger.append({"row": row, "seed": seed, **_record(outcome, degrees, kg)})
                    count += 1
                    if on_outcome:
                        on_outcome(row, count, len(queries))

                await evaluate(kicgpt.build(options), context, todo, known, at_once=at_once, on_done=keep)

        run_sync(all_units())
    report = read_report(out)
    (out / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")
    return report


def read_report(out: str | Path) -> dict[str, Any]:
    """The report of a run's folder, of what is answered so far; raises ConfigError where there is no run."""
    out = Path(out)
    if not (out / "run.json").is_file():
        raise ConfigError(
            f"{out} holds no evaluation of links.", "Start one with: python -m triplewise.evals.runs.kicgpt_run"
        )
    described = json.loads((out / "run.json").read_text(encoding="utf-8"))
    outcomes: dict[str, list[LinkOutcome]] = {}
    degrees: dict[str, int] = {}
    # Sorted, so that sums come out the same in whatever order the queries were answered.
    for record in sorted(read_ledger(out / "outcomes.jsonl"), key=_order):
        outcome = _outcome(record)
        outcomes.setdefault(record["row"], []).append(outcome)
        degrees.update(zip(outcome.triple[::2], record["degrees"], strict=True))
    paid = {row: read_spent(out / LEDGER, row).usage for row in outcomes}
    return kicgpt_report(described, outcomes, degrees, paid)


def _queries(settings: LinkRun, kg: KGStore, data: LinkPredictionData) -> tuple[list[tuple[LinkQuery, str]], int]:
    """The drawn queries, and how many of the part's are left out: an end that no training triple has."""
    nodes = set(kg.entities())
    pairs = queries_of(data.triples(settings.part))
    usable = [p for p in pairs if p[0].entity in nodes and p[1] in nodes]
    if settings.queries and settings.queries < len(usable):
        return random.Random(settings.seed).sample(usable, settings.queries), len(pairs) - len(usable)
    return usable, len(pairs) - len(usable)


def _degrees(data: LinkPredictionData) -> dict[str, int]:
    degrees: dict[str, int] = {}
    for h, _, t in data.triples("train"):
        degrees[h], degrees[t] = degrees.get(h, 0) + 1, degrees.get(t, 0) + 1
    return degrees


def _hashes(settings: LinkRun, kg: KGStore, model: LedgerChat) -> dict[str, str]:
    """What the outcomes rest on besides the settings; ``code``: prompts and metrics included."""
    scorer = Path(settings.scorer)
    contents = {
        "scorer": (description_of(scorer) if scorer.is_dir() else scorer).read_bytes(),
        "alignment": Path(settings.alignment).read_bytes() if settings.alignment else b"",
    }
    found = {"graph": kg.content_hash, **{k: hashlib.sha256(v).hexdigest()[:16] for k, v in contents.items()}}
    return {**found, "code": code_hash(), "weights": digest(stable_json(model._identifying_params))}


def _begun_under(out: Path) -> Caps:
    """The caps that the run in the folder began with; none where there is no run."""
    path = out / "run.json"
    if not path.exists():
        return Caps()
    try:
        return Caps(**_described(path).get("caps", {}))
    except TypeError as error:
        raise ConfigError(f"{path} is damaged: {error}.", "Restore it, or give another --out.") from None


def _described(path: Path) -> dict[str, Any]:
    """A run's settings as they were written; raises ConfigError where the file is damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(found[group], dict) for group in ("settings", "found")):
            raise ValueError("it is no run's")
        return found
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(f"{path} is damaged: {error}.", "Restore it, or give another --out.") from None


def _same_run(out: Path, settings: LinkRun, found: dict[str, Any], caps: Caps) -> None:
    """Write ``run.json``, or hold the run in the folder against it. The rows may grow; nothing else may change."""
    path = out / "run.json"
    described: dict[str, Any] = {"settings": asdict(settings), "found": found, "caps": asdict(caps)}
    described = json.loads(json.dumps(described))
    if path.exists():
        described["caps"] = asdict(_begun_under(out))
        before = _described(path)
        for group in ("settings", "found"):
            for name, value in described[group].items():
                if before[group].get(name) != value and name not in ("rows", "repeats"):
                    raise ConfigError(
                        f"{out} holds a run with another {name.replace('_', ' ')}: {before[group].get(name)!r}.",
                        "Give another --out, or go on as it began.",
                    )
        rows = dict.fromkeys([*before["settings"]["rows"], *settings.rows])
        described["settings"]["rows"] = list(rows)
        described["settings"]["repeats"] = max(before["settings"]["repeats"], settings.repeats)
    write_text(path, json.dumps(described, indent=1, ensure_ascii=False))


def _query_key(query: LinkQuery, answer: str) -> tuple[str | None, str, str | None, str]:
    return query.head, query.relation, query.tail, answer


def _order(record: dict[str, Any]) -> tuple[Any, ...]:
    ends = str(record["head"]), str(record["tail"]), record["answer"]
    return ROWS.index(record["row"]), record["seed"], record["relation"], *ends


def _query(record: dict[str, Any]) -> LinkQuery:
    return LinkQuery(record["head"], record["relation"], record["tail"])


def _record(outcome: LinkOutcome, degrees: dict[str, int], kg: KGStore) -> dict[str, Any]:
    """Ids, ranks and cost; ``names``: those of the triple's parts that are not their ids, for people to read."""
    head, relation, tail = outcome.triple
    names = {head: kg.display(head), relation: kg.relation_label(relation), tail: kg.display(tail)}
    return {
        **asdict(outcome.query),
        **{k: v for k, v in asdict(outcome).items() if k != "query"},
        "degrees": [degrees.get(e, 0) for e in (head, tail)],
        "names": {i: name for i, name in names.items() if name != i},
    }


def _outcome(record: dict[str, Any]) -> LinkOutcome:
    names = ("answer", "retriever_rank", "rank", "offered", "failed")
    return LinkOutcome(_query(record), **{n: record[n] for n in names}, usage=Usage(**record["usage"]))


def main(arguments: list[str] | None = None) -> int:
    """The command line; gives the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m triplewise.evals.runs.kicgpt_run", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--data", required=True, help="folder with train.txt, valid.txt and test.txt")
    parser.add_argument(
        "--scorer", required=True, help="folder of 'triplewise train links' or 'train rotate', or rankings"
    )
    parser.add_argument("--model", required=True, help="openai:MODEL, llamacpp:embedded, …")
    parser.add_argument("--out", required=True, help="folder of the run, made or continued")
    parser.add_argument("--part", choices=("valid", "test"), default="test", help="where queries come from")
    parser.add_argument("--row", action="append", help=f"repeatable; default: all but kicgpt-tsa of {', '.join(ROWS)}")
    parser.add_argument("--queries", type=int, default=200, help="0 for all")
    parser.add_argument("--repeats", type=int, default=1, help="runs of each row; the paper takes 4")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--preset", default="default", help="default, paper or reference")
    for name in ("mode", "reply", "describe"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--m", type=int, help="candidates, 2 to 50")
    parser.add_argument("--per-round", type=int, help="examples of each kind in a round")
    parser.add_argument("--alignment", help="file of 'triplewise align', for the row kicgpt-tsa")
    parser.add_argument("--max-calls", type=int)
    parser.add_argument("--max-cost", type=float)
    given = parser.parse_args(arguments)
    names = ("mode", "reply", "describe", "m", "per_round")
    options = {k: getattr(given, k) for k in names if getattr(given, k) is not None}
    capped = given.max_calls is not None or given.max_cost is not None
    settings = LinkRun(
        given.data, given.scorer, given.model, given.part, queries=given.queries, repeats=given.repeats,
        seed=given.seed, preset=given.preset, options=options, alignment=given.alignment,
    )  # fmt: skip
    if given.row:
        settings = replace(settings, rows=tuple(given.row))

    def show(row: str, done: int, total: int) -> None:
        print(f"\r\033[K{row} {done}/{total}", end="", file=sys.stderr, flush=True)

    live = sys.stderr.isatty()
    try:
        caps = Caps(given.max_calls, None, given.max_cost) if capped else None
        report = run(settings, given.out, caps=caps, on_outcome=show if live else None)
    except (TriplewiseError, KeyboardInterrupt) as error:
        stopped = isinstance(error, KeyboardInterrupt)
        said = "stopped; the same command goes on from here." if stopped else str(error)
        print("\r\033[K" * live + said, file=sys.stderr)
        return 130 if stopped else 2 if isinstance(error, UserError) else 1
    print("\r\033[K" * live, end="", file=sys.stderr)
    print(report_text(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
