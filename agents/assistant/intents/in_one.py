"""Questions that first ask whether, and then more: "is that shared? with whom" asks with whom it is shared."""

from __future__ import annotations

import re

from triplewise.tools.text.plainer_questions import corrected

_WHETHER_THEN_WHO = re.compile(
    r"(?P<before>(?:.*[.!?]\s+)?(?:(?:and|so|but|ok(?:ay)?|oh|also)\W+)*)"
    r"(?P<verb>is|are|was|were|does|do|did|has|have|had|can|could|will|would)(?:n['’]?t)? (?P<rest>[^?.!]+?)\?+\s+"
    r"(?:(?:and|so|but) )?(?:(?P<by>with|for|by|to|from|on|in|at|of|about|since|until) )?"
    r"(?P<asked>who|whom|when|where|how (?:much|many|long|often)|what (?:year|day|date|month|time))"
    r"(?: (?P<end>with|for|by|to|from|last))?(?:,? (?:if so|then|exactly))?\W*",
    re.I | re.S,
)
_WHETHER_ANY = re.compile(
    r"(?P<whether>(?:.*[.!]\s+)?(?:(?:and|so|but|ok(?:ay)?|oh|also)\W+)*(?:(?:is|are|was|were) there (?:an?|any|some)|"
    r"(?:is|are|was|were|do|does|did|has|have|had) any)\b[^?.!]+)\?+\s+"
    r"(?:(?:and|if so),? )?(?:which|what)(?: ones?)?(?: (?:is|are|was|were) (?:it|they|that|those))?\W*",
    re.I | re.S,
)
"""Asks whether there is any and then which: "is there a prize without a winner? which"."""
_ONES_OF = re.compile(
    r"(?P<before>\W*(?:(?:ok(?:ay)?|right|so|and|now|then|well|oh|now for|back to|on ?to|as for)\b[\s,]*)*)"
    r"(?!who|what|which|how|of\b)(?:(?:the|my|our) )?(?P<kind>[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?s)[.:;]\s*"
    r"(?:so |and )?which ones?\b(?P<rest>.*)",
    re.I | re.S,
)
"""Names a kind before it asks which of it: "now wards. which ones are on the third floor?" """
_WHICH_IS_THAT = re.compile(
    r"(?P<what>(?:(?:and|so|but|ok(?:ay)?|oh|right)\W+)*(?:the|our|my) [^,.;?!]+?),? (?:which|who|what)(?: one)?"
    r" (?:is|was|would) (?:that|it|he|she)(?: be)?\W*",
    re.I,
)
"""Names by a description whom or what it asks for: "and the cheapest one, which is that?" """
_ON_IT = re.compile(r" (?:on|in|at|to|for|with) (?:it|them)(?=\W*$)", re.I)
_OF_KIND_WHICH = re.compile(
    r"(?P<before>\W*(?:(?:ok(?:ay)?|right|so|and|now|then|well|oh|back to|on ?to|as for)\b[\s,]*)*)(?:the|our|my) "
    r"(?P<kind>[^\W\d_][\w'’-]*s)[,:;–—-]+\s*(?:so |and )?which(?: ones?)? "
    r"(?P<rest>(?:is|was|has|had|have|are|were|got|costs?|takes?|holds?|came|did)\b.*)",
    re.I | re.S,
)
"""The same: "back to the motors, which has the most miles?" """
_ONE_OF_THEM = re.compile(
    r"(?P<before>\W*(?:(?:and|so|but|ok(?:ay)?|oh|right)\b\W*)*)one of (?P<them>them|those|these|the [^\W\d_]+s)"
    r"(?: (?=(?:is|was|has|had|does|did|must)))? (?P<what>[^?,;]+?),?"
    r"(?: (?:has|is|does|did|was)(?:n['’]?t)? (?:it|he|she),?)?"
    r"(?:\s*[?,;-]+\s*|\s+)(?:and )?which(?: one| of them)?(?: (?:is|was) (?:it|that))?\W*",
    re.I,
)
"""Says it of one of several and asks which: "one of them hasn't got a queen, has it, which one?" """
_SOMEBODY = re.compile(r"\b(?:some|any)(?:one|body) ?", re.I)


def in_one(text: str) -> str:
    """A turn with both of its questions in one, where the second is no more than a question word, or says "which ones"
    of the kind that was named."""
    text = corrected(text)
    if of_kind := _ONES_OF.fullmatch(text):
        return f"{of_kind['before']}which {of_kind['kind']}{of_kind['rest']}"
    if of_all := _OF_KIND_WHICH.fullmatch(text):
        return f"which of the {of_all['kind']} {_ON_IT.sub('', of_all['rest'])}"
    if one_of := _ONE_OF_THEM.fullmatch(text):
        return f"{one_of['before']}which of {one_of['them']} {one_of['what']}?"
    if described := _WHICH_IS_THAT.fullmatch(text):
        return f"{described['what']}?"
    if any_such := _WHETHER_ANY.fullmatch(text):
        return f"{any_such['whether']}?"
    said = _WHETHER_THEN_WHO.fullmatch(text)
    if said is None:
        return text
    rest = _SOMEBODY.sub("", said["rest"], count=1) if said["asked"].lower() in ("who", "whom") else said["rest"]
    words = (said["by"], said["asked"], said["verb"].lower(), rest.strip(), said["end"])
    return f"{said['before']}{' '.join(w for w in words if w)}?"
