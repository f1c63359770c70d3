"""Questions composed from a graph: their queries give their answers, and a teacher's words have to keep the names."""

from __future__ import annotations

import pytest
from small_graphs import ferries

from triplewise.agents.node import run_sync
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError, ReplyError
from triplewise.kg import NetworkxStore
from triplewise.kg.query import execute
from triplewise.train.query_graph.own_graph import compose, read_wordings, reword

KG = ferries()


def test_composed_queries_give_their_answers() -> None:
    items = compose(KG, 60, seed=2)
    assert len({i.id for i in items}) == len(items) >= 40 and {i.task for i in items} == {"ask", "verify"}
    assert {i.hops for i in items} == {1, 2}
    for item in items:
        assert item.query is not None
        done = execute(KG, item.query)
        if item.task == "ask":
            assert item.text.endswith("?") and {KG.label(i) for i in done.ids} == {KG.label(a) for a in item.answers}
        else:
            assert item.text.endswith(".") and bool(done.found) == (item.answers == {"supported"})
    assert {a for i in items if i.task == "verify" for a in i.answers} == {"supported", "refuted"}
    assert compose(KG, 60, seed=2) == items != compose(KG, 60, seed=3)


def test_a_graph_without_paths_is_told() -> None:
    with pytest.raises(ConfigError, match="no paths"):
        compose(NetworkxStore([]), 5)


def test_wordings_keep_every_name() -> None:
    reply = '1. Who steers the Löwe?\n- "Whose hands is the MS Löwe in?"\nMS LOWE - captain?\nWho is the captain of MS Löwe?\n'
    sentence = "Who is the captain of MS Löwe?"
    assert read_wordings(reply, ["MS Löwe"], sentence) == ["Whose hands is the MS Löwe in?", "MS LOWE - captain?"]
    for nothing in ("", "Who steers it?", sentence, "MS Löwe" * 100):
        with pytest.raises(ReplyError):
            read_wordings(nothing, ["MS Löwe"], sentence)


def test_a_teacher_adds_words_and_what_it_cannot_say_is_counted() -> None:
    items = compose(KG, 6, seed=1)
    kept = items[0].text

    def reply(messages: object, kwargs: object) -> str:
        text = str(messages)
        return f"Tell me, friend: {kept}\nPlease: {kept}" if kept in text else "No idea."

    done = run_sync(reword(KG, items, ScriptedChatModel(responses=reply), ways=2))
    assert [i.text for i in done.items] == [
        kept,
        f"Tell me, friend: {kept}",
        f"Please: {kept}",
        *(i.text for i in items[1:]),
    ]
    assert all(i.query == items[0].query for i in done.items[:3]) and len({i.id for i in done.items}) == len(done.items)
    assert done.fallbacks == 5 and done.usage.calls == 11  # one reply, and two tries for each of the others
