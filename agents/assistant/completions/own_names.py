"""A name for "he" that the sentence itself gives, in the clause before."""

from __future__ import annotations

import re

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.references import find_references, replace_pronouns
from triplewise.tools.text.verb_forms import is_auxiliary

_NEXT_CLAUSE = re.compile(r"[,;:–—]\s+(?:(?:and|but|so|because|since|as)\s+)?|\s(?:and|but|so|because|since)\s", re.I)


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
            return f"{bare[: end.end()]}{replace_pronouns(after, name)}"
    return bare
