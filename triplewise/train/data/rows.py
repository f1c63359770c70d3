"""Training data as a file: JSON lines, and beside it what they were made from.

A line is a prompt with its completion, as chat trainers read it, or the text of a chunk of the graph::

    {"stage": "reasoning", "task": "plan", "split": "train",
     "prompt": [{"role": "user", "content": "…"}], "completion": [{"role": "assistant", "content": "…"}]}
    {"stage": "pretraining", "task": "graph", "split": "train", "text": "Alien:\\n  directed by: Ridley Scott"}

``split`` is train or dev: the trainer scores the latter and never learns it. ``FILE.meta.json`` holds seed, graph,
counts and the lines' SHA-256.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from triplewise.errors import ConfigError
from triplewise.train.data.skills import Example

STAGES = ("instruction", "pretraining", "reasoning")
"""The paper's stages of training, in its order."""
Split = Literal["train", "dev"]
_ROLES: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
_TYPES = {"human": "user", "ai": "assistant", "system": "system"}


@dataclass(frozen=True, slots=True)
class Row:
    """An example with its stage; a chunk of the graph is one without messages, its reply being the text."""

    stage: str
    example: Example
    split: Split = "train"

    def to_json(self) -> dict[str, Any]:
        """The line."""
        line: dict[str, Any] = {"stage": self.stage, "task": self.example.skill, "split": self.split}
        if not self.example.messages:
            return line | {"text": self.example.reply}
        prompt = [{"role": _TYPES[m.type], "content": m.text} for m in self.example.messages]
        return line | {"prompt": prompt, "completion": [{"role": "assistant", "content": self.example.reply}]}


def meta_path(path: Path) -> Path:
    """Where a file's description lies."""
    return path.with_suffix(".meta.json")


def write_rows(path: Path, rows: Iterable[Row], about: dict[str, Any]) -> dict[str, Any]:
    """Write lines and description, each in one step; returns the description, which is ``about`` with the counts.

    A run that is stopped leaves no file, nor changes one that is there. Raises ConfigError where it cannot write.
    """
    part, digest, counts = path.with_suffix(".part"), hashlib.sha256(), Counter[tuple[str, str, str]]()
    try:
        with part.open("wb") as file:
            for row in rows:
                data = f"{json.dumps(row.to_json(), ensure_ascii=False)}\n".encode("utf-8", "replace")
                digest.update(data)
                file.write(data)
                counts[row.split, row.stage, row.example.skill] += 1
        by_split: dict[str, dict[str, dict[str, int]]] = {}
        for (split, stage, task), count in sorted(counts.items()):
            by_split.setdefault(split, {}).setdefault(stage, {})[task] = count
        done = {**about, "counts": by_split, "lines": counts.total(), "sha256": digest.hexdigest()}
        meta_path(path).unlink(missing_ok=True)  # never beside lines that it does not describe
        part.replace(path)
        meta_part = meta_path(path).with_suffix(".part")
        meta_part.write_text(json.dumps(done, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        meta_part.replace(meta_path(path))
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)
    return done


def read_rows(path: Path) -> list[Row]:
    """The lines of a file; raises ConfigError that names the line which is none."""
    try:
        with path.open(encoding="utf-8") as file:
            return [_row(line, f"{path}:{number}") for number, line in enumerate(file, 1) if line.strip()]
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.", "Make it with: triplewise train data") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8: {error.reason}.") from None


def _row(line: str, where: str) -> Row:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where}: no JSON: {error}.") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: expected a JSON object.")
    stage, split = data.get("stage"), data.get("split", "train")
    if stage not in STAGES:
        raise ConfigError(f"{where}: no stage {stage!r}.", f"Known: {', '.join(STAGES)}.")
    if split not in ("train", "dev"):
        raise ConfigError(f"{where}: no split {split!r}.", "Known: train, dev.")
    task = str(data.get("task") or stage)
    if "text" in data:
        return Row(stage, Example(task, (), _text(data["text"], f"{where}: 'text'")), split)
    messages = _messages(data.get("prompt"), f"{where}: 'prompt'")
    reply = _messages(data.get("completion"), f"{where}: 'completion'")
    if len(reply) != 1 or reply[0].type != "ai":
        raise ConfigError(f"{where}: 'completion' is not one message of the assistant.")
    return Row(stage, Example(task, tuple(messages), reply[0].text), split)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{where} is not a text.")
    return value


def _messages(value: Any, where: str) -> list[BaseMessage]:
    if not isinstance(value, list) or not value:
        raise ConfigError(f"{where} is not a list of messages.")
    found = []
    for message in value:
        if not isinstance(message, dict) or message.get("role") not in _ROLES:
            raise ConfigError(f"{where} has a message without a role.", f"Known: {', '.join(_ROLES)}.")
        found.append(_ROLES[message["role"]](_text(message.get("content"), f"{where}: content")))
    return found
