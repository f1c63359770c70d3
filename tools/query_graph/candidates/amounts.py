"""What a sentence says there is more of: "more guests" are counted, and no rent is held against another."""

from __future__ import annotations

from collections.abc import Sequence

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.linking.mentions import same_word, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step

_MORE = frozenset(("more", "fewer", "less", "most", "fewest", "least"))


def of_named_amount(
    schema: SchemaView, sentence: Sentence, steps: Sequence[Step], nodes: Sequence[str]
) -> Sequence[Step]:
    """The steps from nodes to what stands behind "more", by the words of the relation or the class of what it leads to;
    all of them where none leads there."""
    words = words_in(sentence.text)
    after = {i + 1 for i, word in enumerate(words[:-1]) if word.text in _MORE}
    kinds = [kind for kind, (first, _) in sentence.classes.items() if first in after]

    def leads_there(step: Step) -> bool:
        spoken = any(
            same_word(part.text, words[i].text) for part in words_in(schema.words(step.relation)) for i in after
        )
        ends = {end for node in nodes for end in schema.go(node, step)}
        return (spoken and not step.inverse) or any(ends.intersection(schema.members(kind)) for kind in kinds)

    return [s for s in steps if leads_there(s)] or steps
