"""What ``train ranker`` and ``train reranker`` take of a corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triplewise.train.query_graph.corpus import Domain


def ranker_training() -> tuple[Any, Path]:
    """The module that trains, and MiniLM's folder; raises MissingExtraError without the extra train."""
    from triplewise.backends.embedders import minilm_folder
    from triplewise.errors import MissingExtraError

    minilm = Path(minilm_folder())
    try:
        from triplewise.train.query_graph import trainer
    except ImportError:
        raise MissingExtraError("training the ranker", "train") from None
    return trainer, minilm


def chosen_domains(corpus: Path, named: str | None) -> list[Domain]:
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


def in_other_words(domains: Iterable[Domain]) -> dict[str, list[str]]:
    """Id of an item → its sentence in other words."""
    said = defaultdict[str, list[str]](list)
    for item in (item for domain in domains for item in domain.rewordings()):
        said[item.id.rpartition("~")[0]].append(item.text)
    return said
