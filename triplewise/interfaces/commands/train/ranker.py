"""``triplewise train ranker``: what query-graph ranks readings by, trained on a corpus of domains."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triplewise.interfaces.options import Json, counted, print_json

if TYPE_CHECKING:
    from triplewise.train.query_graph.corpus import Domain


def register(train_app: typer.Typer) -> None:
    """Add ``ranker`` to ``triplewise train``."""

    @train_app.command()
    def ranker(
        corpus: Annotated[Path, typer.Option("--corpus", help="Folder with a folder per domain (docs/corpus.md).")],
        out: Annotated[Path, typer.Option("--out", help="FILE.npz of the ranker.")],
        domains: Annotated[
            str | None,
            typer.Option("--domains", help="Of these domains, by commas; default: all but the development ones."),
        ] = None,
        epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="Over the readings; default 2.")] = None,
        seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
        force: Annotated[bool, typer.Option("--force", help="Replace a file that is no ranker.")] = False,
        as_json: Json = False,
    ) -> None:
        """Train the ranker of query-graph from MiniLM, on the CPU."""
        from triplewise.backends.embedders import minilm_folder
        from triplewise.errors import ConfigError, MissingExtraError
        from triplewise.files import check_output

        place = check_output(out, force=force, mine=_is_ranker)
        if place.suffix != ".npz" or not place.absolute().parent.is_dir():
            raise ConfigError(f"--out {place} is no FILE.npz in a folder that exists.")
        chosen = _chosen(corpus, domains)
        minilm = Path(minilm_folder())
        try:
            from triplewise.train.query_graph.trainer import RankerTraining, train_ranker
        except ImportError:
            raise MissingExtraError("training the ranker", "train") from None
        settings = RankerTraining(seed=seed)
        if epochs is not None:
            settings = replace(settings, epochs=epochs)
        items = sum(1 for domain in chosen for _ in domain.items())
        told = (lambda line: None) if as_json else _say
        train_ranker(chosen, minilm, place, settings, say=told)
        size = place.stat().st_size
        if as_json:
            print_json({"out": str(place), "domains": [d.name for d in chosen], "items": items, "bytes": size})
        else:
            whole = f"{counted(items, 'item')} of {counted(len(chosen), 'domain')}"
            print(f"{place}: {size / 1e6:.1f} MB, trained on {whole}.")


def _is_ranker(place: Path) -> bool:
    """Whether a file holds a ranker, which a new one may replace."""
    import zipfile

    return zipfile.is_zipfile(place) and "shortlist.weight.npy" in zipfile.ZipFile(place).namelist()


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _chosen(corpus: Path, named: str | None) -> list[Domain]:
    """The domains to train on; raises ConfigError where there are none, or one is not there."""
    from triplewise.errors import ConfigError
    from triplewise.train.query_graph.corpus import DEVELOPMENT, domain_names, open_corpus

    there = domain_names(corpus) if corpus.is_dir() else []
    if not there:
        raise ConfigError(
            f"--corpus {corpus} holds no domain.", "A domain is a folder with graph.* and questions.jsonl."
        )
    if named is None:
        wanted = [name for name in there if name not in DEVELOPMENT]
    else:
        wanted = [name.strip() for name in named.split(",") if name.strip()]
    if strange := [name for name in wanted if name not in there]:
        raise ConfigError(f"{corpus} has no domain {strange[0]!r}.", f"It has: {', '.join(there)}.")
    if not wanted:
        raise ConfigError("there is no domain to train on.", "Name some: --domains zoo,farm")
    return open_corpus(corpus, tuple(wanted))
