"""``triplewise kg stats`` and ``triplewise kg find``: what a graph holds, and entities by name."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import typer

from triplewise.errors import UnknownEntityError
from triplewise.interfaces.options import Format, Json, Kg, SkipBad, print_json
from triplewise.kg.names import one_line

kg_app = typer.Typer(help="Look at a graph.", no_args_is_help=True)

_ID_ROOM = 28
"""Cells of a terminal for an id, beside a name and a count in 80."""


def register(app: typer.Typer) -> None:
    """Add ``kg`` to the command line."""
    app.add_typer(kg_app, name="kg")


@kg_app.command()
def stats(
    graph: Annotated[str | None, typer.Argument(help="The graph, as --kg takes it.", show_default=False)] = None,
    kg: Kg = None,
    format: Format = None,
    skip_bad_lines: SkipBad = False,
    top: Annotated[int, typer.Option("--top", min=1, help="Relations and types listed.")] = 20,
    as_json: Json = False,
) -> None:
    """Count triples, entities, relations and types."""
    from triplewise.config import load_settings
    from triplewise.kg import load_kg

    if kg and graph:
        raise typer.BadParameter("give the graph once, by itself or as --kg.")
    store = load_kg(load_settings(kg=kg or graph).kg, format=format, skip_bad_lines=skip_bad_lines)
    relations = Counter(t.relation for t in store.triples())
    types = Counter(t for e in store.entities() for t in store.types(e))
    data: dict[str, Any] = {
        "name": store.name,
        "triples": len(store),
        "entities": len(store.entities()),
        "relations": len(relations),
        "types": len(types),
        "shared_names": sum(store.display(e) != store.label(e) for e in store.entities()),
        "skipped_lines": len(store.skipped),
        "content_hash": store.content_hash,
    }
    if as_json:
        data["skipped"] = [{"line": line, "reason": reason} for line, reason in store.skipped]
        counts = {"relation_counts": dict(relations.most_common()), "type_counts": dict(types.most_common())}
        print_json(data | counts)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    for key, value in data.items():
        shown = f"{value:,}" if isinstance(value, int) else str(value)[:16] if key == "content_hash" else str(value)
        console.print(Text(f"{key.replace('_', ' '):>14}  {one_line(shown)}"))
    room = min(_ID_ROOM, max(8, console.width - 48))
    for title, counter, label in (("relation", relations, store.relation_label), ("type", types, store.label)):
        if counter:
            table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
            table.add_column(title, overflow="ellipsis", no_wrap=True, max_width=34)
            table.add_column("id", overflow="ellipsis", no_wrap=True, max_width=room, style="dim")
            table.add_column("triples" if title == "relation" else "entities", justify="right")
            for item, count in counter.most_common(top):
                table.add_row(Text(one_line(label(item))), Text(_end_of(one_line(item), room)), f"{count:,}")
            console.print()
            console.print(table)
            if len(counter) > top:
                console.print(f"… and {len(counter) - top} more (--top)")
    for line, reason in store.skipped[:5]:
        console.print(Text(f"! line {line}: {one_line(reason)}", style="yellow"))
    if len(store.skipped) > 5:
        console.print(Text(f"! … and {len(store.skipped) - 5} more lines left out (--json lists them)", style="yellow"))


def _end_of(text: str, room: int) -> str:
    """A text in ``room`` cells of a terminal, cut at its front: the IRIs of a graph mostly begin alike."""
    from rich.cells import cell_len

    if cell_len(text) <= room:
        return text
    end = text[1 - room :]
    while cell_len(end) >= room:
        end = end[1:]
    return f"…{end}"


@kg_app.command()
def find(
    text: Annotated[str, typer.Argument(help="A name or a part of one.")],
    kg: Kg = None,
    format: Format = None,
    skip_bad_lines: SkipBad = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Entities listed.")] = 10,
    as_json: Json = False,
) -> None:
    """Find entities by name; says why each was found."""
    if not text.strip():
        raise UnknownEntityError("the name is empty.", "Give a name or a part of one.")
    from triplewise.config import load_settings
    from triplewise.kg import load_kg

    store = load_kg(load_settings(kg=kg).kg, format=format, skip_bad_lines=skip_bad_lines)
    hits = store.search(text, limit)
    if as_json:
        rows = [
            {
                "id": h.id,
                "label": store.display(h.id),
                "types": [store.label(t) for t in store.types(h.id)],
                "score": round(h.score, 4),
                "reason": h.reason,
                "triples": store.degree(h.id),
            }
            for h in hits
        ]
        print_json(rows)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not hits:
        console.print(Text(f"No entity of {one_line(store.name)} is named like {one_line(text)!r}."))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("entity", overflow="fold", max_width=34)
    table.add_column("types", overflow="ellipsis", no_wrap=True, max_width=14)
    table.add_column("score", justify="right")
    table.add_column("reason", no_wrap=True)
    for hit in hits:
        types = ", ".join(store.label(t) for t in store.types(hit.id))
        table.add_row(Text(one_line(store.display(hit.id))), Text(one_line(types)), f"{hit.score:.2f}", hit.reason)
    console.print(table)
