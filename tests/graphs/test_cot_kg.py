"""The second paper's machine: plan, retrieve, YAML, reason; what models reply, and what never becomes an answer."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest
from word_embedder import WordEmbedder

import triplewise
from triplewise.agents.cot_kg.few_shot import plan_demonstrations, reason_demonstrations
from triplewise.agents.cot_kg.planner import MAX_STEPS, parse_plan, plan_grammar
from triplewise.agents.cot_kg.reasoner import output_grammar, parse_list, parse_output, proof
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError, ReplyError
from triplewise.graphs import cot_kg
from triplewise.kg import NetworkxStore, load_kg
from triplewise.tools.retrieval.subgraph_index import SubgraphIndex
from triplewise.tools.retrieval.triple_retriever import TripleRetriever
from triplewise.tools.text.knowledge_format import parse_yaml
from triplewise.types import Evidence, Triple

QUESTION = "Who composed the music of the films that Carol Reed directed?"
PLAN = "1. Find the films that Carol Reed directed.\n2. Find who composed their music.\nOutput: Ennio Morricone"
OUTPUT = 'Carol Reed directed The Third Man. Anton Karas composed it.\nOutput: ["Anton Karas"]'

SIMPLE = "Who directed The Third Man?"
SIMPLE_PLAN = "1. Find who directed The Third Man."
SIMPLE_OUTPUT = 'It was directed by Carol Reed.\nOutput: ["Carol Reed"]'


@pytest.fixture(scope="module")
def bm25() -> TripleRetriever:
    return TripleRetriever(load_kg("films"))


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> TripleRetriever:
    pytest.importorskip("chromadb", reason="needs the extra 'vector'")
    kg = load_kg("films")
    index = SubgraphIndex(kg, WordEmbedder(), tmp_path_factory.mktemp("index"))
    index.build()
    return TripleRetriever(kg, index)


def ask(
    replies: list[str], retriever: TripleRetriever, question: str = QUESTION, **options: object
) -> triplewise.Result:
    model = ScriptedChatModel(responses=replies)
    return triplewise.ask("films", question, model=model, method="cot-kg", retriever=retriever, **options)


def test_an_answer_is_proved_by_the_chain_from_the_topic(indexed: TripleRetriever) -> None:
    result = ask([PLAN, OUTPUT], indexed)
    assert [a.label for a in result.answers] == ["Anton Karas"]
    assert result.cited_triples() == [
        Triple("The Third Man", "directed_by", "Carol Reed"),
        Triple("The Third Man", "composed_by", "Anton Karas"),
    ]
    assert [s.node for s in result.steps] == ["link", "plan", "retrieve_triples", "format_knowledge", "reason"]
    assert result.steps[1].detail["plan"] == [
        "Find the films that Carol Reed directed.",
        "Find who composed their music.",
    ]
    assert len(result.evidence) == 20 and all(e.score is not None for e in result.evidence)
    assert result.usage.calls == 2
    assert "Anton Karas composed it" in result.reason


def test_what_the_planner_answers_never_becomes_an_answer(indexed: TripleRetriever) -> None:
    result = ask([PLAN, "I cannot tell.\nOutput: []"], indexed)
    assert result.answers == () and result.citations == ()
    assert "Morricone" not in result.text + json.dumps(result.steps[1].detail)


def test_names_outside_the_hints_are_dropped_and_said(indexed: TripleRetriever) -> None:
    result = ask([PLAN, 'Output: ["Anton Karas", "Ennio Morricone of Rome"]'], indexed)
    assert [a.label for a in result.answers] == ["Anton Karas"]
    assert result.warnings == ("1 names that are not in the hints were dropped.",)
    assert result.steps[-1].detail["not_in_hints"] == ["Ennio Morricone of Rome"]


def test_a_bad_reply_is_repaired_else_no_answer_is_given(indexed: TripleRetriever) -> None:
    repaired = ask([PLAN, 'Output: ["Nobody Known"]', OUTPUT], indexed)
    assert repaired.steps[-1].status == "repaired" and repaired.answers
    failed = ask([PLAN, 'Output: ["Nobody Known"]', 'Output: ["Nobody Else"]'], indexed)
    assert failed.steps[-1].status == "fallback" and failed.answers == ()
    planless = ask(["", "```", OUTPUT], indexed, retrieval="fusion")
    assert planless.steps[1].status == "fallback" and planless.steps[1].detail["plan"] == []
    assert planless.answers


def test_the_knowledge_is_yaml_that_reads_back_or_triples(indexed: TripleRetriever) -> None:
    kg = load_kg("films")
    for knowledge, marks in (("yaml", "directed by"), ("triples", "(The Third Man, directed by, Carol Reed)")):
        result = ask([PLAN, OUTPUT], indexed, knowledge=knowledge)
        hints = result.steps[-1].prompt.rpartition("Hints:\n")[2].partition("\nCoT:")[0]
        assert marks in hints
        if knowledge == "yaml":
            assert set(parse_yaml(kg, hints)) == {e.triple for e in result.evidence}


def test_the_plan_steers_retrieval_unless_switched_off(bm25: TripleRetriever) -> None:
    with_plan, without = (ask([PLAN, "Output: []"], bm25, retrieval="bm25", use_plan=use) for use in (True, False))
    assert with_plan.evidence != without.evidence
    assert without.steps[1].detail["plan"]  # the plan is still there to be read


def test_without_an_index_bm25_ranks_and_says_so(bm25: TripleRetriever) -> None:
    result = ask([SIMPLE_PLAN, SIMPLE_OUTPUT], bm25, SIMPLE)
    assert result.text == "Carol Reed"
    assert "BM25 alone" in result.warnings[0]
    assert result.steps[2].note.endswith("by bm25")


def test_presets_and_options(indexed: TripleRetriever) -> None:
    paper = cot_kg.settings("paper")
    assert dict(paper.sampling) == {"temperature": 0.85, "top_p": 0.9}
    assert paper.retrieval.mode == "dense" and paper.retrieval.k == 20 and paper.reasoner.shots == 3
    result = ask([PLAN, "I cannot tell.\nOutput: []"], indexed, preset="paper", top_k=5)
    assert len(result.evidence) == 5 and result.steps[2].note.endswith("by dense")
    steps = PLAN.partition("\nOutput")[0]
    chosen = ["directed by", "composed by"][: steps.count("\n") + 1]
    short = ask([steps, *chosen, "Anton Karas"], indexed, preset="short")
    assert [a.label for a in short.answers] == ["Anton Karas"]
    assert [s.detail["chosen"] for s in short.steps if s.node.startswith("ground_plan")] == [[c] for c in chosen]
    wrong: tuple[dict[str, Any], ...] = (
        {"preset": "none"},
        {"shots": 4},
        {"top_k": 0},
        {"knowledge": "xml"},
        {"retrieval": "magic"},
    )
    for bad in wrong:
        with pytest.raises(ConfigError):
            cot_kg.settings(**bad)


def test_the_papers_answers_are_all_that_the_model_lists(indexed: TripleRetriever) -> None:
    said = 'Karas played the zither.\nOutput: ["Anton Karas", "Das Boot", "Nobody Known"]'
    result = ask([PLAN, said], indexed, preset="paper", retrieval="follow")
    assert [(a.id, bool(a.citations)) for a in result.answers] == [
        ("Anton Karas", True),
        ("Das Boot (film)", False),
        ("Nobody Known", False),
    ]
    assert result.warnings == ("2 answers stand in no hint: they are the model's word.",)
    assert ask([PLAN, "Output: []"], indexed, preset="paper").answers == ()
    unread = ask([PLAN, "I do not know.", "Still not."], indexed, preset="paper")
    assert (unread.answers, unread.steps[-1].status) == ((), "fallback")


def test_the_papers_model_is_asked_where_nothing_was_retrieved_too() -> None:
    kg = NetworkxStore([], types={"lonely": ["Thing"]}, name="empty")
    model = ScriptedChatModel(responses=["1. Find it.", 'Output: ["lonely"]'])
    result = triplewise.ask(
        kg, "what about lonely", model=model, method="cot-kg", preset="paper", retriever=TripleRetriever(kg)
    )
    assert [a.id for a in result.answers] == ["lonely"]
    assert "Hints" not in model.calls[-1][0][-1].text


def test_the_model_alone_is_the_papers_last_step_without_a_graph() -> None:
    model = ScriptedChatModel(responses=[OUTPUT])
    result = triplewise.ask("films", QUESTION, model=model, method="cot-kg", preset="sentence")
    assert [a.label for a in result.answers] == ["Anton Karas"] and result.evidence == result.citations == ()
    ((messages, _),) = model.calls
    text = "".join(m.text for m in messages)
    assert text.count("Input:") == 4 and "ints:" not in text
    assert model.calls[0][0][-1].text.endswith(f"Input: {QUESTION}\nCoT: Let's think step by step.")


def test_demonstrations_follow_shots_and_format() -> None:
    assert plan_demonstrations(0) == "" and plan_demonstrations(3).count("Input:") == 3
    assert "  directed by: Sergio Leone" in reason_demonstrations(1, "yaml")
    assert "(The Mission, composed by, Ennio Morricone)" in reason_demonstrations(1, "triples")
    with pytest.raises(ConfigError):
        plan_demonstrations(4)


def test_nothing_retrieved_asks_nobody() -> None:
    kg = NetworkxStore([], types={"lonely": ["Thing"]}, name="empty")
    model = ScriptedChatModel(responses=["1. Find it."])
    result = triplewise.ask(
        kg, "what about lonely", model=model, method="cot-kg", entities=["lonely"], retriever=TripleRetriever(kg)
    )
    assert result.answers == () and result.steps[-1].status == "skipped"


def test_many_questions_in_flight(bm25: TripleRetriever) -> None:
    def reply(messages: list, kwargs: dict) -> str:
        return SIMPLE_OUTPUT if "Hints:\n" in messages[-1].text else SIMPLE_PLAN

    model = ScriptedChatModel(responses=reply)

    async def all_of_them() -> list[triplewise.Result]:
        asked = (
            triplewise.aask("films", SIMPLE, model=model, method="cot-kg", retriever=bm25, retrieval="bm25")
            for _ in range(64)
        )
        return list(await asyncio.gather(*asked))

    assert {r.text for r in asyncio.run(all_of_them())} == {"Carol Reed"}


# parsers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "steps"),
    [
        ("1. Find A.\n2. Find B.", ("Find A.", "Find B.")),
        ("Let's think step by step.\n- Find A.\n- Find B.\nOutput: X", ("Find A.", "Find B.")),
        ("Step 1: Find A. \nStep 2: Find B.\n\n**Output:** ['x']", ("Find A.", "Find B.")),
        ("Find A. Then find B.", ("Find A.", "Then find B.")),
        ("```\n1) Find A\n```", ("Find A",)),
    ],
)
def test_plans_in_many_forms(reply: str, steps: tuple[str, ...]) -> None:
    assert parse_plan(reply) == steps


def test_a_plan_without_steps_is_no_plan() -> None:
    for reply in ("", "Output: Paris", "```\n```", "..."):
        with pytest.raises(ReplyError):
            parse_plan(reply)
    assert len(parse_plan("\n".join(f"{i}. Find {i}." for i in range(20)))) == MAX_STEPS


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        ('He did.\nOutput: ["Anton Karas", "Anton Karas"]', ("Anton Karas",)),
        ("Output: Anton Karas, 1949.", ("Anton Karas", "1949")),
        ("Output: [\"X\"]\nBut then.\n**Output:** ['Crosby, Stills & Nash']", ("Crosby, Stills & Nash",)),
        ('Output: ["not enough evidence"]', ()),
        ("Output: ['Heart of Gold', \"Ohio\"].", ("Heart of Gold", "Ohio")),
        ("Output: none", ()),
        ("Output: []", ()),
    ],
)
def test_lists_in_many_forms(reply: str, names: tuple[str, ...]) -> None:
    assert parse_list(reply) == names


def test_a_reply_without_a_list_is_asked_for_again() -> None:
    with pytest.raises(ReplyError, match="end with a line"):
        parse_list("Anton Karas")


NAMES = {"Anton Karas": "k", "Crosby, Stills & Nash": "c", 'The "Boss"': "b", "1949": "y", "Karas": "z"}


@pytest.mark.parametrize(
    ("reply", "ids"),
    [
        ('He did.\nOutput: ["Anton Karas"]', ("k",)),
        ("Output: ['Crosby, Stills & Nash', 'Karas']", ("c", "z")),
        ("Output: Anton Karas, 1949", ("k", "y")),
        ('Output: ["X"]\nBut then.\nOutput: ["1949"]', ("y",)),
        ('Output: ["The \\"Boss\\""]', ("b",)),
        ("Answer: Anton Karas.", ("k",)),
        ("The answers are: anton karas", ("k",)),
        ("Anton Karas ; 1949", ("k", "y")),
        ("Output: []", ()),
        ("Output: none", ()),
        ("Output: not enough evidence", ()),
        ('Output: ["not enough evidence"]', ()),
    ],
)
def test_outputs_in_many_forms(reply: str, ids: tuple[str, ...]) -> None:
    assert parse_output(reply, NAMES)[0] == ids


def test_fuzzed_replies_never_give_what_was_not_offered() -> None:
    rng = random.Random(5)
    parts = [
        *NAMES,
        "Output:",
        "[",
        "]",
        '"',
        "'",
        ",",
        "\n",
        ";",
        "I think",
        "Paris",
        "[]",
        "{",
        "1.",
        "```",
        "\u202e",
        " ",
    ]
    accepted = 0
    for _ in range(5000):
        reply = "".join(rng.choice(parts) + rng.choice(["", " "]) for _ in range(rng.randrange(12)))
        try:
            found, _ = parse_output(reply, NAMES)
        except ReplyError:
            continue
        accepted += 1
        assert set(found) <= set(NAMES.values())
    assert accepted > 1000


def test_the_proof_is_the_shortest_chain_else_what_names_the_answer() -> None:
    evidence = [
        Evidence(Triple(*t))
        for t in [("m", "r", "a"), ("t", "r", "m"), ("x", "r", "a"), ("y", "r", "z"), ("t", "r", "n"), ("n", "r", "o")]
    ]
    assert proof(evidence, ["t"], "a") == (1, 0)
    assert proof(evidence, ["t"], "z") == (3,)
    assert proof(evidence, [], "a") == (0, 2)


# with real models ---------------------------------------------------------------------------------


def test_over_http(fake_openai, bm25: TripleRetriever) -> None:
    rules = [{"match": "Hints:\nThe Third Man:", "reply": SIMPLE_OUTPUT}, {"match": ".", "reply": SIMPLE_PLAN}]
    server = fake_openai(rules)
    result = triplewise.ask("films", SIMPLE, model="openai:any", method="cot-kg", retriever=bm25, retrieval="bm25")
    assert result.text == "Carol Reed"
    assert server.answered == 2 and result.usage.prompt_tokens > 0


@pytest.mark.local
@pytest.mark.parametrize("preset", ["short", pytest.param("default", marks=pytest.mark.slow)])
def test_grammars_hold_the_embedded_model(bm25: TripleRetriever, preset: str) -> None:
    model = triplewise.load_chat_model("llamacpp:embedded")
    result = triplewise.ask(
        "films", SIMPLE, model=model, method="cot-kg", preset=preset, retriever=bm25, retrieval="bm25", shots=0, top_k=8
    )
    assert {s.status for s in result.steps} <= {"ok"}, [s.note for s in result.steps]
    assert result.steps[1].detail["plan"]
    retrieved = {end for e in result.evidence for end in (e.triple.head, e.triple.tail)}
    assert {a.id for a in result.answers} <= retrieved


@pytest.mark.local
def test_grammars_admit_only_what_parses() -> None:
    import llama_cpp

    for grammar in (plan_grammar(answer=True), plan_grammar(answer=False), output_grammar(['a "b"', "c\nd"], short=False),
                    output_grammar(["x"], short=True)):  # fmt: skip
        llama_cpp.LlamaGrammar.from_string(grammar, verbose=False)


def test_without_a_retriever_the_context_s_embedder_ranks() -> None:
    model = ScriptedChatModel(responses=[SIMPLE_PLAN, SIMPLE_OUTPUT])
    result = triplewise.ask("films", SIMPLE, model=model, method="cot-kg", embedder="")
    assert result.text == "Carol Reed" and "no embedder is named" in result.warnings[0]
    with pytest.raises(ConfigError, match="no embedder 'nonsense'"):
        triplewise.ask(
            "films", SIMPLE, model=ScriptedChatModel(responses=[SIMPLE_PLAN]), method="cot-kg", embedder="nonsense"
        )
