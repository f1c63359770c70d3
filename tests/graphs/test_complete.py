"""``complete``: names and ids, what is known, predictions as evidence, defaults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.agents.kicgpt.link_reader import resolve_query
from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError, QuestionError, UnknownEntityError, UnknownRelationError
from triplewise.graphs.complete import (
    acomplete,
    complete,
    complete_link_tool,
)
from triplewise.kg import NetworkxStore
from triplewise.kg.linking import resolve_relation
from triplewise.tools.links.rotate_scorer import RankingFile
from triplewise.tools.links.scorers import find_scorer

KG = NetworkxStore.from_triples(
    [
        ("f1", "directed_by", "p1"),
        ("f2", "directed_by", "p2"),
        ("f3", "directed_by", "p2"),
        ("f1", "filmed_in", "c1"),
        ("f1", "year", '"1979"'),
    ],
    labels={"f1": "Alien", "f2": "Apes", "f3": "Apes", "p1": "Ridley Scott", "p2": "Tim Burton", "c1": "London"},
)


@pytest.fixture
def scorer(tmp_path: Path) -> RankingFile:
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({"head": "f1", "relation": "directed_by", "tail": None, "ranking": ["p2", "p1", "c1"]}))
    return RankingFile.load(path, KG)


def test_names_ids_and_the_missing_end() -> None:
    for missing in (None, "?", "_", ""):
        assert resolve_query(KG, "alien", "directed by", missing) == LinkQuery("f1", "directed_by", None)
    assert resolve_query(KG, "?", "directed", "Tim Burton") == LinkQuery(None, "directed_by", "p2")


def test_unclear_names_are_told_with_their_candidates() -> None:
    with pytest.raises(UnknownEntityError, match=r"2 entities.*'Apes \(f2\)', 'Apes \(f3\)'"):
        resolve_query(KG, "Apes", "directed_by", None)
    with pytest.raises(UnknownRelationError, match=r"may mean 2 relations.*'directed_by', 'filmed_in'"):
        resolve_relation(KG, "i")
    for unknown in ("", "zzz"):
        with pytest.raises(UnknownRelationError, match="no relation is named"):
            resolve_relation(KG, unknown)
    with pytest.raises(QuestionError, match="'year' leads to values"):
        resolve_query(KG, "f1", "year", None)


def test_predictions_are_marked(scorer: RankingFile) -> None:
    model = ScriptedChatModel(responses=["2, 1, 3"])
    done = complete(KG, "Alien", "directed_by", None, scorer=scorer, model=model, top=2)
    assert [(p.id, p.retriever_rank, p.known, p.score) for p in done.ranking] == [
        ("p1", 2, True, -2.0),
        ("p2", 1, False, -1.0),
    ]
    assert [(e.triple.tail, e.source) for e in done.evidence()] == [("p1", "asserted"), ("p2", "predicted")]
    assert done.usage.calls == 1 and not done.warnings


async def test_a_fallback_is_a_warning_and_unscored_entities_are_no_predictions(scorer: RankingFile) -> None:
    seen: list[str] = []
    done = await acomplete(
        KG,
        "f1",
        "directed_by",
        "_",
        scorer=scorer,
        model=ScriptedChatModel(responses=["no", "no"]),
        on_step=seen.append,
    )
    assert [p.id for p in done.ranking] == ["p2", "p1", "c1"]  # six entities, three of them in the file
    assert any("retriever's order is kept" in w for w in done.warnings)
    assert seen == ["retrieve", "demonstrations", "compose", "final_query", "splice"]


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_link_that_the_rankings_leave_out_costs_no_call(scorer: RankingFile, preset: str) -> None:
    with pytest.raises(QuestionError, match=r"ranks no entity.*add it to the rankings"):
        complete(KG, None, "directed_by", "p1", scorer=scorer, model=ScriptedChatModel(responses=[]), preset=preset)


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_single_candidate_is_not_asked_about(tmp_path: Path, preset: str) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps({"head": "f1", "relation": "directed_by", "tail": None, "ranking": ["p2", "p1"]}))
    done = complete(
        KG, "f1", "directed_by", None, scorer=path, model=ScriptedChatModel(responses=[]), preset=preset,
        keep_known=False,
    )  # fmt: skip
    assert [(p.id, p.retriever_rank) for p in done.ranking] == [("p2", 1)]
    assert [s.status for s in done.steps] == ["ok", "skipped"] and done.usage.calls == 0


def test_sentences_of_relations_that_the_graph_lacks_are_told(scorer: RankingFile, tmp_path: Path) -> None:
    texts = tmp_path / "texts.tsv"
    texts.write_text("directed_by\t[T] made [H].\ndirectedby\t[T] made [H].\n")
    model = ScriptedChatModel(responses=["1"])
    done = complete(KG, "f1", "directed_by", None, scorer=scorer, model=model, alignment=texts)
    assert done.warnings == ("relation texts that are not used, since the graph has no such relation: 'directedby'",)
    assert "____ made Alien." in model.calls[0][0][-1].text


def test_without_a_scorer_the_error_says_how_to_train_one() -> None:
    with pytest.raises(ConfigError, match="triplewise train rotate --kg"):
        complete(KG, "f1", "directed_by", None, model=ScriptedChatModel(responses=[]))
    with pytest.raises(ConfigError, match="no scorer at"):
        find_scorer(KG, "nowhere")


async def test_the_tool_marks_predictions_and_returns_mistakes_as_text(scorer: RankingFile) -> None:
    tool = complete_link_tool(KG, scorer=scorer, model=ScriptedChatModel(responses=["1"] * 3), top=2)
    asked = {"head": "Alien", "relation": "directed_by", "tail": "?"}
    text = "1. Tim Burton (predicted, not a fact)\n2. Ridley Scott (asserted by the graph)"
    assert tool.invoke(asked) == text and await tool.ainvoke(asked) == text
    call = {"name": "complete_link", "args": asked, "id": "1", "type": "tool_call"}
    assert tool.invoke(call).artifact.query == LinkQuery("f1", "directed_by", None)
    assert "exactly one end" in tool.invoke({**asked, "tail": "Ridley Scott"})
