"""The other end of what was said or asked last: after "is Kit engaged to Carol?", "who to, then?" """

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.references import References
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.text.verb_forms import word_set

_PREPOSITION = r"to|with|by|from|for|at|in|on|of|under"
_ASKED = re.compile(
    r"(?:(?:and|so|but|well|oh|ok) )*"
    rf"(?:(?P<wh>whom?|what|which one) (?P<behind>{_PREPOSITION})|"
    rf"(?P<before>{_PREPOSITION}) (?P<whom>whom?|what|which one))"
    r"(?:,? (?:then|exactly|now|instead|please))?\W*",
    re.I,
)
_AUXILIARIES = word_set("is was are were has have had does did do")


def to_whom(things: Things, seen: References, last: Remembered) -> Iterator[Interpretation]:
    """The last sentence with its end behind that preposition asked for."""
    said = _ASKED.fullmatch(seen.bare)
    if not said:
        return
    preposition, text = (said["behind"] or said["before"]).lower(), last.question.rstrip(" ?.!")
    words = words_in(text)
    links = sorted(things.links(text), key=lambda link: link.first)
    ends = [x for x in links if x.first > 0 and words[x.first - 1].text == preposition]
    subject = next((x for x in links if ends and x.last < ends[0].first - 1), None)
    if subject is None:
        return
    asked = "Who" if (said["wh"] or said["whom"]).lower().startswith("who") else "What"
    yield Interpretation(
        f"{asked} {_turned(text, subject, ends[0])}?", "swap", f"not {things.name(ends[0].node)}", given=(subject.node,)
    )


def _turned(text: str, subject: Link, end: Link) -> str:
    """The sentence up to its end, with its auxiliary before its subject."""
    words = words_in(text)
    name = text[words[subject.first].start : words[subject.last].end]
    before = words[subject.first - 1].text if subject.first else ""
    rest = text[words[subject.last].end : words[end.first].start].split()
    if before in _AUXILIARIES:
        return f"{before} {name} {' '.join(rest)}"
    if rest and rest[0].lower() in _AUXILIARIES:
        return f"{rest[0]} {name} {' '.join(rest[1:])}"
    return f"{name} {' '.join(rest)}"
