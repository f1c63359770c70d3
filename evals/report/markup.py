"""HTML and SVG out of Python values; the one place where text is escaped.

``element`` escapes all that is not ``Markup`` already, children and attributes alike, so that no text of a graph,
a question or a model can be anything but text.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Iterable
from typing import Any

_VOID = frozenset({"meta", "input", "wbr", "line", "circle", "rect", "polyline", "path"})


class Markup(str):
    """Text that is markup, made by ``element``."""

    __slots__ = ()


def element(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """``<name attributes>children</name>``.

    Children are text, numbers, Markup, None (left out) or iterables of these. Of an attribute's name a last "_"
    is dropped and other "_" become "-"; True is an attribute without a value, None and False leave it out.
    """
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{html.escape(_text(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID and not children:
        return Markup(f"<{name}{told}/>")
    return Markup(f"<{name}{told}>{joined(*children)}</{name}>")


def joined(*children: Any) -> Markup:
    """Children one after the other, escaped as in ``element``."""
    return Markup("".join(_child(child) for child in children))


def _child(child: Any) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, Iterable) and not isinstance(child, str):
        return joined(*child)
    return html.escape(_text(child), quote=False)


def _text(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def data_block(name: str, value: Any) -> Markup:
    """A JSON value for the page's script to read, compressed (gzip, base64), so that it has no text to escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode()
    return element("script", Markup(packed), type="application/gzip", id=name)
