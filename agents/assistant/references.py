"""Anaphora, references to earlier turns: pronouns, "there", "the other Jonas", "of those", and their replacement."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from triplewise.agents.assistant.intents.of_all import says_of_all
from triplewise.tools.text.opinions import without_cleft
from triplewise.tools.text.plainer_questions import without_vocative

THANKS = (
    r"(?:thanks?|thank you|tha?nx|thx|tnx|tysm|(?-i:ty|TY)(?=\s*(?:[,.;!]|$| so much| very much))|ta|cheers|"
    r"(?:much|many) (?:obliged|thanks|appreciated)|(?:i )?appreciate (?:it|that)|grazie|danke|merci|gracias|bless you)"
)
"""Words of thanks; "Ty" may be somebody, so that it thanks only where the clause is over."""
_ASKING = r"(?=[\s,:]+(?:who|whom|whose|what|which|when|where|why|how)\b)"
_COURTESY = (
    r"good (?:morning|evening|afternoon|day)|"
    r"sorry to (?:bother|trouble|disturb|interrupt) you(?: again)?(?: but)?|excuse me(?: but)?|pardon(?: me)?|"
    r"i beg your pardon|(?:just )?(?:a |one )?quick (?:question|one)|if you (?:do not|don['’]t) mind(?: me asking)?|"
    rf"(?:i(?:['’]d| would| should) (?:like|love)|i(?: just)? want(?:ed)?) to know{_ASKING}|"
    rf"(?:may|might|could) i (?:(?:please|just|perhaps) )*(?:ask|know|enquire){_ASKING}|"
    rf"(?:i wonder(?:ed)?|i(?:['’]m| am| was) (?:just )?wondering){_ASKING}|"
    rf"do we (?:happen to |even )?know{_ASKING}|any idea{_ASKING}|"
    r"(?:can|could|will|would) you (?:(?:please|kindly|just|possibly|perhaps) )*"
    rf"(?:see|check|find out|look up|have a look|let me know){_ASKING}|let me know{_ASKING}|"
    r"(?:(?:(?:can|could) we|let['’]?s|let me) )?(?:(?:going|go|getting|get|coming|come) )?"
    r"back to(?= [^,;:?!–—]+(?:[,;:]| [-–—] ))"
)
"""What is said for politeness before a question: "sorry to bother you, could you see who has it?" """
_HEDGE = (
    r"if i(?:['’]m| am) not mistaken|if (?:i remember|memory serves)(?: (?:rightly|correctly|me))?|"
    r"as far as i (?:know|remember|recall)|as i (?:recall|remember)"
)
"""What is said before a claim that says nothing of it."""
_TOPIC = (
    r"(?:(?:now )?(?:a )?different|another|new|next|other) (?:thing|topic|question|subject)(?=\s*[:,;.!–—-])|"
    r"(?:something|anything) else(?=\s*[:,;.!–—-])|chang(?:e|ing) (?:(?:of|the) )?(?:subject|topic|tack)|"
    r"(?:moving|on a different|on another) (?:on|note|tack|subject)(?=\s*[:,;.!–—-])"
)
"""What says that the next sentence is about something else."""
_BEGINS_TOPIC = re.compile(rf"^\W*(?:(?:ok(?:ay)?|right|so|and|now|well|thanks|alright)\W+)*(?:{_TOPIC})", re.I)
_ONES_OF_TOPIC = re.compile(r"(?!who|what|which|how)[^.:;?!]{3,60}[.:;] *(?:so |and )?which ones?\b", re.I)
"""Names a topic and asks of it: "the hire stuff. Which ones aren't paid?" """
_FILLER = re.compile(
    rf"^\s*(?:(?:{_COURTESY}|{_HEDGE}|{THANKS}|"
    r"ok(?:ay)?|oh|ah|hm+|well|right|so|and|but|then|also|now|no worries|never mind|sorry|pity|"
    r"omg|lol|gosh|haha|aha|o+h|aw+|yo|oi|(?-i:kk?)|"
    r"odd|great|good|fine|cool|lovely|perfect|dear me|i see|forget it|last thing|too bad|crikey|ugh|wow|really|nice|"
    r"interesting|alright|i mean|i meant|actually|yes|yeah|no|wait|phew|by the way|wunderbar|perfetto|grand|hi|hello|"
    r"hey|hiya|y['’]?alright|mate(?=\s*[,!])|"
    r"(?:god )?bless (?:him|her|it|them)|poor (?:thing|dear|old thing|lad|lass|soul|him|her|them)|"
    rf"{_TOPIC}|"
    r"morning|please|tell me|just)\b[\s,.:;!–—-]*)+",
    re.I,
)
_TAIL = re.compile(
    r"(?:\s*[,–—-]\s*|\s+)(?:(?:do|would|can) you (?:happen to )?(?:know|see(?: that)?|tell(?: me)?|say)|"
    r"if i may(?: ask)?|if (?:i (?:remember|recall) (?:rightly|right|correctly|well)|memory serves(?: me)?)|"
    r"please|(?:if i(?:['’]m| am) not|unless i(?:['’]m| am)) (?:very much )?(?:mistaken|wrong)|i (?:bet|wonder|reckon)|"
    r"while (?:i|we|you)(?:['’](?:m|re)| am| are) (?:at it|about it|here))"
    r"\s*(?=[?!.]*$)",
    re.I,
)
"""What ends a sentence and says nothing of its matter: "which is older, do you know?" """
_NONE = re.compile(r"\bno\s+$", re.I)
_OWN = re.compile(
    r"\b(?:who|which|what)\b.*\b(?:has|have|had|got|with)\b.*\bas (?P<own>his|her|its|their)(?= \w)", re.I
)
"""What stands for those who are asked for: "who has Ann as their boss?" """
_ON_IT = re.compile(
    r"^(?:and |so |but )*(?:which|what)(?: [\w-]+){1,2}? (?:has|have|had|got|with)\b"
    r"[^?]*?\b(?:nobody|no[ -]?one|nothing|no \w+) (?:on|in|at|for|to|under|behind|inside) (?P<own>it|them)\b(?=\W*$)",
    re.I,
)
"""The same: "which table has nobody on it?" """
_PERSON = r"he|she|him|they|them"
_OWNER = r"his|her|hers|its|their|theirs"
_PRONOUN = re.compile(
    rf"\b(?:(?P<owner>{_OWNER})\b(?=\s+\w)"
    r"|(?<!\ball over )(?P<one>(?:(?:those|these) (?:two|three|lot)|"
    r"(?:that|this|the) (?:one|man|woman|guy|lady|gentleman|person|thing|place|lot|pair|two|three)))\b"
    r"(?!\s+(?:who|which|that)\b)"
    r"(?:['’]s(?=\s+[a-z]+\b))?"
    r"|(?<!\bbeen at )(?<!\bstill at )"
    rf"(?P<plain>{_PERSON}|it(?! all\b)(?! (?:is|was) (?!the one\b)(?:[\w'’-]+ ){{1,4}}?(?:who|that|which)\b)|"
    r"both(?=\s*(?:[?.!,;]|$))|those|these(?! days\b)|"
    r"(?:hers?|his|theirs)(?=\s*(?:[?.!,;]|$)))\b(?!['’]s? (?:is|are) (?:there|a))"
    r"|(?P<there>(?:(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )there|there(?=\s*(?:[?.!,;]|$)))\b"
    r"(?!['’]s|\s+(?:is|are|was|were|any|a|an)\b))"
    r"|(?P<that>that|this)\b(?=['’]s\b|\s*[?.!,;]|\s*$|\s+(?:is|was|did|does|do|has|have|had|will|would|can|could|in|on|"
    r"at|for|with|from|by|to|of|(?:first|last|ever) (?:in|on|at|\w+ed|seen|sung|sold))\b)"
    r"|(?:(?<=\bis )|(?<=\bwas )|(?<=\bhas )|(?<=\bgot ))(?:that|this)\b(?=\s+\w{2,}ed\W*$)"
    r"|(?:(?<=\bdid )|(?<=\bdoes )|(?<=\bwill )|(?<=\bwould ))(?:that|this)\b"
    r"(?=\s+(?:set|cost|come|make|bring|happen|take|last|help)\b))",
    re.I,
)
_OBJECT_AFTER = re.compile(
    r"(?:in|on|at|for|with|from|by|to|of|and|or|is|was|did|does|do|has|have|now|then|up|out|too|again|as|there|live|"
    r"before|after|back|the|an?|any|some|another|where|when|why|how|what|who|which|that|loose|off|down|away)$"
)
_IMPERSONAL = re.compile(
    r"\bit['’]?s? (?:is |was )?(?:true|possible|late|january|called that|rain(?:s|ing|ed)|snow(?:s|ing|ed)|pours)\b|"
    r"\bis it (?:true|late|raining)\b",
    re.I,
)
_PLURAL = re.compile(r"\b(?:they|them|their|theirs|those|these|both|all of|the two|the three|each of)\b", re.I)
_TWO = re.compile(r"\bboth\b(?!.* and\b)|\b(?:those|these|the) two\b|\bthe pair\b|\bn?either of (?:them|those)\b", re.I)
_OF_THEM = re.compile(
    r"\b(?:of|among|amongst|between|from) (?:all (?:of )?)?(?:(?:them|those|these)(?: (?:two|three|four|lot))?|"
    r"the (?:two|three|four|lot))\b|\b(?:which|what) (?P<which>ones?)\b",
    re.I,
)
_NOUN_OF = re.compile(
    r"\bthe (?!(?:most|least|rest|first|second|third|last|latter|former|only|majority|total|number|two|three|other|"
    r"others|\w+est|\w+er|ones?)\b)[\w-]+ of (?=(?:them|those|these)\b)",
    re.I,
)
""" "The parents of those two": what they have, and none of them."""
_WHICH = re.compile(r"\b(?:which|what|who)\s+$", re.I)
_THE_MOST = re.compile(
    r"\b(?:(?:which|what|who)(?: is| was|['’]s) the (?:(?:most|least) )?\w+|"
    r"(?<!\bare )(?<!\bwere )the (?:(?:most|least) \w+|(?!rest\b)\w+est))\s+$",
    re.I,
)
_AT_LAST = re.compile(r"\b(?:first|last|earliest|latest)\W*$", re.I)
""" "Which of those did he take last?" asks for one."""
_SINGULAR = re.compile(r"['’]s\b|\s+(?:is|was|has|does)(?:n['’]t)?\b(?! (?:he|she|it|they|we|you|i)\b)", re.I)
_MORE_OF = r"\b(which|what|any|his|her|its|their|our|my|many) other(?= (?!one\b|than\b)[a-z])"
"""Before a noun: "which other films", where those that were told are not asked for again."""
_ELSE = re.compile(
    rf"{_MORE_OF}|\belse\b|"
    r"\b(?:any|the) others?\b(?! (?:one|way|day|week|night|hand|\w+ (?:is|was|has|does)|(?-i:[A-Z])))|"
    r"\bapart from (?:that|him|her|them|it)\b",
    re.I,
)
_NAME_WORD = r"[\w'’-]+(?:\.[\w'’-]+)*(?:(?<=\b\w)\.|(?<=\b\w\w)\.(?= (?-i:[A-Z])))?"
"""A full stop belongs to an initial and to what a name goes on after, "St. Anne", else to the sentence."""
_OTHER = re.compile(
    rf"\bthe other (?P<name>{_NAME_WORD}(?: (?=(?-i:[A-Z])){_NAME_WORD})*)|\bthat other (?P<that>{_NAME_WORD})", re.I
)
_OTHER_ALONE = re.compile(r"\bthe other(?=['’]s\b|\s*(?:[?.!,;]|$)|\s+(?:is|was|has|had|does|did|can|will)\b)", re.I)
_SET = (
    r"(?:of (?:them|those|these|the (?:two|three|four|lot))(?: (?:two|three|four))?|"
    r"ones? of (?:them|those|these)|"
    r"ones?(?! (?:that|who|which|to|in|of|on|from|at|with)\b))"  # "the last one that started" is the last of all
)
_ORDINAL = re.compile(
    r"\bthe (?:(?P<alone>former|latter|(?:first|second|third|fourth)"
    r"(?=\W*$|, (?:who|whom|whose|what|which|where|when|how)\b))|(?P<word>first|second|third|fourth|last|"
    rf"later|latest|earlier|earliest|newest|newer|oldest|older|youngest|younger) {_SET})\b",
    re.I,
)
_CLASSES = (
    ("he", "he|him|his|(?:that|this|the) (?:man|guy|gentleman)"),
    ("she", "she|her|hers|(?:that|this|the) (?:woman|lady)"),
    ("they", "they|them|both|their|theirs|(?:those|these)(?: two| three| lot)?|the (?:two|three|pair|lot)"),
    ("there", "there"),
)
_BOTH = r"(both|all(?: (?:three|four))?)"
_DONE = r"(?:\w+ed|paid|sold|lent|let|sent|built|made|done|gone|open|shut|closed|free|ready|full|empty|alive|dead)"
_CONTRACTED = (
    (
        re.compile(
            r"^((?:which|what|who)\b[^,?]*?) (?:is|was) it (?:that|who|which) "
            r"(?=(?:is|was|were|has|had|won|made|did|got|took|gave|sold|\w+ed)\b)",
            re.I,
        ),
        r"\1 ",
    ),
    (re.compile(r"\b(which|what) ones? of (?=(?:them|those|these)\b)", re.I), r"\1 of "),
    (re.compile(r"\bthem (two|three|lot)\b", re.I), r"those \1"),
    (re.compile(r"(?<=\w )['’]?em\b"), "them"),  # Em is somebody
    (
        re.compile(
            r"\bstill (?:sitting|lying|waiting|hanging|standing|knocking)(?: (?:around|about|up))?(?: there)?(?= with)",
            re.I,
        ),
        "still",
    ),
    (
        re.compile(
            r"^((?:what|whom?|when|where|how \w+|(?:which|how many|how much|what) [\w-]+)\b[^?]*? "
            r"(?:is|are|was|were|did|do|does|has|have|had|will|can)) each(?: one)?(?: of (?:them|those|these))?"
            r"(?=\W*$|,| (?:belong|bring|carry|come|cost|earn|end|get|give|go|got|have|hold|last|live|make|pay|play|"
            r"run|sell|sit|sleep|start|take|weigh|win|work)\b)",
            re.I,
        ),
        r"\1 they",
    ),
    (re.compile(r"\b(of (?:them|those|these))['’]s(?= \w)", re.I), r"\1 is"),
    (re.compile(r"^(the other \w+), (?:he|she|it)['’]s got\b", re.I), r"\1 has"),
    (re.compile(r"^(the other \w+), (?:he|she|it)['’]s(?= \w)", re.I), r"\1 is"),
    (re.compile(r"^(the other \w+), (?:he|she|it|they)(?= \w)", re.I), r"\1"),
    (
        re.compile(
            r"^((?:(?:no|sorry|oh|ah|and|but|i mean|i meant)\W+)*the other one), (?:the|his|her|their|my|our) \w+"
            r"(?: \w+)?(?=\W*$)",
            re.I,
        ),
        r"\1",
    ),
    (re.compile(r"\b(he|she|it|that|this)['’]s(?= (?:got|been|had|done)\b)", re.I), r"\1 has"),
    (re.compile(r"\b(he|she|it|that|this)['’]s\b", re.I), r"\1 is"),
    (re.compile(r"\b(they|those|these|we|you|what|who|where|how|why)['’]re\b", re.I), r"\1 are"),
    (re.compile(r"\b(how|where|when|why)['’]d\b", re.I), r"\1 did"),
    (re.compile(r"\b(how many)['’]s\b", re.I), r"\1 is"),
    (re.compile(r"\b(they|we|you|who|those|these)['’]ve\b", re.I), r"\1 have"),
    (re.compile(r"\bthey all(?= [a-z])", re.I), "they"),
    (
        re.compile(r"^((?:what|where|when|how \w+)\b[^?]* they) both(?= (?:do|live|work|come|cost|start|sit)\b)", re.I),
        r"\1",
    ),
    (re.compile(r"\bthe (?:two|three|four|lot|pair) of (them|those|these)\b", re.I), r"\1"),
    (re.compile(r"\b(who|what|which|when|where)['’]ll\b", re.I), r"\1 will"),
    (re.compile(r"^((?:which|what) \w+s (?:are|were)) (?:that|this)(?=\W*$)", re.I), r"\1 they"),
    (
        re.compile(
            r"^(?!who|what|which|where|when|how)(.+?) (is|was|are|were) (who|what|where|when)(?: again| then)?(?=\W*$)",
            re.I,
        ),
        r"\3 \2 \1",
    ),
    (re.compile(r"^both (?:by|with|from|of|in|at|on) (the same \w+)", re.I), r"they have \1"),
    (re.compile(r"\b(?:(?<=er )ones? )?of (?:both(?=\W*$)|(?:that|the) pair)\b", re.I), "of the two"),
    (re.compile(rf"^{_BOTH}(?= (?:in|on|at|from|with|for|by|of age|{_DONE}|\w+ing)\b)", re.I), r"they are \1"),
    (re.compile(rf"^(are|were|have) both(?= (?:been )?{_DONE}\b)", re.I), r"\1 they both"),
    (re.compile(rf"^{_BOTH}(?= (?:have|live|work|do|got|are|were)\b)", re.I), r"they \1"),
    (
        re.compile(
            r"^((?:which|what|who)(?: one)? of (?:those|these|them|the) (?:two|pair)(?: is| was|['’]s)) the "
            r"((?!other)\w{3,}er) (?:one|of the two)(?=\W*$)",
            re.I,
        ),
        r"\1 \2",
    ),
    (re.compile(r"\b(he|she|it|they|who)['’]d\b", re.I), r"\1 would"),
)


@dataclass(frozen=True, slots=True)
class References:
    """The references of a sentence to earlier turns. ``bare``: without leading fillers such as "OK, and"."""

    text: str
    bare: str
    pronouns: tuple[tuple[int, int], ...]
    plural: bool
    of_them: bool
    others: bool
    namesake: str
    """The name after "the other", "one" for "the other one" and "the other" alone, else ""."""
    ordinal: str = ""
    """"second" for "the second of those", "later" for "the later one", else ""."""

    @property
    def any(self) -> bool:
        """Whether there is anything of the kind."""
        return bool(self.pronouns or self.of_them or self.others or self.namesake or self.ordinal)

    @property
    def words(self) -> tuple[str, ...]:
        """The pronouns, one of each class, in their order: "he" stands for him and his, "it" for that one."""
        found = (class_of(self.bare[slice(*span)]) for span in self.pronouns)
        return tuple(dict.fromkeys(c for c in found if c != "there")) or ("there",) * bool(self.pronouns)

    @property
    def points(self) -> bool:
        """Whether no "it" is among the pronouns: "that one" may be a person as well."""
        return not any(re.fullmatch("its?", self.bare[slice(*span)], re.I) for span in self.pronouns)

    @property
    def outside(self) -> bool:
        """Whether a pronoun stands outside "of them" and "those two among": "which of them did he sell?" """
        inside = [m.span() for m in _OF_THEM.finditer(self.bare)]
        return any(not any(a <= start and end <= b for a, b in inside) for start, end in self.pronouns)

    @property
    def owned(self) -> bool:
        """Whether it asks for what they have: "the parents of those two"."""
        return bool(_NOUN_OF.search(self.bare))

    @property
    def both(self) -> bool:
        """Whether the words say that two are meant."""
        return bool(re.search(r"\b(?:two|both|pair|either|neither|together)\b", self.bare, re.I))

    @property
    def only_both(self) -> bool:
        """Whether the pronoun cannot be one thing, as a band is "they": "do they both play?", "those two"."""
        return self.plural and bool(_TWO.search(self.bare))


def find_references(text: str) -> References:
    """The references of a sentence."""
    bare = _without_filler(text)
    for short, full in _CONTRACTED:
        bare = short.sub(full, bare)
    bare = without_cleft(bare)
    spans = () if _IMPERSONAL.search(bare) else tuple(m.span() for m in _PRONOUN.finditer(bare))
    if own := _OWN.search(bare) or _ON_IT.search(bare):
        spans = tuple(span for span in spans if span != own.span("own"))
    other, ordinal = _OTHER.search(bare), _ORDINAL.search(bare)
    named = re.sub(r"['’]s?$", "", other.group("name") or other.group("that")) if other else ""
    return References(
        text,
        bare,
        spans,
        bool(_PLURAL.search(bare)),
        bool(_OF_THEM.search(_NOUN_OF.sub(" ", bare))),
        bool(_ELSE.search(bare)),
        "one" if _OTHER_ALONE.search(bare) else named,
        (ordinal.group("alone") or ordinal.group("word")).lower() if ordinal else "",
    )


def begins_topic(text: str) -> bool:
    """Whether a turn says that it is about something else than what was spoken of: "new topic: what's on tonight?" """
    if not _BEGINS_TOPIC.match(text):
        return False
    seen = find_references(text)
    of_topic = seen.of_them and _ONES_OF_TOPIC.match(seen.bare)
    return not (replace(seen, of_them=False) if of_topic else seen).any


def _without_filler(text: str) -> str:
    """A sentence without what leads to it; "no" stays where it says something of a kind, "No boat allows pets."."""
    bare = _FILLER.sub("", text, count=1) or text
    said = _NONE.search(text[: len(text) - len(bare)])
    bare = without_vocative(_TAIL.sub("", bare))
    return text[said.start() :] if said and says_of_all(text[said.start() :]) else bare


def class_of(word: str) -> str:
    """The pronoun that a form belongs to: "he", "she", "they", "there", else "it"."""
    return next((name for name, forms in _CLASSES if re.fullmatch(rf"(?:{forms})(?:['’]s)?", word, re.I)), "it")


def replace_pronouns(bare: str, first: str, second: str = "") -> str:
    """The sentence with names for its pronouns: ``first`` for those of the first one's class, ``second`` for those of
    the next class, which stay where it is ""; "there" beside another pronoun is left out."""
    classes = find_references(bare).words
    several = any(not m.group("there") for m in _PRONOUN.finditer(bare))

    def put(match: re.Match[str]) -> str:
        word = match.group().lower()
        own = class_of(word)
        name = second if own in classes[1:2] else first
        if not match.group("there") and (own in classes[2:] or not name):
            return match.group()
        if match.group("owner"):
            following = re.match(r"\s+(\w+)", bare[match.end() :])
            if word == "her" and following and _OBJECT_AFTER.match(following.group(1).lower()):
                return name
            return _possessive(name)
        if word in ("his", "hers", "theirs") and match.start():  # "which one is his?", but "and hers?"
            return _possessive(name)
        if match.group("one") and match.group()[-2:] in ("'s", "’s"):
            return _possessive(name)
        if match.group("there"):
            if several:
                return ""
            before = bare[: match.start()].rstrip().rsplit(" ", 1)[-1].lower()
            return name if before in ("in", "at", "from", "near", "to", "over", "up", "down") else f"at {name}"
        return name

    return re.sub(r"\s+(?=[?.!,]|$)", "", _PRONOUN.sub(put, bare))


def replace_other(text: str, name: str) -> str:
    """The sentence with "the other Jonas", "the other" replaced by a name."""
    if _OTHER_ALONE.search(text):
        return _OTHER_ALONE.sub(lambda _: name, text, count=1)
    return _OTHER.sub(lambda m: _possessive(name) if m.group()[-2:] in ("'s", "’s") else name, text, count=1)


def replace_ordinal(text: str, name: str) -> str:
    """The sentence with "the second of those" replaced by a name."""
    return _ORDINAL.sub(lambda _: name, text, count=1)


def without_else(text: str) -> str:
    """The sentence without "else" and "other": the question whose known answers are then left out."""
    bare = re.sub(_MORE_OF, r"\1", re.sub(r"\belse\b", "", text), flags=re.I)
    return re.sub(r"\s+", " ", bare).replace(" ?", "?").strip()


def without_of_them(text: str, one: str, several: str) -> str:
    """ "which of those are open" → "which stations are open", "which one is" → "which station is", as is "which of them
    is"; "which is the oldest of them" → "which is the oldest station"."""

    def put(match: re.Match[str]) -> str:
        if not match.group("which"):
            before, after = text[: match.start()], text[match.end() :]
            of_one = (_WHICH.search(before) and _SINGULAR.match(after)) or _THE_MOST.search(before)
            of_one = of_one or _AT_LAST.search(after)
            return one if of_one else several
        return f"{match.group().split()[0]} {one if match.group('which').lower() == 'one' else several}"

    return _OF_THEM.sub(put, text, count=1)


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
