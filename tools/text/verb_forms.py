"""Which words of a relation's name are verbs, participles, prepositions or nouns, by their form and by short lists."""

from __future__ import annotations

import re


def word_set(words: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(words.split())


PREPOSITIONS = word_set("""
    by in at from with for to on of as into under about after than between until near since off over against within
    via through behind below above beside along across around before inside outside onto upon towards without
""")
_PAST = word_set("""
    sank went swore wrote came took gave ate began grew flew drew sang fell drove rode rose spoke broke chose wore
    tore froze stole knew threw blew shrank swam rang drank ran became forgot saw lay withdrew had did was were
""")
"""Past tenses that are no participles."""
_PARTICIPLES = word_set("""
    sunk sworn written taken begun grown flown drawn sung fallen driven ridden risen spoken broken chosen worn torn
    frozen stolen known thrown blown done gone seen born borne shown sown woken beaten bitten hidden forgotten eaten
    given withdrawn undertaken underwritten run mown hewn sewn woven sawn rewritten overseen overtaken overthrown
""")
_BOTH = word_set("""
    made bought built rebuilt held sent sat led found kept lent sold won taught caught brought fought sought shot hung
    dug fed bred read met left lost laid paid said spent spun struck stuck stood told thought wound bound put set
    cut hit shut let meant got learnt hurt beat split cast ground swept slept dealt bent fled heard forged
""")
_NO_PARTICIPLES = word_set("""
    bed red shed seed feed need weed reed breed speed creed greed steed sled hundred
""")
_INTRANSITIVE = word_set("""
    joined started opened closed retired died ended finished arrived landed moved resigned competed premiered
    graduated emigrated debuted specialised specialized studied learned learnt travelled traveled played worked
    lived stayed served happened occurred grew stood met fought trained left succeeded passed failed survived
    split entered expired
""")
"""What is done rather than suffered, where no "by" follows."""
_WITHOUT_OBJECT = word_set("came went died arrived retired resigned graduated emigrated competed dropped-out fell-out")
"""What can be told of a doer only: where such a relation leads to a thing, this is the doer."""
_AUXILIARIES = word_set("is are was were has have had does did can can't cannot may must")
_PLURALS = word_set("""
    species series goods headquarters premises honours honors colours colors pictures words lens status mains rights
    keys scores costs fees appeals gates searches vehicles vines dogs hours bottles copies litres liters parts pets
    sales ops terms minutes days weeks months years people tonnes seats beds inhabitants members children photos
    images notes gears lyrics news floodlights downloads metres meters kilos figures mathematics physics stairs
    doors
""")
"""Nouns that look like verbs of the third person."""
_PROGRESSIVE = word_set("""
    starring featuring including containing using preparing following preceding replacing representing covering
""")
"""Relations in "-ing" are nouns ("building", "ranking") but for these."""
_ADJECTIVE = re.compile(
    r"\w+(?:[^e]ed|free|facing|less|able|ible|ous|ful|ive|ic|ical|onal|proof|friendly)|"
    r"free|open|alive|dead|alone|empty|full|safe|toxic|noisy|vegetarian|vegan|new|old|wet|dry|closed|adult|native|fluent|"
    r"resident|next|near|due|back|weak|valid|overnight|not|formerly|also|home|incompatible|ready|similar|equal|close|"
    r"prior|opposite|subject|relevant|present|absent|alongside|identical|related|parallel|adjacent|bound|most|least|out|"
    r"wrong|best"
)
ADVERBS = word_set("""
    first last once usually formerly still newly jointly mostly originally partly also later
""")
_MASS = word_set("""
    music scenery casting malt wood milk fruit access credit funding support lighting advice water
""")
_DOER = r"(?:\w*(?:mate|hand|guest|member|chef|clerk|pupil|student|nurse|man)|\w{2,}(?:er|or|ist|ian|ee))"
_ROLES = word_set("part kin property care land")
"""Nouns that stand without an article before "of"."""


def is_past(word: str) -> bool:
    """Whether a word can be a past tense: "sank", "directed", "made"; not "written"."""
    return word in _PAST or word in _BOTH or _regular(word)


def is_participle(word: str) -> bool:
    """Whether a word can be a past participle: "written", "directed", "made"; not "sank"."""
    return word in _PARTICIPLES or word in _BOTH or _regular(word)


def is_intransitive(word: str) -> bool:
    """Whether a past form says what its subject did, without an object: "retired in", "sank in"."""
    return word in _INTRANSITIVE or word in _PAST


def takes_no_object(words: str) -> bool:
    """Whether nothing can be done to a thing by these words: "dropped out"."""
    return words.replace(" ", "-") in _WITHOUT_OBJECT


def _regular(word: str) -> bool:
    return bool(re.fullmatch(r"[a-z-]{2,}ed", word)) and word not in _NO_PARTICIPLES


def is_modal(word: str) -> bool:
    """Whether a verb in its base form follows: "can stand"."""
    return word in ("can", "can't", "cannot", "may", "must")


def is_auxiliary(word: str) -> bool:
    """Whether a relation that begins with this word is a verb phrase."""
    return word in _AUXILIARIES


def is_third_person(word: str) -> bool:
    """Whether a word looks like a verb of the third person: "speaks", and no plural noun that is known."""
    verb = re.fullmatch(r"(?=.*[aeiouy])[a-z]{2,}[^su]s", word)
    return bool(verb) and not word.endswith("sis") and word not in _PLURALS


def is_progressive(word: str) -> bool:
    """Whether "is" makes a clause of a word in "-ing"."""
    return word in _PROGRESSIVE


def is_adjective(word: str) -> bool:
    """Whether a word may stand after "is" without an article."""
    return bool(_ADJECTIVE.fullmatch(word))


def is_person(noun: str) -> bool:
    """Whether a noun says what somebody is: "mate", "officer"; not "desk", "order"."""
    return bool(re.fullmatch(r"(?!order|border|cover|letter|number|paper|water|offer|error)" + _DOER, noun))


def is_plural(noun: str) -> bool:
    """Whether several things are spoken of: "inhabitants", "length in metres" not."""
    words = noun.lower().split()
    ends = next((i for i, word in enumerate(words) if i and word in PREPOSITIONS), len(words))
    last = words[ends - 1] if words else ""
    return bool(re.fullmatch(r"(?=.*[aeiouy])\w+[^sui]s", last)) and last not in ("series", "species", "lens", "news")


def with_article(noun: str) -> str:
    """ "a ship", "an ox", "a unicorn", "an hour"."""
    vowel = re.match(r"(?i)[aeiou]|ho(?:ur|nest|nour)|heir", noun) and not re.match(
        r"(?i)uni(?!n|m)|use|usu|one\b|once|eu|ut[ei]", noun
    )
    letters = re.match(r"[AEFHILMNORSX](?![a-z])[A-Z\d-]*\b", noun)
    return f"{'an' if vowel or letters else 'a'} {noun}"


def with_article_of(noun: str) -> str:
    """ "a copy", but "part" of something and "pictures" by somebody."""
    words = noun.split()
    if words[-1].lower() in _ROLES | _MASS or is_plural(noun):
        return noun
    return with_article(noun)


def base_form(words: str) -> str:
    """ "works at" → "work at": a verb after "does"."""
    verb, _, rest = words.partition(" ")
    if verb == "has":
        verb = "have"
    elif verb.endswith("ies") and len(verb) > 4:
        verb = f"{verb[:-3]}y"
    elif re.search(r"(?:ch|sh|ss|x|o)es$", verb):
        verb = verb[:-2]
    else:
        verb = verb.removesuffix("s")
    return f"{verb} {rest}".strip()


def doing(word: str) -> list[str]:
    """What a word in -ing may be a form of: "tiling" of "til" and "tile", "fitting" of "fitt", "fitte" and "fit"."""
    if len(word) < 6 or not word.endswith("ing"):
        return []
    stem = word[:-3]
    return [stem, f"{stem}e", *([stem[:-1]] if stem[-1] == stem[-2] else [])]


def plural(noun: str) -> str:
    """A kind's name for several things: "city" → "cities"."""
    if noun.endswith("person"):
        return f"{noun[:-6]}people"
    if noun.endswith("child"):
        return f"{noun}ren"
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(?:s|x|ch|sh)$", noun) else f"{noun}s"
