"""The assistant's state machine: a model that calls tools is the agent; for others rules route, then one choice.

::

    ┬─ agent (graphs/assistant_agent.py) ──────────────────────────┐
    └─ route ─┬─ chat · prove · look_up · predict ─────────────────┤
              └─ interpret → disambiguate (may ask back) → respond ┴─ end

``look_up`` and ``predict`` are in graphs/assistant_look_ups.py. ``interpret`` completes a follow-up, lets query-graph
read it and executes the reading; ``disambiguate`` asks which of several namesakes is meant, by an interrupt, or takes
the likeliest and says so; ``respond`` verbalises the result, with citations.
The state is plain JSON, so that checkpoints hold nothing that must be trusted.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from triplewise.agents.assistant.answers import (
    SHOWN,
    SHOWN_OF_ALL,
    citation,
    unbracketed,
    verbalise,
    why_open,
    worth_reading,
)
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.events import Answered, Citations, ReadAs, Rewritten, Warned
from triplewise.agents.assistant.finish import after_answer, finish, memory_of, text_of
from triplewise.agents.assistant.intents import intent as intents
from triplewise.agents.assistant.intents import small_talk
from triplewise.agents.assistant.intents.in_turn import questions_of
from triplewise.agents.assistant.memory import Memory, Remembered, left_out, remember
from triplewise.agents.assistant.namesakes import ambiguous_entities, assumed, options, said_of_several, which_one
from triplewise.agents.assistant.state import (
    AssistantContext,
    AssistantInput,
    AssistantState,
    InterpretationRecord,
    can_call_tools,
    from_json,
    loaded,
    reports_steps,
    to_json,
)
from triplewise.agents.assistant.suggestions import suggest
from triplewise.agents.assistant.talk import reply_to, reply_to_complaint
from triplewise.errors import MissingExtraError
from triplewise.graphs.assistant_look_ups import look_up, predict
from triplewise.graphs.assistant_methods import (
    answer_read,
    answer_turn,
    follow_ups_of,
    in_its_words,
    run_query,
)
from triplewise.kg.linking import resolve_entity
from triplewise.kg.query import QueryGraph
from triplewise.kg.values import parse_value
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.text.yes_no import asks_openly, denies
from triplewise.types import Result

Next = Literal["chat", "prove", "look_up", "predict", "interpret"]
_NO_ANSWER = "I gave no answer: nothing in the graph fits what was asked."
_NO_QUERY = "The last answer rests on no query of its own: ask it again to see its triples."
_OF_OTHERS = ("else", "all")
"""Kinds of completions that ask for what was not told yet."""
_PREDICTED = "The graph does not state it: it is a guess of the link predictor; what speaks for it was told with it."


def first_node(state: AssistantState, runtime: Runtime[AssistantContext]) -> Literal["agent", "route"]:
    """The agent where the context or the model's traits say so, and nothing is said of how to read the sentence."""
    if state.get("reading") or state.get("entities"):
        return "route"
    wanted = runtime.context.agent
    if wanted is None:
        wanted = can_call_tools(loaded(runtime).model)
    return "agent" if wanted else "route"


async def agent(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """The tool-calling agent; its libraries are imported where it is used."""
    try:
        from triplewise.graphs import assistant_agent
    except ModuleNotFoundError as error:
        if error.name != "langchain":
            raise
        raise MissingExtraError("the tool-calling agent", "chat") from None
    return await assistant_agent.agent(state, runtime)


@reports_steps("Understanding what is wanted")
async def route(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Choose the intent."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    text, memory = text_of(state), memory_of(state, kg)
    begun: AssistantState = {"result": None, "ambiguous": [], "chosen": []}
    if (memory.last and memory.last.offered and small_talk.accepts(text)) or memory.reading_taken(text):
        return {**begun, "intent": "ask"}
    follow_ups = await asyncio.to_thread(follow_ups_of, kg)

    def by_rules() -> intents.Intent | None:
        names = follow_ups.own_names(text)
        if intents.asks_who_one_is(text, names or said_of_several(follow_ups.names, text)):
            return "explore"
        return intents.by_rules(text, named=len(names), after_answer=memory.last is not None, names=names)

    chosen = by_rules()
    if not state.get("asked") and chosen != "chat":
        begun["asked"] = questions_of(await asyncio.to_thread(in_its_words, kg, text), follow_ups.names_something)
        text = begun["asked"][0].strip()
        chosen = by_rules()
    if chosen is None:
        before = memory.last.question if memory.last else ""
        chosen = await intents.by_model(model, text, before)
        found = chosen not in ("search", "explore") or await asyncio.to_thread(kg.search, intents.search_text(text), 1)
        chosen = chosen if found else "ask"  # what is no name is no thing to look up
    if (state.get("reading") or state.get("entities")) and chosen != "verify":
        chosen = "ask"  # only what is read can be read in that way
    return {**begun, "intent": chosen}


def next_node(state: AssistantState) -> Next:
    """Where an intent goes."""
    by_intent: dict[str, Next] = {
        "chat": "chat", "prove": "prove", "search": "look_up", "explore": "look_up", "complete": "predict",
    }  # fmt: skip
    return by_intent.get(state.get("intent", ""), "interpret")


@reports_steps("Answering")
async def chat(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Small talk and help, without the graph's facts."""
    kg = (await asyncio.to_thread(loaded, runtime)).kg
    text = text_of(state)
    if small_talk.complains(text):
        last = memory_of(state, kg).last
        read = unbracketed(read_back(kg, QueryGraph.from_json(last.query))) if last and last.query else ""
        return finish(runtime, state, Answered(state.get("message", ""), reply_to_complaint(read), "chat"))
    offers = [next(suggest(kg)).text] if small_talk.is_help(text) and len(kg) else []
    answered = Answered(state.get("message", ""), reply_to(text, kg, offers), "chat")
    if memory_of(state, kg).last is None:  # who begins with "just sorting out the Mill's file" goes on to speak of it
        named = (await asyncio.to_thread(follow_ups_of, kg)).own_links(text)
        nodes = tuple(dict.fromkeys(link.node for link in named))
        if len(nodes) == 1:
            return finish(runtime, state, answered, remembered=Remembered(text, text, "explore", nodes, nodes))
    return finish(runtime, state, answered)


@reports_steps("Showing the proof")
async def prove(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """The evidence of the last answer, and how surely it was read."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    last = memory_of(state, kg).last
    assert last is not None
    if last.query is None:
        text = _PREDICTED if last.task == "predict" else _NO_QUERY if last.answers else _NO_ANSWER
        if last.offered:
            perhaps = unbracketed(read_back(kg, QueryGraph.from_json(last.offered)))
            text = f"I gave no answer, for I was not sure what is meant. Perhaps: {perhaps}?"
        return finish(runtime, state, Answered(state.get("message", ""), text, "evidence"))
    result = await run_query(kg, model, last.question, QueryGraph.from_json(last.query))
    message = state.get("message", "")
    cited = [result.evidence[i] for i in result.citations]
    lines = []
    for n, evidence in enumerate(cited[:20], 1):
        head, relation, tail = (unbracketed(x) for x in citation(kg, message, n, evidence).labels)
        lines.append(f"{head} — {relation} → {tail} [{n}].")
    assert result.reading is not None
    looked = "I looked for" if result.verdict == "not_enough_evidence" else "I read it as"
    lead = f"{looked}: {unbracketed(result.reading.text)}."
    body = "The graph states: " + " ".join(lines) if lines else _nothing_shown(result)
    body += f" There are {len(cited) - 20} more triples." if len(cited) > 20 else ""
    citations = tuple(citation(kg, message, n, e) for n, e in enumerate(cited[:20], 1))
    answered = Answered(message, f"{lead} {body}", "evidence")
    return finish(runtime, state, answered, Citations(message, citations), ReadAs(message, result.reading))


def _nothing_shown(result: Result) -> str:
    """What is said of a question or a claim that rests on no triple: of an open claim that the graph does not say."""
    if result.verdict == "not_enough_evidence":
        return f"The graph does not say whether that is so. {why_open(result)}".strip()
    return unbracketed(result.reason) if result.verdict else "The graph holds no triple that answers it."


@reports_steps("Looking for the answer")
async def interpret(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Complete the sentence, read it, and execute the reading."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    text, memory = text_of(state), memory_of(state, kg)
    task = "verify" if state.get("intent") == "verify" else "ask"
    things = await asyncio.to_thread(lambda: tuple(resolve_entity(kg, name) for name in state.get("entities", ())))
    found = await answer_read(
        kg, model, context.method, text, task, memory, given=things, reading=state.get("reading", 0)
    )
    follow_ups = await asyncio.to_thread(follow_ups_of, kg)
    given = list(found.interpretation.given)
    named = given or follow_ups.spoken_of(found.interpretation.text)
    interpretation: InterpretationRecord = {
        "text": found.interpretation.text, "how": found.interpretation.how, "kind": found.interpretation.kind,
        "task": found.task, "given": given, "named": named,
    }  # fmt: skip
    if found.interpretation.how:
        runtime.stream_writer(Rewritten(text, found.interpretation.text, found.interpretation.how))
    settled = memory.chosen() | memory.mentioned() | set(given)
    query = QueryGraph.from_json(found.result.reading.query) if found.result.reading else None
    ambiguous = await asyncio.to_thread(
        ambiguous_entities, kg, follow_ups.names, found.interpretation.text, query, settled, found.task == "verify"
    )  # fmt: skip
    if state.get("reading"):
        ambiguous = []  # a reading that was asked for says which is meant
    spent: AssistantState = {"reading": 0, "entities": []}  # the next turn of a kept state is read anew
    return {**spent, "interpretation": interpretation, "result": to_json(found.result), "ambiguous": ambiguous}


@reports_steps("Telling namesakes apart")
async def disambiguate(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Where a name fits several things, let the user choose, or take the likeliest."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    ambiguous = state.get("ambiguous") or []
    if not ambiguous or not context.can_ask:
        return {}
    choices = which_one(kg, state.get("message", ""), ambiguous)
    chosen = str(interrupt(choices.to_json()))
    if chosen not in ambiguous:
        return {}
    result = from_json(state.get("result") or {})
    interpretation = state.get("interpretation") or {}
    query = QueryGraph.from_json(result.reading.query) if result.reading else None
    used = next((n for n in ambiguous if n in query.entities), "") if query else ""
    if query is not None and used and used != chosen:
        result = await run_query(kg, model, interpretation.get("text", ""), swapped(query, used, chosen))
    if not used or (used != chosen and not result.answers and result.verdict in (None, "not_enough_evidence")):
        task = "verify" if interpretation.get("task") == "verify" else "ask"
        follow_ups = await asyncio.to_thread(follow_ups_of, kg)
        text = follow_ups.in_full(interpretation.get("text", ""), chosen)
        found = await answer_turn(kg, model, context.method, text, task, Memory(kg), given=(chosen,))
        result = found.result
    return {"result": to_json(result), "chosen": [chosen]}


@reports_steps("Writing the answer")
async def respond(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Verbalise the result, with citations, its reading, and which namesake was assumed."""
    kg = (await asyncio.to_thread(loaded, runtime)).kg
    result, message = from_json(state.get("result") or {}), state.get("message", "")
    interpretation, ambiguous = state.get("interpretation") or {}, state.get("ambiguous") or []
    chosen = state.get("chosen") or ()
    lead, rivals = "", ()
    if ambiguous:
        query = result.reading.query if result.reading else {}
        entities = QueryGraph.from_json(query).entities if query else ()
        taken = next((n for n in ambiguous if n in (chosen or entities)), ambiguous[0])
        rivals = (taken, *(n for n in ambiguous if n != taken))
        lead = "" if chosen else assumed(kg, rivals)
    things = result.verdict is None and any(parse_value(a.label).kind != "yes-no" for a in result.answers)
    denied = any(denies(a.label) for a in result.answers)
    if things and not denied and asks_openly(intents.last_sentence(text_of(state))):
        lead = f"{lead} Yes:".strip()
    listed = SHOWN_OF_ALL if interpretation.get("kind") == "all" else SHOWN
    asked = replace(result, question=interpretation.get("text") or result.question)
    remembered = remember(
        kg, text_of(state), asked, interpretation.get("task", "ask"), chosen=chosen,
        named=interpretation.get("named") or (), before=memory_of(state, kg).last,
    )  # fmt: skip
    others = interpretation.get("kind") in _OF_OTHERS and bool(left_out(remembered))
    shown = verbalise(kg, result, message, lead=lead, shown=listed, others=others)
    for warning in result.warnings:
        runtime.stream_writer(Warned(warning))
    answered = Answered(
        message, shown.text, shown.kind, shown.answers, shown.verdict, method=result.method,
        namesakes=() if chosen else options(kg, rivals),
    )  # fmt: skip
    events = [Citations(message, shown.citations)]
    if worth_reading(result):
        events.append(ReadAs(message, result.reading, result.other_readings, result.margin))  # pyright: ignore[reportArgumentType]
    remembered = replace(remembered, message=message, rivals=rivals, shown=listed)
    return finish(runtime, state, answered, *events, remembered=remembered)


@lru_cache(maxsize=4)
def build(context_schema: type = AssistantContext, checkpointer: Any = None) -> Any:
    """The compiled assistant."""
    graph = StateGraph(AssistantState, context_schema=context_schema, input_schema=AssistantInput)
    for node in (agent, route, chat, prove, look_up, predict, interpret, disambiguate, respond):
        graph.add_node(node.__name__, node)
    graph.add_conditional_edges(START, first_node)
    graph.add_conditional_edges("route", next_node)
    graph.add_edge("interpret", "disambiguate")
    graph.add_edge("disambiguate", "respond")
    graph.add_edge("agent", END)
    for last in ("chat", "prove", "look_up", "respond"):
        graph.add_conditional_edges(last, after_answer)
    return graph.compile(checkpointer=checkpointer, name="assistant")
