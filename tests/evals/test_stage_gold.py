"""With gold segmentation and relations nothing is lost: all of MetaQA dev, and the whole machine on a part."""

from __future__ import annotations

import triplewise
from triplewise.evals.datasets import load_dataset
from triplewise.evals.stage_gold import gold_model, gold_outcome
from triplewise.kg import load_kg


def test_metaqa_dev(data_dir) -> None:
    folder = data_dir("metaqa")
    kg = load_kg(folder / "kb.txt")
    for hops, covered, equal in ((1, 0.999, 0.94), (2, 1.0, 1.0), (3, 1.0, 1.0)):
        items = load_dataset(f"metaqa-{hops}", folder).items
        outcomes = [gold_outcome(kg, item) for item in items]
        assert sum(o.covered for o in outcomes) >= covered * len(items)
        right = sum(o.reading == set(i.answers) for i, o in zip(items, outcomes, strict=True))
        assert right >= equal * len(items)
        assert all(o.join >= o.reading for o in outcomes)


async def test_the_whole_machine(data_dir) -> None:
    folder = data_dir("metaqa")
    kg = load_kg(folder / "kb.txt")
    for hops in (2, 3):
        items = load_dataset(f"metaqa-{hops}", folder, limit=40).items
        model = gold_model(kg, items)
        for item in items:
            result = await triplewise.aask(kg, item.text, model=model)
            assert {a.id for a in result.answers} == set(item.answers)
            assert all(step.status != "fallback" for step in result.steps)
