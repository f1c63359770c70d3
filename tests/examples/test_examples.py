"""The composed graphs of docs/compose.md: each runs with a scripted model, and is short."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

import triplewise
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import MissingKeyError
from triplewise.nodes import AskState, Context, Result, Triple, link, make_reasoner, make_relation_selector

FOLDER = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
REPLIES = {
    "segment": "1. Alien was directed by someone. | Alien ; ?answer",
    "select_relations": "directed by",
    "reason": "Ridley Scott",
}


def module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def scripted(**replies: str) -> ScriptedChatModel:
    """A model that replies by the name of the node that asks."""
    said = {**REPLIES, **replies}
    return ScriptedChatModel(responses=lambda messages, call: said[str(call["node"]).partition("[")[0]])


def run(name: str, question: str, **replies: str) -> tuple[dict[str, Any], Result]:
    context = Context(kg="films", model=scripted(**replies), embedder="")
    state = module(name).build().invoke({"question": question}, context=context)
    return state, Result.from_state(state, method=name)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_at_most_forty_lines(name: str) -> None:
    assert len((FOLDER / f"{name}.py").read_text().splitlines()) <= 40


def test_there_are_three() -> None:
    assert NAMES == ["own_lookup", "two_retrievers", "verified_rag"]


def test_own_lookup_answers_with_its_proof() -> None:
    _, result = run("own_lookup", "Who directed Alien?")
    assert [a.label for a in result.answers] == ["Ridley Scott"]
    assert result.cited_triples() == [Triple("Alien", "directed_by", "Ridley Scott")]
    assert {e.origin for e in result.evidence} == {"own look-up"}


def test_own_lookup_suits_a_trained_model() -> None:
    """The short style reads answers from the join, which is made of the evidence that the own look-up brought."""

    class Trained(ScriptedChatModel):
        trained_for_nodes: bool = True

    model = Trained(responses=[REPLIES["segment"]])
    context = Context(kg="films", model=model, embedder="")
    state = module("own_lookup").build().invoke({"question": "Who directed Alien?"}, context=context)
    assert model.calls[0][0][0].text.startswith("Split the question.")
    assert "Ridley Scott" in {a.label for a in state["answers"]} and len(model.calls) == 1


def test_two_retrievers_vote() -> None:
    state, result = run("two_retrievers", "Who directed Alien?", reason='So.\nOutput: ["Ridley Scott"]')
    assert result.text == "Ridley Scott" and result.citations
    first = [e.triple.head for e in state["evidence"]]
    assert first[0] == "Alien" and state["by_words"] and state["near"]


def test_a_rag_answer_is_verified() -> None:
    verdict = "Verdict: supported\nTriples used: 1\nReason: so it says."
    said = {"draft": "Alien was directed by Ridley Scott.", "reason": verdict}
    said["segment"] = "1. Alien was directed by Ridley Scott. | Alien ; Ridley Scott"
    state, result = run("verified_rag", "Who directed Alien?", **said)
    assert state["draft"] == "Alien was directed by Ridley Scott." and result.verdict == "supported"
    assert result.cited_triples() == [Triple("Alien", "directed_by", "Ridley Scott")]
    assert result.steps[0].node == "draft"


def test_a_missing_key_is_told_with_the_node_that_provides_it() -> None:
    from langgraph.graph import START, StateGraph

    graph = StateGraph(AskState, context_schema=Context)
    graph.add_sequence([("link", link), ("reason", make_reasoner())])
    graph.add_edge(START, "link")
    with pytest.raises(MissingKeyError, match=r"'reason' needs .*The node"):
        graph.compile().invoke({"question": "Who directed Alien?"}, context=Context(kg="films", model=scripted()))
    graph = StateGraph(AskState, context_schema=Context)
    graph.add_sequence([("link", link), ("select_relations", make_relation_selector())])
    graph.add_edge(START, "link")
    with pytest.raises(MissingKeyError, match=r"'sub_sentences'.*The node segment provides it"):
        graph.compile().invoke({"question": "Who directed Alien?"}, context=Context(kg="films", model=scripted()))


def test_the_public_list_is_complete() -> None:
    import triplewise.nodes as public

    assert all(hasattr(public, name) for name in public.__all__)
    assert triplewise.Result is public.Result
