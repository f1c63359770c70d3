"""Questions that are answered by yes or no, and the claim that each asks about."""

from __future__ import annotations

import re

LEAD_IN = r"^\W*(?:(?:and|so|but|then|hey|hi|hello|ok|okay|oh|well|please)\b\W*)*"
"""Words that may stand before a question and ask for nothing."""
_OPENS = re.compile(
    rf"{LEAD_IN}"
    r"(?P<verb>is|are|was|were|does|do|did|has|have|had)(?P<negated>n['’]?t)?\b(?!\s+(?:there|you|is|are|do|does|dose|did)\b)",
    re.I,
)
"""Not "is there a ferry", which asks for it, nor "were is", which is "where"."""
ASKS_MORE = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how|or)\b", re.I)


ONE_WHO = r"the (?:ones?|person|people|man|men|woman|women|guys?|lady|ladies|boys?|girls?) (?:who|that|which)"
"""Words between somebody and what they do that say no more than "does": "Is Lena the person who coaches Tom?" """
_THE_ONE_WHO = re.compile(
    rf"{LEAD_IN}"
    r"(?:(?:is|was|are|were)(?:n['’]?t)?\s+(?P<asked>[^,?]+?)|(?P<said>[^,?]+?)\s+(?:is|was|are|were))\s+"
    rf"{ONE_WHO}\s+"
    r"(?P<does>(?!(?:he|she|it|they|we|you|i|the|an?|his|her|their|my|our)\b|(?-i:[A-Z])).+)$",
    re.I,
)
"""Not "the one that Tom walks", where another does it."""


def without_the_one_who(text: str) -> str:
    """ "Is Lena the person who coaches Tom?" says no more than "Lena coaches Tom"; other sentences stay as they are."""
    found = _THE_ONE_WHO.match(text.strip())
    return f"{found['asked'] or found['said']} {found['does']}" if found else text


def asks_yes_or_no(text: str) -> bool:
    """Whether a question is answered by yes or no: "Does Lena live in Oslo?", and no "who" or "or" in it."""
    plain = without_the_one_who(text)
    return bool(_OPENS.match(text)) and not ASKS_MORE.search(plain)


def asks_openly(text: str) -> bool:
    """Whether a yes-or-no question lets one expect neither; "isn't she a musician?" puts up a claim for check."""
    return asks_yes_or_no(text) and not _OPENS.match(text)["negated"]  # pyright: ignore[reportOptionalSubscript]


_POSSIBLE = re.compile(
    rf"{LEAD_IN}"
    r"(?:(?:can|could|may|might|will|would|must|should|got)(?:n['’]?t)?|(?:is|are|was|were)(?:n['’]?t)?\s+there)\b",
    re.I,
)


def may_be_answered_yes(text: str) -> bool:
    """Whether a sentence has the form of a yes-or-no question, those for what is possible or at hand among them."""
    return asks_yes_or_no(text) or bool(_POSSIBLE.match(text) and not ASKS_MORE.search(text))


_ASKS_FOR = re.compile(
    rf"{LEAD_IN}(?:(?:by|in|at|from|with|for|to|on|of)\s+)?"
    r"(?:(?:who|whom|whose|what|which|how)\b|(?:when|where|why)\b.*\?\s*$)",
    re.I,
)
"""Without its question mark, "when the ship was built" may begin a statement."""


def asks_for_things(text: str) -> bool:
    """Whether a sentence asks who, what or how many, so that it can be neither true nor false."""
    return bool(_ASKS_FOR.match(text))


def claim_in(text: str) -> str:
    """What a yes-or-no question asks about; one that expects a yes ("isn't she a musician?") is not denied."""
    plain = without_the_one_who(text)
    return _OPENS.sub(lambda m: m["verb"], plain.strip().rstrip("?").rstrip())


_DENYING_VALUE = re.compile(
    r"\W*(?:(?:not|never|none|nothing|nobody|neither|nowhere|hardly|no(?!\.|\s*\d)|without|in vain|"
    r"fail(?:ed|s|ure)?|refused|rejected|declined|cancelled|canceled|un(?!ited\b)\w+ed|undone|unknown|unpaid|unsold)\b|"
    r"(?:is|was|has|had|did|does|do|are|were|could|can|would|will)(?:n['’]t| ?not)\b)",
    re.I,
)


def denies(value: str) -> bool:
    """Whether a value says that something is not so, or did not come about: "not fixed", "none", "unresolved"."""
    return bool(_DENYING_VALUE.match(value))
