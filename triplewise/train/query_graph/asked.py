"""Examples from questions whose answers are known, and not the query graphs that give them: what people asked of their
own graphs, with all that is right.

A reading is right where it gives these answers; of several it is the likeliest, and the others count neither way. Of a
question that cannot be answered a reading that gives nothing is right, where one is likely, else "none of these".
Readings that give nothing are no wrong ones but where they come first: of what they say the graph is only silent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from triplewise.errors import ConfigError
from triplewise.kg import load_kg
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold
from triplewise.kg.query import execute
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.features import Features
from triplewise.tools.query_graph.ranker import SHORTLIST, Reader
from triplewise.train.query_graph.examples import Example

SURE = 0.9
"""The probability of what is right from which on a question teaches little."""
_CANDIDATES = 120
"""Candidates of a question that are kept, the likeliest by the shortlist's score."""
_FARTHER = 10
"""Right ones that are kept of those behind them."""
_LIKELIEST = 3
"""Candidates of an unanswerable question of which none says that there is nothing, where "none of these" is right."""
_MANY = 60
"""Answers of a candidate from which on it is not compared with what is known."""
LIKELY = 0.15
"""That of a reading that gives nothing from which on it is what an unanswerable question asks."""


@dataclass(frozen=True, slots=True)
class AskedGraph:
    """A graph with the questions that were asked of it and all answers of each, none where the graph has none."""

    name: str
    store: KGStore
    asked: tuple[tuple[str, tuple[str, ...]], ...]


def read_asked(folder: Path, named: str | None = None) -> list[AskedGraph]:
    """The graphs of a folder: each a folder with a graph (``graph.tsv`` and the like, or ``graph/`` with tables) and
    JSON-lines files of ``{"question": …, "answers": […]}``; objects of other kinds are passed over. ``named``: of these
    folders alone, by commas.

    Raises ConfigError where there is none, or one is not there, or a line is no object; GraphFileError where a graph
    cannot be read.
    """
    found = []
    places = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    wanted = [name.strip() for name in named.split(",") if name.strip()] if named else [p.name for p in places]
    if strange := [name for name in wanted if not (folder / name).is_dir()]:
        raise ConfigError(f"{folder} has no folder {strange[0]!r}.")
    for place in (path for path in places if path.name in wanted):
        graph = next(place.glob("graph*"), None)
        asked = tuple(item for file in sorted(place.glob("*.jsonl")) for item in _asked_in(file))
        if graph is not None and asked:
            found.append(AskedGraph(place.name, load_kg(graph), asked))
    if not found:
        raise ConfigError(
            f"--asked {folder} holds no graph with questions.",
            "A graph is a folder with graph.* and questions.jsonl, an object with question and answers in each line.",
        )
    return found


def _asked_in(file: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is no UTF-8 text: byte {error.start}.", "Save it as UTF-8.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except ValueError:
            item = None
        if not isinstance(item, dict):
            raise ConfigError(f"{file}, line {number}: this is no JSON object.", "Each line is one object.")
        if isinstance(item.get("question"), str) and isinstance(item.get("answers"), list):
            yield item["question"], tuple(map(str, item["answers"]))


def asked_examples(graph: AskedGraph, reader: Reader) -> Iterator[Example]:
    """The questions of one graph with the readings that ``reader`` ranks; without those that it reads rightly and is
    sure of."""
    for number, (question, answers) in enumerate(graph.asked):
        ranking = reader.rank(question)
        readings = ranking.readings
        wanted = set(map(as_compared, answers))
        given = [set(map(as_compared, _given(reader, r.draft))) for r in readings]
        right = [i for i, told in enumerate(given) if told == wanted]
        share = sum(readings[i].probability for i in right) + (0 if answers else ranking.none)
        if not readings or share > SURE or (answers and not right):
            continue
        neither = [i for i, told in enumerate(given) if i and not told] if answers else []
        if not answers and right and readings[right[0]].probability < LIKELY:
            neither, right = right, []
        yield Example(
            f"{graph.name}:{number}", graph.name, "ask", ranking.sentence.text,
            [r.text for r in readings], np.zeros((len(readings), 0), np.float16),
            right[:1], [*right[1:], *neither], not right, [],
            np.array([r.score for r in readings], np.float32),
        )  # fmt: skip


class _Scored(Reader):
    """A reader that keeps the candidates which it last scored."""

    def __init__(self, store: KGStore, weights: Path) -> None:
        super().__init__(store, weights)
        self.reranker = None
        self._scored: tuple[Features, list[Draft]] | None = None

    def scored(self, question: str) -> tuple[list[str], tuple[Features, list[Draft]] | None]:
        """(the text of the first reading, where there is one; the candidates that were scored)."""
        self._scored = None
        return [r.text for r in self.rank(question).readings[:1]], self._scored

    def _likeliest(
        self, features: Features, drafts: list[Draft], number: int, told: Set[int] | None = None
    ) -> list[tuple[Draft, float]]:
        if number == SHORTLIST:
            self._scored = features, drafts
        return super()._likeliest(features, drafts, number, told)


def asked_candidates(graph: AskedGraph, weights: Path) -> Iterator[Example]:
    """The questions of one graph with the likeliest candidates by a ranker's shortlist and the right ones behind them;
    without those that no candidate answers, and unanswerable ones of which a likely candidate says that there is
    nothing."""
    reader = _Scored(graph.store, weights)
    for number, (question, answers) in enumerate(graph.asked):
        first, scored = reader.scored(question)
        if scored is None:
            continue
        features, drafts = scored
        cheap = reader.cheap_scores(features.matrix(drafts))
        order = [int(i) for i in np.argsort(-cheap, kind="stable")]
        wanted = set(map(as_compared, answers))
        right = [i for i in order if _answers(graph.store, drafts[i]) == wanted]
        kept = [*order[:_CANDIDATES], *[i for i in right if i not in order[:_CANDIDATES]][:_FARTHER]]
        texts = [reader.verbaliser.reading(drafts[i], features.s) for i in kept]
        positions = [n for n, i in enumerate(kept) if i in right]
        silent = [n for n, i in enumerate(kept) if not drafts[i].answers and drafts[i].form != "count"]
        best = [n for n in positions if texts[n] in first][:1] or positions[:2]
        if answers and not best:
            continue
        if not answers:
            if any(n < _LIKELIEST for n in positions):
                continue
            best = []
        yield Example(
            f"{graph.name}:{number}", graph.name, "ask", features.s.text, texts,
            features.matrix([drafts[i] for i in kept]).astype(np.float16),
            best, sorted({*positions, *silent} - {*best}), not answers, [], cheap[kept],
        )  # fmt: skip


def _answers(store: KGStore, draft: Draft) -> set[str]:
    """What a candidate answers, as it is compared."""
    if draft.form == "count":
        return {str(len(draft.answers))}
    return {as_compared(_label(store, node)) for node in draft.answers} if len(draft.answers) <= _MANY else {""}


def _label(store: KGStore, node: str) -> str:
    return store.display(node) if store.has_entity(node) else store.label(node)


def _given(reader: Reader, draft: Draft) -> list[str]:
    """What a reading answers, as labels."""
    store, query = reader.store, draft.query()
    done = execute(store, query)
    if query.form == "count":
        return [str(done.number)]
    return list(done.amounts) or [_label(store, node) for node in done.ids]


def as_compared(label: str) -> str:
    """A label without case; of a number or a day its value, however it is written: "142000" is right for "£142,000",
    and 2024-04-17 for "17 April 2024". A name's underscores are spaces, as they are shown."""
    value = parse_value(label)
    if value.kind in ("number", "year"):
        return str(value.key[0])
    return str(value.key) if value.kind == "date" else fold(label.replace("_", " "))
