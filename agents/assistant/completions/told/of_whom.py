"""The last question of somebody else's thing of the same kind: after "how much was that?" of Bruno's stay, "and for
Duke's stay?" """

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.asked_of import asked_of
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References
from triplewise.tools.query_graph.linking.mentions import Link, fold_word, is_form_of, words_in

_WHOSE = re.compile(
    r"(?:(?:and|what about|how about|ok|so)\W+)*(?:(?:for|of|on|with)\s+)?(?P<who>[^,?!]{2,40}?)(?:['’]s?|s)\s+"
    r"(?P<noun>[^\W\d_]{2,})(?:\s+(?:then|too|one))?\W*",
    re.I,
)


def of_whom(things: Things, seen: References, links: Sequence[Link], memory: Memory) -> Iterator[Interpretation]:
    """The last question asked of the only thing of its topic's kind that a named thing has; none where there are
    several."""
    said, last = _WHOSE.fullmatch(seen.bare), memory.last
    if said is None or last is None or not links:
        return
    words = words_in(seen.bare)
    named = [x.node for x in links if words[x.last].end <= said.end("who") + 2]
    topics = [
        n
        for n in (*last.topics, *last.inner)
        if any(is_form_of(noun, fold_word(said["noun"])) for noun in _nouns(things, n))
    ]
    schema = things.names.schema
    for who in dict.fromkeys(named):
        for topic in topics:
            kinds = things.kinds(topic)
            own = {n for s in schema.steps(who) for n in schema.go(who, s) if things.kinds(n) & kinds}
            if len(own) == 1 and (new := own.pop()) != topic:
                yield from asked_of(things, memory, new, (topic,), f"{things.name(topic)} → {things.name(new)}")
                return


def _nouns(things: Things, node: str) -> list[str]:
    """The last words of what the classes of a thing are called."""
    labels = (things.kind_label(kind) for kind in things.kinds(node))
    return [fold_word(label.split()[-1]) for label in labels if label]
