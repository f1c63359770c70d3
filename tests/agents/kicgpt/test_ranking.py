"""Replies to permutations: 100% valid whatever a model writes, and the right order where it states one."""

from __future__ import annotations

import contextlib
import random
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triplewise.agents.kicgpt.ranking import (
    CandidateNames,
    ParsedOrder,
    complete_order,
    order_by_scores,
    parse_order,
    parse_scores,
    splice,
)
from triplewise.errors import ReplyError

FILMS = [
    "Alien",
    "Alien Resurrection",
    "Planet of the Apes (1968)",
    "Planet of the Apes (2001)",
    "Paris, Texas",
    "1984",
]
LABELS = ["Alien", "Alien Resurrection", "Planet of the Apes", "Planet of the Apes", "Paris, Texas", "1984"]
NAMES = CandidateNames([(d, label) for d, label in zip(FILMS, LABELS, strict=True)])


@pytest.mark.parametrize(
    ("reply", "order"),
    [
        ("3, 1, 2", [2, 0, 1]),
        ("[3, 1, 2]", [2, 0, 1]),
        ('{"order": [3, 1, 2]}', [2, 0, 1]),
        ("3 > 1 > 2", [2, 0, 1]),
        ("The final order: 3 1 2.", [2, 0, 1]),
        ("Of the 6 candidates number 2 is best.\nOrder: 2; 6; 1", [1, 5, 0]),
        ("<think>maybe 4, 5, 6, 1</think>2 then 1 and 3", [1, 0, 2]),
        ("1. 3\n2. 1\n3. 2", [2, 0, 1]),
        ("1) #3\n2) #1\n3) #2", [2, 0, 1]),
        ("1. Paris, Texas\n2. Alien", [4, 0]),
        ("1. 5\n2. 3\n3. 4 (as I said, 3 and 4 are close)", [4, 2, 3]),
        ("Alien Resurrection, Paris, Texas, Alien", [1, 4, 0]),
        ("planet of the apes (2001), Planet of the Apes (1968)", [3, 2]),
        ("The final order: [Paris, Texas Alien Resurrection Alien]", [4, 1, 0]),
        ("2 (Alien Resurrection), 1 (Alien)", [1, 0]),
        ("9, 2, 77, 2, 1", [1, 0]),
        ("I rank them: 4, 2 because 4 came out in 2001 and 2 in 1997", [3, 1]),
        ("1984", [5]),
        ("2, 1, 3, 4, 5", [1, 0, 2, 3, 4]),
    ],
)
def test_orders_are_read(reply: str, order: list[int]) -> None:
    assert list(parse_order(reply, NAMES).order) == order


def test_what_was_mended_is_counted() -> None:
    assert parse_order("9, 2, 77, 2, 1", NAMES) == ParsedOrder((1, 0), doubled=1, unknown=2, missing=4)


@pytest.mark.parametrize("reply", ["", "I cannot answer that.", "7, 8, 9", "-1", "2.5", "Planet of the Apes", "²"])
def test_a_reply_without_candidates_is_refused(reply: str) -> None:
    with pytest.raises(ReplyError, match="none of the candidates 1 to 6"):
        parse_order(reply, NAMES)


def test_a_reply_that_only_repeats_itself_is_refused() -> None:
    with pytest.raises(ReplyError, match="repeats"):
        parse_order("6, 6, 6, 6, 6, 6", NAMES)
    with pytest.raises(ReplyError, match="repeats"):
        parse_order("1, 2, 1, 2, 1, 2", NAMES)


def test_short_and_clashing_names() -> None:
    names = CandidateNames([("A",), ("B",), ("It (1990)", "It"), ("It (2017)", "It"), ("10",)])
    assert parse_order("B, A", names).order == (1, 0)
    assert parse_order("It (2017), It (1990)", names).order == (3, 2)
    assert parse_order("10", names).order == (4,)  # no tenth candidate, but one of that name
    with pytest.raises(ReplyError):
        parse_order("It is a hard question", names)


def test_missing_candidates_keep_the_retrievers_order() -> None:
    assert complete_order([3, 1, 3, 99, -1], 6) == (3, 1, 0, 2, 4, 5)


@pytest.mark.parametrize("hostile", ["1 " * 10**6, " \n" * 10**6, "<think>" * 10**5, "1" * 10**6, "1:" + " " * 10**6])
def test_long_replies_are_read_in_bounded_time(hostile: str) -> None:
    started = time.perf_counter()
    for parse in (lambda: parse_order(hostile, NAMES), lambda: parse_scores(hostile, [1, 2, 3])):
        with contextlib.suppress(ReplyError):
            parse()
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("reply", "scores"),
    [
        ("1: 90\n2: 15\n3: 0", {1: 90, 2: 15, 3: 0}),
        ("1 = 90, 2 = 15.5", {1: 90, 2: 15.5}),
        ("[1] 90", None),
        ("**1**: 90/100\n**2**: 5/100", {1: 90, 2: 5}),
        ("1 -> 90\n9 -> 3\n2 -> 400", {1: 90, 2: 100}),
        ('{"1": 90, "2": 40}', {1: 90, 2: 40}),
        ("none", None),
    ],
)
def test_scores_are_read(reply: str, scores: dict[int, float] | None) -> None:
    if scores is None:
        with pytest.raises(ReplyError):
            parse_scores(reply, [1, 2, 3])
    else:
        assert parse_scores(reply, [1, 2, 3]) == scores


def test_one_statement_may_be_scored_by_the_number_alone() -> None:
    assert parse_scores("I would say 85 out of a hundred", [7]) == {7: 85}
    assert parse_scores("85/100", [7]) == {7: 85}


def test_ties_and_unscored_candidates_stay_in_the_retrievers_order() -> None:
    assert order_by_scores({0: 10, 2: 90, 3: 10}, 5) == (2, 0, 3, 1, 4)


def test_splice_replaces_exactly_the_leading_entities() -> None:
    assert splice(["a", "b", "c", "d", "e"], ["c", "a", "b"]) == ["c", "a", "b", "d", "e"]
    for wrong in (["a", "a", "b"], ["a", "b", "e"]):
        with pytest.raises(ValueError, match="permutation"):
            splice(["a", "b", "c", "d", "e"], wrong)


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_a_permutation_or_a_reply_error(text: str) -> None:
    assert_permutation(text, NAMES)


def assert_permutation(reply: str, names: CandidateNames) -> tuple[int, ...]:
    """What the conversation node does with a reply: parse, complete, or keep the retriever's order."""
    m = len(names.names)
    try:
        order = complete_order(parse_order(reply, names).order, m)
    except ReplyError:
        order = tuple(range(m))
    assert sorted(order) == list(range(m))
    return order


WORDS = [
    "red",
    "moon",
    "river",
    "The",
    "of",
    "1999",
    "Paris,",
    "king",
    "Nova",
    "(band)",
    "U.S.",
    "naïve",
    "東京",
    "O'Neill",
    "A",
    "7",
    "St.",
    "IV",
    "zero-one",
]


def random_reply(rng: random.Random) -> tuple[str, list[str], list[int] | None]:
    """A generated reply, the candidates' names, and the order it states where that is beyond doubt."""
    m = rng.randint(2, 50)
    names = [
        f"{' '.join(rng.sample(WORDS, rng.randint(1, 3)))} {i if rng.random() < 0.5 else ''}".strip() for i in range(m)
    ]
    if rng.random() < 0.1:
        names[-1] = names[0]
    order = rng.sample(range(m), m)
    kind = rng.choice(
        ["clean", "missing", "doubled", "invented", "named", "renamed", "prose", "listed", "cut", "noise"]
    )
    separator = rng.choice([", ", " ", "\n", " > ", "; ", ",", " | ", " - ", " → ", "\t", " then "])
    sure = True
    items = [str(i + 1) for i in order]
    if kind == "missing":
        order = order[: rng.randint(2, m)]
        items = [str(i + 1) for i in order]
    elif kind == "doubled":
        items += rng.choices(items, k=rng.randint(1, len(items)))
    elif kind == "invented":
        for _ in range(rng.randint(1, 5)):
            items.insert(rng.randrange(len(items)), str(rng.randint(m + 1, 10**6)))
        sure = len(set(names)) == m and not any(n.isdigit() for n in names)
    elif kind in ("named", "renamed"):
        items, sure = [names[i] for i in order], False
        if kind == "renamed":
            items = [rng.choice([n.upper(), n[:-1], n + "s", n[::-1], f'"{n}"']) for n in items]
    elif kind == "listed":
        items, separator = [f"{k}. {i + 1}" for k, i in enumerate(order, 1)], "\n"
    text = separator.join(items)
    if kind == "prose":
        text = f"Sure! Here is what I think.\nThe final order: {text}\nI hope that helps."
    elif kind == "cut":
        text, sure = text[: rng.randrange(len(text) + 1)], False
    elif kind == "noise":
        text, sure = "".join(rng.choices(string.printable + "①٣−–é", k=rng.randint(0, 400))), False
    if any(n.isdigit() for n in names):
        sure = False
    return text, names, list(complete_order(order, m)) if sure else None


def fuzz(count: int, seed: int) -> int:
    """The number of replies whose stated order was read."""
    rng = random.Random(seed)
    stated = 0
    for _ in range(count):
        reply, names, expected = random_reply(rng)
        order = assert_permutation(reply, CandidateNames([(n,) for n in names]))
        if expected is not None:
            assert list(order) == expected, (reply, names)
            stated += 1
    return stated


def test_5_000_fuzzed_replies_give_permutations() -> None:
    assert fuzz(5_000, seed=1) > 1_500


@pytest.mark.slow
def test_100_000_fuzzed_replies_give_permutations() -> None:
    assert fuzz(100_000, seed=2) > 30_000
