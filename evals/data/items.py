"""What an evaluation asks: items with an identity of their own content, and data sets of them.

An item's ``id`` is a hash of all that is asked and all that counts as right, so a result can never be
taken for another item's: a changed question, answer or entity is a new item.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from triplewise.errors import ConfigError, UserError
from triplewise.types import Task, Triple


class DatasetError(UserError):
    """A data set is not where it was looked for, or not in the layout it should have."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question, claim or missing link with what counts as right.

    ``answers``: entity ids or names, sorted, for "ask" and "complete"; ``label``: True (supported) or
    False (refuted) for "verify". ``head`` and ``relation`` are set for "complete". ``path``: the gold
    relation path where known, for "verify" the set of gold relations; ``kind``: the question's or the
    reasoning's type, for breakdowns; ``cluster``: what makes items alike (template or topic entity), for
    the intervals. ``occurrence`` counts items of equal content, from 0.
    """

    task: Task
    text: str = ""
    answers: tuple[str, ...] = ()
    label: bool | None = None
    entities: tuple[str, ...] = ()
    head: str = ""
    relation: str = ""
    path: tuple[str, ...] = ()
    kind: str = ""
    cluster: str = ""
    occurrence: int = 0
    id: str = field(init=False, default="")

    def __post_init__(self) -> None:
        content = [getattr(self, f.name) for f in fields(self) if f.name != "id"]
        object.__setattr__(self, "id", digest(content)[:20])


@dataclass(frozen=True, slots=True)
class Shard:
    """One of ``of`` parts of a data set that as many machines work on; ``number`` counts from 1."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """ "2/4"; raises ConfigError where it is no part of a whole."""
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= 10_000):
            raise ConfigError(f"no shard {text!r}.", "Write 1/4 for the first of four.")
        return cls(int(number), int(of))

    @property
    def folder(self) -> str:
        """The name of its run's folder in that of the whole run."""
        return f"{self.number}-of-{self.of}"


@dataclass(frozen=True, slots=True)
class Dataset:
    """Items of one split with the graph they are asked over.

    ``graph``: a file or folder for ``load_kg``; ``triples``: the graph itself where it comes inside the
    data (RoG's and NSM's sub-graphs, merged). ``note`` says what keeps figures from being compared with
    published ones.
    """

    name: str
    split: str
    items: tuple[Item, ...]
    graph: Path | None = None
    triples: tuple[Triple, ...] = ()
    note: str = ""

    @property
    def content_hash(self) -> str:
        """Hash of all items in order (hex)."""
        return digest([item.id for item in self.items])

    def shard(self, shard: Shard | None) -> Dataset:
        """Every N-th item from the K-th on; all where it is None."""
        return self if shard is None else replace(self, items=self.items[shard.number - 1 :: shard.of])

    def limited(self, limit: int | None) -> Dataset:
        """The first ``limit`` items; all where it is None."""
        return self if limit is None else replace(self, items=self.items[:limit])


def digest(value: object) -> str:
    """SHA-256 (hex) of a JSON value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def numbered(items: Iterable[Item]) -> tuple[Item, ...]:
    """Items of equal content told apart by their occurrence."""
    seen: dict[str, int] = {}
    out: list[Item] = []
    for item in items:
        count = seen[item.id] = seen.get(item.id, -1) + 1
        if count:
            item = replace(item, occurrence=count)
        out.append(item)
    return tuple(out)


def read_text(path: Path, name: str, source: str, layout: Sequence[str]) -> str:
    """A file of a data set as text; raises DatasetError that says where to get it and its layout."""
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a file with a byte-order mark
    except FileNotFoundError:
        raise missing(path, name, source, layout) from None
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path} is no UTF-8 text: byte {error.start + 1}.", "Save the file as UTF-8.") from None


def missing(path: Path, name: str, source: str, layout: Sequence[str]) -> DatasetError:
    """The error for a data set that is not there."""
    return DatasetError(f"{name}: {path} is not there.", f"Get it from {source}; expected files: {', '.join(layout)}.")
