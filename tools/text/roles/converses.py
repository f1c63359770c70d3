"""Words for the two ends of one relation: a parent has a child. A graph names a relation by one of the two, people ask
by either."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FAMILIES = (
    ("parent father mother dad mum mom mam papa mama", "child children kid son daughter offspring", ""),
    (
        "teacher mentor coach trainer tutor supervisor instructor",
        "pupil student mentee trainee apprentice tutee protege disciple",
        "taught mentored coached trained tutored supervised instructed teaches mentors coaches trains tutors "
        "supervises",
    ),
    ("predecessor", "successor", ""),
    ("employer", "employee", "employed hired employs"),
    ("boss manager superior gaffer", "subordinate underling", "managed bossed manages"),
)
TEACHING, SUCCESSION, LEADING = 1, 2, 4
_UP = frozenset(("reports to", "report to", "answers to", "answerable to", "accountable to", "works under"))
"""What is said of somebody and his boss."""
_BOTH = re.compile(r"\bsupervis(?:ors?|ed|es)\b", re.I)
"""Who supervises is called a teacher by some and a boss by others."""
_NOT_OF = re.compile(r"\bwhose\b", re.I)


_TAUGHT = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)*(?:whom?|which \w+) (?:did|does|do|has|have|had)\b(?!.*\b(?:who|that|which)\b).*"
    r"\b(?:teach|mentor|coach|train|tutor|supervise|instruct|taught|mentored|coached|trained|tutored|supervised)"
    r"(?:\s+(?:himself|herself|themselves|too|as\s+well|now|then|anyway))?\W*$",
    re.I,
)


_TEACHER = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)*who (?:first |once |else |originally )?"
    r"(?:taught|teached|mentored|coached|trained|tutored|instructed|teaches|mentors|coaches|trains|tutors|instructs)\s+"
    r"(?!(?:to|at|by|in|on|for|with|as|under|from)\b)\w",
    re.I,
)
_ANSWERING = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)*who\W+(?:(?P<below>(?:reports?|answers?|reported|answered)\s+to\s+(?!whom?\b)\w)"
    r"|(?:did|does|do|has|must)\b(?!.*\b(?:who|that|which)\b)(?P<of>.*)\b(?:report|answer)\s+to\W*$)",
    re.I,
)
"""Asks for those below somebody, else for who is above him."""


@dataclass(frozen=True, slots=True)
class Role:
    """One end of a relation: the family of words, else what they have in common, and whether it is the first end
    (parent, owner) or the second (child, what is owned)."""

    family: int | str
    first: bool

    @property
    def other(self) -> Role:
        """The other end."""
        return Role(self.family, not self.first)


def _forms(words: str) -> dict[str, str]:
    return {form: word for word in words.split() for form in (word, f"{word}s", f"{word}es")}


ROLES = {
    form: Role(number, first)
    for number, (ones, others, _) in enumerate(_FAMILIES)
    for words, first in ((ones, True), (others, False))
    for form in _forms(words)
}
"""Nouns of the families and what they call."""
VERBS = {verb: number for number, (_, _, verbs) in enumerate(_FAMILIES) for verb in verbs.split()}
"""Verbs of what the first end does to the second, and their families."""
_WORD = "|".join(sorted(ROLES, key=len, reverse=True))
_OF = rf"(?:{_WORD})\s+of\s+\w"
_ASKED = re.compile(
    rf"\b(?:which|what|how many)\s+(?:\w+\s+)?(?P<asked>{_WORD})\b(?!['’]|\s+of\W*$)"
    rf"|(?:['’]s?|\b(?:his|her|their|its))\s+(?:\w+\s+)?(?P<own>{_WORD})\W*$"
    rf"|(?:\bwho(?:['’]?s| is| are| was| were)\s+(?:all\s+)?|^\W*)(?:the\s+)?(?={_OF})(?P<of>{_WORD})\b"
    rf"|\b(?:got|have|has|had|as|any)\s+(?:any\s+|an?\s+)?(?:\w+\s+)?(?P<had>{_WORD})\W*$",
    re.I,
)
"""Not the "student" of "who teaches the student Tom?", nor that of "who is she a student of?" """
_HAVING_AS = re.compile(
    rf"^\W*(?:(?:and|so|but)\W+)*(?:who|which \w+)(?: else)? (?:has|have|had|got|['’]s got)\b[^?]*\bas "
    rf"(?:(?:his|her|their|its|an?|the) )?(?P<role>{_WORD})\W*$",
    re.I,
)
"""Asks for those who have somebody: "who has Ann as their boss?" """
_OWN_BOSS = re.compile(
    r"\W*(?:(?:and|so|but)\W+)*(?:who(?:['’]?s|\s+is|\s+was)\s+)?(?:(?!who)[\w.-]+\s+)*"
    r"(?:(?!who)[\w.-]+['’]s?|his|her|their)\s+(?:\w+\s+)?(?:boss|manager|superior|gaffer)\W*",
    re.I,
)
_STRANDED = re.compile(rf"^\W*who(?:['’]?s| is| are| was| were)\s+[^?]*\bthe\s+(?P<role>{_WORD})\s+of\W*$", re.I)
"""Asks for the other end: "who is Ann the boss of?" """


def asked_role(text: str) -> Role | None:
    """Which end of a relation a question asks for: of "Nora's children" the child, of "whom did Ann teach?" the pupil;
    None where it tells none, or both."""
    if _TAUGHT.match(text):
        return Role(TEACHING, first=False)
    spoken = {ROLES[w] for w in re.findall(r"\w+", text.lower()) if w in ROLES}
    if _TEACHER.match(text) and not spoken - {ROLES["coach"]}:
        return Role(TEACHING, first=True)
    if answering := _ANSWERING.match(text):
        role = Role(LEADING, first=not answering["below"])
        return role if spoken <= ({role} if role.first else set()) else None  # not "who reports to Ann's boss?"
    if stranded := _STRANDED.match(text) or _HAVING_AS.match(text):
        return ROLES[stranded["role"].lower()].other
    found = {ROLES[m[m.lastgroup or 0].lower()] for m in _ASKED.finditer(text)}
    return found.pop() if len(found) == len(spoken) == 1 and not _NOT_OF.search(text) else None


def asks_who_answers(text: str) -> bool:
    """Whether a question says of two that one reports to the other, which no other relation tells: no boss is told by a
    job title."""
    return bool(_ANSWERING.match(text) or _OWN_BOSS.fullmatch(text))


_SAID_TO_ANSWER = re.compile(
    r"\b(?:(?:report|answer)(?:s|ed|ing)?|answerable|accountable)\s+(?:directly\s+)?to\b", re.I
)


def says_who_answers(text: str) -> bool:
    """Whether a claim says that somebody reports to somebody."""
    return bool(_SAID_TO_ANSWER.search(text))


def steps_up(text: str) -> int:
    """How many steps up from somebody a question asks for whose boss answers to whom: "who does Ann's boss report to?"
    for two; 0 for other questions."""
    answering = _ANSWERING.match(text)
    if answering is None or answering["below"]:
        return 0
    roles = [ROLES[w] for w in re.findall(r"\w+", answering["of"].lower()) if w in ROLES]
    return len(roles) + 1 if set(roles) == {Role(LEADING, first=True)} else 0


def roles_of(label: str) -> tuple[Role, Role] | None:
    """What the head and the tail of a relation are by its words: of "parent of" a parent and a child, of "parents" a
    child and a parent; None for other relations, and for those that may say either."""
    words = label.lower().split()
    while words and words[0] in ("is", "has", "was", "the", "a", "an"):
        words = words[1:]
    if not words:
        return None
    if " ".join(words) in _UP:
        return Role(LEADING, first=False), Role(LEADING, first=True)
    if len(words) == 2 and words[0] in ("line", "direct"):
        words = words[1:]
    if len(words) == 2 and words[1] == "of" and words[0] in ROLES:
        head = ROLES[words[0]]
        return head, Role(head.family, not head.first)
    if len(words) == 1 and words[0] in ROLES and words[0] in VERBS:
        return None  # "coaches" are whom one has, or what one does
    if len(words) == 1 and words[0] in ROLES:
        tail = ROLES[words[0]]
        return Role(tail.family, not tail.first), tail
    passive, active = words[1:] == ["by"], len(words) == 1
    if words[0] in VERBS and (passive or active):
        return Role(VERBS[words[0]], active), Role(VERBS[words[0]], passive)
    return None


def are_of_one_kind(asked: Role, text: str, role: Role, label: str) -> bool:
    """Whether a relation's end is of the family that a question asks for; "supervised by" tells of bosses, too."""
    families = {asked.family, role.family}
    return len(families) == 1 or (families == {TEACHING, LEADING} and bool(_BOTH.search(text) or _BOTH.search(label)))
