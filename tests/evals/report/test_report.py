"""The report of runs: figures beside the papers', groups, curves, stages, and a page on which all text is inert."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from triplewise.agents.kicgpt.state import LinkQuery
from triplewise.errors import ConfigError
from triplewise.evals.accounting.spend import Spent
from triplewise.evals.data.items import Item
from triplewise.evals.report import page as report_page
from triplewise.evals.report.contents import Report, report_of, run_report
from triplewise.evals.report.markdown import escaped, markdown
from triplewise.evals.report.markup import Markup, data_block, element
from triplewise.evals.report.page import page
from triplewise.evals.report.samples import samples
from triplewise.evals.scores.kicgpt import LinkOutcome, long_tail
from triplewise.evals.scores.metrics import VERSIONS, Outcome, score
from triplewise.evals.scores.results import ItemResult, Run
from triplewise.interfaces.cli import app
from triplewise.types import Usage

EVIL = [
    "<script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"><svg onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "<!--<script>",
    "${document.title='owned'}",
    "![x](http://127.0.0.1:9/leak) [y](javascript:alert(1)) | `",
    '=HYPERLINK("http://127.0.0.1:9")\x1b[31m\u202e\ud800',
]


def item(number: int, text: str, right: bool = True, **more) -> ItemResult:
    gold = more.pop("gold", "Ridley Scott")
    asked = Item("ask", text, (gold,), entities=("Alien",), path=("directed_by",), kind=more.pop("kind", "director"))
    answer = gold if right else "James Cameron"
    outcome = Outcome(
        answers=((answer, answer),), text=answer, evidence=(("Alien", "directed_by", gold),), citations=(0,),
        statuses=("ok",), calls=1, tokens=100, seconds=0.5,
    )  # fmt: skip
    usage = {
        "calls": 1,
        "prompt_tokens": 90,
        "completion_tokens": 10,
        "cached_tokens": 0,
        "cache_hits": 0,
        "cost": None,
    }
    shared = "Split the question. " * 10 + "\n"
    steps = (
        {"node": "segment", "status": "ok", "note": "", "prompt": shared + text, "reply": f"1. {text}",
         "detail": {"sub_sentences": [{"text": text, "ends": ["Alien", "?answer"]}]}, "usage": usage, "seconds": 0.4},
        {"node": "select_relations[1]", "status": "ok", "note": "", "prompt": "", "reply": "", "usage": usage,
         "detail": {"chosen": ["directed by"], "candidates": ["directed by", text]}, "seconds": 0.1},
    )  # fmt: skip
    return ItemResult(
        id=str(number), item=asked, outcome=outcome, text=text, gold=(gold,), answers=(answer,),
        evidence=(("Alien", "directed by", gold),), citations=(0,), steps=steps, usage=Usage(1, 90, 0, 10),
        seconds=0.5, scores=score(asked, outcome), cluster=str(number), kind=asked.kind, hops=1, **more,
    )  # fmt: skip


def run_of(*items: ItemResult, task: str = "metaqa-1", method: str = "kg-gpt", **settings) -> Run:
    return Run(
        Path("runs/a"), task, "dev", method, settings.pop("model", "openai:m"), settings.pop("preset", "default"),
        settings, {"code": "0" * 64}, VERSIONS, items, len(items), Spent(Usage(3, 270, 0, 30)),
    )  # fmt: skip


@pytest.fixture
def report() -> Report:
    items = [item(0, "who directed Alien?"), item(1, "who directed Aliens?", right=False, kind="other"),
             *(item(2 + i, text, right=i % 2 == 0, gold=text, kind=text) for i, text in enumerate(EVIL))]  # fmt: skip
    return Report((run_report(run_of(*items, model=EVIL[0]), EVIL[2]),), ())


def test_groups_and_stages(report: Report) -> None:
    part = report.runs[0]
    assert [(p.label, p.n) for p in part.hops] == [("1", 2 + len(EVIL))]
    right = 1 + (len(EVIL) + 1) // 2
    assert part.hops[0].value == pytest.approx(right / (2 + len(EVIL)))
    assert {p.label: p.value for p in part.kinds}["other"] == 0
    assert part.hops[0].interval.low < part.hops[0].value < part.hops[0].interval.high
    assert sum(s.count for s in part.stages) == 2 + len(EVIL) - right


def test_the_nearest_published_row() -> None:
    part = run_report(run_of(item(0, "q"), shots=8, preset="reference"), "a")
    (beside,) = part.beside
    assert (beside.row.name, beside.published, beside.ours and beside.ours.value) == ("1-hop-8-shot", 0.958, 1.0)
    assert "top_k: 3 in the paper's row, the preset's own here" in part.differs
    assert not any("preset" in line and "reference" in line and "default" in line for line in part.differs)
    assert run_report(run_of(item(0, "q"), task="own"), "a").beside == ()


def test_recall_by_k_of_ranked_evidence() -> None:
    found = item(0, "q", gold="Ridley Scott")
    evidence = (("Alien", "starring", "Sigourney Weaver"), ("Alien", "directed_by", "Ridley Scott"))
    ranked = ItemResult(
        "0", found.item, Outcome(evidence=evidence), "q", ("Ridley Scott",), evidence=evidence,
        steps=({**found.steps[0], "node": "retrieve_triples"},), scores=found.scores,
    )  # fmt: skip
    (curve,) = run_report(run_of(ranked, method="cot-kg"), "a").recall
    assert [(p.label, p.value) for p in curve.points] == [("1", 0.0), ("2", 1.0)]
    assert run_report(run_of(found), "a").recall == ()


NAMES = {"h0": "Heat", "r": "directed by", "t": "Michael Mann"}


@pytest.fixture
def links(tmp_path: Path) -> Path:
    from triplewise.evals.accounting.ledger import Ledger

    rows = [("kicgpt", 3, 1, (1, 5)), ("kicgpt", 2, 2, (9, 5)), ("no-icl", 3, 3, (1, 5)), ("no-icl", 2, 20, (9, 5))]
    settings = {
        "data": "data/wn18rr", "scorer": "s", "model": "m", "part": "valid", "rows": ["kicgpt", "no-icl"], "queries": 2,
        "repeats": 1, "preset": "paper",
    }  # fmt: skip
    (tmp_path / "run.json").write_text(json.dumps({"settings": settings, "found": {"m": 20, "left_out": 0}}))
    with Ledger(tmp_path / "outcomes.jsonl") as ledger, Ledger(tmp_path / "spend.jsonl") as spend:
        for number, (row, before, after, degrees) in enumerate(rows):
            usage = {
                "calls": 1,
                "prompt_tokens": 10,
                "cached_tokens": 0,
                "completion_tokens": 2,
                "cache_hits": 0,
                "cost": None,
            }
            ends = {"head": f"h{number % 2}", "relation": "r", "tail": None, "answer": "t"}
            ranks = {"retriever_rank": before, "rank": after, "offered": True, "failed": False}
            known = {"degrees": degrees, **({"names": NAMES} if row == "kicgpt" else {})}  # older runs have none
            ledger.append({"row": row, "seed": 0, **ends, **ranks, "usage": usage, **known})
            spend.append({"told": "", "usage": usage, "row": row})
    return tmp_path


def test_links_by_row_with_the_long_tail_of_figure_3(links: Path) -> None:
    found = report_of([links])
    assert [p.name for p in found.runs] == [f"{links.name} kicgpt", f"{links.name} no-icl"]
    assert [b.row.name for b in found.runs[0].beside] == ["kicgpt"] * 4
    assert found.runs[1].run.spent.usage.calls == 2
    assert {c.metric for c in found.comparisons} == {"mrr", "hits_1", "hits_3", "hits_10"}
    outcomes = [
        LinkOutcome(LinkQuery(f"h{i}", "r", None), "t", b, a, True, False, Usage())
        for i, (b, a) in enumerate([(3, 1), (2, 2)])
    ]
    want = long_tail(outcomes, {"h0": 1, "h1": 9, "t": 5})
    tail = {curve.name: [p.value for p in curve.points] for curve in found.runs[0].tail}
    assert tail["Hits@1, re-ranked"] == [group["kicgpt"]["hits_at_1"] for group in want.values()]
    assert tail["Hits@10, scorer"] == [group["retriever"]["hits_at_10"] for group in want.values()]
    recall = {curve.name: [p.value for p in curve.points] for curve in found.runs[0].recall}
    assert recall["re-ranked"][:2] == [0.5, 1.0]
    assert "Hits@10, scorer" in page(found)


def test_links_are_shown_by_their_names(links: Path) -> None:
    named, unnamed = (samples(r.name, r.run.items)["items"] for r in report_of([links]).runs)
    assert [(i["text"], i["gold"]) for i in named] == [
        ("(Heat, directed by, ?)", ["Michael Mann"]), ("(h1, directed by, ?)", ["Michael Mann"])
    ]  # fmt: skip
    assert [i["text"] for i in unnamed] == ["(h0, r, ?)", "(h1, r, ?)"]


def test_samples_share_what_their_prompts_begin_with(report: Report) -> None:
    found = samples("a", report.runs[0].run.items)
    assert len(found["shared"]) == 1
    assert found["shared"][0].startswith("Split the question.")
    place, rest = found["items"][0]["steps"][0]["prompt"]
    assert (place, rest) == (0, "who directed Alien?")
    assert found["items"][1]["stage"] == "inference"
    assert not found["items"][1]["right"]


def test_markup_escapes() -> None:
    assert element("a", "<b>", title='"x"', class_="y", hidden=True, id=None) == (
        '<a title="&quot;x&quot;" class="y" hidden>&lt;b&gt;</a>'
    )
    assert element("p", [element("b", 1), " & "], None) == "<p><b>1</b> &amp; </p>"
    assert isinstance(element("p"), Markup)
    assert re.fullmatch(
        r'<script type="application/gzip" id="d">[A-Za-z0-9+/=]+</script>', data_block("d", "</script>&")
    )


def test_markdown_escapes(report: Report) -> None:
    text = markdown(report)
    assert "<script" not in re.sub(r"\\<", "", text)
    assert not re.search(r"(?<!\\)!\[|(?<!\\)\]\(|https?://", text)
    widths = {
        len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("| ") and "95%" not in line
    }
    assert widths <= {5, 6, 7, 8, 10}
    assert escaped("a|b\n# <c> www.x") == r"a\|b \# \<c\> www\.x"


OPEN_ALL = "document.querySelectorAll('details').forEach((d) => { d.open = true; });"


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_the_page_has_no_element_of_the_data_and_a_policy_that_fits(report: Report) -> None:
    html = page(report)
    seen = Seen()
    seen.feed(html)
    names = [tag for tag, _ in seen.tags]
    assert names.count("script") == 2
    assert "img" not in names and "iframe" not in names and "link" not in names
    for tag, attributes in seen.tags:
        assert not any(name.startswith("on") or name in ("src", "style") for name in attributes), tag
        assert str(attributes.get("href", "#")).startswith("#")
    policy = next(a["content"] for t, a in seen.tags if t == "meta" and a.get("http-equiv"))
    assert policy and policy.startswith("default-src 'none'")
    script = re.findall(r"<script>(.*?)</script>", html, re.S)[-1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy and "http:" not in policy


def shown_by_a_browser(html: str, folder: Path) -> tuple[str, Seen]:
    """(title, elements) of the page once its scripts have run."""
    if shutil.which("chromium") is None:
        pytest.skip("needs Chromium")
    file = folder / "report.html"
    file.write_text(html, encoding="utf-8")
    command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'c'}",
               "--virtual-time-budget=3000", "--dump-dom", f"file://{file}"]  # fmt: skip
    dom = subprocess.run(command, capture_output=True, timeout=120, check=True).stdout.decode()
    seen = Seen()
    seen.feed(dom)
    title = re.search(r"<title>(.*?)</title>", dom)
    assert title
    return title[1], seen


def test_in_a_browser_the_samples_show_and_nothing_else_runs(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = report_page._asset

    def opened(name: str) -> str:
        text = plain(name)
        assert not name.endswith(".js") or text.endswith("filter();\n})();")
        return text.replace("filter();\n})();", "filter();\n" + OPEN_ALL + "\n})();")

    monkeypatch.setattr(report_page, "_asset", opened)
    title, seen = shown_by_a_browser(page(report), tmp_path)
    names = [tag for tag, _ in seen.tags]
    assert title == "Evaluation: metaqa-1, kg-gpt"
    classes = [attributes.get("class") for _, attributes in seen.tags]
    assert classes.count("item") == classes.count("body") == 2 + len(EVIL)
    assert classes.count("steps") == 2 + len(EVIL)
    assert "img" not in names and names.count("script") == 2
    assert not any(name.startswith("on") for _, attributes in seen.tags for name in attributes)


def test_in_a_browser_the_policy_stops_a_script_that_escaping_let_through(report: Report, tmp_path: Path) -> None:
    html = page(report).replace("</body>", "<script>document.title = 'owned'</script></body>")
    assert shown_by_a_browser(html, tmp_path)[0] == "Evaluation: metaqa-1, kg-gpt"


DOCS = (Path(__file__).resolve().parents[3] / "docs" / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", re.findall(r"^triplewise eval report .*runs/metaqa.*$", DOCS, re.M))
def test_the_commands_of_the_docs(
    command: str, links: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path_factory.mktemp("here")
    for name in re.findall(r"runs/\S+", command):
        shutil.copytree(links, here / name)
    monkeypatch.chdir(here)
    done = CliRunner().invoke(app, command.split()[1:])
    assert done.exit_code == 0, done.output
    html, text = (Path(line) for line in done.output.split())
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert text.read_text(encoding="utf-8").startswith("# Evaluation")
    assert not list(here.rglob("*.part"))


def test_a_page_that_cannot_be_written(links: Path) -> None:
    done = CliRunner().invoke(app, ["eval", "report", str(links), "--out", str(links / "no" / "a.html")])
    assert isinstance(done.exception, ConfigError)
    assert "cannot be written" in str(done.exception)


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no run"):
        report_of([tmp_path])
