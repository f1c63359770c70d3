"""The report's sections as HTML: each gives its tables and charts, or None where no run has anything to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from triplewise.evals.report.charts import COLOURS, Dot, bar, curves, stack, strip
from triplewise.evals.report.charts import cost as cost_chart
from triplewise.evals.report.contents import Curve, Point, Report, RunReport, is_share, named, shown, span
from triplewise.evals.report.markup import Markup, element, joined
from triplewise.evals.scores.stages import STAGES

e = element
_BARS = 12


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[Any]], *, kind: str = "", text: Sequence[int] = (0,)
) -> Markup:
    """Cells are values, or Markup that is a drawing; columns of ``text`` are set left, the others right."""

    def cell(number: int, value: Any) -> Markup:
        if isinstance(value, Markup):
            return e("td", value, class_="drawn")
        return e("td", value, class_=None if number in text else "num")

    body = [
        e("tr", [e("th", row[0], scope="row", class_="text"), *(cell(i, v) for i, v in enumerate(row[1:], 1))])
        for row in rows
    ]
    names = [e("th", name, scope="col", class_=None if i in text else "num") for i, name in enumerate(heads)]
    return e("div", e("table", e("thead", e("tr", names)), e("tbody", body), class_=kind or None), class_="wide")


def _more(summary: str, *body: Any) -> Markup:
    return e("details", e("summary", summary), body, class_="more")


def beside(report: Report) -> Markup | None:
    """Each run's figures on the paper's metric beside what the paper prints, and what differs."""
    rows = []
    for number, part in enumerate(report.runs):
        for b in part.beside:
            ours: tuple[Any, ...] = ("–", "", "")
            if b.ours is not None:
                drawn = strip(b.ours.interval, b.ours.value, b.published, number)
                ours = (shown(b.metric, b.ours.value), span(b.metric, b.ours.interval), drawn)
            n = f"{b.ours.n:,}" if b.ours else ""
            rows.append((part.name, b.paper_name, *ours[:2], f"{100 * b.published:.1f}", *ours[2:], n, b.where))
    if not rows:
        return None
    heads = ("run", "the paper's metric", "ours", "95%", "paper", "ours ●, paper ◇ on 0 to 100", "n", "the paper's row")
    told = [
        _more(f"What differs from the paper: {part.name}", e("ul", [e("li", d) for d in part.differs], class_="plain"))
        for part in report.runs
        if part.differs
    ]
    return joined(_table(heads, rows, text=(0, 1, 5, 7)), told)


def figures(report: Report) -> Markup:
    parts = []
    for number, part in enumerate(report.runs):
        rows = []
        for figure in part.figures:
            drawn = strip(figure.interval, figure.value, None, number) if is_share(figure.metric) else ""
            values = shown(figure.metric, figure.value), span(figure.metric, figure.interval)
            rows.append((f"{named(figure.metric)}", *values, drawn, f"{figure.n:,}", f"v{figure.version}"))
        warn = None if part.run.complete else e(
            "p", f"{len(part.run.items):,} of {part.run.expected:,} items are done.", class_="warn"
        )  # fmt: skip
        table = _table(("", "mean", "95%", "0 to 100", "n", "version"), rows, text=(0, 3))
        parts.append(e("div", e("h3", part.name), warn, table))
    return e("div", parts, class_="cards")


def differences(report: Report) -> Markup | None:
    if not report.comparisons:
        return None
    rows = [
        (f"{c.a} → {c.b}", named(c.metric), *(shown(c.metric, m) for m in c.means), f"{100 * c.difference:+.1f}",
         span(c.metric, c.interval), f"{c.p:.3g}", f"{c.p_holm:.3g}", f"{c.n:,}", c.test)
        for c in report.comparisons
    ]  # fmt: skip
    heads = ("runs", "metric", "first", "second", "difference", "95%", "p", "p, Holm", "n", "test")
    told = "On the items that both runs have; Holm's correction is over all rows."
    return joined(e("p", told, class_="soft"), _table(heads, rows, text=(0, 1, 9)))


def _bars(points: Sequence[Point], colour: int, head: str) -> Markup:
    """The first bars, and the others folded away."""
    rows = [
        (
            _breakable(p.label),
            shown("", p.value),
            bar(p.value, p.interval, colour),
            span("", p.interval),
            f"{p.n:,}",
        )
        for p in points
    ]
    first, others = (
        _table((head, "%", "", "95%", "n"), part, kind="bars", text=(0, 2)) for part in (rows[:_BARS], rows[_BARS:])
    )
    return joined(first, _more(f"{len(rows) - _BARS} more", others) if len(rows) > _BARS else None)


def _breakable(label: str) -> Markup:
    """A type or relation that may wrap between its words."""
    return joined((part, e("wbr")) for part in re.split(r"(?<=[/._])", label))


def groups(report: Report) -> Markup | None:
    parts = []
    for number, part in enumerate(report.runs):
        links, claims = (part.run.items[0].item.task == t for t in ("complete", "verify"))
        body = []
        if part.hops:
            body.append(_bars(part.hops, number, "gold relations" if claims else "hops"))
        if part.kinds:
            body.append(_bars(part.kinds, number, "relation" if links else "type"))
        if part.kinds_left:
            body.append(e("p", f"{part.kinds_left} rarer ones are left out.", class_="soft"))
        if body:
            parts.append(e("div", e("h3", f"{part.name}: {named(part.primary)}"), body))
    return e("div", parts, class_="cards") if parts else None


def _legend(names: Iterable[str]) -> Markup:
    items = [e("li", e("span", "", class_=f"key c{i % COLOURS}"), name) for i, name in enumerate(names)]
    return e("ul", items, class_="legend")


def lines(report: Report, field: str, x_name: str, y_name: str) -> Markup | None:
    """The curves of each run that has them; a table holds the same figures."""
    parts = []
    for part in report.runs:
        lines: tuple[Curve, ...] = getattr(part, field)
        if lines:
            rows = [
                (
                    p.label,
                    *chain.from_iterable((shown("", q.value), span("", q.interval)) for q in points),
                    f"{p.n:,}",
                )
                for points in zip(*(line.points for line in lines), strict=True)
                for p in points[:1]
            ]
            heads = (x_name, *chain.from_iterable((line.name, "95%") for line in lines), "n")
            chart = e("figure", curves(lines, x_name, y_name), _legend(line.name for line in lines))
            parts.append(e("div", e("h3", part.name), chart, _more("the figures", _table(heads, rows))))
    return e("div", parts, class_="cards") if parts else None


def cost(report: Report) -> Markup | None:
    dots, rows = [], []
    for part in report.runs:
        tokens, figure = part.figure("tokens"), part.figure(part.primary)
        if tokens and figure and tokens.value > 0:
            dots.append(Dot(f"{part.name} ({named(part.primary)})", tokens.value, figure.value, figure.interval))
        use, money = part.run.spent.usage, part.figure("cost")
        rows.append((
            part.name, named(part.primary), shown(part.primary, figure.value) if figure else "–",
            *(shown(m, f.value) if (f := part.figure(m)) else "–" for m in ("calls", "tokens", "seconds")),
            f"${1000 * money.value:,.2f}" if money else "no price", f"{use.calls:,}",
            f"{use.prompt_tokens + use.completion_tokens:,}", "–" if use.cost is None else f"${use.cost:,.4f}",
        ))  # fmt: skip
    heads = ("run", "metric", "mean", "calls an item", "tokens an item", "seconds an item", "for 1,000 items",
             "calls paid", "tokens paid", "paid")  # fmt: skip
    chart = None
    if dots:
        chart = e("figure", cost_chart(dots, "tokens an item", "share right"),
                  _legend(f"{i}. {d.name}" for i, d in enumerate(dots, 1)))  # fmt: skip
    unsure = [
        e(
            "p",
            f"{p.name}: {p.run.spent.unknown} calls of unknown cost, {p.run.spent.assumed} charged as repeated.",
            class_="warn",
        )
        for p in report.runs
        if p.run.spent.unknown or p.run.spent.assumed
    ]
    return joined(chart, _table(heads, rows, text=(0, 1)), unsure)


def stages(report: Report) -> Markup | None:
    parts = [e("div", e("h3", p.name), _stage_table(p)) for p in report.runs if p.stages or p.unknown]
    if not parts:
        return None
    told = (
        "A wrong answer goes to the first stage that lost it, by rule; the paper's, 100 a data set, were read by hand."
    )
    return joined(e("p", told, class_="soft"), _legend(STAGES), e("div", parts, class_="cards"))


def _stage_table(part: RunReport) -> Markup:
    body = []
    if part.stages:
        bars = [("here", stack([s.share for s in part.stages]))]
        if all(s.published is not None for s in part.stages):
            bars.append(("KG-GPT's Table 3", stack([s.published or 0.0 for s in part.stages])))
        body.append(_table(("", ""), bars, kind="bars", text=(0, 1)))
        rows = [
            (
                s.stage,
                f"{s.count:,}",
                f"{shown('', s.share)} ({span('', s.interval)})",
                "–"
                if s.published is None or s.published_interval is None
                else f"{100 * s.published:.0f} ({span('', s.published_interval)})",
            )
            for s in part.stages
        ]
        body.append(_table(("stage", "n", "% (95%)", "paper, % (95%)"), rows))
    if part.unknown:
        told = "; ".join(f"{why} ({count:,})" for why, count in part.unknown.most_common())
        body.append(e("p", f"Not told apart, and left out: {told}.", class_="soft"))
    return joined(body)
