"""A server's reply made fit to be read: counts that are counts, no secrets, and whether it is a reply at all."""

from __future__ import annotations

from typing import Any, TypeVar

from langchain_core.outputs import ChatGeneration
from pydantic import BaseModel

from triplewise.redaction import redact_known

G = TypeVar("G", bound=ChatGeneration)
MOST_TOKENS = 10**9
"""No call uses more; a larger count is an error or a lie."""
_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


def with_checked_usage(reply: Any) -> Any:
    """The reply without its usage where that is none (negative, no number, no object); callers then estimate it."""
    if isinstance(reply, dict):
        return reply if _is_usage(reply.get("usage")) else {**reply, "usage": None}
    usage = getattr(reply, "usage", None)
    if not _is_usage(usage.model_dump(warnings=False) if isinstance(usage, BaseModel) else usage):
        reply.usage = None
    return reply


def without_secrets(generation: G) -> G:
    """The generation with the keys of this process taken out, should the server echo them."""
    message = generation.message
    parts = {
        "content": message.content,
        "additional_kwargs": message.additional_kwargs,
        "response_metadata": message.response_metadata,
    }
    if (cleaned := redact_known(parts)) == parts:
        return generation
    info = redact_known(generation.generation_info)
    return type(generation)(message=message.model_copy(update=cleaned), generation_info=info)


def _is_usage(usage: Any) -> bool:
    if usage is None:
        return True
    if not isinstance(usage, dict) or not all(_is_count(usage.get(name, 0)) for name in _COUNTS):
        return False
    details = [usage.get(name) for name in ("prompt_tokens_details", "completion_tokens_details")]
    return all(
        detail is None
        or (isinstance(detail, dict) and all(v is None or _is_count(v) or isinstance(v, str) for v in detail.values()))
        for detail in details
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def refusal_of(reply: Any) -> str:
    """The refusal in a plain reply, which langchain-openai passes over; "" where there is none."""
    choices = reply.get("choices") if isinstance(reply, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    refusal = message.get("refusal") if isinstance(message, dict) else None
    return refusal if isinstance(refusal, str) else ""


def declined(generation: ChatGeneration, refused: str = "") -> str:
    """Why there is no reply, in words: the model refused, or a filter held it back; "" where there is one."""
    message = generation.message
    if refusal := refused or message.additional_kwargs.get("refusal"):
        return f"refused: {' '.join(str(refusal).split())[:300]}"
    info = generation.generation_info or {}
    if "content_filter" in (info.get("finish_reason"), message.response_metadata.get("finish_reason")):
        return "held its reply back: its content filter did not let it pass."
    return ""
