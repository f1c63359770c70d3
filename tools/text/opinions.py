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
    r"(?:he|she|it|they|there|you|we|that)|right|eh)\s*\?\s*$"
    r"|,\s*(?:i['’]?m|i am) (?:(?:quite|pretty|fairly|almost) )?(?:sure|certain)(?: (?:of|about) (?:it|that))?[\s.!]*$",
    re.I,
)
"""Asks whether it is so: "Priya isn't full time, is she?" denies nothing twice."""


_CLEFT = re.compile(
    r"^(?P<lead>\W*(?:(?:so|and|but|well|yes|no|oh|ah|ok|okay)\b\W*)*)it (?:was|is) (?!(?:not|only|all|true|said)\b)"
    r"(?:(?P<who>(?!(?:who|what|when|where|how|that|because|(?:the|this|that) (?:one|person|man|woman|same))\b)"
    r"[^,;?!]{2,50}?) (?:who|that) "
    r"(?=(?:is|was|has|had|did|does|won|made|got|took|gave|let|put|led|ran|brought|bought|sold|taught|wrote|built|sent|"
    r"came|went|paid|found|kept|broke|lost|drove|flew|rode|wore|ate|drew|spoke|stole|threw|[a-z]{2,}(?:ed|s))\b)"
    r"|(?P<much>[£$€]?\d[\d.,]*(?: ?(?:euros?|pounds?|quid|dollars?|[£$€]))?) (?:that )?(?P<whom>he|she|they|we|i|you) "
    r"(?P<paid>paid|spent|gave|charged|got|raised|earned|owed|made|took)\b)",
    re.I,
)
"""What is put first to be stressed: "it was Lena who trained her", "it was £30 he paid for it"."""


def without_cleft(text: str) -> str:
    """A statement in its usual order: "Lena trained her", "he paid £30 for it"; others stay as they are."""

    def plain(found: re.Match[str]) -> str:
        if found["much"]:
            return f"{found['lead']}{found['whom']} {found['paid']} {found['much']}"
        return f"{found['lead']}{found['who']} "

    return _CLEFT.sub(plain, text, count=1)


def without_opinion(text: str) -> str:
    """A statement without what says whose it is: "I think that …", "I was told …"."""
    return _OPINION.sub("", text, count=1) or text


_ONE_OF = re.compile(
    r"(?<=\w )(?<!only )(?<!exactly )(?<!just )(?<!than )(?<!least )(?<!most )(?<!not )"
    r"one of (?=(?:our|my|your|their|his|her|its)\b)",
    re.I,
)


def as_told(text: str) -> str:
    """A claim as it is made: without its speaker's knowing of it, and of what somebody wishes, the opposite; whoever
    works for "one of our sponsors" works for some."""
    text = _ONE_OF.sub("some of ", text)
    if wish := _UNREAL.match(text):
        said = text[wish.end() :]
        if denied := _DENIAL.search(said):
            return said[: denied.start()] + (denied["verb"] or "") + said[denied.end() :]
        return f"It is not so that {said}"
    text = without_cleft(_TAG.sub("", text))
    return _TAKEN_AS_KNOWN.sub("", without_opinion(text), count=1) or text
