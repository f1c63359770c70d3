"""Small graphs for the wordings of relations, with the questions that these are, for ``train reranker --asked``.

    python -m triplewise.train.query_graph.worded_graphs corpus FOLDER

A field has relations between classes, and sentences that name things; here it gets the things. A name that comes often
is of the class with whose relations it comes most; what else a sentence names is at the other end of its relation.
Values, and who is tied to whom, are drawn. Statements are left out, and sentences that name nothing.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from triplewise.tools.text.verb_forms import word_set
from triplewise.train.query_graph.wordings import Wordings, wordings_of

_LETTER = "[A-ZÀ-ÞŁŚŽČŠ]"
_NAME = re.compile(
    rf"(?:{_LETTER}[\w’'&.\-]*|\d[\w.\-]*[A-Z\d][\w\-]*)"
    rf"(?:\s+(?:(?:{_LETTER}|\d)[\w’'&.\-]*|of the|of|de la|de|da|du|di|von|van|&)(?=[\s,.?!;:’']|$))*"
)
_JOINING = frozenset(("of", "of the", "de", "de la", "da", "du", "di", "von", "van", "&"))
_OPENING = word_set("""
    a all also an and another any anything are as at by can could did do does each every everything excuse find for
    from give got had has have he hello hi how i if in is it jobs let list look my name night not on ones only other
    our please print quick remind she show so some somebody someone sorry tell that the there these they things this
    those to was we were what when where whereabouts which who whom whose why with write you
""")
"""What sentences begin with, and names do not."""
_NO_NAME = re.compile(r"\d{1,2}[.:]\d\d|\d{4}-\d\d-\d\d|\d+|.")
_TELLS = re.compile(
    r"(?:[.!]|\b(?:right|no|true|eh|yes|correct|innit|or not)\?|n['’]?t (?:it|he|she|they|we|you|there)\?|"
    r"\b(?:is|was|does|did) (?:it|she|he|they)\?)\s*$",
    re.I,
)
"""How sentences end that state something, or ask whether it is so."""
_OFTEN = 4
"""Ends of relations with which a name comes, from which on it names a thing of a class."""
_THINGS = 4
"""Things of a class at least."""
_TIED = 0.75
"""The chance that a thing has a relation that nothing asks of it, and that one that has it has it once."""
_WORDS = ("see file", "as agreed", "type A", "type B", "none", "mixed")
VALUES = ("number", "year", "date", "time", "text")
"""The kinds of values that a relation may lead to."""

Asked = tuple[str, str, str, bool]
"""(sentence, relation, what is named, whether that is the head)."""


class FieldGraph:
    """The things of one field, its triples, and the questions with their answers."""

    def __init__(self, field: Wordings, seed: int = 0) -> None:
        self.field, self._draw = field, random.Random(f"{seed} {field.name}")
        self.things = self._often_named()
        """Class → its things."""
        self._asked = list(self._questions())
        self.triples = self._triples()

    def questions(self) -> Iterator[tuple[str, list[str]]]:
        """Each sentence that is a question, with all answers."""
        for sentence, relation, name, is_head in self._asked:
            ends = [(h, t) if is_head else (t, h) for h, r, t in self.triples if r == relation]
            yield sentence, sorted({other for known, other in ends if known == name})

    def _sentences(self) -> Iterator[tuple[str, tuple[str, str, str]]]:
        """The sentences of one relation between two classes, which differ."""
        for sentence, positions in self.field.asked:
            head, relation, tail = self.field.relations[positions[0]]
            if len(positions) == 1 and head != tail:
                yield sentence, (head, relation, tail)

    def _often_named(self) -> dict[str, set[str]]:
        ends, things = defaultdict[str, Counter[str]](Counter), defaultdict[str, set[str]](set)
        for sentence, (head, _, tail) in self._sentences():
            for name in set(_names(sentence)):
                ends[name].update([head] if tail in VALUES else [head, tail])
        for name, counts in ends.items():
            if counts.total() >= _OFTEN:
                things[counts.most_common(1)[0][0]].add(name)
        return things

    def _questions(self) -> Iterator[Asked]:
        of_class = {name: kind for kind, names in self.things.items() for name in names}
        for sentence, (head, relation, tail) in self._sentences():
            said = [n for n in sorted(self.things[head]) if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", sentence, re.I)]
            others = [n for n in _names(sentence) if of_class.get(n, tail) == tail and tail not in VALUES]
            if others:
                self.things[tail].add(max(others, key=len))
            if (said or others) and not _TELLS.search(sentence):
                yield sentence, relation, max(said or others, key=len), bool(said)

    def _triples(self) -> list[tuple[str, str, str]]:
        found: list[tuple[str, str, str]] = []
        for kind in sorted({c for head, _, tail in self.field.relations for c in (head, tail)} - {*VALUES}):
            while len(self.things[kind]) < _THINGS:
                self.things[kind].add(f"{kind.capitalize()} {self._draw.randint(2, 999)}")
        for head, relation, tail in self.field.relations:
            asked = {(name, is_head) for _, r, name, is_head in self._asked if r == relation}
            heads = sorted(self.things[head])
            for thing in heads:
                if (thing, True) in asked or self._draw.random() < _TIED:
                    times = 1 if tail in VALUES or self._draw.random() < _TIED else 2
                    found += [(thing, relation, self.tail(tail)) for _ in range(times)]
            found += [(self._draw.choice(heads), relation, name) for name, is_head in sorted(asked) if not is_head]
        found += [(name, "type", kind) for kind, names in sorted(self.things.items()) for name in sorted(names)]
        return list(dict.fromkeys(found))

    def tail(self, kind: str) -> str:
        """A tail of a class or a kind of value, drawn."""
        draw = self._draw
        match kind:
            case "number":
                return str(draw.randint(1, 400))
            case "year":
                return str(draw.randint(1985, 2024))
            case "date":
                return f"{draw.randint(2019, 2025)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}"
            case "time":
                return f"{draw.randint(6, 22):02d}:{draw.choice((0, 15, 20, 30, 45)):02d}"
            case "text":
                return draw.choice(_WORDS)
            case _:
                return draw.choice(sorted(self.things[kind]))


def _names(sentence: str) -> list[str]:
    """What is written as names are in a sentence."""
    found = []
    for match in _NAME.finditer(sentence):
        words = match.group().strip(" .,’'-").split()
        while words and re.sub(r"[’'].*", "", words[0]).lower() in _OPENING:
            words = words[1:]
        while words and words[-1] in _JOINING:
            words = words[:-1]
        name = re.sub(r"[’']s$", "", " ".join(words))
        if name and not _NO_NAME.fullmatch(name):
            found.append(name)
    return found


def write_graphs(corpus: Path, out: Path, seed: int = 0) -> int:
    """A folder for each field of a corpus, with ``graph.tsv`` and ``questions.jsonl``; returns how many questions there
    are."""
    questions = 0
    for field in wordings_of(corpus):
        graph, folder = FieldGraph(field, seed), out / field.name
        folder.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"question": q, "answers": a}, ensure_ascii=False) for q, a in graph.questions()]
        (folder / "graph.tsv").write_text("".join("\t".join(t) + "\n" for t in graph.triples), encoding="utf-8")
        (folder / "questions.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        questions += len(lines)
    return questions


if __name__ == "__main__":
    print(f"{write_graphs(Path(sys.argv[1]), Path(sys.argv[2])):,} questions in {sys.argv[2]}")
