"""Which node of KG-GPT sent a request, for servers that answer in a model's place: by the prompt files themselves.

A request over HTTP does not carry the node's name. Its system message is one of ``prompts/kg_gpt``, so that these say it
whatever their words are. Inside the process a scripted model gets the name with the call (``kwargs["node"]``).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from triplewise.prompts import template
from triplewise.prompts.template import load_prompt

NODES = {"segment": "segment", "select": "select_relations", "answer": "reason", "verify": "reason"}
"""The first word of a prompt file's name → the node that it is for."""


def asked_node(body: dict[str, Any]) -> str:
    """The node's name ("segment", "select_relations", "reason"); raises LookupError where no prompt file fits."""
    system = body["messages"][0]["content"]
    for node, pattern in _patterns():
        if pattern.fullmatch(system):
            return node
    raise LookupError(f"no prompt of KG-GPT begins with {system[:80]!r}")


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    found = []
    for path in sorted((Path(template.__file__).resolve().parent / "kg_gpt").glob("*.txt")):
        prompt = load_prompt(f"kg_gpt/{path.stem}")
        text = prompt.messages[0][1]
        names = Template(text).get_identifiers()
        fixed = re.escape(Template(text).substitute(dict.fromkeys(names, "\0")))
        found.append((NODES[path.stem.partition("_")[0]], re.compile(fixed.replace("\0", ".*"), re.DOTALL)))
    return found
