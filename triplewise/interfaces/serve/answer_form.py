"""``response_format``: an answer as JSON, of our fields or of those that a client's schema names.

The values come out of the answer and not out of a model, so that a schema is met by construction or refused: it may
name any of the fields below, with a type that the field fits, and no keyword that a value could fail.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triplewise.agents.assistant.events import Citation
from triplewise.errors import ConfigError

_STRING: dict[str, Any] = {"type": "string"}
_STRINGS: dict[str, Any] = {"type": "array", "items": _STRING}
_CITATION = {"n": {"type": "integer"}, "head": _STRING, "relation": _STRING, "tail": _STRING, "source": _STRING}
FIELDS: dict[str, dict[str, Any]] = {
    "answer": _STRING,
    "answers": _STRINGS,
    "ids": _STRINGS,
    "kind": _STRING,
    "verdict": {"type": ["string", "null"]},
    "read_as": {"type": ["string", "null"]},
    "citations": {"type": "array", "items": {"type": "object", "properties": _CITATION}},
}
"""The fields of an answer and their types. ``answer``: its text; ``answers``, ``ids``: the labels and ids of the things
that answer; ``citations``: the triples behind ``[n]``, as labels."""
_HARMLESS = {
    "type", "title", "description", "properties", "required", "additionalProperties", "items", "$schema", "default",
    "anyOf",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The fields that are wanted, in their order; ``cited``: those of a citation."""

    fields: tuple[str, ...] = tuple(FIELDS)
    cited: tuple[str, ...] = tuple(_CITATION)

    def content(self, text: str, extra: Mapping[str, Any], citations: Sequence[Citation]) -> str:
        """An answer as JSON."""
        triples = [
            {"n": c.n, "head": c.labels[0], "relation": c.labels[1], "tail": c.labels[2], "source": c.source}
            for c in citations
        ]
        answers = extra.get("answers", ())
        whole = {
            "answer": text,
            "answers": [a["label"] for a in answers],
            "ids": [a["id"] for a in answers],
            "kind": extra.get("kind", "answer"),
            "verdict": extra.get("verdict"),
            "read_as": extra.get("read_as"),
            "citations": [{name: triple[name] for name in self.cited} for triple in triples],
        }
        return json.dumps({name: whole[name] for name in self.fields}, ensure_ascii=False)


def answer_form(given: Any) -> AnswerForm | None:
    """The form that a ``response_format`` asks for, None for text; ConfigError says what of it cannot be met."""
    if given is None:
        return None
    kind = given.get("type", "text") if isinstance(given, dict) else ""
    if kind not in ("text", "json_object", "json_schema"):
        raise ConfigError("it is text, json_object or json_schema.")
    if kind != "json_schema":
        return AnswerForm() if kind == "json_object" else None
    try:
        named = given["json_schema"]
        schema = _inlined(named["schema"], named["schema"].get("$defs", {}))
        fields = _fields(schema, FIELDS, "the schema")
        items = schema["properties"].get("citations", {}).get("items", {})
        return AnswerForm(
            fields, _fields(items, _CITATION, "citations.items") if items.get("properties") else tuple(_CITATION)
        )
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigError("json_schema has no schema that can be read.") from None


def _inlined(node: Any, definitions: Mapping[str, Any], depth: int = 8) -> Any:
    """A schema with its definitions put in where they are referred to."""
    if depth < 0:
        raise RecursionError
    if isinstance(node, list):
        return [_inlined(n, definitions, depth - 1) for n in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _inlined(definitions[node["$ref"].removeprefix("#/$defs/")], definitions, depth - 1)
    return {k: _inlined(v, definitions, depth - 1) for k, v in node.items() if k != "$defs"}


def _fields(schema: Mapping[str, Any], known: Mapping[str, dict[str, Any]], where: str) -> tuple[str, ...]:
    """The names of an object's properties, all of them known and of types that fit."""
    properties = schema.get("properties")
    if schema.get("type", "object") != "object" or not isinstance(properties, dict) or not properties:
        raise ConfigError(f"{where} is no object with properties.")
    _refuse_keywords(schema, where)
    for name, wanted in properties.items():
        if name not in known:
            raise ConfigError(f"an answer has no field {str(name)[:40]!r}.", f"It has: {', '.join(known)}.")
        _refuse_misfit(wanted, known[name], str(name))
    missing = [str(n) for n in schema.get("required", ()) if n not in properties]
    if missing:
        raise ConfigError(f"{where} requires {missing[0][:40]!r}, which it does not describe.")
    return tuple(properties)


def _refuse_misfit(wanted: Any, has: Mapping[str, Any], name: str) -> None:
    if not isinstance(wanted, dict):
        raise ConfigError(f"{name} has no schema.")
    _refuse_keywords(wanted, name)
    types = _types(wanted) if wanted.keys() & {"type", "anyOf"} else _types(has)
    if not _types(has) <= types | ({"integer"} if "number" in types else set()):
        raise ConfigError(f"{name} is of type {' or '.join(sorted(_types(has)))}.")
    items = wanted.get("items")
    if items and "array" in _types(has) and "properties" not in items:
        _refuse_misfit(items, has["items"], f"{name}.items")


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema permits, of "anyOf" all."""
    if "anyOf" in schema:
        return {t for part in schema["anyOf"] if set(part) == {"type"} for t in _types(part)}
    given = schema.get("type", [])
    return {given} if isinstance(given, str) else set(given)


def _refuse_keywords(schema: Mapping[str, Any], where: str) -> None:
    for keyword in schema:
        if keyword not in _HARMLESS:
            raise ConfigError(f"{where}: the keyword {str(keyword)[:40]!r} cannot be promised.")
