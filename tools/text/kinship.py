"""Words for relatives as steps over parents, children, siblings and spouses: a grandmother is a parent's mother.

After the composition of kin terms in componential analysis (Goodenough 1956): each term is a short chain of the four
primitive relations, the sex of its last member told by some.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from triplewise.tools.query_graph.linking.mentions import Word, singulars

Primitive = Literal["parent", "child", "sibling", "spouse"]
Sex = Literal["she", "he", ""]


@dataclass(frozen=True, slots=True)
class Kin:
    """One primitive step to a relative, and the relative's sex where the word tells it."""

    step: Primitive
    sex: Sex = ""


Chain = tuple[Kin, ...]
_NOUNS: tuple[tuple[Primitive, Sex, str], ...] = (
    ("parent", "", "parent"), ("parent", "she", "mother mum mom mam mummy"), ("parent", "he", "father dad daddy"),
    ("child", "", "child children kid"), ("child", "she", "daughter"), ("child", "he", "son"),
    ("sibling", "", "sibling"), ("sibling", "she", "sister sis"), ("sibling", "he", "brother bro"),
    ("spouse", "", "spouse"), ("spouse", "she", "wife wives"), ("spouse", "he", "husband hubby"),
)  # fmt: skip
_SEXED = {word: Kin(step, sex) for step, sex, words in _NOUNS for word in words.split()}
_UP, _DOWN, _BESIDE, _WED = Kin("parent"), Kin("child"), Kin("sibling"), Kin("spouse")
_FARTHER: dict[str, Chain] = {
    "uncle": (_UP, Kin("sibling", "he")), "aunt": (_UP, Kin("sibling", "she")),
    "auntie": (_UP, Kin("sibling", "she")), "nephew": (_BESIDE, Kin("child", "he")),
    "niece": (_BESIDE, Kin("child", "she")), "cousin": (_UP, _BESIDE, _DOWN),
}  # fmt: skip
_IN_FULL = {
    **dict.fromkeys(("gran", "granny", "grannie", "grandma", "granma", "nan", "nana"), "grandmother"),
    **dict.fromkeys(("grandpa", "granpa", "grandad", "gramps", "grandpop"), "grandfather"),
}
"""What grandparents are called."""
_SIDES: dict[str, Sex] = {"maternal": "she", "paternal": "he"}
_GRAND = re.compile(r"(?P<grand>grand)(?P<of>\w+)$")


def chains_at(words: Sequence[Word], at: int) -> tuple[int, tuple[Chain, ...]]:
    """How many words from a position on are one word for a relative, and the chains that it may mean; (0, ()) where
    there is none: a sister-in-law is a spouse's sister or a sibling's wife."""
    texts = [w.text for w in words[at : at + 5]]
    side: Sex = _SIDES.get(texts[0], "") if texts else ""
    first = 1 if side else 0
    greats = 0
    while texts[first + greats : first + greats + 1] == ["great"]:
        greats += 1
    length = first + greats
    if length >= len(texts):
        return 0, ()
    chains = _of_word(texts[length], greats, in_law=texts[length + 1 : length + 3] == ["in", "law"])
    length += 3 if texts[length + 1 : length + 3] == ["in", "law"] else 1
    if side:
        chains = tuple((Kin("parent", side), *c[1:]) for c in chains if c[0] == _UP and len(c) > 1)
    return (length, chains) if chains else (0, ())


def _of_word(word: str, greats: int, *, in_law: bool) -> tuple[Chain, ...]:
    for said in (word, *singulars(word)):
        form = _IN_FULL.get(said, said)
        own = _SEXED.get(form)
        if own and in_law:
            return _in_law(own)
        if own and not greats:
            return ((own,),)
        grand = _GRAND.match(form)
        last = _SEXED.get(grand["of"]) if grand else None
        if last and last.step in ("parent", "child"):
            return ((Kin(last.step),) * (greats + 1) + (last,),)
        if form in _FARTHER and not in_law:
            return (((_UP,) * greats + _FARTHER[form]),)
    return ()


def _in_law(own: Kin) -> tuple[Chain, ...]:
    if own.step == "parent":
        return ((_WED, own),)
    wed = Kin("spouse", own.sex)
    if own.step == "child":
        return ((_DOWN, wed),)
    return ((_WED, own), (_BESIDE, wed)) if own.step == "sibling" else ()


_OF_EITHER_SEX = tuple(
    (re.compile(rf"\b(?:{one}\s+(?:and|or)\s+{other}|{other}\s+(?:and|or)\s+{one})\b"), word)
    for one, other, word in (
        ("brothers?", "sisters?", "siblings"),
        ("sons?", "daughters?", "children"),
        ("(?:mother|mum|mom|mam)", "(?:father|dad)", "parents"),
    )
)


_FOLKS = re.compile(r"(?:(?<=['’]s )|(?<=s['’] )|(?<=\bher )|(?<=\b(?:his|our) )|(?<=\btheir ))folks\b")


def in_one_word(text: str) -> str:
    """A sentence with one word for what it calls by two: "brothers and sisters" are siblings. Somebody's folks are the
    parents. With capitals they may be a name."""
    text = _FOLKS.sub("parents", text)
    for pair, word in _OF_EITHER_SEX:
        text = pair.sub(word, text)
    return text


def kin_of_label(label: str) -> tuple[Kin, bool] | None:
    """Whom a relation's words name, and whether it is the head: "mother" the tail, "mother of" the head; None for the
    relations of no relatives. Both ends of a marriage are spouses."""
    words = re.findall(r"[a-z]+", label.lower())
    while words and words[0] in ("is", "has", "was", "the", "a", "an", "her", "his", "their", "its", "my", "our"):
        words = words[1:]
    while len(words) > 1 and words[-1] in ("is", "was", "name"):
        words = words[:-1]  # "mother is"
    if words in (["married", "to"], ["married"], ["wed", "to"], ["spouses"], ["other", "half"]):
        return _WED, False
    if len(words) == 3 and words[1] in ("or", "and"):  # "mum or dad"
        kin = {k for w in (words[0], words[2]) for form in (w, *singulars(w)) if (k := _SEXED.get(form))}
        return (Kin(kin.pop().step, ""), False) if len(kin) == 2 and len({k.step for k in kin}) == 1 else None
    if not words or len(words) > 2 or (len(words) == 2 and words[1] != "of"):
        return None
    kin = next((k for form in (words[0], *singulars(words[0])) if (k := _SEXED.get(form))), None)
    return (kin, len(words) == 2) if kin else None


def chains_of_label(label: str) -> tuple[tuple[Chain, ...], bool]:
    """The chains of several steps that a relation's words tell in one, "gran of", "uncle", and whether it is the head
    who is that."""
    words = re.findall(r"[a-z]+", label.lower())
    if not words or words[1:] not in ([], ["of"]):
        return (), False
    return tuple(c for c in _of_word(words[0], 0, in_law=False) if len(c) > 1), len(words) == 2
