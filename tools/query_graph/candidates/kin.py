"""Sentences about relatives whom the graph tells by others: "who is Ella's grandmother?" over parents and their sex.

Nothing else is said, so nothing else is meant: these readings stand alone. The sex is told by a relation (a mother, a
wife), else by what the graph tells of the person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from triplewise.kg.query.execute import execute
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.candidates.bases import Sentence
from triplewise.tools.query_graph.candidates.drafts import Condition, Draft, End, Row, row_of, without
from triplewise.tools.query_graph.candidates.plain_nouns import ALONE
from triplewise.tools.query_graph.linking.mentions import Link, words_in
from triplewise.tools.query_graph.schema_view import SchemaView, Step
from triplewise.tools.text.genders import Genders
from triplewise.tools.text.kinship import Chain, Kin, Sex, chains_at
from triplewise.tools.text.roles.relatives import kin_relations
from triplewise.tools.text.verb_forms import word_set

_GENITIVE = re.compile(r"['’](?:s\b|(?=\s))", re.I)
_ASKING = word_set("""
    who whos what whats which is are was were s the name names of all list show give tell me and so but person does do
    did have has had got any there
""")
_COUNTED = _ASKING | word_set("how many")
_NAMING = word_set("what whats is are was were s the name names of show give tell me and so but")
"""All that may stand beside "what" where it asks who somebody is: "what did her husband do" asks for his work."""
_SAID = word_set("is are was were isn aren wasn weren not t the a an one of also indeed it true that so and")
_HAVING = frozenset(("has", "have", "had", "having"))
_OWNED = word_set("has have had having does do did doesn don didn t not no any a an got never hasn hadn")
_WHAT = word_set("what whats")
_MEANT = 0.5
"""The score of a link from which on words may mean a person."""
_WHOLE = 0.99


class _Phrase(NamedTuple):
    """A person, the chains of relatives from there, and the words that say so."""

    link: int
    chains: tuple[Chain, ...]
    words: frozenset[int]


class _Way(NamedTuple):
    """What a chain has come to: the last person's number or id, those who that may be, and what was said so far."""

    at: End
    nodes: frozenset[str]
    rows: tuple[Row, ...] = ()
    steps: tuple[Step, ...] = ()
    filters: tuple[Condition, ...] = ()
    unsaid: tuple[Condition, ...] = ()


class Relatives:
    """The readings of one sentence that is about relatives and nothing else."""

    def __init__(self, schema: SchemaView, sentence: Sentence) -> None:
        self.schema, self.s = schema, sentence
        self.words = words_in(sentence.text)
        self.genders, self.told = Genders(schema), kin_relations(schema)

    def asked(self) -> list[Draft]:
        """The relatives whom a question asks for, or their number; [] where it holds more."""
        count = bool(cues.COUNT.search(self.s.text))
        words = _COUNTED if count else _ASKING
        for phrase in (*self._phrases(), *self._phrases(apart=True)):
            rest = {w.text for i, w in enumerate(self.words) if i not in phrase.words}
            if rest & _WHAT and not rest <= _NAMING:
                continue
            if rest <= words and (found := self._drafts(phrase)):
                told = [d for d in found if d.answers] or found[:1]
                once = {d.answers: d for d in reversed(told)}
                return [d.but(form="count" if count else "select") for d in reversed(once.values())]
        return []

    def claimed(self) -> list[Draft]:
        """That somebody is such a relative, or that there is one; [] where the claim says anything else."""
        denied = bool(cues.NEGATED.search(self.s.text)) or any(w.text == "no" for w in self.words)
        for phrase in self._phrases():
            rest = [i for i in range(len(self.words)) if i not in phrase.words]
            for n, link in enumerate(self.s.links):
                own = [i for i in rest if not link.first <= i <= link.last]
                apart = (
                    link.score > _MEANT
                    and self._has_relatives(link.node)
                    and not phrase.words.intersection(range(link.first, link.last + 1))
                )
                if apart and len(own) < len(rest) and all(self.words[i].text in _SAID for i in own):
                    found = self._drafts(phrase)
                    found = [d for d in found if not _leaves_out(d, link.node)] or found
                    said = [(self._ending(d, link.node, n), link.node in d.answers) for d in found]
                    return self._judged(said, denied=denied)
        for phrase in self._phrases(apart=True):
            rest = {w.text for i, w in enumerate(self.words) if i not in phrase.words}
            if rest & _HAVING and rest <= _OWNED:
                some = [(d.but(form="ask"), bool(d.answers)) for d in self._drafts(phrase)]
                return self._judged(some, denied=denied)
        return []

    def through(self, drafts: Sequence[Draft], *, claim: bool) -> list[Draft]:
        """The drafts that go over each relative of a named person of whom a sentence says more: "Ella's father was a
        smith" is judged of him, not of her. All where none does so. Of a ``claim``, those that use most of what it
        names, since that she has a father says nothing of his trade."""
        kept = list(drafts)
        for phrase in self._phrases(told=True):
            node = self.s.links[phrase.link].node
            told = (self.told.in_one_step.get(chain, ()) for chain in phrase.chains)
            ways = {way for steps in told for way in steps} or {
                tuple(step for steps, _ in walk for step in steps)
                for chain in phrase.chains
                for walk in self.told.walks(chain, every=True)
            }
            such = [d for d in kept if any(_goes((*d.rows, *d.minus), node, way) for way in ways)]
            kept = such or kept
        if claim and len(kept) < len(drafts):
            sure = {n for n, link in enumerate(self.s.links) if link.score > _WHOLE}
            most = max(len(sure.intersection(d.links)) for d in kept)
            kept = [d for d in kept if len(sure.intersection(d.links)) == most]
        return kept

    def of_link(self, link: int, at: int) -> list[Draft]:
        """The relatives of a named thing whom the words at a position call so; [] where these call none. Who has one
        spouse has it as husband or wife, whether or not the graph tells the sex."""
        _, chains = chains_at(self.words, at)
        plain = tuple(tuple(Kin("spouse") if kin.step == "spouse" else kin for kin in chain) for chain in chains)
        return self._drafts(_Phrase(link, plain, frozenset()))

    def _judged(self, drafts: Sequence[tuple[Draft, bool]], *, denied: bool) -> list[Draft]:
        """The reading of a claim that holds, else one of which the graph tells least."""
        ordered = sorted(drafts, key=lambda d: (not d[1], bool(d[0].answers)))
        return [d.but(denied=denied, answers=frozenset()) for d, _ in ordered[:1]]

    def _ending(self, draft: Draft, node: str, link: int) -> Draft:
        """The claim that a person is a draft's answer; what the answer is not need not be said of this one."""

        def put(end: End) -> End:
            return node if end == 0 and isinstance(end, int) else end

        others = (c for v, _, end in draft.filters if v == 0 and isinstance(end, int) for c in without(end, (node,)))
        return draft.but(
            rows=tuple((put(h), r, put(t)) for h, r, t in draft.rows), form="ask", links=(*draft.links, link),
            routes=tuple((*route[:-1], node) for route in draft.routes),
            filters=(*(c for c in draft.filters if c[0] != 0), *others), unsaid=tuple(c for c in draft.unsaid if c[0]),
        )  # fmt: skip

    # what the words say -----------------------------------------------------------------------------------

    def _phrases(self, *, apart: bool = False, told: bool = False) -> Iterator[_Phrase]:
        """The relatives of named persons: "Ella's mother's father", "the father of Ella's mother"; or those that stand
        ``apart`` from them: "Ella has no brothers", "how many brothers does Ella have". ``told``: also those whom one
        relation of the graph tells."""
        for n, link in sorted(enumerate(self.s.links), key=lambda x: -x[1].score * x[1].weight):
            if link.score <= _MEANT or link.first < 0:
                continue
            first = self._start(link)
            said, chains = set(range(first, link.last + 1)), [()]
            last = link.last
            while self._has_genitive(last) and (found := chains_at(self.words, last + 1))[0]:
                chains = [(*a, *b) for a in chains for b in found[1]]
                said.update(range(last + 1, last + 1 + found[0]))
                last += found[0]
            while first and self.words[first - 1].text == "of" and (before := self._ending_at(first - 2)):
                start, more = before
                chains = [(*a, *b) for a in chains for b in more]
                said.update(range(start, first))
                first = start - (start > 0 and self.words[start - 1].text == "the")
                said.add(first)
            if apart:
                if chains != [()]:
                    continue
                chains = self._apart(link, said)
            if chains != [()] and (told or not self._is_told(chains)):
                yield _Phrase(n, tuple(chains), frozenset(said))

    def _start(self, link: Link) -> int:
        """The first word of a person's name; one who shares it with a person before is not called by that one's: "Ada
        Moss is Ella's aunt"."""
        before = [x.last for x in self.s.links if x.first < link.first <= x.last < link.last and x.score > _WHOLE]
        return max(before, default=link.first - 1) + 1

    def _has_genitive(self, at: int) -> bool:
        return bool(_GENITIVE.match(self.s.text, self.words[at].end))

    def _ending_at(self, last: int) -> tuple[int, tuple[Chain, ...]] | None:
        """Where a word for a relative begins that ends at a position, and its chains."""
        for start in range(max(0, last - 4), last + 1):
            length, chains = chains_at(self.words, start)
            if length and start + length == last + 1:
                return start, chains
        return None

    def _apart(self, link: Link, said: set[int]) -> list[Chain]:
        """The chains of the only word for a relative that stands apart from the person."""
        for at in range(len(self.words)):
            length, chains = chains_at(self.words, at)
            if length and not said.intersection(range(at, at + length)):
                said.update(range(at, at + length))
                return list(chains)
        return [()]

    def _is_told(self, chains: Sequence[Chain]) -> bool:
        """Whether a chain, or its one step, is a relation of the graph, or the same whatever the sex, so that the
        sentence is read as any other."""
        if any(chain in self.told.in_one_step for chain in chains):
            return True
        told = {kin for kin, _ in self.told.relations.values()}
        single = {chain[0] for chain in chains if len(chain) == 1}
        of_either = {kin.step for kin, _ in self.told.either_sex.values()}
        plain = any(not kin.sex and kin.step != "sibling" and kin.step not in of_either for kin in single)
        return plain or any(kin in told or (Kin(kin.step) in told and kin.step == "sibling") for kin in single)

    # what the graph tells ---------------------------------------------------------------------------------

    def of_both_sexes(self, drafts: Sequence[Draft]) -> list[Draft]:
        """The drafts of a sentence about children or parents, over those of both sexes where they go over one: where
        her children were born is said of her sons as well."""
        phrases = (*self._phrases(told=True), *self._phrases(apart=True, told=True)) if self.told.either_sex else ()
        steps = {c[0].step for p in phrases for c in p.chains if len(c) == 1 and not c[0].sex}
        both = self.told.wider(steps)
        return [self._of_both(draft, both) for draft in drafts] if both else [*drafts]

    def _of_both(self, draft: Draft, both: Mapping[str, str]) -> Draft:
        if not any(r in both for _, r, _ in draft.rows):
            return draft
        rows = tuple((h, both.get(r, r), t) for h, r, t in draft.rows)
        wider = draft.but(
            rows=rows,
            steps=tuple(Step(both.get(s.relation, s.relation), s.inverse) for s in draft.steps),
            routes=tuple(
                tuple(Step(both.get(e.relation, e.relation), e.inverse) if isinstance(e, Step) else e for e in route)
                for route in draft.routes
            ),
        )
        return wider.but(answers=frozenset(execute(self.schema.store, wider.query()).ids))

    def _has_relatives(self, node: str) -> bool:
        """Whether a node is anybody's relative: a trade that a husband had is no husband."""
        return any(step.relation in self.told.relations for step in self.schema.steps(node))

    def _drafts(self, phrase: _Phrase) -> list[Draft]:
        """A reading for each way over the graph's relations, those that come to somebody first."""
        node = self.s.links[phrase.link].node
        found: list[Draft] = []
        for chain in phrase.chains:
            found += (self._walked(node, phrase.link, chain, ways) for ways in self.told.walks(chain))
        return sorted(found, key=lambda d: not d.answers)

    def _walked(self, node: str, link: int, chain: Chain, ways: Sequence[tuple[tuple[Step, ...], Sex]]) -> Draft:
        way, left = _Way(node, frozenset((node,))), sum(len(steps) for steps, _ in ways)
        route: list[End | Step] = [node]
        at = 0
        for kin, (steps, told) in zip(chain, ways, strict=True):
            before = way
            for step in steps:
                left -= 1
                at = 0 if not left else len(way.steps) + 1
                ends = self.schema.follow(way.nodes, step)
                way = way._replace(
                    at=at, nodes=ends, rows=(*way.rows, row_of(way.at, step, at)), steps=(*way.steps, step)
                )
                route += [step, at]
            if len(steps) > 1:  # nobody is a sibling of their own
                own = before.at if isinstance(before.at, int) else (before.at,)
                nodes = way.nodes - before.nodes if len(before.nodes) == 1 else way.nodes
                way = way._replace(nodes=nodes, filters=(*way.filters, (at, "not in", own)))
            if kin.sex and not told:
                way = self._of_sex(way, at, kin.sex)
        return Draft(
            way.rows, way.nodes, way.steps, (tuple(route),), (link,), filters=way.filters, unsaid=way.unsaid,
            hops=len(way.steps), extra=(ALONE,),
        )  # fmt: skip

    def _of_sex(self, way: _Way, at: int, sex: Sex) -> _Way:
        """A way on which only those stay who are surely of a sex, and the triple that tells it where there is one."""
        such = frozenset(n for n in way.nodes if self.genders.of(n) == sex)
        told = {(s, v) for n in such for s in self.schema.steps(n) for v in self.schema.go(n, s) if self._tells(s)}
        rows = tuple(row_of(at, step, value) for step, value in told) if len(told) == 1 else ()
        others = without(at, way.nodes - such) if such or not rows else ()
        return way._replace(nodes=such, rows=way.rows + rows, unsaid=way.unsaid + others)

    def _tells(self, step: Step) -> bool:
        return not step.inverse and bool(re.search(r"\b(?:sex|gender)\b", self.schema.words(step.relation), re.I))


def _leaves_out(draft: Draft, node: str) -> bool:
    """Whether a draft says that its answer is not this one, as the sex tells: a sister is no brother."""
    out = [right for v, op, right in draft.unsaid if v == 0 and op == "not in" and isinstance(right, tuple)]
    return any(node in nodes for nodes in out)


def _goes(rows: Sequence[Row], at: End, way: Sequence[Step]) -> bool:
    """Whether rows lead from an end along all steps of a way."""
    if not way:
        return True
    step = way[0]
    ends = ((t, h) if step.inverse else (h, t) for h, relation, t in rows if relation == step.relation)
    return any(start == at and _goes(rows, end, way[1:]) for start, end in ends)
