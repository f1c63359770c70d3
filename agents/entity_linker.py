"""Entity linking: which entities of the graph the sentence names (E_S in KG-GPT, section 2)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from triplewise.agents.context import NodeContext
from triplewise.agents.node import node
from triplewise.agents.state import AskState
from triplewise.backends.reply import well_formed
from triplewise.errors import QuestionError
from triplewise.kg.base import KGStore
from triplewise.kg.linking import Mention, link_entities, resolve_entity
from triplewise.tools.text.further_questions import not_answered
from triplewise.types import Step

MAX_WORDS, MAX_CHARACTERS = 2_000, 12_000
"""A longer question is refused: no model on a laptop could read it beside its evidence."""


def check_question(question: str, task: str = "ask") -> str:
    """The question or claim without surrounding space; raises QuestionError where it is empty or too long."""
    text, kind = well_formed(question.strip()), "claim" if task == "verify" else "question"
    if not any(c.isalnum() for c in text):
        raise QuestionError(f"the {kind} is empty.", "Say something in words.")
    if (words := len(text.split())) > MAX_WORDS:
        raise QuestionError(f"the {kind} has {words} words; at most {MAX_WORDS} are read.", "Make it shorter.")
    if len(text) > MAX_CHARACTERS:
        raise QuestionError(
            f"the {kind} has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read.", "Make it shorter."
        )
    return text


def _together(kg: KGStore, mentions: Sequence[Mention]) -> list[Mention]:
    """Of an ambiguous name's equally good candidates, the one that a triple links to another mention comes first.

    A mention that this settles is no longer ambiguous.
    """
    settled: list[Mention] = []
    for mention in mentions:
        others = {hit.id for other in mentions if other is not mention for hit in other.candidates[:5]}
        best = [hit for hit in mention.candidates if hit.score == mention.candidates[0].score]
        linked = [hit for hit in best if mention.ambiguous and any(_linked(kg, hit.id, other) for other in others)]
        if linked:
            rest = [hit for hit in mention.candidates if hit not in linked]
            mention = replace(mention, candidates=(*linked, *rest), ambiguous=len(linked) > 1)
        settled.append(mention)
    return settled


def _linked(kg: KGStore, one: str, other: str) -> bool:
    return any(True for _ in kg.triples(one, None, other)) or any(True for _ in kg.triples(other, None, one))


@node
async def link(state: AskState, context: NodeContext) -> AskState:
    """Take the caller's entities, or find mentions in the sentence; warn where a name is ambiguous."""
    started = time.perf_counter()
    kg = context.kg
    question = check_question(state["question"], state.get("task", "ask"))
    warnings: list[str] = []
    detail: dict[str, Any] = {}
    if state.get("entities"):
        entities = tuple(resolve_entity(kg, name) for name in state["entities"])
        note = "given by the caller"
    else:
        mentions = _together(kg, link_entities(kg, question))
        entities = tuple(dict.fromkeys(m.candidates[0].id for m in mentions if m.candidates))
        note = f"{len(entities)} found in the sentence"
        detail["mentions"] = [
            {"text": m.text, "candidates": [[kg.display(h.id), round(h.score, 3), h.reason] for h in m.candidates[:5]]}
            for m in mentions
        ]
        for mention in mentions:
            if mention.ambiguous:
                names = " or ".join(kg.display(hit.id) for hit in mention.candidates[:3])
                chosen = kg.display(mention.candidates[0].id)
                warnings.append(f"{mention.text!r} may mean {names}; took {chosen}. Say which with --entity.")
    if state.get("task", "ask") == "ask":
        warnings += not_answered(question)
    if not entities:
        warnings.append("No entity of the graph was found in the sentence. Name one with --entity.")
    detail["entities"] = [kg.display(e) for e in entities]
    step = Step("link", note=note, detail=detail, seconds=time.perf_counter() - started)
    return {"question": question, "entities": entities, "steps": [step], "warnings": warnings}
