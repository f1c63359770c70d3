"""Several questions in one sentence, asked one after the other: "Who taught her, and where does he live?" Their answers
become one, with the citations of the later ones numbered on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from triplewise.agents.assistant.answers import CITED
from triplewise.agents.assistant.events import Answered, Citation
from triplewise.agents.assistant.intents.intent import last_sentence
from triplewise.agents.assistant.references import find_references
from triplewise.tools.text.existential import asked_thing
from triplewise.tools.text.further_questions import further_questions

_JOINED = re.compile(r"(?:[\s,;&]+(?P<or>or)?(?:and|plus|as well as)?(?:\s+(?:also|then))?)?[\s,;&]*$", re.I)
"""What stands between two questions."""
_MORE_EXACTLY = re.compile(
    r"(?P<vague>\W*(?:(?:and|so|but|then|now|oh|ok|okay|well)\b\W*)*(?:what (?:does|do|did) [^,?]+? do"
    r"(?: (?:(?:for|with) (?:us|you|them|the \w+)|here|there|again|exactly|now|these days))*|"
    r"(?:who|what)(?:['’]s| is| was) [^,?]+? again)),\s*"
    r"(?P<asked>(?:what|which)(?:['’]s| is| was| are| were) (?:his|her|its|their) \w[^?]*\?*\s*)",
    re.I,
)
""" "What does Ann do for us, what's her job?" asks once, the second time more exactly."""
_WHICH_ONE = re.compile(
    r"(?<=[^?]\?)\s+(?:and )?(?:who|what|which)(?: ones?)?(?: (?:is|are|was|were) (?:it|that|they|those))?\W*$", re.I
)
"""After "is any of those open?": the answer tells which, without being asked for it."""


def questions_of(text: str, complete: Callable[[str], bool]) -> list[str]:
    """The questions of a sentence, what stood before it with the first; ``complete``: whether a question names what it
    is about. Where the first does not, "when and where was she born?", or where one of two is to be chosen, the
    sentence is one question."""
    if (again := _WHICH_ONE.search(text)) and asked_thing(find_references(last_sentence(text[: again.start()])).bare):
        text = text[: again.start()]
    asked = last_sentence(text)
    if said := _MORE_EXACTLY.fullmatch(asked):  # whom the first names is still meant
        text = f"{text[: text.rfind(asked)]}{said['vague']}. {said['asked']}"
        asked = last_sentence(text)
    starts, found = [0], list[str]()
    for other in further_questions(asked):
        starts.append(asked.index(other, starts[-1]))
    for start, end in zip(starts, (*starts[1:], len(asked)), strict=True):
        part = asked[start:end].rstrip(" .?!") if end == len(asked) else asked[start:end]
        joined = _JOINED.search(part) if end < len(asked) else None
        if joined and joined["or"]:
            return [text]
        found.append(f"{part[: joined.start()] if joined else part}?")
    if len(found) < 2 or not complete(found[0]):
        return [text]
    return [f"{text[: text.rfind(asked)]}{found[0]}", *found[1:]]


@cache
def _told() -> TypeAdapter[tuple[Answered, tuple[Citation, ...]]]:
    return TypeAdapter(tuple[Answered, tuple[Citation, ...]])


def to_json(answered: Answered, citations: Sequence[Citation]) -> list[Any]:
    """An answer with its citations, as the state keeps it until the next question is answered."""
    return _told().dump_python((answered, tuple(citations)), mode="json")


def length(before: list[Any]) -> int:
    """How long the text of an answer is that waits."""
    return len(_told().validate_python(before)[0].text)


def joined(
    before: list[Any], answered: Answered, citations: Sequence[Citation]
) -> tuple[Answered, tuple[Citation, ...]]:
    """Both answers as one, and its citations."""
    first, cited = _told().validate_python(before)
    start = max((c.n for c in cited), default=0)
    moved = (replace(c, n=c.n + start, id=f"{c.id.rpartition('#')[0]}#{c.n + start}") for c in citations)
    text = CITED.sub(lambda m: f"[{int(m.group(1)) + start}]", answered.text)
    own = tuple(replace(a, citations=tuple(n + start for n in a.citations)) for a in answered.answers)
    lead = answered if first.kind == "nothing" else first
    whole = replace(lead, text=f"{first.text} {text}", answers=(*first.answers, *own), method=answered.method)
    return whole, (*cited, *moved)
