"""Whom a nickname stands for: "what's Peggy's real name?" asks for Margaret Pugh, and not for the nickname that the
graph tells of her."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.kg.names import fold
from triplewise.kg.query import execute
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.generate import Generator
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.query_graph.ranking import Ranked, Ranking
from triplewise.tools.query_graph.schema_view import Step
from triplewise.tools.query_graph.verbaliser import Verbaliser
from triplewise.tools.query_graph.wording.leads import LEAD

_REAL = r"(?P<which>real|proper|full|actual|right|given|christian|whole|official|legal|birth)\s+names?"
_REAL_NAME = re.compile(
    rf"{LEAD}(?:what(?:['’]?s|\s+is|\s+was)?\s+)?(?:(?P<who>.{{1,60}}?)(?:['’]s?|s)?\s+{_REAL}"
    rf"|(?:the\s+)?{_REAL.replace('which', 'other')}\s+of\s+(?P<of>.{{1,60}}?))"
    r"(?:\s+(?:is|was|again|anyway|then|please|pls|for (?:the|his|her|a|an|my|our) [a-z]+))*(?:,\s[^,?]{1,60})?\W*$",
    re.I,
)
_SHORT_FOR = re.compile(rf"{LEAD}what(?:['’]?s|\s+is)\s+(?P<who>.{{1,60}}?)\s+(?:short|a nickname)\s+for\W*$", re.I)
_WHO_IS = re.compile(
    rf"{LEAD}who(?:\s+on earth)?(?:['’]?s|\s+is)\s+(?:this\s+)?(?P<who>.{{1,60}}?)"
    r"(?:\s+(?:again|anyway|really|then|when s?he['’]?s at home|"
    r"(?:that )?(?:everybody|everyone|they all) keeps? [^?]{2,30}))*\W*$",
    re.I,
)
_WHO_CALLED = re.compile(
    rf"{LEAD}who(?:m)?(?:\s+(?:do|did) (?:we|they|you|i|people) (?:all )?call|"
    r"(?:['’]?s|\s+(?:is|was))\s+(?:called|known as|nicknamed)|\s+goes by(?: the name(?: of)?)?|\s+answers to)"
    r"\s+(?P<who>.{1,60}?)\W*$",
    re.I,
)
_IN_FULL = (
    r"(?:in full|on paper|christened|on (?:his|her|their|the) (?:passport|birth certificate|payslip)|"
    r"written in the book)"
)
_NAME_IN_FULL = re.compile(
    rf"{LEAD}(?:(?:what|who|how)(?:['’]?s|\s+is|\s+was)?\s+)?(?P<who>.{{1,40}}?)"
    rf"(?:\s*[,–—-]+\s*(?:what|who|how)(?:['’]?s|\s+(?:is|was))\s+(?:that|he|she|it|they))?\s+{_IN_FULL}\b"
    r"[^?]{0,30}\W*$",
    re.I,
)
_STANDS_FOR = re.compile(
    rf"{LEAD}(?:(?P<who>.{{1,40}}?)(?:['’]?s|\s+is)\s+(?:short|a nickname|a pet name)\s+for\s+(?:who|whom|what)\b"
    r"[^?]{0,40}|who\s+(?:do|does)\s+(?:folks?|people|they|we|everyone|everybody)\s+mean\s+(?:when they say|by)\s+"
    r"(?P<of>.{1,40}?))\W*$",
    re.I,
)
_PATTERNS = (_REAL_NAME, _SHORT_FOR, _STANDS_FOR, _NAME_IN_FULL, _WHO_CALLED, _WHO_IS)
_SURE = 0.95


class RealNames:
    """Reads the questions for whom a name stands over one graph."""

    def __init__(self, generator: Generator, verbaliser: Verbaliser) -> None:
        self.generator, self.schema, self._verbaliser = generator, generator.schema, verbaliser

    def ranking(self, text: str, task: str, given: Sequence[str]) -> Ranking | None:
        """The reading of a question for whom a name stands; None of any other, of a name that nobody is also called by,
        and where a relation of the graph tells such names."""
        found = next((m for p in _PATTERNS if (m := p.match(text))), None)
        if task != "ask" or found is None or not self.schema.roles.aliases:
            return None
        said = found.groupdict()
        which = said.get("which") or said.get("other")
        told = {*self.schema.relations, *self.schema.roles.aliases}
        if which and any({which.lower(), "name"} <= {*folded_words(self.schema.words(r))} for r in told):
            return None
        who = said["who"] or said.get("of") or ""
        named = [row for name in (who, who.removeprefix("the ")) for row in self._called_so(name)]
        if not named:
            return None
        relation, value = named[0]
        route = (value, Step(relation, True), 0)
        draft = Draft(((0, relation, value),), frozenset(), (Step(relation),), (route,))
        draft = draft.but(answers=frozenset(execute(self.schema.store, draft.query()).ids))
        sentence = self.generator.read(text, given)
        shown = self._verbaliser.reading(draft, sentence)
        return Ranking(sentence, (Ranked(draft, shown, 0.0, _SURE),), 1 - _SURE, 1)

    def _called_so(self, name: str) -> Iterator[tuple[str, str]]:
        """The relations by which things are told to be called so, with the name; of what is labelled so none."""
        store = self.schema.store
        for node in [hit.id for hit in store.named(name)]:
            for relation in sorted(self.schema.roles.aliases) if fold(store.label(node)) != fold(name) else ():
                told = (t.tail for t in store.triples(node, relation))
                yield from ((relation, tail) for tail in told if fold(store.label(tail)) == fold(name))
