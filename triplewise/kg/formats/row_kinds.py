"""What the rows of a table are, by the header of their first column and by the file's name."""

from __future__ import annotations

import re

from triplewise.kg.formats.row_names import singular, words_of_header

NAMES = {"name", "label", "title", "fullname", "displayname"}
KEYS = {
    "", "id", "key", "code", "nr", "no", "number", "identifier", "ref", "reference", "uuid", "index", "unnamed0",
    "reg", "registration", "sku", "isbn", "ean", "barcode", "serial", "vin", "username", "login", "email", "surname",
    "firstname", "lastname", "givenname", "familyname", "nickname", *NAMES,
}  # fmt: skip
"""Headers of a first column that say how a thing is told apart, not what it is."""
_KEY_WORD = re.compile(
    r"(?:[\s_-]+(?i:id|key|code|nr|no|number|name|ref|reference|reg|registration|sku|uuid)|"
    r"(?<=[a-z])(?:Id|ID|Key|Code|Nr|No|Number|Name|Ref|Reg))$"
)
""""ship_id" and "Ship name" are about ships."""
_OF_A_NAME = {"first", "last", "given", "family", "full", "short", "display", "serial", "registration", "reference"}
"""A "first name" is no name of a first."""
_NO_KIND = {"data", "table", "tables", "sheet", "export", "list", "file", "graph", "all", "new", "final", "copy", "csv"}
"""Words of a file's name that do not say what its rows are."""


def plain(header: str) -> str:
    """The letters and digits of a header, in lower case."""
    return re.sub(r"[^a-z0-9]+", "", header.lower())


def named_thing(header: str) -> str:
    """What a header says that a thing is, as it writes it: "Ship" of "Ship_ID"; "" of "id" and "First name"."""
    word = _KEY_WORD.sub("", header.strip().rstrip(" .:#"))
    return "" if plain(word) in KEYS or (word != header.strip() and plain(word) in _OF_A_NAME) else word


def heads_key(header: str) -> bool:
    """Whether a header says how its things are told apart or called: "id", "Name", "ship_id"."""
    return plain(header) in KEYS - {""} or bool(_KEY_WORD.search(header.strip().rstrip(" .:#")))


def heads_ids(relation: str) -> bool:
    """Whether a column is headed as one of ids, which may be other rows' ("boss_id")."""
    return plain(relation).endswith(("id", "nr", "no", "ref", "key"))


def kind_key(header: str) -> str:
    """What the header of a column says that its cells are, to be compared: "ship" of "Ship_ID" and "ships"."""
    return " ".join(map(singular, words_of_header(_KEY_WORD.sub("", header.strip().rstrip(" .:#")))))


def kind_of_file(stem: str) -> str:
    """What the rows of a file are by its name: "teacher" of "teachers", "School - teachers" and "teachers_2024"."""
    words = _words_of_file(stem)
    return " ".join([*words[:-1], singular(words[-1])]) if words else ""


def is_plural(stem: str) -> bool:
    """Whether the name of a file is a noun for several: "ships", not "fleet" or "x"."""
    return bool(words := _words_of_file(stem)) and singular(words[-1]) != words[-1]


def _words_of_file(stem: str) -> list[str]:
    return [w for w in re.findall(r"[^\W\d_]+", stem.rsplit(" - ", 1)[-1]) if w.casefold() not in _NO_KIND]


def kind_of_rows(header: str, stem: str) -> str:
    """What the rows of a table are by the header of their first column, where it names them: "Ship", "ship_id". "" of
    "id", and of "Cust No" in a file of customers, which is short for what the file's name says."""
    word = named_thing(header)
    return "" if _is_short_for(plain(word), kind_of_file(stem)) else word


def _is_short_for(word: str, kind: str) -> bool:
    """Whether a word has the first letter and some others of the last word of a kind, in its order, as "cust", "eng"
    and "mbr" of customer, engineer and member."""
    whole = kind.casefold().rsplit(" ", 1)[-1]
    letters = iter(whole)
    return bool(word) and word[0] == whole[:1] and len(word) < len(whole) and all(c in letters for c in word)
