"""The state that nodes of all methods share, so that they can be recombined."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Annotated, Literal, TypedDict

from triplewise.types import Answer, Evidence, Step, Verdict


@dataclass(frozen=True, slots=True)
class End:
    """One end of a sub-sentence: an entity, or a variable that may have a type.

    ``entity`` is an id; else ``variable`` names an unknown ("film"), the same in all
    sub-sentences that mean the same thing, and ``type`` is its type id where the graph has one.
    ``unknown``: it is the name of something that the graph does not have, which nothing matches.
    """

    entity: str = ""
    variable: str = ""
    type: str = ""
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class SubSentence:
    """A part of the sentence that one triple can express (KG-GPT, section 2.1).

    ``ends``: one or two; with one, anything may stand at the other. ``relations``: ids selected
    for it, the most fitting first. ``denied``: the claim says that this is not so.
    """

    text: str
    ends: tuple[End, ...] = ()
    relations: tuple[str, ...] = ()
    denied: bool = False


ANSWER = "answer"
"""The variable that stands for what a question asks."""


class AskState(TypedDict, total=False):
    """State of question answering and claim verification."""

    question: str
    """The question, or the claim."""
    task: Literal["ask", "verify"]
    entities: tuple[str, ...]
    """Topic entity ids: given by the caller, else found by entity linking."""
    plan: tuple[str, ...]
    """Reasoning steps c1 … cj written before any look-up (cot-kg)."""
    plan_relations: tuple[dict[str, float], ...]
    """Per planned step relation label → score, the best the likeliest (cot-kg's grounder)."""
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
