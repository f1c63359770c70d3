"""Who is "he" and who "she": by what the graph tells, by a title, by a first name."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.kg import load_kg
from triplewise.tools.query_graph.schema_view import SchemaView
from triplewise.tools.text.first_names import MEN, WOMEN
from triplewise.tools.text.genders import Genders

GRAPH = """\
Robin Vale\tgender\tf
Robin Hart\tsex\tMale
Kim Roe\tmother\tSasha Roe
Kim Roe\tbrother of\tToni Roe
Noor Adil\ttype\tactress
Quill\ttype\tmare
Dr Zoë Pell\tworks at\tMain Street
Mrs Quorn\tworks at\tMain Street
Baron Oddly\tworks at\tMain Street
Jürgen Ost\tworks at\tMain Street
Robin Doe\tworks at\tMain Street
Alex Rose\tworks at\tMain Street
"""


@pytest.fixture(scope="module")
def genders(tmp_path_factory: pytest.TempPathFactory) -> Genders:
    path: Path = tmp_path_factory.mktemp("genders") / "people.tsv"
    path.write_text(GRAPH, encoding="utf-8")
    return Genders(SchemaView(load_kg(path)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Robin Vale", "she"), ("Robin Hart", "he"),
        ("Sasha Roe", "she"), ("Kim Roe", "he"), ("Toni Roe", ""),
        ("Noor Adil", "she"), ("Quill", "she"),
        ("Dr Zoë Pell", "she"), ("Mrs Quorn", "she"), ("Baron Oddly", "he"),
        ("Jürgen Ost", "he"), ("Robin Doe", ""), ("Alex Rose", ""), ("Main Street", ""),
    ],
)  # fmt: skip
def test_gender(genders: Genders, name: str, expected: str) -> None:
    assert genders.of(name) == expected


def test_no_name_is_in_both_lists() -> None:
    assert not WOMEN & MEN
