"""Few shapes of products: oneDNN, which multiplies for PyTorch, keeps some megabytes for every shape that it has seen.

Batches of a graph have as many answers and entities as come. With a shape for each, ComplEx of 128 dimensions on
FB15k-237 held 531 MB after 2 steps, 859 after 60 and went on growing (4 GB after 2,300 of 256 dimensions); with numbers
that are multiples of ``MULTIPLE`` it held 565 MB after 60.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

MULTIPLE = 512


def filled(entities: NDArray[np.int64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Distinct entities of ``n`` with as many more, drawn by ``rng``, as make a multiple, all where there are fewer."""
    lacking = min(n - len(entities), -len(entities) % MULTIPLE)
    if not lacking:
        return entities
    free = np.ones(n, dtype=bool)
    free[entities] = False
    return np.concatenate([entities, rng.choice(np.flatnonzero(free), lacking, replace=False, shuffle=False)])


def product(left: Tensor, right: Tensor) -> Tensor:
    """``left @ right.T``, rows of zeros added to ``left`` for the time of the product."""
    return (functional.pad(left, (0, 0, 0, -len(left) % MULTIPLE)) @ right.T)[: len(left)]
