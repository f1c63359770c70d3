"""Settings of the trainers whose scorers ``links.py`` blends; apart from them, so that none needs PyTorch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextSettings:
    """``warm``, ``epochs``, ``final``: epochs of the three parts. ``layers``: of the encoder that learn.

    ``entities``: of a batch while the encoder learns; ``rows``: directed triples of a batch, at most;
    ``negatives``: entities of the table that a batch is held against. ``margin``: γ. ``temperature``: τ at first.
    """

    warm: int = 1
    epochs: int = 3
    final: int = 3
    layers: int = 3
    max_tokens: int = 32
    hidden: int = 1024
    entities: int = 512
    rows: int = 2048
    negatives: int = 3072
    rate: float = 1e-4
    head_rate: float = 1e-3
    margin: float = 0.02
    temperature: float = 0.05
    dropout: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ComplExSettings:
    """``dim``: complex dimensions. ``queries``: rows of a batch, at most. ``norm``: λ. ``relation_weight``: w.

    Validated every ``evaluate_every`` epochs on ``valid_triples`` triples; the best state is kept, and training ends
    after ``patience`` validations without gain.
    """

    dim: int = 200
    epochs: int = 40
    queries: int = 512
    negatives: int = 4096
    rate: float = 0.1
    norm: float = 0.3
    relation_weight: float = 0.25
    spread: float = 0.001
    evaluate_every: int = 4
    patience: int = 2
    valid_triples: int = 500
    seed: int = 0


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """``queries``: of all relations together, that rules of two steps are counted on, at most; ``least``: right answers
    that a rule must have given there."""

    queries: int = 40_000
    least: int = 2
    seed: int = 0
