"""Settings of RotatE's training, the presets among them, and what they may be."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from triplewise.errors import ConfigError

_MOST = {"dim": 10_000, "learning_rate": 10.0, "batch_size": 1_000_000, "negatives": 1_000_000, "margin": 1e4}
"""Beyond, a slip of the pen: memory for no machine, or steps that lead nowhere."""


@dataclass(frozen=True, slots=True)
class RotatESettings:
    """``dim``: complex dimensions. ``margin``: γ. ``temperature``: α. ``negatives``: entities that a batch shares.
    ``batch_size``: at most; a small graph is cut into no fewer than 20 batches.

    ``evaluate_every``: epochs between validations, each on at most ``valid_triples`` triples; after ``patience``
    of them without a better filtered MRR the learning rate falls, then training stops. The best state is kept.
    ``published``: the authors' distance, negatives and weights, one side a step, and no early end.
    """

    dim: int = 128
    margin: float = 9.0
    temperature: float = 1.0
    learning_rate: float = 0.05
    batch_size: int = 2048
    negatives: int = 512
    epochs: int = 80
    evaluate_every: int = 5
    patience: int = 4
    valid_triples: int = 2000
    seed: int = 0
    published: bool = False

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            if setting.name == "published":
                continue
            least, most = (0, 2**63 - 1) if setting.name == "seed" else (0, _MOST.get(setting.name, math.inf))
            if not least <= value <= most or (setting.name != "seed" and not 0 < value < math.inf):
                bound = f" and at most {most:,}" if most < math.inf else ""
                raise ConfigError(f"RotatE's {setting.name} is {value}; it must be above 0{bound}.")


PRESETS: dict[str, RotatESettings] = {
    "cpu": RotatESettings(),
    # Sun et al. 2019, best configurations; these epochs are 100,000 and 80,000 steps.
    "paper-fb15k-237": RotatESettings(1000, 9.0, 1.0, 5e-5, 1024, 256, 376, 25, published=True),
    "paper-wn18rr": RotatESettings(500, 6.0, 0.5, 5e-5, 512, 1024, 471, 25, published=True),
}


def preset(name: str, **changes: Any) -> RotatESettings:
    """The settings of a preset with some changed; raises ConfigError on an unknown name."""
    if name not in PRESETS:
        raise ConfigError(f"no RotatE preset {name!r}.", f"Known: {', '.join(PRESETS)}.")
    return replace(PRESETS[name], **{key: value for key, value in changes.items() if value is not None})
