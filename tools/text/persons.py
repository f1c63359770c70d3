"""Which things of a graph are persons, for "he" and "she": the graph need not say so."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import Literal

from triplewise.kg.names import fold
from triplewise.tools.query_graph.schema_view import SchemaView

_NAME_OF_PERSON = re.compile(r"^[^\W\d_][\w'’.-]*(?: (?:[^\W\d_]\.?|de|van|von|der|da|al|[A-ZÀ-ÞŁŠŽ][\w'’.-]+))+$")
_OF_PERSONS = re.compile(
    r"\b(?:birth\w*|born|age|died|death|married|spouse|wife|husband|mother|father|parent|sibling|job|profession|employ\w*|"
    r"hired|joined|works?|worked|trained|taught(?! by)|studie[sd]|speaks|nationality|phone|email|lives|grew up|gender|"
    r"surname|reports to|salary|appointed)\b",
    re.I,
)
_OF_THINGS = re.compile(
    r"\b(?!examined|referred|treated)\w+ by\b|\b(?:capacity|seats|located|built|opened|founded|enacted|height|"
    r"length|area|made (?:of|in)|prices?|costs?|minutes|published|floor|headquarters|based in|surface|series|soil|"
    r"colours?|budget|formed|genres?|fee|starts at)\b",
    re.I,
)
"""Words of relations that people have, and that other things have, whose names may look like people's."""
_OF_EVENTS_AND_PLACES = re.compile(
    r"\b(?:ends? (?:on|at)|ended|finish(?:es|ed)?|held (?:at|in|on)|carried out|tak(?:es|en) place|took place|"
    r"attendance|attended by|located|area|altitude|elevation|inhabitants|population|soil|planted)\b",
    re.I,
)
"""Relations that only events and places have: nobody calls a repair or a hill "she", as a ship or a cow is called."""
_SAMPLE = 40
"""Things of a kind whose names are looked at."""
_NAMED = 0.6
"""Share of them that must have names as people do."""
_WRITTEN = 200
"""Things by whose names it is seen how a graph writes."""


_OF_PEOPLE_ONLY = re.compile(
    r"\b(?:spouse|wife|husband|married|job|profession|employ\w*|hired|joined|works?|worked|studie[sd]|speaks|nationality|"
    r"phone|email|surname|reports to|salary|appointed)\b",
    re.I,
)
"""Relations that animals, which are called by one name too, do not have."""
_OF_ONE = re.compile(
    r"\b(?:spouse|wife|husband|married|job|profession|hired|joined|surname|reports to|salary|first name)\b", re.I
)
"""Relations that no company has, however it is called."""
_ONE_NAME = re.compile(r"[A-ZÀ-ÞŁŠŽ][^\W\d_]*(?:['’-][^\W\d_]+)*")


_ROLE = re.compile(
    r"\b(?:persons?|people|m[ae]n|wom[ae]n|customers?|clients?|guests?|patients?|patrons?|staff|employees?|members?|"
    r"students?|pupils?|nurses?|agents?|coach(?:es)?|relatives?|friends?|\w+(?:ists?|ians?|m[ae]n|eers?))$|"
    r"(?P<doer>\w{2,}[eo]rs?|hands?|masters?|guards?)$",
    re.I,
)
"""What people are called by what they do or are to others; machines and rivers end like "doer" too."""
_BY = re.compile(r"\b(?:by|whom|with)$")
_COMPANIES = re.compile(r"\b(?:founded|headquarters|based in|head office|owned by|run by|built by)\b", re.I)
Person = Literal["person", "thing", ""]
"""Whether something is surely a person, surely none, or may be either: animals and ships are called as people are."""


class Persons:
    """The kinds of persons in one graph."""

    def __init__(self, schema: SchemaView) -> None:
        self.schema = schema
        self._kinds: dict[str, bool] = {}
        self._sure: dict[str, Person] = {}

    @cached_property
    def _all_small(self) -> bool:
        """Whether the graph writes names without capitals."""
        store = self.schema.store
        return not any(any(map(str.isupper, store.label(n))) for n in islice(store.entities(), _WRITTEN))

    def _as_written(self, name: str) -> str:
        """A name with the capitals that people's names have, where the graph writes none."""
        return name.title() if self._all_small else name

    def holds(self, node: str) -> bool:
        """Whether a thing is of a kind of persons: most of them have names as people do, and relations as people have
        them, or none as only other things do (castles and ships are called as people are)."""
        for kind in self.schema.kinds(node)[:1]:
            if kind not in self._kinds:
                self._kinds[kind] = self._are_persons(kind)
            return self._kinds[kind]
        return False

    def sure(self, node: str) -> Person:
        """Whether a thing is surely a person or surely none, by its kind."""
        if not self.schema.store.has_entity(node):
            return ""
        for kind in self.schema.kinds(node)[:1]:
            if kind not in self._sure:
                self._sure[kind] = self._surely(kind)
            return self._sure[kind]
        return "" if self.called(self.schema.store.label(node)) else "thing"

    def maybe(self, node: str) -> bool:
        """Whether a thing may at all be "he" or "she": it does what people do, or has a name, as most of its kind, as
        animals and ships have too, and no number, code or phrase; and it is neither an event nor a place."""
        kinds = self.schema.kinds(node)[:1]
        if any(_ROLE.search(self.schema.store.label(kind)) for kind in kinds):
            return True
        told = " . ".join(text for kind in kinds for text in self._told(kind, inverse=False))
        if _OF_EVENTS_AND_PLACES.search(told) and not _OF_PERSONS.search(told):
            return False
        sample = [m for kind in kinds for m in list(self.schema.members(kind))[:_SAMPLE]] or [node]
        return sum(map(self._has_name, sample)) >= _NAMED * len(sample)

    def called(self, name: str) -> bool:
        """Whether a name is one as people have."""
        return bool(_NAME_OF_PERSON.match(name))

    def _surely(self, kind: str) -> Person:
        schema, store = self.schema, self.schema.store
        sample = list(schema.members(kind))[:_SAMPLE]
        least = _NAMED * max(1, len(sample))
        named = sum(self._named(m) for m in sample)
        own, others = self._told(kind, inverse=False), self._told(kind, inverse=True)
        role = _ROLE.search(store.label(kind))
        does = bool(role) and (not role.group("doer") or any(map(_BY.search, others)))
        told = " . ".join(own)
        of_persons, of_things = bool(_OF_PERSONS.search(told)), bool(_OF_THINGS.search(told))
        people = bool(role) and not role.group("doer")
        if named >= least and ((people and _OF_ONE.search(told)) or (of_persons and not of_things)):
            return "person"
        if named >= least and does and not _COMPANIES.search(told):
            return "person"
        called = named + sum(map(self._is_one_name, sample))
        if does or (of_persons and (called or not of_things)):
            return ""
        return "thing" if of_things or called < least else ""

    def _told(self, kind: str, *, inverse: bool) -> list[str]:
        """What is told of things of a kind, or told of others with them."""
        schema = self.schema
        return [schema.words(s.relation) for s in schema.kind_steps([kind]) if s.inverse == inverse]

    def _has_name(self, node: str) -> bool:
        return self._named(node) or self._is_one_name(node)

    def _is_one_name(self, node: str) -> bool:
        own = re.sub(r" \(.*\)$", "", self.schema.store.label(node))
        return bool(_ONE_NAME.fullmatch(self._as_written(own)))

    def _named(self, node: str) -> bool:
        """Whether one of a thing's names is one as people have; what stands in brackets is none."""
        store = self.schema.store
        names = (store.label(node), *store.aliases(node))
        return any(self.called(self._as_written(re.sub(r" \(.*\)$", "", n))) for n in names)

    def _are_persons(self, kind: str) -> bool:
        schema, store = self.schema, self.schema.store
        sample = list(schema.members(kind))[:_SAMPLE]
        word = fold(store.label(kind))
        if sample and sum(word in fold(store.label(m)).split() for m in sample) > 0.5 * len(sample):
            return False  # "shelf A" is a shelf
        named = sum(self._named(m) for m in sample)
        told = " . ".join(self._told(kind, inverse=False))
        as_persons = bool(_OF_PERSONS.search(told))
        if _OF_PEOPLE_ONLY.search(told):  # then a first name is enough
            named = max(named, sum(map(self._is_one_name, sample)))
        return named >= _NAMED * max(1, len(sample)) and (as_persons or not _OF_THINGS.search(told))
