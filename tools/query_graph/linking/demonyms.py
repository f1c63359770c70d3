"""Adjectives of places: "Polish" names Poland, and Poland names whoever is Polish in a graph that says it so.

Most are made of the place's own beginning (Austrian, Nepalese, Parisian, Kyrgyz); those that are not are listed.
"""

from __future__ import annotations

from functools import cache

_LISTED = """
    american: united states, united states of america, usa, us, america
    argentine: argentina
    azerbaijani: azerbaijan
    bangladeshi: bangladesh
    brazilian: brasil
    british: united kingdom, uk, great britain, britain
    briton: united kingdom, uk, great britain, britain
    burmese: myanmar, burma
    catalan: catalonia
    congolese: congo, democratic republic of the congo, republic of the congo
    cornish: cornwall
    cypriot: cyprus
    czech: czechia, czech republic
    dane: denmark
    danish: denmark
    dutch: netherlands, the netherlands, holland
    emirati: united arab emirates, uae
    english: england
    filipino: philippines
    finn: finland
    finnish: finland
    flemish: flanders
    french: france
    german: germany
    ghanaian: ghana
    greek: greece
    hungarian: hungary
    icelandic: iceland
    iraqi: iraq
    irish: ireland, republic of ireland
    israeli: israel
    italian: italy
    ivorian: ivory coast
    korean: korea, south korea, north korea
    kuwaiti: kuwait
    lebanese: lebanon
    lithuanian: lithuania
    luxembourgish: luxembourg
    malagasy: madagascar
    manx: isle of man
    montenegrin: montenegro
    mozambican: mozambique
    neapolitan: naples
    nepali: nepal
    norman: normandy
    norwegian: norway
    omani: oman
    panamanian: panama
    peruvian: peru
    polish: poland
    portuguese: portugal
    qatari: qatar
    saudi: saudi arabia
    scot: scotland
    scots: scotland
    scottish: scotland
    sicilian: sicily
    slovak: slovakia
    slovene: slovenia
    spaniard: spain
    spanish: spain
    swede: sweden
    swedish: sweden
    swiss: switzerland
    thai: thailand
    turkish: turkey, türkiye
    tuscan: tuscany
    venetian: venice
    welsh: wales
    yemeni: yemen
"""
_IRREGULAR: dict[str, tuple[str, ...]] = {
    adjective.strip(): tuple(place.strip() for place in places.split(","))
    for adjective, _, places in (line.partition(":") for line in _LISTED.split("\n") if line.strip())
}
_ENDINGS = {
    "an": ("a", "", "o", "e", "um"),  # Austria, Chile, Mexico, Rome, Belgium
    "ian": ("", "a", "e", "o"),  # Iran, Canada, Ukraine, Ontario
    "ese": ("", "a"),  # Nepal, China
}
"""What an adjective has, and what may stand in its place in the place's name."""
_STANS = ("stan", "istan")
"""Kyrgyzstan, Afghanistan: the people's name is the place's beginning."""
_LEAST = 4
"""Letters of a place's name that is found so."""


@cache
def places_of(adjective: str) -> tuple[str, ...]:
    """The names, in lower case, that the place of an adjective may have, whether or not there is such a place.

    "The Swiss" and "Italians" are the adjective's people.
    """
    if adjective in _IRREGULAR:
        return _IRREGULAR[adjective]
    if adjective.endswith("ician"):
        return ()  # a musician is of no place
    several = places_of(adjective[:-1]) if adjective.endswith("s") else ()
    regular = [
        adjective[: -len(ending)] + other
        for ending, others in _ENDINGS.items()
        if adjective.endswith(ending)
        for other in others
    ]
    stans = [adjective[:-1]] if adjective.endswith("stani") else [adjective + ending for ending in _STANS]
    return tuple(place for place in (*several, *regular, *stans) if len(place) >= _LEAST)
