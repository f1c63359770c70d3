"""Composed training data: replies that the nodes read back to the path they were composed from."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from triplewise.agents.context import Context
from triplewise.agents.reasoner import parse_verdict
from triplewise.agents.relation_selector import SelectorOptions, make_relation_selector, parse_relations
from triplewise.agents.segmenter import SegmenterOptions, make_segmenter, parse_segments
from triplewise.agents.state import ANSWER, End, SubSentence
from triplewise.backends.fake import ScriptedChatModel
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.pattern_join import Clause, Term, join
from triplewise.train.skills import Composer, metaqa_examples, wordings


@pytest.fixture(scope="module")
def films() -> NetworkxStore:
    return load_kg("films")


def test_every_relation_of_the_films_has_wordings(films: NetworkxStore) -> None:
    assert set(films.relation_ids()) <= set(wordings())


def test_segmentations_are_read_back_and_their_join_has_an_answer(films: NetworkxStore) -> None:
    composer, answered = Composer(films, 5), 0
    for _ in range(300):
        _, names, parts = composer.question()
        reply = "\n".join(f"{i}. {p.text} | {' ; '.join(p.ends)}" for i, p in enumerate(parts, 1))
        entities = [films.resolve_display(n) or n for n in names]
        subs = parse_segments(films, reply, entities, "ask")
        assert len(subs) == len(parts) and any(e.variable == ANSWER for s in subs for e in s.ends)
        clauses = [
            Clause(*(Term(e.entity, e.variable) for e in s.ends), (p.relation,))
            for s, p in zip(subs, parts, strict=True)
        ]
        match = join(films, clauses)
        answered += bool(match.bindings.get(ANSWER))
    assert answered >= 240  # the others only lead back to the named entity


def test_claims_are_true_or_false_as_the_graph_says(films: NetworkxStore) -> None:
    composer, verdicts = Composer(films, 6), Counter[str]()
    for _ in range(300):
        text, names, parts, evidence, verdict, used, reason = composer.claim()
        verdicts[verdict] += 1
        assert text and names and parts and reason and used and all(1 <= u <= len(evidence) for u in used)
        if len(parts) == 1 and " not " not in text:
            head, tail = (films.resolve_display(e) for e in parts[0].ends)
            assert head and tail
            assert (verdict == "supported") == any(films.triples(head, parts[0].relation, tail))
    assert min(verdicts["supported"], verdicts["refuted"]) > 90


def test_examples_parse_and_are_seeded(films: NetworkxStore) -> None:
    drawn = list(islice(Composer(films, 7).examples(), 200))
    assert drawn == list(islice(Composer(films, 7).examples(), 200))
    labels = {films.relation_label(r): r for r in films.relation_ids()}
    for example in drawn:
        if example.skill == "select":
            assert len(parse_relations(example.reply, labels, 3)) == 1
        elif example.skill == "verify":
            assert parse_verdict(example.reply, 20)[0] in ("supported", "refuted")


def test_prompts_are_the_nodes_own(films: NetworkxStore) -> None:
    composer = Composer(films, 8)
    question, names, parts = composer.question()
    trained = composer.select_example(parts[0]).messages[0].text.partition("\n")[0]
    model = ScriptedChatModel(responses=["1. x | " + names[0] + " ; ?answer", parts[0].relation])
    context = Context(kg=films, model=model)
    from langgraph.graph import START, StateGraph

    from triplewise.graphs.kg_gpt import KgGptState

    def run(node: object, state: dict) -> None:
        graph = StateGraph(KgGptState, context_schema=Context)
        graph.add_node("n", node)  # pyright: ignore[reportArgumentType]
        graph.add_edge(START, "n")
        graph.compile().invoke(state, context=context)

    entity = films.resolve_display(names[0]) or names[0]
    run(make_segmenter(SegmenterOptions("short", 0)), {"question": question, "task": "ask", "entities": (entity,)})
    assert model.calls[0][0][0].text == f"Split the question.\n{question}\nEntities: {names[0]}"
    assert trained.startswith("Choose the relations of: ") and make_relation_selector(SelectorOptions("short", 0))
    assert SubSentence("x", (End(entity=entity),))


def test_metaqa_examples(data_dir) -> None:
    folder = data_dir("metaqa")
    drawn = list(islice(metaqa_examples(folder, load_kg(folder / "kb.txt")), 40))
    assert {e.skill for e in drawn} == {"segment", "select"} and all(
        "?answer" in e.reply for e in drawn if e.skill == "segment"
    )
