"""`make demo` asks what the README promises, and the embedded model answers it right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import triplewise

pytestmark = pytest.mark.local
ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
GRAPH = ROOT / "corpus" / "library" / "graph.tsv"
ANSWERS = {
    "Which films did Jane Campion direct?": {"The Piano", "The Power of the Dog (film)"},
    "Who composed the music of the films directed by Sergio Leone?": {"Ennio Morricone"},
    "Who wrote the book that Blade Runner is based on?": {"Philip K. Dick"},
}
OWN = {"The Little Badgers are in the middle of some book, who's it by?": {"Grace Whitlow"}}
VERDICTS = {
    "The music of Amélie was composed by Michel Legrand.": "refuted",
    "Ridley Scott directed a film that stars Russell Crowe.": "supported",
}


def demo(variable: str) -> list[str]:
    text = re.search(rf"^{variable} := ((?:.*\\\n)*.*)", MAKEFILE, re.M)
    assert text
    return re.findall(r'"([^"]+)"', text[1])


def test_the_demo_s_questions_and_claims_are_these() -> None:
    assert demo("ASK") == list(ANSWERS) and demo("VERIFY") == list(VERDICTS)
    assert demo("OWN") == list(OWN)


@pytest.mark.parametrize("question", OWN)
def test_a_graph_that_nothing_was_trained_on(question: str) -> None:
    result = triplewise.ask(str(GRAPH), question)
    assert result.method == "query-graph" and {a.label for a in result.answers} == OWN[question]
    assert result.reading is not None and all(a.citations for a in result.answers)


@pytest.mark.parametrize("question", ANSWERS)
def test_questions_are_answered_with_all_answers_and_proofs(question: str) -> None:
    result = triplewise.ask("films", question)
    assert {a.label for a in result.answers} == ANSWERS[question]
    assert all(a.citations for a in result.answers)


@pytest.mark.parametrize("claim", VERDICTS)
def test_claims_are_judged_by_what_the_graph_says(claim: str) -> None:
    result = triplewise.verify("films", claim)
    assert result.verdict == VERDICTS[claim] and result.citations
