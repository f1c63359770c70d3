"""Questions whether there is anything of a kind, as the questions which thing it is: who asks "Has he got anything with
us?" wants to be told what."""

from __future__ import annotations

import re

from triplewise.tools.text.verb_forms import is_plural
from triplewise.tools.text.yes_no import ASKS_MORE, LEAD_IN

_OPENING = re.compile(
    rf"{LEAD_IN}(?P<verb>is|are|was|were|does|do|did|has|have|had)\s+(?!(?:there|you\s+know|not)\b)(?P<rest>.+?)[\s?.!]*$",
    re.I | re.S,
)
"""A denied one ("hasn't he got a boat?") expects a yes, so that it stays a claim."""
_WORDS = {"one": "who", "body": "who", "thing": "what", "where": "where"}
_PRONOUN = r"\b(?:any|some)\s?(?P<of>one|body|thing|where)\b(?!\s+of\b)(?P<other>\s+else\b)?"
_KIND = r"\b(?:any|some|one(?=\s+of\s))\s+(?P<kind>(?!more\b|longer\b|good\b|{small})\w.*)"
_SMALL = r"(?:in|on|at|to|for|from|with|by|of(?!\s)|out|off|up|down|over|away|back|too|either|now|today|here|there)\b"
_PREPOSITION = re.compile(r"\b(?:in|on|at|to|for|from|with|by|of|near|under|over|into|off|about|against)\s*$", re.I)
_SUBJECT_PRONOUN = re.compile(rf"^{_PRONOUN}(?P<rest>\s.*)$", re.I)
_SUBJECT_KIND = re.compile(rf"^{_KIND.format(small=_SMALL)}$", re.I)
_OBJECT_PRONOUN = re.compile(rf"^(?P<before>\S.*?\s){_PRONOUN}(?P<rest>.*)$", re.I)
_OBJECT_KIND = re.compile(rf"^(?P<before>\S.*?\s){_KIND.format(small=_SMALL)}$", re.I)
_OF_THEM = re.compile(r"^of\s+(?:ours|mine|yours|his|hers|theirs|them|these|those|us)\b(?!\s+\w+s\b)", re.I)
_HAD = re.compile(
    r"^(?P<before>\S.*?\s(?:got|have|had|own))\s+(?P<kind>an?\s+(?!(?:lot|bit|go|look|chance|few)\b)\w.*"
    r"|(?:\w+\s+)?(?:\w+[^\Ws]s|children|people)(?=\s+of\s+\S+\s+own\b).*)$",
    re.I,
)
"""What somebody has: "a boat", "students of his own"; a bare plural may as well be a word of a yes-no relation."""
_STRESS = re.compile(
    r",?\s+(?:as well|too|either|yet|at all|ever|already|himself|herself|itself|themselves"
    r"|of (?:his|her|its|their|your|our) own)\b",
    re.I,
)
_OF_SPEAKERS = re.compile(r"^\s+(?:that\s+)?(?:i|we|you|one)\b.*$", re.I)
"""A clause such as "(anything) I can boast about", which tells of the speakers only."""
_DONE = re.compile(r"^\s+(?:that\s+)?(?:he|she|it|they)\b.*$", re.I)
_HAVING = re.compile(r"\b(?:got|have|had)\s*$", re.I)
_ADJECTIVE = re.compile(
    r"^\s+(?!(?:here|there|now|then|today|tonight|tomorrow|yesterday|again|before|since|abroad|lately|more|out|in|on|up|"
    r"down|off|back|away|\w+ly)$)(?P<what>[a-z]+)$"
)
_VERBAL = re.compile(
    rf"(?:\w+(?:ed|en|ing|er)|{_SMALL}|than|free|open|left|made|paid|sold|put|been|gone|had|won|lost|got|built|cut|set|"
    r"under|near|still|older|more|less|not)\b",
    re.I,
)
_REACHED_BY = re.compile(
    r"^(?:we|you|i|they|anyone|anybody)\s+(?:got\s+|have\s+|know\s+)?an?\s+(?P<what>(?:(?:tele)?phone |mobile )?number|"
    r"address|e-?mail(?: address)?)\s+(?P<of>for|of)\s+(?P<whom>\S.*)$",
    re.I | re.S,
)
"""Whether there is a number for somebody, who wants to be told it."""
_ADVERBS = frozenset(("still", "ever", "also", "always", "never", "often", "usually", "sometimes", "currently", "only"))
"""What may stand before the verb: "does anyone still owe us?"."""
_THOSE = re.compile(r"of (?:these|those) ", re.I)
_PEOPLE = re.compile(r"people|men|women|children|staff|crew|sheep|fish|cattle", re.I)
"""Several, without an ending that tells."""


def asked_thing(text: str) -> str:
    """The question which thing it is, of a question whether there is any: "What has he got with us?"; "" of others."""
    match = _OPENING.match(text)
    if not match or ASKS_MORE.search(match["rest"]):
        return ""
    verb, rest = match["verb"].lower(), _STRESS.sub("", match["rest"])
    if found := _REACHED_BY.match(rest):
        return f"What is the {found['what']} {found['of']} {found['whom']}?"
    being = verb in ("is", "are", "was", "were")
    if found := _SUBJECT_PRONOUN.match(rest):
        return _question(_wh(found), _said_of(verb, found["rest"]))
    if found := _SUBJECT_KIND.match(rest):
        return _question("Which", _with_verb(verb, found["kind"]))
    if found := _OBJECT_PRONOUN.match(rest):
        if being and not _takes_object(found["before"]):
            return ""  # "is she somebody?"
        after = _OF_SPEAKERS.sub("", found["rest"])
        if _HAVING.search(found["before"]) and _DONE.match(after):
            return _question(_wh(found), after)  # "has she got anyone she taught?"
        if described := _ADJECTIVE.match(after):
            return _question(f"{_wh(found)} {described['what']} thing", verb, found["before"])
        return _question(_wh(found), verb, found["before"], after)
    if found := _OBJECT_KIND.match(rest):
        if being and not _takes_object(found["before"]):
            return ""  # "is Lena one of the singers?" names her
        kind = _OF_SPEAKERS.sub("", found["kind"])
        of_them = _OF_THEM.match(kind)
        end = of_them.end() if of_them else len(kind)
        return _question("Which", kind[:end], verb, found["before"], kind[end:])
    if not being and (found := _HAD.match(match["rest"])):
        kind = re.sub(r"^an?\s+", "", _STRESS.sub("", found["kind"]), flags=re.I)
        return _question("Which", kind, verb, found["before"])
    return ""


def _wh(found: re.Match[str]) -> str:
    return f"{_WORDS[found['of'].lower()].capitalize()}{' else' if found['other'] else ''}"


def _takes_object(before: str) -> bool:
    """Whether what stands before a noun makes it more than a predicate: "is he buying for", "is she in"."""
    return bool(_PREPOSITION.search(before) or re.search(r"\w+ing\s*$", before))


def _said_of(verb: str, rest: str) -> str:
    """A predicate with its auxiliary verb; "does step in" is "steps in"."""
    words = rest.split()
    at = next((i for i, word in enumerate(words) if word.lower() not in _ADVERBS), 0)
    if verb == "does" and words:
        first = words[at]
        ending = "es" if re.search(r"(?:s|x|z|ch|sh|o)$", first) else "s"
        third = "has" if first == "have" else re.sub(r"(?<=[^aeiou])y$", "ie", first) + ending
        return " ".join((*words[:at], third, *words[at + 1 :]))
    return rest if verb == "do" else f"{verb} {rest}"


def _with_verb(verb: str, said: str) -> str:
    """A noun and what is said of it, with the auxiliary verb between them."""
    words = said.split()
    if verb in ("do", "does"):
        return said
    least = 3 if re.match(r"of\s+(?:the|these|those|my|our|his|her|its|their)\s", said, re.I) else 1
    if least > 1 and _THOSE.match(said) and not (is_plural(words[2]) or _PEOPLE.fullmatch(words[2])):
        least = 2  # "of those vegan"
    least += words[0].lower() == "other"
    least += words[0].lower() == "of" and least == 1
    ends = [i for i, word in enumerate(words) if i >= least and _VERBAL.match(word)]
    at = ends[0] if ends and verb != "did" else least
    return " ".join((*words[:at], verb, *words[at:]))


def _question(*parts: str) -> str:
    return f"{' '.join(' '.join(parts).split())}?"
