"""A step that nothing says is not gone: where a class has the relation that is said of it, "where do our waiters live?"
asks for their homes, and not for those of their bosses; and a yard's bikes are those that stand there, whatever rows of
another table tell of that yard and of bikes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache

from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, End, Row
from triplewise.tools.query_graph.linking.mentions import Word, folded_words, is_form_of, words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.pruning.asked_kind import asked_class
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.roles.doers import family_of
from triplewise.tools.text.verb_forms import word_set

_VERBS = word_set(
    "act acted born died live lived lives made make play played plays won work worked works written wrote"
)
"""Stop words that are all that a question says of a relation: "where does Ann work?" """

_ROUND = 3
"""Patterns at least of a reading that goes round by others to another thing of the same kind; of another, one less."""
_IDLE = word_set("now currently nowadays presently today still actually exactly really again please")
"""Words that say nothing of a relation."""


def of_said_steps(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that only go a step farther than one which holds every word of the sentence and answers
    with what is asked for, and without those that give one thing two names."""
    drafts = [d for d in drafts if not _named_twice(schema, d.rows)] or drafts
    loose, asked = _loose_words(sentence), asked_class(schema, sentence)
    if not (loose or sentence.classes):
        return drafts
    spoken = [w.text for w in words_in(sentence.text)]

    @cache
    def is_unsaid(relation: str) -> bool:
        return not says_relation(schema, spoken, relation)

    @cache
    def held(relation: str) -> frozenset[str]:
        names = folded_words(schema.words(relation))
        return frozenset(w for w in loose if any(is_form_of(n, w) or family_of(n) == family_of(w) for n in names))

    def is_whole(draft: Draft) -> bool:
        if not (draft.answers and _is_plain(draft)):
            return False
        if not all(any(word in held(r) for _, r, _ in draft.rows if r != TYPE) for word in loose):
            return False
        few = [set(schema.store.types(n)) for n in schema.first(draft.answers)]
        answered = {kind for kind in sentence.classes if all(kind in kinds for kinds in few)}
        return sentence.classes.keys() <= answered | _kinds(draft.rows) and (not asked or asked in answered)

    whole: dict[Hashable, list[Draft]] = {}
    for draft in filter(is_whole, drafts):
        whole.setdefault(_shape(draft.form, draft.rows), []).append(draft)

    def goes_farther(draft: Draft) -> bool:
        if not whole or not _is_plain(draft):
            return False
        kinds = _kinds(draft.rows)
        fewer = list(_nearer(draft.rows, is_unsaid))
        fewer += _shorter(draft.rows, bool(asked)) if sentence.classes else ()
        shorter = (d for rows in fewer for d in whole.get(_shape(draft.form, rows), ()))
        return any(kinds <= _kinds(d.rows) and d.links == draft.links for d in shorter)

    return [d for d in drafts if not goes_farther(d)]


def of_the_other(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that go round by others to another thing of a class, where what is named has several of
    it by a relation of its own: "the other race that Dele ran in" is one that she ran in."""
    spoken = [w.text for w in words_in(sentence.text)]
    asked = next((k for k, (first, _) in sentence.classes.items() if first and spoken[first - 1] == "other"), "")
    if not asked:
        return drafts
    members = schema.set_of(asked)

    def relations(draft: Draft) -> list[str]:
        return [r for _, r, _ in draft.rows if r != TYPE]

    several = {
        (d.links, relations(d)[0])
        for d in drafts
        if d.links and _is_plain(d) and len(relations(d)) == 1 and len(d.answers) > 1 and d.answers <= members
    }

    def goes_round(draft: Draft) -> bool:
        told = relations(draft)
        if len(told) < _ROUND - (not draft.answers <= members) or (draft.links, told[0]) not in several:
            return False
        return not any(says_relation(schema, spoken, r) for r in told if r != told[0])

    return [d for d in drafts if not goes_round(d)]


def _named_twice(schema: SchemaView, rows: Sequence[Row]) -> bool:
    """Whether the one end that a relation has is called by two variables: "Y's bike is Z and Y's bike is X"."""
    for at, (head, relation, tail) in enumerate(rows):
        for h, r, t in rows[:at]:
            two = r == relation and h == head and t != tail and isinstance(t, int) and isinstance(tail, int)
            if two and relation != TYPE and schema.functional(Step(relation)):
                return True
    return False


def _is_plain(draft: Draft) -> bool:
    """Whether a draft is told by its patterns alone."""
    return draft.form != "ask" and not (draft.filters or draft.minus or draft.order or draft.compare or draft.values)


def _loose_words(sentence: Sentence) -> list[str]:
    """The words that say anything, but for names and the nouns of classes."""
    words = words_in(sentence.text)
    whole = [x for x in sentence.links if x.score > 0.99 or (x.first > 0 and _is_capital(sentence, words[x.first]))]
    spans = [(x.first, x.last) for x in whole] + list(sentence.classes.values())
    held = {i for first, last in spans for i in range(first, last + 1)}
    idle = STOP_WORDS - _VERBS | _IDLE
    return [w.text for i, w in enumerate(words) if i not in held and w.text not in idle]


def _is_capital(sentence: Sentence, word: Word) -> bool:
    return sentence.text[word.start].isupper() and not sentence.text.isupper()


def _shorter(rows: Sequence[Row], with_answer: bool) -> Iterator[tuple[Row, ...]]:
    """The patterns without one between two variables, which are then one; the answer is one with another only where
    its class is asked for."""
    for head, relation, tail in rows:
        if isinstance(head, int) and isinstance(tail, int) and relation != TYPE and (with_answer or (head and tail)):
            one, other = sorted((head, tail))

            def merged(end: End, one: int = one, other: int = other) -> End:
                return one if end == other else end

            yield tuple((merged(h), r, merged(t)) for h, r, t in rows if (h, r, t) != (head, relation, tail))


def _nearer(rows: Sequence[Row], is_unsaid: Callable[[str], bool]) -> Iterator[tuple[Row, ...]]:
    """The patterns without one that leads from what is named to another thing by a relation that nothing says, of which
    the rest is then asked: where Petra works is not where the one works to whom she is engaged."""
    for head, relation, tail in rows:
        name, variable = (head, tail) if isinstance(head, str) else (tail, head)
        if not (isinstance(name, str) and isinstance(variable, int) and variable) or relation == TYPE:
            continue
        if sum(r == relation for _, r, _ in rows) > 1 or not is_unsaid(relation):
            continue
        moved: dict[End, End] = {variable: name}
        others = (row for row in rows if row != (head, relation, tail))
        yield tuple((moved.get(h, h), r, moved.get(t, t)) for h, r, t in others)


def _shape(form: str, rows: Sequence[Row]) -> Hashable:
    """What patterns say but for classes and the numbers of variables."""
    told = [row for row in rows if row[1] != TYPE]

    def met(variable: int) -> list[tuple[str, bool, str]]:
        return sorted(
            (r, h == variable, str(t if h == variable else h) if _is_fixed(t if h == variable else h) else "")
            for h, r, t in told
            if variable in (h, t)
        )

    variables = sorted({e for h, _, t in told for e in (h, t) if isinstance(e, int) and e}, key=met)
    numbers: dict[End, End] = {v: n for n, v in enumerate(variables, 1)}
    return form, frozenset((numbers.get(h, h), r, numbers.get(t, t)) for h, r, t in told)


def _is_fixed(end: End) -> bool:
    return isinstance(end, str) or end == 0


def _kinds(rows: Sequence[Row]) -> set[End]:
    return {t for _, r, t in rows if r == TYPE}
