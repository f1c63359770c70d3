"""What a sentence wants: rules first, and where they are silent one constrained choice of the model.

``ask`` and ``verify`` go to the methods, ``prove`` shows the evidence of the last answer, ``search`` and ``explore``
look things up, ``complete`` predicts a link, ``chat`` needs no graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from triplewise.agents.assistant.intents.claims_said import TAG, VERIFY
from triplewise.agents.assistant.intents.of_all import says_of_all
from triplewise.agents.assistant.intents.sentence_kinds import WH, YES_NO, declares, opens_wh
from triplewise.agents.assistant.intents.small_talk import complains, is_help, is_of_weather, is_small
from triplewise.agents.assistant.intents.statements import has_order_of_statement, states, without_clause
from triplewise.agents.assistant.intents.without_verb import with_verb
from triplewise.agents.assistant.references import find_references
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.backends.llama.gbnf import choice
from triplewise.errors import ReplyError
from triplewise.kg.names import fold
from triplewise.prompts.template import load_prompt
from triplewise.tools.text.verb_forms import is_past
from triplewise.tools.text.yes_no import ONE_WHO

Intent = Literal["ask", "verify", "prove", "search", "explore", "complete", "chat"]
INTENTS: tuple[Intent, ...] = ("ask", "verify", "prove", "search", "explore", "complete", "chat")

_PROVE = re.compile(
    r"^\W*(?:(?:but |and |ok )?(?:why(?: not)?(?: (?:is|was|do you say|not) (?:that|this|so))?|"
    r"(?:(?:are )?you (?:(?:quite|really|absolutely|so) )?(?:sure|certain)(?: (?:about|of) (?:that|this|it))?"
    r"|(?:sure|certain) (?:about|of) (?:that|this|it)|sure(?=\s*\?)"
    r"|is (?:that|this) (?:really )?(?:so|true|right|correct))"
    r"|really|how (?:do|can|would|did) you (?:know|tell|get)(?: (?:that|this|it))?|how (?:come|so)|"
    r"(?:why|what makes you) (?:do you )?(?:say|think|believe) (?:so|that|this)|(?:on )?what basis|says who|"
    r"who says(?: so)?|(?:any |"
    r"what(?:'s| is) the |show (?:me )?"
    r"(?:the )?|where(?:'s| is) the )?(?:proof|evidence|sources?|triples|citations?)|prove it|where does that come from"
    r"|what(?:'s| is) that based on|based on what))\W*$",
    re.I,
)  # fmt: skip
_SEARCH = re.compile(r"^\W*(?:search(?: for)?|find|look up|look for)\s+(?P<text>.+)$", re.I)
_EXPLORE = re.compile(
    r"^\W*(?:(?:and|so|but|ok(?:ay)?)\W+)*"
    r"(?:(?:what can you |can you |could you )?tell me (?:something |more |everything |all )?about|"
    r"what do (?:you|we) know (?:about|of)|describe|explore|what about|"
    r"who(?:['’]s| is)|what(?:['’]s| is))\s+(?P<text>.+?)\W*$",
    re.I,
)
_WHO_IS = re.compile(
    r"^\W*(?:(?:and|so|but|ok(?:ay)?)\W+)*(?:who|what)(?:['’]s| is)\s+(?:the\s+)?(?P<name>.+?)(?: then)?\W*$", re.I
)
"""Asks for what there is of one thing, where it says no more than its name."""
_EXPLICIT = re.compile(
    r"^\W*(?:(?:what can you |can you |could you )tell me (?:\w+ )?about|"
    r"tell me(?! (?:who|whom|whose|what|which|when|where|how)\b)|what do (?:you|we) know|describe|"
    r"explore)\b",
    re.I,
)
_COMPLETE = re.compile(
    r"^\W*(?:predict|guess|complete|who (?:might|could|is likely to)|what (?:might|could|"
    r"is likely to)|which \w+ (?:might|"
    r"could|is likely to))\b",
    re.I,
)
_ASKS_IT = re.compile(r"\b(?:who|whom|whose|what|which|when|where|how)\b.*\b(?:he|she|it|that|they|we|you)\W*$", re.I)
"""A clause that looks like a tag and asks: "the Velden one, how far is that?" """
_OF_ONE = re.compile(
    rf"^\W*(?:is|are|was|were|isn['’]?t|wasn['’]?t)\b.*\b{ONE_WHO}\b"
    r"|^\W*(?:it|that|this)\b.*\b(?:more|less|\w+er) than\b",
    re.I,
)
"""Claims that hold a word of a question: "is Luka the one who …?", "that's more than L-3010 was?" """
_TITLE = re.compile(r"^### Task:|<chat_history>", re.I)


_OTHER_VALUE = re.compile(
    r"^\W*(?:(?:and|or|but|so|what about|how about)\W+)*(?:(?:more|less|fewer) than|before|after|since|until|over|"
    r"under|above|below|at least|at most|up to)\W+[€$£]?\w*\d[\w.,:-]*(?: \w+)?\W*$",
    re.I,
)
"""The same question with another value: "and before 1990?", "more than 10000?" """


_KIND_THAT = re.compile(
    r"^\W*(?:all |the |every |any |only )*(?:[\w'’-]+ ){0,2}[\w'’-]+s that "
    r"(?:are|were|have|had|do|did|can|could|will|would|must)(?:n['’]t)?\b(?!.*\b(?:is|are|was|were|has|have|had|does|do|did)\b)",
    re.I,
)
"""Things of a kind and no more: "lighthouses that are not on the north coast" """


_ASKED_AFTER = re.compile(
    r"[^,;:?]+[,;:–—]\s+(?:and )?(?P<asked>(?:who|whom|whose|what|which|when|where|how)\b[^?]*\?)\s*$", re.I
)


_WHAT_IT_HAS = re.compile(
    r"\W*(?:(?:and|ok(?:ay)?|so|what about)\W+)*(?:that|this|the other|the first|the last) "
    r"one['’]?s [a-z]+(?: [a-z]+)?\?+\W*",
    re.I,
)
"""Asks for what one has: "and that one's jobs?" """
_BOTH_DID = re.compile(r"(?:both|all|none) of (?:them|those|these|us) \w+ed\b|both of (?:them|those|these) \w+\b", re.I)
"""Says of both what they did: "both of them passed the exam in March?" """
_AND_ONE = re.compile(
    r"\W*(?:(?:ok(?:ay)?|right|cool|great|nice|lovely)\W+)*(?:and|what about|how about) "
    r"(?P<one>(?!(?:now|then|so|also|the rest|that|i|we|you|it|he|she|they)\b)[\w'’-]+(?: [\w'’-]+)?)\W*",
    re.I,
)
"""Goes on with another thing, in few words."""
_GOES_ON_ASKING = re.compile(
    r"\W*(?:(?:and|so|but) )?(?:(?:with|for|by|to|from|on|in|at|of|about|since|until) )?"
    r"(?:who|whom|whose|which|what|when|where|how)\b",
    re.I,
)
"""What goes on asking after a question mark without one of its own: "is it shared? with whom" """
_SO = re.compile(r"\W*so,? (?!(?:that|this|it)\b)\w", re.I)
_IF_I_MAY = re.compile(r"[,\s]+(?:if i may(?: ask)?|may i ask)(?=\W*$)", re.I)
"""Courtesy at the end of a question, which makes no claim of it."""


def search_text(text: str) -> str:
    """What to search or explore, of a sentence that asks for that."""
    match = _SEARCH.match(text) or _EXPLORE.match(text)
    return match.group("text").strip(" ?.!") if match else text


def asks_who_one_is(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence asks of the one thing that it names, and nothing more: "who is Ann?", "tell me about Ann"."""
    explicit = _EXPLORE.match(text) if _EXPLICIT.match(text) else None
    asked = _WHO_IS.match(text) or explicit
    return bool(asked) and {fold(asked[asked.lastgroup or 0])} == {*map(fold, names)}


def by_rules(text: str, *, named: int, after_answer: bool, names: Sequence[str] = ()) -> Intent | None:
    """The intent where the words tell it. ``named``: things of the graph that the sentence names, ``names``: its words
    for them; ``after_answer``: whether there is an answer to prove."""
    if _TITLE.search(text) or is_help(text) or complains(text) or (not named and is_of_weather(text)):
        return "chat"
    if _PROVE.match(text):
        return "prove" if after_answer else "chat"
    if _SEARCH.match(text) and not text.rstrip().endswith("?"):
        return "search"
    if _EXPLICIT.match(text) and named:
        return "explore"
    if _COMPLETE.match(text):
        return "complete"
    if VERIFY.match(text):
        return "verify"
    last = _IF_I_MAY.sub("", last_sentence(text))
    bare = find_references(last).bare
    clause = re.split(r"[,;:–—]\s", last)[-1]
    if (
        TAG.search(last)
        and not _ASKS_IT.search(clause)
        and (named or find_references(text).any or len(last.split()) > 3)
        and not WH.match(bare)
    ):
        return "verify"
    if after_answer and _WHAT_IT_HAS.fullmatch(text):
        return "ask"
    if _BOTH_DID.match(bare) and is_past(fold(bare).split()[3]) and not opens_wh(last):
        return "verify"
    if after_answer and (one := _AND_ONE.fullmatch(text)) and not is_small(one["one"], 0):
        return "ask"  # "ok and ned"
    if is_small(text, named):
        return "chat"
    if with_verb(last, names) != last:
        return "verify"
    if says_of_all(bare):
        return "verify"
    if _KIND_THAT.match(bare):
        return "ask"
    if _OF_ONE.search(bare) and not WH.match(bare):
        return "verify"
    if (
        after_answer
        and not WH.match(find_references(without_clause(bare)).bare)
        and has_order_of_statement(last, names)
    ):
        return "verify"
    if opens_wh(last):
        return "ask"
    if YES_NO.match(bare):
        return "ask" if last.rstrip().endswith("?") and _lets_choose(last, names) else "verify"
    if after_answer and named and re.search(r"\bso (?:before|after) ", last, re.I):
        return "verify"
    if after_answer and _SO.match(last) and any(map(is_past, fold(last).split()[2:])):
        return "verify"  # "so those two joined on the same day?"
    if after_answer and named == 0 and _OTHER_VALUE.match(bare):
        return "ask"
    if last.rstrip().endswith("?"):
        of_both = bare.startswith("they are both")  # "both paid?"
        return "verify" if declares(last) or of_both else "ask"
    if declares(last) or states(last, names):
        return "verify"
    return "ask" if named or after_answer else None


_WHOEVER = re.compile(r"\W*[\w'’]+(?:\s+the)?\s+|.*\b(?:either|any of|one of)\s+(?:the\s+)?", re.I | re.S)
"""Before two names of which no matter which is meant: "has Ann or Bo paid?"."""


def _lets_choose(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence asks which of two named things it is: "was it written by Ada or Jun?"."""
    either = "|".join(re.escape(fold(name)) for name in names)
    between = r"\s+or\s+(?:(?:by|in|at|for|from|with|on|to)\s+)?(?:the\s+)?"
    found = re.search(rf"\b(?:{either}){between}(?:{either})\b", fold(text)) if either else None
    return found is not None and _WHOEVER.fullmatch(text[: found.start()]) is None


def last_sentence(text: str) -> str:
    """The sentence that asks: the last with a question mark, else the last that is no courtesy."""
    parts = [
        p
        for p in re.split(
            r"(?<=[?!])\s+|(?<=[a-z)\d]\.)\s+(?=[A-Z]|(?:and|but|so|who|what|which|when|where|how)\b)", text.strip()
        )
        if any(c.isalnum() for c in p)
    ]
    asking = [p for p in parts if p.rstrip().endswith("?")]
    if asking and asking[-1] != parts[-1] and _GOES_ON_ASKING.match(parts[-1]):
        asking = parts
    serious = [p for p in parts if not is_small(p, 0)]
    return (asking or serious or parts or [text])[-1]


def asks_of_choice(reply: str) -> str:
    """The question that a reply to a choice goes on to ask of what it chose: "The travel book. Who is it by?", "the old
    one, when did he get it?" """
    asked = last_sentence(reply)
    clause = _ASKED_AFTER.match(asked)
    asked = clause["asked"] if clause else asked
    goes_on = asked != reply.strip() and asked.endswith("?") and WH.search(asked) and find_references(asked).pronouns
    return asked if goes_on else ""


async def by_model(model: Any, text: str, before: str) -> Intent:
    """One constrained choice among the intents; what cannot be read is taken as a question."""

    def parse(reply: str) -> Intent:
        word = reply.strip().strip("\"'`.").split()[0].casefold() if reply.strip() else ""
        for intent in INTENTS:
            if word == intent:
                return intent
        raise ReplyError(f"It is none of {', '.join(INTENTS)}.")

    messages = load_prompt("assistant/route").render(text=text, before=before or "nothing")
    reply: ReplyFormat[Intent] = ReplyFormat(
        parse,
        grammar=f"root ::= {choice(INTENTS)}\n",
        fallback=lambda: "ask",
        fallback_note="Taken as a question.",
        max_tokens=8,
    )
    return (await call_model(model, messages, reply, node="route")).value
