"""MetaQA's training questions (public layout) as examples: their relation path is known, so their parts are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from triplewise.errors import ConfigError
from triplewise.train.data.skills import Example, SkillComposer, plan_example
from triplewise.train.sentences.compose import DEV_SHARE, Composed, Vocabulary, verbalised_part
from triplewise.train.sentences.grammar import Entry, Verbalisation, be, finite, inflect, plural

_RELATIONS = {
    "director": "directed_by", "writer": "written_by", "actor": "starred_actors", "genre": "has_genre",
    "year": "release_year", "language": "in_language", "tags": "has_tags", "tag": "has_tags",
    "imdbrating": "has_imdb_rating", "imdbvotes": "has_imdb_votes",
}  # fmt: skip
_KINDS = {"segment": 56, "select": 24, "plan": 12, "reason": 8}


class MetaqaComposer:
    """Draws examples from the questions of ``N-hop/vanilla/qa_train.txt``, whose topics fall into a training and
    a development share as composed ones do; questions over a held-out relation are left out."""

    def __init__(self, folder: Path, vocabulary: Vocabulary, seed: int = 0, *, dev: bool = False) -> None:
        self.composer = SkillComposer(vocabulary, seed, dev=dev)
        self.vocabulary, self.rng = vocabulary, random.Random(seed)
        self.asked: list[tuple[str, list[str]]] = []
        for hops in (1, 2, 3):
            texts, kinds = folder / f"{hops}-hop/vanilla/qa_train.txt", folder / f"{hops}-hop/qa_train_qtype.txt"
            if not texts.is_file() or not kinds.is_file():
                raise ConfigError(f"{folder} lacks {texts.relative_to(folder)} or {kinds.relative_to(folder)}.")
            lines = texts.read_text(encoding="utf-8").splitlines()
            for line, kind in zip(lines, kinds.read_text(encoding="utf-8").split(), strict=True):
                text = line.split("\t")[0]
                topic = text[text.index("[") + 1 : text.rindex("]")]
                path = ["film" if k == "movie" else k for k in kind.split("_to_")]
                if (crc32(topic.encode()) % DEV_SHARE == 0) == dev and self._relations(path):
                    self.asked.append((text, path))

    def _relations(self, path: list[str]) -> list[str]:
        """The relations of a path of node kinds, [] where one is not composed about."""
        found = [_RELATIONS[a if b == "film" else b] for a, b in pairwise(path)]
        return found if all(r in self.vocabulary.records for r in found) else []

    def examples(self) -> Iterator[Example]:
        """Without end."""
        while True:
            text, path = self.rng.choice(self.asked)
            composed = self.composed(text, path)
            kind = self.rng.choices(list(_KINDS), list(_KINDS.values()))[0]
            if kind == "segment":
                yield self.composer.segment(composed)
            elif kind == "select":
                yield self.composer.select(composed, self.rng.choice(composed.parts))
            elif kind == "reason":
                yield self.composer.reason(composed)
            else:
                yield plan_example(composed.text, composed.steps)

    def composed(self, text: str, path: list[str]) -> Composed:
        """A question with its parts; its words choose among the verbalisations of each relation."""
        topic = text[text.index("[") + 1 : text.rindex("]")]
        kg = self.vocabulary.kg
        entity = topic if kg.has_entity(topic) else (kg.resolve_display(topic) or topic)
        name = kg.display(entity) if kg.has_entity(entity) else topic
        self.vocabulary.names[entity] = name
        ends = [name, *_variables(path[1:-1]), "?answer"]
        parts, steps, known = [], [], name
        for i, relation in enumerate(self._relations(path)):
            forward = path[i] == "film"
            entry = self.vocabulary.records[relation][0]
            form = verbalisation_used(entry, text)
            here, there = ends[i], ends[i + 1]
            pair = (here, there) if forward else (there, here)
            parts.append(verbalised_part(entry, form, *pair, relation, entry.end("R" if forward else "L")))
            steps.append(_step(entry, form, known, forward))
            known = f"these {plural(entry.end('R' if forward else 'L'))}"
        if self.rng.random() < 0.3:
            text = text.replace("[", "").replace("]", "")
        return Composed("ask", text, (entity,), tuple(parts), (entity,), tuple(steps))


def _variables(kinds: list[str]) -> list[str]:
    found: list[str] = []
    for kind in kinds:
        found.append(f"?other_{kind}" if f"?{kind}" in found else f"?{kind}")
    return found


def _step(entry: Entry, form: Verbalisation, known: str, forward: bool) -> str:
    noun, asked = entry.end("R" if forward else "L"), "R" if forward else "L"
    many = known.startswith("these ")
    if form.kind in ("noun", "attr"):
        if form.side == asked:
            return f"Find the {plural(form.word)} of {known}."
        return f"Find the {plural(noun)} whose {form.word} is {'among ' if many else ''}{known}."
    if form.side == asked:
        verb = f"{be(form.past, True)} {form.rest}" if form.kind == "be" else finite(form, True)
        return f"Find the {plural(noun)} that {verb} {known}."
    verb = f"{be(form.past, many)} {form.rest}" if form.kind == "be" else finite(form, many)
    return f"Find the {plural(noun)} that {known} {verb}."


def verbalisation_used(entry: Entry, text: str) -> Verbalisation:
    """The verbalisation whose verb or noun the text uses, else the first."""
    folded = f" {text.casefold()} "
    for form in entry.verbalisations:
        if form.kind in ("noun", "attr"):
            forms = [form.word, plural(form.word)]
        elif form.kind == "verb":
            forms = [
                form.word,
                inflect(form.word, "past"),
                inflect(form.word, "participle"),
                inflect(form.word, "third"),
            ]
        else:
            forms = [form.rest.split()[0]] if form.rest not in ("in", "about") else [form.rest]
        if any(f" {form.casefold()} " in folded for form in forms):
            return form
    return entry.verbalisations[0]
