"""Several questions in one sentence: where it is divided, and how their answers become one."""

from __future__ import annotations

import json

import pytest

from triplewise.agents.assistant.events import Answered, Citation
from triplewise.agents.assistant.intents.in_turn import joined, questions_of, to_json
from triplewise.types import Answer


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("Who is Jonty's mentor and where does he live?", ["Who is Jonty's mentor?", "where does he live?"]),
        ("Hi. Who made Moon, and who bought it?", ["Hi. Who made Moon?", "who bought it?"]),
        ("Who bought Moon and is it dearer than Sun", ["Who bought Moon?", "is it dearer than Sun?"]),
        ("When and where was Moon sold?", ["When and where was Moon sold?"]),
        ("Can you eat Moon or is it poisonous?", ["Can you eat Moon or is it poisonous?"]),
        ("Who owns Moon and since when?", ["Who owns Moon?", "since when?"]),
        ("Who made Moon?", ["Who made Moon?"]),
        ("What does Moon do for us again, what's her job?", ["What does Moon do for us again. what's her job?"]),
        ("Who is Moon again, what's her job?", ["Who is Moon again. what's her job?"]),
        ("Who made Moon, what's her age?", ["Who made Moon?", "what's her age?"]),
        ("Ooh and are any of those open, while I'm at it? Which ones?", ["Ooh and are any of those open, while I'm at it?"]),
        ("Is it open? Which one?", ["Is it open? Which one?"]),
    ],
)  # fmt: skip
def test_a_sentence_is_divided_where_its_first_question_is_whole(text: str, questions: list[str]) -> None:
    assert questions_of(text, lambda first: "Moon" in first or "Jonty" in first) == questions


def test_later_citations_are_numbered_on() -> None:
    def cited(n: int) -> Citation:
        return Citation(n, f"m#{n}", "a", "r", "b", ("a", "r", "b"), "asserted", None, "")

    first = Answered("m", "Lena [1], Ann [2].", "answer", (Answer("L", "Lena", (1,)),), method="query-graph")
    second = Answered("m", "Kirkby [1].", "answer", (Answer("K", "Kirkby", (1,)),), method="query-graph")
    before = json.loads(json.dumps(to_json(first, [cited(1), cited(2)])))
    whole, citations = joined(before, second, [cited(1)])
    assert whole.text == "Lena [1], Ann [2]. Kirkby [3]." and [a.citations for a in whole.answers] == [(1,), (3,)]
    assert [(c.n, c.id) for c in citations] == [(1, "m#1"), (2, "m#2"), (3, "m#3")]
    nothing = to_json(Answered("m", "The graph does not tell.", "nothing"), [])
    whole, _ = joined(nothing, Answered("m", "Yes [1].", "verdict", verdict="supported"), [cited(1)])
    assert (whole.kind, whole.verdict, whole.text) == ("verdict", "supported", "The graph does not tell. Yes [1].")
