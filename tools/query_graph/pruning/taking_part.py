"""Who is "in" a play is of its cast: rows that tie persons and plays tell it, and not who directs one.

The sheet of such rows calls its columns as what they hold ("Person", "Production"), so that no word of the sentence
can name them. Without such a sheet whoever is tied to the thing may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Word, folded_words, words_in
from triplewise.tools.query_graph.pruning.said_ends import is_unsaid_doer
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.verb_forms import word_set

_DOING_SO = word_set("""
    is was are were be been being act acts acted acting appear appears appeared appearing play plays played playing
    perform performs performed performing star stars starred starring feature features featured sing sang sung dance
    danced compete competed part actor actors actress actresses players performers singers people everyone everybody
""")
_CASTS = ("cast", "casts")
"""Before "in", what says no more than to take part: "has been in", "took part in"."""
_WHOLE = 0.99
"""The score of a link from which on the whole of a name is said."""
_ATTENDS = re.compile(
    r"\b(?:(?:come|came|coming|comes|been|went|gone|going|goes)(?: along)? "
    r"to(?! (?:us|me|you|live|stay|work|join|help)\b)|"
    r"attend(?:s|ed|ing)?|(?:turn|show)\w* up(?=\W*$| (?:to|for)\b)|(?<=who )(?:\w+ )?(?:turn|show)\w* up(?! late\b)|"
    r"(?:make|made|making) it|"
    r"(?:was|were) (?:(?:also|both|all|actually|ever|really) )*(?:there(?=\W*$)|at))\b",
    re.I,
)
_EXIST = re.compile(r"\b(?:how many|how much|which|what|any)\b.*\b(?:is|are|was|were) there\b", re.I)
"""What there is, is not who was there."""
_ATTENDING = word_set("guest guests attendee attendees attended attends participant participants visitor visitors")
"""What relations are called that tell who comes to something."""
_BETWEEN = word_set("the a an any most fewest more all both our their this that these those every no several many")


def of_taking_part(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those by who does something to what somebody is in, where rows tie the two; nor by a text that
    is called as the thing: who is in Macbeth may have another role than Macbeth."""
    words = words_in(sentence.text)
    texts = _namesakes(sentence, words)
    other = set[str]()
    if _says_part(sentence, words):
        other = {r for r in schema.relations if is_unsaid_doer(schema, sentence, r) and _is_tied_by_rows(schema, r)}
    if not other and not texts:
        return drafts

    def may_be_meant(row: Row) -> bool:
        return row[1] not in other and (row[2] not in texts or "in" in folded_words(schema.words(row[1])))

    def counts(draft: Draft) -> bool:
        """Whether it looks for the most or fewest things of some; rows in between are never counted through."""
        return draft.order is not None and draft.order[2] == "count"

    return [d for d in drafts if counts(d) or all(map(may_be_meant, (*d.rows, *d.minus)))] or drafts


def of_attending(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that tell of guests, where a sentence says of somebody only to come to something, or to be there, and
    of these who "came" where that is a value; all where none does."""
    said = _ATTENDS.search(sentence.plain)
    if not said or _EXIST.search(sentence.plain):
        return drafts
    telling = {r for r in schema.relations if _ATTENDING.intersection(folded_words(schema.words(r))[-1:])}

    def tells(draft: Draft) -> bool:
        return any(r in telling for _, r, _ in (*draft.rows, *draft.minus) if r != TYPE)

    kept = [d for d in drafts if tells(d)]
    verb = said.group().lower().split()[0]
    came = {link.node for link in sentence.links if link.is_value and link.score > _WHOLE and link.name.lower() == verb}
    return [d for d in kept if any(t in came for _, _, t in (*d.rows, *d.minus))] or kept or drafts


def _says_part(sentence: Sentence, words: Sequence[Word]) -> bool:
    """Whether a sentence says of somebody only to be in a thing, or in its cast: "which plays was Ann in?"."""
    firsts = {link.first for link in sentence.links} | {first for first, _ in sentence.classes.values()}
    for at in range(1, len(words)):
        before, word = words[at - 1].text, words[at].text
        follows = next((i for i in range(at + 1, len(words)) if words[i].text not in _BETWEEN), len(words))
        if word in _CASTS or (word == "in" and follows == len(words)):
            return True
        if word == "in" and before in _DOING_SO and not firsts.isdisjoint(range(at + 1, follows + 1)):
            return True
    return False


def _namesakes(sentence: Sentence, words: Sequence[Word]) -> set[str]:
    """The texts that are called as a thing that something is said to be in, or the cast of which is spoken of."""
    within = {
        i
        for i in range(1, len(words))
        if words[i - 1].text == "in" or (i > 1 and words[i - 1].text == "of" and words[i - 2].text in _CASTS)
    }
    whole = (x for x in sentence.links if x.score > _WHOLE and not x.is_value)  # Carrow is no short name of its deli
    things = {(link.first, link.last) for link in whole if link.first in within}
    return {link.node for link in sentence.links if link.is_value and (link.first, link.last) in things}


def _is_tied_by_rows(schema: SchemaView, relation: str) -> bool:
    """Whether rows tie what a relation leads to and another thing by columns that are called as their classes."""
    ends = _called_as(schema, Step(relation, inverse=True))
    rows = [schema.heads(end) for end in ends]
    others = {r for r in schema.relations if r not in ends and any(not schema.heads(r).isdisjoint(h) for h in rows)}
    return any(other in _called_as(schema, Step(other, inverse=True)) for other in others)


def _called_as(schema: SchemaView, step: Step) -> list[str]:
    """The relations that are called as a class of what has a step, and lead to such things."""
    kinds = {kind for node in schema.first(schema.starts(step)) for kind in schema.store.types(node)}
    return [
        relation
        for relation in schema.relations
        for kind in kinds
        if folded_words(schema.words(relation)) == words_of_class(schema, kind)
        and not schema.starts(Step(relation, inverse=True)).isdisjoint(schema.members(kind))
    ]
