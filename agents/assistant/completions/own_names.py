"""Names that the sentence itself gives: for "he", in the clause before; for "the young Joe", by the age."""

from __future__ import annotations

import re

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.intents.told_apart import by_age
from triplewise.agents.assistant.references import find_references, replace_pronouns
from triplewise.tools.text.verb_forms import is_auxiliary

_NEXT_CLAUSE = re.compile(r"[,;:–—]\s+(?:(?:and|but|so|because|since|as)\s+)?|\s(?:and|but|so|because|since)\s", re.I)

_OF_SPEAKER = re.compile(
    r"(?:(?:so|well|and|right|ok|okay|now)\W+)*(?:(?:i|we)\b|(?:just )?(?:had|got|met|saw|spoke|ran|bumped)\b)", re.I
)
"""Tells how somebody came to be spoken of: "I had Ann on the phone, what has she bought?" asks nothing of a phone."""
_ASKED = re.compile(
    r".*[,;:–—]\s+(?:(?:and|but|so)\s+)?(?P<asked>(?:who|whom|whose|what|which|where|when|how)\b.*)", re.I
)
_AGED = re.compile(
    r"\b(?:(?:the|that) )?(?P<age>old|older|elder|young|younger) "
    r"(?P<name>[^\W\d_][\w’-]*(?: (?-i:[A-ZÀ-ÞŁŠŽ])[\w’-]*)*)(?![\w’-])",
    re.I,
)


def with_aged_names(things: Things, bare: str) -> str:
    """The sentence with the whole name of the one of several bearers that is told by its age: "the young Joe"."""

    def put(match: re.Match[str]) -> str:
        bearers = [*dict.fromkeys(x.node for x in things.names.link(match["name"]) if not x.is_value)]
        so_called = any(x.first == 0 for x in things.links(f"{match['age']} {match['name']}"))
        if so_called or len(bearers) < 2:
            return match.group()
        node = by_age(things.kg, bearers, match["age"], things.by_date)
        return (things.name(node) if node else "") or match.group()

    return _AGED.sub(put, bare)


def with_own_names(things: Things, bare: str) -> str:
    """The sentence with a name for "he" in a clause of its own after the clause that names him: "Tom has it, he works
    there", whoever was spoken of before."""
    for end in _NEXT_CLAUSE.finditer(bare):
        before, after = bare[: end.start()], bare[end.end() :]
        word = next(iter(find_references(after).words), "")
        links = things.links(before)
        said = any(is_auxiliary(w) for w in before.lower().split()) or not things.only_names(before, links)
        sure = all(x.node == y.node or not x.overlaps(y) for x in links for y in links)  # no name of two
        if word not in ("he", "she") or not said or not sure:
            continue
        meant = [n for n in things.people([*dict.fromkeys(x.node for x in links)]) if things.may_be(word, n)]
        if len(meant) == 1 and (name := things.name(meant[0])):
            whole = f"{bare[: end.end()]}{replace_pronouns(after, name)}"
            asked = _ASKED.match(whole) if _OF_SPEAKER.match(bare) else None
            return asked["asked"] if asked and name in asked["asked"] else whole
    return bare
