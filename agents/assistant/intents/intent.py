"""What a sentence wants: rules first, and where they are silent one constrained choice of the model.

``ask`` and ``verify`` go to the methods, ``prove`` shows the evidence of the last answer, ``search`` and ``explore``
look things up, ``complete`` predicts a link, ``chat`` needs no graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from triplewise.agents.assistant.intents.of_all import says_of_all
from triplewise.agents.assistant.intents.statements import (
    has_order_of_statement,
    states,
    without_clause,
    without_opinion,
)
from triplewise.agents.assistant.references import THANKS, find_references
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.backends.llama.gbnf import choice
from triplewise.errors import ReplyError
from triplewise.kg.names import fold
from triplewise.prompts.template import load_prompt
from triplewise.tools.text.spelling.english import often_misspelt
from triplewise.tools.text.yes_no import ONE_WHO, without_the_one_who

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
_COMPLAINT = re.compile(
    r"^\W*(?:(?:no|nope|but|hm+|oh|well|sorry)\b\W*)*(?:(?:(?:that|this|it)(?:['’]s| is| was)|you(?:['’]re| are)|"
    r"(?:the|your) answer (?:is|was))(?: (?:so|totally|completely|all|really|simply|quite|just))* )?"
    r"(?:wrong|incorrect|false|mistaken|nonsense|rubbish|useless|hopeless|stupid|terrible|"
    r"not (?:right|true|correct|it)|not what i (?:asked|meant|said|wanted)(?: (?:for|to know))?)[^\w?]*$",
    re.I,
)
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
_VERIFY = re.compile(
    r"^\W*(?:is it (?:true|right|correct|so) that|true or false|verify|check (?:that|whether|if))\b[:,]?\s*", re.I
)
_WH = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|name (?:the|all|every|a|one|some)|list|show|"
    r"give me|count|any)\b|"
    r"\b(?:can|could|may|might) (?:i|we) (?:have|see|know|ask)\b|"
    r"\b(?:would|do) you (?:happen to )?have (?:his|her|their|its|the|an?)\b(?=.*\b(?:address|number|e-?mail|name)\b)|"
    r"\b(?:can|could|would|will) you (?:tell|give|show|name|list|say)\b|\btell me\b|\bi(?:'m| am) (?:looking|after)\b|"
    r"\bi(?:'d| would) like to know\b|(?<!all )\bi need\b|\bi want\b|\bany(?:thing|one|body|where)\b|"
    r"\bsome(?:one|body|where)\b|"
    r"\b(?:is|are|was|were) there (?:a|an|any|some)\b|\bi me(?:an|ant)\b|\b(?:is|are|was|were|until|of|by|from)\s*\?$|"
    r"\b(?:has|have|had|does|do|did) (?:he|she|it|they|we|you) (?:got |have )(?:a|an|some|students|children|kids)\b",
    re.I,
)
_TAG = re.compile(
    r"(?:,|\b)\s*(?:(?:am i )?right|correct|no|yes|innit|eh|isn['’]?t (?:he|she|it|that|there)|"
    r"(?:is|was|did|does|has) (?:he|she|it|that) not|(?:are|were|do|have) they not|aren['’]?t (?:they|there)|"
    r"(?:or )?(?:do|does|did|has|have|had|was|were|could|would|can|will)(?:n['’]?t)? (?:he|she|it|they|you)|"
    r"i (?:take it|suppose|think|guess|"
    r"hope|believe|imagine)|if (?:memory serves|i remember (?:right|correctly))|is (?:he|she|it|that))\s*[?.!]*\s*$",
    re.I,
)  # fmt: skip
_PARTICLE = re.compile(
    r"(?:,\s*|\b)(?<!even )(?<!since )(?<!until )(?<!till )(?<!by )(?<!before )(?<!back )"
    r"(?:though|then|anyway|anyhow|after all|mind you|by the way)\s*[?.!]*\s*$",
    re.I,
)
"""What a speaker puts at the end of a claim that says nothing of it; "by then" tells a time."""
_POINTED = re.compile(
    r"\b(?:that|this)\b(?: is| was|['’]s)? the (?:(?P<woman>woman|lady|girl)|(?P<man>man|guy|boy)|one|person)\b", re.I
)
_ASKS_IT = re.compile(r"\b(?:who|whom|whose|what|which|when|where|how)\b.*\b(?:he|she|it|that|they|we|you)\W*$", re.I)
"""A clause that looks like a tag and asks: "the Velden one, how far is that?" """
_YES_NO = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|must|should|may|isn['’]?t|"
    r"aren['’]?t|wasn['’]?t|"
    r"weren['’]?t|doesn['’]?t|didn['’]?t|hasn['’]?t|haven['’]?t|surely|so)\b",
    re.I,
)
_NEGATED = re.compile(
    r"^(is|are|was|were|does|do|did|has|have|had|can|could|will|would|must|should)(?:n['’]?t)\b(?! it true)", re.I
)
"""How a question begins that expects a yes: "wasn't it lent to them?" claims that it was."""
_OF_ONE = re.compile(
    rf"^\W*(?:is|are|was|were|isn['’]?t|wasn['’]?t)\b.*\b{ONE_WHO}\b"
    r"|^\W*(?:it|that|this)\b.*\b(?:more|less|\w+er) than\b",
    re.I,
)
"""Claims that hold a word of a question: "is Luka the one who …?", "that's more than L-3010 was?" """
_SMALL = re.compile(
    rf"\b(?:{THANKS}|hi(?:ya)?|hello|hey|yo|good (?:morning|evening|afternoon|day)|morning|evening|"
    r"bye|goodbye|see you|perfetto|wunderbar|no worries|"
    r"never ?mind|nice|great|cool|lovely|"
    r"perfect|grand|brilliant|super|wow|ouch|ha(?:ha)?|too bad|pity|fair enough|right you are|"
    r"no wonder|poor|goodness|ok(?:ay)?|"
    r"that(?:['’]ll| will) do|that(?:['’]s| is) (?:all|my|it)|i(?:['’]ll| will)|what are the odds|"
    r"you['’]ve been|good)\b",
    re.I,
)  # fmt: skip
_INTRODUCES = re.compile(
    r"\W*(?:hi(?:ya)?|hello|hey|good (?:morning|evening|afternoon|day)|morning|evening)\b"
    r"(?:[^,.;!?]{0,20}[,.;!])?\s*(?:(?:this|it)(?:['’]s| is) [^,.;?!]+|[^,.;?!]+ here(?: again)?)\W*",
    re.I,
)
"""Says who speaks, and asks nothing: "Good afternoon, Maison Talon here again." """
_WEATHER = re.compile(
    r"^[^?]*\b(?:lovely|nice|beautiful|gorgeous|glorious|horrible|awful|miserable|freezing|cold|hot|warm|wet|sunny|grim|"
    r"dreadful|foul|pouring|windy)\b[^?.!]*\b(?:days?|morning|evening|afternoon|weather|today|tonight|outside|"
    r"out there|out|weekend|isn['’]?t it)\b[^?\d]*\??\W*$",
    re.I,
)
_PARTING = re.compile(rf"\b(?:{THANKS}|bye)\b", re.I)
_OF_ME = re.compile(r"(?:^|[,.!;] *|\b(?:and|so|but) )i(?:['’](?:m|ve|d|ll))?\b[^?]*!\s*$", re.I)
_GREETING_QUESTION = re.compile(r"\W*(?:hello|hi|hey)\b[^?]{0,40}\?", re.I)
_HOW_ARE_YOU = re.compile(
    r"\W*(?:(?:hello|hi|hey)\b[^?]{0,20}\W+)?(?:y['’]?alright|how are (?:you|things)|how do you do)"
    r"(?: (?:doing|today|mate|then))*\W*",
    re.I,
)
_HELP = re.compile(
    r"^\W*(?:(?:hello|hi|hey)\W+)?(?:(?:(?:can|could|will|would) you )?(?:please )?help(?: (?:me|us))?"
    r"(?:\W+(?:out|here|please))*|(?:i|we) need (?:some |your )?help|"
    r"what can (?:you (?:do|tell me|help (?:me )?with)|i (?:do|ask))(?: (?:you|here))?|"
    r"what(?:'s| is) (?:this|the graph|it all) about|how does this work|what (?:are|is) (?:you|this)|"
    r"who are you|what do you know|"
    r"what(?:'s| is) in (?:here|this graph|the graph|there))\W*$",
    re.I,
)
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
_ACCEPTS = re.compile(
    r"^\W*(?:(?:oh|ah|yes|yeah|yep|yup|sure|right|correct|exactly|precisely|indeed|of course|ok(?:ay)?|"
    r"please|thanks|thank you|that(?:['’]s| is) (?:it|right|correct|what i (?:mean|meant))|i (?:do|did)|that one|"
    r"go ahead)\b\W*)+$",
    re.I,
)
_TAKES = re.compile(
    r"\s*/?(?:(?:please|no|i meant?|take|use|try|the|other|reading|read|number)\b[\s,:.]*)*#?(?P<number>\d{1,2})"
    r"\s*[.!)]?(?:\s*,?\s*please[.!]?)?\s*",
    re.I,
)
_NO_MORE = re.compile(r"\W*(?:(?:oh|ah|thanks|thank you|please)\b\W*)+", re.I)


def accepts(text: str) -> bool:
    """Whether a reply takes what was offered: "yes please", "right"."""
    return bool(_ACCEPTS.match(text)) and not _NO_MORE.fullmatch(text)


def number_taken(text: str) -> int:
    """The number of a reading that a reply is no more than: "2", "reading 2", "I meant 2"; 0 for any other reply."""
    match = _TAKES.fullmatch(text)
    return int(match.group("number")) if match else 0


def complains(text: str) -> bool:
    """Whether a turn says no more than that the last answer is wrong: "that's wrong", "you are useless"."""
    return bool(_COMPLAINT.match(text))


def is_help(text: str) -> bool:
    """Whether the user asks what can be asked."""
    return bool(_HELP.match(text) or _HELP.match(find_references(text).bare))


def search_text(text: str) -> str:
    """What to search or explore, of a sentence that asks for that."""
    match = _SEARCH.match(text) or _EXPLORE.match(text)
    return match.group("text").strip(" ?.!") if match else text


def asks_who_one_is(text: str, names: Sequence[str]) -> bool:
    """Whether a sentence asks of the one thing that it names, and nothing more: "who is Ann?", "tell me about Ann"."""
    explicit = _EXPLORE.match(text) if _EXPLICIT.match(text) else None
    asked = _WHO_IS.match(text) or explicit
    return bool(asked) and {fold(asked[asked.lastgroup or 0])} == {*map(fold, names)}


def claim_of(text: str) -> str:
    """A claim without the words that ask for its verification: tags, "is it true that", leading "so", "wasn't"."""
    plain = without_opinion(_VERIFY.sub("", text))
    while (shorter := _PARTICLE.sub("", _TAG.sub("", plain)).strip(" ,;–—-?")) and shorter != plain.strip(" ,;–—-?"):
        plain = shorter
    plain = _NEGATED.sub(r"\1", find_references(plain).bare.strip().rstrip("?").strip())
    done = without_the_one_who(plain)
    if done != plain and (who := _POINTED.search(plain)):  # "that's the woman who found it": she did
        word = "she" if who["woman"] else "he" if who["man"] else "that one"
        done = re.sub(r"^(?:that|this)\b", word, done, flags=re.I)
    return re.sub(r"\?(?=\s)", ".", done) or text


def by_rules(text: str, *, named: int, after_answer: bool, names: Sequence[str] = ()) -> Intent | None:
    """The intent where the words tell it. ``named``: things of the graph that the sentence names, ``names``: its words
    for them; ``after_answer``: whether there is an answer to prove."""
    if _TITLE.search(text) or is_help(text) or complains(text) or (not named and _is_of_weather(text)):
        return "chat"
    if _PROVE.match(text):
        return "prove" if after_answer else "chat"
    if _SEARCH.match(text) and not text.rstrip().endswith("?"):
        return "search"
    if _EXPLICIT.match(text) and named:
        return "explore"
    if _COMPLETE.match(text):
        return "complete"
    if _VERIFY.match(text):
        return "verify"
    last = last_sentence(text)
    bare = find_references(last).bare
    clause = re.split(r"[,;:–—]\s", last)[-1]
    if (
        _TAG.search(last)
        and not _ASKS_IT.search(clause)
        and (named or find_references(text).any or len(last.split()) > 3)
        and not _WH.match(bare)
    ):
        return "verify"
    if _is_small(text, named):
        return "chat"
    if says_of_all(bare):
        return "verify"
    if _KIND_THAT.match(bare):
        return "ask"
    if _OF_ONE.search(bare) and not _WH.match(bare):
        return "verify"
    if (
        after_answer
        and not _WH.match(find_references(without_clause(bare)).bare)
        and has_order_of_statement(last, names)
    ):
        return "verify"
    if _opens_wh(last):
        return "ask"
    if _YES_NO.match(bare):
        return "verify"
    if after_answer and named == 0 and _OTHER_VALUE.match(bare):
        return "ask"
    if last.rstrip().endswith("?"):
        return "verify" if _declares(last) else "ask"
    if _declares(last) or states(last, names):
        return "verify"
    return "ask" if named or after_answer else None


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
    serious = [p for p in parts if not _is_small(p, 0)]
    return (asking or serious or parts or [text])[-1]


def asks_of_choice(reply: str) -> str:
    """The question that a reply to a choice goes on to ask of what it chose: "The travel book. Who is it by?", "the old
    one, when did he get it?" """
    asked = last_sentence(reply)
    clause = _ASKED_AFTER.match(asked)
    asked = clause["asked"] if clause else asked
    goes_on = asked != reply.strip() and asked.endswith("?") and _WH.search(asked) and find_references(asked).pronouns
    return asked if goes_on else ""


def _opens_wh(sentence: str) -> bool:
    first = find_references(sentence).bare.split(" ", 1)[0].lower()
    return bool(_WH.search(sentence) or _WH.fullmatch(often_misspelt(first)))


def _declares(sentence: str) -> bool:
    """Whether a sentence states something: it has a subject and a verb and no question word."""
    words = fold(sentence).split()
    verb = re.search(
        r"\b(?:(?:is|are|was|were|has|had|have|does|did|do|must|can|could|will|would|may)(?:n['’]t)?|belongs?|took|"
        r"started|won|got|sits?|goes|"
        r"went|lives?|works?|trained|knows|used|sent|send|written|carries)\b|\b(?:he|she|it|that|there|"
        r"they|we|you|one|this|who)"
        r"['’](?:s|re|d|ve|ll)\b|^(?:so |and |then |but )*(?:\w+er|more|less|fewer|above|below|under|"
        r"over|same)\b.*\b(?:than|as)\b|"
        r"^so (?:above|below|under|over|\w+er)\b",
        sentence,
        re.I,
    )  # fmt: skip
    return bool(verb) and len(words) > 2 and not _opens_wh(sentence)


def _is_small(text: str, named: int) -> bool:
    """Courtesy: it has such words and asks nothing, or tells of the speaker: "Ah yes, I was at the wedding!" """
    of_me = _OF_ME.search(text)
    if not named and of_me and "?" not in text and not _opens_wh(text):
        return not _claims(text[: of_me.start()])
    if _HOW_ARE_YOU.fullmatch(text):
        return True
    if text.rstrip().endswith("?") and not _GREETING_QUESTION.fullmatch(text):
        return False
    bare = find_references(text)
    if _YES_NO.match(bare.bare) and bare.pronouns:  # "is she ok with it"
        return False
    text = re.sub(r"^[^?]{1,12}\?\s*", "", text)  # "Nobody? Goodness."
    if _opens_wh(text) and not re.search(r"what are the odds", text, re.I):
        return False
    if not _SMALL.search(text):
        return False
    if (last := re.split(r"(?<=[.!])\s+", text.strip())[-1]) != text.strip() and _claims(last):
        return False
    if _INTRODUCES.fullmatch(text):
        return True
    left = [w for w in re.sub(r"[^\w\s]", " ", _SMALL.sub(" ", text)).split() if len(w) > 2]
    return named == 0 or len(left) <= 2 or bool(_PARTING.search(text))


def _is_of_weather(text: str) -> bool:
    """Whether a turn is about the day itself: "Morning! Lovely day, isn't it?" """
    return bool(_WEATHER.match(text)) and not _opens_wh(text) and not find_references(text).of_them


def _claims(sentence: str) -> bool:
    """Whether a sentence states something of what was spoken of: "that picture of hers went for more"."""
    own = len(sentence.split()) >= 5 and not _SMALL.search(sentence)
    return own and bool(find_references(sentence).pronouns) and _declares(sentence)


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
