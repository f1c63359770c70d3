"""The other end of what was said or asked last: after "is Kit engaged to Carol?", "who to, then?" """

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.graph import Pattern
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
_SOMEBODY = re.compile(r"\b(?:some|any)(?P<what>one|body|thing)\b", re.I)
_WHOM = re.compile(r"(?:(?:and|so) )?(?P<word>whom?|what)(?:,? then)?\W*", re.I)
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


def whom_then(things: Things, seen: References, last: Remembered) -> Iterator[Interpretation]:
    """After "which of them brings somebody?" and one answer: "whom?" asks for that one."""
    said, somebody = _WHOM.fullmatch(seen.bare), _SOMEBODY.search(last.question)
    query = QueryGraph.from_json(last.query) if last.query else None
    if not said or not somebody or query is None or query.form != "select" or len(last.answers) != 1:
        return
    if (said["word"].lower() == "what") != (somebody["what"].lower() == "thing"):
        return
    others = {v for p in query.patterns for v in p.variables} - {query.answer}
    if len(others) != 1 or query.order or query.minus:
        return
    (one,), (other,) = last.answers, others
    told = [p for p in query.patterns if other in p.variables and query.answer in p.variables]
    if len(told) == 1:
        head, tail = (one if end == query.answer else end for end in (told[0].head, told[0].tail))
        tie = Pattern(head, told[0].relation, tail)
        text = f"{last.question.rstrip(' ?')}: {said['word'].lower()}?"
        yield Interpretation(text, "swap", f"of {things.name(one)}", query=QueryGraph((tie,), other))


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
