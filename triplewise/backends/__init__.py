"""Chat models by a string.

``openai:MODEL``, ``llamacpp:PATH.gguf[+ADAPTER.gguf]``, ``llamacpp:embedded[+ADAPTER.gguf]``, ``fake:SCRIPT.json``.
"""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triplewise.checks import expect
from triplewise.errors import ConfigError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

log = logging.getLogger(__name__)

KINDS = {
    "openai": ("triplewise.backends.openai", "OpenAIChat"),
    "llamacpp": ("triplewise.backends.llama.llamacpp", "ChatLlamaCpp"),
    "fake": ("triplewise.backends.fake", "ScriptedChatModel"),
}


def load_chat_model(spec: str, *, cache: bool | str | Path | None = False, **settings: Any) -> BaseChatModel:
    """The chat model a string names.

    Settings: ``temperature`` (default 0), ``top_p``, ``max_tokens`` (of a reply), ``seed``; for a server also
    ``timeout`` (seconds for one try), ``max_retries``, ``max_concurrency`` (calls in flight, default 64),
    ``price``, ``base_url`` and ``api_key``, which a local model leaves aside. ``cache``: False for none, True
    for the user's cache folder, a path, or None for "as fits": the user's cache folder at temperature 0, none
    above it, where a second reply is meant to differ.

    Raises ConfigError on an unknown or malformed string or setting, MissingExtraError where a package is
    missing.
    """
    expect("the model", spec, str, what="a string such as 'openai:gpt-4o-mini'")
    expect("cache", cache, bool, str, Path, None, what="True, False, a path or None")
    kind, _, rest = spec.partition(":")
    if kind not in KINDS or not rest:
        raise ConfigError(
            f"no model {spec!r}.", "Known: llamacpp:embedded, llamacpp:PATH.gguf, openai:MODEL, fake:SCRIPT.json."
        )
    module, name = KINDS[kind]
    model = getattr(import_module(module), name).from_spec(rest, **settings)
    if cache or (cache is None and not settings.get("temperature")):
        model.cache = _cache(cache)
    return model


def _cache(where: bool | str | Path | None) -> Any:
    from triplewise.backends.cache import LLMCache

    try:
        return LLMCache.open(True if where is None else where)
    except ConfigError as error:
        if where is not None:
            raise
        log.warning("%s Going on without a cache.", error.message)  # nobody asked for one
        return False
