"""The items of a batch: one JSON object a line, or one row of a Parquet file.

::

    {"id": "q1", "question": "Who directed Alien?"}
    {"id": "c1", "claim": "Ridley Scott directed Alien.", "entities": ["Alien (film)"]}
    {"id": "l1", "head": "Alien", "relation": "genre", "tail": null}

``id`` is a text or a number, unique in the file; an item without one has the number of its line or row. ``task`` says
what is done where the other keys leave it open ("text" instead of "question" or "claim").
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast, get_args

from triplewise.errors import MissingExtraError, UserError
from triplewise.evals.data.items import digest
from triplewise.files import expand
from triplewise.types import Task

MAX_LINE = 16 * 2**20
"""Bytes of a line; longer ones are no item."""
_KEYS = ("id", "task", "question", "claim", "text", "entities", "head", "relation", "tail")


class BatchFileError(UserError):
    """A file of items or of results cannot be read; names file and line."""


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One question, claim or missing link; for a link the missing end is ""."""

    id: str
    task: Task
    text: str = ""
    entities: tuple[str, ...] = ()
    head: str = ""
    relation: str = ""
    tail: str = ""

    @property
    def content(self) -> str:
        """A hash of all but the id (16 hex digits): an item that was changed is another one."""
        return digest({name: value for name, value in asdict(self).items() if name != "id"})[:16]


def item_of_json(text: str | bytes) -> BatchItem:
    """An item from JSON of its fields."""
    raw = json.loads(text)
    return BatchItem(**{**raw, "entities": tuple(raw["entities"])})


def read_items(path: str | Path, task: Task | None = None) -> Iterator[BatchItem]:
    """The items of a file in order; ``task`` is that of items that do not say theirs.

    Raises BatchFileError on a line that is no item, and MissingExtraError for Parquet without pyarrow.
    """
    place = expand(path)
    if not place.is_file():
        raise BatchFileError(f"{place} is not there." if not place.exists() else f"{place} is no file.")
    for number, row in _parquet(place) if place.suffix == ".parquet" else _lines(place):
        try:
            yield _item(row, str(number), task)
        except ValueError as error:
            raise BatchFileError(f"{place}:{number}: {error}.") from None


def _lines(place: Path) -> Iterator[tuple[int, Any]]:
    with place.open("rb") as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE:
                raise BatchFileError(f"{place}:{number}: the line is longer than {MAX_LINE:,} bytes.")
            if not line.strip():
                continue
            try:
                yield number, json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
            except (ValueError, RecursionError):
                raise BatchFileError(f"{place}:{number}: the line is no JSON object in UTF-8.") from None


def _parquet(place: Path) -> Iterator[tuple[int, Any]]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("Reading Parquet", "parquet") from None
    try:
        file = pyarrow.parquet.ParquetFile(place)
        wanted = [name for name in file.schema_arrow.names if name in _KEYS]
        number = 0
        for batch in file.iter_batches(batch_size=1_000, columns=wanted):
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except (pyarrow.ArrowException, OSError) as error:
        raise BatchFileError(f"{place} cannot be read as Parquet: {str(error)[:200]}.") from None


def _item(row: Any, number: str, task: Task | None) -> BatchItem:
    """Raises ValueError that says what is wrong with the row."""
    if not isinstance(row, Mapping):
        raise ValueError("an item is a JSON object")
    given: dict[str, Any] = {name: row[name] for name in _KEYS if row.get(name) is not None}
    name = given.get("id", number)
    if isinstance(name, bool) or not isinstance(name, str | int) or not str(name):
        raise ValueError("id is a text or a whole number")
    texts = [key for key in ("question", "claim", "text") if key in given]
    own = given.get("task") or _told(given, texts) or task
    if own not in get_args(Task):
        raise ValueError(
            "it says no task: give question, claim, or head and relation or tail, or --task" if own is None
            else f"task is {own!r}, not ask, verify or complete"
        )  # fmt: skip
    for key in (*texts, "head", "relation", "tail"):
        if not isinstance(given.get(key, ""), str):
            raise ValueError(f"{key} is a text")
    entities = given.get("entities", [])
    entities = [entities] if isinstance(entities, str) else entities
    if not isinstance(entities, list) or not all(isinstance(e, str) for e in entities):
        raise ValueError("entities is a list of texts")
    if own == "complete":
        if "relation" not in given:
            raise ValueError("a link has a relation, and a head or a tail")
        ends = {key: given.get(key, "") for key in ("head", "relation", "tail")}
        return BatchItem(str(name), "complete", **ends)
    if len(texts) != 1:
        raise ValueError("it has no question or claim" if not texts else f"it has {' and '.join(texts)}")
    return BatchItem(str(name), cast(Task, own), given[texts[0]], tuple(entities))


def _told(given: Mapping[str, Any], texts: list[str]) -> str | None:
    if "relation" in given and not texts:
        return "complete"
    return {"question": "ask", "claim": "verify"}.get(texts[0]) if len(texts) == 1 else None
