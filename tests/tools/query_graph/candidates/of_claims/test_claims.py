"""Candidate readings of claims, and what the graph says of them."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import Candidates, ferries, word_affinity

from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.candidates.drafts import Draft
from triplewise.tools.query_graph.candidates.of_claims.claims import ClaimRun
from triplewise.tools.query_graph.claims.verdict import Judge

FERRIES = Candidates(ferries())


def claims(text: str) -> dict[str, Draft]:
    sentence = FERRIES.generator.read(text)
    drafts = ClaimRun(FERRIES.generator, sentence, word_affinity(FERRIES.schema, text)).drafts()
    return {FERRIES.verbaliser.reading(draft, sentence): draft for draft in drafts}


@pytest.mark.parametrize(
    ("claim", "reading", "verdict"),
    [
        # one thing and another
        ("Anna Berg is captain of MS Löwe.", "claim: Anna Berg → captain of → MS Löwe", "supported"),
        ("Ben Ode is captain of MS Löwe.", "claim: Ben Ode → captain of → MS Löwe", "refuted"),
        ("Carla Ruiz is captain of Otter.", "claim: Carla Ruiz → captain of → Otter", "not_enough_evidence"),
        ("MS Löwe calls at Nordkap Quay.", "claim: MS Löwe ← ship ← ? → calls at → Nordkap Quay", "supported"),
        # values
        ("Sea Eagle was built before 2010.", "claim: Sea Eagle → built → ?; built before 2010", "refuted"),
        ("Sea Eagle was built after 2010.", "claim: Sea Eagle → built → ?; built after 2010", "supported"),
        ("Otter is 12 metres long.", "claim: Otter → length m → ?; length m is 12", "supported"),
        ("Otter is over ten metres long.", "claim: Otter → length m → ?; length m more than 10", "supported"),
        # yes and no
        ("Otter carries cars.", "claim: Otter → carries cars → yes", "refuted"),
        # comparisons
        ("Sea Eagle is longer than Otter.", "claim: Sea Eagle → length m → ?; length m more than length m of Otter", "supported"),
        # denied
        ("Otter does not carry cars.", "not claim: Otter → carries cars → yes", "supported"),
        # two at once
        (
            "Ben Ode is captain of Sea Eagle and mate on Otter.",
            "claim: Ben Ode → captain of → Sea Eagle; Ben Ode → mate on → Otter",
            "supported",
        ),
    ],
)  # fmt: skip
def test_a_claim_has_its_reading_and_verdict(claim: str, reading: str, verdict: str) -> None:
    found = claims(claim)
    assert reading in found, "\n".join(found)
    assert Judge(FERRIES.schema).verdict(found[reading].query())[0] == verdict


@pytest.mark.parametrize(
    ("claim", "reading", "verdict"),
    [
        ("Edith Vane was born in 1872.", "claim: Edith Vane → born → ?; born in year 1872", "supported"),
        ("Edith Vane was born in 1873.", "claim: Edith Vane → born → ?; born in year 1873", "refuted"),
        ("Edith Vane was born in May 1872.", "claim: Edith Vane → born → ?; born since 1872-05; born until 1872-05-31", "supported"),
        ("Edith Vane was born on May 22, 1872.", "claim: Edith Vane → born → ?; born is 1872-05-22", "supported"),
        ("Hugo Vane was born in May 1875.", "claim: Hugo Vane → born → ?; born since 1875-05; born until 1875-05-31", "supported"),
    ],
)  # fmt: skip
def test_a_day_in_words_is_in_its_month_and_year(claim: str, reading: str, verdict: str) -> None:
    days = (("Edith Vane", "22 May 1872"), ("Hugo Vane", "May 1875"), ("Ada Roth", "1869"), ("Ivo Marek", "1871"))
    graph = Candidates(
        NetworkxStore([*((p, "born", day) for p, day in days), *((p, "is a", "person") for p, _ in days)])
    )
    sentence = graph.generator.read(claim)
    drafts = ClaimRun(graph.generator, sentence, word_affinity(graph.schema, claim)).drafts()
    found = {graph.verbaliser.reading(draft, sentence): draft for draft in drafts}
    assert reading in found, "\n".join(found)
    assert Judge(graph.schema).verdict(found[reading].query())[0] == verdict
    assert not any(f"; born is {sentence.values[0].texts[0]}" in text for text in found if "until" in reading)


@pytest.mark.parametrize(
    ("claim", "said"), [("Two ships are based at Ufer.", "supported"), ("Three ships are based at Ufer.", "refuted")]
)
def test_a_claim_counts(claim: str, said: str) -> None:
    sentence = FERRIES.generator.read(claim)
    run = ClaimRun(FERRIES.generator, sentence, word_affinity(FERRIES.schema, claim))
    (found,) = (
        d
        for d in run.drafts()
        if d.rows == ((0, "based at", "Ufer"),) and d.compare and d.compare[0] == "=" and not (d.minus or d.filters)
    )
    assert Judge(FERRIES.schema).verdict(found.query())[0] == said


def test_readings_are_denied_only_where_the_claim_denies() -> None:
    assert not any(draft.denied for draft in claims("Otter carries cars.").values())


def test_what_paths_drop_is_dropped_from_claims() -> None:
    found = claims("A ship based where MS Löwe is has captain Anna Berg.")
    draft = found["claim: MS Löwe → based at → ? ← based at ← ship ← captain of ← Anna Berg"]
    assert Judge(FERRIES.schema).verdict(draft.query())[0] != "supported"


# verdicts --------------------------------------------------------------------------------------------------


def verdict(data: dict[str, object], *, closed_world: bool = False, kg: NetworkxStore | None = None) -> str:
    schema = Candidates(kg).schema if kg else FERRIES.schema
    return Judge(schema, closed_world=closed_world).verdict(QueryGraph.from_json(data))[0]


def test_a_list_that_the_graph_has_is_complete() -> None:
    assert verdict({"ask": "some", "where": [["Ufer", "harbour master", "Ben Ode"]]}) == "refuted"
    assert verdict({"ask": "none", "where": [["Ufer", "harbour master", "Ben Ode"]]}) == "supported"


def test_a_list_that_the_graph_lacks_leaves_it_open() -> None:
    claim = {"ask": "some", "where": [["Otter", "retired in", '"2020"']]}
    assert verdict(claim) == "not_enough_evidence"
    assert verdict(claim, closed_world=True) == "refuted"


def test_the_triples_that_refute_are_told() -> None:
    query = QueryGraph.from_json({"ask": "some", "where": [["Ufer", "harbour master", "Ben Ode"]]})
    assert [t.tail for t in Judge(FERRIES.schema).verdict(query)[2]] == ["Dov Lind"]


def test_the_other_side_counts_where_nearly_all_have_it() -> None:
    people = {f"p{n}": ["Person"] for n in range(10)}
    triples = [(f"p{n}", "lives in", f"town{n % 3}") for n in range(10)]
    kg = NetworkxStore(
        [*triples, ("town9", "in", "land")], types={**people, **{f"town{n}": ["Town"] for n in range(10)}}
    )
    somebody = {"ask": "some", "where": [["?x", "lives in", "town9"]]}
    assert verdict(somebody, kg=kg) == "refuted"
    fewer = NetworkxStore([*triples[:4], ("town9", "in", "land")], types=people)
    assert verdict(somebody, kg=fewer) == "not_enough_evidence"


def test_one_that_lacks_it_and_that_the_claim_names_leaves_it_open() -> None:
    people = [f"p{n}" for n in range(10)]
    triples = [(p, "lives in", f"town{n % 3}") for n, p in enumerate(people[:9])]
    triples += [(f"shop{n}", "run by", p) for n, p in enumerate(people)]
    kg = NetworkxStore([*triples, ("town9", "in", "land")], types={p: ["Person"] for p in people})
    runs = {n: [[f"shop{n}", "run by", "?x"], ["?x", "lives in", "town9"]] for n in (4, 9)}
    assert verdict({"ask": "some", "where": runs[4]}, kg=kg) == "refuted"
    assert verdict({"ask": "some", "where": runs[9]}, kg=kg) == "not_enough_evidence"


@pytest.mark.parametrize(
    ("compare", "said"),
    [(("=", "2"), "supported"), (("=", "1"), "refuted"), (("<", "2"), "refuted"), ((">=", "2"), "supported")],
)
def test_counts_are_compared(compare: tuple[str, str], said: str) -> None:
    claim = {"count": "?x", "where": [["?x", "based at", "Ufer"]], "compare": list(compare)}
    assert verdict(claim) == said


def test_only_what_both_things_can_have_is_compared() -> None:
    assert not [reading for reading in claims("Sea Eagle is longer than Anna Berg.") if "of Anna Berg" in reading]


@pytest.mark.parametrize(
    ("claim", "reading"),
    [
        ("Otter is shorter than Sea Eagle.", "claim: Otter → length m → ?; length m less than length m of Sea Eagle"),
        ("Otter is thinner than Sea Eagle.", "claim: Otter → length m → ?; length m less than length m of Sea Eagle"),
        ("Otter is older than Sea Eagle.", "claim: Otter → built → ?; built less than built of Sea Eagle"),
    ],
)
def test_the_words_tell_which_way_two_things_are_compared(claim: str, reading: str) -> None:
    relation = reading.split(" → ")[1]
    assert [r for r in claims(claim) if f"{relation} → ?; {relation} " in r and r.endswith(("Eagle", "Otter"))] == [
        reading
    ]


def test_a_claim_about_a_named_thing_is_about_it() -> None:
    sentence = FERRIES.generator.read("MS Löwe is a harbour")
    assert all(d.links or d.values for d in claims("MS Löwe is a harbour").values() if d.kind)
    assert any(not d.links and d.kind for d in claims("There is a harbour with a ship").values()) and sentence.links


def test_a_number_in_a_name_is_no_value() -> None:
    bikes = [(f"Bike 10{i}", "type", "bike") for i in range(4)] + [
        ("Bike 101", "cost", "101"),
        ("Bike 102", "cost", "90"),
    ]
    generator = Candidates(NetworkxStore(bikes)).generator
    assert not generator.read("Bike 101 was repaired").values
    assert [v.low for v in generator.read("Bike 102 costs 101").values] == ["101"]
    assert [v.low for v in generator.read("Which bike costs 101?").values] == ["101"]


def test_only_denies_nothing() -> None:
    assert any(text.startswith("not claim") for text in claims("Anna Berg is not captain of Otter."))
    assert not any(text.startswith("not claim") for text in claims("Anna Berg is only captain of Otter."))


def _readings(graph: Candidates, claim: str, given: tuple[str, ...] = ()) -> dict[str, str]:
    """Each reading of a claim in words, with its verdict."""
    sentence = graph.generator.read(claim, given)
    drafts = ClaimRun(graph.generator, sentence, word_affinity(graph.schema, claim)).drafts()
    judge = Judge(graph.schema)
    return {graph.verbaliser.reading(d, sentence): judge.verdict(d.query())[0] for d in drafts}


TOWERS = Candidates(
    NetworkxStore(
        [
            *(
                ("Key Tower", "floors", '"45"'),
                ("Key Tower", "completed", '"1985"'),
                ("Key Tower", "city", "Port Hale"),
            ),
            *(("Ark Tower", "floors", '"30"'), ("Ark Tower", "completed", '"1990"'), ("Ark Tower", "city", "Hale")),
            *(
                ("Ann Roe", "born in", "Port Hale"),
                ("Ben Ode", "born in", "Hale"),
                ("Ann Roe", "trained by", "Ben Ode"),
            ),
        ]
    )
)


def test_two_values_of_one_thing_are_one_claim() -> None:
    found = _readings(TOWERS, "Key Tower has 45 floors and was completed in 1985.")
    said = "claim: Key Tower → completed → ?; Key Tower → floors → number; completed is 1985; floors is 45"
    assert found.get(said) == "supported", "\n".join(found)
    assert not any("floors is 45; floors is 1985" in reading for reading in found)
    assert not any("completed is 45" in reading for reading in found)


def test_three_claims_of_one_thing_are_one_claim() -> None:
    found = _readings(TOWERS, "Key Tower in Port Hale has 45 floors and was completed in 1985.")
    parts = ("Key Tower → city → Port Hale", "floors is 45", "completed is 1985")
    assert "supported" in {found[r] for r in found if all(part in r for part in parts)}, "\n".join(found)


def test_words_of_a_given_name_are_no_other_name() -> None:
    found = _readings(TOWERS, "Ann Roe was born in Port Hale.", ("Ann Roe", "Port Hale"))
    assert found["claim: Ann Roe → born in → Port Hale"] == "supported"
    assert not any(" → Hale" in reading for reading in found), "\n".join(found)


def test_a_value_has_no_relation() -> None:
    found = _readings(TOWERS, "Key Tower was completed in 1985 in Hale.", ("Key Tower", '"1985"', "Hale"))
    assert not any("← 1985" in reading or reading.startswith("claim: 1985 →") for reading in found), "\n".join(found)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"ask": "none", "where": [["?x", "trained by", "Ann Roe"]]}, "supported"),
        ({"ask": "none", "where": [["?x", "trained by", "Ben Ode"]]}, "refuted"),
        ({"ask": "none", "where": [["Ben Ode", "trained by", "?x"]]}, "not_enough_evidence"),
    ],
)
def test_nobody_is_so_where_nobody_is_said_to_be(data: dict[str, Any], said: str) -> None:
    assert Judge(TOWERS.schema).verdict(QueryGraph.from_json(data))[0] == said


def test_nothing_denies_a_claim() -> None:
    found = _readings(TOWERS, "Nothing was trained by Ben Ode.")
    assert found["not claim: Ben Ode ← trained by ← ?"] == "refuted", "\n".join(found)
