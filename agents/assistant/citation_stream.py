"""A model's text as it comes, with its citations checked piece by piece, so that nothing sent has to be withdrawn.

The pieces together are what ``answers.check_text`` makes of the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from triplewise.agents.assistant.answers import CITED

_BEGUN = re.compile(r"\[\d{0,4}\Z")
_SPACE = re.compile(r"\s+\Z")
_BEFORE_MARK = re.compile(r"[ \t]+([.,;!?])")


class CitationStream:
    """``known(n)``: whether the evidence has number ``n`` by now. Numbers count from 1 as they come; one that stands
    for nothing is left out."""

    def __init__(self, known: Callable[[int], bool]) -> None:
        self._known = known
        self._numbers: dict[int, int] = {}
        self._held = ""
        self._begun = False

    def take(self, piece: str) -> str:
        """What can be sent by now: all but a citation that has only begun, and white space at the end."""
        text = self._held + piece
        begun = _BEGUN.search(text)
        text, rest = (text[: begun.start()], text[begun.start() :]) if begun else (text, "")
        text = CITED.sub(self._mark, text)
        if space := _SPACE.search(text):
            text, rest = text[: space.start()], space.group() + rest
        self._held = rest
        text = _BEFORE_MARK.sub(r"\1", text)
        if not self._begun:
            text = text.lstrip()
        self._begun = self._begun or bool(text)
        return text

    def end(self) -> str:
        """What was held back and is part of the text after all."""
        held, self._held = self._held, ""
        return held.rstrip() if self._begun else held.strip()

    def _mark(self, match: re.Match[str]) -> str:
        n = int(match.group(1))
        return f"[{self._numbers.setdefault(n, len(self._numbers) + 1)}]" if self._known(n) else ""
