"""Plain statements: "Wanda Skiba led Lhotang 1981." tells something of what it names and asks for nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplewise.agents.assistant.references import find_references
from triplewise.tools.text.opinions import without_opinion
from triplewise.tools.text.verb_forms import is_past, is_third_person

_ADVERB = (
    r"(?:(?:also|too|only|never|first|once|already|still|always|really|probably|surely|definitely|certainly|later|"
    r"then|originally|once again|even|actually|just|finally|[a-z]{3,}ly) )*"
)
_SAYS = re.compile(rf"{_ADVERB}(?P<verb>[a-z]+)\b(?P<rest>.*\w.*)", re.I | re.S)
_AMOUNT = (
    r"(?:more|less|fewer|at least|at most|exactly|about|only|nearly|almost|up to)\b|"
    r"[€$£]\s?\d|\d[\d.,]*\s?(?:[€$£%]|[a-z])"
)
""" "Costs 35 euros" is said of something; a year alone, as in "Riesling wines 2019.", may narrow what is asked for."""
_SAYS_NOW = re.compile(
    rf"{_ADVERB}(?P<verb>[a-z]+[^\Wsu]s) (?P<rest>(?:(?:the|a|an|his|her|its|their|no)\b|(?-i:[A-Z])|{_AMOUNT}).*)",
    re.I | re.S,
)
_PART_OF = r"(?:(?:the|an?|one|each|every|any) [a-z-]+ of )?(?:the )?"
"""A bottle of a wine is said something of by the wine's name."""
_IT_DID = re.compile(r"(?:he|she|it|they|we) ", re.I)
"""A subject that stands for somebody: after it a past tense is a verb, and no "sponsored by"."""
_DETERMINED = re.compile(r"\s*(?:the|a|an|his|her|its|their|no|it|him|them|this|that|there|here)\b", re.I)


_LEADS = (
    r"\W*(?:(?:so|and|but|then|ah|oh|ohh|ok|okay|wait|well|no|yes|ouch|fine|now|also|yet|i see|i understand|how nice|"
    r"no way)\b[\s,.!]*)*"
)
_CLEFT = re.compile(
    rf"{_LEADS}(?:it (?:was|is)|it['’]s) (?!(?:what|that|who)\b)[^?]*?[^\s,] (?:who|that|which)\b"
    rf"|{_LEADS}(?!wh)[^?]*?(?: (?:is|was)|['’]s) the (?:[a-z]+ )?(?:one|man|woman|lady|gentleman|fellow|guy|person) "
    r"who\b",
    re.I,
)
""" "It was Pip who got there first", "she's the one who taught him": what is asked with "who" is told."""
_SOMEBODY = r"(?:he|she|they|nobody|no one|somebody|someone|(?:that|this)(?: one)?)"
_WHILE = re.compile(rf"^(?P<lead>{_LEADS})(?:when|while|if|once|since|because) [^,?]+, (?=\w)", re.I)
"""A clause of time or reason before a statement: "when Bertil's off, Zadie takes over from him?" """
_DOES = rf"{_ADVERB}(?P<verb>[a-z]+)\b(?P<rest>.*\w.*)"
_IS_SAID = re.compile(
    rf"{_LEADS}(?!(?:that|it|he|she|there|here)\b)[\w-]+(?<!what)(?<!who)(?<!where)(?<!when)(?<!how)"
    r"(?: (?!(?:what|who|where|when|how)\b)[\w-]+)?"
    r"['’]s (?:the|an?|his|her|their|its|gone|been|not|still|already) \w",
    re.I,
)
""" "So Bernie's the boss?", "the guarantee's gone"."""
_ASKS_YET = re.compile(
    r"\b(?:what|whom|how|why)\b|\b(?:who|where|when|which|from|to|by|with|for|of|in|on|at)\W*$", re.I
)
""" "And they brought her where?", "she learnt it from?" """


def has_order_of_statement(sentence: str, names: Sequence[str]) -> bool:
    """Whether the words of a sentence stand as in a statement, with or without a question mark: "and he taught his own
    boy?", "so Kit reports to Wanda too"."""
    if _CLEFT.match(sentence) or _IS_SAID.match(sentence):
        return True
    told = without_opinion(sentence)
    of_somebody, sentence = told != sentence, without_clause(told)
    subjects = "|".join([_SOMEBODY, *(rf"(?:old |young |the )?{re.escape(name)}" for name in names)])
    found = re.match(rf"(?P<lead>{_LEADS})(?P<subject>{subjects}) {_DOES}", sentence, re.I | re.S)
    if found is None or _ASKS_YET.search(found["rest"]):
        return False
    verb = found["verb"].lower()
    bare = not (of_somebody or found["lead"].strip() or re.fullmatch(_SOMEBODY, found["subject"], re.I))
    if bare:  # "Ode Boots models 2019."
        asked = sentence.rstrip().endswith("?")
        return asked and (is_past(verb) or (is_third_person(verb) and bool(_DETERMINED.match(found["rest"]))))
    return is_past(verb) or is_third_person(verb)


def without_clause(sentence: str) -> str:
    """A sentence without the clause of time or reason before it, which a word of a question may begin."""
    return _WHILE.sub(lambda m: m["lead"] or "and ", sentence, count=1)


def states(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence begins with one of these names or a pronoun, and a verb and more follow. After a name, without
    a full stop, and where nobody's opinion is told, the verb must have an object of its own, as in "Harold owns Heron":
    "Alpina Boots sponsored expeditions" may ask."""
    if sentence.rstrip().endswith("?"):
        return False
    bare = find_references(sentence).bare
    said = without_opinion(bare)
    if (pronoun := _IT_DID.match(said)) and _said(said, pronoun.end()):
        return True
    sure = said != bare or sentence.rstrip().endswith((".", "!"))
    for name in names:
        begins = re.match(rf"\W*{_PART_OF}{re.escape(name)} ", said, re.I)
        told = begins and (_said(said, begins.end()) or _said_now(said, begins.end(), sure=sure))
        if told and (sure or _DETERMINED.match(told["rest"]) or _begins_with(told["rest"], names)):
            return True
    return False


def _said(text: str, start: int) -> re.Match[str] | None:
    """The past tense that follows, and what it is said of."""
    found = _SAYS.match(text, start)
    return found if found and is_past(found["verb"].lower()) else None


def _said_now(text: str, start: int, *, sure: bool) -> re.Match[str] | None:
    """The present tense that follows, and what it is said of; where a sentence may ask as well, of one thing and no
    more: "Harold owns Heron"."""
    found = _SAYS_NOW.match(text, start)
    return found if found and (sure or is_third_person(found["verb"].lower())) else None


def _begins_with(text: str, names: Sequence[str]) -> bool:
    return any(text.strip().casefold().startswith(name.casefold()) for name in names)
