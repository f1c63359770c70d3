"""Entity search and linking: each way to match gives its reason; ambiguity is said."""

from __future__ import annotations

import pytest

from triplewise.kg import NetworkxStore, load_kg
from triplewise.kg.linking import find_type_mentions, link_entities


@pytest.fixture(scope="module")
def kg() -> NetworkxStore:
    triples = [
        ("Planet of the Apes (1968)", "directed_by", "Franklin J. Schaffner"),
        ("Planet of the Apes (2001)", "directed_by", "Tim Burton"),
        ("Amélie", "directed_by", "Jean-Pierre Jeunet"),
        ("Paris (city)", "located_in", "France"),
        ("Paris (hero)", "sibling", "Hector"),
        ("The Lord of the Rings: The Two Towers", "follows", "The Lord of the Rings: The Fellowship of the Ring"),
        ("Fallen", "starring", "Tom Hanks"),
        ("William_Anders", "born_in", "Hong_Kong"),
        ("Acta Math", "code", '"IJPHDE"'),
        ("It", "release_year", "2017"),
    ]
    labels = {e: e.split(" (")[0] for t in triples for e in t if e.endswith(")")}
    types = {"Paris (city)": ["City"], "Paris (hero)": ["Person"], "Amélie": ["Film"], "Tom Hanks": ["Person"]}
    aliases = {"Amélie": ["Le Fabuleux Destin"], "Tom Hanks": ["Thomas Hanks"]}
    return NetworkxStore(triples, labels=labels, types=types, aliases=aliases)


@pytest.mark.parametrize(
    ("text", "entity", "reason"),
    [
        ("Amélie", "Amélie", "exact label"),
        ("AMELIE", "Amélie", "case- and accent-folded"),
        ("Le Fabuleux Destin", "Amélie", "alias"),
        ("Amelia", "Amélie", "fuzzy"),
        ("fellowship ring", "The Lord of the Rings: The Fellowship of the Ring", "bm25"),
        ("IJPHDE", '"IJPHDE"', "exact label"),
        ("Planet of the Apes (2001)", "Planet of the Apes (2001)", "id"),
    ],
)
def test_search(kg: NetworkxStore, text: str, entity: str, reason: str) -> None:
    hit = kg.search(text, 3)[0]
    assert (hit.id, hit.reason.split(" 0")[0].split(" ")[0]) == (entity, reason.split(" ")[0])
    assert 0 < hit.score <= 1


def test_search_finds_nothing_in_nothing(kg: NetworkxStore) -> None:
    assert kg.search("   ") == [] and kg.search("§§§") == []


@pytest.mark.parametrize(
    ("sentence", "entities"),
    [
        ("who directed [Amélie]", ["Amélie"]),
        ("who directed amelie?", ["Amélie"]),
        ("which films has tom hanks starred in", ["Tom Hanks"]),
        ("Was William Anders born in Hong Kong?", ["William_Anders", "Hong_Kong"]),
        ("An academic journal with code IJPHDE is also Acta Math.", ['"IJPHDE"', "Acta Math"]),
        ("what did Jean-Pierre Jeunet make", ["Jean-Pierre Jeunet"]),
        ("Who directed Jean-Piere Jeunnet films?", ["Jean-Pierre Jeunet"]),
        ("when was it released", []),
        ("When was It released in 2017?", ["It", "2017"]),
        ("what follows The Lord of the Rings: The Two Towers", ["The Lord of the Rings: The Two Towers"]),
        ("nothing here", []),
    ],
)
def test_linking(kg: NetworkxStore, sentence: str, entities: list[str]) -> None:
    assert [m.candidates[0].id for m in link_entities(kg, sentence)] == entities


def test_ambiguity_is_said_and_types_break_it(kg: NetworkxStore) -> None:
    (apes,) = link_entities(kg, "Who directed Planet of the Apes?")
    assert apes.ambiguous and {h.id for h in apes.candidates} == {
        "Planet of the Apes (1968)",
        "Planet of the Apes (2001)",
    }
    (paris,) = link_entities(kg, "In which country is the city Paris?")
    assert paris.candidates[0].id == "Paris (city)" and not paris.ambiguous
    (one,) = link_entities(kg, "Who directed [Planet of the Apes (2001)]?")
    assert one.candidates[0].id == "Planet of the Apes (2001)" and not one.ambiguous


def test_type_mentions(kg: NetworkxStore) -> None:
    assert find_type_mentions(kg, "which films and cities are there") == [("films", "Film"), ("cities", "City")]


def test_long_and_odd_sentences_are_linked_quickly() -> None:
    films = load_kg("films")
    assert link_entities(films, "word " * 10_000) == []
    assert [m.text for m in link_entities(films, "]] [[ what did [Alfred Hitchcock] ]")] == ["Alfred Hitchcock"]


def test_every_metaqa_topic_is_found(data_dir) -> None:
    folder = data_dir("metaqa")
    kg = load_kg(folder / "kb.txt")
    questions = [line.split("\t")[0] for line in (folder / "2-hop/vanilla/qa_dev.txt").read_text().splitlines()]
    wrong = [q for q in questions if [m.text for m in link_entities(kg, q)] != [q[q.index("[") + 1 : q.rindex("]")]]]
    assert wrong == []
