"""Graphs with people's sentences (WebNLG's layout) in graph to text and back; the settings that the paper prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.train.data.instructions import InstructionComposer
from triplewise.train.data.rationale import Teacher
from triplewise.train.data.spoken_graphs import read_spoken_graphs
from triplewise.train.sentences.compose import Vocabulary
from triplewise.train.trainers.finetune import PAPER_EPOCHS, TrainingSchedule
from triplewise.train.trainers.retriever import PAPER, RetrieverSettings, TrainingQuestion, training_rows

FILMS = NetworkxStore(
    [
        ("Heat", "directed_by", "Michael Mann"),
        ("Ali", "directed_by", "Michael Mann"),
        ("Heat", "release_year", "1995"),
        *((f"Film {i}", "directed_by", f"Person {i}") for i in range(60)),
    ]
)


def spoken_file(tmp_path: Path) -> Path:
    rows = [
        {"triples": [[f"Red_{i}_Tower", "floorCount", '"23"'], [f"Red_{i}_Tower", "city", "Old_Town"]],
         "texts": [f"Red {i} Tower in Old Town has 23 floors."]}
        for i in range(60)
    ]  # fmt: skip
    path = tmp_path / "spoken.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_graph_to_text_and_back_take_the_sentences_given(tmp_path: Path) -> None:
    spoken = read_spoken_graphs(spoken_file(tmp_path))
    assert spoken[3].knowledge == 'Red 3 Tower:\n  floor count: "23"\n  city: Old Town'
    shares = {s.dev for s in spoken}
    assert shares == {True, False}
    for dev in (True, False):
        composer = InstructionComposer(Vocabulary(FILMS, generic=True), 1, dev=dev, spoken=spoken)
        said, read = composer.graph_to_text(), composer.text_to_graph()
        assert said is not None and read is not None
        mine = {s.texts[0]: s.knowledge for s in spoken if s.dev == dev}
        assert said.reply in mine and mine[said.reply] in said.messages[-1].text
        assert (read.reply in mine.values() and composer.entity() is None) or dev is False
    plain = InstructionComposer(Vocabulary(FILMS, generic=True), 1).graph_to_text()
    assert plain is not None and "Tower" not in plain.reply


@pytest.mark.parametrize("line", ["{}", "[]", "no", '{"triples": [["a", "b"]], "texts": ["x"]}', ""])
def test_another_layout_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line)
    with pytest.raises(ConfigError, match=r"bad\.jsonl"):
        read_spoken_graphs(path)


async def test_the_retrievers_plans_are_rationalised() -> None:
    model = ScriptedChatModel(responses=["1. Find the director of Heat.\n2. Find other films by this director."])
    asked = TrainingQuestion("What else did the director of Heat make?", ("Heat",), ("Ali",))
    unknown = TrainingQuestion("Who?", ("Heat",), ("Nobody",) * 0)
    plans = await Teacher(FILMS, model).plans([asked, unknown])
    assert plans == [("Find the director of Heat.", "Find other films by this director."), ()]
    prompt = model.calls[0][0][-1].text
    assert "Answer: Ali ### Output:" in prompt and len(model.calls) == 1


def test_the_papers_negatives_are_drawn_from_all_other_triples() -> None:
    table = TripleTable(FILMS)
    asked = [TrainingQuestion("who directed Heat", ("Heat",), ("Michael Mann",), ("directed_by",))]
    drawn = {}
    for name, settings in (("paper", PAPER), ("laptop", RetrieverSettings())):
        ((_, positive, wrong),) = training_rows(table, asked, settings)
        assert len(wrong) == 6 and positive not in wrong
        drawn[name] = sum("Heat" in table.triples[row] or "Michael Mann" in table.triples[row] for row in wrong)
    assert drawn["laptop"] >= 2 > drawn["paper"]  # 2 of 62 others are near


def test_epochs_by_stage() -> None:
    from triplewise.interfaces.commands.train.adapter import _epochs

    assert _epochs(None) == (1.0, {})
    assert _epochs("3") == (3.0, {})
    assert _epochs("1,instruction=2, reasoning=5") == (1.0, {"instruction": 2.0, "reasoning": 5.0})
    schedule = TrainingSchedule(by_stage=PAPER_EPOCHS)
    assert [schedule.epochs_of(s) for s in ("instruction", "pretraining", "reasoning")] == [2, 2, 5]
    for bad in ("x", "0", "nope=2", "reasoning="):
        with pytest.raises(ConfigError, match="--epochs cannot be"):
            _epochs(bad)
