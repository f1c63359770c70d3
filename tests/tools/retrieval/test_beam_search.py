"""Following a plan: whole chains to the right ends, also where equation 2 finds none."""

from __future__ import annotations

import pytest
from word_embedder import WordEmbedder

from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
from triplewise.tools.retrieval.triple_retriever import RetrievalOptions, Retrieved, TripleRetriever, open_retriever
from triplewise.types import Triple

pytest.importorskip("chromadb", reason="needs the extra 'vector'")


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> TripleRetriever:
    kg = load_kg("films")
    index = SubgraphIndex(kg, WordEmbedder(), tmp_path_factory.mktemp("walk-index"))
    index.build()
    return TripleRetriever(kg, index)


def triples(found: Retrieved) -> list[Triple]:
    return [t.triple for t in found.triples]


def chains(kg: NetworkxStore, found: list[Triple], topic: str) -> bool:
    """Whether every triple hangs on the topic by earlier ones."""
    reached = {topic}
    for triple in found:
        if not {triple.head, triple.tail} & reached:
            return False
        reached |= {triple.head, triple.tail}
    return True


def test_two_steps_lead_to_whole_chains(words: TripleRetriever) -> None:
    plan = ["directed by the same people", "starring"]
    options = RetrievalOptions(mode="follow", k=12)
    found = triples(words.retrieve("Who starred in films by the director of Alien?", plan, ["Alien"], options))
    assert found[0] == ("Alien", "directed_by", "Ridley Scott") and len(found) == 12
    kg = words.table.kg
    assert chains(kg, found[:6], "Alien")  # pyright: ignore[reportArgumentType]
    assert len(set(found)) == len(found)


def test_what_is_not_needed_is_not_encoded(words: TripleRetriever, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains that fill all places need no equation 2, and a step is encoded once, whatever the beam."""
    asked: list[str] = []
    embedder = words.index.embedder  # pyright: ignore[reportOptionalMemberAccess]
    monkeypatch.setattr(embedder, "queries", lambda texts: asked.extend(texts) or embedder.documents(texts))
    plan = ["directed by the very same people", "starring in these films"]
    question = "Who starred in films by the director of Aliens?"
    found = words.retrieve(question, plan, ["Aliens"], RetrievalOptions(mode="follow", k=6))
    assert len(found.triples) == 6 and found.scope == "neighborhood" and found.candidates > 100
    assert f"{question} {plan[0]}" not in asked  # no query of equation 2
    assert [asked.count(step) for step in plan] == [2, 2]  # as a query, and beside the relations


def test_one_step_or_none_is_equation_2(words: TripleRetriever) -> None:
    for plan in ((), ("directed by",), ("directed by", " ")):
        both = [
            words.retrieve("Who directed Alien?", plan, ["Alien"], RetrievalOptions(mode=mode))
            for mode in ("follow", "dense")
        ]
        assert both[0] == both[1]
    unplanned = RetrievalOptions(mode="follow", plan=False)
    dense = RetrievalOptions(mode="dense", plan=False)
    plan = ("directed by", "starring")
    assert words.retrieve("Who?", plan, ["Alien"], unplanned) == words.retrieve("Who?", plan, ["Alien"], dense)


def test_without_a_topic_or_past_a_dead_end_equation_2_goes_on(words: TripleRetriever) -> None:
    plan = ("directed by", "starring")
    options = RetrievalOptions(mode="follow", k=5)
    assert triples(words.retrieve("Alien directed by", plan, (), options)) == triples(
        words.retrieve("Alien directed by", plan, (), RetrievalOptions(mode="dense", k=5))
    )
    kg = NetworkxStore.from_triples([Triple("a", "knows", "b")])
    with_words = SubgraphIndex(kg, WordEmbedder(), words.index.place.parent / "tiny")  # pyright: ignore[reportOptionalMemberAccess]
    with_words.build()
    found = TripleRetriever(kg, with_words).retrieve("who", ("knows", "knows", "knows"), ("a",), options)
    assert triples(found) == [("a", "knows", "b")]


@pytest.mark.slow
def test_minilm_finds_the_chain_that_equation_2_misses() -> None:
    retriever = open_retriever(load_kg("films"))
    question = "Who composed the music of the films directed by the director of Alien?"
    plan = [
        "Find the director of Alien.",
        "Find the films this director directed.",
        "Find the composers of these films.",
    ]
    follow = triples(retriever.retrieve(question, plan, ["Alien"], RetrievalOptions(mode="follow")))
    chain = [("Alien", "directed_by", "Ridley Scott"), ("Gladiator", "directed_by", "Ridley Scott")]
    chain.append(("Gladiator", "composed_by", "Hans Zimmer"))
    assert {*chain} <= {tuple(t) for t in follow}
    dense = triples(retriever.retrieve(question, plan, ["Alien"], RetrievalOptions(mode="dense")))
    assert chain[-1] not in dense


def test_relations_ranked_by_a_model_lead_the_walk(words: TripleRetriever) -> None:
    """A step that names nothing goes by the ranking; where that is in no doubt nothing is filled up."""
    kg, topic, options = words.table.kg, ["Alien"], RetrievalOptions(mode="follow", k=200)
    earlier = 0
    for relation in ("directed_by", "release_year"):
        label = kg.relation_label(relation)
        sure = triples(words.retrieve("x", [label], topic, options, [{label: 0.0, "other": -12.0}]))
        assert sure[0].relation == relation
        doubted = triples(words.retrieve("x", [label], topic, options, [{label: 0.0, "other": -4.0}]))
        assert len(sure) < len(doubted) == 200
        neutral = triples(words.retrieve("x", ["look"], topic, options, [{}]))
        led = triples(words.retrieve("x", ["look"], topic, options, [{label: 0.0, "other": -4.0}]))
        before, after = ([t.relation for t in found].index(relation) for found in (neutral, led))
        assert after <= before
        earlier += after < before
    assert earlier
