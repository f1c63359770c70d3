"""Whose a statement is, and whether it is one: "I heard that Ann left", "I wish that Ann had not left"."""

from __future__ import annotations

import re

_LEADS = (
    r"^\W*(?:(?:but|and|so|well|yes|yeah|now|also|then|actually|apparently|interestingly|in fact|"
    r"as far as i (?:know|remember))\b,? )*"
)
_OPINION = re.compile(
    rf"{_LEADS}(?:(?:i|we) (?:(?:also|really|do|still|always|have|once) )*"
    r"(?:think|thought|believe|believed|guess|suppose|reckon|assume|"
    r"heard|read|know|knew|remember|am (?:quite |pretty )?sure|was told|would say|bet)|"
    r"i['’](?:m (?:quite |pretty )?sure|d say|ve (?:heard|read))|(?:they|people|some) say|"
    r"(?:some(?:one|body)|they) (?:said|told me)|"
    r"it is said)(?: that)?,? "
    r"(?!(?:so|not|of|about|it|that)\b\W*$)",
    re.I,
)
_TAKEN_AS_KNOWN = re.compile(
    rf"{_LEADS}(?:(?:i|we) (?:(?:was|were)(?:n['’]t| not) aware|did(?:n['’]t| not) (?:know|realise|realize)|"
    r"had no idea|forgot|had forgotten|realised|realized|remembered|noticed|explained|emphasi[sz]ed|understand)"
    r"|did you know|have you (?:heard|read)) that ",
    re.I,
)
"""What follows is so for who says it: "I wasn't aware that Ann had a successor" denies nothing."""
_UNREAL = re.compile(rf"{_LEADS}(?:(?:i|we) wish(?:ed)?(?: that)?(?! (?:to|for|you)\b)|if only|i imagined that) ", re.I)
"""What follows is not so: who wishes that the house had a lift has none."""
_DENIAL = re.compile(
    r"\b(?:(?P<verb>is|are|was|were|does|do|did|has|have|had|can|could|would)(?:n['’]t|\s+not)|never)\b", re.I
)

_TAG = re.compile(
    r",\s*(?:(?:is|are|was|were|does|do|did|has|have|had|can|will|could|would)(?:n['’]t)?\s+"
    r"(?:he|she|it|they|there|you|we|that)|right|eh)\s*\?\s*$",
    re.I,
)
"""Asks whether it is so: "Priya isn't full time, is she?" denies nothing twice."""


def without_opinion(text: str) -> str:
    """A statement without what says whose it is: "I think that …", "I was told …"."""
    return _OPINION.sub("", text, count=1) or text


def as_told(text: str) -> str:
    """A claim as it is made: without its speaker's knowing of it, and of what somebody wishes, the opposite."""
    if wish := _UNREAL.match(text):
        said = text[wish.end() :]
        if denied := _DENIAL.search(said):
            return said[: denied.start()] + (denied["verb"] or "") + said[denied.end() :]
        return f"It is not so that {said}"
    text = _TAG.sub("", text)
    return _TAKEN_AS_KNOWN.sub("", without_opinion(text), count=1) or text
