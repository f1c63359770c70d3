"""``triplewise train ranker``: what query-graph ranks readings by, trained on a corpus of domains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from triplewise.interfaces.commands.train.corpora import chosen_domains, in_other_words, ranker_training
from triplewise.interfaces.options import Json, counted, print_json, say_progress


def register(train_app: typer.Typer) -> None:
    """Add ``ranker`` to ``triplewise train``."""

    @train_app.command()
    def ranker(
        out: Annotated[Path, typer.Option("--out", help="FILE.npz of the ranker.")],
        corpus: Annotated[
            Path | None, typer.Option("--corpus", help="Folder with a folder per domain (docs/corpus.md).")
        ] = None,
        kg: Annotated[
            str | None, typer.Option("--kg", help="In place of a corpus: fit the ranker that ships to this graph.")
        ] = None,
        questions: Annotated[
            int, typer.Option("--questions", min=1, max=100_000, help="With --kg: composed from the graph.")
        ] = 300,
        teacher: Annotated[
            str | None, typer.Option("--teacher", help="With --kg: a larger model that says them in other words.")
        ] = None,
        domains: Annotated[
            str | None,
            typer.Option("--domains", help="Of these domains, by commas; default: all but the development ones."),
        ] = None,
        keep_encoder: Annotated[
            Path | None,
            typer.Option("--keep-encoder", help="With --corpus: this ranker's encoder stays, what is above it is new."),
        ] = None,
        rewordings: Annotated[
            bool,
            typer.Option(
                "--rewordings",
                help="With --corpus: in other words, too. With --keep-encoder FILE: FILE goes on over these.",
            ),
        ] = False,
        asked: Annotated[
            Path | None,
            typer.Option(
                "--asked",
                help="With --corpus and --keep-encoder FILE: FILE goes on over questions with their answers, too, a "
                "folder with a folder per graph.",
            ),
        ] = None,
        epochs: Annotated[int | None, typer.Option("--epochs", min=1, help="Over the readings; default 2.")] = None,
        seed: Annotated[int, typer.Option("--seed", min=0)] = 0,
        force: Annotated[bool, typer.Option("--force", help="Replace a file that is no ranker.")] = False,
        as_json: Json = False,
    ) -> None:
        """Train the ranker of query-graph from MiniLM, or fit it to one's own graph, on the CPU."""
        from triplewise.errors import ConfigError
        from triplewise.files import check_output

        if (corpus is None) == (kg is None):
            raise ConfigError("give --corpus FOLDER or --kg GRAPH, one of them.")
        if kg is None and teacher:
            raise ConfigError("--teacher is for --kg: a corpus has its own words.")
        if kg is not None and (domains or keep_encoder):
            raise ConfigError(f"{'--domains' if domains else '--keep-encoder'} is for --corpus: a graph is one.")
        if kg is not None and rewordings:
            raise ConfigError("--rewordings is for --corpus: of a graph, --teacher says sentences in other words.")
        if asked is not None and (corpus is None or keep_encoder is None or rewordings):
            raise ConfigError("--asked wants --corpus and --keep-encoder, and no --rewordings.")
        place = check_output(out, force=force, mine=_is_ranker)
        if place.suffix != ".npz" or not place.absolute().parent.is_dir():
            raise ConfigError(f"--out {place} is no FILE.npz in a folder that exists.")
        told = (lambda line: None) if as_json else say_progress
        if corpus is not None:
            figures = _over_corpus(corpus, domains, keep_encoder, asked, place, epochs, seed, told, reworded=rewordings)
            whole = f"{counted(figures['items'], 'item')} of {counted(len(figures['domains']), 'domain')}"
        else:
            figures = _over_graph(str(kg), questions, teacher, place, epochs, seed, told)
            whole = f"{counted(figures['items'], 'item')} about {figures['graph']}"
        size = place.stat().st_size
        if as_json:
            print_json({"out": str(place), **figures, "bytes": size})
        else:
            print(f"{place}: {size / 1e6:.1f} MB, trained on {whole}.")


def _over_corpus(
    corpus: Path,
    domains: str | None,
    keep_encoder: Path | None,
    asked: Path | None,
    place: Path,
    epochs: int | None,
    seed: int,
    told: Callable[[str], None],
    *,
    reworded: bool,
) -> dict[str, Any]:
    from triplewise.train.query_graph.turns import TalkedDomain
    from triplewise.train.query_graph.wordings import wordings_of

    own = chosen_domains(corpus, domains)
    chosen = [TalkedDomain(d, reworded=reworded and keep_encoder is None) for d in own]
    wordings = wordings_of(corpus)
    training, minilm = ranker_training()
    settings = training.RankerTraining(seed=seed)
    if epochs is not None:
        settings = replace(settings, epochs=epochs)
    items = sum(1 for domain in chosen for _ in domain.items())
    if keep_encoder is not None and asked is not None:
        from triplewise.train.query_graph.asked import read_asked
        from triplewise.train.query_graph.on_answers import UPPER, train_ranker_on_answers

        upper = replace(UPPER, seed=seed)
        graphs = read_asked(asked)
        items += train_ranker_on_answers(graphs, chosen, minilm, keep_encoder, place, upper, say=told)
    elif keep_encoder is not None and reworded:
        said = in_other_words(own)
        further = replace(training.FURTHER, seed=seed)
        training.train_further(chosen, said, minilm, keep_encoder, place, further, say=told)
        items += sum(map(len, said.values()))
    elif keep_encoder is None:
        training.train_ranker(chosen, minilm, place, settings, wordings=wordings, say=told)
    else:
        training.train_upper(chosen, minilm, keep_encoder, place, settings, say=told)
    return {"domains": [d.name for d in chosen], "items": items}


def _over_graph(
    kg: str, number: int, teacher: str | None, place: Path, epochs: int | None, seed: int, told: Callable[[str], None]
) -> dict[str, Any]:
    from triplewise.agents.node import run_sync
    from triplewise.backends import load_chat_model
    from triplewise.kg import load_kg
    from triplewise.tools.query_graph.ranker import WEIGHTS
    from triplewise.tools.store_views import view_of
    from triplewise.train.query_graph.own_graph import OwnGraph, compose, reword

    store = view_of(load_kg(kg))
    training, minilm = ranker_training()
    items = compose(store, number, seed=seed)
    figures: dict[str, Any] = {"graph": store.name, "composed": len(items)}
    if teacher:
        worded = run_sync(reword(store, items, load_chat_model(teacher)))
        items, figures["without_wordings"], figures["usage"] = worded.items, worded.fallbacks, asdict(worded.usage)
        told(f"{teacher}: {len(items)} sentences; none that keep the names for {worded.fallbacks}")
    settings = replace(training.OWN, seed=seed, epochs=epochs or training.OWN.epochs)
    training.fit_ranker(OwnGraph(store.name, store, tuple(items)), minilm, WEIGHTS, place, settings, say=told)
    return {**figures, "items": len(items)}


def _is_ranker(place: Path) -> bool:
    """Whether a file holds a ranker, which a new one may replace."""
    import zipfile

    return zipfile.is_zipfile(place) and "shortlist.weight.npy" in zipfile.ZipFile(place).namelist()
