"""Which of two things does what a verb says, and which is called by a noun: of "Ann is mentored by Bo" and of "Ann's
mentor is Bo" Bo is the mentor. Between two persons a relation may run either way, and only the grammar tells which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from triplewise.tools.text.roles.converses import LEADING, ROLES, TEACHING, VERBS, Role, roles_of
from triplewise.tools.text.roles.phrases import STAND_INS, STANDING_IN, of_clauses, of_phrase
from triplewise.tools.text.verb_forms import (
    PREPOSITIONS,
    is_adjective,
    is_participle,
    is_past,
    is_person,
    is_third_person,
    word_set,
)

GENITIVE = "'s"
_BE = word_set("is was are were be been being gets got get isn wasn aren weren becomes became") | {GENITIVE}
_HAVE = word_set("has have had hasn haven hadn got gets")
_DO = word_set("do does did don doesn didn will would can could should must to may")
LIGHT = (
    _BE
    | _HAVE
    | _DO
    | word_set("""
    not never ever no t also still now once first currently formerly already always really the a an our their his her my
    your its who that which as called named only just both all and
    line direct def defo just totally sure actually basically clearly surely
""")
)
"""Words that may stand between two names and what ties them without saying anything of their own."""
_OF = word_set("of to for")
_AFTER_VERBS = PREPOSITIONS - word_set("by of to as under with from")
"""What a verb may have behind it that leaves its subject the one that does it: "depends on". Who "trains under" one is
is trained."""
_ARTICLES = word_set("a an the no as")
_SAME_AS_VERB = word_set("mentor coach tutor guide captain boss host pilot judge chair head guard nurse champion chief")
"""Nouns of who does what the verb of the same form says."""
_MUTUAL = word_set("""
    partner spouse husband wife sister brother sibling cousin twin friend neighbour neighbor colleague rival opponent
    counterpart border
""")
"""Whoever is somebody's friend has a friend in this one: it does not matter which of the two a graph names first."""
_TAKING = word_set("""
    get receive learn inherit borrow hear follow join succeed replace obey copy take accept buy rent marry married meet
    know resemble remember see love like hate fear need want miss owe leave
""")
"""Verbs whose subject does nothing to the other one, or has from him: what such a verb says of doer and other is not
what another verb says."""
_THROUGH = frozenset(("through", "via"))
_HEARING = frozenset(("hear", "heard", "know", "knew", "com", "cam"))
_RELATIVE = word_set("who whom whoever that which whichever what")
_OF_NAMES = word_set("young old little big dear poor good one mr mrs ms miss dr lady")
"""What may stand before a name; "the one" before "who"."""
_SPEAKER = frozenset(("us", "me"))
_IRREGULAR = {
    form: verb
    for forms in ("teach taught", "lead led", "make made", "run ran", "breed bred", "feed fed", "write wrote written",
                  "hold held", "keep kept", "build built", "sell sold", "buy bought", "drive drove driven",
                  "ride rode ridden", "sing sang sung", "find found", "oversee oversaw overseen", "draw drew drawn",
                  "send sent", "bring brought", "lend lent", "tell told", "catch caught", "win won", "fight fought",
                  "choose chose chosen", "hide hid hidden", "show showed shown", "give gave given", "take took taken")
    for verb, *others in [forms.split()]
    for form in others
}  # fmt: skip
_PHRASE = 4
"""Words up to "by" that a participle may have with it."""
_EITHER_WAY = word_set(
    "next near married divorced engaged betrothed wed related twinned paired joined allied connected connects linked "
    "links tied opposite adjacent parallel close"
)
_JUST = "a "
"""Before the nouns of what does nothing: a capital."""
_ID = word_set("id ids no nr number code ref key name names")


class Between(NamedTuple):
    """A sentence's words before, between and after two things, "'s" among them."""

    before: Sequence[str]
    between: Sequence[str]
    after: Sequence[str]


def roles_said(words: Between) -> set[Role]:
    """What the first of two things is by grammar: in "Ann is mentored by Bo" a mentee; empty where nothing tells."""
    told = {*_said_after(words), *_said_before(words)}
    if clause := of_clauses(*words):
        told.add(clause)
    if _is_subject(words):
        told |= {*_said_between(words)}
        owned = any(word == GENITIVE and after not in LIGHT for word, after in pairwise(words.between))
        if not owned and (phrased := of_phrase(words.between, LIGHT)):  # not of "Ann's friend learned from Bo"
            told.add(phrased)
    return told


def _is_subject(words: Between) -> bool:
    """Whether what is said between two things may be of the first: not of Ann in "who taught Ann works for Bo" nor in
    "a friend of Ann works for Bo"."""
    before = [w for w in words.before if w not in _ARTICLES | _OF_NAMES]
    if before[-1:] and before[-1] in PREPOSITIONS:
        return False
    clause = next((at for at in reversed(range(len(before))) if before[at] in _RELATIVE), len(before))
    return _are_light(before[clause + 1 :])


def does_first(words: Between) -> bool | None:
    """Whether by grammar the first of two does something to the other, whatever it is: so does Ann in "Ann sent Bo",
    not in "Ann was sent by Bo" nor in "Ann came through Bo"; None where nothing tells."""
    if _THROUGH & {*words.between} or ("from" in words.between and _HEARING & {*map(family_of, words.between)}):
        return False
    if said := of_phrase(words.between, LIGHT):
        return said.first if said.family in (LEADING, TEACHING) else None
    between = [w for at, w in enumerate(words.between) if not _is_of_speaker(words.between, at)]  # "recommended us to"
    if (PREPOSITIONS - {"by", "of", "as"}) & {*between, *words.after[-1:]}:
        return None
    told = {role for role in roles_said(words._replace(between=between)) if role.family not in _TAKING_FAMILIES}
    firsts = {role.first for role in told if not str(role.family).startswith(_JUST)}
    return firsts.pop() if len(firsts) == 1 else None


def _is_of_speaker(words: Sequence[str], at: int) -> bool:
    """Whether a word is "us", or the "to" behind it."""
    return words[at] in _SPEAKER or (words[at] == "to" and at > 0 and words[at - 1] in _SPEAKER)


@lru_cache(maxsize=8192)  # of all relations of a graph, for every sentence
def ends_of(label: str) -> tuple[Role, Role] | None:
    """What the head and the tail of a relation are: by "mentor id" one who has a mentor and a mentor; None where the
    words do not tell."""
    words = [w for w in label.lower().split() if w not in ("is", "has", "was", "the", "a", "an")]
    while len(words) > 1 and words[-1] in _ID:
        words.pop()
    if not words:
        return None
    if words[-1] == "to" and (up := roles_of(label)):
        return up
    if head := of_phrase(words, LIGHT):
        return head, head.other
    last = words[-1]
    if len(words) == 2 and last in _OF and not is_third_person(words[0]) and (role := role_called(words[0])):
        return role, role.other
    if len(words) > 1 and last == "by" and words[-2] not in PREPOSITIONS - {"in", "on", "out", "by"}:
        tail = Role(family_of(words[0] if is_participle(words[0]) else words[-2]), first=True)
        return tail.other, tail  # "trn by" is a participle, too
    if words[-2:] == ["stand", "in"]:
        tail = Role(STANDING_IN, first=True)
        return tail.other, tail
    if len(words) == 1 and is_third_person(last) and not _is_doer(last[:-1]) and not _is_doer(last[:-2]):
        head = Role(family_of(last), first=True)  # "coaches" may be what one does and whom one has
        return head, head.other
    if len(words) == 2 and is_third_person(words[0]) and last in _AFTER_VERBS and not _is_doer(words[0][:-1]):
        head = Role(family_of(words[0]), first=True)  # what "depends on" another
        return head, head.other
    if len(words) == 1 and (is_past(last) or is_participle(last)) and last not in _EITHER_WAY:
        head = Role(family_of(last), first=True)  # who "taught" another
        return head, head.other
    if is_third_person(last) or is_past(last) or is_participle(last) or PREPOSITIONS & {*words}:
        return None
    tail = role_called(last)
    return (tail.other, tail) if tail else None


@lru_cache(maxsize=8192)
def ends_by_words(label: str) -> tuple[Role, Role] | None:
    """The ends of a relation that nothing but its own words can tell apart ("hidden in", see `says_label`); None where
    it may as well be said the other way round: "next to"."""
    own = _own_words(label)
    turns = len(own) < 2 or own[-1] not in PREPOSITIONS - {"with", "by"} or own[0] in _MUTUAL | _EITHER_WAY
    head = Role(f"{_JUST}{label}", first=True)
    return None if turns else (head, head.other)


def _own_words(words: str) -> list[str]:
    return [w for w in words.lower().split() if w not in LIGHT or w in PREPOSITIONS]


def says_label(label: str, between: Sequence[str]) -> bool:
    """Whether the words between two things are a relation's own, "hiding in" for "hidden in", so that the first is its
    head."""
    if ends_by_words(label) is None:
        return False
    own = _own_words(label)
    said = [w for w in between if w not in LIGHT or w in PREPOSITIONS]
    stems, asked = [*map(family_of, said)], [*map(family_of, own)]
    at = next((i for i in range(len(stems)) if stems[i : i + len(asked)] == asked), None)
    return at is not None and len(said) - len(own) <= 1


def role_called(noun: str) -> Role | None:
    """What is called by a noun: a doer ("manager"), the other end ("pupil"), or just so ("capital")."""
    if noun in ROLES:
        return ROLES[noun]
    if noun in STAND_INS:
        return Role(STANDING_IN, first=True)
    if noun in _MUTUAL or len(noun) < 3 or is_adjective(noun) or is_participle(noun):
        return None
    return Role(family_of(noun) if _is_doer(noun) else f"{_JUST}{noun}", first=True)


def _is_doer(noun: str) -> bool:
    """Whether a noun calls who does what a verb of the same stem says."""
    doer = is_person(noun) and re.search(r"[eo]r$", noun) and noun not in _MUTUAL
    return noun in ROLES or noun in _SAME_AS_VERB or bool(doer)


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """What the forms of a verb and the noun of its doer have in common: "manag"."""
    stem = _IRREGULAR.get(word, word)
    if len(stem) > 3:
        stem = re.sub(r"^(\w*[aeiouy]\w*)(?:ing|(?<!e)ed|(?<!s)s)$", r"\1", stem)
        stem = re.sub(r"[eo]r$", "", stem.removesuffix("e"))
    return re.sub(r"([bdgmnprt])\1$", r"\1", stem.removesuffix("e"))


_FAMILIES = {_stem(verb): family for verb, family in VERBS.items()}
_TAKING_FAMILIES = frozenset(map(_stem, _TAKING))


def family_of(word: str) -> int | str:
    """The family of a verb or of its doer's noun, or else their stem."""
    return _FAMILIES.get(_stem(word), _stem(word))


def is_of_doer(role: Role) -> bool:
    """Whether an end is one that does something: the tail of "tutor", not that of "capital"."""
    return role.first and not str(role.family).startswith(_JUST)


def _said_between(words: Between) -> Iterator[Role]:
    """ "Ann is mentored by Bo", "Ann mentors Bo", "Ann's mentor is Bo", "Ann is the mentor of Bo", "Ann has a mentor,
    Bo", "A depends on B"."""
    for at, word in enumerate(words.between):
        before, after = words.between[:at], words.between[at + 1 :]
        if not _are_light(before):
            continue
        if is_participle(word) and after[:1] == ["by"] and _are_light(after[1:]):
            yield Role(family_of(word), first=False)
        elif is_participle(word) and _BE & {*before} and after[-1:] == ["by"] and len(after) <= _PHRASE:
            yield Role(family_of(word), first=False)  # "is shown the ropes by"
        elif after and after[0] in _AFTER_VERBS and _are_light(after[1:]) and _does(words, word, before):
            yield Role(family_of(word), first=True)
        elif after[:1] == ["to"] and (up := roles_of(f"{word} to")) and _are_light(after[1:]):
            yield up[0]
        elif after and after[0] in _OF and _are_light(after[1:]) and (_BE & {*before}):
            if role := role_called(word):
                yield role
        elif not _are_light(after):
            continue
        elif (before[:1] == [GENITIVE] and _BE & {*after}) or (_HAVE & {*before} and _ARTICLES & {*before}):
            if role := role_called(word):
                yield role.other
        elif _does(words, word, before) and "by" not in after:
            yield Role(family_of(word), first=True)


def _said_after(words: Between) -> Iterator[Role]:
    """ "Ann is Bo's mentor", "Ann has Bo as her mentor", "whom does Bo mentor", "who is Bo mentored by",
    "what does B depend on"."""
    if not words.after or not _are_light(words.between):
        return
    between = {*words.between}
    *before, word = words.after
    if word == "by" and before and _BE & between:
        if is_participle(before[-1]) and _are_light(before[:-1]):
            yield Role(family_of(before[-1]), first=True)
    elif word in _AFTER_VERBS | {"to"} and before and _DO & between:
        if not (_is_base(before[-1]) and _are_light(before[:-1])):
            return
        up = roles_of(f"{before[-1]} to") if word == "to" else None
        yield up[1] if up else Role(family_of(before[-1]), first=False)
    elif not _are_light(before):
        return
    elif before[:1] == [GENITIVE]:
        if not (_HAVE | _DO) & between and (role := role_called(word)):
            yield role
    elif {"as", "for"} & {*before} and _HAVE & between:
        if role := role_called(word):
            yield role.other
    elif (_DO & between and _is_base(word)) or (_BE & between and word.endswith("ing")):
        yield Role(family_of(word), first=False)


def _said_before(words: Between) -> Iterator[Role]:
    """ "The mentor of Ann is Bo"."""
    if len(words.before) < 2 or words.before[-1] not in _OF or not _are_light(words.before[:-2]):
        return
    if _are_light(words.between) and _BE & {*words.between} and (role := role_called(words.before[-2])):
        yield role.other


def _is_base(word: str) -> bool:
    """Whether a word can be a verb after "does"."""
    return not (is_third_person(word) or word.endswith("ing") or word in LIGHT or is_adjective(word))


def _does(words: Between, word: str, before: Sequence[str]) -> bool:
    """Whether the first of two does what a word says: "A depends on B", "does A depend on B"."""
    asked = not before and bool(words.before) and words.before[-1] in _DO
    return is_active(word, before) or (asked and _is_base(word))


def is_active(word: str, before: Sequence[str]) -> bool:
    """Whether a word says what its subject does: "mentors", "has mentored", "is mentoring", "does not mentor"."""
    clause = next((at + 1 for at in reversed(range(len(before))) if before[at] in _RELATIVE), 0)
    before = before[clause:]  # "is the one who mentors"
    if word.endswith("ing"):
        return bool(_BE & {*before})
    if {*before} & _DO:
        return _is_base(word)
    if is_third_person(word) or is_past(word):
        return not (_BE - _HAVE) & {*before}
    return is_participle(word) and bool(_HAVE & {*before})


def _are_light(words: Sequence[str]) -> bool:
    return all(w in LIGHT or w.endswith("ly") or w in _OF_NAMES for w in words)
