"""Chat models by a string.

``openai:MODEL``, ``llamacpp:PATH.gguf[+ADAPTER.gguf]``, ``llamacpp:embedded``, ``fake:SCRIPT.json``.
"""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel

from triplewise.errors import ConfigError

KINDS = {
    "openai": ("triplewise.backends.openai", "OpenAIChat"),
    "llamacpp": ("triplewise.backends.llamacpp", "ChatLlamaCpp"),
    "fake": ("triplewise.backends.fake", "ScriptedChatModel"),
}


def load_chat_model(spec: str, **settings: Any) -> BaseChatModel:
    """The chat model a string names.

    Settings: ``temperature``, ``top_p``, ``max_tokens``, ``seed``, ``timeout`` (seconds), ``max_retries``,
    ``max_concurrency`` (calls in flight, default 64), ``cache`` (an ``LLMCache``, a path, True for the
    default place, or False). Raises ConfigError on an unknown or malformed string, MissingExtraError
    where a package is missing.
    """
    from importlib import import_module

    kind, _, rest = spec.partition(":")
    if kind not in KINDS or not rest:
        raise ConfigError(
            f"no model {spec!r}.", "Known: llamacpp:embedded, llamacpp:PATH.gguf, openai:MODEL, fake:SCRIPT.json."
        )
    module, name = KINDS[kind]
    cache = settings.pop("cache", False)
    model = getattr(import_module(module), name).from_spec(rest, **settings)
    if cache:
        from triplewise.backends.cache import LLMCache

        model.cache = LLMCache.open(cache)
    return model
