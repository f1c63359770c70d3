"""Training of the retriever (Retrieval and Reasoning on KGs, section 3.2, equation 3).

    L = -log  exp f(R(qʲ), R(t⁺ ⊕ G_t⁺)) / Σ_{t in τ} exp f(R(qʲ), R(t ⊕ G_t))

τ are the triples of the same batch: the positive, the positives of the other queries, and random
negatives of each. f is the cosine similarity times 20, since cosines alone are too close to each other
to be told apart by a softmax. Positives are the triples on the paths from a question's entities to its
answers (at most 5 edges), or on the gold relation paths where these are known (of several, those that end
where most of them end); a query is the question with some number of the planned steps.
sentence-transformers' trainer does the rest; a run that was killed goes on from its last checkpoint.
"""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import ConfigError, MissingExtraError
from triplewise.tools.retrieval.subgraph_text import SubgraphRule, SubgraphTexts
from triplewise.tools.retrieval.triple_retriever import growing_queries
from triplewise.tools.retrieval.triple_table import Rows, TripleTable

Codes = NDArray[np.integer]
"""Codes of entities in a ``TripleTable``."""


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question with entity ids; ``path``: its gold relations from the topic on, () where unknown."""

    text: str
    topics: tuple[str, ...]
    answers: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """The paper's are epochs 5, learning_rate 1e-5, batch_size 64 (section 4.1); these fit a laptop.

    ``negatives``: random ones a positive (6 in the paper); ``positives``: at most so many a question;
    ``max_hops``: longest path; ``limit``: questions taken, 0 for all.
    """

    epochs: int = 1
    learning_rate: float = 5e-5
    batch_size: int = 32
    negatives: int = 6
    positives: int = 3
    max_hops: int = 5
    limit: int = 0
    seed: int = 0
    anywhere: bool = False
    """Negatives are drawn from all of the graph's other triples, as the paper prints it; else most are near ones."""


PAPER = RetrieverSettings(epochs=5, learning_rate=1e-5, batch_size=64, positives=64, anywhere=True)


def follow(table: TripleTable, topics: Sequence[str], relations: Sequence[str]) -> list[Rows]:
    """Rows of each step of a relation path, either direction; [] where the path leads nowhere."""
    here = np.array([table.entity_code[e] for e in topics if e in table.entity_code], dtype=int)
    steps: list[Rows] = []
    for relation in relations:
        if relation not in table.relation_code or not len(here):
            return []
        rows = np.unique(np.concatenate([table.at(e) for e in here.tolist()]))
        rows = rows[table.codes[rows, 1] == table.relation_code[relation]]
        if not len(rows):
            return []
        steps.append(rows)
        here = _across(table, rows, here)
    return steps


def _across(table: TripleTable, rows: Rows, here: Codes) -> Codes:
    """The entities at the other ends of rows that begin ``here``."""
    ends = table.codes[rows][:, [0, 2]]
    return np.unique(np.concatenate([ends[np.isin(ends[:, i], here), 1 - i] for i in (0, 1)]))


def on_the_way(table: TripleTable, steps: Sequence[Rows], goals: Codes) -> Rows:
    """Those rows of a followed path (``follow``) by which it comes to the goals."""
    found: list[Rows] = []
    for rows in reversed(steps):
        found.append(rows[np.isin(table.codes[rows][:, [0, 2]], goals).any(axis=1)])
        goals = _across(table, found[-1], goals)
    return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)


def path_ends(table: TripleTable, topics: Sequence[str], steps: Sequence[Rows]) -> Codes:
    """The entities that a followed path ends at, without the topics; [] for one that leads nowhere."""
    first = np.array([table.entity_code[t] for t in topics if t in table.entity_code], dtype=int)
    here = first
    for rows in steps:
        here = _across(table, rows, here)
    return np.setdiff1d(here, first) if steps else here[:0]


def shortest_paths(table: TripleTable, topics: Sequence[str], answers: Sequence[str], max_hops: int) -> Rows:
    """Rows on any shortest path of at most ``max_hops`` edges from a topic to an answer, either direction."""
    code = table.entity_code
    goals = {code[a] for a in answers if a in code}
    distance = np.full(len(table.entities), -1)
    frontier = np.array(sorted({code[t] for t in topics if t in code}), dtype=int)
    distance[frontier] = 0
    hop = 0
    while len(frontier) and hop < max_hops and any(distance[g] < 0 for g in goals):
        hop += 1
        rows = np.unique(np.concatenate([table.at(e) for e in frontier.tolist()]))
        ends = np.unique(table.codes[rows][:, [0, 2]])
        frontier = ends[distance[ends] < 0]
        distance[frontier] = hop
    found: list[Rows] = []
    here = np.array(sorted(g for g in goals if distance[g] > 0), dtype=int)
    while len(here):
        rows = np.unique(np.concatenate([table.at(e) for e in here.tolist()]))
        ends = table.codes[rows][:, [0, 2]]
        far, near = ends, ends[:, ::-1]
        steps = [np.isin(far[:, i], here) & (distance[near[:, i]] == distance[far[:, i]] - 1) for i in (0, 1)]
        found.append(rows[steps[0] | steps[1]])
        here = np.unique(np.concatenate([near[steps[i], i] for i in (0, 1)]))
        here = here[distance[here] > 0]
    return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)


def positives(table: TripleTable, question: TrainingQuestion, max_hops: int) -> Rows:
    """The rows that a question needs: its gold path's, else those on shortest paths to the answers."""
    if not question.path:
        return shortest_paths(table, question.topics, question.answers, max_hops)
    steps = follow(table, question.topics, question.path)
    return on_the_way(table, steps, path_ends(table, question.topics, steps))


def agreeing(table: TripleTable, questions: Sequence[TrainingQuestion], max_hops: int) -> list[Rows]:
    """The positives of one question that is given once per path, [] for a path of another end than most.

    Paths that were collected by search hold many that meet the answer by chance: the sister's sex, a compatriot.
    They end at hundreds of entities, each at others; where most of them end is the answer.
    """
    if len(questions) == 1:
        return [positives(table, questions[0], max_hops)]
    steps = [follow(table, q.topics, q.path) for q in questions]
    votes = Counter(e for q, s in zip(questions, steps, strict=True) for e in path_ends(table, q.topics, s).tolist())
    most = max(votes.values(), default=0)
    goals = np.array([entity for entity, n in votes.items() if n == most], dtype=int)
    return [
        on_the_way(table, s, np.intersect1d(path_ends(table, q.topics, s), goals))
        if q.path
        else positives(table, q, max_hops)
        for q, s in zip(questions, steps, strict=True)
    ]


def training_rows(
    table: TripleTable, questions: Iterable[TrainingQuestion], settings: RetrieverSettings
) -> list[tuple[str, int, list[int]]]:
    """(query, positive row, negative rows) per sampled positive; questions without a path give none.

    A question that is given once per path counts as one: by its text.
    """
    rng = random.Random(settings.seed)
    shuffled = list(questions)
    rng.shuffle(shuffled)
    by_text: dict[str, list[TrainingQuestion]] = {}
    for question in shuffled:
        by_text.setdefault(question.text, []).append(question)
    made: list[tuple[str, int, list[int]]] = []
    for same in list(by_text.values())[: settings.limit or None]:
        found = [(q, rows.tolist()) for q, rows in zip(same, agreeing(table, same, settings.max_hops), strict=True)]
        found = [(q, rows) for q, rows in found if rows]
        own = {row for _, rows in found for row in rows}
        # a question with many paths takes its positives from different ones
        share = max(1, settings.positives // max(1, len(found)))
        for question, rows in found[: settings.positives]:
            near = [] if settings.anywhere else table.near(question.topics, 2, 5_000).tolist()
            queries = growing_queries(question.text, question.plan)
            for row in rng.sample(rows, min(share, len(rows))):
                wrong = (
                    _random_negatives(rng, len(table), own, settings.negatives)
                    if settings.anywhere
                    else _negatives(rng, table, row, near, own, settings.negatives)
                )
                made.append((rng.choice(queries), row, wrong))
    return made


def _random_negatives(rng: random.Random, size: int, own: set[int], n: int) -> list[int]:
    """n rows of all that are not the question's own (section 4.1)."""
    wrong: list[int] = []
    while len(wrong) < n:
        other = rng.randrange(size)
        if other not in own or len(own) >= size:
            wrong.append(other)
    return wrong


def _negatives(
    rng: random.Random, table: TripleTable, row: int, near: Sequence[int], own: set[int], n: int
) -> list[int]:
    """n random rows that are not the question's own: in turn at an end of ``row``, near the entities, anywhere.

    Those at its ends have its names: what tells them apart is the relation. Without them names are all that is learnt.
    """
    head, _, tail = table.codes[row].tolist()
    beside = np.union1d(table.at(head), table.at(tail))
    beside = beside[~np.isin(table.codes[beside][:, [0, 2]], (head, tail)).all(axis=1)]  # parallel edges say the same
    pools = [[other for other in pool if other not in own] for pool in (beside.tolist(), near)]
    wrong: list[int] = []
    while len(wrong) < n:
        pool = [*pools, []][len(wrong) % 3]
        other = rng.choice(pool) if pool else rng.randrange(len(table))
        if other not in own or len(own) >= len(table):
            wrong.append(other)
    return wrong


def train_retriever(
    table: TripleTable,
    questions: Iterable[TrainingQuestion],
    base: str,
    out: Path,
    settings: RetrieverSettings,
    *,
    rule: SubgraphRule | None = None,
    report: Callable[[int, int, float], None] | None = None,
) -> dict[str, Any]:
    """Fine-tune the embedder ``base`` and save it at ``out`` for ``st:OUT``; returns what was done.

    ``report`` gets (step, steps, loss). Run again with the same arguments it goes on where it was.
    Raises ConfigError where no question has a path, or ``out`` holds something else.
    """
    try:
        from datasets import Dataset
        from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
        from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
        from sentence_transformers.sentence_transformer.training_args import BatchSamplers
        from transformers import PrinterCallback, TrainerCallback
    except ImportError:
        raise MissingExtraError("training a retriever", "train") from None
    import torch

    from triplewise.backends.embedders import SentenceEmbedder, load_embedder

    rule = rule or SubgraphRule()
    examples = training_rows(table, questions, settings)
    if not examples:
        raise ConfigError("no question has a path from its entities to its answers in this graph.")
    embedder = load_embedder(base)
    if not isinstance(embedder, SentenceEmbedder):
        raise ConfigError(f"{base} cannot be trained.", "Give minilm or st:NAME_OR_PATH.")
    made_with = {
        "base": embedder.id, "rule": rule.id, "settings": asdict(settings), "examples": len(examples),
        "graph": table.kg.content_hash,
    }  # fmt: skip
    steps = out / "checkpoints"
    _check_place(out, made_with)
    texts = SubgraphTexts(table, rule)
    columns: dict[str, list[str]] = {
        "anchor": [query for query, _, _ in examples],
        "positive": [texts.text(row) for _, row, _ in examples],
    }
    for i in range(settings.negatives):
        columns[f"negative_{i + 1}"] = [texts.text(wrong[i]) for _, _, wrong in examples]
    model = embedder.trainable()
    model.model_card_data.widget = [{}]  # else it gathers training sentences to show
    cuda = torch.cuda.is_available()
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(steps), num_train_epochs=settings.epochs, per_device_train_batch_size=settings.batch_size,
        learning_rate=settings.learning_rate, warmup_steps=0.1, seed=settings.seed, data_seed=settings.seed,
        bf16=cuda or torch.ops.mkldnn._is_mkldnn_bf16_supported(), use_cpu=not cuda,
        batch_sampler=BatchSamplers.NO_DUPLICATES, save_steps=20, save_total_limit=1, logging_steps=5,
        report_to="none", disable_tqdm=True, dataloader_pin_memory=False,
    )  # fmt: skip

    class ProgressCallback(TrainerCallback):
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if report and logs and "loss" in logs:
                report(state.global_step, state.max_steps, float(logs["loss"]))

    trainer = SentenceTransformerTrainer(
        model=model, args=arguments, train_dataset=Dataset.from_dict(columns), callbacks=[ProgressCallback()],
        loss=MultipleNegativesRankingLoss(model, scale=20.0),
    )  # fmt: skip
    trainer.remove_callback(PrinterCallback)
    result = trainer.train(resume_from_checkpoint=_last_whole(steps))
    model.save(str(out), create_model_card=False, safe_serialization=True)
    done = {**made_with, "steps": trainer.state.global_step, "loss": round(result.training_loss, 4)}
    (out / "training.json").write_text(json.dumps(done, indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(steps)
    return done


def _last_whole(steps: Path) -> str | None:
    """The last checkpoint that was written to its end, or None; what a kill left half written is removed."""
    whole: list[Path] = []
    for folder in steps.glob("checkpoint-*"):
        try:
            json.loads((folder / "trainer_state.json").read_text(encoding="utf-8"))  # the trainer writes it last
            whole.append(folder)
        except (OSError, ValueError):
            shutil.rmtree(folder)
    return str(max(whole, key=lambda folder: int(folder.name.rpartition("-")[2]))) if whole else None


def _check_place(out: Path, made_with: dict[str, Any]) -> None:
    """Begin at an empty folder or go on with the same training."""
    settings_file = out / "checkpoints" / "settings.json"
    if settings_file.is_file():
        if json.loads(settings_file.read_text(encoding="utf-8")) != made_with:
            raise ConfigError(f"{out} holds another unfinished training.", "Remove it or give another --out.")
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} is not empty.", "Give an --out that does not exist yet.")
    settings_file.parent.mkdir(parents=True)
    settings_file.write_text(json.dumps(made_with), encoding="utf-8")
