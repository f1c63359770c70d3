"""Comparisons that lack their verb: "Tess older than Mabel?" claims that Tess is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.agents.assistant.references import find_references
from triplewise.tools.text.verb_forms import is_adjective

_COMPARES = re.compile(
    r"(?P<subject>[^,;:?!]+?) (?P<said>(?P<is>(?:(?:a lot|a bit|much|even|far|slightly|\d+ \w+) )?"
    r"(?:(?!other\b)\w{3,}er|(?:more|less) (?P<adjective>[\w-]+)) than|as [\w-]+ as)|"
    r"(?:more|less|fewer)(?: [\w-]+)* than|the same(?: [\w-]+)+ as) (?P<other>[^,;:?!]+?)(?P<end>\s*[?.!]*)",
    re.I,
)
_HAS_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|will|would|must|should|may|might|cannot|"
    r"who|whom|whose|what|which|when|where|why|how|any|all|every|each|list|show|name|give)\b|['’](?:s|re|d|ve|ll)\b|"
    r"n['’]t\b",
    re.I,
)
_ARTICLE = re.compile(r"^(?:the|our|my) ", re.I)
_OTHER = re.compile(r"him|her|it|that|this|them|(?:the|that) (?:other|one)(?: one)?", re.I)


def with_verb(sentence: str, names: Sequence[str] | None = None) -> str:
    """A comparison of two things with the verb that it lacks: "Tess is older than Mabel?"; other sentences stay as they
    are. ``names``: the things that a sentence names, where it is not known to be a claim: "vans cheaper than 50?" asks
    which are."""
    found = _COMPARES.fullmatch(find_references(sentence).bare.strip())
    if found is None or _HAS_VERB.search(f"{found['subject']} {found['other']}"):
        return sentence
    if names is not None:
        ends = {name.casefold() for name in names}
        subject, other = (_ARTICLE.sub("", found[end]).casefold() for end in ("subject", "other"))
        if subject not in ends or not (other in ends or _OTHER.fullmatch(other)):
            return sentence
    described = found["is"] and (not found["adjective"] or is_adjective(found["adjective"]))
    return f"{found['subject']} {'is' if described else 'has'} {found['said']} {found['other']}{found['end']}"
