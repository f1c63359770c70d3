"""What one thing is to another by a set phrase: who "learned it all from" Bo is his pupil, what was "written in place
of" another comes after it. Graphs name relations by these phrases and people ask by others of the same family."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.tools.text.roles.converses import LEADING, SUCCESSION, TEACHING, Role
from triplewise.tools.text.verb_forms import is_adjective, is_participle

STANDING_IN, DERIVATION, OWNING = "stand in", "derivation", "own"
_NEAR = r"(?: \w+){0,3}?"
_PHRASES = (
    (
        Role(TEACHING, first=False),
        rf"(?:learn(?:s|ed|t|ing)?|pick(?:s|ed)?{_NEAR} up|came up|brought up|articled|apprenticed|doctorate|schooled)"
        rf"{_NEAR} (?:from|off|under|to)|(?:train(?:s|ed)?|apprenticed)(?: \w+)? (?:under|to)"
        r"|stud(?:y|ies|ied|ying) (?:under|with)|(?:pupil|student|apprentice|trainee|protege|mentee|disciple) (?:of|to)"
        r"|(?:got|has|had|owes) (?:it|everything|\w+ (?:schooling|lessons|training|education|start))"
        r"(?: \w+)? (?:from|with)"
        r"|(?:taught|trained|mentored|broken in|brought on|inducted|shown (?:the )?ropes)(?: \w+){0,2} by|shadowed",
    ),
    (
        Role(LEADING, first=True),
        r"in charge of|responsible for|look(?:s|ed|ing)? after|(?:keeps?|kept|keeping) an eye on"
        r"|(?:takes?|took|taking) care of|watch(?:es|ed|ing)? over|^(?:is |was |are )?over$",
    ),
    (Role(LEADING, first=False), r"work(?:s|ed|ing)? (?:under|for)|^(?:is |was |are )?under$"),
    (
        Role(STANDING_IN, first=True),
        r"(?:stands?|stood|steps?|stepped|standing|stepping|fill(?:s|ed|ing)?) in for|stand in for|sub(?:s|bed)? for"
        r"|cover(?:s|ed|ing)? (?:for|of)|deputi[sz](?:es|ed|ing) for|relief (?:for|of)"
        r"|(?:deputy|understudy|substitute|replacement) (?:to|of|for)",
    ),
    (
        Role(STANDING_IN, first=False),
        r"(?:covered|deputi[sz]ed|stood in|stepped in)(?: for)? by|fail(?:s|ed|ing)? ?over to",
    ),
    (
        Role(SUCCESSION, first=False),
        rf"replac(?:es|ed)|supersed(?:es|ed)|succeed(?:s|ed)|(?:took|takes|taken|taking){_NEAR} over from"
        r"|(?:took|takes|taken|taking|in)(?: the)? (?:place|seat|stead) (?:of|from)|successor (?:of|to)"
        r"|follow(?:s|ed)(?: on)?(?: from)?|sequel (?:of|to)",
    ),
    (Role(SUCCESSION, first=True), r"(?:replaced|superseded|succeeded|followed) by|predecessor (?:of|to)|precedes"),
    (
        Role(DERIVATION, first=False),
        r"(?:came|comes|grew|grown|developed|derived|spun off|spin off|split(?: off)?|broke away|copied|descended|made)"
        r" (?:out )?(?:of|from)|(?:spin off|knock off|copy|remake|offshoot|version) (?:of|from)|based on",
    ),
    (Role(OWNING, first=False), r"belong(?:s|ed|ing)? to"),
)
_FOUND = tuple((role, re.compile(rf"\b(?:{phrase})\b")) for role, phrase in _PHRASES)
STAND_INS = frozenset(("deputy", "understudy", "substitute", "backup", "fallback", "cover", "reserve", "stand-in"))
"""Nouns of who stands in for another."""
_UNSAID = 2
"""Words around a phrase that say something of their own: more, and the two may be tied by those."""
_TURNING = frozenset(("by", "older", "earlier", "previous"))
"""Words with which a phrase says the reverse: "replaced by", "an older version of"."""
_WHEN = frozenset(("if", "when", "whenever", "while", "whilst"))
_DUTY = frozenset(("work", "job", "duty", "duties", "shift", "shifts", "stuff", "rounds"))
_SHOWING = frozenset(("took", "takes", "taken", "showed", "shows", "shown", "gave"))
_SHOWN = re.compile(r"^(?:\w+ )?(?:how\b|(?:the )?ropes\b|under \w+ wing\b)")


def of_phrase(words: Sequence[str], light: frozenset[str]) -> Role | None:
    """What a thing is to another by the words between them, or by a relation's words; None where these are more than
    the phrase. ``light``: words that say nothing of their own."""
    text = " ".join(w for w in words if w.isalnum())
    for role, phrase in _FOUND:
        if found := phrase.search(text):
            around = (text[: found.start()] + text[found.end() :]).split()
            said = [w for w in around if w not in light and not w.isdigit() and not _is_quality(w)]
            if len(said) <= _UNSAID and _TURNING.isdisjoint(around):
                return role
    return None


def _is_quality(word: str) -> bool:
    return is_adjective(word) and not is_participle(word)


def of_clauses(before: Sequence[str], between: Sequence[str], after: Sequence[str]) -> Role | None:
    """What the first of two is by clauses around them: "if Ann is ill, Bo does her work", "Bo took Ann under his
    wing"."""
    if before and before[-1] in _WHEN:
        return Role(STANDING_IN, first=False)
    if between and between[-1] in _WHEN:
        return Role(STANDING_IN, first=True)
    if not _DUTY.isdisjoint(after[:2]) and not {"does", "did", "do", "doing", "takes"}.isdisjoint(between):
        return Role(STANDING_IN, first=True)
    if not _SHOWING.isdisjoint(between) and _SHOWN.match(" ".join(w for w in after if w.isalnum())):
        return Role(TEACHING, first=True)
    return None
