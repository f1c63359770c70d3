"""A thing's value held against that of what it has itself: "Ann is older than her husband", "heavier than its owner".

What is possessed is what a relation of the named thing leads to, and no other thing of its kind: where the graph does
not tell it, or not its value, the claim is open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, row_of
from triplewise.tools.query_graph.candidates.kin import Relatives
from triplewise.tools.query_graph.candidates.refinements import ORDERED
from triplewise.tools.query_graph.linking.mentions import is_form_of, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.roles.doers import ends_of, role_called

_POSSESSED = re.compile(
    r"\bth[ae]n\s+(?:its|their|his|her)\s+(?:own\s+)?(?P<noun>[^\W\d_]+(?:[\s-]+[^\W\d_]+){0,3}?)"
    r"(?:\s+(?:is|are|was|were|does|do|did|has|have|had))?\W*$",
    re.I,
)
_WHOLE = 0.99


def says_own_thing(text: str) -> bool:
    """Whether a sentence compares something with what it has itself: "than her husband"."""
    return bool(_POSSESSED.search(text))


def holds_any_other(draft: Draft) -> bool:
    """Whether a draft holds a value against that of any other thing."""
    compared = [{v, right} for v, op, right in draft.filters if isinstance(right, int) and op in ("<", ">")]
    return any(isinstance(h, int) and t in pair for pair in compared for h, _, t in draft.rows)


def compared_with_own(schema: SchemaView, sentence: Sentence, told: Callable[[Step], str]) -> Iterator[Draft]:
    """That a value of the one thing named is more, or less, than that of what it has; ``told``: how the sentence
    compares what a step leads to."""
    than = _POSSESSED.search(sentence.text)
    words = words_in(sentence.text)
    if not than or sentence.values:
        return
    sure = [(i, x) for i, x in enumerate(sentence.links) if x.score > _WHOLE and x.first >= 0 and not x.is_value]
    sure = [(i, x) for i, x in sure if words[x.last].end <= than.start()]
    if len({(x.first, x.last) for _, x in sure}) != 1:
        return
    noun = next(n for n, word in enumerate(words) if word.start == than.start("noun"))
    last = next(n for n, word in enumerate(words) if word.end == than.end("noun"))
    for i, link in sure:
        for owned in _relatives(schema, sentence, i, noun) or _called(schema, sentence, i, noun, last):
            yield from _compared(schema, owned, link.node, told)


def _relatives(schema: SchemaView, sentence: Sentence, link: int, noun: int) -> Sequence[Draft]:
    """The relatives whom the noun names, as readings of a question for them."""
    found = Relatives(schema, sentence).of_link(link, noun)
    return [d for d in found if d.answers][:1] or found[:1]


def _called(schema: SchemaView, sentence: Sentence, link: int, noun: int, last: int) -> Iterator[Draft]:
    """What one step leads to that is called so: by the relation, "its owner", or by its class, "her dog"."""
    node, name = sentence.links[link].node, words_in(sentence.text)[last].text
    role = role_called(name)
    kinds = tuple(k for k, (_, at) in sentence.classes.items() if noun <= at <= last)
    members = frozenset(m for k in kinds for m in schema.members(k))
    for step in sorted({*schema.steps(node), *schema.kind_steps(schema.kinds(node))}):
        if step.relation in schema.left_out or schema.value_kind(step.relation):
            continue
        words = schema.words(step.relation).lower()
        ends = ends_of(words)
        by_name = not step.inverse and is_form_of(words.split()[-1], name)
        reached = frozenset(schema.go(node, step))
        found = Draft((row_of(node, step, 0),), reached, (step,), links=(link,))
        if by_name or (ends and role and ends[not step.inverse] == role):
            yield found
        elif reached & members:
            yield found.but(answers=reached & members, classes=kinds)


def _compared(schema: SchemaView, owned: Draft, node: str, told: Callable[[Step], str]) -> Iterator[Draft]:
    """The thing's values held against those of what it has."""
    of_both = [{*schema.kind_steps(schema.kinds(n)), *schema.steps(n)} for n in (node, *sorted(owned.answers)[:1])]
    owned = _bound(owned)
    by = owned.next_variable
    other = next(iter(owned.answers)) if len(owned.answers) == 1 else 0
    for step in sorted(set.intersection(*of_both)):
        if not step.inverse and schema.value_kind(step.relation) in ORDERED and (op := told(step)):
            yield owned.but(
                rows=(*owned.rows, row_of(node, step, by), row_of(other, step, by + 1)), answers=frozenset(),
                steps=(*owned.steps, step), routes=((node, step, by),), form="ask",
                filters=(*owned.filters, (by, op, by + 1)), extra=(),
            )  # fmt: skip


def _bound(owned: Draft) -> Draft:
    """The draft with its only answer in the place of variable 0, whichever way the graph tells of "her husband"."""
    if len(owned.answers) != 1:
        return owned
    [only] = owned.answers

    def put(end: End) -> End:
        return only if end == 0 and isinstance(end, int) else end

    return owned.but(
        rows=tuple((put(h), r, put(t)) for h, r, t in owned.rows),
        filters=tuple(c for c in owned.filters if c[0]), unsaid=tuple(c for c in owned.unsaid if c[0]),
    )  # fmt: skip
