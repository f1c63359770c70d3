"""Things that are called as the last one, but for their first words: after the house insurance, "and the car?" """

from __future__ import annotations

import re
from collections.abc import Iterator

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Remembered
from triplewise.tools.query_graph.linking.mentions import folded_words

_AND_THE = re.compile(
    r"(?:(?:and|but|what about|how about) (?:(?:the|our|my) )?|(?:the|our|my) )(?P<words>[^\W\d_][\w'’ -]*?)"
    r"(?: one)?(?: then| too)?\W*",
    re.I,
)


def named_alike(things: Things, bare: str, last: Remembered) -> Iterator[str]:
    """The things of a topic's class that are called by these words and the end of the topic's name."""
    said = _AND_THE.fullmatch(bare)
    words = tuple(folded_words(said["words"])) if said else ()
    for topic in last.topics if words else ():
        own = tuple(folded_words(things.kg.label(topic)))
        for size in range(1, len(own)):
            end = own[-size:]
            for number in things.names.postings.get(end[-1], ()):
                name = things.names.names[number]
                if name.words == words + end and things.kinds(name.node) & things.kinds(topic):
                    yield name.node
