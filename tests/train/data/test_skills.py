"""Composed training data: prompts are the nodes' own, and what is gold is executable."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from triplewise.agents.context import Context
from triplewise.agents.kg_gpt.reasoner import parse_verdict
from triplewise.agents.kg_gpt.relation_selector import parse_relations
from triplewise.agents.kg_gpt.segmenter import parse_segments
from triplewise.agents.state import ANSWER
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError
from triplewise.graphs.kg_gpt import PRESETS, build
from triplewise.kg import NetworkxStore, load_kg
from triplewise.prompts.reply_tokens import ABSTAIN, NONE
from triplewise.tools.retrieval.pattern_join import Clause, Term, join
from triplewise.tools.text.knowledge_format import parse_yaml
from triplewise.train.data.metaqa import MetaqaComposer
from triplewise.train.data.mixture import Mixture, held_out_keys
from triplewise.train.data.skills import MAX_HINTS, SKILLS, SkillComposer
from triplewise.train.sentences.compose import Composed, Vocabulary
from triplewise.train.sentences.grammar import entries
from triplewise.types import Triple


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


@pytest.mark.parametrize(
    ("name", "short"), [pytest.param("fb15k-237", False, marks=pytest.mark.slow), ("wn18rr", True)]
)
def test_also_over_freebase_and_wordnet(data_dir, name: str, short: bool) -> None:
    composer = SkillComposer(Vocabulary(load_kg(data_dir(name)), short=short), 5)
    for _ in range(100):
        composed = composer.question()
        assert composed.nodes[-1] in composer.executed(composed).bindings[ANSWER], composed


def test_claims_hold_as_the_graph_says(vocabulary: Vocabulary) -> None:
    composer, seen = SkillComposer(vocabulary, 6), Counter[tuple[bool, bool]]()
    for _ in range(400):
        composed = composer.claim()
        match = join(composer.kg, read_back(composer, composed))
        denied = any(p.denied for p in composed.parts)
        seen[composed.holds, denied] += 1
        if len(composed.parts) == 1:
            assert composed.holds == ((not match.unmatched) != denied), composed
        assert all(composer.name(e).casefold() in composed.text.casefold() for e in composed.entities)
        assert denied == bool(re.search(r"\b(not|no)\b|n't\b", composed.text)), composed.text
    assert min(seen[True, False], seen[False, False]) > 90 and min(seen[True, True], seen[False, True]) > 15


def test_a_denied_half_of_a_claim_is_judged_by_itself(films: NetworkxStore, vocabulary: Vocabulary) -> None:
    composer = SkillComposer(vocabulary, 6)
    claims = (c for c in iter(composer.claim, None) if len(c.parts) == 2)
    both = [c for c in islice(claims, 300) if c.parts[1].denied and not any("?" in e for p in c.parts for e in p.ends)]
    assert {c.holds for c in both} == {True, False}
    for composed in both:
        replies = {
            "segment": composer.segment(composed).reply,
            **{f"select_relations[{i + 1}]": _label(films, composed, i) for i in (0, 1)},  # asked at the same time
        }
        model = ScriptedChatModel(responses=lambda _, asked, replies=replies: replies[asked["node"]])
        done = _run_short(films, composed, model)
        wanted = {"supported"} if composed.holds else {"refuted"}
        assert done["verdict"] in wanted | {"not_enough_evidence"}, composed
        facts = [bool(list(films.triples(*t)) or list(films.triples(*t[::-1]))) for t in _said(composer, composed)]
        assert composed.holds == (facts[0] and not facts[1])


def _said(composer: SkillComposer, composed: Composed) -> list[tuple[str, str, str]]:
    ids = {composer.name(e): e for e in composed.entities}
    return [(ids[p.ends[0]], p.relation, ids[p.ends[1]]) for p in composed.parts]


def _label(kg: NetworkxStore, composed: Composed, part: int) -> str:
    return kg.relation_label(composed.parts[part].relation)


def _run_short(kg: NetworkxStore, composed: Composed, model: ScriptedChatModel) -> dict[str, Any]:
    return build(PRESETS["short"]).invoke(
        {"question": composed.text, "task": composed.task, "entities": composed.entities},
        context=Context(kg=kg, model=model),  # pyright: ignore[reportArgumentType]
    )


def test_examples_parse_and_are_seeded(films: NetworkxStore, vocabulary: Vocabulary) -> None:
    drawn = list(islice(SkillComposer(vocabulary, 7).examples(), 500))
    assert drawn == list(islice(SkillComposer(vocabulary, 7).examples(), 500))
    assert {e.skill for e in drawn} == {s if not s.startswith("select") else "select" for s in SKILLS}
    verdicts, none_fits = Counter[str](), 0
    for example in drawn:
        prompt = example.messages[0].text
        if example.skill == "select":
            offered = prompt.partition("\nRelations: ")[2].split(" ; ")
            assert len(set(offered)) == len(offered)
            if example.reply == NONE:
                none_fits += 1
                continue
            chosen = example.reply.split(" ; ")
            assert 1 <= len(chosen) <= 3 and set(chosen) <= set(offered)
            assert parse_relations(example.reply, {o: o for o in offered}, 3) == tuple(chosen)
        elif example.skill == "verify":
            triples = prompt.count("\n") - 2
            verdict, cited, reason = parse_verdict(example.reply, triples)
            verdicts[verdict] += 1
            assert reason and bool(cited) == (verdict != "not_enough_evidence")
    assert set(verdicts) == {"supported", "refuted", "not_enough_evidence"} and 5 < none_fits < 60


def test_answers_from_hints_are_what_the_hints_prove(films: NetworkxStore, vocabulary: Vocabulary) -> None:
    composer, silent = SkillComposer(vocabulary, 11), 0
    for _ in range(200):
        composed = composer.question()
        example = composer.reason(composed)
        hints = example.messages[0].text.partition("\nHints:\n")[2]
        style = "triples" if hints.startswith("(") else "yaml"
        shown = _read_triples(films, hints) if style == "triples" else parse_yaml(films, hints)
        assert len(shown) <= MAX_HINTS + 2
        found = join(NetworkxStore.from_triples(shown), composer.clauses(composed))
        proven = set() if found.unmatched else {films.display(a) for a in found.bindings[ANSWER]}
        assert set(example.reply.split(" ; ")) - {ABSTAIN} == proven, (composed, hints)
        silent += not proven
    assert 5 < silent < 80


def _read_triples(kg: NetworkxStore, text: str) -> list[Triple]:
    known = {
        f"({', '.join((kg.display(t.head), kg.relation_label(t.relation), kg.display(t.tail)))})": t
        for t in kg.triples()
    }
    return [known[line] for line in text.splitlines()]


def test_relations_of_one_meaning_are_all_gold_and_unclear_ones_are_not_offered(vocabulary: Vocabulary) -> None:
    composer = SkillComposer(vocabulary, 9)
    for _ in range(300):
        composed = composer.question()
        part = composed.parts[0]
        gold = entries()[part.relation][0]
        for relation in composer.around(composed, part):
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
    done = _run_short(films, composed, model)
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
    drawn = list(islice(composer.examples(), 120))
    assert {e.skill for e in drawn} == {"segment_ask", "select", "plan", "reason"}
    assert not any("Entities: \n" in e.messages[0].text + "\n" for e in drawn)
    dev = MetaqaComposer(folder, vocabulary, 1, dev=True)
    assert dev.asked and not {t for t, _ in dev.asked} & {t for t, _ in composer.asked}


def test_metaqa_s_files_are_asked_for(tmp_path: Path, vocabulary: Vocabulary) -> None:
    with pytest.raises(ConfigError, match="qa_train"):
        MetaqaComposer(tmp_path, vocabulary)


def test_a_mixture_is_seeded_and_works_with_the_films_alone() -> None:
    mixture = Mixture()
    assert list(islice(mixture.examples(3), 30)) == list(islice(mixture.examples(3), 30))
