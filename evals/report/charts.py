"""The report's charts as inline SVG: intervals, bars, curves and cost against accuracy.

Colours are classes (``c0`` … ``c5``), so that the page's style sets them for light and dark; no chart carries a
style or a script.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from triplewise.evals.report.contents import Curve
from triplewise.evals.report.markup import Markup, element
from triplewise.evals.scores.statistics import Interval

COLOURS = 6
_WIDTH, _HEIGHT = 460, 270
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 18, 12, 44


class Dot(NamedTuple):
    """A run in the chart of cost against accuracy: ``x`` above 0, ``y`` a share of 1."""

    name: str
    x: float
    y: float
    interval: Interval


def strip(interval: Interval, value: float | None, published: float | None = None, colour: int = 0) -> Markup:
    """A share on a line from 0 to 100 %: the interval, our value as a dot, the paper's as a hollow diamond."""
    low, high = (100 * min(1.0, max(0.0, v)) for v in interval)
    marks = [element("line", x1=0, x2=100, y1=8, y2=8, class_="rail"),
             element("line", x1=low, x2=high, y1=8, y2=8, class_=f"span c{colour % COLOURS}")]  # fmt: skip
    if value is not None:
        marks.append(element("circle", cx=100 * value, cy=8, r=3.4, class_=f"dot c{colour % COLOURS}"))
    if published is not None:
        x = 100 * published
        marks.append(element("path", d=f"M{x:.1f} 2.5L{x + 4:.1f} 8L{x:.1f} 13.5L{x - 4:.1f} 8Z", class_="paper"))
    return element("svg", marks, viewBox="-5 0 110 16", class_="strip", role="img", aria_hidden="true")


def bar(value: float, interval: Interval, colour: int = 0) -> Markup:
    """A share as a bar with its interval as a whisker."""
    low, high = (100 * v for v in interval)
    parts = [
        element("rect", x=0, y=2, width=100, height=10, class_="track"),
        element("rect", x=0, y=2, width=100 * value, height=10, class_=f"fill c{colour % COLOURS}"),
        element("line", x1=low, x2=high, y1=7, y2=7, class_="whisker"),
        *(element("line", x1=x, x2=x, y1=4, y2=10, class_="whisker") for x in (low, high)),
    ]
    return element("svg", parts, viewBox="0 0 100 14", preserveAspectRatio="none", class_="bar", aria_hidden="true")


def stack(shares: Sequence[float]) -> Markup:
    """Shares that add up to 1, side by side."""
    starts = [100 * sum(shares[:i]) for i in range(len(shares))]
    parts = [
        element("rect", x=start, y=1, width=100 * share, height=12, class_=f"fill c{i}")
        for i, (start, share) in enumerate(zip(starts, shares, strict=True))
    ]
    return element("svg", parts, viewBox="0 0 100 14", preserveAspectRatio="none", class_="bar", aria_hidden="true")


def curves(lines: Sequence[Curve], x_name: str, y_name: str) -> Markup:
    """Lines over shared labels, the intervals of up to two as bands; the even steps of the axis are the labels."""
    labels = [point.label for point in lines[0].points]
    xs = [_LEFT + (i + 0.5) * (_WIDTH - _LEFT - _RIGHT) / len(labels) for i in range(len(labels))]
    top = min(1.0, max(point.interval.high for line in lines for point in line.points) * 1.08)
    parts = _axes(top, list(zip(labels, xs, strict=True)), x_name, y_name)
    for number, line in enumerate(lines):
        colour = f"c{number % COLOURS}"
        upper = [(x, _y(p.interval.high, top)) for x, p in zip(xs, line.points, strict=True)]
        lower = [(x, _y(p.interval.low, top)) for x, p in zip(xs, line.points, strict=True)]
        places = [(x, _y(p.value, top)) for x, p in zip(xs, line.points, strict=True)]
        if len(lines) <= 2:  # more bands hide each other; the intervals are in the table
            parts.append(element("path", d=f"{_path(upper)}L{_path(lower[::-1])[1:]}Z", class_=f"band {colour}"))
        parts.append(element("path", d=_path(places), class_=f"line {colour}"))
        for (x, y), p in zip(places, line.points, strict=True):
            told = f"{line.name}, {p.label}: {100 * p.value:.1f} [{_span(p.interval)}], n = {p.n:,}"
            parts.append(element("circle", element("title", told), cx=x, cy=y, r=3, class_=f"dot {colour}"))
    return _chart(parts, f"{y_name} by {x_name}")


def cost(dots: Sequence[Dot], x_name: str, y_name: str) -> Markup:
    """Runs by cost (logarithmic) and accuracy, numbered as in the legend."""
    low, high = (math.log10(f(d.x for d in dots)) for f in (min, max))
    low, high = low - 0.15, max(high + 0.15, low + 0.6)
    width = _WIDTH - _LEFT - _RIGHT

    def place(x: float) -> float:
        return _LEFT + width * (math.log10(x) - low) / (high - low)

    ticks = [m * 10**e for e in range(math.floor(low), math.ceil(high) + 1) for m in (1, 2, 5)]
    marks = [(f"{t:,.10g}", place(t)) for t in ticks if low <= math.log10(t) <= high]
    parts = _axes(1.0, marks, x_name, y_name)
    for number, dot in enumerate(dots):
        x, colour = place(dot.x), f"c{number % COLOURS}"
        ends = [_y(v, 1.0) for v in dot.interval]
        parts.append(element("line", x1=x, x2=x, y1=ends[0], y2=ends[1], class_=f"line {colour}"))
        told = element("title", f"{dot.name}: {100 * dot.y:.1f} [{_span(dot.interval)}] at {dot.x:,.4g}")
        parts.append(element("circle", told, cx=x, cy=_y(dot.y, 1.0), r=4.5, class_=f"dot {colour}"))
        parts.append(element("text", number + 1, x=x + 7, y=_y(dot.y, 1.0) - 5, class_="mark"))
    return _chart(parts, f"{y_name} by {x_name}")


def _axes(top: float, ticks: Sequence[tuple[str, float]], x_name: str, y_name: str) -> list[Markup]:
    step = 0.2 if top > 0.5 else 0.1 if top > 0.2 else 0.05
    parts = []
    for i in range(math.floor(top / step + 1e-9) + 1):
        y = _y(i * step, top)
        parts.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="grid"))
        parts.append(element("text", f"{100 * i * step:.0f}", x=_LEFT - 6, y=y + 4, text_anchor="end", class_="tick"))
    room = 9 if all(len(label) < 5 for label, _ in ticks) else 6
    every = math.ceil(len(ticks) / room)
    for label, x in ticks[::every]:
        parts.append(element("text", label, x=x, y=_HEIGHT - _BOTTOM + 16, text_anchor="middle", class_="tick"))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(element("text", x_name, x=middle, y=_HEIGHT - 6, text_anchor="middle", class_="axis"))
    turned = f"rotate(-90 12 {(_TOP + _HEIGHT - _BOTTOM) / 2:.0f})"
    parts.append(
        element(
            "text",
            y_name,
            x=12,
            y=(_TOP + _HEIGHT - _BOTTOM) / 2,
            text_anchor="middle",
            transform=turned,
            class_="axis",
        )
    )
    return parts


def _y(value: float, top: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - min(value, top) / top)


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _span(interval: Interval) -> str:
    return ", ".join(f"{100 * v:.1f}" for v in interval)


def _chart(parts: Sequence[Markup], told: str) -> Markup:
    return element("svg", parts, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", class_="chart", role="img", aria_label=told)
