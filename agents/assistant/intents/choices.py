"""Which of the offered things a reply means: "the second", "the harbour one", "not the book", "the one who sings"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain, islice

from triplewise.agents.assistant.events import Option
from triplewise.agents.assistant.intents.told_apart import by_age
from triplewise.agents.assistant.namesakes import best_fit
from triplewise.backends.encoders.mini_bert import MiniBert
from triplewise.kg.base import KGStore
from triplewise.kg.names import fold
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.ranker import WEIGHTS

_TURNED_AWAY = re.compile(r"\bnot\b(?P<what>(?:(?!\bbut\b)[^,.;!?])*)(?:but\b)?", re.I)
"""What is not meant: "not the book", "the reader, not the colleague", "not the cook but the nurse"."""
_POINTS = re.compile(
    r"^(?:\W*(?:oh|ah|no|sorry|ok|okay|well|i mean|i meant)\b\W*)*(?:the|that|this|those|my|our|one)\b", re.I
)
"""A reply that points to one of several: "oh, the one with the sheep"."""
_FIRST = re.compile(
    r"(?:\W*(?:oh|ah|no|sorry|ok|okay|well|i mean|i meant)\b\W*)*(?:the|that) (?!other\b)"
    r"(?P<words>[\w'’-]+(?: [\w'’-]+){0,2}?)(?: one)?"
    r"(?:\W*$|[,:;]\s+(?:and )?(?:who|what|when|where|which|how|is|does|did)\b)",
    re.I,
)
"""A description, and no more or what is asked of it."""
_STATES = re.compile(
    r"^(?!.*\b(?:who|which|that|where|whose|when)\b).*\b(?:is|are|was|were|has|have|will|would)\b", re.I | re.S
)
"""A statement, which is no reply: "the weather is nice"."""
_FACTS = 40
"""Triples of each side of a thing that a reply is compared with."""
_LEAD = 0.5
"""The lead of the nearest over the next from which on it is meant."""


def choose(
    kg: KGStore, text: str, found: Sequence[Option], by_date: Callable[[Sequence[str]], list[str]]
) -> Option | None:
    """The option that a reply means: its id, its number, its label, words that only it and its triples hold, or what
    the encoder finds nearest among what is told of each; None where the reply tells none. ``by_date``: things by their
    dates, for "the old one"."""
    said = text.strip().strip(".!")
    for option in found:
        if said == option.id or fold(said) == fold(option.label):
            return option
    if said.isdigit() and 1 <= int(said) <= len(found):
        return found[int(said) - 1]
    words = {w.text for w in words_in(text)}
    ordinal = {"first": 0, "second": 1, "third": 2, "last": -1, "former": 0, "latter": -1}
    picked = [ordinal[w] for w in words if w in ordinal]
    if picked and len(words) <= 4:
        return found[picked[0]] if -1 <= picked[0] < len(found) else None
    nodes = [option.id for option in found]
    node = _described(kg, nodes, text, by_date) or _meant(kg, nodes, text)
    return next((option for option in found if option.id == node), None)


def _described(kg: KGStore, nodes: Sequence[str], text: str, by_date: Callable[[Sequence[str]], list[str]]) -> str:
    """The one that a description tells, whatever is asked of it next: "the old one, when did he get the pub?" """
    said = _FIRST.match(text)
    return (by_age(kg, nodes, said["words"], by_date) or best_fit(kg, nodes, said["words"])) if said else ""


def _meant(kg: KGStore, nodes: Sequence[str], text: str) -> str:
    away = " ".join(match["what"] for match in _TURNED_AWAY.finditer(text))
    kept = _TURNED_AWAY.sub(" ", text)
    if away and len(nodes) > 1 and (other := best_fit(kg, nodes, away)):
        nodes = [node for node in nodes if node != other]
        if len(nodes) == 1:
            return nodes[0]
    if node := best_fit(kg, nodes, kept):
        return node
    if not _POINTS.search(kept) or _STATES.search(kept):
        return ""
    return nearest(kg, nodes, re.split(r"[.?!]", kept.strip(" ,.!"), maxsplit=1)[0])


def nearest(kg: KGStore, nodes: Sequence[str], text: str) -> str:
    """The thing of which something is told that is clearly nearer to a text than anything told of the others; what is
    told of all of them is left out. "" where none is."""
    if not text:
        return ""
    bert = MiniBert.load(WEIGHTS)
    told = [_told(kg, node) for node in nodes]
    common = set.intersection(*map(set, told))
    texts = [[t for t in one if t not in common] for one in told]
    if not all(texts):
        return ""
    sentence = bert.read([text])
    best = [float(bert.score(sentence, one).max()) for one in texts]
    first, second = sorted(best, reverse=True)[:2]
    return nodes[best.index(first)] if first - second >= _LEAD else ""


def _told(kg: KGStore, node: str) -> list[str]:
    """The names and kinds of a thing, and its triples in words."""
    names = [kg.label(node), *kg.aliases(node), *(kg.label(kind) for kind in kg.types(node))]
    own = (f"{kg.relation_label(t.relation)} {kg.label(t.tail)}" for t in kg.triples(node, None, None))
    others = (f"{kg.label(t.head)} {kg.relation_label(t.relation)}" for t in kg.triples(None, None, node))
    return [*names, *chain(islice(own, _FACTS), islice(others, _FACTS))]
