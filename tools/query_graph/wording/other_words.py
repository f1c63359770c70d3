"""Words for which a graph has others: "the telly" where there is a television, "once a year" where something is yearly,
"the APL" where a relation is called assistant patrol leader."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property

from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import folded_words, singulars
from triplewise.tools.text.verb_forms import plural

_SAME = """
    telly television tv; fridge refrigerator; bike bicycle; phone telephone; mic microphone; exam examination;
    photo photograph picture pic; lab laboratory; advert advertisement; hoover vacuum; sofa settee couch;
    cooker stove oven; loo toilet lavatory; specs spectacles glasses; lorry truck; film movie; flat apartment;
    shop store; lift elevator; jumper sweater; maths mathematics; doctor doc physician; plane aeroplane aircraft;
    kid child; mum mother; dad father; garbage rubbish trash; trainers sneakers; trousers pants; wardrobe closet;
    tap faucet; pram stroller; cinema theatre; motorbike motorcycle; vet veterinarian; gran grandmother;
    grandad grandfather; sub subscription; pudding dessert sweet afters;
    flowers florist; food caterer catering; photos photographer photography; music dj musician; hair hairdresser;
    plumbing plumber; electrics electrician; garden gardener; gardening gardener; cleaning cleaner; printing printer
"""
"""Everyday nouns and others for the same things, or for who sees to them."""
_SEES_TO = (
    r"(?:it )?(?:that )?"
    r"(?:look(?:s|ed)? after|handles?|keeps?|holds?|does|do|sees to|(?:is )?in charge of|deals? with)\s+"
    r"(?:the|our|all the)\s+"
)
_OFFICES = {
    "treasurer": re.compile(rf"\b{_SEES_TO}(?:money|purse strings|finances|accounts|books|cash)\b", re.I),
    "secretary": re.compile(rf"\b{_SEES_TO}(?:minutes|letters|correspondence|paperwork)\b", re.I),
}
"""Offices, and what is said of who has them."""
_OFTEN = {
    "daily": r"(?:once a|every|each) day",
    "weekly": r"(?:once a|every|each) week",
    "fortnightly": r"(?:once a fortnight|every (?:two weeks|other week|second week|fortnight))",
    "monthly": r"(?:once a|every|each) month",
    "quarterly": r"(?:once a quarter|every (?:quarter|three months|3 months)|four times a year)",
    "half-yearly": r"(?:twice a year|every (?:six|6) months)",
    "yearly": r"(?:once a|every|each) year",
}
_ANNUAL = {"yearly": ("annually", "annual"), "half-yearly": ("biannual", "half yearly", "twice yearly")}
_SAYINGS = {
    "demolished": r"(?:pulled|knocked|torn) down",
    "cancelled": r"called off",
    "postponed": r"put (?:off|back)",
    "overdue": r"(?:behind|in arrears)(?= (?:with|on)\b)",
}
"""Values and what is said for them."""
_DAYS = {
    "monday": ("mon", "mo"),
    "tuesday": ("tue", "tues", "tu"),
    "wednesday": ("wed", "weds", "we"),
    "thursday": ("thu", "thur", "thurs", "th"),
    "friday": ("fri", "fr"),
    "saturday": ("sat", "sa"),
    "sunday": ("sun", "su"),
}
"""Days of the week and how they are abbreviated."""
_CAME = ("came", "attended", "turned up", "showed up", "present", "was there")
"""Values that tell of who was expected that they came."""
_COMING = re.compile(r"\b(?:turn(?:ed)? up|show(?:ed)? up|ma[dk]e it|been)(?= (?:to|at)\b)", re.I)
_WON = re.compile(r"\b(?:won|wins)\b(?! by\b)(?: (?:in|at)\b)?", re.I)
_FIRST = frozenset(("winner", "won", "champion", "champions", "1st", "first", "first place"))
"""Values that tell of who took part that they won."""
_INITIALS = re.compile(r"\b(?P<letters>[A-Z]{3,5})(?P<more>s)?\b")


_PHONES = frozenset(("phone", "phones", "telephone", "tel", "mobile", "mob", "cell"))
_NUMBERS = frozenset(("number", "numbers", "no", "nr", "num"))
_NUMBER_OF_SOMEBODY = re.compile(
    r"\b(?:(?:(?:have|has) (?:we|you|i|anyone|anybody) )?got(?= an? )|"
    r"(?:do|does) (?:we|you|i|anyone|anybody) have(?= an? )|"
    r"(?:(?:i|we) )?need(?= (?:the|an?) )|what(?:['’]?s| is))"
    r"(?P<whose> (?:an?|the)(?= )|(?: (?!the\b|an?\b)[\w'’.-]+){1,4})"
    r" number(?=,|\W*$| (?:for|of) (?:whoever\b|(?!the\b)|the (?:bloke|chap|man|guy|woman|lady|person|one|girl)\b))",
    re.I,
)
"""How somebody's telephone number is asked for: "have we got a number for Jim?"."""


class OtherWords:
    """The words that one graph has for what others call otherwise."""

    def __init__(self, words: KnownWords) -> None:
        self._words, self._schema = words, words.names.schema

    def in_its_words(self, text: str) -> str:
        """A sentence with what the graph has in the place of words that it lacks."""
        text = self._won(self._offices(text))
        text = self._coming(self._often(self._on_days(self._sayings(self._nouns(text)))))
        return self._in_full(self._phones(text))

    @cached_property
    def _noun_of(self) -> dict[str, str]:
        """An everyday noun that the graph lacks → the other one that it has, of several that with which names end: a
        television rather than the TV of a TV licence."""
        found: dict[str, str] = {}
        last = {name.words[-1] for name in self._words.names.names}
        for group in _SAME.split(";"):
            nouns = group.split()
            had = [noun for noun in nouns if noun in self._words.words]
            meant = had if len(had) == 1 else [noun for noun in had if noun in last]
            found |= {noun: meant[0] for noun in nouns if len(meant) == 1 and noun not in had}
        return found

    def _nouns(self, text: str) -> str:
        def other(match: re.Match[str]) -> str:
            for form in ((word := match.group().lower()), *singulars(word)):
                if form in self._noun_of and word not in self._words.words:
                    return self._noun_of[form] if form == word else plural(self._noun_of[form])
            return match.group()

        return re.sub(r"(?<![-\w])[^\W\d_]{2,}(?![-\w])", other, text) if self._noun_of else text

    @cached_property
    def _values(self) -> dict[str, str]:
        """The graph's values in lower case → as they are written."""
        return {name.text.lower(): name.text for name in self._words.names.names if name.is_value}

    def _sayings(self, text: str) -> str:
        for value, saying in _SAYINGS.items():
            if value in self._values:
                text = re.sub(rf"\b{saying}", self._values[value], text, flags=re.I)
        return text

    def _offices(self, text: str) -> str:
        for office, saying in _OFFICES.items():
            if office in self._values:
                text = saying.sub(f"is the {self._values[office]}", text)
        return text

    def _coming(self, text: str) -> str:
        told = (word for word in _CAME if word in self._values and (word != "present" or "absent" in self._values))
        came = next((self._values[word] for word in told), "")
        return _COMING.sub(came, text) if came else text

    @cached_property
    def _winning(self) -> str:
        """A relation and the value of it that says who won, where no relation has a word for that: "got to winner"."""
        if self._words.said_in_relations("won", "winner", "winners", "wins", "victor", "champion"):
            return ""
        for name in self._words.names.names:
            if name.is_value and name.text.lower() in _FIRST:
                relations = sorted(self._schema.store.in_relations(name.node))
                return f"{self._schema.words(relations[0])} {name.text}" if relations else ""
        return ""

    def _won(self, text: str) -> str:
        return _WON.sub(f"{self._winning} in", text) if _WON.search(text) and self._winning else text

    @cached_property
    def _has_phones(self) -> bool:
        """Whether of all numbers that are called so the graph tells those of telephones alone."""
        words = [set(folded_words(self._schema.words(r))) for r in self._schema.relations]
        return any(w & _PHONES for w in words) and not any(w & _NUMBERS and not w & _PHONES for w in words)

    def _phones(self, text: str) -> str:
        return _NUMBER_OF_SOMEBODY.sub(r"what is\g<whose> phone number", text) if self._has_phones else text

    @cached_property
    def _told(self) -> dict[str, str]:
        """How often something is, as ``_OFTEN`` calls it → as a value of the graph does."""
        forms = {often: (often, *_ANNUAL.get(often, ())) for often in _OFTEN}
        return {often: self._values[f] for often, own in forms.items() for f in own if f in self._values}

    def _often(self, text: str) -> str:
        for often, value in self._told.items():
            text = re.sub(rf"\b{_OFTEN[often]}\b", value, text, flags=re.I)
        return text

    @cached_property
    def _of_initials(self) -> dict[str, str]:
        """Initials → the words of the one relation or class of three words or more that has them."""
        schema, found = self._schema, defaultdict[str, set[str]](set)
        for text in (*map(schema.words, schema.relations), *map(schema.store.label, schema.classes)):
            words = folded_words(text)
            if len(words) > 2 and (initials := "".join(w[0] for w in words)) not in self._words.words:
                found[initials].add(" ".join(words))
        return {initials: min(texts) for initials, texts in found.items() if len(texts) == 1}

    @cached_property
    def _days(self) -> list[tuple[re.Pattern[str], str]]:
        """(how a day of the week is said, the graph's value for it), of the days that it writes otherwise."""
        found = []
        for day, short in _DAYS.items():
            if value := next((self._values[form] for form in (day, *short) if form in self._values), ""):
                said = f"{day}s?|(?<=on )(?:{'|'.join(form for form in short if len(form) > 2)})s?"
                found.append((re.compile(rf"\b(?:{said})\b(?! \d|\.)", re.I), value))
        return found

    def _on_days(self, text: str) -> str:
        for said, value in self._days:
            text = said.sub(value, text)
        return text

    def _in_full(self, text: str) -> str:
        if text.isupper():
            return text

        def full(match: re.Match[str]) -> str:
            words = self._of_initials.get(match["letters"].lower(), "")
            return (plural(words) if match["more"] else words) or match.group()

        return _INITIALS.sub(full, text)
