"""Claims that somebody is somebody's sister or brother, which a graph may tell from either end: "Mona is Sami's sister"
is what "Mona — sister of → Sami" says, and, as Mona is a woman's name, what "Sami — brother of → Mona" does."""

from __future__ import annotations

import re

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.linking.mentions import folded_words, words_in
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.first_names import MEN, WOMEN

_SEX = {"sister": WOMEN, "brother": MEN}
_IS = re.compile(r"(?:['’]s|\s+(?:is|was)(?:n['’]?t| not)?)\s+(?:(?:the|also|really)\s+)*$", re.I)
_WHOSE = re.compile(
    r"^(?:['’]s?|s)?\s+(?:(?:big|little|older|younger|twin|half|only)[\s-]+)*(?P<noun>sister|brother)\W*$", re.I
)


def of_siblings(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts of such a claim by which the one that is said to be a sister is one: by the relation's first end, or
    by its other, where that alone is told and her first name is a woman's. All drafts of any other claim."""
    words, text = words_in(sentence.text), sentence.text
    named = [(i, x) for i, x in enumerate(sentence.links) if x.first >= 0 and not x.is_value]
    found = [(i, x, m) for i, x in named if (m := _WHOSE.match(text[words[x.last].end :]))]
    for whose, link, said in found:
        for who, other in named:
            between = text[words[other.last].end : words[link.first].start]
            if other.overlaps(link) or not _IS.fullmatch(between):
                continue
            noun = said["noun"].lower()
            one, two = sentence.links[who].node, sentence.links[whose].node
            right = [d for d in drafts if _says(schema, d, (noun,), one, two)]
            turned = [d for d in drafts if _says(schema, d, tuple(_SEX), two, one)]
            first = next(iter(folded_words(schema.label(one))), "")
            if any(d.answers for d in turned) and not any(d.answers for d in right) and first in _SEX[noun]:
                return [d for d in turned if d.answers]
            if right:
                return right
    return drafts


def _says(schema: SchemaView, draft: Draft, nouns: tuple[str, ...], one: str, two: str) -> bool:
    """Whether a draft says no more than that the one is such a sibling of the other."""
    if len(draft.rows) != 1 or draft.filters or draft.minus or draft.compare:
        return False
    [(head, relation, tail)] = draft.rows
    name = re.sub(r"^(?:is|has|was)\s+|\s+(?:is|name)$", "", schema.words(relation).lower())
    ends = {f"{noun} of": (one, two) for noun in nouns} | {noun: (two, one) for noun in nouns}
    return ends.get(name) == (head, tail)
