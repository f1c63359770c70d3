"""Every error triplewise raises on purpose.

::

    TriplewiseError
    ├── UserError                    the user can mend it; the CLI exits with 2
    │   ├── ConfigError              a setting, a flag or a model string is wrong
    │   ├── MissingExtraError        an optional dependency is not installed
    │   ├── GraphFileError           a graph file cannot be read; names file and line
    │   ├── UnknownEntityError       no entity of that id or name
    │   ├── UnknownRelationError     no relation of that id or name
    │   ├── QuestionError            an empty or over-long question or claim
    │   ├── MissingKeyError          a graph's state lacks a key that a node needs
    │   └── IndexMismatchError       an index or a model of another graph or embedder
    ├── BackendError                 a model failed; the CLI exits with 1
    │   ├── ContextOverflowError     the prompt does not fit the model's context
    │   ├── BackendTimeoutError      no answer in time
    │   ├── RateLimitError           still refused (429) after the allowed retries
    │   ├── RefusedReplyError        the model or its server's filter declined to reply
    │   └── BadResponseError         the server's reply is not what the protocol says
    ├── BudgetExceededError          the cap on calls, tokens or money was reached
    └── ReplyError                   a model's reply does not parse; nodes repair it or
                                     fall back, so it never leaves a graph

Each carries ``message`` (what was wrong and where) and ``hint`` (what to do), both without
keys and passwords. An error never becomes an answer.
"""

from __future__ import annotations

from pathlib import Path

from triplewise.redaction import redact


class TriplewiseError(Exception):
    """Base of all errors; ``str()`` gives the message followed by the hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        message, hint = redact(message), redact(hint)
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UserError(TriplewiseError):
    """Something the user can mend."""


class ConfigError(UserError):
    """A setting, a flag or a model string is wrong."""


class MissingExtraError(UserError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs packages that are not installed.",
            f'Install them with: pip install "triplewise[{extra}]"',
        )
        self.extra = extra


class GraphFileError(UserError):
    """A graph file cannot be read; ``line`` counts from 1, 0 where no line applies."""

    def __init__(self, path: str | Path, message: str, line: int = 0, hint: str = "") -> None:
        where = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{where}: {message}", hint)
        self.path = Path(path)
        self.line = line


class UnknownEntityError(UserError):
    """No entity of that id or name."""


class UnknownRelationError(UserError):
    """No relation of that id or name."""


class QuestionError(UserError):
    """An empty or over-long question or claim."""


class MissingKeyError(UserError):
    """A graph's state lacks a key that a node needs; ``provider`` names the node that brings it, "" for the caller."""

    def __init__(self, node: str, key: str, provider: str = "") -> None:
        super().__init__(
            f"the node {node!r} needs {key!r}, which the state does not have.",
            f"The node {provider} provides it." if provider else "Give it with the graph's input.",
        )
        self.node, self.key, self.provider = node, key, provider


class IndexMismatchError(UserError):
    """An index or a trained model belongs to another graph or embedder."""


class BackendError(TriplewiseError):
    """A model failed."""


class ContextOverflowError(BackendError):
    """The prompt does not fit the model's context; raised before any work."""


class BackendTimeoutError(BackendError):
    """No answer in time."""


class RateLimitError(BackendError):
    """Still refused (HTTP 429) after the allowed retries."""


class RefusedReplyError(BackendError):
    """The model, or a filter of its server, declined to reply: that is no answer, and no lack of evidence."""


class BadResponseError(BackendError):
    """The server's reply is not what the protocol says."""


class BudgetExceededError(TriplewiseError):
    """The cap on calls, tokens or money was reached."""


class ReplyError(TriplewiseError):
    """A model's reply does not parse; ``message`` is shown to the model when it is asked again."""
