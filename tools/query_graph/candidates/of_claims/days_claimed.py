"""Claims that something is on a day of the week which the graph tells of nothing: "the show goes out on a Tuesday",
where it has Thursdays and Sundays. Such a day is linked to none of its values, and is held against the told one."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, row_of
from triplewise.tools.query_graph.candidates.generate import Run
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_DAY = re.compile(rf"\b({'|'.join(calendar.day_name)})s?\b(?!,?\s+(?:the\s+)?\d)", re.I)
"""A day of the week that stands alone, and not before a date, which it says again."""
_SAYS_DAY = re.compile(
    rf"(?:every |each |on |on a )?(?:{'|'.join(f'{d[:3]}[a-z]*' for d in calendar.day_name)})\.?", re.I
)
_DAYS = 7
"""Values of a relation that tells of days of the week, at most."""


def unsaid_day(text: str, said: str) -> str:
    """The first day of the week of a claim that is not among what was ``said``, in full or shortened; "" where there is
    none. The "mon" of "month" is no Monday."""
    words = {word.text.rstrip("s") for word in words_in(said)}
    return next((d for d in _DAY.findall(text) if not any(len(w) > 2 and d.lower().startswith(w) for w in words)), "")


def days_claimed(run: Run) -> Iterator[Draft]:
    """The claims that a named thing has a day of the week that no thing has by a relation to such days."""
    for day in dict.fromkeys(found.capitalize() for found in _days_said(run.s)):
        for i, link in enumerate(run.s.links):
            for step in sorted(s for s in run.schema.steps(link.node) if not s.inverse and not link.is_value):
                told = _days_told(run.schema, step)
                if told and not any(d.startswith(day[:3].lower()) for d in told):
                    yield Draft(
                        (row_of(link.node, step, 0),), frozenset(), (step,), ((link.node, step, 0),), (i,), form="ask",
                        filters=((0, "=", day),), prior=run.prior((step,), (i,)) + 0.3,
                    )  # fmt: skip


def _days_said(sentence: Sentence) -> list[str]:
    """The days of the week of a sentence that are no part of a name: not that of the Thursday Club."""
    words = words_in(sentence.text)
    spans = [(words[x.first].start, words[x.last].end) for x in sentence.links if x.first >= 0 and not x.is_value]
    found = list(_DAY.finditer(sentence.text))
    return [m[1] for m in found if not any(a <= m.start() and m.end() <= b for a, b in spans)]


def lacks_day(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether a sentence asks of a day of the week that no thing has, where a relation leads to such days."""
    said = {d[:3].lower() for d in _days_said(sentence)}
    told = [days for r in schema.relations if said and (days := _days_told(schema, Step(r)))]
    return bool(told) and any(not any(d.startswith(day) for days in told for d in days) for day in said)


def _days_told(schema: SchemaView, step: Step) -> list[str]:
    """The days of the week, folded, that a relation leads to; none where it leads to anything else as well."""
    values = schema.starts(step.back)
    labels = [schema.label(v).lower() for v in values] if len(values) <= _DAYS else []
    return [label.split()[-1] for label in labels] if all(map(_SAYS_DAY.fullmatch, labels)) else []
