"""Which column tells what the rows of a table are called, where the first one holds ids and none is headed "name"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from triplewise.kg.formats.cells.dates import iso_date
from triplewise.kg.formats.cells.numbers import plain_number
from triplewise.kg.values import parse_value

_ID = re.compile(r"(?=.*\d)(?:[A-Z0-9]{1,8}[-_./#]?){1,4}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TOPICS = {"subject", "task"}
"""What is told of a thing itself, whatever it is."""
_DESCRIBING = {"description", "summary"}
"""Names beside an id alone: the "X200" under "Laptop" is called so."""
_PLACES = {"address", "street"}
_PREMISES = {"property", "house", "flat", "apartment", "building", "home", "site", "unit", "letting", "tenancy"}
"""Rows that are where their address is; others may have somebody's."""
_FIRMS = {"company", "firm", "business", "organisation", "organization"}
_TRADERS = {
    "supplier", "vendor", "dealer", "seller", "customer", "client", "account", "manufacturer", "maker", "wholesaler",
    "retailer", "distributor", "publisher", "importer", "exporter", "carrier", "haulier", "shipper", "insurer",
    "contractor", "subcontractor", "lender", "sponsor", "partner", "exhibitor", "competitor", "employer",
}  # fmt: skip
"""Rows that are the firm right beside their id; a job or a contact has one."""
_THINGS = {"product", "item", "device", "model", "city", "town", "company", "customer"}
"""Things of their own, which another thing may have: an order has a customer."""
_QUALIFIERS = {"full", "short", "street", "property", "site", "product", "item", "task", "device"}
_FIRST_NAMES = {"first name", "firstname", "given name", "forename", "vorname"}
_LAST_NAMES = {"last name", "lastname", "family name", "surname", "nachname"}
_FEWEST = 3
"""Rows; of two any column is apt to tell them apart."""
_LONGEST = 80
"""Characters of a name; what is longer describes."""


def are_ids(cells: Sequence[str]) -> bool:
    """Whether the cells of a first column are such as "P001", "12" or a UUID; years are names."""
    return all(_ID.fullmatch(cell) and parse_value(cell).kind != "year" for cell in cells)


def naming_places(
    header: Sequence[str], columns: Sequence[Sequence[str]], kinds: tuple[str, str], *, headed: bool
) -> tuple[int, ...]:
    """The columns that call the rows, two for a given name and a family name; none where no header says so.

    Each cell of the column must be filled with other words than the others. "Landlord" or "email" may do that in a
    small table too, so the header tells. It is the word for the rows themselves (``kinds``: by the first header, "ship"
    beside "ship_id", and all in all, by the file where that says nothing), with "name" behind it for namesakes too;
    else a topic ("subject"; "description" where the first column is ``headed`` as an id), or an address, of premises or
    before all else that tells the rows apart; else, right beside the id, a firm, of rows that trade ("company" beside
    "supplier_id"), or the word for a thing ("product", "city") where the id does not say what the rows are.
    """
    if len(columns[0]) < _FEWEST or len(set(columns[0])) < len(columns[0]):
        return ()
    heads = [" ".join(words_of_header(cell)) for cell in header]
    places = {head: place for place, head in reversed(list(enumerate(heads))) if place}
    first, last = (next((places[h] for h in places if h in known), 0) for known in (_FIRST_NAMES, _LAST_NAMES))
    if first and last and _are_names(_joined(columns[first], columns[last])):
        return first, last
    words = [words_of_header(kind) for kind in kinds]
    called = [" ".join(found) for found in words if found]
    about, topics = {*words[0], *words[1]}, _TOPICS | (_DESCRIBING if headed else set())
    apart = [place for place in range(1, len(header)) if _tell_apart(columns[place])]
    told = {place: _bare(heads[place], about) for place in apart}
    for place in range(1, len(header)):
        name = heads[place].endswith(" name") and _are_names(columns[place])
        if heads[place].removesuffix(" name") in called and (name or _tell_apart(columns[place], mostly=True)):
            return (place,)
    for place in apart:
        premises = bool(_PREMISES.intersection(about)) or place == apart[0]
        if told[place] in topics or (told[place] in _PLACES and premises):
            return (place,)
    beside = told.get(1)
    trades = not _TRADERS.isdisjoint(about)
    return (1,) if (trades and beside in _FIRMS) or (not words[0] and beside in _THINGS) else ()


def _bare(head: str, about: Collection[str]) -> str:
    """A header without "name", what the rows are, and words such as "full": "Property address" is an address."""
    *before, last = head.removesuffix(" name").split(" ")
    return " ".join([word for word in before if word not in _QUALIFIERS and word not in about] + [last])


def _joined(first: Sequence[str], last: Sequence[str]) -> list[str]:
    return [f"{a} {b}" if a and b else "" for a, b in zip(first, last, strict=True)]


def _tell_apart(cells: Sequence[str], *, mostly: bool = False) -> bool:
    """Whether each cell is a name that no other has. ``mostly``: some may read as a number with a unit ("6 eggs")."""
    if not all(cell and len(cell) <= _LONGEST for cell in cells):
        return False
    texts = sum(map(_is_text, cells))
    fit = 2 * texts >= len(cells) if mostly else texts == len(cells)
    return fit and len({cell.casefold() for cell in cells}) == len(cells)


def _are_names(cells: Sequence[str]) -> bool:
    """Whether the cells are names of the rows, of which two may be namesakes, and one in ten."""
    filled = all(cell and len(cell) <= _LONGEST and _is_text(cell) for cell in cells)
    return filled and 10 * len({cell.casefold() for cell in cells}) >= 9 * len(cells) - 10


def names_rows(cells: Sequence[str]) -> bool:
    """Whether a column headed "title" or "label" names the rows: "Mrs" and "Mr" do not."""
    filled = [cell.casefold() for cell in cells if cell]
    return len(filled) < _FEWEST or 10 * len(set(filled)) >= 9 * len(filled)


def _is_text(cell: str) -> bool:
    return parse_value(cell).kind == "text" and iso_date(cell) is None and plain_number(cell, comma=True) is None


def words_of_header(header: str) -> list[str]:
    """The words of a header, in lower case: "first", "name" of "firstName"."""
    return re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", header).lower())


_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman"}


def singular(word: str) -> str:
    """A noun as one of its kind is called, by its ending: "pupil" of "pupils"; most others stay."""
    if one := _IRREGULAR.get(word):
        return one
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "series", "species")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes", "sses", "xes")) else word[:-1]
