"""Entity linking: which entities of the graph the sentence names (E_S in KG-GPT, section 2)."""

from __future__ import annotations

import time
from typing import Any

from triplewise.agents.context import Context
from triplewise.agents.node import node
from triplewise.errors import QuestionError
from triplewise.kg.base import KGStore
from triplewise.kg.linking import link_entities, resolve_entity
from triplewise.types import Step

MAX_WORDS = 2_000
"""A longer question is refused: no model on a laptop could read it beside its evidence."""


def check_question(question: str) -> str:
    """The question without surrounding space; raises QuestionError where it is empty or too long."""
    text = question.strip()
    if not any(c.isalnum() for c in text):
        raise QuestionError("the question is empty.", "Ask something in words.")
    if (words := len(text.split())) > MAX_WORDS:
        raise QuestionError(f"the question has {words} words; at most {MAX_WORDS} are read.", "Ask a shorter one.")
    return text


@node
async def link(state: Any, context: Context) -> dict[str, Any]:
    """Take the caller's entities, or find mentions in the sentence; warn where a name is ambiguous."""
    started = time.perf_counter()
    kg: KGStore = context.kg  # pyright: ignore[reportAssignmentType]
    question = check_question(state["question"])
    warnings: list[str] = []
    detail: dict[str, Any] = {}
    if state.get("entities"):
        entities = tuple(resolve_entity(kg, name) for name in state["entities"])
        note = "given by the caller"
    else:
        mentions = link_entities(kg, question)
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
    if not entities:
        warnings.append("No entity of the graph was found in the sentence. Name one with --entity.")
    detail["entities"] = [kg.display(e) for e in entities]
    step = Step("link", note=note, detail=detail, seconds=time.perf_counter() - started)
    return {"question": question, "entities": entities, "steps": [step], "warnings": warnings}
