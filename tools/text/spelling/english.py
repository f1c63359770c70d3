"""Misspelt words of the language put right: "wich lesons", "the oldist camra", "who proccessed it".

The encoder knows few misspellings, and what the rules look for ("how many", "oldest") is none of them. What is a word
is told by pyspellchecker's dictionary of 160,000 English words with how often each is met.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Container
from functools import cached_property, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

_OFTEN = {
    "wich": "which", "witch": "which", "whitch": "which", "wat": "what", "wot": "what", "wut": "what", "wats": "what's",
    "wots": "what's", "whats": "what's", "hoo": "who", "whos": "who's", "wen": "when", "whens": "when's",
    "wher": "where", "wheres": "where's", "hows": "how's", "teh": "the", "hte": "the",
    "taht": "that", "thier": "their", "ther": "there", "hwo": "how", "hav": "have", "wer": "were",
    "meny": "many", "menny": "many", "manny": "many", "alot": "a lot", "becos": "because", "cuz": "because",
    "thats": "that's", "theres": "there's", "theyre": "they're", "weve": "we've", "youve": "you've",
    "theyve": "they've", "ive": "i've", "u": "you", "ur": "your", "pls": "please",
    "plz": "please", "fone": "phone", "mutch": "much", "els": "else", "ppl": "people", "tho": "though",
    "thru": "through", "nr": "number", "atm": "at the moment",
}  # fmt: skip
"""Misspellings of short words that carry a question; a distance cannot tell them from other words."""
_NEWER = frozenset(
    ("admin", "api", "app", "apps", "backend", "config", "dev", "devs", "distro", "frontend", "login", "repo", "repos",
     "smth", "wifi")
)  # fmt: skip
"""Words that are newer than the dictionary, or that it does not count as such."""
_SHORTEST, _LONG = 4, 6
"""Letters from which on one error is put right, and from which on two are."""
_USUAL = {4: 50_000, 5: 2_000}
"""Letters of a misspelling → how often, among 1.6 thousand million words, what is meant by it is met at least."""
_RARE = 400
_SOUND, _IN_GRAPH, _ERROR = 3.0, 4.0, 5.0
"""What it is worth that a word sounds like the misspelling, that the graph has it, and what each error costs, beside
the logarithm of how often a word is met."""
_SOUNDS = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("^kn", "n"), ("^wr", "r"), ("ph", "f"), ("wh", "w"), ("gh", ""), ("tch", "ch"), ("qu", "kw"), ("x", "ks"),
        ("dg(?=[eiy])", "j"), ("g(?=[eiy])", "j"), ("sc(?=[eiy])", "s"), ("c(?=[eiy])", "s"), ("ck|c(?!h)", "k"),
        ("z", "s"),
        (r"(.)\1+", r"\1"), ("(?<!^)[aeiouy]+", ""), ("^[aeiouy]+", "a"),
    )
]  # fmt: skip


@lru_cache(maxsize=4096)
def sound(word: str) -> str:
    """The consonants that a word is spoken with, roughly: "which" and "wich" are both "wch"."""
    for pattern, spoken in _SOUNDS:
        word = pattern.sub(spoken, word)
    return word


def often_misspelt(said: str) -> str:
    """The word that carries a question and is often misspelt so; "" where it is none."""
    return _OFTEN.get(said, "")


class English:
    """The words of the language and what misspellings of them mean; read when the first strange word is met."""

    @cached_property
    def frequency(self) -> dict[str, int]:
        """Word → how often it is met."""
        from spellchecker import SpellChecker  # heavy: 0.1 s

        return dict(SpellChecker("en").word_frequency.dictionary)

    @cached_property
    def _usual(self) -> list[str]:
        """What a misspelling may mean."""
        return [word for word, n in self.frequency.items() if n >= _RARE and word.isalpha()]

    def _is_word(self, said: str, known: Container[str]) -> bool:
        """Whether the dictionary has a word as it is, without the "s" of "marys", or in American spelling."""
        forms = [said, said.replace("our", "or"), said.replace("is", "iz"), said.replace("ys", "yz")]
        forms += [form[:-1] for form in (said, said.removesuffix("d")) if form.endswith("s")]
        return said in _NEWER or any(form in self.frequency or form in known for form in forms)

    def meant(self, said: str, known: Collection[str]) -> str:
        """The word that a lower-case word is a misspelling of; "" where it is a word, or nothing usual is near.

        ``known``: the graph's words, which are likelier meant than others. Where one that the dictionary lacks is, a
        name, the word stays: linking meets names that are misspelt.
        """
        if len(said) < _SHORTEST or self._is_word(said, known):
            return ""
        errors = 1 if len(said) < _LONG else 2
        best, found = 0.0, ""
        for choices in (self._usual, known):
            near = process.extract(said, choices, scorer=OSA.distance, score_cutoff=errors, limit=None)
            for word, distance, _ in near:
                if (score := self._likely(said, word, int(distance), known)) > best:
                    best, found = score, word
        return found if found in self.frequency else ""

    def _likely(self, said: str, word: str, errors: int, known: Collection[str]) -> float:
        """How likely a word is meant; 0 where it is not."""
        alike, often = sound(word) == sound(said), self.frequency.get(word, _RARE)
        ended = len(word) != len(said) or word[-1] == said[-1]  # "notifier" is not "notified"
        if word[0] != said[0] or not (alike or ended):
            return 0.0
        if not (alike or word in known or (errors == 1 and len(said) > _SHORTEST)):
            return 0.0
        if often < _USUAL.get(len(said), _RARE) and word not in known and not (alike and len(said) > _SHORTEST):
            return 0.0
        return math.log(often) + _SOUND * alike + _IN_GRAPH * (word in known) - _ERROR * errors


ENGLISH = English()
