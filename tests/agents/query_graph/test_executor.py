"""The chosen reading is executed, proven, and told beside the runners-up."""

from __future__ import annotations

from typing import Any

import pytest
from small_graphs import ferries

from triplewise.agents.context import Context, resolve
from triplewise.agents.query_graph.executor import ExecutorOptions, make_reading_executor
from triplewise.agents.query_graph.state import QueryGraphState, ScoredReading
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.kg import KGStore, NetworkxStore
from triplewise.kg.query import QueryGraph

KG = ferries()
AT_UFER = {"select": "?x", "where": [["?x", "based at", "Ufer"]]}
ON_OTTER = {"select": "?x", "where": [["?x", "captain of", "Otter"]]}
COUNT = {"count": "?x", "where": [["?x", "based at", "Ufer"]]}
MASTER = {"ask": "some", "where": [["Ufer", "harbour master", "Ben Ode"]]}


async def run(
    *queries: dict[str, Any],
    shares: tuple[float, ...] = (0.6, 0.3),
    none: float = 0.1,
    task: str = "ask",
    question: str = "?",
    kg: KGStore = KG,
    **options: Any,
) -> dict[str, Any]:
    readings = tuple(ScoredReading(QueryGraph.from_json(q), "", p, p) for q, p in zip(queries, shares, strict=False))
    state: QueryGraphState = {"question": question, "readings": readings, "none_probability": none, "task": task}  # type: ignore[typeddict-item]
    node = make_reading_executor(ExecutorOptions(**options))
    return dict(await node.function(state, resolve(Context(kg=kg, model=ScriptedChatModel()))))


async def test_each_answer_cites_its_proof() -> None:
    done = await run(AT_UFER, COUNT)
    assert [a.label for a in done["answers"]] == ["MS Löwe", "Sea Eagle"]
    for answer in done["answers"]:
        (proof,) = (done["evidence"][i].triple for i in answer.citations)
        assert proof == (answer.id, "based at", "Ufer")
    assert done["text"] == "MS Löwe, Sea Eagle"


async def test_the_reading_and_the_runners_up_are_told() -> None:
    done = await run(AT_UFER, COUNT)
    assert (done["reading"].text, done["reading"].number) == ("what is based at Ufer", 1)
    assert [(r.answers, r.number) for r in done["other_readings"]] == [(("2",), 2)]
    assert done["margin"] == pytest.approx(0.3)


async def test_another_reading_is_taken() -> None:
    done = await run(AT_UFER, COUNT, reading=2)
    assert done["text"] == "2" and done["reading"].number == 2
    assert [r.number for r in done["other_readings"]] == [1]
    assert not done["warnings"]


async def test_a_reading_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigError, match="no reading 3"):
        await run(AT_UFER, COUNT, reading=3)


async def test_a_close_call_is_told() -> None:
    assert "another way" in (await run(AT_UFER, COUNT, shares=(0.41, 0.39)))["warnings"][0]
    assert not (await run(AT_UFER, AT_UFER, shares=(0.41, 0.39)))["warnings"]


async def test_what_is_not_likely_enough_is_not_answered() -> None:
    done = await run(AT_UFER, COUNT, shares=(0.1, 0.1), none=0.7)
    assert (done["answers"], done["reading"], done["text"]) == ((), None, "The graph does not tell.")
    assert len(done["other_readings"]) == 2
    assert (await run(AT_UFER, COUNT, none=0.7, reading=1, none_above=0.8))["answers"]
    assert (await run(AT_UFER, COUNT, none=0.7, reading=2))["text"] == "2"  # a reading that was asked for is executed


async def test_a_reading_that_is_rather_likely_is_not_called_absent() -> None:
    assert (await run(AT_UFER, COUNT, shares=(0.3, 0.1), none=0.6))["text"] == "Not sure what is meant."
    assert (await run(AT_UFER, COUNT, shares=(0.1, 0.1), none=0.8))["text"] == "The graph does not tell."
    assert (await run(AT_UFER, task="verify", shares=(0.3,), none=0.6))["text"] == "Not enough evidence"


async def test_no_reading_at_all() -> None:
    assert (await run())["text"] == "The graph does not tell."
    assert (await run(task="verify"))["verdict"] == "not_enough_evidence"


async def test_an_empty_answer_is_said() -> None:
    done = await run(ON_OTTER)
    assert (done["answers"], done["text"]) == ((), "The graph does not tell.")
    assert done["reading"].text == "who is the captain of Otter"


async def test_only_so_many_answers_are_proven() -> None:
    done = await run(AT_UFER, max_answers=1)
    assert [len(a.citations) for a in done["answers"]] == [1, 0]
    assert "proofs are given for the first 1" in done["warnings"][0]


@pytest.mark.parametrize(("closed", "verdict"), [(False, "not_enough_evidence"), (True, "refuted")])
async def test_an_open_claim(closed: bool, verdict: str) -> None:
    claim = {"ask": "some", "where": [["Otter", "retired in", '"2020"']]}
    assert (await run(claim, task="verify", closed_world=closed))["verdict"] == verdict


async def test_in_a_closed_world_what_is_said_besides_is_false() -> None:
    claim = {"ask": "some", "where": [["Sea Eagle", "based at", "Ufer"]]}
    said = "Sea Eagle is the fastest ship based at Ufer."
    assert (await run(claim, question=said, task="verify"))["verdict"] == "not_enough_evidence"
    done = await run(claim, question=said, task="verify", closed_world=True)
    assert done["verdict"] == "refuted" and "fastest" in done["text"] and done["text"].startswith("Refuted. ")
    nothing = await run(claim, task="verify", none=0.9, closed_world=True)
    assert nothing["verdict"] == "refuted" and not nothing["evidence"]
    denied = await run(claim, question="Sea Eagle is no such thing.", task="verify", none=0.9, closed_world=True)
    assert denied["verdict"] == "supported"


async def test_a_refuted_claim_cites_what_the_graph_says() -> None:
    done = await run(MASTER, task="verify")
    assert done["verdict"] == "refuted"
    assert done["text"] == "Refuted. The graph says: Ufer – harbour master – Dov Lind."
    assert [e.triple.tail for e in done["evidence"]] == ["Dov Lind"]
    assert done["reading"].answers == ("refuted",)


async def test_a_refutation_without_a_triple_says_what_is_missing() -> None:
    done = await run({"ask": "some", "where": [["?x", "harbour master", "Anna Berg"]]}, task="verify")
    assert (done["verdict"], done["evidence"]) == ("refuted", ())
    assert done["reason"] == "The graph holds no such triple, and what it lists under 'harbour master' looks complete."


async def test_what_is_hardly_meant_does_not_refute_without_a_triple() -> None:
    none = {"ask": "some", "where": [["?x", "harbour master", "Anna Berg"]]}
    assert (await run(none, task="verify", shares=(0.2,)))["verdict"] == "not_enough_evidence"
    assert (await run(none, task="verify", shares=(0.2,), closed_world=True))["verdict"] == "refuted"
    assert (await run(MASTER, task="verify", shares=(0.2,)))["verdict"] == "refuted"  # the master is another


async def test_readings_that_read_alike_are_told_once() -> None:
    done = await run(COUNT, AT_UFER, AT_UFER, COUNT, shares=(0.4, 0.3, 0.2, 0.1))
    assert [r.number for r in done["other_readings"]] == [2]


async def test_who_asks_whether_there_is_any_is_told_what() -> None:
    some = {"ask": "some", "where": [["?x", "based at", "Ufer"]]}
    done = await run(some, question="Does it have ships at Ufer?")
    assert [a.label for a in done["answers"]] == ["MS Löwe", "Sea Eagle"]
    assert done["text"] == "Yes: MS Löwe, Sea Eagle" and not done.get("verdict")
    assert done["reading"].query["select"] == "?x"
    claimed = await run(some, question="Aren't there ships at Ufer?", task="verify")
    assert claimed["verdict"] == "supported" and not claimed["answers"]
    named = await run(MASTER, question="Is Ben Ode harbour master?")
    assert len(named["answers"]) == 1 and named["answers"][0].label in ("yes", "no")


async def test_a_value_that_denies_is_told_without_a_yes() -> None:
    kg = NetworkxStore([("Kettle", "repair result", '"not fixed"'), ("Lamp", "repair result", '"fixed"')])
    for thing, text in (("Kettle", "not fixed"), ("Lamp", "Yes: fixed")):
        some = {"ask": "some", "where": [[thing, "repair result", "?x"]]}
        assert (await run(some, question="Did the repair have a result?", kg=kg))["text"] == text


async def test_a_relation_that_a_question_does_not_speak_of_answers_neither_yes_nor_no() -> None:
    mate = {"ask": "some", "where": [["Ben Ode", "mate on", "?x"]]}
    assert not (await run(mate, question="Does Ben Ode snore?"))["answers"]
    asked = await run(mate, question="Does Ben Ode snore", task="verify")
    assert asked["verdict"] == "not_enough_evidence"
    assert (await run(mate, question="Is Ben Ode a mate on any ship?"))["answers"]


@pytest.mark.parametrize(("share", "closed", "taken"), [(0.3, True, 2), (0.2, True, 1), (0.3, False, 1)])
async def test_in_a_closed_world_a_reading_that_holds_goes_before_one_about_as_likely(
    share: float, closed: bool, taken: int
) -> None:
    lacking = {"ask": "some", "where": [["Ben Ode", "captain of", "MS Löwe"]]}
    holds = {"ask": "some", "where": [["Ufer", "harbour master", "Dov Lind"]]}
    done = await run(lacking, holds, shares=(0.5, share), task="verify", closed_world=closed)
    assert done["reading"].number == taken and (done["verdict"] == "supported") == (taken == 2)


async def test_readings_that_answer_alike_are_told_once_and_keep_their_numbers() -> None:
    there = {"select": "?x", "where": [["?x", "rdf:type", "Ship"], ["?x", "based at", "Ufer"]]}
    done = await run(AT_UFER, there, there, COUNT, shares=(0.4, 0.38, 0.12, 0.1))
    assert [(r.answers, r.number) for r in done["other_readings"]] == [(("2",), 4)]
    assert done["margin"] == pytest.approx(0.3) and not done["warnings"]
    taken = await run(AT_UFER, there, COUNT, shares=(0.4, 0.35, 0.25), reading=2)
    assert taken["reading"].number == 2 and [r.number for r in taken["other_readings"]] == [3]


async def test_claims_are_told_though_their_verdicts_are_the_same() -> None:
    other = {"ask": "some", "where": [["Otter", "based at", "Ufer"]]}
    first = {"ask": "some", "where": [["Sea Eagle", "based at", "Ufer"]]}
    done = await run(first, other, task="verify", shares=(0.6, 0.4))
    assert [r.number for r in done["other_readings"]] == [2]
