"""Prompts are text files: declared variables, then the messages.

A prompt file ``prompts/<method>/<name>.txt`` looks like this::

    variables: sentence, entities
    === system
    You split a sentence ...
    === user
    Sentence: $sentence
    Entities: $entities

Placeholders are those of ``string.Template`` (``$$`` is a dollar sign). A declared variable that
the text does not use, one used but not declared, and one missing or left over at rendering raise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import yaml
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from triplewise.errors import ConfigError

_FOLDER = Path(__file__).resolve().parent
_ROLES: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A parsed prompt file; ``messages`` holds (role, template) in order."""

    name: str
    variables: frozenset[str]
    messages: tuple[tuple[str, str], ...]

    def render(self, **values: str) -> list[BaseMessage]:
        """The chat messages with all variables filled in; raises ConfigError on a mismatch."""
        if values.keys() != self.variables:
            missing, extra = self.variables - values.keys(), values.keys() - self.variables
            raise ConfigError(f"prompt {self.name}: missing {sorted(missing)}, not declared {sorted(extra)}")
        return [_ROLES[role](Template(text).substitute(values)) for role, text in self.messages]


@cache
def load_prompt(name: str, folder: Path = _FOLDER) -> Prompt:
    """Load ``<folder>/<name>.txt``; ``name`` is for instance "kg_gpt/segment"."""
    path = folder / f"{name}.txt"
    if not path.is_file():
        raise ConfigError(f"no prompt file {path}")
    return parse_prompt(name, path.read_text(encoding="utf-8"))


@cache
def load_examples(method: str, name: str = "examples") -> Any:
    """The records of ``prompts/<method>/<name>.yaml``, by libyaml where PyYAML has it: tenfold faster."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((_FOLDER / method / f"{name}.yaml").read_text(encoding="utf-8"), Loader=loader)  # noqa: S506


def parse_prompt(name: str, text: str) -> Prompt:
    """Parse a prompt file's text and check its variables."""
    first, _, body = text.partition("\n")
    if not first.startswith("variables:"):
        raise ConfigError(f"prompt {name}: the first line must read 'variables: a, b'")
    declared = frozenset(v.strip() for v in first.removeprefix("variables:").split(",") if v.strip())
    messages: list[tuple[str, str]] = []
    for part in f"\n{body}".split("\n=== ")[1:]:
        role, _, content = part.partition("\n")
        if role.strip() not in _ROLES:
            raise ConfigError(f"prompt {name}: unknown role {role.strip()!r}; known are {sorted(_ROLES)}")
        messages.append((role.strip(), content.strip("\n")))
    used = {v for _, content in messages for v in Template(content).get_identifiers()}
    if not messages or used != declared:
        raise ConfigError(f"prompt {name}: declares {sorted(declared)}, uses {sorted(used)}")
    return Prompt(name, declared, tuple(messages))
