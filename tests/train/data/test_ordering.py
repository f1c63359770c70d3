"""Ordering candidates as training data: KICGPT's own prompt and reply, links that are never shown, seeded."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from triplewise.agents.context import Context
from triplewise.agents.kicgpt.ranking import CandidateNames, parse_order
from triplewise.backends.fake import ScriptedChatModel
from triplewise.backends.llama.gbnf import permutation
from triplewise.errors import ConfigError
from triplewise.graphs import kicgpt
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.links.kge_data import Part
from triplewise.tools.links.rotate_scorer import RankingFile
from triplewise.tools.text.entity_text import EntityTexts
from triplewise.tools.text.relation_text import RelationTexts
from triplewise.train.data.dataset import Recipe, chosen_tasks, draw
from triplewise.train.data.ordering import CANDIDATES, MAX_CHARACTERS, Asked, OrderComposer
from triplewise.train.data.rows import read_rows
from triplewise.train.data.skills import SKILLS, Example
from triplewise.train.sentences.compose import DEV_SHARE, Vocabulary
from triplewise.types import Triple


@pytest.fixture(scope="module")
def films() -> NetworkxStore:
    return load_kg("films")


@pytest.fixture(scope="module", params=[False, True], ids=["train", "dev"])
def composer(films: NetworkxStore, request: pytest.FixtureRequest) -> OrderComposer:
    return OrderComposer(films, 3, dev=request.param)


def drawn(composer: OrderComposer, count: int) -> list[tuple[Asked, Example]]:
    found = ((asked, composer.example(asked)) for asked in iter(composer.asked, ...) if asked)
    return list(islice(((asked, example) for asked, example in found if example), count))


def asked_link(asked: Asked) -> Triple:
    return asked.query.triple(asked.candidates[asked.answer])


def without_the_links(composer: OrderComposer) -> NetworkxStore:
    """The graph as a run finds it where the links that are asked for are missing."""
    kg, aside = composer.kg, {*composer.data.triples("valid")}
    labels, relations = {e: kg.label(e) for e in kg.entities()}, {r: kg.relation_label(r) for r in kg.relation_ids()}
    left = [t for t in kg.triples() if t not in aside]
    return NetworkxStore.from_triples(left, labels=labels, relation_labels=relations)


def test_the_prompt_is_the_graph_s_own_and_its_parser_takes_the_reply(composer: OrderComposer, tmp_path: Path) -> None:
    kg, path = without_the_links(composer), tmp_path / "rankings.jsonl"
    for asked, example in drawn(composer, 25):
        query, m = asked.query, len(asked.candidates)
        ends = {"head": query.head, "relation": query.relation, "tail": query.tail}
        path.write_text(json.dumps(ends | {"ranking": list(asked.candidates)}))
        model = ScriptedChatModel(responses=[example.reply], supports_grammar=True)
        options = kicgpt.settings(m=m)
        options = replace(options, conversation=replace(options.conversation, demonstrations=asked.demonstrations))
        context = Context(kg=kg, model=model, scorer=RankingFile.load(path, kg))
        state = kicgpt.build(options).invoke({"query": query, "steps": [], "warnings": []}, context=context)
        messages, arguments = model.calls[0]
        assert [(g.type, g.text) for g in messages] == [(g.type, g.text) for g in example.messages]
        assert len(model.calls) == 1 and arguments["grammar"] == permutation(m)
        assert state["order"] == (asked.answer, *(i for i in range(m) if i != asked.answer))
        assert state["ranking"][0] == asked.candidates[asked.answer]
        step = state["steps"][-1]
        assert step.status == "ok" and not any(step.detail[k] for k in ("doubled", "unknown", "missing"))


def train_data(*options: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, whose hashes differ from the last one's."""
    start = [sys.executable, "-c", "from triplewise.interfaces.cli import main; main()"]
    command = [*start, "train", "data", "--kg", "films", "--tasks", "order", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_candidates_are_the_right_one_and_wrong_ones(composer: OrderComposer) -> None:
    kg, places = composer.kg, Counter()
    known = {*kg.triples()}
    for asked, example in drawn(composer, 300):
        m = len(asked.candidates)
        assert CANDIDATES[0] <= m == len(set(asked.candidates)) <= CANDIDATES[1]
        assert [e for e in asked.candidates if asked.query.triple(e) in known] == [asked.candidates[asked.answer]]
        assert asked.query.entity not in asked.candidates
        names = CandidateNames([(EntityTexts(kg).listed(e),) for e in asked.candidates])
        parsed = parse_order(example.reply, names)
        assert parsed.order[0] == asked.answer and list(parsed.order[1:]) == sorted(parsed.order[1:])
        assert not (parsed.missing or parsed.doubled or parsed.unknown)
        assert sum(len(message.text) for message in example.messages) <= MAX_CHARACTERS
        places[asked.answer] += 1
    assert 90 < places[0] < 160 and places[0] > places[1] > places[3] and max(places) >= 5


def test_the_links_asked_for_are_never_shown(composer: OrderComposer) -> None:
    texts = EntityTexts(composer.kg)
    aside = {*composer.data.triples("valid")}

    def lines_of(part: Part) -> set[str]:
        said = RelationTexts(composer.kg, {}).statement
        return {f"- {said(*t, texts.name)}" for t in composer.data.triples(part)}

    told = lines_of("valid") - lines_of("train")
    shown = 0
    for asked, example in drawn(composer, 300):
        assert asked_link(asked) in aside
        lines = {line for line in example.messages[-1].text.splitlines() if line.startswith("- ")}
        assert not lines & told
        shown += len(lines)
    assert shown > 500


def test_development_links_are_of_entities_that_training_does_not_ask_about(films: NetworkxStore) -> None:
    train, dev = (drawn(OrderComposer(films, 3, dev=d), 300) for d in (False, True))

    def held(entity: str | None) -> bool:
        return crc32(str(entity).encode()) % DEV_SHARE == 0

    assert all(held(a.query.entity) for a, _ in dev)
    assert not any(held(a.query.entity) or held(a.candidates[a.answer]) for a, _ in train)
    assert not {asked_link(a) for a, _ in train} & {asked_link(a) for a, _ in dev}


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    def written(name: str, *options: str) -> bytes:
        path = tmp_path / f"{name}.jsonl"
        done = train_data("--out", str(path), "-n", "30", "--dev", "9", *options)
        assert done.returncode == 0, done.stderr
        return path.read_bytes()

    first = written("a")
    assert first == written("b") != written("c", "--seed", "1")
    rows = read_rows(tmp_path / "a.jsonl")
    assert Counter((r.stage, r.example.skill, r.split) for r in rows) == {
        ("reasoning", "order", "train"): 30, ("reasoning", "order", "dev"): 9,
    }  # fmt: skip


def test_it_is_drawn_only_by_name_and_changes_no_other_task(films: NetworkxStore) -> None:
    vocabulary = Vocabulary(films, generic=True)
    assert "order" not in SKILLS and "order" not in str(chosen_tasks("instruction,pretraining,reasoning"))
    without = list(draw(vocabulary, Recipe(chosen_tasks("reasoning"), 40, 8, 2), len))
    with_it = list(draw(vocabulary, Recipe(chosen_tasks("order,reasoning"), 40, 16, 2), len))
    assert [r for r in with_it if r.example.skill != "order"] == without
    assert Counter(r.split for r in with_it if r.example.skill == "order") == {"train": 40, "dev": 8}


def test_graphs_of_any_kind(tmp_path: Path) -> None:
    triples = [Triple(f"n{i}", f"leads_to_{i % 3}", f"n{j % 60}") for i in range(60) for j in (i + 1, i * 7, i * 5 + 3)]
    made = list(islice(OrderComposer(NetworkxStore(triples), 0).examples(), 50))
    assert len(made) == 50 and all("belongs in the blank?" in e.messages[-1].text for e in made)


@pytest.mark.parametrize("triples", [[("a", "r", "b")], [("hub", "part", f"p{i}") for i in range(30)], []])
def test_graphs_without_such_links_say_so(triples: list[tuple[str, str, str]]) -> None:
    vocabulary = Vocabulary(NetworkxStore(triples), generic=True)
    with pytest.raises(ConfigError, match=r"nothing for the reasoning stage \(order\)") as error:
        list(draw(vocabulary, Recipe(chosen_tasks("order")), len))
    assert "at least five entities" in str(error.value.hint)


def test_a_teacher_is_not_asked_for_orders(tmp_path: Path) -> None:
    done = train_data("--teacher", "fake:echo", "--out", str(tmp_path / "x.jsonl"))
    assert done.returncode == 2 and "--teacher writes the reasoning stage" in done.stderr


@pytest.mark.local
def test_the_node_s_grammar_admits_every_reply(composer: OrderComposer) -> None:
    import llama_cpp

    from triplewise.backends.llama.llama_engine import embedded_weights

    llm = llama_cpp.Llama(str(embedded_weights()), vocab_only=True, verbose=False)
    vocab = llm._model.vocab
    for asked, example in drawn(composer, 40):
        grammar = permutation(len(asked.candidates))
        llama_cpp.LlamaGrammar.from_string(grammar, verbose=False)
        assert admits(llama_cpp, vocab, grammar, llm.tokenize(example.reply.encode(), add_bos=False))
        assert not admits(llama_cpp, vocab, grammar, llm.tokenize(b"1, 99", add_bos=False))


def admits(llama_cpp: Any, vocab: Any, grammar: str, tokens: list[int]) -> bool:
    """Whether llama.cpp's grammar sampler lets the tokens and then the end of the reply through."""
    sampler = llama_cpp.llama_sampler_init_grammar(vocab, grammar.encode(), b"root")
    try:
        for token in [*tokens, llama_cpp.llama_vocab_eos(vocab)]:
            data = (llama_cpp.llama_token_data * 1)(llama_cpp.llama_token_data(token, 1.0, 0.0))
            array = llama_cpp.llama_token_data_array(data, 1, -1, False)
            llama_cpp.llama_sampler_apply(sampler, ctypes.byref(array))
            if data[0].logit == float("-inf"):
                return False
            llama_cpp.llama_sampler_accept(sampler, token)
        return True
    finally:
        llama_cpp.llama_sampler_free(sampler)
