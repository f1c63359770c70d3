"""Patterns of words, and those that several kinds of cues share."""

from __future__ import annotations

import re


def any_word(listed: str, more: str = "") -> re.Pattern[str]:
    """A pattern for any of the comma-separated words, or of further patterns."""
    words = "|".join(part.strip().replace(" ", r"\s+") for part in listed.split(",") if part.strip())
    return re.compile(rf"\b(?:{words})\b{'|' + more if more else ''}", re.I)


DURATION = any_word("times?, duration, takes?, took, minutes?, mins?, seconds?, hours?, days?, weeks?, lasts?, laps?")
ENDS = any_word("ends?, ended, closed?, until, till, last, retired?, died, death, left, expir\\w+, finish\\w*, stopped")
SPANS = "years?, months?, weeks?, days?, nights?, hours?, minutes?, mins?, time, service, tenure, duration"
SPAN = any_word(f"{SPANS}, length, age")
"""Words of relations whose numbers tell how long something lasts."""
