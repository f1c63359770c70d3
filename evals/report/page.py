"""The report as one HTML page that needs nothing else: no network, no other file, and no script but its own.

A policy in the page itself (``Content-Security-Policy``) names the hashes of its one style sheet and its one
script, so a browser runs and loads nothing else, whatever a question, an answer or a graph holds.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from importlib.resources import files

from triplewise.evals.report.contents import Report, RunReport
from triplewise.evals.report.markup import Markup, data_block, element, joined
from triplewise.evals.report.samples import samples
from triplewise.evals.report.sections import beside, cost, differences, figures, groups, lines, stages
from triplewise.evals.scores.stages import STAGES

e = element


def page(report: Report, *, items: int | None = None) -> str:
    """The page; ``items``: the first so many of each run in the sample browser, all where it is None."""
    style, script = (_asset(f"report.{kind}") for kind in ("css", "js"))
    policy = "; ".join([
        "default-src 'none'", f"style-src '{_hash(style)}'", f"script-src '{_hash(script)}'",
        "base-uri 'none'", "form-action 'none'",
    ])  # fmt: skip
    sections = [
        ("papers", "Beside the papers", beside(report)),
        ("figures", "All figures", figures(report)),
        ("differences", "Differences between the runs", differences(report)),
        ("groups", "By hops and by type", groups(report)),
        ("recall", "Recall at k", lines(report, "recall", "k", "share found")),
        ("tail", "The long tail", lines(report, "tail", "degree of an end, in training triples", "share")),
        ("cost", "Cost against accuracy", cost(report)),
        ("stages", "Where answers are lost", stages(report)),
        ("samples-browser", "Samples", _browser(report, items)),
        ("runs", "The runs", _provenance(report)),
    ]
    there = [(name, title, body) for name, title, body in sections if body]
    first = report.runs[0].run
    title = f"{first.task}, {first.method}" if len(report.runs) == 1 else f"{len(report.runs)} runs"
    html = e(
        "html",
        e(
            "head",
            e("meta", charset="utf-8"),
            e("meta", http_equiv="Content-Security-Policy", content=policy),
            e("meta", name="viewport", content="width=device-width, initial-scale=1"),
            e("meta", name="referrer", content="no-referrer"),
            e("title", f"Evaluation: {title}"),
            e("style", Markup(style)),
        ),
        e(
            "body",
            e(
                "header",
                e("h1", f"Evaluation: {title}"),
                e("p", _lead(report), class_="lead"),
                e("nav", [e("a", title, href=f"#{name}") for name, title, _ in there]),
            ),
            e("main", [e("section", e("h2", title), body, id=name) for name, title, body in there]),
            data_block("samples", [samples(p.name, p.run.items[:items]) for p in report.runs]),
            e("script", Markup(script)),
        ),
        lang="en",
    )
    return re.sub("[\ud800-\udfff]", "\ufffd", f"<!doctype html>\n{html}\n")  # half characters are no text


def _asset(name: str) -> str:
    return (files("triplewise.evals.report") / "assets" / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _lead(report: Report) -> str:
    items = sum(len(p.run.items) for p in report.runs)
    models = ", ".join(dict.fromkeys(p.run.model for p in report.runs))
    told = "Shares in percent; intervals at 95%, drawn by topic or template where items are alike."
    return f"{items:,} items, model {models}. {told}"


def _browser(report: Report, items: int | None) -> Markup:
    def choice(name: str, label: str, options: Sequence[tuple[str, str]]) -> Markup:
        return e("label", label, e("select", [e("option", text, value=value) for value, text in options], id=name))

    results = [
        ("", "all"),
        ("right", "right"),
        ("wrong", "wrong"),
        ("repaired", "with a repaired reply"),
        ("error", "errors"),
    ]
    stages = [("", "any"), *((s, s) for s in (*STAGES, "unknown"))]
    controls = e(
        "div", choice("run", "run", ()), choice("result", "answers", results), choice("stage", "lost in", stages),
        e("label", "text in question, answer, gold, type", e("input", id="text", type="search"), class_="grow"),
        class_="controls",
    )  # fmt: skip
    pages = e(
        "div", e("button", "back", id="back", type="button"), e("button", "next", id="next", type="button"),
        e("span", "", id="count", class_="soft", aria_live="polite"), class_="pages",
    )  # fmt: skip
    cut = any(items is not None and len(p.run.items) > items for p in report.runs)
    told = e("p", f"The first {items:,} items of each run.", class_="soft") if cut else None
    browser = e("div", told, controls, pages, e("div", "", id="items"), id="browser", hidden=True)
    return joined(browser, e("noscript", e("p", "The sample browser needs JavaScript.", class_="warn")))


def _provenance(report: Report) -> Markup:
    return joined([e("div", e("h3", part.name), _facts(part)) for part in report.runs])


def _facts(part: RunReport) -> Markup:
    return e("dl", [(e("dt", k), e("dd", v)) for k, v in part.facts().items()], class_="facts")
