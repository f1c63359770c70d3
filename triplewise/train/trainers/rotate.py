"""Training RotatE, KICGPT's retriever (section 4.1): seeded, resumable, stopped early on filtered MRR.

RotatE (Sun et al., 2019) is PyKEEN's module and its self-adversarial loss (NSSA)::

    f(h, r, t) = -‖h∘r - t‖,  |r_i| = 1
    L = -log σ(γ + f(h, r, t)) - Σ_i p_i log σ(-γ - f_i'),  p = softmax(α·f')

The loop around them is our own: a batch shares its negative entities, so that all scores of a step are two
matrix products (see docs/decisions/0010-rotate.md for the times of both loops). Each step corrupts tails and
heads; known training answers are no negatives. After half of the epochs the learning rate falls to a tenth, as
in the authors' code, or earlier where validation shows no gain; the next time it shows none, training ends. The
presets ``paper-…`` train as the authors publish it instead (``rotate_published.py``).

Every epoch draws from a stream of its own, (seed, epoch): a run that was killed and resumed ends with the same
bits. Nothing is pickled: a checkpoint is a safetensors file and a JSON file that names it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import ConfigError, MissingExtraError
from triplewise.tools.links.kge_data import FactIndex, Ints, LinkPredictionData
from triplewise.tools.links.link_ranks import Ranks, filtered_ranks
from triplewise.tools.links.rotate_scorer import DESCRIPTION, RotatEScorer, read_model, write_model
from triplewise.train.trainers.rotate_published import Side, known_among, step_loss, subsampling_weights
from triplewise.train.trainers.rotate_settings import PRESETS, RotatESettings
from triplewise.train.training_folder import training_folder

if TYPE_CHECKING:
    import torch

    from triplewise.kg.base import KGStore

CHECKPOINT = "checkpoint.json"
FOLLOWING = 15
"""Epochs from an earlier model: three validations."""
_MIN_BATCHES = 20
_MASKED = -1e4
"""The score of a negative that is a known answer: its weight and its gradient are 0."""


@dataclass(frozen=True, slots=True)
class EpochReport:
    """Progress: ``mrr`` is the filtered validation MRR where this epoch was validated."""

    epoch: int
    epochs: int
    loss: float
    mrr: float | None
    best_mrr: float | None
    seconds: float


@dataclass
class _State:
    """Where training stands between two epochs."""

    epoch: int = 0
    best_epoch: int = 0
    best_mrr: float | None = None
    stale: int = 0
    lowered: bool = False
    """Whether the learning rate has fallen to a tenth."""
    seconds: float = 0.0
    best: dict[str, NDArray[np.float32]] = field(default_factory=dict)


def following(earlier: str | Path, kg: KGStore, **changes: Any) -> tuple[RotatESettings, LinkPredictionData]:
    """(the settings of an earlier model with some changed, the parts of the graph as it is now) for ``train``.

    It trains for at most ``FOLLOWING`` epochs. Raises ConfigError where the model is a benchmark's, whose parts are
    files of their own.
    """
    description, tensors = read_model(earlier)
    if description["benchmark"]:
        raise ConfigError(f"{earlier} was trained on a benchmark's parts.", "Train anew, without --from.")
    given = {"epochs": FOLLOWING, **{name: value for name, value in changes.items() if value is not None}}
    settings = RotatESettings(**{**description["settings"], **given})
    return settings, LinkPredictionData.from_store(kg).after(LinkPredictionData.described(description, tensors))


def train(
    data: LinkPredictionData,
    folder: str | Path,
    settings: RotatESettings = PRESETS["cpu"],
    *,
    restart: bool = False,
    device: str = "cpu",
    earlier: str | Path | None = None,
    on_epoch: Callable[[EpochReport], None] | None = None,
) -> RotatEScorer:
    """Train on ``data.train`` into ``folder``, or go on where a killed run stopped; returns the best state.

    ``device``: "cpu", "cuda", or "auto", which takes CUDA where there is one; a run may go on on another.

    ``earlier``: the folder of a model of an earlier state of the graph, whose embeddings are where training begins,
    with a tenth of the learning rate; a new entity begins where its triples to known ones put it. ``data`` is to be
    ``data.after`` the earlier model's, so that nothing that it was trained on is held out.

    A folder whose training is complete is returned as it is. Raises ConfigError where the folder holds a run
    with other settings or on another graph and ``restart`` is not set, where another process trains into it, or
    where it cannot be written.
    """
    with training_folder(folder, data) as place:
        return _train(data, place, settings, restart, device, earlier, on_epoch)


def _train(
    data: LinkPredictionData,
    folder: Path,
    settings: RotatESettings,
    restart: bool,
    device: str,
    earlier: str | Path | None,
    on_epoch: Callable[[EpochReport], None] | None,
) -> RotatEScorer:
    run = {"settings": asdict(settings), "graph_hash": data.graph_hash, "split_seed": data.split_seed}
    begun = read_model(earlier) if earlier is not None else None
    if begun is not None:
        run["started_from"] = begun[0]["weights_sha256"]
    if restart:
        _remove_checkpoint(folder)
        (folder / DESCRIPTION).unlink(missing_ok=True)
    if (folder / DESCRIPTION).exists():
        _same_run(folder, run, read_model(folder)[0])
        return RotatEScorer.load(folder)
    trainer = _Trainer(data, settings, device)
    if begun is not None:
        trainer.begin_at(*begun)
    if (folder / CHECKPOINT).exists():
        trainer.restore(folder, run)
    else:
        _remove_checkpoint(folder)  # tensors without their JSON, of a run killed in its first checkpoint
    saved_at = time.monotonic()
    while not trainer.done():
        report = trainer.epoch()
        if report.mrr is not None or time.monotonic() - saved_at > 30:
            trainer.save(folder, run)
            saved_at = time.monotonic()
        if on_epoch:
            on_epoch(report)
    state = trainer.state
    parts = {"train": data.train, "valid": data.valid, "test": data.test}
    description = {
        "model": "RotatE", "graph": data.name, **run, "benchmark": data.benchmark, "epochs": state.epoch,
        "best_epoch": state.best_epoch, "valid_mrr": state.best_mrr, "seconds": round(state.seconds, 1),
        "entities": list(data.entities), "relations": list(data.relations),
    }  # fmt: skip
    write_model(folder, description, {**(state.best or trainer.weights()), **parts})
    _remove_checkpoint(folder)
    return RotatEScorer.load(folder)


class _Trainer:
    """The model, its optimizer and the state between epochs."""

    def __init__(self, data: LinkPredictionData, settings: RotatESettings, device: str = "cpu") -> None:
        try:
            import torch
            from pykeen.losses import NSSALoss
            from pykeen.models import RotatE
            from pykeen.triples import CoreTriplesFactory
        except ImportError:
            raise MissingExtraError("Training RotatE", "kge") from None
        self.torch, self.data, self.settings, self.state = torch, data, settings, _State()
        self.turn = False
        factory = CoreTriplesFactory(
            torch.from_numpy(data.train.astype(np.int64)),
            num_entities=len(data.entities),
            num_relations=len(data.relations),
        )
        with torch.random.fork_rng(devices=[]):  # the caller's random stream is not ours to change
            self.model = RotatE(triples_factory=factory, embedding_dim=settings.dim, random_seed=settings.seed)
        self.device = torch_device(device)
        if settings.published:
            span = (settings.margin + 2.0) / settings.dim
            drawn = np.random.default_rng(settings.seed).uniform(-span, span, (len(data.entities), 2 * settings.dim))
            with torch.no_grad():
                next(self.model.entity_representations[0].parameters()).copy_(torch.from_numpy(drawn))
        self.model.to(self.device)
        self.balance = subsampling_weights(data.train) if settings.published else None
        self.loss = NSSALoss(margin=settings.margin, adversarial_temperature=settings.temperature)
        self.entity, self.relation = (
            self.model.entity_representations[0],
            self.model.relation_representations[0],
        )
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=settings.learning_rate)
        self.facts = FactIndex(data.train, len(data.relations))
        valid = np.random.default_rng(settings.seed).permutation(len(data.valid))[: settings.valid_triples]
        self.valid = data.valid[valid]

    def begin_at(self, description: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> None:
        """Take over the embeddings of an earlier model; raises ConfigError where its dimensions are others."""
        earlier, weights = LinkPredictionData.described(description, tensors), self.weights()
        if tensors["entity"].shape[1:] != weights["entity"].shape[1:]:
            raise ConfigError(
                "the earlier model has other dimensions.", f"Give --dim {tensors['entity'].shape[1] // 2}."
            )
        new = {}
        for name, mine, old in (
            ("entity", self.data.entities, earlier.entities), ("relation", self.data.relations, earlier.relations)
        ):  # fmt: skip
            at = {thing: i for i, thing in enumerate(old)}
            both = [(i, at[thing]) for i, thing in enumerate(mine) if thing in at]
            weights[name] = weights[name].copy()
            weights[name][[i for i, _ in both]] = tensors[name][[j for _, j in both]]
            new[name] = set(range(len(mine))) - {i for i, _ in both}
        self._place(weights["entity"], weights["relation"], new["entity"], new["relation"])
        with self.torch.no_grad():
            for name, parameter in self._parameters().items():
                parameter.copy_(self.torch.from_numpy(weights[name]))
        self.state.lowered = True

    def _place(self, entity: NDArray[Any], relation: NDArray[Any], new: set[int], new_relations: set[int]) -> None:
        """Put each new entity at the mean of where its triples with known ends say that it is: t = h∘r, h = t∘r̄."""
        places: dict[int, list[NDArray[np.complex64]]] = {}
        points, turns = entity.view(np.complex64), relation.view(np.complex64)
        for h, r, t in self.data.train.tolist():
            if r in new_relations or (h in new) == (t in new):
                continue
            if h in new:
                places.setdefault(h, []).append(points[t] * turns[r].conj())
            else:
                places.setdefault(t, []).append(points[h] * turns[r])
        for at, found in places.items():
            points[at] = np.mean(found, axis=0)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The embeddings as arrays."""
        return {name: parameter.detach().cpu().numpy() for name, parameter in self._parameters().items()}

    def _parameters(self) -> dict[str, torch.Tensor]:
        return {
            name: next(module.parameters()) for name, module in (("entity", self.entity), ("relation", self.relation))
        }

    def done(self) -> bool:
        """Whether all epochs are through, or the lower learning rate gains nothing more."""
        state, settings = self.state, self.settings
        stopped = not settings.published and state.lowered and state.stale >= settings.patience
        return state.epoch >= settings.epochs or stopped

    def epoch(self) -> EpochReport:
        """One pass over the training triples, with a validation where one is due."""
        started, state, settings = time.perf_counter(), self.state, self.settings
        rng = np.random.default_rng([settings.seed, state.epoch])
        stale = not settings.published and state.stale >= settings.patience
        if not state.lowered and (stale or state.epoch >= settings.epochs / 2):
            state.lowered, state.stale = True, 0
        for group in self.optimizer.param_groups:
            group["lr"] = settings.learning_rate * (0.1 if state.lowered else 1.0)
        order = rng.permutation(len(self.data.train))
        size = min(settings.batch_size, -(-len(order) // _MIN_BATCHES))
        self.turn = bool(state.epoch % 2)
        step = self._published_step if settings.published else self._step
        losses = [step(order[start : start + size], rng) for start in range(0, len(order), size)]
        if not np.isfinite(losses).all() or not all(np.isfinite(w).all() for w in self.weights().values()):
            raise ConfigError(
                f"training broke down in epoch {state.epoch + 1}: the loss is no number any more.",
                "Lower --learning-rate, or --margin; nothing of this epoch is kept.",
            )
        state.epoch += 1
        mrr = None
        if state.epoch % settings.evaluate_every == 0 or state.epoch == settings.epochs:
            mrr = self._validate()
        seconds = time.perf_counter() - started
        state.seconds += seconds
        return EpochReport(state.epoch, settings.epochs, float(np.mean(losses)), mrr, state.best_mrr, seconds)

    def _published_step(self, rows: NDArray[np.intp], rng: np.random.Generator) -> float:
        """A step of the authors' training on these training triples; heads and tails are corrupted in turn."""
        settings, n, batch = self.settings, len(self.data.entities), self.data.train[rows]
        side: Side = "head" if self.turn else "tail"
        self.turn = not self.turn
        drawn = rng.integers(n, size=(len(batch), settings.negatives))
        given = batch[:, 2] if side == "head" else batch[:, 0]
        known = known_among(self.facts, side, given, batch[:, 1], drawn, n)
        assert self.balance is not None
        self.optimizer.zero_grad()
        loss = step_loss(
            self.entity, self.relation, batch, drawn, known, self.balance[rows], side, settings.margin,
            settings.temperature, self.device,
        )  # fmt: skip
        self.optimizer.step()
        self.model.post_parameter_update()
        return loss

    def _step(self, rows: NDArray[np.intp], rng: np.random.Generator) -> float:
        torch, n, batch = self.torch, len(self.data.entities), self.data.train[rows]
        draws = [rng.choice(n, min(self.settings.negatives, n), replace=False, shuffle=False) for _ in range(2)]
        used = np.concatenate([batch[:, 0], batch[:, 2], *draws]).astype(np.int64)
        # One look-up for all rows: each look-up costs a gradient of the size of the whole table.
        sizes = [len(batch), len(batch), *map(len, draws)]
        head, tail, *drawn = self.entity(torch.from_numpy(used).to(self.device)).split(sizes)
        relation = self.relation(torch.from_numpy(batch[:, 1].astype(np.int64)).to(self.device))
        rotated = head * relation
        positive = -torch.linalg.vector_norm(rotated - tail, dim=-1).unsqueeze(1)
        loss = torch.zeros((), device=self.device)
        sides = (("tail", rotated, batch[:, 0]), ("head", tail * relation.conj(), batch[:, 2]))
        for (side, queries, given), ids, entities in zip(sides, draws, drawn, strict=True):
            known = torch.from_numpy(self._known(side, given, batch[:, 1], ids)).to(self.device)
            scores = _distances(queries, entities).neg().masked_fill(known, _MASKED)
            loss = loss + self.loss.process_slcwa_scores(positive, scores) / 2
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.model.post_parameter_update()
        return loss.item()

    def _known(self, side: Any, given: Ints, relations: Ints, drawn: NDArray[Any]) -> NDArray[np.bool_]:
        """[batch, negatives]: which drawn entities are known training answers, so no negatives."""
        column = np.full(len(self.data.entities), -1, dtype=np.int64)
        column[drawn] = np.arange(len(drawn))
        rows, answers = self.facts.hits(side, given, relations)
        columns = column[answers]
        mask = np.zeros((len(given), len(drawn)), dtype=bool)
        mask[rows[columns >= 0], columns[columns >= 0]] = True
        return mask

    def _validate(self) -> float | None:
        """Filtered MRR of the validation sample; keeps the best state."""
        state = self.state
        if not len(self.valid):
            return None
        scorer = RotatEScorer(self.data, **self.weights(), moduli=self.settings.published)
        sides = [filtered_ranks(scorer, self.valid, self.data.known, side) for side in ("head", "tail")]
        mrr = Ranks.join(*sides).mrr()
        if state.best_mrr is None or mrr > state.best_mrr:
            state.best_mrr, state.best_epoch, state.stale = mrr, state.epoch, 0
            state.best = {name: weights.copy() for name, weights in self.weights().items()}
        else:
            state.stale += 1
        return mrr

    def save(self, folder: Path, run: dict[str, Any]) -> None:
        """Write a checkpoint; the JSON file comes last and names its tensors, so a kill never leaves half of one."""
        from safetensors.numpy import save_file

        tensors = {f"now.{name}": w for name, w in self.weights().items()}
        tensors |= {f"best.{name}": w for name, w in self.state.best.items()}
        for number, moments in self.optimizer.state_dict()["state"].items():
            tensors |= {f"adam.{number}.{name}": value.cpu().numpy() for name, value in moments.items()}
        file = folder / f"checkpoint-{self.state.epoch}.safetensors"
        save_file({name: np.ascontiguousarray(t) for name, t in tensors.items()}, file)
        kept = {f.name: getattr(self.state, f.name) for f in fields(_State) if f.name != "best"}
        part = folder / f"{CHECKPOINT}.part"
        part.write_text(json.dumps({**run, "tensors": file.name, "state": kept}), encoding="utf-8")
        part.replace(folder / CHECKPOINT)
        for old in folder.glob("checkpoint-*.safetensors"):
            if old != file:
                old.unlink()

    def restore(self, folder: Path, run: dict[str, Any]) -> None:
        """Go on from a checkpoint; raises ConfigError where it is another run's or damaged."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            kept = json.loads((folder / CHECKPOINT).read_text(encoding="utf-8"))
            tensors = load_file(folder / Path(kept["tensors"]).name)
            _same_run(folder, run, kept)
            self.state = _State(**kept["state"])
            groups: dict[str, dict[str, NDArray[np.float32]]] = {"now": {}, "best": {}}
            moments: dict[int, dict[str, torch.Tensor]] = {}
            for name, tensor in tensors.items():
                group, *rest = name.split(".")
                if group == "adam":
                    moments.setdefault(int(rest[0]), {})[rest[1]] = self.torch.from_numpy(tensor)
                else:
                    groups[group][rest[0]] = tensor
            with self.torch.no_grad():
                for name, parameter in self._parameters().items():
                    parameter.copy_(self.torch.from_numpy(groups["now"][name]))
            self.state.best = groups["best"]
            self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": moments})
        except (OSError, ValueError, KeyError, TypeError, IndexError, SafetensorError) as error:
            raise ConfigError(f"the checkpoint in {folder} is damaged: {error}.", "Train anew: --restart.") from None


def torch_device(name: str) -> torch.device:
    """The device by name, "auto" being CUDA where there is one; raises ConfigError where it is not there."""
    import torch

    chosen = ("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name
    if chosen not in ("cpu", "cuda"):
        raise ConfigError(f"no device {name!r}.", "Known: auto, cpu, cuda.")
    if chosen == "cuda" and not torch.cuda.is_available():
        raise ConfigError("PyTorch finds no CUDA device.", "Give --device cpu, or install PyTorch for CUDA.")
    return torch.device(chosen)


def _distances(queries: torch.Tensor, entities: torch.Tensor) -> torch.Tensor:
    """‖q - t‖ for all pairs of complex [b, d] and [k, d], as one matrix product: [b, k]."""
    import torch

    q, t = torch.view_as_real(queries).flatten(1), torch.view_as_real(entities).flatten(1)
    squared = (q * q).sum(1, keepdim=True) + (t * t).sum(1) - 2 * (q @ t.T)
    return squared.clamp_min(1e-9).sqrt()


def _same_run(folder: Path, wanted: dict[str, Any], found: dict[str, Any]) -> None:
    hint = "Choose another --out, or --restart."
    if found.get("graph_hash") != wanted["graph_hash"]:
        raise ConfigError(f"{folder} holds a run on another graph.", hint)
    begun, now = (
        {**run["settings"], "split_seed": run["split_seed"], "started_from": run.get("started_from")}
        for run in (found, wanted)
    )
    for name, value in now.items():
        if begun.get(name) != value:
            raise ConfigError(f"{folder} holds a run with {name} {begun.get(name)}, not {value}.", hint)


def _remove_checkpoint(folder: Path) -> None:
    (folder / CHECKPOINT).unlink(missing_ok=True)
    for file in folder.glob("checkpoint-*.safetensors"):
        file.unlink()
