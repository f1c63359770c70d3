"""Arguments of the public functions: a value of the wrong type is an error that names the argument."""

from __future__ import annotations

from typing import Any

from triplewise.errors import ConfigError


def expect(name: str, value: Any, *kinds: type | None, what: str) -> None:
    """Raise ConfigError unless the value is of one of these kinds; None stands for None itself. A bool is no int."""
    wanted = tuple(kind for kind in kinds if kind is not None)
    if value is None and None in kinds:
        return
    if (isinstance(value, bool) and bool not in wanted) or not isinstance(value, wanted):
        raise ConfigError(f"{name} is {what}, not {type(value).__name__}.")


def expect_option(name: str, value: Any) -> None:
    """The same for the options that all methods share, by their names; others pass."""
    if kinds := _OPTIONS.get(name):
        expect(name, value, *kinds[0], what=kinds[1])


_OPTIONS: dict[str, tuple[tuple[type | None, ...], str]] = {
    "method": ((str, None), "a method's name"),
    "preset": ((str,), "a preset's name"),
    "embedder": ((str,), "an embedder's name"),
    "shots": ((int, None), "a number of examples"),
    "top_k": ((int, None), "a whole number"),
    "top": ((int,), "a whole number"),
    "m": ((int, None), "a whole number"),
    "knowledge": ((str, None), "a format's name"),
    "retrieval": ((str, None), "a way of retrieval"),
    "closed_world": ((bool, None), "True or False"),
    "mode": ((str, None), "a mode's name"),
    "reply": ((str, None), "a reply form's name"),
    "describe": ((str, None), "a word"),
}
