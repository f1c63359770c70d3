"""The readings of a sentence with what the ranker thinks of them."""

from __future__ import annotations

from dataclasses import dataclass

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with what the ranker thinks of it; ``text`` is what it was shown."""

    draft: Draft
    text: str
    score: float
    probability: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The readings of a sentence, the likeliest first; ``none`` is the probability that none of them is meant.

    ``generated``: how many candidates there were before the shortlist.
    """

    sentence: Sentence
    readings: tuple[Ranked, ...]
    none: float
    generated: int

    @property
    def settled(self) -> bool:
        """Whether the words alone told how the sentence is read, as of debts, loans and states: nothing was ranked."""
        return self.generated == 1 and len(self.readings) == 1 and self.readings[0].score == 0.0
