"""``triplewise eval report``: runs as one HTML page and as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Runs = Annotated[list[Path], typer.Argument(help="Folders of runs; differences are to the first one.", metavar="RUN")]
Out = Annotated[
    Path | None, typer.Option("--out", help="The page; Markdown goes beside it. Default: report.html in the first run.")
]
Items = Annotated[
    int | None, typer.Option("--items", min=0, help="Items of each run in the sample browser; default: all.")
]


def register_report(group: typer.Typer) -> None:
    """Add ``report`` to the commands of ``eval``."""

    @group.command()
    def report(runs: Runs, out: Out = None, items: Items = None) -> None:
        """Write runs as one HTML page that needs nothing else, with a sample browser, and as Markdown."""
        from triplewise.evals.report.contents import report_of
        from triplewise.evals.report.markdown import markdown
        from triplewise.evals.report.page import page

        out = out or runs[0] / "report.html"
        found = report_of(runs)
        _write(out, page(found, items=items))
        _write(out.with_suffix(".md"), markdown(found))
        typer.echo(f"{out}\n{out.with_suffix('.md')}")


def _write(path: Path, text: str) -> None:
    from triplewise.errors import ConfigError

    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", errors="replace")
        part.replace(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.", "Give another --out.") from None
