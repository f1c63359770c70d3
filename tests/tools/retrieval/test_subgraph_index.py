"""The Chroma index: made once, resumed, updated by what changed, refused where it does not belong."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest
from word_embedder import WordEmbedder

from triplewise.errors import BackendError, ConfigError, IndexMismatchError
from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval import subgraph_index
from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.types import Triple

pytest.importorskip("chromadb", reason="needs the extra 'vector'")

TRIPLES = [(f"film {i}", "directed_by", f"person {i % 7}") for i in range(40)] + [
    (f"film {i}", "has_genre", f"genre {i % 3}") for i in range(40)
]


def store(triples: list[tuple[str, str, str]] = TRIPLES, name: str = "small") -> NetworkxStore:
    return NetworkxStore(triples, name=name)


def made(place: Path | str, kg: NetworkxStore | None = None, embedder: WordEmbedder | None = None) -> SubgraphIndex:
    return SubgraphIndex(kg or store(), embedder or WordEmbedder(), place)


def all_vectors(index: SubgraphIndex) -> np.ndarray:
    return index.vectors(np.arange(len(index.table)))


def test_build_then_nothing_to_do(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    first = made(tmp_path).build(lambda *n: told.append(n))
    assert (first.triples, first.written, first.removed) == (80, 80, 0)
    assert told[0] == (0, 80) and told[-1] == (80, 80)
    again = made(tmp_path)
    assert again.is_current()
    assert again.build().written == 0
    assert again.embedder.encoded == []  # pyright: ignore[reportAttributeAccessIssue]


def test_vectors_are_the_texts_embedded(tmp_path: Path) -> None:
    index = made(tmp_path)
    index.build()
    from triplewise.tools.retrieval.subgraph_text import SubgraphTexts

    expected = WordEmbedder().documents(SubgraphTexts(index.table, SubgraphRule()).texts(range(80)))
    assert all_vectors(made(tmp_path)) == pytest.approx(expected, abs=1e-6)


def test_only_what_changed_is_embedded_again(tmp_path: Path) -> None:
    made(tmp_path).build()
    changed = [t for t in TRIPLES if t[0] != "film 3"] + [("film 99", "directed_by", "somebody new")]
    index = made(tmp_path, store(changed))
    assert not index.is_current()
    with pytest.raises(IndexMismatchError, match="another state of the graph"):
        index.check()
    report = index.build()
    assert report.removed == 2
    assert 1 <= report.written < 30  # the new triple, and those whose sub-graph text named film 3
    assert all_vectors(index) == pytest.approx(_fresh(tmp_path / "fresh", changed), abs=1e-6)


def test_it_follows_the_edits_of_a_store_on_disk(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph", reason="needs the extra 'stores'")
    from triplewise.kg.stores.edits import editing
    from triplewise.kg.stores.importer import import_graph
    from triplewise.kg.stores.oxigraph import OxigraphStore

    (tmp_path / "small.tsv").write_text("".join("\t".join(t) + "\n" for t in TRIPLES))
    import_graph(tmp_path / "small.tsv", tmp_path / "store")

    def index() -> SubgraphIndex:
        return SubgraphIndex(OxigraphStore(tmp_path / "store"), WordEmbedder(), tmp_path / "index")

    assert index().build().written == 80
    with editing(tmp_path / "store") as editor:
        editor.add([Triple("film 99", "directed_by", "somebody new")])
        editor.remove([Triple("film 3", "has_genre", "genre 0")])
    assert not index().is_current()
    report = index().build()
    assert report.removed == 1 and 1 <= report.written < 30 and index().is_current()
    with editing(tmp_path / "store") as editor:
        editor.undo(2)
    assert index().build().removed == 1 and index().is_current()


def _fresh(place: Path, triples: list[tuple[str, str, str]]) -> np.ndarray:
    index = made(place, store(triples))
    index.build()
    return all_vectors(index)


def test_another_graph_embedder_or_rule_is_refused(tmp_path: Path) -> None:
    made(tmp_path).build()
    with pytest.raises(IndexMismatchError, match="made with graph 'small', not 'other'"):
        made(tmp_path, store(name="other")).build()
    with pytest.raises(IndexMismatchError, match="embedder"):
        made(tmp_path, embedder=WordEmbedder("others")).build()
    with pytest.raises(IndexMismatchError, match="rule"):
        SubgraphIndex(store(), WordEmbedder(), tmp_path, PLAIN).check()
    with pytest.raises(IndexMismatchError, match="is of another graph: of its 80 triples, 0 are in this one"):
        made(tmp_path, store([("x", "r", "y")])).build()
    assert made(tmp_path).is_current()


def test_places_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(IndexMismatchError, match="there is no index"):
        made(tmp_path / "none").check()
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match="no index can be at ftp://there"):
        made("ftp://there")
    with pytest.raises(ConfigError, match="cannot be written: it is no folder"):
        made(tmp_path / "file").build()
    with pytest.raises(BackendError, match="no Chroma server answers at"):
        made("http://127.0.0.1:9").check()


def test_two_writers_are_refused(tmp_path: Path) -> None:
    from filelock import FileLock

    with FileLock(tmp_path / "writing.lock"), pytest.raises(ConfigError, match="another process is writing"):
        made(tmp_path).build()


def test_nearest_of_the_whole_graph(tmp_path: Path) -> None:
    index = made(tmp_path)
    index.build()
    query = WordEmbedder().queries(["film 12 has genre genre 0"])[0]
    scores = all_vectors(made(tmp_path)) @ query
    best = set(np.argsort(-scores)[:10].tolist())
    assert len(best & set(index.nearest(query, 10).tolist())) >= 9  # HNSW
    all_vectors(index)
    assert set(index.nearest(query, 10).tolist()) == best


BUILD = """
import sys, time
sys.path.append({support!r})
from word_embedder import WordEmbedder
from triplewise.tools.retrieval import subgraph_index
subgraph_index.BATCH = 50
from triplewise.kg import NetworkxStore
class Slow(WordEmbedder):
    def documents(self, texts):
        time.sleep(0.03)
        return super().documents(texts)
kg = NetworkxStore([(f"a{{i}}", "r", f"b{{i % 50}}") for i in range(2000)], name="big")
report = subgraph_index.SubgraphIndex(kg, Slow(), sys.argv[1]).build(lambda done, todo: print(done, flush=True))
print("written", report.written)
"""


@pytest.mark.slow
def test_a_killed_build_goes_on_without_loss_or_doubles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = BUILD.format(support=str(Path(__file__).parents[2] / "support"))
    place = tmp_path / "index"
    written = 0
    for kill_after in (3, 9):
        with subprocess.Popen([sys.executable, "-c", script, str(place)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for n, line in enumerate(process.stdout):
                if n == kill_after:
                    written = max(written, int(line))
                    os.kill(process.pid, signal.SIGKILL)
                    break
    done = subprocess.run(
        [sys.executable, "-c", script, str(place)], capture_output=True, text=True, check=True, timeout=120
    )
    again = int(done.stdout.split()[-1])
    assert 0 < again <= 2000 - 50 * 9  # what was reported before the kills is not embedded again
    kg = NetworkxStore([(f"a{i}", "r", f"b{i % 50}") for i in range(2000)], name="big")
    index = SubgraphIndex(kg, WordEmbedder(), place)
    index.check()
    assert index._collection.count() == 2000
    from triplewise.tools.retrieval.subgraph_text import SubgraphTexts

    expected = WordEmbedder().documents(SubgraphTexts(index.table, SubgraphRule()).texts(range(2000)))
    assert all_vectors(index) == pytest.approx(expected, abs=1e-6)


@pytest.fixture
def chroma_server(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(tmp_path / "served"),
               "--host", "127.0.0.1", "--port", str(port)]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
        process.kill()


SERVED = """
import sys, warnings
warnings.simplefilter("ignore", ResourceWarning)  # chromadb never closes its HTTP client
sys.path.append({support!r})
import numpy as np
from word_embedder import WordEmbedder
from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
def made(name):
    return SubgraphIndex(NetworkxStore([(f"a{{i}}", "r", f"b{{i % 5}}") for i in range(80)], name=name), WordEmbedder(), sys.argv[1])
assert made("first").build().written == 80
assert made("first").is_current() and made("first").build().written == 0
assert made("first").vectors(np.arange(80)).shape == (80, 64)
assert not made("second").is_current()  # a server holds many graphs
assert made("second").build().written == 80
print("all good")
"""


def test_a_chroma_server_by_url(chroma_server: str) -> None:
    script = SERVED.format(support=str(Path(__file__).parents[2] / "support"))
    done = subprocess.run([sys.executable, "-c", script, chroma_server], capture_output=True, text=True, timeout=120)
    assert done.stdout == "all good\n", done.stderr


@pytest.fixture
def behind_a_password(chroma_server: str) -> Iterator[str]:
    """The Chroma server behind a proxy that lets in only who shows a token, as one is set up in front of it."""

    class Proxy(BaseHTTPRequestHandler):
        def forward(self) -> None:
            if self.headers["Authorization"] != "Bearer open-sesame":
                self.send_error(401, "Unauthorized")
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
            kind = {"Content-Type": self.headers.get("Content-Type", "application/json")}
            asked = Request(chroma_server + self.path, data=body, method=self.command, headers=kind)
            try:
                with urlopen(asked) as reply:
                    status, found = reply.status, reply.read()
            except HTTPError as error:
                status, found = error.code, error.read()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(found)))
            self.end_headers()
            self.wfile.write(found)

        do_GET = do_POST = do_PUT = do_DELETE = forward

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_a_chroma_server_behind_a_token(behind_a_password: str) -> None:
    script = SERVED.format(support=str(Path(__file__).parents[2] / "support"))

    def run(**token: str) -> subprocess.CompletedProcess[str]:
        command, environment = [sys.executable, "-c", script, behind_a_password], {**os.environ, **token}
        return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)

    refused = run(TRIPLEWISE_CHROMA_TOKEN="wrong")
    assert "ConfigError" in refused.stderr and "refuses access" in refused.stderr and not refused.stdout
    assert run(TRIPLEWISE_CHROMA_TOKEN="open-sesame").stdout == "all good\n"


def test_a_table_of_the_same_graph_is_shared(tmp_path: Path) -> None:
    table = TripleTable(store())
    index = SubgraphIndex(table.kg, WordEmbedder(), tmp_path, table=table)
    index.build()
    assert index.table is table
    assert json.dumps(index._made_with())
    assert subgraph_index.default_place(store(), "minilm@1", SubgraphRule()).name.startswith("small-minilm")


@pytest.mark.parametrize(("n", "page"), [(230, 7), pytest.param(34_000, subgraph_index._PAGE, marks=pytest.mark.slow)])
def test_an_update_reads_what_is_stored_page_by_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int, page: int
) -> None:
    """SQLite takes 32,766 variables in a statement; Chroma's ``get`` of more records fails."""
    monkeypatch.setattr(subgraph_index, "_PAGE", page)
    triples = [(f"a{i}", "r", f"b{i}") for i in range(n)]
    SubgraphIndex(NetworkxStore(triples, name="g"), WordEmbedder(), tmp_path / "i").build()
    more = NetworkxStore([*triples[5:], ("new", "r", "one")], name="g")
    report = SubgraphIndex(more, WordEmbedder(), tmp_path / "i").build()
    assert (report.written, report.removed) == (1, 5)
