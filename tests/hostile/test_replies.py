"""Replies made to keep a parser busy, and what a model says instead of a reply: attack.md 8, 18, 19, 20, 25."""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fuzzing import Counted, examples
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from triplewise.agents.answers import parse_answer
from triplewise.agents.cot_kg.planner import parse_plan
from triplewise.agents.cot_kg.reasoner import parse_output
from triplewise.agents.kg_gpt.reasoner import parse_verdict
from triplewise.agents.kg_gpt.relation_selector import parse_relations
from triplewise.agents.kg_gpt.segmenter import parse_segments
from triplewise.agents.kicgpt.ranking import CandidateNames, parse_order, parse_scores
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.reply import MAX_CHARACTERS, read_reply
from triplewise.backends.tool_calls import read_tool_call
from triplewise.errors import ReplyError
from triplewise.kg import NetworkxStore
from triplewise.train.data.align import parse_sentence
from triplewise.train.data.rationale import read_reasoning, read_steps

CORPUS = Path(__file__).with_name("corpus")
KG = NetworkxStore.from_triples([("Alien", "directed by", "Ridley Scott"), ("A; B", "made | by", "C, D")])
IDS = list(KG.entities())
NAMES = {KG.display(e): e for e in IDS}
TOOLS = [{"function": {"name": "look", "parameters": {}}}]
PARSERS: dict[str, Callable[[str], Any]] = {
    "segments of a question": lambda text: parse_segments(KG, text, IDS, "ask"),
    "segments of a claim": lambda text: parse_segments(KG, text, IDS, "verify"),
    "relations": lambda text: parse_relations(text, {"directed by": "directed by", "made | by": "made | by"}, 3),
    "answer": lambda text: parse_answer(text, NAMES),
    "verdict": lambda text: parse_verdict(text, 5),
    "plan": parse_plan,
    "hint reasoner": lambda text: parse_output(text, NAMES),
    "order": lambda text: parse_order(text, CandidateNames([[n] for n in NAMES])),
    "scores": lambda text: parse_scores(text, [1, 2, 3]),
    "tool call": lambda text: read_tool_call(text, TOOLS),
    "alignment": parse_sentence,
    "rationale steps": lambda text: read_steps(text, "who?", ["Alien"]),
    "rationale reasoning": lambda text: read_reasoning(text, "who?", ["Alien"]),
}
PIECES = [
    " ; ", "|", "1. a | b ; c\n", " ", "\n", "\t", "; ", ", ", "##", "1. ", "order: ", "ranking: 1, ", "Output: [", "[",
    "{\"name\":", "triples used: ", "reason: ", "Verdict: supported\n", "Entity set: [", "answer is ", "9" * 20 + " ",
    "<think>", "</think>", "\\", "'", '"', "`", "*", "1", "-", ".", "Alien ", "A; ", "not enough evidence ", "ß", "ﷺ", "\u3000",
]  # fmt: skip


def _parse(parser: Callable[[str], Any], text: str) -> None:
    """Read as ``call_model`` does; a value or a ReplyError, nothing else."""
    with contextlib.suppress(ReplyError):
        parser(read_reply(AIMessage(text)))


def _take_no_time(name: str, sizes: tuple[int, ...], seconds: float) -> None:
    for piece in PIECES:
        for size in sizes:
            text = (piece * (size // len(piece)))[:size]
            for reply in (text, f"1. x | {text}"):
                started = time.process_time()
                _parse(PARSERS[name], reply)
                assert time.process_time() - started < seconds, (name, piece, size)


@pytest.mark.parametrize("name", PARSERS)
def test_hostile_replies_take_no_time(name: str) -> None:
    _take_no_time(name, (19_000, 150_000), 0.7)  # what is quadratic takes ten times that for the longer one


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_megabytes_of_hostile_replies_take_no_time(name: str) -> None:
    _take_no_time(name, (4_800, 1_100_000), 2)


@pytest.mark.parametrize("name", PARSERS)
@examples(60)
@given(
    text=st.one_of(
        st.text(max_size=300),
        st.lists(st.sampled_from([*PIECES, *NAMES, "directed by", "1", "?answer"]), max_size=60).map("".join),
        st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(), st.lists).map(
            json.dumps
        ),
    )
)
def test_any_reply_gives_a_value_or_a_reply_error(name: str, text: str) -> None:
    _parse(PARSERS[name], text)


WORDS = [
    *PIECES,
    *NAMES,
    "directed by",
    "1",
    "?answer",
    "Question: ",
    "True",
    "False",
    "[H]",
    "[T]",
    "\r\n",
    "ｘ",
    "\ud800",
]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", PARSERS)
def test_a_million_replies(name: str, count: Counted) -> None:
    rng, number = random.Random(name), -(-1_000_000 // len(PARSERS))
    longest = 0.0
    for _ in range(number):
        text = "".join(rng.choices(WORDS, k=rng.randrange(30)))
        started = time.process_time()
        try:
            PARSERS[name](read_reply(AIMessage(text)))
        except ReplyError:
            pass
        except Exception as error:
            raise AssertionError(text) from error
        longest = max(longest, time.process_time() - started)
    assert longest < 2
    count(f"{number:,} random replies to the parser of {name}: 0 unforeseen errors, the longest {longest:.3f} s")


@pytest.mark.usefixtures("collected")
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 5_000 + "]" * 5_000,
        '{"a":' * 50_000,
        '{"name": "look", "arguments": ' + "9" * 10_000 + "}",
        "\ud800",
    ],
)
@pytest.mark.parametrize("name", PARSERS)
def test_deep_and_huge_values(name: str, text: str) -> None:
    _parse(PARSERS[name], text)


@pytest.mark.parametrize("name", PARSERS)
def test_the_replies_of_the_corpus(name: str) -> None:
    for piece, times in json.loads((CORPUS / "replies.json").read_text(encoding="utf-8")).values():
        started = time.process_time()
        _parse(PARSERS[name], piece * times)
        assert time.process_time() - started < 1, (name, piece)


def test_a_reply_is_bounded_and_well_formed() -> None:
    with pytest.raises(ReplyError, match="more than any reply needs"):
        read_reply(AIMessage("x" * (MAX_CHARACTERS + 1)))
    assert read_reply(AIMessage("a" + " " * 100_000 + "b")) == "a  b"
    assert read_reply(AIMessage("<think>" + "hm " * 50_000 + "</think>\nAlien")) == "Alien"
    assert read_reply(AIMessage("a\ud800b")) == "a\ufffdb"


async def test_a_reply_that_was_cut_says_so() -> None:
    cut = AIMessage("Ridl", response_metadata={"finish_reason": "length"})
    called = await call_model(
        ScriptedChatModel(responses=[cut, cut]),
        [HumanMessage("who?")],
        ReplyFormat(lambda text: parse_answer(text, NAMES), fallback=tuple, fallback_note="No answer is given."),
        node="reason",
    )
    assert called.step.status == "fallback" and "cut at its limit of tokens" in called.step.note
