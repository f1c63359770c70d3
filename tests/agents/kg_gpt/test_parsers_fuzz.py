"""A fuzz corpus of malformed replies: no exception, nothing accepted that was not offered, ≥ 99 % read.

Each seed is a valid reply; mutations are what models do to it: preambles, code fences, missing
numbers, brackets inside names, extra sub-sentences, other quotes and separators. Refusals and empty
replies are not readable; these must raise ReplyError and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from triplewise.agents.kg_gpt.reasoner import parse_answer, parse_verdict
from triplewise.agents.kg_gpt.relation_selector import parse_relations
from triplewise.agents.kg_gpt.segmenter import parse_segments
from triplewise.errors import ReplyError
from triplewise.kg import NetworkxStore
from triplewise.types import Triple

N = 4000
PREAMBLES = ["", "Sure! Here you go:\n", "Here is the result.\n\n", "->Divided:\n", "Okay, let me think.\n"]
TAILS = ["", "\n", "\n\nLet me know if you need more.", "\nHope this helps!"]
REFUSALS = [
    "",
    " ",
    "I'm sorry, but I can't help with that.",
    "As a language model I cannot.",
    "???",
    "```\n```",
    "null",
]
NAMES = ["She [1965]", "Paris, Texas", "A | B", 'The "Best" of', "9]", "Émile; Zola", "Robert'); DROP", "## Hash"]
RELATIONS = ["directed_by", "written_by", "starred actors", "release year", "a;b", "has_genre"]


@pytest.fixture(scope="module")
def kg() -> NetworkxStore:
    return NetworkxStore.from_triples([Triple(n, "directed_by", "Someone Else") for n in NAMES])


def dress(rng: random.Random, text: str) -> str:
    text = rng.choice(PREAMBLES) + text + rng.choice(TAILS)
    return f"```\n{text}\n```" if rng.random() < 0.2 else text


def segmentation(rng: random.Random, name: str) -> str:
    number: Callable[[int], str] = rng.choice(
        [lambda i: f"{i}. ", lambda i: f"{i}) ", lambda i: f"#{i}. ", lambda i: f"**{i}.** "]
    )
    paper = rng.random() < 0.4
    lines = []
    for i in range(1, rng.randint(2, 9)):
        ends = [name if i == 1 else f"?x{i - 1}", "?answer" if rng.random() < 0.4 else f"?x{i}"]
        if rng.random() < 0.2:
            ends.reverse()
        if paper:
            lines.append(f"{number(i)}Part {i} is so., Entity set: [{' ## '.join(repr(e.lstrip('?')) for e in ends)}]")
        else:
            lines.append(f"{number(i)}Part {i} is so. | {rng.choice([' ; ', ';', ' ;'])[:3].join(ends)}")
    if rng.random() < 0.2:
        lines.insert(1, "(this line is a remark)")
    return "\n".join(lines)


def test_segmentations(kg: NetworkxStore) -> None:
    rng, read, total = random.Random(7), 0, 0
    offered_always = {n for n in NAMES}
    for _ in range(N):
        name = rng.choice(NAMES)
        if rng.random() < 0.05:
            with pytest.raises(ReplyError):
                parse_segments(kg, rng.choice(REFUSALS), [name], "ask")
            continue
        total += 1
        reply = dress(rng, segmentation(rng, name))
        try:
            subs = parse_segments(kg, reply, [name], "ask")
        except ReplyError:
            continue
        read += 1
        assert {e.entity for s in subs for e in s.ends if e.entity} == {name} <= offered_always
        assert 1 <= len(subs) <= 6 and all(1 <= len(s.ends) <= 2 for s in subs)
    assert read / total >= 0.99, f"{read} of {total}"


def test_relations() -> None:
    rng, read, total = random.Random(8), 0, 0
    labels = {r.replace("_", " "): r for r in RELATIONS}
    for _ in range(N):
        if rng.random() < 0.05:
            with pytest.raises(ReplyError):
                parse_relations(rng.choice(REFUSALS), labels, 3)
            continue
        total += 1
        gold = rng.sample([r for r in RELATIONS if ";" not in r], rng.randint(1, 3))
        spelled = [rng.choice([r, r.replace("_", " "), r.upper(), f"'{r}'", f'"{r}"', f"**{r}**"]) for r in gold]
        invented = rng.choice([[], ["owned_by"], ["produced by"]])
        shape = rng.choice(["{}", "[{}]", "Answer: {}", "Top 3 Answer: [{}]", "Chosen: {}"])
        body = shape.format(rng.choice([" ; ", ", ", ",", "; "]).join(spelled + invented))
        if rng.random() < 0.2:
            body = "\n".join(f"{i}. {s}" for i, s in enumerate(spelled + invented, 1))
        try:
            found = parse_relations(dress(rng, body), labels, 3)
        except ReplyError:
            continue
        assert set(found) <= set(RELATIONS) and len(found) <= 3
        read += list(found) == gold
    assert read / total >= 0.99, f"{read} of {total}"


def test_answers() -> None:
    rng, read, total = random.Random(9), 0, 0
    names = {n: f"id:{n}" for n in NAMES}
    for _ in range(N):
        if rng.random() < 0.05:
            with pytest.raises(ReplyError):
                parse_answer(rng.choice(["", "I cannot say.", "Napoleon", "???"]), names)
            continue
        total += 1
        gold = rng.choice(NAMES)
        spelled = rng.choice([gold, f"'{gold}'", f'"{gold}"', gold.upper(), f"**{gold}**"])
        shape = rng.choice(["{}", "Answer: {}", "The answer is {}", "1. {}", "- {}", "{}\nbecause the triples say so"])
        try:
            found = parse_answer(dress(rng, shape.format(spelled)), names)
        except ReplyError:
            continue
        assert set(found) <= set(names.values())
        read += bool(found) and found[0] == names[gold]
    assert read / total >= 0.99, f"{read} of {total}"


def test_verdicts() -> None:
    rng, read, total = random.Random(10), 0, 0
    for _ in range(N):
        if rng.random() < 0.05:
            with pytest.raises(ReplyError):
                parse_verdict(rng.choice(REFUSALS), 5)
            continue
        total += 1
        gold = rng.choice(["supported", "refuted", "not enough evidence", "True", "False"])
        if gold in ("True", "False"):
            reply = f"{gold}, based on the evidence set, it holds."
        else:
            used = "none" if gold.startswith("not") else rng.choice(["1, 2", "[1], [2]", "1 2", "2, 99", "#1"])
            word = rng.choice([gold, gold.title(), gold.upper(), f"**{gold}**"])
            reply = f"{rng.choice(['Verdict: ', '', '**Verdict:** '])}{word}\nTriples used: {used}\nReason: so it is."
        try:
            verdict, cited, reason = parse_verdict(dress(rng, reply), 5)
        except ReplyError:
            continue
        assert all(0 <= i < 5 for i in cited)
        want = {"true": "supported", "false": "refuted"}.get(gold.lower(), gold.lower().replace(" ", "_"))
        read += verdict == want and bool(reason)
    assert read / total >= 0.99, f"{read} of {total}"
