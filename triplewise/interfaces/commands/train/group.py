"""``triplewise train``: one subcommand per thing that can be trained."""

from __future__ import annotations

import typer

from triplewise.interfaces.commands.train import adapter, data, links, ranker, reranker, retriever, rotate

train_app = typer.Typer(help="Train what the methods use.", no_args_is_help=True)
for part in (rotate, links, retriever, data, adapter, ranker, reranker):
    part.register(train_app)


def register(app: typer.Typer) -> None:
    """Add ``train`` to the command line."""
    app.add_typer(train_app, name="train")
