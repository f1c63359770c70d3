"""Statements of all or of none of a kind: "All boats allow pets." "Nobody from Leeds took a course." They may hold
words that ask elsewhere ("any"), and verbs of any form."""

from __future__ import annotations

import re

from triplewise.tools.text.verb_forms import (
    PREPOSITIONS,
    is_adjective,
    is_intransitive,
    is_participle,
    is_past,
    is_plural,
    is_third_person,
)

_BEGINS = re.compile(
    r"\W*(?:(?:but|and|so|well|then)\b\W*)*(?:(?P<somebody>nobody|no[ -]one|nothing|everybody|everyone|everything)|"
    r"(?:(?P<all>all(?: of)?)|(?P<none>none of)|no|every(?: (?:single|one of))?|each(?: of)?)"
    r"(?: (?:the|our|my|your|their|these|those))?"
    r"(?= (?!(?:it|he|she|they|them|we|you|us|i|that|this|there|not|sorry|thanks|wait|idea|need)\b)(?-i:[a-z])))",
    re.I,
)
"""Its quantifier; "no" alone is an answer."""
_AUXILIARY = re.compile(
    r"(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|must|may|might|should)(?:n['’]?t)?|cannot"
)
_PEOPLE = re.compile(r"people|children|men|women|staff|crew|police|sheep|fish")
_RELATIVE = re.compile(r"who|that|which|where")
_DETERMINER = re.compile(r"the|an?|his|her|its|their|our|my|your|this|these|those")
_REQUEST = re.compile(r"\?\s*$|\bplease\b", re.I)
_SUBJECT = re.compile(r"he|she|it|they|we|you|i", re.I)
_ASKS = re.compile(r"what|how|why|when|whom|whose")
_NO_VERB = re.compile(
    r"the|an?|and|or|not|please|then|now|too|again|only|else|ones?|called|named|per|each|other|their|his|her|its|our|my|"
    r"\w+(?:er|est|ing|ly)|.*\d.*"
)
"""What may follow a noun and is no verb: "all boats cheaper than 100", "all boats called Anne"."""


def says_of_all(sentence: str) -> bool:
    """Whether a verb follows the quantified subject: in "all boats at the quay" none does, and "all boats hired in May"
    are asked for. What may be no verb is one in a whole sentence, with its full stop, after a name or before a
    plural."""
    begins = _BEGINS.match(sentence)
    if not begins or _REQUEST.search(sentence):
        return False
    words = sentence[begins.end() :].rstrip(" .!").split()
    whole = bool(begins["somebody"] or not begins["all"]) or sentence.rstrip().endswith((".", "!"))
    start = _after_noun(words, bool(begins["all"])) if not begins["somebody"] else 0
    many, one = bool(start) and _is_many(words[start - 1]), bool(begins["none"])
    relative, named = 0, False
    for i in range(start, len(words)):
        word, before, after = words[i], words[i - 1] if i else "", words[i + 1] if i + 1 < len(words) else ""
        if _ASKS.fullmatch(word) or before.endswith((",", ";", ":")):
            return False
        if _RELATIVE.fullmatch(word):
            relative += 1
        elif word[:1].isupper() or _SUBJECT.fullmatch(word):
            named = named or i == start  # "all boats Ann took"
        elif _inside(words[start:i]):
            continue
        elif before not in PREPOSITIONS and (
            _says(word, before, after, many=many, whole=whole) or (one and is_third_person(word))
        ):
            if not relative and not named:
                return True
            relative, named = max(0, relative - 1), False
    return False


def _inside(before: list[str]) -> bool:
    """Whether a word ends what began before it, and is no verb: "in the Hollindale area", "has edited"."""
    names = 0
    while names < len(before) and before[-1 - names][:1].isupper():
        names += 1
    opens = before[-1 - names].lower() if names < len(before) else ""
    return bool(_DETERMINER.fullmatch(opens) or (not names and _AUXILIARY.fullmatch(opens)))


def _after_noun(words: list[str], several: bool) -> int:
    """Where the noun of the subject ends: at the first plural, or where there is none, at the first word."""
    plurals = (i for i, word in enumerate(words[:4], 1) if _is_many(word))
    return next(plurals, len(words) if several else 1)


def _is_many(word: str) -> bool:
    return bool(_PEOPLE.fullmatch(word)) or (is_plural(word) and not _AUXILIARY.fullmatch(word))


def _says(word: str, before: str, after: str, *, many: bool, whole: bool) -> bool:
    """Whether a word is the verb of a subject; ``many``: of several things, so that it has no ending."""
    if _AUXILIARY.fullmatch(word):
        return True
    if is_past(word):
        transitive = is_participle(word) and not is_intransitive(word)  # "hired in May" is said of what is asked for
        return not transitive or (after not in PREPOSITIONS and bool(after or whole))
    if word in PREPOSITIONS or _NO_VERB.fullmatch(word) or is_adjective(word):
        return False
    if many:
        sure = whole or before[:1].isupper() or is_plural(after)
        return sure and bool(after) and not is_plural(word)
    return is_third_person(word)
