"""Small graphs with sentences that people wrote about them: WebNLG's layout, for graph to text and back (section 3.3).

A line is a JSON object with ``triples`` (lists of head, relation, tail) and ``texts``. WebNLG is under CC BY-NC-SA:
what is trained on it is not for shipping, and nothing that ships was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from triplewise.errors import ConfigError
from triplewise.kg import NetworkxStore
from triplewise.kg.names import entity_label, literal_parts, one_line
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.train.sentences.compose import DEV_SHARE
from triplewise.types import Triple


@dataclass(frozen=True, slots=True)
class SpokenGraph:
    """A graph in YAML and the texts that say it; ``dev``: of the development share, by its first triple's head."""

    knowledge: str
    texts: tuple[str, ...]
    dev: bool


def read_spoken_graphs(path: Path) -> list[SpokenGraph]:
    """All graphs of a file of JSON lines; raises ConfigError, with file and line, on one of another layout."""
    found: list[SpokenGraph] = []
    for where, row in _objects(path):
        triples, texts = row.get("triples"), row.get("texts")
        whole = isinstance(triples, list) and all(
            isinstance(t, list) and len(t) == 3 and all(isinstance(part, str) and part for part in t) for t in triples
        )
        if not whole or not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
            raise ConfigError(f"{where}: no 'triples' (of three texts each) and 'texts'.", "This is WebNLG's layout.")
        if triples and texts:
            found.append(_spoken([Triple(*t) for t in triples], tuple(one_line(t) for t in texts)))
    if not found:
        raise ConfigError(f"{path}: no graph with a text.")
    return found


def _objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """("file:line", object) of each line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.", "Name a file of JSON lines.") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                raise ConfigError(f"{path}:{number}: no JSON object.")
            yield f"{path}:{number}", row


def _spoken(triples: list[Triple], texts: tuple[str, ...]) -> SpokenGraph:
    nodes = {node for t in triples for node in (t.head, t.tail)}
    labels = {node: one_line(entity_label(node)) for node in nodes if literal_parts(node) is None}
    graph = NetworkxStore(triples, labels=labels, type_relations=(), alias_relations=())
    return SpokenGraph(format_triples(graph, triples), texts, crc32(triples[0].head.encode()) % DEV_SHARE == 0)
