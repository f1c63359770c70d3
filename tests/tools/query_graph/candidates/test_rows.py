"""Nameless rows: what two things have in common is told by the row of both, and places by numbers of a row."""

from __future__ import annotations

import pytest
from small_graphs import Candidates, word_affinity

from triplewise.graphs.run import verify
from triplewise.kg import NetworkxStore
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.candidates.paths import paths_from
from triplewise.tools.query_graph.candidates.rows import of_rank
from triplewise.tools.query_graph.claims.verdict import Judge
from triplewise.tools.query_graph.schema_view import Step

_RESULTS = [
    ("Opener", "Heron", 1, 62, 5), ("Opener", "Falcon", 2, 65, 7), ("Opener", "Osprey", 3, 70, 7),
    ("Mayfly", "Falcon", 1, 70, 5), ("Mayfly", "Heron", 2, 81, 2),
]  # fmt: skip
_TRIPLES = [
    *(("Race " + race, "result", f"_:r{i}") for i, (race, *_) in enumerate(_RESULTS)),
    *((f"_:r{i}", "boat", boat) for i, (_, boat, *_) in enumerate(_RESULTS)),
    *((f"_:r{i}", "place", f'"{place}"') for i, (_, _, place, *_) in enumerate(_RESULTS)),
    *((f"_:r{i}", "minutes", f'"{minutes}"') for i, (_, _, _, minutes, _) in enumerate(_RESULTS)),
    *((f"_:r{i}", "crew", f'"{crew}"') for i, (*_, crew) in enumerate(_RESULTS)),
    ("Race Opener", "laps", '"2"'), ("Race Mayfly", "laps", '"3"'), ("Berth 2", "number", '"2"'),
    ("Berth 7", "number", '"7"'), ("Berth 5", "number", '"5"'), ("Berth 2", "is a", "Berth"),
]  # fmt: skip
KINDS = {"Race Opener": "Race", "Race Mayfly": "Race", "Heron": "Boat", "Falcon": "Boat", "Osprey": "Boat"}
RACES = Candidates(NetworkxStore([*_TRIPLES, *((thing, "is a", kind) for thing, kind in KINDS.items())]))


def test_a_row_has_both_things_and_the_value() -> None:
    sentence, drafts = RACES.of("How many minutes did Falcon need in Race Opener?")
    texts = {RACES.verbaliser.reading(d, sentence): d for d in drafts}
    both = [
        "Race Opener → result → it → minutes → ?; Falcon ← boat ← it → minutes → ?",
        "Falcon ← boat ← it → minutes → ?; Race Opener → result → it → minutes → ?",
    ]  # "70" are Falcon's minutes in another race, and another's in this one
    (found,) = {d.answers for text, d in texts.items() if text.partition(": ")[2].partition(" =")[0] in both}
    assert found == {'"65"'}


def test_numbers_of_different_relations_tie_nothing() -> None:
    numbers = RACES.generator.numbers
    assert numbers.by_chance(Step("laps"), Step("place"))
    assert not numbers.by_chance(Step("place"), Step("place"))
    assert not numbers.by_chance(Step("crew"), Step("number"))  # each is the number of a berth
    assert not numbers.by_chance(Step("boat"), Step("result", True))
    paths = paths_from(
        RACES.schema, "Race Opener", max_hops=3, affinity=lambda step: 0.5, width=60, by_chance=numbers.by_chance
    )
    assert not any((Step("laps"), Step("place", True)) == path.steps[:2] for path in paths)


def test_places_count_from_one_within_a_thing() -> None:
    assert RACES.generator.numbers.ranks == {"place"}


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which boat came second in Race Opener?", {"Falcon"}),
        ("Which boat took second place in Race Opener?", {"Falcon"}),
        ("Which boat was first in Race Mayfly?", {"Falcon"}),
        ("In which race did Heron finish 2nd?", {"Race Mayfly"}),
    ],
)
def test_a_place_that_is_named_is_one_of_the_row(question: str, answers: set[str]) -> None:
    sentence, drafts = RACES.of(question)
    found = of_rank(RACES.schema, sentence, drafts)
    assert all(d.values for d in found) and len(found) < len(drafts)
    assert frozenset(answers) in {d.answers for d in found if d.form == "select"}


def test_without_a_place_all_readings_stay() -> None:
    sentence, drafts = RACES.of("Which boat was in Race Opener?")
    assert of_rank(RACES.schema, sentence, drafts) == drafts


@pytest.mark.parametrize(
    ("claim", "reading", "verdict"),
    [
        ("Falcon needed less than 66 minutes in Race Opener.", "minutes less than 66", "supported"),
        ("Falcon needed less than 66 minutes in Race Mayfly.", "minutes less than 66", "refuted"),
    ],
)
def test_a_claim_tells_a_value_of_the_row(claim: str, reading: str, verdict: str) -> None:
    sentence = RACES.generator.read(claim)
    drafts: list[Draft] = ClaimRun(RACES.generator, sentence, word_affinity(RACES.schema, claim)).drafts()
    of_both = [d for d in drafts if len(set(d.links)) == 2 and len(d.rows) == 3 and d.form == "ask"]
    found = [d for d in of_both if RACES.verbaliser.reading(d, sentence).endswith(reading)]
    assert {Judge(RACES.schema).verdict(d.query())[0] for d in found} == {verdict}


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Falcon needed more minutes in Race Opener than Heron.", "supported"),
        ("Falcon needed more minutes in Race Mayfly than Heron.", "refuted"),
    ],
)
def test_a_claim_compares_the_values_of_two_rows(claim: str, verdict: str) -> None:
    result = verify(RACES.store, claim, method="query-graph")
    assert result.verdict == verdict, result.reading


_PLACES = {"Opener": ("1", "2", "DNF"), "Mayfly": ("1", "2", "2"), "Closer": ("2", "1", "DNS")}
_BOATS = ("Heron", "Falcon", "Osprey")
SERIES = Candidates(
    NetworkxStore(
        [
            *(
                triple
                for race, told in _PLACES.items()
                for boat, place in zip(_BOATS, told, strict=True)
                for triple in (
                    (f"_:{race}{boat}", "race", f"Race {race}"), (f"_:{race}{boat}", "boat", boat),
                    (f"_:{race}{boat}", "place", f'"{place}"'), (f"_:{race}{boat}", "sailed", '"yes"'),
                )
            ),
            *((f"Race {race}", "is a", "Race") for race in _PLACES),
            *((boat, "is a", "Boat") for boat in _BOATS),
        ]
    )
)  # fmt: skip


def test_who_did_not_finish_takes_no_place_from_the_others() -> None:
    assert SERIES.generator.numbers.ranks == {"place"}  # shared places and "DNF" among them
    sentence, drafts = SERIES.of("Which boat came first in Race Closer?")
    found = of_rank(SERIES.schema, sentence, drafts)
    assert frozenset({"Falcon"}) in {d.answers for d in found if d.form == "select" and len(d.rows) < 5}
    assert verify(SERIES.schema.store, "Heron won Race Closer.", method="query-graph").verdict != "supported"


@pytest.mark.parametrize("claim", ["Falcon won Race Closer.", "Falcon came first in Race Closer."])
def test_a_claim_of_a_place_where_some_did_not_finish(claim: str) -> None:
    assert verify(SERIES.schema.store, claim, method="query-graph").verdict == "supported"
