"""The paper's qualitative results (Tables 9 and 10) on small graphs that hold those triples.

The model is scripted with the segmentation and relations that the paper's retrieved graphs imply;
the evidence must then be the paper's graph, and the answer or verdict the paper's.
"""

from __future__ import annotations

import pytest

import triplewise
from triplewise.backends.fake import ScriptedChatModel
from triplewise.kg import NetworkxStore
from triplewise.types import Triple

# (question, segmentation, relations per sub-sentence, graph, answer chosen, all answers)
TABLE_10 = [
    (
        "what films does [Brigitte Nielsen] appear in?",
        "1. Brigitte Nielsen appears in films. | ?answer ; Brigitte Nielsen",
        ["starred_actors"],
        [("Cobra", "starred_actors", "Brigitte Nielsen"), ("Red Sonja", "starred_actors", "Brigitte Nielsen")],
        "Cobra",
        {"Cobra", "Red Sonja"},
    ),
    (
        "can you name a film directed by [Nikolai Müllerschön]?",
        "1. A film was directed by Nikolai Müllerschön. | ?answer ; Nikolai Müllerschön",
        ["directed_by"],
        [("The Red Baron", "directed_by", "Nikolai Müllerschön")],
        "The Red Baron",
        {"The Red Baron"},
    ),
    (
        "what type of film is [Six Shooter]?",
        "1. Six Shooter is of a type. | Six Shooter ; ?answer",
        ["has_genre"],
        [("Six Shooter", "has_genre", "Short")],
        "Short",
        {"Short"},
    ),
    (
        "when did the films starred by [Deborah Van Valkenburgh] release?",
        "1. Deborah Van Valkenburgh starred in films. | ?film ; Deborah Van Valkenburgh\n"
        "2. The films were released. | ?film ; ?answer",
        ["starred_actors", "release_year"],
        [("Mean Guns", "starred_actors", "Deborah Van Valkenburgh"), ("Mean Guns", "release_year", "1997")],
        "1997",
        {"1997"},
    ),
    (
        "which films have the same director of [The Duellists]?",
        "1. The Duellists has a director. | The Duellists ; ?director\n"
        "2. The director directed films. | ?answer ; ?director",
        ["directed_by", "directed_by"],
        [("The Duellists", "directed_by", "Ridley Scott"), ("The Counselor", "directed_by", "Ridley Scott")],
        "The Counselor",
        {"The Counselor"},
    ),
    (
        "what genres are the movies written by [Robert Kenner] in?",
        "1. Movies were written by Robert Kenner. | ?movie ; Robert Kenner\n2. The movies have genres. | ?movie ; ?answer",
        ["written_by", "has_genre"],
        [("Food, Inc.", "written_by", "Robert Kenner"), ("Food, Inc.", "has_genre", "Documentary")],
        "Documentary",
        {"Documentary"},
    ),
    (
        "what are the genres of the movies whose writers also wrote [The Lives of a Bengal Lancer]?",
        "1. The Lives of a Bengal Lancer has writers. | The Lives of a Bengal Lancer ; ?writer\n"
        "2. The writers wrote movies. | ?movie ; ?writer\n3. The movies have genres. | ?movie ; ?answer",
        ["written_by", "written_by", "has_genre"],
        [
            ("The Lives of a Bengal Lancer", "written_by", "John L. Balderston"),
            ("Frankenstein", "written_by", "John L. Balderston"),
            ("Frankenstein", "has_genre", "Horror"),
        ],
        "Horror",
        {"Horror"},
    ),
    (
        "when did the movies starred by [Seeking Justice] actors release?",
        "1. Seeking Justice has actors. | Seeking Justice ; ?actor\n2. The actors starred in movies. | ?movie ; ?actor\n"
        "3. The movies were released. | ?movie ; ?answer",
        ["starred_actors", "starred_actors", "release_year"],
        [
            ("Seeking Justice", "starred_actors", "Nicolas Cage"),
            ("World Trade Center", "starred_actors", "Nicolas Cage"),
            ("World Trade Center", "release_year", "2006"),
        ],
        "2006",
        {"2006"},
    ),
    (
        "what types are the movies starred by actors in [A Thin Line Between Love and Hate]?",
        "1. A Thin Line Between Love and Hate has actors. | A Thin Line Between Love and Hate ; ?actor\n"
        "2. The actors starred in movies. | ?movie ; ?actor\n3. The movies are of types. | ?movie ; ?answer",
        ["starred_actors ; directed_by ; written_by", "starred_actors", "has_genre"],
        [
            ("A Thin Line Between Love and Hate", "directed_by", "Martin Lawrence"),
            ("Big Momma's House", "starred_actors", "Martin Lawrence"),
            ("Big Momma's House", "has_genre", "Comedy"),
            ("A Thin Line Between Love and Hate", "written_by", "Martin Lawrence"),
            ("A Thin Line Between Love and Hate", "starred_actors", "Martin Lawrence"),
        ],
        "Comedy",
        {"Comedy"},
    ),
]

# Facts of other kinds, so that every sub-sentence has relations to choose among.
NOISE = [
    ("Cobra", "release_year", "1986"),
    ("Brigitte Nielsen", "birth_year", "1963"),
    ("Nikolai Müllerschön", "birth_year", "1958"),
    ("Six Shooter", "directed_by", "Martin McDonagh"),
    ("Mean Guns", "has_genre", "Action"),
    ("The Duellists", "release_year", "1977"),
    ("Food, Inc.", "release_year", "2008"),
    ("Deborah Van Valkenburgh", "birth_year", "1952"),
    ("Robert Kenner", "birth_year", "1950"),
    ("The Lives of a Bengal Lancer", "release_year", "1935"),
    ("Seeking Justice", "has_genre", "Thriller"),
    ("A Thin Line Between Love and Hate", "release_year", "1996"),
]


def scripted(segmentation: str, relations: dict[str, str], final: str) -> ScriptedChatModel:
    """A model that knows the gold segmentation, the relations per sub-sentence, and the outcome."""

    def reply(messages: list, kwargs: dict) -> str:
        user = messages[-1].text
        if kwargs["node"] == "segment":
            return segmentation
        if kwargs["node"].startswith("select_relations"):
            sentence = user.rpartition("Sentence: ")[2].partition("\n")[0]
            return relations[sentence].replace("_", " ")
        return final

    return ScriptedChatModel(responses=reply)


def _sentences(segmentation: str) -> list[str]:
    return [line.split(". ", 1)[1].split(" | ")[0] for line in segmentation.splitlines()]


@pytest.mark.parametrize("case", TABLE_10, ids=[c[0][:40] for c in TABLE_10])
def test_table_10(case: tuple) -> None:
    question, segmentation, relations, graph, answer, all_answers = case
    kg = NetworkxStore.from_triples([Triple(*t) for t in dict.fromkeys([*graph, *NOISE])])
    model = scripted(segmentation, dict(zip(_sentences(segmentation), relations, strict=True)), answer)
    result = triplewise.ask(kg, question, model=model)
    assert {tuple(e.triple) for e in result.evidence} == set(graph)
    assert result.answers[0].label == answer
    assert {a.label for a in result.answers} == all_answers
    assert all(a.citations for a in result.answers)
    assert [s.status for s in result.steps if s.status in ("repaired", "fallback")] == []


# (claim, entities, segmentation, relations, graph, verdict, cited numbers)
TABLE_9 = [
    (
        "Yes, Agra Airport is located in India where the leader is Narendra Modi.",
        ["Agra_Airport", "India", "Narendra_Modi"],
        "1. Agra Airport is located in India. | Agra Airport ; India\n"
        "2. The leader of India is Narendra Modi. | India ; Narendra Modi",
        ["location", "leader ; leaderName ; birthPlace"],
        [
            ("Agra_Airport", "location", "India"),
            ("India", "leader", "Narendra_Modi"),
            ("India", "leaderName", "Narendra_Modi"),
            ("Narendra_Modi", "birthPlace", "India"),
        ],
        "supported",
    ),
    (
        "I wasn't aware that 103 Colmore Row, located in Birmingham, with 23 floors, was completed in 1976.",
        ["103_Colmore_Row", "Birmingham", '"23"', '"1976"'],
        "1. 103 Colmore Row is located in Birmingham. | 103 Colmore Row ; Birmingham\n"
        "2. 103 Colmore Row has 23 floors. | 103 Colmore Row ; 23\n"
        "3. 103 Colmore Row was completed in 1976. | 103 Colmore Row ; 1976",
        ["location", "floorCount", "completionDate ; buildingEndDate"],
        [
            ("103_Colmore_Row", "location", "Birmingham"),
            ("103_Colmore_Row", "floorCount", '"23"'),
            ("103_Colmore_Row", "completionDate", '"1976"'),
            ("103_Colmore_Row", "buildingEndDate", '"1976"'),
        ],
        "supported",
    ),
    (
        "Alfredo Zitarrosa died in a city, Uruguay (which has Raul Fernando Sendic Rodriguez as leader).",
        ["Alfredo_Zitarrosa", "Uruguay", "Raúl_Fernando_Sendic_Rodríguez"],
        "1. Alfredo Zitarrosa died in a city. | Alfredo Zitarrosa ; ?city\n2. The city is in Uruguay. | ?city ; Uruguay\n"
        "3. The leader of Uruguay is Raul Fernando Sendic Rodriguez. | Uruguay ; Raúl Fernando Sendic Rodríguez",
        ["deathPlace ; birthPlace", "country ; capital", "leader ; leaderName"],
        [
            ("Alfredo_Zitarrosa", "deathPlace", "Montevideo"),
            ("Alfredo_Zitarrosa", "birthPlace", "Montevideo"),
            ("Montevideo", "country", "Uruguay"),
            ("Uruguay", "capital", "Montevideo"),
            ("Uruguay", "leader", "Raúl_Fernando_Sendic_Rodríguez"),
            ("Uruguay", "leaderName", "Raúl_Fernando_Sendic_Rodríguez"),
        ],
        "supported",
    ),
    (
        "Al-Taqaddum Air Base is located in Fallujah which is not in Iraq.",
        ["Al-Taqaddum_Air_Base", "Fallujah", "Iraq"],
        "1. Al-Taqaddum Air Base is located in Fallujah. | Al-Taqaddum Air Base ; Fallujah\n"
        "2. Fallujah is not in Iraq. | Fallujah ; Iraq",
        ["city ; cityServed", "country"],
        [
            ("Al-Taqaddum_Air_Base", "city", "Fallujah"),
            ("Al-Taqaddum_Air_Base", "cityServed", "Fallujah"),
            ("Fallujah", "country", "Iraq"),
        ],
        "refuted",
    ),
    (
        "A country is the location of the Adare Manor, is run by leader Enda Kenny and the natives are Irish people.",
        ["Adare_Manor", "Enda_Kenny", "Irish_people"],
        "1. A country is the location of Adare Manor. | Adare Manor ; ?country\n"
        "2. The country is run by leader Enda Kenny. | ?country ; Enda Kenny\n"
        "3. The natives of the country are Irish people. | ?country ; Irish people",
        ["country ; locationCountry", "leader ; leaderName", "demonym"],
        [
            ("Adare_Manor", "country", "Republic_of_Ireland"),
            ("Republic_of_Ireland", "leader", "Enda_Kenny"),
            ("Republic_of_Ireland", "leaderName", "Enda_Kenny"),
            ("Adare_Manor", "locationCountry", "Republic_of_Ireland"),
            ("Republic_of_Ireland", "demonym", "Irish_people"),
        ],
        "supported",
    ),
]
CLAIM_NOISE = [
    ("Birmingham", "country", "United_Kingdom"),
    ("Fallujah", "region", "Al_Anbar"),
    ("Iraq", "leader", "Fuad_Masum"),
    ("Enda_Kenny", "birthPlace", "Castlebar"),
    ("Uruguay", "currency", "Uruguayan_peso"),
    ("Agra_Airport", "operator", "Indian_Air_Force"),
]


@pytest.mark.parametrize("case", TABLE_9, ids=[c[0][:40] for c in TABLE_9])
def test_table_9(case: tuple) -> None:
    claim, entities, segmentation, relations, graph, verdict = case
    kg = NetworkxStore.from_triples([Triple(*t) for t in [*graph, *CLAIM_NOISE]])
    words = {s: "; ".join(kg.relation_label(r.strip()) for r in rel.split(";")) for s, rel in
             zip(_sentences(segmentation), relations, strict=True)}  # fmt: skip
    final = f"Verdict: {verdict}\nTriples used: 1, {len(graph)}\nReason: so say the triples."
    result = triplewise.verify(kg, claim, entities=entities, model=scripted(segmentation, words, final))
    assert {tuple(e.triple) for e in result.evidence} == set(graph)
    assert result.verdict == verdict
    assert result.citations == (0, len(graph) - 1)
    assert [s.note for s in result.steps if s.status in ("repaired", "fallback")] == []
