"""Names in a model's reply, read back as entities, and answers as one line: for the reasoners of all methods."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.errors import ReplyError
from triplewise.kg.names import fold
from triplewise.prompts.reply_tokens import ABSTAIN
from triplewise.types import Answer

_LEAD = re.compile(r"^\W*\d+[.)]\s+|^(?:the )?answers?(?: is| are|\s*:)\s*:?\s*|^[-*]\s+", re.IGNORECASE)
"""What models write before a name: numbers, "Answer:", list bullets."""
_PROSE = 5_000
"""Characters of prose that are searched for names."""


def fold_name(text: str) -> str:
    """A name as models write it, case- and accent-folded, without the quotes, brackets and full stops around it."""
    return fold(text).strip("'\"`[]*.").strip()


def parse_answer(reply: str, names: dict[str, str]) -> tuple[str, ...]:
    """Entity ids named in a reply, best first; () where it abstains.

    Raises ReplyError where the reply names no entity of the evidence; a name outside the evidence
    never becomes an answer.
    """
    folded = {fold_name(name): entity for name, entity in names.items()}
    text = re.sub(r"^\s*(the )?answers?( is| are)?\s*:?\s*", "", reply.strip().strip("`"), flags=re.I)
    found: list[str] = []
    for part in [text, *re.split(r"\n|\||;|(?<=['\"])\s*,", text), *text.split(",")]:
        entity = folded.get(fold_name(_LEAD.sub("", part.strip())))
        if entity and entity not in found:
            found.append(entity)
    if not found and ABSTAIN in fold_name(text):
        return ()
    if not found:  # prose around the name: the longest names first, each stretch of text used once
        rest = fold_name(text)[:_PROSE]
        spans: list[tuple[int, str]] = []
        for name in sorted(folded, key=len, reverse=True):
            if len(name) > 1 and (hit := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", rest)):
                spans.append((hit.start(), folded[name]))
                rest = rest[: hit.start()] + "\0" * len(name) + rest[hit.end() :]
        found = [entity for _, entity in sorted(spans)]
    if not found:
        raise ReplyError(f"It names no entity of the triples, nor says {ABSTAIN!r}.")
    return tuple(found)


def answer_text(answers: Sequence[Answer], shown: int = 10) -> str:
    """The answers as one line."""
    if not answers:
        return "Not enough evidence in the graph to answer."
    more = f" and {len(answers) - shown} more" if len(answers) > shown else ""
    return ", ".join(a.label for a in answers[:shown]) + more
