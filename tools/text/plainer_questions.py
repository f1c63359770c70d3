"""Questions in idioms, as the plain ones that mean the same: who asks what somebody's boat is called asks which it is,
and what came of a thing is its outcome."""

from __future__ import annotations

import re
from collections.abc import Callable

_CALLED = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?what(?:['’]s|\s+(?:is|was|are|were))\s+"
    r"(?:the\s+names?\s+of\s+(?P<one>.+?['’]s?\s+(?P<noun>[\w-]+))|(?P<other>.+?['’]s?\s+(?P<thing>[\w-]+))\s+called)\W*$",
    re.I,
)
_HOW_CALLED = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?how\s+(?:(?:is|are|was|were)\s+(?:called|named)\s+(?P<what>[^?]+?))\W*$", re.I
)
_WHOSE = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?what(?:['’]s|\s+(?:is|was|are|were))\s+(?:the\s+)?(?P<owner>[^?]+?)['’]s?\s+"
    r"(?P<thing>[^\W\d_]+)\W*$",
    re.I,
)
_CAME_OF = re.compile(r"^(?P<before>\W*(?:(?:and|so|but)\s+)?what)\s+(?:be)?came\s+of\b", re.I)

_WHEREABOUTS = re.compile(r"\bwhereabouts\b(?=\s+(?:is|are|was|were|do|does|did|can|could)\b)", re.I)
_JUST_NOW = re.compile(r"(?<!not)\s+at the (?:mo|moment|minute)\b(?=\W*$)", re.I)
"""Says of what is asked no more than that it is so."""
_UNSURE = re.compile(
    r"^\W*(?:(?:well|so|sorry|hm+)\W+)?(?:(?:i|we)(?:['’](?:m|re|ve)| am| are| have)?\s+)?"
    r"(?:not (?:quite |really |entirely |too |at all )?(?:sure|certain)"
    r"|(?:do(?: not|n['’]?t)|did(?: not|n['’]?t)|have never|never|can(?:not|['’]?t)|could(?: not|n['’]?t))"
    r" (?:really |quite |even |rightly |seem to |for the life of me )?"
    r"(?:know|knew|remember|recall|learn(?:t|ed)?|understand|understood|find out|found out|make out|think of|tell|say)"
    r"|(?:have )?(?:no|not an?) (?:idea|clue)|haven['’]?t (?:got )?(?:a|any) (?:idea|clue))\W+"
    r"(?=(?:(?:at|for|to|of|by|with|in|on|from) )?(?:who|whom|whose|what|which|where|when|how)\b)",
    re.I,
)
"""How somebody says that he does not know what he asks: "I'm not sure", "I never learnt"; it denies nothing else."""
_NUMBER_OF = re.compile(r"(?:\b(?:nos?|nr|num)\.\s*|(?:^|(?<=[,;:]\s))(?:nos?|nr|num)\s+)of(?=\s+[a-z])", re.I)
"""A number in short: "no. of holders"."""
_MOST_OF = re.compile(r"\bthe (?:(?P<most>greatest|highest|largest|biggest)|smallest|lowest|least) number of\b", re.I)
"""What an order goes by, where nothing is counted: "who sold the greatest number of cameras?" asks for no number."""
_STANDS_IN = re.compile(
    r"^\W*(?:(?:and|so|but)\s+)?who\s+(?:steps?|stands?|fills?|jumps?) in\s+(?:when|if|while)\s+"
    r"(?P<name>(?-i:[A-ZÀ-ÞŁŠŽ])[^?,]*?)\s+(?:is(?:n['’]t)?|can(?:no|['’])?t|cannot|gets?|goes|falls?)\b[^?]*\?*$",
    re.I,
)


def plainer(text: str, is_kind: Callable[[str, str], bool] = lambda noun, owner: False) -> str:
    """The question in plain words; others stay as they are. ``is_kind``: whether a noun is what things are, and nothing
    that the one named before it has: "what is Ann's boat?" asks which boat is Ann's."""
    if found := _CALLED.match(text):
        whole, noun = found["one"] or found["other"], found["noun"] or found["thing"]
        return f"Which {noun} is {whole[: -len(noun)].strip()}?"
    if found := _HOW_CALLED.match(text):
        return f"Which is {found['what']}?"
    found = _WHOSE.match(text)
    if found and is_kind(found["thing"], found["owner"]):
        return f"Which {found['thing']} is {text[found.start('owner') : found.start('thing')].strip()}?"
    return _CAME_OF.sub(r"\g<before> was the outcome of", _JUST_NOW.sub("", _WHEREABOUTS.sub("where", text)))


_TOPIC = re.compile(
    r"^\W*(?P<topic>(?!(?:and|so|but|ok|okay|yes|no|well)\b)[^\s?!.,;:–—-][^?!.,;:–—]{0,48}?)(?:\s+[-–—]+\s+|:\s+)"
    r"(?P<asked>(?:(?:and|so|but)\s+)?(?:who|whom|whose|what|which|where|when|why|how)\b[^?!.,;:]*)\?*\s*$",
    re.I,
)
_POINTING = re.compile(
    r"\b(?:(?P<own>its|his|their|her(?=\s+(?!(?:now|then|today|yet|last|there|here|on|in|at|from|for|with|to|by)\b)\w))|"
    r"it|him|her|them|he|she|they|that one|this one)\b",
    re.I,
)


def with_topic(text: str) -> str:
    """The question that is asked of what stands before a dash or a colon, with its name: "the drill - who has it now?"
    as "who has the drill now?"; others stay as they are."""
    found = _TOPIC.match(text)
    pointing = _POINTING.search(found["asked"]) if found else None
    if not found or not pointing:
        return text
    name = found["topic"].strip() + ("'s" if pointing["own"] else "")
    return f"{found['asked'][: pointing.start()]}{name}{found['asked'][pointing.end() :].rstrip()}?"


def with_stand_in(text: str) -> str:
    """The question who steps in when somebody cannot, as who stands in for him; others stay as they are."""
    found = _STANDS_IN.match(text)
    return f"Who stands in for {found['name']}?" if found else text


_HAVE = re.compile(r"\b(what|which|where|there|who|that)['’]ve\b", re.I)
_GOT = re.compile(r"\bwho(?:['’]s|s|\s+has|\s+have)\s+got\b(?!\s+to\b)", re.I)
_HERE = re.compile(r"\s+(?:(?:to|in|at|of|for)\s+(?:this|our)\s+place|(?:a?round|in)\s+here)(?=\W*$)", re.I)
_PERSON = (
    r"(?:dear|love|mate|pal|buddy|darling|sweetheart|honey|hun|duck|pet|guys|folks|everyone|lads|girls|sir|madam|ma['’]am|miss|"
    r"mister|gaffer|boss|mum(?:my)?|mam|dad(?:dy)?|gran(?:ny)?|nan(?:a|ny)?|grand(?:ma|pa|ad|dad)|aunt(?:ie|y)|uncle|doctor)"
)
"""Whom a sentence is put to."""
_VOCATIVE = re.compile(rf",\s*(?:my\s+)?{_PERSON}\b\s*(?=[,.!?]|$)", re.I)
_PUT_TO = re.compile(
    rf"^\W*(?:(?:please|excuse me|sorry|hey|hi|hello|oi|oh)\W+)?(?:my\s+)?{_PERSON}"
    r"(?:\s(?-i:[A-ZÀ-ÞŁŠŽ])[\w-]+)?\s*[,!]+\s*(?=\w)",
    re.I,
)
"""The same at its beginning: "Auntie, whose is the blue one?"."""


_NOT_ONE = re.compile(
    r"(?P<before>\b(?:(?:ha(?:s|ve|d)|do|does|did|could)(?:n['’]?t| not)|never|nobody|no one)\b[^?.!]{0,60}?\b)"
    r"a single\b(?=\s+[^\W\d_])",
    re.I,
)
""" "Haven't needed a single repair": no word of a room with one bed."""
_PAYED = re.compile(r"\b(?P<un>un)?payed\b", re.I)
_PURPOSE = re.compile(
    r"^(?P<asked>\W*(?:(?:and|so|but|remind me|tell me)\s+)?(?:who\w*|what|wots|which|where|when|how)\b[^,;]{6,}?)"
    r"\s*[,;]\s*(?:(?:i|we)(?:\s*['’]?ll|\s+(?:will|want to|need to|have to|should|must)|"
    r"['’]?(?:ve got|d like|m going|m trying) to)|so (?:that )?(?:i|we) can|"
    r"(?:need|want|have|got|going|trying) to|gotta|gonna)\s(?!.*\b(?:who|which|whose)\b)[^?,;]*\W*$",
    re.I,
)
"""What the answer is wanted for: "what's his number, I'll give him a ring"."""
_IS_WHO = re.compile(
    r"^\W*(?!(?:who|whom|whose|what|which|where|when|why|how|is|are|was|were|do|does|did|has|have|can|if)\b)(?P<what>[^,;:?!.]{3,60}?)\s+"
    r"(?P<verb>is|was|are|were)\s+(?P<asked>who|where|when)(?:\s+(?:again|then|exactly))*\W*$",
    re.I,
)
"""A question that ends with what it asks: "Lisky is who again?", "the last to leave was who"."""
_SPENT = re.compile(r"\b(?:fork|shell|splash)(?P<past>ed)? out\b", re.I)
_PAID = re.compile(r"\b(?:stump|cough)(?P<past>ed)? up\b", re.I)
"""How money is said to be spent, and to be paid."""
GREETS = r"(?:hi(?:ya)?|hello|hey|(?:good )?(?:morning|afternoon|evening)|good day)"
_SPEAKING = re.compile(
    rf"^\W*(?:{GREETS}\W+)?(?:it['’]?s\s+|this is\s+)?"
    r"(?-i:[A-ZÀ-Þ][\w'’-]+(?:\s[A-ZÀ-Þ][\w'’-]+)?)\s+here\s*(?:[.,!:;–—-]+\s*)(?=\w)|"
    rf"^\W*{GREETS}\W+(?:(?:it|this)(?:['’]?s| is)|i(?:['’]?m| am))\s+"
    r"(?:the\s+)?[^\W\d_][\w'’-]*(?:\s(?-i:[A-ZÀ-Þ])[\w'’-]+)?"
    r"(?:\s(?:from|at) (?:the )?[\w'’-]+(?: [\w'’-]+)?)?\s*[.!]+\s*(?=\w)(?!.*\b(?:i|me|my|mine)\b)",
    re.I | re.S,
)
"""Who says that it is him: "Gwyn here. What did the feed cost?", "Hi, it's Lotte! Which plants need water?", where no
more is asked of him."""
_DOING = re.compile(
    r"\?\s*(?:(?:i['’]?m|we['’]?re|am|are)\s+)?(?:just\s+|still\s+)?[^\W\d_]{2,}ing\b(?:\s+[^\W\d_][\w'’]*){0,6}\W*$",
    re.I,
)
"""What somebody is doing who has asked: "who's got the key? locking up now"."""
_AND_ALL = re.compile(r",\s*(?:the |our )?[^\W\d_]+(?: [^\W\d_]+)? and all(?=\W*$)", re.I)
""" "What did we buy there, extras and all?" asks for no less."""
_AGAIN = re.compile(r"(?<=\w)\s+again(?=\W*$)", re.I)
""" "Who was that again?" asks what was known before."""
_WH = re.compile(r"^\W*(?:(?:and|so|but)\s+)?(?:who|what|which|where|when)(?:['’]s|\s+(?:is|was|were|are))\b", re.I)


_ASKS = r"(?:who|whom|whose|what|which|when|where|why|how)\b"
_ASKED = re.compile(_ASKS, re.I)
_BARE_EXTREME = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|right|now|then)\W+)?(?:(?:the|our|my)\s+)?"
    r"(?P<extreme>(?:most|least)\s+[^\W\d_]{4,}|(?!(?:rest|test|guest|west|nest|chest|forest|interest|request|harvest|vest|quest|"
    r"contest|priest|honest|modest|crest|pest|zest|invest|suggest)\b)[^\W\d_]{2,}est|best|worst)\s+"
    r"(?:(?:single|ever|individual)\s+)?(?P<noun>[^\W\d_]{3,}(?:\s[^\W\d_]{3,})?)"
    r"(?P<rest>(?:,?\s+(?:we|i|you|they|he|she|that|of|in|on|at|for|from|to|so|ever|by|with|this|last|going)\b[^?,]*)?)\W*$",
    re.I,
)
"""A question that is no more than an extreme: "priciest part we ever sent away for?"."""


def in_full(text: str) -> str:
    """A question that is no more than an extreme, with "which": "which part is the priciest that we bought?"; others as
    they are."""
    found = _BARE_EXTREME.match(text)
    if not found or _ASKED.search(found["rest"]):
        return text
    return f"Which {found['noun']} is the {found['extreme'].lower()}{found['rest']}?"


_IS_FOR_DOES = re.compile(
    r"(?P<before>^\W*(?:(?:and|so|but|ok|okay)\W+)?)(?P<asks>what|whom?|where|which\s\w+)(?:['’]s|s)\s+"
    r"(?P<who>(?!it\b)[^?,]{1,40}?)\s+"
    r"(?P<verb>(?:depend|rely|report|connect|belong|talk|speak|write|listen|answer|contribute|subscribe)\s+(?:on|to|in|with)|"
    r"live|come\s+from|go\s+to|work\s+(?:for|with|under))\W*$",
    re.I,
)
"""An "is" that stands for "does": "what's the gateway depend on?"."""


_RESTART = re.compile(
    rf"^\W*(?:(?:and|so|but)\s+)?{_ASKS}[^.?!…]{{0,80}}?(?:\.\.+|…|\s[–—-]+|,)\s*"
    rf"(?:no|sorry|wait|hang on|er+m?|um+|(?<!, )i mean)\b(?:[\s,]+(?:no|sorry|wait|just|i mean|rather|actually)\b)*"
    rf"[\s,]+(?={_ASKS})",
    re.I,
)
"""A question that is broken off for another: "how many years later did.. no, just when did it come out"."""
_OTHER_NAME = re.compile(
    r"(?<![\w'’])(?-i:[A-ZÀ-ÞŁŠŽ])[\w'’-]+(?:\.\.+|…|\s?[–—-]+|,)\s*(?:(?:no|oh|er+m?|oops),?\s+)?"
    r"(?:sorry|i mean|no wait|oops),?\s+(?=(?-i:[A-ZÀ-ÞŁŠŽ]))",
    re.I,
)
"""A name that is taken back for another: "Georg... sorry, Gus was there"."""


def corrected(text: str) -> str:
    """A sentence without what its speaker took back while saying it."""
    return _OTHER_NAME.sub("", _RESTART.sub("", text, count=1))


def without_speaker(text: str) -> str:
    """A sentence without who says that it is him: "Gwyn here. What did the feed cost?" """
    return _SPEAKING.sub("", text)


def without_vocative(text: str) -> str:
    """A sentence without whom it is put to: "where is it, dear?" """
    return _VOCATIVE.sub("", _PUT_TO.sub("", text))


def without_idle_words(text: str) -> str:
    """The question without who asks and what he does, whom it is put to, what it is asked for, that who asks does not
    know it, that it is asked here or again, with "spent" for "forked out", "any" for "a single" that denies, "have" for
    "'ve", "does" for "'s", "has" for "has got", "number of" for "no. of", "the most" for "the greatest number of"."""
    text = _SPENT.sub(lambda m: "spent" if m["past"] else "spend", _DOING.sub("?", _SPEAKING.sub("", text)))
    text = _AND_ALL.sub("", text)
    text = _PAID.sub(lambda m: "paid" if m["past"] else "pay", text)
    text = _IS_WHO.sub(r"\g<asked> \g<verb> \g<what>?", _PURPOSE.sub(r"\g<asked>?", text))
    text = _NOT_ONE.sub(r"\g<before>any", _PAYED.sub(r"\g<un>paid", text))
    text = _NUMBER_OF.sub("number of", _UNSURE.sub("", text))
    text = _MOST_OF.sub(lambda m: "the most" if m["most"] else "the fewest", text)
    text = _IS_FOR_DOES.sub(r"\g<before>\g<asks> does \g<who> \g<verb>?", text)
    text = _HERE.sub("", _GOT.sub("who has", _HAVE.sub(r"\1 have", without_vocative(text))))
    return _AGAIN.sub("", text) if _WH.match(text) else text
