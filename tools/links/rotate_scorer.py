"""Scores of all entities for a link query: a trained RotatE, or a file of another system's rankings.

RotatE scores by the distance in complex space, f(h, r, t) = -‖h∘r - t‖. For all t at once this is one matrix
product (and for all h, since |r| = 1, the same with the conjugate rotation of t)::

    ‖q - t‖² = ‖q‖² + ‖t‖² - 2·Re⟨q, t⟩        q = h∘r,  or  q = t∘r̄  for heads

A model trained as RotatE's authors publish it (``moduli``) has the sum of moduli as its distance, Σ_i |h_i∘r_i - t_i|,
which is no product: its scores take as many operations as the entities have numbers.

Loading needs neither PyTorch nor PyKEEN. A scorer belongs to one graph: it is refused for another.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import ConfigError, GraphFileError, IndexMismatchError, MissingExtraError, QuestionError
from triplewise.kg.base import KGStore
from triplewise.tools.links.kge_data import Ints, LinkPredictionData

Floats = NDArray[np.float32]
DESCRIPTION = "rotate.json"
STEM = "rotate"
"""Of a model's two files and of the command that trains it: ``triplewise train rotate``."""
_NEAR = 1e-2
"""Below this share of the norms a squared distance has lost digits in the product and is computed directly."""


class LinkScorer(Protocol):
    """What ranks the entities for (h, r, ?) or (?, r, t); the missing end is None. Ids in, ids out."""

    @property
    def entities(self) -> Sequence[str]:
        """The entity ids, in the order of ``scores``."""
        ...

    def scores(self, head: str | None, relation: str, tail: str | None) -> Floats:
        """Scores of all entities [n_entities], higher is better; -inf where there is none."""
        ...

    def rank(self, head: str | None, relation: str, tail: str | None) -> tuple[list[str], list[float]]:
        """All entities, best first, and their scores; NaN where there is none."""
        ...

    def candidates(
        self, head: str | None, relation: str, tail: str | None, m: int = 10, exclude_known: bool = False
    ) -> list[tuple[str, float]]:
        """The ``m`` best entities and their scores, without the answers that the graph asserts if so wished."""
        ...


class _Ranked:
    """``rank`` and ``candidates`` from ``scores``; equal scores keep the order of ``entities``."""

    data: LinkPredictionData

    def scores(self, head: str | None, relation: str, tail: str | None) -> Floats:
        raise NotImplementedError

    @property
    def entities(self) -> Sequence[str]:
        """The entity ids, in the order of ``scores``."""
        return self.data.entities

    def rank(self, head: str | None, relation: str, tail: str | None) -> tuple[list[str], list[float]]:
        """All entities, best first, and their scores; NaN where there is none."""
        scores = self.scores(head, relation, tail)
        order: list[int] = np.argsort(-scores, kind="stable").tolist()
        values: list[float] = np.where(np.isneginf(scores), np.nan, scores)[order].tolist()
        return [self.entities[i] for i in order], values

    def candidates(
        self, head: str | None, relation: str, tail: str | None, m: int = 10, exclude_known: bool = False
    ) -> list[tuple[str, float]]:
        """The ``m`` best entities with a score; ``exclude_known`` leaves out what the graph asserts."""
        scores = self.scores(head, relation, tail)
        if exclude_known:
            side, given = ("tail", head) if tail is None else ("head", tail)
            known = self.data.asserted.answers(side, self.data.entity(str(given)), self.data.relation(relation))
            scores[known] = -np.inf
        order: list[int] = np.argsort(-scores, kind="stable")[:m].tolist()
        return [(self.entities[i], float(scores[i])) for i in order if not np.isneginf(scores[i])]

    def _ends(self, head: str | None, relation: str, tail: str | None) -> tuple[int | None, int, int | None]:
        if (head is None) == (tail is None):
            raise QuestionError("a link query has exactly one missing end.", "Give either the head or the tail.")
        h = None if head is None else self.data.entity(head)
        return h, self.data.relation(relation), None if tail is None else self.data.entity(tail)


class PositionScorer(_Ranked):
    """A trained model: scores of all entities from positions, for batches (``link_ranks.BatchScorer``) and by ids."""

    def score_tails(self, heads: Ints, relations: Ints) -> Floats:
        """Scores of all entities as tails [batch, n_entities]; heads and relations are positions [batch]."""
        raise NotImplementedError

    def score_heads(self, relations: Ints, tails: Ints) -> Floats:
        """Scores of all entities as heads [batch, n_entities]; relations and tails are positions [batch]."""
        raise NotImplementedError

    def vectors(self, entities: Ints) -> Floats:
        """Vectors [entities, size], of length 1, whose inner products say how like each other entities are."""
        raise NotImplementedError

    def likeness(self, entity: str, others: list[str]) -> Floats:
        """Cosines [others] with ``entity``, by ids; -1 for what the model does not know."""
        known = [i for i, e in enumerate(others) if e in self.data]
        found = np.full(len(others), -1.0, dtype=np.float32)
        if entity in self.data and known:
            at = np.array([self.data.entity(entity), *(self.data.entity(others[i]) for i in known)], dtype=np.int32)
            vectors = self.vectors(at)
            found[known] = vectors[1:] @ vectors[0]
        return found

    def scores(self, head: str | None, relation: str, tail: str | None) -> Floats:
        """Scores of all entities [n_entities] for one query; raises UnknownEntityError, UnknownRelationError."""
        h, r, t = self._ends(head, relation, tail)
        one = np.array([r], dtype=np.int32)
        if h is not None:
            return self.score_tails(np.array([h], dtype=np.int32), one)[0]
        return self.score_heads(one, np.array([t], dtype=np.int32))[0]


class RotatEScorer(PositionScorer):
    """A trained RotatE: ``entity`` [n_entities, 2d] and ``relation`` [n_relations, 2d], float32, real and
    imaginary parts side by side (PyKEEN's layout)."""

    def __init__(self, data: LinkPredictionData, entity: Floats, relation: Floats, *, moduli: bool = False) -> None:
        self.data, self.moduli = data, moduli
        self._entity = np.ascontiguousarray(entity, dtype=np.float32)
        self._relation = np.ascontiguousarray(relation, dtype=np.float32).view(np.complex64)
        self._norms = np.einsum("nd,nd->n", self._entity, self._entity)

    @classmethod
    def load(cls, folder: str | Path, kg: KGStore | None = None) -> RotatEScorer:
        """A scorer saved by ``triplewise train rotate``.

        Raises ConfigError where the folder holds none or is damaged, IndexMismatchError where it was trained
        on another graph than ``kg``.
        """
        description, tensors = read_model(folder)
        check_graph(folder, description, kg)
        data = LinkPredictionData.described(description, tensors)
        published = bool(description.get("settings", {}).get("published"))
        return cls(data, tensors["entity"], tensors["relation"], moduli=published)

    def score_tails(self, heads: Ints, relations: Ints) -> Floats:
        """-‖h∘r - t‖ for all entities t: [batch, n_entities]; heads and relations are positions [batch]."""
        return self._scores(self._entity[heads].view(np.complex64) * self._relation[relations])

    def score_heads(self, relations: Ints, tails: Ints) -> Floats:
        """-‖h∘r - t‖ for all entities h: [batch, n_entities]; relations and tails are positions [batch]."""
        return self._scores(self._entity[tails].view(np.complex64) * self._relation[relations].conj())

    def vectors(self, entities: Ints) -> Floats:
        """The embeddings, at length 1."""
        return unit(self._entity[entities])

    def _scores(self, rotated: NDArray[np.complex64]) -> Floats:
        if self.moduli:
            return self._moduli_scores(rotated)
        queries = np.ascontiguousarray(rotated).view(np.float32)
        own = np.einsum("bd,bd->b", queries, queries)
        squared = queries @ self._entity.T
        squared *= -2
        squared += own[:, None]
        squared += self._norms
        rows, columns = np.nonzero(squared < _NEAR * own[:, None])
        for start in range(0, len(rows), 65_536):  # bounded memory, also where everything is near
            at = slice(start, start + 65_536)
            difference = queries[rows[at]] - self._entity[columns[at]]
            squared[rows[at], columns[at]] = np.einsum("nd,nd->n", difference, difference)
        np.maximum(squared, 0, out=squared)
        np.sqrt(squared, out=squared)
        return np.negative(squared, out=squared)

    def _moduli_scores(self, rotated: NDArray[np.complex64]) -> Floats:
        """-Σ_i |q_i - t_i| for all entities t, some thousand entities at a time."""
        entities = self._entity.view(np.complex64)
        found = np.empty((len(rotated), len(entities)), dtype=np.float32)
        for start in range(0, len(entities), 2_048):
            piece = entities[start : start + 2_048]
            for row, query in enumerate(rotated):
                found[row, start : start + len(piece)] = -np.abs(piece - query).sum(axis=1)
        return found


class RankingFile(_Ranked):
    """Another system's rankings in place of a trained model.

    JSON Lines, one query a line, best first, scores optional::

        {"head": "Alien", "relation": "directed_by", "tail": null, "ranking": ["Ridley Scott", ["James Cameron", -2.5]]}

    or tab-separated, a candidate a line (``?`` is the missing end; lines of a query in order, score optional)::

        Alien	directed_by	?	Ridley Scott	-1.25

    Without scores the candidates get -1, -2, … . Entities that a ranking leaves out come after it, in the
    graph's order; for a query that the file lacks, all of them.
    """

    def __init__(self, path: str | Path, data: LinkPredictionData) -> None:
        self.data = data
        self.path = Path(path)
        self._rankings: dict[tuple[int | None, int, int | None], dict[int, float]] = {}
        try:
            with self.path.open(encoding="utf-8-sig") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip() and not line.startswith("#"):
                        self._read(line, number)
        except OSError as error:
            raise GraphFileError(self.path, f"it cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise GraphFileError(
                self.path,
                "this is no UTF-8 text.",
                hint="A scorer is a folder of 'train rotate' or a file of rankings.",
            ) from None
        if not self._rankings:
            raise GraphFileError(self.path, "it holds no ranking.")

    @classmethod
    def load(cls, path: str | Path, kg: KGStore) -> RankingFile:
        """The rankings in a file over the entities of a graph; raises GraphFileError with file and line."""
        return cls(path, LinkPredictionData.from_store(kg))

    def __len__(self) -> int:
        """Number of queries."""
        return len(self._rankings)

    def _read(self, line: str, number: int) -> None:
        from triplewise.errors import UserError

        try:
            if line.lstrip().startswith("{"):
                row = json.loads(line)
                ends = row.get("head"), row["relation"], row.get("tail")
                listed = [(e, None) if isinstance(e, str) else (e[0], _score(e[1])) for e in row["ranking"]]
            else:
                head, relation, tail, entity, *score = line.rstrip("\r\n").split("\t")
                ends = None if head == "?" else head, relation, None if tail == "?" else tail
                listed = [(entity, _score(score[0]) if score else None)]
            ranking = self._rankings.setdefault(self._ends(*ends), {})
            for entity, score in listed:
                ranking.setdefault(self.data.entity(entity), -(len(ranking) + 1.0) if score is None else score)
        except UserError as error:
            hint = error.hint or "Rankings name entities and relations by the graph's ids."
            raise GraphFileError(self.path, error.message, number, hint) from None
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise GraphFileError(
                self.path, "not a ranking.", number, 'A line is {"head", "relation", "tail", "ranking"} or 4–5 columns.'
            ) from None

    def scores(self, head: str | None, relation: str, tail: str | None) -> Floats:
        """Scores of all entities [n_entities], -inf where the file lists none."""
        found = self._rankings.get(self._ends(head, relation, tail), {})
        scores = np.full(len(self.entities), -np.inf, dtype=np.float32)
        scores[list(found)] = list(found.values())
        return scores


def unit(vectors: Floats) -> Floats:
    """Rows at length 1."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def _score(value: Any) -> float:
    try:
        if math.isfinite(number := float(value)):
            return number
    except (ValueError, TypeError, OverflowError):
        pass
    raise ConfigError(f"{str(value)[:60]!r} is no score.", "A score is a finite number; it may be left out.")


def write_model(
    folder: str | Path, description: dict[str, Any], tensors: dict[str, NDArray[Any]], stem: str = STEM
) -> None:
    """Save a model: weights and triples as safetensors, everything else as JSON, which is written last."""
    from safetensors.numpy import save

    folder = Path(folder)
    weights = save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()})
    _replace(folder / f"{stem}.safetensors", weights)
    text = json.dumps(
        description | {"weights_sha256": hashlib.sha256(weights).hexdigest()}, ensure_ascii=False, indent=1
    )
    _replace(folder / f"{stem}.json", text.encode("utf-8") + b"\n")


def read_model(folder: str | Path, stem: str = STEM) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What ``write_model`` saved; raises ConfigError where it is missing or damaged."""
    try:
        from safetensors.numpy import load
    except ImportError:
        raise MissingExtraError("A trained link predictor", "kge") from None
    folder = Path(folder)
    what = "RotatE" if stem == STEM else "blend of link predictors"
    hint = f"Train one with: triplewise train {stem} --kg PATH --out {folder}"
    if not (folder / f"{stem}.json").is_file():
        raise ConfigError(f"{folder} holds no trained {what}.", hint)
    try:
        description = json.loads((folder / f"{stem}.json").read_text(encoding="utf-8"))
        weights = (folder / f"{stem}.safetensors").read_bytes()
        if hashlib.sha256(weights).hexdigest() != description["weights_sha256"]:
            raise ValueError(f"{stem}.safetensors does not belong to {stem}.json")
        return description, load(weights)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"the {what} in {folder} is damaged: {error}.", f"{hint} --restart") from None


def check_graph(folder: str | Path, description: dict[str, Any], kg: KGStore | None, stem: str = STEM) -> None:
    """Raise IndexMismatchError where a model was trained on another graph than ``kg``."""
    if kg is not None and description["graph_hash"] != kg.content_hash:
        raise IndexMismatchError(
            f"{folder} was trained on another graph than {kg.name} (its triples or labels differ).",
            f"Train one for this graph: triplewise train {stem} --kg PATH --out FOLDER",
        )


def _replace(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)
