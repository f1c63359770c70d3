"""Who speaks, where he says so and the graph knows him: after "Hi, Kenji here", "was I at that one?" asks it of
Kenji."""

from __future__ import annotations

import re

from triplewise.agents.assistant.completions.things import Things
from triplewise.agents.assistant.memory import Memory
from triplewise.tools.text.plainer_questions import GREETS

_NAME = (
    r"(?P<name>(?!(?:any|every|some|no|out|over|up|down|in|is|was|are|were|does|do|did|has|have|can|could|will|would|who\w*|"
    r"what|when|where|how|why|which|if|the|my|our|and|so|but|not|that|this|it|he|she|they|we|you|i|there)\b|"
    r"(?:any|every|some|no)(?:one|body|thing))"
    r"[^\W\d_][\w'’-]*(?: (?-i:[A-ZÀ-Þ])[\w'’-]+)?)"
)
_HELLO = rf"{GREETS}(?: (?:there|again|all))?\W+"
_SAYS_WHO = (
    re.compile(rf"^\W*(?:{_HELLO})?(?:it['’]?s |this is )?{_NAME} (?:here|speaking)\b\W*", re.I),
    re.compile(rf"^\W*{_HELLO}(?:it['’]?s|this is|i['’]?m|i am) {_NAME}(?=[.,!;:?]|$)\W*", re.I),
    re.compile(rf"(?:(?<=[.?!,;])\s+|\s*\()(?:it['’]?s |this is )?{_NAME} (?:here|speaking)\)?\W*$", re.I),
)
_IS = {"am": "is", "'m": "is", "’m": "is", "have": "has", "'ve": "has", "’ve": "has", "do": "does", "were": "was"}
_ASKED_I = re.compile(
    r"\b(?P<verb>did|do|have|had|was|am)(?P<not>n['’]t)? (?P<i>i)\b(?: (?P<got>got|myself|ever)\b)?(?: myself\b)?", re.I
)
"""Asks it of who speaks; "can I", "could I have", "do I know" do not."""
_I = re.compile(
    r"\b[Ii](?P<verb>['’]m|['’]ve| am| have| was| did| had| do)?\b(?= [a-z])"
    r"(?! (?:think|reckon|meant?|mean|need|want|see|know|guess|suppose|believe|remember|wonder|bet|hope|ask|may|can|"
    r"could|would|should|will|must|might|say|said|thought|take it|get|trust|gather|hear|heard|love|like)\b)"
)
"""What "I" does or am elsewhere: "which courses I'm enrolled in"."""
_ME = re.compile(
    r"(?P<before>\b(?:to|of|for|from|with|by|than|besides|and|like|but|except|got|have|had|put|down|owes?|gave|sent|lent|"
    r"taught) )me\b(?P<more> and\b)?",
    re.I,
)
_MY = re.compile(r"\bmy (?=(?!list|mistake|phone|notes?|books?|records?|head|god|word|dear|bad|question)[a-z])", re.I)
_OWN = re.compile(r"\b(?:I|i|me|my|mine)\b")
_MINE = re.compile(r"\b(?:of mine|mine)\b", re.I)


def with_speaker(things: Things, text: str, memory: Memory) -> tuple[str, str]:
    """A sentence without who says that it is him, with his name for "I", "me" and "my" where he is somebody of the
    graph and has said so, in this turn or an earlier one; and that name, "" where it was not put in."""
    own = next((m for p in _SAYS_WHO if (m := p.search(text))), None)
    said = [text, *(turn.said for turn in reversed(memory.turns))]
    name = next((n for t in said if (n := _known(things, t))), "")
    if not name:
        return text, ""
    said_here = own is not None and bool(_known(things, text))
    rest = f"{text[: own.start()]}{text[own.end() :]}".strip() if own and said_here else text

    def asks(match: re.Match[str]) -> str:
        verb = match["verb"].lower()
        verb = _IS.get(verb, verb) if not match["not"] else match["verb"]
        got = match["got"] if match["got"] and match["got"].lower() != "myself" else ""
        return f"{verb}{match['not'] or ''} {name}{f' {got}' if got else ''}"

    def does(match: re.Match[str]) -> str:
        verb = (match["verb"] or "").strip()
        return f"{name} {_IS.get(verb.lower(), verb)}".strip()

    put = _I.sub(does, _ASKED_I.sub(asks, rest))
    put = _ME.sub(lambda m: f"{m['before']}{name}{m['more'] or ''}", put)
    put = _MY.sub(f"{name}'s ", put)
    put = _MINE.sub(lambda m: f"of {name}'s" if m[0].lower().startswith("of") else f"{name}'s", put)
    unsaid = put == rest and _OWN.search(rest) is not None  # then his name beside the question may tell
    return (text, "") if unsaid or not put else (put, name if put != rest else "")


def _known(things: Things, text: str) -> str:
    """The name of who says that it is him, where exactly one person of the graph is called so."""
    for pattern in _SAYS_WHO:
        if (said := pattern.search(text)) is None:
            continue
        found = [x.node for x in things.names.link(said["name"]) if not x.is_value]
        persons = [n for n in dict.fromkeys(found) if things.may_be_person(n)]
        if len(persons) == 1:
            return things.name(persons[0])
    return ""
