"""The chat model chooses among the ranker's readings, or says that none is meant."""

from __future__ import annotations

import pytest
from small_graphs import ferries

from triplewise.agents.context import Context, resolve
from triplewise.agents.query_graph.reading_chooser import ChooserOptions, make_reading_chooser
from triplewise.agents.query_graph.state import QueryGraphState, ScoredReading
from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.llama.gbnf_check import check
from triplewise.kg.query import QueryGraph

KG = ferries()
RELATIONS = ("captain of", "mate on", "based at")


def readings() -> tuple[ScoredReading, ...]:
    queries = [QueryGraph.from_json({"select": "?x", "where": [["?x", r, "Otter"]]}) for r in RELATIONS]
    return tuple(ScoredReading(q, "", 1.0 - n, 0.3) for n, q in enumerate(queries))


async def choose(
    replies: list[str], shown: int = 3, grammars: bool = False
) -> tuple[QueryGraphState, ScriptedChatModel]:
    model = ScriptedChatModel(responses=replies, supports_grammar=grammars)
    node = make_reading_chooser(ChooserOptions(shown))
    state: QueryGraphState = {"question": "Who sails on Otter?", "readings": readings(), "none_probability": 0.9}
    return await node.function(state, resolve(Context(kg=KG, model=model))), model


async def test_the_chosen_reading_comes_first() -> None:
    update, _ = await choose(["2"])
    assert [r.query.relations[0] for r in update["readings"]] == ["mate on", "captain of", "based at"]
    assert update["none_probability"] == 0.0


async def test_zero_says_that_none_is_meant() -> None:
    update, _ = await choose(["0"])
    assert update["none_probability"] == 1.0 and "readings" not in update


async def test_the_model_sees_the_readings_in_words() -> None:
    _, model = await choose(["1"])
    said = str(model.calls[0][0])
    assert "Who sails on Otter?" in said
    assert "2. what is a mate on Otter" in said


async def test_a_model_that_decodes_under_a_grammar_gets_one_that_llama_cpp_reads() -> None:
    _, model = await choose(["1"], grammars=True)
    assert check(model.calls[0][1]["grammar"])


@pytest.mark.parametrize("reply", ["9", "none of them"])
async def test_a_reply_that_is_no_number_is_asked_for_again(reply: str) -> None:
    update, _ = await choose([reply, "3"])
    assert update["readings"][0].query.relations == ("based at",)


async def test_without_a_usable_reply_the_ranker_decides() -> None:
    update, _ = await choose(["?", "?"])
    assert update["readings"][0].query.relations == ("captain of",)
    assert "first reading" in update["steps"][0].note


async def test_the_choice_is_left_to_the_ranker() -> None:
    update, model = await choose([], shown=0)
    assert update["steps"][0].status == "skipped" and not model.calls
