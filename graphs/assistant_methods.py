"""Methods as the assistant runs them: query-graph over a whole conversation, any other one over completed sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langgraph.graph import END, START, StateGraph

from triplewise.agents.assistant.completions.interpretation import Interpretation
from triplewise.agents.assistant.follow_ups import FollowUps
from triplewise.agents.assistant.intents.claims_said import claim_of
from triplewise.agents.assistant.intents.intent import last_sentence
from triplewise.agents.assistant.interpreter import InterpretedTurn, Interpreter
from triplewise.agents.assistant.memory import Memory
from triplewise.agents.assistant.references import find_references
from triplewise.agents.context import Context
from triplewise.agents.query_graph.executor import make_reading_executor
from triplewise.agents.query_graph.reading_chooser import make_reading_chooser
from triplewise.agents.query_graph.state import QueryGraphState, ScoredReading
from triplewise.backends.encoders.mini_bert import MiniBert
from triplewise.errors import ConfigError
from triplewise.graphs.method import default_method
from triplewise.graphs.run import aask, averify
from triplewise.kg.base import KGStore
from triplewise.kg.kept import kept_with
from triplewise.kg.query import QueryGraph
from triplewise.tools.query_graph.claims.left_open import as_claim, left_open
from triplewise.tools.query_graph.linking.known_words import KnownWords
from triplewise.tools.query_graph.linking.mentions import NameIndex
from triplewise.tools.query_graph.ranker import WEIGHTS
from triplewise.tools.query_graph.readback import read_back
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.query_graph.wording.other_words import OtherWords
from triplewise.tools.text.existential import asked_thing
from triplewise.tools.text.relative_days import not_taken_in
from triplewise.tools.text.spelling.names import Spelling
from triplewise.tools.text.yes_no import ASKS_MORE, asks_openly
from triplewise.types import Reading, Result

Task = Literal["ask", "verify"]
QUERY_GRAPH = "query-graph"
_NO_CLAIM = frozenset(("and", "but", "so", "what about", "how about"))
"""What is no claim by itself, without the words that look like a tag."""


def best_method(model: BaseChatModel) -> str:
    """The method for questions where none is named: query-graph where its ranker is installed, else the model's."""
    return QUERY_GRAPH if WEIGHTS.is_file() else default_method("ask", lambda: model).id


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """A turn's completed sentence and what a method made of it."""

    interpretation: Interpretation
    result: Result
    task: Task


@cache
def _reading_runner() -> Any:
    """query-graph without its first node: the readings are brought along."""
    graph = StateGraph(QueryGraphState, context_schema=Context)
    graph.add_node("choose_reading", make_reading_chooser())
    graph.add_node("execute_reading", make_reading_executor())
    graph.add_edge(START, "choose_reading")
    graph.add_edge("choose_reading", "execute_reading")
    graph.add_edge("execute_reading", END)
    return graph.compile(name="query-graph over a conversation")


async def answer_turn(
    kg: KGStore,
    model: BaseChatModel,
    method: str,
    text: str,
    task: Task,
    memory: Memory,
    *,
    given: tuple[str, ...] = (),
    on_step: Callable[[str], None] | None = None,
) -> AnsweredTurn:
    """Complete a sentence by what was said before, and answer or verify it; ``given``: the things that it is about."""
    if method == QUERY_GRAPH:
        interpreter = await asyncio.to_thread(interpreter_of, kg)
        turn = await asyncio.to_thread(interpreter.interpret, text, task, memory, given)
        if on_step:
            on_step("find_readings")
        return await _run(kg, model, turn, task, on_step)
    interpretation = follow_ups_of(kg).interpretations(text, memory)[0]
    if interpretation.query is not None and task == "ask":
        return AnsweredTurn(interpretation, await run_query(kg, model, interpretation.text, interpretation.query), task)
    run = averify if task == "verify" else aask
    result = await run(kg, interpretation.text, model=model, method=method, entities=given, on_step=on_step)
    return AnsweredTurn(interpretation, _restricted(result, interpretation), task)


async def answer_read(
    kg: KGStore,
    model: BaseChatModel,
    method: str,
    text: str,
    task: Task,
    memory: Memory,
    *,
    given: tuple[str, ...] = (),
    reading: int = 0,
) -> AnsweredTurn:
    """``answer_said`` by the reading of a number: ``reading``, or the one of the last question that the text takes."""
    last = memory.last
    if last is not None and (number := memory.reading_taken(text)):
        result = await run_other(kg, model, last.question, last.readings, number)
        told = Interpretation(last.question, "swap", f"reading {number}")
        return AnsweredTurn(told, result, "verify" if result.verdict else "ask")
    found = await answer_said(kg, model, method, text, task, memory, given=given)
    own = found.result.reading
    if not reading or (own and own.number == reading):
        return found
    readings = (*((own,) if own else ()), *found.result.other_readings)
    result = await run_other(kg, model, found.interpretation.text, readings, reading)
    return replace(found, result=result, task="verify" if result.verdict else "ask")


async def answer_said(
    kg: KGStore,
    model: BaseChatModel,
    method: str,
    text: str,
    task: Task,
    memory: Memory,
    *,
    given: tuple[str, ...] = (),
) -> AnsweredTurn:
    """Answer or verify a sentence; a question whether there is something is answered by what there is."""
    last = last_sentence(text)
    thing = asked_thing(find_references(last).bare)
    if thing and await asyncio.to_thread(follow_ups_of(kg).asks_for_value, thing):
        thing, task = "", "verify"
    found = None
    if thing:
        found = await answer_turn(kg, model, method, text.replace(last, thing), "ask", memory, given=given)
        if found.result.answers or task == "ask" or find_references(thing).of_them:  # "is one of them red?"
            return await _as_verified(kg, model, found) or found  # "has it got a toilet?"
    said = claim_of(text) if task == "verify" else text
    said = said if find_references(said).bare.casefold() not in _NO_CLAIM else text  # "and is she?"
    claimed = await answer_turn(kg, model, method, said, task, memory, given=given)
    if found and claimed.result.verdict != "refuted":
        return found  # what was looked for is not told of, and what is true beside it was not asked
    query = claimed.result.reading.query if claimed.result.reading else None
    if task == "ask" and not ASKS_MORE.search(last) and (verified := await _as_verified(kg, model, claimed)):
        return verified  # "paid?"
    if claimed.result.verdict == "supported" and query is not None and asks_openly(last):
        schema = (await asyncio.to_thread(interpreter_of, kg)).reader.schema
        if (told := left_open(schema, QueryGraph.from_json(query))) is not None:
            return replace(claimed, result=await run_query(kg, model, claimed.interpretation.text, told), task="ask")
    return claimed


async def _as_verified(kg: KGStore, model: BaseChatModel, turn: AnsweredTurn) -> AnsweredTurn | None:
    """A turn that was answered with yes or no as the claim that it is so; None for any other."""
    query = turn.result.reading.query if turn.result.reading else None
    schema = (await asyncio.to_thread(follow_ups_of, kg)).names.schema
    claim = as_claim(schema, QueryGraph.from_json(query)) if query is not None else None
    if claim is None:
        return None
    verified = await run_query(kg, model, turn.interpretation.text, claim)
    return replace(turn, result=verified, task="verify")


def _restricted(result: Result, interpretation: Interpretation) -> Result:
    """Without the answers that a follow-up leaves out, and what only they rest on."""
    keep, drop = set(interpretation.keep), set(interpretation.drop)
    answers = tuple(a for a in result.answers if a.id not in drop and (not keep or a.id in keep))
    if len(answers) == len(result.answers):
        return result
    cited = {i for a in answers for i in a.citations}
    return replace(result, answers=answers, citations=tuple(i for i in result.citations if i in cited))


async def _run(
    kg: KGStore, model: BaseChatModel, turn: InterpretedTurn, task: Task, on_step: Callable[[str], None] | None
) -> AnsweredTurn:
    first = turn.readings[0].query if turn.readings else None
    if first is not None and (first.form == "ask" or first.compare):
        task = "verify"
    result = await run_reading(kg, model, turn.interpretation.text, task, turn.readings, turn.none, on_step=on_step)
    return AnsweredTurn(turn.interpretation, result, task)


async def run_query(kg: KGStore, model: BaseChatModel, question: str, query: QueryGraph) -> Result:
    """The result of one query graph, however it came about."""
    task: Task = "verify" if query.form == "ask" or query.compare else "ask"
    return await run_reading(kg, model, question, task, (ScoredReading(query, read_back(kg, query), 0.0, 1.0),), 0.0)


async def run_other(
    kg: KGStore, model: BaseChatModel, question: str, readings: Sequence[Reading], number: int
) -> Result:
    """The result by one of the readings that were told; the result lists the rest. Raises ConfigError where none has
    that number."""
    chosen = next((r for r in readings if r.number == number), None)
    if chosen is None:
        there = ", ".join(str(n) for n in sorted(r.number for r in readings)) or "none"
        raise ConfigError(f"there is no reading {number}.", f"There are: {there}.")
    result = await run_query(kg, model, question, QueryGraph.from_json(chosen.query))
    rest = tuple(r for r in readings if r is not chosen)
    margin = chosen.probability - max((r.probability for r in rest), default=0.0)
    return replace(result, reading=chosen, other_readings=rest, margin=margin)


async def run_reading(
    kg: KGStore,
    model: BaseChatModel,
    question: str,
    task: Task,
    readings: tuple[ScoredReading, ...],
    none: float,
    *,
    on_step: Callable[[str], None] | None = None,
) -> Result:
    """Execute the first of some readings; the result lists the others as runners-up."""
    inputs = {
        "question": question, "task": task, "entities": (), "readings": readings, "none_probability": none, "steps": [],
        "warnings": not_taken_in(question, map(kg.relation_label, kg.relation_ids())),
    }  # fmt: skip
    state: dict[str, Any] = {}
    context = Context(kg=kg, model=model)
    async for kind, chunk in _reading_runner().astream(inputs, context=context, stream_mode=["updates", "values"]):
        if kind == "values":
            state = chunk
        elif on_step is not None:
            for name in chunk:
                on_step(name)
    return Result.from_state(state, method=QUERY_GRAPH, question=question)


def interpreter_of(kg: KGStore) -> Interpreter:
    """The interpreter of a graph, made once."""
    return kept_with(kg, Interpreter, lambda: Interpreter(kg))


def follow_ups_of(kg: KGStore) -> FollowUps:
    """The completions over a graph without a ranker, made once."""
    return kept_with(kg, FollowUps, lambda: FollowUps(kg, NameIndex(SchemaView(kg))))


def in_its_words(kg: KGStore, text: str) -> str:
    """A text with its misspelt words put right, by the graph's names and the words that the ranker knows, and with the
    words that the graph has in the place of others for the same: "television" for "telly"."""

    def make() -> tuple[Spelling, OtherWords]:
        known = KnownWords(follow_ups_of(kg).names)
        return Spelling(known, MiniBert.load(WEIGHTS).tokenise.ids if WEIGHTS.is_file() else ()), OtherWords(known)

    spelling, other = kept_with(kg, in_its_words, make)
    return other.in_its_words(spelling.corrected(text))
