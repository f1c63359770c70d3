"""Weights of a blend for each relation, and for each asked the other way: what tells answers apart differs with it.

Whose spouse somebody is follows from the triple the other way round, what a word is a kind of from its text. With x the
features of a query's candidates, t its answer and ρ its relation, the weights w + v_ρ minimise::

    Σ (log Σ_c exp((w + v_ρ)·x_c) - (w + v_ρ)·x_t) + λ Σ_ρ |v_ρ∘σ|²

σ being the features' standard deviations. λ is that of the best mean reciprocal rank where each half of the validation
queries is weighed by the other half; the weights are kept where this gains more than chance over one weight for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from triplewise.tools.links.blend import SURE, Choices

_LEADING = 128
"""Candidates of a query that are told apart."""
_PENALTIES = (30.0, 10.0, 3.0, 1.0, 0.3, 0.1)
_STEPS = 60

Say = Callable[[str], None]


def weights_by_relation(
    choices: Choices, weights: Mapping[str, float], n_asked: int, say: Say = lambda line: None
) -> NDArray[np.float32] | None:
    """Weights [n_asked, names]; None where one weight for all is as good. ``weights``: those of all, by name."""
    alike = np.array([weights.get(name, 0.0) for name in choices.names], np.float32)
    if find_spec("torch") is None:  # rules alone are trained without it
        return None
    found = _leading(choices, alike)
    half = len(found.relations) // 2  # a triple's two queries are in the same part
    second = np.resize(np.random.default_rng(0).permutation(half) % 2, 2 * half).astype(bool)
    parts = [(_some(found, part), _some(found, ~part)) for part in (second, ~second)]
    if not all(len(one.relations) and len(other.relations) for one, other in parts):
        return None
    before = np.concatenate([other.reciprocal_ranks(alike) for _, other in parts])
    best: tuple[float, float] = (0.0, 0.0)
    for penalty in _PENALTIES:
        after = [other.reciprocal_ranks(_fitted(one, alike, n_asked, penalty)) for one, other in parts]
        gain = np.concatenate(after) - before
        if gain.mean() > max(best[0], SURE * gain.std() / len(gain) ** 0.5):
            best = float(gain.mean()), penalty
    if not best[1]:
        return None
    say(f"weights by relation (λ {best[1]:g}): validation MRR +{best[0]:.4f}, of each half by the other's weights")
    return _fitted(found, alike, n_asked, best[1])


def _fitted(choices: Choices, start: NDArray[np.float32], n_asked: int, penalty: float) -> NDArray[np.float32]:
    """The weights of these queries [n_asked, names], by L-BFGS from ``start``; the loss is convex."""
    import torch

    leads = ~choices.empty[:, 0]
    features, empty = torch.from_numpy(choices.features[leads]), torch.from_numpy(choices.empty[leads])
    asked = torch.from_numpy(choices.relations[leads])
    spread = torch.from_numpy(choices.features[~choices.empty].std(axis=0) + np.float32(1e-3))
    for_all = torch.from_numpy(start.copy()).requires_grad_()
    own = torch.zeros(n_asked, len(start), requires_grad=True)
    descent = torch.optim.LBFGS([for_all, own], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        descent.zero_grad()
        scores = torch.einsum("qcn,qn->qc", features, for_all + own[asked]).masked_fill(empty, -1e9)
        total = (torch.logsumexp(scores, dim=1) - scores[:, 0]).sum() + penalty * ((own * spread) ** 2).sum()
        total.backward()
        return total

    descent.step(loss)
    return (for_all + own).detach().numpy()


def _leading(choices: Choices, weights: NDArray[np.float32]) -> Choices:
    """The true answers and the others that lead by these weights."""
    scores = choices.features @ weights
    scores[choices.empty] = -np.inf
    scores[:, 0] = np.inf
    most = min(_LEADING, scores.shape[1])
    at = np.argsort(-scores, axis=1, kind="stable")[:, :most]
    features = np.take_along_axis(choices.features, at[:, :, None], axis=1)
    return Choices(choices.names, features, np.take_along_axis(choices.empty, at, axis=1), choices.relations)


def _some(choices: Choices, kept: NDArray[np.bool_]) -> Choices:
    return Choices(choices.names, choices.features[kept], choices.empty[kept], choices.relations[kept])
