"""Rows that stand for what a question asks for: "which things did Ann repair?" asks for the things, and not for R09 and
R10, the rows of a table that tie them to her and to a day. Of 1,368 questions of the training domains whose right
answers are such rows 29 are led on though they should not be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from triplewise.kg.names import fold
from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, answering, move_answer
from triplewise.tools.query_graph.candidates.whereabouts import leads_to_place
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import folded_words, is_form_of, words_in
from triplewise.tools.query_graph.linking.said_relations import says_relation
from triplewise.tools.query_graph.nameless import are_dated, are_numbered, is_bare_id
from triplewise.tools.query_graph.pruning.asked_kind import asked_class
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import word_set

_TIES = 2
"""Things that a row ties at least."""
_SAMPLE = 40
_MOST = 0.6
"""Share of the texts of a relation that must be names for it to tell names."""
_DOER = re.compile(r"(?:\bby|\w{2}(?<!charact)[eo]rs?|\bclients?|\bguests?)$", re.I)
_ASKING, _BEING = frozenset(("which", "what")), frozenset(("is", "was", "are", "were"))
_WHO = frozenset(("who", "whos", "anyone", "anybody"))
_WHO_BEHIND = re.compile(r"^of [^,]+, (?P<who>who)\b", re.I)
_OURS = frozenset(("the", "our", "my", "your", "these", "those"))
_DOING = frozenset(("do", "does", "did", "has", "have", "had"))
_STILL = frozenset(("been", "still", "missing"))
"""What may stand behind "what's" for it to ask for things, and not for the records of them: "what's still out?"."""
_THING = frozenset(("thing", "things", "stuff"))
_PEOPLE = frozenset(
    ("people", "person", "persons", "folk", "folks", "guy", "guys", "chap", "man", "woman", "men", "women")
)
_SUBJECTS = frozenset(("i", "we", "you", "he", "she", "they"))
_MEASURES = word_set("age amount city colour color country day date kind month number price reason size sort time town "
                     "type way weekday week year one ones of")  # fmt: skip
"""What is a value and no thing."""
_ASKS_DAY = re.compile(
    r"\W*(?:(?:and|so) )?(?:when (?:is|was|were|did|do|does|has|have|had|will|are)\b|"
    r"(?:on )?(?:which|what) (?:dates?|days?)\b(?! of the week))",
    re.I,
)
_ONES = frozenset(("one", "ones"))
_IDS = frozenset(("numbers", "ids", "codes", "references"))
"""What rows are called by: "which has he ordered, numbers please?" """
_REASONS = ("reason", "cause", "purpose")
_ALMOST_ALL = 0.8
"""Share of what has a step that it must lead to one thing from for it to be taken for one that does."""
_HAD = r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bbe)(?<!\bas)"
"""Before what somebody is said to be."""
_POSITION = re.compile(r"\b(?:title|position|job|role|rank|occupation|profession|post|status|membership)$", re.I)
"""Relations that tell what somebody is, and not who."""


class Asked(NamedTuple):
    """What a question asks for: things of a class, what a noun of the graph's relations names, a person, or things of
    any kind ("which things", "what did she repair": what is done is an end of the deed, and no record of it), which
    ``called`` may name by a noun that the graph has not ("which animals")."""

    kind: str = ""
    noun: str = ""
    person: bool = False
    thing: bool = False
    place: bool = False
    called: str = ""


class RowEnds:
    """The readings over one graph that end at rows, led on to what is asked for."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self.persons = Persons(schema)
        self._rows: dict[str, bool] = {}
        self._are_events = cache(self._happened)
        self._tells_mostly_one = cache(self._leads_to_one)
        self._tells_of_rows = cache(self._comes_from_rows)

    def asked(self, sentence: Sentence) -> Asked | None:
        """What a question asks for; None where its words do not tell."""
        if kind := asked_class(self.schema, sentence):
            return Asked(kind=kind)
        words = [w.text for w in words_in(sentence.text)]
        first = words[1:2] if words[:1] and words[0] in _DOING else words[:1]  # "does anyone have a key?"
        if behind := _WHO_BEHIND.search(sentence.text):  # "of those with us now, who pays most?"
            first = [behind["who"].lower()]
        if _WHO.intersection(first):
            return Asked(person=True)
        if words[:1] == ["where"]:
            return Asked(place=True)
        if words[:1] == ["why"]:
            return next((Asked(noun=noun) for noun in _REASONS if self._is_called(noun)), None)
        at = next((i for i, word in enumerate(words[:-1]) if word in _ASKING or (i == 0 and _opens(word))), -1)
        if at < 0:
            return None
        if words[at + 1] == "of" and _OURS.intersection(words[at + 2 : at + 3]) and len(words) > at + 3:
            words[at + 1 : at + 3] = []  # "which of the wrecks"
        noun = words[-1] if words[at + 1] in _BEING else words[at + 1]  # "what was the dearest part?"
        if noun in _ONES or _IDS.intersection(words):
            return None
        if noun in _THING or (words[at] == "what" and self._asks_what_is_done(sentence, words, at + 1)):
            return Asked(thing=True)
        if noun in _PEOPLE:
            return Asked(person=True)
        if self._is_called(noun):
            return Asked(noun=noun)
        plain = noun in STOP_WORDS or words[at + 1] in _BEING or noun.removesuffix("s") in _MEASURES
        asks = words[at] == "which" or _opens(words[at])
        return Asked(thing=True, called=noun) if asks and not plain else None

    def _is_called(self, noun: str) -> bool:
        """Whether a relation is called by a noun."""
        return any(self._called(step, noun) for step in map(Step, self.schema.relations))

    def _asks_what_is_done(self, sentence: Sentence, words: Sequence[str], at: int) -> bool:
        """Whether the word behind "what" begins what is done, or by whom: "what did she", "what's Joe bringing"."""
        at += words[at] in _BEING
        asks = _DOING.union(_SUBJECTS, _STILL).intersection(words[at : at + 1])
        return bool(asks) or any(x.first == at and not x.is_value for x in sentence.links)

    def led_on(self, asked: Asked, draft: Draft) -> list[Draft]:
        """A reading that ends at rows, led on to each end that fits what is asked for; none where there is no such end,
        or where the rows themselves may be asked for."""
        if draft.form == "ask" or draft.compare or not draft.answers:
            return []
        kinds = frozenset(k for n in self.schema.first(draft.answers) for k in self.schema.kinds(n))
        numbered = asked.person or asked.place or asked.noun
        rows = all(
            self._are_rows(kind)
            or (numbered and self._are_numbered(kind))
            or ((asked.person or (numbered and kind not in self.schema.classes)) and self._are_events(kind))
            for kind in kinds
        )
        if not kinds or not rows or self._may_be_meant(asked, kinds, draft):
            return []
        if asked.noun and draft.form == "select" and not draft.order:
            for head, relation, tail in draft.rows:  # "any acts from Fowey?" of the slots of those acts
                step = Step(relation)
                if head == 0 and isinstance(tail, int) and self._called(step, asked.noun):
                    return [answering(draft, tail, self.schema.follow(draft.answers, step))]
        ends = Counter(end for h, _, t in draft.rows for end in {h, t})
        told = {r for h, r, t in draft.rows if h == 0 and r != TYPE and (isinstance(t, str) or ends[t] > 1)}
        steps = [s for s in self._onwards(kinds) if s.relation not in told]
        ways = [(s,) for s in steps if self._fits(asked, s, self.schema.follow(draft.answers, s))]
        if not ways and (asked.kind or asked.noun):
            ways = list(self._farther(asked, draft.answers, steps))
        return [self._along(draft, way) for way in ways]

    def day_of(self, sentence: Sentence, draft: Draft) -> Draft | None:
        """A reading of "when?" or "which dates?" that ends at things of which the graph tells one date each, led on to
        it; None for any other."""
        schema = self.schema
        if not _ASKS_DAY.match(sentence.text) or draft.form != "select" or draft.order or draft.compare:
            return None
        nodes = schema.first(draft.answers)
        dated = {s for n in nodes for s in schema.steps(n) if not s.inverse and schema.value_kind(s.relation) == "date"}
        if len(dated) != 1 or not all(dated.intersection(schema.steps(n)) for n in nodes):
            return None
        return self._along(draft, tuple(dated))

    def _are_composed(self, nodes: Sequence[str]) -> bool:
        """Whether nearly all of some rows are called by words of what they lead to, of two things at least: "Grace at
        Lansdown" of a player and a tournament."""
        composed = 0
        for node in nodes:
            ends = [e for s in self.schema.steps(node) if not s.inverse for e in self.schema.go(node, s)]
            words = {w for w in folded_words(self.schema.label(node)) if w not in STOP_WORDS and not w.isdigit()}
            told = [words.intersection(folded_words(self.schema.label(e))) for e in ends]
            composed += bool(words) and words <= frozenset[str]().union(*told) and sum(map(bool, told)) > 1
        return len(nodes) > _TIES and composed > _ALMOST_ALL * len(nodes)

    def _along(self, draft: Draft, way: Sequence[Step]) -> Draft:
        for step in way:
            ends = self.schema.follow(draft.answers, step)
            draft = move_answer(_without(draft, step), step).but(steps=(*draft.steps, step), answers=ends)
        return draft

    def of_one_table(self, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
        """The drafts without those that answer "which newbies" with rows of several tables, where some about the same
        things answer with things of one kind: no noun calls a mixture of records."""
        words = [w.text for w in words_in(sentence.text)]
        if words[:1] != ["which"] or words[1:2] == ["of"] or _THING.intersection(words[1:2]):
            return drafts

        def tables(draft: Draft) -> set[frozenset[str]]:
            """The kinds of the answers, with their kindred: cranes and hoists are machines."""
            few = self.schema.first(draft.answers)
            return {frozenset(k for kind in self.schema.kinds(n) for k in self.schema.kindred(kind)) for n in few}

        of_one = {d.links for d in drafts if d.form == "select" and d.answers and len(tables(d)) == 1}

        def is_mixture(draft: Draft) -> bool:
            if draft.form != "select" or draft.links not in of_one:
                return False
            kinds = tables(draft)
            mixed = len(kinds) > 1 and not frozenset.intersection(*kinds)
            return mixed and any(self._are_rows(kind) for each in kinds for kind in each)

        return [d for d in drafts if not is_mixture(d)]

    def of_persons(self, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
        """The drafts without those that answer "who" with rows from which no step leads to a person, or with values
        that call none (a job title), where some that are about the same things answer with persons."""
        asked = self.asked(sentence)
        if not asked or not asked.person:
            return drafts
        told = [d.links for d in drafts if d.form == "select" and self._answers_with(d, self.persons.holds)]
        words = folded_words(sentence.text)
        of_other = not _only_names(sentence)

        def is_no_person(draft: Draft) -> bool:
            if draft.form != "select" or not self._answers_with(draft, self._is_row) or draft.links not in told:
                return False
            return not self._may_be_meant(asked, frozenset(), draft) and not self.led_on(asked, draft)

        def is_nobody(draft: Draft) -> bool:
            if not of_other or draft.form != "select" or not draft.answers or draft.links not in told:
                return False
            relations = [r for _, r, t in draft.rows if t == 0 and isinstance(t, int)]
            return bool(relations) and all(self._tells_nobody(words, r) for r in relations)

        had = {kind for kind in sentence.classes if self._is_had(sentence.text, kind)}

        def is_had(draft: Draft) -> bool:
            if not had or draft.form != "select" or draft.links not in told:
                return False
            answers = self.schema.first(draft.answers)[:1]
            return any(had.intersection(self.schema.kinds(n)) and self.persons.sure(n) == "thing" for n in answers)

        return [d for d in drafts if not (is_no_person(d) or is_nobody(d) or is_had(d))]

    def _is_had(self, text: str, kind: str) -> bool:
        """Whether things of a kind are what somebody has or does something with: "who has an electric car?" """
        noun = " ".join(words_of_class(self.schema, kind))
        return bool(noun) and bool(re.search(rf"{_HAD} (?:an?|any)(?: [\w'’-]+)? {re.escape(noun)}s?\b", text, re.I))

    def _tells_nobody(self, words: Sequence[str], relation: str) -> bool:
        """Whether a relation of which no word is said tells values that are no names of persons or firms."""
        if self.schema.value_kind(relation) is None or says_relation(self.schema, words, relation):
            return False
        text = self.schema.words(relation)
        return bool(_POSITION.search(text)) or not (self._names_others(relation) or _DOER.search(text))

    def _answers_with(self, draft: Draft, holds: Callable[[str], bool]) -> bool:
        return bool(draft.answers) and all(map(holds, self.schema.first(draft.answers)[:1]))

    def _is_row(self, node: str) -> bool:
        kinds = self.schema.kinds(node)
        return bool(kinds) and all(self._are_rows(kind) or self._are_numbered(kind) for kind in kinds)

    def _is_numbered(self, node: str) -> bool:
        return any(map(self._are_numbered, self.schema.kinds(node)))

    def _are_numbered(self, kind: str) -> bool:
        """Whether things of a kind are called by its name and a number: "Inspection 24" is nobody."""
        name = " ".join(words_of_class(self.schema, kind))
        labels = [fold(self.schema.label(m)) for m in self.schema.members(kind)[:_SAMPLE]]
        return bool(labels) and all(text.rstrip("0123456789").strip() == name != text for text in labels)

    def _happened(self, kind: str) -> bool:
        """Whether things of a kind are events: they happened on a day, tie others together, and nothing tells of them.
        Sessions are nobody, whatever they are called."""
        usual = self.schema.usual_steps((kind,))
        ties = sum(self.schema.value_kind(s.relation) is None for s in usual)
        dated = any(self.schema.value_kind(s.relation) == "date" for s in self._onwards(frozenset((kind,))))
        return dated and ties >= _TIES and not any(s.inverse for s in usual)

    def _may_be_meant(self, asked: Asked, kinds: frozenset[str], draft: Draft) -> bool:
        """Whether rows may be asked for themselves: by their class, as persons whom a table calls by numbers, or as
        things that other tables tell of."""
        if asked.person:
            few = self.schema.first(draft.answers)[:1]
            return any(self.persons.sure(n) != "thing" and not self._is_numbered(n) for n in few)
        called = kinds.intersection(self.schema.classes)
        labels = {word for kind in called for word in words_of_class(self.schema, kind)}
        if asked.thing:
            said = any(is_form_of(word, asked.called) for word in labels)
            return said or any(s.inverse and not self._tells_of_rows(s) for s in self.schema.usual_steps(kinds))
        return asked.kind in kinds or any(is_form_of(word, asked.noun) for word in labels)

    def _comes_from_rows(self, step: Step) -> bool:
        """Whether what a relation, taken backwards, leads to are rows themselves: a repair after a loan."""
        kinds = {k for n in self.schema.first(self.schema.heads(step.relation)) for k in self.schema.kinds(n)}
        return bool(kinds) and all(map(self._are_rows, kinds))

    def _farther(self, asked: Asked, answers: frozenset[str], steps: list[Step]) -> Iterator[tuple[Step, Step]]:
        """Ways of two steps, over the things that rows tie; what a person has is not what a row tells of."""
        for first in steps:
            between = self.schema.follow(answers, first)
            kinds = frozenset(k for n in self.schema.first(between) for k in self.schema.kinds(n))
            if not self._are_things(between):
                continue
            for step in self._onwards(kinds):
                if self._fits(asked, step, self.schema.follow(between, step)):
                    yield first, step

    def _fits(self, asked: Asked, step: Step, ends: frozenset[str]) -> bool:
        """Whether what a step leads to is what is asked for."""
        if asked.noun:
            return bool(ends) and self._called(step, asked.noun)
        if asked.thing:
            return self._are_things(ends)
        if asked.place:
            return bool(ends) and not step.inverse and leads_to_place(self.schema, step.relation)
        few = self.schema.first(ends)
        if asked.person:
            who = folded_words(self.schema.words(step.relation))[:1] == ["who"]  # "who borrowed"
            return bool(few) and (who or all(map(self.persons.holds, few)) or self._are_doers(step, few))
        return bool(few) and all(asked.kind in self.schema.store.types(n) for n in few)

    def _called(self, step: Step, noun: str) -> bool:
        """Whether a relation to things or texts is called by a noun: what is a "part" is told by "parts used"."""
        if len(noun) < 3 or self.schema.value_kind(step.relation) not in (None, "text"):
            return False
        return any(is_form_of(w, noun) or is_form_of(noun, w) for w in folded_words(self.schema.words(step.relation)))

    def _are_things(self, nodes: frozenset[str]) -> bool:
        """Whether nodes are things, neither persons nor rows nor values."""
        few = self.schema.first(nodes)
        kinds = {k for n in few for k in self.schema.kinds(n)}
        return bool(kinds) and not any(map(self._are_rows, kinds)) and not any(map(self.persons.holds, few))

    def _are_doers(self, step: Step, ends: Sequence[str]) -> bool:
        """Whether texts tell who did a deed ("buyer"), by names of several words: a firm may have done it too."""
        doing = self._names_others(step.relation) and _DOER.search(self.schema.words(step.relation))
        return bool(doing) and all(self.persons.called(self.schema.label(n)) for n in ends)

    def _names_others(self, relation: str) -> bool:
        """Whether a relation tells names of several words, of whom no table tells."""
        if self.schema.value_kind(relation) != "text":
            return False
        texts = {t.tail for t in islice(self.schema.store.triples(relation=relation), _SAMPLE)}
        return sum(self.persons.called(self.schema.label(n)) for n in texts) > _MOST * len(texts)

    def _onwards(self, kinds: frozenset[str]) -> list[Step]:
        """The steps that tell one thing of each of these kinds, or of hardly one more: a couple is one tenant."""
        steps = (s for s in sorted(self.schema.usual_steps(kinds)) if not s.inverse)
        return [s for s in steps if self.schema.functional(s) or self._tells_mostly_one(s)]

    def _leads_to_one(self, step: Step) -> bool:
        """Whether a step to things leads to one from most of what has it."""
        if self.schema.value_kind(step.relation) is not None:
            return False
        few = self.schema.first(self.schema.starts(step))
        return sum(len(self.schema.go(n, step)) == 1 for n in few) > _ALMOST_ALL * len(few)

    def _are_rows(self, kind: str) -> bool:
        """Whether things of a kind are called by ids, by days or, where no class calls them, by what they tie, and tie
        others together, of which some may be names alone: a sale ties a piece to a buyer."""
        found = self._rows.get(kind)
        if found is None:
            members = self.schema.members(kind)[:_SAMPLE]
            labels = [self.schema.label(m) for m in members]
            ids = bool(labels) and (all(map(is_bare_id, labels)) or are_numbered(labels) or are_dated(labels))
            ids = ids or (kind not in self.schema.classes and self._are_composed(members))
            steps = self._onwards(frozenset((kind,))) if ids else []
            things = [s for s in steps if self.schema.value_kind(s.relation) is None]
            named = [s for s in steps if self._names_others(s.relation)]
            found = self._rows[kind] = bool(things) and len(things) + len(named) >= _TIES
        return found


def _opens(word: str) -> bool:
    """Whether a question may begin with a word and the noun that is asked for: "any bike", "dearest engine"."""
    return word == "any" or bool(cues.EXTREME_ADJECTIVE.fullmatch(word))


def _only_names(sentence: Sentence) -> bool:
    """Whether a question says nothing but a name: "who is Ann Lee?" asks what she is."""
    named = {i for x in sentence.links for i in range(x.first, x.last + 1)}
    return all(i in named or w.text in STOP_WORDS for i, w in enumerate(words_in(sentence.text)))


def _without(draft: Draft, step: Step) -> Draft:
    """A draft that does not say first that rows have the one thing that it is led on to."""
    for row in draft.rows:
        end = row[2]
        others = [e for r in draft.rows if r != row for e in (r[0], r[2])]
        used = [
            *others,
            *(e for v, _, right in (*draft.filters, *draft.unsaid) for e in (v, right)),
            *(draft.order or ())[:1],
        ]
        if row[:2] == (0, step.relation) and isinstance(end, int) and end not in used and others:
            routes = tuple(route for route in draft.routes if route[-2:] != (step.back, 0) or route[0] != end)
            return draft.but(rows=tuple(r for r in draft.rows if r != row), routes=routes)
    return draft
