"""The corpus: every query of every domain gives the answers that its item says."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.train.query_graph.corpus import DEVELOPMENT, Domain, check

CORPUS = Path(__file__).resolve().parents[3] / "corpus"
DOMAINS = sorted(p for p in CORPUS.iterdir() if p.is_dir())


def test_there_are_36_domains_of_which_8_are_never_trained_on() -> None:
    assert len(DOMAINS) == 36 and set(DEVELOPMENT) < {p.name for p in DOMAINS} and len(DEVELOPMENT) == 8


@pytest.mark.parametrize("folder", DOMAINS, ids=lambda p: p.name)
def test_every_query_gives_the_answers_of_its_item(folder: Path) -> None:
    assert check(Domain(folder)) == []
