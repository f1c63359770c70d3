"""What ``import triplewise`` offers: every name is there, and takes what a first user would give it."""

from __future__ import annotations

import json
from pathlib import Path

import triplewise
from triplewise.backends.fake import ScriptedChatModel


def test_every_public_name_is_there() -> None:
    assert all(getattr(triplewise, name) is not None for name in triplewise.__all__)
    assert {"ask", "verify", "complete", "load_kg"} <= set(triplewise.__all__)


def test_one_entity_need_not_be_a_list() -> None:
    model = ScriptedChatModel(
        responses=["1. Roma was directed by someone. | Roma ; ?answer", "directed by", "Alfonso Cuarón"]
    )
    result = triplewise.ask("films", "Who directed it?", model=model, entities="Roma")
    assert result.steps[0].detail["entities"] == ["Roma"]


def test_complete(tmp_path: Path) -> None:
    query = {"head": "Alien", "relation": "directed_by", "tail": None}
    (tmp_path / "r.jsonl").write_text(json.dumps({**query, "ranking": ["Jane Campion", "Ridley Scott"]}))
    model = ScriptedChatModel(responses=["2, 1"])
    done = triplewise.complete("films", **query, scorer=tmp_path / "r.jsonl", model=model, m=2)
    assert done.ranking[0].label == "Ridley Scott"
