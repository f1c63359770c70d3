"""Further questions in a sentence that asks more than one: what is not answered must be named, not passed over."""

from __future__ import annotations

import re

_ASKING = r"(?:who|whom|whose|what|which|when|where|why|how)\b"
_AGAIN = re.compile(rf"[,;]?\s+(?:and|or)\s+(?:also\s+|then\s+)?(?={_ASKING})", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose|where|when)\s+(?:\w+\s+)*\w", re.IGNORECASE)
_STARTS = re.compile(rf"(?:\w+\s+)?{_ASKING}|(?:is|are|was|were|did|does|do|has|have|can|name|list|tell|give)\b", re.I)
_VERB = re.compile(r"^(?:who|which|where|when|whose)\s+(?:is|was|are|were|has|have|had|\w+(?:ed|s)\b)", re.IGNORECASE)


def not_answered(text: str) -> list[str]:
    """A warning for each question after the first."""
    return [
        f"Only one question is answered at a time; not answered: {other!r}. Ask it by itself."
        for other in further_questions(text)
    ]


def further_questions(text: str) -> list[str]:
    """The questions after the first: after a question mark, or after "and who …".

    "films that star her and which he directed" asks once: a relative clause before it makes "and which" another.
    """
    first, *more = [part.strip() for part in text.replace("？", "?").split("?") if any(map(str.isalnum, part))] or [""]
    found = [part for part in more if _STARTS.match(part)]
    pieces = _AGAIN.split(first)
    if len(pieces) > 1 and _STARTS.match(pieces[0]):
        before = pieces[0]
        for piece in pieces[1:]:
            body = re.sub(rf"^{_ASKING}", "", before, flags=re.IGNORECASE)
            if not (_VERB.match(piece) and _RELATIVE.search(body)):
                found.insert(len(found) - len([f for f in found if f in more]), piece)
            before = f"{before} {piece}"
    return [piece[:200] for piece in found]
