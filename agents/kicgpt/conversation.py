"""KICGPT's conversation (section 3.3.3, figure 2): responsibility, question, demonstrations, final query.

In ``multi-round`` mode each stage is a call with the whole history, and the third is repeated as often
as the token budget allows. In ``compact`` mode the same content is put into one message and only the
final query is a call: the demonstrations are trimmed to the budget.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from triplewise.agents.context import NodeContext
from triplewise.agents.kicgpt.prompts import ConversationOptions, LinkPrompts, Shown, interleave, merge, prompt_tokens
from triplewise.agents.kicgpt.ranking import (
    CandidateNames,
    ParsedOrder,
    complete_order,
    order_by_scores,
    parse_order,
    parse_scores,
)
from triplewise.agents.kicgpt.state import Candidate, LinkState
from triplewise.agents.node import Node, node
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.prompts.template import load_prompt
from triplewise.tools.text.entity_text import EntityTexts
from triplewise.types import Step


def make_responsibility(options: ConversationOptions) -> Node[LinkState, LinkState]:
    """Stage 1: tell the task and check that the model knows it."""

    @node
    async def responsibility(state: LinkState, context: NodeContext) -> LinkState:
        messages = LinkPrompts.of(state, context.kg, options).responsibility()
        messages += load_prompt("kicgpt/responsibility_check").render()
        reply = ReplyFormat(
            parse=_parse_yes,
            grammar='root ::= "Yes" | "No"\n',
            fallback=lambda: "",
            fallback_note="The conversation goes on.",
            max_tokens=16,
        )
        called = await call_model(context.model, messages, reply, node="responsibility")
        return {"messages": (*messages, AIMessage(called.value or "Yes")), "steps": [called.step]}

    return responsibility


def make_question(options: ConversationOptions) -> Node[LinkState, LinkState]:
    """Stage 2: the question, and the two kinds of demonstrations that will follow."""

    @node
    async def question(state: LinkState, context: NodeContext) -> LinkState:
        asked = LinkPrompts.of(state, context.kg, options).question()
        return await _tell(state, context, asked, "question")

    return question


def make_demonstrate(options: ConversationOptions) -> Node[LinkState, LinkState]:
    """Stage 3, one round: the next demonstrations of both pools, if they fit the budget."""

    @node
    async def demonstrate(state: LinkState, context: NodeContext) -> LinkState:
        prompts, model, done = LinkPrompts.of(state, context.kg, options), context.model, state.get("rounds", 0)
        k = options.per_round
        n = k * done
        batch = interleave(state["analogies"][: n + k], state["supplements"][: n + k], 2 * k, start=n)
        if not batch or (options.max_rounds and done >= options.max_rounds):
            return {"finished": True}
        room = options.budget - max(
            prompt_tokens(model, prompts.final(batch, told=True)) for batch in prompts.batches()
        )
        asked = prompts.demonstrations(batch)
        if not options.pop_last and prompt_tokens(model, [*state["messages"], *_acknowledged(asked)]) > room:
            return {"finished": True}
        told = await _tell(state, context, asked, f"demonstrate[{done + 1}]")
        if options.pop_last and prompt_tokens(model, told["messages"]) > room:
            return {
                "finished": True,
                "steps": [replace(told["steps"][0], note="The round is taken back: over budget.")],
            }
        return {**told, "rounds": done + 1, "shown": (*state.get("shown", ()), *batch)}

    return demonstrate


def more_rounds(state: LinkState) -> Literal["demonstrate", "final_query"]:
    """Whether stage 3 is repeated."""
    return "final_query" if state.get("finished") else "demonstrate"


def make_compose(options: ConversationOptions) -> Node[LinkState, LinkState]:
    """Compact mode: stages 1 to 3 without a call, as many demonstrations as the budget holds."""

    @node
    async def compose(state: LinkState, context: NodeContext) -> LinkState:
        prompts, model = LinkPrompts.of(state, context.kg, options), context.model
        available = interleave(state["analogies"], state["supplements"], options.demonstrations)
        shown = _fit(prompts, model, available)
        return {"messages": history(prompts, shown), "shown": shown}

    return compose


def history(prompts: LinkPrompts, shown: Shown) -> tuple[BaseMessage, ...]:
    """Stages 1 to 3 in compact mode."""
    if not prompts.options.engineered:
        return ()
    question = prompts.question() if shown else []
    return tuple([*prompts.responsibility(), *merge([*question, *prompts.demonstrations(shown)])])


def _fit(prompts: LinkPrompts, model: BaseChatModel, shown: Shown) -> Shown:
    """The leading demonstrations that fit the budget together with the final query."""
    longest = max(prompts.batches(), key=lambda batch: prompt_tokens(model, prompts.final(batch, told=True)))
    while True:
        messages = final_messages(prompts, history(prompts, shown), shown, longest)
        over = prompt_tokens(model, messages) - prompts.options.budget
        if over <= 0 or not shown:
            return shown
        kept = len(shown) - 1
        over -= model.get_num_tokens(prompts.fact(shown[kept][1]))
        while over > 0 and kept:
            kept -= 1
            over -= model.get_num_tokens(prompts.fact(shown[kept][1]))
        shown = shown[:kept]


def make_final_query(options: ConversationOptions) -> Node[LinkState, LinkState]:
    """Stage 4: restate the question with the candidates, and read the order from the reply."""

    @node
    async def final_query(state: LinkState, context: NodeContext) -> LinkState:
        prompts = LinkPrompts.of(state, context.kg, options)
        candidates = state["candidates"]
        if len(candidates) < 2:
            return {
                "order": tuple(range(len(candidates))),
                "steps": [Step("final_query", "skipped", "nothing to order")],
            }
        ask = _ask_scores if options.reply == "scores" else _ask_order
        order, steps = await ask(prompts, context.model, candidates)
        steps[-1].detail["order"] = [prompts.entities.disambiguated(candidates[i].id) for i in order]
        return {"order": order, "steps": steps}

    return final_query


async def _ask_order(
    prompts: LinkPrompts, model: BaseChatModel, candidates: Sequence[Candidate]
) -> tuple[tuple[int, ...], list[Step]]:
    from triplewise.backends.llama.gbnf import permutation

    options, m = prompts.options, len(candidates)
    positions = list(range(m))
    if options.shuffle:
        random.Random(f"{options.seed} {prompts.state['query']}").shuffle(positions)
    names = CandidateNames([_names(prompts.entities, candidates[i].id) for i in positions])
    reply = ReplyFormat(
        parse=lambda text: parse_order(text, names),
        grammar=permutation(m) if options.reply == "numbers" else None,
        fallback=lambda: ParsedOrder((), missing=m),
        fallback_note="The retriever's order is kept.",
        max_tokens=options.max_reply_tokens or (m * 5 if options.reply == "numbers" else m * 16) + 16,
    )
    state = prompts.state
    messages = final_messages(prompts, state.get("messages", ()), state.get("shown", ()), positions)
    called = await call_model(model, messages, reply, node="final_query")
    parsed = called.value
    called.step.detail.update(doubled=parsed.doubled, unknown=parsed.unknown, missing=parsed.missing)
    return complete_order([positions[i] for i in parsed.order], m), [called.step]


async def _ask_scores(
    prompts: LinkPrompts, model: BaseChatModel, candidates: Sequence[Candidate]
) -> tuple[tuple[int, ...], list[Step]]:
    """Score the candidates, several a call, all calls at once; one failed call fails the query."""
    state = prompts.state

    async def ask(batch: Sequence[int]) -> tuple[dict[int, float], Step]:
        numbers = [i + 1 for i in batch]
        reply = ReplyFormat(
            parse=lambda text: parse_scores(text, numbers),
            grammar=_score_grammar(numbers),
            fallback=dict,
            fallback_note="The retriever's order is kept.",
            max_tokens=len(batch) * 8 + 16,
        )
        messages = final_messages(prompts, state.get("messages", ()), state.get("shown", ()), batch)
        label = f"final_query[{numbers[0]}-{numbers[-1]}]"
        called = await call_model(model, messages, reply, node=label)
        return called.value, called.step

    answered = await asyncio.gather(*(ask(batch) for batch in prompts.batches()))
    steps = [step for _, step in answered]
    scores = {n - 1: s for found, _ in answered for n, s in found.items()}
    failed = any(not found for found, _ in answered)
    steps[-1].detail["scores"] = {str(i + 1): s for i, s in sorted(scores.items())}
    return order_by_scores({} if failed else scores, len(candidates)), steps


def _score_grammar(numbers: Sequence[int]) -> str:
    """One line per statement, in order, each with a whole score from 0 to 100."""
    score = 'score ::= "100" | [1-9] [0-9]? | "0"\n'
    if len(numbers) == 1:
        return f"root ::= score\n{score}"
    return "root ::= " + ' "\\n" '.join(f'"{n}: " score' for n in numbers) + f"\n{score}"


def final_messages(
    prompts: LinkPrompts, told: Sequence[BaseMessage], shown: Shown, positions: Sequence[int]
) -> list[BaseMessage]:
    """What the model is sent for an order: the stages before, then the candidates at these positions."""
    if not prompts.options.engineered:
        return prompts.trivial(shown, positions)
    return merge([*told, *prompts.final(positions, told=bool(shown))])


async def _tell(state: LinkState, context: NodeContext, asked: list[BaseMessage], label: str) -> LinkState:
    """One exchange of the conversation whose reply is not used."""
    messages = [*state["messages"], *_acknowledged(asked)]
    reply = ReplyFormat(parse=str.strip, grammar='root ::= "OK"\n', max_tokens=48)
    called = await call_model(context.model, messages, reply, node=label)
    return {"messages": (*messages, AIMessage(called.value or "OK")), "steps": [called.step]}


def _acknowledged(asked: Sequence[BaseMessage]) -> list[BaseMessage]:
    return merge([*asked, *load_prompt("kicgpt/acknowledge").render()])


def _parse_yes(text: str) -> str:
    if not text.strip().lstrip("*\"'").casefold().startswith("yes"):
        raise ReplyError("It is not Yes.")
    return text.strip()


def _names(texts: EntityTexts, entity: str) -> tuple[str, ...]:
    return (texts.disambiguated(entity), texts.listed(entity), texts.name(entity), texts.kg.label(entity))
