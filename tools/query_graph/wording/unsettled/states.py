"""What is done and what is not, who comes and who has not answered, where a table tells it by a few words: "done" and
"not yet", "yes", "no" and "not heard yet".

"What's left to do?", "which jobs has Rafe still got to do?", "who hasn't replied?", "who can't come?" and "Fergus is
coming" are read by these words, whatever they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Draft, Row, row_of
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.linking.class_names import words_of_class
from triplewise.tools.query_graph.linking.mentions import is_form_of, words_in
from triplewise.tools.query_graph.ranking import Ranked, Ranking
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.query_graph.wording.leads import LEAD
from triplewise.tools.query_graph.wording.unsettled.named_within import named_within
from triplewise.tools.text.persons import Persons
from triplewise.tools.text.verb_forms import word_set

_DOING = re.compile(
    r"(?:is |been |all )?(?:done|finished|complete[d]?|status|state|progress|ticked off|sorted)(?: yet)?\W*", re.I
)
_ANSWER = re.compile(
    r"(?:the(?:ir|y) )?(?:rsvp|repl(?:y|ied)|responses?|answer(?:ed)?|(?:is |are )?coming|attending|attendance|"
    r"accepted)(?: yet)?\W*",
    re.I,
)
_OPEN = re.compile(
    r"(?:not (?:yet|done|started|heard|replied|answered|finished)\b.*|.* not yet|no (?:reply|answer|response)\b.*|"
    r"to ?do|pending|outstanding|open|waiting\b.*|awaiting\b.*|unfinished|started|half done|in progress|ongoing|maybe|"
    r"tbc|\?+)",
    re.I,
)
_YES = re.compile(r"(?:yes|y|done|finished|completed?|true|accepted|coming|attending|closed|ticked off|sorted)", re.I)
_NO = re.compile(r"(?:no|n|false|declined|not coming|can['’]?t (?:come|make it)|refused|regrets)", re.I)
_SAID = (_YES, _NO, _OPEN)
_FEW = 6
"""Values of a relation that tells of states, at most."""
_MANY = 3
"""Things that have it, at least."""

_LEFT = (
    r"(?:(?:(?:left|still|yet|remaining) )?to (?:do|be done|finish|sort(?: out)?)|outstanding|left|unfinished|"
    r"(?:not (?:yet )?|n['’]?t )(?:been )?(?:done|finished|sorted|ticked off)(?: yet)?|"
    r"needs? (?:doing|finishing|sorting))"
)
_ON_LIST = r"(?:\s+(?:on|from|off) (?:the|our|my)(?: to[ -]do)?(?: list)?|\s+(?:now|still|yet|then|at the moment))*\W*$"
_WHAT = (
    r"(?P<asked>what|which|how many|anything|any)"
    r"(?P<noun>(?:\s+(?!(?:has|have|is|are|does|do|did)\b)[^\W\d_]+){0,2}?)"
)
_WHAT_IS_LEFT = re.compile(
    rf"{LEAD}{_WHAT}(?:['’]?s|\s+(?:is|are|has|have|do|does))?(?:\s*still|\s+(?:there|we|got|have))*\s*{_LEFT}{_ON_LIST}",
    re.I,
)
_WHAT_HAS_LEFT = re.compile(
    rf"{LEAD}{_WHAT}(?:['’]?s|\s+(?:has|have|does|do))\s+(?P<who>[^,;?!]{{2,40}}?)\s+(?:(?:still|yet|got|have|has|need|left)\s+)*"
    rf"(?:left\s+)?to (?:do|be done|sort(?: out)?|finish){_ON_LIST}",
    re.I,
)
_DONE = r"(?:done|finished|completed?|sorted|ticked off|crossed off)"
_WHAT_IS_DONE = re.compile(
    rf"{LEAD}{_WHAT}(?:(?:['’]?s|\s+(?:is|are|has|have))(?:\s+(?:already|all|been|we|got|now))*\s+{_DONE}"
    rf"|\s+(?:can|could|do) (?:i|we) (?:cross|tick|scratch)(?: off)?(?: as {_DONE})?(?: off)?)"
    rf"(?:\s+(?:already|now|yet|so far|then))*{_ON_LIST}",
    re.I,
)
_HAS_NOT = r"(?:ha(?:s|ve)n['’]?t|ha(?:s|ve) not|['’]s (?:still )?not|never|has yet to|still hasn['’]?t|have yet to)"
_REPLIED = (
    r"(?:repl(?:ied|y)|respond(?:ed)?|answer(?:ed)?|rsvp(?:['’]?e?d)?|let (?:us|me) know|(?:got|get) back to (?:us|me)|"
    r"said (?:yes or no|either way|if they['’]?re coming|whether they['’]?re coming))"
)
_WHEN = r"(?:\s+(?:yet|now|so far|then|at all|to (?:us|me)|to the [^\W\d_]+|at the moment))*\W*$"
_WHO = (
    rf"{LEAD}"
    r"(?P<asked>who|how many(?: of (?:them|the guests))?|any(?:one|body)|which(?: of (?:the|our|my))?)"
    r"(?P<noun>(?<=how many)(?:\s+(?:people|guests|folk))?|(?<=which)\s+[^\W\d_]+|(?<=which of \w\w\w)\s+[^\W\d_]+|"
    r"(?<=which of \w\w)\s+[^\W\d_]+|)"
)
_WHO_IS_SILENT = re.compile(rf"{_WHO}(?: else)?(?:\s+still)?\s*{_HAS_NOT}\s+{_REPLIED}{_WHEN}", re.I)
_COMING = r"(?:coming|attending|able to (?:come|make it))"
_WHO_COMES = re.compile(
    rf"{_WHO}(?:['’]?s|\s+(?:is|are|has|have))?(?: all)?(?: definitely)?\s+(?:{_COMING}|accepted|"
    rf"said (?:yes|they(?:['’]?re| are) coming|they can come)){_WHEN}",
    re.I,
)
_NOT_COMING = (
    rf"(?:(?:is|are|['’]s)(?:n['’]?t| not)\s+{_COMING}|can(?:no|['’]?)t (?:come|make it|be there)|"
    r"(?:has |have |['’]s )?(?:said no|declined))"
)
_WHO_COMES_NOT = re.compile(rf"{_WHO}\s*{_NOT_COMING}{_WHEN}", re.I)
_COMES = re.compile(
    rf"{LEAD}(?P<who>.{{2,40}}?)(?:['’]s|\s+(?:is|has))\s+(?:definitely )?"
    rf"(?:{_COMING}|said (?:yes|s?he['’]?s coming)|accepted){_WHEN}",
    re.I,
)
_COMES_NOT = re.compile(rf"{LEAD}(?P<who>.{{2,40}}?)\s*{_NOT_COMING}{_WHEN}", re.I)
_GENERIC = word_set("thing things task tasks job jobs item items stuff else bit bits of them one ones")
_PEOPLE = word_set("people guests guest folk persons of them ones")
_SURE = 0.95


class States(NamedTuple):
    """How a graph tells of states: the relation, its values by what they say, and what has one."""

    relation: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    open: tuple[str, ...]
    rows: frozenset[str]


class OpenStates:
    """Reads the sentences about what is done, and who comes, over one graph."""

    def __init__(self, generator: Generator, verbaliser: Verbaliser, persons: Persons) -> None:
        self.generator, self.schema = generator, generator.schema
        self._verbaliser, self._persons = verbaliser, persons

    def ranking(self, text: str, task: str, given: Sequence[str]) -> Ranking | None:
        """The reading of a sentence about what is done or who comes; None of any other, and where nothing tells it."""
        asked = task == "ask"
        for patterns, states in (
            ((_WHAT_IS_LEFT, _WHAT_HAS_LEFT, _WHAT_IS_DONE) if asked else (), self._tasks),
            ((_WHO_IS_SILENT, _WHO_COMES, _WHO_COMES_NOT) if asked else (_COMES, _COMES_NOT), self._answers),
        ):
            found = next((m for p in patterns if (m := p.match(text))), None) if states else None
            if found is None or states is None:
                continue
            sentence = self.generator.read(text, given)
            if any(v.kind != "text" for v in sentence.values) or (draft := self._read(states, found, sentence)) is None:
                return None
            if draft.form in ("select", "count"):
                draft = draft.but(answers=frozenset(execute(self.schema.store, draft.query()).ids))
            shown = self._verbaliser.reading(draft, sentence)
            return Ranking(sentence, (Ranked(draft, shown, 0.0, _SURE),), 1 - _SURE, 1)
        return None

    def claims(self, text: str, query: QueryGraph) -> bool:
        """Whether a query holds all that a claim says: that somebody comes, or does not."""
        told = self._answers if any(p.match(text) for p in (_COMES, _COMES_NOT)) else None
        return told is not None and [p.relation for p in query.patterns] == [told.relation]

    def _read(self, states: States, found: re.Match[str], sentence: Sentence) -> Draft | None:
        if found.re in (_COMES, _COMES_NOT):
            who = named_within(sentence, found.span("who"), states.rows)
            if who is None or not states.yes:
                return None
            node = sentence.links[who].node
            row, route = (node, states.relation, states.yes[0]), (node, Step(states.relation), states.yes[0])
            draft = Draft((row,), frozenset(), (Step(states.relation),), (route,), (who,), form="ask")
            return draft.but(denied=found.re is _COMES_NOT)
        if found.re in (_WHO_COMES, _WHO_COMES_NOT, _WHAT_IS_DONE):
            values = states.no if found.re is _WHO_COMES_NOT else states.yes
        else:
            values = states.open
        if not values or ("noun" in found.re.groupindex and not self._calls(states, found["noun"] or "")):
            return None
        draft = self._of(states, values)
        if found.re is _WHAT_HAS_LEFT and found["who"].lower() not in ("we", "i", "there"):
            draft = self._whose(draft, states, found, sentence)
        count = found["asked"].lower().startswith("how many")
        return draft.but(form="count") if count and draft else draft

    def _of(self, states: States, values: tuple[str, ...]) -> Draft:
        """What has one of some values."""
        step = Step(states.relation)
        if len(values) == 1:
            return Draft(((0, states.relation, values[0]),), frozenset(), (step,), ((values[0], step.back, 0),))
        row, route = (0, states.relation, 1), (1, step.back, 0)
        return Draft((row,), frozenset(), (step,), (route,), filters=((1, "in", tuple(sorted(values))),))

    def _whose(self, draft: Draft, states: States, found: re.Match[str], sentence: Sentence) -> Draft | None:
        """The same of what is somebody's; None where nobody is named to whom such things lead."""
        for step in self._onwards(states):
            who = named_within(sentence, found.span("who"), self.schema.starts(step.back))
            if who is not None:
                node = sentence.links[who].node
                row: Row = row_of(0, step, node)
                return draft.but(
                    rows=(row, *draft.rows), steps=(step, *draft.steps), links=(who,),
                    routes=((node, step.back, 0), *draft.routes),
                )  # fmt: skip
        return None

    def _onwards(self, states: States) -> list[Step]:
        """The steps from what has a state to persons."""
        few = self.schema.first(states.rows)
        steps = {s for node in few for s in self.schema.steps(node) if not s.inverse}
        return sorted(s for s in steps if any(map(self._persons.holds, self.schema.first(self.schema.starts(s.back)))))

    def _calls(self, states: States, noun: str) -> bool:
        """Whether a noun calls what has a state: by its class, or as anything is called that is to be done."""
        generic = _PEOPLE if states == self._answers else _GENERIC
        words = [w.text for w in words_in(noun) if w.text not in generic]
        kinds = {k for n in self.schema.first(states.rows) for k in self.schema.kinds(n)}
        called = [w for kind in kinds for w in words_of_class(self.schema, kind)]
        return all(any(is_form_of(name, word) for name in called) for word in words)

    @cached_property
    def _tasks(self) -> States | None:
        return next((s for s in self._told(_DOING) if s.open and s.yes), None)

    @cached_property
    def _answers(self) -> States | None:
        return next((s for s in self._told(_ANSWER) if s.yes and (s.no or s.open)), None)

    def _told(self, called: re.Pattern[str]) -> Iterator[States]:
        """The relations called so that lead to few values."""
        schema = self.schema
        for relation in schema.relations:
            values, rows = schema.starts(Step(relation, True)), schema.heads(relation)
            if called.fullmatch(schema.words(relation)) and len(values) <= _FEW and len(rows) >= _MANY:
                yes, no, left = (tuple(sorted(v for v in values if p.fullmatch(schema.label(v)))) for p in _SAID)
                yield States(relation, yes, no, left, rows)
