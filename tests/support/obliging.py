"""What a capable model would reply to LangChain's standard tests: tool calls and JSON that fit their schemas.

For the scripted model (``scripted``) and for the loopback server (``served``).
"""

from __future__ import annotations

import json
import re
from itertools import count
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

_ids = count(1)


def value(schema: dict[str, Any], asked: str, name: str = "") -> Any:
    """A value that fits a JSON schema, taken from the question where it has one."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return value(schema["anyOf"][0], asked, name)
    kind = schema.get("type", "string")
    if kind == "object":
        return {k: value(v, asked, k) for k, v in schema.get("properties", {}).items()}
    if kind == "array":
        return [value(schema.get("items", {}), asked, name)]
    if kind in ("integer", "number"):
        found = re.search(r"-?\d+", asked)
        return int(found.group()) if found else 3
    if kind == "boolean":
        return True
    quoted = re.search(r"'([^']+)'", asked)
    return quoted.group(1) if quoted else f"{name or 'text'} of cats"


def tool_call(tools: list[dict[str, Any]], choice: Any, asked: str) -> dict[str, Any] | None:
    """A call of the tool that is forced, else of the one whose name the question has a word of, else None."""
    functions = [t["function"] for t in tools]
    if isinstance(choice, dict):
        choice = choice["function"]["name"]
    named = [f for f in functions if f["name"] == choice]
    fitting = [f for f in functions if any(w in asked.lower() for w in f["name"].split("_"))]
    chosen = named or (functions if choice in ("any", "required", True) else fitting)
    if not chosen or choice == "none":
        return None
    function = chosen[0]
    return {"name": function["name"], "args": value(function["parameters"], asked), "id": f"call_{next(_ids)}"}


def reply(asked: str, kind: str, tools: list[dict[str, Any]], choice: Any, schema: dict | None) -> str | dict[str, Any]:
    """A text or a tool call. ``kind`` is the last message's role; after a tool's result comes a text."""
    if schema is not None:
        return json.dumps(value(schema, asked))
    if tools and kind in ("human", "user") and (call := tool_call(tools, choice, asked)):
        return call
    return "hello, that is 5 by my count"


def scripted(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str | AIMessage:
    """For ``ScriptedChatModel(responses=scripted)``."""
    last = messages[-1]
    made = reply(last.text, last.type, kwargs.get("tools", []), kwargs.get("tool_choice"), None)
    return made if isinstance(made, str) else AIMessage("", tool_calls=[{**made, "type": "tool_call"}])


def served(body: dict[str, Any]) -> str | dict[str, Any]:
    """For ``FakeOpenAI(served)``."""
    last = body["messages"][-1]
    content = last.get("content") or ""
    asked = content if isinstance(content, str) else " ".join(p.get("text", "") for p in content)
    form = body.get("response_format") or {}
    joke = {"type": "object", "properties": {"setup": {"type": "string"}, "punchline": {"type": "string"}}}
    schema = form["json_schema"]["schema"] if "json_schema" in form else joke if form else None
    made = reply(asked, last["role"], body.get("tools", []), body.get("tool_choice"), schema)
    if isinstance(made, str):
        return made
    function = {"name": made["name"], "arguments": json.dumps(made["args"])}
    return {"content": None, "tool_calls": [{"id": made["id"], "type": "function", "function": function}]}
