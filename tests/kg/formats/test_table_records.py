"""Tables as people save them: what is passed over, what is left out with a warning, and what is told."""

from __future__ import annotations

import logging
import zipfile
from pathlib import Path

import pytest

from triplewise.errors import GraphFileError
from triplewise.kg import load_kg

PLAIN = "Name,Town,Phone,Sold\nJo,Leeds,12,5\nAnn Lee,Hexham,13,7\nBo,York,14,8\n"


def load(tmp_path: Path, text: str | bytes, name: str = "people.csv") -> set[tuple[str, str, str]]:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return {(t.head, t.relation, t.tail) for t in load_kg(path).triples()}


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("\n", ",\n"),
        PLAIN.replace(",Phone", ",,Phone").replace(",1", ",,1"),
        PLAIN.replace("12,5\n", "12,5,,\n"),
        PLAIN.replace("Bo", ",,,\nBo") + ",,,\n",
    ],
    ids=["an empty last column", "an empty column", "cells behind the last", "empty rows"],
)
def test_what_is_empty_is_passed_over(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, text) == load(tmp_path, PLAIN, "plain.csv")


@pytest.mark.parametrize("sums", ["Total,,,20\n", ",,Total,20\n", "Grand total,,,20\n", "Average,,,6.7\n"])
def test_a_row_of_totals_is_left_out_with_a_warning(
    tmp_path: Path, sums: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert load(tmp_path, PLAIN + sums) == load(tmp_path, PLAIN, "plain.csv")
    (warning,) = caplog.messages
    assert "people.csv:5: left out as a row of totals" in warning


def test_a_row_that_begins_with_total_and_tells_more_is_none(tmp_path: Path) -> None:
    assert ("Total Eclipse", "Town", "Bath") in load(tmp_path, PLAIN + "Total Eclipse,Bath,15,9\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAIN.replace("Phone", "Town"), ':1: columns 2 and 3 of the table have the same header, "Town". Give each'),
        (PLAIN.replace("Phone", ""), ":1: column 3 of the table has no header. The first line names all"),
        ("Staff in 2024,,,\n" + PLAIN, ":1: column 2 of the table has no header"),
        (PLAIN.replace("13,7", "13"), ":3: 3 columns instead of the header's 4."),
        (PLAIN.replace("Hexham", "Hexham, UK"), ":3: 5 columns instead of the header's 4. Put a cell"),
        (PLAIN.replace("Leeds", "Malmö").encode("cp1252"), ":2: byte 8 is not UTF-8"),
        (PLAIN.encode("utf-16"), "this is UTF-16. Save the file as UTF-8"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", r"an old Excel workbook (.xls). Save each of its sheets as CSV"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(GraphFileError) as caught:
        load(tmp_path, text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "text", "message"),
    [
        ("[Content_Types].xml", "<x/>", "this is a workbook. Save each of its sheets as CSV"),
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "this is a workbook"),
        ("graph.csv", "a,b,c", "this is a zip archive. Unpack it"),
    ],
)
def test_a_workbook_is_no_archive_to_unpack(tmp_path: Path, entry: str, text: str, message: str) -> None:
    path = tmp_path / "book.csv"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(entry, text)
    with pytest.raises(GraphFileError, match=message):
        load_kg(path)
