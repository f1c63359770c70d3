"""Turns that need no graph: courtesies, the weather, calls for help, complaints, and replies to what was offered."""

from __future__ import annotations

import re

from triplewise.agents.assistant.intents.sentence_kinds import YES_NO, declares, opens_wh
from triplewise.agents.assistant.references import THANKS, find_references

_COMPLAINT = re.compile(
    r"^\W*(?:(?:no|nope|but|hm+|oh|well|sorry)\b\W*)*(?:(?:(?:that|this|it)(?:['’]s| is| was)|you(?:['’]re| are)|"
    r"(?:the|your) answer (?:is|was))(?: (?:so|totally|completely|all|really|simply|quite|just))* )?"
    r"(?:wrong|incorrect|false|mistaken|nonsense|rubbish|useless|hopeless|stupid|terrible|"
    r"not (?:right|true|correct|it)|not what i (?:asked|meant|said|wanted)(?: (?:for|to know))?)[^\w?]*$",
    re.I,
)
_SMALL = re.compile(
    rf"\b(?:{THANKS}|hi(?:ya)?|hello|hey|yo|good (?:morning|evening|afternoon|day)|morning|evening|"
    r"bye|goodbye|see you|perfetto|wunderbar|no worries|"
    r"hang on|hold on|(?:one|just a) (?:sec|second|moment|mo|minute)|back in a (?:sec|mo|moment)|brb|"
    r"never ?mind|nice|great|cool|lovely|"
    r"perfect|grand|brilliant|super|wow|ouch|ha(?:ha)?|too bad|pity|fair enough|right you are|"
    r"no wonder|poor|goodness|ok(?:ay)?|he(?:he)+|lol|bear with me|"
    r"hope (?:you(?:['’]re| are)|all(?:['’]s| is)|everything(?:['’]s| is)|things are)|"
    r"it(?:['’]s| is) (?:(?:really|absolutely|still) )?(?:chucking|pouring|tipping|bucketing|hammering|pelting|raining|"
    r"snowing|freezing|boiling|baking|blowing)|"
    r"you (?:(?:really|sure|do|certainly) )?know (?:everybody|everyone|everything|it all|your stuff)|"
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
_AT_WORK = re.compile(
    r"\W*(?:(?:hello|hi(?:ya)?|hey|(?:good )?(?:morning|evening|afternoon)|ha(?:ha)*|he(?:he)+|lol|fab|great|lovely|"
    r"brilliant|right|oh|ah|ok(?:ay)?|phew|blimey|gosh|wow|thanks|cheers|ta)\b"
    r"(?: (?:again|all|there|both|everyone))?[\s,.!:-]*)+"
    r"(?:(?:i['’]?d |i had )(?:better|(?:completely |totally |quite )?forgotten)\b|"
    r"(?:i['’]?m |we['’]re |i am |we are )?(?:just )?(?:sorting|working|planning|writing|doing|updating|putting|"
    r"tidying|preparing|filling|catching) (?:out|up|in|on|off|down|through|together|the|an?|my|our|some|who|to|for)\b)"
    r"(?:(?![,.;:–—]\s*(?:(?:and|so) )?(?:who|what|which|when|where|how)\b)[^?])*",
    re.I,
)
"""Greets or laughs, and tells what the speaker is at: "evening! working out who to ask round"."""
_GOT_TIME = re.compile(
    r"\W*(?:(?:hello|hi(?:ya)?|hey|(?:good )?(?:morning|evening|afternoon))\b[\s,.!]*)*(?:have (?:you )?)?(?:you )?got "
    r"(?:a|some|five|two|ten) (?:mo|moment|sec|second|minutes?|mins?|time|tick)\b[^?]*\?*\W*",
    re.I,
)
"""Asks for the assistant's time: "hey, got a minute for some questions?"."""
_HOW_ARE_YOU = re.compile(
    r"\W*(?:(?:hello|hi|hey)\b[^?]{0,20}\W+)?(?:y['’]?alright|how are (?:you|things)|how do you do)"
    r"(?: (?:doing|today|mate|then))*\W*",
    re.I,
)
_AS_THOUGHT = re.compile(
    r"\W*(?:(?:ta|thanks|thank you|cheers|ok(?:ay)?|yes|yeah|yep|right|ah|oh|great|lovely|good)\b\W*)*"
    r"(?:(?:that|it)(?:['’]?s| is| was) )?(?:just )?(?:what|as) (?:i|we) (?:thought|expected|hoped|feared|figured)\W*",
    re.I,
)
"""Finds what was told to be as expected: "ta, that's what I thought"."""
_PRAISE = re.compile(
    r"\W*(?:(?:ah|oh|aw+|well|yes|yeah|ok(?:ay)?|and|but)\b\W*)*(?:s?he|they)(?:['’](?:s|re)| is| are) "
    r"(?:(?:such|really|just|always|all|quite|so|absolutely|an?|the|my|our|real|proper|absolute|right|little|bit of) )*"
    r"(?:gems?|stars?|legends?|treasures?|diamonds?|angels?|saints?|marvels?|sweethearts?|darlings?|sweeties?|"
    r"good(?:['’]?uns?| eggs?)|bricks?|troopers?|lifesavers?|godsends?|softies?|menaces?|nightmares?|handfuls?)"
    r"(?:,? (?:that|this) one| bless \w+)?\W*(?:(?:lol|haha|bless)\W*)?",
    re.I,
)
"""Says what somebody is like: "she's a gem, that one"."""
_HELP = re.compile(
    r"^\W*(?:(?:hello|hi|hey)\W+)?(?:(?:(?:can|could|will|would) you )?(?:please )?help(?: (?:me|us))?"
    r"(?:\W+(?:out|here|please))*|(?:i|we) need (?:some |your )?help|"
    r"what can (?:you (?:do|tell me|help (?:me )?with)|i (?:do|ask))(?: (?:you|here))?|"
    r"what(?:'s| is) (?:this|the graph|it all) about|how does this work|what (?:are|is) (?:you|this)|"
    r"who are you|what do you know|"
    r"what(?:'s| is) in (?:here|this graph|the graph|there))\W*$",
    re.I,
)
_ACCEPTS = re.compile(
    r"^\W*(?:(?:oh|ah|yes|yeah|yep|yup|sure|right|correct|exactly|precisely|indeed|of course|ok(?:ay)?|"
    r"please|thanks|thank you|that(?:['’]s| is) (?:it|right|correct|what i (?:mean|meant))|i (?:do|did)|that one|"
    r"go ahead)\b\W*)+$",
    re.I,
)
_LAUGHS = re.compile(r"(?<=\w)\s*,\s*(?:ha(?:ha)*|lol|hehe)\W*$", re.I)
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


def is_small(text: str, named: int) -> bool:
    """Courtesy: it has such words and asks nothing, or tells of the speaker: "Ah yes, I was at the wedding!" """
    text = _LAUGHS.sub("", text)
    of_me = _OF_ME.search(text)
    if not named and of_me and "?" not in text and not opens_wh(text):
        return not _claims(text[: of_me.start()])
    if any(said.fullmatch(text) for said in (_HOW_ARE_YOU, _AT_WORK, _GOT_TIME, _AS_THOUGHT, _PRAISE)):
        return True
    if text.rstrip().endswith("?") and not _GREETING_QUESTION.fullmatch(text):
        return False
    bare = find_references(text)
    if YES_NO.match(bare.bare) and bare.pronouns:  # "is she ok with it"
        return False
    text = re.sub(r"^[^?]{1,12}\?\s*", "", text)  # "Nobody? Goodness."
    if opens_wh(text) and not re.search(r"what are the odds", text, re.I):
        return False
    if not _SMALL.search(text):
        return False
    if (last := re.split(r"(?<=[.!])\s+", text.strip())[-1]) != text.strip() and _claims(last):
        return False
    if _INTRODUCES.fullmatch(text):
        return True
    left = [w for w in re.sub(r"[^\w\s]", " ", _SMALL.sub(" ", text)).split() if len(w) > 2]
    return named == 0 or len(left) <= 2 or bool(_PARTING.search(text))


def is_of_weather(text: str) -> bool:
    """Whether a turn is about the day itself: "Morning! Lovely day, isn't it?" """
    return bool(_WEATHER.match(text)) and not opens_wh(text) and not find_references(text).of_them


def _claims(sentence: str) -> bool:
    """Whether a sentence states something of what was spoken of: "that picture of hers went for more"."""
    own = len(sentence.split()) >= 5 and not _SMALL.search(sentence)
    return own and bool(find_references(sentence).pronouns) and declares(sentence)
