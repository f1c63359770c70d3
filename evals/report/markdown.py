"""The report as Markdown: the tables of the page, without its drawings and its samples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from triplewise.evals.report.contents import Curve, Point, Report, RunReport, named, shown, span
from triplewise.kg.names import one_line


def markdown(report: Report) -> str:
    """The report; text of data and models is escaped, so that it stays text in any renderer."""
    parts = [
        "# Evaluation",
        "Shares in percent; intervals at 95%.",
        *_section("Beside the papers", _beside(report)),
        *_section("All figures", chain.from_iterable(map(_figures, report.runs))),
        *_section("Differences between the runs", _differences(report)),
        *_section("By hops and by type", chain.from_iterable(map(_groups, report.runs))),
        *_section("Recall at k", chain.from_iterable(_curves(p, p.recall, "k") for p in report.runs)),
        *_section("The long tail", chain.from_iterable(_curves(p, p.tail, "degree of an end") for p in report.runs)),
        *_section("Cost against accuracy", _cost(report)),
        *_section("Where answers are lost", chain.from_iterable(map(_stages, report.runs))),
        *_section("The runs", map(_facts, report.runs)),
    ]
    return "\n\n".join(parts) + "\n"


def escaped(text: object) -> str:
    """Text as Markdown shows it: on one line, and nothing in it is a link, an image, HTML or a table's border."""
    return re.sub(r"[\\`*_{}\[\]<>|!#~&]|:(?=//)|(?<=www)\.", r"\\\g<0>", one_line(str(text)))


def _section(title: str, body: Iterable[str]) -> list[str]:
    parts = list(body)
    return [f"## {title}", *parts] if parts else []


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], text: Sequence[int] = (0,)) -> str:
    lines = [heads, ["---" if i in text else "--:" for i in range(len(heads))]]
    lines += [[value if isinstance(value, _Figure) else escaped(value) for value in row] for row in rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


class _Figure(str):
    """Text of ours that needs no escaping."""

    __slots__ = ()


def _title(part: RunReport, *more: str) -> str:
    return f"**{', '.join(map(escaped, (part.name, *more)))}**"


def _beside(report: Report) -> list[str]:
    rows = []
    for part in report.runs:
        for b in part.beside:
            ours = (
                (shown(b.metric, b.ours.value), span(b.metric, b.ours.interval), f"{b.ours.n:,}")
                if b.ours
                else ("–",) * 3
            )
            rows.append((part.name, b.paper_name, *map(_Figure, ours), _Figure(f"{100 * b.published:.1f}"), b.where))
    if not rows:
        return []
    heads = ("run", "the paper's metric", "ours", "95%", "n", "paper", "the paper's row")
    differs = [
        "\n".join([f"{escaped(p.name)} differs:", "", *(f"- {escaped(d)}" for d in p.differs)])
        for p in report.runs
        if p.differs
    ]
    return [_table(heads, rows, (0, 1, 6)), *differs]


def _figures(part: RunReport) -> list[str]:
    rows = [
        (
            named(f.metric),
            *map(_Figure, (shown(f.metric, f.value), span(f.metric, f.interval), f"{f.n:,}", f"v{f.version}")),
        )
        for f in part.figures
    ]
    return [_title(part), _table(("", "mean", "95%", "n", "version"), rows)]


def _differences(report: Report) -> list[str]:
    rows = [
        (f"{c.a} → {c.b}", named(c.metric), *(_Figure(shown(c.metric, m)) for m in c.means),
         _Figure(f"{100 * c.difference:+.1f}"), _Figure(span(c.metric, c.interval)),
         f"{c.p:.3g}", f"{c.p_holm:.3g}", f"{c.n:,}", c.test)
        for c in report.comparisons
    ]  # fmt: skip
    heads = ("runs", "metric", "first", "second", "difference", "95%", "p", "p, Holm", "n", "test")
    return [_table(heads, rows, (0, 1, 9))] if rows else []


def _points(points: Sequence[Point], head: str) -> str:
    rows = [(p.label, *map(_Figure, (shown("", p.value), span("", p.interval), f"{p.n:,}"))) for p in points]
    return _table((head, "%", "95%", "n"), rows)


def _groups(part: RunReport) -> list[str]:
    parts = [_points(part.hops, "hops")] * bool(part.hops) + [_points(part.kinds, "type")] * bool(part.kinds)
    left = [f"{part.kinds_left} rarer types are left out."] * bool(part.kinds_left)
    return [_title(part, named(part.primary)), *parts, *left] if parts else []


def _curves(part: RunReport, lines: Sequence[Curve], head: str) -> list[str]:
    if not lines:
        return []
    rows = [
        (
            _Figure(points[0].label),
            *(_Figure(f"{shown('', p.value)} ({span('', p.interval)})") for p in points),
            _Figure(f"{points[0].n:,}"),
        )
        for points in zip(*(line.points for line in lines), strict=True)
    ]
    return [_title(part), _table((head, *(f"{line.name}, % (95%)" for line in lines), "n"), rows)]


def _cost(report: Report) -> list[str]:
    rows = []
    for part in report.runs:
        use = part.run.spent.usage
        metrics = (part.primary, "calls", "tokens", "seconds")
        means = [shown(m, f.value) if (f := part.figure(m)) else "–" for m in metrics]
        paid = (
            f"{use.calls:,}",
            f"{use.prompt_tokens + use.completion_tokens:,}",
            "–" if use.cost is None else f"${use.cost:,.4f}",
        )
        rows.append((part.name, named(part.primary), *map(_Figure, (*means, *paid))))
    heads = (
        "run",
        "metric",
        "mean",
        "calls an item",
        "tokens an item",
        "seconds an item",
        "calls paid",
        "tokens paid",
        "paid",
    )
    return [_table(heads, rows, (0, 1))]


def _stages(part: RunReport) -> list[str]:
    body = []
    if part.stages:
        rows = [
            (s.stage, *map(_Figure, (f"{s.count:,}", shown("", s.share), span("", s.interval))),
             _Figure("–" if s.published is None else f"{100 * s.published:.0f}"))
            for s in part.stages
        ]  # fmt: skip
        body.append(_table(("stage", "wrong answers", "%", "95%", "KG-GPT's Table 3, %"), rows))
    if part.unknown:
        told = "; ".join(f"{escaped(why)} ({count:,})" for why, count in part.unknown.most_common())
        body.append(f"Not told apart, and left out: {told}.")
    return [_title(part), *body] if body else []


def _facts(part: RunReport) -> str:
    return "\n".join([_title(part), "", *(f"- {name}: {escaped(value)}" for name, value in part.facts().items())])
