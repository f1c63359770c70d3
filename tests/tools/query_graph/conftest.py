"""A table of boats that claims are made of."""

from __future__ import annotations

import pytest

from triplewise.kg import KGStore, load_kg

BOATS = """boat,length_m,owner,harbour,insured,built,surveyed
Falcon,12.5,Ann Doyle,Ufer,yes,1998,2020
Heron,9.2,Cal Hume,Ufer,no,2004,
Osprey,10.1,Cal Hume,Rona,yes,2010,2021
"""


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> KGStore:
    """Three boats, of one of which the graph tells no survey."""
    path = tmp_path_factory.mktemp("boats") / "boats.csv"
    path.write_text(BOATS, encoding="utf-8")
    return load_kg(path)
