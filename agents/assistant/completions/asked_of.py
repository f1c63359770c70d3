"""The last question asked of another thing: of one that is known, or that is described: "and the hat shop?" """

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.namesakes import is_like, told_words
from triplewise.agents.assistant.references import References
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import TYPE
from triplewise.kg.stop_words import STOP_WORDS
from triplewise.tools.query_graph.linking.mentions import DAYS_AND_MONTHS, Link, folded_words, words_in
from triplewise.tools.query_graph.schema_view import Step

_LATE = 4
"""Turns whose answers may be meant."""
_MOST = 500
"""Things that are looked at one by one."""
_THE = re.compile(
    r"(?:(?:what|how) about |for |(?:is|was) it |i meant? )?(?:the|that(?= one\b)) "
    r"(?P<words>(?P<clause>one (?:that|which|who|in|at|on|from|with|by|of|for|\w+ed|made|built)\b[^,.;?!]*)|"
    r"[\w'’-]+(?: [\w'’-]+){0,3}?)(?: one)?"
    r"(?:,? (?:then|please|instead))?\W*",
    re.I,
)
"""A description with its article, and no more."""
_ONE = {"one", "that", "which", "who"}
AND_HIS = re.compile(
    r"\W*(?:and|what about|how about|(?:no\W+)?i mean(?:t)?)\W+(?:what about )?(?:(?:by|of|for|from|with) )?"
    r"(?:his|her|their) [\w'’-]+\W*",
    re.I,
)
"""After "where does he live?": "and his dad?" asks where that one lives."""
_AND_THAT = re.compile(
    r"\W*(?:and|what about|how about)\W+(?:what about )?(?:(?:by|of|for|from|with|on|in|at) )?"
    r"(?!(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|does|do|did|has|have|had|can|will|his|her|their)\b)"
    r"[\w'’-]+(?: [\w'’-]+){1,4}\W*",
    re.I,
)
"""A description and no more: "and Gordon's cello?" """
_THE_SAME = re.compile(
    r"(?:[^,]*,\s*)?(?:does|did|has|have|is|are|do)(?:n['’]t)? [^,?]+?(?: (?:have|got|get|in|at|on|of|from|with))? "
    r"the same(?: (?P<what>(?!too\b|as\b)[\w-]+(?: (?!too\b|as\b|then\b)[\w-]+)?))?(?:,? (?:too|as well|then))?\W*",
    re.I,
)
""" "Does Bo have the same manager?" after whose manager was told."""


def asked_of(things: Things, memory: Memory, new: str, old: Sequence[str], how: str) -> Iterator[Interpretation]:
    """The last question asked of another thing: in place of one of these where it names one, else of its kind."""
    last = memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if last is None or query is None or new in query.entities:
        return
    named = [n for n in query.entities if not things.kg.is_class(n) and not things.kg.is_literal(n)]
    kinds = things.kinds(new)
    for node in [n for n in named if n in old] or [n for n in named if kinds & things.kinds(n)][:1]:
        text = renamed(last.question, things.called(node), things.name(new))
        yield Interpretation(text, "namesake", how, query=swapped(query, node, new))


def told_alike(
    things: Things, seen: References, links: Sequence[Link], memory: Memory, others: Callable[[], Sequence[str]]
) -> Iterator[Interpretation]:
    """Whether the last answer is that of another thing too: "does Bo have the same manager?" ``others``: what "the
    other one" or a pronoun means, where no name stands there."""
    last, said = memory.last, _THE_SAME.fullmatch(seen.bare)
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if not last or not said or not query or query.form != "select" or query.answer is None or len(last.answers) != 1:
        return
    answer = last.answers[0]
    relations = (w for r in query.relations for w in folded_words(things.names.schema.words(r)))
    called = {*folded_words(last.question), *things.nouns(answer), *relations}
    if said["what"] not in (None, "one", "thing") and not called.intersection(folded_words(said["what"])):
        return
    for new in [*(x.node for x in links)][:1] or others()[:1]:
        for i in asked_of(things, memory, new, (), "the last answer"):
            if i.query:
                told = swapped(replace(i.query, form="ask", answer=None, order=None, span=None), query.answer, answer)
                yield Interpretation(f"{things.name(new)}: {things.name(answer)}, too?", "swap", i.how, query=told)


def renamed(question: str, old: Sequence[str], new: str) -> str:
    """A question about another thing, in place of the longest of the old one's names that stands in it; where none
    does, the new name is added. What told the old one from its namesakes, in brackets after its name, goes with it."""
    for name in sorted(filter(None, old), key=len, reverse=True):
        own = rf"(?<!\w){re.escape(name)}(?: \([^()]*\))?(?!\w)"
        if (changed := re.sub(own, lambda _: new, question, flags=re.I)) != question:
            return changed
    return f"{question.rstrip(' ?')}, for {new}?"


def kindred(
    things: Things, seen: References, memory: Memory, *, by_name: bool = False, alike: bool = False
) -> Iterator[Interpretation]:
    """The last question asked of the only other thing in its place that all the words describe; ``by_name``: that all
    are words of its name; ``alike``: that is of its class."""
    said, last = _THE.fullmatch(seen.bare), memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if not said or query is None:
        return
    words = {w.text for w in words_in(said["words"])} - STOP_WORDS - _ONE
    timed = not words.isdisjoint(DAYS_AND_MONTHS)
    for old in [n for n in query.entities if not things.kg.is_class(n) and not things.kg.is_literal(n)]:
        if timed and not things.is_dated(old, ("date",)):
            continue  # nobody is the April one
        nodes = in_place_of(things, query, old)
        nodes = frozenset(n for n in nodes if things.kinds(n) & things.kinds(old)) if alike else nodes
        new = _described(things, nodes - {old}, words, bool(said["clause"]), memory, things.kg.label(old))
        named = not by_name or words <= {w.text for n in things.called(new) for w in words_in(n)}
        if new and new != old and named:
            yield from asked_of(things, memory, new, (old,), f"{seen.bare.strip(' ?.!')}: {things.name(new)}")
            return


def in_place_of(things: Things, query: QueryGraph, old: str) -> frozenset[str]:
    """The things of which the graph tells all that a query says of one, but for its class; that one is among them."""
    typing = {TYPE, *things.kg.roles.types}
    said = [p for p in query.patterns if old in (p.head, p.tail) and p.relation not in typing]
    starts = [things.names.schema.starts(Step(p.relation, inverse=p.tail == old)) for p in said]
    return frozenset.intersection(*starts) if starts else frozenset()


def _described(things: Things, nodes: Set[str], words: set[str], clause: bool, memory: Memory, old: str) -> str:
    """The only one of some things of which all words tell, by its names, its kinds and what it is linked to, else the
    only one of them that was told of late, or is linked to what was spoken of: her April appointment. ``clause``: and
    by its relations, as in "the one that sells bread". ``old``: the name of the one that was asked of, which another
    may bear: the Rose Cottage in Marl End."""
    if not words or len(nodes) > _MOST:
        return ""
    told = {n: told_words(things.kg, n, relations=clause) for n in nodes if not things.kg.is_literal(n)}
    fit = [n for n, own in told.items() if all(is_like(w, own) for w in words)]
    if len(fit) > 1:
        answers, focus = {n for turn in memory.turns[-_LATE:] for n in turn.answers}, memory.focus(6)
        late = [n for n in fit if n in answers]
        namesakes = [n for n in fit if folded_words(things.kg.label(n))[:1] == folded_words(old)[:1]]
        tied = [n for n in fit if any(t.tail in focus for t in things.kg.triples(n, None, None))]
        fit = late or (namesakes if len(namesakes) == 1 else tied)
    return fit[0] if len(fit) == 1 else ""


def of_relative(things: Things, text: str, memory: Memory, of: str, asked: QueryGraph) -> Interpretation | None:
    """The last question asked of the one that ``asked``, a reading of ``text``, leads to from the thing ``of``; None
    where the text says more, or where the last question was itself answered with somebody."""
    last = memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if last is None or query is None or not AND_HIS.fullmatch(text) or asked.form != "select" or query.form == "ask":
        return None
    found = execute(things.kg, asked).ids
    if len(found) != 1 or of not in query.entities or things.people(last.answers) or not things.people([of]):
        return None
    new = found[0]
    if not things.people([new]) or not (edited := swapped(query, of, new)) or not execute(things.kg, edited).ids:
        return None
    question = renamed(last.question, things.called(of), things.name(new))
    return Interpretation(question, "swap", f"{things.name(of)} → {things.name(new)}", query=edited)


def of_described(things: Things, text: str, memory: Memory, asked: QueryGraph) -> Interpretation | None:
    """The last question asked of the one thing that a description leads to, ``asked`` being its reading: after "when
    was it built?", "and Gordon's cello?" asks when that was; None where it says more, or that thing is of another
    kind."""
    if not memory.last or not _AND_THAT.fullmatch(text) or asked.form != "select" or asked.order:
        return None
    found = execute(things.kg, asked).ids
    new = found[0] if len(found) == 1 and memory.is_thing(found[0]) else ""
    same = asked_of(things, memory, new, (), f"{text.strip(' ?.!')}: {things.name(new)}") if new else ()
    return next((i for i in same if i.query and execute(things.kg, i.query).number), None)


def asked_in_turn(before: Remembered, last: Remembered) -> tuple[str, ...]:
    """The two things that two turns asked the same of; () where they asked something else."""
    if not before.query or not last.query:
        return ()
    first, second = QueryGraph.from_json(before.query), QueryGraph.from_json(last.query)
    pairs = ((old, new) for old in first.entities for new in second.entities if old != new)
    return next((pair for pair in pairs if swapped(first, *pair) == second), ())
