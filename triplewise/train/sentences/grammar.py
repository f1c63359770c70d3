"""English for relations: phrases, questions and statements from the verbalisations of ``lexicon.yaml``.

A verbalisation tells how one relation between L (head) and R (tail) is put: as a noun ("R is the director of L"),
an attribute ("L has the genre R"), a verb ("L played for R") or with to be ("L was born in R"). From it
follow noun phrases for either end ("the films that X directed"), questions, statements and denials, so
that phrases nest to any depth.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_IRREGULAR = {
    "make": "made made", "write": "wrote written", "come": "came come", "take": "took taken", "shoot": "shot shot",
    "bring": "brought brought", "broadcast": "broadcast broadcast", "speak": "spoke spoken", "win": "won won",
    "get": "got got", "go": "went gone", "break": "broke broken", "split": "split split", "spend": "spent spent",
    "have": "had had", "lie": "lay lain", "sell": "sold sold", "hold": "held held", "teach": "taught taught",
    "send": "sent sent", "lead": "led led", "sit": "sat sat", "fight": "fought fought", "deal": "dealt dealt",
    "star": "starred starred", "dub": "dubbed dubbed", "pen": "penned penned",
}  # fmt: skip
_PLURALS = {"person": "people", "child": "children", "wife": "wives", "means": "means", "series": "series"}
_BARE_PLURALS = ("series", "means of transport")
_ARTICLES = ("the ", "a ", "an ", "these ")
_ADVERBS = ("executive", "officially", "partially")


@dataclass(frozen=True, slots=True)
class Verbalisation:
    """``side``: "L" or "R", the subject or whose noun it is; ``kind``: noun, attr, verb or be; ``rest`` follows
    the verb ("for" of "play for"), or is the whole predicate after to be."""

    side: str
    kind: str
    word: str
    rest: str = ""
    past: bool = False

    @property
    def other(self) -> str:
        """The other side."""
        return "R" if self.side == "L" else "L"


@dataclass(frozen=True, slots=True)
class Entry:
    """A relation of the lexicon: its ends' classes, other names, verbalisations; ``many``: ends with several things."""

    key: str
    ends: tuple[str, str]
    words: tuple[str, ...]
    verbalisations: tuple[Verbalisation, ...]
    many: str

    def end(self, side: str) -> str:
        """The class at a side."""
        return self.ends[0] if side == "L" else self.ends[1]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase and whether it is plural; ``name``: it is an entity's name."""

    text: str
    plural: bool = False
    name: bool = False


def parse_verbalisation(text: str) -> Verbalisation:
    """Read "R noun director", "L did play for", "L was born in"."""
    side, kind, *words = text.split()
    if kind in ("noun", "attr"):
        return Verbalisation(side, kind, " ".join(words))
    if kind in ("did", "does"):
        lead = words.pop(0) + " " if words[0] in _ADVERBS else ""
        return Verbalisation(side, "verb", lead + words[0], " ".join(words[1:]), kind == "did")
    return Verbalisation(side, "be", "be", " ".join(words), kind == "was")


@cache
def classes() -> dict[str, dict[str, Any]]:
    """Class → its question word and its words."""
    return _lexicon()["classes"]


@cache
def _lexicon() -> dict[str, Any]:
    return yaml.safe_load((Path(__file__).parent / "lexicon.yaml").read_text(encoding="utf-8"))


@cache
def entries() -> dict[str, tuple[Entry, bool]]:
    """Relation id → its record, and whether head and tail are swapped."""
    found: dict[str, tuple[Entry, bool]] = {}
    for record in _lexicon()["relations"]:
        entry = Entry(
            record["names"][0].lstrip("^"), (record["L"], record["R"]), tuple(record["words"]),
            tuple(parse_verbalisation(s) for s in record["say"]), record.get("many", ""),
        )  # fmt: skip
        for name in record["names"]:
            found[name.lstrip("^")] = (entry, name.startswith("^"))
    return found


def generic_entry(relation: str, label: str) -> Entry:
    """A record for a relation that the lexicon lacks, from its label alone ("birth place", "directed by")."""
    words = label.split()
    if len(words) > 1 and words[-1] in ("by", "of", "in", "at", "for", "to", "from", "with", "on", "as"):
        forms = (Verbalisation("L", "be", "be", label),)
    else:
        forms = (Verbalisation("R", "noun", label), Verbalisation("R", "attr", label))
    return Entry(relation, ("thing", "thing"), (label,), forms, "")


# words ------------------------------------------------------------------------------------------------


def plural(noun: str) -> str:
    """The plural of an English noun phrase, by its head ("country of origin" → "countries of origin")."""
    if noun in _BARE_PLURALS:
        return noun
    head, of, rest = noun.partition(" of ")
    *before, last = head.split(" ")
    if last in _PLURALS:
        last = _PLURALS[last]
    elif re.search(r"[^aeiou]y$", last):
        last = last[:-1] + "ies"
    elif re.search(r"(s|x|sh|ch)$", last):
        last += "es"
    else:
        last += "s"
    return " ".join([*before, last]) + of + rest


def inflect(verb: str, form: str) -> str:
    """A verb's "third" person, "past" or "participle"."""
    *before, base = verb.split(" ")
    if form == "third":
        if base == "have":
            word = "has"
        elif re.search(r"[^aeiou]y$", base):
            word = base[:-1] + "ies"
        else:
            word = base + ("es" if re.search(r"(s|x|sh|ch|o)$", base) else "s")
    elif base in _IRREGULAR:
        word = _IRREGULAR[base].split()[form == "participle"]
    elif base.endswith("e"):
        word = base + "d"
    elif re.search(r"[^aeiou]y$", base):
        word = base[:-1] + "ied"
    else:
        word = base + "ed"
    return " ".join([*before, word])


def be(past: bool, many: bool) -> str:
    """was, were, is or are."""
    return ("were" if many else "was") if past else ("are" if many else "is")


def article(noun: str) -> str:
    """A noun with a or an."""
    vowel = noun[:1].lower() in "aeiou" and not re.match(r"(?i)(uni|use|one|eu)", noun)
    return f"{'an' if vowel else 'a'} {noun}"


def finite(form: Verbalisation, many: bool) -> str:
    """The verbalisation's verb after its subject: "stars in", in the plural "star in", in the past "starred in"."""
    verb = inflect(form.word, "past") if form.past else form.word if many else inflect(form.word, "third")
    return f"{verb} {form.rest}".strip()


# clauses -----------------------------------------------------------------------------------------------


def predicate(
    entry: Entry, form: Verbalisation, side: str, obj: str, many: bool = False, no: bool = False
) -> str | None:
    """The predicate of the end ``side`` as subject ("was directed by X"); None where the verbalisation has none."""
    deny = " not" if no else ""
    if form.kind in ("noun", "attr"):
        noun = plural(form.word) if many else form.word
        if side == form.side:
            the = noun if many and no else f"the {noun}" if many or side not in entry.many else article(noun)
            return f"{be(False, many)}{deny} {the} of {obj}"
        has = ("do not have" if many else "does not have") if no else ("have" if many else "has")
        if form.kind == "attr":
            return None if obj.startswith(_ARTICLES) else f"{has} the {form.word} {obj}"
        return None if entry.end(side) in _people() else f"{has} {obj} as {'their' if many else 'its'} {form.word}"
    if form.kind == "be":
        return f"{be(form.past, many)}{deny} {_agree(form.rest, many)} {obj}" if side == form.side else None
    if side == form.side:
        do = f"{'did' if form.past else 'do' if many else 'does'} not {form.word} {form.rest}".strip()
        return f"{do if no else finite(form, many)} {obj}"
    return None if form.rest else f"{be(form.past, many)}{deny} {inflect(form.word, 'participle')} by {obj}"


def _agree(rest: str, many: bool) -> str:
    """ "a member of" becomes "members of" after a plural."""
    match = re.fullmatch(r"an? (\w+) of", rest)
    return f"{plural(match[1])} of" if many and match else rest


@cache
def _people() -> frozenset[str]:
    return frozenset(name for name, c in classes().items() if c["wh"] == "who")


def gap(form: Verbalisation, side: str, subject: Phrase) -> str | None:
    """A clause without the end ``side`` ("X directed", "X was born in"); None where there is none."""
    if form.side == side or form.kind == "attr":
        return None
    if form.kind == "noun":
        return None if subject.plural else f"{subject.text} is the {form.word} of"
    if form.kind == "be":
        return f"{subject.text} {be(form.past, subject.plural)} {_agree(form.rest, subject.plural)}"
    return f"{subject.text} {finite(form, subject.plural)}"


def statement(entry: Entry, form: Verbalisation, left: str, right: str) -> tuple[str, tuple[str, str]]:
    """The plain statement of a relation, and its ends in the order of the text."""
    subject, obj = (left, right) if form.side == "L" else (right, left)
    if form.kind == "attr":
        text, ends = f"The {form.word} of {obj} is {subject}.", (obj, subject)
    elif form.kind == "noun":
        the = article(form.word) if form.side in entry.many else f"the {form.word}"
        text, ends = f"{subject} is {the} of {obj}.", (subject, obj)
    elif form.kind == "be":
        text, ends = f"{subject} {be(form.past, False)} {form.rest} {obj}.", (subject, obj)
    else:
        text, ends = f"{subject} {finite(form, False)} {obj}.", (subject, obj)
    return re.sub(r"\.\.$", ".", text[:1].upper() + text[1:]), ends


class Realiser:
    """Chooses among the forms of the grammar with a random generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def word(self, class_: str) -> str:
        """One of a class's words."""
        return self.rng.choice(classes()[class_]["words"])

    def phrase(
        self, entry: Entry, form: Verbalisation, side: str, known: Phrase, many: bool, class_: str = ""
    ) -> Phrase:
        """A noun phrase for the end ``side``, the other end being ``known``: "the films that X directed"."""
        noun = self.word(class_ or entry.end(side))
        head = plural(noun) if many else noun
        options: list[str] = []
        if form.kind in ("noun", "attr") and side == form.side:
            own = plural(form.word) if many else form.word
            options += [f"the {own} of {known.text}"] * 3
            if known.name and not known.text.endswith("s"):
                options.append(f"{known.text}'s {own}")
        if form.kind in ("noun", "attr") and side != form.side:
            options.append(f"the {head} whose {form.word} is {known.text}" if not known.plural else "")
            if form.kind == "attr" and known.name:
                options += [f"the {head} with the {form.word} {known.text}"] * 2
        clause = gap(form, side, known)
        if clause and clause.split()[-1] in ("in", "at") and classes()[class_ or entry.end(side)]["wh"] == "where":
            options.append(f"the {head} where {clause.rsplit(' ', 1)[0]}")
        if clause:
            options += [f"the {head} that {clause}", f"the {head} {clause}"]
        does = predicate(entry, form, side, known.text, many)
        if does and not (form.kind in ("noun", "attr") and side == form.side):
            options += [f"the {head} {'who' if (class_ or entry.end(side)) in _people() else 'that'} {does}"]
            reduced = re.match(r"(?:was|were|is|are) (.+)", does)
            if reduced and not re.match(r"(the|an?|in|about) ", reduced[1]):
                options += [f"the {head} {reduced[1]}"] * 2
        options = [o for o in options if o] or [f"the {head} whose {form.word} is among {known.text}"]
        return Phrase(self.rng.choice(options), many)

    def question(
        self, entry: Entry, form: Verbalisation, side: str, known: Phrase, many: bool, class_: str = ""
    ) -> str:
        """A question for the end ``side``: "which films did X direct", without capital and question mark."""
        class_ = class_ or entry.end(side)
        wh, noun = classes()[class_]["wh"], self.word(class_)
        which = f"{self.rng.choice(['which', 'what'])} {plural(noun) if many else noun}"
        open_ = "who" if wh == "who" else "what"
        options: list[str] = []
        own = plural(form.word) if many else form.word
        if form.kind in ("noun", "attr") and side == form.side:
            options += [f"{open_} {be(False, many)} the {own} of {known.text}"] * 3
            options += [f"name the {own} of {known.text}", f"the {own} of {known.text} {be(False, many)} {open_}"]
            if known.name and not known.text.endswith("s"):
                options.append(f"{open_} {be(False, many)} {known.text}'s {own}")
            if form.kind == "attr" or not known.plural:
                options.append(f"what {own} {'do' if known.plural else 'does'} {known.text} have")
        else:
            options += self._subject_questions(entry, form, side, known, many, [which, which, open_])
        options += self._object_questions(form, known, which, wh, open_) if form.side != side else []
        phrase = self.phrase(entry, form, side, known, many, class_).text
        lead = ["what are", "name", "list", "tell me", "find", "can you tell me", "show me", "give me"]
        options.append(f"{self.rng.choice(lead[bool(not many) :])} {phrase}")
        return self.rng.choice(options)

    def _subject_questions(
        self, entry: Entry, form: Verbalisation, side: str, known: Phrase, many: bool, whom: list[str]
    ) -> list[str]:
        found = []
        for who in whom:
            plural_verb = many and who not in ("who", "what")
            if does := predicate(entry, form, side, known.text, plural_verb):
                found.append(f"{who} {does}")
        return found

    def _object_questions(self, form: Verbalisation, known: Phrase, which: str, wh: str, open_: str) -> list[str]:
        """Questions for an object: did-questions, the preposition first or last, where and when."""
        if form.kind in ("noun", "attr"):
            return [] if known.plural or form.kind == "attr" else [f"{known.text} is the {form.word} of {which}"]
        if form.kind == "be":
            verb, rest = be(form.past, known.plural), _agree(form.rest, known.plural)
            asked = [f"{which} {verb} {known.text} {rest}", f"{known.text} {verb} {rest} {which}"]
            core = f"{verb} {known.text}"
        else:
            verb = "did" if form.past else "do" if known.plural else "does"
            core, rest = f"{verb} {known.text} {form.word}", form.rest
            whom = "whom" if open_ == "who" else "what"
            asked = [f"{which} {core} {rest}", f"{which} {core} {rest}", f"{open_} {core} {rest}"]
            asked.append(f"{known.text} {finite(form, known.plural)} {self.rng.choice([which, whom])}")
        *before, last = rest.split() or [""]
        if last in ("in", "at") and wh in ("where", "when") and (wh == "where" or last == "in"):
            asked += [f"{wh} {core} {' '.join(before)}".strip()] * 3
        if last in ("in", "at", "for", "from", "to", "with", "by", "of", "on") and len(before) < 2:
            asked.append(f"{last} {which} {core} {' '.join(before)}")
        return [" ".join(a.split()) for a in asked]
