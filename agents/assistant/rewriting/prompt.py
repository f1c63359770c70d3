"""What the rewriter reads: the last questions in full with their answers, and what is said now."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from triplewise.agents.assistant.memory import Memory, Remembered

INSTRUCTION = "Say the last sentence in full."
TURNS = 3
"""Turns before this one that are told."""
SHOWN = 4
"""Answers of a turn that are told by name."""
VERDICTS = {"supported": "Yes.", "refuted": "No."}
UNTOLD = "I cannot tell."
UNKNOWN = "I do not know."


def rewriting_prompt(before: Sequence[tuple[str, str]], said: str) -> list[BaseMessage]:
    """A sentence behind what was said before it: (question in full, answer) of each turn."""
    told = [f"Q: {question}\nA: {answer}" for question, answer in before[-TURNS:]]
    return [SystemMessage(INSTRUCTION), HumanMessage("\n".join([*told, f"Q: {said}"]))]


def told_answers(labels: Sequence[str]) -> str:
    """Answers as the rewriter is told them, the first ones by name."""
    more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
    return ", ".join(labels[:SHOWN]) + more if labels else UNKNOWN


def told_before(memory: Memory) -> list[tuple[str, str]]:
    """The last turns of a conversation as ``rewriting_prompt`` takes them."""
    return [(turn.question, _answer(memory, turn)) for turn in memory.turns[-TURNS:]]


def _answer(memory: Memory, turn: Remembered) -> str:
    taken = turn.readings[0].answers if turn.readings else ()
    if turn.task == "verify":
        return VERDICTS.get(next(iter(taken), ""), UNTOLD)
    return told_answers(taken or [memory.kg.label(node) for node in turn.answers])
