"""What a node of the router answers, and how its answer leaves: its events, and what the thread keeps of it."""

from __future__ import annotations

from typing import Literal

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from triplewise.agents.assistant.events import Answered, Citations, Event, Token
from triplewise.agents.assistant.intents import in_turn
from triplewise.agents.assistant.memory import Memory, Remembered
from triplewise.agents.assistant.state import AssistantContext, AssistantState
from triplewise.kg.base import KGStore


def text_of(state: AssistantState) -> str:
    """What is to be answered now: the first question of the message that is open, else the message."""
    return (state.get("asked") or [state["messages"][-1].text])[0].strip()


def memory_of(state: AssistantState, kg: KGStore) -> Memory:
    """The turns so far."""
    return Memory(kg, [Remembered.from_json(m) for m in state.get("memory", ())])


def after_answer(state: AssistantState) -> Literal["route", "__end__"]:
    """A sentence may ask more than one thing."""
    return "route" if state.get("asked") else "__end__"


def finish(
    runtime: Runtime[AssistantContext],
    state: AssistantState,
    answered: Answered,
    *events: Event,
    remembered: Remembered | None = None,
) -> AssistantState:
    """Send the answer, word by word and as a whole; returns the update with what the thread keeps of it. Where the
    sentence asks more, the answer waits as a whole for those to its other questions."""
    before, further = state.get("told"), (state.get("asked") or [])[1:]
    cited = next((e.citations for e in events if isinstance(e, Citations)), ())
    text = answered.text
    if before:
        answered, cited = in_turn.joined(before, answered, cited)
        text = answered.text[in_turn.length(before) :]
        events = (Citations(answered.message_id, cited), *(e for e in events if not isinstance(e, Citations)))
    for event in events:
        if not (further and isinstance(event, Citations)):
            runtime.stream_writer(event)
    for piece in _pieces(text):
        runtime.stream_writer(Token(piece))
    memory = [remembered.to_json()] if remembered else []
    if further:
        return {"memory": memory, "asked": further, "told": in_turn.to_json(answered, cited)}
    runtime.stream_writer(answered)
    return {
        "messages": [AIMessage(answered.text, id=answered.message_id or None)],
        "memory": memory,
        "said": [e.to_json() for e in (*events, answered)],
        "asked": [],
        "told": [],
    }


def _pieces(text: str) -> list[str]:
    words = text.split(" ")
    return [w if i == 0 else f" {w}" for i, w in enumerate(words)]
