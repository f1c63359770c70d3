"""Choices ranked by a model: how probable each is as the reply, when only these are allowed.

The choices' tokens form a prefix tree. At each branching the probabilities of the allowed next tokens add up to
one, as under a grammar, so that a stretch without a branching costs nothing and choices that differ in their
first token cost one evaluation together. The likeliest branchings are looked at first; below those that are not
looked at, the probability is shared out evenly.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

BRANCHINGS = 24
"""Most evaluations for one ranking."""
NEGLIGIBLE = -7.0
"""Branchings less probable than this (natural logarithm) are not looked at."""
_END = -1


def rank_choices(
    choices: Sequence[Sequence[int]],
    ends: Sequence[int],
    logits_after: Callable[[list[int]], NDArray[Any]],
    ahead: Callable[[list[list[int]]], None] = lambda replies: None,
) -> list[float]:
    """Log-probabilities of distinct choices, each a sequence of tokens.

    ``ends``: tokens by any of which a reply may end after a choice; ``logits_after`` gives the logits [vocabulary]
    after some tokens of the reply, and is asked for [] first. ``ahead`` is told before which replies will be asked for,
    so that they can be evaluated together: the next one, and those that will follow unless likelier ones turn up.
    """
    found = [-np.inf] * len(choices)
    waiting: list[tuple[float, int, list[int]]] = [(0.0, 0, list(range(len(choices))))]
    looked = 0
    while waiting:
        negative, depth, members = heapq.heappop(waiting)
        depth = _branching(choices, members, depth)
        if len(members) == 1 or looked == BRANCHINGS or -negative < NEGLIGIBLE:
            for i in members:
                found[i] = -negative - float(np.log(len(members)))
            continue
        groups: dict[int, list[int]] = {}
        for i in members:
            groups.setdefault(choices[i][depth] if depth < len(choices[i]) else _END, []).append(i)
        reply = list(choices[members[0]][:depth])
        others = [w for w in sorted(waiting) if len(w[2]) > 1 and -w[0] >= NEGLIGIBLE][: BRANCHINGS - looked - 1]
        ahead([reply, *(list(choices[m[0]][: _branching(choices, m, d)]) for _, d, m in others)])
        logits = logits_after(reply)
        looked += 1
        allowed = [t for t in groups if t != _END]
        scores = [float(logits[t]) for t in allowed]
        if _END in groups:
            allowed.append(_END)
            scores.append(float(np.logaddexp.reduce([float(logits[e]) for e in ends])))
        scores = np.array(scores) - np.logaddexp.reduce(scores)
        for token, score in zip(allowed, scores, strict=True):
            heapq.heappush(waiting, (negative - float(score), depth + (token != _END), groups[token]))
    return found


def _branching(choices: Sequence[Sequence[int]], members: Sequence[int], depth: int) -> int:
    """The depth up to which all members go on with the same tokens."""
    while len(members) > 1:
        tokens = {choices[i][depth] if depth < len(choices[i]) else _END for i in members}
        if len(tokens) > 1 or _END in tokens:
            break
        depth += 1
    return depth
