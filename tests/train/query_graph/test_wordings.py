"""Wordings of relations: the form of their files, and those of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from triplewise.errors import ConfigError
from triplewise.train.query_graph.corpus import DEVELOPMENT
from triplewise.train.query_graph.wordings import read_wordings, wordings_of

CORPUS = Path(__file__).resolve().parents[3] / "corpus"
CHEESE = """# cheese dairy
cheese | matured_in | cave
\twhere does the Bergkas do its ageing?
cheese | dt_sold | date
\tWhen did the Tomme go?

+ dt_sold + matured_in
\tWhat left cave 3 in May?
"""


def write(folder: Path, text: str) -> Path:
    (folder / "cheese.txt").write_text(text, encoding="utf-8")
    return folder / "cheese.txt"


def test_a_file(tmp_path: Path) -> None:
    found = read_wordings(write(tmp_path, CHEESE))
    assert (found.name, found.texts) == ("cheese", ["cheese matured in cave", "cheese dt sold date"])
    assert found.asked == [
        ("where does the Bergkas do its ageing?", [0]),
        ("When did the Tomme go?", [1]),
        ("What left cave 3 in May?", [1, 0]),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\twho?\n", r"cheese.txt:1: a sentence stands before"),
        ("a | b\n", r"cheese.txt:1: expected"),
        ("a | b | c\n\tx\na | b | d\n", r"cheese.txt:3: expected .* once"),
        ("a | b | c\n+ b + d\n", r"cheese.txt:2: 'd' is no relation"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        read_wordings(write(tmp_path, text))


def test_those_of_the_corpus() -> None:
    fields = wordings_of(CORPUS)
    assert len(fields) >= 190 and not {f.name for f in fields} & set(DEVELOPMENT)
    sentences = [text.lower() for f in fields for text, _ in f.asked]
    assert len(sentences) > 19_000 and len(set(sentences)) == len(sentences)
    for field in fields:
        assert {r for _, asked in field.asked for r in asked} == set(range(len(field.texts))), field.name
