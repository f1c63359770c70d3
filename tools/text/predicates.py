"""Relation names as the predicates of English clauses: "based_at" → "is based at", "hasMember" → "has the member";
nouns ("price") have none.

What people are shown is made of these; the trained encoder reads a relation's bare words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.kg.query.graph import NAME, alternatives, either_words
from triplewise.kg.values import Kind, parse_value
from triplewise.tools.text.abbreviations import in_full
from triplewise.tools.text.verb_forms import (
    ADVERBS,
    PREPOSITIONS,
    base_form,
    is_adjective,
    is_auxiliary,
    is_intransitive,
    is_modal,
    is_participle,
    is_past,
    is_person,
    is_plural,
    is_progressive,
    is_third_person,
    takes_no_object,
    with_article,
    with_article_of,
    word_set,
)

_ROLE_NOUN = word_set("of to for")
_HELD = word_set("charge command reserve duty call shift")
""" "In charge: Ann" has Ann in charge; of numbers, "in stock: 40" has 40 in stock."""
_STATES = _HELD | word_set("hand store stock production use")
_UNNAMED = word_set("whom what which where date day year time days")
"""What the end of a relation need not be called after a preposition: "from whom", "on day"."""
_OF_VALUES = word_set("""
    costs weighs measures pays earns holds lasts takes starts ends opens closes leaves lifts carries begins runs
    sleeps feeds
""")
_PARTICLES = word_set("out off up down away back on in first together")
_PLACED = re.compile(
    r"(?P<verb>(?:.* )?(?:lives|based|located|situated|kept|stored|housed|held|born|built|made|stabled|moored|parked|"
    r"buried)) (?:in|at)"
)
"""Verbs after which "in" and "at" lead to a place."""
_DATED = ("date", "year", "time")
_SAMPLE = 12
"""Triples that tell whether a relation leads to values."""
_TAILS = 60
"""Triples that tell whether several things are in a relation to one."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """What stands between the ends of a relation: "is kept at", "has the member …", "has … in stock"."""

    verb: str = ""
    noun: str = ""
    """What a tail is called: "member"."""
    counted: bool = False
    """Whether the tail is a number of the noun: "holds 40 litres"."""
    after: str = ""
    """What follows a tail."""
    kind: Kind | None = None
    """Of the tails; None for things."""
    sorts: bool = False
    """Whether a tail is what something is: "is a"."""

    def __bool__(self) -> bool:
        return bool(self.verb)

    def __str__(self) -> str:
        return f"{self.verb} the {self.noun}" if self.noun and not self.counted else self.verb

    def of(self, tail: str, named: bool = True) -> str:
        """The predicate with its tail; ``named``: it is no variable, so that its name may hold the noun."""
        if self.kind == "yes-no" and named and (said := _said_or_not(self.verb, parse_value(tail).key)):
            return said
        if self.sorts:
            return f"{self.verb} {with_article(tail)}"
        if self.counted:
            return f"{self.verb} {tail} {self.noun or self.after}"
        if self.after:
            return f"{self.verb} {tail} {self.after}"
        if self.noun and not (named and tail.casefold().endswith(f" {self.noun.casefold()}")):
            return f"{self} {tail}"
        if self.kind in _DATED and self.verb.split()[-1] not in PREPOSITIONS:
            value = parse_value(tail)
            is_month = named and value.kind == "date" and value.key[2] == 0
            kind = "year" if is_month else value.kind if named else self.kind
            return f"{self.verb} {_PREPOSITION_OF.get(kind, 'in')} {tail}"
        return f"{self.verb} {tail}"

    def asked(self, head: str, what: str = "what") -> str:
        """The tail as a question within a sentence: "what X belongs to", "where X is based", "which member X has"."""
        verb = self.verb
        if self.kind == "yes-no":
            return f"whether {head} {verb}"
        if self.counted or (self.after and self.kind == "number"):
            return f"how many {self.noun} {head} {verb}".replace("  ", " ") + (f" {self.after}" if self.after else "")
        if self.after:
            return f"{what} {head} {verb} {self.after}"
        if self.sorts:
            return f"what {head} {verb}"
        if self.kind in _DATED:
            rest, _, last = verb.rpartition(" ")
            if last in ("on", "in", "at") and rest:
                return f"when {head} {rest}"
            return f"{last} when {head} {rest}" if rest and last in PREPOSITIONS else f"when {head} {verb}"
        if what == "what" and (place := _PLACED.fullmatch(verb)):
            return f"where {head} {place['verb']}"
        if self.noun and what in ("what", "who"):
            what = f"which {self.noun}"
        return f"{what} {head} {verb}"


_PREPOSITION_OF: dict[Kind | None, str] = {"date": "on", "year": "in", "time": "at"}


def predicate(store: KGStore, relation: str) -> Predicate:
    """How a relation's words stand between its ends; an empty one where they are a noun."""
    if relation == NAME:
        return Predicate("is also called")
    known = relation in store.relation_ids()
    told = alternatives(relation, store.relation_ids)
    labels = [store.relation_label(r) for r in told] if known or len(told) > 1 else [relation]
    words = in_full(one_line(either_words(labels))).split()
    kind = value_kind(store, relation) if known else None
    kind = None if kind == "text" else kind
    found = _yes_no(words) if kind == "yes-no" else _of_things(words, kind)
    if re.fullmatch(r"is [^\s,]+(?: \S+)* (?:of|to|for)", found.verb) and _is_role(words):
        noun = with_article_of(" ".join(words[:-1]))
        if not _of_several(store, relation):
            noun = re.sub(r"^an? ", "the ", noun)
        found = replace(found, verb=f"is {noun} {words[-1]}")
    return replace(found, kind=kind)


def _of_things(words: list[str], kind: Kind | None) -> Predicate:
    """The form of a relation that does not tell whether something is so."""
    lower = [w.lower() for w in words]
    first, text = lower[0], " ".join(words)
    if is_auxiliary(first):
        if lower[-1] in ("a", "an") and first in ("is", "are", "was"):
            return Predicate(" ".join(words[:-1]), sorts=True)
        return _with_object(words, 1 + (is_modal(first) or (len(words) > 2 and is_participle(lower[1]))), kind)
    if first in ADVERBS and len(words) > 1 and is_third_person(lower[1]):
        return Predicate(text)
    if first in ADVERBS and len(words) > 1 and (is_past(lower[1]) or is_participle(lower[1])):
        rest = _of_things(words[1:], kind)
        verb, *more = rest.verb.split()
        if verb in ("is", "was") and more:  # a past deed, as its adverb tells
            return replace(rest, verb=f"{'is' if first == 'usually' else 'was'} {first} {' '.join(more)}")
        return replace(rest, verb=f"{first} {rest.verb}") if rest else Predicate()
    if lower[:2] == ["used", "to"]:
        return Predicate(text)
    if first in PREPOSITIONS:
        return _after_preposition(words, kind)
    if is_past(first) or is_participle(first):
        return _past(words, lower, kind)
    if first.endswith("ing") and (is_progressive(first) or lower[-1] in PREPOSITIONS) and len(words) < 3:
        return Predicate(f"has been {text}" if lower[-1] == "since" else f"is {text}")
    if is_third_person(first):
        if kind is None or lower[-1] in PREPOSITIONS or kind in _DATED:
            return _with_object(words, 1, kind)
        return _with_object(words, 1, kind) if first in _OF_VALUES else Predicate()
    if lower[-1] in PREPOSITIONS and len(words) > 1 and kind != "number":
        return Predicate(_noun_before(words, lower))
    return Predicate()


def _noun_before(words: list[str], lower: list[str]) -> str:
    """A noun or an adjective before a preposition: "copy of", "music by", "native to", "contract until"."""
    text, last = " ".join(words), lower[-1]
    inner = lower[1:-1]
    if is_adjective(lower[0]) or (not set("aeiouy") & set("".join(lower[:-1])) and last != "since"):  # "tkn by"
        return f"has been {text}" if last == "since" else f"is {text}"
    if any(is_third_person(w) or w in ("go", "went") for w in inner):
        return ""  # "build depends on"
    if any(is_participle(w) or is_past(w) for w in inner):
        return f"has {text}"  # "scores kept by"
    if last == "since":
        return f"has been {with_article_of(' '.join(words[:-1]))} since"
    if last in _ROLE_NOUN or last in ("as", "than", "between", "after", "before"):
        return f"is {text}"
    noun = with_article_of(" ".join(words[:-1]))
    return f"{'is' if is_person(lower[-2]) and last != 'by' else 'has'} {noun} {words[-1]}"


def _after_preposition(words: list[str], kind: Kind | None) -> Predicate:
    """ "In country", "via route": what the tail is called stands after the preposition."""
    lower = [w.lower() for w in words]
    if lower[-1] in PREPOSITIONS:
        text = " ".join(["there", *words] if lower == ["since"] else words)
        return Predicate(f"has been {text}" if lower[-1] == "since" else f"is {text}")
    if len(words) == 2 and (
        lower[1] in _STATES if kind == "number" else lower[1] in _HELD and lower[0] in ("in", "on")
    ):
        return Predicate("has", after=" ".join(words), counted=kind == "number")
    noun = "" if lower[1] in _UNNAMED else " ".join(words[1:])
    return Predicate(f"is {words[0]}", noun)


def _past(words: list[str], lower: list[str], kind: Kind | None) -> Predicate:
    """ "Built", "sank in", "written by", "joined staff", "affected"."""
    first, last, text = lower[0], lower[-1], " ".join(words)
    ends = (
        last in PREPOSITIONS and len(words) > 1 and (last not in _PARTICLES or kind in _DATED or last in ("on", "in"))
    )
    passive = is_participle(first) and (not is_intransitive(first) or last == "by")
    be = "was" if first == "born" or (kind in _DATED and last not in ("until", "since")) else "is"
    if ends and last == "since" and passive:
        return Predicate(f"has been {text}")
    if ends:
        return Predicate(f"{be} {text}" if passive else text)
    if kind in _DATED:
        if len(words) > 1 and last in ("year", "date", "day", "time"):
            text = " ".join(words[:-1])
        return Predicate(f"{be} {text}" if passive else text)
    if kind is not None:
        return Predicate(f"{be} {text}") if len(words) == 1 and not is_past(first) else Predicate()
    if any(w in PREPOSITIONS for w in lower[1:-1]):
        found = _with_object(words, 1, kind)
        return replace(found, verb=f"{be} {found.verb}") if passive else found
    if takes_no_object(" ".join(lower)):
        return Predicate("has", after=f"as one that {text}")
    if len(words) == 1 or all(w in _PARTICLES for w in lower[1:]):
        return Predicate(text if is_past(first) else f"is {text}")
    if not passive or first == "won":
        return _with_object(words, 1, kind)
    return Predicate()  # "required cert" is a noun


def _with_object(words: list[str], verbs: int, kind: Kind | None) -> Predicate:
    """A verb and the noun that follows it, as what its tail is called: "holds cert", "leads to cert"."""
    lower = [w.lower() for w in words]
    if lower[-1] in PREPOSITIONS or len(words) == verbs:
        return Predicate(" ".join(words))
    at = next((i + 1 for i in range(len(words) - 2, verbs - 1, -1) if lower[i] in PREPOSITIONS), verbs)
    if kind is None and all(w in _PARTICLES or is_adjective(w) or w in ("no", "best") for w in lower[at:]):
        return Predicate(" ".join(words))
    if kind in _DATED:
        return Predicate(" ".join(words))
    rest = words[at + 1 :] if lower[at] in ("the", "a", "an") else words[at:]
    return Predicate(" ".join(words[:at]), " ".join(rest), counted=kind == "number")


def _yes_no(words: list[str]) -> Predicate:
    """What is said of a thing to which "yes" is told; empty for a noun."""
    lower, text = [w.lower() for w in words], " ".join(words)
    if lower[0] == "has" and len(words) == 2:
        return Predicate(f"has {with_article_of(words[1])}")
    if is_auxiliary(lower[0]) or (is_third_person(lower[0]) and len(words) > 1):
        return Predicate(text)
    if lower[0] in PREPOSITIONS:
        return Predicate(f"is {text}")
    if is_intransitive(lower[0]) and len(words) == 1:
        return Predicate(f"has {text}")
    last = lower[-1]
    if len(words) > 1 and is_adjective(lower[0]):
        so = lower[1] in PREPOSITIONS or is_adjective(last)
    else:
        so = is_participle(lower[0]) or (is_adjective(last) and last not in _PARTICLES and not is_plural(lower[0]))
    return Predicate(f"is {text}" if so else "")


def _said_or_not(verb: str, key: tuple[float, ...]) -> str:
    """A yes-no predicate as it is, or denied."""
    if key:
        if key[0]:
            return verb
        first, _, rest = verb.partition(" ")
        if first in ("has", "have", "had") and not is_past(rest.partition(" ")[0]):
            return f"{first} no {re.sub(r'^an? ', '', rest)}"
        if is_auxiliary(first) and first not in ("does", "did"):
            return "cannot " + rest if first == "can" else f"{first} not {rest}"
        return f"does not {base_form(verb)}"
    return ""


def _is_role(words: list[str]) -> bool:
    """Whether the words before the last are a noun that one of several may be: "member of"; not "on land of"."""
    first = words[0].lower()
    return not (
        first in PREPOSITIONS or is_adjective(first) or is_participle(first) or is_past(first) or first in ADVERBS
        or is_third_person(first) or is_auxiliary(first) or first == "to" or not set("aeiouy") & set(first)
    )  # fmt: skip


def _of_several(store: KGStore, relation: str) -> bool:
    """Whether one thing has several in this relation to it, so that each is "a member" and not "the captain"."""
    told = alternatives(relation, store.relation_ids)
    tails = [t.tail for r in told for _, t in zip(range(_TAILS), store.triples(relation=r), strict=False)]
    return len(set(tails)) < len(tails)


def is_named(store: KGStore, node: str) -> bool:
    """Whether a node is a thing that has a name rather than a value or a quality: it has properties of its own."""
    if store.is_literal(node) or not store.has_entity(node):
        return False
    return bool(store.types(node)) or any(not r.inverse for r in store.relations(node))


def value_kind(store: KGStore, relation: str) -> Kind | None:
    """What a relation's first triples lead to: dates, numbers, texts …; None for things."""
    tails = [t.tail for _, t in zip(range(_SAMPLE), store.triples(relation=relation), strict=False)]
    values: list[Kind] = []
    for tail in tails:
        kind = parse_value(store.label(tail)).kind
        if kind != "text" or store.is_literal(tail):
            values.append(kind)
    return values[0] if 2 * len(values) > len(tails) else None
