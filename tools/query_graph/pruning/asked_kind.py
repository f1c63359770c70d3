"""The class that a sentence says of what it asks for or counts: of "how many plots are at Harrow Lane?" no water tap is
counted that stands there too."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set

from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, said
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import Word, folded_words, is_form_of, same_word, words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.roles.converses import are_of_one_kind, asked_role, asks_who_answers, roles_of
from triplewise.tools.text.verb_forms import is_past

_ASKED = "which what whats many number count list show name give find tell"
_ASKING = frozenset(_ASKED.split())
_LEFT = "of the all any other different distinct our your their its my his her these those such me us total"
_BETWEEN = frozenset(_LEFT.split())
"""Words that may stand between what asks and the noun that it asks for; "what eats plants" has a verb there."""
_ASKING_ELSE = frozenset(("who", "whom", "whose", "when", "where", "how", "why"))
_LEADING = "is was are were the our my your any all me and so us of s"
_OPENING = _ASKING.union(_LEADING.split())
"""Words that may stand before the first thing that a question speaks of."""
_IS = frozenset(("is", "was", "are", "were"))
_NARROWING = "below above less more fewer than since until under over without before after built"
_AFTER = frozenset(_NARROWING.split())
"""Words that may stand behind it, beside those that carry a question."""
_SOME = frozenset(("a", "an", "any", "no", "every", "each", "all", "some"))
_BEING = frozenset(("is", "was", "are", "were", "be", "isn't", "isn’t", "wasn't", "wasn’t", "not", "of", "among"))
"""Words before these that say what somebody is: "who is no member", "who of all members"."""
ROLE = "role"
"""Marks a reading that tells the boss who is asked for."""
_WHICH = frozenset(("which", "what"))
_JOINING = frozenset(("and", "or"))


def of_asked_kind(schema: SchemaView, persons: Persons, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts that answer with what is asked for, neither with more than that nor with less, and nothing else."""
    words = words_in(sentence.text)
    asked, counted = asked_class(schema, sentence), _after_number(schema, sentence, words)
    if asked or counted:
        drafts = _not_too_wide(drafts, asked, counted)
        drafts = _not_narrowed(schema, sentence, words, drafts, {asked, counted} - {""})
        return _of_no_other_class(schema, sentence, words, drafts, asked, counted)
    return _all_persons(schema, persons, sentence, words, drafts) if cues.WHO.search(sentence.text) else drafts


def _not_too_wide(drafts: list[Draft], asked: str, counted: str) -> list[Draft]:
    """The drafts without those that answer with things of several kinds where there is the same one with the asked
    class, and where that makes a difference: the least of all may be of the class by chance."""
    typed: dict[tuple[Hashable, str], Draft] = {}
    for draft in drafts:
        for kind in {asked, counted} - {""}:
            if (row := (0, TYPE, kind)) in draft.rows:
                typed[said(draft, row), kind] = draft

    def is_too_wide(draft: Draft) -> bool:
        kind = counted if draft.compare else asked
        if not kind or draft.form == "ask" or any(r[:2] == (0, TYPE) for r in draft.rows):
            return False
        narrower = typed.get((said(draft), kind))
        return narrower is not None and (bool(draft.order) or narrower.answers != draft.answers)

    return [d for d in drafts if not is_too_wide(d)]


def of_asked_person(schema: SchemaView, persons: Persons, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer "who has not booked any class?" with classes, or with who teaches those that
    nobody booked, where some answer with persons: what "who" does something to is not who does it, or does not."""
    said = _acted_on(schema, sentence)
    if not said:
        return drafts

    def is_acted_on(draft: Draft) -> bool:
        few = schema.first(draft.answers)[:1] if draft.form != "ask" else ()
        if draft.minus and any(row[:2] == (draft.minus_of, TYPE) and row[2] in said for row in draft.rows):
            return True
        return any(kind in said and persons.sure(n) == "thing" for n in few for kind in schema.kinds(n))

    def is_of_persons(draft: Draft) -> bool:
        return draft.form != "ask" and any(map(persons.holds, schema.first(draft.answers)[:1]))

    left = [d for d in drafts if not is_acted_on(d)]
    return left if any(map(is_of_persons, left)) else drafts


def _acted_on(schema: SchemaView, sentence: Sentence) -> Set[str]:
    """The classes that a question with "who" says of what is done something to, by "any", "no" and the like, or right
    behind the verb: "who hired boats?"."""
    words = words_in(sentence.text)
    if not words or words[0].text != "who":
        return set[str]()
    nouns = [(kind, first) for kind, first in _nouns(schema, sentence, words) if first > 1]
    some = {k for k, at in nouns if at > 2 and words[at - 1].text in _SOME and words[at - 2].text not in _BEING}
    return some.union(k for k, at in nouns if is_past(words[at - 1].text) and words[at - 1].text not in _BEING)


def _not_narrowed(
    schema: SchemaView, sentence: Sentence, words: Sequence[Word], drafts: list[Draft], kinds: set[str]
) -> list[Draft]:
    """The drafts without those that ask for a class below the said one of which nothing is said: "which sailors" are
    not the helms alone, but "which buildings are listed?" may ask for the listed buildings."""
    spans = [sentence.classes[kind] for kind in kinds]
    others = [word for i, word in enumerate(words) if not any(first <= i <= last for first, last in spans)]
    wide = [schema.set_of(kind) for kind in kinds]
    below = {
        kind
        for kind in set(schema.classes) - kinds
        if any(members.issuperset(schema.members(kind)) for members in wide)
        and not _is_hinted(schema, sentence, kind, others)
    }
    return [d for d in drafts if not any(r == TYPE and t in below for _, r, t in d.rows)] or drafts


def _is_hinted(schema: SchemaView, sentence: Sentence, kind: str, words: Sequence[Word]) -> bool:
    """Whether a class is said, or some words have one of its name."""
    return kind in sentence.classes or any(
        is_form_of(name, word.text) for name in words_of_class(schema, kind) for word in words
    )


def _of_no_other_class(
    schema: SchemaView, sentence: Sentence, words: Sequence[Word], drafts: list[Draft], asked: str, counted: str
) -> list[Draft]:
    """The drafts without those that answer with things of other classes only, where as much of the sentence can be
    used by one that answers with the said class: "which boats" are no boat classes, and "which sailors" no crews."""
    heads = {kind for kind in _heads(schema, sentence, words) if kind in (asked, counted)}
    members = {kind: schema.set_of(kind) for kind in heads}
    extreme = asks_for_extreme(schema, sentence)  # no year is the oldest boat
    fitting = {
        (kind, draft.links, draft.values)
        for draft in drafts
        for kind in heads
        if draft.form != "ask" and draft.answers and draft.answers <= members[kind]
    }

    def is_of_another(draft: Draft) -> bool:
        kind = counted if draft.compare else asked
        if kind not in heads or draft.form == "ask" or not draft.answers or draft.answers & members[kind]:
            return False
        few = schema.first(draft.answers)
        if not (extreme or all(map(schema.store.types, few)) or _are_texts(schema, sentence, draft, few)):
            return False
        links, values = set(draft.links), set(draft.values)
        return any(kind == of and links.issubset(i) and values.issubset(j) for of, i, j in fitting)

    return [d for d in drafts if not is_of_another(d)]


def _are_texts(schema: SchemaView, sentence: Sentence, draft: Draft, few: Sequence[str]) -> bool:
    """Whether a draft answers with texts by a relation of which no word is said, or "which record" with any values: no
    goods that somebody supplies are "shops", but the "colours" of a relation may be asked for where things are colours
    as well."""
    told = [r for _, r, t in draft.rows if t == 0 and isinstance(t, int)]
    kinds = {schema.value_kind(r) for r in told}
    words = words_in(sentence.text)
    asked = any(first and words[first - 1].text in _WHICH for first, _ in sentence.classes.values())
    values = bool(kinds) and None not in kinds and (kinds == {"text"} or asked)
    texts = values and not any(map(schema.store.types, few))
    return texts and not any(_is_said(schema, sentence, r) for r in told)


def _is_said(schema: SchemaView, sentence: Sentence, relation: str) -> bool:
    """Whether a sentence says a relation, and not only a class before the relation's own noun: "which record" does not
    ask for a record format."""
    words, name = words_in(sentence.text), folded_words(schema.words(relation))
    of_class = {i for first, last in sentence.classes.values() for i in range(first, last + 1)}
    other = [w.text for i, w in enumerate(words) if i not in of_class]
    ends = any(name and is_form_of(name[-1], words[i].text) for i in of_class)
    return ends or says_relation(schema, other, relation)


def _all_persons(
    schema: SchemaView, persons: Persons, sentence: Sentence, words: Sequence[Word], drafts: list[Draft]
) -> list[Draft]:
    """The drafts without those that narrow persons to a class which nobody said: "who owns it?" asks for all of them,
    and not for the helms alone."""
    wider = {said(d): d.answers for d in drafts if not any(r[:2] == (0, TYPE) for r in d.rows)}

    def is_narrowed(draft: Draft) -> bool:
        row = next((r for r in draft.rows if r[:2] == (0, TYPE)), None)
        if row is None or draft.form == "ask" or _is_hinted(schema, sentence, str(row[2]), words):
            return False
        every = wider.get(said(draft, row))
        return every is not None and every > draft.answers and all(map(persons.holds, schema.first(every)))

    return [d for d in drafts if not is_narrowed(d)]


def of_asked_role(schema: SchemaView, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that answer with the other end of a relation than is asked for, such as with the parents
    for "Nora's children", where some answer with the one."""
    asked = asked_role(sentence.text)
    if asked is None:
        return drafts

    def roles(draft: Draft) -> set[bool]:
        """Whether the answers are the first ends of such relations."""
        found = set[bool]()
        for head, relation, tail in draft.rows:
            label = schema.words(relation)
            if 0 in (head, tail) and draft.form != "ask" and (ends := roles_of(label)):
                role = ends[0] if head == 0 else ends[1]
                found |= {role.first} if are_of_one_kind(asked, sentence.text, role, label) else set()
        return found

    told = [roles(draft) for draft in drafts]
    if {asked.first} not in told:
        return drafts
    if asks_who_answers(sentence.text):
        return [
            draft.but(extra=(*draft.extra, ROLE))
            for draft, found in zip(drafts, told, strict=True)
            if asked.first in found
        ]
    return [draft for draft, found in zip(drafts, told, strict=True) if not found or asked.first in found]


def of_any_class(schema: SchemaView, sentence: Sentence, readings: Sequence[tuple[Draft, float]]) -> int:
    """The place of the reading that should be first: where the likeliest answers with things of one of several kindred
    classes, none of which is said, and the same of the others or of things of any class is likelier together, the last.

    "Which house is the oldest?" does not mean one of villas, cottages and workshops more than another.
    """
    row = next((r for r in readings[0][0].rows if r[:2] == (0, TYPE)), None)
    kindred = schema.kindred(str(row[2])) if row else frozenset[str]()
    if row is None or len(kindred) < 2 or not kindred.isdisjoint(sentence.classes):
        return 0
    asked, others, place = said(readings[0][0], row), 0.0, 0
    for number, (draft, probability) in enumerate(readings[1:], 1):
        typed = next((r for r in draft.rows if r[:2] == (0, TYPE) and r[2] in kindred), None)
        if said(draft, *filter(None, (typed,))) == asked:
            others += probability
            place = place if typed else number
    return place if others > readings[0][1] else 0


def asked_class(schema: SchemaView, sentence: Sentence) -> str:
    """The class whose noun is asked for: "how many plots", "which of the plots", "what's the oldest plot", "plots of
    more than 9 ares"; "" where there is none: "which plants" does not ask for the one spider plant among many."""
    words = words_in(sentence.text)
    kind = _noun_asked_for(schema, sentence, words)
    alone = bool(kind) and len(schema.members(kind)) == 1 and len(schema.kindred(kind)) > 1
    said = {word.text for word in words}
    return "" if alone and not all(any(is_form_of(w, s) for s in said) for w in words_of_class(schema, kind)) else kind


def _noun_asked_for(schema: SchemaView, sentence: Sentence, words: Sequence[Word]) -> str:
    if kind := _leading(schema, sentence, words):
        return kind
    for kind, first in _nouns(schema, sentence, words):
        at = first - 1
        while at >= 0 and words[at].text in _BETWEEN:
            at -= 1
        if at >= 0 and words[at].text in _ASKING:
            return kind
    return ""


def _leading(schema: SchemaView, sentence: Sentence, words: Sequence[Word]) -> str:
    """The class whose noun, with or without its superlative, is the first thing that a question speaks of; "" where
    there is none: neither of "the oldest plot's owner" nor of "the owner of the oldest plot"."""
    heads = set(_heads(schema, sentence, words))
    asked = [i for i, word in enumerate(words) if word.text in _ASKING | _ASKING_ELSE]
    for kind, first in _nouns(schema, sentence, words):
        last = sentence.classes[kind][1]
        before = first
        while before and _is_superlative(words, before - 1):
            before -= 1
        plural = words[last].text[-1] == "s" and words[last].text != words_of_class(schema, kind)[-1]
        listed = plural and before == first and not any(word.text in _IS for word in words[:first])
        opening = all(w.text in _OPENING for w in words[:before]) and not any(at > last for at in asked)
        opening = opening and "," not in sentence.text[words[last].end :]  # "boats of Ann's, names only"
        ends = last + 1 == len(words) or words[last + 1].text in _AFTER or words[last + 1].text in STOP_WORDS
        if kind in heads and opening and ends and (before < first or listed):
            return kind
    return ""


def asks_for_extreme(schema: SchemaView, sentence: Sentence) -> bool:
    """Whether the extreme of a class is asked for, and nothing else: "what's the oldest plot"."""
    return bool(cues.MOST.search(sentence.text) and _leading(schema, sentence, words_in(sentence.text)))


def _is_superlative(words: Sequence[Word], at: int) -> bool:
    """Whether a word belongs to a superlative: "oldest", "most", "most expensive"."""
    most = at > 0 and words[at - 1].text in ("most", "least")
    return most or words[at].text in ("most", "least") or bool(cues.EXTREME_ADJECTIVE.fullmatch(words[at].text))


def _after_number(schema: SchemaView, sentence: Sentence, words: Sequence[Word]) -> str:
    """The class whose noun follows a number: "four plots"; "" where there is none."""
    ends = {v.end for v in sentence.values if v.kind == "number"}
    for kind, first in _nouns(schema, sentence, words):
        if first and words[first - 1].end in ends:
            return kind
    return ""


def _nouns(schema: SchemaView, sentence: Sentence, words: Sequence[Word]) -> list[tuple[str, int]]:
    """(class, first word) of the classes that are surely said, of which none is only a part of a longer noun or one of
    two that are joined: "plot fences", "plots and sheds". One that is called otherwise than its label is no guess."""
    spans = sentence.classes.values()
    found: list[tuple[str, int]] = []
    for kind, (first, last) in sentence.classes.items():
        label = words_of_class(schema, kind)[first - last - 1 :]
        said = zip(label, words[first : last + 1], strict=True)
        sure = all(is_form_of(name, word.text) or not same_word(name, word.text) for name, word in said)
        wider = any(a <= first <= last <= b and (a, b) != (first, last) for a, b in spans)
        follows = any(a == last + 1 or (a == last + 2 and words[last + 1].text in _JOINING) for a, _ in spans)
        if sure and not wider and not follows:
            found.append((kind, first))
    return found


def _heads(schema: SchemaView, sentence: Sentence, words: Sequence[Word]) -> list[str]:
    """The classes whose noun is followed by none that it may belong to: "which boat did" and
    "which boats" ask for boats, "which boat owners" and "which boat's owner" do not."""
    found: list[str] = []
    for kind, (_, last) in sentence.classes.items():
        word = words[last]
        if sentence.text[word.end : word.end + 1] in ("'", "’"):
            continue
        plural = word.text != words_of_class(schema, kind)[-1]
        if plural or last + 1 == len(words) or words[last + 1].text in STOP_WORDS:
            found.append(kind)
    return found
