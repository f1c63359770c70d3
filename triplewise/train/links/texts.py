"""What the text scorer reads of a graph: a name and a description of every entity, and words for every relation."""

from __future__ import annotations

from pathlib import Path

from triplewise.kg.base import KGStore
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.text.entity_text import EntityTexts

DESCRIPTION_WORDS = 60
_FILES = ("entity2text.txt", "entity2description.txt", "entity2textlong.txt")


def entity_texts(kg: KGStore, data: LinkPredictionData, folder: str | Path | None = None) -> list[tuple[str, str]]:
    """(name, description) of each of ``data.entities``, "" where there is no description.

    An entity that only a benchmark's validation or test part names is in no graph; ``folder``: the benchmark's, whose
    files describe it too.
    """
    texts = EntityTexts(kg, "all")
    beyond = _beyond(folder, {e for e in data.entities if not kg.has_entity(e)}) if folder is not None else {}
    found = []
    for entity in data.entities:
        if kg.has_entity(entity):
            found.append((texts.name(entity), texts.description(entity, DESCRIPTION_WORDS)))
        else:
            found.append(beyond.get(entity, (entity, "")))
    return found


def _beyond(folder: str | Path, wanted: set[str]) -> dict[str, tuple[str, str]]:
    """What the files of a benchmark's folder say of these entities."""
    lines: dict[str, str] = {}
    for name in _FILES:
        file = Path(folder) / name
        if file.is_file():
            with file.open(encoding="utf-8", errors="replace") as rows:
                for row in rows:
                    entity, _, text = row.rstrip("\r\n").partition("\t")
                    if entity in wanted and text:
                        lines[entity] = text if entity not in lines or " -- " in text else lines[entity]
    found: dict[str, tuple[str, str]] = {}
    for entity, text in lines.items():
        mark = " -- " if " -- " in text else ", "
        name, _, about = text.partition(mark)
        found[entity] = name, " ".join(about.split()[:DESCRIPTION_WORDS])
    return found


def relation_texts(kg: KGStore, data: LinkPredictionData) -> list[str]:
    """The words of each of ``data.relations``."""
    known = frozenset(kg.relation_ids())
    return [kg.relation_label(r) if r in known else r for r in data.relations]
