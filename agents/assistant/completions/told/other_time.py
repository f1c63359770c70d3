"""The last question of another month or day of the week: after "how many eggs came in May 2024?", "and June?" """

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.asked_of import asked_of
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References

_LEAD = r"(?:(?:and|what about|how about|ok|okay|so)\W+)*(?:(?:in|on|for|during|the|of)\s+)*"


def _other(names: Sequence[str], more: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How another one of some times is asked for, and where a question says one of them."""
    one = rf"\b(?P<time>{'|'.join(names)}){more}"
    return re.compile(rf"\W*{_LEAD}{one}(?:\s+(?:then|too|instead|please))*\W*", re.I), re.compile(rf"{one}\b", re.I)


_TIMES = (
    _other(calendar.month_name[1:], r"(?:\s+(?P<year>\d{4}))?"),
    _other([f"{day}s?" for day in calendar.day_name], r"(?P<year>)"),
)


_ONLY = re.compile(
    r"\W*(?:(?:and|so|ok)\W+)*(?:(?:just|only)\W+(?:(?:the|those|ones?)\W+)*|"
    r"any(?:thing|one|body)?(?: of (?:them|those|these))?(?: there)? (?=after|before|since|in|on|from|during))"
    r"(?P<how>(?:in|on|for|from|during|of|after|before|since)\s+)?"
    rf"(?P<time>{'|'.join((*calendar.month_name[1:], *calendar.day_name))})(?:\s+(?P<year>\d{{4}}))?(?:\s+ones?)?\W*",
    re.I,
)
"""Only those of some month that were told: "just march", "anything there after May?" """
_YEAR_ON = re.compile(
    r"(?:(?:and|what about|how about|ok|so)\W+)*(?:(?:in|for)\s+)?the (?:(?P<next>next|following)|(?P<before>previous))"
    r" (?:year|one)\W*|(?:(?:and|what about|how about|ok|so)\W+)*(?:(?:in|for)\s+)?the year (?:(?P<after>after)|before)"
    r"(?: that)?\W*",
    re.I,
)
"""The same of the next year: "what about the year after?" """
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def other_time(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The last question with the month, or the day of the week, that a turn says no more than; of the year that was
    said, where it says none. Asked of the next year, or of what is called by it; those of the last answers that are of
    some month."""
    last = memory.last
    if last is None:
        return
    for asked, said in _TIMES:
        found, before = asked.fullmatch(seen.bare), list(said.finditer(last.question))
        if found and len(before) == 1 and found["time"].lower() != before[0]["time"].lower():
            year = found["year"] or before[0]["year"]
            time = f"{found['time']} {year}" if year else found["time"]
            text = f"{last.question[: before[0].start()]}{time}{last.question[before[0].end() :]}"
            yield Interpretation(text, "swap", f"of {time}")
            return
    if (only := _ONLY.fullmatch(seen.text)) and len(last.answers) > 1:
        time = f"{(only['how'] or 'in').strip()} {only['time']} {only['year'] or ''}".strip()
        yield Interpretation(f"{last.question.rstrip(' ?.')} {time}", "among", time, keep=last.answers)
    elif on := _YEAR_ON.fullmatch(seen.bare):
        by = 1 if on["next"] or on["after"] else -1
        yield from _of_year(things, memory, last, by)


def _of_year(things: Things, memory: Memory, last: Remembered, by: int) -> Iterator[Interpretation]:
    """The last question of a later or earlier year."""

    def moved(text: str) -> str:
        return _YEAR.sub(lambda m: str(int(m[0]) + by), text)

    for node in last.topics:
        label = things.kg.label(node)
        for other in things.kg.named(moved(label)) if _YEAR.search(label) else ():
            if same := list(asked_of(things, memory, other.id, (node,), f"{label} → {things.name(other.id)}")):
                yield from same
                return
    if (text := moved(last.question)) != last.question:
        yield Interpretation(text, "swap", "of another year")
