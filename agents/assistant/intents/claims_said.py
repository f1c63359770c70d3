"""What a turn claims, without the words that ask for its verification."""

from __future__ import annotations

import re

from triplewise.agents.assistant.intents.without_verb import with_verb
from triplewise.agents.assistant.references import find_references
from triplewise.tools.text.opinions import as_told
from triplewise.tools.text.plainer_questions import corrected
from triplewise.tools.text.yes_no import without_the_one_who

VERIFY = re.compile(
    r"^\W*(?:is it (?:true|right|correct|so) that|true or false|verify|check (?:that|whether|if))\b[:,]?\s*", re.I
)
TAG = re.compile(
    r"(?:,|\b)\s*(?:(?:am i )?right|correct|no|yes|innit|eh|isn['’]?t (?:he|she|it|that|there)|"
    r"(?:is|was|did|does|has) (?:he|she|it|that) not|(?:are|were|do|have) they not|aren['’]?t (?:they|there)|"
    r"(?:or )?(?:do|does|did|has|have|had|was|were|could|would|can|will)(?:n['’]?t)? (?:he|she|it|they|you)|"
    r"i (?:take it|suppose|think|guess|"
    r"hope|believe|imagine)|i['’]m (?:(?:quite|pretty|fairly|almost) )?(?:sure|certain)(?: (?:of|about) (?:it|that))?|"
    r"if (?:memory serves|i remember (?:right|correctly))|is (?:he|she|it|that))\s*[?.!]*\s*$",
    re.I,
)  # fmt: skip
_PARTICLE = re.compile(
    r"(?:,\s*|\b)(?<!even )(?<!since )(?<!until )(?<!till )(?<!by )(?<!before )(?<!back )"
    r"(?:ha(?:ha)*|lol|hehe|though|then|anyway|anyhow|after all|mind you|by the way)\s*[?.!]*\s*$",
    re.I,
)
"""What a speaker puts at the end of a claim that says nothing of it; "by then" tells a time."""
_POINTED = re.compile(
    r"\b(?:that|this)\b(?: is| was|['’]s)? the (?:(?P<woman>woman|lady|girl)|(?P<man>man|guy|boy)|one|person)\b", re.I
)
_OF_ME = re.compile(r"\?\s+(?:(?:because|as|since)\s+)?(?:i|we|my|our)(?:['’](?:m|d|ve|ll|re))?\b[^?]*$", re.I)
"""What a speaker tells of himself after the question: "Can under-16s come? I'd love to bring my lad." """
_LAST = re.compile(r"(?<=[a-z)!]\s)[^.!]+[.!?\s]*$|(?<=[.!]\s)[^.!]+[.!?\s]*$", re.I)
_NEGATED = re.compile(
    r"^(is|are|was|were|does|do|did|has|have|had|can|could|will|would|must|should)(?:n['’]?t)\b(?! it true)", re.I
)
"""How a question begins that expects a yes: "wasn't it lent to them?" claims that it was."""


def claim_of(text: str) -> str:
    """A claim without the words that ask for its verification: tags, "is it true that", leading "so", "wasn't"."""
    said = VERIFY.sub("", _OF_ME.sub("?", corrected(text)))
    plain = _LAST.sub(lambda m: as_told(m.group()), as_told(said), count=1)
    while (shorter := _PARTICLE.sub("", TAG.sub("", plain)).strip(" ,;–—-?")) and shorter != plain.strip(" ,;–—-?"):
        plain = shorter
    plain = _NEGATED.sub(r"\1", find_references(plain).bare.strip().rstrip("?").strip())
    done = without_the_one_who(plain)
    if done != plain and (who := _POINTED.search(plain)):  # "that's the woman who found it": she did
        word = "she" if who["woman"] else "he" if who["man"] else "that one"
        done = re.sub(r"^(?:that|this)\b", word, done, flags=re.I)
    return with_verb(re.sub(r"\?(?=\s)", ".", done)) or text
