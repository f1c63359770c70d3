"""One call to the chat model: which of the best few readings is meant, or none of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from triplewise.agents.context import NodeContext
from triplewise.agents.node import Node, node
from triplewise.agents.query_graph.state import QueryGraphState
from triplewise.backends.calling import ReplyFormat, call_model
from triplewise.backends.llama.gbnf import choice
from triplewise.errors import ReplyError
from triplewise.prompts.template import load_prompt
from triplewise.tools.query_graph.readback import read_back
from triplewise.types import Step


@dataclass(frozen=True, slots=True)
class ChooserOptions:
    """Whether a chat model chooses among the readings."""

    shown: int = 0
    """Readings that it chooses from, at least 2; 0 leaves the choice to the ranker."""


def make_reading_chooser(options: ChooserOptions | None = None) -> Node[QueryGraphState, QueryGraphState]:
    """The node ``choose_reading``: puts the chosen reading first; a reply of 0 says that none is meant."""
    options = options or ChooserOptions()

    @node
    async def choose_reading(state: QueryGraphState, context: NodeContext) -> QueryGraphState:
        readings = state.get("readings", ())
        if options.shown < 2 or len(readings) < 2:
            return {"steps": [Step("choose_reading", "skipped", "the ranker's first reading is taken")]}
        kg = context.kg
        few = readings[: options.shown]
        messages = load_prompt("query_graph/choose").render(
            sentence=state.get("question", ""),
            readings="\n".join(f"{n}. {read_back(kg, r.query)}" for n, r in enumerate(few, 1)),
        )

        def parse(reply: str) -> int:
            found = re.search(r"\d+", reply)
            if not found or int(found.group()) > len(few):
                raise ReplyError(f"It must be one number from 0 to {len(few)}.")
            return int(found.group())

        reply = ReplyFormat(
            parse,
            grammar=lambda: f"root ::= {choice([str(n) for n in range(len(few) + 1)])}\n",
            fallback=lambda: 1,
            fallback_note="The ranker's first reading is taken.",
            max_tokens=8,
        )
        called = await call_model(context.model, messages, reply, node="choose_reading")
        if called.value == 0:
            return {"none_probability": 1.0, "steps": [called.step]}
        chosen = few[called.value - 1]
        rest = tuple(r for r in readings if r is not chosen)
        return {"readings": (chosen, *rest), "none_probability": 0.0, "steps": [called.step]}

    return choose_reading
