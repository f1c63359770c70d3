"""KICGPT with the embedded model in process: every reply is held to its grammar."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triplewise.agents.kicgpt.ranking import parse_scores
from triplewise.backends import load_chat_model
from triplewise.graphs.complete import complete
from triplewise.kg import load_kg
from triplewise.tools.links.demonstrations import DemonstrationPools, StoreTexts
from triplewise.tools.links.kge_data import LinkPredictionData
from triplewise.tools.links.rotate_scorer import RankingFile
from triplewise.train.data.align import align

pytest.importorskip("llama_cpp")
pytestmark = pytest.mark.local

PEOPLE = ["James Cameron", "Ridley Scott", "Jane Campion", "Martin Scorsese", "Stanley Kubrick"]


@pytest.fixture
def scorer(tmp_path: Path) -> RankingFile:
    path = tmp_path / "rankings.jsonl"
    path.write_text(json.dumps({"head": "Alien", "relation": "directed_by", "tail": None, "ranking": PEOPLE}))
    return RankingFile.load(path, load_kg("films"))


def test_orders_and_scores_are_held_to_their_grammar(scorer: RankingFile) -> None:
    kg, model = load_kg("films"), load_chat_model("llamacpp:embedded", temperature=0.0)
    done = complete(kg, "Alien", "directed_by", None, scorer=scorer, model=model, m=5, top=5)
    assert sorted(p.id for p in done.ranking) == sorted(PEOPLE)
    reply = done.steps[-1].reply.split("\n---\n")[0]
    assert [int(n) in range(1, 6) for n in reply.split(", ")] == [True] * 5
    assert len(done.demonstrations) == 32
    assert 0 < done.usage.prompt_tokens / done.usage.calls <= 3700

    scored = complete(kg, "Alien", "directed_by", None, scorer=scorer, model=model, m=5, top=5, reply="scores")
    assert set(parse_scores(scored.steps[-1].reply, range(1, 6))) == {1, 2, 3, 4, 5}
    assert scored.steps[-1].status == "ok"


async def test_alignment_is_held_to_its_grammar(tmp_path: Path) -> None:
    kg, model = load_kg("films"), load_chat_model("llamacpp:embedded", temperature=0.0)
    pools = DemonstrationPools(LinkPredictionData.from_store(kg), StoreTexts(kg))
    relations = ["directed_by"]
    done = await align(kg, pools.analogies, model, tmp_path / "texts.tsv", relations=relations, examples=8)
    assert list(done.sentences) == relations
    assert all("[H]" in s.sentence and "[T]" in s.sentence for s in done.sentences.values())
