"""What the embedded model's adapter is trained on, with all weights in one place.

Only data that may be given on as weights: the bundled films, MetaQA's training questions (CC BY), the training
triples of FB15k-237 (Freebase, CC BY) and WN18RR (WordNet).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from triplewise.kg import load_kg
from triplewise.train.data.metaqa import MetaqaComposer
from triplewise.train.data.skills import Example, SkillComposer
from triplewise.train.sentences.compose import Vocabulary
from triplewise.train.sentences.grammar import entries

SOURCES = {"films": 20, "metaqa-questions": 30, "metaqa": 10, "fb15k": 33, "wn18rr": 7}
"""How often each source is drawn: composed from a graph, or MetaQA's own questions."""


def held_out_keys(share: float, seed: int = 0) -> frozenset[str]:
    """A share of the lexicon's records, by their keys, whose relations and wordings training must not see."""
    keys = sorted({entry.key for entry, _ in entries().values()})
    return frozenset(random.Random(seed).sample(keys, round(len(keys) * share)))


class Mixture:
    """The sources at hand; graphs are loaded once, for training and development alike.

    ``metaqa``: MetaQA's folder, ``fb15k`` and ``wn18rr``: folders with train.txt and entity2text.txt; None leaves
    a source out. ``held_out``: see ``held_out_keys``.
    """

    def __init__(
        self,
        metaqa: Path | None = None,
        fb15k: Path | None = None,
        wn18rr: Path | None = None,
        held_out: frozenset[str] = frozenset(),
    ) -> None:
        self.vocabularies = {"films": Vocabulary(load_kg("films"), held_out)}
        self.metaqa = metaqa
        if metaqa is not None:
            self.vocabularies["metaqa"] = Vocabulary(load_kg(metaqa / "kb.txt"), held_out)
        if fb15k is not None:
            self.vocabularies["fb15k"] = Vocabulary(load_kg(fb15k), held_out)
        if wn18rr is not None:
            self.vocabularies["wn18rr"] = Vocabulary(load_kg(wn18rr), held_out, short=True)

    def examples(self, seed: int = 0, *, dev: bool = False) -> Iterator[Example]:
        """Without end, by ``SOURCES``; the same seed draws the same ones. ``dev``: about entities not trained on."""
        streams = {
            name: SkillComposer(vocabulary, seed + i, dev=dev).examples()
            for i, (name, vocabulary) in enumerate(self.vocabularies.items())
            if vocabulary.by_relation
        }
        if self.metaqa is not None:
            composer = MetaqaComposer(self.metaqa, self.vocabularies["metaqa"], seed, dev=dev)
            if composer.asked:
                streams["metaqa-questions"] = composer.examples()
        rng, names = random.Random(seed), [name for name in SOURCES if name in streams]
        weights = [SOURCES[name] for name in names]
        while True:
            yield next(streams[rng.choices(names, weights)[0]])
