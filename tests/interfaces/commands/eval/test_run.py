"""``triplewise eval`` as a user meets it: real Inspect, a server on loopback, figures and messages."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")
pytestmark = [pytest.mark.first, pytest.mark.usefixtures("warm_brokers")]

from film_runs import Call, N, replies, values  # noqa: E402

from triplewise.evals.accounting.ledger import read_ledger  # noqa: E402
from triplewise.evals.scores.results import load_run  # noqa: E402


def test_a_run_tells_figures_with_intervals_and_what_it_spent(call: Call, metaqa: Path, fake_openai: Any) -> None:
    server = fake_openai(replies())
    code, out, err = call("run", "metaqa-1", "--model", "openai:fake", "--out", "made")
    assert (code, err) == (0, "")
    assert "metaqa-1 (dev) · kg-gpt · default · openai:fake" in out
    assert "hits_at_1 v1" in out and "100.0%  75.8% to 100.0%  12" in out
    assert f"{server.answered} calls, {server.prompt_tokens:,} prompt" in out
    assert max(map(len, out.splitlines())) <= 80
    code, out, err = call("resume", "made", "--json")
    assert (code, values(out)["hits_at_1"], json.loads(out)["items"]) == (0, 1, N)
    assert load_run("made").spent.usage.calls == server.answered == server.requests
    code, _, err = call("run", "metaqa-1", "--model", "openai:fake", "--out", "made")
    assert (code, "already holds a run" in err) == (2, True)


def test_ones_own_lines_beside_a_graph(call: Call, tmp_path: Path, fake_openai: Any) -> None:
    fake_openai(["Verdict: not enough evidence\nTriples used: none\nReason: nothing is said."])
    (tmp_path / "kg.tsv").write_text("Film1\tdirected_by\tPerson1\n")
    rows = [{"claim": f"Film1 was made in {year}.", "label": False, "entities": ["Film1"]} for year in (1990, 1991)]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    code, out, _ = call("run", "mine.jsonl", "--model", "openai:fake", "--json")
    got = values(out)
    assert (code, got["accuracy"], got["accuracy_closed_world"], got["abstention"]) == (0, 0, 1, 1)
    assert json.loads(out)["run"] == "runs/mine-kg-gpt"
    assert list(got).index("accuracy") < list(got).index("accuracy_closed_world")
    code, out, _ = call("run", "mine.jsonl", "--model", "openai:fake", "--closed-world", "--out", "closed", "--json")
    assert (code, values(out)["accuracy"], values(out)["abstention"]) == (0, 1, 0)
    code, _, err = call("run", "mine.jsonl", "--model", "openai:fake", "--closed-world", "--method", "cot-kg")
    assert (code, "Traceback" in err) == (2, False)


def test_a_dry_run_over_claims_says_how_rough_it_is(call: Call, tmp_path: Path, fake_openai: Any) -> None:
    server = fake_openai(["ok"])
    (tmp_path / "kg.tsv").write_text("Film1\tdirected_by\tPerson1\n")
    claim = {"claim": "Film1 was made in 1990.", "label": False, "entities": ["Film1"]}
    (tmp_path / "mine.jsonl").write_text(json.dumps(claim) + "\n")
    code, out, _ = call("estimate", "mine.jsonl", "--model", "openai:fake")
    assert (code, server.requests) == (0, 0)
    told = " ".join(out.split())
    assert "each sentence counts as one part: more parts make more calls" in told and "--ask tells more" in told


def test_an_estimate_is_what_the_run_asks(call: Call, metaqa: Path, fake_openai: Any, tmp_path: Path) -> None:
    (tmp_path / "triplewise.toml").write_text('[prices."openai:fake"]\nprompt = 1.0\ncompletion = 2.0\n')
    server = fake_openai(replies())
    code, out, _ = call("estimate", "metaqa-1", "--model", "openai:fake", "--sample", "4", "--json")
    dry = json.loads(out)
    assert (code, server.requests, dry["n"], dry["sampled"]) == (0, 0, N, 4)
    code, out, _ = call("estimate", "metaqa-1", "--model", "openai:fake", "--sample", N, "--ask", "--json")
    asked, before = json.loads(out), server.answered
    assert asked["prompt_tokens"] == server.prompt_tokens
    code, out, _ = call("run", "metaqa-1", "--model", "openai:fake", "--out", "made", "--json")
    spent = json.loads(out)["spent"]
    assert dry["calls"] == asked["calls"] == spent["calls"] == server.answered - before
    assert asked["prompt_tokens"] == spent["prompt_tokens"]
    assert asked["cost"] == pytest.approx(spent["cost"])
    # The dry run counts as a tokenizer does, the server here counts words.
    assert dry["tokens_interval"][0] <= dry["prompt_tokens"] + dry["completion_tokens"] <= dry["tokens_interval"][1]
    assert 1 < dry["prompt_tokens"] / spent["prompt_tokens"] < 3
    code, out, _ = call("estimate", "metaqa-1", "--model", "openai:fake")
    assert f"metaqa-1, {N} items with openai:fake" in out and "from 12 sampled items, a dry run: a guess" in out
    assert "! sentences are split by their gold relation paths" in out
    assert (dry["rough"][:9], asked["rough"]) == ("sentences", "")


def test_two_runs_are_compared_item_by_item(call: Call, metaqa: Path, fake_openai: Any) -> None:
    fake_openai(replies())
    call("run", "metaqa-1", "--model", "openai:fake", "--out", "a")
    fake_openai(replies(frozenset(range(8))))
    call("run", "metaqa-1", "--model", "openai:fake", "--out", "b")
    code, out, _ = call("compare", "a", "b", "--metric", "hits_at_1", "--metric", "recall", "--json")
    one, two = json.loads(out)
    assert (code, one["n"], one["means"], one["test"]) == (0, N, [1, pytest.approx(1 / 3)], "McNemar, exact")
    assert one["p"] == pytest.approx(2 / 2**8)  # eight differ, all one way
    assert one["p_holm"] == two["p_holm"] == pytest.approx(4 / 2**8)
    assert one["detectable"] > 6 / N
    code, out, _ = call("compare", "a", "b", "--metric", "hits_at_1", "--clusters", "kind")
    assert "a → b" in out and "-66.7%" in out and "paired bootstrap, clustered" in out
    code, _, err = call("compare", "a")
    assert (code, "needs two runs" in err) == (2, True)
    code, _, err = call("compare", "a", "b", "--metric", "accuracy")
    assert (code, "no item in common that accuracy applies to" in err) == (2, True)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("run", "nope"), ("no data set 'nope'", "Known: metaqa-1")),
        (("run", "cwq"), ("data/cwq is not there", "Get it from https://", "dev.jsonl + kg.tsv", "--data")),
        (("run", "wn18rr", "--scorer", "x"), ("valid.txt is not there", "Get it from https://", "train.txt")),
        (("run", "metaqa-1", "--data", "here"), ("vanilla/qa_dev.txt is not there", "github.com/yuyuz/MetaQA", "kb.txt")),
        (("run", "mine.jsonl"), ("mine.jsonl is not there", "{claim, label, entities}", "kg.tsv")),
        (("run", "fb15k-237"), ("needs a scorer", "triplewise train rotate")),
        (("run", "metaqa-1", "--method", "nope"), ("no method 'nope'", "kg-gpt")),
        (("run", "metaqa-1", "--preset", "nope"), ("no preset 'nope'",)),
        (("run", "metaqa-1", "--shots", "99"), ("shots is 99",)),
        (("run", "metaqa-1", "--scorer", "x"), ("missing links", "fb15k-237, wn18rr")),
        (("run", "metaqa-1", "--m", "5"), ("kg-gpt has no option 'm'", "shots")),
        (("run", "metaqa-1", "--model", "nope"), ("nope",)),
        (("run", "metaqa-1", "--split", "nope"), ("qa_nope.txt is not there",)),
        (("estimate", "nope"), ("no data set 'nope'",)),
        (("resume", "nowhere"), ("nowhere holds no run", "triplewise eval run")),
        (("compare", "nowhere", "there"), ("nowhere holds no run", "--out")),
        (("compare", "a", "b", "--clusters", "x"), ("no clusters 'x'", "topic, kind, none")),
        (("reproduce", "nope"), ("no experiment 'nope'", "kim2023_kg_gpt_metaqa")),
        (("reproduce", "kim2023_kg_gpt_metaqa", "--row", "nope"), ("has no row 'nope'", "1-hop-12-shot")),
    ],
)  # fmt: skip
def test_wrong_names_are_told(
    call: Call, metaqa: Path, fake_openai: Any, args: tuple[str, ...], told: tuple[str, ...]
) -> None:
    fake_openai(["ok"])
    model = () if "--model" in args or args[0] in ("resume", "compare") else ("--model", "openai:fake")
    code, out, err = call(*args, *model)
    assert (code, out) == (2, "")
    assert all(t in err for t in told), err
    assert "Traceback" not in err and len(err.splitlines()) <= 2
    assert not list(Path().glob("runs/*"))


def test_list_names_what_there_is(call: Call) -> None:
    code, out, _ = call("list", "--json")
    found = json.loads(out)
    assert code == 0
    assert {"metaqa-1", "factkg", "wn18rr"} <= set(found["datasets"])
    assert "1-hop-12-shot" in found["experiments"]["kim2023_kg_gpt_metaqa"]
    assert (found["metrics"]["accuracy_closed_world"], found["methods"]["kicgpt"]) == (1, ["complete"])
    code, out, _ = call("list")
    assert "kim2023_kg_gpt_factkg" in out and max(map(len, out.splitlines())) <= 80


def test_lines_of_a_benchmarks_graph_that_are_no_triple(call: Call, metaqa: Path, fake_openai: Any) -> None:
    fake_openai(replies())
    with (metaqa / "kb.txt").open("a") as graph:
        graph.write("Film0|directed_by|\nodd\n")
    code, out, _ = call("run", "metaqa-1", "--model", "openai:fake", "--limit", 2, "--json")
    assert (code, json.loads(out)["note"]) == (0, "2 lines of the graph are no triple and left out")
    code, _, err = call("run", "metaqa-1", "--model", "openai:fake", "--kg", metaqa / "kb.txt")
    assert (code, f"kb.txt:{N + 1}" in err) == (2, True)
    assert len(read_ledger("runs/metaqa-1-kg-gpt/spend.jsonl")) > 0


def test_a_run_whose_settings_are_damaged(call: Call, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    for text in ("{", "[]", '{"task": {}}', '{"caps": {"max_hope": 1}}'):
        (tmp_path / "made" / "run.json").write_text(text)
        code, out, err = call("resume", "made")
        assert (code, out) == (2, "") and "made/run.json is damaged" in err and "Traceback" not in err


def test_a_metric_that_no_run_has_and_a_damaged_log(call: Call, metaqa: Path, fake_openai: Any) -> None:
    fake_openai(replies())
    call("run", "metaqa-1", "--model", "openai:fake", "--limit", 2, "--out", "made")
    code, _, err = call("compare", "made", "made", "--metric", "nope")
    assert code == 2 and "made has no metric 'nope'." in err and "hits_at_1" in err
    (log,) = Path("made/logs").glob("*.eval")
    log.write_bytes(log.read_bytes()[:200])
    code, _, err = call("compare", "made", "made")
    assert code == 2 and f"made/logs: the log {log.name} is damaged" in err and "Traceback" not in err


def test_the_commands_of_the_documentation(call: Call, metaqa: Path, fake_openai: Any) -> None:
    fake_openai(replies())
    page = Path(__file__).resolve().parents[4] / "docs" / "evals.md"
    commands = re.findall(r"^    triplewise eval (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {c.split()[0] for c in commands} == {
        "list", "estimate", "run", "resume", "show", "compare", "reproduce", "report", "tune",
    }  # fmt: skip
    absent = {
        "factkg": "factkg_dev.pickle",
        "cwq": "data/cwq",
        "tune": "data/fb15k-237/valid.txt",
    }  # only MetaQA is put here
    for command in commands:
        code, _, err = call(*shlex.split(command))
        missing = next((file for word, file in absent.items() if word in command), None)
        if missing is None:
            assert (code, err) == (0, ""), command
        else:
            assert code == 2 and f"{missing} is not there" in " ".join(err.split()) and "Get it from" in err, command
