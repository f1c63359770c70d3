"""Tool calls for models without a tool-call format of their own: shown in the system prompt, held by grammar."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from triplewise.backends.llama.control_tokens import USUAL, harmless
from triplewise.backends.llama.gbnf import json_schema_to_gbnf
from triplewise.errors import ConfigError

INTRO = 'You may call these tools. To call one, reply with only a JSON object {"name": …, "arguments": {…}}.\n'


def tools_text(tools: Sequence[dict[str, Any]]) -> str:
    """The tools as a passage for the system prompt."""
    return INTRO + "\n".join(json.dumps(t["function"], ensure_ascii=False) for t in tools)


def chosen_tools(tools: Sequence[dict[str, Any]], tool_choice: Any) -> tuple[list[dict[str, Any]], bool]:
    """(tools on offer, whether one must be called) for auto, any/required/True, none and a tool's name.

    Raises ConfigError on a name that is not among the tools.
    """
    names = [t["function"]["name"] for t in tools]
    if tool_choice in (None, "auto", False):
        return list(tools), False
    if tool_choice == "none":
        return [], False
    if tool_choice in ("any", "required", True):
        return list(tools), True
    name = tool_choice.get("function", tool_choice).get("name") if isinstance(tool_choice, dict) else tool_choice
    if name not in names:
        raise ConfigError(f"tool_choice names {name!r}.", f"The tools are: {', '.join(names)}.")
    return [t for t in tools if t["function"]["name"] == name], True


def tool_grammar(tools: Sequence[dict[str, Any]], *, required: bool) -> str:
    """A grammar of one call of one of these tools; unless ``required``, or of text that is no JSON object."""
    calls = {
        "anyOf": [
            {
                "type": "object",
                "properties": {"name": {"const": f["name"]}, "arguments": _arguments(f)},
                "required": ["name", "arguments"],
            }
            for f in (t["function"] for t in tools)
        ]
    }
    definitions = {k: v for t in tools for k, v in t["function"].get("parameters", {}).get("$defs", {}).items()}
    grammar = json_schema_to_gbnf({**calls, "$defs": definitions})
    if required:
        return grammar
    return grammar.replace("root ::= ", "root ::= [^{] [^\\x00]* | ", 1)


def _arguments(function: dict[str, Any]) -> dict[str, Any]:
    parameters = function.get("parameters") or {}
    return {**parameters, "type": "object"}


def read_tool_call(text: str, tools: Sequence[dict[str, Any]]) -> AIMessage:
    """The reply as a message with a tool call, or as plain text where it is none of these tools' calls."""
    try:
        data = json.loads(text)
        name, arguments = data["name"], data["arguments"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return AIMessage(text)
    if not isinstance(arguments, dict) or name not in {t["function"]["name"] for t in tools}:
        return AIMessage(text)
    call = {"name": name, "args": arguments, "id": f"call_{uuid.uuid4().hex[:12]}", "type": "tool_call"}
    return AIMessage("", tool_calls=[call])


def plain_messages(
    messages: Sequence[BaseMessage], tools: Sequence[dict[str, Any]], control: re.Pattern[str] = USUAL
) -> list[dict[str, Any]]:
    """LangChain messages as role/content pairs; tool calls and results as text; control tokens made harmless."""
    out: list[dict[str, Any]] = []
    for message in messages:
        text = message.text
        role = {"human": "user", "ai": "assistant", "system": "system", "tool": "user"}.get(message.type, "user")
        if isinstance(message, AIMessage) and message.tool_calls:
            calls = [
                json.dumps({"name": c["name"], "arguments": c["args"]}, ensure_ascii=False) for c in message.tool_calls
            ]
            text = "\n".join([text, *calls]).strip()
        if isinstance(message, ToolMessage):
            text = f"Result of {message.name or message.tool_call_id}: {text}"
        out.append({"role": role, "content": harmless(text, control)})
    if tools:
        passage = tools_text(tools)
        if out and out[0]["role"] == "system":
            out[0] = {**out[0], "content": f"{out[0]['content']}\n\n{passage}"}
        else:
            out.insert(0, {"role": "system", "content": passage})
    return out
