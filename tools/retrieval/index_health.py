"""Whether an index's files on disk are what was written: Chroma reads damaged ones without a word, or dies of them.

``checksums.json`` beside Chroma's files holds a SHA-256 of each file of the vector index, and one of the vectors
that still wait in the database. They are compared before Chroma is let near the files. Files without checksums (a
build that was killed) are first tried in a child process, which a crash may end.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from triplewise.errors import BackendError, IndexMismatchError, TriplewiseError
from triplewise.files import write_text

CHECKSUMS = "checksums.json"
DATABASE = "chroma.sqlite3"
LENGTHS = "length.bin"
"""The vectors' lengths before Chroma normalised them: no search reads them, and Chroma writes them anew when it opens
an index, in places that nothing has set; so only the size of the file is compared."""
VECTORS, HEADER = "data_level0.bin", "header.bin"
"""hnswlib's vectors, and its header. The file has room for more vectors than there are; nothing has set what is there,
and Chroma may write it anew when it opens an index. So only what holds vectors is compared."""
_HEADER = struct.Struct("<i4Q")
"""Of ``header.bin``: version, offset, room in vectors, number of vectors, bytes of each."""
_SEGMENT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Chroma's folder of a vector index."""
_PROBE_SECONDS = 120
REPAIR = "Make it anew: triplewise index --repair"


class IndexDamagedError(IndexMismatchError):
    """An index's files are not what was written."""


def checksums(folder: Path) -> dict[str, str]:
    """File name → SHA-256 of the vector index's files, and of the database's waiting vectors."""
    found: dict[str, str] = {}
    for segment in sorted(p for p in folder.iterdir() if p.is_dir() and _SEGMENT.fullmatch(p.name)):
        for file in sorted(p for p in segment.iterdir() if p.is_file()):
            name = f"{segment.name}/{file.name}"
            if file.name == LENGTHS:
                found[name] = str(file.stat().st_size)
                continue
            if file.name == VECTORS:
                found[name] = _used_part(file)
                continue
            with file.open("rb") as opened:
                found[name] = hashlib.file_digest(opened, "sha256").hexdigest()
    found["waiting vectors"] = _waiting(folder / DATABASE)
    return found


def used_bytes(vectors: Path) -> int:
    """How much of hnswlib's file of vectors holds any: all of it where no header tells."""
    size = vectors.stat().st_size
    with suppress(OSError, struct.error):
        _, _, _, count, each = _HEADER.unpack_from(vectors.with_name(HEADER).read_bytes())
        return min(size, count * each)
    return size


def _used_part(vectors: Path) -> str:
    """The size of the file of vectors, and the SHA-256 of the part that holds any."""
    digest, left = hashlib.sha256(), used_bytes(vectors)
    with vectors.open("rb") as opened:
        while left and (read := opened.read(min(left, 1 << 20))):
            digest.update(read)
            left -= len(read)
    return f"{vectors.stat().st_size} {digest.hexdigest()}"


def _waiting(database: Path) -> str:
    """A hash of the vectors that Chroma has in its log and not yet in its index files."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(f"file:{_quoted(database)}?mode=ro", uri=True, timeout=10)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("the database is malformed")
        for row in connection.execute("SELECT id, vector FROM embeddings_queue ORDER BY seq_id"):
            digest.update(repr(row[0]).encode("utf-8", "replace") + (row[1] or b""))
    return digest.hexdigest()


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(str(path.absolute()))


def write_checksums(folder: Path) -> None:
    """Note what the files are now: after a finished build."""
    write_text(folder / CHECKSUMS, json.dumps(checksums(folder), indent=1) + "\n")


def forget_checksums(folder: Path) -> None:
    """Before a build changes the files."""
    (folder / CHECKSUMS).unlink(missing_ok=True)


def verify(folder: Path) -> bool:
    """Whether the files were compared with their checksums; False where there are none.

    Raises IndexDamagedError, naming the file, where one is not what was written.
    """
    try:
        noted = json.loads((folder / CHECKSUMS).read_text(encoding="utf-8"))
        if not isinstance(noted, dict):
            raise ValueError("no object")
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        raise IndexDamagedError(f"the index at {folder} is damaged: {CHECKSUMS} cannot be read.", REPAIR) from None
    try:
        found = checksums(folder)
    except (OSError, sqlite3.Error) as error:
        raise IndexDamagedError(f"the index at {folder} is damaged: {error}.", REPAIR) from None
    for name in sorted(noted.keys() | found.keys()):
        if noted.get(name) != found.get(name):
            what = "is missing" if name not in found else "is not of it" if name not in noted else "was changed"
            raise IndexDamagedError(f"the index at {folder} is damaged: {name} {what}.", REPAIR)
    return True


def try_out(folder: Path, dimension: int) -> None:
    """Open the index and search it in a child process; raises IndexDamagedError where that fails or crashes."""
    job = json.dumps({"sys_path": sys.path, "folder": str(folder), "dimension": dimension})
    command = [sys.executable, "-P", str(Path(__file__).with_name("index_probe.py"))]
    try:
        done = subprocess.run(command, input=job.encode(), capture_output=True, timeout=_PROBE_SECONDS, check=False)
        failed = done.returncode
    except subprocess.TimeoutExpired:
        failed = -1
    if failed:
        raise IndexDamagedError(f"the index at {folder} is damaged: Chroma fails on it.", REPAIR)


def remove(folder: Path) -> None:
    """Remove Chroma's files and the checksums; nothing else that may lie in the folder."""
    for path in list(folder.iterdir()) if folder.is_dir() else []:
        if path.is_dir() and _SEGMENT.fullmatch(path.name):
            shutil.rmtree(path)
        elif path.is_file() and (path.name == CHECKSUMS or path.name.startswith(DATABASE)):
            path.unlink()
    if (cached := sys.modules.get("chromadb.api.shared_system_client")) is not None:
        cached.SharedSystemClient.clear_system_cache()  # else this process would go on with the removed files


@contextmanager
def chroma_errors(place: Any, doing: str) -> Iterator[None]:
    """Chroma's own errors as one of ours: a full disk, a collection that another process removed, a Rust panic."""
    try:
        yield
    except TriplewiseError:
        raise
    except (KeyError, IndexError):
        raise IndexMismatchError(
            f"the index at {place} was changed by another process meanwhile.", "Ask again, or bring it up to date."
        ) from None
    except BaseException as error:
        if not type(error).__module__.startswith(("chromadb", "pyo3_runtime", "sqlite3", "httpx")):
            raise
        if type(error).__name__ == "NotFoundError":
            raise IndexMismatchError(
                f"the index at {place} was removed by another process meanwhile.", "Make it with: triplewise index"
            ) from None
        said = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise BackendError(
            f"the index at {place} cannot be {doing}: {said}", f"Is the disk full? Where that is mended: {REPAIR}"
        ) from None
