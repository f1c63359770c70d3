"""Training of a blend of link scorers: by texts, by structure and by rules; weights are chosen on validation queries.

Each part is kept when it is trained, so that a run that was killed goes on with the next one. The weights see the
validation part only, and the parts see the training part only (a sample of the other tells ComplEx when to stop).
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from triplewise.errors import ConfigError, MissingExtraError
from triplewise.kg.base import KGStore
from triplewise.tools.links.blend import PARTS, STEM, BlendScorer, Part, candidates_of, choose_weights
from triplewise.tools.links.complex_scorer import ComplExScorer
from triplewise.tools.links.graph_signs import GraphSigns
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.rotate_scorer import read_model, write_model
from triplewise.tools.links.text_scorer import TextScorer
from triplewise.train.links.relation_weights import weights_by_relation
from triplewise.train.links.rules import learn_rules
from triplewise.train.links.settings import ComplExSettings, RuleSettings, TextSettings
from triplewise.train.links.texts import entity_texts, relation_texts
from triplewise.train.training_folder import training_folder

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LinksSettings:
    """``parts``: which scorers are blended; ``weigh``: validation triples that the weights are chosen on, at most."""

    parts: tuple[str, ...] = tuple(PARTS)
    text: TextSettings = field(default_factory=TextSettings)
    complex: ComplExSettings = field(default_factory=ComplExSettings)
    rules: RuleSettings = field(default_factory=RuleSettings)
    weigh: int = 5000
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.parts:
            raise ConfigError("a blend has at least one scorer.", f"Known: {', '.join(PARTS)}.")
        if strange := [p for p in self.parts if p not in PARTS]:
            raise ConfigError(f"no link scorer {strange[0]!r}.", f"Known: {', '.join(PARTS)}.")
        for name in ("norm", "relation_weight"):
            if not 0 <= (value := getattr(self.complex, name)) < math.inf:
                raise ConfigError(f"{name} is {value}; it is a number from 0 up.")


def train(
    data: LinkPredictionData,
    kg: KGStore,
    folder: str | Path,
    settings: LinksSettings | None = None,
    *,
    texts_folder: str | Path | None = None,
    restart: bool = False,
    say: Say = lambda line: None,
) -> BlendScorer:
    """Train the parts on ``data.train`` into ``folder`` and blend them; a folder that is complete is loaded.

    ``kg``: where names and descriptions come from; ``texts_folder``: a benchmark's folder, which describes entities
    that the graph lacks. Raises ConfigError where there is nothing to train on, where the folder holds a run with
    other settings or on another graph and ``restart`` is not set, where another process trains into it, or where it
    cannot be written; MissingExtraError without the extras ``kge`` and, for texts, ``train``.
    """
    settings = settings or LinksSettings()
    with training_folder(folder, data) as place:
        if restart:
            for stem in (STEM, *PARTS):
                (place / f"{stem}.json").unlink(missing_ok=True)
        if (place / f"{STEM}.json").exists():
            _same_run(place, asdict(settings), data, read_model(place, STEM)[0])
            return BlendScorer.load(place)
        return _train(data, kg, place, settings, texts_folder, say)


def _train(
    data: LinkPredictionData,
    kg: KGStore,
    folder: Path,
    settings: LinksSettings,
    texts_folder: str | Path | None,
    say: Say,
) -> BlendScorer:
    parts: dict[str, Part] = {}
    seconds: dict[str, float] = {}
    for name in settings.parts:
        wanted: dict[str, Any] = asdict(getattr(settings, name))
        if (folder / f"{name}.json").exists():
            description, arrays = read_model(folder, name)
            _same_run(folder, wanted, data, description)
            parts[name], seconds[name] = PARTS[name](data, arrays), description["seconds"]
            continue
        started = time.monotonic()
        if name == "text":
            parts[name] = _text(data, kg, settings.text, texts_folder, say)
        elif name == "complex":
            parts[name] = _complex(data, settings.complex, say)
        else:
            parts[name] = learn_rules(data, settings.rules, say)
        seconds[name] = round(time.monotonic() - started, 1)
        description = {"settings": wanted, "graph_hash": data.graph_hash, "split_seed": data.split_seed}
        write_model(folder, {**description, "seconds": seconds[name]}, parts[name].arrays, name)
    started, signs = time.monotonic(), GraphSigns(data)
    drawn = np.random.default_rng(settings.seed).permutation(len(data.valid))[: settings.weigh]
    mrr: float | None = None
    weights, alone, by_relation = dict.fromkeys(parts, 1.0), {}, None
    if len(drawn):
        choices = candidates_of(data, parts, signs, data.valid[drawn])
        weights, mrr = choose_weights(choices)
        alone = {name: choices.mrr([float(name == other) for other in choices.names]) for name in parts}
        told = "  ".join(f"{name} {value:.4f}" for name, value in alone.items())
        say(f"weights {weights}  validation MRR {mrr:.4f} (alone: {told})")
        by_relation = weights_by_relation(choices, weights, 2 * len(data.relations), say)
    seconds["blend"] = round(time.monotonic() - started, 1)
    scorer = BlendScorer(data, parts, weights, signs, by_relation)
    kept = {
        "settings": asdict(settings),
        "seconds": seconds,
        "valid_mrr": mrr,
        "alone": alone,
        "peak_mb": peak_megabytes(),
    }
    scorer.save(folder, kept)
    for name in settings.parts:
        for end in ("json", "safetensors"):
            (folder / f"{name}.{end}").unlink()
    return scorer


def _text(
    data: LinkPredictionData, kg: KGStore, settings: TextSettings, folder: str | Path | None, say: Say
) -> TextScorer:
    from triplewise.backends.embedders import minilm_folder

    minilm = Path(minilm_folder())
    try:
        from triplewise.train.links.text import TextTrainer
    except ImportError:
        raise MissingExtraError("training a text scorer", "train") from None
    texts = entity_texts(kg, data, folder)
    return TextTrainer(data, texts, relation_texts(kg, data), minilm, settings, say).train()


def _complex(data: LinkPredictionData, settings: ComplExSettings, say: Say) -> ComplExScorer:
    try:
        from triplewise.train.links.complex import ComplExTrainer
    except ImportError:
        raise MissingExtraError("training ComplEx", "kge") from None
    return ComplExTrainer(data, settings, say).train()


def peak_megabytes() -> int | None:
    """The most memory that this process has held; None on Windows, which does not tell."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def _same_run(folder: Path, wanted: dict[str, Any], data: LinkPredictionData, found: dict[str, Any]) -> None:
    hint = "Choose another --out, or --restart."
    if found.get("graph_hash") != data.graph_hash:
        raise ConfigError(f"{folder} holds a run on another graph.", hint)
    begun = {**found["settings"], "split_seed": found.get("split_seed")}
    for name, value in {**_plain(wanted), "split_seed": data.split_seed}.items():
        if begun.get(name) != value:
            raise ConfigError(f"{folder} holds a run with {name} {begun.get(name)}, not {value}.", hint)


def _plain(settings: dict[str, Any]) -> dict[str, Any]:
    """As JSON gives it back."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
