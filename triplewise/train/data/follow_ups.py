"""Follow-ups with the same said in full, from conversations: what a rewriter of follow-ups learns (decision 19).

``python -m triplewise.train.data.follow_ups CORPUS OUT.jsonl`` writes what ``triplewise train adapter`` reads. Two
kinds of files hold conversations: a domain's ``conversations.jsonl``, and the corpus's ``follow_ups/*.jsonl``, which
are about no graph::

    {"domain": "a call centre", "turns": [{"user": "who then", "full": "Which client waited longest in April?",
                                           "answer": "Bellaroma Coffee"}, …]}
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from triplewise.train.data.rows import Row, write_rows
from triplewise.train.data.skills import Example
from triplewise.train.query_graph.corpus import DEVELOPMENT

TASK = "rewrite"
FOLDER = "follow_ups"
"""Of the corpus: conversations about no graph."""
AS_SAID = 0.25
"""Share of the earlier turns that are told as they were said: a conversation's completions are not always good."""

INSTRUCTION = "Say the last sentence in full."
TURNS = 3
"""Turns before this one that are told."""
SHOWN = 4
"""Answers of a turn that are told by name."""
VERDICTS = {"supported": "Yes.", "refuted": "No."}

Turn = tuple[str, str, str]
"""What was said, the same in full, and the answer."""


def conversations(corpus: Path, apart: Sequence[str] = ()) -> Iterator[list[Turn]]:
    """The conversations of the corpus, but for the development domains and those ``apart``."""
    for path in sorted(corpus.glob("*/conversations.jsonl")):
        if path.parent.name not in (*DEVELOPMENT, *apart):
            for talk in _lines(path):
                yield [(t["user"], t["standalone"], _answer(t)) for t in talk["turns"] if t["standalone"]]
    for path in sorted((corpus / FOLDER).glob("*.jsonl")):
        for talk in _lines(path):
            yield [(t["user"], t["full"], t["answer"]) for t in talk["turns"]]


def rewriting_rows(talks: Iterator[list[Turn]], seed: int = 0) -> list[Row]:
    """An example of each turn but the first of each conversation, in an order drawn by ``seed``."""
    drawn = random.Random(seed)
    rows = []
    for turns in talks:
        before: list[tuple[str, str]] = []
        for number, (said, full, answer) in enumerate(turns):
            if number:
                rows.append(Row("reasoning", Example(TASK, tuple(rewriting_prompt(before, said)), full)))
            before.append((said if drawn.random() < AS_SAID else full, answer))
    drawn.shuffle(rows)
    return rows


def rewriting_prompt(before: Sequence[tuple[str, str]], said: str) -> list[BaseMessage]:
    """A sentence behind what was said before it: (question in full, answer) of each turn."""
    told = [f"Q: {question}\nA: {answer}" for question, answer in before[-TURNS:]]
    return [SystemMessage(INSTRUCTION), HumanMessage("\n".join([*told, f"Q: {said}"]))]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _answer(turn: dict[str, Any]) -> str:
    answers = turn["answers"]
    if turn["act"] == "clarify":
        return f"Which one: {' or '.join(answers)}?"
    if turn["act"] == "verify":
        return VERDICTS.get(answers[0], "I cannot tell.")
    more = f" and {len(answers) - SHOWN} more" if len(answers) > SHOWN else ""
    return ", ".join(answers[:SHOWN]) + more if answers else "I do not know."


def main() -> None:
    """Read the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--apart", nargs="*", default=(), help="domains that are left out, to measure on")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rows = rewriting_rows(conversations(args.corpus, args.apart), args.seed)
    print(write_rows(args.out, rows, {"seed": args.seed, "apart": list(args.apart)})["counts"])


if __name__ == "__main__":
    main()
