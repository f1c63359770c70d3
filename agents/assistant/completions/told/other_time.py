"""The last question of another month or day of the week: after "how many eggs came in May 2024?", "and June?" """

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.memory import Remembered
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


def other_time(seen: References, last: Remembered) -> Iterator[Interpretation]:
    """The last question with the month, or the day of the week, that a turn says no more than; of the year that was
    said, where it says none."""
    for asked, said in _TIMES:
        found, before = asked.fullmatch(seen.bare), list(said.finditer(last.question))
        if found and len(before) == 1 and found["time"].lower() != before[0]["time"].lower():
            year = found["year"] or before[0]["year"]
            time = f"{found['time']} {year}" if year else found["time"]
            text = f"{last.question[: before[0].start()]}{time}{last.question[before[0].end() :]}"
            yield Interpretation(text, "swap", f"of {time}")
            return
