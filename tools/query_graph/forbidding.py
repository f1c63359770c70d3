"""Verbs that say of a thing that it does not let something be: "bans dogs" is the opposite of "allows dogs"."""

from __future__ import annotations

import re
from collections.abc import Iterable

_VERBS = (
    r"(?:bans?|banned|banning|forbids?|forbade|forbidden|forbidding|prohibits?|prohibited|prohibiting|refuses?|refused|"
    r"refusing|excludes?|excluded|excluding|rejects?|rejected|rejecting|disallow(?:s|ed|ing)?|barred|outlaw(?:s|ed)?|"
    r"vetoe[sd]|turn(?:s|ed)?\s+away)"
)
_NOT = r"(?:\b(?:not|never|no\s+longer|nor)|n['’]?t)"
_FORBIDDING = re.compile(rf"(?P<denied>{_NOT}\s+(?:(?:be|been|being|yet|\w+ly)\s+)*)?\b{_VERBS}\b", re.I)
_ALLOWING = re.compile(
    r"\b(?:allow\w*|permit\w*|permission|accept\w*|welcom\w*|friendly|admit\w*|admission|tolerat\w*)\b", re.I
)
_MUST_NOT = re.compile(
    r"\b(?:can|could|must|may|should)"
    r"(?:(?:not|n?['’]?t| not| never)(?:\s+[\w'’-]+){0,3}?|(?:\s+[\w'’-]+){1,3}\s+not)\s+"
    r"(?:have|eat|drink|take|touch|wear|stand|do|end\s+up\s+(?:on|in)|be\s+(?:given|near|around)|"
    r"(?:go|get|come|work)\s+(?:anywhere\s+)?(?:near|close|with|around))\b"
    r"|\b(?:wo|do|does)n['’]?t\s+(?:eat|drink|touch|stand|like)\b"
    r"|\b(?:am|are|is)\s+(?:i|we|anyone)\s+not\s+to\s+(?:give|feed|offer|serve)\b"
    r"|\b(?:should|must|can|could)n['’]?t\s+(?:i|we|you|anyone)\s+(?:give|feed|offer|serve)\b",
    re.I,
)
_AVERSION = re.compile(
    r"\b(?:avoid\w*|allerg\w*|alrg|allg|intoleran\w*|sensitiv\w*|dislik\w*|contraindicat\w*|"
    r"(?:(?:can|could|must|may|should|does|do|will)\s?(?:not|never)|(?:ca|wo|do|does|must)n?['’]?t)\s+"
    r"(?:eat|have|drink|take|touch|wear|stand|like|do)\b)",
    re.I,
)

_MAY = re.compile(
    r"\b(?:can|could|may|(?:is|are|was|were|be) (?:able|allowed) to)(?!\s?(?:not|n?['’]?t|never)\b)"
    r"(?:\s+(?!not\b|never\b)[\w'’-]+){0,3}?\s+(?P<verb>have|eat|drink|take|touch|wear|stand)\b",
    re.I,
)


def forbids(text: str) -> bool:
    """Whether a sentence has a verb that forbids, and does not deny it: who "never refused" a dog let it in."""
    return any(not match["denied"] for match in _FORBIDDING.finditer(text))


def speaks_of_forbidding(text: str) -> bool:
    """Whether a sentence has a verb that forbids, be it denied or not."""
    return _FORBIDDING.search(text) is not None


def without_forbidding(text: str) -> str:
    """A sentence without its verbs that forbid and what denies them, so that what else it denies can be told."""
    return _FORBIDDING.sub(" ", text)


def allows(words: str) -> bool:
    """Whether a relation's words say that something is allowed."""
    return _ALLOWING.search(words) is not None


def must_not_have(text: str) -> bool:
    """Whether a sentence says of somebody what they cannot have: "families that can't have nuts"."""
    return _MUST_NOT.search(text) is not None


def may_have(text: str, relations: Iterable[str]) -> bool:
    """Whether a sentence says of somebody what they can have, "who can eat nuts?", over a graph whose relations, by
    their words, tell only what one cannot: where one is called "eats" that tells it."""
    found = None if must_not_have(text) else _MAY.search(text)
    if not found:
        return False
    told, words = re.compile(rf"(?:can )?{found['verb']}s?\b", re.I), list(relations)
    return any(map(is_aversion, words)) and not any(map(told.match, words))


def is_aversion(words: str) -> bool:
    """Whether a relation's words tell what somebody cannot have, so that saying so denies nothing of it."""
    return _AVERSION.search(words) is not None
