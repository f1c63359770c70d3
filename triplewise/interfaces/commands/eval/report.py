"""``triplewise eval report``: runs as one HTML page and as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triplewise.errors import ConfigError
from triplewise.files import check_output, write_text

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
    def report(
        runs: Runs,
        out: Out = None,
        items: Items = None,
        force: Annotated[bool, typer.Option("--force", help="Replace files that are no reports.")] = False,
    ) -> None:
        """Write runs as one HTML page that needs nothing else, with a sample browser, and as Markdown."""
        from triplewise.evals.report.contents import report_of
        from triplewise.evals.report.markdown import markdown
        from triplewise.evals.report.page import page

        out = out or runs[0] / "report.html"
        if out.suffix.lower() == ".md":
            raise ConfigError(f"--out {out} is the page; the Markdown goes beside it.", "Name it report.html or so.")
        for place in (out, out.with_suffix(".md")):
            check_output(place, force=force, mine=_is_report)
        found = report_of(runs)
        _write(out, page(found, items=items))
        _write(out.with_suffix(".md"), markdown(found))
        typer.echo(f"{out}\n{out.with_suffix('.md')}")


def _is_report(path: Path) -> bool:
    """Whether a file is an earlier report."""
    with path.open("rb") as file:
        start = file.read(2_000)
    return start.startswith(b"# Evaluation\n") or (b"<!doctype html>" in start and b"triplewise" in start)


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text.encode("utf-8", "replace").decode())
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.", "Give another --out.") from None
