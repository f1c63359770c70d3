"""Text self-alignment: a sentence per relation, resumable, editable, with a stated fallback."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.llama.gbnf_check import check
from triplewise.errors import BackendError, ReplyError
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links.demonstrations import DemonstrationPools, StoreTexts
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.text.relation_text import AlignedSentence, read_alignment
from triplewise.train.data import align as module
from triplewise.train.data.align import align, parse_sentence
from triplewise.types import Triple

KG = NetworkxStore.from_triples(
    [
        ("Alien", "directed_by", "Scott"),
        ("Heat", "directed_by", "Mann"),
        ("Alien", "_has_part", "Chase"),
        ("a", "/b/c", "d"),
    ]
)


def analogies(relation: str, n: int) -> list[Triple]:
    return list(KG.triples(relation=relation))[:n]


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        ("[T] directed [H].", "[T] directed [H]."),
        ('Sure:\n- "[h] was made by {Tail}."', "[H] was made by [T]."),
        ("Sentence: <head> is A Big TV show of (T)", "[H] is A Big TV show of [T]"),
        ("<think>[H] x [T]</think>\n**[H] belongs to [T].**", "[H] belongs to [T]."),
    ],
)
def test_sentences_are_read(reply: str, sentence: str) -> None:
    assert parse_sentence(reply) == sentence


@pytest.mark.parametrize("reply", ["", "A directed B.", "[H] directed himself", "[H] [T]", "[H] and [H] and [T]"])
def test_sentences_without_the_markers_are_refused(reply: str) -> None:
    with pytest.raises(ReplyError, match="cannot be used"):
        parse_sentence(reply)


async def test_each_relation_is_asked_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "texts.tsv"
    model = ScriptedChatModel(
        responses=[
            ("directed", "[T] directed [H]."),
            ("has part", "A of B"),
            ("That reply", "no"),
            ("c of b", "[H] c [T]"),
        ]
    )
    done = await align(KG, analogies, model, path, at_once=1)
    assert done.sentences == {
        "directed_by": AlignedSentence("[T] directed [H].", "model"),
        "_has_part": AlignedSentence("[T] is a part of [H].", "rule"),
        "/b/c": AlignedSentence("[H] c [T]", "model"),
    }
    assert (done.fallbacks, done.usage.calls) == (1, 4)
    assert "[H] Heat | [T] Mann" in model.calls[0][0][-1].text
    assert read_alignment(path) == done.sentences

    path.write_text(path.read_text().replace("[T] directed [H].\tmodel", "[H] is a film by [T].\tme"))
    again = ScriptedChatModel(responses=["[T] is a part of [H]."])
    done = await align(KG, analogies, again, path)
    assert done.asked == ("_has_part",)  # the fallback is tried again, the edited line stays
    assert done.sentences["directed_by"] == AlignedSentence("[H] is a film by [T].", "me")
    assert (await align(KG, analogies, ScriptedChatModel(responses=[]), path)).asked == ()


async def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "texts.tsv"
    with pytest.raises(BackendError):
        await align(KG, analogies, ScriptedChatModel(responses=["[T] directed [H]."]), path, at_once=1)
    assert list(read_alignment(path)) == ["directed_by"]
    done = await align(KG, analogies, ScriptedChatModel(responses=["[H] x [T]"] * 2), path)
    assert done.asked == ("_has_part", "/b/c")


def test_the_grammar_is_well_formed() -> None:
    check(module._GRAMMAR)


async def test_no_test_triple_is_ever_shown(tmp_path: Path) -> None:
    """Section 3.4 takes the pool of training and validation triples; the published code leaks test triples."""
    folder = tmp_path / "data"
    folder.mkdir()
    for part in ("train", "valid", "test"):
        lines = [f"{part}-h{i}\tlikes\t{part}-t{i}" for i in range(15)]
        (folder / f"{part}.txt").write_text("\n".join(lines) + "\n")
    data = LinkPredictionData.from_folder(folder)
    kg = load_kg(folder)
    model = ScriptedChatModel(responses=["[H] likes [T]."])
    pools = DemonstrationPools(data, StoreTexts(kg))
    await align(kg, pools.analogies, model, tmp_path / "texts.tsv", examples=1000)
    shown = "\n".join(m.text for m in model.calls[0][0])
    assert shown.count("train-h") == 15 and shown.count("valid-h") == 15
    assert "test-" not in shown
