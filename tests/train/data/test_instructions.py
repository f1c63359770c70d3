"""The KG instruction tasks of Table 5 and the pre-training corpus, from graphs with and without a lexicon entry."""

from __future__ import annotations

from itertools import islice

import pytest

from triplewise.kg import NetworkxStore, load_kg
from triplewise.prompts.template import load_prompt
from triplewise.tools.text.knowledge_format import parse_yaml
from triplewise.train.data.corpus import corpus
from triplewise.train.data.instructions import MASK, TASKS, WORDINGS, InstructionComposer
from triplewise.train.data.skills import Example
from triplewise.train.sentences.compose import Vocabulary
from triplewise.types import Triple


@pytest.fixture(scope="module")
def films() -> NetworkxStore:
    return load_kg("films")


@pytest.fixture(scope="module")
def vocabulary(films: NetworkxStore) -> Vocabulary:
    return Vocabulary(films)


@pytest.fixture(scope="module")
def own() -> Vocabulary:
    """A graph of a user's own, none of whose relations the lexicon knows."""
    rows = [(f"Pump {i}", "feeds_into", f"Tank {i % 7}") for i in range(40)]
    rows += [(f"Tank {i}", "hasInspector", f"Inspector {i % 3}") for i in range(7)]
    return Vocabulary(NetworkxStore(rows), generic=True)


def values(example: Example) -> dict[str, str]:
    """What the prompt's variables were, by matching it against the wordings."""
    for i in range(1, WORDINGS + 1):
        ((_, template),) = load_prompt(f"kg_instructions/{example.skill}_{i}").messages
        if example.messages[0].text.startswith(template.partition("$")[0]) and template.partition("$")[0]:
            return {"wording": str(i)}
    raise AssertionError(example)


def around(kg: NetworkxStore, entity: str) -> set[Triple]:
    return {*kg.triples(head=entity), *kg.triples(tail=entity)}


def knowledge(kg: NetworkxStore, text: str, mask: str = "") -> list[Triple]:
    """The triples of the YAML lines in a prompt."""
    lines = text.splitlines()
    best: list[Triple] = []
    for start in range(len(lines)):
        for end in range(len(lines), start, -1):
            try:
                found = parse_yaml(kg, "\n".join(lines[start:end]).replace(f'"{MASK}"', mask))
            except Exception:
                continue
            best = max(best, found, key=len)
    return best


def test_entity_and_relationship_are_gold_and_not_given_away(films: NetworkxStore, vocabulary: Vocabulary) -> None:
    composer = InstructionComposer(vocabulary, 1)
    for _ in range(25):
        entity = composer.entity()
        assert entity is not None and entity.messages[0].text.count(MASK) >= 1
        gold = films.resolve_display(entity.reply)
        assert gold is not None
        shown = knowledge(films, entity.messages[0].text, films.display(gold))
        assert len(shown) > 1 and set(shown) <= around(films, gold)
        relation = composer.relationship()
        assert relation is not None
        text = relation.messages[0].text
        ids = [e for e in films.entities() if films.display(e) in text]
        linked = [t for t in (t for a in ids for b in ids for t in films.triples(head=a, tail=b))]
        assert any(films.relation_label(t.relation) == relation.reply for t in linked)
        shown = knowledge(films, text)
        assert shown and all(
            len({t.head, t.tail} & {x.head, x.tail}) < 2
            for t in shown for x in linked
            if f"{films.display(x.head)} ; {films.display(x.tail)}" in text
        )  # fmt: skip


def test_graph_to_text_says_what_the_graph_says(films: NetworkxStore, vocabulary: Vocabulary) -> None:
    composer = InstructionComposer(vocabulary, 2)
    for _ in range(25):
        example = composer.text_to_graph()
        assert example is not None
        triples = parse_yaml(films, example.reply)
        text = example.messages[0].text.casefold()
        assert 1 <= len(triples) <= 4 and all(any(films.triples(*t)) for t in triples)
        assert all(films.display(e).casefold() in text for t in triples for e in (t.head, t.tail))
        back = composer.graph_to_text()
        assert back is not None and back.reply.endswith(".") and knowledge(films, back.messages[0].text)


def test_examples_are_seeded_by_weight_and_in_every_wording(vocabulary: Vocabulary) -> None:
    drawn = list(islice(InstructionComposer(vocabulary, 3).examples(), 400))
    assert drawn == list(islice(InstructionComposer(vocabulary, 3).examples(), 400))
    assert {e.skill for e in drawn} == set(TASKS)
    counts = [sum(e.skill == task for e in drawn) for task in TASKS]
    assert counts[1] > counts[0] > counts[2] > 0
    seen = {(e.skill, values(e)["wording"]) for e in drawn if e.skill != "text_to_graph"}
    assert len(seen) == 3 * WORDINGS


def test_development_entities_are_apart(vocabulary: Vocabulary) -> None:
    train, dev = InstructionComposer(vocabulary), InstructionComposer(vocabulary, dev=True)
    assert not set(train.topics) & set(dev.topics) and len(dev.topics) > 50


def test_a_graph_of_one_s_own(own: Vocabulary) -> None:
    drawn = list(islice(InstructionComposer(own, 4).examples(), 80))
    assert {e.skill for e in drawn} == set(TASKS)
    assert {e.reply for e in drawn if e.skill == "relationship"} <= {"feeds into", "has inspector"}
    said = next(e for e in drawn if e.skill == "graph_to_text")
    assert "feeds into" in said.reply or "inspector" in said.reply


def test_a_graph_too_poor_for_a_task_leaves_it_out() -> None:
    lonely = Vocabulary(NetworkxStore([("a", "r", "b"), ("c", "r", "d")]), generic=True)
    assert {e.skill for e in islice(InstructionComposer(lonely).examples(), 20)} <= {"graph_to_text", "text_to_graph"}
    assert list(InstructionComposer(lonely).examples({"entity": 1, "relationship": 1})) == []


# the corpus --------------------------------------------------------------------------------------------------


def test_chunks_hold_every_triple_once_and_fit(films: NetworkxStore) -> None:
    def words(text: str) -> int:
        return len(text.split())

    chunks = list(corpus(films, 120, words))
    triples = [t for chunk in chunks for t in parse_yaml(films, chunk)]
    assert len(triples) == len(set(triples)) == len(films)
    sizes = [words(chunk) for chunk in chunks]
    assert max(sizes) <= 120 and sum(sizes) / len(sizes) > 60


def test_a_head_that_does_not_fit_is_said_again() -> None:
    kg = NetworkxStore([("hub", "r" if i % 2 else "s", f"e{i}") for i in range(50)])
    chunks = list(corpus(kg, 20, lambda text: len(text.split())))
    assert all(chunk.startswith("hub:") and len(chunk.split()) <= 20 for chunk in chunks)
    assert sorted(t for chunk in chunks for t in parse_yaml(kg, chunk)) == sorted(kg.triples())


def test_a_triple_above_the_budget_is_a_chunk_of_its_own() -> None:
    kg = NetworkxStore([("a b c d e f", "r", "g h i j"), ("x", "r", "y")])
    assert len(list(corpus(kg, 5, lambda text: len(text.split())))) == 2
