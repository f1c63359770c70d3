"""The assistant for models that call tools: LangChain's agent over the graph's tools; citations are checked.

It is one node of the assistant's state machine, so that turns, events and answers are the same either way.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from triplewise.agents.assistant.answers import CITED, check_text, citation
from triplewise.agents.assistant.citation_stream import CitationStream
from triplewise.agents.assistant.events import (
    Answered,
    Choices,
    Citations,
    Option,
    StepFinished,
    StepStarted,
    Token,
    Warned,
)
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.state import AssistantContext, AssistantState, TurnContext, loaded
from triplewise.backends.calling import usage_of
from triplewise.backends.usage import active_budget
from triplewise.graphs.graph_tools import graph_tools
from triplewise.kg.base import KGStore
from triplewise.kg.names import one_line
from triplewise.prompts.template import load_prompt
from triplewise.tools.langchain.evidence_book import EvidenceBook, use_book
from triplewise.tools.links.scorers import own_scorer
from triplewise.types import Answer, Price

MODEL_CALLS, TOOL_CALLS = 12, 16
"""Limits of one turn."""
HISTORY = 12
"""Earlier messages that the model is shown, without their citations: numbers belong to their own turn."""


async def agent(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Run the tool-calling agent for one turn."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    book = EvidenceBook(kg)
    made = await asyncio.to_thread(_agent, context)  # it may read a link predictor
    messages = [_plain(m) for m in state["messages"][-HISTORY - 1 :]]
    new: list[BaseMessage] = []
    with use_book(book):
        tokens = _Tokens(runtime, book)
        async for chunk in made.astream({"messages": messages}, stream_mode=["updates", "messages"], version="v2"):
            if chunk["type"] == "messages":
                tokens.take(*chunk["data"])
            elif chunk["type"] == "updates":
                new += _tell_steps(runtime, chunk["data"], getattr(model, "price", None))
        tokens.end()
    return _finish(state, runtime, kg, book, new)


def _agent(context: TurnContext) -> CompiledStateGraph[Any, Any, Any, Any]:
    from langchain.agents import create_agent  # of the extra chat, which asking and verifying do without
    from langchain.agents.middleware import ModelCallLimitMiddleware, ToolCallLimitMiddleware

    kg, model = context.kg, context.model
    tools: list[BaseTool] = graph_tools(
        kg, model=model, method=context.method, retriever=context.retriever, scorer=context.scorer or own_scorer(kg)
    )  # fmt: skip
    if context.can_ask:
        tools.append(_ask_user)
    relations = [one_line(kg.relation_label(r)) for r in list(kg.relation_ids())[:60]]
    more = "and others, see get_schema" if len(kg.relation_ids()) > 60 else ""
    [system] = load_prompt("assistant/agent").render(
        graph=one_line(kg.name),
        relations=", ".join([*relations, *([more] if more else [])]),
        can_ask="- Where a name fits several things, call ask_user." if context.can_ask else
        "- Where a name fits several things, take the likeliest, say so, and name the others.",
    )  # fmt: skip
    limits = [
        ModelCallLimitMiddleware(run_limit=MODEL_CALLS, exit_behavior="end"),
        ToolCallLimitMiddleware(run_limit=TOOL_CALLS, exit_behavior="continue"),
    ]
    return create_agent(model, tools, system_prompt=system.text, middleware=limits)


@tool
def _ask_user(question: str, choices: list[str]) -> str:
    """Ask the user which of several things is meant.

    Args:
        question: one short question
        choices: the names to choose from, at least two
    """
    options = tuple(Option(name, name) for name in choices[:8])
    return str(interrupt(Choices("", one_line(question), options).to_json()))


_ask_user.name = "ask_user"


def _plain(message: BaseMessage) -> BaseMessage:
    text = CITED.sub("", message.text)
    return AIMessage(text) if isinstance(message, AIMessage) else HumanMessage(text)


class _Tokens:
    """The model's text as it comes, its citations checked; text before and after a tool call are paragraphs apart."""

    def __init__(self, runtime: Runtime[AssistantContext], book: EvidenceBook) -> None:
        self._runtime, self._book = runtime, book
        self._message: str | None = None
        self._stream = CitationStream(self._known)
        self._told = False

    def take(self, chunk: Any, metadata: dict[str, Any]) -> None:
        if not isinstance(chunk, AIMessageChunk) or metadata.get("langgraph_node") != "model" or not chunk.text:
            return
        if chunk.id != self._message:
            self.end()
            self._message, self._stream = chunk.id, CitationStream(self._known)
            if self._told:
                self._runtime.stream_writer(Token("\n\n"))
        self._tell(self._stream.take(chunk.text))

    def end(self) -> None:
        self._tell(self._stream.end())

    def _known(self, n: int) -> bool:
        return self._book.get(n) is not None

    def _tell(self, text: str) -> None:
        if text:
            self._told = True
            self._runtime.stream_writer(Token(text))


def _tell_steps(
    runtime: Runtime[AssistantContext], updates: Mapping[str, Any], price: Price | None
) -> list[BaseMessage]:
    """Send a step's event for each tool call and its end; charge the model's calls to the active budget."""
    found: list[BaseMessage] = []
    for node, update in updates.items():
        messages = (update or {}).get("messages", []) if isinstance(update, dict) else []
        for message in messages if isinstance(messages, list) else [messages]:
            found.append(message)
            if isinstance(message, ToolMessage):
                status = "fallback" if message.status == "error" else "ok"
                detail = {"reply": message.text[:500]}
                runtime.stream_writer(
                    StepFinished(message.tool_call_id, message.name or node, status, detail=detail)
                )  # fmt: skip
            elif isinstance(message, AIMessage):
                _charge(message, price)
                for call in message.tool_calls:
                    arguments = json.dumps(call["args"], ensure_ascii=False)
                    label = one_line(f"{call['name']} {arguments}")[:200]
                    runtime.stream_writer(StepStarted(call["id"] or "", call["name"], label))
    return found


def _charge(message: AIMessage, price: Price | None) -> None:
    budget = active_budget()
    if budget is not None and message.usage_metadata:
        usage = usage_of(message)
        budget.reserve(priced=True)
        budget.settle("agent", usage if price is None else replace(usage, cost=price.of(usage)))


def _finish(
    state: AssistantState, runtime: Runtime[AssistantContext], kg: KGStore, book: EvidenceBook, new: list[BaseMessage]
) -> AssistantState:
    message = state.get("message", "")
    last = next((m for m in reversed(new) if isinstance(m, AIMessage)), AIMessage(""))
    evidence = [(n, e) for n in range(1, len(book) + 1) if (e := book.get(n)) is not None]
    text, cited, unsupported = check_text(last.text, [citation(kg, message, n, e) for n, e in evidence])
    used_tools = any(isinstance(m, ToolMessage) for m in new)
    kind = "chat" if not used_tools else "answer" if cited else "nothing"
    if cited and all(c.source == "predicted" for c in cited):
        kind = "prediction"
    if not used_tools and not _talk(text):
        runtime.stream_writer(Warned("This was said without looking at the graph."))
    elif unsupported and used_tools:
        runtime.stream_writer(Warned(f"No evidence supports: {' '.join(unsupported)[:300]}"))
    answers, query = _answers(new)
    topics = tuple(dict.fromkeys(n for c in cited for n in (c.head, c.tail) if n not in answers))
    said = state["messages"][-1].text
    remembered = Remembered(said, said, "ask", tuple(answers), topics, query=query, message=message)
    answered = Answered(
        message, text, kind, tuple(Answer(i, kg.display(i)) for i in answers if kg.has_entity(i)), None,
        unsupported if used_tools else (), "agent",
    )  # fmt: skip
    events = [Citations(message, cited), answered]
    for event in events:
        runtime.stream_writer(event)
    return {
        "messages": [AIMessage(text, id=message or None)],
        "memory": [remembered.to_json()] if used_tools else [],
        "said": [e.to_json() for e in events],
    }


def _talk(text: str) -> bool:
    """Whether a text states so little that it needs no look at the graph."""
    return len(text.split()) < 25 or text.rstrip().endswith("?")


def _answers(new: list[BaseMessage]) -> tuple[list[str], Any]:
    """(answer ids, query) of the last tool reply that has any."""
    for message in reversed(new):
        artifact = message.artifact if isinstance(message, ToolMessage) else None
        if isinstance(artifact, dict) and artifact.get("answers"):
            found = [a["id"] if isinstance(a, dict) else a for a in artifact["answers"]]
            return found[:200], artifact.get("query")
    return [], None
