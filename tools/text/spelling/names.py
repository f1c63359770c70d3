"""Misspelt words put right before a sentence is read: names of one word, "toster" where a thing is called Toaster,
contractions, and words of the language.

Linking finds such names too, yet as less sure ones, and the encoder, which reads the sentence as it stands, then takes
a reading without them. A word of the language is left as it is, however near it is to a name, and so is a capitalised
one, which may be another's name: Meier is not Meyer. A contraction that is written without its apostrophe, or with it
in another place, denies as much as the right one: "havnt", "is'nt".
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cached_property
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from triplewise.kg.stop_words import COMMON_WORDS, STOP_WORDS
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Word, singulars, words_in
from triplewise.tools.text.first_names import MEN, WOMEN
from triplewise.tools.text.spelling.english import ENGLISH, often_misspelt

_SHORTEST, _LONG = 5, 9
"""Letters from which on one error is put right, and from which on two are."""
_PART = 3
"""Letters that a part of a word has at least which is written as two."""
_VERBS = {"hav": "have", "dos": "does", "wer": "were", "can": "ca", "wuld": "would", "shoud": "should", "coud": "could"}
"""Auxiliary verbs as they are misspelt in contractions → as they are written there."""
_CONTRACTED = re.compile(
    rf"\b(?:(?P<misspelt>{'|'.join(_VERBS)})(?:['’]?nt|n['’]t)"
    r"|(?P<verb>do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should|must|need)['’]?nt)\b",
    re.I,
)
_WHERE = re.compile(r"\b(w)ere(?=\s+(?:is|are|was|did|do|does|can|has|have)\b)", re.I)
"""No verb follows another: "were did we stay?" """
_THEY_ARE = re.compile(r"\b(?:there|their|theyre|thier)(?= both\b)", re.I)
_ALONE = re.compile(r"(?<![\w'’@./-])[A-Za-z]+(?!['’@-]|[./]\w)")
"""A word that is no part of another, of a code or of an address."""


def _contraction(found: re.Match[str]) -> str:
    return f"{found['verb'] or _VERBS[found['misspelt'].lower()]}n't"


class Spelling:
    """The spelling of one graph's names; ``language``: words of the language, which are no misspellings."""

    def __init__(self, known: KnownWords, language: Container[str]) -> None:
        self.names, self.known, self.language = known.names, known, language

    def corrected(self, text: str) -> str:
        """A sentence with its misspelt names, contractions and words of the language put right."""
        text = _CONTRACTED.sub(lambda m: m[0] if m[0].lower() in self.known.words else _contraction(m), text)
        text = self._joined(_WHERE.sub(r"\g<1>here", _THEY_ARE.sub("they're", text)))
        for word in reversed(words_in(text)):
            said = text[word.start : word.end]
            if said.islower() and (meant := self._meant(word) or self._in_english(text, word)):
                text = f"{text[: word.start]}{meant}{text[word.end :]}"
            elif not word.start and said.istitle() and (meant := self._in_english(text, word)):
                text = f"{meant[0].upper()}{meant[1:]}{text[word.end :]}"
        return text

    def _joined(self, text: str) -> str:
        """A sentence with one word where it writes two of what the graph has as one: "data set", "time-table"."""
        words = words_in(text)
        for first, second in reversed(list(pairwise(words))):
            gap, whole = text[first.end : second.start], first.text + second.text
            parts = (first.text, second.text)
            if gap not in (" ", "-") or not all(len(p) >= _PART and p.isalpha() and p not in STOP_WORDS for p in parts):
                continue
            known = any(form in self.known.words for form in (whole, *singulars(whole)))
            if known and not all(part in self.known.words for part in parts):
                text = f"{text[: first.end]}{text[second.start :]}"
        return text

    def _in_english(self, text: str, word: Word) -> str:
        """The word of the language that a word of a text is a misspelling of; "" where the graph or the encoder knows
        it, or it is a part of something: "o'lery", "x-ray", an address."""
        said = word.text
        alone = _ALONE.match(text, word.start)
        if not alone or alone.end() != word.end or any(f in self.known.words for f in (said, *singulars(said))):
            return ""
        if (meant := often_misspelt(said)) or said in self.language or not text[word.start].islower():
            return meant  # a capitalised one may be a name that the graph lacks
        return ENGLISH.meant(said, self.known.words)

    def _meant(self, word: Word) -> str:
        """The one name that a word is a misspelling of; "" where there is none, or another of the graph's words is as
        near. Its first and last letters are right: "toasted" is no "toaster"."""
        said = word.text
        if len(said) < _SHORTEST or not said.isalpha() or said in STOP_WORDS or said in COMMON_WORDS:
            return ""
        if any(form in self.language or form in self.known.words for form in (said, *singulars(said))):
            return ""
        errors = 1 if len(said) < _LONG else 2
        near = process.extract(said, self._choices, scorer=OSA.distance, score_cutoff=errors, limit=None)
        least = min((distance for _, distance, _ in near), default=0)
        found = [name for name, distance, _ in near if distance == least]
        alike = len(found) == 1 and found[0][0] == said[0] and found[0][-1] == said[-1]
        return found[0] if alike and found[0] in self._whole else ""

    @cached_property
    def _whole(self) -> set[str]:
        """The names of one word, and the first names of persons."""
        single = {name.words[0] for name in self.names.names if len(name.words) == 1}
        return single | {name.words[0] for name in self.names.names if name.words and name.words[0] in WOMEN | MEN}

    @cached_property
    def _choices(self) -> list[str]:
        return [word for word in self.known.words if len(word) >= _SHORTEST - 1]
