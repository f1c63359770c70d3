"""``triplewise format``: a graph, or what lies around an entity, as the text that prompts show a model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from triplewise.errors import ConfigError
from triplewise.interfaces.options import Format, Json, Kg, Model, SkipBad, print_json, settings_of
from triplewise.kg.names import one_line, printable

if TYPE_CHECKING:
    from triplewise.kg.base import KGStore
    from triplewise.types import Triple

COMPARED = ("triples", "yaml")
"""The forms that ``--tokens`` sets side by side."""


def register(app: typer.Typer) -> None:
    """Add ``format`` to the command line."""

    @app.command("format")
    def format_knowledge(
        kg: Kg = None,
        entity: Annotated[
            list[str] | None, typer.Option("--entity", help="Only what is around it, by id or name; repeatable.")
        ] = None,
        hops: Annotated[
            int | None, typer.Option("--hops", min=1, help="How far around the entities; default: 1.")
        ] = None,
        limit: Annotated[int | None, typer.Option("--limit", min=1, help="Triples at most.")] = None,
        style: Annotated[
            str, typer.Option("--as", help="yaml, yaml-head (grouped by heads only) or triples.")
        ] = "yaml",
        tokens: Annotated[bool, typer.Option("--tokens", help="Count tokens by --model's vocabulary.")] = False,
        model: Model = None,
        format: Format = None,
        skip_bad_lines: SkipBad = False,
        as_json: Json = False,
    ) -> None:
        """Print a graph as knowledge text: YAML that says each name once, or plain triples."""
        from triplewise.kg import load_kg
        from triplewise.tools.text.knowledge_format import format_triples

        settings = settings_of(kg=kg, model=model)
        store = load_kg(settings.kg, format=format, skip_bad_lines=skip_bad_lines)
        triples = _chosen(store, entity or [], hops)
        shown = triples[:limit]
        text = format_triples(store, shown, style)
        counts = _count(store, shown, {style: text}, settings.model) if tokens else {}
        if as_json:
            print_json({"text": text, "style": style, "triples": len(shown), "of": len(triples), "tokens": counts})
            return
        print(printable(text))
        if len(shown) < len(triples):
            print(f"{len(shown):,} of {len(triples):,} triples (--limit)", file=sys.stderr)
        for name, count in counts.items():
            share = f", {count / counts['triples']:.0%} of triples" if name != "triples" and counts["triples"] else ""
            print(f"{name}: {count:,} tokens by {one_line(settings.model)}{share}", file=sys.stderr)


def _chosen(store: KGStore, entities: list[str], hops: int | None) -> list[Triple]:
    """All triples, or those around the entities, the nearest first."""
    from triplewise.agents.entity_linker import resolve_entity

    if entities:
        return store.neighborhood([resolve_entity(store, name) for name in entities], hops or 1)
    if hops is not None:
        raise ConfigError("--hops is given without --entity.", "Name the entity to start from.")
    return list(store.triples())


def _count(store: KGStore, triples: list[Triple], texts: dict[str, str], spec: str) -> dict[str, int]:
    """Tokens of each form; an estimate where a server's vocabulary is not known (docs/backends.md)."""
    from triplewise.backends import load_chat_model
    from triplewise.tools.text.knowledge_format import format_triples

    model = load_chat_model(spec)
    forms = dict.fromkeys((*COMPARED, *texts))
    return {form: model.get_num_tokens(texts.get(form) or format_triples(store, triples, form)) for form in forms}
