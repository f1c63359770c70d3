"""``triplewise kg import``, ``add``, ``remove``, ``undo``, ``diff`` and ``query``: graphs on disk and their edits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triplewise.errors import ConfigError
from triplewise.interfaces.commands.kg import kg_app
from triplewise.interfaces.options import Format, Json, Kg, SkipBad, counted, print_json
from triplewise.kg.names import one_line

if TYPE_CHECKING:
    from triplewise.kg import KGStore
    from triplewise.types import Triple

Head = Annotated[str, typer.Argument(help="An entity's id or name.")]
Relation = Annotated[str, typer.Argument(help="A relation's id or name; rdfs:label, skos:altLabel, rdf:type too.")]
Tail = Annotated[str, typer.Argument(help="An entity's id or name, or a value.")]


def register(app: typer.Typer) -> None:
    """Add the commands to ``kg``."""
    kg_app.command("import")(import_)
    for command in (add, remove, undo, diff, query):
        kg_app.command()(command)


def import_(
    source: Annotated[Path, typer.Argument(help="Graph file or folder; N-Triples may be gzipped.")],
    store: Annotated[Path, typer.Option("--store", metavar="DIR", help="Folder of the store, new or to be added to.")],
    format: Format = None,
    skip_bad_lines: SkipBad = False,
    name: Annotated[str | None, typer.Option("--name", help="The graph's name; default: the file's.")] = None,
    type_relation: Annotated[list[str] | None, typer.Option(help="Id of a relation that tells classes.")] = None,
    alias_relation: Annotated[list[str] | None, typer.Option(help="Id of a relation that tells other names.")] = None,
) -> None:
    """Load a graph into a store on disk; the same command goes on after an interruption."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from triplewise.kg.stores.importer import import_graph
    from triplewise.kg.stores.oxigraph import OxigraphStore

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("load", total=1.0)
        manifest = import_graph(
            source, store, format=format, name=name, skip_bad_lines=skip_bad_lines, type_relations=type_relation,
            alias_relations=alias_relation,
            progress=lambda what, share: bar.update(task, description=what, completed=share),
        )  # fmt: skip
    loaded = OxigraphStore(store)
    typer.echo(f"{len(loaded):,} triples, {len(loaded.entities()):,} entities in {store} ({one_line(manifest.name)})")
    if manifest.skipped_lines:
        typer.echo(f"{counted(manifest.skipped_lines, 'bad line')} left out.", err=True)


def add(head: Head, relation: Relation, tail: Tail, kg: Kg = None) -> None:
    """Add a triple to a store on disk; `kg undo` takes it back."""
    from triplewise.kg.stores.edits import editing

    path = _folder(kg)
    with editing(path) as editor:
        triple = _triple(editor.store, head, relation, tail)
        done = editor.add([triple])
    typer.echo(f"+ {_line(triple)}" if done else f"It is there already: {_line(triple)}")


def remove(head: Head, relation: Relation, tail: Tail, kg: Kg = None) -> None:
    """Remove a triple from a store on disk; `kg undo` brings it back."""
    from triplewise.kg.stores.edits import editing

    path = _folder(kg)
    with editing(path) as editor:
        triple = _triple(editor.store, head, relation, tail)
        done = editor.remove([triple])
    typer.echo(f"- {_line(triple)}" if done else f"There is no such triple: {_line(triple)}")


def undo(
    count: Annotated[int, typer.Argument(min=1, help="How many edits.")] = 1,
    kg: Kg = None,
) -> None:
    """Take back the last edits of a store on disk."""
    from triplewise.kg.stores.edits import editing

    with editing(_folder(kg)) as editor:
        for edit in editor.undo(count):
            typer.echo(f"{'-' if edit.op == '+' else '+'} {_line(edit.triple)}")


def diff(
    other: Annotated[str | None, typer.Argument(help="Another graph; default: the edits since the import.")] = None,
    kg: Kg = None,
    as_json: Json = False,
) -> None:
    """What a graph has (+) and another has not (-), or what its edits changed."""
    from triplewise.config import load_settings
    from triplewise.kg import load_kg
    from triplewise.kg.stores.edits import net_changes, read_log

    if other is None:
        plus, minus = net_changes(read_log(_folder(kg)))
    else:
        ours, theirs = load_kg(load_settings(kg=kg).kg), load_kg(other)
        plus, minus = _missing(ours, theirs), _missing(theirs, ours)
    if as_json:
        print_json({"added": [list(t) for t in plus], "removed": [list(t) for t in minus]})
        return
    for sign, triples in (("+", plus), ("-", minus)):
        for triple in triples:
            typer.echo(f"{sign} {_line(triple)}")


def query(
    sparql: Annotated[str, typer.Argument(help="A SELECT or ASK query.")],
    kg: Kg = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Time that it may take.")] = 5.0,
    rows: Annotated[int, typer.Option("--rows", min=1, max=1_000_000, help="Rows that are read.")] = 10_000,
) -> None:
    """Run a SPARQL query that only reads over a store on disk or an endpoint; prints JSON."""
    from triplewise.config import load_settings
    from triplewise.kg import load_kg
    from triplewise.kg.stores.run_sparql import run_sparql

    found = run_sparql(load_kg(load_settings(kg=kg).kg), sparql, seconds=seconds, rows=rows)
    print_json({"rows": found.rows, "complete": found.complete})


def _folder(kg: str | None) -> Path:
    from triplewise.config import load_settings
    from triplewise.kg.stores.folder import is_store

    path = Path(load_settings(kg=kg).kg).expanduser()
    if not is_store(path):
        raise ConfigError(
            f"{path} is no store on disk, and only these are edited.",
            f"Make one with: triplewise kg import {path} --store DIR",
        )
    return path


def _triple(store: KGStore, head: str, relation: str, tail: str) -> Triple:
    """What is meant by names; what nothing is called is a new id."""
    from triplewise.kg.stores.terms import SHORT
    from triplewise.types import Triple

    known = relation if relation in SHORT else _relation(store, relation)
    named = known in ("rdfs:label", "skos:prefLabel", "schema:name", "skos:altLabel", "rdfs:comment")
    return Triple(_entity(store, head), known, tail if named else _entity(store, tail))


def _entity(store: KGStore, name: str) -> str:
    if store.has_entity(name) or store.is_literal(name):
        return name
    if (found := store.resolve_display(name)) is not None:
        return found
    exact = [h.id for h in store.named(name) if h.score >= 0.99]
    if len(exact) > 1:
        raise ConfigError(f"{name!r} is the name of {len(exact)} entities.", f"Say which: {', '.join(exact[:5])}.")
    return exact[0] if exact else name


def _relation(store: KGStore, name: str) -> str:
    by_label = {store.relation_label(r): r for r in store.relation_ids()}
    return name if name in store.relation_ids() else by_label.get(name, name)


def _missing(ours: Any, theirs: Any) -> list[Triple]:
    return [t for t in ours.triples() if not any(True for _ in theirs.triples(*t))]


def _line(triple: Triple) -> str:
    return " · ".join(one_line(part) for part in triple)
