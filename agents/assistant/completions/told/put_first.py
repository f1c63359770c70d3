"""What a sentence names, or describes, before it asks: "P-0340, how big was that?", "the blue one, who has it?" """

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from triplewise.agents.assistant.completions.asked_of import asked_of
from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.completions.pronouns import pronouns
from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.completions.told.described import bearer_described, described
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import References, find_references, replace_pronouns
from triplewise.tools.query_graph.linking.mentions import Link, folded_words, is_form_of, words_in

_WHERE = re.compile(r"(?:in|on|at|from|to|under|over|near|since|before|after|during|until)\b", re.I)
_ANYBODY = re.compile(r"\b(?:who|whose|which|\w+(?:one|body))\b", re.I)
_NAMED_FIRST = re.compile(r"(?P<name>(?-i:[A-ZÀ-ÞŁŠŽ])[^,:;.!?]*)[,:] (?P<rest>.+)", re.I)
_DESCRIBED = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!['’]s )\bthe one (?P<more>(?:(?:from|with|in|at|on|by)\b|(?-i:[A-Z]))[^,.;?!]*)"
    r"|\b(?:the|that) (?P<words>(?!other\b)[\w'’-]+(?: [\w'’-]+){0,2}?) one\b(?!s| (?:that|who|which)\b)"
    r"|^(?:the|that) (?P<first>[\w'’-]+(?: [\w'’-]+){0,2})[,:]",
    re.I,
)
_WHICH_IS = re.compile(r"\b(?:which|who|what)(?: (?:one|of (?:them|those|these)))?(?:['’]s| is| was| are) $", re.I)
_ASKS_NEXT = re.compile(
    r"\s*[,;:–—-]\s*(?:(?:and|so|but) )?(?P<asked>(?:who|whom|whose|what|which|when|where|how)\b.*)", re.I
)


def put_first(things: Things, seen: References, links: Sequence[Link], memory: Memory) -> Iterator[Interpretation]:
    """What a sentence names before it asks: "P-0340, how big was that?", "the Velden one, how far is it?" """
    one = _DESCRIBED.search(seen.bare)
    if one and _WHICH_IS.search(seen.bare[: one.start()]):
        one = None  # "which is the cheap one?" asks for it
    if one and (one.group("more") or not things.links(one.group())):
        words = one.group("words") or one.group("first") or one.group("more")
        bare = seen.bare.strip(" ?!.") == one.group()
        asked = memory.last.topics if bare and memory.last else ()
        node, others = bearer_described(things, words, asked) or described(things, words, memory)
        if node and (name := things.name(node)):
            how = f"{one.group().strip(' ,:')}: {name}"
            if bare and (same := list(asked_of(things, memory, node, others, how))):
                yield from same
                return
            yield Interpretation(put_in(seen.bare, one, name), "pronoun", how, (node,))
            return
    if not links and (said := _NAMED_FIRST.fullmatch(seen.bare)) and seen.words[:1] in (("he",), ("she",)):
        bearers = [x for x in things.names.link(said["name"]) if not x.is_value]
        named = bool(things.people([x.node for x in bearers])) and things.only_names(said["name"], bearers)
        if named and find_references(said["rest"]).pronouns:  # which bearer of the name is meant is still to be asked
            text = replace_pronouns(said["rest"], said["name"])
            yield Interpretation(text, "alone", f"{seen.words[0]}: {said['name']}")
            return
    nodes = _said_bearer(things, seen.bare, links) or {x.node for x in links}
    one_only = seen.words[:1] == ("they",) and not (seen.both or seen.of_them)  # "the client Ann, what did they book?"
    if len(nodes) != 1 or not seen.pronouns or (seen.plural and not one_only):
        return
    start = seen.pronouns[0][0]
    clause = max((m.end() for m in re.finditer(r"[,.;:!?] ", seen.bare[:start])), default=0)
    if (
        clause
        and all(x.node in nodes or _are_of_one_name(links) for x in things.links(seen.bare[:clause]))
        and not things.links(seen.bare[clause:])
    ):
        (node,) = nodes
        word = seen.words[0]
        if word in ("he", "she") and _WHERE.match(seen.bare):
            if not _ANYBODY.search(seen.bare[clause:start]):  # "in Aladdin, what is his part?"
                yield from pronouns(things, seen, memory, [n for n in memory.focus() if n != node])
            return
        name = things.name(node)
        text = replace_pronouns(seen.bare[clause:], name)
        yield Interpretation(text, "pronoun", f"{word}: {name}", (node,))


def _are_of_one_name(links: Sequence[Link]) -> bool:
    return all(x.overlaps(links[0]) for x in links)


def _said_bearer(things: Things, bare: str, links: Sequence[Link]) -> set[str]:
    """The bearer of a name of whose class a word of it, or the one before it, is: "the client Sam Taylor" is no waiter;
    {} where it is none's, or several."""
    if len(links) < 2 or not _are_of_one_name(links):
        return set()
    first, last = min(x.first for x in links), max(x.last for x in links)
    said = [w.text for w in words_in(bare)[max(0, first - 1) : last + 1]]
    called = {x.node: [things.kind_label(k) for k in things.kinds(x.node)] for x in links}
    found = {
        n for n, kinds in called.items() for k in kinds if k and any(is_form_of(folded_words(k)[-1], w) for w in said)
    }
    return found if len(found) == 1 else set()


def put_in(bare: str, one: re.Match[str], name: str) -> str:
    """A sentence with a name in place of what describes the one that it is about."""
    rest = bare[one.end() :].strip(" ,:")
    if (asks := _ASKS_NEXT.match(bare, one.end())) and find_references(asks["asked"]).pronouns:
        return replace_pronouns(asks["asked"], name)  # "I prefer the blue one, who has it?"
    if one.start() or not rest.strip(" .?!"):
        return f"{bare[: one.start()]}{name}{bare[one.end() :]}"
    if find_references(rest).pronouns:
        return replace_pronouns(rest, name)
    return f"{rest.rstrip(' ?!.')}, {name}?"
