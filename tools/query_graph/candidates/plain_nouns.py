"""Sentences of one noun: "which ships are there?", "who are the captains?", "how many ports?", "Aurora is a ferry",
"there are more than five ships".

The noun is a class, or the relation that leads to what it means. Nothing else is said, so nothing else is meant: these
readings stand alone, where the ranker would choose among "every ship that has a captain" and the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from triplewise.kg.query.graph import TYPE
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, row_of
from triplewise.tools.query_graph.linking.bounds import bound
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import Word, folded_words, same_word, words_in
from triplewise.tools.query_graph.linking.said_names import span_of
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import PREPOSITIONS, is_participle

_PARTICLES = frozenset(("up", "out", "off", "down", "away"))
ALONE = "alone"
"""Marks a reading beside which no other is possible, not even "none of these"."""
_VERB = re.compile(r"[^s]s$")
_LISTED = """
    what which who whos whats is are was were re there here the a an all any every each of in do does we you i have got
    get can could would see know list lists show name give tell display find me us please different distinct had our
    existing exist exists known called many how much number count total altogether overall graph data
    database file table this these those them that s about so and ok okay hi hey hello then now
"""
_LISTING = frozenset(_LISTED.split())
"""Words that ask for all of a kind and say nothing of it."""
_ASKED = "what which who whos whats list show name give tell display how number count find"
_ASKING = frozenset(_ASKED.split())
_BEING = frozenset(("is", "are", "was", "were", "isn", "aren", "wasn", "weren", "isnt", "arent", "wasnt"))
_OF_KIND = _BEING | {"in", "of", "under", "from"}
_WHO, _ARE = frozenset(("who", "whos")), frozenset(("are", "were"))
_ARTICLES = frozenset(("a", "an", "the", "this", "these", "those", "all", "any", "every", "each"))
_JOINING = frozenset(("and", "both", "the", "so", "well", "s"))
"""What may stand before and between two names of which one thing is said."""
_SAID = "a an the not t no one of also really actually indeed it true that so s"
_SAYING = _BEING.union(_SAID.split())
"""Words that say of a thing what it is."""
_THERE_ARE = re.compile(r"^\W*(?:(?:and|so|but)\s+)?(?:there|we|they|you)\b", re.I)
_NUMBERING = """
    there are were is was s re we you they have has had got exist exists at least most more less fewer than then a an
    the of up to minimum maximum exactly just only precisely in total all altogether overall and so but
"""
_COUNTING = frozenset(_NUMBERING.split())
"""Words that say how many there are of what a number counts, and nothing else of it."""


def listings(schema: SchemaView, sentence: Sentence) -> list[Draft]:
    """All things of the one kind that a question is about, or their number; [] where it holds more."""
    words = words_in(sentence.text)
    if not (rest := _nouns(schema, sentence, words)):
        return []
    form = "count" if cues.COUNT.search(sentence.text) else "select"
    found = _kinds(schema, sentence, words, rest) or _of_two_kinds(schema, sentence, words, rest)
    return [d.but(form=form) for d in found if _asks_for(schema, words, rest, d)]


def _of_two_kinds(schema: SchemaView, sentence: Sentence, words: Sequence[Word], rest: Sequence[int]) -> list[Draft]:
    """What is of both classes of "which jobs are watches?" and "how many items are in the camping category?", where
    something is; [] where the words say more."""
    called = {word for relation in schema.roles.types for word in folded_words(schema.words(relation))}
    for (one, (first, last)), (other, (start, end)) in permutations(sentence.classes.items(), 2):
        between = {w.text for w in words[last + 1 : start]}
        said = [i for i in rest if not (i > end and words[i].text in called)]
        if [*range(first, last + 1), *range(start, end + 1)] != said or not between & _OF_KIND:
            continue
        members = schema.set_of(one) & schema.set_of(other)
        if members and between <= _OF_KIND | _ARTICLES:
            rows = ((0, TYPE, one), (0, TYPE, other))
            return [Draft(rows, members, classes=(one, other), kind=other, extra=(ALONE,))]
    return []


def _asks_for(schema: SchemaView, words: Sequence[Word], rest: Sequence[int], draft: Draft) -> bool:
    """Whether all of a kind are what a question asks for: "who is in the committee?" asks for other things."""
    said = {w.text for w in words}
    who = bool(said & _WHO)
    if who and any(map(Persons(schema).holds, schema.first(draft.answers)[:1])):
        return True
    before = next((w.text for w in reversed(words[: rest[0]]) if w.text not in _ARTICLES), "")
    called_persons = bool(said & _ARE) and words[rest[-1]].text.endswith("s")  # "who are the suppliers?"
    return before != "in" and (not who or called_persons)


def unknown_kind(schema: SchemaView, sentence: Sentence, known: KnownWords) -> bool:
    """Whether all of a kind are asked for that the graph has no word for: "list all elephants"."""
    words = words_in(sentence.text)
    rest = _nouns(schema, sentence, words)
    return len(rest) == 1 < len(words) and not known.knows(words[rest[0]].text)


def _nouns(schema: SchemaView, sentence: Sentence, words: Sequence[Word]) -> list[int]:
    """Where the words stand that say of which kind all are asked for; [] where a sentence asks for anything else."""
    of_kinds = {i for first, last in sentence.classes.values() for i in range(first, last + 1)}  # "the database"
    rest = [i for i, w in enumerate(words) if w.text not in _LISTING or i in of_kinds]
    asking = len(rest) == len(words) or any(w.text in _ASKING for w in words)
    named = any(x.first < 0 or (x.score > 0.99 and x.node not in schema.classes) for x in sentence.links)
    return [] if not asking or named or sentence.values or sentence.months else rest


def membership(schema: SchemaView, sentence: Sentence) -> list[Draft]:
    """That a named thing is of a kind; [] where the claim says anything else."""
    words = words_in(sentence.text)
    denied = bool(cues.DENIED.search(sentence.text))
    found: list[Draft] = []
    for i, link in enumerate(sentence.links):
        first, last = span_of(schema, link, words)
        others = [at for at in range(len(words)) if not first <= at <= last]
        rest = [at for at in others if words[at].text not in _SAYING]
        if link.score >= 0.5 and rest and rest[0] > last and any(words[at].text in _BEING for at in others):
            for draft in _kinds(schema, sentence, words, rest):
                found.append(_said_of(link.node, draft).but(links=(i,), denied=denied))
    return found if found or denied else list(_memberships(schema, sentence, words))


def _memberships(schema: SchemaView, sentence: Sentence, words: Sequence[Word]) -> Iterator[Draft]:
    """That two named things are of one kind: "Ann and Bo are bakers"."""
    spans = [span_of(schema, link, words) for link in sentence.links]
    for (i, one), (j, other) in permutations(enumerate(spans), 2):
        between = [words[at].text for at in range(one[1] + 1, other[0])]
        clear = sentence.links[i].score >= 0.5 and sentence.links[j].score >= 0.5
        if not clear or "and" not in between or not _JOINING.issuperset(between):
            continue
        rest = [at for at in range(other[1] + 1, len(words)) if words[at].text not in _SAYING]
        before = [w.text for w in words[: max(0, one[0])]]
        if rest and _BEING.intersection(w.text for w in words[other[1] + 1 : rest[0]]) and _JOINING.issuperset(before):
            for draft in _kinds(schema, sentence, words, rest):
                both = [_said_of(sentence.links[at].node, draft) for at in (i, j)]
                rows, routes = (both[0].rows + both[1].rows, both[0].routes + both[1].routes)
                yield both[0].but(rows=rows, routes=routes, steps=draft.steps * 2, links=(i, j))


def number_of_kind(schema: SchemaView, sentence: Sentence) -> list[Draft]:
    """That there are so many of one kind, or more or fewer; [] where a claim says anything else, or denies it."""
    if len(sentence.values) != 1 or not _THERE_ARE.match(sentence.text) or cues.DENIED.search(sentence.text):
        return []
    [value], words = sentence.values, words_in(sentence.text)
    others = [i for i, w in enumerate(words) if not value.start <= w.start < value.end]
    rest = [i for i in others if words[i].text not in _COUNTING]
    named = any(
        x.first < 0 or (x.score > 0.99 and not x.is_value and x.node not in schema.classes) for x in sentence.links
    )
    whole = value.low.isdecimal() and value.low == value.high
    if not rest or named or not whole or words[rest[0]].start < value.end:
        return []
    compare = (bound(sentence.text, value) or "=", value.low)
    return [d.but(form="count", compare=compare, values=(0,)) for d in _kinds(schema, sentence, words, rest)]


def _said_of(node: str, draft: Draft) -> Draft:
    def fixed(end: End | Step) -> End | Step:
        return node if isinstance(end, int) and end == 0 else end

    rows = tuple((fixed(h), r, fixed(t)) for h, r, t in draft.rows)
    routes = tuple(tuple(map(fixed, route)) for route in draft.routes)
    return draft.but(rows=rows, routes=routes, form="ask", kind="", answers=frozenset())


def _kinds(schema: SchemaView, sentence: Sentence, words: Sequence[Word], rest: Sequence[int]) -> list[Draft]:
    """The kinds that the words at ``rest``, and no others, name: classes, or else what relations lead to."""
    if list(rest) != list(range(rest[0], rest[-1] + 1)):
        return []
    found: list[Draft] = []
    for kind, (first, last) in sentence.classes.items():
        if (first, last) == (rest[0], rest[-1]):
            members = schema.set_of(kind)
            found.append(Draft(((0, TYPE, kind),), members, classes=(kind,), kind=kind, extra=(ALONE,)))
    if found:
        return found
    for relation in schema.relations:
        label = [word.text for word in words_in(schema.words(relation))]
        of = label[-1:] == ["of"]  # who is "captain of" something is a captain, what "captain" leads to as well
        label = label[:-1] if of else label
        if label[-1:] and _VERB.search(label[-1]) and len(label) == 1:
            continue  # who "manages" something is a manager, and not what is managed
        if len(label) > 1 and is_participle(label[0]) and label[-1] in PREPOSITIONS | _PARTICLES:
            continue  # what is "backed up" is no kind of what it is backed up by
        if len(label) < len(rest) or (not of and schema.value_kind(relation) not in (None, "text")):
            continue
        if all(same_word(n, words[at].text) for n, at in zip(label[-len(rest) :], rest, strict=True)):
            step = Step(relation, of)
            ends = schema.starts(step.back)
            found.append(Draft((row_of(1, step, 0),), ends, (step,), ((1, step, 0),), extra=(ALONE,)))
    return found
