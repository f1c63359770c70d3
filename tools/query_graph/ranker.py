"""Ranking of candidate readings: a shortlist by cheap features, an encoder beside the sentence, then both together.

score(reading) = (1 - a) · (encoder(sentence, reading) + w · shortlist(features)) + a · cross(sentence, reading)

The cross-encoder reads only the readings that the rest puts first; the others get the lowest of its scores. All of it
comes out of one weights file, trained by ``triplewise train ranker``. The probabilities are the softmax over the
readings and "none of these", whose score is a constant of that file, so that what the graph cannot answer has a
probability of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

import triplewise
from triplewise.backends.encoders.cross_encoder import CrossEncoder
from triplewise.backends.encoders.layers import Floats
from triplewise.backends.encoders.mini_bert import MiniBert
from triplewise.backends.encoders.reranker import Reranker, find_reranker
from triplewise.errors import ConfigError
from triplewise.kg.base import KGStore
from triplewise.kg.kept import kept_with
from triplewise.tools.query_graph.candidates.bases import Limits, Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, said
from triplewise.tools.query_graph.candidates.extremes.totals import asked_most
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.candidates.kin import Relatives
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.candidates.of_claims.days_claimed import lacks_day
from triplewise.tools.query_graph.candidates.plain_nouns import ALONE, unknown_kind
from triplewise.tools.query_graph.candidates.whereabouts import (
    asks_whereabouts,
    asks_who_is,
    asks_whose,
    tells_whereabouts,
    tells_who_is,
    tells_whose,
)
from triplewise.tools.query_graph.claims.direct_claims import told_claims
from triplewise.tools.query_graph.features import NAMES, Features
from triplewise.tools.query_graph.joined.values import with_joined_values
from triplewise.tools.query_graph.linking.bounds import with_plain_bounds
from triplewise.tools.query_graph.linking.class_names import is_only_a_kind
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.nearness import Nearness, RelationVectors
from triplewise.tools.query_graph.pruning.asked_kind import ROLE
from triplewise.tools.query_graph.pruning.asked_things.told_contacts import lacks_contact
from triplewise.tools.query_graph.pruning.persons.homes import lacks_home
from triplewise.tools.query_graph.pruning.pruner import Pruner
from triplewise.tools.query_graph.pruning.quantities.counted_nouns import QUANTITY
from triplewise.tools.query_graph.pruning.row_ends import RowEnds
from triplewise.tools.query_graph.pruning.said_answers import says_opposite
from triplewise.tools.query_graph.pruning.times.time_of_day import lacks_time_of_day
from triplewise.tools.query_graph.ranking import Ranked, Ranking
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.settling import Settler
from triplewise.tools.query_graph.turned_claims.more_claims import as_comparison
from triplewise.tools.query_graph.turned_claims.turner import ClaimTurner
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.query_graph.winners import find_winners, with_last
from triplewise.tools.query_graph.wording.amounts.reckoning import (
    Reckoned,
    asked_reckoning,
    of_numbers,
    of_several_numbers,
    reckonable,
    reckoning,
    says_what,
)
from triplewise.tools.query_graph.wording.amounts.spans import SpanReader
from triplewise.tools.query_graph.wording.idioms import in_plain_words
from triplewise.tools.query_graph.wording.ordinals import with_days_in_digits, with_numbers
from triplewise.tools.query_graph.wording.questions import Worded, Wording
from triplewise.tools.query_graph.wording.real_names import RealNames
from triplewise.tools.query_graph.wording.unsettled.debts import OpenDebts
from triplewise.tools.query_graph.wording.unsettled.loans import OpenLoans
from triplewise.tools.query_graph.wording.unsettled.states import OpenStates
from triplewise.tools.text.kinship import in_one_word
from triplewise.tools.text.opinions import as_told
from triplewise.tools.text.plainer_questions import (
    corrected,
    in_full,
    plainer,
    with_stand_in,
    with_topic,
    without_idle_words,
)
from triplewise.tools.text.roles.relatives import kin_relations
from triplewise.tools.text.spelling.names import Spelling

WEIGHTS = Path(triplewise.__file__).resolve().parent / "data" / "ranker.npz"
"""The ranker that ships."""
_PRUNED = 300
"""Candidates, by their features, that are pruned by what words and graph say of them; the others are left out. Of 874
questions of eighteen domains put aside no more were lost with 150, and two were right only without those left out."""
SHORTLIST = 16
"""Candidates that the encoder reads; of the sentences of eighteen domains put aside no more were right with 20."""
_UNKNOWN = 3.0
"""What "none of these" gains where a question names what the graph has no word for: of the training domains' questions
15 of 4,172 answerable ones do, and 35 of the 498 others. It loses twice as much where a question says no more than
"where is X?", and as much where it asks for somebody's boss, whom the graph tells."""
PAIRS = 8
"""Of them, those that the cross-encoder reads together with the sentence."""
_RERANKED = 5
"""Of them, those that the re-ranker reads, where it is installed; of 616 questions of eighteen domains put aside no
more were right with eight."""
_SURE = 0.98
"""The probability of the first reading from which on it is not asked; with 0.9 four more of 202 questions are wrong."""
_RIVALS = 4
"""Candidates that a word rules out, of which it is asked how likely they would be."""
_TOLD = 3.0
"""What the reading of a claim gains in a closed world where the graph holds it: of 600 training claims of FactKG 481
are right with it, and 449 without. Half of the claims are true, and of readings at random hardly any holds."""


class Reader:
    """All that reading sentences over one graph needs; built once per graph by ``reader_of``."""

    def __init__(self, store: KGStore, weights: Path = WEIGHTS, limits: Limits | None = None) -> None:
        self.store = store
        self.schema = SchemaView(store)
        self.generator = Generator(self.schema, limits)
        self.verbaliser = Verbaliser(self.schema)
        self.words = KnownWords(self.generator.names)
        self.row_ends, self.kin = RowEnds(self.schema), kin_relations(self.schema)
        self.wording = Wording(self.words, self.row_ends.persons)
        self.pruner = Pruner(self.schema, self.row_ends)
        self.bert = MiniBert.load(weights)
        self.spelling = Spelling(self.words, self.bert.tokenise.ids)
        self.turner = ClaimTurner(self.generator, self.words, self.rank)
        sharpness = float(self.bert.w["sharpness"][0, 0])
        self.settler = Settler(self.row_ends, self.verbaliser, self.words, sharpness, self.alike)
        self._lock = threading.Lock()
        w = self.bert.w
        if w["features.mean"].shape[1] != len(NAMES) or "cross.weight" not in w or w["cross.share"].shape[1] != 2:
            raise ConfigError(
                f"{weights} is a ranker of another version.", "Train it anew with: triplewise train ranker"
            )
        self.cross = CrossEncoder(self.bert)
        self.reranker = find_reranker()
        self._relations: RelationVectors | None = None
        self.affinity: Callable[[str], Nearness] = lru_cache(maxsize=16)(self._read)
        """How near each relation's words are to a sentence."""
        self.spans = SpanReader(self.generator, self.rank, self.affinity)
        self.open_loans = OpenLoans(self.generator, self.verbaliser, self.row_ends.persons)
        self.open_debts = OpenDebts(self.generator, self.verbaliser, self.row_ends.persons)
        self.open_states = OpenStates(self.generator, self.verbaliser, self.row_ends.persons)
        self.real_names = RealNames(self.generator, self.verbaliser)

    def _read(self, text: str) -> Nearness:
        with self._lock:
            if self._relations is None:
                relations = list(self.schema.relations)
                texts = [self.verbaliser.step(r) for r in relations]
                self._relations = RelationVectors(relations, self.bert.read_once(texts))
        return Nearness(self._relations, self.bert.read([text]), self.bert.tokenise)

    def alike(self, word: str, names: Iterable[str]) -> float:
        """The cosine of a word and the nearest of some names; -1 where there are none."""
        own, *others = self.bert.read_once([word, *names]).whole
        return max((float(own @ other) for other in others), default=-1.0)

    def candidates(
        self, text: str, task: str = "ask", given: Sequence[str] = (), *, of_all: bool = False
    ) -> tuple[Sentence, list[Draft], Nearness]:
        """A sentence as it was understood, its candidate readings, and the affinities used."""
        affinity = self.affinity(text)
        sentence = replace(self.generator.read(text, given), of_all=of_all)
        if task == "verify":
            return sentence, ClaimRun(self.generator, sentence, affinity).drafts(), affinity
        sentence = with_joined_values(sentence)
        return sentence, self.generator.generate(sentence, affinity), affinity

    def rank(
        self,
        text: str,
        task: str = "ask",
        given: Sequence[str] = (),
        *,
        shortlist: int = SHORTLIST,
        of_all: bool = False,
        closed_world: bool = False,
        of_spans: bool = True,
    ) -> Ranking:
        """The readings of a question or claim, ranked; empty where the graph proposes none.

        ``of_all``: a question stands for a claim of all of a kind, so that what all of them have is asked for as well.
        ``closed_world``: the graph is complete, so that of a claim what it holds is likelier meant. ``of_spans``: a
        time may be reckoned from days.
        """
        text = with_days_in_digits(in_plain_words(self.spelling.corrected(corrected(text))))
        text = with_plain_bounds(self.generator.dated(text))
        text = with_numbers(text, self.generator.numbers)
        for reader in (self.open_loans, self.open_debts, self.open_states, self.real_names):
            if found := reader.ranking(text, task, given):
                return found
        text = self.wording.sentence(in_one_word(text) if self.kin.relations else text)
        if task == "ask" and of_spans and (found := self.spans.ranking(text, given, shortlist)):
            return found
        text = (
            in_full(with_stand_in(with_topic(without_idle_words(text))))
            if task == "ask"
            else as_comparison(as_told(text))
        )
        if task == "ask" and not self.words.said_in_relations("name", "called"):
            text = plainer(text, partial(is_only_a_kind, self.generator.names))
        reckons = task == "ask" and not asked_most(text)
        reckoned = asked_reckoning(text, map(self.schema.words, self.schema.relations)) if reckons else None
        text = reckoned.text if reckoned else text
        worded = self.wording.question(text) if task == "ask" else Worded(text)
        text, given = worded.text, [node for node in given if node not in worded.called_so]
        if task == "ask" and (places := self.generator.numbers.ranks):
            text = with_last(text, self.schema.words(min(places)))
        if task == "verify" and (found := self.turner.ranking(text, given, shortlist)):
            return found
        sentence, drafts, affinity = self.candidates(text, task, given, of_all=of_all)
        if reckoned:
            drafts = of_numbers(self.schema, sentence, reckoned, drafts, affinity)
        features = Features(self.schema, sentence, affinity)
        drafts = self._nearest(features, drafts)
        rivals = self.pruner.rivals(sentence, task, drafts)
        if worded.of_loans:
            drafts = self.wording.lending.of_loans(text, drafts)
        drafts = self.pruner.kept(sentence, task, drafts)
        if not drafts:
            return Ranking(sentence, (), 1.0, 0)
        told = told_claims(self.schema.store, sentence, drafts) if closed_world and task == "verify" else None
        read = [*self._likeliest(features, drafts, shortlist, told), *self._likeliest(features, rivals, _RIVALS)]
        size = min(len(drafts), shortlist)
        texts = [self.verbaliser.reading(draft, sentence) for draft, _ in read]
        scores, lower = self.bert.score_and_lower(affinity.sentence, texts)
        cheap = np.array([score for _, score in read], np.float32)
        scores = self._with_cross(text, task, lower, scores + self.bert.w["shortlist.weight"][0, 0] * cheap)
        none, sharpness = (
            float(self.bert.w["none"][0, 0 if task == "ask" else 1]),
            float(self.bert.w["sharpness"][0, 0]),
        )
        gains = self._none_gains(text, task, sentence, drafts)
        if reckoned and reckoned.how is None:
            gains = np.inf
        elif reckoned and self._tells_number(sentence, reckoned, read[int(scores[:size].argmax())][0]):
            gains -= (3 if reckoned.surely else 2) * _UNKNOWN
        if self.reranker is not None and gains < np.inf and _shares(scores, none + gains, sharpness).max() < _SURE:
            scores, none, sharpness = self._reranked(self.reranker, text, task, texts, scores, none)
        if told is not None:
            scores = scores + np.array([_TOLD * (id(draft) in told) for draft, _ in read], np.float32)
        shares = _shares(scores, none + gains, sharpness)
        shares[:size] *= (1 - shares[-1]) / max(shares[:size].sum(), 1e-9)  # what rivals are thought of
        readings = sorted(
            (Ranked(read[k][0], texts[k], float(scores[k]), float(shares[k])) for k in range(size)),
            key=lambda r: -r.score,
        )
        if task == "ask":
            settled = self.settler.question(sentence, readings, affinity, of_all=of_all)
        else:
            settled = self.settler.claim(sentence, readings)
        if task == "ask" and self.kin.either_sex:
            settled = self._of_both_sexes(sentence, settled)
        if worded.called_so:
            settled = self.wording.nouns.kept(settled, worded.called_so)
        if reckoned:
            settled = reckoning(self.schema, sentence, reckoned, settled)
        elif task == "ask":
            settled = of_several_numbers(self.schema, sentence, settled)
        lost = sum(r.probability for r in readings) - sum(r.probability for r in settled)
        return Ranking(sentence, tuple(settled), float(shares[-1]) + lost, len(drafts))

    def _tells_number(self, sentence: Sentence, reckoned: Reckoned, draft: Draft) -> bool:
        """Whether a reading gives the numbers that a question asks to be reckoned."""
        return (reckoned.surely or reckonable(self.schema, draft)) and says_what(self.schema, sentence, draft)

    def _of_both_sexes(self, sentence: Sentence, readings: list[Ranked]) -> list[Ranked]:
        """The readings about children or parents over those of both sexes, each once."""
        wider = Relatives(self.schema, sentence).of_both_sexes([r.draft for r in readings])
        once: dict[object, Ranked] = {}
        for ranked, draft in zip(readings, wider, strict=True):
            there = once.get(key := said(draft))
            both = there.probability + ranked.probability if there else ranked.probability
            once[key] = replace(there or ranked, draft=draft, probability=both)
        return list(once.values())

    def _nearest(self, features: Features, drafts: list[Draft]) -> list[Draft]:
        """The drafts whose features speak most for them, in the order in which they were made."""
        if len(drafts) <= _PRUNED:
            return drafts
        best = np.argsort(-self.cheap_scores(features.matrix(drafts)), kind="stable")[:_PRUNED]
        return [drafts[i] for i in np.sort(best)]

    def _likeliest(
        self, features: Features, drafts: list[Draft], number: int, told: Set[int] | None = None
    ) -> list[tuple[Draft, float]]:
        """The drafts whose features speak most for them, with the score that says so; ``told``: the ids of those that
        are likelier for what the graph tells."""
        if not drafts:
            return []
        cheap = self.cheap_scores(features.matrix(drafts))
        order = cheap + _TOLD * np.array([id(d) in told for d in drafts], np.float32) if told else cheap
        return [(drafts[i], float(cheap[i])) for i in np.argsort(-order, kind="stable")[:number]]

    def _none_gains(self, text: str, task: str, sentence: Sentence, drafts: list[Draft]) -> float:
        """What "none of these" gains by what a sentence says."""
        if all(ALONE in draft.extra for draft in drafts):
            return -np.inf
        if task == "ask" and unknown_kind(self.schema, sentence, self.words):
            return np.inf
        none = 0.0
        if task != "ask":
            return none
        if any(QUANTITY in draft.extra for draft in drafts):
            none -= 3 * _UNKNOWN  # the row that ties all that is named tells it, whatever its verb
        elif self._says_no_more(sentence, drafts):
            none -= 2 * _UNKNOWN
        elif any(ROLE in draft.extra for draft in drafts) or says_opposite(self.schema, sentence, drafts):
            none -= _UNKNOWN
        elif self.generator.numbers.ranks and find_winners(text):
            none -= _UNKNOWN  # "won" says too little to be near to a place
        if lacks_contact(self.schema, sentence):
            return np.inf  # a telephone number is no email address
        if lacks_day(self.schema, sentence) or lacks_home(self.schema, self.row_ends.persons, sentence):
            return np.inf  # what is on another day, and where another lives, is no answer
        if lacks_time_of_day(self.schema, text, drafts):
            none += 3 * _UNKNOWN  # a day says when, and no more
        if any(self.words.unknown_numbers(text)):
            none += _UNKNOWN  # "chapter 9" of five is no name that some word may miss
        return none + _UNKNOWN if self.words.unknown_name(text) else none

    def _says_no_more(self, sentence: Sentence, drafts: Sequence[Draft]) -> bool:
        """Whether a question asks no more than where something is, whose, or who has a value, as the graph may tell."""
        ways = ((asks_whereabouts, tells_whereabouts), (asks_whose, tells_whose), (asks_who_is, tells_who_is))
        return any(asks(self.schema, sentence) and any(tells(self.schema, d) for d in drafts) for asks, tells in ways)

    def _with_cross(self, text: str, task: str, read: Sequence[Floats], scores: Floats) -> Floats:
        """[readings] the scores mixed with those of the cross-encoder; ``read``: its lower layers' view of each."""
        share = self.bert.w["cross.share"][0, 0 if task == "ask" else 1]  # of questions and of claims
        first = np.argsort(-scores, kind="stable")[:PAIRS]
        return _mixed(scores, first, self.cross.score_read(text, [read[i] for i in first]), share)

    def _reranked(
        self, reranker: Reranker, text: str, task: str, texts: Sequence[str], scores: Floats, none: float
    ) -> tuple[Floats, float, float]:
        """([readings] the scores, that of "none of these"), mixed with what the re-ranker thinks of the first ones, and
        the sharpness of these."""
        of = 0 if task == "ask" else 1
        share = reranker.share[of]
        first = np.argsort(-scores, kind="stable")[:_RERANKED]
        mixed = _mixed(scores, first, reranker.score(text, [texts[int(i)] for i in first]), share)
        return mixed, float((1 - share) * none + share * reranker.none[of]), float(reranker.sharpness[of])

    def cheap_scores(self, features: Floats) -> Floats:
        """[candidates] scores of a small network over the features."""
        w = self.bert.w
        normal = (features - w["features.mean"][0]) / w["features.spread"][0]
        hidden = np.tanh(normal @ w["features.in"].T + w["features.in.bias"][0])
        return hidden @ w["features.out"][0] + w["features.out.bias"][0, 0]


def _mixed(scores: Floats, first: npt.NDArray[np.int64], others: Floats, share: float) -> Floats:
    """[readings] the scores mixed with other ones of the ``first``; what these lack has the lowest of them."""
    mixed = (1 - share) * scores + share * others.min()
    mixed[first] += share * (others - others.min())
    return mixed


def _shares(scores: Floats, none: float, sharpness: float) -> Floats:
    """[readings + 1] how likely each reading is, and that none of these is meant."""
    together = np.append(scores, none) * sharpness
    shares = np.exp(together - together.max()) if none < np.inf else np.append(np.zeros(len(scores)), 1.0)
    return shares / shares.sum()


def reader_of(store: KGStore, weights: Path = WEIGHTS) -> Reader:
    """The reader of a graph, made at the first call and kept as long as the graph is."""
    return kept_with(store, (Reader, weights), lambda: Reader(store, weights))
