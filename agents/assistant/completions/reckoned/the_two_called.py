"""The last question asked of all that a noun calls: after "how much was the drone?", "and the two stretchers
together?" adds up what they cost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.asked_of import in_place_of, renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import of_each, reckoned, swapped
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph
from triplewise.kg.query.reckon import is_number
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of

_THE_TWO = re.compile(
    r"(?:(?:and|so|ok|what about|how about)\W+)*(?:for )?(?:the|our|both|all)(?: of)?(?: the)? "
    r"(?P<number>two|three|four|both) (?P<noun>[a-z][\w'’-]+)"
    r"(?P<sum>,? (?:to ?gether|togehter|altogether|in (?:all|total)|combined|in one))?\W*",
    re.I,
)
_NUMBERS = {"two": 2, "both": 2, "three": 3, "four": 4}


def the_two_called(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """The same of each of just so many things of which the last word of the name is that noun, or its sum."""
    said, last = _THE_TWO.fullmatch(seen.bare), memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if said is None or last is None or query is None or query.form != "select":
        return
    noun = said["noun"].lower()
    for old in [n for n in query.entities if not things.kg.is_class(n) and not things.kg.is_literal(n)]:
        alike = in_place_of(things, query, old) - {old}
        called = sorted(n for n in alike if any(is_form_of(w, noun) for w in folded_words(things.kg.label(n))[-1:]))
        if len(called) != _NUMBERS[said["number"].lower()]:
            continue
        asked = of_each(swapped(query, old, called[0]), called[0], called)
        numbers = all(is_number(things.kg.label(n)) for n in last.answers)
        if asked is not None:
            asked = reckoned(asked, "total") if said["sum"] and numbers else asked
            names = " and ".join(map(things.name, called))
            text = renamed(last.question, things.called(old), names)
            yield Interpretation(text, "swap", names, query=asked)
            return
