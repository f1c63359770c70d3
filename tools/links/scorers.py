"""Which link scorer a graph is used with: the one that is named, or the graph's own."""

from __future__ import annotations

from pathlib import Path

from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.kg.kept import kept_with
from triplewise.places import cache_folder
from triplewise.tools.links.blend import STEM, BlendScorer
from triplewise.tools.links.rotate_scorer import LinkScorer, RankingFile, RotatEScorer


def default_scorer_folder(kg: KGStore, kind: str = "rotate") -> Path:
    """Where a graph's own RotatE, or its blend ("links"), is looked for: by its hash in the user's cache directory."""
    return cache_folder() / kind / kg.content_hash[:16]


def description_of(folder: Path) -> Path:
    """The JSON file of a trained scorer's folder, which names its weights by their hash."""
    return next((file for stem in (STEM, "rotate") if (file := folder / f"{stem}.json").is_file()), folder)


def load_scorer(path: str | Path, kg: KGStore) -> BlendScorer | RotatEScorer | RankingFile:
    """A folder of ``triplewise train links`` or ``train rotate``, or a file of rankings, for this graph."""
    if (Path(path) / f"{STEM}.json").is_file():
        return BlendScorer.load(path, kg)
    if Path(path).is_dir():
        return RotatEScorer.load(path, kg)
    if not Path(path).exists():
        raise ConfigError(f"no scorer at {path}.", "Train one with: triplewise train rotate --kg PATH --out FOLDER")
    return RankingFile.load(path, kg)


def find_scorer(kg: KGStore, scorer: str | Path | None = None) -> LinkScorer:
    """The scorer in a folder or file, else the graph's own in the default places, a blend before RotatE.

    Raises ConfigError that tells how to train one, and IndexMismatchError where it is another graph's.
    """
    if scorer is not None:
        return load_scorer(scorer, kg)
    own = own_scorer(kg)
    if own is None:
        raise ConfigError(
            f"there is no link predictor for {kg.name} yet.",
            "Train one with: triplewise train rotate --kg PATH (or train links, the same PATH), or name one: --scorer.",
        )
    return own


def own_scorer(kg: KGStore) -> LinkScorer | None:
    """The scorer in the graph's default places, a blend before RotatE, read once for a graph; None where none is."""
    blend = default_scorer_folder(kg, STEM)
    folder = blend if (blend / f"{STEM}.json").is_file() else default_scorer_folder(kg)
    return kept_with(kg, "own scorer", lambda: load_scorer(folder, kg)) if folder.is_dir() else None
