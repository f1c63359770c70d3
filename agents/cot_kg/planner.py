"""The planner: reasoning steps written before any look-up (Retrieval and Reasoning on KGs, equation 1, Prompt 1).

    {c¹, …, cʲ} = M(p_cot ⊕ q)

The steps only steer retrieval. Prompt 1 also asks for an answer; what the model says there without the
graph is dropped, it never becomes an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel

from triplewise.agents.context import NodeContext
from triplewise.agents.cot_kg.few_shot import plan_demonstrations
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskState
from triplewise.agents.style import suited
from triplewise.backends.calling import ParsedReply, ReplyFormat, call_model
from triplewise.errors import ReplyError
from triplewise.prompts.template import load_prompt

MAX_STEPS = 6
_LONGEST = 300
_MARK = re.compile(r"^\s*(?:[-*•]\s+|\(?\d+[.):]\s*|step\s+\d+\s*[.:)-]\s*)+", re.IGNORECASE)
_OUTPUT = re.compile(r"^\W*(?:output|answers?)\W*:.*", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_PREAMBLE = re.compile(
    r"^(?:cot\s*:|let'?s think|sure\b|here (?:is|are)\b|(?:the )?(?:reasoning|plan|steps)\b[^.]*:$)", re.I
)


@dataclass(frozen=True, slots=True)
class PlannerOptions:
    """How the model is asked."""

    style: str = "full"
    """"full", or "short" (no demonstrations, for trained models)."""
    shots: int = 3
    """Demonstrations in the prompt, 0 to 3."""


TRAINED = PlannerOptions(style="short", shots=0)
"""The options for models that were trained for this node."""


def parse_plan(reply: str) -> tuple[str, ...]:
    """The steps of a reply, without numbers, at most 6; prose is split into its sentences.

    Raises ReplyError where the reply holds no step.
    """
    text = _OUTPUT.sub("", reply.strip().strip("`"))
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and not _MARK.match(lines[0]):
        lines = re.split(r"(?<=[.!?])\s+(?=[A-Z])", lines[0])
    steps = (" ".join(_MARK.sub("", line).split())[:_LONGEST] for line in lines)
    found = tuple(s for s in steps if any(c.isalnum() for c in s) and not _PREAMBLE.match(s))
    if not found:
        raise ReplyError("It has no step of reasoning: write one numbered step a line.")
    return found[:MAX_STEPS]


def plan_grammar(*, answer: bool) -> str:
    """GBNF of a plan: one to six numbered lines, then Prompt 1's output where ``answer``."""
    rules = ["root ::= line1" + (' "\\nOutput: " [^\\n]{1,100}' if answer else "")]
    for i in range(1, MAX_STEPS + 1):
        more = f' ("\\n" line{i + 1})?' if i < MAX_STEPS else ""
        rules.append(f'line{i} ::= "{i}. " step{more}')
    rules.append("step ::= [A-Z] [^\\n]{3,160}")
    return "\n".join(rules) + "\n"


async def plan_question(
    model: BaseChatModel, question: str, options: PlannerOptions | None = None
) -> ParsedReply[tuple[str, ...]]:
    """The steps for one question, as a ``ParsedReply``; without options in the style that suits the model."""
    options = suited(options, model, PlannerOptions(), TRAINED)
    short = options.style == "short"
    messages = load_prompt(f"cot_kg/plan{'_short' if short else ''}").render(
        question=question, **({} if short else {"examples": plan_demonstrations(options.shots)})
    )
    reply = ReplyFormat(
        parse=parse_plan,
        grammar=lambda: plan_grammar(answer=not short),
        fallback=lambda: (),
        fallback_note="Retrieval goes by the question alone.",
        max_tokens=300,
    )
    called = await call_model(model, messages, reply, node="plan")
    called.step.detail["plan"] = list(called.value)
    return called


def make_planner(options: PlannerOptions | None = None) -> Node[AskState, AskState]:
    """The planner node: question → plan. Without options the model is asked in the style that suits it."""

    @node
    async def plan(state: AskState, context: NodeContext) -> AskState:
        called = await plan_question(context.model, state["question"], options)
        return {"plan": called.value, "steps": [called.step]}

    return plan
