"""Error stages: golden cases of the rules, and the real machine with a model that errs at one known stage."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pytest

import triplewise
from triplewise.backends.fake import ScriptedChatModel
from triplewise.evals.data.items import Item
from triplewise.evals.scores.metrics import Outcome, score
from triplewise.evals.scores.results import ItemResult
from triplewise.evals.scores.stages import TABLE_3, chain, fault_of, stage_shares
from triplewise.evals.scores.statistics import wilson
from triplewise.kg import NetworkxStore
from triplewise.types import Result, Triple

PATH = ("written_by", "written_by", "directed_by")
ITEM = Item(
    "ask",
    "who directed the films written by the writer of [She]",
    ("Guy Green",),
    entities=("She",),
    path=PATH,
    cluster="She",
)
CHAIN = (["She", "?writer"], ["?film", "?writer"], ["?film", "?answer"])
RIGHT = (["written by"], ["written by"], ["directed by"])


def steps(ends: Sequence[list[str]], chosen: Sequence[list[str]], topic: str = "She") -> tuple[dict[str, Any], ...]:
    offered = ["directed by", "has genre", "written by"]
    return (
        {"node": "link", "detail": {"entities": [topic]}},
        {"node": "segment", "detail": {"sub_sentences": [{"text": "", "ends": e} for e in ends]}},
        *(
            {"node": f"select_relations[{i}]", "detail": {"candidates": offered, "chosen": c}}
            for i, c in enumerate(chosen, 1)
        ),
        {"node": "reason", "detail": {}},
    )


def found(item: Item, outcome: Outcome, recorded: Sequence[Any] = (), error: str = "") -> ItemResult:
    return ItemResult(
        item.id, item, outcome, item.text, item.answers, steps=tuple(recorded), error=error,
        scores=score(item, outcome), cluster=item.cluster,
    )  # fmt: skip


WRONG = Outcome(answers=(("Somebody", "Somebody"),))


@pytest.mark.parametrize(
    ("ends", "order"),
    [
        (CHAIN, (0, 1, 2)),
        ((CHAIN[2], CHAIN[0], CHAIN[1]), (1, 2, 0)),
        ((["?writer", "SHE "], *CHAIN[1:]), (0, 1, 2)),
        (([["She", "?answer"]]), (0,)),
        (CHAIN[:2], None),
        (CHAIN[1:], None),
        ((*CHAIN, ["She", "?other"]), None),
        ((*CHAIN, ["She"]), None),
        ((["She", "?a"], ["She", "?answer"]), None),
        ((["Alien", "?answer"],), None),
        ((), None),
    ],
)
def test_chain(ends: Sequence[list[str]], order: tuple[int, ...] | None) -> None:
    assert chain([{"ends": e} for e in ends], {"she"}) == order


@pytest.mark.parametrize(
    ("ends", "chosen", "stage", "why"),
    [
        (CHAIN, RIGHT, "inference", "fit the gold path"),
        ((CHAIN[2], CHAIN[0], CHAIN[1]), (RIGHT[2], RIGHT[0], RIGHT[1]), "inference", "fit"),
        (CHAIN, (["written_by"], ["Written By", "has genre"], ["directed by"]), "inference", "fit"),
        (CHAIN, (RIGHT[0], ["has genre"], RIGHT[2]), "retrieval", "“written by” (link 2) was offered"),
        (CHAIN, RIGHT[:2], "retrieval", "“directed by” (link 3) was not among"),
        (CHAIN[:2], RIGHT[:2], "segmentation", "no chain"),
        ((["She", "?answer"],), (RIGHT[2],), "segmentation", "1 sub-sentence where the gold path has 3"),
    ],
)
def test_questions(ends: Any, chosen: Any, stage: str, why: str) -> None:
    fault = fault_of(found(ITEM, WRONG, steps(ends, chosen)))
    assert fault is not None
    assert fault.stage == stage
    assert why in fault.why


def test_an_entity_linked_alone_is_the_topic() -> None:
    ends = (["She (1965)", "?writer"], *CHAIN[1:])
    fault = fault_of(found(ITEM, WRONG, steps(ends, RIGHT, topic="She (1965)")))
    assert fault is not None and fault.stage == "inference"


CLAIM = Item(
    "verify", "Ann was born in Oslo, where Bo leads.", label=True, entities=("Ann", "Bo"),
    path=("birthPlace", "leaderName"), cluster="c",
)  # fmt: skip


@pytest.mark.parametrize(
    ("ends", "chosen", "stage", "why"),
    [
        ((["Ann", "?city"], ["?city", "Bo"]), (["birth place"], ["leader name"]), "inference", "all gold"),
        ((["Ann", "?city"], ["?city", "Bo"]), (["birth place"], ["death place"]), "retrieval", "“leader name”"),
        ((["Ann", "Bo"],), (["birth place"],), "segmentation", "1 sub-sentence for 2 gold relations"),
        ((["Ann", "?city"], ["?city", "?who"]), (["birth place"], ["leader name"]), "segmentation", "names “Bo”"),
    ],
)
def test_claims(ends: Any, chosen: Any, stage: str, why: str) -> None:
    recorded = steps(ends, chosen)
    recorded[0]["detail"]["entities"] = ["Ann", "Bo"]
    fault = fault_of(found(CLAIM, Outcome(verdict="refuted"), recorded))
    assert fault is not None
    assert fault.stage == stage
    assert why in fault.why


def test_right_answers_links_and_unknowns() -> None:
    assert fault_of(found(ITEM, Outcome(answers=(("g", "guy green"),)), steps(CHAIN, RIGHT))) is None
    assert fault_of(found(CLAIM, Outcome(verdict="supported"))) is None
    assert fault_of(found(Item("complete", answers=("b",), head="a", relation="r"), WRONG)) is None
    no_path = Item("ask", "who?", ("x",), entities=("She",))
    for result, why in (
        (found(ITEM, WRONG, error="TimeoutError"), "TimeoutError"),
        (found(no_path, WRONG, steps(CHAIN, RIGHT)), "no gold relations"),
        (found(ITEM, WRONG), "no steps"),
    ):
        fault = fault_of(result)
        assert fault is not None
        assert fault.stage == "unknown"
        assert why in fault.why


def test_without_segmentation() -> None:
    recorded = ({"node": "plan", "detail": {}}, {"node": "retrieve_triples", "detail": {}})
    missed = Outcome(answers=WRONG.answers, evidence=(("She", "written_by", "x"),))
    held = Outcome(answers=WRONG.answers, evidence=(("y", "directed_by", "Guy Green"),))
    assert [f.stage for o in (missed, held) if (f := fault_of(found(ITEM, o, recorded)))] == ["retrieval", "inference"]


def test_shares_beside_table_3() -> None:
    wrong = [steps(CHAIN[:2], RIGHT[:2])] * 3 + [steps(CHAIN, RIGHT[:2])] + [()]
    results = [found(ITEM, WRONG, s) for s in wrong] + [found(ITEM, Outcome(answers=(("", "Guy Green"),)))]
    results = [
        ItemResult(**{f: getattr(r, f) for f in r.__slots__} | {"cluster": str(i)}) for i, r in enumerate(results)
    ]
    rows, unknown = stage_shares(results, "metaqa-2")
    assert [(r.stage, r.count, r.share, r.published) for r in rows] == [
        ("segmentation", 3, 0.75, 0.63), ("retrieval", 1, 0.25, 0.03), ("inference", 0, 0.0, 0.34),
    ]  # fmt: skip
    assert rows[0].interval == wilson(3, 4)
    assert rows[0].published_interval == wilson(63, 100)
    assert unknown == {"no steps are recorded": 1}
    assert stage_shares(results[-1:]) == ([], {})
    assert all(sum(column.values()) == 100 for column in TABLE_3.values())


# The real machine ---------------------------------------------------------------------------------

GRAPH = [
    ("She", "written_by", "Rider"), ("Mines", "written_by", "Rider"), ("Mines", "directed_by", "Guy Green"),
    ("Mines", "has_genre", "Adventure"), ("She", "directed_by", "Robert Day"), ("Dune", "directed_by", "Robert Day"),
    ("She", "has_genre", "Fantasy"),
]  # fmt: skip


def erring(stage: str):
    """A model that goes the gold way up to one stage."""

    def reply(messages: list[Any], kwargs: dict[str, Any]) -> str:
        user = messages[1].text
        if kwargs["node"] == "segment":
            if stage == "segmentation":
                return "1. Someone directed She. | She ; ?answer"
            return "1. a | She ; ?writer\n2. b | ?film ; ?writer\n3. c | ?film ; ?answer"
        if kwargs["node"].startswith("select_relations"):
            if stage == "segmentation":
                return "directed by"
            sentence = user.rpartition("Sentence: ")[2].partition("\n")[0]
            return {"c": "has genre" if stage == "retrieval" else "directed by"}.get(sentence, "written by")
        return "not enough evidence" if stage == "inference" else "Guy Green"

    return ScriptedChatModel(responses=reply)


def as_result(item: Item, result: Result) -> ItemResult:
    outcome = Outcome.of(result, 0.0)
    recorded = tuple(json.loads(json.dumps(asdict(step))) for step in result.steps)
    return found(item, outcome, recorded)


@pytest.mark.parametrize("stage", ["segmentation", "retrieval", "inference", "none"])
async def test_the_machine_errs_where_it_was_made_to(stage: str) -> None:
    kg = NetworkxStore.from_triples([Triple(*t) for t in GRAPH])
    result = await triplewise.aask(kg, ITEM.text, model=erring(stage), entities=("She",), top_k=1)
    fault = fault_of(as_result(ITEM, result))
    assert (fault.stage if fault else "none") == stage, (fault, result.text)
