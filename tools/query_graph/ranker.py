"""Ranking of candidate readings: a shortlist by cheap features, an encoder beside the sentence, then both together.

score(reading) = (1 - a) · (encoder(sentence, reading) + w · shortlist(features)) + a · cross(sentence, reading)

The cross-encoder reads only the readings that the rest puts first; the others get the lowest of its scores. All of it
comes out of one weights file, trained by ``triplewise train ranker``. The probabilities are the softmax over the
readings and "none of these", whose score is a constant of that file, so that what the graph cannot answer has a
probability of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

import triplewise
from triplewise.backends.cross_encoder import CrossEncoder
from triplewise.backends.mini_bert import Floats, MiniBert
from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.kg.query import execute
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Limits, Sentence
from triplewise.tools.query_graph.candidates.claims import ClaimRun
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.candidates.plain_nouns import ALONE, unknown_kind
from triplewise.tools.query_graph.claims.all_claims import all_claim, may_be_of_all, no_exception
from triplewise.tools.query_graph.claims.contrasts import contrast, not_the_other
from triplewise.tools.query_graph.claims.direct_claims import held_first
from triplewise.tools.query_graph.claims.extremes import extreme_claim, extreme_subject, last_claim, none_beyond
from triplewise.tools.query_graph.claims.more_claims import has_more, more_claim, with_full_names
from triplewise.tools.query_graph.claims.neither_claims import is_of_neither, neither, neither_claim
from triplewise.tools.query_graph.claims.only_claims import no_other, only_claim
from triplewise.tools.query_graph.class_names import is_only_a_kind
from triplewise.tools.query_graph.features import NAMES, Features
from triplewise.tools.query_graph.known_words import KnownWords
from triplewise.tools.query_graph.nearness import Nearness, RelationVectors
from triplewise.tools.query_graph.pruning.asked_kind import of_any_class
from triplewise.tools.query_graph.pruning.points_in_time import ends_at_point
from triplewise.tools.query_graph.pruning.pruner import Pruner
from triplewise.tools.query_graph.pruning.row_ends import RowEnds
from triplewise.tools.query_graph.pruning.said_ends import is_spoken_of
from triplewise.tools.query_graph.pruning.unlike_orders import compares_otherwise
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.query_graph.winners import with_last
from triplewise.tools.text.plainer_questions import plainer
from triplewise.tools.text.spelling import Spelling

WEIGHTS = Path(triplewise.__file__).resolve().parent / "data" / "ranker.npz"
"""The ranker that ships."""
SHORTLIST = 20
"""Candidates that the encoder reads; of the sentences of two domains put aside no more were right with 40."""
_UNKNOWN = 3.0
"""What "none of these" gains where a question names what the graph has no word for: of the training domains' questions
15 of 4,172 answerable ones do, and 35 of the 498 others."""
_LIKELY = 0.1
"""The probability from which on a question's reading may be turned into a claim, of all or of which has more."""
PAIRS = 8
"""Of them, those that the cross-encoder reads together with the sentence."""


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


class Reader:
    """All that reading sentences over one graph needs; built once per graph by ``reader_of``."""

    def __init__(self, store: KGStore, weights: Path = WEIGHTS, limits: Limits | None = None) -> None:
        self.store = store
        self.schema = SchemaView(store)
        self.generator = Generator(self.schema, limits)
        self.verbaliser = Verbaliser(self.schema)
        self.words = KnownWords(self.generator.names)
        self.row_ends = RowEnds(self.schema)
        self.pruner = Pruner(self.schema, self.row_ends)
        self.bert = MiniBert.load(weights)
        self.spelling = Spelling(self.words, self.bert.tokenise.ids)
        self._lock = threading.Lock()
        if self.bert.w["features.mean"].shape[1] != len(NAMES) or "cross.weight" not in self.bert.w:
            raise ConfigError(
                f"{weights} is a ranker of another version.", "Train it anew with: triplewise train ranker"
            )
        self.cross = CrossEncoder(self.bert)
        self._relations: RelationVectors | None = None
        self.affinity: Callable[[str], Nearness] = lru_cache(maxsize=16)(self._read)
        """How near each relation's words are to a sentence."""

    def _read(self, text: str) -> Nearness:
        with self._lock:
            if self._relations is None:
                relations = list(self.schema.relations)
                texts = [self.verbaliser.step(r) for r in relations]
                self._relations = RelationVectors(relations, self.bert.read_once(texts))
        return Nearness(self._relations, self.bert.read([text]), self.bert.tokenise)

    def candidates(
        self, text: str, task: str = "ask", given: Sequence[str] = (), *, of_all: bool = False
    ) -> tuple[Sentence, list[Draft], Nearness]:
        """A sentence as it was understood, its candidate readings, and the affinities used."""
        affinity = self.affinity(text)
        sentence = replace(self.generator.read(text, given), of_all=of_all)
        if task == "verify":
            return sentence, ClaimRun(self.generator, sentence, affinity).drafts(), affinity
        return sentence, self.generator.generate(sentence, affinity), affinity

    def rank(
        self,
        text: str,
        task: str = "ask",
        given: Sequence[str] = (),
        *,
        shortlist: int = SHORTLIST,
        of_all: bool = False,
    ) -> Ranking:
        """The readings of a question or claim, ranked; empty where the graph proposes none.

        ``of_all``: a question stands for a claim of all of a kind, so that what all of them have is asked for as well.
        """
        text = self.spelling.corrected(text)
        if task == "ask" and not self.words.said_in_relations("name", "called"):
            text = plainer(text, partial(is_only_a_kind, self.generator.names))
        if task == "ask" and (places := self.generator.numbers.ranks):
            text = with_last(text, self.schema.words(min(places)))
        if task == "verify":
            for of in (
                self._of_neither,
                self._of_contrast,
                self._of_extreme,
                self._of_all,
                self._of_more,
                self._of_one_only,
            ):
                if found := of(text, given, shortlist):
                    return found
        sentence, drafts, affinity = self.candidates(text, task, given, of_all=of_all)
        drafts = self.pruner.kept(sentence, task, drafts)
        if not drafts:
            return Ranking(sentence, (), 1.0, 0)
        cheap = self.cheap_scores(Features(self.schema, sentence, affinity).matrix(drafts))
        best = np.argsort(-cheap, kind="stable")[:shortlist]
        texts = [self.verbaliser.reading(drafts[i], sentence) for i in best]
        scores, read = self.bert.score_and_lower(affinity.sentence, texts, self.cross.below)
        scores = self._with_cross(text, read, scores + self.bert.w["shortlist.weight"][0, 0] * cheap[best])
        none = float(self.bert.w["none"][0, 0 if task == "ask" else 1])
        if all(ALONE in draft.extra for draft in drafts):
            none = -np.inf
        elif self.computed(text) or (task == "ask" and unknown_kind(self.schema, sentence, self.words)):
            none = np.inf
        elif task == "ask" and self.words.unknown_name(text):
            none += _UNKNOWN
        together = np.append(scores, none) * self.bert.w["sharpness"][0, 0]
        shares = np.exp(together - together.max()) if none < np.inf else np.append(np.zeros(len(scores)), 1.0)
        shares /= shares.sum()
        readings = sorted(
            (Ranked(drafts[i], texts[k], float(scores[k]), float(shares[k])) for k, i in enumerate(best)),
            key=lambda r: -r.score,
        )
        if task == "ask":
            wide = of_any_class(self.schema, sentence, [(r.draft, r.probability) for r in readings])
            if wide:
                one, other = readings[0], readings[wide]
                readings[0] = replace(other, score=one.score, probability=one.probability)
                readings[wide] = replace(one, score=other.score, probability=other.probability)
        if task == "ask" and not of_all:
            readings = self._led_on(sentence, readings)
        none = float(shares[-1])
        if task == "ask":
            how_long = cues.asks_how_long(text)
            unlike = [
                r for r in readings
                if compares_otherwise(self.schema, sentence, r.draft)
                or (how_long and ends_at_point(self.schema, r.draft))
            ]  # fmt: skip
            none += sum(r.probability for r in unlike)
            readings = [r for r in readings if r not in unlike]
        if task == "verify":
            asked = [(r.draft.query(), r.probability) for r in readings]
            first = held_first(
                asked,
                lambda query: bool(execute(self.store, query).holds),
                lambda pattern: is_spoken_of(self.schema, sentence, pattern.relation),
            )
            readings.insert(0, readings.pop(first))
        return Ranking(sentence, tuple(readings), none, len(drafts))

    def _led_on(self, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
        """The readings, those that end at rows led on to what a question asks for; one that is there already gains
        what they had."""
        asked = self.row_ends.asked(sentence)
        further = [self.row_ends.led_on(asked, ranked.draft) for ranked in readings]
        if not any(further):
            return readings
        found: dict[str, Ranked] = {}
        for ranked, draft in zip(readings, further, strict=True):
            if draft:
                ranked = replace(ranked, draft=draft, text=self.verbaliser.reading(draft, sentence))
            if there := found.get(ranked.text):
                ranked = replace(there, probability=there.probability + ranked.probability)
            found[ranked.text] = ranked
        return sorted(found.values(), key=lambda r: -r.probability)

    def _of_neither(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of neither of two, by the claim of the first; none where the graph does not know the
        second one, and None for any other claim."""
        sentence = self.generator.read(text, given)
        claim = neither_claim(text, sentence.links)
        if not claim:
            return Ranking(sentence, (), 1.0, 0) if is_of_neither(text) else None
        other = self.generator.read(claim.other, given)
        asked = self.rank(claim.bare, "verify", given, shortlist=shortlist)
        turned = [neither(self.schema, r.draft, asked.sentence, claim, other) for r in asked.readings]
        found = tuple(replace(r, draft=draft) for r, draft in zip(asked.readings, turned, strict=True) if draft)
        likely = bool(found) and found[0].probability >= _LIKELY
        return replace(asked, readings=found) if likely else Ranking(sentence, (), 1.0, 0)

    def _of_contrast(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of one thing and not another, by the claim of the one; None for any other claim.

        Where the graph knows no such other thing, only that the one is not so can be told."""
        claim = contrast(text)
        if not claim or extreme_claim(text):
            return None
        other = self.generator.read(claim.other, given)
        asked = self.rank(claim.bare, "verify", given, shortlist=shortlist)
        turned = [not_the_other(self.schema, r.draft, asked.sentence, claim, other) for r in asked.readings]
        pairs = zip(asked.readings, turned, strict=True)
        found = tuple(replace(ranked, draft=draft) for ranked, draft in pairs if draft)
        if found and found[0].probability >= _LIKELY:
            return replace(asked, readings=found)
        known = asked.readings and not execute(self.store, asked.readings[0].draft.query()).holds
        return asked if known else replace(asked, none=1.0)

    def _of_extreme(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim that a thing is an extreme, by the question for it; None for any other claim."""
        last = last_claim(text) if self.generator.numbers.ranks else None
        claim = last or extreme_claim(text)
        links = self.generator.read(claim.who, given).links if claim else []
        links = [x for x in links if not x.is_value and x.score > 0.6]
        if not claim or not links:
            return None
        node = max(links, key=lambda x: x.score).node
        kind = next((c for c in self.schema.kinds(node) if c in self.schema.classes), "")
        asked = self.rank(claim.question(self.schema.label(kind) if kind else ""), shortlist=shortlist)
        found = tuple(
            replace(ranked, draft=none_beyond(ranked.draft, node, denied=claim.denied))
            for ranked in asked.readings
            if ranked.draft.form == "select" and not ranked.draft.minus and self._is_in_order(ranked.draft, node)
        )
        return replace(asked, readings=found) if found else None

    def with_extreme(self, text: str) -> tuple[str, str]:
        """A claim about an extreme with the name of what it is, and what the claim calls it: ("Gray Lady belongs to
        Ann", "the oldest boat"); the claim and "" where the graph does not surely tell which one that is."""
        claim = extreme_subject(text)
        asked = self.rank(f"Which is {claim.what}?").readings if claim else ()
        first = asked[0].draft if asked and asked[0].probability >= _LIKELY else None
        if not claim or not first or not first.order or first.form != "select" or len(first.answers) != 1:
            return text, ""
        return f"{self.schema.label(*first.answers)} {claim.told}", claim.what

    def _of_all(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of all of a kind, by the question which of them are so; None for any other claim."""
        claim = all_claim(text)
        if not claim or self.words.unknown_name(text):
            return None
        asked = self.rank(claim.question, given=given, shortlist=shortlist, of_all=True)
        possible = [r for r in asked.readings if may_be_of_all(self.schema, r.draft, asked.sentence)]
        turned = [no_exception(self.schema, r.draft, asked.sentence, claim.border) for r in possible]
        found = tuple(
            replace(ranked, draft=draft.but(denied=not claim.denied))
            for ranked, draft in zip(possible, turned, strict=True)
            if draft and (ranked.draft.answers or execute(self.store, draft.but(denied=False).query()).holds)
        )
        if not found or found[0].text != possible[0].text or found[0].probability < _LIKELY:
            return None  # what is meant cannot be said of all, and what is less likely meant is not said instead
        return replace(asked, readings=found)

    def _of_more(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim that one thing has more than another, by the question which of them has; None for any
        other claim, and where that question is hardly meant so."""
        if not more_claim(text) or self.words.unknown_name(text):
            return None
        claim = more_claim(with_full_names(text, self.generator.names.link(text)))
        if not claim:
            return None

        def number(draft: Draft) -> int:
            return execute(self.store, draft.query()).number or 0

        asked = self.rank(claim.question, given=given, shortlist=shortlist)
        turned = [has_more(ranked.draft, asked.sentence, claim, number) for ranked in asked.readings]
        pairs = zip(asked.readings, turned, strict=True)
        found = tuple(replace(ranked, draft=draft) for ranked, draft in pairs if draft)
        return replace(asked, readings=found) if found and found[0].probability >= _LIKELY else None

    def _of_one_only(self, text: str, given: Sequence[str], shortlist: int) -> Ranking | None:
        """The readings of a claim of one thing only, by the claim without "only": where that does not hold, it is what
        is wrong; None for any other claim."""
        claim = only_claim(text)
        if not claim or self.words.unknown_name(text):
            return None
        asked = self.rank(claim.bare, "verify", given, shortlist=shortlist)
        if claim.leading and cues.DENIED.search(claim.bare):
            return replace(asked, none=1.0)  # "only Ann does not sing" says of the others that they do
        others = [no_other(ranked.draft, asked.sentence, claim) for ranked in asked.readings]
        found = tuple(
            replace(ranked, draft=other) if other and execute(self.store, ranked.draft.query()).holds else ranked
            for ranked, other in zip(asked.readings, others, strict=True)
        )
        return replace(asked, readings=found)

    def _is_in_order(self, draft: Draft, node: str) -> bool:
        """Whether a node is among those that a draft orders by their values."""
        if draft.order is None or draft.order[2]:
            return False
        return node in execute(self.store, replace(draft.query(), order=None)).ids

    def computed(self, text: str) -> bool:
        """Whether a sentence asks for an average or a sum, and no relation is called so."""
        return cues.asks_to_compute(text, map(self.schema.words, self.schema.relations))

    def _with_cross(self, text: str, read: Sequence[Floats], scores: Floats) -> Floats:
        """[readings] the scores mixed with those of the cross-encoder; ``read``: its lower layers' view of each."""
        share = self.bert.w["cross.share"][0, 0]
        first = np.argsort(-scores, kind="stable")[:PAIRS]
        together = self.cross.score_read(text, [read[i] for i in first])
        mixed = (1 - share) * scores + share * together.min()
        mixed[first] += share * (together - together.min())
        return mixed

    def cheap_scores(self, features: Floats) -> Floats:
        """[candidates] scores of a small network over the features."""
        w = self.bert.w
        normal = (features - w["features.mean"][0]) / w["features.spread"][0]
        hidden = np.tanh(normal @ w["features.in"].T + w["features.in.bias"][0])
        return hidden @ w["features.out"][0] + w["features.out.bias"][0, 0]


_readers: WeakKeyDictionary[KGStore, dict[Path, Reader]] = WeakKeyDictionary()
_lock = threading.Lock()


def reader_of(store: KGStore, weights: Path = WEIGHTS) -> Reader:
    """The reader of a graph, made at the first call and kept as long as the graph is."""
    with _lock:
        kept = _readers.setdefault(store, {})
        if weights not in kept:
            kept[weights] = Reader(store, weights)
        return kept[weights]
