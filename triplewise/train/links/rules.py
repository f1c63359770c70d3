"""Counting the rules of two steps that ``tools/links/rule_scorer.py`` scores by: seconds, without PyTorch.

Queries are drawn from the training part, for each directed relation as many; what two steps lead to from
their given entities is counted, and how much of it is an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.rule_scorer import DOUBT, Longs, Paths, RuleScorer
from triplewise.train.links.settings import RuleSettings


def learn_rules(
    data: LinkPredictionData, settings: RuleSettings, say: Callable[[str], None] = lambda line: None
) -> RuleScorer:
    """The rules of a graph's training part."""
    started = time.process_time()
    paths, rng = Paths(data), np.random.default_rng(settings.seed)
    each = -(-settings.queries // paths.n_relations)
    rules: list[Longs] = []
    confidence: list[np.ndarray] = []
    for relation in range(paths.n_relations):
        subjects, starts, known, columns = paths.answers(relation)
        steps, right = list[Longs](), list[np.ndarray]()
        for i in rng.permutation(len(subjects))[:each].tolist():
            pairs, ends = paths.two_steps(int(subjects[i]))
            steps.append(pairs)
            right.append(np.isin(ends, known[columns[starts[i] : starts[i + 1]]]))
        if steps:
            pairs, which = np.unique(np.concatenate(steps), return_inverse=True)
            hits = np.bincount(which, np.concatenate(right), len(pairs))
            kept = hits >= settings.least
            rules.append(relation * paths.n_relations**2 + pairs[kept])
            confidence.append((hits / (np.bincount(which, minlength=len(pairs)) + DOUBT))[kept])
    found = np.concatenate(rules) if rules else np.zeros(0, np.int64)
    shares = np.concatenate(confidence) if confidence else np.zeros(0)
    say(f"rules: {len(found):,} of two steps  {time.process_time() - started:.0f} s")
    return RuleScorer(data, {"rules": found, "confidence": shares.astype(np.float16)})
