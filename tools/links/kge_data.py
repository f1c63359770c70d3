"""Integer-coded triples for link prediction: training, validation and test parts, and an index of known facts.

A benchmark folder (train.txt, valid.txt, test.txt) has its own parts. A graph of one's own is split by a seed;
the split is kept in a file, so that a later run, a demonstration pool and an evaluation see the same parts.
Statements about literals are left out: a literal is no entity that a link could lead to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from triplewise.errors import ConfigError, GraphFileError, UnknownEntityError, UnknownRelationError
from triplewise.kg.base import KGStore
from triplewise.types import Triple

Ints = NDArray[np.int32]
Part = Literal["train", "valid", "test"]


@dataclass(frozen=True)
class LinkPredictionData:
    """Three integer arrays [n, 3] of (head, relation, tail) positions in ``entities`` and ``relations``.

    ``graph_hash``: the ``content_hash`` of the graph. ``benchmark``: whether the parts are files of their own,
    so that the graph asserts only ``train``; else they are a split of one graph, which asserts all three.
    """

    name: str
    entities: Sequence[str]
    relations: Sequence[str]
    train: Ints
    valid: Ints
    test: Ints
    graph_hash: str
    benchmark: bool = False
    split_seed: int | None = None

    @classmethod
    def from_store(cls, kg: KGStore) -> LinkPredictionData:
        """All triples of a graph between entities as the training part; ``split`` makes the other two."""
        entities, relations = list(kg.entities()), list(kg.relation_ids())
        triples = [t for t in kg.triples() if not (kg.is_literal(t.head) or kg.is_literal(t.tail))]
        return cls.from_triples(
            kg.name, triples, entities=entities, relations=relations, graph_hash=kg.content_hash, benchmark=False
        )

    @classmethod
    def from_triples(
        cls,
        name: str,
        train: Iterable[tuple[str, str, str]],
        valid: Iterable[tuple[str, str, str]] = (),
        test: Iterable[tuple[str, str, str]] = (),
        *,
        graph_hash: str,
        entities: Iterable[str] = (),
        relations: Iterable[str] = (),
        benchmark: bool = True,
    ) -> LinkPredictionData:
        """Code triples of ids; ids are numbered in the order of ``entities``, then of their first triple."""
        entity_of = {e: i for i, e in enumerate(dict.fromkeys(entities))}
        relation_of = {r: i for i, r in enumerate(dict.fromkeys(relations))}
        parts = []
        for part in (train, valid, test):
            rows = [
                (
                    entity_of.setdefault(h, len(entity_of)),
                    relation_of.setdefault(r, len(relation_of)),
                    entity_of.setdefault(t, len(entity_of)),
                )
                for h, r, t in dict.fromkeys(map(tuple, part))
            ]
            parts.append(np.array(rows, dtype=np.int32).reshape(-1, 3))
        return cls(name, tuple(entity_of), tuple(relation_of), *parts, graph_hash=graph_hash, benchmark=benchmark)

    @classmethod
    def from_folder(cls, path: str | Path, *, skip_bad_lines: bool = False) -> LinkPredictionData:
        """A folder in FB15k-237's and WN18RR's layout; raises GraphFileError where a part is missing or bad."""
        from triplewise.kg import load_kg

        folder = Path(path)
        for part in ("train", "valid", "test"):
            if not (folder / f"{part}.txt").is_file():
                raise GraphFileError(
                    folder, f"the folder has no {part}.txt.", hint="Give a graph file instead: it is split by a seed."
                )
        kg = load_kg(folder, skip_bad_lines=skip_bad_lines)
        held = [
            load_kg(folder / f"{part}.txt", format="tsv", skip_bad_lines=skip_bad_lines).triples()
            for part in ("valid", "test")
        ]
        return cls.from_triples(folder.name, kg.triples(), *held, graph_hash=kg.content_hash)

    @classmethod
    def described(cls, description: Mapping[str, Any], parts: Mapping[str, NDArray[Any]]) -> LinkPredictionData:
        """The data of a saved model: by its ``description`` and the arrays train, valid and test."""
        return cls(
            description["graph"], tuple(description["entities"]), tuple(description["relations"]),
            parts["train"], parts["valid"], parts["test"],
            graph_hash=description["graph_hash"], benchmark=description["benchmark"],
            split_seed=description["split_seed"],
        )  # fmt: skip

    def description(self) -> dict[str, Any]:
        """All but the arrays, for JSON."""
        return {
            "graph": self.name, "graph_hash": self.graph_hash, "benchmark": self.benchmark,
            "split_seed": self.split_seed, "entities": list(self.entities), "relations": list(self.relations),
        }  # fmt: skip

    def split(self, valid: float = 0.05, test: float = 0.05, seed: int = 0) -> LinkPredictionData:
        """Move these shares of the training part to validation and test, drawn by ``seed``.

        Every entity and relation keeps a training triple, so a thin graph may give less than asked.
        Raises ConfigError where the shares make no sense.
        """
        if valid < 0 or test < 0 or valid + test >= 1:
            raise ConfigError(f"shares of {valid} and {test} leave nothing to train on.", "For example 0.05 and 0.05.")
        if len(self.valid) or len(self.test):
            raise ConfigError(f"{self.name} is split already.")
        degree = np.bincount(self.train[:, [0, 2]].ravel(), minlength=len(self.entities))
        used = np.bincount(self.train[:, 1], minlength=len(self.relations))
        wanted = [round(valid * len(self.train)), round(test * len(self.train))]
        taken: list[list[int]] = [[], []]
        for row in np.random.default_rng(seed).permutation(len(self.train)):
            to = 0 if len(taken[0]) < wanted[0] else 1
            if len(taken[to]) == wanted[to]:
                break
            h, r, t = self.train[row]
            if used[r] > 1 and degree[h] > 1 + (h == t) and degree[t] > 1 + (h == t):
                used[r] -= 1
                degree[h] -= 1
                degree[t] -= 1
                taken[to].append(int(row))
        keep = np.ones(len(self.train), dtype=bool)
        keep[taken[0] + taken[1]] = False
        return replace(
            self, train=self.train[keep], valid=self.train[taken[0]], test=self.train[taken[1]], split_seed=seed
        )

    def after(self, earlier: LinkPredictionData) -> LinkPredictionData:
        """An unsplit graph in the parts of an earlier state of it: what was held out stays held out, all else is
        trained on. A held-out triple whose entities or relation have no other triple now is trained on too.
        """
        held = [[t for t in earlier.triples(part) if t.head in self and t.tail in self] for part in ("valid", "test")]
        coded = [{self.code(*t) for t in part if t.relation in self._relation_of} for part in held]
        stated = [tuple(row) for row in self.train.tolist()]
        kept = [t for t in stated if not any(t in part for part in coded)]
        entities, relations = {e for h, _, t in kept for e in (h, t)}, {r for _, r, _ in kept}
        parts: list[list[tuple[int, ...]]] = [kept, [], []]
        for row in stated:
            if (to := next((i for i, part in enumerate(coded, 1) if row in part), 0)) == 0:
                continue
            known = row[0] in entities and row[2] in entities and row[1] in relations
            parts[to if known else 0].append(row)
            if not known:
                entities |= {row[0], row[2]}
                relations.add(row[1])
        train, valid, test = (np.array(part, dtype=np.int32).reshape(-1, 3) for part in parts)
        return replace(self, train=train, valid=valid, test=test, split_seed=earlier.split_seed)

    def save_split(self, path: str | Path) -> None:
        """Write the validation and test triples as JSON, with the graph's hash and the seed."""
        parts = {part: [list(t) for t in self.triples(part)] for part in ("valid", "test")}
        head = {"graph_hash": self.graph_hash, "seed": self.split_seed}
        part = Path(path).with_name(f"{Path(path).name}.part")
        part.write_text(json.dumps(head | parts, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
        part.replace(path)  # whole or not at all

    def load_split(self, path: str | Path) -> LinkPredictionData:
        """The parts of an unsplit graph by a file of ``save_split``; raises GraphFileError where it is another's."""
        try:
            kept = json.loads(Path(path).read_text(encoding="utf-8"))
            held = [
                np.array([self.code(*t) for t in kept[part]], np.int32).reshape(-1, 3) for part in ("valid", "test")
            ]
            seed, made_for = kept["seed"], kept["graph_hash"]
        except (OSError, ValueError, KeyError, TypeError, UnknownEntityError, UnknownRelationError) as error:
            raise GraphFileError(
                path, f"not a split of {self.name}: {error}", hint="Remove it to split anew."
            ) from None
        if made_for != self.graph_hash:
            raise GraphFileError(path, f"a split of another graph than {self.name}.", hint="Remove it to split anew.")
        gone = {tuple(row) for part in held for row in part.tolist()}
        keep = np.array([tuple(row) not in gone for row in self.train.tolist()], dtype=bool)
        return replace(self, train=self.train[keep], valid=held[0], test=held[1], split_seed=seed)

    @cached_property
    def _entity_of(self) -> dict[str, int]:
        return {e: i for i, e in enumerate(self.entities)}

    @cached_property
    def _relation_of(self) -> dict[str, int]:
        return {r: i for i, r in enumerate(self.relations)}

    def __contains__(self, entity: str) -> bool:
        """Whether the id is one of ``entities``."""
        return entity in self._entity_of

    def entity(self, entity: str) -> int:
        """The position of an entity id; raises UnknownEntityError."""
        if (found := self._entity_of.get(entity)) is None:
            raise UnknownEntityError(f"{entity!r} is no entity of {self.name}.")
        return found

    def relation(self, relation: str) -> int:
        """The position of a relation id; raises UnknownRelationError."""
        if (found := self._relation_of.get(relation)) is None:
            raise UnknownRelationError(f"{relation!r} is no relation of {self.name}.")
        return found

    def code(self, head: str, relation: str, tail: str) -> tuple[int, int, int]:
        """The positions of a triple of ids."""
        return self.entity(head), self.relation(relation), self.entity(tail)

    def triple(self, row: Sequence[int] | Ints) -> Triple:
        """The triple of ids of a row of positions."""
        return Triple(self.entities[row[0]], self.relations[row[1]], self.entities[row[2]])

    def triples(self, part: Part) -> list[Triple]:
        """The triples of one part as ids."""
        return [self.triple(row) for row in getattr(self, part).tolist()]

    @cached_property
    def known(self) -> FactIndex:
        """Train, valid and test: what the filtered setting leaves out besides the answer in question."""
        return FactIndex(np.concatenate([self.train, self.valid, self.test]), len(self.relations))

    @cached_property
    def asserted(self) -> FactIndex:
        """What is known when predicting: of a benchmark train and valid, of a graph of one's own everything."""
        if not self.benchmark:
            return self.known
        return FactIndex(np.concatenate([self.train, self.valid]), len(self.relations))


def kept_split(
    kg: KGStore, file: str | Path, *, valid: float = 0.05, test: float = 0.05, seed: int = 0
) -> LinkPredictionData:
    """A graph of one's own in three parts: by the file where it exists, else split by ``seed`` and kept there.

    Raises GraphFileError where the file is no split of this graph, ConfigError where it was made by another seed
    or with other shares, or cannot be written.
    """
    for name, share in (("valid", valid), ("test", test)):
        if not 0 <= share < 1:  # NaN too
            raise ConfigError(f"the share held out as {name} is {share}.", "It is from 0 to below 1.")
    if not 0 <= seed < 2**63:
        raise ConfigError(f"the split's seed is {seed}.", "It is a whole number from 0 to 2**63 - 1.")
    whole, file = LinkPredictionData.from_store(kg), Path(file)
    data = whole.split(valid, test, seed)
    if file.exists():
        kept = whole.load_split(file)
        if kept.split_seed != seed:
            raise ConfigError(f"{file} keeps the split of seed {kept.split_seed}.", "Use that seed, or --restart.")
        if (len(kept.valid), len(kept.test)) != (len(data.valid), len(data.test)):
            held = f"{len(kept.valid):,} validation and {len(kept.test):,} test triples"
            raise ConfigError(f"{file} keeps a split with other shares: {held}.", "Use those shares, or --restart.")
        return kept
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        data.save_split(file)
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror or error}.") from None
    return data


@dataclass(frozen=True)
class FactIndex:
    """Known answers by query, in compressed rows: ``answers(side, given, relation)`` and, for batches, ``hits``."""

    triples: Ints = field(repr=False)
    n_relations: int

    @cached_property
    def _tails(self) -> tuple[NDArray[np.int64], Ints]:
        return self._rows(0, 2)

    @cached_property
    def _heads(self) -> tuple[NDArray[np.int64], Ints]:
        return self._rows(2, 0)

    def _rows(self, given: int, answer: int) -> tuple[NDArray[np.int64], Ints]:
        keys = self.triples[:, given].astype(np.int64) * self.n_relations + self.triples[:, 1]
        order = np.lexsort((self.triples[:, answer], keys))
        return keys[order], self.triples[order, answer]

    def answers(self, side: Literal["head", "tail"], given: int, relation: int) -> Ints:
        """Known answers on ``side`` for the entity ``given`` on the other side, ascending."""
        keys, answers = self._tails if side == "tail" else self._heads
        key = given * self.n_relations + relation
        return answers[np.searchsorted(keys, key) : np.searchsorted(keys, key, side="right")]

    def hits(self, side: Literal["head", "tail"], given: Ints, relations: Ints) -> tuple[NDArray[np.intp], Ints]:
        """For a batch of queries: row numbers and known answers, as index pairs into [batch, n_entities]."""
        keys, answers = self._tails if side == "tail" else self._heads
        wanted = given.astype(np.int64) * self.n_relations + relations
        start, stop = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, side="right")
        counts = stop - start
        rows = np.repeat(np.arange(len(wanted)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return rows, answers[np.repeat(start, counts) + within]


def directed(triples: Ints, n_relations: int) -> Ints:
    """(given, directed relation, answer) [2n, 3]: (h, r, t), and (t, r + n_relations, h)."""
    back = triples[:, [2, 1, 0]].copy()
    back[:, 1] += n_relations
    return np.concatenate([triples, back])
