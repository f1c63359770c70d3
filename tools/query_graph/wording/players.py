"""Who plays what, where a graph tells instruments: "the drummer of the band" is who plays drums."""

from __future__ import annotations

import re
from functools import cached_property

from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import folded_words

_PLAYS = re.compile(r"(?:plays?|instruments?|plays? instruments?|instruments? played|played)", re.I)
_CALLED = {
    "drums": "drummer", "guitar": "guitarist", "bass": "bassist", "bass guitar": "bassist", "piano": "pianist",
    "keyboards": "keyboardist", "keyboard": "keyboardist", "vocals": "singer|vocalist", "voice": "singer|vocalist",
    "violin": "violinist", "fiddle": "fiddler", "cello": "cellist", "viola": "violist", "trumpet": "trumpeter",
    "saxophone": "saxophonist", "sax": "saxophonist", "trombone": "trombonist", "clarinet": "clarinettist|clarinetist",
    "flute": "flautist|flutist", "oboe": "oboist", "harp": "harpist", "organ": "organist", "accordion": "accordionist",
    "percussion": "percussionist", "double bass": "double bassist", "bagpipes": "piper", "lute": "lutenist",
    "harmonica": "harmonica player", "mandolin": "mandolinist", "tuba": "tubist", "bassoon": "bassoonist",
}  # fmt: skip
"""Instrument → what who plays it is called."""


class Players:
    """Who plays an instrument, in the words of one graph."""

    def __init__(self, words: KnownWords) -> None:
        self._words, self._schema = words, words.names.schema

    def in_words_of_relation(self, text: str) -> str:
        """A sentence with what somebody plays in the place of a noun for it that the graph lacks."""
        for noun, plays in self._told.items():
            text = re.sub(rf"\b(?:is|was|['’]s) an? {noun}\b", plays, text, flags=re.I)
            text = re.sub(rf"\b(?:an?|the|their|our) {noun}\b", f"the one who {plays}", text, flags=re.I)
            text = re.sub(rf"\b{noun}s\b", f"those who {plays}", text, flags=re.I)
        return text

    @cached_property
    def _told(self) -> dict[str, str]:
        """A noun, as a regular expression → "plays drums"."""
        schema = self._schema
        relations = [r for r in schema.relations if _PLAYS.fullmatch(schema.words(r))]
        if not relations:
            return {}
        played = {schema.label(t.tail).lower() for r in relations for t in schema.store.triples(relation=r)}
        words = schema.words(relations[0]).lower()
        said = words if words.startswith("play") else "plays"
        return {
            f"(?:{noun})": f"{said} {instrument}"
            for instrument, noun in _CALLED.items()
            if instrument in played
            and not any(w in self._words.words for n in noun.split("|") for w in folded_words(n)[-1:])
        }
