"""Every ablation of the papers' tables changes what it names and nothing else: settings, prompts and indexes compared."""

from __future__ import annotations

import json
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from triplewise.agents.context import Context
from triplewise.agents.kg_gpt.few_shot import examples_text
from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.backends.fake import ScriptedChatModel
from triplewise.evals.papers.paper_tables import experiment_ids, load_experiment
from triplewise.evals.runs.plan import Request
from triplewise.evals.runs.reproduce import Own, request_of
from triplewise.graphs import kicgpt
from triplewise.graphs.method import method
from triplewise.kg import NetworkxStore
from triplewise.tools.links.rotate_scorer import RankingFile
from triplewise.tools.retrieval.subgraph_text import PLAIN, SubgraphRule, SubgraphTexts
from triplewise.tools.retrieval.triple_retriever import growing_queries
from triplewise.tools.retrieval.triple_table import TripleTable
from triplewise.types import Triple

FULL = {
    "anonymous2024_cot_kg_cwq": "ours", "anonymous2024_cot_kg_metaqa": "3-hop", "anonymous2024_cot_kg_webqsp": "ours",
    "kim2023_kg_gpt_factkg": "12-shot", "kim2023_kg_gpt_metaqa": "12-shot",
    "wei2023_kicgpt_fb15k_237": "kicgpt", "wei2023_kicgpt_wn18rr": "kicgpt",
}  # fmt: skip
SHOTS = {"segmenter.shots", "selector.shots", "reasoner.shots"}
CHANGED: dict[str, set[str]] = {
    "8-shot": SHOTS, "4-shot": SHOTS, "question-only-12-shot": {"with_graph"}, "claim-only-12-shot": {"with_graph"},
    "claim-only-zero-shot": {"with_graph", *SHOTS},
    **{f"top-{k}": {"selector.top_k"} for k in (1, 3, 5, 10)},
    "without-subgraph-retrieval": {"retrieval.subgraph"}, "without-cot-retrieval": {"retrieval.plan"},
    "llama2-7b-chat-alone": {"with_graph"}, "chatgpt-alone": {"with_graph"},
    "3-hop-llama2-7b-chat-alone": {"with_graph"}, "without-instruction-tuning": {"model"}, "without-pretraining": {"model"},
    "without-reasoning-training": {"model"}, "3-hop-continual-training": {"model"},
    "kicgpt-tsa": {"conversation.alignment"}, "full-model": set(),
    "shuffle-candidates": {"conversation.shuffle"}, "no-ordering": {"demonstrations.order"},
    "random-demonstrations": {"demonstrations.order"}, "no-icl": {"demonstrations.order"},
    "no-prompt-engineering": {"conversation.engineered", "conversation.mode", "conversation.demonstrations"},
}  # fmt: skip
"""Row, without its hop count → the settings that it changes against the full row."""


def differing(a: Any, b: Any, path: str = "") -> set[str]:
    """Dotted names of the settings that differ."""
    if is_dataclass(a) and type(a) is type(b):
        return {n for f in fields(a) for n in differing(getattr(a, f.name), getattr(b, f.name), f"{path}.{f.name}")}
    return set() if a == b else {path.lstrip(".")}


ROWS = [(i, r.name) for i in experiment_ids() for r in load_experiment(i).rows]


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_a_row_changes_what_it_names(name: str, row: str, tmp_path: Path) -> None:
    texts = tmp_path / "texts.tsv"
    texts.write_text("r\t[H] does [T].\n")
    experiment = load_experiment(name)
    hops = re.match(r"\d-hop-(?=\d+-shot|top|question)", row)
    full = experiment.row(f"{hops.group() if hops else ''}{FULL[name]}")
    plain = Request("", "openai:base", options={"alignment": str(texts)})
    made = []
    for chosen in (full, experiment.row(row)):
        own = Own(model=f"openai:{chosen.name}") if "training" in chosen.settings else None
        request = request_of(experiment, chosen, plain, own)
        given = method(experiment.method).check(request.preset, **request.options)
        made.append((given, request))
    (a, asked), (b, asked_row) = made
    changed = differing(a, b) | ({"model"} if asked.model != asked_row.model else set())
    baseline = {"selector.top_k"} if "only" in row else set()  # no relation is chosen without a graph
    published = {"retriever.sampled", "selector.candidates", "selector.skip"} if "only" in row else set()
    wanted = CHANGED.get(row.removeprefix(hops.group() if hops else ""), set())
    assert changed - baseline - published == wanted - ({"selector.top_k"} if a == b else set())
    assert (asked.split, asked.limit, asked.index) == (asked_row.split, asked_row.limit, asked_row.index)


# KG-GPT and cot-kg: what the model and the index are given ----------------------------------------------------


@pytest.mark.parametrize("stage", ["segment", "select", "infer"])
def test_fewer_shots_are_the_first_of_the_same_examples(stage: str) -> None:
    twelve = examples_text(stage, "ask", "paper", 12, 2)
    assert all(twelve.startswith(examples_text(stage, "ask", "paper", n, 2)) for n in (4, 8))


def test_without_the_plan_the_query_is_the_question_alone() -> None:
    assert growing_queries("q", ("a", "b")) == ["q", "q a", "q a b"]
    assert growing_queries("q", ("a", "b"), use_plan=False) == ["q"]


def test_without_sub_graphs_the_index_holds_the_same_triples_alone() -> None:
    kg = NetworkxStore(
        [("Heat", "directed_by", "Mann"), ("Heat", "release_year", "1995"), ("Ali", "directed_by", "Mann")]
    )
    table = TripleTable(kg)
    rows = range(len(table))
    plain, rich = (SubgraphTexts(table, rule).texts(rows) for rule in (PLAIN, SubgraphRule()))
    assert all(r.startswith(p) and r != p for p, r in zip(plain, rich, strict=True))


# KICGPT's Table 4: whole conversations ------------------------------------------------------------------------

PEOPLE = [f"p{i}" for i in range(8)]
FILMS = [f"f{i}" for i in range(20)]
KG = NetworkxStore.from_triples(
    [
        *(Triple(f, "directed_by", PEOPLE[i % 8]) for i, f in enumerate(FILMS)),
        *(Triple(f, "has_genre", f"g{i % 5}") for i, f in enumerate(FILMS)),
        *(Triple("f0", "starred_actors", p) for p in PEOPLE[3:6]),
    ]
)


def talk(tmp_path: Path, ablation: str | None) -> tuple[list[str], dict[str, Any]]:
    """The last call's messages, the whole conversation in the paper's preset, and the state."""
    path = tmp_path / "rankings.jsonl"
    path.write_text(json.dumps({"head": "f0", "relation": "directed_by", "tail": None, "ranking": PEOPLE}))

    def reply(messages: list[BaseMessage], kwargs: dict[str, Any]) -> str:
        last = messages[-1].text
        return "OK" if "reply only OK" in last else "Yes" if "Yes or No" in last else "p2 | p1"

    model = ScriptedChatModel(responses=reply)
    graph = kicgpt.build(kicgpt.settings("paper", m=8, ablation=ablation))
    context = Context(kg=KG, model=model, scorer=RankingFile.load(path, KG))
    query = LinkQuery("f0", "directed_by", None)
    state = graph.invoke({"query": query, "steps": [], "warnings": []}, context=context)
    return [m.text for m in model.calls[-1][0]], state


def is_shown(text: str) -> bool:
    return text.startswith(("Analogies", "Background"))


@pytest.mark.parametrize("ablation", kicgpt.ABLATIONS)
def test_a_row_of_table_4_changes_what_it_names(tmp_path: Path, ablation: str) -> None:
    full, before = talk(tmp_path, None)
    cut, after = talk(tmp_path, ablation)
    offered = [re.search(r"(?:The c|C)andidates: (.*)", texts[-1]) for texts in (full, cut)]
    listed = [found.group(1).split(" | ") for found in offered if found]
    assert sorted(listed[0]) == sorted(listed[1]) and listed[0] == PEOPLE
    assert after["candidates"] == before["candidates"]
    assert (listed[0] == listed[1]) == (ablation != "shuffle-candidates")
    if ablation == "shuffle-candidates":
        full[0] = full[0].replace(", its best guess first", "")
        full[-1], cut[-1] = (t.replace(f.group(1), "") for t, f in zip((full[-1], cut[-1]), offered, strict=True) if f)
        assert full == cut
    elif ablation in ("no-ordering", "random-demonstrations"):
        assert [t for t in full if not is_shown(t)] == [t for t in cut if not is_shown(t)]
        assert full != cut
        shown = [sorted(map(str, state["shown"])) for state in (before, after)]
        assert (shown[0] == shown[1]) == (ablation == "no-ordering")  # the same pools, or random triples
    elif ablation == "no-icl":
        rest = [t for t in full if not is_shown(t) and not t.startswith("The question:")]
        assert [t for t in rest if t != "OK"] == cut
        assert not after.get("shown")
    else:
        assert after["shown"] == before["shown"] and len(cut) == 1
        assert all(f"{KG.display(t.head)} is directed by {KG.display(t.tail)}.\n" in cut[0]
                   for kind, t in after["shown"] if kind == "analogy")  # fmt: skip
        assert 'Reply only with "Final order:"' in full[-1] and 'Reply only with "Final order:"' in cut[0]
