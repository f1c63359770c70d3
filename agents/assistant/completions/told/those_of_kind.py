"""Those of a kind that the last questions came by, where they are not what was told: after "which boats did he work
on?", "which of those jobs was the dearest?" asks of the jobs by which he did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.last_answers import kind_words
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import listed
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import Variable

_OF_THOSE = re.compile(
    r"(?P<which>\b(?:which|what|how many)(?: ones?)?) of (?:all )?(?:those|these) (?P<kind>[a-z][\w'’-]+)\b", re.I
)
_TURNS = 4
_MANY = 20


def those_of_kind(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The question asked of those alone; of what was told, or reached, last."""
    said = _OF_THOSE.search(seen.bare)
    if said is None or not (kind := things.only_kind(said["kind"])):
        return
    for turn in reversed(memory.turns[-_TURNS:]):
        if turn is memory.last and all(kind in things.kinds(n) for n in turn.answers):
            return  # asked of what was told, as usual
        nodes = next((n for n in _lists(things, turn) if n and all(kind in things.kinds(x) for x in n)), ())
        if 2 <= len(nodes) <= _MANY:
            one, several = kind_words(things, nodes)
            many = said["which"].lower() == "how many"
            one = several if many or re.match(r"\W*(?:are|were|have|do)\b", seen.bare[said.end() :]) else one
            text = f"{seen.bare[: said.start()]}which {one}{seen.bare[said.end() :]}"
            yield Interpretation(text, "among", f"of the {len(nodes)} before", keep=nodes, counted=many)
            return


def _lists(things: Things, turn: Remembered) -> Iterator[tuple[str, ...]]:
    """The answers of a turn, then what each variable of its query stands for."""
    yield turn.answers
    query = QueryGraph.from_json(turn.query) if turn.query else None
    if query is None or query.form not in ("select", "count"):
        return
    for variable in dict.fromkeys(v for p in query.patterns for v in (p.head, p.tail) if isinstance(v, Variable)):
        if variable != query.answer:
            yield execute(things.kg, replace(listed(query), answer=variable, order=None), max_rows=2_000).ids
