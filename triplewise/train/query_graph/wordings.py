"""Ways in which people speak of a relation: sentences of many fields, each with the relations that it asks for.

A file is one field. A line ``head | relation | tail`` names a relation between two classes (or a class and a kind of
value: date, year, number, time, text); the lines below it, each behind a tab, are sentences that ask for it. A line
``+ relation + relation`` is followed by sentences that ask for several. Lines that begin with ``#`` are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from triplewise.errors import ConfigError
from triplewise.kg.names import relation_words

FOLDER = "wordings"
"""Where a corpus keeps them."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """One field: its relations as the encoder reads them; sentences with the positions of those that each asks for.

    ``relations``: the same relations as (class of heads, name, class or kind of value of tails).
    """

    name: str
    texts: list[str]
    asked: list[tuple[str, list[int]]]
    relations: list[tuple[str, str, str]]


def read_wordings(path: Path) -> Wordings:
    """One file; raises ConfigError with the line that is wrong."""
    texts: list[str] = []
    positions: dict[str, int] = {}
    asked: list[tuple[str, list[int]]] = []
    relations: list[tuple[str, str, str]] = []
    current: list[int] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("\t"):
            if not current:
                raise ConfigError(f"{path}:{number}: a sentence stands before the first relation.")
            asked.append((line.strip(), current))
        elif line.startswith("+"):
            names = [part.strip() for part in line[1:].split("+")]
            if unknown := [name for name in names if name not in positions]:
                raise ConfigError(f"{path}:{number}: {unknown[0]!r} is no relation of the lines above.")
            current = [positions[name] for name in names]
        else:
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != 3 or not all(parts) or parts[1] in positions:
                raise ConfigError(f"{path}:{number}: expected 'head | relation | tail', each relation once: {line!r}")
            head, relation, tail = parts
            current = [positions.setdefault(relation, len(texts))]
            relations.append((head, relation, tail))
            texts.append(" ".join(p for p in (head, relation_words(relation), "" if tail == "text" else tail) if p))
    return Wordings(path.stem, texts, asked, relations)


def wordings_of(corpus: Path) -> list[Wordings]:
    """All fields of a corpus, by name; none where it has no such folder."""
    return [read_wordings(path) for path in sorted((corpus / FOLDER).glob("*.txt"))]
