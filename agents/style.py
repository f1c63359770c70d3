"""A node's options where its caller gave none: those that suit the model."""

from __future__ import annotations

from typing import TypeVar

from langchain_core.language_models import BaseChatModel

from triplewise.backends.traits import traits_of

Options = TypeVar("Options")


def suited(options: Options | None, model: BaseChatModel, general: Options, trained: Options) -> Options:
    """The options given, else ``trained`` for a model whose reply style is the short one, else ``general``."""
    if options is not None:
        return options
    return trained if traits_of(model).reply_style == "short" else general
