"""The YAML formatter: evidence as text for the prompt (Retrieval and Reasoning on KGs, section 3.3)."""

from __future__ import annotations

import time

from triplewise.agents.context import NodeContext
from triplewise.agents.node import Node, node
from triplewise.agents.state import AskState
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.types import Step


def make_knowledge_formatter(style: str = "yaml") -> Node[AskState, AskState]:
    """The formatter node: evidence → knowledge; ``style`` as in ``tools.text.knowledge_format``."""

    @node
    async def format_knowledge(state: AskState, context: NodeContext) -> AskState:
        started = time.perf_counter()
        kg = context.kg
        text = format_triples(kg, [e.triple for e in state.get("evidence", ())], style)
        seconds = time.perf_counter() - started
        step = Step("format_knowledge", note=style, detail={"characters": len(text)}, seconds=seconds)
        return {"knowledge": text, "steps": [step]}

    return format_knowledge
