"""The one place that takes secrets out of a text: keys, and passwords in addresses.

Every error message passes through ``redact`` (``errors.TriplewiseError``), and so does what a server says
before it is read, cached, traced or logged. Known secrets are those of the environment and those that a
model was given (``keep_secret``); what merely looks like one (``sk-…``, ``Bearer …``, ``user:password@``)
is taken out as well.
"""

from __future__ import annotations

import os
import re
from typing import Any

SHOWN = "[redacted]"
_SHORTEST = 6
"""Characters; a shorter key ("none", "test") would tear words out of every message."""
_VARIABLES = re.compile(r"(?:^|_)(?:API_KEY|TOKEN|SECRET|PASSWORD)$")
_USERINFO = re.compile(r"(?<=://)[^\s/?#@]{1,400}@")
_LOOKS_SECRET = re.compile(r"\bsk-[\w-]{16,}|(?<=\bBearer )[\w.~+/=-]{8,}|(?<=\bBasic )[\w+/=]{8,}")
_given: set[str] = set()


def keep_secret(value: str) -> None:
    """Have ``redact`` take a value out of every text from now on, also in the form that JSON and repr give it."""
    for form in {value, value.strip(), repr(value)[1:-1]}:
        if len(form) >= _SHORTEST:
            _given.add(form)


def _secrets() -> list[str]:
    """Known secrets, the longest first, so that one inside another does not leave the rest."""
    found = {v for name, v in os.environ.items() if len(v) >= _SHORTEST and _VARIABLES.search(name)}
    return sorted(found | _given, key=len, reverse=True)


def redact(text: str) -> str:
    """The text without secrets."""
    for secret in _secrets():
        if secret in text:
            text = text.replace(secret, SHOWN)
    if "://" in text:
        text = _USERINFO.sub(f"{SHOWN}@", text)
    return _LOOKS_SECRET.sub(SHOWN, text)


def redact_known(value: Any) -> Any:
    """JSON data without the secrets that models were given: what only looks like a key may be a server's answer.

    The environment is not searched: it would cost more than all else in a reply.
    """
    secrets = sorted(_given, key=len, reverse=True)
    return _walk(value, secrets, 0) if secrets else value


def _walk(value: Any, secrets: list[str], depth: int) -> Any:
    if isinstance(value, str):
        for secret in secrets:
            if secret in value:
                value = value.replace(secret, SHOWN)
        return value
    if depth > 100:
        return value
    if isinstance(value, dict):
        return {_walk(k, secrets, depth + 1): _walk(v, secrets, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [_walk(item, secrets, depth + 1) for item in value]
    return value


def without_userinfo(url: str) -> str:
    """An address without its user and password."""
    return _USERINFO.sub("", url)
