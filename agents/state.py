"""The state that nodes of all methods share, so that they can be recombined."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Annotated, Literal, TypedDict

from triplewise.types import Answer, Evidence, Step, Verdict


@dataclass(frozen=True, slots=True)
class SubSentence:
    """A part of the sentence that one triple can express (KG-GPT, section 2.1).

    ``entities``: what stands at its two ends, each an entity id, a type id, or a variable
    such as "?film" shared with other sub-sentences. ``relations``: those selected for it.
    """

    text: str
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()


class AskState(TypedDict, total=False):
    """State of question answering and claim verification."""

    question: str
    """The question, or the claim."""
    task: Literal["ask", "verify"]
    entities: tuple[str, ...]
    """Topic entity ids: given by the caller, else found by entity linking."""
    plan: tuple[str, ...]
    """Reasoning steps c1 … cj written before any look-up (cot-kg)."""
    sub_sentences: tuple[SubSentence, ...]
    evidence: tuple[Evidence, ...]
    knowledge: str
    """The evidence as text for the prompt (linearised triples or YAML)."""
    answers: tuple[Answer, ...]
    text: str
    citations: tuple[int, ...]
    verdict: Verdict | None
    reason: str
    steps: Annotated[list[Step], add]
    warnings: Annotated[list[str], add]
