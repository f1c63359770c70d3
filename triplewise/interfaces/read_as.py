"""How a question was read that can be read in several ways, in words, for those who are shown only text."""

from __future__ import annotations

import re

from triplewise.agents.assistant.answers import unbracketed
from triplewise.agents.assistant.events import ReadAs

OTHERS = 3
"""Other readings that the line names."""
_LINE = re.compile(
    r"\n\n(?:Read as: [^\n]*; other readings|It may be read so): [^\n]* Reply with a number to take one\.\s*\Z"
)


def read_as(read: ReadAs | None) -> str:
    """How a question was read, where there are other readings; "" for the rest."""
    return f"read as: {unbracketed(read.reading.text)}" if read and read.reading and read.others else ""


def readings_line(read: ReadAs | None) -> str:
    """The same with the other readings, by the numbers that take them."""
    if read is None or not read.others:
        return ""
    others = "; ".join(f"{r.number} {unbracketed(r.text)}" for r in read.others[:OTHERS])
    said = read_as(read)
    lead = f"{said[0].upper()}{said[1:]}; other readings" if said else "It may be read so"
    return f"{lead}: {others}. Reply with a number to take one."


def without_readings_line(text: str) -> str:
    """An answer as it was before the line; a client sends it back with the line."""
    return _LINE.sub("", text)
