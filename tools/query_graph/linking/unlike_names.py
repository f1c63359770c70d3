"""Names that differ from a thing's in one word: who asks for Spanish Conversation does not mean Polish Conversation.

A part of a name finds its thing, so that "the Polish class" may be meant. Where another word stands in place of the
rest, and is written as a name's, the sentence names something else, which the graph lacks. So it does by a number that
none has: TC-3 where there are TC-1 and TC-2.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from rapidfuzz import fuzz

from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Link, Word, folded_words, is_form_of, words_in

_ALIKE = 70
"""Likeness in letters from which on a word is another, misspelt: "Ladys" for "Ladies"."""
_NAME = re.compile(r"[A-Z\d]")


def unlike_names(text: str, words: KnownWords) -> dict[str, str]:
    """Things of which a sentence says a part of the name, and another name's word for the rest → the name it says."""
    unknown = list(words.unknown_numbers(text))
    strange = {} if text.isupper() else words.strangers(text)
    if not (strange or unknown):
        return {}
    spoken = words_in(text)
    found: dict[str, str] = {}
    for link in words.names.link(text):
        if link.first < 0:
            continue
        start, end = spoken[link.first].start, spoken[link.last].end
        other = next((text[a:b] for a, b in unknown if start < b and a < end), "")
        if name := other or _other_name(text, link, spoken, strange):
            found[link.node] = name
    return found


def _other_name(text: str, link: Link, spoken: Sequence[Word], strange: Container[int]) -> str:
    """The name that stands where a link is, if it is of as many words and one of them is strange; else ""."""
    name = folded_words(link.name)
    for first in range(max(0, link.first - len(name) + 1), link.first + 1):
        there = spoken[first : first + len(name)]
        if len(there) < len(name):
            break
        unlike = [
            first + k for k, (one, word) in enumerate(zip(name, there, strict=True)) if not _alike(one, word.text)
        ]
        others = [w for k, w in enumerate(there, first) if k not in unlike and w.text not in STOP_WORDS]
        named = all(_NAME.match(text[w.start]) for w in others)
        if len(unlike) == 1 and unlike[0] in strange and others and named:
            return text[there[0].start : there[-1].end]
    return ""


def _alike(name: str, said: str) -> bool:
    return is_form_of(name, said) or fuzz.ratio(name, said) >= _ALIKE
