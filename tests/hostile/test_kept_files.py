"""Files of ours that others read, damage, fill or change: attack.md 2, 3, 4, 13, 14, 15, 17, 21, 26, 28, 30."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from fuzzing import Counted, examples
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration

from triplewise.backends.cache import LLMCache
from triplewise.backends.llama.gbnf import choice, choice_list, permutation
from triplewise.backends.llama.gbnf_check import check
from triplewise.errors import ConfigError, IndexMismatchError, TriplewiseError
from triplewise.evals.accounting.ledger import Ledger, LedgerError, read_ledger
from triplewise.files import atomic, check_output, write_text
from triplewise.kg import NetworkxStore
from triplewise.tools.retrieval.index_health import LENGTHS, VECTORS, used_bytes
from triplewise.tools.text.relation_text import AlignedSentence, read_alignment, write_alignment

REPLY = [ChatGeneration(message=AIMessage("Ridley Scott"))]


# the cache ------------------------------------------------------------------------------------


def test_the_cache_is_its_owners_alone(tmp_path: Path) -> None:
    os.umask(0o022)
    path = tmp_path / "home" / "triplewise" / "llm.sqlite"
    cache = LLMCache(path)
    cache.update("p", "m", REPLY)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    cache.close()
    path.chmod(0o644)
    LLMCache(path).close()  # one that an earlier version made for all to read
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_value_that_is_not_utf8(tmp_path: Path) -> None:
    cache = LLMCache(tmp_path / "c.sqlite")
    cache.update("p", "m", REPLY)
    cache.close()
    with sqlite3.connect(tmp_path / "c.sqlite") as connection:
        connection.execute("UPDATE replies SET value = CAST(x'ff00fe' AS TEXT)")
    connection.close()
    cache = LLMCache(tmp_path / "c.sqlite")
    assert cache.damaged() == 1 and cache.lookup("p", "m") is None and len(cache) == 0
    cache.close()


def _flips(tmp_path: Path, number: int) -> None:
    clean = tmp_path / "clean.sqlite"
    cache = LLMCache(clean)
    for i in range(40):
        cache.update(f"p{i}", "m", [ChatGeneration(message=AIMessage(f"reply {i} " * 20))])
    cache.close()
    data, rng = clean.read_bytes(), random.Random(1)
    for n in range(number):
        path = tmp_path / f"{n}.sqlite"
        at = rng.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
        try:
            cache = LLMCache(path)
        except ConfigError:
            continue  # told: no cache of ours any more
        for i in range(40):
            found = cache.lookup(f"p{i}", "m")
            assert found is None or found[0].text == f"reply {i} " * 20
        assert isinstance(cache.damaged(), int)
        cache.close()
        for file in tmp_path.glob(f"{n}.sqlite*"):
            file.unlink()


def test_bit_flips_in_the_cache(tmp_path: Path) -> None:
    _flips(tmp_path, 60)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_bit_flips_in_the_cache(tmp_path: Path, count: Counted) -> None:
    _flips(tmp_path, 1000)
    count("1,000 bit flips in the cache: 0 wrong replies, 0 tracebacks")


def test_a_locked_cache_costs_one_wait(tmp_path: Path) -> None:
    cache = LLMCache(tmp_path / "c.sqlite")
    other = sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    started = time.monotonic()
    for i in range(5):
        cache.update(f"p{i}", "m", REPLY)
    assert time.monotonic() - started < 9
    other.close()
    cache.close()


# the index ------------------------------------------------------------------------------------

chromadb = pytest.importorskip("chromadb")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[NetworkxStore, Path]:
    from word_embedder import WordEmbedder

    from triplewise.tools.retrieval.subgraph_index import SubgraphIndex

    kg = NetworkxStore.from_triples([(f"e{i}", f"r{i % 7}", f"e{i * 7 % 2100}") for i in range(2100)])
    place = tmp_path_factory.mktemp("index") / "i"
    SubgraphIndex(kg, WordEmbedder(), place).build()
    return kg, place


def _open(kg: NetworkxStore, place: Path) -> Any:
    from word_embedder import WordEmbedder

    from triplewise.tools.retrieval.subgraph_index import SubgraphIndex

    return SubgraphIndex(kg, WordEmbedder(), place)


@pytest.mark.parametrize("how", ["empty", "cut", "flipped", "removed", "folder removed", "database cut"])
def test_a_damaged_index_is_found_and_repaired(built: tuple[NetworkxStore, Path], tmp_path: Path, how: str) -> None:
    kg, whole = built
    place = tmp_path / "i"
    shutil.copytree(whole, place)
    (segment,) = [p for p in place.iterdir() if p.is_dir()]
    for file in sorted(segment.iterdir()) if "folder" not in how and "database" not in how else [segment]:
        if how == "flipped" and file.name == LENGTHS:
            continue  # no search reads it, and Chroma itself writes it anew
        kept = None if file.is_dir() else file.read_bytes()
        used = used_bytes(file) if file.name == VECTORS else len(kept or b"")
        if how == "flipped" and not used:
            continue  # all vectors still wait in the database
        if how == "folder removed":
            shutil.rmtree(file)
        elif how == "database cut":
            (place / "chroma.sqlite3").write_bytes((place / "chroma.sqlite3").read_bytes()[:50_000])
        elif how == "removed":
            file.unlink()
        elif kept:
            middle = used // 2 if how == "flipped" else len(kept) // 2
            flipped = kept[:middle] + bytes([kept[middle] ^ 4]) + kept[middle + 1 :]
            file.write_bytes({"empty": b"", "cut": kept[:middle], "flipped": flipped}[how])
        index = _open(kg, place)
        for action in (index.check, index.is_current, index.build):
            with pytest.raises(IndexMismatchError, match=r"damaged.*--repair"):
                action()
        if kept is not None:
            file.write_bytes(kept)
    if how in ("folder removed", "database cut"):
        assert _open(kg, place).repair().written == len(kg)
    assert _open(kg, place).is_current()


def test_an_index_that_another_process_changes(built: tuple[NetworkxStore, Path], tmp_path: Path) -> None:
    import numpy as np

    kg, whole = built
    place = tmp_path / "i"
    shutil.copytree(whole, place)
    index = _open(kg, place)
    index.check()
    index._collection.delete(ids=index._ids[:50])
    with pytest.raises(IndexMismatchError, match="another process"):
        index.vectors(np.arange(100))


# grammars -------------------------------------------------------------------------------------

BAD_GRAMMARS = [
    'root ::= root "a"', 'root ::= a "x"\na ::= "b"? root', 'root ::= "a"{1000000}', 'root ::= "a"{2000}',
    'root ::= "\\xZZ"', "root ::= [z-a]", 'root ::= ("a"?)*', 'root ::= ("a"{1000}){1000}', "root ::= " + "(" * 5000,
    'root ::= "a"{3,1}', 'root ::= "a', "root ::= [a", "root ::= |", 'root ::= "a" |', 'root ::= ("a"', "root ::= b",
    'root ::= "\\U00110000"', 'root ::= "a"**', "", "x", 'root ::= "a"\nroot ::= "b"', 'root ::= "\\q"',
]  # fmt: skip


@pytest.mark.parametrize("grammar", BAD_GRAMMARS, ids=lambda g: ascii(g)[:30])
def test_grammars_that_llama_cpp_would_die_of(grammar: str) -> None:
    with pytest.raises(ConfigError, match="grammar"):
        check(grammar)


def test_large_grammars_are_within_the_bounds() -> None:
    for n in (1, 12, 2_000, 20_000):
        check(permutation(n))
    names = [f"Name {i}" for i in range(5_000)] + ["a" * i for i in range(1, 200)]
    check(choice_list(names, max_items=10_000, separator=" ; "))
    check(f"root ::= {choice(names)}\n")


@examples(300)
@given(st.lists(st.sampled_from(['root ::= ', '"a"', "[a-z]", "(", ")", "|", "?", "*", "{2,3}", "b", "\n", " ", "\\", '"', "[", "]", "b ::= "]), max_size=25))  # fmt: skip
def test_any_grammar_is_checked(parts: list[str]) -> None:
    try:
        check("root ::= " + "".join(parts))
    except ConfigError:
        return


@examples(100)
@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda t: "\0" not in t), min_size=1, max_size=40))
def test_choices_of_any_names_are_grammars(names: list[str]) -> None:
    check(choice_list(names, max_items=3, separator=" ; "))


@pytest.mark.local
@pytest.mark.parametrize("make", ["permutation", "names"])
def test_20000_candidates_are_decoded(make: str) -> None:
    pytest.importorskip("llama_cpp")
    from triplewise.backends import load_chat_model

    names = [f"Name {i}" for i in range(20_000)]
    grammar = permutation(20_000) if make == "permutation" else choice_list(names, max_items=9, separator=" ; ")
    assert load_chat_model("llamacpp:embedded", max_tokens=4, n_ctx=512).invoke("hi", grammar=grammar).text


# outputs --------------------------------------------------------------------------------------


def test_an_output_replaces_no_input_and_no_foreign_file(tmp_path: Path) -> None:
    source, other = tmp_path / "g.tsv", tmp_path / "README.html"
    source.write_text("a\tr\tb\n")
    other.write_text("mine")
    (tmp_path / "link.tsv").symlink_to(source)
    for place in (source, tmp_path / "link.tsv", tmp_path / "." / "g.tsv"):
        with pytest.raises(ConfigError, match="is an input"):
            check_output(place, inputs=[source], force=True)
    with pytest.raises(ConfigError, match="--force"):
        check_output(other)
    assert check_output(other, force=True) == check_output(other, mine=lambda path: True) == other
    with pytest.raises(ConfigError, match="folder"):
        check_output(tmp_path)


def test_the_commands_ask_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from triplewise.interfaces.cli import main

    graph = tmp_path / "g.tsv"
    graph.write_text("a\tr\tb\n")
    for args in (["train", "data", "--kg", str(graph), "--out", str(graph)], ["train", "data", "--out", str(graph)]):
        monkeypatch.setattr(sys, "argv", ["triplewise", *args])
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 2 and graph.read_text() == "a\tr\tb\n"


def test_a_file_is_whole_or_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    write_text(path, "old")
    path.chmod(0o640)
    with pytest.raises(RuntimeError), atomic(path) as file:
        file.write("half")
        raise RuntimeError
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["f.json"]
    write_text(path, "new")
    assert path.read_text() == "new" and stat.S_IMODE(path.stat().st_mode) == 0o640


@examples(80)
@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=6, unique=True))
def test_any_relation_survives_its_alignment_file(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    path = tmp_path_factory.mktemp("a") / "aligned.tsv"
    sentences = {name: AlignedSentence("[T] is the maker of [H].", "rule") for name in names}
    write_alignment(path, sentences)
    assert read_alignment(path) == sentences


def test_a_ledger_that_lost_lines_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "spend.jsonl"
    with Ledger(path) as ledger:
        for i in range(124):
            ledger.append({"n": i}, sync=False)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    for read in (lambda: read_ledger(path), lambda: Ledger(path)):
        with pytest.raises(LedgerError, match="3 of 124"):
            read()


def test_items_of_one_topic_have_no_narrow_interval() -> None:
    from triplewise.evals.scores.statistics import interval

    found = interval([1.0] * 17 + [0.0], ["one topic"] * 18)
    assert (found.low, found.high) == (0.0, 1.0)


def test_scores_of_a_broken_model_are_no_ranks() -> None:
    import numpy as np

    from triplewise.tools.links.link_ranks import ranks_of

    with pytest.raises(TriplewiseError, match="NaN"):
        ranks_of(np.full((2, 3), np.nan), np.array([0, 1]))
