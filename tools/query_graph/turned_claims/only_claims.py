"""Claims of one thing only: "Only Ann sings" is read as "Ann sings" is; where that holds, nobody else may do so."""

from __future__ import annotations

import re
from typing import NamedTuple

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, without
from triplewise.tools.query_graph.linking.mentions import words_in

_ONLY = re.compile(
    r"(?<!not )(?<!n[’']t )(?<!the )\b(?:only|(?:nothing|no\s?body|no[\s-]one|nowhere)\s+(?:else\s+)?"
    r"(?:but|except(?:\s+for)?|other\s+than|apart\s+from|besides))\s+",
    re.I,
)
"""Who owns "nothing but" dogs owns only dogs."""
_IS = r"(?:is|was|are|were)"
_THE_ONLY = re.compile(
    rf"^(?:(?P<who>(?!the\s+only\b).+?)\s+{_IS}\s+|{_IS}\s+(?P<asked>.+?)\s+)the\s+only\s+(?P<kind>.+?)"
    r"(?:\s+(?:that|who|which)\s+(?P<what>.+))?$",
    re.I,
)
"""Boats that, who or which are the only ones that do something do it, and no others; so the only electric boat is."""
_IT_IS = re.compile(
    rf"^(?:and\s+|but\s+|so\s+)?the\s+only\s+(?P<kind>.+?)(?:\s+(?:that|who|which)\s+(?P<what>.+?))?\s+{_IS}\s+(?P<who>.+)$",
    re.I,
)
"""The same said the other way round: "the only electric boat is Dabchick"."""
_NO_OTHER = re.compile(
    r"^\W*(?:(?:so|and|but)\s+)*no(?:body|\s+one|thing|ne\s+of\s+(?:the|our|these|those)\s+[\w'’-]+|\s+(?!other\b)[\w'’-]+)"
    r"\s+(?:other\s+than|except(?:\s+for)?|apart\s+from|besides|but)\s+(?P<rest>.+)$",
    re.I,
)
"""None but one: "no boat other than Dabchick is electric"."""
_OPENS = re.compile(r"\W*(?:(?:so|and|but|(?:is|are|was|were|has|have|had|does|do|did))\s+)*", re.I)
_ARTICLES = frozenset(("the", "a", "an"))
_JOINING = frozenset(("and", "or", "the"))
_APART = 4
"""Words between "only" and what it singles out: "was only ever borrowed by Ann"."""


class OnlyClaim(NamedTuple):
    """A claim without its "only", and where that stood; ``leading``: at the beginning, right before a name."""

    bare: str
    at: int
    leading: bool


def only_claim(text: str) -> OnlyClaim | None:
    """The parts of a claim of one thing only; None for any other."""
    plain = text.strip().rstrip(".?! ")
    if match := _IT_IS.match(plain) or _THE_ONLY.match(plain):
        who, kind = match.groupdict().get("asked") or match["who"], match["kind"]
        article = "an" if kind[:1].lower() in "aeiou" else "a"
        return OnlyClaim(f"{who} {match['what'] or f'is {article} {kind}'}", 0, True)
    if match := _NO_OTHER.match(plain):
        return OnlyClaim(match["rest"], 0, True)
    match = _ONLY.search(text)
    if not match:
        return None
    leading = _OPENS.fullmatch(text[: match.start()]) is not None
    return OnlyClaim(text[: match.start()] + text[match.end() :], match.start(), leading)


def no_other(draft: Draft, sentence: Sentence, claim: OnlyClaim) -> Draft | None:
    """The claim that what a draft says of the thing behind "only" is so of nothing else; None where it has none."""
    if draft.form != "ask" or draft.denied or draft.minus or draft.compare:
        return None
    nodes = _singled_out(draft, sentence, claim)
    fresh = draft.next_variable

    def freed(end: End) -> End:
        return fresh if end in nodes else end

    rows = tuple(dict.fromkeys((freed(h), r, freed(t)) for h, r, t in draft.rows))
    if not nodes or len(rows) * len(nodes) != len(draft.rows) or fresh not in {e for h, _, t in rows for e in (h, t)}:
        return None
    return draft.but(rows=rows, filters=(*without(fresh, nodes), *draft.filters), denied=True, answers=frozenset())


def _singled_out(draft: Draft, sentence: Sentence, claim: OnlyClaim) -> frozenset[str]:
    """The things right behind "only" that a draft names: Ann, or Ann and Ben; none where a number stands there."""
    words = words_in(sentence.text)
    start = next((i for i, w in enumerate(words) if w.end > claim.at), len(words))
    used = sorted((sentence.links[i] for i in draft.links), key=lambda x: x.first)
    nodes: set[str] = set()
    for link in (x for x in used if x.first >= start):
        between = {w.text for w in words[start : link.first]}
        near = between <= (_JOINING if nodes else _ARTICLES) if nodes or claim.leading else len(between) <= _APART
        number = any(words[start].start <= v.start < words[link.first].start for v in sentence.values)
        if not near or number:
            break
        nodes.add(link.node)
        start = link.last + 1
    return frozenset(nodes)
