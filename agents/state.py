"""All keys that the nodes of question answering and verification exchange, so that nodes of any method combine.

A node reads some keys and returns some: a partial state. A key that a node brings is declared with the node's name,
``Annotated[…, ProvidedBy("segment")]``, which ``agents.node`` tells where the key is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Annotated, Literal

from typing_extensions import TypedDict

from triplewise.tools.retrieval.pattern_join import Match, Term
from triplewise.types import Answer, Evidence, Step, Verdict

ANSWER = "answer"
"""The variable that stands for what a question asks."""


@dataclass(frozen=True, slots=True)
class ProvidedBy:
    """Which node brings a key of a state."""

    node: str


@dataclass(frozen=True, slots=True)
class SubSentence:
    """A part of the sentence that one triple can express (KG-GPT, section 2.1).

    ``ends``: one or two; with one, anything may stand at the other. A variable is the same in all sub-sentences that
    mean the same thing; an ``unknown`` end is the name of something that the graph does not have. ``relations``: ids
    selected for it, the most fitting first. ``denied``: the claim says that this is not so.
    """

    text: str
    ends: tuple[Term, ...] = ()
    relations: tuple[str, ...] = ()
    denied: bool = False


def merge_selected(
    left: dict[int, tuple[str, ...]] | None, right: dict[int, tuple[str, ...]]
) -> dict[int, tuple[str, ...]]:
    """Reducer of the results of the relation selector's branches."""
    return {**(left or {}), **right}


class AskInput(TypedDict, total=False):
    """What a caller gives: ``question`` is needed."""

    question: str
    """The question, or the claim."""
    task: Literal["ask", "verify"]
    """Answer a question (the default), or verify a claim."""
    entities: tuple[str, ...]
    """Topic entities. From the caller: ids or names. After entity linking: ids."""


class AskState(AskInput, total=False):
    """The state of question answering and claim verification."""

    plan: Annotated[tuple[str, ...], ProvidedBy("plan")]
    """Reasoning steps c1 … cj written before any look-up (cot-kg)."""
    plan_relations: Annotated[tuple[dict[str, float], ...], ProvidedBy("ground_plan")]
    """Per planned step relation label → score, the best the likeliest (cot-kg)."""
    sub_sentences: Annotated[tuple[SubSentence, ...], ProvidedBy("segment")]
    """The parts of the sentence (KG-GPT)."""
    selected: Annotated[dict[int, tuple[str, ...]], ProvidedBy("select_relations"), merge_selected]
    """Relation ids per sub-sentence, the most fitting first (KG-GPT)."""
    evidence: Annotated[tuple[Evidence, ...], ProvidedBy("retrieve_evidence or retrieve_triples")]
    """The triples that were retrieved; citations are indices into them."""
    match: Annotated[Match, ProvidedBy("retrieve_evidence")]
    """The joined sub-graph that the evidence was read from (KG-GPT)."""
    knowledge: Annotated[str, ProvidedBy("format_knowledge")]
    """The evidence as text for the prompt (linearised triples or YAML)."""
    answers: Annotated[tuple[Answer, ...], ProvidedBy("reason")]
    """The answers, best first, each with its citations."""
    text: Annotated[str, ProvidedBy("reason")]
    """The answer or the verdict in words."""
    citations: Annotated[tuple[int, ...], ProvidedBy("reason")]
    """Indices of the evidence that the answers or the verdict rest on."""
    verdict: Annotated[Verdict | None, ProvidedBy("reason")]
    """The verdict of a verification."""
    reason: Annotated[str, ProvidedBy("reason")]
    """Why, in the model's words or read from the graph."""
    steps: Annotated[list[Step], add]
    """What each node saw, asked and got."""
    warnings: Annotated[list[str], add]
    """What the caller should know of the answer."""
