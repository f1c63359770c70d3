"""The assistant's state machine: a model that calls tools is the agent; for others rules route, then one choice.

::

    ┬─ agent (graphs/assistant_agent.py) ──────────────────────────┐
    └─ route ─┬─ chat · prove · look_up · predict ─────────────────┤
              └─ interpret → disambiguate (may ask back) → respond ┴─ end

``interpret`` completes a follow-up, lets query-graph read it and executes the reading; ``disambiguate`` asks which of
several namesakes is meant, by an interrupt, or takes the likeliest and says so; ``respond`` verbalises the result, with
citations.
The state is plain JSON, so that checkpoints hold nothing that must be trusted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from triplewise.agents.assistant.answers import SHOWN, SHOWN_OF_ALL, citation, unbracketed, verbalise, worth_reading
from triplewise.agents.assistant.edits import swapped
from triplewise.agents.assistant.events import Answered, Choices, Citations, ReadAs, Rewritten, Warned
from triplewise.agents.assistant.finish import finish
from triplewise.agents.assistant.intents import intent as intents
from triplewise.agents.assistant.intents.in_turn import questions_of
from triplewise.agents.assistant.memory import Memory, Remembered, remember
from triplewise.agents.assistant.namesakes import ambiguous_entities, options, said_of_several
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
from triplewise.graphs.assistant_methods import (
    QUERY_GRAPH,
    answer_read,
    answer_turn,
    follow_ups_of,
    interpreter_of,
    run_query,
    spelt,
)
from triplewise.graphs.complete import acomplete
from triplewise.kg.base import KGStore
from triplewise.kg.linking import resolve_entity
from triplewise.kg.names import one_line
from triplewise.kg.query import QueryGraph
from triplewise.kg.values import parse_value
from triplewise.tools.links.scorers import own_scorer
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.text.yes_no import asks_openly, denies
from triplewise.types import Answer, Evidence

Next = Literal["chat", "prove", "look_up", "predict", "interpret"]
AfterPredict = Literal["interpret", "route", "__end__"]
"""Where ``predict`` goes: on to ``interpret`` where it has nothing to predict, else as after every answer."""
_NO_ANSWER = "I gave no answer: nothing in the graph fits what was asked."
_NO_QUERY = "The last answer rests on no query of its own: ask it again to see its triples."
_PREDICTED = "The graph does not state it: it is a guess of the link predictor; what speaks for it was told with it."
_WHICH_ONE = "Which one do you mean?"
_STATED_ONLY = "Only what the graph states can be told."
_NO_PREDICTOR = (
    "This graph has no link predictor, so that only what it states can be told. Train one with: "
    "triplewise train links --kg PATH."
)


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


def _text(state: AssistantState) -> str:
    return (state.get("asked") or [state["messages"][-1].text])[0].strip()


def _memory(state: AssistantState, kg: KGStore) -> Memory:
    return Memory(kg, [Remembered.from_json(m) for m in state.get("memory", ())])


@reports_steps("Understanding what is wanted")
async def route(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Choose the intent."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    text, memory = _text(state), _memory(state, kg)
    begun: AssistantState = {"result": None, "ambiguous": [], "chosen": []}
    if (memory.last and memory.last.offered and intents.accepts(text)) or memory.reading_taken(text):
        return {**begun, "intent": "ask"}
    follow_ups = await asyncio.to_thread(follow_ups_of, kg)

    def by_rules() -> intents.Intent | None:
        names = follow_ups.own_names(text)
        if intents.asks_who_one_is(text, names or said_of_several(follow_ups.names, text)):
            return "explore"
        return intents.by_rules(text, named=len(names), after_answer=memory.last is not None, names=names)

    chosen = by_rules()
    if not state.get("asked") and chosen != "chat":
        begun["asked"] = questions_of(await asyncio.to_thread(spelt, kg, text), follow_ups.names_something)
        text = begun["asked"][0].strip()
        chosen = by_rules()
    if chosen is None:
        before = memory.last.question if memory.last else ""
        chosen = await intents.by_model(model, text, before)
    if (state.get("reading") or state.get("entities")) and chosen != "verify":
        chosen = "ask"  # only what is read can be read in that way
    return {**begun, "intent": chosen}


def after_answer(state: AssistantState) -> Literal["route", "__end__"]:
    """A sentence may ask more than one thing."""
    return "route" if state.get("asked") else "__end__"


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
    text = _text(state)
    if intents.complains(text):
        last = _memory(state, kg).last
        read = unbracketed(read_back(kg, QueryGraph.from_json(last.query))) if last and last.query else ""
        return finish(runtime, state, Answered(state.get("message", ""), reply_to_complaint(read), "chat"))
    offers = [next(suggest(kg)).text] if intents.is_help(text) and len(kg) else []
    return finish(runtime, state, Answered(state.get("message", ""), reply_to(text, kg, offers), "chat"))


@reports_steps("Showing the proof")
async def prove(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """The evidence of the last answer, and how surely it was read."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    last = _memory(state, kg).last
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
    lead = f"I read it as: {unbracketed(result.reading.text)}."
    body = "The graph states: " + " ".join(lines) if lines else "The graph holds no triple that answers it."
    body += f" There are {len(cited) - 20} more triples." if len(cited) > 20 else ""
    citations = tuple(citation(kg, message, n, e) for n, e in enumerate(cited[:20], 1))
    answered = Answered(message, f"{lead} {body}", "evidence")
    return finish(runtime, state, answered, Citations(message, citations), ReadAs(message, result.reading))


def _assumed(kg: KGStore, rivals: Sequence[str]) -> str:
    """Which of some namesakes was taken, the first, where nobody could be asked."""
    others = ", ".join(unbracketed(kg.display(n)) for n in rivals[1:])
    return f"I took it to be {unbracketed(kg.display(rivals[0]))}; it may also be {others}."


@reports_steps("Looking it up")
async def look_up(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Find a thing by name, or all triples at it."""
    context = await asyncio.to_thread(loaded, runtime)
    kg = context.kg
    wanted = intents.search_text(_text(state))
    hits = await asyncio.to_thread(kg.search, wanted, 8)
    message = state.get("message", "")
    if not hits or state.get("intent") == "search":
        found = ", ".join(unbracketed(kg.display(h.id)) for h in hits)
        text = f"I found: {found}." if hits else f"Nothing in the graph is called {unbracketed(wanted)!r}."
        return finish(runtime, state, Answered(message, text, "answer" if hits else "nothing"))
    node, rivals, lead = hits[0].id, tuple[str, ...](), ""
    memory, follow_ups = _memory(state, kg), await asyncio.to_thread(follow_ups_of, kg)
    settled = memory.chosen() | memory.mentioned()
    if namesakes := await asyncio.to_thread(ambiguous_entities, kg, follow_ups.names, wanted, None, settled):
        if context.can_ask:
            node = str(interrupt(Choices(message, _WHICH_ONE, options(kg, namesakes)).to_json()))
        node = node if node in namesakes else namesakes[0]
        rivals = (node, *(n for n in namesakes if n != node))
        lead = "" if context.can_ask else _assumed(kg, rivals)
    left_out = kg.roles.aliases
    triples = [*kg.triples(node, None, None), *kg.triples(None, None, node)]
    cited = [Evidence(t, origin="look_up") for t in dict.fromkeys(triples) if t.relation not in left_out]
    citations = tuple(citation(kg, message, n, e) for n, e in enumerate(cited[:12], 1))
    lines = [f"{' — '.join(map(unbracketed, c.labels[:2]))} → {unbracketed(c.labels[2])} [{c.n}]." for c in citations]
    more = f" There are {len(cited) - 12} more triples." if len(cited) > 12 else ""
    kinds = ", ".join(one_line(kg.label(t)) for t in kg.types(node))
    about = f"{unbracketed(kg.display(node))}{f' ({kinds})' if kinds else ''}:"
    chosen = (node,) if rivals and context.can_ask else ()
    topic = Remembered(
        _text(state), _text(state), "explore", (node,), (node,), message=message, chosen=chosen, rivals=rivals
    )
    told = f"{f'{lead} ' if lead else ''}{about} {' '.join(lines)}{more}"
    answered = Answered(message, told, "answer", (Answer(node, kg.display(node)),))
    return finish(runtime, state, answered, Citations(message, citations), remembered=topic)


@reports_steps("Predicting a link")
async def predict(state: AssistantState, runtime: Runtime[AssistantContext]) -> Command[AfterPredict]:
    """Guess what the graph does not state: by the link predictor where there is one, else it is asked as a question."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    follow_ups = await asyncio.to_thread(follow_ups_of, kg)
    links = follow_ups.own_links(_text(state))
    scorer = context.scorer or await asyncio.to_thread(own_scorer, kg)
    if scorer is None or not links or context.method != QUERY_GRAPH:
        runtime.stream_writer(Warned(_NO_PREDICTOR if scorer is None else _STATED_ONLY))
        return Command(goto="interpret")
    reader = interpreter_of(kg).reader
    affinity = await asyncio.to_thread(reader.affinity, _text(state))
    steps = reader.schema.kind_steps(reader.schema.kinds(links[0].node))
    things = [
        s for s in steps if s.inverse or not any(kg.is_literal(t.tail) for t in islice(kg.triples(None, s.relation), 5))
    ]
    if not things:
        return Command(goto="interpret")
    step = max(things, key=lambda s: (affinity(s), s))
    ends = (None, links[0].node) if step.inverse else (links[0].node, None)
    done = await acomplete(kg, ends[0], step.relation, ends[1], scorer=scorer, model=model, top=5)
    message = state.get("message", "")
    evidence = done.evidence()
    citations = tuple(citation(kg, message, n, e) for n, e in enumerate(evidence, 1))
    parts = [
        f"{unbracketed(p.label)} [{n}] ({'stated in the graph' if p.known else f'predicted, score {p.score:.2f}'})"
        for n, p in enumerate(done.ranking, 1)
    ]
    guessed = [p for p in done.ranking if not p.known]
    because = [Evidence(t, origin="predict_links") for p in guessed[:1] for t in p.because][:3]
    speaking = tuple(citation(kg, message, n, e) for n, e in enumerate(because, len(evidence) + 1))
    told = [f"{' — '.join(map(unbracketed, c.labels[:2]))} → {unbracketed(c.labels[2])} [{c.n}]" for c in speaking]
    speaks = f" For what is predicted first speaks: {'; '.join(told)}." if told else ""
    text = f"The likeliest: {', '.join(parts)}. A prediction is not a fact.{speaks}"
    answers = tuple(Answer(p.id, p.label, (n,)) for n, p in enumerate(done.ranking, 1))
    answered = Answered(message, text, "prediction", answers)
    topic = Remembered(_text(state), _text(state), "predict", topics=(links[0].node,), message=message)
    shown = Citations(message, citations + speaking)
    done = finish(runtime, state, answered, shown, remembered=topic)
    return Command(update=done, goto=after_answer(done))


@reports_steps("Looking for the answer")
async def interpret(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Complete the sentence, read it, and execute the reading."""
    context = await asyncio.to_thread(loaded, runtime)
    kg, model = context.kg, context.model
    text, memory = _text(state), _memory(state, kg)
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
    choices = Choices(state.get("message", ""), _WHICH_ONE, options(kg, ambiguous))
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
        found = await answer_turn(
            kg, model, context.method, interpretation.get("text", ""), task, Memory(kg), given=(chosen,)
        )
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
        lead = "" if chosen else _assumed(kg, rivals)
    things = result.verdict is None and any(parse_value(a.label).kind != "yes-no" for a in result.answers)
    denied = any(denies(a.label) for a in result.answers)
    if things and not denied and asks_openly(intents.last_sentence(_text(state))):
        lead = f"{lead} Yes:".strip()
    listed = SHOWN_OF_ALL if interpretation.get("kind") == "all" else SHOWN
    shown = verbalise(kg, result, message, lead=lead, shown=listed)
    for warning in result.warnings:
        runtime.stream_writer(Warned(warning))
    asked = replace(result, question=interpretation.get("text") or result.question)
    remembered = remember(
        kg, _text(state), asked, interpretation.get("task", "ask"), chosen=chosen,
        named=interpretation.get("named") or (),
    )  # fmt: skip
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
