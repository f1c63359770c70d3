"""Relatives of several steps, told by parents, spouses and the sex."""

from __future__ import annotations

import pytest

from triplewise.graphs.run import ask, verify
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.linking.mentions import words_in
from triplewise.tools.text.kinship import Kin, chains_at, in_one_word, kin_of_label

_COUPLES = {"Ben": ("Ada", "Carl"), "Dora": ("Ada", "Carl"), "Ella": ("Fay", "Ben"), "Fay": ("Hope", "Gus")}
_COUPLES |= {"Ivor": ("Hope", "Gus"), "Nell": ("Jane", "Ivor")}
_WOMEN = ("Ada", "Dora", "Ella", "Fay", "Hope", "Jane", "Nell")
_MARRIED = [(f"{a} Moss", "married to", f"{b} Moss") for a, b in (("Ben", "Fay"), ("Ivor", "Jane"))]
_PARENTS = [(f"{p} Moss", "parent of", f"{child} Moss") for child, both in _COUPLES.items() for p in both]
_SEXES = [
    (f"{name} Moss", "sex", '"female"' if name in _WOMEN else '"male"')
    for name in ("Ben", "Carl", "Gus", "Ivor", *_WOMEN)
]
_MOTHERS = [
    (f"{child} Moss", word, f"{parent} Moss")
    for child, both in _COUPLES.items()
    for word, parent in zip(("mother", "father"), both, strict=True)
]
PARENTS = NetworkxStore([*_PARENTS, *_SEXES, *_MARRIED])
MOTHERS = NetworkxStore([*_MOTHERS, *_MARRIED])


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        ("mother", (Kin("parent", "she"),)),
        ("great-grandmother", (Kin("parent"), Kin("parent"), Kin("parent", "she"))),
        ("grandsons", (Kin("child"), Kin("child", "he"))),
        ("gran", (Kin("parent"), Kin("parent", "she"))),
        ("great-grandad", (Kin("parent"), Kin("parent"), Kin("parent", "he"))),
        ("aunts", (Kin("parent"), Kin("sibling", "she"))),
        ("paternal grandmother", (Kin("parent", "he"), Kin("parent", "she"))),
        ("son-in-law", (Kin("child"), Kin("spouse", "he"))),
        ("stepmother", None),
    ],
)
def test_a_word_is_a_chain(text: str, chain: tuple[Kin, ...] | None) -> None:
    words = words_in(text)
    assert chains_at(words, 0) == ((len(words), (chain,)) if chain else (0, ()))


def test_whom_a_relation_names() -> None:
    assert kin_of_label("mother of") == (Kin("parent", "she"), True)
    assert kin_of_label("has daughter") == (Kin("child", "she"), False)
    assert kin_of_label("married to") == (Kin("spouse"), False)
    assert kin_of_label("mother tongue") is None


@pytest.mark.parametrize("label", ["gran of", "granny", "uncle of"])
def test_a_relation_that_tells_farther_relatives_is_asked(label: str) -> None:
    """Where the parents are told as well, what the relation says counts."""
    forth = not label.endswith("of")
    told = ("Ivo Tilley", label, "Gwenda Ash") if forth else ("Gwenda Ash", label, "Ivo Tilley")
    store = NetworkxStore([told, ("Ivo Tilley", "mother", "Ada Tilley"), ("Ada Tilley", "mother", "Hope Moss")])
    noun = "uncle" if "uncle" in label else "granny"
    assert [a.label for a in ask(store, f"Who is Ivo's {noun}?").answers] == ["Gwenda Ash"]


@pytest.mark.parametrize("store", [PARENTS, MOTHERS])
@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who is Ella Moss's uncle?", ["Ivor Moss"]),
        ("Who is the aunt of Nell Moss?", ["Fay Moss"]),
        ("Who is Ella's mother's father?", ["Gus Moss"]),
        ("Who is Ella's paternal grandmother?", ["Ada Moss"]),
        ("Who are Ada Moss's grandchildren?", ["Ella Moss"]),
        ("Who is Ella's cousin?", ["Nell Moss"]),
        ("Who is Ben Moss's sister?", ["Dora Moss"]),
        ("Who is Gus Moss's son-in-law?", ["Ben Moss"]),
        ("Is Ivor Moss Ella Moss's uncle?", ["yes"]),
    ],
)
def test_relatives(store: KGStore, question: str, answers: list[str]) -> None:
    found = [a.label for a in ask(store, question, method="query-graph").answers]
    assert found == answers


@pytest.mark.parametrize("store", [PARENTS, MOTHERS])
@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ada Moss is Ella Moss's grandmother.", "supported"),
        ("Hope Moss is not Ella's grandmother.", "refuted"),
        ("Ben Moss has a sister.", "supported"),
        ("Fay Moss has no brothers.", "refuted"),
    ],
)
def test_claims_of_relatives(store: KGStore, claim: str, verdict: str) -> None:
    assert verify(store, claim, method="query-graph").verdict == verdict


def test_both_grandmothers_are_told_together() -> None:
    result = ask(MOTHERS, "Who is Ella Moss's grandmother?", method="query-graph")
    readings = [r for r in (result.reading, *result.other_readings) if r]
    assert {frozenset(r.answers) for r in readings} == {frozenset(("Ada Moss", "Hope Moss"))}


def test_a_relative_whom_the_graph_does_not_tell_is_not_made_up() -> None:
    assert not ask(PARENTS, "Who is Ben Moss's cousin?", method="query-graph").answers


_TRADES = [("Gus Moss", "worked as", "smith"), ("Hope Moss", "worked as", "nurse"), ("Fay Moss", "worked as", "vet")]
_TRADES += [("Ben Moss", "worked as", "daffodil grower"), ("Ella Moss", "worked as", "potter")]
_BIRTHS = [("Gus Moss", "born in", "Truro"), ("Fay Moss", "born in", "Bude"), ("Ivor Moss", "born in", "Looe")]
TRADES = NetworkxStore([*_MOTHERS, *_MARRIED, *_TRADES, *_BIRTHS])


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Fay Moss's father worked as a smith.", "supported"),
        ("Fay Moss's mother worked as a vet.", "refuted"),
        ("Fay Moss's husband was a daffodil grower.", "supported"),
    ],
)
def test_what_a_claim_says_of_a_relative_is_judged_of_the_relative(claim: str, verdict: str) -> None:
    assert verify(TRADES, claim, method="query-graph").verdict == verdict


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Where were Gus Moss's children born?", {"Bude", "Looe"}),
        ("What did Fay Moss's husband work as?", {"daffodil grower"}),
    ],
)
def test_what_is_asked_of_a_relative_is_answered_of_the_relative(question: str, answers: set[str]) -> None:
    assert {a.label for a in ask(TRADES, question, method="query-graph").answers} == answers


def test_what_a_husband_did_is_not_who_he_is() -> None:
    found = ask(TRADES, "What did Fay Moss's husband do?", method="query-graph").answers
    assert "Ben Moss" not in {a.label for a in found}
    named = ask(TRADES, "What was Fay Moss's husband's name?", method="query-graph").answers
    assert [a.label for a in named] == ["Ben Moss"]


TREE = NetworkxStore(
    [
        *((child, "daughter of", parent) for child in ("Eliza Moss", "Grace Moss") for parent in ("Will Moss", "Mary Moss")),
        *((child, "son of", parent) for child in ("John Moss", "Tom Moss") for parent in ("Will Moss", "Mary Moss")),
        ("Sam Moss", "son of", "John Moss"), ("Edie Moss", "daughter of", "John Moss"), ("Sam Moss", "job", "clerk"),
        ("Edie Moss", "job", "typist"), ("John Moss", "job", "miner"), ("Will Moss", "wife", "Mary Moss"),
    ]
)  # fmt: skip
"""A tree that has a relation for daughters and one for sons."""


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("How many children did Will Moss and Mary Moss have?", {"4"}),
        ("John Moss's kids?", {"Sam Moss", "Edie Moss"}),
        ("who were Eliza Moss's brothers and sisters?", {"Grace Moss", "John Moss", "Tom Moss"}),
        ("who is Eliza Moss's brother?", {"John Moss", "Tom Moss"}),
        ("who is Sam Moss's sister?", {"Edie Moss"}),
        ("who are Will Moss's grandchildren?", {"Sam Moss", "Edie Moss"}),
        ("what did John Moss's children do for a living?", {"clerk", "typist"}),
    ],
)
def test_sons_and_daughters_are_told_together(question: str, answers: set[str]) -> None:
    assert {a.label for a in ask(TREE, question, method="query-graph").answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("John Moss is Eliza Moss's brother", "supported"),
        ("Sam Moss is a child of John Moss", "supported"),
        ("Sam Moss is a child of Will Moss", "refuted"),
    ],
)
def test_claims_of_relatives_of_both_sexes(claim: str, verdict: str) -> None:
    assert verify(TREE, claim, method="query-graph").verdict == verdict


def test_a_sister_is_no_brother() -> None:
    assert verify(TREE, "Grace Moss is Eliza Moss's brother", method="query-graph").verdict != "supported"


def test_two_words_for_relatives_are_one_but_in_a_name() -> None:
    assert in_one_word("who were her brothers and sisters?") == "who were her siblings?"
    assert in_one_word("did her mother or father sail?") == "did her parents sail?"
    assert in_one_word("where do Ella's folks live?") == "where do Ella's parents live?"
    assert in_one_word("which folks live there?") == "which folks live there?"
    assert in_one_word("Who plays in Brothers and Sisters?") == "Who plays in Brothers and Sisters?"
