"""The one of what was told that is more so than the others, said on the way: "the dearer one, who went on that?" """

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.last_answers import kind_words, most_of
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.completions.told.extremes import extreme_of
from triplewise.agents.assistant.completions.told.put_first import put_in
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import find_references
from triplewise.tools.query_graph import cues

_EXTREME = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!['’]s )(?<!\bbe )"
    r"\bthe (?P<words>(?!other|former|latter|later|earlier|upper|inner|outer)\w{2,}er|worse|"
    r"(?:more|less|most|least) \w+|(?!rest\b|best\b|west\b|east\b|latest\b|earliest\b)\w{3,}est) "
    r"(?:one\b(?!s| (?:that|who|which|of)\b)|(?:one )?of (?:them|those|these|the)(?: two)?\b)",
    re.I,
)
_SUPERLATIVE = re.compile(r"(?:most|least)\b|\w+est\b", re.I)
_TURNS = 3
_MANY = 20

Which = Callable[[str, Sequence[str]], str]
"""The one of some things that a question picks; "" where none is sure."""


def the_extreme_one(things: Things, text: str, memory: Memory, which: Which) -> Interpretation | None:
    """The sentence about that one of the last answers; None where it names none, or asks for no more than which it
    is."""
    bare = find_references(text).bare
    said = _EXTREME.search(bare)
    if said is None or bare.strip(" ?!.,").casefold() == said.group().casefold():
        return None
    words = said["words"].lower()
    superlative = bool(_SUPERLATIVE.match(words))
    if not superlative and not cues.direction(words, False):
        return None
    lists = (turn.answers for turn in reversed(memory.turns[-_TURNS:]))
    fit = (n for n in lists if len(n) == 2 or (superlative and 2 < len(n) <= _MANY))
    nodes = next((n for n in fit if all(map(memory.is_thing, n))), ())  # what two things cost is no thing
    if not nodes:
        return None
    most = words if superlative else most_of(words)
    node = extreme_of(things, nodes, words) or which(f"Which {kind_words(things, nodes)[0]} is the {most}?", nodes)
    name = things.name(node) if node else ""
    if not name:
        return None
    return Interpretation(put_in(bare, said, name), "pronoun", f"{said.group()}: {name}", (node,))
