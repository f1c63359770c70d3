"""The assistant's look-ups: a thing found by its name, all triples at it, and the links that are only predicted."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from triplewise.agents.assistant.answers import citation, unbracketed
from triplewise.agents.assistant.events import Answered, Citations, Warned
from triplewise.agents.assistant.finish import after_answer, finish, memory_of, text_of
from triplewise.agents.assistant.intents import intent as intents
from triplewise.agents.assistant.memory import Remembered
from triplewise.agents.assistant.namesakes import ambiguous_entities, assumed, which_one
from triplewise.agents.assistant.state import AssistantContext, AssistantState, loaded, reports_steps
from triplewise.graphs.assistant_methods import QUERY_GRAPH, follow_ups_of, interpreter_of
from triplewise.graphs.complete import acomplete
from triplewise.kg.names import one_line
from triplewise.tools.links.scorers import own_scorer
from triplewise.types import Answer, Evidence

AfterPredict = Literal["interpret", "route", "__end__"]
"""Where ``predict`` goes: on to ``interpret`` where it has nothing to predict, else as after every answer."""
_STATED_ONLY = "Only what the graph states can be told."
_NO_PREDICTOR = (
    "This graph has no link predictor, so that only what it states can be told. Train one with: "
    "triplewise train links --kg PATH."
)


@reports_steps("Looking it up")
async def look_up(state: AssistantState, runtime: Runtime[AssistantContext]) -> AssistantState:
    """Find a thing by name, or all triples at it."""
    context = await asyncio.to_thread(loaded, runtime)
    kg = context.kg
    wanted = intents.search_text(text_of(state))
    hits = await asyncio.to_thread(kg.search, wanted, 8)
    message = state.get("message", "")
    if not hits or state.get("intent") == "search":
        found = ", ".join(unbracketed(kg.display(h.id)) for h in hits)
        text = f"I found: {found}." if hits else f"Nothing in the graph is called {unbracketed(wanted)!r}."
        return finish(runtime, state, Answered(message, text, "answer" if hits else "nothing"))
    node, rivals, lead = hits[0].id, tuple[str, ...](), ""
    memory, follow_ups = memory_of(state, kg), await asyncio.to_thread(follow_ups_of, kg)
    settled = memory.chosen() | memory.mentioned()
    if namesakes := await asyncio.to_thread(ambiguous_entities, kg, follow_ups.names, wanted, None, settled):
        if context.can_ask:
            node = str(interrupt(which_one(kg, message, namesakes).to_json()))
        node = node if node in namesakes else namesakes[0]
        rivals = (node, *(n for n in namesakes if n != node))
        lead = "" if context.can_ask else assumed(kg, rivals)
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
        text_of(state), text_of(state), "explore", (node,), (node,), message=message, chosen=chosen, rivals=rivals
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
    links = follow_ups.own_links(text_of(state))
    scorer = context.scorer or await asyncio.to_thread(own_scorer, kg)
    if scorer is None or not links or context.method != QUERY_GRAPH:
        runtime.stream_writer(Warned(_NO_PREDICTOR if scorer is None else _STATED_ONLY))
        return Command(goto="interpret")
    reader = interpreter_of(kg).reader
    affinity = await asyncio.to_thread(reader.affinity, text_of(state))
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
    topic = Remembered(text_of(state), text_of(state), "predict", topics=(links[0].node,), message=message)
    shown = Citations(message, citations + speaking)
    done = finish(runtime, state, answered, shown, remembered=topic)
    return Command(update=done, goto=after_answer(done))
