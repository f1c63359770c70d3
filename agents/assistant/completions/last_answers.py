"""Some of the last answers: "which of them are open?", "the oldest?", "the second of those", "the later one"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triplewise.agents.assistant.completions.asked_of import asked_in_turn, asked_of, renamed
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.pronouns import pronouns
from triplewise.agents.assistant.completions.things import WH, Things
from triplewise.agents.assistant.completions.told.extremes import extreme_of
from triplewise.agents.assistant.edits import among, held_against, of_each, swapped
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.namesakes import told_words
from triplewise.agents.assistant.references import (
    References,
    find_references,
    replace_ordinal,
    replace_pronouns,
    without_of_them,
)
from triplewise.kg.query import QueryGraph, execute
from triplewise.kg.query.graph import Order
from triplewise.tools.query_graph import cues
from triplewise.tools.query_graph.linking.mentions import folded_words
from triplewise.tools.text.verb_forms import is_participle, plural, with_article

_PLACES = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "latter": -1}
_ALONE = re.compile(
    r"(?:(?:of|between|out of) (?:the|those|these) (?:two|three)(?: [^,?]+)?,? )?"
    r"(?:(?:which|who|what)(?: one)?(?: of (?:them|those|these|the two))?(?:['’]s| is| was| are| has)? )?(?:the )?"
    r"(?P<word>(?:(?:most|least|more|less) )?[\w-]+(?: \w+ed)?)(?: ones?)?"
    r"(?: of (?:all|them|(?:the|those|these) (?:two|three)|those|these))?(?:,? then)?\W*",
    re.I,
)
""" "Heaviest?", "and the oldest?", "which is older?": a comparative or superlative without a noun, where it is one."""
_COMPARATIVE = re.compile(r"\b(?:\w{3,}er|more|less)\b(?! than)", re.I)
_EXTREME = re.compile(
    r"\bthe (?:(?:most|least)\b|first\W*$|last\W*$|(?!rest\b)\w+est\b)|\b(?:first|last|latest|earliest)\W*$", re.I
)
_OF_AGE = re.compile(r"old|young|new|recent|earl|late", re.I)
_THE_ONE_THAT_IS = re.compile(
    r"(?:which|who)(?: one)?(?: of (?:them|those|these))?(?:['’]s| is| was) (?:the |an? )"
    r"(?P<words>[\w'’-]+(?: [\w'’-]+)?)(?: one)?(?:,? then)?\W*",
    re.I,
)
_ANY_MEASURE = {"most": ">", "least": "<", "fewest": "<", "highest": ">", "lowest": "<"}
_UNEVEN = {"better": "best", "worse": "worst", "less": "least", "more": "most", "further": "furthest"}
_WHICH_OF = re.compile(
    r"(?:which|what|who)(?: (?:ones?\b|of (?:(?:them|those|these|the two)\b(?: two)?)))?\s+"
    r"(?=(?:is|was|has|had|have|got|gets?|does|did|can|could|will|costs?|takes?|holds?|\w+ed|\w+s)\b)(?!.*\bthan\b)",
    re.I,
)
_OF_THESE = re.compile(r"\bof (?:them|those|these)\b(?! (?:two|three|four))", re.I)
_HOW_MANY_OF = re.compile(r"^how many(?= of\b)", re.I)
""" "How many of those cost over 1000?": which do, counted."""
_EXTREME_OF = re.compile(
    r"\b(?:is|are|was|were|must be|has|have|had)\b.*?\b(?P<most>the (?:(?:most|least) \w+|(?!rest\b)\w+est)) "
    r"of (?:all )?(?:them|those|these|the (?:two|three|four|lot))\b",
    re.I,
)
_FIRST_TO = re.compile(
    r"(?:(?:who|which)(?: one)?(?: is| was|['’]s) )?the (?P<word>first|last) (?:one )?of (?:them|those|these|the \w+) "
    r"to (?P<do>[^?]+?)\W*",
    re.I,
)
ONE_OF = re.compile(r"\bone of (?:them|those|these)\b", re.I)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "2": 2, "3": 3, "4": 4}
_OTHERS_OF = re.compile(
    r"(?:of|out of|between|from|among) the other (?P<number>two|three|four|\d)\b[\s,]*(?P<rest>(?:which|what|who)\b.*)",
    re.I,
)
_THE_OTHERS = re.compile(
    r"(?:(?:what|how) about )?the other (?P<number>two|three|four|[234])(?: ones?)?(?:,? then)?\W*", re.I
)
_LISTS = 2
"""Turns whose answers may be those that are compared."""
_EARLIER = 5
"""Turns after which the other end of a superlative may still be asked for."""
_MANY = 20
"""Answers of which one is no more spoken of one by one."""
_NOT_DONE = re.compile(
    r"\b(?:have|has)(?:n['’]?t (?:he|she|they|we|you)| (?:he|she|they|we|you) not) (?P<verb>\w+)\b", re.I
)
_FEW = 5
"""Things of several classes that are named one by one."""
_ASKED = re.compile(r"(?:which|who|what)\b", re.I)
_OF = re.compile(r"^(?:of|for|from|with|by|at|in|on|to) ", re.I)
_WHO_IS = re.compile(r"^(?:who|which|what)(?: ones?)?(?:['’]s| is| was) ", re.I)


def says_extreme(things: Things, seen: References) -> bool:
    """Whether a sentence claims that somebody is the first or the last of them: "is Ann the oldest of them?" """
    said = _EXTREME_OF.search(seen.bare)
    own = seen.bare[: said.start("most")] if said else ""
    return bool(own) and not WH.search(own) and bool(things.links(own) or find_references(own).pronouns)


def _extreme_of(things: Things, seen: References, memory: Memory, focus: list[str]) -> Iterator[Interpretation]:
    """A claim that one of the last answers is the first or the last of them: it is one of those that are meant."""
    named = {x.node for x in things.links(seen.bare)}
    lists = [n for n in (memory.several(), *(t.answers for t in reversed(memory.turns[-3:]))) if 2 <= len(n) <= _MANY]
    nodes = next((n for n in lists if not named or named & set(n)), ())
    if not nodes:
        return
    text, how = without_of_them(seen.bare, *kind_words(things, nodes)), f"of the {len(nodes)} before"
    if named:
        yield Interpretation(text, "among", how, keep=nodes)
        return
    for i in pronouns(things, find_references(text), memory, focus):
        if len(i.given) == 1 and i.given[0] in nodes:
            yield replace(i, kind="among", how=f"{how}; {i.how}", keep=nodes)


def among_answers(things: Things, seen: References, memory: Memory, focus: list[str]) -> Iterator[Interpretation]:
    """The question asked of the last answers alone; what its other pronouns stand for is put in as well."""
    if says_extreme(things, seen):
        yield from _extreme_of(things, seen, memory, focus)
        return
    one = memory.only() if _OF_THESE.search(seen.bare) else ()  # "which of those is in the sun?"
    nodes: tuple[str, ...] = memory.several() or one or memory.listed()
    if not nodes or (seen.only_both and not WH.search(seen.bare)):  # "have they paid for both of them?"
        return
    which = _HOW_MANY_OF.sub("which", seen.bare)
    many = which != seen.bare
    if not WH.search(which):  # "one of those won it": a game did
        which = ONE_OF.sub(with_article(kind_words(things, nodes)[0]), which, count=1)
    text = without_of_them(which, *kind_words(things, nodes))
    how = f"of {things.name(*one)}" if nodes == one else f"of the {len(nodes)} before"
    done = _NOT_DONE.search(text) if seen.outside and memory.is_theirs(nodes) else None
    if done and is_participle(done["verb"].lower()):  # they are theirs, so that only what was not done is asked
        passive = f"{text[: done.start()]}isn't {done['verb']}{text[done.end() :]}"
        yield Interpretation(passive, "among", how, keep=nodes, counted=many)
    if seen.outside:
        others = [n for n in focus if n not in nodes]
        for i in pronouns(things, find_references(text), memory, others):
            if not set(i.given) & set(nodes):
                yield replace(i, kind="among", how=f"{how}; {i.how}", keep=nodes, counted=many)
    if len(nodes) == 2 and (more := _COMPARATIVE.search(text)) and cues.direction(more.group(), False):
        yield Interpretation(_COMPARATIVE.sub(most_of(more.group()), text, count=1), "among", how, keep=nodes)
    yield Interpretation(text, "among", how, keep=nodes, counted=many)
    earlier = _listed_before(things, memory, nodes) if not seen.outside else ()
    if earlier:  # of the hives, and not of whose they are
        text = without_of_them(which, *kind_words(things, earlier))
        yield Interpretation(text, "among", f"of the {len(earlier)} before these", keep=earlier, counted=many)


def _listed_before(things: Things, memory: Memory, nodes: Sequence[str]) -> tuple[str, ...]:
    """The list that was told right before some answers, where it is of another kind."""
    before = memory.turns[-2].answers if len(memory.turns) > 1 else ()
    alike = {k for n in nodes for k in things.kinds(n)} & {k for n in before for k in things.kinds(n)}
    return before if 2 <= len(before) <= _MANY and all(map(memory.is_thing, before)) and not alike else ()


def first_to(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "The first of them to stop?": which of them was."""
    said, nodes = _FIRST_TO.fullmatch(seen.bare), memory.several()
    if said and 2 <= len(nodes) <= _MANY and not seen.outside:
        text = f"Which {kind_words(things, nodes)[0]} was the {said['word'].lower()} to {said['do']}?"
        yield Interpretation(text, "among", f"of the {len(nodes)} before", keep=nodes)


def the_one_that_is(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "Which one's the male?": the one of the last answers of which the graph tells that word."""
    said, nodes = _THE_ONE_THAT_IS.fullmatch(seen.bare), memory.several()
    last = memory.last
    query = QueryGraph.from_json(last.query) if last and last.query else None
    if said is None or last is None or query is None or query.form != "select" or query.order or nodes != last.answers:
        return
    words = set(folded_words(said["words"]))
    fit = [n for n in nodes if words <= told_words(things.kg, n, relations=False)] if 2 <= len(nodes) <= _MANY else []
    if len(fit) == 1 and not cues.MOST.search(said["words"]):
        yield Interpretation(seen.bare, "among", f"of the {len(nodes)} before", query=among(query, fit))


def superlatives(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "The oldest?", "which is older?" of the last answers, or of those that the last superlative chose from, also one
    that was claimed: "is he the oldest teacher?" "Who's the youngest, then?" """
    match = _ALONE.fullmatch(seen.bare)
    if not match:
        return
    word = match.group("word").lower()
    query = _ordered(memory.last) or _with_other_end(things, memory, word)
    turn, told = _listed(memory, 2), memory.several()
    told = told if 2 <= len(told) <= _MANY else turn.answers if turn else ()
    nodes = execute(things.kg, replace(query, order=None)).ids if query else told
    if query is None and nodes and not extreme_of(things, nodes, word):  # which invoice is the biggest, and no client
        lists = (t.answers for t in reversed(memory.turns[-3:-1]) if 2 <= len(t.answers) <= _MANY)
        nodes = next((n for n in lists if all(map(memory.is_thing, n)) and extreme_of(things, n, word)), nodes)
    if (len(nodes) == 2 or _ASKED.match(seen.bare)) and _COMPARATIVE.match(word) and cues.direction(word, False):
        word = most_of(word)
    if len(nodes) < 2 or not cues.MOST.fullmatch(word.split()[0]):
        return
    text, how = f"Which {_one_of(things, nodes)} is the {word}?", f"of the {len(nodes)} before"
    if query and query.order and (end := _end(things, query, query.order, word)):
        asked = replace(query, order=replace(query.order, descending=end == ">"))
        yield Interpretation(text, "among", how, query=asked)
    yield Interpretation(text, "among", how, keep=nodes)


def _end(things: Things, query: QueryGraph, order: Order, word: str) -> str:
    """Which end of the order of the last question a word asks for, ">" the greatest: by the same dates or numbers, not
    those of other things. "" where it is of another measure."""
    schema = things.names.schema
    by = next((p.relation for p in query.patterns if p.tail == order.by), "")
    if order.since:
        return {"longest": ">", "shortest": "<"}.get(word, _ANY_MEASURE.get(word, ""))
    if schema.value_kind(by) in ("date", "year"):
        return cues.extreme_date(word)
    if order.measure == "count" or word in _ANY_MEASURE:
        return _ANY_MEASURE.get(word, "")
    return cues.extreme_number(word, schema.words(by)) if by else ""


def the_two(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "Which one had more visitors?" after "When is the gala?" "And the fair?": of the two that were asked about one
    after the other, or of the answers where each had one or the latter had two."""
    said, more = _WHICH_OF.match(seen.bare), _COMPARATIVE.search(seen.bare)
    if len(memory.turns) < 2 or not said or not more or not cues.direction(more.group(), False) or seen.outside:
        return
    before, last = memory.turns[-2:]
    pair = asked_in_turn(before, last)
    if not pair:
        return
    each = len(before.answers) == len(last.answers) == 1
    answers = (*before.answers, *last.answers) if each else last.answers
    told = answers if len(set(answers)) == 2 and all(map(memory.is_thing, answers)) else ()
    groups = [nodes for nodes in (pair, told) if nodes]
    if _OF_AGE.search(more.group()):  # nothing is older that has no date
        groups = [nodes for nodes in groups if things.by_date(nodes)] or groups[-1:]
    for nodes in groups:
        one, _ = kind_words(things, nodes)
        rest = re.sub(r" ones?(?=\W*$)", "", seen.bare[said.end() :])
        rest = _COMPARATIVE.sub(lambda m: most_of(m.group()), rest, count=1)
        yield Interpretation(f"Which {one} {rest}", "among", "of the 2 before", keep=nodes)


def compared_answers(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "Which had more guests?", "which can carry more?", "which was mended last?" right after a list: the one of these
    that has the most."""
    said, more, most = (p.search(seen.bare) for p in (_WHICH_OF, _COMPARATIVE, _EXTREME))
    compares = bool(more and cues.direction(more.group(), False))
    most = most if said and not said.group().lower().startswith("who") else None  # who came first may be of all
    if not said or said.start() or seen.any or not (compares or most) or things.links(seen.bare):
        return
    rest = seen.bare[said.end() :]
    rest = _COMPARATIVE.sub(lambda m: most_of(m.group()), rest, count=1) if compares and not most else rest
    kinds: set[str] = set()
    for turn in [t for t in reversed(memory.turns[-_LISTS:]) if 2 <= len(t.answers) <= _MANY]:
        one, _ = kind_words(things, turn.answers)
        if one not in kinds and all(map(memory.is_thing, turn.answers)):
            yield Interpretation(
                f"Which {one} {rest}", "among", f"of the {len(turn.answers)} before", keep=turn.answers
            )
        kinds.add(one)


def others_of_list(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "Of the other two, which costs more?" after one of three answers was spoken of."""
    if alone := _THE_OTHERS.fullmatch(seen.bare):
        yield from _asked_of_others(things, memory, _NUMBERS[alone["number"].lower()])
        return
    said = _OTHERS_OF.fullmatch(seen.bare)
    number = _NUMBERS.get(said["number"].lower(), 0) if said else 0
    if not said or not number or not memory.last:
        return
    spoken = {*(memory.last.answers or memory.last.topics)}
    for turn in reversed(memory.turns[-3:]):
        left = tuple(n for n in turn.answers if n not in spoken)
        if len(left) == number < len(turn.answers) <= _MANY:
            rest = re.sub(r"^(?:which|what|who)(?: ones?)?\b\s*", "", said["rest"], flags=re.I)
            rest = (
                _COMPARATIVE.sub(lambda m: most_of(m.group()), rest, count=1)
                if number == min(_NUMBERS.values())
                else rest
            )
            one, _ = kind_words(things, left)
            yield Interpretation(f"Which {one} {rest}", "among", f"the other {number}", keep=left)
            return


def _asked_of_others(things: Things, memory: Memory, number: int) -> Iterator[Interpretation]:
    """ "And the other two?": the last question, asked of one of several that were told, of each of the others."""
    last = memory.last
    if last is None or last.query is None:
        return
    query = QueryGraph.from_json(last.query)
    for turn in reversed(memory.turns[-3:-1]):
        one = [n for n in turn.answers if n in query.entities]
        left = tuple(n for n in turn.answers if n not in one)
        if len(one) == 1 and len(left) == number:
            asked = of_each(swapped(query, one[0], left[0]), left[0], left)
            if asked is not None:
                names = _listing([things.name(n) for n in left])
                yield Interpretation(renamed(last.question, things.called(one[0]), names), "swap", names, query=asked)
            return


def _with_other_end(things: Things, memory: Memory, word: str) -> QueryGraph | None:
    """The superlative of an earlier turn whose other end a word asks for: "and the cheapest?" after the dearest."""
    for turn in reversed(memory.turns[-_EARLIER:-1]):
        query = _ordered(turn)
        if query and query.order and _end(things, query, query.order, word) == "<>"[not query.order.descending]:
            return query
    return None


def _ordered(turn: Remembered | None) -> QueryGraph | None:
    """A superlative, asked or claimed, as a question of the first or the last of some things."""
    query = QueryGraph.from_json(turn.query) if turn and turn.query else None
    if query and query.form == "select" and query.order:
        return query
    return held_against(query) if query else None


def ordinals(things: Things, seen: References, memory: Memory) -> Iterator[Interpretation]:
    """ "The second of those", "the later one": one of the last answers, by its place or by its date."""
    turn = _listed(memory, 3)
    if turn is None:
        return
    nodes, place = list(turn.answers), _PLACES.get(seen.ordinal)
    dated = place is None
    if place is None:
        place = 0 if re.match(r"earli|old", seen.ordinal) else -1
        nodes = things.by_date(nodes)
    if not nodes or not -len(nodes) <= place < len(nodes):
        return
    node = nodes[place]
    name, how = things.name(node), f"the {seen.ordinal}: {things.name(node)}"
    text = replace_ordinal(seen.bare, name)
    if _WHO_IS.sub("", _OF.sub("", text.strip(" ?.!"))) == name:  # "and the latter?", "and of the first?"
        same = list(asked_of(things, memory, node, turn.answers, how))
        if same := same or (list(superlatives(things, seen, memory)) if dated or _ordered(memory.last) else []):
            yield from same
            return
    if find_references(text).of_them and WH.match(text) and (others := tuple(n for n in turn.answers if n != node)):
        # "which of these is smaller than the first?"
        of_these = without_of_them(text, *kind_words(things, turn.answers))
        yield Interpretation(of_these, "among", how, (node,), keep=others)
    rest = text.removeprefix(name).lstrip(" ,")
    if text.startswith(f"{name},") and find_references(rest).pronouns:  # "the first one, has he …"
        text = replace_pronouns(rest, name)
    yield Interpretation(text, "ordinal", how, (node,))


def _listed(memory: Memory, turns: int) -> Remembered | None:
    """The latest of the last turns that had several answers, yet not too many to speak of one by one."""
    return next((t for t in reversed(memory.turns[-turns:]) if 2 <= len(t.answers) <= _MANY), None)


def kind_words(things: Things, nodes: Sequence[str]) -> tuple[str, str]:
    """What one and what several of some things are called: by their class where they share it."""
    kinds = [things.kg.types(n)[:1] for n in nodes]
    shared = kinds[0][0] if kinds and kinds[0] and all(k == kinds[0] for k in kinds) else ""
    one = things.kind_label(shared) or ("person" if nodes and len(things.people(nodes)) == len(nodes) else "thing")
    return one, plural(one)


def _one_of(things: Things, nodes: Sequence[str]) -> str:
    """What one of some things is called in a question which it is: by their class, else few of several classes by their
    names."""
    names = [things.name(n) for n in nodes]
    alike = len({things.kg.types(n)[:1] for n in nodes}) == 1
    return kind_words(things, nodes)[0] if alike or len(nodes) > _FEW or not all(names) else f"of {_listing(names)}"


def _listing(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def most_of(word: str) -> str:
    """ "older" → "oldest", "more recent" → "most recent"."""
    first, _, rest = word.lower().partition(" ")
    return f"{_UNEVEN.get(first) or re.sub('er$', 'est', first)} {rest}".strip()
