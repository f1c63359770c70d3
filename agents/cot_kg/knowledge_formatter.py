"""The YAML formatter: evidence as text for the prompt (Retrieval and Reasoning on KGs, section 3.3)."""

from __future__ import annotations

import time
from typing import Any

from triplewise.agents.context import Context
from triplewise.agents.node import node
from triplewise.kg.base import KGStore
from triplewise.tools.text.knowledge_format import format_triples
from triplewise.types import Step


def make_knowledge_formatter(style: str = "yaml") -> Any:
    """The formatter node: evidence → knowledge; ``style`` as in ``tools.text.knowledge_format``."""

    @node
    async def format_knowledge(state: Any, context: Context) -> dict[str, Any]:
        started = time.perf_counter()
        kg: KGStore = context.kg  # pyright: ignore[reportAssignmentType]
        text = format_triples(kg, [e.triple for e in state.get("evidence", ())], style)
        seconds = time.perf_counter() - started
        step = Step("format_knowledge", note=style, detail={"characters": len(text)}, seconds=seconds)
        return {"knowledge": text, "steps": [step]}

    return format_knowledge
