"""``triplewise train reranker``: the adapter that makes all-mpnet-base-v2 query-graph's re-ranker."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from triplewise.interfaces.commands.train.corpora import chosen_domains, in_other_words, ranker_training
from triplewise.interfaces.options import Json, counted, print_json, say_progress


def register(train_app: typer.Typer) -> None:
    """Add ``reranker`` to ``triplewise train``."""

    @train_app.command()
    def reranker(
        out: Annotated[Path, typer.Option("--out", help="FILE.npz of the adapter.")],
        corpus: Annotated[
            Path | None, typer.Option("--corpus", help="Folder with a folder per domain (docs/corpus.md).")
        ] = None,
        asked: Annotated[
            Path | None,
            typer.Option(
                "--asked",
                help="In place of a corpus: go on with the adapter that ships over questions with their answers, "
                "a folder with a folder per graph.",
            ),
        ] = None,
        domains: Annotated[
            str | None,
            typer.Option(
                "--domains", help="Of these domains or graphs, by commas; default: all but the development ones."
            ),
        ] = None,
        seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
        force: Annotated[bool, typer.Option("--force", help="Replace a file that is no adapter.")] = False,
        as_json: Json = False,
    ) -> None:
        """Train the re-ranker's adapter over a corpus and its rewordings, or over questions with their answers, among
        the candidates of the ranker that ships; hours on a CPU."""
        from triplewise.backends.encoders.reranker import ADAPTER
        from triplewise.errors import ConfigError
        from triplewise.files import check_output
        from triplewise.tools.query_graph.ranker import WEIGHTS
        from triplewise.train.query_graph.asked import read_asked
        from triplewise.train.query_graph.turns import TalkedDomain

        if (corpus is None) == (asked is None):
            raise ConfigError("give --corpus FOLDER or --asked FOLDER, one of them.")
        place = check_output(out, force=force, mine=_is_adapter)
        if place.suffix != ".npz" or not place.absolute().parent.is_dir():
            raise ConfigError(f"--out {place} is no FILE.npz in a folder that exists.")
        told = (lambda line: None) if as_json else say_progress
        training, minilm = ranker_training()
        if corpus is not None:
            chosen = [TalkedDomain(d) for d in chosen_domains(corpus, domains)]
            said = in_other_words([d.domain for d in chosen])
            settings = replace(training.RERANKER, seed=seed)
            training.train_reranker(chosen, said, minilm, WEIGHTS, place, settings, say=told)
            items = sum(1 for domain in chosen for _ in domain.items()) + sum(map(len, said.values()))
            names, whole = [d.name for d in chosen], f"{counted(items, 'item')} of {counted(len(chosen), 'domain')}"
        else:
            from triplewise.train.query_graph.on_answers import ASKED, train_reranker_on_answers

            graphs = read_asked(Path(str(asked)), domains)
            settings = replace(ASKED, seed=seed)
            items = train_reranker_on_answers(graphs, ADAPTER, place, settings, say=told)
            names, whole = [g.name for g in graphs], f"{counted(items, 'question')} of {counted(len(graphs), 'graph')}"
        size = place.stat().st_size
        if as_json:
            print_json({"out": str(place), "domains": names, "items": items, "bytes": size})
        else:
            print(f"{place}: {size / 1e6:.1f} MB, trained on {whole}.")


def _is_adapter(place: Path) -> bool:
    """Whether a file holds an adapter, which a new one may replace."""
    import zipfile

    return zipfile.is_zipfile(place) and "first.npy" in zipfile.ZipFile(place).namelist()
