"""Which link scorer a graph is used with: the one that is named, or the graph's own."""

from __future__ import annotations

from pathlib import Path

from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.places import cache_folder
from triplewise.tools.links.rotate_scorer import LinkScorer, RankingFile, RotatEScorer


def default_scorer_folder(kg: KGStore) -> Path:
    """Where a graph's own RotatE is looked for: by the graph's hash in the user's cache directory."""
    return cache_folder() / "rotate" / kg.content_hash[:16]


def load_scorer(path: str | Path, kg: KGStore) -> RotatEScorer | RankingFile:
    """A folder of ``triplewise train rotate``, or a file of rankings, for this graph."""
    if Path(path).is_dir():
        return RotatEScorer.load(path, kg)
    if not Path(path).exists():
        raise ConfigError(f"no scorer at {path}.", "Train one with: triplewise train rotate --kg PATH --out FOLDER")
    return RankingFile.load(path, kg)


def find_scorer(kg: KGStore, scorer: str | Path | None = None) -> LinkScorer:
    """The scorer in a folder or file, else the graph's own in the default place.

    Raises ConfigError that tells how to train one, and IndexMismatchError where it is another graph's.
    """
    if scorer is not None:
        return load_scorer(scorer, kg)
    folder = default_scorer_folder(kg)
    if not folder.is_dir():
        raise ConfigError(
            f"there is no link predictor for {kg.name} yet.",
            "Train one with: triplewise train rotate --kg PATH (the same PATH), or name one with --scorer.",
        )
    return load_scorer(folder, kg)
