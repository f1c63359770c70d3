"""Cells that list several things, and those that only look so."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.kg import load_kg
from triplewise.kg.formats.cells.lists import listed


@pytest.mark.parametrize(
    ("cells", "lists"),
    [
        (["brass, glass", "brass", "glass"], {"brass, glass": ("brass", "glass")}),
        (["brass, glass, oak", "brass", "glass"], {}),
        (["Leeds, England", "York, England"], {}),
        (["Roe, Ada", "Lund, Bo"], {}),
        (["oil; gas", "gas; coal"], {"oil; gas": ("oil", "gas"), "gas; coal": ("gas", "coal")}),
        (["oil | gas", "coal", "gas"], {"oil | gas": ("oil", "gas")}),
        (["Sales; South", "Platform"], {}),
        (["oil; gas", "gas", "It broke; we mended it."], {}),
        (["oil; gas", "gas", "one that goes on for ever and ever; gas"], {}),
        (["gas; gas", "gas"], {}),
        (["gas; ", "gas"], {}),
        (["Ada, Bo", "Bo"], {"Ada, Bo": ("Ada", "Bo")}),
        (
            ["wood, tin", "tin, zinc", "lead, wax", "wax"],
            {"wood, tin": ("wood", "tin"), "tin, zinc": ("tin", "zinc"), "lead, wax": ("lead", "wax")},
        ),
        (["Leeds, England", "York, England", "England"], {}),
        (["1 Low Road, Leeds", "2 Low Road, Leeds", "Leeds, England"], {}),
        (["Hardy, Thomas", "Thomas, Dylan", "Roe, Jo"], {}),
        (["wood, tin", "tin, zinc", "wood", "It fell, and the leg broke."], {}),
        (["Ada, Bo & Sons", "Ada", "Bo & Sons"], {}),
    ],
)
def test_listed(cells: list[str], lists: dict[str, tuple[str, ...]]) -> None:
    assert listed(cells, {"Ada", "Ada, Bo & Sons"}) == lists


def test_lists_of_a_table_are_several_triples(tmp_path: Path) -> None:
    path = tmp_path / "lamps.csv"
    path.write_text(
        'Lamp,Materials,Hangs near,Sizes,Order no\nAurora,"brass, glass","Bella, Cora",12,"7, 8"\n'
        "Bella,brass,Cora,9,7\nCora,glass,,10,8\n",
        encoding="utf-8",
    )
    kg = load_kg(path)
    told = {(t.relation, t.tail) for t in kg.triples(head="Aurora")}
    assert told == {
        ("Materials", "brass"),
        ("Materials", "glass"),
        ("Hangs near", "Bella"),
        ("Hangs near", "Cora"),
        ("Sizes", "12"),
        ("Order no", "7, 8"),
    }
