"""KICGPT as a whole: modes, budgets, ablations, fallbacks, and the two scripted ends (oracle and identity)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from triplewise.agents.context import Context
from triplewise.agents.kicgpt.prompts import interleave, merge
from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError, QuestionError
from triplewise.graphs import kicgpt
from triplewise.kg import NetworkxStore
from triplewise.tools.links.rotate_scorer import RankingFile
from triplewise.types import Triple

PEOPLE = [f"p{i}" for i in range(12)]
FILMS = [f"f{i}" for i in range(40)]
TRIPLES = [
    *(Triple(f, "directed_by", PEOPLE[i % 12]) for i, f in enumerate(FILMS)),
    *(Triple(f, "has_genre", f"g{i % 5}") for i, f in enumerate(FILMS)),
    *(Triple(FILMS[0], "starred_actors", p) for p in PEOPLE[3:9]),
]
LABELS = {**{p: f"Person {chr(65 + i)}" for i, p in enumerate(PEOPLE)}, **{f: f"Film {i}" for i, f in enumerate(FILMS)}}
KG = NetworkxStore.from_triples(TRIPLES, labels=LABELS, descriptions={"f0": "a film about one long night in a town"})


RANKING = [*PEOPLE, *(e for e in KG.entities() if e not in PEOPLE)]


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> RankingFile:
    """A file that ranks the people, then the rest in the graph's order, for every query asked here."""
    path = tmp_path_factory.mktemp("rankings") / "rankings.jsonl"
    queries = [(f, None) for f in FILMS] + [(None, "p3")]
    lines = [{"head": h, "relation": "directed_by", "tail": t, "ranking": PEOPLE} for h, t in queries]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return RankingFile.load(path, KG)


class Run:
    """Runs queries with a scripted model over the rankings."""

    def __init__(self, scorer: RankingFile) -> None:
        self.scorer = scorer

    def __call__(self, model: ScriptedChatModel, query: LinkQuery | None = None, **options: Any) -> dict[str, Any]:
        budget = options.pop("budget", None)
        chosen = kicgpt.settings(options.pop("preset", "default"), **{"m": 10, **options})
        if budget:
            chosen = replace(chosen, conversation=replace(chosen.conversation, budget=budget))
        query = query or LinkQuery("f0", "directed_by", None)
        context = Context(kg=KG, model=model, scorer=self.scorer)
        return kicgpt.build(chosen).invoke({"query": query, "steps": [], "warnings": []}, context=context)


@pytest.fixture
def run(scorer: RankingFile) -> Run:
    return Run(scorer)


def scripted(*replies: str) -> ScriptedChatModel:
    return ScriptedChatModel(responses=list(replies))


def texts(model: ScriptedChatModel, call: int = -1) -> str:
    return "\n".join(m.text for m in model.calls[call][0])


def test_compact_is_one_call_with_all_four_stages(run: Run) -> None:
    model = scripted("3, 1, 2")
    state = run(model)
    assert len(model.calls) == 1
    assert state["ranking"][:4] == ("p2", "p0", "p1", "p3")
    assert len(state["ranking"]) == len(KG.entities()) and len(set(state["ranking"])) == len(state["ranking"])
    prompt = texts(model)
    assert "Film 0 is directed by ____." in prompt
    assert "About Film 0: a film about one long night in a town" in prompt
    assert "1. Person A\n2. Person B" in prompt
    assert len(state["shown"]) == 32
    assert prompt.count("\n- ") == 32
    assert [m.type for m in model.calls[0][0]] == ["system", "human"]
    assert state["steps"][-1].detail["missing"] == 7


def test_head_queries_are_asked_with_the_blank_in_front(run: Run) -> None:
    model = scripted("1")
    run(model, LinkQuery(None, "directed_by", "p3"))
    assert "____ is directed by Person D." in texts(model)


def test_the_prompt_keeps_to_its_budget_by_leaving_out_demonstrations(run: Run) -> None:
    model = scripted("1")
    state = run(model, budget=260)
    assert 0 < len(state["shown"]) < 32
    assert model.get_num_tokens_from_messages(model.calls[0][0]) <= 260


def conversation(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
    last = messages[-1].text
    if "reply only OK" in last:
        return "OK"
    if "Yes or No" in last:
        return "Yes."
    return "Final order: Person C | Person A"


def test_multi_round_holds_the_four_stages_with_the_history(run: Run) -> None:
    model = ScriptedChatModel(responses=conversation)
    state = run(model, preset="paper")
    nodes = [s.node for s in state["steps"] if s.usage.calls]
    rounds = [n for n in nodes if n.startswith("demonstrate")]
    assert nodes == ["responsibility", "question", *rounds, "final_query"]
    assert len(rounds) == 10  # 40 analogies, 4 a round
    sizes = [len(messages) for messages, _ in model.calls]
    assert sizes == sorted(sizes) and sizes[-1] == 2 * len(nodes)
    assert [m.type for m in model.calls[-1][0]][:4] == ["system", "human", "ai", "human"]
    assert texts(model).count("\n- ") == len(state["shown"])
    assert state["ranking"][:2] == ("p2", "p0")


def rounds_of(state: dict[str, Any]) -> list[str]:
    return [s.node for s in state["steps"] if s.node.startswith("demonstrate[")]


def test_rounds_stop_before_the_budget_or_in_the_reference_after_it(run: Run) -> None:
    model = ScriptedChatModel(responses=conversation)
    paper = run(model, preset="paper", budget=420)
    assert 0 < len(rounds_of(paper)) < 10
    assert max(model.get_num_tokens_from_messages(messages) for messages, _ in model.calls) <= 420
    model = ScriptedChatModel(responses=conversation)
    reference = run(model, preset="reference", budget=420)
    assert len(rounds_of(reference)) == len(reference["shown"]) // 8 + 1  # the last round was paid and taken back
    assert "taken back" in next(s for s in reversed(reference["steps"]) if s.node.startswith("demonstrate[")).note
    assert model.get_num_tokens_from_messages(model.calls[-1][0]) <= 420


def test_scores_are_asked_in_batches_and_sorted(run: Run) -> None:
    def score(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
        numbers = re.findall(r"^(\d+)\. ", messages[-1].text, re.M)
        return "\n".join(f"{n}: {90 if n in ('4', '12') else 10}" for n in numbers)

    model = ScriptedChatModel(responses=score)
    state = run(model, reply="scores", m=12)
    assert [s.node for s in state["steps"]][-2:] == ["final_query[1-10]", "final_query[11-12]"]
    assert state["ranking"][:3] == ("p3", "p11", "p0")
    assert "4. Film 0 is directed by Person D." in texts(model, 0)


def test_the_paper_scores_one_candidate_a_call(run: Run) -> None:
    model = ScriptedChatModel(
        responses=lambda m, k: "80" if "by Person B" in m[-1].text else conversation(m, k).replace("Final order", "20")
    )
    state = run(model, preset="paper", reply="scores", m=3)
    assert state["ranking"][0] == "p1"
    assert sum(s.node.startswith("final_query") for s in state["steps"]) == 3


@pytest.mark.parametrize("reply", ["numbers", "names", "scores"])
@pytest.mark.parametrize("mode", ["compact", "multi-round"])
def test_a_failed_query_keeps_the_retrievers_order_and_is_counted(run: Run, reply: str, mode: str) -> None:
    model = ScriptedChatModel(responses=lambda m, k: "I am sorry." if len(m) > 0 else "")
    state = run(model, reply=reply, mode=mode)
    assert state["ranking"] == tuple(RANKING)
    assert state["steps"][-1].status == "fallback"
    assert "retriever's order is kept" in state["steps"][-1].note


@pytest.mark.parametrize("reply", ["numbers", "names", "scores"])
def test_whatever_is_replied_the_ranking_holds_every_entity_once(run: Run, reply: str) -> None:
    rng = random.Random(reply)
    words = [
        "1",
        "4:",
        "12",
        "99",
        "1: 90",
        "Person A",
        "Person Q",
        "then",
        ">",
        ",",
        "\n",
        "-3",
        "the best is",
        "None",
    ]
    for _ in range(60):
        model = ScriptedChatModel(responses=lambda m, k: " ".join(rng.choices(words, k=rng.randint(0, 20))))
        state = run(model, reply=reply)
        assert sorted(state["order"]) == list(range(10))
        assert sorted(state["ranking"][:10]) == sorted(RANKING[:10]) and state["ranking"][10:] == tuple(RANKING[10:])


def test_one_failed_batch_of_scores_fails_the_query(run: Run) -> None:
    model = ScriptedChatModel(responses=lambda m, k: "11: 90\n12: 91" if "\n11. " in m[-1].text else "no")
    state = run(model, reply="scores", m=12)
    assert state["order"] == tuple(range(12))
    assert [s.status for s in state["steps"][-2:]] == ["fallback", "ok"]


# Ablations (table 4) -----------------------------------------------------------------------------


def test_shuffled_candidates_are_shown_in_another_order_and_mapped_back(run: Run) -> None:
    def oracle(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
        found = re.search(r"^(\d+)\. Person D$", messages[-1].text, re.M)
        assert found
        return found.group(1)

    model = ScriptedChatModel(responses=oracle)
    state = run(model, ablation="shuffle-candidates")
    assert state["order"] == (3, 0, 1, 2, 4, 5, 6, 7, 8, 9)
    plain = ScriptedChatModel(responses=oracle)
    run(plain)
    assert texts(model) != texts(plain)
    again = ScriptedChatModel(responses=oracle)
    run(again, ablation="shuffle-candidates")
    assert texts(again) == texts(model)  # by seed


@pytest.mark.parametrize("ablation", kicgpt.ABLATIONS)
@pytest.mark.parametrize("mode", ["compact", "multi-round"])
def test_every_ablation_runs_and_changes_the_prompt(run: Run, ablation: str, mode: str) -> None:
    full, cut = ScriptedChatModel(responses=lambda m, k: "1 Yes"), ScriptedChatModel(responses=lambda m, k: "1 Yes")
    whole = run(full, mode=mode)
    state = run(cut, mode=mode, ablation=ablation)
    assert texts(full) != texts(cut)
    if ablation == "no-icl":
        assert "Analogies" not in texts(cut) and not state.get("shown")
    if ablation == "no-prompt-engineering":
        assert len(cut.calls) == 1 and cut.calls[0][0][0].type == "human"
        assert state["shown"] == whole["shown"]
    if ablation == "random-demonstrations":
        relations = {t.relation for kind, t in state["shown"] if kind == "analogy"}
        assert len(relations) > 1


def test_demonstrations_are_the_pools_in_turn() -> None:
    a, s = [Triple("a", "r", str(i)) for i in range(3)], [Triple("s", "q", str(i)) for i in range(1)]
    assert [(k[0], t.tail) for k, t in interleave(a, s, 10)] == [("a", "0"), ("s", "0"), ("a", "1"), ("a", "2")]
    assert len(interleave(a, s, 2)) == 2
    assert interleave([], [], 5) == ()
    assert merge([]) == []


# Settings and queries ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", [{"preset": "x"}, {"mode": "x"}, {"reply": "x"}, {"ablation": "x"}, {"m": 1}, {"m": 51}]
)
def test_wrong_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        kicgpt.settings(**wrong)


@pytest.mark.parametrize("ends", [(None, None), ("a", "b")])
def test_a_query_has_one_missing_end(ends: Sequence[str | None]) -> None:
    with pytest.raises(QuestionError):
        LinkQuery(ends[0], "r", ends[1])


def test_known_answers_stay_or_go(run: Run) -> None:
    model = scripted("1", "1")
    assert "p0" in run(model)["ranking"]
    assert "p0" not in run(model, keep_known=False)["ranking"]


async def test_many_queries_run_at_once(scorer: RankingFile) -> None:
    model = ScriptedChatModel(responses=lambda m, k: "2, 1", latency=0.02)
    graph = kicgpt.build(kicgpt.settings(m=10))
    inputs = [{"query": LinkQuery(f, "directed_by", None), "steps": [], "warnings": []} for f in FILMS]
    states = await graph.abatch(inputs, context=Context(kg=KG, model=model, scorer=scorer))
    assert all(s["ranking"][:2] == ("p1", "p0") for s in states)


# Labels that carry definitions (WN18RR) ------------------------------------------------------------

WORDS = NetworkxStore.from_triples(
    [("1", "_hypernym", "3"), ("2", "_hypernym", "4"), ("5", "_hypernym", "3"), ("6", "_hypernym", "4")],
    labels={
        "1": "stool, a simple seat without a back",
        "2": "stool, what a doctor asks for",
        "3": "seat, furniture that is made for sitting on",
        "4": "waste, what is left over, of no use",
        "5": "bench, a long seat for several people",
        "6": "litter, rubbish on the ground",
    },
)


def ask_words(tmp_path: Path, model: ScriptedChatModel, **options: Any) -> dict[str, Any]:
    path = tmp_path / "words.jsonl"
    asked = {"head": None, "relation": "_hypernym", "tail": "3", "ranking": ["2", "6", "1", "5"]}
    path.write_text(json.dumps(asked))
    scorer = RankingFile.load(path, WORDS)
    graph = kicgpt.build(kicgpt.settings(options.pop("preset", "default"), m=4, **options))
    query = LinkQuery(None, "_hypernym", "3")
    return graph.invoke({"query": query, "steps": [], "warnings": []}, context=Context(WORDS, model, scorer=scorer))


def test_a_definition_is_shown_only_where_words_clash(tmp_path: Path) -> None:
    model = scripted("3, 4")
    state = ask_words(tmp_path, model)
    prompt = texts(model)
    listed = "1. stool (what a doctor asks for)\n2. litter\n3. stool (a simple seat without a back)\n4. bench\n"
    assert listed in prompt
    assert "- bench is a kind of seat." in prompt and "rubbish" not in prompt
    assert "____ is a kind of seat." in prompt
    assert "About seat: furniture that is made for sitting on\n" in prompt
    assert state["ranking"][:4] == ("1", "5", "2", "6")
    assert state["steps"][0].detail["candidates"][1] == ["litter", -2.0]


def test_candidates_by_name_are_short_too_and_known_by_their_meaning(tmp_path: Path) -> None:
    reply = "Final order: bench | stool (a simple seat without a back) | litter"
    model = ScriptedChatModel(responses=lambda m, k: conversation(m, k) if "OK" in m[-1].text else reply)
    state = ask_words(tmp_path, model, preset="paper")
    shown = "stool (what a doctor asks for) | litter | stool (a simple seat without a back) | bench\n"
    assert f"The candidates: {shown}" in texts(model)
    assert state["ranking"][:4] == ("5", "1", "6", "2")


def test_scored_statements_describe_both_ends(tmp_path: Path) -> None:
    model = scripted("1: 5\n2: 1\n3: 95\n4: 90")
    state = ask_words(tmp_path, model, reply="scores")
    assert "2. litter is a kind of seat. (litter: rubbish on the ground)" in texts(model)
    assert "About seat: furniture" in texts(model)
    assert state["ranking"][:4] == ("1", "5", "2", "6")
    plain = scripted("1: 5\n2: 1\n3: 95\n4: 90")
    ask_words(tmp_path, plain, reply="scores", describe="none")
    assert "rubbish" not in texts(plain) and "About" not in texts(plain)


def test_in_the_paper_every_scored_statement_and_every_example_brings_both_definitions(tmp_path: Path) -> None:
    model = ScriptedChatModel(responses=lambda m, k: conversation(m, k).replace("Final order", "20"))
    ask_words(tmp_path, model, preset="paper", reply="scores")
    seat = "seat: furniture that is made for sitting on."
    asked = [m[-1].text for m, _ in model.calls if "Statement to judge" in m[-1].text]
    assert asked[1].startswith(f"Statement to judge:\nlitter: rubbish on the ground. {seat} litter is a kind of seat.")
    assert len(asked) == 4
    waste = "waste: what is left over, of no use."
    assert f"- litter: rubbish on the ground. {waste} litter is a kind of waste." in texts(model)  # an analogy
    assert f"- bench: a long seat for several people. {seat} bench is a kind of seat." in texts(model)


@pytest.mark.parametrize("ablation", ["shuffle-candidates", "no-prompt-engineering"])
def test_ablations_of_the_list_are_refused_with_scores(ablation: str) -> None:
    with pytest.raises(ConfigError, match="no meaning with scores"):
        kicgpt.settings("paper", reply="scores", ablation=ablation)
    assert kicgpt.settings("paper", reply="scores", ablation="no-icl").demonstrations.order == "none"


def test_pairs_per_round(run: Run) -> None:
    model = ScriptedChatModel(responses=conversation)
    state = run(model, preset="paper", per_round=16)
    assert len(rounds_of(state)) == 3  # 40 analogies
    with pytest.raises(ConfigError, match="per_round is 0"):
        kicgpt.settings(per_round=0)
