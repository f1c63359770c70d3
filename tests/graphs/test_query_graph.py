"""query-graph as a whole, with the ranker that ships."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_graphs import ferries

import triplewise
from triplewise.agents.query_graph.executor import NO_NUMBERS
from triplewise.backends.fake import ScriptedChatModel
from triplewise.errors import ConfigError, QuestionError
from triplewise.graphs import query_graph
from triplewise.kg import NetworkxStore
from triplewise.kg.query import QueryGraph, execute
from triplewise.tools.query_graph.ranker import WEIGHTS, reader_of

KG = ferries()
pytestmark = pytest.mark.skipif(not WEIGHTS.is_file(), reason="triplewise/data/ranker.npz is not trained yet")


def ask(question: str, **options: object) -> triplewise.Result:
    return triplewise.ask(KG, question, method="query-graph", **options)


def test_a_question_is_answered_proven_and_read_back() -> None:
    result = ask("Who is the captain of MS Löwe?")
    assert [a.label for a in result.answers] == ["Anna Berg"]
    assert [e.triple for e in result.evidence] == [("Anna Berg", "captain of", "MS Löwe")]
    assert result.reading and result.reading.text == "who is the captain of MS Löwe"
    assert result.usage.calls == 0


def test_every_reading_can_be_taken() -> None:
    first = ask("How many ships are based at Ufer?")
    assert first.text == "2"
    for other in first.other_readings:
        taken = ask("How many ships are based at Ufer?", reading=other.number)
        assert taken.reading and (taken.reading.text, taken.reading.answers) == (other.text, other.answers)


def test_a_reading_s_query_gives_its_answers() -> None:
    result = ask("Which ships are based at Ufer?")
    for reading in (result.reading, *result.other_readings):
        assert reading
        done = execute(KG, QueryGraph.from_json(reading.query))
        assert reading.answers == ((str(done.number),) if "count" in reading.query else tuple(map(KG.label, done.ids)))


def test_probabilities_are_shares() -> None:
    ranking = reader_of(KG).rank("Who is the captain of MS Löwe?")
    assert sum(r.probability for r in ranking.readings) + ranking.none == pytest.approx(1, abs=1e-5)
    assert [r.score for r in ranking.readings] == sorted((r.score for r in ranking.readings), reverse=True)


def test_a_graph_has_one_reader() -> None:
    assert reader_of(KG) is reader_of(KG)


def test_claims() -> None:
    assert triplewise.verify(KG, "Anna Berg is captain of MS Löwe.", method="query-graph").verdict == "supported"
    assert triplewise.verify(KG, "Ben Ode is captain of MS Löwe.", method="query-graph").verdict == "refuted"


def test_given_entities_are_what_it_is_about() -> None:
    result = ask("Who is the captain?", entities=["Sea Eagle"])
    assert [a.label for a in result.answers] == ["Ben Ode"]


def test_the_model_may_choose() -> None:
    model = ScriptedChatModel(responses=["2"])
    second = ask("Who is the captain of MS Löwe?", reading=2)
    chosen = ask("Who is the captain of MS Löwe?", preset="choose", model=model)
    assert chosen.reading and second.reading and chosen.reading.text == second.reading.text
    assert chosen.usage.calls == 1


def test_an_empty_question_is_refused() -> None:
    with pytest.raises(QuestionError):
        ask("  ")


@pytest.mark.parametrize("options", [{"reading": 0}, {"top_k": 1}, {"top_k": 13}, {"preset": "paper"}])
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        query_graph.settings(**options)  # type: ignore[arg-type]


def test_a_missing_ranker_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="train ranker"):
        reader_of(ferries(), tmp_path / "none.npz")


def test_ones_own_ranker_ranks(tmp_path: Path) -> None:
    """A ranker to which "none of these" is always likelier, in a file of its own."""
    with np.load(WEIGHTS, allow_pickle=False) as archive:
        weights = dict(archive)
    np.savez(tmp_path / "own.npz", **{**weights, "none": np.full((1, 2), 1e3, np.float32)})
    question = "Who is the captain of MS Löwe?"
    assert ask(question).answers and not ask(question, ranker=tmp_path / "own.npz").answers
    with pytest.raises(ConfigError, match="train ranker"):
        ask(question, ranker=tmp_path / "none.npz")


def test_who_else_may_be_meant_and_what_cannot_be_reckoned_are_said() -> None:
    rows = [("Tom Becker", "Lund", 58000), ("Tom Ferreira", "Oslo", 49500), ("Greta Sand", "Lund", 61000)]
    triples = [(name, "salary", f'"{pay}"') for name, _, pay in rows] + [(n, "works in", town) for n, town, _ in rows]
    staff = NetworkxStore(triples, name="staff")
    pay = triplewise.ask(staff, "Where does Tom work?", method="query-graph")
    (warning,) = [w for w in pay.warnings if "meant" in w]
    assert "Tom Becker" in warning and "Tom Ferreira" in warning
    assert not [
        w for w in triplewise.ask(staff, "Where does Greta work?", method="query-graph").warnings if "meant" in w
    ]
    median = triplewise.ask(staff, "What is the median salary?", method="query-graph")
    assert not median.answers and NO_NUMBERS in median.warnings
    mean = triplewise.ask(staff, "What is the average salary?", method="query-graph")
    assert [a.label for a in mean.answers] == ["56166.67"] and len(mean.evidence) == 3


def test_a_question_that_is_verified_is_said_to_be_none() -> None:
    verified = triplewise.verify(KG, "Who is the captain of MS Löwe?", method="query-graph")
    assert any("ask answers it" in w for w in verified.warnings)
    assert not triplewise.verify(KG, "Anna Berg is captain of MS Löwe.", method="query-graph").warnings
