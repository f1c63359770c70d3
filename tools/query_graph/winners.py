"""Words for the first and the last place among others: who won came first, and the runner-up came second.

Only a graph that tells places and no winners is asked by these; who won a prize may have come third.
"""

from __future__ import annotations

import re

from triplewise.tools.query_graph.linking.value_mentions import ValueMention

WINNING = frozenset(("win", "wins", "won", "winner", "winners", "winning", "victor", "victors", "victory", "victories"))
"""Words of relations that tell winners themselves."""
PLACING = frozenset(
    ("place", "places", "placed", "placing", "position", "pos", "finish", "finished", "rank", "ranking", "standing")
)
"""Words of relations whose numbers are places in a contest, and no tracks of a record."""
_WON = re.compile(
    r"\b(?:wins?|won(?!['’]?t\b)|winners?|winning|victors?|victory|victories|(?P<second>runners?[\s-]?up))\b", re.I
)
_PRIZE = re.compile(
    r"\b(?:prizes?|awards?|medals?|rosettes?|ribbons?|troph(?:y|ies)|titles?|money|points?|gold|silver|bronze|seats?)\b",
    re.I,
)
_LAST = re.compile(
    r"\b(?:c[ao]m(?:e|es|ing)|finish(?:e[ds])?|end(?:s|ed)?(?:\s+up)?|(?:was\s+)?(?:placed|ranked)"
    r"|(?<=who\s)(?:was|is)|took|takes?)"
    r"\s+(?:(?:in|the)\s+)*(?:dead\s+|equal\s+|joint\s+)?last(?:\s+(?:place|position|rank))?\b"
    r"(?=\s*(?:$|[^\w\s]|(?:in|at|on|of|among|overall)\b))",
    re.I,
)


def find_winners(sentence: str) -> list[ValueMention]:
    """The places that words for winners tell, as numbers; none where a prize is won."""
    if _PRIZE.search(sentence):
        return []
    found = ((m, "2" if m["second"] else "1") for m in _WON.finditer(sentence))
    return [ValueMention("number", (n,), n, n, *m.span(), rank=True) for m, n in found]


def says_last(sentence: str) -> bool:
    """Whether the last place is spoken of: "came last", and not "was last seen"."""
    return bool(_LAST.search(sentence))


def with_last(sentence: str, place: str) -> str:
    """A sentence that says of the last place what it is, ``place``: the graph's word for it."""
    return _LAST.sub(f"took the last {place}", sentence)
