"""What kind of sentence a turn is, told by its words: one that asks for something, or one that states something."""

from __future__ import annotations

import re

from triplewise.agents.assistant.references import find_references
from triplewise.kg.names import fold
from triplewise.tools.text.spelling.english import often_misspelt

WH = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|name (?:the|all|every|a|one|some)|"
    r"give me|any|(?:who|wh?at|wh?en|where|how)s)\b|"
    r"(?:^\W*|\b(?:please|you|and|then|just|now|also|to|me|so|ok|okay)\W+|[,;:.!?–—]\s+)(?:list|show|count)\b|"
    r"\b(?:can|could|may|might) (?:i|we) (?:have|see|know|ask)\b|"
    r"\b(?:would|do|might) you (?:(?:happen to|also|perhaps|possibly|by any chance) )*have "
    r"(?:his|her|their|its|the|an?)\b(?=.*\b(?:address|number|e-?mail|name|phone)\b)|"
    r"\b(?:can|could|would|will) you (?:tell|give|show|name|list|say)\b|\btell me\b|"
    r"\bi(?:['’]m| am) (?:looking|after|trying to (?:find|see|remember))\b|"
    r"\bi(?:'d| would) like to know\b|(?<!all )\bi need\b|\bi want\b|\bany(?:thing|one|body|where)\b|"
    r"\bsome(?:one|body|where)\b|"
    r"\b(?:is|are|was|were) there (?:a|an|any|some)\b|\bi me(?:an|ant)\b|\b(?:is|are|was|were|until|of|by|from)\s*\?$|"
    r"\b(?:has|have|had|does|do|did) (?:he|she|it|they|we|you) (?:got |have )(?:a|an|some|students|children|kids)\b",
    re.I,
)
YES_NO = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|must|should|may|isn['’]?t|"
    r"aren['’]?t|wasn['’]?t|"
    r"weren['’]?t|doesn['’]?t|didn['’]?t|hasn['’]?t|haven['’]?t|surely|so)\b",
    re.I,
)


def opens_wh(sentence: str) -> bool:
    first = find_references(sentence).bare.split(" ", 1)[0].lower()
    return bool(WH.search(sentence) or WH.fullmatch(often_misspelt(first)))


def declares(sentence: str) -> bool:
    """Whether a sentence states something: it has a subject and a verb and no question word."""
    words = fold(sentence).split()
    verb = re.search(
        r"\b(?:(?:is|are|was|were|has|had|have|does|did|do|must|can|could|will|would|may)(?:n['’]t)?|belongs?|took|"
        r"started|won|got|sits?|goes|"
        r"went|lives?|works?|trained|knows|used|sent|send|written|carries)\b|\b(?:he|she|it|that|there|"
        r"they|we|you|one|this|who)"
        r"['’](?:s|re|d|ve|ll)\b(?!\W*$)|^(?:so |and |then |but )*(?:\w+er|more|less|fewer|above|below|under|"
        r"over|same)\b.*\b(?:than|as)\b|"
        r"^so (?:above|below|under|over|before|after|\w+er)\b",
        sentence,
        re.I,
    )  # fmt: skip
    stated = bool(verb) and (verb.start() > 0 or not verb.group().isalpha() or not sentence.rstrip().endswith("?"))
    return stated and len(words) > 2 and not opens_wh(sentence)
