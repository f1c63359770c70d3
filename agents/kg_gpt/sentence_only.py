"""The baseline of KG-GPT's Tables 1 and 2: the model is asked for the sentence alone, with worked examples or none.

No graph is looked at, so nothing is cited: the verdict or the answer is the model's word. A question's answer is held
against the graph's names only to be counted by id.
"""

from __future__ import annotations

from triplewise.agents.context import NodeContext
from triplewise.agents.kg_gpt.few_shot import shown_examples
from triplewise.agents.kg_gpt.reasoner import ReasonerOptions, parse_verdict
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskState
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.kg.base import KGStore
from triplewise.prompts.template import load_prompt
from triplewise.types import Answer, Verdict

UNGROUNDED = "The graph was not looked at: this is what the model says of the sentence alone."
_LONGEST = 300


def make_sentence_reasoner(options: ReasonerOptions) -> Node[AskState, AskState]:
    """The baseline's only node: question → verdict, or answers and text; no evidence, no citations."""

    @node
    async def reason(state: AskState, context: NodeContext) -> AskState:
        claim = state.get("task", "ask") == "verify"
        kind = "verify" if claim else "ask"
        prompt, shown = f"kg_gpt/{'verify' if claim else 'answer'}_sentence", dict[str, str]()
        if options.shots:
            shown = shown_examples("claim", kind, "paper", options.shots, options.hops)
        else:
            prompt += "_alone"
        messages = load_prompt(prompt).render(**shown, sentence=state["question"])
        if claim:
            called = await call_model(
                context.model,
                messages,
                ReplyFormat(
                    parse=lambda text: parse_verdict(text, 0, binary=True)[0],
                    fallback=_no_verdict,
                    fallback_note="There is no verdict.",
                    max_tokens=100,
                ),
                node="reason",
            )
            verdict: Verdict = called.value
            text = f"{verdict.replace('_', ' ').capitalize()}."
            return {"verdict": verdict, "reason": UNGROUNDED, "citations": (), "text": text,
                    "steps": [called.step], "warnings": [UNGROUNDED]}  # fmt: skip
        asked = await call_model(
            context.model,
            messages,
            ReplyFormat(parse=first_line, fallback=str, fallback_note="No answer is given.", max_tokens=100),
            node="reason",
        )
        return {"answers": named_in(context.kg, asked.value), "citations": (), "text": asked.value,
                "steps": [asked.step], "warnings": [UNGROUNDED]}  # fmt: skip

    return reason


def first_line(reply: str) -> str:
    """The reply's first line without quotes; raises ReplyError where there is none."""
    lines = [line.strip().removeprefix("Answer:").strip(" '\"`") for line in reply.splitlines()]
    if not (text := next(filter(None, lines), "")):
        raise ReplyError("It is empty.")
    return text[:_LONGEST]


def named_in(kg: KGStore, text: str) -> tuple[Answer, ...]:
    """The one thing of the graph that is called exactly so, if there is one."""
    hit = next((h for h in kg.search(text, 1) if h.score == 1.0), None)
    return (Answer(hit.id, kg.display(hit.id), ()),) if hit else ()


def _no_verdict() -> Verdict:
    return "not_enough_evidence"
