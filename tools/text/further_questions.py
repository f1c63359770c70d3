"""Further questions in a text that asks more than one: what is not answered must be named, not passed over."""

from __future__ import annotations

import re

_ASKING = r"(?:who|whom|whose|what|which|when|where|why|how)\b"
_BE = r"(?:is|are|was|were|did|does|do|has|have|had|can|could|will)"
_HOW_LONG = r"(?:(?:since|until|till)\s+when|for\s+how\s+long)\b"
_IT = r"(?:it|its|he|him|his|she|her|hers|they|them|their|there)"
_AND = r"(?:[,;]?\s+(?:and|or|plus|as\s+well\s+as)|\s*[&;])\s+(?:also\s+|then\s+)?"
_AGAIN = re.compile(
    rf"""
      {_AND}(?={_ASKING}|{_HOW_LONG}|{_BE}\s+{_IT}\b)
    | ,\s+(?:also\s+|then\s+)?(?=what\b|(?:when|where|why|how)\s+{_BE}\b|(?:who|which)\s[^,]*\b{_IT}\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Where the next question begins. After a bare comma "who", "which" and "where" mostly begin a relative clause."""
_OTHER_THING = re.compile(
    rf"(?:name|give|list|tell|what\s+{_BE})\b.{{0,60}}?\bthe\s+\w+\s+of\s.{{0,100}}?{_AND}(?=the\s+\w+\s+of\b)", re.I
)
"""Up to the second thing of "Name the director of Alien and the writer of Heat"; "Who is …" asks for one."""
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose|where|when)\s+(?:\w+\s+)*\w", re.IGNORECASE)
_STARTS = re.compile(
    rf"(?:(?:and|also|then|so|plus|please)\b,?\s+)*(?:(?:\w+\s+)?{_ASKING}|(?:{_BE}|name|list|tell|give)\b)",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(r"(?:and|what\s+about|how\s+about)\b", re.IGNORECASE)
_LEADS_IN = re.compile(r"\W*(?:(?:and|so|but)\s+)*(?:what|how)\s+about\s[^,]+", re.IGNORECASE)
"""Names what the question after the comma is about: "what about the owls, who saw them?" """
_KNOWING = re.compile(rf"\b(?:know|tell\s+me|wonder|say|ask)\s+(?:\w+\s+)?{_ASKING}", re.IGNORECASE)
_VERB = re.compile(
    r"^(?:whom\s|(?:who|which|where|when|whose)\s+(?:is|was|are|were|has|have|had|\w+(?:ed|s)\b))", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[?？!])\s*|(?<=[.])\s+(?=[A-Z])")
_EDGE = " \t\r\n'’”»),.;:"
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»")


def not_answered(text: str) -> list[str]:
    """A warning for each question after the first."""
    return [
        f"Only one question is answered at a time; not answered: {other!r}. Ask it by itself."
        for other in further_questions(text)
    ]


def further_questions(text: str) -> list[str]:
    """The questions after the first: in sentences of their own, or after "and who …", "& what …", "and was it …".

    "films that star her and which he directed" asks once: a relative clause before it makes "and which" another.
    What stands in quotation marks is a name.
    """
    hidden = _QUOTED.sub(lambda m: "x" * len(m.group()), text)
    found: list[tuple[int, int]] = []
    at = 0
    for end in [*(m.start() for m in _SENTENCE.finditer(hidden)), len(hidden)]:
        at += len(hidden[at:end]) - len(hidden[at:end].lstrip(_EDGE))
        sentence = hidden[at:end]
        further = bool(found) and sentence.rstrip().endswith(("?", "？")) and _ELLIPTIC.match(sentence)
        if _asks(sentence) or further:
            found += [(at + start, at + stop) for start, stop in _parts(sentence)]
        at = end
    return [text[start:stop].strip(_EDGE + "?？!")[:200] for start, stop in found[1:]]


def _asks(sentence: str) -> bool:
    return bool(_STARTS.match(sentence) or _KNOWING.search(sentence))


def _parts(sentence: str) -> list[tuple[int, int]]:
    """(start, end) of the questions of one sentence that asks."""
    marks = [m.span() for m in _AGAIN.finditer(sentence) if _asks(sentence[: m.start()])]
    if marks and _LEADS_IN.fullmatch(sentence[: marks[0][0]]):
        marks = marks[1:]
    if (other := _OTHER_THING.match(sentence)) and not marks:
        return [(0, other.end()), (other.end(), len(sentence))]
    found, start = list[tuple[int, int]](), 0
    for begin, end in marks:
        before = re.sub(rf"^\s*(?:\w+\s+)?{_ASKING}", "", sentence[:begin], flags=re.IGNORECASE)
        if not (_VERB.match(sentence[end:]) and _RELATIVE.search(before)):
            found.append((start, begin))
            start = end
    return [*found, (start, len(sentence))]
