"""What a client of the OpenAI API asks for, read leniently: unknown parameters are ignored, impossible ones refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from triplewise.errors import ConfigError
from triplewise.interfaces.read_as import without_readings_line
from triplewise.interfaces.serve.answer_form import AnswerForm, answer_form

MAX_MESSAGES = 1_000
MODEL = "triplewise"
"""The model that is the assistant itself."""
_THREAD = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TASK = re.compile(
    r"### Task:\n.*?\{\s*\"(title|tags|follow_ups|queries|prompt|text)\".*?<chat_history>(.*)</chat_history>", re.S
)
_LIBRECHAT = re.compile(
    r"(?:Provide a concise, 5-word-or-less title for the conversation|Please generate a concise, 5-word-or-less title|"
    r"Analyze this conversation and provide:\n1\. The detected language)",
)
_EMOJI = "Your task is to reflect the speaker's likely facial expression through a fitting emoji."


class RequestError(Exception):
    """A request that cannot be met; becomes the API's error object."""

    def __init__(self, message: str, *, param: str | None = None, code: str | None = None, status: int = 400) -> None:
        super().__init__(message)
        self.message, self.param, self.code, self.status = message, param, code, status


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A chat completion that was asked for. ``history``: what was said before ``text``, as (role, text).

    ``task``: what kind of housekeeping prompt of a chat client it is ("title", "tags", …), "" for a question.
    ``form``: the JSON that is wanted, None for text.
    """

    model: str
    method: str
    kg: str | None
    text: str
    history: list[tuple[str, str]]
    stream: bool
    include_usage: bool
    thread: str | None
    task: str = ""
    form: AnswerForm | None = None


def model_ids(methods: tuple[str, ...], graphs: list[str]) -> list[str]:
    """The model ids: the assistant and each method, and of several graphs each as ``MODEL@GRAPH``."""
    models = [MODEL, *methods]
    return models + [f"{model}@{graph}" for model in models for graph in graphs if len(graphs) > 1]


def parse(body: Any, headers: Mapping[str, str], methods: tuple[str, ...], graphs: list[str]) -> ChatRequest:
    """Read a request's body; raises RequestError."""
    if not isinstance(body, dict):
        raise RequestError("The body is no JSON object.")
    model = body.get("model", MODEL)
    if not isinstance(model, str) or not model:
        raise RequestError("model is no text.", param="model")
    method, _, kg = model.partition("@")
    if (method != MODEL and method not in methods) or (kg and kg not in graphs):
        known = ", ".join(model_ids(methods, graphs)[:20])
        raise RequestError(
            f"There is no model {model[:80]!r}. Known: {known}.", param="model", code="model_not_found", status=404
        )
    _refuse_what_cannot_be(body)
    messages = _messages(body.get("messages"))
    if not messages or messages[-1][0] != "user" or not messages[-1][1].strip():
        raise RequestError("The last message must be the user's, with a text.", param="messages")
    options = body.get("stream_options")
    talk = [(role, _said(role, text)) for role, text in messages[:-1] if role in ("user", "assistant") and text.strip()]
    text = messages[-1][1]
    return ChatRequest(
        model=model,
        method="" if method == MODEL else method,
        kg=kg or None,
        text=text,
        history=talk,
        stream=body.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        thread=_thread(headers),
        task=housekeeping(text, talk),
        form=_form(body.get("response_format")),
    )


def _said(role: str, text: str) -> str:
    return without_readings_line(text) if role == "assistant" else text


def housekeeping(text: str, history: list[tuple[str, str]]) -> str:
    """The kind of prompt by which Open WebUI and LibreChat ask for titles, tags and follow-ups; "" for a question.

    Matched strictly, by the whole shape of the prompt and only where nothing was said before: a question that was taken
    for one of these would be answered without the graph.
    """
    if history:
        return ""
    if text.startswith("### Task:\n") and (match := _TASK.match(text)):
        return match.group(1)
    if _LIBRECHAT.match(text) and "onversation" in text:
        return "plain title"
    return "emoji" if text.startswith(_EMOJI) else ""


def housekeeping_reply(task: str, text: str, suggestions: list[str], graph: str) -> str:
    """The answer to a housekeeping prompt, made without a model."""
    title = _title(text)
    replies: dict[str, Any] = {
        "title": title,
        "tags": ["Knowledge graph", graph],
        "follow_ups": suggestions[:3],
        "queries": [],
        "prompt": "",
        "text": "",
    }
    if task in replies:
        return json.dumps({task: replies[task]}, ensure_ascii=False)
    return "🔎" if task == "emoji" else title


def _title(prompt: str) -> str:
    said = re.search(r"(?:^|\n)\s*(?:USER|User|user)\s*:\s*(.+)", prompt)
    words = (said.group(1) if said else "").split()
    return " ".join(words[:6])[:60].rstrip("?.,! ") or "Questions to a graph"


def _refuse_what_cannot_be(body: dict[str, Any]) -> None:
    choice = body.get("tool_choice")
    if choice is not None and choice not in ("auto", "none"):
        raise RequestError(
            "tool_choice: only auto and none; the tools of a client are never called.", param="tool_choice"
        )
    if body.get("n") not in (None, 1):
        raise RequestError("n: one answer at a time.", param="n")
    if body.get("modalities") not in (None, ["text"]) or body.get("audio") is not None:
        raise RequestError("modalities: only text.", param="modalities")


def _form(given: Any) -> AnswerForm | None:
    try:
        return answer_form(given)
    except ConfigError as error:
        raise RequestError(
            f"response_format: {error.message} {error.hint}".strip(), param="response_format", code="unsupported_value"
        ) from None


def _messages(messages: Any) -> list[tuple[str, str]]:
    if not isinstance(messages, list) or not messages:
        raise RequestError("messages is no list, or empty.", param="messages")
    if len(messages) > MAX_MESSAGES:
        raise RequestError(f"messages: at most {MAX_MESSAGES}.", param="messages")
    found = []
    for i, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise RequestError(f"messages[{i}] has no role.", param=f"messages[{i}]")
        found.append((message["role"], _text(message.get("content"), f"messages[{i}].content")))
    return found


def _text(content: Any, where: str) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise RequestError(f"{where} is no text.", param=where)
    texts = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind not in ("text", "input_text", "refusal"):
            raise RequestError(f"{where}: a part of type {str(kind)[:40]!r} cannot be read, only text.", param=where)
        texts.append(str(part.get("text") or part.get("refusal") or ""))
    return "\n".join(texts)


def _thread(headers: Mapping[str, str]) -> str | None:
    given = headers.get("x-thread-id") or headers.get("x-openwebui-chat-id")
    if given and not _THREAD.fullmatch(given):
        raise RequestError("The thread's id is letters, digits, - and _, at most 64.", param="X-Thread-Id")
    return given or None
