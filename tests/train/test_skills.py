"""Composed training data: prompts are the nodes' own, and what is gold is executable."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from triplewise.agents.context import Context
from triplewise.agents.reasoner import parse_verdict
from triplewise.agents.relation_selector import parse_relations
from triplewise.agents.segmenter import parse_segments
from triplewise.agents.state import ANSWER
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.graphs.kg_gpt import PRESETS, build
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.pattern_join import Clause, Term, join
from triplewise.train.compose import Composed, Vocabulary
from triplewise.train.grammar import entries
from triplewise.train.metaqa import MetaqaComposer
from triplewise.train.mixture import Mixture, held_out_keys
from triplewise.train.skills import SKILLS, SkillComposer


@pytest.fixture(scope="module")
def films() -> NetworkxStore:
    return load_kg("films")


@pytest.fixture(scope="module")
def vocabulary(films: NetworkxStore) -> Vocabulary:
    return Vocabulary(films)


def read_back(composer: SkillComposer, composed: Composed) -> list[Clause]:
    """The clauses that the segmenter reads from the gold reply, each with the gold relation."""
    kg, reply = composer.kg, composer.segment(composed).reply
    subs = parse_segments(kg, reply, composed.entities, composed.task)
    assert len(subs) == len(composed.parts)
    ends = [[Term(e.entity, e.variable, e.type) for e in sub.ends] for sub in subs]
    return [Clause(e[0], e[1], (part.relation,)) for e, part in zip(ends, composed.parts, strict=True)]


def check_questions(composer: SkillComposer, count: int) -> None:
    for _ in range(count):
        composed = composer.question()
        match = join(composer.kg, read_back(composer, composed))
        assert composed.nodes[-1] in match.bindings[ANSWER], composed
        assert len(composed.parts) == len(composed.steps)


def test_every_relation_of_the_films_has_wordings(films: NetworkxStore) -> None:
    assert set(films.relation_ids()) <= set(entries())


def test_executing_a_gold_segmentation_gives_the_path_s_answer(vocabulary: Vocabulary) -> None:
    check_questions(SkillComposer(vocabulary, 5), 400)


def test_also_over_metaqa_s_graph(data_dir) -> None:
    check_questions(SkillComposer(Vocabulary(load_kg(data_dir("metaqa") / "kb.txt")), 5), 100)


@pytest.mark.parametrize(("name", "short"), [("fb15k-237", False), ("wn18rr", True)])
def test_also_over_freebase_and_wordnet(data_dir, name: str, short: bool) -> None:
    composer = SkillComposer(Vocabulary(load_kg(data_dir(name)), short=short), 5)
    for _ in range(100):
        composed = composer.question()
        assert composed.nodes[-1] in composer.executed(composed).bindings[ANSWER], composed


def test_claims_hold_as_the_graph_says(vocabulary: Vocabulary) -> None:
    composer, seen = SkillComposer(vocabulary, 6), Counter[tuple[bool, bool]]()
    for _ in range(400):
        composed = composer.claim()
        seen[composed.holds, composed.denied] += 1
        match = join(composer.kg, read_back(composer, composed))
        assert composed.holds == (not match.unmatched), composed
        assert all(composer.name(e).casefold() in composed.text.casefold() for e in composed.entities)
        assert composed.denied == any(f" {w} " in f" {composed.text} " for w in ("not", "no")), composed.text
    assert min(seen[True, False], seen[False, False]) > 100 and min(seen[True, True], seen[False, True]) > 15


def test_examples_parse_and_are_seeded(films: NetworkxStore, vocabulary: Vocabulary) -> None:
    drawn = list(islice(SkillComposer(vocabulary, 7).examples(), 400))
    assert drawn == list(islice(SkillComposer(vocabulary, 7).examples(), 400))
    assert {e.skill for e in drawn} == {s if not s.startswith("select") else "select" for s in SKILLS}
    verdicts = Counter[str]()
    for example in drawn:
        prompt = example.messages[0].text
        if example.skill == "select":
            offered = prompt.partition("\nRelations: ")[2].split(" ; ")
            chosen = example.reply.split(" ; ")
            assert 1 <= len(chosen) <= 3 and set(chosen) < set(offered) and len(set(offered)) == len(offered)
            assert parse_relations(example.reply, {o: o for o in offered}, 3) == tuple(chosen)
        elif example.skill == "verify":
            triples = prompt.count("\n") - 2
            verdict, cited, reason = parse_verdict(example.reply, triples)
            verdicts[verdict] += 1
            assert reason and bool(cited) == (verdict != "not_enough_evidence")
    assert set(verdicts) == {"supported", "refuted", "not_enough_evidence"}


def test_relations_of_one_meaning_are_all_gold_and_unclear_ones_are_not_offered(vocabulary: Vocabulary) -> None:
    composer = SkillComposer(vocabulary, 9)
    for _ in range(300):
        composed = composer.question()
        part = composed.parts[0]
        gold = entries()[part.relation][0]
        for relation in composer._around(composed, part):
            if not composer._misleading(relation, part):
                assert not set(entries()[relation][0].words) & set(gold.words)


def test_entities_of_development_questions_are_not_trained_on(vocabulary: Vocabulary) -> None:
    train, dev = SkillComposer(vocabulary, 1), SkillComposer(vocabulary, 1, dev=True)
    topics = [{c.question().nodes[0] for _ in range(300)} for c in (train, dev)]
    assert not topics[0] & topics[1] and len(topics[1]) > 20


def test_held_out_relations_do_not_occur() -> None:
    held_out = held_out_keys(0.2, seed=3)
    records = {entry.key for entry, _ in entries().values()}
    assert held_out < records and len(held_out) == round(len(records) * 0.2)
    assert held_out == held_out_keys(0.2, seed=3) != held_out_keys(0.2, seed=4)
    vocabulary = Vocabulary(load_kg("films"), held_out)
    left_out = {r for r in vocabulary.kg.relation_ids() if entries()[r][0].key in held_out}
    assert left_out and not left_out & set(vocabulary.by_relation)
    labels = {vocabulary.kg.relation_label(r) for r in left_out}
    for example in islice(SkillComposer(vocabulary, 2).examples({"select_ask": 1}), 300):
        assert not labels & set(example.messages[0].text.partition("\nRelations: ")[2].split(" ; "))


def test_prompts_are_the_nodes_own(films: NetworkxStore, vocabulary: Vocabulary) -> None:
    composer = SkillComposer(vocabulary, 8)
    composed = next(c for c in iter(composer.question, None) if len(c.parts) == 1)
    trained = composer.segment(composed)
    model = ScriptedChatModel(responses=[trained.reply, films.relation_label(composed.parts[0].relation)])
    graph = build(PRESETS["short"])
    done = graph.invoke(
        {"question": composed.text, "task": "ask", "entities": composed.entities},
        context=Context(kg=films, model=model),  # pyright: ignore[reportArgumentType]
    )
    assert model.calls[0][0][0].text == trained.messages[0].text
    start = f"Choose the relations of: {composed.parts[0].text}\nRelations: "
    assert model.calls[1][0][0].text.startswith(start)
    assert composer.select(composed, composed.parts[0]).messages[0].text.startswith(start)
    assert composed.nodes[-1] in {a.id for a in done["answers"]}


def test_metaqa_s_questions(data_dir) -> None:
    folder = data_dir("metaqa")
    vocabulary = Vocabulary(load_kg(folder / "kb.txt"))
    composer = MetaqaComposer(folder, vocabulary, 1)
    for _ in range(100):
        composed = composer.composed(*composer.rng.choice(composer.asked))
        assert composer.composer.executed(composed).bindings.get(ANSWER)
    drawn = list(islice(composer.examples(), 60))
    assert {e.skill for e in drawn} == {"segment_ask", "select", "plan"}
    assert not any("Entities: \n" in e.messages[0].text + "\n" for e in drawn)
    dev = MetaqaComposer(folder, vocabulary, 1, dev=True)
    assert dev.asked and not {t for t, _ in dev.asked} & {t for t, _ in composer.asked}


def test_metaqa_s_files_are_asked_for(tmp_path: Path, vocabulary: Vocabulary) -> None:
    with pytest.raises(ConfigError, match="qa_train"):
        MetaqaComposer(tmp_path, vocabulary)


def test_a_mixture_is_seeded_and_works_with_the_films_alone() -> None:
    mixture = Mixture()
    assert list(islice(mixture.examples(3), 30)) == list(islice(mixture.examples(3), 30))
