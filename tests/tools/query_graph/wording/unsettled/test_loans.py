"""What is lent and not back: loans of a band's instruments, keys that tell themselves who has them, and no loans."""

from __future__ import annotations

import pytest

import triplewise
from triplewise.kg import KGStore, NetworkxStore
from triplewise.tools.query_graph.ranker import reader_of

_LOANS = (("Fender bass", "Rab Orr", "2023-08-20", "2023-09-03"), ("bodhran", "Pia Shaw", "2024-02-02", ""),
          ("red melodeon", "Jen Moss", "2024-03-15", "2024-04-12"), ("Fender bass", "Rab Orr", "2024-05-01", ""))  # fmt: skip
_KEYS = (("red key", "Dot", ""), ("pink key", "Dot", "2024-08-12"), ("blue key", "Hetty", ""))


def _band() -> KGStore:
    triples = [("Fender bass", "owned by", "Tom Haig"), ("bodhran", "owned by", "Tom Haig")]
    for number, (what, who, out, back) in enumerate(_LOANS, 1):
        row = f"lend {number}"
        triples += [(row, "what", what), (row, "to", who), (row, "out", f'"{out}"')]
        triples += [(row, "back", f'"{back}"')] if back else []
    triples += [(who, "lives in", "Perth") for who in ("Rab Orr", "Pia Shaw", "Jen Moss", "Tom Haig")]
    return NetworkxStore(triples)


def _keys() -> KGStore:
    triples = [(key, "kept by", who) for key, who, _ in _KEYS]
    triples += [(key, "gave it back", f'"{day}"') for key, _, day in _KEYS if day]
    return NetworkxStore([*triples, *((key, "opens", f"No {n}") for n, (key, *_) in enumerate(_KEYS))])


def _repairs() -> KGStore:
    triples = [(f"repair {n}", "mended by", who) for n, who in enumerate(("Ed Noll", "Wilf Ames", "Ed Noll"), 1)]
    triples += [("repair 1", "back on", '"2024-03-01"'), ("repair 1", "sent", '"2024-02-01"')]
    return NetworkxStore(triples)


BAND, KEYS, REPAIRS = _band(), _keys(), _repairs()


@pytest.mark.parametrize(
    ("kg", "asked", "answers"),
    [
        (BAND, "what's still out?", {"bodhran", "Fender bass"}),
        (BAND, "whats out on loan still, not come back yet", {"bodhran", "Fender bass"}),
        (BAND, "how many things are still out?", {"2"}),
        (BAND, "what's been lent out and we're still waiting to get it home?", {"bodhran", "Fender bass"}),
        (BAND, "who's still got something of mine?", {"Pia Shaw", "Rab Orr"}),
        (BAND, "and who hasn't brought their instrument back yet?", {"Pia Shaw", "Rab Orr"}),
        (BAND, "who's got my fender at the minute?", {"Rab Orr"}),
        (BAND, "what has Pia Shaw still got?", {"bodhran"}),
        (BAND, "what has Jen Moss still got?", set()),
        (BAND, "who has never returned anything?", {"Pia Shaw", "Rab Orr"}),
        (BAND, "who's borrowed something and still not brought it back?", {"Pia Shaw", "Rab Orr"}),
        (BAND, "I need to know what's still out with people", {"bodhran", "Fender bass"}),
        (BAND, "who's still hanging on to something of mine that they borrowed", {"Pia Shaw", "Rab Orr"}),
        (BAND, "what did Jen Moss borrow?", {"red melodeon"}),
        (BAND, "what did Rab Orr have on loan?", {"Fender bass"}),
        (KEYS, "which keys has dot still got?", {"red key"}),
        (KEYS, "who still has the blue key?", {"Hetty"}),
        (BAND, "whos got the bodhran", {"Pia Shaw"}),
    ],
)
def test_questions(kg: KGStore, asked: str, answers: set[str]) -> None:
    assert {a.label for a in triplewise.ask(kg, asked, model="llamacpp:embedded").answers} == answers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Rab Orr's still got the Fender.", "supported"),
        ("Jen Moss still has the red melodeon.", "refuted"),
        ("The bodhran is still out.", "supported"),
        ("The red melodeon is still out.", "refuted"),
        ("The bodhran is still with Pia Shaw.", "supported"),
    ],
)
def test_claims(claim: str, verdict: str) -> None:
    assert triplewise.verify(BAND, claim, model="llamacpp:embedded").verdict == verdict


def test_what_came_back_is_proven_by_the_day() -> None:
    verdict = triplewise.verify(BAND, "Jen Moss still has the red melodeon.", model="llamacpp:embedded")
    assert ("lend 3", "back", '"2024-04-12"') in [e.triple for e in verdict.evidence]


@pytest.mark.parametrize(
    ("kg", "text"),
    [
        (REPAIRS, "what's still out?"),  # nobody borrows there
        (BAND, "who's still got to pay?"),
        (BAND, "who's got the most instruments out?"),
        (BAND, "where does Rab Orr live now?"),
        (BAND, "who still lives in Perth?"),
        (BAND, "what was still out on 1 March 2024?"),  # a day is another question
        (BAND, "who's got the bodhran and lives in Perth now?"),
        (BAND, "what has not come back " * 30 + "to Perth?"),
        (BAND, "who's got it " + "has not come back " * 30 + "to Perth?"),
    ],
)
def test_other_sentences_are_read_as_they_are(kg: KGStore, text: str) -> None:
    assert reader_of(kg).open_loans.ranking(text, "ask", ()) is None
