"""RotatE's training as its authors publish it (Sun et al., 2019), for the presets ``paper-…``.

What differs from the loop in ``rotate.py``: distances are sums of moduli, Σ_i |h_i∘r_i - t_i|; every triple has
negatives of its own; steps corrupt heads and tails in turn; and a triple counts the less the more often its
(head, relation) and (relation, tail) occur::

    w = 1 / √(#(h, r) + #(r, t) + 6)        L = ½ Σ w·(-log σ(γ - d)) / Σ w + ½ Σ w·(-Σ_i p_i log σ(d_i - γ)) / Σ w

The first occurrence counts 4 on either side, as in the authors' code. Entities begin uniform in ±(γ + 2)/dim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.links.kge_data import FactIndex, Ints

if TYPE_CHECKING:
    import torch

FIRST_COUNT = 4
_AT_ONCE = 4_000_000
"""Complex numbers of negatives that a piece of a batch holds: 32 MB, and about six times as much with gradients."""
Side = Literal["head", "tail"]


def subsampling_weights(triples: Ints) -> NDArray[np.float32]:
    """The weight w of each training triple [n, 3] → [n]."""

    def counts(pairs: Ints) -> NDArray[np.intp]:
        _, inverse, found = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
        return found[inverse.ravel()] + FIRST_COUNT - 1  # the first occurrence counts 4

    return (1 / np.sqrt(counts(triples[:, [0, 1]]) + counts(triples[:, [2, 1]]))).astype(np.float32)


def known_among(facts: FactIndex, side: Side, given: Ints, relations: Ints, drawn: NDArray[Any], n: int) -> Any:
    """[batch, k]: which of each triple's own drawn entities [batch, k] are known training answers; ``n`` entities."""
    rows, answers = facts.hits(side, given, relations)
    keys = np.arange(len(given), dtype=np.int64)[:, None] * n + drawn
    return np.isin(keys, rows.astype(np.int64) * n + answers)


def moduli(difference: torch.Tensor) -> torch.Tensor:
    """Σ_i |z_i| over the last dimension of complex numbers; the small addition keeps the gradient at 0 finite."""
    import torch

    parts = torch.view_as_real(difference)
    return (parts.square().sum(-1) + 1e-18).sqrt().sum(-1)


def step_loss(
    entity: Any, relation: Any, batch: Ints, drawn: NDArray[Any], known: NDArray[np.bool_],
    weights: NDArray[np.float32], side: Side, margin: float, temperature: float, device: Any, *, backward: bool = True,
) -> float:  # fmt: skip
    """The loss of a batch [b, 3] with its own negatives ``drawn`` [b, k]; gradients are added up piece by piece.

    ``entity`` and ``relation`` look positions up as complex rows [·, dim].
    """
    import torch

    def place(array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(device)

    total, whole = 0.0, float(weights.sum())
    dim = entity(place(batch[:1, 0].astype(np.int64))).shape[-1]
    size = max(1, _AT_ONCE // (drawn.shape[1] * dim))
    for start in range(0, len(batch), size):
        at = slice(start, start + size)
        rows, w = batch[at].astype(np.int64), place(weights[at])
        head, tail = entity(place(rows[:, 0])), entity(place(rows[:, 2]))
        rotation = relation(place(rows[:, 1]))
        query, truth = (head * rotation, tail) if side == "tail" else (tail * rotation.conj(), head)
        others = entity(place(drawn[at].astype(np.int64).ravel())).reshape(len(rows), drawn.shape[1], -1)
        right = margin - moduli(query - truth)
        wrong = (margin - moduli(query.unsqueeze(1) - others)).masked_fill(place(known[at]), -1e4)
        share = torch.softmax(temperature * wrong, dim=1).detach()
        log = torch.nn.functional.logsigmoid
        loss = -(w * (log(right) + (share * log(-wrong)).sum(1))).sum() / (2 * whole)
        if backward:
            loss.backward()
        total += float(loss.detach())
    return total
